//! CESU-8 (Unicode Technical Report 26), Java's modified UTF-8, and WTF-8. The first two encode each surrogate of a
//! pair in three bytes. WTF-8 encodes only a lone surrogate in this way.
//!
//! In CESU-8, each byte of a four-byte UTF-8 sequence is malformed separately, and a lone surrogate as a whole. Modified
//! UTF-8 encodes U+0000 as `C0 80`, and also decodes a byte 0. In WTF-8, a pair has four bytes, and a three-byte surrogate
//! is malformed as a whole, because it is not a character.

use super::by_steps::{self, Machine, State};
use super::linked::{Lengths, Linked};
use super::{Chars, EncodeStep, Malformed, Replay, Step, Unit};
use crate::simd::{self, Out, Packed};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Cesu8 {
    Cesu,
    /// U+0000 is encoded as `C0 80`.
    Modified,
    Wtf,
}

/// The lowest byte value that starts no CESU-8 sequence: lead bytes of four-byte sequences, and bytes that UTF-8 lacks.
const FIRST_OTHER: u8 = 0xF0;

/// The number of input bytes given to the vector kernel at once. Each must be below `FIRST_OTHER`.
const PART: usize = 2048;

impl Cesu8 {
    /// Returns the length of a sequence by its first byte; 0 if the byte starts no sequence.
    fn length(&self, first: u8) -> usize {
        match first {
            0xC0 if *self == Self::Modified => 2,
            0xC2..=0xDF => 2,
            0xE0..=0xEF => 3,
            0xF0..=0xF4 if *self == Self::Wtf => 4,
            _ => 0,
        }
    }

    /// True if `byte` can follow the lead byte `first`.
    fn is_second(first: u8, byte: u8) -> bool {
        match first {
            0xC0 => byte == 0x80,
            0xE0 => matches!(byte, 0xA0..=0xBF),
            0xF0 => matches!(byte, 0x90..=0xBF),
            0xF4 => matches!(byte, 0x80..=0x8F),
            _ => matches!(byte, 0x80..=0xBF),
        }
    }
}

fn scalar_of_three(bytes: [u8; 3]) -> u32 {
    let [first, second, third] = bytes.map(u32::from);
    (first & 0xF) << 12 | (second & 0x3F) << 6 | (third & 0x3F)
}

/// Reports a lead surrogate in three bytes as malformed; the bytes after it are read again.
fn lone_lead(state: &mut State, unread: bool) -> Malformed {
    let replay = match *state.held() {
        [_, _, _, fourth] => Replay::of([fourth]),
        [_, _, _, fourth, fifth, ..] => Replay::of([fourth, fifth]),
        _ => Replay::default(),
    };
    state.drop_held();
    Malformed {
        len: 3,
        replay,
        unread,
        ..Malformed::default()
    }
}

impl Machine for Cesu8 {
    fn step(&self, state: &mut State, byte: u8) -> Step {
        match *state.held() {
            [] => match self.length(byte) {
                0 if byte < 0x80 => Step::Scalar(byte.into()),
                0 => Malformed::through(1),
                _ => state.hold(byte),
            },
            [first] if !Self::is_second(first, byte) => state.malformed_before(),
            [first] if self.length(first) == 2 => {
                state.drop_held();
                Step::Scalar(u32::from(first & 0x1F) << 6 | u32::from(byte & 0x3F))
            }
            [_] => state.hold(byte),
            [_, _] if !matches!(byte, 0x80..=0xBF) => state.malformed_before(),
            [first, _] if self.length(first) == 4 => state.hold(byte),
            [first, second] => match scalar_of_three([first, second, byte]) {
                0xD800..=0xDBFF if *self != Self::Wtf => state.hold(byte),
                0xD800..=0xDBFF => {
                    state.drop_held();
                    Malformed::through(3)
                }
                0xDC00..=0xDFFF => {
                    state.drop_held();
                    Malformed::through(3)
                }
                scalar => {
                    state.drop_held();
                    Step::Scalar(scalar)
                }
            },
            [first, second, third] if first >= FIRST_OTHER => {
                if !matches!(byte, 0x80..=0xBF) {
                    return state.malformed_before();
                }
                state.drop_held();
                let rest = scalar_of_three([second & 0x3F, third, byte]);
                Step::Scalar(
                    u32::from(first & 0x7) << 18 | u32::from(second & 0x3F) << 12 | rest & 0xFFF,
                )
            }
            [_, _, _] if byte == 0xED => state.hold(byte),
            [_, _, _, _] if matches!(byte, 0xB0..=0xBF) => state.hold(byte),
            [first, second, third, fourth, fifth] if matches!(byte, 0x80..=0xBF) => {
                state.drop_held();
                let lead = scalar_of_three([first, second, third]);
                let trail = scalar_of_three([fourth, fifth, byte]);
                Step::Scalar(simd::join(lead as u16, trail as u16))
            }
            _ => Step::Malformed(lone_lead(state, true)),
        }
    }

    fn finish(&self, state: &mut State) -> Option<Malformed> {
        if state.held().len() >= 3 && state.held()[0] < FIRST_OTHER {
            return Some(lone_lead(state, false));
        }
        Malformed::at_end(state.drop_held())
    }

    #[inline(never)]
    fn decode<U: Unit>(&self, state: &mut State, src: &[u8], out: &mut Out<'_, U>) -> usize {
        let mut read = 0;
        loop {
            let part = &src[read..];
            let part = &part[..part.len().min(PART)];
            // A fold over the whole part vectorises; a search does not.
            let others = *self != Self::Wtf
                && part
                    .iter()
                    .fold(false, |any, &byte| any | (byte >= FIRST_OTHER));
            let end = match others {
                true => part.iter().position(|&byte| byte >= FIRST_OTHER),
                false => None,
            };
            let part = &part[..end.unwrap_or(part.len())];
            let taken = U::push_utf8(part, out);
            read += taken;
            if taken < part.len() || part.is_empty() {
                // A surrogate pair, U+0000, or a sequence that only the steps handle.
                let rest = &src[read..];
                let rest = &rest[..rest.len().min(6)];
                let taken = by_steps::decode_by_steps(self, state, rest, out);
                read += taken;
                if taken == 0 {
                    return read;
                }
            }
        }
    }

    fn encode(&self, state: &mut State, scalar: u32) -> EncodeStep {
        let mut bytes = [0; 4];
        match scalar {
            0 if *self == Self::Modified => return EncodeStep::Bytes(Packed::of([0xC0, 0x80])),
            0x1_0000.. if *self != Self::Wtf => {
                let [lead, trail] = simd::pair_of(scalar);
                let three = |unit: u16| {
                    let unit = u32::from(unit);
                    Packed::of([
                        0xE0 | (unit >> 12) as u8,
                        0x80 | (unit >> 6 & 0x3F) as u8,
                        0x80 | (unit & 0x3F) as u8,
                    ])
                };
                // The surrogates are written separately, because the output may be full after the first one.
                let is_lead = state.mode == 0;
                state.mode = is_lead.into();
                return match is_lead {
                    true => EncodeStep::Escape(three(lead)),
                    false => EncodeStep::Bytes(three(trail)),
                };
            }
            _ => {}
        }
        let text = char::from_u32(scalar).unwrap_or(char::REPLACEMENT_CHARACTER);
        EncodeStep::Bytes(match *text.encode_utf8(&mut bytes).as_bytes() {
            [first] => Packed::one(first),
            [first, second] => Packed::of([first, second]),
            [first, second, third] => Packed::of([first, second, third]),
            [first, second, third, fourth, ..] => Packed::of([first, second, third, fourth]),
            [] => Packed::one(0),
        })
    }

    #[inline(never)]
    fn encode_text<S: Chars + ?Sized>(
        &self,
        state: &mut State,
        src: &S,
        out: &mut Out<'_, u8>,
    ) -> usize {
        match *self == Self::Modified {
            // U+0000 is not written as a single byte.
            true => by_steps::encode_by_steps(self, state, src, out),
            false => by_steps::encode_with_ascii(self, state, src, out),
        }
    }
}

/// Defines one of the three encodings. `from_utf8` returns the maximum output length for a length of UTF-8.
const fn linked(codec: &'static Cesu8, from_utf8: fn(usize) -> Option<usize>) -> Linked {
    Linked {
        codec,
        // U+0000 is an ASCII character.
        is_ascii_compatible: !matches!(codec, Cesu8::Modified),
        is_stateful: false,
        code_unit_len: 1,
        in_references: None,
        lengths: Lengths {
            to_utf8: Some,
            shift: 0,
            from_utf8: [from_utf8; 2],
            from_utf16: [|n| n.checked_mul(3); 2],
        },
    }
}

/// CESU-8: four bytes of UTF-8 become six.
pub(crate) static CESU_8: Linked = linked(&Cesu8::Cesu, |n| n.checked_add(n / 4 * 2));

/// Java's modified UTF-8: U+0000 becomes two bytes.
pub(crate) static MUTF_8: Linked = linked(&Cesu8::Modified, |n| n.checked_mul(2));

pub(crate) static WTF_8: Linked = linked(&Cesu8::Wtf, Some);
