//! Helpers for arrays and slices that compile to less code than the general methods.

use core::mem::MaybeUninit;

/// Maps each item of `items` by `f`, like `array::map`. The general machinery of that method (drop guards, should `f`
/// panic) was a tenth of the code that LLVM had to optimise in this crate.
///
/// One loop covers all items. If the first item is peeled off, LLVM emits odd copies for a trivial `f`. A register load
/// of the result then waits for them.
#[inline(always)]
pub(super) fn map_array<T: Copy, U: Copy, const N: usize>(
    items: [T; N],
    f: impl Fn(T) -> U,
) -> [U; N] {
    let mut results = [const { MaybeUninit::uninit() }; N];
    for (result, item) in results.iter_mut().zip(items) {
        result.write(f(item));
    }
    // SAFETY: both arrays have `N` elements, so the loop has written each element of `results`.
    unsafe { results.as_ptr().cast::<[U; N]>().read() }
}

/// Returns `&src[at..]`, with a single panic site shared by all callers. Separate panic sites would add about a hundred
/// to the program.
#[inline(always)]
pub(crate) fn tail<S: SliceTail + ?Sized>(src: &S, at: usize) -> &S {
    src.tail(at)
}

/// A slice of bytes or code units, or a `str`.
pub(crate) trait SliceTail {
    fn tail(&self, at: usize) -> &Self;
}

impl<T> SliceTail for [T] {
    #[inline(always)]
    fn tail(&self, at: usize) -> &Self {
        match self.get(at..) {
            Some(rest) => rest,
            None => over_report(),
        }
    }
}

impl SliceTail for str {
    #[inline(always)]
    fn tail(&self, at: usize) -> &Self {
        match self.get(at..) {
            Some(rest) => rest,
            None => over_report(),
        }
    }
}

/// Panics because a kernel reported a longer prefix than its source: a bug. Out of line, so that each caller pays only
/// for a branch.
#[cold]
#[inline(never)]
fn over_report() -> ! {
    panic!("a prefix is longer than its source")
}

/// Returns 4 to 15 bytes, zero-padded, as two little-endian words; `None` for fewer than 4.
#[inline(always)]
pub(super) fn padded(src: &[u8]) -> Option<[u64; 2]> {
    let len = src.len();
    debug_assert!(len < 16);
    if let (Some(&first), Some(&last)) = (src.first_chunk(), src.last_chunk()) {
        // Two shifts, because for 8 bytes the total is 64, which a single shift does not allow.
        let after = u64::from_le_bytes(last) >> (8 * (15 - len)) >> 8;
        return Some([u64::from_le_bytes(first), after]);
    }
    let (&first, &last) = (src.first_chunk()?, src.last_chunk()?);
    let [first, last] = map_array([first, last], u32::from_le_bytes).map(u64::from);
    Some([first | last << (8 * (len - 4)), 0])
}
