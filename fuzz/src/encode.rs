//! Target `encode`: whole text in every encoding, from UTF-8 and from UTF-16 with lone surrogates, in both error modes and
//! at every level. Functions that return bytes run at one level.
//!
//! The first byte selects the encoding, the second one that level. The rest is passed to [`filler::units`].

use crate::input::Input;
use crate::{encodings, filler, levels};
use mojika_proof::engine::{Buffers, Cut, Modes, encode_all, encode_whole};
use mojika_proof::expected::{Encoded, Text};

/// Checks one input.
pub fn check(data: &[u8]) {
    let mut input = Input(data);
    let subject = encodings::choose_with_encoder(&mut input);
    let chosen = input.byte();
    let text = Text::of_units(&filler::units(subject, input));
    let expected = Encoded::of(subject, &text);
    let (name, units) = (subject.name(), &text.utf16);
    // Outputs have the promised maximum length of one form, or of the other.
    let encoder = subject.engine.new_encoder().expect("not replacement");
    let of_utf8 = |text: &String| encoder.max_length_from_utf8_html(text.len());
    let rooms = [
        encoder.max_length_from_utf16_html(units.len()),
        text.utf8.as_ref().and_then(of_utf8),
    ];
    let mut buffers = Buffers::default();
    levels::at_each(|level| {
        for room in rooms {
            let cut = Cut { room, ..Cut::WHOLE };
            let (found, _) = encode_all(subject, &text, cut, Modes::Both, &expected, &mut buffers);
            assert!(
                found.is_empty(),
                "{name} at {level}: {found:?}, {units:04X?}"
            );
        }
    });
    let level = levels::choose(chosen);
    if let Some(utf8) = &text.utf8
        && let Err(found) = encode_whole(subject, utf8, &expected)
    {
        panic!("{name} at {level}: {found}, {units:04X?}");
    }
}
