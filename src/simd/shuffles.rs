//! Shuffles that do what a compress would: several kernels use these tables, and a list that one of them makes.

use core::arch::x86_64::{_mm_cmpeq_epi8, _mm_cvtsi64_si128, _mm_movemask_epi8, _mm_setzero_si128};

/// No place: what a shuffle makes zero.
const NOWHERE: u8 = 0x80;

/// Moves to the front those of eight bytes whose bit is set.
pub(super) static BYTES: [[u8; 8]; 256] = {
    let mut all = [[NOWHERE; 8]; 256];
    let mut bits = 0;
    while bits < 256 {
        let (mut i, mut to) = (0, 0);
        while i < 8 {
            if bits >> i & 1 == 1 {
                all[bits][to] = i as u8;
                to += 1;
            }
            i += 1;
        }
        bits += 1;
    }
    all
};

/// Lists the numbers of the steps, of eight bytes or units each, of a block of 64: of the first, and of those in which
/// `others` has bits. Returns how many those are.
///
/// # Safety
/// Eight bytes are writable at `to`; `block` is below 32.
#[inline]
#[target_feature(enable = "sse2,popcnt")]
pub(super) unsafe fn list_steps(to: *mut u8, block: usize, others: u64) -> usize {
    let others = _mm_cvtsi64_si128(others as i64);
    let empty = _mm_movemask_epi8(_mm_cmpeq_epi8(others, _mm_setzero_si128()));
    let steps = !empty as u8 | 1;
    let numbers = u64::from_le_bytes(BYTES[usize::from(steps)]);
    let numbers = numbers.wrapping_add(0x0808_0808_0808_0808_u64.wrapping_mul(block as u64));
    // SAFETY: the contract of this function.
    unsafe { to.cast::<[u8; 8]>().write(numbers.to_le_bytes()) };
    steps.count_ones() as usize
}

/// Moves to the front those of eight words whose bit is set.
pub(super) static WORDS: [[u8; 16]; 256] = {
    let mut all = [[NOWHERE; 16]; 256];
    let mut bits = 0;
    while bits < 256 {
        let mut i = 0;
        while i < 8 && BYTES[bits][i] != NOWHERE {
            all[bits][2 * i] = 2 * BYTES[bits][i];
            all[bits][2 * i + 1] = 2 * BYTES[bits][i] + 1;
            i += 1;
        }
        bits += 1;
    }
    all
};
