//! The instruction sets: the passes compiled for each.

use super::super::super::out::Out;
use super::super::super::token::{Avx2, Ssse3};
use super::super::{EncodePairs, Ranks};
use super::merge::COUNTS;
use super::{Batch, Form, FourBytes, Set, Units, encode_batches, forms};

/// The passes, compiled for one instruction set.
///
/// But for `encode`, they do not depend on the encoding, and are not to be inlined: their methods say so, as the
/// compiler (1.95) passes over that on functions with features of their own.
macro_rules! passes {
    ($features:literal) => {
        #[inline(always)]
        fn encode<P: EncodePairs, F: Form>(self, src: &[F::Unit], out: &mut Out<'_, u8>) -> usize {
            #[target_feature(enable = $features)]
            fn featured<S: Set, P: EncodePairs, F: Form>(
                set: S,
                src: &[F::Unit],
                out: &mut Out<'_, u8>,
            ) -> usize {
                encode_batches::<S, P, F>(set, src, out)
            }
            // SAFETY: holding the token proves detection succeeded.
            unsafe { featured::<Self, P, F>(self, src, out) }
        }

        #[inline(never)]
        unsafe fn widen(self, src: &[u8], pairs: bool, to: *mut u16) -> (usize, usize) {
            #[target_feature(enable = $features)]
            unsafe fn featured<S: Set>(
                set: S,
                src: &[u8],
                pairs: bool,
                to: *mut u16,
            ) -> (usize, usize) {
                // SAFETY: the contract of this method.
                unsafe { forms::widen(set, src, pairs, to) }
            }
            // SAFETY: holding the token proves detection succeeded; the rest is the contract of this method.
            unsafe { featured(self, src, pairs, to) }
        }

        #[inline(never)]
        unsafe fn find(self, batch: &mut Batch, units: *const u16, len: usize) {
            #[target_feature(enable = $features)]
            unsafe fn featured<S: Set>(set: S, batch: &mut Batch, units: *const u16, len: usize) {
                // SAFETY: the contract of this method.
                unsafe { batch.find_characters(set, units, len) }
            }
            // SAFETY: holding the token proves detection succeeded; the rest is the contract of this method.
            unsafe { featured(self, batch, units, len) }
        }

        #[inline(never)]
        fn find_values(self, batch: &mut Batch, table: &Ranks, offset: u16) {
            #[target_feature(enable = $features)]
            fn featured(batch: &mut Batch, table: &Ranks, offset: u16) {
                match table.ideographs {
                    None => batch.find_values::<false>(table, 0, offset),
                    Some(first) => batch.find_values::<true>(table, first, offset),
                }
            }
            // SAFETY: holding the token proves detection succeeded.
            unsafe { featured(batch, table, offset) }
        }

        #[inline(never)]
        unsafe fn write(self, batch: &Batch, source: Units, four: FourBytes, to: *mut u8) -> usize {
            #[target_feature(enable = $features)]
            unsafe fn featured<S: Set>(
                set: S,
                batch: &Batch,
                source: Units,
                four: FourBytes,
                to: *mut u8,
            ) -> usize {
                // SAFETY: the contract of this method.
                unsafe {
                    match batch.ragged {
                        false => batch.write_steps::<S, false>(set, source, four, to),
                        true => batch.write_steps::<S, true>(set, source, four, to),
                    }
                }
            }
            // SAFETY: holding the token proves detection succeeded; the rest is the contract of this method.
            unsafe { featured(self, batch, source, four, to) }
        }
    };
}

impl Set for Avx2 {
    passes!("avx2,bmi1,bmi2,popcnt,lzcnt");

    #[inline(always)]
    fn count(self, bits: u8) -> usize {
        bits.count_ones() as usize
    }
}

impl Set for Ssse3 {
    passes!("ssse3");

    #[inline(always)]
    fn count(self, bits: u8) -> usize {
        COUNTS[usize::from(bits)].into()
    }
}
