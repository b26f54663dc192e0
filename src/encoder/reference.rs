//! Numeric character references, which error mode "html" writes for what is unmappable.

use crate::codec::{AnyEncoder, EncodeStep};
use crate::simd::Out;

/// A numeric character reference, of which a part may still have to be written.
#[derive(Clone, Copy, Default)]
pub(super) struct Reference {
    bytes: [u8; 10],
    at: u8,
    len: u8,
}

impl Reference {
    /// The Standard's `&#…;` with the scalar value in decimal.
    pub fn new(scalar: u32) -> Self {
        let mut reference = Reference::default();
        let digits = 1 + scalar.checked_ilog10().unwrap_or(0) as usize;
        let mut rest = scalar;
        for slot in reference.bytes[2..2 + digits].iter_mut().rev() {
            *slot = b'0' + (rest % 10) as u8;
            rest /= 10;
        }
        reference.bytes[..2].copy_from_slice(b"&#");
        reference.bytes[2 + digits] = b';';
        reference.len = 3 + digits as u8;
        reference
    }

    pub fn left(&self) -> usize {
        usize::from(self.len - self.at)
    }

    /// Writes what fits, one ASCII character at a time; true once all is written.
    pub fn push_to(&mut self, machine: &mut AnyEncoder, out: &mut Out<'_, u8>) -> bool {
        while self.at < self.len {
            let byte = self.bytes[usize::from(self.at)];
            // The reference goes through the encoder, as the Standard has it: in UTF-16 a character takes two bytes.
            // ISO-2022-JP is in a state in which these characters stand for themselves after any error.
            let EncodeStep::Bytes(bytes) = machine.step(byte.into()) else {
                return true;
            };
            if !bytes.push_to(out) {
                return false;
            }
            self.at += 1;
        }
        true
    }
}
