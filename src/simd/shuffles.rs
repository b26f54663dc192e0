//! Shuffle tables that replace compress, shared by several kernels, and the list of steps built with them.

#[cfg(target_arch = "aarch64")]
use core::arch::aarch64::{vaddv_u8, vand_u8, vcreate_u8, vld1_u8, vtst_u8};
#[cfg(target_arch = "wasm32")]
use core::arch::wasm32::{u8x16_bitmask, u8x16_ne, u8x16_splat, u64x2};
#[cfg(target_arch = "x86_64")]
use core::arch::x86_64::{_mm_cmpeq_epi8, _mm_cvtsi64_si128, _mm_movemask_epi8, _mm_setzero_si128};

/// A shuffle index that gives zero.
const NOWHERE: u8 = 0x80;

/// Shuffles by mask: of eight bytes, each shuffle moves the bytes whose bits in the mask are set to the front.
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

/// Lists the steps of a block of 64 bytes or units, each of eight bytes or units. Lists the first step, and every step
/// with bits in `others`. Returns the length of the list.
///
/// # Safety
/// The processor has the instruction sets of [`V256`](super::vector::V256)'s token. Eight bytes are writable at `to`,
/// and `block < 32`.
#[inline(always)]
pub(super) unsafe fn list_steps(to: *mut u8, block: usize, others: u64) -> usize {
    // SAFETY: the token's instruction sets include SSE2 or NEON.
    let steps = unsafe { non_zeros(others) } | 1;
    let numbers = u64::from_le_bytes(BYTES[usize::from(steps)]);
    let numbers = numbers.wrapping_add(0x0808_0808_0808_0808_u64.wrapping_mul(block as u64));
    // SAFETY: by `# Safety`, eight bytes are writable at `to`.
    unsafe { to.cast::<[u8; 8]>().write(numbers.to_le_bytes()) };
    steps.count_ones() as usize
}

/// Returns one bit for each byte of a word, set if the byte is not 0; the bit of the lowest byte is the lowest.
#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "sse2")]
fn non_zeros(word: u64) -> u8 {
    let word = _mm_cvtsi64_si128(word as i64);
    !_mm_movemask_epi8(_mm_cmpeq_epi8(word, _mm_setzero_si128())) as u8
}

/// Returns one bit for each byte of a word, set if the byte is not 0; the bit of the lowest byte is the lowest.
#[cfg(target_arch = "aarch64")]
#[inline]
#[target_feature(enable = "neon")]
fn non_zeros(word: u64) -> u8 {
    let word = vcreate_u8(word);
    // SAFETY: the array has eight bytes.
    let bits = unsafe { vld1_u8([1, 2, 4, 8, 16, 32, 64, 128].as_ptr()) };
    vaddv_u8(vand_u8(vtst_u8(word, word), bits))
}

/// Returns one bit for each byte of a word, set if the byte is not 0; the bit of the lowest byte is the lowest.
#[cfg(target_arch = "wasm32")]
#[inline]
fn non_zeros(word: u64) -> u8 {
    u8x16_bitmask(u8x16_ne(u64x2(word, 0), u8x16_splat(0))) as u8
}

/// Shuffles by mask: of eight 16-bit words, each shuffle moves the words whose bits in the mask are set to the front.
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
