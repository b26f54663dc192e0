//! `MixedReader` compared with a model that decodes line by line.

use crate::common::in_turns;
use crate::inner::Trickle;
use mojika::io::{MixedEvent, MixedReader};
use mojika::{
    BomHandling, Decoder, EUC_JP, Encoding, GB18030, GBK, SHIFT_JIS, Status, UTF_8, WINDOWS_1251,
    WINDOWS_1252,
};
use mojika_spec::Random;
use std::io::Read;

/// Returns the lines of a text with their line ends: LF, CR LF, or CR alone.
fn lines(mut bytes: &[u8]) -> Vec<&[u8]> {
    let mut lines = Vec::new();
    while !bytes.is_empty() {
        let end = bytes.iter().position(|byte| b"\r\n".contains(byte));
        let end = match end.map(|at| &bytes[at..]) {
            None => bytes.len(),
            Some(rest) => bytes.len() - rest.len() + 1 + usize::from(rest.starts_with(b"\r\n")),
        };
        let (line, rest) = bytes.split_at(end);
        lines.push(line);
        bytes = rest;
    }
    lines
}

/// Returns the number of LF.
fn feeds(text: &[u8]) -> u64 {
    text.iter().filter(|byte| **byte == b'\n').count() as u64
}

/// Returns the line and the column of a malformed sequence at `offset`.
fn place(bytes: &[u8], other: &'static Encoding, offset: usize) -> (u64, u64) {
    let mark = if bytes.starts_with(b"\xEF\xBB\xBF") {
        3
    } else {
        0
    };
    let (bytes, offset) = (&bytes[mark..], offset - mark);
    let mut start = 0;
    let mut lines = lines(bytes).into_iter();
    let mut line = lines.next().unwrap_or_default();
    while start + line.len() <= offset {
        start += line.len();
        line = lines.next().expect("a line with the offset");
    }
    let mut text = model(&bytes[..start], other).0;
    let mut decoder = Decoder::new(other, BomHandling::Keep);
    loop {
        let progress = decoder.decode_append_fatal(line, &mut text, true);
        line = &line[progress.read..];
        match progress.status {
            Status::Malformed(sequence) if start as u64 + sequence.offset == offset as u64 => break,
            Status::Malformed(_) => text.push('\u{FFFD}'),
            _ => panic!("nothing is malformed at {offset}"),
        }
    }
    let last = text.rsplit('\n').next().unwrap_or_default();
    (feeds(text.as_bytes()) + 1, last.chars().count() as u64 + 1)
}

/// A malformed sequence's offset, length and bytes.
type Malformed = (u64, u8, [u8; 4]);

/// Returns the malformed sequences in a line that starts at `offset`.
fn malformed_in(mut line: &[u8], other: &'static Encoding, offset: usize) -> Vec<Malformed> {
    let (whole, mut found) = (line, Vec::new());
    let mut decoder = Decoder::new(other, BomHandling::Keep);
    loop {
        let progress = decoder.decode_append_fatal(line, &mut String::new(), true);
        line = &line[progress.read..];
        let Status::Malformed(sequence) = progress.status else {
            return found;
        };
        let mut bytes = [0; 4];
        let length = usize::from(sequence.len);
        bytes[..length].copy_from_slice(&whole[sequence.offset as usize..][..length]);
        found.push((offset as u64 + sequence.offset, sequence.len, bytes));
    }
}

/// A change of the encoding: its offset and line, and the new encoding.
type Change = (u64, u64, &'static str);

/// Returns the text, all changes, and all malformed sequences, by a simple model.
fn model(bytes: &[u8], other: &'static Encoding) -> (String, Vec<Change>, Vec<Malformed>) {
    let (mut text, mut changes, mut malformed) = (String::new(), Vec::new(), Vec::new());
    let mut current = UTF_8;
    let start = if bytes.starts_with(b"\xEF\xBB\xBF") {
        3
    } else {
        0
    };
    let mut offset = start;
    for line in lines(&bytes[start..]) {
        let encoding = match std::str::from_utf8(line) {
            Ok(_) if line.is_ascii() => current,
            Ok(_) => UTF_8,
            Err(_) => other,
        };
        if encoding != current {
            let number = 1 + feeds(&bytes[..offset]);
            changes.push((offset as u64, number, encoding.name()));
            current = encoding;
        }
        // An ASCII line is the same in both encodings, and a line of UTF-8 between other lines is UTF-8.
        let encoding = if std::str::from_utf8(line).is_ok() {
            UTF_8
        } else {
            other
        };
        text.push_str(&encoding.with(BomHandling::Keep).decode(line).text);
        if encoding == other {
            malformed.extend(malformed_in(line, other, offset));
        }
        offset += line.len();
    }
    (text, changes, malformed)
}

/// Compares the reader with the model, with inner reads of at most these lengths.
fn check(bytes: &[u8], other: &'static Encoding, chunks: &[usize]) {
    let (text, expected, sequences) = model(bytes, other);
    for &most in chunks {
        let (mut read, mut changes, mut malformed) = (Vec::new(), Vec::new(), Vec::new());
        MixedReader::new(Trickle::new(bytes, most), other)
            .on_event(|event| match event {
                MixedEvent::Change {
                    offset,
                    line,
                    encoding,
                    ..
                } => {
                    changes.push((offset, line, encoding.name()));
                }
                MixedEvent::Malformed {
                    offset,
                    line,
                    column,
                    len,
                    bytes,
                    ..
                } => malformed.push(((offset, len, bytes), (line, column))),
                _ => {}
            })
            .read_to_end(&mut read)
            .unwrap();
        // Reading into a large buffer uses other code.
        let mut large = vec![0; 64 << 10];
        let mut reader = MixedReader::new(Trickle::new(bytes, most), other);
        let mut straight = Vec::new();
        loop {
            match reader.read(&mut large).unwrap() {
                0 => break,
                length => straight.extend_from_slice(&large[..length]),
            }
        }
        assert!(
            straight == read,
            "{other} in chunks of {most}: {bytes:02X?}"
        );
        assert_eq!(
            String::from_utf8(read).unwrap(),
            text,
            "{other} in chunks of {most}: {bytes:02X?}"
        );
        assert_eq!(
            changes, expected,
            "{other} in chunks of {most}: {bytes:02X?}"
        );
        let (found, places): (Vec<_>, Vec<_>) = malformed.into_iter().unzip();
        assert!(
            found == sequences,
            "{other} in chunks of {most}: {found:02X?} {bytes:02X?}"
        );
        for (&(offset, ..), found) in found.iter().zip(places) {
            let expected = place(bytes, other, offset as usize);
            assert_eq!(found, expected, "{other}: {bytes:02X?}");
        }
    }
}

#[test]
fn lines_are_decoded_as_decoders_do() {
    let mut random = Random::new(45);
    let texts = [
        "да",
        "文字",
        "é",
        "汉字转换",
        "plain",
        "",
        "naïve café",
        "Привет, мир",
    ];
    for other in [WINDOWS_1252, WINDOWS_1251, SHIFT_JIS, EUC_JP, GBK, GB18030] {
        for _ in in_turns(0..300, 4, 0) {
            let mut bytes = Vec::new();
            if random.below(8) == 0 {
                bytes.extend_from_slice(b"\xEF\xBB\xBF");
            }
            for _ in 0..random.below(12) {
                let text = texts[random.below(texts.len())];
                match random.below(6) {
                    0 | 1 => bytes.extend_from_slice(text.as_bytes()),
                    2 | 3 => bytes.extend_from_slice(&other.encode_html(text).unwrap().bytes),
                    4 => bytes.extend((0..random.below(9)).map(|_| random.below(256) as u8)),
                    _ => bytes.extend_from_slice(b"ascii"),
                }
                bytes.extend_from_slice(match random.below(12) {
                    0 => b"",
                    1 | 2 => b"\r",
                    3 | 4 => b"\r\n",
                    _ => b"\n",
                });
            }
            let chunks = [1, 7, 1 + random.below(300), usize::MAX];
            check(&bytes, other, &chunks);
        }
    }
}

/// A line without an end is decoded in pieces, to limit memory. The length of inner reads does not change the result.
#[test]
fn long_lines_are_read_in_pieces() {
    let long = "文字".repeat(500_000);
    let other = SHIFT_JIS.encode(&long).unwrap();
    let bytes = [long.as_bytes(), b"\n", &other, b"\n", "文\n".as_bytes()].concat();
    let expected = format!("{long}\n{long}\n文\n");
    for most in [1000, 65_537, usize::MAX] {
        let mut text = String::new();
        let mut changes = Vec::new();
        MixedReader::new(Trickle::new(&bytes, most), SHIFT_JIS)
            .on_event(|event| {
                if let MixedEvent::Change { line, .. } = event {
                    changes.push(line);
                }
            })
            .read_to_string(&mut text)
            .unwrap();
        assert!(text == expected, "{most}");
        assert_eq!(changes, [2, 3]);
    }
    // Malformed sequences are reported with their position in the whole line, not in a piece.
    let (first, second) = (&other[..400_000], &other[..800_000]);
    let odd = [&b"\xFF\n\xFF"[..], first, b"\xFD", second, b"\xFF\n"].concat();
    check(&odd, SHIFT_JIS, &[usize::MAX]);
    // A line that begins as UTF-8 and becomes malformed.
    let bytes = [long.as_bytes(), &other].concat();
    let mut texts = Vec::new();
    for most in [1000, 65_537, usize::MAX] {
        let mut text = String::new();
        MixedReader::new(Trickle::new(&bytes, most), SHIFT_JIS)
            .read_to_string(&mut text)
            .unwrap();
        texts.push(text);
    }
    assert!(
        texts
            .iter()
            .all(|text| *text == texts[0] && text.starts_with(&long[..900_000]))
    );
}

#[test]
#[should_panic(expected = "not compatible with ASCII")]
fn wide_code_units_have_no_lines() {
    let _ = MixedReader::new(&b""[..], mojika::UTF_16LE);
}
