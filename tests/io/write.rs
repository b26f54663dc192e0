//! `EncodeWriter` writes the bytes of one-shot encoding, for any split of the text and any partial inner write.

#![cfg(feature = "std")]

use crate::common::{Random, hex, input};
use crate::inner::{CHUNKS, Picky, decode_error, encode_error, unblocked};
use mojika::io::EncodeWriter;
use mojika::{
    BomHandling, EUC_KR, Encoding, Fallback, ISO_2022_JP, NoEncoder, REPLACEMENT, SHIFT_JIS, UTF_8,
    UTF_16BE, UTF_16LE, Unmappable, WINDOWS_1252,
};
use std::io::{ErrorKind, Result, Write};

/// Returns the shared texts, which are short, and two longer ones of odd characters.
fn texts(random: &mut Random) -> Vec<String> {
    let mut texts: Vec<_> = input::text_inputs().into_iter().map(String::from).collect();
    texts.extend([20, 300].map(|length| random.odd_text(length)));
    texts
}

/// Returns the encodings that have an encoder.
fn encodings() -> impl Iterator<Item = &'static Encoding> {
    Encoding::all()
        .iter()
        .copied()
        .filter(|e| e.new_encoder().is_ok())
}

/// The number of bytes of each write; small ones split characters.
const CUTS: [usize; 5] = [1, 2, 3, 5, 4096];

/// Writes all bytes in pieces of one size, and repeats each write while the inner writer would block.
fn write_all<W: Write, H: FnMut(Unmappable) -> Fallback>(
    writer: &mut EncodeWriter<W, H>,
    bytes: &[u8],
    cut: usize,
) -> Result<()> {
    for mut piece in bytes.chunks(cut) {
        while !piece.is_empty() {
            let n = unblocked(|| writer.write(piece))?;
            assert!((1..=piece.len()).contains(&n), "{n} of {}", piece.len());
            piece = &piece[n..];
        }
    }
    Ok(())
}

/// Ends the stream, and returns all written bytes.
fn finish<H: FnMut(Unmappable) -> Fallback>(mut writer: EncodeWriter<Picky, H>) -> Vec<u8> {
    unblocked(|| writer.finish()).expect("no error");
    assert!(writer.get_ref().flushes > 0, "the inner writer is flushed");
    assert_eq!(writer.byte_position(), writer.get_ref().bytes.len() as u64);
    let (inner, unwritten) = writer.into_inner();
    assert_eq!((&*unwritten.bytes, &*unwritten.text), (&b""[..], &b""[..]));
    inner.bytes
}

fn new(inner: Picky, encoding: &'static Encoding) -> EncodeWriter<Picky> {
    EncodeWriter::new(inner, encoding).expect("an encoder")
}

#[test]
fn html_in_any_cuts_as_one_shot() {
    let mut random = Random::new(81);
    for encoding in encodings() {
        for text in texts(&mut random) {
            let expected = encoding.encode_html(&text).expect("an encoder");
            for chunk in CHUNKS {
                for cut in CUTS {
                    for capacity in [0, 100, 5000] {
                        let writer = new(Picky::troubled(chunk), encoding).html();
                        let mut writer = writer.with_capacity(capacity);
                        write_all(&mut writer, text.as_bytes(), cut).expect("no error");
                        assert_eq!(writer.text_position(), text.len() as u64);
                        let had_errors = writer.had_errors();
                        let bytes = finish(writer);
                        let case = || format!("{encoding}, {chunk}, {cut}, {capacity}: {text:?}");
                        assert_eq!(hex(&bytes), hex(&expected.bytes), "{}", case());
                        assert_eq!(had_errors, expected.had_errors, "{}", case());
                    }
                }
            }
        }
    }
}

#[test]
fn a_handler_is_asked_as_in_one_shot() {
    let mut random = Random::new(82);
    let choose = |unmappable: Unmappable| match u32::from(unmappable.scalar) % 4 {
        0 => Fallback::Omit,
        1 => Fallback::Html,
        // This replacement is longer than the smallest buffer.
        2 => Fallback::Text(
            "[a fallback that is longer than any buffer of the least size, or two] ".into(),
        ),
        _ => Fallback::Text("?".into()),
    };
    for encoding in encodings() {
        for text in texts(&mut random) {
            let mut expected_asked = Vec::new();
            let expected = encoding.encode_or_else(&text, |unmappable| {
                expected_asked.push(unmappable);
                choose(unmappable)
            });
            let expected = expected.expect("ASCII is mappable");
            for (chunk, cut, capacity) in [(1, 1, 0), (7, 3, 0), (4096, 4096, 0), (3, 4096, 9000)] {
                let mut asked = Vec::new();
                let writer = new(Picky::troubled(chunk), encoding).with_capacity(capacity);
                let mut writer = writer.on_unmappable(|unmappable| {
                    asked.push(unmappable);
                    choose(unmappable)
                });
                write_all(&mut writer, text.as_bytes(), cut).expect("no error");
                let bytes = finish(writer);
                assert_eq!(
                    hex(&bytes),
                    hex(&expected.bytes),
                    "{encoding}, {cut}: {text:?}"
                );
                assert_eq!(asked, expected_asked, "{encoding}, {cut}: {text:?}");
            }
        }
    }
}

#[test]
fn fatal_takes_all_before_the_unmappable_and_fails_again() {
    let mut random = Random::new(83);
    for encoding in encodings() {
        for text in texts(&mut random) {
            // After each error, compare its offset and the bytes before it, and continue after the character.
            let mut rest = &*text;
            let mut expected = Vec::new();
            let mut encoder = encoding.new_encoder().expect("an encoder");
            let mut writer = new(Picky::troubled(7), encoding).with_capacity(0);
            loop {
                let mut position = text.len() - rest.len();
                let progress = encoder.encode_append(rest, &mut expected, false);
                let result = write_all(&mut writer, rest.as_bytes(), 4096);
                let mojika::Status::Unmappable(unmappable) = progress.status else {
                    result.expect("no error");
                    break;
                };
                let scalar = rest[..progress.read]
                    .chars()
                    .next_back()
                    .expect("a scalar value");
                position += progress.read - scalar.len_utf8();
                for _ in 0..2 {
                    let error = writer
                        .write(&text.as_bytes()[position..])
                        .expect_err("the same");
                    assert_eq!(
                        encode_error(&error).0,
                        unmappable.scalar,
                        "{encoding} {text:?}"
                    );
                }
                assert!(result.is_err());
                rest = &text[position + scalar.len_utf8()..];
            }
            encoder.encode_html_append("", &mut expected, true);
            assert_eq!(hex(&finish(writer)), hex(&expected), "{encoding}: {text:?}");
        }
    }
}

#[test]
fn an_error_has_its_offset_in_all_that_was_written() {
    let mut writer = new(Picky::new(9), WINDOWS_1252);
    writer.write_all("né ".as_bytes()).expect("mappable");
    let error = writer.write_all("abc→".as_bytes()).expect_err("an arrow");
    assert_eq!(encode_error(&error), ('→', 7));
    assert_eq!(
        error.to_string(),
        "U+2192 at offset 7 is unmappable in windows-1252"
    );
    assert_eq!(writer.text_position(), 7, "what precedes it has been taken");
    writer.write_all(b"!").expect("mappable");
    assert_eq!(finish(writer), b"n\xE9 abc!");
}

#[test]
fn a_fallback_that_is_unmappable_fails_and_writes_nothing_of_itself() {
    let mut writer = new(Picky::new(9), ISO_2022_JP).on_unmappable(|_| Fallback::Text("¥€".into()));
    let error = writer
        .write_all("字é".as_bytes())
        .expect_err("é and € are unmappable");
    assert_eq!(encode_error(&error), ('é', 3));
    writer.write_all("a".as_bytes()).expect("mappable");
    assert_eq!(finish(writer), b"\x1B$B;z\x1B(Ba");
}

#[test]
fn a_replaced_sequence_waits_for_a_long_fallback_before_it() {
    let long = |unmappable: Unmappable| {
        Fallback::Text(
            unmappable
                .scalar
                .escape_unicode()
                .to_string()
                .repeat(30)
                .into(),
        )
    };
    let text = "→\u{FFFD}\u{FFFD}a";
    let expected = WINDOWS_1252.encode_or_else(text, long).expect("ASCII");
    for cut in CUTS {
        let mut writer = new(Picky::troubled(7), WINDOWS_1252)
            .replace_invalid_utf8()
            .with_capacity(0)
            .on_unmappable(long);
        write_all(&mut writer, b"\xE2\x86\x92\xFF\xE2\x86a", cut).expect("replaced");
        assert_eq!(hex(&finish(writer)), hex(&expected.bytes), "{cut}");
    }
}

#[test]
fn invalid_utf_8_is_an_error_or_replaced_as_decoding_does() {
    let mut random = Random::new(84);
    let mut inputs: Vec<_> = input::byte_inputs().into_iter().map(Vec::from).collect();
    inputs.extend([40, 300].map(|length| random.odd_bytes(length)));
    for bytes in inputs {
        let utf_8 = UTF_8.with(BomHandling::Keep);
        let text = utf_8.decode(&bytes).text;
        for encoding in [UTF_16LE, SHIFT_JIS, UTF_8] {
            let expected = encoding.encode_html(&text).expect("an encoder");
            for cut in CUTS {
                let writer = new(Picky::troubled(7), encoding).html().with_capacity(0);
                let mut writer = writer.replace_invalid_utf8();
                write_all(&mut writer, &bytes, cut).expect("replaced");
                assert_eq!(writer.text_position(), bytes.len() as u64);
                assert_eq!(
                    hex(&finish(writer)),
                    hex(&expected.bytes),
                    "{cut}: {bytes:02X?}"
                );
            }
        }
        let malformed = utf_8.decode_fatal(&bytes).err();
        for cut in CUTS {
            let mut writer = new(Picky::troubled(7), UTF_16BE).with_capacity(0);
            let result =
                write_all(&mut writer, &bytes, cut).and_then(|()| writer.finish_unblocked());
            let found = result.err().map(|error| decode_error(&error));
            assert_eq!(found, malformed, "{cut}: {bytes:02X?}");
        }
    }
}

/// [`EncodeWriter::finish`], repeated while the inner writer would block.
trait FinishUnblocked {
    fn finish_unblocked(&mut self) -> Result<()>;
}

impl<W: Write, H: FnMut(Unmappable) -> Fallback> FinishUnblocked for EncodeWriter<W, H> {
    fn finish_unblocked(&mut self) -> Result<()> {
        unblocked(|| self.finish())
    }
}

#[test]
fn an_incomplete_character_is_dropped_with_its_error() {
    let mut writer = new(Picky::new(9), EUC_KR);
    writer
        .write_all(b"a\xED\x95")
        .expect("the start of a character");
    assert_eq!(writer.text_position(), 3);
    let error = writer.write(b"b").expect_err("not its end");
    let sequence = decode_error(&error).sequence;
    assert_eq!((sequence.offset, sequence.len), (1, 2));
    assert_eq!(writer.write(b"b").expect("nothing stands before it now"), 1);
    writer.write_all(b"\xED").expect("the start of a character");
    let error = writer.finish().expect_err("incomplete");
    assert_eq!(decode_error(&error).sequence.offset, 4);
    assert_eq!(finish(writer), b"ab");
}

#[test]
fn flush_does_not_end_the_stream_and_finish_does() {
    let mut writer = new(Picky::new(1), ISO_2022_JP);
    writer.write_all("文".as_bytes()).expect("mappable");
    assert_eq!(writer.get_ref().bytes, b"", "buffered");
    for _ in 0..2 {
        writer.flush().expect("no error");
        assert_eq!(writer.get_ref().bytes, b"\x1B$BJ8");
    }
    assert_eq!(writer.get_ref().flushes, 2);
    writer
        .write_all("字\u{E5}".as_bytes())
        .expect_err("å is unmappable");
    for _ in 0..2 {
        writer.finish().expect("no error");
        assert_eq!(writer.get_ref().bytes, b"\x1B$BJ8;z\x1B(B");
    }
    writer.write_all("文".as_bytes()).expect("another stream");
    writer.finish().expect("no error");
    assert_eq!(writer.get_ref().bytes, b"\x1B$BJ8;z\x1B(B\x1B$BJ8\x1B(B");
    assert_eq!(writer.text_position(), 9);
}

#[test]
fn dropping_tries_to_end_the_stream() {
    let mut bytes = Vec::new();
    let mut writer = EncodeWriter::new(&mut bytes, ISO_2022_JP).expect("an encoder");
    writer.write_all("文\u{5B57}".as_bytes()).expect("mappable");
    writer.write_all(b"\xE5").expect("the start of a character");
    drop(writer);
    assert_eq!(bytes, b"\x1B$BJ8;z\x1B(B");
}

#[test]
fn into_inner_writes_nothing_and_loses_nothing() {
    let mut random = Random::new(85);
    for encoding in encodings() {
        for text in texts(&mut random) {
            let expected = encoding.encode_html(&text).expect("an encoder");
            for end in 0..=text.len().min(40) {
                let (before, after) = text.as_bytes().split_at(end);
                let mut writer = new(Picky::new(3), encoding).html().with_capacity(0);
                write_all(&mut writer, before, 2).expect("no error");
                let (inner, unwritten) = writer.into_inner();
                let rest = [&unwritten.text, after].concat();
                let rest = String::from_utf8(rest).expect("the rest begins with a character");
                let mut bytes = [inner.bytes, unwritten.bytes].concat();
                let mut encoder = unwritten.encoder;
                encoder.encode_html_append(&rest, &mut bytes, true);
                assert_eq!(
                    hex(&bytes),
                    hex(&expected.bytes),
                    "{encoding}, {end}: {text:?}"
                );
            }
        }
    }
}

#[test]
fn an_inner_error_loses_nothing() {
    /// A writer that accepts at most five bytes per call, and fails every other time.
    struct Failing(Vec<u8>, bool);
    impl Write for Failing {
        fn write(&mut self, buf: &[u8]) -> Result<usize> {
            self.1 = !self.1;
            if self.1 {
                return Err(ErrorKind::TimedOut.into());
            }
            self.0.extend_from_slice(&buf[..buf.len().min(5)]);
            Ok(buf.len().min(5))
        }
        fn flush(&mut self) -> Result<()> {
            Ok(())
        }
    }
    let text = "文字化 ".repeat(50);
    let mut writer = EncodeWriter::new(Failing(Vec::new(), false), SHIFT_JIS)
        .expect("an encoder")
        .with_capacity(0);
    let mut rest = text.as_bytes();
    let mut failures = 0;
    while !rest.is_empty() {
        match writer.write(rest) {
            Ok(n) => rest = &rest[n..],
            Err(error) => {
                assert_eq!(error.kind(), ErrorKind::TimedOut);
                failures += 1;
            }
        }
    }
    while writer.finish().is_err() {
        failures += 1;
    }
    assert!(failures > 10);
    assert_eq!(
        writer.get_ref().0,
        *SHIFT_JIS.encode(&text).expect("mappable")
    );
}

#[test]
fn an_inner_writer_that_takes_nothing_or_too_much_is_an_error() {
    struct Odd(usize);
    impl Write for Odd {
        fn write(&mut self, buf: &[u8]) -> Result<usize> {
            Ok(self.0 * (buf.len() + 1))
        }
        fn flush(&mut self) -> Result<()> {
            Ok(())
        }
    }
    for (times, kind) in [(0, ErrorKind::WriteZero), (1, ErrorKind::Other)] {
        let mut writer = EncodeWriter::new(Odd(times), UTF_8).expect("an encoder");
        writer.write_all(b"abc").expect("buffered");
        assert_eq!(writer.flush().expect_err("odd").kind(), kind);
    }
}

#[test]
fn a_panic_of_the_inner_writer_is_not_repeated_by_drop() {
    struct Panics<'a>(&'a mut u32);
    impl Write for Panics<'_> {
        fn write(&mut self, _: &[u8]) -> Result<usize> {
            *self.0 += 1;
            panic!("as the test wants it");
        }
        fn flush(&mut self) -> Result<()> {
            Ok(())
        }
    }
    let mut writes = 0;
    let mut writer = EncodeWriter::new(Panics(&mut writes), UTF_8).expect("an encoder");
    writer.write_all(b"abc").expect("buffered");
    let flush = std::panic::AssertUnwindSafe(|| writer.flush());
    assert!(std::panic::catch_unwind(flush).is_err());
    drop(writer);
    assert_eq!(writes, 1);
}

#[test]
fn replacement_has_no_writer() {
    let error = EncodeWriter::new(Vec::new(), REPLACEMENT)
        .map(drop)
        .expect_err("no encoder");
    assert!(matches!(error, NoEncoder { encoding, .. } if encoding == REPLACEMENT));
}

#[test]
fn adapters_can_be_sent_and_shared() {
    fn check<T: Send + Sync + std::fmt::Debug>(_: &T) {}
    check(&new(Picky::new(1), WINDOWS_1252));
    let mut missing = 0;
    check(&new(Picky::new(1), WINDOWS_1252).on_unmappable(|_| {
        missing += 1;
        Fallback::Omit
    }));
}

#[test]
fn an_adapter_shows_where_it_writes_and_how() {
    let shown = format!(
        "{:?}",
        EncodeWriter::new(vec![1_u8, 2], WINDOWS_1252).expect("an encoder")
    );
    assert!(shown.starts_with("EncodeWriter { inner: [1, 2]"), "{shown}");
    assert!(shown.contains("windows-1252"), "{shown}");
}
