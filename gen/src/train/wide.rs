//! Characters of double-byte encodings: the cost of each one in its class, by language.

use super::candidates::WIDE;
use super::tokens::{
    CJK_OTHER, CJK_SIGN, FULL_WIDTH, HALF_KATAKANA, HAN, HANGUL, HIRAGANA, KATAKANA, RARE,
    WIDE_CLASSES, wide_class,
};
use std::collections::HashMap;

/// The cost level of a character that the texts lack.
const UNSEEN: u8 = 15;
/// The cost of the lowest level, and the step to each further one, in bits.
const LOWEST: f64 = 1.0;
const STEP: f64 = 1.1;

/// Costs of a language.
pub struct Wide {
    /// The cost level of each character, two in a byte: U+3000 to U+30FF, U+FF00 to U+FFFF, and ideographs or syllables.
    pub bytes: Vec<u8>,
    /// The cost of a character that the texts lack, by class, in sixteenths of a bit.
    pub unseen: Vec<u16>,
}

impl Wide {
    /// Computes costs from the counts of a language.
    pub fn new(language: &str, counts: &HashMap<char, f64>) -> Self {
        let (mut sums, mut kinds) = ([0.0; WIDE_CLASSES], [0.0; WIDE_CLASSES]);
        let class_of =
            |character| wide_class(character).map_or(0, |class| usize::from(class - HAN));
        for (&character, count) in counts {
            sums[class_of(character)] += count;
            kinds[class_of(character)] += 1.0;
        }
        let unseen = |class: usize| {
            let others = (size(class as u8 + HAN) - kinds[class]).max(10.0);
            let share = (kinds[class] + 1.0) / (sums[class] + kinds[class] + 1.0);
            -(share / others).log2()
        };
        let level = |code: u32| {
            let seen = char::from_u32(code).and_then(|one| Some((one, counts.get(&one)?)));
            let Some((character, count)) = seen else {
                return UNSEEN;
            };
            let class = class_of(character);
            let bits = -(count / (sums[class] + kinds[class] + 1.0)).log2();
            if bits >= unseen(class) {
                return UNSEEN;
            }
            ((bits - LOWEST) / STEP).round().clamp(0.0, 14.0) as u8
        };
        let own = if language == WIDE[1] {
            0xAC00..0xD7A4
        } else {
            0x4E00..0xA000
        };
        let codes = (0x3000..0x3100).chain(0xFF00..0x1_0000).chain(own);
        let levels: Vec<u8> = codes.map(level).collect();
        Self {
            bytes: super::packed(&levels),
            unseen: (0..WIDE_CLASSES)
                .map(|class| (unseen(class) * 16.0).round() as u16)
                .collect(),
        }
    }
}

/// Returns the approximate number of characters of a class in encodings.
fn size(class: u8) -> f64 {
    match class {
        HAN => 12_000.0,
        HANGUL => 9_000.0,
        HIRAGANA | KATAKANA => 90.0,
        CJK_SIGN => 50.0,
        FULL_WIDTH => 150.0,
        HALF_KATAKANA => 63.0,
        RARE => 1_880.0,
        CJK_OTHER => 600.0,
        _ => unreachable!("these are all classes"),
    }
}
