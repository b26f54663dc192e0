//! Streams of bytes to text, through each of the decoder's functions.

use super::{Schedule, Streams};
use crate::encodings;
use crate::expect::{self, Decoded, Malformed};
use crate::input::Input;
use crate::{filler, levels};
use mojika::{BomHandling, Decoder, MalformedSequence};
use mojika_drive::{Form, Memory};

/// The bytes select the encoding; BOM handling, form and function; the level; the schedule; and a filler, which follows
/// half of the payload.
pub fn check(mut input: Input<'_>) {
    let pair = encodings::choose(&mut input);
    let kind = input.byte();
    let handling =
        [BomHandling::Sniff, BomHandling::Remove, BomHandling::Keep][usize::from(kind % 16) % 3];
    let level = levels::choose(input.byte());
    let schedule = Schedule::new(&mut input);
    let filler = filler::bytes(pair, input.byte(), input.byte());
    let mut bytes = input.take(input.0.len() / 2).to_vec();
    bytes.extend_from_slice(&filler);
    bytes.extend_from_slice(input.0);

    let (items, bom_length) = expect::decode(pair, handling, &bytes);
    let context = || {
        format!(
            "{} {handling:?} kind {kind:02X} at {level}, mode {:?}, steps {:02X?}, last with data: {}, {bytes:02X?}",
            pair.spec.name(),
            schedule.mode,
            schedule.steps,
            schedule.last_with_data
        )
    };
    let streams = |memory| Streams {
        coder: Decoder::new(pair.engine, handling),
        src: &bytes[..],
        memory,
        schedule: schedule.clone(),
        context: &context,
    };
    match kind >> 4 {
        kind @ ..8 => {
            let expected = Decoded::<u8>::new(&items, bom_length);
            let memory = [
                Some(Memory::Init),
                Some(Memory::Uninit),
                Some(Memory::Str),
                None,
            ];
            check_form(streams(memory[usize::from(kind) % 4]), &expected);
        }
        kind => {
            let expected = Decoded::<u16>::new(&items, bom_length);
            let memory = [Some(Memory::Init), Some(Memory::Uninit), None];
            check_form(streams(memory[usize::from(kind) % 3]), &expected);
        }
    }
}

fn check_form<T: Form>(streams: Streams<'_, Decoder, [u8]>, expected: &Decoded<T>) {
    let want = (&expected.units[..], &expected.errors[..]);
    streams.check(want, |units: &mut Vec<T>, sequence: MalformedSequence| {
        Malformed::push(units, sequence.offset, sequence.len)
    });
}
