//! Helpers for arrays and slices that compile to less code than the general methods.

use core::mem::MaybeUninit;

/// What `f` makes of each of `items`: as `array::map`, whose general machinery (guards for items that must be dropped,
/// should `f` panic) is a tenth of what the compiler would have to optimise in this crate.
///
/// All items in one loop: of a first one apart, and a loop over the others, LLVM makes odd copies where `f` does nothing, and
/// whoever loads the results as a register waits for them.
#[inline(always)]
pub(super) fn map_array<T: Copy, U: Copy, const N: usize>(
    items: [T; N],
    f: impl Fn(T) -> U,
) -> [U; N] {
    let mut results = [const { MaybeUninit::uninit() }; N];
    for (result, item) in results.iter_mut().zip(items) {
        result.write(f(item));
    }
    // SAFETY: both arrays are of `N`, so that every result has just been written.
    unsafe { results.as_ptr().cast::<[U; N]>().read() }
}

/// What follows the first `at` bytes or code units of `src`: `&src[at..]` with one panic for all places, as a program
/// would grow by a hundred of them.
#[inline(always)]
pub(crate) fn tail<S: Source + ?Sized>(src: &S, at: usize) -> &S {
    src.tail(at)
}

/// Bytes, code units, or text.
pub(crate) trait Source {
    fn tail(&self, at: usize) -> &Self;
}

impl<T> Source for [T] {
    #[inline(always)]
    fn tail(&self, at: usize) -> &Self {
        match self.get(at..) {
            Some(rest) => rest,
            None => over_report(),
        }
    }
}

impl Source for str {
    #[inline(always)]
    fn tail(&self, at: usize) -> &Self {
        match self.get(at..) {
            Some(rest) => rest,
            None => over_report(),
        }
    }
}

/// A kernel has reported more than it was given: a defect. By call, so that each place costs a branch alone.
#[cold]
#[inline(never)]
fn over_report() -> ! {
    panic!("a prefix is longer than its source")
}

/// From 4 to 15 bytes and zeros after them, as two words, the first bytes lowest; none for less.
#[inline(always)]
pub(super) fn padded(src: &[u8]) -> Option<[u64; 2]> {
    let len = src.len();
    debug_assert!(len < 16);
    if let (Some(&first), Some(&last)) = (src.first_chunk(), src.last_chunk()) {
        // In two steps, as eight bytes have none after the first half.
        let after = u64::from_le_bytes(last) >> (8 * (15 - len)) >> 8;
        return Some([u64::from_le_bytes(first), after]);
    }
    let (&first, &last) = (src.first_chunk()?, src.last_chunk()?);
    let [first, last] = map_array([first, last], u32::from_le_bytes).map(u64::from);
    Some([first | last << (8 * (len - 4)), 0])
}
