//! Single-byte encodings whose lower half is not ASCII (EBCDIC): an index in another order.
//!
//! For decoding, a part of the input is permuted to the order of the index, and then converted by the kernels for all
//! indexes. For encoding, `Encoder` permutes the output of each call to the order of the page.

use super::restart::Backoff;
use super::single_byte::SingleByteDecoder;
use super::{DecodeMachine, Malformed, Step, Unit};
use crate::simd::tuning;
use crate::simd::{self, Out};
use crate::tables::extended::Permuted;

#[derive(Clone, Copy)]
pub(crate) struct PermutedDecoder {
    page: &'static Permuted,
}

/// The number of bytes permuted at once: enough for a kernel, and few enough to stay in the L1 cache.
const PART: usize = tuning::SINGLE_BYTE_PART;

impl PermutedDecoder {
    pub const fn new(page: &'static Permuted) -> Self {
        Self { page }
    }

    fn inner(&self) -> SingleByteDecoder {
        SingleByteDecoder::new(self.page.index)
    }
}

impl DecodeMachine for PermutedDecoder {
    fn step(&mut self, byte: u8) -> Step {
        self.inner().step(self.page.to_index[usize::from(byte)])
    }

    fn finish(&mut self) -> Option<Malformed> {
        None
    }

    fn is_neutral(&self) -> bool {
        true
    }

    #[inline(never)]
    fn prefix<U: Unit>(&mut self, src: &[u8], out: &mut Out<'_, U>, _: &mut Backoff) -> usize {
        let mut scratch = [0; PART];
        let mut read = 0;
        for part in src.chunks(PART) {
            let permuted = &mut scratch[..part.len()];
            simd::permute(self.page.to_index, part, permuted);
            let taken = U::push_single_byte(self.page.index.code_points(), permuted, out);
            read += taken;
            if taken < part.len() {
                break;
            }
        }
        read
    }

    fn max_utf8(&self, n: usize, replacing: bool) -> Option<usize> {
        self.inner().max_utf8(n, replacing)
    }
}
