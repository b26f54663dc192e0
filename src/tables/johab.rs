//! The order of Johab, also in IBM's Korean tables: a set bit, then five bits for each of a syllable's three letters.
//!
//! KS X 1001 annex 3 (KS C 5601-1992). The bits are an index into a list with gaps. Letters alone are jamo.

/// Vowels by five bits; `NONE` for no vowel.
#[rustfmt::skip]
const VOWELS: [u8; 32] = [
    NONE, NONE, NONE, 0, 1, 2, 3, 4, NONE, NONE, 5, 6, 7, 8, 9, 10,
    NONE, NONE, 11, 12, 13, 14, 15, 16, NONE, NONE, 17, 18, 19, 20, NONE, NONE,
];
const NONE: u8 = 0xFF;

/// The bits of vowels.
const VOWEL_BITS: [u8; 21] = [
    3, 4, 5, 6, 7, 10, 11, 12, 13, 14, 15, 18, 19, 20, 21, 22, 23, 26, 27, 28, 29,
];

/// Isolated initial consonants, from U+3131 on.
const INITIALS: [u8; 19] = [
    0, 1, 3, 6, 7, 8, 16, 17, 18, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29,
];

/// Isolated final consonants that are not initial ones: their five bits, and their distance from U+3131.
const FINALS: [(u8, u8); 11] = [
    (4, 2),
    (6, 4),
    (7, 5),
    (10, 9),
    (11, 10),
    (12, 11),
    (13, 12),
    (14, 13),
    (15, 14),
    (16, 15),
    (20, 19),
];

/// The bits for no initial, no vowel and no final consonant.
const FILLERS: (u8, u8, u8) = (1, 2, 1);

/// Final consonants by five bits: 0 for no consonant; `NONE` for unused bits.
#[rustfmt::skip]
const LASTS: [u8; 32] = [
    NONE, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14,
    15, 16, NONE, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, NONE, NONE,
];

/// Returns the syllable or the jamo of a pair.
#[inline(always)]
pub(crate) fn code_point(lead: u8, trail: u8) -> Option<u16> {
    let initial = lead >> 2 & 31;
    let vowel = (lead & 3) << 3 | trail >> 5;
    let last = trail & 31;
    match (
        initial,
        VOWELS[usize::from(vowel)],
        LASTS[usize::from(last)],
    ) {
        (2..=20, vowel @ 0..=20, last @ 0..=27) => {
            let syllable = u16::from(initial - 2) * 588 + u16::from(vowel) * 28 + u16::from(last);
            Some(0xAC00 + syllable)
        }
        _ => jamo(initial, vowel, last),
    }
}

fn jamo(initial: u8, vowel: u8, last: u8) -> Option<u16> {
    let by_itself = match (initial, vowel, last) {
        FILLERS => Some(0x33),
        (2..=20, 2, 1) => INITIALS.get(usize::from(initial - 2)).copied(),
        (1, _, 1) => Some(VOWELS[usize::from(vowel)])
            .filter(|&vowel| vowel != NONE)
            .map(|vowel| 0x1E + vowel),
        (1, 2, _) => FINALS
            .iter()
            .find(|(bits, _)| *bits == last)
            .map(|(_, to)| *to),
        _ => None,
    };
    by_itself.map(|to| 0x3131 + u16::from(to))
}

/// Returns the pair of a syllable or a jamo.
#[inline(always)]
pub(crate) fn pair(code_point: u16) -> Option<u16> {
    let syllable = code_point.wrapping_sub(0xAC00);
    if syllable < 11_172 {
        let (initial, vowel, last) = (syllable / 588, syllable / 28 % 21, syllable % 28);
        let last = last + 1 + u16::from(last >= 17);
        let vowel = u16::from(VOWEL_BITS[usize::from(vowel)]);
        return Some(0x8000 | (initial + 2) << 10 | vowel << 5 | last);
    }
    let jamo = code_point.wrapping_sub(0x3131);
    if jamo > 0x33 {
        return None;
    }
    let jamo = jamo as u8;
    let of = |initial: u8, vowel: u8, last: u8| {
        0x8000 | u16::from(initial) << 10 | u16::from(vowel) << 5 | u16::from(last)
    };
    if jamo == 0x33 {
        return Some(of(FILLERS.0, FILLERS.1, FILLERS.2));
    }
    if let Some(&vowel) = VOWEL_BITS.get(usize::from(jamo.wrapping_sub(0x1E))) {
        return Some(of(1, vowel, 1));
    }
    let initial = INITIALS.iter().position(|&to| to == jamo);
    let last = FINALS.iter().find(|(_, to)| *to == jamo);
    initial
        .map(|initial| of(initial as u8 + 2, 2, 1))
        .or_else(|| last.map(|&(bits, _)| of(1, 2, bits)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_lead_to_code_points_and_back() {
        let mut count = 0;
        for pair_bits in 0x8441..=0xD3FE_u16 {
            let [lead, trail] = pair_bits.to_be_bytes();
            if trail >= 0x41
                && let Some(to) = code_point(lead, trail)
            {
                assert_eq!(pair(to), Some(pair_bits), "{pair_bits:04X} {to:04X}");
                count += 1;
            }
        }
        assert_eq!(count, 11_172 + 52);
    }
}
