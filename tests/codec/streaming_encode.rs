//! Encoders with chunks and buffers of any size: the result is that of one call, which is that of the Standard.

use crate::common::{EncodeError, Encoded, How, Text, case, drive, everything, input, utf_16};
use mojika::{Encoder, Encoding, Status};
use mojika_drive::Memory;

fn encodings() -> Vec<&'static Encoding> {
    let mut encodings = input::representatives();
    encodings.retain(|encoding| *encoding != mojika::REPLACEMENT);
    encodings
}

/// Encodes everything in one call, in either mode.
fn at_once<S: Text + ?Sized>(encoder: &mut Encoder, source: &S) -> (Encoded, Encoded) {
    let room = 10 * source.units() + 8;
    let html = drive::encode(encoder, &[source], room);
    let fatal = drive::encode_fatal(encoder, &[source], room);
    (html, fatal)
}

/// Returns the offsets at which a text may be split: between characters.
fn boundaries(text: &str) -> Vec<usize> {
    (0..=text.len())
        .filter(|&at| text.is_char_boundary(at))
        .collect()
}

fn three_parts<'a, S: ?Sized>(
    source: &'a S,
    boundaries: &[usize],
    empty: &'a S,
    part: impl Fn(&'a S, usize, usize) -> &'a S,
) -> Vec<[&'a S; 5]> {
    let end = boundaries[boundaries.len() - 1];
    let mut parts = Vec::new();
    for (i, &a) in boundaries.iter().enumerate() {
        for &b in &boundaries[i..] {
            let [first, second, third] =
                [(0, a), (a, b), (b, end)].map(|(from, to)| part(source, from, to));
            parts.push([first, empty, second, empty, third]);
        }
    }
    parts
}

fn text_parts(text: &str) -> Vec<[&str; 5]> {
    three_parts(text, &boundaries(text), "", |text, from, to| {
        &text[from..to]
    })
}

fn unit_parts(units: &[u16]) -> Vec<[&[u16]; 5]> {
    let boundaries: Vec<usize> = (0..=units.len()).collect();
    three_parts(units, &boundaries, &[], |units, from, to| &units[from..to])
}

#[test]
fn into_uninitialised_memory_as_into_initialised() {
    for encoding in encodings() {
        let encoder = &mut encoding.new_encoder().unwrap();
        for text in input::text_inputs() {
            let units = utf_16(text);
            let (html, fatal) = at_once(encoder, text);
            let (_, unit_fatal) = at_once(encoder, &*units);
            for room in [4, 5, 9, 40] {
                let case = || case(encoding, &[text.as_bytes()], room);
                let [lenient, stopping] =
                    [How::LENIENT, How::FATAL].map(|how| how.to(Memory::Uninit));
                let result = drive::encode_by(encoder, &[text], room, lenient);
                assert_eq!(result, html, "{}", case());
                let result = drive::encode_by(encoder, &[&*units], room, lenient);
                assert_eq!(result, html, "{}", case());
                let result = drive::encode_by(encoder, &[text], room, stopping);
                assert_eq!(result, fatal, "{}", case());
                let result = drive::encode_by(encoder, &[&*units], room, stopping);
                assert_eq!(result, unit_fatal, "{}", case());
            }
        }
    }
}

#[test]
fn into_growing_vectors() {
    for encoding in encodings() {
        let encoder = &mut encoding.new_encoder().unwrap();
        for text in input::text_inputs() {
            let expected = at_once(encoder, text);
            for parts in text_parts(text) {
                let case = || case(encoding, &parts.map(str::as_bytes), 0);
                grows(encoder, &parts, &expected, case);
            }
            let units = utf_16(text);
            let expected = at_once(encoder, &*units);
            for parts in unit_parts(&units) {
                grows(encoder, &parts, &expected, || case(encoding, &parts, 0));
            }
        }
    }
}

fn grows<S: Text + ?Sized>(
    encoder: &mut Encoder,
    chunks: &[&S],
    expected: &(Encoded, Encoded),
    case: impl Fn() -> String,
) {
    let mut bytes = vec![b'<'];
    let mut had_errors = false;
    for (i, chunk) in chunks.iter().enumerate() {
        let before = bytes.len();
        let progress = encoder.encode_html_append(*chunk, &mut bytes, i + 1 == chunks.len());
        assert_eq!(progress.status, Status::InputEmpty, "{}", case());
        assert_eq!(progress.read, chunk.units(), "{}", case());
        assert_eq!(progress.written, bytes.len() - before, "{}", case());
        had_errors |= progress.had_errors;
    }
    assert_eq!(bytes[1..], expected.0.bytes, "{}", case());
    assert_eq!(had_errors, expected.0.had_errors, "{}", case());
    let (mut bytes, mut errors) = (Vec::new(), Vec::new());
    for (i, chunk) in chunks.iter().enumerate() {
        let mut rest = *chunk;
        loop {
            let progress = encoder.encode_append(rest, &mut bytes, i + 1 == chunks.len());
            rest = rest.part(progress.read, rest.units());
            let Status::Unmappable(unmappable) = progress.status else {
                assert_eq!(progress.status, Status::InputEmpty);
                break;
            };
            errors.push(EncodeError {
                at: bytes.len(),
                offset: unmappable.offset,
                scalar: unmappable.scalar,
            });
        }
    }
    assert_eq!(
        (bytes, errors),
        (expected.1.bytes.clone(), expected.1.errors.clone()),
        "{}",
        case()
    );
}

#[test]
fn an_encoder_is_as_new_after_the_last_call() {
    for encoding in encodings() {
        let encoder = &mut encoding.new_encoder().unwrap();
        for text in input::text_inputs() {
            let first = at_once(encoder, text);
            assert!(encoder.is_complete());
            // A stream that is abandoned: in a state, a reference, a surrogate pair.
            encoder.encode_html("文¥💩\u{E5E5}", &mut [0; 9], false);
            encoder.reset();
            encoder.encode_html(&[0xD83D], &mut [0; 9], false);
            assert!(!encoder.is_complete());
            encoder.reset();
            assert_eq!(
                at_once(encoder, text),
                first,
                "{}",
                case(encoding, &[text.as_bytes()], 0)
            );
        }
    }
}

#[test]
fn a_clone_goes_on_from_where_its_original_stands() {
    for encoding in encodings() {
        for text in input::text_inputs() {
            let whole = at_once(&mut encoding.new_encoder().unwrap(), text).0.bytes;
            for at in boundaries(text) {
                let mut encoder = encoding.new_encoder().unwrap();
                let mut bytes = Vec::new();
                encoder.encode_html_append(&text[..at], &mut bytes, false);
                let (mut copy, mut more) = (encoder.clone(), bytes.clone());
                encoder.encode_html_append("文💩", &mut bytes, true);
                copy.encode_html_append(&text[at..], &mut more, true);
                assert_eq!(more, whole, "{}", case(encoding, &[text.as_bytes()], at));
            }
        }
    }
}

/// In encodings that are supersets of ASCII, an ASCII character is its own byte even after a multi-byte character.
#[test]
fn ascii_after_a_character_beyond_it_is_its_own_byte() {
    for encoding in everything().filter(|encoding| encoding.is_ascii_compatible()) {
        let mut characters = "éя文한אاกα".chars();
        let Some(own) = characters.find(|c| encoding.encode(&c.to_string()).is_ok()) else {
            continue;
        };
        let mut expected = encoding.encode(&own.to_string()).unwrap().into_owned();
        for ascii in '\0'..='\x7F' {
            expected.push(ascii as u8);
            let text = format!("{own}{ascii}");
            assert_eq!(
                *encoding.encode(&text).unwrap(),
                expected,
                "{encoding}: {text:?}"
            );
            expected.pop();
        }
    }
}
