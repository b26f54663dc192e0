//! UTF-8 to UTF-8: validates and copies in one pass, 32 bytes at a time.
//!
//! A block is known to be valid except for a character cut by its end, at most three bytes. So the store is three bytes
//! behind the load. ASCII is looked for in 256 bytes at once: in markup, a branch on one block is unpredictable and
//! halves the speed. For AVX2 only, like [`validate`](super::validate).

use super::super::super::arrays::map_array;
use super::super::super::vector::{Bytes, Token, V256};
use super::super::cut;
use super::faults::{is_malformed, starts_right, with_preceding};

/// Copies blocks up to the first one with an error, or all. Returns their length, which ends at a character boundary; 0
/// for input shorter than [`super::LEAST`] bytes.
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
    // SAFETY: `starts_right` ensures `n >= 35`, so 29 bytes are readable and writable.
    unsafe { dst.copy_from_nonoverlapping(src.as_ptr(), 29) };
    let mut at = 32;
    while at < n {
        if n - at >= 256 {
            // SAFETY: `n - at >= 256`, tested above, and `at >= 32`, its first value.
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
            // The last block overlaps the one before it, over equal bytes.
            let start = at.min(n - 32);
            // SAFETY: `start <= n - 32`, by `min`, and `start >= 3`: `starts_right` ensures `n >= 35`, and `at >= 32`.
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
    // Copies the last bytes of the last block, without the bytes of a character that its end cuts.
    let cut = cut([src[at - 3], src[at - 2], src[at - 1]]);
    // SAFETY: at most three bytes before `at <= n` are copied.
    unsafe {
        dst.add(at - 3)
            .copy_from_nonoverlapping(src[at - 3..].as_ptr(), 3 - cut);
    }
    at - cut
}
