//! Text without an instruction set of one's own: characters at the places that masks of 64 units tell.
//!
//! Where words have a few characters and a space behind them, as in Korean, or letters take turns with ASCII, as in
//! Vietnamese, a loop that asks each unit what it is spends most of its time on branches that nobody foresees. Here masks
//! answer for all units of a block, characters are converted at the places of their bits, and a run of ASCII is copied
//! behind each, whether there is any or not. In [`decode`] and [`encode`], blocks with longer runs end the prefix: where
//! ASCII prevails, the loop that asks is the better one. So it is in [`utf`] where a block seldom changes, but for runs of
//! characters of two bytes, as in Russian: of those, eight are converted at a time.
//!
//! Times the portable loop with SSE2, on plain text: Korean decoded 1.2 from 24 bytes on, 1.6 to 2 from 64 on, encoded 1.05
//! from 32 bytes on, 1.4 to 1.5 in megabytes; Chinese in GBK and gb18030 decoded 1.2 to 1.4, Japanese in EUC-JP 1.1. Text with
//! markup gains a tenth in megabytes and loses as much in pieces of 48 to 256 bytes, so that only Korean, which has spaces,
//! goes this way where AVX2 or AVX-512 is there for longer text; with NEON what is shorter than its kernels take does. Measured and left out: Big5 and Shift_JIS, whose trails have
//! two ranges: plain text gains a fifth, and text with markup loses as much; encoding of less than 24 bytes, which is slower.
//! UTF-8 to UTF-16: Vietnamese 2.4, Russian and Greek 1.5 to 1.8 (with markup 1.1), others as before.

pub(super) mod decode;
pub(super) mod encode;
pub(super) mod utf;

use core::mem::MaybeUninit;

use super::arrays::after;
use super::out::Out;

/// Units that are looked at together.
const BLOCK: usize = 64;
/// Units of ASCII that are copied together.
const RUN: usize = 16;
/// Units of a piece, which goes beside the output first: there what is written may be longer than what it means.
const PIECE: usize = 4 * BLOCK;

/// Converts a prefix of `src`, of which `fit` says how many units become what there is room for, block by block; returns its
/// length.
///
/// `block` has 64 units, and a run behind them, the bits of those that are part of the source, and where to write. It says how
/// many of them it has taken and where what follows is to go, or nothing if it is not for such text. Less than all of them are
/// taken before what is not for it either, but for a character of up to `longest` units that the block cuts.
///
/// # Safety
/// `block` initialises what lies between the place that it is given and the one that it gives, in order, and writes no more than
/// `N` units behind the first of a piece of [`PIECE`] units.
#[inline(always)]
unsafe fn convert<T: Copy + Default, U: Copy, const N: usize>(
    src: &[T],
    out: &mut Out<'_, U>,
    fit: impl Fn(usize) -> usize,
    longest: usize,
    mut block: impl FnMut(&[T; BLOCK + RUN], u64, *mut U) -> Option<(usize, *mut U)>,
) -> usize {
    let mut read = 0;
    loop {
        let rest = after(src, read);
        let len = rest.len().min(PIECE).min(fit(out.room()));
        let mut beside = [const { MaybeUninit::uninit() }; N];
        let start = beside.as_mut_ptr().cast::<U>();
        // Where what follows `at` is to go.
        let (mut at, mut to) = (0, start);
        let mut padded = MaybeUninit::uninit();
        let mut stops = false;
        // What is left of a piece, less than a block, is for the next one.
        while at < len && (at + BLOCK <= len || len == rest.len()) {
            let inside = u64::MAX >> (BLOCK - (len - at).min(BLOCK));
            let (taken, behind) =
                block(block_at(rest, at, &mut padded), inside, to).unwrap_or((0, to));
            at += taken;
            to = behind;
            stops = taken + longest <= BLOCK;
            if stops {
                break;
            }
        }
        // SAFETY: both are in `beside`, and what is between them is initialised: the contract of this function.
        let fits = unsafe {
            let written = to.offset_from_unsigned(start);
            out.push_beside(&beside, written)
        };
        debug_assert!(fits);
        read += at;
        if stops || at == 0 {
            return read;
        }
    }
}

/// What stands in `src` from `at` on, zeros behind its end.
#[inline(always)]
fn block_at<'a, T: Copy + Default>(
    src: &'a [T],
    at: usize,
    padded: &'a mut MaybeUninit<[T; BLOCK + RUN]>,
) -> &'a [T; BLOCK + RUN] {
    let rest = after(src, at);
    match rest.first_chunk() {
        Some(block) => block,
        None => {
            let padded = padded.write([T::default(); BLOCK + RUN]);
            padded[..rest.len()].copy_from_slice(rest);
            padded
        }
    }
}

/// The units of a block without the run behind them.
#[inline(always)]
fn units<T>(block: &[T; BLOCK + RUN]) -> &[T; BLOCK] {
    let Some(units) = block.first_chunk() else {
        unreachable!()
    };
    units
}

/// Whether more bits are set in a row than a run has units.
#[inline(always)]
fn has_long_run(mut bits: u64) -> bool {
    for shift in [1, 2, 4, 8, 1] {
        bits &= bits >> shift;
    }
    bits != 0
}

#[cfg(test)]
pub(super) mod tests;
