//! Runs of ASCII: measures them, copies them, widens bytes to UTF-16 code units, and narrows code units to bytes.
//!
//! Every ASCII-compatible encoding alternates between this kernel and its own code, often after a handful of bytes.
//! Short runs are therefore handled inline, without a look at the instruction set.
//!
//! [`run`] holds the algorithm, generic over [`Vector`](super::vector::Vector). [`kind`] lists the five operations on a
//! run.

pub(super) mod bits;
mod kind;
mod run;

use crate::simd::tuning;
use kind::{Copy, Measure, MeasureUnits, Narrow, Task, Widen};

use super::level::levels;
use super::out::Out;
#[cfg(v256)]
use super::token;
use super::token::Active;
use super::vector::Word;

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

/// Runs up to this many units are handled inline; up to double the number if the task writes nothing.
const SHORT: usize = tuning::PORTABLE_UP_TO;

#[inline(always)]
fn take<K: Task>(src: &[K::In], out: &mut Out<'_, K::Out>) -> usize {
    let short = if size_of::<K::Out>() == 0 {
        2 * SHORT
    } else {
        SHORT
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

/// Runs [`run::take`] with 8-byte words. Serves short runs as well, at every level.
#[inline(always)]
fn portable<K: Task>(src: &[K::In], out: &mut Out<'_, K::Out>) -> usize {
    run::take::<_, K>(Word::<8>, src, out)
}

/// Runs the vector kernel at a given level, whatever the length. The tests compare the levels through it.
#[inline(always)]
fn take_at<K: Task>(active: Active, src: &[K::In], out: &mut Out<'_, K::Out>) -> usize {
    /// Returns the result of [`run::take`], compiled with the features of the highest available level.
    macro_rules! take {
        ($(
            $(#[$doc:meta])*
            $level:ident = $number:literal, $text:literal on $on:meta with $($feature:tt),+;
        )+) => {$(
            #[cfg($on)]
            if let Some(token) = token::$level::at(active) {
                #[target_feature($(enable = $feature),+)]
                fn take<K: Task>(token: token::$level, src: &[K::In], out: &mut Out<'_, K::Out>) -> usize {
                    run::take::<_, K>(token, src, out)
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

#[cfg(test)]
mod tests;
