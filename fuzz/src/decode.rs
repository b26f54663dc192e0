//! Target `decode`: whole input in every encoding, to UTF-8 and UTF-16, on every instruction set; in mode "fatal" and by
//! the calls that return a text, on one.
//!
//! Choosing bytes: the encoding; what follows the payload (lowest bit) and the one level (the others); two fillers. The
//! input is filler, payload, filler, and then perhaps the payload once more, so that there is work for a kernel behind
//! an error.

use crate::buffer::Buffer;
use crate::encodings::{self, Pair};
use crate::expect::{Decoded, Malformed};
use crate::input::Input;
use crate::{filler, levels};
use mojika::simd::Level;
use mojika::{BomHandling, Decoder, FatalDecodeProgress, FatalDecodeStatus, Status};
use mojika_spec::decode_fragments;

/// See the module.
pub fn check(data: &[u8]) {
    let mut input = Input(data);
    let pair = encodings::pair(input.byte());
    let flags = input.byte();
    let mut bytes = filler::bytes(pair, input.byte(), input.byte());
    let after = filler::bytes(pair, input.byte(), input.byte());
    bytes.extend_from_slice(input.0);
    bytes.extend_from_slice(&after);
    if flags & 1 != 0 {
        bytes.extend_from_slice(input.0);
    }
    // Its own allocation, without spare capacity: reads beyond its end are seen.
    let bytes = bytes.into_boxed_slice();

    let items = decode_fragments(pair.spec, &bytes);
    let utf_8 = Decoded::<u8>::new(&items, 0);
    let utf_16 = Decoded::<u16>::new(&items, 0);
    levels::at_each(|level| {
        let context = || context(pair, level, &bytes);
        whole_buffer(pair, &bytes, &utf_8, &utf_16, &context);
    });
    let level = levels::choose(flags >> 1);
    let context = || context(pair, level, &bytes);
    one_shot(pair, &bytes, &utf_8, &utf_16, &context);
    fatal_utf_8(pair, &bytes, &utf_8, &context);
    fatal_utf_16(pair, &bytes, &utf_16, &context);
}

fn context(pair: Pair, level: Level, bytes: &[u8]) -> String {
    format!("{} at {level}, {bytes:02X?}", pair.spec.name())
}

/// The calls that return a text.
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
    let decoded = pair.engine.decode_to_utf16(bytes, BomHandling::Keep);
    assert_eq!(decoded.units, utf_16.units, "{}", context());
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

/// One call into a buffer of the size that is promised to suffice.
fn whole_buffer(
    pair: Pair,
    bytes: &[u8],
    utf_8: &Decoded<u8>,
    utf_16: &Decoded<u16>,
    context: &dyn Fn() -> String,
) {
    let new = || Decoder::new(pair.engine, BomHandling::Keep);
    let room = new().max_utf8_length(bytes.len()).expect("short input");
    let mut buffer = Buffer::<u8>::new(room, None);
    let progress = new().decode(bytes, buffer.room(), true);
    assert_eq!(
        (progress.status, progress.read),
        (Status::InputEmpty, bytes.len()),
        "{}",
        context()
    );
    assert_eq!(
        buffer.written(progress.written),
        utf_8.units,
        "{}",
        context()
    );

    let room = new().max_utf16_length(bytes.len()).expect("short input");
    let mut buffer = Buffer::<u16>::new(room, None);
    let progress = new().decode(bytes, buffer.room(), true);
    assert_eq!(
        (progress.status, progress.read),
        (Status::InputEmpty, bytes.len()),
        "{}",
        context()
    );
    assert_eq!(
        buffer.written(progress.written),
        utf_16.units,
        "{}",
        context()
    );
}

/// All errors of mode "fatal", call by call.
fn fatal_utf_8(pair: Pair, bytes: &[u8], expected: &Decoded<u8>, context: &dyn Fn() -> String) {
    let mut decoder = Decoder::new(pair.engine, BomHandling::Keep);
    let mut text = String::new();
    let mut errors = Vec::new();
    let mut read = 0;
    loop {
        let progress = decoder.decode_append_fatal(&bytes[read..], &mut text, true);
        read += progress.read;
        let Some((offset, len)) = malformed(&progress, read, bytes.len(), context) else {
            break;
        };
        assert_eq!(decoder.position(), read as u64, "{}", context());
        let at = text.len();
        errors.push(Malformed { offset, len, at });
        assert!(errors.len() <= expected.errors.len(), "{}", context());
        text.push('\u{FFFD}');
    }
    assert_eq!(text.as_bytes(), expected.units, "{}", context());
    assert_eq!(errors, expected.errors, "{}", context());
}

fn fatal_utf_16(pair: Pair, bytes: &[u8], expected: &Decoded<u16>, context: &dyn Fn() -> String) {
    let mut decoder = Decoder::new(pair.engine, BomHandling::Keep);
    let mut decoded = Decoded::<u16>::default();
    let mut read = 0;
    loop {
        let units = &mut decoded.units;
        let progress = decoder.decode_append_fatal(&bytes[read..], units, true);
        read += progress.read;
        let Some((offset, len)) = malformed(&progress, read, bytes.len(), context) else {
            break;
        };
        decoded.push_error(offset, len);
        assert!(
            decoded.errors.len() <= expected.errors.len(),
            "{}",
            context()
        );
    }
    assert_eq!(decoded, *expected, "{}", context());
}

/// The error that a call with room for everything reports, or `None` at the end of the input.
fn malformed(
    progress: &FatalDecodeProgress,
    read: usize,
    total: usize,
    context: &dyn Fn() -> String,
) -> Option<(u64, u8)> {
    match progress.status {
        FatalDecodeStatus::InputEmpty => {
            assert_eq!(read, total, "{}", context());
            None
        }
        FatalDecodeStatus::OutputFull => panic!("an output that grows is full: {}", context()),
        FatalDecodeStatus::Malformed(sequence) => {
            let end = sequence.offset + u64::from(sequence.len) + u64::from(sequence.after);
            assert_eq!(end, read as u64, "{}", context());
            Some((sequence.offset, sequence.len))
        }
    }
}
