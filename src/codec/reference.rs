//! Numeric character references, which error mode "html" writes for unmappable characters.

use crate::simd::Out;

/// The bytes of references in an encoding that is not ASCII-compatible.
#[derive(Clone, Copy)]
pub(crate) struct InReferences {
    /// The byte for each ASCII character.
    from_ascii: &'static [u8; 256],
    /// The lead byte, in an encoding that has ASCII characters only in full width.
    lead: Option<u8>,
}

impl InReferences {
    /// Creates a description with one byte for each character.
    pub const fn single(from_ascii: &'static [u8; 256]) -> Self {
        Self {
            from_ascii,
            lead: None,
        }
    }

    /// Creates a description with pairs that begin with `lead`.
    pub const fn pairs(lead: u8, from_ascii: &'static [u8; 256]) -> Self {
        Self {
            from_ascii,
            lead: Some(lead),
        }
    }

    /// Returns the number of bytes for each character.
    pub const fn width(self) -> usize {
        if self.lead.is_some() { 2 } else { 1 }
    }
}

/// A numeric character reference, possibly written in part.
#[derive(Clone, Copy, Default)]
pub(crate) struct Reference {
    bytes: [u8; 2 * Self::MAX_LENGTH],
    at: u8,
    len: u8,
}

impl Reference {
    /// The length of `&#1114111;` in bytes.
    pub const MAX_LENGTH: usize = 10;

    /// Creates the reference to a scalar value, in ASCII or with the encoding's bytes.
    pub fn new(scalar: u32, spelling: Option<InReferences>) -> Self {
        let mut ascii = [0; Self::MAX_LENGTH];
        let mut out = Out::from_init(&mut ascii);
        Self::push_whole(scalar, &mut out);
        let len = out.written();
        let mut reference = Reference::default();
        let mut out = Out::from_init(&mut reference.bytes);
        for &byte in &ascii[..len] {
            // The longest reference fits.
            let byte = spelling.map_or(byte, |it| it.from_ascii[usize::from(byte)]);
            let _ = match spelling.and_then(|it| it.lead) {
                Some(lead) => out.push_array([lead, byte]),
                None => out.push(byte),
            };
        }
        reference.len = out.written() as u8;
        reference
    }

    #[inline]
    pub fn left(&self) -> usize {
        usize::from(self.len - self.at)
    }

    /// Writes as much of the reference as fits. Returns true once the reference is complete.
    ///
    /// The Standard passes the reference through the encoder. Every encoder that reports unmappable scalar values writes
    /// the characters of a reference unchanged: after any error, ISO-2022-JP is in a state that does so.
    pub fn push_to(&mut self, out: &mut Out<'_, u8>) -> bool {
        let rest = &self.bytes[usize::from(self.at)..usize::from(self.len)];
        let fitting = rest.len().min(out.room());
        let done = out.push_slice(&rest[..fitting]) && fitting == rest.len();
        self.at += fitting as u8;
        done
    }

    /// Writes `&#N;`. Returns false and writes nothing if the longest reference would not fit.
    #[inline(never)]
    pub fn push_whole(scalar: u32, out: &mut Out<'_, u8>) -> bool {
        if out.room() < Self::MAX_LENGTH {
            return false;
        }
        // Fast path for U+FFFD, which replaces lone surrogates.
        if scalar == 0xFFFD {
            return out.push_array(*b"&#65533;");
        }
        // ASCII characters, which some pages of `extended` lack.
        if scalar < 100 {
            let [tens, ones] = [scalar / 10, scalar % 10].map(|digit| b'0' + digit as u8);
            return match tens {
                b'0' => out.push_array([b'&', b'#', ones, b';']),
                _ => out.push_array([b'&', b'#', tens, ones, b';']),
            };
        }
        let digits = eight_digits(scalar);
        let zeros = (digits.trailing_zeros() / 8).min(5);
        let digits = digits | 0x3030_3030_3030_3030;
        // The length is unpredictable, so do not branch on it: the last four bytes overlap the first six.
        let first = digits >> (8 * zeros) << 16 | u64::from(u16::from_le_bytes(*b"&#"));
        let last = (digits >> 40) as u32 | u32::from(b';') << 24;
        let end = out.written() + Self::MAX_LENGTH + 1 - zeros as usize;
        let fits = out.push_array((first as u32).to_le_bytes())
            && out.push_array(((first >> 32) as u16).to_le_bytes());
        out.truncate(end - 4);
        fits && out.push_array(last.to_le_bytes())
    }
}

/// Returns the decimal digits of `n`, which has at most seven, as eight bytes with the first digit lowest. At least the
/// first byte is zero.
#[inline(always)]
fn eight_digits(n: u32) -> u64 {
    // Split the number into halves, quarters and eighths, each by multiplications in parallel lanes.
    let fours = u64::from(n / 10_000) | u64::from(n % 10_000) << 32;
    let hundreds = ((fours * 5243) >> 19) & 0x7F_0000_007F;
    let twos = hundreds | (fours - 100 * hundreds) << 16;
    let tens = ((twos * 103) >> 10) & 0x000F_000F_000F_000F;
    tens | (twos - 10 * tens) << 8
}

/// The handling of unmappable scalar values.
#[derive(Default)]
pub(crate) struct Unmappables {
    /// True if references replace unmappable scalar values as long as they fit, as in error mode "html".
    pub reference: bool,
    /// The bytes of references, if they are not ASCII.
    pub spelling: Option<InReferences>,
    /// True if any character was unmappable.
    pub seen: bool,
}

impl Unmappables {
    #[inline(always)]
    fn push(&self, scalar: u32, out: &mut Out<'_, u8>) -> bool {
        match self.spelling {
            None => Reference::push_whole(scalar, out),
            Some(spelling) if out.room() < spelling.width() * Reference::MAX_LENGTH => false,
            spelling => Reference::new(scalar, spelling).push_to(out),
        }
    }

    /// Writes a reference, if requested and if it fits. Otherwise returns false and writes nothing.
    #[inline(always)]
    pub fn write(&mut self, scalar: u32, out: &mut Out<'_, u8>) -> bool {
        let written = self.reference && self.push(scalar, out);
        self.seen |= written;
        written
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_are_decimal() {
        for scalar in 0..=0x10_FFFF {
            let expected = std::format!("&#{scalar};");
            let mut room = [0; 16];
            let mut out = Out::from_init(&mut room);
            assert!(Reference::push_whole(scalar, &mut out));
            assert_eq!(out.written_slice(), expected.as_bytes());
            let mut out = Out::from_init(&mut room);
            assert!(Reference::new(scalar, None).push_to(&mut out));
            assert_eq!(out.written_slice(), expected.as_bytes());
        }
    }

    #[test]
    fn references_are_written_where_the_longest_fits() {
        let mut room = [0; Reference::MAX_LENGTH - 1];
        let mut out = Out::from_init(&mut room);
        assert!(!Reference::push_whole(0x80, &mut out));
        assert_eq!(out.written(), 0);
    }
}
