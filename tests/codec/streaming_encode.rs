//! Encoders with chunks and buffers of any size, compared with one call, which the proof compares with the Standard.

use crate::common::{Encoded, Text, case, drive, everything, input};
use mojika::{Encoder, Encoding};

fn encodings() -> Vec<&'static Encoding> {
    let mut encodings = input::representatives();
    encodings.retain(|encoding| *encoding != mojika::REPLACEMENT);
    encodings
}

/// Encodes a text in one call in each mode: first "html", then "fatal".
fn at_once<S: Text + ?Sized>(encoder: &mut Encoder, source: &S) -> (Encoded, Encoded) {
    let room = 10 * source.units() + 8;
    let html = drive::encode(encoder, &[source], room);
    let fatal = drive::encode_fatal(encoder, &[source], room);
    (html, fatal)
}

/// Returns the offsets between characters, at which a text may be split.
fn boundaries(text: &str) -> Vec<usize> {
    (0..=text.len())
        .filter(|&at| text.is_char_boundary(at))
        .collect()
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
