//! UTF-16 and UTF-32 without a byte order mark, by their patterns.
//!
//! Each octet order is scored by what its units would be: a wrong order yields unpaired surrogates, controls and
//! unassigned rooms.

use crate::{Encoding, UTF_16BE, UTF_16LE, sniff::extended};

/// The orders of UTF-32, as places of the octets from the most significant one on.
const ORDERS: [(&str, [usize; 4]); 4] = [
    ("UTF-32BE", [0, 1, 2, 3]),
    ("UTF-32LE", [3, 2, 1, 0]),
    ("UTF-32-2143", [1, 0, 3, 2]),
    ("UTF-32-3412", [2, 3, 0, 1]),
];

/// How many of these come first: the orders that programs write. The others need a quarter more points to be likelier.
const USUAL: usize = 2;

/// What one reading of the bytes as code units is worth.
#[derive(Clone, Copy, Default)]
struct Score {
    units: u32,
    bad: u32,
    points: i32,
    high_byte: u32,
    awaits_trail: bool,
}

impl Score {
    fn unit_16(&mut self, unit: u32) {
        let is_trail = (0xDC00..0xE000).contains(&unit);
        if self.awaits_trail != is_trail {
            self.bad += 1;
            self.points -= 8;
        }
        self.awaits_trail = (0xD800..0xDC00).contains(&unit);
        self.scalar(unit, (0xD800..0xE000).contains(&unit));
    }

    fn unit_32(&mut self, unit: u32) {
        let is_surrogate = (0xD800..0xE000).contains(&unit);
        if unit > 0x10_FFFF || is_surrogate {
            self.units += 1;
            self.bad += 1;
            self.points -= 8;
        } else {
            self.scalar(unit, false);
        }
    }

    fn scalar(&mut self, value: u32, is_surrogate: bool) {
        self.units += 1;
        if is_surrogate {
            return;
        }
        let points = match value {
            0x09 | 0x0A | 0x0D | 0x20 => 3,
            0..0x20 | 0x7F..0xA0 | 0xFDD0..0xFDF0 | 0xFFFE..=0xFFFF => {
                self.bad += 1;
                -8
            }
            0x2000..0x2070 | 0x3000..0x3020 | 0xFF01..0xFF20 => 2,
            0x21..0x0700 | 0x0E00..0x0E80 | 0x1E00..0x2000 | 0x3020..0x3100 => 1,
            0x4E00..0xA000 | 0xAC00..0xD7A4 => 1,
            0x0700..0x1E00 | 0x2070..0x3000 | 0x3100..0x4E00 | 0xF900..0xFFFE => 0,
            0x1_0000..0x3_2000 => 0,
            _ => -4,
        };
        // Text stays in one script.
        let same = i32::from(self.high_byte == value >> 8);
        self.high_byte = value >> 8;
        self.points += points + same;
    }

    /// Up to 1 in 64 units may be damaged.
    fn is_plausible(&self) -> bool {
        self.units >= 2 && self.points > 0 && self.bad <= self.units / 64
    }

    fn probability(&self) -> f32 {
        let share = self.bad as f32 / self.units.max(1) as f32;
        (1.0 - share) * (1.0 - 0.5 / self.units.max(1) as f32)
    }
}

/// Whether most pairs of bytes have the same half 0x30, as kana do in UTF-16, which have no control characters in the
/// other half.
pub(super) fn has_steady_half(bytes: &[u8]) -> bool {
    // Sums of bytes, which vectors have more of.
    let count = |block: &[u8]| {
        block
            .iter()
            .fold(0_u8, |sum, &byte| sum + u8::from(byte == 0x30))
    };
    let steady: usize = bytes
        .chunks(128)
        .map(|block| usize::from(count(block)))
        .sum();
    if steady < bytes.len() / 4 {
        return false;
    }
    let (pairs, _) = bytes.as_chunks::<2>();
    (0..2).any(|half| {
        let kana = pairs.iter().filter(|pair| pair[half] == 0x30);
        let (mut count, mut beyond_ascii) = (0, 0);
        for pair in kana {
            count += 1;
            beyond_ascii += usize::from(pair[1 - half] >= 0x80);
        }
        count >= 8 && 2 * count > pairs.len() && beyond_ascii * 16 > count
    })
}

/// The best reading as UTF-32, then the best as UTF-16, if they are plausible.
pub(super) fn guesses(bytes: &[u8]) -> impl Iterator<Item = (&'static Encoding, f32)> + use<> {
    let mut utf_16 = [Score::default(); 2];
    let mut utf_32 = [Score::default(); 4];
    for pair in bytes.as_chunks().0 {
        utf_16[0].unit_16(u32::from(u16::from_be_bytes(*pair)));
        utf_16[1].unit_16(u32::from(u16::from_le_bytes(*pair)));
    }
    for four in bytes.as_chunks::<4>().0 {
        for (score, (_, order)) in utf_32.iter_mut().zip(ORDERS) {
            score.unit_32(
                order
                    .into_iter()
                    .fold(0, |unit, at| unit << 8 | u32::from(four[at])),
            );
        }
    }
    let utf_32 = ORDERS
        .into_iter()
        .zip(utf_32)
        .enumerate()
        .filter(|(_, (_, score))| score.is_plausible())
        .max_by_key(|(at, (_, score))| score.points * if *at < USUAL { 5 } else { 4 })
        .and_then(|(_, ((name, _), score))| {
            Some((extended(name.as_bytes())?, score.probability()))
        });
    let utf_16 = [UTF_16BE, UTF_16LE]
        .into_iter()
        .zip(utf_16)
        .filter(|(_, score)| score.is_plausible())
        .max_by_key(|(_, score)| score.points)
        .map(|(encoding, score)| (encoding, score.probability()));
    utf_32.into_iter().chain(utf_16)
}
