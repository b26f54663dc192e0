//! Code that the integration tests share: printing, the rules' assertions, and two submodules. [`input`] has inputs for
//! many tests, and [`drive`] passes them to decoders and encoders chunk by chunk. Random and odd input is from
//! [`mojika_spec::Random`].
//!
//! A failure always prints encoding, instruction set, split points (`|`) and the input in hex.

#![allow(
    dead_code,
    unused_imports,
    reason = "each test binary uses a part of this"
)]

pub mod drive;
pub mod input;

pub use drive::{DecodeError, Decoding, EncodeError, Encoded, Form, How, Stop, Text, Unit};
pub use mojika_spec::Random;
pub use mojika_spec::sample::{all_cases, in_turns, one_in};

use mojika::{BomHandling, Decoder, Encoding};

/// Returns all encodings of the Standard, and one in three of `extended`; the selection depends on the caller. With
/// [`all_cases`], returns all encodings.
#[track_caller]
pub fn everything() -> impl Iterator<Item = &'static Encoding> {
    let standard = Encoding::all().iter().copied();
    let turn = std::panic::Location::caller().line() as usize;
    standard.chain(in_turns(mojika::extended::all(), 3, turn))
}

/// Returns the transliteration's encoding of this name.
pub fn oracle(encoding: &Encoding) -> mojika_spec::Encoding {
    mojika_spec::Encoding::all()
        .find(|spec| spec.name() == encoding.name())
        .expect("the transliteration has every encoding")
}

/// Returns bytes or UTF-16 code units in hex. Very long input is cut, because its seed reproduces the rest.
pub fn hex<T: std::fmt::UpperHex>(units: &[T]) -> String {
    const MOST: usize = 300;
    let width = 2 * size_of::<T>();
    let shown = &units[..units.len().min(MOST)];
    let mut shown: Vec<String> = shown
        .iter()
        .map(|unit| format!("{unit:0width$X}"))
        .collect();
    if units.len() > MOST {
        shown.push(format!("… ({} in all)", units.len()));
    }
    shown.join(" ")
}

/// Describes the input of a decoder for a failure message.
pub fn case<T: std::fmt::UpperHex>(encoding: &Encoding, chunks: &[&[T]], room: usize) -> String {
    let chunks: Vec<String> = chunks.iter().map(|chunk| hex(chunk)).collect();
    format!(
        "{encoding} at level {} in buffers of {room}: {}",
        mojika::simd::level(),
        chunks.join(" | ")
    )
}

/// Returns the text as UTF-16.
pub fn utf_16(text: &str) -> Vec<u16> {
    text.encode_utf16().collect()
}

/// Asserts the text to which bytes decode without BOM handling, with U+FFFD for errors, and the offsets of the errors.
///
/// Tests one call and calls byte by byte, to UTF-8 and to UTF-16, with replacement and without it.
#[track_caller]
pub fn decodes(encoding: &'static Encoding, bytes: &[u8], text: &str, errors: &[(u64, u8)]) {
    let case = || case(encoding, &[bytes], 0);
    let decoded = encoding.with(BomHandling::Keep).decode(bytes);
    assert_eq!(decoded.text, text, "text: {}", case());
    assert_eq!(decoded.had_errors, !errors.is_empty(), "{}", case());
    let single: Vec<&[u8]> = bytes.chunks(1).collect();
    for chunks in [&[bytes][..], &single] {
        decodes_in::<u8>(encoding, chunks, text, errors);
        decodes_in::<u16>(encoding, chunks, text, errors);
    }
    match (encoding.with(BomHandling::Keep).decode_fatal(bytes), errors) {
        (Ok(decoded), []) => assert_eq!(decoded.text, text, "{}", case()),
        (Err(error), [(offset, len), ..]) => {
            let sequence = error.sequence;
            assert_eq!(
                (sequence.offset, sequence.len),
                (*offset, *len),
                "{}",
                case()
            );
        }
        (result, _) => panic!("{result:?}, not {errors:?}: {}", case()),
    }
}

#[track_caller]
fn decodes_in<U: Form>(
    encoding: &'static Encoding,
    chunks: &[&[u8]],
    text: &str,
    errors: &[(u64, u8)],
) {
    let room = 64;
    let decoder = &mut Decoder::new(encoding, BomHandling::Keep);
    let replaced = drive::decode::<U>(decoder, chunks, room);
    assert_eq!(replaced.text(), text, "{}", case(encoding, chunks, room));
    assert_eq!(
        replaced.had_errors,
        !errors.is_empty(),
        "{}",
        case(encoding, chunks, room)
    );
    let fatal = drive::decode_fatal::<U>(decoder, chunks, room);
    let places: Vec<_> = fatal.errors.iter().map(|e| (e.offset, e.len)).collect();
    assert_eq!(places, errors, "{}", case(encoding, chunks, room));
    let with_replacements = fatal.with_replacements().text();
    assert_eq!(with_replacements, text, "{}", case(encoding, chunks, room));
}

/// Asserts that bytes are well-formed and decode to this text.
#[track_caller]
pub fn decodes_cleanly(encoding: &'static Encoding, bytes: &[u8], text: &str) {
    decodes(encoding, bytes, text, &[]);
}

/// Asserts that all of `bytes` is one malformed sequence, in any context.
#[track_caller]
pub fn is_one_error(encoding: &'static Encoding, bytes: &[u8]) {
    decodes(encoding, bytes, "\u{FFFD}", &[(0, bytes.len() as u8)]);
}

/// Asserts the bytes of a text without unmappable characters: in one call and character by
/// character, from UTF-8 and UTF-16, in either error mode.
#[track_caller]
pub fn encodes(encoding: &'static Encoding, text: &str, bytes: &[u8]) {
    let case = || format!("{encoding} at level {}: {text:?}", mojika::simd::level());
    let fatal = encoding.encode(text);
    assert_eq!(fatal.as_deref(), Ok(bytes), "{}", case());
    encodes_html(encoding, text, bytes, &[]);
}

/// Asserts the bytes of a text in error mode "html", and the scalar values that mode "fatal"
/// reports, with their offsets in UTF-8.
#[track_caller]
pub fn encodes_html(
    encoding: &'static Encoding,
    text: &str,
    bytes: &[u8],
    unmappables: &[(u64, char)],
) {
    let case = || format!("{encoding} at level {}: {text:?}", mojika::simd::level());
    let html = encoding.encode_html(text).expect("an encoder");
    assert_eq!(*html.bytes, *bytes, "{}", case());
    assert_eq!(html.had_errors, !unmappables.is_empty(), "{}", case());
    let encoder = &mut encoding.new_encoder().expect("an encoder");
    let units = utf_16(text);
    let single: Vec<&str> = text.split_inclusive(|_| true).collect();
    let single_units: Vec<&[u16]> = units.chunks(1).collect();
    for chunks in [&[text][..], &single] {
        let html = drive::encode(encoder, chunks, 64);
        assert_eq!(*html.bytes, *bytes, "{}", case());
        let fatal = drive::encode_fatal(encoder, chunks, 64);
        let places: Vec<_> = fatal.errors.iter().map(|e| (e.offset, e.scalar)).collect();
        assert_eq!(places, unmappables, "{}", case());
    }
    for chunks in [&[&*units][..], &single_units] {
        let html = drive::encode(encoder, chunks, 64);
        assert_eq!(*html.bytes, *bytes, "from UTF-16: {}", case());
        let fatal = drive::encode_fatal(encoder, chunks, 64);
        let scalars: Vec<_> = fatal.errors.iter().map(|e| e.scalar).collect();
        let expected: Vec<_> = unmappables.iter().map(|u| u.1).collect();
        assert_eq!(scalars, expected, "from UTF-16: {}", case());
    }
}

/// Asserts that an encoding has no bytes for these scalar values.
#[track_caller]
pub fn has_no_bytes_for(encoding: &'static Encoding, scalars: impl IntoIterator<Item = char>) {
    for scalar in scalars {
        let text = scalar.to_string();
        let reference = format!("&#{};", u32::from(scalar));
        encodes_html(encoding, &text, reference.as_bytes(), &[(0, scalar)]);
    }
}

/// Returns the reference of error mode "html" for an unmappable scalar value.
pub fn reference(scalar: char) -> String {
    format!("&#{};", u32::from(scalar))
}
