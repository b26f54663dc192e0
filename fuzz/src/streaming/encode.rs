//! Streams of text to bytes, through each of the encoder's functions.

use super::{Schedule, Streams};
use crate::encodings;
use crate::expect::{Encoded, Unmappable};
use crate::input::Input;
use crate::levels;
use crate::text::Text;
use mojika_drive::Memory;

/// The bytes select the encoding; form and function; the level; and the schedule. The rest is passed to [`Text::new`].
pub fn check(mut input: Input<'_>) {
    let pair = encodings::choose_with_encoder(&mut input);
    let kind = input.byte();
    let level = levels::choose(input.byte());
    let schedule = Schedule::new(&mut input);
    let text = Text::new(pair, input);
    let expected = Encoded::new(pair, &text);
    let context = || {
        format!(
            "{} kind {kind:02X} at {level}, mode {:?}, steps {:02X?}, last with data: {}, {:04X?}",
            pair.spec.name(),
            schedule.mode,
            schedule.steps,
            schedule.last_with_data,
            text.units
        )
    };
    let memory = [Some(Memory::Init), Some(Memory::Uninit), None][usize::from(kind >> 1) % 3];
    let want = (&expected.bytes[..], &expected.errors[..]);
    let coder = pair.engine.new_encoder().expect("not replacement");
    if kind & 1 == 0 {
        let streams = Streams {
            coder,
            src: &*text.utf_8,
            memory,
            schedule: schedule.clone(),
            context: &context,
        };
        streams.check(want, |bytes: &mut Vec<u8>, unmappable| {
            Unmappable::found(bytes, pair, &text.byte_offsets, unmappable)
        });
    } else {
        let streams = Streams {
            coder,
            src: &*text.units,
            memory,
            schedule: schedule.clone(),
            context: &context,
        };
        streams.check(want, |bytes: &mut Vec<u8>, unmappable| {
            Unmappable::found(bytes, pair, &text.unit_offsets, unmappable)
        });
    }
}
