//! Selection of an encoding by the input, as the engine's and as the transliteration's encoding.

use crate::input::Input;

/// One encoding on both sides.
#[derive(Clone, Copy)]
pub struct Pair {
    /// The index in the Standard's table or, continued after its end, in that of `extended`.
    pub number: usize,
    /// The engine's encoding.
    pub engine: &'static mojika::Encoding,
    /// The transliteration's encoding.
    pub spec: mojika_spec::Encoding,
}

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
const FURTHER: usize = COUNT - FIRST_HEAVY as usize;

/// The number of encodings: the Standard's and the extended ones.
pub const COUNT: usize = mojika_spec::Encoding::ALL.len() + mojika_spec::extended::COUNT;

/// Returns the encoding that the input selects. A first byte below [`FIRST_HEAVY`] is its index. For other indexes, the
/// first byte is at least [`FIRST_FURTHER`], and a second byte follows.
pub fn choose(input: &mut Input) -> Pair {
    let byte = input.byte();
    let number = match byte {
        FIRST_FURTHER.. => usize::from(FIRST_HEAVY) + usize::from(input.byte()) % FURTHER,
        FIRST_HEAVY.. => HEAVY[usize::from(byte - FIRST_HEAVY) % HEAVY.len()],
        _ => byte.into(),
    };
    pair(number)
}

/// Returns the bytes that select the encoding with this index.
pub fn choosing(number: usize) -> Vec<u8> {
    match number.checked_sub(FIRST_HEAVY.into()) {
        Some(further) => vec![FIRST_FURTHER, further as u8],
        None => vec![number as u8],
    }
}

/// Returns the encoding with this index.
pub fn pair(number: usize) -> Pair {
    let standard = mojika::Encoding::all().iter().copied();
    let pair = Pair {
        number,
        engine: standard
            .chain(mojika::extended::all())
            .nth(number)
            .expect("one of all"),
        spec: mojika_spec::Encoding::all()
            .nth(number)
            .expect("one of all"),
    };
    assert_eq!(pair.engine.name(), pair.spec.name());
    pair
}

/// Selects as [`choose`] does, but with UTF-8 in place of replacement, which has no encoder.
pub fn choose_with_encoder(input: &mut Input) -> Pair {
    let chosen = choose(input);
    if chosen.spec == mojika_spec::Encoding::Replacement {
        return pair(0);
    }
    chosen
}
