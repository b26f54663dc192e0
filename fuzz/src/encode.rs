//! Target `encode`: whole text in every encoding, from UTF-8 and from UTF-16 with lone surrogates, on every instruction
//! set; in mode "fatal" and by the calls that return bytes, on one.
//!
//! Choosing bytes: the encoding; the one level; then those of [`Text::new`].

use crate::buffer::Buffer;
use crate::encodings::{self, Pair};
use crate::expect::Encoded;
use crate::input::Input;
use crate::levels;
use crate::text::Text;
use mojika::simd::Level;
use mojika::{EncodeError, EncodeProgress, EncodeStatus, Encoder, Fallback, Status};

/// See the module.
pub fn check(data: &[u8]) {
    let mut input = Input(data);
    let pair = encodings::pair_with_encoder(input.byte());
    let chosen = input.byte();
    let text = Text::new(pair, input);
    let expected = Encoded::new(pair, &text);
    levels::at_each(|level| {
        let context = || context(pair, level, &text);
        whole_buffer(pair, &text, &expected, &context);
    });
    let level = levels::choose(chosen);
    let context = || context(pair, level, &text);
    one_shot(pair, &text, &expected, &context);
    let from_utf_8 = |encoder: &mut Encoder, read, bytes: &mut Vec<u8>| {
        encoder.encode_append(&text.utf_8[read..], bytes, true)
    };
    fatal(pair, &text.byte_offsets, &expected, &context, from_utf_8);
    let from_utf_16 = |encoder: &mut Encoder, read, bytes: &mut Vec<u8>| {
        encoder.encode_append(&text.units[read..], bytes, true)
    };
    fatal(pair, &text.unit_offsets, &expected, &context, from_utf_16);
}

fn context(pair: Pair, level: Level, text: &Text) -> String {
    format!("{} at {level}, {:04X?}", pair.spec.name(), text.units)
}

fn new_encoder(pair: Pair) -> Encoder {
    pair.engine.new_encoder().expect("not replacement")
}

/// The calls that return bytes.
fn one_shot(pair: Pair, text: &Text, expected: &Encoded, context: &dyn Fn() -> String) {
    let html = pair.engine.encode_html(&text.utf_8).expect("an encoder");
    assert_eq!(*html.bytes, expected.bytes, "{}", context());
    assert_eq!(
        html.had_unmappables,
        !expected.errors.is_empty(),
        "{}",
        context()
    );
    // A handler sees every error, and may ask for what mode "html" does.
    let mut errors = expected.errors.iter();
    let with = pair.engine.encode_with(&text.utf_8, |unmappable| {
        let error = errors.next().expect("no more errors than expected");
        let offset = text.byte_offsets[error.index] as u64;
        let found = (unmappable.scalar, unmappable.offset);
        assert_eq!(found, (error.scalar, offset), "{}", context());
        Fallback::Html
    });
    assert_eq!(
        *with.expect("handled").bytes,
        expected.bytes,
        "{}",
        context()
    );
    assert_eq!(errors.next(), None, "{}", context());
    match (pair.engine.encode(&text.utf_8), expected.errors.first()) {
        (Ok(bytes), None) => assert_eq!(*bytes, expected.bytes, "{}", context()),
        (Err(EncodeError::Unmappable { unmappable, .. }), Some(first)) => {
            let offset = text.byte_offsets[first.index] as u64;
            let found = (unmappable.scalar, unmappable.offset);
            assert_eq!(found, (first.scalar, offset), "{}", context());
        }
        (found, first) => panic!("{found:02X?} for {first:?}: {}", context()),
    }
}

/// One call into a buffer of the size that is promised to suffice.
fn whole_buffer(pair: Pair, text: &Text, expected: &Encoded, context: &dyn Fn() -> String) {
    let mut encoder = new_encoder(pair);
    let room = encoder.max_length_from_utf8_html(text.utf_8.len());
    let mut buffer = Buffer::<u8>::new(room.expect("short text"), None);
    let progress = encoder.encode_html(&text.utf_8, buffer.room(), true);
    assert_eq!(
        (progress.status, progress.read),
        (Status::InputEmpty, text.utf_8.len()),
        "{}",
        context()
    );
    assert_eq!(
        buffer.written(progress.written),
        expected.bytes,
        "{}",
        context()
    );

    let room = encoder.max_length_from_utf16_html(text.units.len());
    let mut buffer = Buffer::<u8>::new(room.expect("short text"), None);
    let progress = encoder.encode_html(&text.units, buffer.room(), true);
    assert_eq!(
        (progress.status, progress.read),
        (Status::InputEmpty, text.units.len()),
        "{}",
        context()
    );
    assert_eq!(
        buffer.written(progress.written),
        expected.bytes,
        "{}",
        context()
    );
}

/// All errors of mode "fatal", call by call.
fn fatal(
    pair: Pair,
    offsets: &[usize],
    expected: &Encoded,
    context: &dyn Fn() -> String,
    call: impl Fn(&mut Encoder, usize, &mut Vec<u8>) -> EncodeProgress,
) {
    let mut encoder = new_encoder(pair);
    let mut encoded = Encoded::default();
    let mut read = 0;
    loop {
        let progress = call(&mut encoder, read, &mut encoded.bytes);
        read += progress.read;
        match progress.status {
            EncodeStatus::InputEmpty => break,
            EncodeStatus::OutputFull => panic!("an output that grows is full: {}", context()),
            EncodeStatus::Unmappable(unmappable) => {
                let Ok(index) = offsets.binary_search(&(unmappable.offset as usize)) else {
                    panic!("{unmappable} is within a character: {}", context());
                };
                assert_eq!(Some(&read), offsets.get(index + 1), "{}", context());
                encoded.push_error(pair, unmappable.scalar, index);
                assert!(
                    encoded.errors.len() <= expected.errors.len(),
                    "{}",
                    context()
                );
            }
        }
    }
    assert_eq!(Some(&read), offsets.last(), "{}", context());
    assert_eq!(encoded, *expected, "{}", context());
    assert!(encoder.is_complete(), "{}", context());
}
