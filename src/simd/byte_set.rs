//! Sets of non-ASCII bytes, and a search for the first byte of such a set.

use super::arrays::tail;
use super::token::{Active, with_v256};
#[cfg(v256)]
use super::vector::{LEN, Token, V256};

/// A set of bytes from 0x80 to 0xFF.
#[derive(Clone)]
pub(crate) struct ByteSet {
    /// Indexed by the low four bits of a byte; bit `n` stands for the high half `8 + n`.
    flags: [u8; 16],
}

impl ByteSet {
    /// Returns the empty set.
    pub(crate) fn new() -> Self {
        Self { flags: [0; 16] }
    }

    /// Returns the set of non-ASCII bytes that do not occur in `text`.
    pub(crate) fn lacking(text: &[u8]) -> Self {
        let mut lacks = [true; 256];
        let (eights, rest) = text.as_chunks::<8>();
        for eight in eights {
            // The set never contains ASCII.
            if u64::from_ne_bytes(*eight) & 0x8080_8080_8080_8080 != 0 {
                for &byte in eight {
                    lacks[usize::from(byte)] = false;
                }
            }
        }
        for &byte in rest {
            lacks[usize::from(byte)] = false;
        }
        let mut flags = [0; 16];
        for (high, row) in lacks[128..].as_chunks::<16>().0.iter().enumerate() {
            for (flags, &lacks) in flags.iter_mut().zip(row) {
                *flags |= u8::from(lacks) << high;
            }
        }
        Self { flags }
    }

    /// Removes a byte; ASCII is never in the set.
    #[inline(always)]
    pub(crate) fn remove(&mut self, byte: u8) {
        let bit = u8::from(byte >= 0x80) << (byte >> 4 & 7);
        self.flags[usize::from(byte & 15)] &= !bit;
    }

    /// True if the set contains `byte`.
    #[inline(always)]
    pub(crate) fn contains(&self, byte: u8) -> bool {
        byte >= 0x80 && self.flags[usize::from(byte & 15)] >> (byte >> 4 & 7) & 1 == 1
    }

    /// Returns the length of the longest prefix of `src` without a byte of the set.
    #[inline]
    pub(crate) fn free_prefix_len(&self, src: &[u8]) -> usize {
        free_prefix_len_at(Active::now(), self, src)
    }
}

#[inline(never)]
fn free_prefix_len_at(active: Active, set: &ByteSet, src: &[u8]) -> usize {
    let free = with_v256!(active, |token| {
        // SAFETY: holding the token proves detection succeeded.
        unsafe { v256(token, set, src) }
    });
    let free = free.unwrap_or(0);
    let rest = tail(src, free).iter();
    free + rest.take_while(|&&byte| !set.contains(byte)).count()
}

/// Returns the number of bytes in whole registers before the first one that contains a byte of the set.
#[cfg(v256)]
#[cfg_attr(
    target_arch = "x86_64",
    target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")
)]
#[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
fn v256(v: Token, set: &ByteSet, src: &[u8]) -> usize {
    let set = v.set_of_flags(&set.flags);
    let (registers, _) = src.as_chunks::<LEN>();
    let are_free = |register: &&[u8; LEN]| {
        // SAFETY: `register` is an array of `LEN` bytes.
        let bytes = unsafe { v.load(register.as_ptr()) };
        !v.any(v.others(v.movemask(v.is_not_in(&set, bytes))))
    };
    LEN * registers.iter().take_while(are_free).count()
}

#[cfg(test)]
mod tests {
    extern crate std;

    use super::super::level::available;
    use super::*;
    use std::vec::Vec;

    /// Covers every length up to several registers, a byte of the set at each position, and each byte inside and
    /// outside a set.
    #[test]
    fn prefixes_end_at_the_first_byte_of_the_set() {
        let is_in = |byte: u8| byte >= 0x80 && byte % 3 != 1;
        let removed = 0xF1;
        let text = |byte: &u8| !is_in(*byte) && *byte != removed;
        let mut set = ByteSet::lacking(&(0..=255).filter(text).collect::<Vec<u8>>());
        assert!(set.contains(removed) && !ByteSet::new().contains(removed));
        set.remove(removed);
        set.remove(b'a');
        let others: Vec<u8> = (0..=255).filter(|&byte| !is_in(byte)).collect();
        for level in available() {
            let active = Active::at_most(level);
            for byte in 0..=255 {
                assert_eq!(set.contains(byte), is_in(byte), "{byte:02X}");
                let at = usize::from(byte) % 70;
                let mut text: Vec<u8> = others.iter().copied().cycle().take(150).collect();
                text[at] = byte;
                for len in 0..text.len() {
                    let expected = if is_in(byte) { at.min(len) } else { len };
                    let found = free_prefix_len_at(active, &set, &text[..len]);
                    assert_eq!(found, expected, "{active:?} {byte:02X} {len}");
                }
            }
        }
    }
}
