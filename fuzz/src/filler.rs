//! Filler: text around the payload. Kernels need long input, and with filler they find the payload at every position of
//! a vector.
//!
//! Two bytes select a filler: its kind (low three bits) and its characters (high five bits), then its length.

use crate::input::Input;
use mojika_proof::inputs::{ascii, dense, noise};
use mojika_proof::repertoire::{Repertoire, enter};
use mojika_proof::subject::Subject;
use mojika_spec::{Random, hooks, odd::EDGE_SCALARS, odd::ESCAPES};

/// Returns a filler's length in bytes: for a third of all values at most 47, for the others up to 318, as kernels need
/// long input.
fn length(byte: u8) -> usize {
    match byte {
        0..96 => usize::from(byte % 48),
        96.. => usize::from(byte - 96) * 2,
    }
}

/// Returns the filler that the next two bytes of the input select, in bytes of the encoding.
pub fn bytes(subject: Subject, input: &mut Input<'_>) -> Vec<u8> {
    let (kind, length) = (input.byte(), length(input.byte()));
    let random = &mut Random::new(kind.into());
    match kind % 8 {
        0 => ascii(subject, random, length),
        6 => noise(subject, random, length),
        // In ISO-2022-JP, the payload starts in the state of an escape sequence.
        7 => [
            noise(subject, random, length),
            random.pick(&ESCAPES).to_vec(),
        ]
        .concat(),
        _ => [enter(subject).to_vec(), dense(subject, random, length)].concat(),
    }
}

/// Returns the filler that the next two bytes of the input select, as mappable text.
fn text(subject: Subject, input: &mut Input<'_>) -> String {
    let (kind, length) = (input.byte(), length(input.byte()));
    let random = &mut Random::new(kind.into());
    let mut text: Vec<char> = (Repertoire::of(subject).dense(random, 2 * length).iter())
        .flat_map(|character| character.text.iter().copied())
        .collect();
    for at in 0..if kind % 8 < 2 { length } else { length / 16 } {
        text.insert(at * 13 % (text.len() + 1), random.ascii().into());
    }
    text.into_iter().collect()
}

/// Surrogates, which may be lone or form a pair.
const SURROGATES: [u16; 8] = [
    0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0xD83D, 0xDCA9, 0xD840, 0xDC0B,
];

/// Returns UTF-16 to encode, with filler on both sides. A byte selects the kind of payload, four bytes two fillers. The rest
/// is the payload: UTF-8, bytes of the encoding, UTF-16, or one byte per character.
pub fn units(subject: Subject, mut input: Input<'_>) -> Vec<u16> {
    let kind = input.byte();
    let before = text(subject, &mut input);
    let after = text(subject, &mut input);
    let mut units: Vec<u16> = before.encode_utf16().collect();
    let mut add = |text: &str| units.extend(text.encode_utf16());
    match kind % 4 {
        0 => add(&String::from_utf8_lossy(input.0)),
        1 => add(&hooks::decode_bytes_without_bom_handling(
            input.0,
            subject.spec,
        )),
        2 => units
            .extend((input.0.chunks_exact(2)).map(|pair| u16::from_le_bytes([pair[0], pair[1]]))),
        _ => {
            for &byte in input.0 {
                let special = usize::from(byte) % (SURROGATES.len() + EDGE_SCALARS.len());
                let own = || Repertoire::of(subject).character(&mut Random::new(byte.into()));
                match (byte, SURROGATES.get(special)) {
                    (..0x60, Some(&surrogate)) => units.push(surrogate),
                    (..0x60, None) => {
                        let scalar = EDGE_SCALARS[special - SURROGATES.len()];
                        units.extend_from_slice(scalar.encode_utf16(&mut [0; 2]));
                    }
                    (0x60..0x80, _) => units.push(byte.into()),
                    _ => match own() {
                        Some(own) => {
                            units.extend(own.text.iter().collect::<String>().encode_utf16())
                        }
                        None => units.push((byte % 0x80).into()),
                    },
                }
            }
        }
    }
    units.extend(after.encode_utf16());
    units
}
