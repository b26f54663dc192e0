//! Which encoding a byte of the input chooses, in the engine and in the transliteration.

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

/// How many there are: the Standard's, and those of `extended`.
pub const COUNT: usize = mojika_spec::Encoding::ALL.len() + mojika_spec::extended::COUNT;

/// The encoding that `byte` chooses. Values below [`COUNT`] choose by the place.
pub fn pair(byte: u8) -> Pair {
    let number = match byte.checked_sub(FIRST_HEAVY) {
        Some(heavy) => HEAVY[usize::from(heavy) % HEAVY.len()],
        None => usize::from(byte) % COUNT,
    };
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

/// [`pair`], with UTF-8 in the place of replacement, which has no encoder.
pub fn pair_with_encoder(byte: u8) -> Pair {
    let chosen = pair(byte);
    if chosen.spec == mojika_spec::Encoding::Replacement {
        return pair(0);
    }
    chosen
}
