//! Arrays of registers and other small values, item by item.

/// What `f` makes of each of `items`: as `array::map`, whose general machinery (guards for items that must be dropped,
/// should `f` panic) is a tenth of what the compiler would have to optimise in this crate.
#[inline(always)]
pub(super) fn each<T: Copy, U: Copy, const N: usize>(items: [T; N], f: impl Fn(T) -> U) -> [U; N] {
    let mut results = [f(items[0]); N];
    let mut i = 1;
    while i < N {
        results[i] = f(items[i]);
        i += 1;
    }
    results
}
