//! Which sequences of an encoding mean the same to iconv.
//!
//! The tables of the Standard and those of iconv differ in some places. Such a sequence, wherever it stands, goes the slow
//! way, to the C library: a filter finds where the first of them is, in input that is to be decoded or in output that has
//! been encoded.
//!
//! Walking through pairs takes longer than converting them. Of long text the code points are looked at instead, each by
//! itself: a set has those that no sequence with a difference decodes to.

use mojika::Encoding;
use std::sync::OnceLock;

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
    /// The least and the greatest of the singles beyond ASCII.
    bounds: (u8, u8),
    suspects: OnceLock<Box<BothSuspects>>,
}

/// Code units of UTF-16 that may be of a sequence with a difference.
#[derive(Clone)]
struct Suspects([u64; 1024]);

/// Those that some such sequence decodes to, and those that are encoded to one.
struct BothSuspects {
    decoded: Suspects,
    encoded: Suspects,
}

impl Suspects {
    fn contains_any(&self, units: &[u16]) -> bool {
        let is_in = |&unit: &u16| self.0[usize::from(unit >> 6)] >> (unit & 63) & 1;
        // Nothing branches on a single unit.
        units
            .chunks(64)
            .any(|chunk| chunk.iter().map(is_in).fold(0, |any, one| any | one) != 0)
    }

    /// Puts in, or takes out, the code units that these sequences decode to.
    fn set(&mut self, encoding: &'static Encoding, sequences: &[u8], is_in: bool) {
        let mut units = [0_u16; 2048];
        let mut decoder = mojika::Decoder::new(encoding, mojika::BomHandling::Keep);
        let mut read = 0;
        loop {
            let progress = decoder.decode(&sequences[read..], &mut units, true);
            read += progress.read;
            for &unit in &units[..progress.written] {
                let (word, bit) = (&mut self.0[usize::from(unit >> 6)], 1 << (unit & 63));
                *word = if is_in { *word | bit } else { *word & !bit };
            }
            if progress.status != mojika::Status::OutputFull {
                return;
            }
        }
    }
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
        let (mut bounds, mut at) = ((0xFF, 0), 0x80);
        while at < 0x100 {
            if singles[at] {
                if bounds.0 == 0xFF {
                    bounds.0 = at as u8;
                }
                bounds.1 = at as u8;
            }
            at += 1;
        }
        Self {
            structure,
            singles,
            has_ascii,
            decoded,
            encoded,
            fours: differences.fours,
            bounds,
            suspects: OnceLock::new(),
        }
    }

    /// Whether long text is looked at by its code points.
    pub(super) fn takes_units(&self) -> bool {
        self.structure != Structure::Bytes
    }

    /// Whether no sequence with a difference decodes to one of these code units.
    pub(super) fn is_decoded_alike(&self, encoding: &'static Encoding, units: &[u16]) -> bool {
        !self.suspects(encoding).decoded.contains_any(units)
    }

    /// Whether none of these code units is encoded to a sequence with a difference.
    pub(super) fn is_encoded_alike(&self, encoding: &'static Encoding, units: &[u16]) -> bool {
        !self.suspects(encoding).encoded.contains_any(units)
    }

    fn suspects(&self, encoding: &'static Encoding) -> &BothSuspects {
        self.suspects
            .get_or_init(|| Box::new(self.find_suspects(encoding)))
    }

    fn find_suspects(&self, encoding: &'static Encoding) -> BothSuspects {
        // gb18030 has all characters, most of them in four bytes alike; of others, what no pair without a difference has.
        let is_gb18030 = self.structure == Structure::Gb18030;
        let mut suspects = Suspects([if is_gb18030 { 0 } else { u64::MAX }; 1024]);
        let (mut alike, mut different) = (Vec::new(), Vec::new());
        for single in 0..=0xFF_u8 {
            let is_lead = self.structure != Structure::ShiftJis && single > 0x80
                || matches!(single, 0x81..=0x9F | 0xE0..=0xFC);
            if !is_lead {
                let list = if self.singles[usize::from(single)] {
                    &mut different
                } else {
                    &mut alike
                };
                list.push(single);
            }
        }
        for pair in 0x8100..=0xFEFF_u16 {
            let [lead, trail] = pair.to_be_bytes();
            let is_katakana =
                self.structure == Structure::ShiftJis && matches!(lead, 0xA0..=0xDF | 0xFD..);
            if trail < 0x40 || is_katakana || (self.structure == Structure::EucJp && lead == 0x8F) {
                continue;
            }
            let has = |set: Option<&'static Pairs>| {
                set.is_some_and(|set| set[usize::from(pair / 64)] >> (pair % 64) & 1 != 0)
            };
            let list = if has(self.decoded) || has(self.encoded) {
                &mut different
            } else {
                &mut alike
            };
            list.extend([lead, trail]);
        }
        for &(first, last) in self.fours {
            for place in first..=last {
                let (place, d) = (place / 10, place % 10);
                let (place, c) = (place / 126, place % 126);
                let (a, b) = (place / 10, place % 10);
                different.extend([a + 0x81, b + 0x30, c + 0x81, d + 0x30].map(|byte| byte as u8));
            }
        }
        if !is_gb18030 {
            suspects.set(encoding, &alike, false);
        }
        let before = suspects.clone();
        suspects.set(encoding, &different, true);
        // What is malformed has become U+FFFD, with or without ASCII after it.
        for ascii in 0..0x80 {
            let bit = 1_u64 << (ascii % 64);
            let word = &mut suspects.0[ascii / 64];
            *word = if self.singles[ascii] {
                *word | bit
            } else {
                *word & !bit
            };
        }
        suspects.0[0xFFFD / 64] |= 1 << (0xFFFD % 64);
        // A character of several sequences is encoded to one of them.
        let mut encoded = suspects.clone();
        for unit in 0..=0xFFFF_u16 {
            let (word, bit) = (usize::from(unit / 64), 1 << (unit % 64));
            if suspects.0[word] & !before.0[word] & bit != 0
                && let Some(scalar) = char::from_u32(unit.into())
                && let Ok(mut encoder) = encoding.new_encoder()
            {
                let mut bytes = [0; 8];
                let mut utf8 = [0; 4];
                let text = scalar.encode_utf8(&mut utf8);
                let written = encoder.encode(&*text, &mut bytes, true).written;
                if written > 0 && self.output(&bytes[..written]) == written {
                    encoded.0[word] &= !bit;
                }
            }
        }
        BothSuspects {
            decoded: suspects,
            encoded,
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

    fn walk_bytes(&self, bytes: &[u8]) -> usize {
        let differs = |&byte: &u8| self.singles[usize::from(byte)];
        let (least, greatest) = self.bounds;
        let mut at = 0;
        if !self.has_ascii {
            // Most chunks have no byte near the differences.
            for chunk in bytes.chunks_exact(64) {
                let is_near = |&byte: &u8| u8::from(byte >= least) & u8::from(byte <= greatest);
                if chunk.iter().map(is_near).fold(0, |any, one| any | one) != 0
                    && let Some(place) = chunk.iter().position(differs)
                {
                    return at + place;
                }
                at += 64;
            }
        }
        let rest = bytes[at..].iter().position(differs);
        rest.map_or(bytes.len(), |place| at + place)
    }

    fn walk(&self, bytes: &[u8], pairs: Option<&'static Pairs>) -> usize {
        if self.structure == Structure::Bytes {
            return self.walk_bytes(bytes);
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
