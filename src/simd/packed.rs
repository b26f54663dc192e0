//! The bytes of one character in a register.

use super::out::Out;

/// Up to four bytes, in output order from the lowest.
#[derive(Clone, Copy)]
pub(crate) struct Packed {
    bytes: u32,
    len: u8,
}

impl Packed {
    #[inline(always)]
    pub fn one(byte: u8) -> Self {
        Packed {
            bytes: u32::from(byte),
            len: 1,
        }
    }

    /// Returns the two bytes of `lead << 8 | trail`.
    #[inline(always)]
    pub fn lead_trail(pair: u16) -> Self {
        Packed {
            bytes: u32::from(pair.swap_bytes()),
            len: 2,
        }
    }

    #[inline(always)]
    pub fn of<const N: usize>(bytes: [u8; N]) -> Self {
        const { assert!(N <= 4) };
        let mut all = [0; 4];
        all[..N].copy_from_slice(&bytes);
        Packed {
            bytes: u32::from_le_bytes(all),
            len: N as u8,
        }
    }

    /// Returns one or two bytes, the first one low; 0 if there are more.
    #[inline(always)]
    pub(super) fn pair(self) -> u16 {
        match self.len {
            1 | 2 => self.bytes as u16,
            _ => 0,
        }
    }

    /// Writes the bytes. Returns false and writes nothing if they do not fit.
    #[inline(always)]
    pub fn push_to(self, out: &mut Out<'_, u8>) -> bool {
        out.push_packed(self.bytes, usize::from(self.len))
    }
}
