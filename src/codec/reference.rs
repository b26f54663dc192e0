//! Numeric character references, which error mode "html" writes for what is unmappable.

use crate::simd::Out;

/// A numeric character reference, of which a part may still have to be written.
#[derive(Clone, Copy, Default)]
pub(crate) struct Reference {
    bytes: [u8; Self::LONGEST],
    at: u8,
    len: u8,
}

impl Reference {
    /// `&#1114111;`
    pub const LONGEST: usize = 10;

    /// The Standard's `&#…;` with the scalar value in decimal.
    #[inline]
    pub fn new(scalar: u32) -> Self {
        let mut reference = Reference::default();
        let [.., last] = &mut reference.bytes;
        *last = b';';
        // From the end of the array, digit by digit.
        let mut at = reference.bytes.len() - 1;
        let mut rest = scalar;
        loop {
            at -= 1;
            reference.bytes[at] = b'0' + (rest % 10) as u8;
            rest /= 10;
            // A scalar value has seven digits at most.
            if rest == 0 || at == 2 {
                break;
            }
        }
        reference.bytes[at - 2..at].copy_from_slice(b"&#");
        reference.at = at as u8 - 2;
        reference.len = reference.bytes.len() as u8;
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
    #[inline]
    pub fn push_to(&mut self, out: &mut Out<'_, u8>) -> bool {
        let rest = &self.bytes[usize::from(self.at)..usize::from(self.len)];
        let fitting = rest.len().min(out.room());
        let done = out.push_slice(&rest[..fitting]) && fitting == rest.len();
        self.at += fitting as u8;
        done
    }
}
