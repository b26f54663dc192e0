//! Target `decode`: whole input in every encoding, to UTF-8 and UTF-16, in both error modes and at every level. Functions
//! that return a text run at one level.
//!
//! Byte 0 selects the encoding, and the upper seven bits of byte 1 select that level. Four bytes select two fillers.
//! The input is filler, payload and filler. If the lowest bit of byte 1 is set, the payload follows again, so that work
//! continues after an error.

use crate::input::Input;
use crate::{encodings, filler, levels};
use mojika::{BomHandling, Decoder};
use mojika_proof::engine::{Buffers, Cut, Modes, decode_all, decode_whole};
use mojika_proof::expected::Decoding;

/// Checks one input.
pub fn check(data: &[u8]) {
    let mut input = Input(data);
    let subject = encodings::choose(&mut input);
    let flags = input.byte();
    let mut bytes = filler::bytes(subject, &mut input);
    let after = filler::bytes(subject, &mut input);
    bytes.extend_from_slice(input.0);
    bytes.extend_from_slice(&after);
    if flags & 1 != 0 {
        bytes.extend_from_slice(input.0);
    }
    // A separate allocation without spare capacity, so that reads beyond its end are detected.
    let bytes = bytes.into_boxed_slice();

    let expected = Decoding::of(subject, &bytes);
    // Outputs have the promised maximum length of one form, or of the other.
    let decoder = Decoder::new(subject.engine, BomHandling::Keep);
    let length = bytes.len();
    let rooms = [
        decoder.max_utf8_length(length),
        decoder.max_utf16_length(length),
    ];
    let mut buffers = Buffers::default();
    levels::at_each(|level| {
        for room in rooms {
            let cut = Cut { room, ..Cut::WHOLE };
            let (found, _) = decode_all(subject, &bytes, cut, Modes::Both, &expected, &mut buffers);
            let name = subject.name();
            assert!(
                found.is_empty(),
                "{name} at {level}: {found:?}, {bytes:02X?}"
            );
        }
    });
    let level = levels::choose(flags >> 1);
    if let Err(found) = decode_whole(subject, BomHandling::Keep, &bytes) {
        panic!("{} at {level}: {found}, {bytes:02X?}", subject.name());
    }
}
