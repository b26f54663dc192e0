//! Runs of ASCII: measures them, copies them, widens bytes to UTF-16 code units, and narrows code units to bytes.
//!
//! Every ASCII-compatible encoding alternates between this kernel and its own code, often after a handful of bytes.
//! Short runs are therefore handled inline, without a look at the instruction set.
//!
//! [`run`] is the algorithm, generic over [`Vector`]. It tests one register first, because runs in mixed text are short,
//! then four registers per iteration. After the first four the stores are aligned, as a store across a cache line costs
//! two. Until then, the control flow depends on the length of the run alone.
//!
//! The end of a run needs no scalar tail: the register that *ends* there is loaded and stored again, over equal data.
//! For a run shorter than one register, masked operations or smaller registers are used. [`kind`] lists the five
//! operations on a run.

pub(super) mod bits;
mod kind;

use crate::simd::tuning;
use core::mem::size_of;
use kind::{Copy, Measure, MeasureUnits, Narrow, Task, Widen};

use super::arrays::map_array;
#[cfg(v256)]
use super::level;
use super::level::{Active, levels};
use super::out::Out;
use super::vector::{Vector, Word};

/// Returns the length of the longest ASCII prefix of `src`.
#[inline]
pub(crate) fn ascii_prefix_len(src: &[u8]) -> usize {
    // Fast exit for text in other scripts.
    if src.first().is_some_and(|&first| first >= 0x80) {
        return 0;
    }
    // Branch-free, because in short text a branch for each step would be mispredicted.
    if (bits::STEP..=bits::MASK_WIDTH).contains(&src.len()) {
        return src
            .len()
            .min(bits::not_ascii(src).trailing_zeros() as usize);
    }
    take::<Measure>(src, &mut Out::from_init(&mut [(); NO_END]))
}

/// Returns the length of the longest prefix of `src` whose code units are below 0x80.
#[inline]
pub(crate) fn ascii_prefix_len_u16(src: &[u16]) -> usize {
    take::<MeasureUnits>(src, &mut Out::from_init(&mut [(); NO_END]))
}

/// Copies ASCII bytes up to the first other byte, the end of `src` or the end of the output. Returns the number copied.
#[inline(never)]
pub(crate) fn copy_ascii(src: &[u8], out: &mut Out<'_, u8>) -> usize {
    take::<Copy>(src, out)
}

/// Widens ASCII bytes to UTF-16 code units, up to the first other byte, the end of `src` or the end of the output.
/// Returns the number written.
#[inline(never)]
pub(crate) fn widen_ascii(src: &[u8], out: &mut Out<'_, u16>) -> usize {
    take::<Widen>(src, out)
}

/// Narrows UTF-16 code units below 0x80 to bytes, up to the first other unit, the end of `src` or the end of the
/// output. Returns the number written.
#[inline(never)]
pub(crate) fn narrow_ascii(src: &[u16], out: &mut Out<'_, u8>) -> usize {
    take::<Narrow>(src, out)
}

/// True if the first 32 bytes are ASCII, so that the ASCII kernel should run before the encoding's own. The head of a
/// page, or a whole text, may be pure ASCII.
#[inline(always)]
pub(crate) fn starts_ascii(src: &[u8]) -> bool {
    src.first_chunk::<32>().is_some_and(|head| head.is_ascii())
}

/// The output length for tasks that write nothing. Their unit `()` takes no space, so the output is never full.
const NO_END: usize = usize::MAX;

#[inline(always)]
fn take<K: Task>(src: &[K::In], out: &mut Out<'_, K::Out>) -> usize {
    let short = if size_of::<K::Out>() == 0 {
        2 * tuning::PORTABLE_UP_TO
    } else {
        tuning::PORTABLE_UP_TO
    };
    if src.len().min(out.room()) <= short {
        portable::<K>(src, out)
    } else {
        take_long::<K>(src, out)
    }
}

#[inline(never)]
fn take_long<K: Task>(src: &[K::In], out: &mut Out<'_, K::Out>) -> usize {
    take_at::<K>(Active::now(), src, out)
}

/// Runs [`run`] with 8-byte words. Serves short runs as well, at every level.
#[inline(always)]
fn portable<K: Task>(src: &[K::In], out: &mut Out<'_, K::Out>) -> usize {
    run::<_, K>(Word::<8>, src, out)
}

/// Runs the vector kernel at a given level, whatever the length. The tests compare the levels through it.
#[inline(always)]
fn take_at<K: Task>(active: Active, src: &[K::In], out: &mut Out<'_, K::Out>) -> usize {
    /// Returns the result of [`run`], compiled with the features of the highest available level.
    macro_rules! take {
        ($(
            $(#[$doc:meta])*
            $level:ident = $number:literal, $text:literal on $on:meta with $($feature:tt),+;
        )+) => {$(
            #[cfg($on)]
            if let Some(token) = level::$level::at(active) {
                #[target_feature($(enable = $feature),+)]
                fn take<K: Task>(token: level::$level, src: &[K::In], out: &mut Out<'_, K::Out>) -> usize {
                    run::<_, K>(token, src, out)
                }
                // SAFETY: holding the token proves detection succeeded.
                return unsafe { take::<K>(token, src, out) };
            }
        )+};
    }
    levels!(take);
    let _ = active;
    portable::<K>(src, out)
}

/// Minimum length, in registers, from which aligned stores pay off.
const ALIGN_FROM: usize = tuning::ALIGN_FROM;

/// The number of units in the smallest vector; shorter runs are converted one unit at a time.
const SMALLEST: usize = 4;

/// Converts the longest ASCII prefix of `src` that fits and advances the output. Returns its length.
#[inline(always)]
fn run<V: Vector, K: Task>(v: V, src: &[K::In], out: &mut Out<'_, K::Out>) -> usize {
    let n = src.len().min(out.room());
    // SAFETY: `n <= src.len()` units are readable, and `n <= out.room()` are writable. `out` borrows its buffer
    // exclusively, so `src` and the output do not overlap. `take_raw` initialises the `taken` units.
    unsafe {
        let taken = take_raw::<V, K>(v, src.as_ptr(), out.spare_ptr(), n);
        out.advance(taken);
        taken
    }
}

/// Writes exactly the ASCII prefix of `n` units and returns its length.
///
/// # Safety
/// `n` units at `src` are readable, `n` at `dst` are writable, and the two do not overlap.
#[inline(always)]
unsafe fn take_raw<V: Vector, K: Task>(
    v: V,
    src: *const K::In,
    dst: *mut K::Out,
    n: usize,
) -> usize {
    let len = const { V::LEN };
    // Invariant: whole registers are loaded and stored at offsets of at most `n - len`.
    if n < len {
        // SAFETY: `n < LEN`; `n` units are readable at `src` and writable at `dst`, by `# Safety`.
        return unsafe { take_partial::<V, K>(v, src, dst, n) };
    }
    // SAFETY: `len <= n`, so a whole register fits. `prefix < len`, and the units before it are ASCII.
    unsafe {
        let first = K::load(v, src);
        if !K::is_ascii(v, first) {
            let prefix = K::prefix(v, first);
            put_partial::<V, K>(v, src, dst, prefix);
            return prefix;
        }
        K::store(v, first, dst);
    }
    let mut at = len;
    let mut aligned = n < ALIGN_FROM * len;
    while n - at >= 4 * len {
        // SAFETY: `at + 4 * len <= n`, by the loop condition.
        let [a, b, c, d] = map_array([0, 1, 2, 3], |i| unsafe {
            K::load(v, src.add(at + i * len))
        });
        if !K::is_ascii(v, K::or(v, K::or(v, a, b), K::or(v, c, d))) {
            break;
        }
        // Align only if the output is at least as large as the input; otherwise reads dominate.
        if size_of::<K::Out>() >= size_of::<K::In>() {
            let room = (n - at) * size_of::<K::Out>();
            for line in 0..4 * size_of::<K::Out>() {
                v.prefetch_output(dst.wrapping_add(at).cast(), len * line, room);
            }
        }
        for (i, block) in [a, b, c, d].into_iter().enumerate() {
            // SAFETY: `at + 4 * len <= n`, and the test showed that all four registers are ASCII.
            unsafe { K::store(v, block, dst.add(at + i * len)) };
        }
        at += 4 * len;
        if !aligned {
            // Steps back by less than a register, over units that are already converted.
            at -= misalignment::<K>(src.wrapping_add(at), dst.wrapping_add(at), len);
            aligned = true;
        }
    }

    // From here on, `at > 0` and everything before `at` is written ASCII. The last register starts at `n - len` and
    // overlaps its predecessor.
    while at < n {
        let start = at.min(n - len);
        // SAFETY: `start <= n - len`. If the block is not ASCII, `len <= end < n` and all units before `end` are ASCII.
        unsafe {
            let block = K::load(v, src.add(start));
            if !K::is_ascii(v, block) {
                let end = start + K::prefix(v, block);
                // The first register was ASCII, so the first other unit is at or after `len`.
                debug_assert!(end >= len);
                K::store(v, K::load(v, src.add(end - len)), dst.add(end - len));
                return end;
            }
            K::store(v, block, dst.add(start));
        }
        at = start + len;
    }
    n
}

/// Returns the number of units by which the output (or the input, if nothing is written) lies past a multiple of `len`
/// bytes.
#[inline(always)]
fn misalignment<K: Task>(src: *const K::In, dst: *mut K::Out, len: usize) -> usize {
    if size_of::<K::Out>() == 0 {
        (src.addr() % len) / size_of::<K::In>()
    } else {
        (dst.addr() % len) / size_of::<K::Out>()
    }
}

/// Writes exactly the ASCII prefix of fewer than `LEN` units and returns its length.
///
/// # Safety
/// `n < LEN`; `n` units at `src` are readable, `n` at `dst` are writable, and the two do not overlap.
#[inline(always)]
unsafe fn take_partial<V: Vector, K: Task>(
    v: V,
    src: *const K::In,
    dst: *mut K::Out,
    n: usize,
) -> usize {
    // SAFETY: `n < LEN`; `n` units are readable and writable, by `# Safety`. A masked load pads with zeros, which are
    // ASCII; `taken <= n`, and the first `taken` units are ASCII.
    unsafe {
        if const { V::MASKED } {
            let block = K::load_first(v, src, n);
            let taken = K::prefix(v, block).min(n);
            K::store_first(v, block, dst, taken);
            return taken;
        }
        if const { V::LEN > SMALLEST } {
            return take_raw::<_, K>(v.half(), src, dst, n);
        }
        for i in 0..n {
            let Some(unit) = K::convert(src.add(i).read()) else {
                return i;
            };
            dst.add(i).write(unit);
        }
        n
    }
}

/// Writes fewer than `LEN` units that are known to be ASCII.
///
/// # Safety
/// `n < LEN`; `n` units at `src` are readable and ASCII, `n` at `dst` are writable, and the two do not overlap.
#[inline(always)]
unsafe fn put_partial<V: Vector, K: Task>(v: V, src: *const K::In, dst: *mut K::Out, n: usize) {
    // SAFETY: `n < LEN`; `n` units are readable, ASCII and writable, by `# Safety`.
    unsafe {
        if const { V::MASKED } {
            return K::store_first(v, K::load_first(v, src, n), dst, n);
        }
        if const { V::LEN > SMALLEST } {
            return put_halves::<_, K>(v.half(), src, dst, n);
        }
        // One to three units are the first, the middle and the last, possibly with repetitions.
        let put = |i| {
            if let Some(unit) = K::convert(src.add(i).read()) {
                dst.add(i).write(unit);
            }
        };
        if n > 0 {
            put(0);
            put(n / 2);
            put(n - 1);
        }
    }
}

/// Implements [`put_partial`] with smaller registers: two overlapping ones, or [`put_partial`] at half the length.
///
/// # Safety
/// `n < 2 * V::LEN`; `n` units at `src` are readable and ASCII, `n` at `dst` are writable, and the two do not
/// overlap.
#[inline(always)]
unsafe fn put_halves<V: Vector, K: Task>(v: V, src: *const K::In, dst: *mut K::Out, n: usize) {
    let len = const { V::LEN };
    // SAFETY: `n` units are readable, ASCII and writable, by `# Safety`. If `n >= len`, the last register starts at index
    // `n - len`.
    unsafe {
        if n < len {
            return put_partial::<V, K>(v, src, dst, n);
        }
        let last = n - len;
        let (a, b) = (K::load(v, src), K::load(v, src.add(last)));
        K::store(v, a, dst);
        K::store(v, b, dst.add(last));
    }
}

#[cfg(test)]
mod tests;
