//! Characters of double-byte encodings: the cost of each one in its class, by language.

use super::candidates::WIDE;
use super::tokens::{
    CJK_OTHER, CJK_SIGN, FULL_WIDTH, HALF_KATAKANA, HAN, HANGUL, HIRAGANA, KATAKANA, RARE,
    WIDE_CLASSES, wide_class,
};
use std::collections::{HashMap, HashSet};

/// The cost level of a character that neither the texts nor the national standard have.
const UNSEEN: u8 = 15;
/// The cost of the lowest level, and the step to each further one, in bits.
const LOWEST: f64 = 1.0;
const STEP: f64 = 1.3;
/// The extra cost of an unseen character over the rarest one of the standard, in bits.
const BEYOND: f64 = 4.0;
/// The cost of a character in lists, as a multiple of its cost in texts. In lists, rare characters are likelier.
pub const FLATNESS: f64 = 0.4;
/// The share of all occurrences that is added for the characters of each level of the national standard.
const OF_LEVELS: [f64; 2] = [0.005, 0.0005];

/// Costs of a language.
pub struct Wide {
    /// The cost level of each character, two in a byte: U+3000 to U+30FF, U+FF00 to U+FFFF, and ideographs or syllables.
    pub bytes: Vec<u8>,
    /// The cost of a character that the texts lack, by class, in sixteenths of a bit.
    pub unseen: Vec<u16>,
    /// A listed character costs [`FLATNESS`] times its cost in texts, plus its class's number here; 0 without lists.
    pub listed: Vec<u16>,
}

impl Wide {
    /// Computes costs from the counts of a language.
    pub fn new(language: &str, counts: &HashMap<char, f64>) -> Self {
        let class_of =
            |character| wide_class(character).map_or(0, |class| usize::from(class - HAN));
        let own = usize::from(if language == WIDE[1] { HANGUL } else { HAN } - HAN);
        let mut counts = counts.clone();
        let of_own = counts.iter().filter(|one| class_of(*one.0) == own);
        let all: f64 = of_own.map(|one| one.1).sum();
        let levels = levels_of_standard(language);
        for (level, share) in levels.iter().zip(OF_LEVELS) {
            for &character in level {
                *counts.entry(character).or_default() += all * share / level.len() as f64;
            }
        }
        let (mut sums, mut kinds) = ([0.0; WIDE_CLASSES], [0.0; WIDE_CLASSES]);
        for (&character, count) in &counts {
            sums[class_of(character)] += count;
            kinds[class_of(character)] += 1.0;
        }
        let unseen = |class: usize| {
            if class == own {
                return LOWEST + STEP * f64::from(UNSEEN - 1) + BEYOND;
            }
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
            let is_own = class == own;
            let others = if is_own { 0.0 } else { kinds[class] + 1.0 };
            let bits = -(count / (sums[class] + others)).log2();
            // A single character outside the standard may be a mistake.
            let is_rare = *count < 2.0 && levels.iter().all(|level| !level.contains(&character));
            if if is_own {
                is_rare
            } else {
                bits >= unseen(class)
            } {
                return UNSEEN;
            }
            ((bits - LOWEST) / STEP).round().clamp(0.0, 14.0) as u8
        };
        let codes = match own == usize::from(HANGUL - HAN) {
            true => 0xAC00..0xD7A4,
            false => 0x4E00..0xA000,
        };
        let codes = (0x3000..0x3100).chain(0xFF00..0x1_0000).chain(codes);
        let levels: Vec<(u32, u8)> = codes.map(|code| (code, level(code))).collect();
        let mut listed = [0.0; WIDE_CLASSES];
        for &(code, level) in levels.iter().filter(|one| one.1 != UNSEEN) {
            let class = char::from_u32(code).map_or(0, class_of);
            if class == own || [HIRAGANA, KATAKANA].contains(&(class as u8 + HAN)) {
                listed[class] += (-(LOWEST + STEP * f64::from(level)) * FLATNESS).exp2();
            }
        }
        let in_sixteenths = |bits: f64| (bits * 16.0).round() as u16;
        let listed = listed
            .iter()
            .map(|sum: &f64| in_sixteenths(sum.max(1.0).log2()));
        let levels: Vec<u8> = levels.iter().map(|one| one.1).collect();
        Self {
            bytes: super::packed(&levels),
            unseen: (0..WIDE_CLASSES).map(unseen).map(in_sixteenths).collect(),
            listed: listed.collect(),
        }
    }
}

/// Returns the costs of the levels, in sixteenths of a bit.
pub fn levels() -> [u16; UNSEEN as usize] {
    std::array::from_fn(|level| ((LOWEST + STEP * level as f64) * 16.0).round() as u16)
}

/// Returns the ideographs or syllables of a national standard, the frequent ones first: JIS X 0208, KS X 1001, GB 2312, Big5.
fn levels_of_standard(language: &str) -> [HashSet<char>; 2] {
    let (encoding, first, second) = match WIDE.iter().position(|one| *one == language) {
        Some(0) => (encoding_rs::EUC_JP, 0xB0..0xD0, 0xD0..0xF5),
        Some(1) => (encoding_rs::EUC_KR, 0..0, 0..0),
        Some(2) => (encoding_rs::GBK, 0xB0..0xD8, 0xD8..0xF8),
        _ => (encoding_rs::BIG5, 0xA4..0xC7, 0xC9..0xFA),
    };
    [first, second].map(|rows| {
        let trails = move |row| (0x40..=0xFEu8).map(move |trail| [row, trail]);
        let is_of_standard = |pair: &[u8; 2]| pair[1] >= 0xA1 || encoding == encoding_rs::BIG5;
        let pairs = rows.flat_map(trails).filter(is_of_standard);
        let characters = pairs.filter_map(|pair| encoding.decode(&pair).0.chars().next());
        let is_own = |one: &char| matches!(wide_class(*one), Some(HAN | HANGUL));
        characters.filter(is_own).collect()
    })
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
