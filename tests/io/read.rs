//! `DecodeReader` returns the text of one-shot decoding, for any length of inner reads and of the caller's buffer.

#![cfg(feature = "std")]

use crate::common::{DecodeError, Decoding, Random, case, drive, input};
use crate::inner::{CHUNKS, Trickle, decode_error, unblocked};
use mojika::io::DecodeReader;
use mojika::{
    BIG5, BomHandling, Decoder, EUC_JP, Encoding, REPLACEMENT, SHIFT_JIS, UTF_8, UTF_16BE,
    UTF_16LE, WINDOWS_1252,
};
use std::io::{BufRead, Cursor, ErrorKind, Read};

/// Returns the shared inputs, which are short, and two longer ones of odd bytes.
fn inputs(random: &mut Random) -> Vec<Vec<u8>> {
    let mut inputs: Vec<_> = input::byte_inputs().into_iter().map(Vec::from).collect();
    inputs.extend([30, 200].map(|length| random.odd_bytes(length)));
    inputs
}

/// Returns sizes of the caller's buffer: all small ones, and some near the limit for direct decoding into it.
fn capacities() -> impl Iterator<Item = usize> {
    (1..=64).chain([2047, 2048, 100_000])
}

/// Reads to the end, continuing after each error. Returns the text and the errors; with replacement, there are none.
fn read_all(mut reader: DecodeReader<Trickle>, room: usize) -> Decoding<u8> {
    let mut buf = vec![0; room];
    let (mut units, mut errors) = (Vec::new(), Vec::new());
    // Each error is for at least one byte. A decoder that the caller has passed may have read two bytes before.
    let most = reader.get_ref().bytes.len() + 2;
    loop {
        assert!(errors.len() <= most, "an error is reported again and again");
        match unblocked(|| reader.read(&mut buf)) {
            Ok(0) => break,
            Ok(n) => units.extend_from_slice(&buf[..n]),
            Err(error) => {
                let sequence = decode_error(&error).sequence;
                errors.push(DecodeError {
                    at: units.len(),
                    offset: sequence.offset,
                    len: sequence.len,
                });
            }
        }
        assert_eq!(reader.text_position(), units.len() as u64);
    }
    assert_eq!(reader.read(&mut buf).expect("still at the end"), 0);
    Decoding {
        units,
        had_errors: reader.had_errors() || !errors.is_empty(),
        errors,
    }
}

#[test]
fn any_chunks_into_any_buffers_as_one_shot() {
    let mut random = Random::new(71);
    for &encoding in Encoding::all() {
        for bytes in inputs(&mut random) {
            let decoded = encoding.decode(&bytes);
            for chunk in CHUNKS {
                for room in capacities() {
                    let reader = DecodeReader::new(Trickle::troubled(&bytes, chunk), encoding);
                    let result = read_all(reader, room);
                    let case = || format!("chunk {chunk}, {}", case(encoding, &[&bytes], room));
                    assert_eq!(result.text(), decoded.text, "{}", case());
                    assert_eq!(result.had_errors, decoded.had_errors, "{}", case());
                    assert_eq!(result.errors, [], "{}", case());
                }
            }
        }
    }
}

#[test]
fn fatal_reports_every_malformed_sequence_at_its_place() {
    let mut random = Random::new(72);
    for &encoding in Encoding::all() {
        for bytes in inputs(&mut random) {
            let room = 4 * bytes.len() + 16;
            let expected = drive::decode_fatal::<u8>(&mut encoding.new_decoder(), &[&bytes], room);
            for chunk in CHUNKS {
                for room in [1, 2, 3, 4, 5, 16, 64, 2047, 2048, 100_000] {
                    let inner = Trickle::troubled(&bytes, chunk);
                    let reader = DecodeReader::new(inner, encoding).fatal();
                    let result = read_all(reader, room);
                    let case = || format!("chunk {chunk}, {}", case(encoding, &[&bytes], room));
                    assert_eq!(result, expected, "{}", case());
                }
            }
        }
    }
}

#[test]
fn least_buffers_with_long_input() {
    let mut random = Random::new(73);
    for &encoding in Encoding::all() {
        let bytes = random.odd_bytes(9000);
        let decoded = encoding.decode(&bytes);
        for (capacity, room) in [(0, 1), (0, 5000), (17, 33), (4096, 2048), (100_000, 7)] {
            let inner = Trickle::new(&bytes, 5000);
            let reader = DecodeReader::new(inner, encoding).with_capacity(capacity);
            let result = read_all(reader, room);
            assert_eq!(
                result.text(),
                decoded.text,
                "{encoding}, capacity {capacity}"
            );
        }
    }
}

#[test]
fn read_to_string_and_to_end_and_by_lines() {
    let mut random = Random::new(74);
    for &encoding in Encoding::all() {
        for bytes in [random.odd_bytes(100), random.odd_bytes(3000)] {
            let decoded = encoding.decode(&bytes);
            for chunk in CHUNKS {
                // Text that `fill_buf` has already buffered must come first.
                for look in [false, true] {
                    let mut reader = DecodeReader::new(Trickle::troubled(&bytes, chunk), encoding);
                    let mut text = String::from("> ");
                    if look {
                        let ahead = unblocked(|| reader.fill_buf().map(<[u8]>::len));
                        assert!(ahead.expect("no error") > 0);
                    }
                    unblocked(|| reader.read_to_string(&mut text)).expect("no error");
                    assert_eq!(text[2..], decoded.text, "{encoding}, chunk {chunk}");
                    assert_eq!(reader.text_position(), decoded.text.len() as u64);
                    assert_eq!(reader.byte_position(), bytes.len() as u64);
                }
                let mut reader = DecodeReader::new(Trickle::new(&bytes, chunk), encoding);
                let mut utf_8 = Vec::new();
                reader.read_to_end(&mut utf_8).expect("no error");
                assert_eq!(utf_8, decoded.text.as_bytes());
                let reader = DecodeReader::new(Trickle::new(&bytes, chunk), encoding);
                let lines: Vec<_> = reader.lines().map(|line| line.expect("UTF-8")).collect();
                assert!(lines.iter().map(|line| &**line).eq(decoded.text.lines()));
            }
        }
    }
}

#[test]
fn read_to_string_in_mode_fatal_keeps_the_text_before_and_goes_on() {
    let mut reader = DecodeReader::new(&b"ab\xFFcd\x81"[..], SHIFT_JIS).fatal();
    let mut text = String::new();
    let error = reader.read_to_string(&mut text).expect_err("FF");
    assert_eq!((decode_error(&error).sequence.offset, &*text), (2, "ab"));
    assert_eq!(
        error.to_string(),
        "not Shift_JIS: malformed sequence of 1 byte at byte offset 2"
    );
    let error = reader.read_to_string(&mut text).expect_err("81 at the end");
    assert_eq!((decode_error(&error).sequence.offset, &*text), (5, "abcd"));
    assert_eq!(reader.read_to_string(&mut text).expect("the end"), 0);
}

#[test]
fn read_to_string_inside_a_character_is_invalid_data() {
    let mut reader = DecodeReader::new(&b"\x95\xB6a"[..], SHIFT_JIS);
    reader.read_exact(&mut [0; 1]).expect("a byte of three");
    let mut text = String::from("as it was");
    let error = reader.read_to_string(&mut text).expect_err("no UTF-8");
    assert_eq!(
        (error.kind(), &*text),
        (ErrorKind::InvalidData, "as it was")
    );
    let mut rest = Vec::new();
    reader.read_to_end(&mut rest).expect("nothing is lost");
    assert_eq!(rest, &"文a".as_bytes()[1..]);
}

#[test]
fn an_inner_error_comes_behind_the_text_before_it() {
    /// A reader that returns an error between two reads.
    struct Failing(Vec<Result<&'static [u8], ErrorKind>>);
    impl Read for Failing {
        fn read(&mut self, buf: &mut [u8]) -> std::io::Result<usize> {
            match self.0.pop() {
                None => Ok(0),
                Some(Err(kind)) => Err(kind.into()),
                Some(Ok(part)) => {
                    buf[..part.len()].copy_from_slice(part);
                    Ok(part.len())
                }
            }
        }
    }
    for room in [1, 8, 4096] {
        let parts = vec![
            Ok(&b"\xB6b"[..]),
            Err(ErrorKind::TimedOut),
            Ok(&b"a\x95"[..]),
        ];
        let mut reader = DecodeReader::new(Failing(parts), SHIFT_JIS);
        let mut buf = vec![0; room];
        assert_eq!(reader.read(&mut buf).expect("a"), 1);
        assert_eq!(buf[0], b'a');
        let error = reader.read(&mut buf).expect_err("the inner error");
        assert_eq!(error.kind(), ErrorKind::TimedOut);
        let mut rest = String::new();
        reader.read_to_string(&mut rest).expect("the rest");
        assert_eq!(rest, "文b");
    }
}

#[test]
fn no_text_waits_for_bytes_that_it_does_not_need() {
    /// A reader that returns its bytes in one read, and then would block.
    struct Once(&'static [u8]);
    impl Read for Once {
        fn read(&mut self, buf: &mut [u8]) -> std::io::Result<usize> {
            match std::mem::take(&mut self.0) {
                b"" => Err(ErrorKind::WouldBlock.into()),
                bytes => (&*bytes).read(buf),
            }
        }
    }
    // When the sixth byte is read, its U+FFFD does not fit into a text buffer of 16 bytes.
    let mut reader =
        DecodeReader::new(Once(b"\xFF\xFF\xFF\xFF\xFF\xFF"), SHIFT_JIS).with_capacity(16);
    let mut text = [0; 18];
    reader.read_exact(&mut text).expect("all of the text");
    assert_eq!(text, *"\u{FFFD}".repeat(6).as_bytes());
    let error = reader.read(&mut text).expect_err("no more as yet");
    assert_eq!(error.kind(), ErrorKind::WouldBlock);
}

#[test]
fn reading_nothing_reads_nothing() {
    let mut reader = DecodeReader::new(Cursor::new(b"\xFFa"), SHIFT_JIS).fatal();
    assert_eq!(reader.read(&mut []).expect("no error"), 0);
    assert_eq!(reader.get_ref().position(), 0);
    let mut one = [0];
    assert!(reader.read(&mut one).is_err());
    assert_eq!(reader.read(&mut []).expect("no error"), 0);
    assert_eq!(reader.read(&mut one).expect("a"), 1);
    assert_eq!(reader.read(&mut one).expect("the end"), 0);
}

#[test]
fn a_reader_that_claims_too_much_is_an_error() {
    struct Liar;
    impl Read for Liar {
        fn read(&mut self, buf: &mut [u8]) -> std::io::Result<usize> {
            Ok(buf.len() + 1)
        }
    }
    let mut reader = DecodeReader::new(Liar, UTF_8);
    let error = reader.read(&mut [0; 9]).expect_err("too much");
    assert_eq!(error.kind(), ErrorKind::Other);
}

#[test]
fn sniff_reads_no_more_than_it_must() {
    // The given encoding, the bytes, the detected encoding, and the number of bytes read for it.
    let cases: [(&Encoding, &[u8], &Encoding, u64); 12] = [
        (SHIFT_JIS, b"", SHIFT_JIS, 0),
        (SHIFT_JIS, b"abc", SHIFT_JIS, 1),
        (SHIFT_JIS, b"\xEF\xBB\xBFabc", UTF_8, 3),
        (SHIFT_JIS, b"\xEF\xBBabc", SHIFT_JIS, 3),
        (SHIFT_JIS, b"\xEFabc", SHIFT_JIS, 2),
        (SHIFT_JIS, b"\xFE\xFFabc", UTF_16BE, 2),
        (SHIFT_JIS, b"\xFFabc", SHIFT_JIS, 2),
        (SHIFT_JIS, b"\xFF", SHIFT_JIS, 1),
        // In these cases, bytes after the first read cannot change the encoding.
        (UTF_8, b"\xEF\xBB\xBFabc", UTF_8, 1),
        (UTF_16LE, b"\xFF\xFEa\0", UTF_16LE, 1),
        (UTF_16LE, b"\xFE\xFF\0a", UTF_16BE, 2),
        (REPLACEMENT, b"\xFF\xFEa\0", UTF_16LE, 2),
    ];
    for (asked, bytes, found, takes) in cases {
        let mut reader = DecodeReader::new(Trickle::troubled(bytes, 1), asked);
        let encoding = unblocked(|| reader.sniff()).expect("no error");
        assert_eq!(encoding, found, "{asked} {bytes:02X?}");
        assert_eq!(reader.encoding(), found);
        let taken = bytes.len() - reader.get_ref().bytes.len();
        assert_eq!(taken as u64, takes, "{asked} {bytes:02X?}");
        assert_eq!(unblocked(|| reader.sniff()).expect("no error"), found);
        let mut text = String::new();
        unblocked(|| reader.read_to_string(&mut text)).expect("no error");
        assert_eq!(text, asked.decode(bytes).text, "{asked} {bytes:02X?}");
        assert_eq!(reader.sniff().expect("no error"), found);
    }
    for decoder in [
        Decoder::new(SHIFT_JIS, BomHandling::Remove),
        Decoder::new(SHIFT_JIS, BomHandling::Keep),
    ] {
        let mut reader = DecodeReader::with_decoder(Trickle::new(b"\xFE\xFF", 1), decoder);
        assert_eq!(reader.sniff().expect("no error"), SHIFT_JIS);
        assert_eq!(reader.byte_position(), 0, "no byte could matter");
    }
}

#[test]
fn into_inner_gives_back_all_that_was_not_read() {
    let mut random = Random::new(75);
    for &encoding in Encoding::all() {
        for bytes in inputs(&mut random) {
            let decoded = drive::decode_fatal::<u8>(
                &mut encoding.new_decoder(),
                &[&bytes],
                4 * bytes.len() + 16,
            );
            for (chunk, room) in [(1, 1), (3, 1), (7, 5), (4096, 3), (4096, 2048)] {
                for reads in 0..4 {
                    let inner = Trickle::new(&bytes, chunk);
                    let mut reader = DecodeReader::new(inner, encoding).fatal().with_capacity(16);
                    let mut buf = vec![0; room];
                    let (mut text, mut errors) = (Vec::new(), 0);
                    for _ in 0..reads {
                        match reader.read(&mut buf) {
                            Ok(n) => text.extend_from_slice(&buf[..n]),
                            Err(_) => errors += 1,
                        }
                    }
                    let (inner, unread) = reader.into_inner();
                    text.extend_from_slice(&unread.text);
                    errors += usize::from(unread.error.is_some());
                    if !unread.ended {
                        let rest = [&unread.bytes, inner.bytes].concat();
                        let rest = Trickle::new(&rest, 4096);
                        let rest = DecodeReader::with_decoder(rest, unread.decoder).fatal();
                        let rest = read_all(rest, 4096);
                        text.extend_from_slice(&rest.units);
                        errors += rest.errors.len();
                    }
                    let case = || format!("chunk {chunk}, {}", case(encoding, &[&bytes], room));
                    assert_eq!(text, decoded.units, "{}", case());
                    assert_eq!(errors, decoded.errors.len(), "{}", case());
                }
            }
        }
    }
}

#[test]
fn an_error_that_waits_is_given_back() {
    let mut reader = DecodeReader::new(&b"ab\xFFcd"[..], BIG5).fatal();
    assert_eq!(reader.fill_buf().expect("ab"), b"ab");
    reader.consume(1);
    let (_, unread) = reader.into_inner();
    assert_eq!((&*unread.text, &*unread.bytes), (&b"b"[..], &b"cd"[..]));
    assert_eq!(unread.error.map(|error| error.sequence.offset), Some(2));
}

#[test]
fn capacity_may_change_between_reads() {
    let mut reader = DecodeReader::new(Trickle::new(b"\xCA\xB8\xBB\xFAabc", 6), EUC_JP);
    reader.read_exact(&mut [0; 2]).expect("two bytes of three");
    let mut text = Vec::new();
    reader = reader.with_capacity(1);
    reader.read_to_end(&mut text).expect("the rest");
    assert_eq!(text, &"文字abc".as_bytes()[2..]);
}

/// The offset of an error, and both positions, are right beyond 2³².
#[test]
#[cfg_attr(debug_assertions, ignore = "4 GiB: for optimised builds")]
fn offsets_beyond_4_gib() {
    const ASCII: u64 = (1 << 32) + 5;
    let inner = std::io::repeat(b' ').take(ASCII).chain(&b"\x8Fa"[..]);
    let mut reader = DecodeReader::new(inner, EUC_JP)
        .fatal()
        .with_capacity(256 * 1024);
    let mut buf = vec![0; 256 * 1024];
    let error = loop {
        match reader.read(&mut buf) {
            Ok(n) => assert!(n > 0),
            Err(error) => break error,
        }
    };
    assert_eq!(decode_error(&error).sequence.offset, ASCII);
    assert_eq!(reader.text_position(), ASCII);
    assert_eq!(reader.read(&mut buf).expect("a"), 1);
    assert_eq!(reader.byte_position(), ASCII + 2);
    assert_eq!(reader.text_position(), ASCII + 1);
}

#[test]
fn adapters_can_be_sent_and_shared() {
    fn check<T: Send + Sync + std::fmt::Debug>(_: &T) {}
    check(&DecodeReader::new(&b""[..], WINDOWS_1252));
}

#[test]
fn an_adapter_shows_what_it_reads_and_how() {
    let shown = format!("{:?}", DecodeReader::new(&b"ab"[..], WINDOWS_1252));
    assert!(
        shown.starts_with("DecodeReader { inner: [97, 98]"),
        "{shown}"
    );
    assert!(shown.contains("windows-1252"), "{shown}");
}
