//! The schedule for restarting a vector kernel after it has stopped early.

use crate::simd::tuning;

/// Exponential back-off for starting a vector kernel.
///
/// Starting a kernel takes as long as converting some dozens of units without it. Input that often stops the kernel,
/// because it is malformed or unmappable, is converted by a portable loop for a while. This pause doubles with each
/// unprofitable start, and a profitable start ends it.
#[derive(Clone, Copy)]
pub(crate) struct Backoff(u16);

impl Backoff {
    /// The pause after a profitable start, which skips the character that stopped it.
    const SHORTEST: u16 = tuning::PAUSES[0];
    /// The pause after the first unprofitable start.
    const FIRST: u16 = tuning::PAUSES[1];
    const LONGEST: u16 = tuning::PAUSES[2];

    /// Starts with the kernel, because most text is well-formed and mappable.
    pub(super) const fn new() -> Self {
        Self(0)
    }

    /// Starts with a pause, after the kernel or something else has stopped the conversion.
    pub(super) const fn behind_stop() -> Self {
        Self(Self::FIRST)
    }

    /// Returns the number of units to convert without the kernel.
    #[inline(always)]
    pub(super) fn pause(self) -> usize {
        self.0.into()
    }

    /// Records that the kernel stopped after `taken` units. From `pays` units on, the start was profitable. Kernels of
    /// double bytes count pairs instead: the portable loop copies ASCII as fast.
    #[inline(always)]
    pub(super) fn stopped(&mut self, taken: usize, pays: usize) {
        self.0 = if taken < pays {
            (2 * self.0).clamp(Self::FIRST, Self::LONGEST)
        } else {
            Self::SHORTEST
        };
    }

    /// Records that the input ended and nothing stopped the conversion.
    #[inline(always)]
    pub(super) fn ended(&mut self) {
        self.0 /= 2;
    }
}

#[cfg(test)]
mod tests {
    use super::Backoff;

    #[test]
    fn pauses_double_up_to_a_limit_and_end_where_a_start_pays() {
        let mut backoff = Backoff::new();
        let pauses = [0; 8].map(|_| {
            backoff.stopped(10, 64);
            backoff.pause()
        });
        assert_eq!(pauses, [32, 64, 128, 256, 512, 1024, 1024, 1024]);
        backoff.stopped(64, 64);
        assert_eq!(backoff.pause(), 4);
        for _ in 0..3 {
            backoff.ended();
        }
        assert_eq!(backoff.pause(), 0);
    }
}
