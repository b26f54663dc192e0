//! Which sequences of an encoding mean the same to iconv.
//!
//! The tables of the Standard and those of iconv differ in some places. Such a sequence, wherever it stands, goes the slow
//! way, to the C library: a filter finds where the first of them is, in input that is to be decoded or in output that has
//! been encoded.

/// The sequences that the C library treats otherwise, as ranges; from `differences`.
pub(super) struct Differences {
    pub singles: &'static [(u32, u32)],
    pub pairs: &'static [(u32, u32)],
    /// Pairs that are encoded to otherwise; those of `pairs` may be among them.
    pub encoded: &'static [(u32, u32)],
    /// Places of four bytes of gb18030 among all of them.
    pub fours: &'static [(u32, u32)],
}

/// A set of pairs of bytes.
pub(super) type Pairs = [u64; 1024];

/// The pairs of some ranges.
pub(super) const fn pairs(ranges: &[(u32, u32)]) -> Pairs {
    let mut set = [0; 1024];
    let mut i = 0;
    while i < ranges.len() {
        let (mut at, last) = ranges[i];
        while at <= last {
            set[at as usize / 64] |= 1 << (at % 64);
            at += 1;
        }
        i += 1;
    }
    set
}

/// How characters are made of bytes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Structure {
    /// A byte each.
    Bytes,
    /// A lead from 0x81 on, and a trail.
    Pairs,
    /// As `Pairs`, but 0xA1 to 0xDF are half-width katakana.
    ShiftJis,
    /// A pair; 0x8E and a byte. What starts with 0x8F goes the slow way.
    EucJp,
    /// A pair. Four bytes of which the second is a digit, which the Standard has in GBK, too, go the slow way.
    Gbk,
    /// A pair, or four bytes of which the second is a digit.
    Gb18030,
}

/// A filter of one encoding.
pub(super) struct Filter {
    structure: Structure,
    singles: [bool; 256],
    /// Whether a byte of ASCII is among the singles.
    has_ascii: bool,
    decoded: Option<&'static Pairs>,
    encoded: Option<&'static Pairs>,
    fours: &'static [(u32, u32)],
}

impl Filter {
    /// The filter of some differences. `decoded` and `encoded` are their pairs, if there are any.
    pub(super) const fn new(
        structure: Structure,
        differences: &Differences,
        decoded: Option<&'static Pairs>,
        encoded: Option<&'static Pairs>,
    ) -> Self {
        let mut singles = [false; 256];
        let mut i = 0;
        while i < differences.singles.len() {
            let (mut at, last) = differences.singles[i];
            while at <= last {
                singles[at as usize] = true;
                at += 1;
            }
            i += 1;
        }
        let (mut has_ascii, mut at) = (false, 0);
        while at < 0x80 {
            has_ascii |= singles[at];
            at += 1;
        }
        Self {
            structure,
            singles,
            has_ascii,
            decoded,
            encoded,
            fours: differences.fours,
        }
    }

    /// The length of the prefix of input without differences. Malformed sequences may be part of it.
    pub(super) fn input(&self, bytes: &[u8]) -> usize {
        self.walk(bytes, self.decoded)
    }

    /// The length of the prefix of output without differences.
    pub(super) fn output(&self, bytes: &[u8]) -> usize {
        self.walk(bytes, self.encoded.or(self.decoded))
    }

    fn walk(&self, bytes: &[u8], pairs: Option<&'static Pairs>) -> usize {
        if self.structure == Structure::Bytes {
            let differs = |&byte: &u8| self.singles[usize::from(byte)];
            return bytes.iter().position(differs).unwrap_or(bytes.len());
        }
        let mut at = 0;
        loop {
            if !self.has_ascii {
                while let Some(chunk) = bytes[at..].first_chunk::<8>()
                    && u64::from_ne_bytes(*chunk) & 0x8080_8080_8080_8080 == 0
                {
                    at += 8;
                }
            }
            let (lead, trail) = match bytes[at..] {
                [lead, trail, ..] => (lead, Some(trail)),
                [lead] => (lead, None),
                [] => return at,
            };
            let is_single = lead <= 0x80
                || self.structure == Structure::ShiftJis && matches!(lead, 0xA0..=0xDF | 0xFD..);
            if is_single {
                if self.singles[usize::from(lead)] {
                    return at;
                }
                at += 1;
                continue;
            }
            let Some(trail) = trail else {
                return bytes.len();
            };
            match (self.structure, lead, trail) {
                (Structure::EucJp, 0x8F, _) | (Structure::Gbk, _, b'0'..=b'9') => return at,
                (Structure::Gb18030, _, b'0'..=b'9') => {
                    let Some(four) = bytes[at..].first_chunk::<4>() else {
                        return bytes.len();
                    };
                    if self.differs(four) {
                        return at;
                    }
                    at += 4;
                }
                _ => {
                    let pair = usize::from(lead) << 8 | usize::from(trail);
                    if pairs.is_some_and(|pairs| pairs[pair / 64] >> (pair % 64) & 1 != 0) {
                        return at;
                    }
                    at += 2;
                }
            }
        }
    }

    /// Whether four bytes of gb18030 are among the differences, by their place among all of them.
    fn differs(&self, four: &[u8; 4]) -> bool {
        let [a, b, c, d] = four.map(u32::from);
        let place = a
            .wrapping_sub(0x81)
            .wrapping_mul(10)
            .wrapping_add(b.wrapping_sub(0x30));
        let place = place.wrapping_mul(126).wrapping_add(c.wrapping_sub(0x81));
        let place = place.wrapping_mul(10).wrapping_add(d.wrapping_sub(0x30));
        self.fours
            .iter()
            .any(|&(first, last)| (first..=last).contains(&place))
    }
}
