//! The encoding that bytes of the input choose, in the engine and in the transliteration.

use crate::input::Input;

/// One encoding on both sides.
#[derive(Clone, Copy)]
pub struct Pair {
    /// Place in the Standard's table, and behind it in that of `extended`.
    pub number: usize,
    /// mojika's.
    pub engine: &'static mojika::Encoding,
    /// The transliteration's.
    pub spec: mojika_spec::Encoding,
}

/// Byte values from here on choose among [`HEAVY`]: encodings with states, several bytes, or both.
const FIRST_HEAVY: u8 = 160;
/// From the thirteenth on: UTF-32BE, UTF-32LE, and IBM1140 in EBCDIC; IBM939, 1364, 1388 and 1390 with double bytes; HZ,
/// ISO-2022-KR, CESU-8 and MUTF-8.
const HEAVY: [usize; 23] = [
    0, 29, 30, 31, 32, 33, 33, 34, 35, 37, 38, 30, 40, 41, 76, 123, 124, 126, 127, 129, 130, 131,
    132,
];

/// Byte values from here on take a second one, which chooses among the encodings of the places from [`FIRST_HEAVY`] on.
const FIRST_FURTHER: u8 = 248;
/// The number of the remaining encodings.
const FURTHER: usize = COUNT - FIRST_HEAVY as usize;

/// The number of encodings: the Standard's, and those of `extended`.
pub const COUNT: usize = mojika_spec::Encoding::ALL.len() + mojika_spec::extended::COUNT;

/// The encoding that the input chooses. A byte below [`FIRST_HEAVY`] chooses by the place; encodings that have none below it
/// are chosen by a second byte, after one from [`FIRST_FURTHER`] on.
pub fn choose(input: &mut Input) -> Pair {
    let byte = input.byte();
    let number = match byte {
        FIRST_FURTHER.. => usize::from(FIRST_HEAVY) + usize::from(input.byte()) % FURTHER,
        FIRST_HEAVY.. => HEAVY[usize::from(byte - FIRST_HEAVY) % HEAVY.len()],
        _ => byte.into(),
    };
    pair(number)
}

/// The bytes that choose the encoding of this place.
pub fn choosing(number: usize) -> Vec<u8> {
    match number.checked_sub(FIRST_HEAVY.into()) {
        Some(further) => vec![FIRST_FURTHER, further as u8],
        None => vec![number as u8],
    }
}

/// The encoding of this place.
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

/// [`choose`], with UTF-8 in the place of replacement, which has no encoder.
pub fn choose_with_encoder(input: &mut Input) -> Pair {
    let chosen = choose(input);
    if chosen.spec == mojika_spec::Encoding::Replacement {
        return pair(0);
    }
    chosen
}
