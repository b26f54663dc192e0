//! Which encoding a byte of the input chooses, in the engine and in the transliteration.

/// One encoding on both sides.
#[derive(Clone, Copy)]
pub struct Pair {
    /// Place in the Standard's table.
    pub number: usize,
    /// mojika's.
    pub engine: &'static mojika::Encoding,
    /// The transliteration's.
    pub spec: mojika_spec::Encoding,
}

/// Byte values from here on choose among [`HEAVY`]: encodings with states, several bytes, or both.
const FIRST_HEAVY: u8 = 160;
const HEAVY: [usize; 12] = [0, 29, 30, 31, 32, 33, 33, 34, 35, 37, 38, 30];

/// The encoding that `byte` chooses. Values below 40 choose by the place in the Standard's table.
pub fn pair(byte: u8) -> Pair {
    let number = match byte.checked_sub(FIRST_HEAVY) {
        Some(heavy) => HEAVY[usize::from(heavy) % HEAVY.len()],
        None => usize::from(byte) % mojika_spec::Encoding::ALL.len(),
    };
    let pair = Pair {
        number,
        engine: mojika::Encoding::all()[number],
        spec: mojika_spec::Encoding::ALL[number],
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
