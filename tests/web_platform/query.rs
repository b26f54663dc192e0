//! The query of a link or the field of a form in a page of some encoding, by the engine and by the transliteration.

use mojika::{Encoding, Status};
use mojika_spec::hooks::encode_string;

/// The URL Standard's "percent-encode after encoding" with its query percent-encode set.
fn percent_encode_after_encoding(encoding: &'static Encoding, input: &str) -> String {
    let query = |byte: u8| b" \"#<>".contains(&byte);
    mojika::hooks::percent_encode_after_encoding(encoding, input, query, false)
}

/// The bytes that a percent-encoded string stands for. A `%` that no two hexadecimal digits follow is itself: links do
/// not escape it.
fn percent_decode(mut string: &str) -> Vec<u8> {
    let mut bytes = Vec::new();
    while let Some(&first) = string.as_bytes().first() {
        let digits = string.get(1..3).filter(|_| first == b'%');
        let byte = digits.and_then(|digits| u8::from_str_radix(digits, 16).ok());
        bytes.push(byte.unwrap_or(first));
        string = &string[if byte.is_some() { 3 } else { 1 }..];
    }
    bytes
}

/// Checks that `https://example.com/?` + `input` has the query `expected` in a page whose encoding has this label, and
/// that encoding in error mode "html" gives the same bytes: from UTF-8 and UTF-16, at once, into buffers of 4 bytes, and
/// with ASCII around it.
pub fn queries(label: &str, input: &str, expected: &str) {
    let encoding = Encoding::for_label(label).expect(label);
    let spec = mojika_spec::get_an_encoding(label).expect(label);
    for padding in [0, 1, 16, 33, 65] {
        let before = "x".repeat(padding);
        // ISO-2022-JP stays in its Roman state for ASCII behind the input.
        let after = if label == "iso-2022-jp" { "" } else { &before };
        let input = &*format!("{before}{input}{after}");
        let expected = &*format!("{before}{expected}{after}");
        let case = format!("{label} at level {}: {input:?}", mojika::simd::level());

        assert_eq!(
            percent_encode_after_encoding(encoding, input),
            expected,
            "{case}"
        );
        let bytes = percent_decode(expected);
        assert_eq!(
            encode_string(input, spec),
            bytes,
            "the transliteration: {case}"
        );
        let encoded = encoding.encode_html(input).expect("an encoder");
        assert_eq!(*encoded.bytes, bytes, "{case}");
        assert_eq!(
            encoding.encode(input).is_err(),
            encoded.had_errors,
            "{case}"
        );

        let units: Vec<u16> = input.encode_utf16().collect();
        let mut encoder = encoding.new_encoder().expect("an encoder");
        let mut from_utf16 = Vec::new();
        encoder.encode_html_append(&units, &mut from_utf16, true);
        assert_eq!(from_utf16, bytes, "from UTF-16: {case}");

        let (mut tight, mut rest) = (Vec::new(), input);
        loop {
            let mut buffer = [0; 4];
            let progress = encoder.encode_html(rest, &mut buffer, true);
            tight.extend_from_slice(&buffer[..progress.written]);
            rest = &rest[progress.read..];
            if progress.status == Status::InputEmpty {
                break;
            }
        }
        assert_eq!(tight, bytes, "into buffers of 4 bytes: {case}");
    }
}

/// Checks that each scalar value of `text` is unmappable, and that its reference stands in its place.
pub fn are_unmappable(label: &str, text: &str) {
    let encoding = Encoding::for_label(label).expect(label);
    for scalar in text.chars() {
        let mut encoder = encoding.new_encoder().expect("an encoder");
        let progress = encoder.encode(scalar.encode_utf8(&mut [0; 4]), &mut [0; 8], true);
        let Status::Unmappable(unmappable) = progress.status else {
            panic!("{label} has bytes for {scalar:?}");
        };
        assert_eq!(
            (unmappable.scalar, unmappable.offset),
            (scalar, 0),
            "{label}"
        );
        let reference = format!("%26%23{}%3B", u32::from(scalar));
        queries(label, &scalar.to_string(), &reference);
    }
}
