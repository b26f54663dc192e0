//! Target `encode`: whole text in every encoding, from UTF-8 and from UTF-16 with lone surrogates, at every level. Mode
//! "fatal", and functions that return bytes, run at one level.
//!
//! The first byte selects the encoding, the second one the one level. The rest is passed to [`Text::new`].

use crate::encodings::{self, Pair};
use crate::expect::{Encoded, Unmappable};
use crate::input::Input;
use crate::levels;
use crate::text::Text;
use crate::whole;
use mojika::simd::Level;
use mojika::{EncodeError, Encoder, Fallback};

/// Checks one input.
pub fn check(data: &[u8]) {
    let mut input = Input(data);
    let pair = encodings::choose_with_encoder(&mut input);
    let chosen = input.byte();
    let text = Text::new(pair, input);
    let expected = Encoded::new(pair, &text);
    levels::at_each(|level| {
        let context = || context(pair, level, &text);
        let encoder = &mut new_encoder(pair);
        whole::whole_buffer(encoder, &*text.utf_8, &expected.bytes, &context);
        whole::whole_buffer(encoder, &*text.units, &expected.bytes, &context);
    });
    let level = levels::choose(chosen);
    let context = || context(pair, level, &text);
    one_shot(pair, &text, &expected, &context);
    let (utf_8, units) = (&*text.utf_8, &*text.units);
    fatal(pair, utf_8, &text.byte_offsets, &expected, &context);
    fatal(pair, units, &text.unit_offsets, &expected, &context);
}

fn context(pair: Pair, level: Level, text: &Text) -> String {
    format!("{} at {level}, {:04X?}", pair.spec.name(), text.units)
}

fn new_encoder(pair: Pair) -> Encoder {
    pair.engine.new_encoder().expect("not replacement")
}

/// Checks the functions that return bytes.
fn one_shot(pair: Pair, text: &Text, expected: &Encoded, context: &dyn Fn() -> String) {
    let html = pair.engine.encode_html(&text.utf_8).expect("an encoder");
    assert_eq!(*html.bytes, expected.bytes, "{}", context());
    assert_eq!(
        html.had_errors,
        !expected.errors.is_empty(),
        "{}",
        context()
    );
    // The handler must get every error. Its replacement is that of mode "html".
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

/// Encodes `src` in mode "fatal" and compares all errors. `offsets` are the offsets of its characters.
fn fatal<S: mojika_drive::Text + ?Sized>(
    pair: Pair,
    src: &S,
    offsets: &[usize],
    expected: &Encoded,
    context: &dyn Fn() -> String,
) {
    let want = (&expected.bytes[..], &expected.errors[..]);
    let found = |bytes: &mut Vec<u8>, unmappable, read| {
        let error = Unmappable::found(bytes, pair, offsets, unmappable);
        assert_eq!(Some(&read), offsets.get(error.index + 1), "{}", context());
        error
    };
    whole::fatal(&mut new_encoder(pair), src, want, found, context);
}
