//! The decoder of encodings in which a character is one byte, or a pair of a lead and a trail: Big5, EUC-KR, Shift_JIS.
//!
//! The Standard's handlers of the three are one algorithm; [`Pairs`] holds the differences. EUC-JP and gb18030 also have
//! longer sequences, and their own decoders.

use super::decode::{well_formed, well_formed_double_byte};
use super::restart::Backoff;
use super::{DecodeMachine, Malformed, Step, Unit};
use crate::simd::{DoubleByteDecode, Out};
use core::marker::PhantomData;

/// A double-byte encoding: the single bytes, leads and pairs of the Standard's decoder.
pub(crate) trait Pairs: Copy {
    /// The description for the vector kernels: the layout of leads and trails, and the index.
    const KERNEL: &'static DoubleByteDecode;

    /// The bytes that start a pair: two ranges, which may be equal.
    const LEADS: [(u8, u8); 2] = [(0x81, 0xFE); 2];

    /// Returns the scalar value of a single byte from 0x80 on that is not a lead.
    #[inline(always)]
    fn single(_byte: u8) -> Option<u32> {
        None
    }

    /// Returns the scalar value of a pair. `lead` is a lead; `trail` is any byte.
    fn scalar(lead: u8, trail: u8) -> Option<u32>;

    /// Returns the scalar values of a pair that has two, for which [`scalar`](Self::scalar) returns `None`.
    #[inline(always)]
    fn two_scalars(_lead: u8, _trail: u8) -> Option<(u32, u32)> {
        None
    }

    /// Returns the maximum number of UTF-8 bytes for `n` bytes of well-formed input.
    fn max_utf8(n: usize) -> Option<usize>;
}

/// True if a byte starts a pair, in an encoding with these [`LEADS`](Pairs::LEADS).
#[inline(always)]
fn is_lead([first, second]: [(u8, u8); 2], byte: u8) -> bool {
    (first.0..=first.1).contains(&byte) || (second.0..=second.1).contains(&byte)
}

/// Returns a table of character lengths, indexed by the first byte.
#[cfg(feature = "alloc")]
pub(super) const fn lengths<P: Pairs>() -> [u8; 256] {
    let [first, second] = P::LEADS;
    let mut lengths = [1; 256];
    let mut byte = 0;
    while byte < 256 {
        let is_in_first = byte >= first.0 as usize && byte <= first.1 as usize;
        if is_in_first || byte >= second.0 as usize && byte <= second.1 as usize {
            lengths[byte] = 2;
        }
        byte += 1;
    }
    lengths
}

/// The state machine: a lead that awaits its trail, or 0.
#[derive(Clone, Copy)]
pub(crate) struct PairDecoder<P> {
    lead: u8,
    encoding: PhantomData<P>,
}

impl<P> PairDecoder<P> {
    pub const NEW: Self = Self {
        lead: 0,
        encoding: PhantomData,
    };
}

/// Decodes well-formed input without vectors. Returns the number of bytes read.
#[inline(never)]
fn run<P: Pairs, U: Unit>(src: &[u8], out: &mut Out<'_, U>) -> usize {
    well_formed(src, out, |rest| match *rest {
        [lead, trail, ..] if is_lead(P::LEADS, lead) => Some((P::scalar(lead, trail)?, 2)),
        [byte, ..] => Some((P::single(byte)?, 1)),
        _ => None,
    })
}

impl<P: Pairs> DecodeMachine for PairDecoder<P> {
    const MALFORMED_WITHIN: usize = 2;

    #[inline(always)]
    fn step(&mut self, byte: u8) -> Step {
        // Step 3 of each.
        if self.lead != 0 {
            let lead = core::mem::take(&mut self.lead);
            return match P::scalar(lead, byte) {
                Some(scalar) => Step::Scalar(scalar),
                None => match P::two_scalars(lead, byte) {
                    Some((first, second)) => Step::Pair(first, second),
                    None => Malformed::pair(byte, 2),
                },
            };
        }
        // Steps 4 to 6, or to 7.
        if byte < 0x80 {
            Step::Scalar(byte.into())
        } else if is_lead(P::LEADS, byte) {
            self.lead = byte;
            Step::Continue
        } else {
            P::single(byte).map_or(Malformed::through(1), Step::Scalar)
        }
    }

    fn finish(&mut self) -> Option<Malformed> {
        // Steps 1 and 2.
        Malformed::at_end((core::mem::take(&mut self.lead) != 0).into())
    }

    #[inline(always)]
    fn is_neutral(&self) -> bool {
        self.lead == 0
    }

    #[inline(always)]
    fn probes_ascii(&self) -> bool {
        true
    }

    fn prefix<U: Unit>(
        &mut self,
        src: &[u8],
        out: &mut Out<'_, U>,
        backoff: &mut Backoff,
    ) -> usize {
        well_formed_double_byte(P::KERNEL, src, out, backoff, run::<P, U>)
    }

    #[inline(always)]
    fn short<U: Unit>(&mut self, src: &[u8], out: &mut Out<'_, U>) -> usize {
        run::<P, U>(src, out)
    }

    fn max_utf8(&self, n: usize, replacing: bool) -> Option<usize> {
        if replacing {
            n.checked_mul(3)
        } else {
            P::max_utf8(n)
        }
    }
}
