//! Finds byte sequences that iconv converts differently.
//!
//! The Standard's tables and iconv's differ in some sequences, which the C library converts. A filter finds the first such
//! sequence in input to be decoded or in encoded output.
//!
//! Testing each pair takes longer than converting it. Long text is therefore tested as UTF-16, against the set of code
//! units that differing sequences decode to.

use super::set::Set;
use core::ffi::CStr;
use mojika::Encoding;
use std::sync::OnceLock;

/// The lengths of an encoding's byte sequences.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Structure {
    /// Single bytes.
    Bytes,
    /// A lead byte from 0x81 on, and a trail byte.
    Pairs,
    /// As `Pairs`, with half-width katakana at 0xA1 to 0xDF.
    ShiftJis,
    /// As `Pairs`, with 0x8E as another lead byte. The C library converts three-byte sequences, which start with 0x8F.
    EucJp,
    /// As `Pairs`. The C library converts four-byte sequences, which the Standard's GBK decoder accepts as gb18030's does.
    Gbk,
    /// As `Pairs`, and four-byte sequences, whose second byte is a digit.
    Gb18030,
}

/// The filter for one encoding.
pub(super) struct Filter {
    structure: Structure,
    /// The C library's name of the encoding.
    native: &'static CStr,
    differences: OnceLock<Box<Differences>>,
    suspects: OnceLock<Box<Suspects>>,
}

/// Byte sequences that mojika and the C library convert differently.
struct Differences {
    singles: [bool; 256],
    /// True if a single byte that converts differently is ASCII.
    has_ascii: bool,
    /// The lowest and the highest non-ASCII byte that converts differently.
    bounds: (u8, u8),
    /// The pairs that the decoders convert differently.
    decoded: Set,
    /// The pairs that the decoders or the encoders convert differently.
    encoded: Set,
    /// Differing four-byte gb18030 sequences, as ranges of pointers.
    fours: Vec<(u32, u32)>,
}

/// Returns the ranges in the lines of `differences.txt` that begin with a C library's name and a kind.
fn ranges(native: &CStr, kind: &str) -> impl Iterator<Item = (u32, u32)> {
    let lines = include_str!("differences.txt").lines();
    let lines = lines.filter_map(move |line| {
        let rest = line.strip_prefix(native.to_str().ok()?)?;
        rest.strip_prefix(' ')?
            .strip_prefix(kind)?
            .strip_prefix(' ')
    });
    let hex = |digits| u32::from_str_radix(digits, 16).ok();
    lines
        .flat_map(|line| line.split(' '))
        .filter_map(move |range| {
            let (first, last) = range.split_once('-').unwrap_or((range, range));
            Some((hex(first)?, hex(last)?))
        })
}

impl Differences {
    fn of(native: &CStr) -> Self {
        let mut singles = [false; 256];
        for (first, last) in ranges(native, "singles") {
            singles[first as usize..=last as usize].fill(true);
        }
        let mut high = (0x80..=0xFF).filter(|&byte: &u8| singles[usize::from(byte)]);
        let least = high.next();
        let greatest = high.next_back().or(least);
        let decoded = Set::EMPTY.with(ranges(native, "pairs"));
        Self {
            has_ascii: singles[..0x80].contains(&true),
            bounds: (least.unwrap_or(0xFF), greatest.unwrap_or(0)),
            encoded: decoded.clone().with(ranges(native, "encoded")),
            decoded,
            fours: ranges(native, "fours").collect(),
            singles,
        }
    }

    /// True if four bytes of gb18030 have a pointer among the differences.
    fn has_four(&self, four: &[u8; 4]) -> bool {
        let [a, b, c, d] = four.map(u32::from);
        let place = a
            .wrapping_sub(0x81)
            .wrapping_mul(10)
            .wrapping_add(b.wrapping_sub(0x30));
        let place = place.wrapping_mul(126).wrapping_add(c.wrapping_sub(0x81));
        let place = place.wrapping_mul(10).wrapping_add(d.wrapping_sub(0x30));
        let mut fours = self.fours.iter();
        fours.any(|&(first, last)| (first..=last).contains(&place))
    }
}

/// UTF-16 code units that the engine and the C library may convert differently.
struct Suspects {
    /// The decoded code units of all byte sequences that the C library may convert differently.
    decoded: Set,
    /// The code units whose byte sequence the C library may convert differently.
    encoded: Set,
}

/// Decodes `sequences`, and inserts the resulting code units into `set`, or removes them.
fn set_decoded(set: &mut Set, encoding: &'static Encoding, sequences: &[u8], is_in: bool) {
    let mut units = [0_u16; 2048];
    let mut decoder = mojika::Decoder::new(encoding, mojika::BomHandling::Keep);
    let mut read = 0;
    loop {
        let progress = decoder.decode(&sequences[read..], &mut units, true);
        read += progress.read;
        for &unit in &units[..progress.written] {
            set.set(unit, is_in);
        }
        if progress.status != mojika::Status::OutputFull {
            return;
        }
    }
}

impl Filter {
    /// Returns the filter for an encoding by the C library's name.
    pub(super) const fn new(structure: Structure, native: &'static CStr) -> Self {
        Self {
            structure,
            native,
            differences: OnceLock::new(),
            suspects: OnceLock::new(),
        }
    }

    fn differences(&self) -> &Differences {
        let find = || Box::new(Differences::of(self.native));
        self.differences.get_or_init(find)
    }

    /// True if long text is tested as code units instead of bytes.
    pub(super) fn takes_units(&self) -> bool {
        self.structure != Structure::Bytes
    }

    /// True if no byte sequence that the C library converts differently decodes to one of `units`.
    pub(super) fn is_decoded_alike(&self, encoding: &'static Encoding, units: &[u16]) -> bool {
        !self.suspects(encoding).decoded.contains_any(units)
    }

    /// True if no unit of `units` encodes to a byte sequence that the C library converts differently.
    pub(super) fn is_encoded_alike(&self, encoding: &'static Encoding, units: &[u16]) -> bool {
        !self.suspects(encoding).encoded.contains_any(units)
    }

    fn suspects(&self, encoding: &'static Encoding) -> &Suspects {
        self.suspects
            .get_or_init(|| Box::new(self.find_suspects(encoding)))
    }

    /// True if `byte` is a lead byte.
    fn is_lead(&self, byte: u8) -> bool {
        let is_katakana =
            self.structure == Structure::ShiftJis && matches!(byte, 0xA0..=0xDF | 0xFD..);
        byte > 0x80 && !is_katakana
    }

    fn find_suspects(&self, encoding: &'static Encoding) -> Suspects {
        // In gb18030, most four-byte sequences convert alike, so only characters of differing sequences are suspects.
        // In other encodings, a character is a suspect unless a sequence without a difference decodes to it.
        let differences = self.differences();
        let is_gb18030 = self.structure == Structure::Gb18030;
        let mut suspects = if is_gb18030 { Set::EMPTY } else { Set::FULL };
        let (mut alike, mut different) = (Vec::new(), Vec::new());
        for single in 0..=0xFF_u8 {
            if !self.is_lead(single) {
                let list = if differences.singles[usize::from(single)] {
                    &mut different
                } else {
                    &mut alike
                };
                list.push(single);
            }
        }
        for pair in 0x8100..=0xFEFF_u16 {
            let [lead, trail] = pair.to_be_bytes();
            let is_three = self.structure == Structure::EucJp && lead == 0x8F;
            if trail < 0x40 || is_three || !self.is_lead(lead) {
                continue;
            }
            let list = if differences.encoded.contains(pair) {
                &mut different
            } else {
                &mut alike
            };
            list.extend([lead, trail]);
        }
        for &(first, last) in &differences.fours {
            for place in first..=last {
                let (place, d) = (place / 10, place % 10);
                let (place, c) = (place / 126, place % 126);
                let (a, b) = (place / 10, place % 10);
                different.extend([a + 0x81, b + 0x30, c + 0x81, d + 0x30].map(|byte| byte as u8));
            }
        }
        if !is_gb18030 {
            set_decoded(&mut suspects, encoding, &alike, false);
        }
        let before = suspects.clone();
        set_decoded(&mut suspects, encoding, &different, true);
        // Malformed sequences decode to U+FFFD, alone or followed by ASCII.
        for ascii in 0..0x80_u8 {
            suspects.set(ascii.into(), differences.singles[usize::from(ascii)]);
        }
        suspects.set(0xFFFD, true);
        // The encoder uses only one of several sequences for a character. gb18030 encodes some private-use characters to
        // sequences that decode to other characters.
        let mut encoded = suspects.clone();
        for unit in 0..=0xFFFF_u16 {
            let is_different = suspects.contains(unit) && !before.contains(unit);
            let is_private = is_gb18030 && matches!(unit, 0xE000..=0xF8FF);
            if (is_different || is_private)
                && let Some(scalar) = char::from_u32(unit.into())
                && let Ok(mut encoder) = encoding.new_encoder()
            {
                let mut bytes = [0; 8];
                let mut utf8 = [0; 4];
                let text = scalar.encode_utf8(&mut utf8);
                let written = encoder.encode(&*text, &mut bytes, true).written;
                if written > 0 {
                    encoded.set(unit, self.output(&bytes[..written]) < written);
                }
            }
        }
        Suspects {
            decoded: suspects,
            encoded,
        }
    }

    /// Returns the length of the longest prefix of input without a difference. It may contain malformed sequences.
    pub(super) fn input(&self, bytes: &[u8]) -> usize {
        self.walk(bytes, &self.differences().decoded)
    }

    /// Returns the length of the longest prefix of output that contains no difference.
    pub(super) fn output(&self, bytes: &[u8]) -> usize {
        self.walk(bytes, &self.differences().encoded)
    }

    fn walk_bytes(&self, bytes: &[u8]) -> usize {
        let differences = self.differences();
        let differs = |&byte: &u8| differences.singles[usize::from(byte)];
        let (least, greatest) = differences.bounds;
        let mut at = 0;
        if !differences.has_ascii {
            // Most chunks contain no byte that can start a sequence with a difference.
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

    fn walk(&self, bytes: &[u8], pairs: &Set) -> usize {
        if self.structure == Structure::Bytes {
            return self.walk_bytes(bytes);
        }
        let differences = self.differences();
        let mut at = 0;
        loop {
            if !differences.has_ascii {
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
            if !self.is_lead(lead) {
                if differences.singles[usize::from(lead)] {
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
                    if differences.has_four(four) {
                        return at;
                    }
                    at += 4;
                }
                _ => {
                    let pair = u16::from_be_bytes([lead, trail]);
                    if pairs.contains(pair) {
                        return at;
                    }
                    at += 2;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::page;

    #[test]
    fn every_character_that_is_encoded_otherwise_is_suspect() {
        for page in page::all() {
            let Some(filter) = page.filter.as_ref().filter(|filter| filter.takes_units()) else {
                continue;
            };
            for unit in 0..=0xFFFF_u16 {
                let Some(scalar) = char::from_u32(unit.into()) else {
                    continue;
                };
                let (mut bytes, mut utf8) = ([0; 8], [0; 4]);
                let mut encoder = page.encoding.new_encoder().unwrap();
                let text: &str = scalar.encode_utf8(&mut utf8);
                let written = encoder.encode(text, &mut bytes, true).written;
                let differs = filter.output(&bytes[..written]) < written;
                let is_alike = filter.is_encoded_alike(page.encoding, &[unit]);
                assert!(!differs || !is_alike, "{:?} {scalar:?}", page.native);
            }
        }
    }
}
