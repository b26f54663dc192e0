//! The pipeline by itself: chunks of every size, and places of unmappable characters.

use super::*;
use std::fs;
use std::path::Path;

/// Gives a few bytes at a time.
struct Slow<'a> {
    rest: &'a [u8],
    step: usize,
}

impl Read for Slow<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let len = self.step.min(self.rest.len()).min(buffer.len());
        let (now, rest) = self.rest.split_at(len);
        buffer[..len].copy_from_slice(now);
        self.rest = rest;
        Ok(len)
    }
}

/// Output, or the failure's message, with what is lost when read `step` bytes at a time.
fn convert(
    from: &'static Encoding,
    to: &'static Encoding,
    errors: ErrorMode,
    rest: &[u8],
    step: usize,
) -> (Result<Vec<u8>, String>, Counts) {
    let sink = Sink::new(to, errors, false, Vec::new()).unwrap();
    let mut converter = Converter::new(Some(from), errors, sink, "output".to_owned());
    match converter.convert("input", &mut Slow { rest, step }) {
        Ok(counts) => (Ok(converter.finish().unwrap()), counts),
        Err(failure) => (Err(failure.message().unwrap()), Counts::default()),
    }
}

/// The sample files, with the encoding that each is in.
fn samples() -> Vec<(&'static Encoding, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../samples");
    let files = folder.read_dir().unwrap().map(|entry| entry.unwrap());
    files
        .filter_map(|file| {
            let name = file.file_name().into_string().unwrap();
            let (_, label) = name.strip_suffix(".txt")?.split_once('.')?;
            let encoding = Encoding::for_label(label).unwrap();
            Some((encoding, fs::read(file.path()).unwrap()))
        })
        .collect()
}

/// The result, the counts and the messages do not depend on how much comes at a time. (Fault class 9.)
#[test]
fn chunks_of_any_size_give_the_same() {
    for (encoding, text) in samples() {
        // Cut and spoilt, as well as whole.
        let mut spoilt = text[..text.len() - 2].to_vec();
        let third = spoilt.len() / 3;
        spoilt[third] = 0xFF;
        spoilt.remove(2 * third);
        for input in [&text, &spoilt] {
            for to in [mojika::UTF_8, mojika::ISO_2022_JP, mojika::KOI8_R] {
                for errors in [
                    ErrorMode::Fail,
                    ErrorMode::Replace,
                    ErrorMode::Html,
                    ErrorMode::Skip,
                ] {
                    let whole = convert(encoding, to, errors, input, CHUNK);
                    for step in [1, 2, 3, 5, 64] {
                        let pieces = convert(encoding, to, errors, input, step);
                        assert_eq!(pieces, whole, "{encoding} {to} {errors:?} by {step}");
                    }
                }
            }
        }
    }
}

/// The offset of an unmappable character is the number of bytes before it, a byte order mark counted.
#[test]
fn unmappable_is_located_in_the_input() {
    for encoding in [
        mojika::UTF_8,
        mojika::UTF_16BE,
        mojika::UTF_16LE,
        mojika::GB18030,
    ] {
        for before in ["", "a", "дa", "д".repeat(100).as_str()] {
            let start = encoding.encode(before).unwrap().len();
            for character in ['💩', '文', '€'] {
                let text = format!("{before}{character}a");
                let input = encoding.encode(&text).unwrap();
                for step in 1..=5 {
                    let fail = ErrorMode::Fail;
                    let (result, _) = convert(encoding, mojika::KOI8_R, fail, &input, step);
                    let offset = format!("'{character}' at byte offset {start} cannot");
                    let message = result.unwrap_err();
                    assert!(message.contains(&offset), "{encoding} by {step}: {message}");
                }
            }
        }
    }
}
