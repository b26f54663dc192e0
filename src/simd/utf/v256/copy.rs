//! UTF-8 to UTF-8: validate and copy in one pass, 32 bytes at a time.
//!
//! A block is known to be right up to the character that its end may cut, three bytes at most: so the store lies three bytes
//! before the load. ASCII is looked for in 256 bytes at once: markup makes the branch on one block a coin toss, which halves
//! the speed. For AVX2 alone, as [`validate`](super::validate) is.

use super::super::super::arrays::map_array;
use super::super::super::vector::{Bytes, Token, V256};
use super::super::cut;
use super::faults::{is_malformed, starts_right, with_preceding};

/// Copies blocks up to the first that has a fault, or all; returns their length, which ends at a character. Input of
/// fewer than [`super::LEAST`] bytes is not touched.
///
/// # Safety
/// `room` bytes at `dst` are writable.
#[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")]
pub(in super::super) unsafe fn utf8_to_utf8(
    v: Token,
    src: &[u8],
    dst: *mut u8,
    room: usize,
) -> usize {
    let n = src.len().min(room);
    if !starts_right(v, &src[..n]) {
        return 0;
    }
    // SAFETY: 29 bytes are readable and writable.
    unsafe { dst.copy_from_nonoverlapping(src.as_ptr(), 29) };
    let mut at = 32;
    while at < n {
        if n - at >= 256 {
            // SAFETY: 3 <= at <= n - 256.
            let run: [Bytes; 8] = map_array([0, 32, 64, 96, 128, 160, 192, 224], |i| unsafe {
                v.load(src.as_ptr().add(at - 3 + i))
            });
            let any = run.iter().fold(run[0], |a, &b| v.or(a, b));
            if !v.any(v.movemask(any)) && src[at + 253..at + 256].is_ascii() {
                for (i, bytes) in run.into_iter().enumerate() {
                    // SAFETY: `at + 253 <= n`, and `n` bytes are writable at `dst`.
                    unsafe { v.store(bytes, dst.add(at - 3 + 32 * i)) };
                }
                at += 256;
                continue;
            }
        }
        let end = n.min(at + 256);
        while at < end {
            // The last block overlaps the one before it, over bytes that are equal.
            let start = at.min(n - 32);
            // SAFETY: 3 <= start <= n - 32.
            let [bytes, one, two, three] = unsafe { with_preceding(v, src.as_ptr().add(start)) };
            if is_malformed(v, bytes, one, two, three) {
                break;
            }
            // SAFETY: `start + 29 <= n`, and `n` bytes are writable at `dst`.
            unsafe { v.store(three, dst.add(start - 3)) };
            at = start + 32;
        }
        if at < end {
            break;
        }
    }
    // What the last block has before the character that it cut.
    let cut = cut([src[at - 3], src[at - 2], src[at - 1]]);
    // SAFETY: at most three bytes, all before `at`, which is at most `n`.
    unsafe {
        dst.add(at - 3)
            .copy_from_nonoverlapping(src[at - 3..].as_ptr(), 3 - cut);
    }
    at - cut
}
