//! Up to 64 bytes of UTF-8 that start at a character: which bytes are whole, well-formed characters.
//!
//! Comparing the register gives one mask each of continuations and of leads of at least two, three and four bytes.
//! Shifted by one, two and three lanes, the leads say where continuations must be; any difference is malformed. What
//! masks cannot see (overlong forms, surrogates, more than U+10FFFF) is told by the second byte, against its lead.
//! The first difference, or a character that the end of the block cuts, ends the prefix taken: no scalar tail.

use core::arch::x86_64::*;

use super::{counting, first};

/// The classes of 64 bytes, one mask each.
#[derive(Clone, Copy, Default)]
pub(super) struct Classes {
    /// Not ASCII.
    pub other: u64,
    /// 80 to BF.
    pub tail: u64,
    /// C0 to FF.
    pub lead: u64,
    /// E0 to FF.
    pub lead3: u64,
}

impl Classes {
    #[target_feature(enable = "avx512f,avx512bw,avx512dq")]
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
    /// The bytes one lane before `bytes`, where `bytes` are continuations.
    pub previous: __m512i,
    /// The bytes two lanes before `bytes`, where that is the third byte of a character.
    pub third: __m512i,
    pub classes: Classes,
    pub lead4: u64,
    /// How many bytes are whole, well-formed characters.
    pub len: usize,
    /// Whether the block ends before anything malformed, so that the rest of the input is worth another block.
    pub clean: bool,
}

impl Block {
    /// # Safety
    /// `n` bytes at `from` are readable; 1 <= n <= 64.
    #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,avx512f,avx512bw,avx512dq,avx512vbmi")]
    #[inline]
    pub(super) unsafe fn load(from: *const u8, n: usize) -> Self {
        // SAFETY: the mask selects the first `n` bytes, which are readable: the contract of this function.
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

        // A character that goes on after the block: with n < 64 its missing bytes are differences already.
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

    /// Where code units end: the last byte of every character, and the third of four.
    #[target_feature(enable = "bmi2")]
    #[inline]
    pub(super) fn ends(&self) -> u64 {
        !(self.classes.lead | self.classes.lead3 << 1) & first(self.len)
    }

    /// Shortens the prefix to the characters whose units, ending at `ends`, number at most `room`.
    #[target_feature(enable = "bmi1,bmi2,lzcnt")]
    #[inline(never)]
    pub(super) fn limit(&mut self, room: usize) {
        let over = _pdep_u64(1 << room, self.ends());
        if over != 0 {
            self.len = last_start(self.classes.tail, over.trailing_zeros() as usize + 1);
            self.clean = false;
        }
    }

    /// Shortens the prefix to the whole characters among the first `room` bytes.
    #[target_feature(enable = "bmi2,lzcnt")]
    #[inline]
    pub(super) fn limit_bytes(&mut self, room: usize) {
        if room < self.len {
            self.len = last_start(self.classes.tail, room + 1);
            self.clean = false;
        }
    }
}

/// The last lane before lane `at` that is no continuation; `at` > 0.
#[target_feature(enable = "bmi2,lzcnt")]
#[inline]
fn last_start(tail: u64, at: usize) -> usize {
    63 - (!tail & first(at)).leading_zeros() as usize
}
