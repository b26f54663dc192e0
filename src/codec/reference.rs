//! Numeric character references, which error mode "html" writes for what is unmappable.

use crate::simd::Out;

/// How an encoding has the characters of references, where it has other bytes for them than ASCII.
#[derive(Clone, Copy)]
pub(crate) struct InReferences {
    /// The byte for each character of ASCII.
    from_ascii: &'static [u8; 256],
    /// The byte before each of these, in an encoding that has the characters in full width alone.
    lead: Option<u8>,
}

impl InReferences {
    /// One byte for each.
    pub const fn single(from_ascii: &'static [u8; 256]) -> Self {
        Self {
            from_ascii,
            lead: None,
        }
    }

    /// Pairs with this lead.
    pub const fn pairs(lead: u8, from_ascii: &'static [u8; 256]) -> Self {
        Self {
            from_ascii,
            lead: Some(lead),
        }
    }

    /// Bytes of a character.
    pub const fn width(self) -> usize {
        if self.lead.is_some() { 2 } else { 1 }
    }
}

/// A numeric character reference that may be written only in part so far.
#[derive(Clone, Copy, Default)]
pub(crate) struct Reference {
    bytes: [u8; 2 * Self::LONGEST],
    at: u8,
    len: u8,
}

impl Reference {
    /// Bytes of `&#1114111;`.
    pub const LONGEST: usize = 10;

    /// The reference to a scalar value, in ASCII or as the encoding has it.
    pub fn new(scalar: u32, spelling: Option<InReferences>) -> Self {
        let mut ascii = [0; Self::LONGEST];
        let mut out = Out::from_init(&mut ascii);
        Self::push_whole(scalar, &mut out);
        let len = out.written();
        let mut reference = Reference::default();
        let mut out = Out::from_init(&mut reference.bytes);
        for &byte in &ascii[..len] {
            // All of it fits.
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

    /// Writes what fits; true once all is written.
    ///
    /// The reference ought to go through the encoder. But an encoder that knows unmappable scalar values writes these
    /// characters as themselves: ISO-2022-JP is in a state that does, after any error.
    pub fn push_to(&mut self, out: &mut Out<'_, u8>) -> bool {
        let rest = &self.bytes[usize::from(self.at)..usize::from(self.len)];
        let fitting = rest.len().min(out.room());
        let done = out.push_slice(&rest[..fitting]) && fitting == rest.len();
        self.at += fitting as u8;
        done
    }

    /// Writes the Standard's `&#…;`, with the scalar value in decimal, where the longest one fits; false, and nothing
    /// written, where it may not.
    #[inline(never)]
    pub fn push_whole(scalar: u32, out: &mut Out<'_, u8>) -> bool {
        if out.room() < Self::LONGEST {
            return false;
        }
        // What lone surrogates are taken for.
        if scalar == 0xFFFD {
            return out.push_array(*b"&#65533;");
        }
        // Of ASCII, which some pages of `extended` lack.
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
        // Without a branch on the length, which nobody can predict: the last four bytes over what the first six left.
        let first = digits >> (8 * zeros) << 16 | u64::from(u16::from_le_bytes(*b"&#"));
        let last = (digits >> 40) as u32 | u32::from(b';') << 24;
        let end = out.written() + Self::LONGEST + 1 - zeros as usize;
        let fits = out.push_array((first as u32).to_le_bytes())
            && out.push_array(((first >> 32) as u16).to_le_bytes());
        out.truncate(end - 4);
        fits && out.push_array(last.to_le_bytes())
    }
}

/// The decimal digits of `n`, seven at most, after at least one zero: eight bytes, the first of them lowest.
#[inline(always)]
fn eight_digits(n: u32) -> u64 {
    // Halves, quarters and eighths of them, each divided by multiplication in lanes side by side.
    let fours = u64::from(n / 10_000) | u64::from(n % 10_000) << 32;
    let hundreds = ((fours * 5243) >> 19) & 0x7F_0000_007F;
    let twos = hundreds | (fours - 100 * hundreds) << 16;
    let tens = ((twos * 103) >> 10) & 0x000F_000F_000F_000F;
    tens | (twos - 10 * tens) << 8
}

/// What becomes of scalar values without bytes.
#[derive(Default)]
pub(crate) struct Unmappables {
    /// Whether numeric character references are written for them where they fit, as in error mode "html".
    pub reference: bool,
    /// How references are written, if not in ASCII.
    pub spelling: Option<InReferences>,
    /// Whether there have been any.
    pub seen: bool,
}

impl Unmappables {
    #[inline(always)]
    fn push(&self, scalar: u32, out: &mut Out<'_, u8>) -> bool {
        match self.spelling {
            None => Reference::push_whole(scalar, out),
            Some(spelling) if out.room() < spelling.width() * Reference::LONGEST => false,
            spelling => Reference::new(scalar, spelling).push_to(out),
        }
    }

    /// Writes a reference if that is wanted and fits. Otherwise returns false and writes nothing.
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
        let mut room = [0; Reference::LONGEST - 1];
        let mut out = Out::from_init(&mut room);
        assert!(!Reference::push_whole(0x80, &mut out));
        assert_eq!(out.written(), 0);
    }
}
