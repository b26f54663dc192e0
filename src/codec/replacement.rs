//! replacement (section 14.1 of the Standard): one error for any input, and no encoder.

use super::restart::Backoff;
use super::{DecodeMachine, Malformed, Step, Unit};
use crate::simd::Out;

#[derive(Clone, Copy)]
pub(crate) struct ReplacementDecoder {
    error_returned: bool,
}

impl ReplacementDecoder {
    pub const NEW: Self = Self {
        error_returned: false,
    };
}

impl DecodeMachine for ReplacementDecoder {
    fn step(&mut self, _byte: u8) -> Step {
        // Step 2.
        if !self.error_returned {
            self.error_returned = true;
            return Malformed::through(1);
        }
        // Step 3: finished; further input is read and dropped.
        Step::Continue
    }

    fn finish(&mut self) -> Option<Malformed> {
        None
    }

    fn is_neutral(&self) -> bool {
        true
    }

    fn prefix<U: Unit>(&mut self, src: &[u8], _out: &mut Out<'_, U>, _: &mut Backoff) -> usize {
        if self.error_returned { src.len() } else { 0 }
    }

    fn max_utf8(&self, n: usize, replacing: bool) -> Option<usize> {
        Some(3 * self.max_utf16(n, replacing)?)
    }

    fn max_utf16(&self, n: usize, replacing: bool) -> Option<usize> {
        Some(usize::from(n > 0 && replacing && !self.error_returned))
    }
}
