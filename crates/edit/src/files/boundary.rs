//! Offsets at which a text can be split: decoding from there gives the rest of the text.

use mojika::Encoding;

/// The lowest trail byte of all encodings that extend ASCII: 0x30 to 0x39 are trail bytes in gb18030.
const LOW: u8 = 0x30;

/// The rule for an encoding's boundaries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Boundary {
    /// At any byte, because each byte is a character.
    Anywhere,
    /// After a byte below 0x30: it is an ASCII character, even after a lead byte that lacks its trail byte.
    AfterLow,
    /// In UTF-16, after a code unit that is not a lead surrogate.
    AfterUnit {
        /// The index of the more significant byte of a unit.
        high: usize,
    },
    /// At an offset at which the decoder is in its initial state. Only decoding finds such offsets.
    Initial,
}

impl Boundary {
    /// Returns the rule of an encoding.
    pub fn of(encoding: &'static Encoding) -> Self {
        if encoding.is_stateful() {
            Self::Initial
        } else if encoding.is_single_byte() {
            Self::Anywhere
        } else if encoding == mojika::UTF_16LE {
            Self::AfterUnit { high: 1 }
        } else if encoding == mojika::UTF_16BE {
            Self::AfterUnit { high: 0 }
        } else if encoding.is_ascii_compatible() {
            Self::AfterLow
        } else {
            Self::Initial
        }
    }

    /// Returns the last boundary visible in `bytes`, at or before `at`. `bytes` starts at a multiple of
    /// [`unit`](Self::unit).
    pub fn last(self, bytes: &[u8], at: usize) -> Option<usize> {
        match self {
            Self::Anywhere => Some(at),
            Self::AfterLow => bytes[..at]
                .iter()
                .rposition(|&byte| byte < LOW)
                .map(|found| found + 1),
            Self::AfterUnit { high } => {
                let mut units = bytes[..at].chunks_exact(2);
                let found = units.rposition(|unit| unit[high] & 0xFC != 0xD8);
                found.map(|found| 2 * found + 2)
            }
            Self::Initial => None,
        }
    }

    /// Returns the first boundary in `bytes` after `at`. A change of text before `at` may affect the byte after the boundary,
    /// but no later byte.
    pub fn first_after(self, bytes: &[u8], at: usize) -> Option<usize> {
        match self {
            Self::Anywhere => (at < bytes.len()).then_some(at + 1),
            Self::AfterLow => bytes[at..]
                .iter()
                .position(|&byte| byte < LOW)
                .map(|found| at + found + 1),
            Self::AfterUnit { high } => {
                let at = at.next_multiple_of(2).min(bytes.len());
                let mut units = bytes[at..].chunks_exact(2);
                let found = units.position(|unit| unit[high] & 0xFC != 0xD8);
                found.map(|found| at + 2 * found + 2)
            }
            Self::Initial => None,
        }
    }

    /// Returns the length of a code unit in bytes.
    pub fn unit(self) -> u64 {
        match self {
            Self::AfterUnit { .. } => 2,
            _ => 1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mojika::BomHandling;
    use mojika_spec::Random;

    fn everything() -> impl Iterator<Item = &'static Encoding> {
        let standard = Encoding::all().iter().copied();
        let standard = standard.filter(|one| *one != mojika::REPLACEMENT);
        standard.chain(mojika::extended::all())
    }

    /// Returns random bytes. Many have a special meaning in some encoding.
    fn any(random: &mut Random) -> Vec<u8> {
        let length = random.below(24);
        random.odd_bytes(length)
    }

    #[test]
    fn text_after_a_boundary_does_not_depend_on_what_precedes() {
        let mut count = 0;
        for encoding in everything() {
            let boundary = Boundary::of(encoding);
            let options = encoding.with(BomHandling::Keep);
            let decode = |bytes: &[u8]| options.decode(bytes).text.into_owned();
            for case in 0..2000 {
                let mut random = Random::from_seeds(&[0x50, case]);
                let bytes = any(&mut random);
                let at = random.below(bytes.len() + 1);
                for cut in [boundary.last(&bytes, at), boundary.first_after(&bytes, at)] {
                    let Some(cut) = cut else { continue };
                    let (before, after) = bytes.split_at(cut);
                    let text = [decode(before), decode(after)].concat();
                    assert_eq!(text, decode(&bytes), "{encoding}: {bytes:02X?} at {cut}");
                    count += 1;
                }
                // Text before the last unit before the boundary may be edited.
                if let Some(cut) = boundary.first_after(&bytes, at)
                    && boundary != Boundary::Anywhere
                {
                    let kept = &bytes[cut - boundary.unit() as usize..];
                    let others = any(&mut random);
                    let length = others.len() - others.len() % boundary.unit() as usize;
                    let edited = [&others[..length], kept].concat();
                    let cut = length + boundary.unit() as usize;
                    let text = [decode(&edited[..cut]), decode(&edited[cut..])].concat();
                    assert_eq!(text, decode(&edited), "{encoding}: {edited:02X?} at {cut}");
                }
            }
        }
        assert!(count > 100_000, "{count}");
    }
}
