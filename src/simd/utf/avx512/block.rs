//! Well-formed prefixes of blocks of up to 64 bytes of UTF-8. Each block starts with a character.
//!
//! Comparisons give masks of continuation bytes and of leads of at least two, three and four bytes. The leads, shifted
//! by one, two and three lanes, give the required continuation bytes; any difference is malformed. Overlong forms,
//! surrogates and values above U+10FFFF are found by comparing the second byte with its lead. The prefix ends at the
//! first difference, or before a character that the end of the block cuts, so no scalar tail is needed.

use core::arch::x86_64::*;

use super::{counting, first};

/// The classes of 64 bytes, one mask each.
#[derive(Clone, Copy, Default)]
pub(super) struct Classes {
    /// Non-ASCII bytes.
    pub other: u64,
    /// 0x80 to 0xBF.
    pub tail: u64,
    /// 0xC0 to 0xFF.
    pub lead: u64,
    /// 0xE0 to 0xFF.
    pub lead3: u64,
}

impl Classes {
    #[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt,avx512vl,avx512dq,avx512vbmi,avx512vbmi2")]
    #[inline]
    pub(super) fn of(bytes: __m512i) -> Self {
        let other = _mm512_movepi8_mask(bytes);
        let tail = _mm512_cmplt_epi8_mask(bytes, _mm512_set1_epi8(0xC0_u8 as i8));
        Classes {
            other,
            tail,
            lead: other & !tail,
            lead3: _mm512_cmpge_epu8_mask(bytes, _mm512_set1_epi8(0xE0_u8 as i8)),
        }
    }
}

/// A block that starts at a character.
#[derive(Clone, Copy)]
pub(super) struct Block {
    pub bytes: __m512i,
    /// The preceding bytes, in the lanes of continuation bytes.
    pub previous: __m512i,
    /// The bytes two lanes before, in the lanes of third bytes.
    pub third: __m512i,
    pub classes: Classes,
    pub lead4: u64,
    /// The number of bytes that form whole, well-formed characters.
    pub len: usize,
    /// True if the block contains no malformed sequence. Only then may another block follow.
    pub clean: bool,
}

impl Block {
    /// # Safety
    /// `n` bytes at `from` are readable; `1 <= n <= 64`.
    #[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt,avx512vl,avx512dq,avx512vbmi,avx512vbmi2")]
    #[inline]
    pub(super) unsafe fn load(from: *const u8, n: usize) -> Self {
        // SAFETY: the mask selects the first `n` bytes, which are readable, by `# Safety`.
        let bytes = unsafe { _mm512_maskz_loadu_epi8(first(n), from.cast()) };
        let classes = Classes::of(bytes);
        if classes.other == 0 {
            return Block {
                bytes,
                previous: bytes,
                third: bytes,
                classes,
                lead4: 0,
                len: n,
                clean: true,
            };
        }
        let Classes {
            tail, lead, lead3, ..
        } = classes;
        let at_least = |byte: u8| _mm512_cmpge_epu8_mask(bytes, _mm512_set1_epi8(byte as i8));
        let lead4 = at_least(0xF0);
        let expected = lead << 1 | lead3 << 2 | lead4 << 3;
        let previous = _mm512_maskz_permutexvar_epi8(tail, const { counting(255) }, bytes);
        let third = _mm512_maskz_permutexvar_epi8(lead3 << 2, const { counting(254) }, bytes);

        let mut malformed = (tail ^ expected) | (lead & !at_least(0xC2)) | at_least(0xF5);
        if lead3 != 0 {
            let after = |lead: u8| {
                _mm512_mask_cmpeq_epi8_mask(tail, previous, _mm512_set1_epi8(lead as i8))
            };
            let below = |mask: u64, byte: u8| {
                _mm512_mask_cmplt_epu8_mask(mask, bytes, _mm512_set1_epi8(byte as i8))
            };
            let from = |mask: u64, byte: u8| {
                _mm512_mask_cmpge_epu8_mask(mask, bytes, _mm512_set1_epi8(byte as i8))
            };
            malformed |= below(after(0xE0), 0xA0) | from(after(0xED), 0xA0);
            if lead4 != 0 {
                malformed |= below(after(0xF0), 0x90) | from(after(0xF4), 0x90);
            }
        }

        // Characters that continue after the block. If `n < 64`, their missing bytes are already in `malformed`.
        let cut = lead & 1 << 63 | lead3 & 3 << 62 | lead4 & 7 << 61;
        let at = malformed.trailing_zeros();
        let len = if malformed == 0 {
            n
        } else if expected >> at & 1 == 1 {
            // The character that lacks this byte starts before it.
            last_start(tail, at as usize)
        } else {
            at as usize
        };
        Block {
            bytes,
            previous,
            third,
            classes,
            lead4,
            len: len.min(cut.trailing_zeros() as usize),
            clean: malformed == 0,
        }
    }

    /// Returns a mask of the bytes where code units end: the last byte of each character, and the third of four.
    #[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt,avx512vl,avx512dq,avx512vbmi,avx512vbmi2")]
    #[inline]
    pub(super) fn ends(&self) -> u64 {
        !(self.classes.lead | self.classes.lead3 << 1) & first(self.len)
    }

    /// Shortens the prefix to whole characters with at most `room` code units.
    #[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt,avx512vl,avx512dq,avx512vbmi,avx512vbmi2")]
    #[inline(never)]
    pub(super) fn limit(&mut self, room: usize) {
        let over = _pdep_u64(1 << room, self.ends());
        if over != 0 {
            self.len = last_start(self.classes.tail, over.trailing_zeros() as usize + 1);
            self.clean = false;
        }
    }

    /// Shortens the prefix to the whole characters in the first `room` bytes.
    #[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt,avx512vl,avx512dq,avx512vbmi,avx512vbmi2")]
    #[inline]
    pub(super) fn limit_bytes(&mut self, room: usize) {
        if room < self.len {
            self.len = last_start(self.classes.tail, room + 1);
            self.clean = false;
        }
    }
}

/// Returns the last lane before `at > 0` that is not a continuation byte.
#[target_feature(enable = "bmi1,bmi2,popcnt,lzcnt,avx512vl,avx512dq,avx512vbmi,avx512vbmi2")]
#[inline]
fn last_start(tail: u64, at: usize) -> usize {
    63 - (!tail & first(at)).leading_zeros() as usize
}
