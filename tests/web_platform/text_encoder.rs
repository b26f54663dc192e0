//! `TextEncoder`, its `encodeInto`, and `TextEncoderStream`: UTF-16 to UTF-8.

use mojika::{Status, UTF_8};
use mojika_spec::text_encoder::{EncodeIntoResult, TextEncoderStream, encode_into};

/// Returns a string's code units; each `~` is the next surrogate.
fn units(string: &str, surrogates: &[u16]) -> Vec<u16> {
    let mut surrogates = surrogates.iter().copied();
    let units = string.encode_utf16();
    let units = units.map(|unit| match unit {
        0x7E => surrogates.next().expect("a surrogate"),
        _ => unit,
    });
    units.collect()
}

/// UTF-16 with lone surrogates, and the text that it is encoded as.
fn usv_strings() -> Vec<(Vec<u16>, &'static str)> {
    vec![
        (units("abc123", &[]), "abc123"),
        (units("~", &[0xD800]), "\u{FFFD}"),
        (units("~", &[0xDC00]), "\u{FFFD}"),
        (units("~\0", &[0xD800]), "\u{FFFD}\0"),
        (units("~\0", &[0xDC00]), "\u{FFFD}\0"),
        (units("abc~123", &[0xD800]), "abc\u{FFFD}123"),
        (units("abc~123", &[0xDC00]), "abc\u{FFFD}123"),
        (units("~~", &[0xDC00, 0xD800]), "\u{FFFD}\u{FFFD}"),
        (units("~~", &[0xD834, 0xDD1E]), "\u{1D11E}"),
        (units("", &[]), ""),
    ]
}

#[test]
fn textencoder_utf16_surrogates_and_api_surrogates_utf8() {
    for (input, expected) in usv_strings() {
        for padding in [0, 1, 15, 32, 70] {
            let padding = "x".repeat(padding);
            let input = [units(&padding, &[]), input.clone(), units(&padding, &[])].concat();
            let expected = format!("{padding}{expected}{padding}");
            for split in 0..=input.len() {
                let mut bytes = Vec::new();
                let mut encoder = UTF_8.new_encoder().expect("an encoder");
                encoder.encode_html_append(&input[..split], &mut bytes, false);
                encoder.encode_html_append(&input[split..], &mut bytes, true);
                assert_eq!(bytes, expected.as_bytes(), "cut at {split}: {input:04X?}");
            }
            assert_eq!(mojika::hooks::utf_8_decode(expected.as_bytes()), expected);
        }
    }
}

#[test]
fn encode_into_reads_and_writes_whole_characters() {
    for (input, room, read, written) in [
        (units("Hi", &[]), 0, 0, &b""[..]),
        (units("A", &[]), 10, 1, b"A"),
        (units("\u{1D306}", &[]), 4, 2, b"\xF0\x9D\x8C\x86"),
        (units("\u{1D306}A", &[]), 3, 0, b""),
        (
            units("~A~A¥Hi", &[0xD834, 0xDF06]),
            10,
            5,
            b"\xEF\xBF\xBD\x41\xEF\xBF\xBD\x41\xC2\xA5",
        ),
        (units("A~", &[0xDF06]), 4, 2, b"A\xEF\xBF\xBD"),
        (units("¥¥", &[]), 4, 2, b"\xC2\xA5\xC2\xA5"),
    ] {
        for filler in [0, 0x80, 0xA5] {
            for margin in [0, 4] {
                let mut buffer = vec![filler; margin + room + margin];
                let mut encoder = UTF_8.new_encoder().expect("an encoder");
                let destination = &mut buffer[margin..margin + room];
                let progress = encoder.encode_html(&input, destination, true);
                assert_eq!((progress.read, progress.written), (read, written.len()));
                let all_read = progress.status == Status::InputEmpty;
                assert_eq!(all_read, read == input.len(), "{input:04X?} into {room}");
                let after = margin + room - written.len();
                let around = [&vec![filler; margin], written, &vec![filler; after]].concat();
                assert_eq!(buffer, around, "{input:04X?} into {room}");
            }
        }
        let source: Vec<char> = char::decode_utf16(input)
            .map(|scalar| scalar.unwrap_or('\u{FFFD}'))
            .collect();
        let mut destination = vec![0; room];
        let spec = encode_into(&source, &mut destination);
        let expected = EncodeIntoResult {
            read,
            written: written.len(),
        };
        assert_eq!(spec, expected);
    }
}

/// Chunks in and chunks out, in a notation: `(` and `)` are the two surrogates of U+1F499, `R` is U+FFFD and `B` is U+1F499
/// in UTF-8; empty chunks are not written.
const STREAMS: [(&[&str], &[&str]); 19] = [
    (&["I () streams"], &["I B streams"]),
    (&["(", ")"], &["B"]),
    (&["(", ")()"], &["BB"]),
    (&["(", ")(", ")"], &["B", "B"]),
    (&["(", ")((", ")"], &["BR", "B"]),
    (&["("], &["R"]),
    (&["(", "()"], &["RB"]),
    (&["(", "a"], &["Ra"]),
    (&["(", "(", ")"], &["R", "B"]),
    (&["(", "("], &["R", "R"]),
    (&["((", ")"], &["R", "B"]),
    (&[")", "()"], &["R", "B"]),
    (&["(", "", ")"], &["B"]),
    (&["(", ""], &["R"]),
    (&[""], &[]),
    (&["", "I () streams"], &["I B streams"]),
    (&["I () streams", ""], &["I B streams"]),
    (&["a"], &["a"]),
    (&["\u{FF}"], &["\u{FF}"]),
];

#[test]
fn streams_encode_utf8() {
    for (input, output) in STREAMS {
        let input = input.iter().map(|chunk| {
            let units = chunk.encode_utf16().map(|unit| match unit {
                0x28 => 0xD83D,
                0x29 => 0xDC99,
                _ => unit,
            });
            units.collect::<Vec<u16>>()
        });
        let output = output.iter().map(|chunk| {
            let chunk = chunk.replace('R', "\u{FFFD}").replace('B', "\u{1F499}");
            chunk.into_bytes()
        });
        let output: Vec<_> = output.collect();

        let mut encoder = UTF_8.new_encoder().expect("an encoder");
        let mut spec = TextEncoderStream::new();
        let (mut chunks, mut spec_chunks) = (Vec::new(), Vec::new());
        for chunk in input {
            let mut bytes = Vec::new();
            encoder.encode_html_append(&chunk, &mut bytes, false);
            chunks.push(bytes);
            spec_chunks.push(spec.encode_and_enqueue_a_chunk(&chunk));
        }
        let mut bytes = Vec::new();
        encoder.encode_html_append(&[], &mut bytes, true);
        chunks.push(bytes);
        spec_chunks.push(spec.encode_and_flush());
        assert_eq!(chunks, spec_chunks);
        chunks.retain(|chunk| !chunk.is_empty());
        assert_eq!(chunks, output);
    }
}
