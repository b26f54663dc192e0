//! The double bytes of mixed EBCDIC, in both directions.
//!
//! Pairs to code points: flat arrays by lead and trail - 0x40, with one load. User-defined areas, and Hangul in the order
//! of Johab, are computed. The additions of IBM4933 to IBM837 are ranges in the order of gb18030 or Unicode. Code points to
//! pairs: [`RankTable`]s, and the same computations.

use super::load::{u8s, u16s, u32s};
use super::rank::RankTable;
use super::{gb18030_bytes, gb18030_code_point, johab};

include!("../../tables/pairs.rs");

/// Trails are 0x40 to 0xFE.
const COLUMNS: usize = 0xFE - 0x40 + 1;

/// The decoded form of a pair.
#[derive(Clone, Copy)]
pub(crate) enum Decoded {
    One(u32),
    Two(u32, u32),
}

/// Returns the code point in an array for a pair whose lead is at least `first`; 0 for none.
#[inline(always)]
fn flat(array: &[u16], first: u8, lead: u8, trail: u8) -> u16 {
    let (row, cell) = (
        usize::from(lead.wrapping_sub(first)),
        usize::from(trail.wrapping_sub(0x40)),
    );
    if cell >= COLUMNS {
        return 0;
    }
    array.get(COLUMNS * row + cell).copied().unwrap_or(0)
}

/// A user-defined area: its pairs, in order, stand for the code points from U+E000 on.
#[derive(Clone, Copy)]
struct Area {
    first_lead: u8,
    /// The number of trails: 0x41 to 0xFE, or 0x41 to 0xFD without 0x80.
    columns: u16,
    count: u16,
}

impl Area {
    #[inline(always)]
    fn code_point(self, lead: u8, trail: u8) -> u16 {
        let skips = self.columns == 188;
        if !matches!(trail, 0x41..=0xFE) || skips && matches!(trail, 0x80 | 0xFE) {
            return 0;
        }
        let cell = u16::from(trail - 0x41) - u16::from(skips && trail > 0x80);
        let number = u16::from(lead.wrapping_sub(self.first_lead)) * self.columns + cell;
        if number < self.count {
            0xE000 + number
        } else {
            0
        }
    }

    #[inline(always)]
    fn pair(self, code_point: u16) -> Option<u16> {
        let number = code_point.wrapping_sub(0xE000);
        if number >= self.count {
            return None;
        }
        let (row, cell) = (number / self.columns, number % self.columns);
        let skipped = u16::from(self.columns == 188 && cell >= 0x80 - 0x41);
        Some((u16::from(self.first_lead) + row) << 8 | (0x41 + cell + skipped))
    }
}

/// A table of pairs.
pub(crate) trait Pairs: Sync + 'static {
    /// Returns the code point of a pair, if it is one code point of the BMP; 0 otherwise.
    fn unit(lead: u8, trail: u8) -> u16;

    /// Decodes a pair for which [`unit`](Self::unit) returns 0.
    fn other(_lead: u8, _trail: u8) -> Option<Decoded> {
        None
    }

    /// Returns the pair of a code point of the BMP.
    fn pair(code_point: u16) -> Option<u16>;

    /// Returns the pair of a code point above the BMP.
    fn pair_above(_code_point: u32) -> Option<u16> {
        None
    }
}

/// IBM300, the pairs of IBM930 and IBM939. If `EXTENDED`, IBM16684, the pairs of IBM1390 and IBM1399.
pub(crate) struct Japan<const EXTENDED: bool>;

impl<const EXTENDED: bool> Japan<EXTENDED> {
    const AREA: Area = Area {
        first_lead: 0x69,
        columns: 190,
        count: if EXTENDED { 0x183D } else { 0x1112 },
    };

    /// Returns a BMP code point. From 0xD800 on, the result is an index into [`IBM16684_ABOVE`]; from 0xDC00 on, into
    /// [`IBM16684_JOINED`].
    fn later(lead: u8, trail: u8) -> u16 {
        flat(&IBM16684, 0xB3, lead, trail)
    }
}

impl<const EXTENDED: bool> Pairs for Japan<EXTENDED> {
    #[inline(always)]
    fn unit(lead: u8, trail: u8) -> u16 {
        match lead {
            0x42 if EXTENDED && trail == 0xE1 => 0x20AC,
            ..=0x68 => flat(&IBM300, 0x40, lead, trail),
            0xB3.. if EXTENDED => match Self::later(lead, trail) {
                0xD800..=0xDFFF => 0,
                code_point => code_point,
            },
            _ => Self::AREA.code_point(lead, trail),
        }
    }

    fn other(lead: u8, trail: u8) -> Option<Decoded> {
        if !EXTENDED || lead < 0xB3 {
            return None;
        }
        match usize::from(Self::later(lead, trail)) {
            place @ 0xD800..=0xDBFF => IBM16684_ABOVE
                .get(place - 0xD800)
                .map(|&to| Decoded::One(to)),
            place @ 0xDC00..=0xDFFF => {
                let at = 2 * (place - 0xDC00);
                let [first, second] = *IBM16684_JOINED.get(at..)?.first_chunk()?;
                Some(Decoded::Two(first.into(), second.into()))
            }
            _ => None,
        }
    }

    #[inline(always)]
    fn pair(code_point: u16) -> Option<u16> {
        let base = IBM300_ENCODE.get(code_point);
        let area = || Self::AREA.pair(code_point);
        let later = || EXTENDED.then(|| IBM16684_ENCODE.get(code_point)).flatten();
        base.or_else(area).or_else(later)
    }

    fn pair_above(code_point: u32) -> Option<u16> {
        let place = IBM16684_ABOVE.binary_search(&code_point).ok()?;
        EXTENDED
            .then(|| IBM16684_ABOVE_PAIRS.get(place).copied())
            .flatten()
    }
}

/// IBM834, the pairs of IBM933. If `EXTENDED`, IBM4930, the pairs of IBM1364.
pub(crate) struct Korea<const EXTENDED: bool>;

impl<const EXTENDED: bool> Korea<EXTENDED> {
    const AREA: Area = Area {
        first_lead: 0xD4,
        columns: 188,
        count: 1880,
    };

    /// True if a pair outside the order of Johab is in the table.
    #[inline(always)]
    fn has(pair: u16) -> bool {
        EXTENDED || !matches!(pair, 0x4995 | 0x4996 | 0x4C00..=0x4EFF)
    }

    /// True if a code point in the order of Johab, such as a Hangul syllable, is in the table.
    #[inline(always)]
    fn has_johab(code_point: u16) -> bool {
        let place = usize::from(code_point.wrapping_sub(0xAC00));
        let bits = IBM834_SYLLABLES.get(place / 8);
        EXTENDED || bits.is_none_or(|bits| bits >> (place % 8) & 1 != 0)
    }
}

impl<const EXTENDED: bool> Pairs for Korea<EXTENDED> {
    #[inline(always)]
    fn unit(lead: u8, trail: u8) -> u16 {
        match lead {
            ..=0x6C if Self::has(u16::from_be_bytes([lead, trail])) => {
                flat(&IBM4930, 0x40, lead, trail)
            }
            0x84..=0xD3 => match johab::code_point(lead, trail) {
                Some(code_point) if Self::has_johab(code_point) => code_point,
                _ => 0,
            },
            0xD4.. => Self::AREA.code_point(lead, trail),
            _ => 0,
        }
    }

    #[inline(always)]
    fn pair(code_point: u16) -> Option<u16> {
        if let Some(pair) = johab::pair(code_point) {
            return Self::has_johab(code_point).then_some(pair);
        }
        let base = IBM4930_ENCODE
            .get(code_point)
            .filter(|&pair| Self::has(pair));
        base.or_else(|| Self::AREA.pair(code_point))
    }
}

/// IBM835, the pairs of IBM937. If `EXTENDED`, IBM9027, the pairs of IBM1371.
pub(crate) struct Taiwan<const EXTENDED: bool>;

impl<const EXTENDED: bool> Taiwan<EXTENDED> {
    const AREA: Area = Area {
        first_lead: 0xC2,
        columns: 188,
        count: 0x183C,
    };
}

impl<const EXTENDED: bool> Pairs for Taiwan<EXTENDED> {
    #[inline(always)]
    fn unit(lead: u8, trail: u8) -> u16 {
        match lead {
            0x47 if EXTENDED && trail == 0xA2 => 0x20AC,
            ..=0x91 => flat(&IBM835, 0x40, lead, trail),
            0xC2.. => Self::AREA.code_point(lead, trail),
            _ => 0,
        }
    }

    #[inline(always)]
    fn pair(code_point: u16) -> Option<u16> {
        let base = IBM835_ENCODE.get(code_point);
        base.or_else(|| Self::AREA.pair(code_point))
    }
}

/// IBM837, the pairs of IBM935. If `EXTENDED`, IBM4933, the pairs of IBM1388.
pub(crate) struct China<const EXTENDED: bool>;

impl<const EXTENDED: bool> China<EXTENDED> {
    const AREA: Area = Area {
        first_lead: 0x76,
        columns: 188,
        count: if EXTENDED { 0x766 } else { 1880 },
    };
    /// The pair of the middle dot, which is U+30FB in IBM837 and U+00B7 in IBM4933.
    const DOT: u16 = 0x4345;
}

impl<const EXTENDED: bool> Pairs for China<EXTENDED> {
    #[inline(always)]
    fn unit(lead: u8, trail: u8) -> u16 {
        let area = if matches!(lead, 0x76..=0x80) {
            Self::AREA.code_point(lead, trail)
        } else {
            0
        };
        let pair = u16::from_be_bytes([lead, trail]);
        match flat(&IBM837, 0x40, lead, trail) | area {
            _ if EXTENDED && pair == Self::DOT => 0xB7,
            0 if EXTENDED => runs::code_point(lead, trail).unwrap_or(0),
            code_point => code_point,
        }
    }

    #[inline(always)]
    fn pair(code_point: u16) -> Option<u16> {
        if EXTENDED && code_point == 0xB7 {
            return Some(Self::DOT);
        }
        let base = IBM837_ENCODE.get(code_point);
        let base = base.filter(|&pair| !(EXTENDED && pair == Self::DOT));
        let area = || Self::AREA.pair(code_point);
        let later = || EXTENDED.then(|| runs::pair(code_point)).flatten();
        base.or_else(area).or_else(later)
    }
}

/// The additions of IBM4933 to IBM837, as ranges of pairs.
mod runs {
    use super::*;

    /// Set in a value that is a pointer in index gb18030, not a code point.
    const POINTER: u32 = 1 << 31;

    pub(super) fn code_point(lead: u8, trail: u8) -> Option<u16> {
        if !matches!(trail, 0x41..=0xFE) {
            return None;
        }
        let number = u16::from(lead) * 190 + u16::from(trail - 0x41);
        let run = IBM4933_PAIRS
            .partition_point(|&first| first <= number)
            .checked_sub(1)?;
        let step = number - IBM4933_PAIRS[run];
        if step >= *IBM4933_LENGTHS.get(run)? {
            return None;
        }
        match *IBM4933_TO.get(run)? {
            to if to & POINTER != 0 => {
                gb18030_code_point((to - POINTER) as usize + usize::from(step))
            }
            to => Some(to as u16 + step),
        }
    }

    pub(super) fn pair(code_point: u16) -> Option<u16> {
        pair_to(code_point.into()).or_else(|| {
            let [lead, trail] = gb18030_bytes(code_point)?.to_be_bytes();
            let cell = u32::from(trail) - if trail < 0x7F { 0x40 } else { 0x41 };
            let pointer = u32::from(lead - 0x81) * 190 + cell;
            // For some code points, the encoder's pair decodes to another code point.
            let is_own = gb18030_code_point(pointer as usize) == Some(code_point);
            is_own.then(|| pair_to(POINTER | pointer)).flatten()
        })
    }

    /// Returns the pair that decodes to the code point or through the pointer in `to`.
    fn pair_to(to: u32) -> Option<u16> {
        let first = |run: &u16| IBM4933_TO.get(usize::from(*run)).copied().unwrap_or(0);
        let place = IBM4933_ORDER.partition_point(|run| first(run) <= to);
        let run = usize::from(*IBM4933_ORDER.get(place.checked_sub(1)?)?);
        let step = u16::try_from(to - IBM4933_TO.get(run)?).ok()?;
        if step >= *IBM4933_LENGTHS.get(run)? {
            return None;
        }
        let number = IBM4933_PAIRS.get(run)? + step;
        Some((number / 190) << 8 | (number % 190 + 0x41))
    }
}
