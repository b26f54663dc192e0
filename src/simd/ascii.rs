//! Runs of ASCII: measure them, copy them, widen bytes to UTF-16 code units, narrow units to bytes.
//!
//! Every ASCII-compatible encoding alternates between this kernel and its own work, often for a handful of bytes at
//! a time, so short runs are served inline, without asking for the instruction set.
//!
//! [`run`] holds the algorithm, once, over [`Vector`](super::vector::Vector); [`kind`] the five things done with a run.

pub(super) mod bits;
mod kind;
mod run;

use crate::simd::tuning;
use kind::{Copy, Kind, Measure, MeasureUnits, Narrow, Widen};

use super::level::levels;
use super::out::Out;
#[cfg(v256)]
use super::token;
use super::token::Active;
use super::vector::Word;

/// The length of the longest prefix of `src` that is ASCII.
#[inline]
pub(crate) fn ascii_prefix_len(src: &[u8]) -> usize {
    // Text in other scripts needs no kernel to say so.
    if src.first().is_some_and(|&first| first >= 0x80) {
        return 0;
    }
    // In short text a branch at each step would be mispredicted.
    if (bits::STEP..=bits::MOST).contains(&src.len()) {
        return src
            .len()
            .min(bits::not_ascii(src).trailing_zeros() as usize);
    }
    take::<Measure>(src, &mut Out::from_init(&mut [(); NO_END]))
}

/// The length of the longest prefix of `src` whose code units are below 0x80.
#[inline]
pub(crate) fn ascii_prefix_len_u16(src: &[u16]) -> usize {
    take::<MeasureUnits>(src, &mut Out::from_init(&mut [(); NO_END]))
}

/// Copies ASCII bytes until the first other byte, the end of `src`, or the end of the output; returns how many.
#[inline(never)]
pub(crate) fn copy_ascii(src: &[u8], out: &mut Out<'_, u8>) -> usize {
    take::<Copy>(src, out)
}

/// Writes ASCII bytes as UTF-16 code units, until the first other byte, the end of `src`, or the end of the output;
/// returns how many.
#[inline(never)]
pub(crate) fn widen_ascii(src: &[u8], out: &mut Out<'_, u16>) -> usize {
    take::<Widen>(src, out)
}

/// Writes UTF-16 code units below 0x80 as bytes, until the first other unit, the end of `src`, or the end of the
/// room; returns how many.
#[inline(never)]
pub(crate) fn narrow_ascii(src: &[u16], out: &mut Out<'_, u8>) -> usize {
    take::<Narrow>(src, out)
}

/// Whether ASCII is to be taken ahead of a kernel for the rest: a page's head, or all of a text, may be nothing else.
#[inline(always)]
pub(crate) fn starts_ascii(src: &[u8]) -> bool {
    src.first_chunk::<32>().is_some_and(|head| head.is_ascii())
}

/// Room for the kinds that write nothing: it takes no space, and so it never ends.
const NO_END: usize = usize::MAX;

/// Runs of at most this many units are served inline; twice that where nothing is written.
const SHORT: usize = tuning::PORTABLE_UP_TO;

#[inline(always)]
fn take<K: Kind>(src: &[K::In], out: &mut Out<'_, K::Out>) -> usize {
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
fn take_long<K: Kind>(src: &[K::In], out: &mut Out<'_, K::Out>) -> usize {
    take_at::<K>(Active::now(), src, out)
}

/// [`run::take`] for words of eight bytes: serves short runs, too, whatever the instruction set.
#[inline(always)]
fn portable<K: Kind>(src: &[K::In], out: &mut Out<'_, K::Out>) -> usize {
    run::take::<_, K>(Word::<8>, src, out)
}

/// The whole kernel at a given level, whatever the length: what the tests compare.
#[inline(always)]
fn take_at<K: Kind>(active: Active, src: &[K::In], out: &mut Out<'_, K::Out>) -> usize {
    /// Returns what [`run::take`], compiled for the features of a level, takes, for the first level that is there.
    macro_rules! take {
        ($(
            $(#[$doc:meta])*
            $level:ident = $number:literal, $text:literal on $on:meta with $($feature:tt),+;
        )+) => {$(
            #[cfg($on)]
            if let Some(token) = token::$level::at(active) {
                #[target_feature($(enable = $feature),+)]
                fn take<K: Kind>(token: token::$level, src: &[K::In], out: &mut Out<'_, K::Out>) -> usize {
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
