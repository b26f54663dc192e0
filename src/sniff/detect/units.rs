//! UTF-16 and UTF-32 without a byte order mark, by their patterns.
//!
//! Text in a legacy encoding has no zero bytes and no control characters but line ends, tabs and escapes; wide code
//! units are full of them, as high bytes of most scripts (Cyrillic 04, Thai 0E) or low bytes of ideographs. So the
//! share of such bytes decides whether wide units are possible at all. Then each octet order is scored by what its
//! units would be: a wrong order yields unpaired surrogates, controls and unassigned rooms.

use crate::{Encoding, UTF_16BE, UTF_16LE, sniff::extended};

/// How many bytes are looked at.
const LIMIT: usize = 4096;

/// The orders of UTF-32, as places of the octets from the most significant one on.
const ORDERS: [(&str, [usize; 4]); 4] = [
    ("UTF-32BE", [0, 1, 2, 3]),
    ("UTF-32LE", [3, 2, 1, 0]),
    ("UTF-32-2143", [1, 0, 3, 2]),
    ("UTF-32-3412", [2, 3, 0, 1]),
];

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

/// Scores of all readings.
#[derive(Clone, Copy, Default)]
pub(super) struct Units {
    pending: [u8; 4],
    read: usize,
    /// Control characters that legacy text lacks, U+0000 among them.
    controls: usize,
    utf_16: [Score; 2],
    utf_32: [Score; 4],
}

impl Units {
    pub fn feed(&mut self, chunk: &[u8]) {
        let chunk = &chunk[..chunk.len().min(LIMIT - self.read)];
        for &byte in chunk {
            self.controls += usize::from(matches!(byte, 0..=8 | 0x0B | 0x0E..=0x1A | 0x1C..=0x1F));
            self.pending[self.read % 4] = byte;
            self.read += 1;
            let octets = self.pending.map(u32::from);
            if self.read.is_multiple_of(2) {
                let at = (self.read - 2) % 4;
                self.utf_16[0].unit_16(octets[at] << 8 | octets[at + 1]);
                self.utf_16[1].unit_16(octets[at + 1] << 8 | octets[at]);
            }
            if self.read.is_multiple_of(4) {
                for (score, (_, order)) in self.utf_32.iter_mut().zip(ORDERS) {
                    let unit = order.into_iter().fold(0, |unit, at| unit << 8 | octets[at]);
                    score.unit_32(unit);
                }
            }
        }
    }

    /// The best reading as UTF-32, else the best as UTF-16, if they are plausible.
    pub fn guesses(&self) -> impl Iterator<Item = (&'static Encoding, f32)> + use<> {
        let possible = self.controls * 64 >= self.read && self.controls > 0;
        let utf_32 = ORDERS
            .into_iter()
            .zip(self.utf_32)
            .filter(|(_, score)| possible && score.is_plausible())
            .max_by_key(|(_, score)| score.points)
            .and_then(|((name, _), score)| Some((extended(name.as_bytes())?, score.probability())));
        let utf_16 = [UTF_16BE, UTF_16LE]
            .into_iter()
            .zip(self.utf_16)
            .filter(|(_, score)| possible && score.is_plausible())
            .max_by_key(|(_, score)| score.points)
            .map(|(encoding, score)| (encoding, score.probability()));
        utf_32.into_iter().chain(utf_16)
    }
}
