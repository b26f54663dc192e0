//! The traits of a codec: a state machine and a prefix kernel, for either direction.

use super::restart::Backoff;
use super::{Chars, Replay, Unit, Unmappables};
use crate::simd::{Out, Packed};

/// The effect of one byte on a decoder's state machine.
#[derive(Clone, Copy)]
pub(crate) enum Step {
    /// The byte is part of an incomplete sequence.
    Continue,
    /// A scalar value is complete.
    Scalar(u32),
    /// Two scalar values are complete (four pointers of Big5).
    Pair(u32, u32),
    /// The sequence is malformed.
    Malformed(Malformed),
}

/// A malformed sequence, and the handling of the other bytes read so far.
///
/// In order: `len` malformed bytes, `held` bytes in the new state of the machine, and `replay` bytes to be read again.
/// If `unread` is set, the current byte follows, to be read again too.
#[derive(Clone, Copy, Default)]
pub(crate) struct Malformed {
    pub len: u8,
    pub held: u8,
    pub replay: Replay,
    pub unread: bool,
}

impl Malformed {
    /// Returns a malformed sequence of `len` bytes that ends with the current byte.
    #[inline]
    pub fn through(len: u8) -> Step {
        Step::Malformed(Malformed {
            len,
            ..Malformed::default()
        })
    }

    /// Returns a malformed sequence of `len` bytes that ends before the current byte, which is restored.
    #[inline]
    pub fn before(len: u8) -> Step {
        Step::Malformed(Malformed {
            len,
            unread: true,
            ..Malformed::default()
        })
    }

    /// Returns the malformed sequence of the `len` held bytes at the end of the input, if there are any.
    #[inline]
    pub fn at_end(len: u8) -> Option<Malformed> {
        (len > 0).then_some(Malformed {
            len,
            ..Malformed::default()
        })
    }

    /// Applies the Standard's rule for a bad trail: an ASCII byte is restored, any other belongs to the malformed pair.
    #[inline]
    pub fn pair(trail: u8, len: u8) -> Step {
        if trail < 0x80 {
            Malformed::before(len - 1)
        } else {
            Malformed::through(len)
        }
    }
}

/// A decoder's state machine: the Standard's handler for one encoding, one byte at a time.
///
/// `Copy`, so that the driver can step back if a scalar value does not fit into the output.
pub(crate) trait DecodeMachine: Copy {
    /// Handles one byte.
    fn step(&mut self, byte: u8) -> Step;

    /// Handles end-of-queue: reports an incomplete sequence as malformed. Returns `None` if the input is complete.
    fn finish(&mut self) -> Option<Malformed>;

    /// True if no sequence is in progress, so that a kernel may start.
    fn is_neutral(&self) -> bool;

    /// The number of bytes that suffice to recognise most malformed sequences. Bytes after the sequence are restored.
    const MALFORMED_WITHIN: usize = 0;

    /// Returns the length of the malformed sequence at the start of `src`, in the neutral state. Returns 0 if only the
    /// state machine can determine the length, or if its state must change.
    ///
    /// A fast path for replacement. The default implementation steps a copy of the machine over
    /// [`MALFORMED_WITHIN`](Self::MALFORMED_WITHIN) bytes.
    #[inline(always)]
    fn malformed(&self, src: &[u8]) -> usize {
        let mut machine = *self;
        for &byte in src.iter().take(Self::MALFORMED_WITHIN) {
            match machine.step(byte) {
                Step::Continue => {}
                Step::Malformed(malformed) => {
                    // All other bytes are restored.
                    debug_assert!(machine.is_neutral() && malformed.held == 0);
                    return malformed.len.into();
                }
                Step::Scalar(_) | Step::Pair(..) => return 0,
            }
        }
        0
    }

    /// Continues after a sequence found by [`malformed`](Self::malformed), with U+FFFD for further malformed sequences.
    /// Returns the number of bytes read.
    #[inline(always)]
    fn replace<U: Unit>(&self, src: &[u8], out: &mut Out<'_, U>) -> usize {
        let _ = (src, out);
        0
    }

    /// True if short input is tested for ASCII at the start of a call. Kernels that convert ASCII as fast as other text
    /// need no such test.
    #[inline(always)]
    fn probes_ascii(&self) -> bool {
        false
    }

    /// Converts short input at the start of a call, as [`prefix`](Self::prefix) does, without kernels.
    #[inline(always)]
    fn short<U: Unit>(&mut self, src: &[u8], out: &mut Out<'_, U>) -> usize {
        self.prefix(src, out, &mut Backoff::new())
    }

    /// Prefix kernel: converts well-formed input from the neutral state. Returns the number of bytes read. `backoff`
    /// decides between a vector kernel and a portable loop.
    fn prefix<U: Unit>(&mut self, src: &[u8], out: &mut Out<'_, U>, backoff: &mut Backoff)
    -> usize;

    /// Returns the number of bytes already read that the state still represents and that may produce output.
    fn pending(&self) -> usize {
        usize::from(!self.is_neutral())
    }

    /// Returns the length of the incomplete character or escape sequence at the end of the bytes read.
    fn incomplete(&self) -> usize {
        self.pending()
    }

    /// Returns the maximum number of UTF-8 bytes for `n` bytes, including pending ones, read from the neutral state.
    fn max_utf8(&self, n: usize, replacing: bool) -> Option<usize> {
        let _ = replacing;
        n.checked_mul(3)
    }

    /// Returns the maximum number of UTF-16 code units for `n` bytes, including pending ones, read from the neutral state.
    fn max_utf16(&self, n: usize, replacing: bool) -> Option<usize> {
        let _ = replacing;
        Some(n)
    }
}

/// The effect of one scalar value on an encoder's state machine.
pub(crate) enum EncodeStep {
    /// The scalar value as bytes.
    Bytes(Packed),
    /// An escape sequence; the scalar value is restored and handled again.
    Escape(Packed),
    /// The scalar value is unmappable. This is the value that the Standard reports, which may differ from the one passed.
    Unmappable(u32),
}

impl EncodeStep {
    /// Returns the step for a scalar value: the bytes of `pair`, or "unmappable" if there is none.
    #[inline(always)]
    pub fn pair(scalar: u32, pair: Option<u16>) -> Self {
        pair.map_or(Self::Unmappable(scalar), |pair| {
            Self::Bytes(Packed::lead_trail(pair))
        })
    }
}

/// An encoder's state machine: the Standard's handler for one encoding, one scalar value at a time.
pub(crate) trait EncodeMachine: Copy {
    /// Handles one scalar value.
    fn step(&mut self, scalar: u32) -> EncodeStep;

    /// Handles end-of-queue: returns the bytes that bring the output back to its initial state.
    fn finish(&mut self) -> Option<Packed> {
        None
    }

    /// True if the start of a call tests short input for ASCII.
    #[inline(always)]
    fn probes_ascii(&self) -> bool {
        false
    }

    /// Prefix kernel: encodes mappable input, and the rest as references if `unmappables` requests them. Returns the
    /// number of units read.
    fn prefix<S: Chars + ?Sized>(
        &mut self,
        src: &S,
        out: &mut Out<'_, u8>,
        unmappables: &mut Unmappables,
    ) -> usize;
}
