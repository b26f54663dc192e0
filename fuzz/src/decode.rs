//! Target `decode`: whole input in every encoding, to UTF-8 and UTF-16, at every level. Mode "fatal", and functions
//! that return a text, run at one level.
//!
//! Byte 0 selects the encoding, byte 1 the one level and, in its lowest bit, the text after the payload. Four bytes
//! select two fillers. The input is filler, payload, filler and, with that bit, the payload again, as work after an
//! error.

use crate::encodings::{self, Pair};
use crate::expect::{Decoded, Malformed};
use crate::input::Input;
use crate::{filler, levels, whole};
use mojika::simd::Level;
use mojika::{BomHandling, Decoder, MalformedSequence};
use mojika_drive::Form;
use mojika_spec::decode_fragments;

/// Checks one input.
pub fn check(data: &[u8]) {
    let mut input = Input(data);
    let pair = encodings::choose(&mut input);
    let flags = input.byte();
    let mut bytes = filler::bytes(pair, input.byte(), input.byte());
    let after = filler::bytes(pair, input.byte(), input.byte());
    bytes.extend_from_slice(input.0);
    bytes.extend_from_slice(&after);
    if flags & 1 != 0 {
        bytes.extend_from_slice(input.0);
    }
    // A separate allocation without spare capacity, so that reads beyond its end are detected.
    let bytes = bytes.into_boxed_slice();

    let items = decode_fragments(pair.spec, &bytes);
    let utf_8 = Decoded::<u8>::new(&items, 0);
    let utf_16 = Decoded::<u16>::new(&items, 0);
    levels::at_each(|level| {
        let context = || context(pair, level, &bytes);
        let decoder = || Decoder::new(pair.engine, BomHandling::Keep);
        whole::whole_buffer(&mut decoder(), &*bytes, &utf_8.units, &context);
        whole::whole_buffer(&mut decoder(), &*bytes, &utf_16.units, &context);
    });
    let level = levels::choose(flags >> 1);
    let context = || context(pair, level, &bytes);
    one_shot(pair, &bytes, &utf_8, &utf_16, &context);
    fatal(pair, &bytes, &utf_8, &context);
    fatal(pair, &bytes, &utf_16, &context);
}

fn fatal<T: Form>(pair: Pair, bytes: &[u8], expected: &Decoded<T>, context: &dyn Fn() -> String) {
    let decoder = &mut Decoder::new(pair.engine, BomHandling::Keep);
    let want = (&expected.units[..], &expected.errors[..]);
    let found = |units: &mut Vec<T>, sequence: MalformedSequence, _| {
        Malformed::push(units, sequence.offset, sequence.len)
    };
    whole::fatal(decoder, bytes, want, found, context);
}

fn context(pair: Pair, level: Level, bytes: &[u8]) -> String {
    format!("{} at {level}, {bytes:02X?}", pair.spec.name())
}

/// Checks the functions that return a text.
fn one_shot(
    pair: Pair,
    bytes: &[u8],
    utf_8: &Decoded<u8>,
    utf_16: &Decoded<u16>,
    context: &dyn Fn() -> String,
) {
    let decoded = pair.engine.decode_with(bytes, BomHandling::Keep);
    assert_eq!(decoded.text.as_bytes(), utf_8.units, "{}", context());
    assert_eq!(
        decoded.had_errors,
        !utf_8.errors.is_empty(),
        "{}",
        context()
    );
    let mut units = Vec::new();
    let decoded = pair
        .engine
        .decode_append(bytes, BomHandling::Keep, &mut units);
    assert_eq!(units, utf_16.units, "{}", context());
    assert_eq!(
        decoded.had_errors,
        !utf_8.errors.is_empty(),
        "{}",
        context()
    );
    match (
        pair.engine.decode_fatal(bytes, BomHandling::Keep),
        utf_8.errors.first(),
    ) {
        (Ok(decoded), None) => assert_eq!(decoded.text.as_bytes(), utf_8.units, "{}", context()),
        (Err(error), Some(first)) => {
            let found = (error.sequence.offset, error.sequence.len);
            assert_eq!(found, (first.offset, first.len), "{}", context());
        }
        (found, expected) => panic!("{found:?} for {expected:?}: {}", context()),
    }
}
