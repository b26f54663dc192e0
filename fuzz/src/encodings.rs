//! Selection of an encoding by the input, as the engine's and as the transliteration's encoding.

use crate::input::Input;
use mojika_proof::subject::Subject;

/// Bytes from this value on select an encoding from [`HEAVY`]: stateful and multi-byte encodings.
const FIRST_HEAVY: u8 = 160;
/// The encodings' indexes. From the thirteenth on: UTF-32BE, UTF-32LE, and IBM1140 in EBCDIC; IBM939, 1364, 1388 and
/// 1390 with double bytes; HZ, ISO-2022-KR, CESU-8 and MUTF-8.
const HEAVY: [usize; 23] = [
    0, 29, 30, 31, 32, 33, 33, 34, 35, 37, 38, 30, 40, 41, 76, 123, 124, 126, 127, 129, 130, 131,
    132,
];

/// After a byte from this value on, a second byte selects among the encodings with indexes from [`FIRST_HEAVY`] on.
const FIRST_FURTHER: u8 = 248;
/// The number of encodings with indexes from [`FIRST_HEAVY`] on.
const FURTHER: usize =
    mojika_spec::Encoding::ALL.len() + mojika_spec::extended::COUNT - FIRST_HEAVY as usize;

/// Returns the encoding that the input selects. A first byte below [`FIRST_HEAVY`] is its index. For other indexes, the
/// first byte is at least [`FIRST_FURTHER`], and a second byte follows.
pub fn choose(input: &mut Input) -> Subject {
    let byte = input.byte();
    numbered(match byte {
        FIRST_FURTHER.. => usize::from(FIRST_HEAVY) + usize::from(input.byte()) % FURTHER,
        FIRST_HEAVY.. => HEAVY[usize::from(byte - FIRST_HEAVY) % HEAVY.len()],
        _ => byte.into(),
    })
}

/// Returns the bytes that select the encoding with this index.
pub fn choosing(number: usize) -> Vec<u8> {
    match number.checked_sub(FIRST_HEAVY.into()) {
        Some(further) => vec![FIRST_FURTHER, further as u8],
        None => vec![number as u8],
    }
}

/// Returns the encoding with this index.
pub fn numbered(number: usize) -> Subject {
    Subject::all().nth(number).expect("one of all")
}

/// Selects as [`choose`] does, but with UTF-8 in place of replacement, which has no encoder.
pub fn choose_with_encoder(input: &mut Input) -> Subject {
    let chosen = choose(input);
    if chosen.encodes() {
        chosen
    } else {
        numbered(0)
    }
}
