//! What a codec implements: a state machine and a prefix kernel, for either direction.

use super::restart::Backoff;
use super::{Replay, Unit, Unmappables};
use crate::simd::{Out, Packed};

/// What one byte does to a decoder's state machine.
#[derive(Clone, Copy)]
pub(crate) enum Step {
    /// The byte is part of a sequence that goes on.
    Continue,
    /// A scalar value is complete.
    Scalar(u32),
    /// Two scalar values are complete (four pointers of Big5).
    Pair(u32, u32),
    /// The sequence is malformed.
    Malformed(Malformed),
}

/// How a malformed sequence splits the bytes read so far.
///
/// The bytes are, in order: `len` malformed ones, `held` ones that the machine's new state stands for, `replay` ones
/// that the machine gives back to be read again, and, where `unread` is set, the current byte, to be read again too.
#[derive(Clone, Copy, Default)]
pub(crate) struct Malformed {
    pub len: u8,
    pub held: u8,
    pub replay: Replay,
    pub unread: bool,
}

impl Malformed {
    /// A malformed sequence of `len` bytes that ends with the current byte.
    #[inline]
    pub fn through(len: u8) -> Step {
        Step::Malformed(Malformed {
            len,
            ..Malformed::default()
        })
    }

    /// A malformed sequence of `len` bytes that ends before the current byte, which is restored.
    #[inline]
    pub fn before(len: u8) -> Step {
        Step::Malformed(Malformed {
            len,
            unread: true,
            ..Malformed::default()
        })
    }

    /// The malformed sequence at the end of the input: the `len` bytes that wait, if there are any.
    #[inline]
    pub fn at_end(len: u8) -> Option<Malformed> {
        (len > 0).then_some(Malformed {
            len,
            ..Malformed::default()
        })
    }

    /// The Standard's rule for a bad trail: an ASCII byte is restored, any other belongs to the malformed pair.
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
/// `Copy`, so that the driver can take a step back when a scalar value does not fit into the output.
pub(crate) trait DecodeMachine: Copy {
    /// Handles one byte.
    fn step(&mut self, byte: u8) -> Step;

    /// Handles end-of-queue: the malformed rest, or `None` when the input is complete.
    fn finish(&mut self) -> Option<Malformed>;

    /// Whether no sequence is in progress, so that a kernel may start.
    fn is_neutral(&self) -> bool;

    /// The number of bytes that show most malformed sequences; those after the sequence are restored.
    const MALFORMED_WITHIN: usize = 0;

    /// The length of the malformed sequence that `src` starts with, from the neutral state; 0 where only the state
    /// machine can tell, or where it would do more than report that many bytes and stay as it is.
    ///
    /// A short cut for text that is replaced. This default steps a copy of the machine over the bytes of
    /// [`MALFORMED_WITHIN`](Self::MALFORMED_WITHIN).
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

    /// Goes on after what [`malformed`](Self::malformed) found, with U+FFFD for more malformed sequences; returns the
    /// number of bytes taken.
    #[inline(always)]
    fn replace<U: Unit>(&self, src: &[u8], out: &mut Out<'_, U>) -> usize {
        let _ = (src, out);
        0
    }

    /// Prefix kernel: converts well-formed input from the neutral state; returns the number of bytes taken. `backoff` says
    /// when a vector kernel is started that a portable loop can do without.
    fn prefix<U: Unit>(&mut self, src: &[u8], out: &mut Out<'_, U>, backoff: &mut Backoff)
    -> usize;

    /// Bytes read that the state stands for and that may still produce output.
    fn pending(&self) -> usize {
        usize::from(!self.is_neutral())
    }

    /// How many of the last bytes read belong to a character or an escape sequence that is incomplete.
    fn incomplete(&self) -> usize {
        self.pending()
    }

    /// Most UTF-8 bytes for `n` bytes of input, pending ones included, read from the neutral state.
    fn max_utf8(&self, n: usize, replacing: bool) -> Option<usize> {
        let _ = replacing;
        n.checked_mul(3)
    }

    /// Most UTF-16 code units for `n` bytes of input, pending ones included, read from the neutral state.
    fn max_utf16(&self, n: usize, replacing: bool) -> Option<usize> {
        let _ = replacing;
        Some(n)
    }
}

/// What one scalar value does to an encoder's state machine.
pub(crate) enum EncodeStep {
    /// The scalar value as bytes.
    Bytes(Packed),
    /// An escape sequence; the scalar value is restored and handled again.
    Escape(Packed),
    /// The encoding has no bytes for it. The Standard reports this scalar value, not always the one given.
    Unmappable(u32),
}

impl EncodeStep {
    /// The two bytes of a scalar value, if it has any.
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

    /// Handles end-of-queue: the bytes that bring the output back to its initial state.
    fn finish(&mut self) -> Option<Packed> {
        None
    }

    /// Prefix kernel over UTF-8: encodes mappable input, and what is not if `unmappables` has references written; returns
    /// the number of source bytes taken.
    fn prefix_utf8(
        &mut self,
        src: &str,
        out: &mut Out<'_, u8>,
        unmappables: &mut Unmappables,
    ) -> usize;

    /// Prefix kernel over UTF-16, with the same contract; returns the number of code units taken.
    fn prefix_utf16(
        &mut self,
        src: &[u16],
        out: &mut Out<'_, u8>,
        unmappables: &mut Unmappables,
    ) -> usize;
}
