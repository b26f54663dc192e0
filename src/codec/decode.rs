//! The decode driver: alternates prefix kernel and state machine over one chunk.

use super::replay::Replay;
use super::restart::Backoff;
use super::{AnyDecoder, DecodeMachine, Malformed, Step, Unit};
use crate::simd::{self, DoubleByteDecode, Out, tail, tuning};

/// The reason why the driver stopped.
#[derive(Clone, Copy)]
pub(crate) enum DecodeStop {
    /// All input is read. With `last`, end-of-queue is handled too.
    InputEmpty,
    /// The next scalar value does not fit.
    OutputFull,
    /// A malformed sequence of `len` bytes, followed by `after` bytes that are read but not decoded yet.
    Malformed { len: u8, after: u8 },
}

/// The handling of malformed sequences.
pub(crate) struct Errors {
    /// True if U+FFFD replaces malformed sequences as long as it fits into the output.
    pub replace: bool,
    /// True if there was a malformed sequence.
    pub seen: bool,
}

impl Errors {
    /// Records a malformed sequence. True if U+FFFD has been written for it.
    #[inline(always)]
    fn replaced<U: Unit>(&mut self, out: &mut Out<'_, U>) -> bool {
        self.seen = true;
        self.replace && U::push_bmp(out, 0xFFFD)
    }
}

/// Decodes `src` until it is read, the output is full or a sequence is malformed.
///
/// Returns the reason for the stop and the number of bytes of `src` read. With `errors.replace`, a malformed
/// sequence is a stop only if U+FFFD does not fit. `behind_kernel` is true if the kernel has just stopped at `src`.
pub(crate) fn decode<U: Unit>(
    machine: &mut AnyDecoder,
    replay: &mut Replay,
    src: &[u8],
    mut behind_kernel: bool,
    out: &mut Out<'_, U>,
    last: bool,
    errors: &mut Errors,
) -> (DecodeStop, usize) {
    let mut read = 0;
    let mut backoff = Backoff::behind_stop();
    'characters: loop {
        if machine.is_neutral() && replay.is_empty() {
            loop {
                if !core::mem::take(&mut behind_kernel) {
                    read += machine.prefix(&src[read..], out, &mut backoff);
                }
                if !errors.replace {
                    break;
                }
                let replaced = machine.replace_malformed(&src[read..], out, errors);
                if replaced == 0 {
                    break;
                }
                read += replaced;
            }
        }
        loop {
            if let Some(owed) = machine.owed()
                && let Some(second) = *owed
            {
                if !U::push_scalar(out, second.into()) {
                    return (DecodeStop::OutputFull, read);
                }
                *owed = None;
                continue 'characters;
            }
            let from_replay = replay.front();
            let Some(byte) = from_replay.or_else(|| src.get(read).copied()) else {
                if last && let Some(malformed) = machine.finish() {
                    replay.restore(malformed.replay);
                    if errors.replaced(out) {
                        continue 'characters;
                    }
                    return (stop_at(&malformed, replay), read);
                }
                return (DecodeStop::InputEmpty, read);
            };
            let before = *machine;
            let step = machine.step(byte);
            let fits = match step {
                Step::Continue | Step::Malformed(_) => true,
                Step::Scalar(scalar) => U::push_scalar(out, scalar),
                Step::Pair(first, second) => {
                    U::push_pair(out, first, second)
                        || machine.owed().is_some_and(|owed| {
                            *owed = char::from_u32(second);
                            U::push_scalar(out, first)
                        })
                }
            };
            if !fits {
                *machine = before;
                return (DecodeStop::OutputFull, read);
            }
            let unread = matches!(step, Step::Malformed(Malformed { unread: true, .. }));
            if !unread {
                match from_replay {
                    Some(_) => replay.pop(),
                    None => read += 1,
                }
            }
            match step {
                Step::Malformed(malformed) => {
                    if !malformed.replay.is_empty() {
                        replay.restore(malformed.replay);
                    }
                    if errors.replaced(out) {
                        continue 'characters;
                    }
                    return (stop_at(&malformed, replay), read);
                }
                Step::Continue => {}
                Step::Scalar(_) | Step::Pair(..) => break,
            }
        }
    }
}

#[inline(never)]
fn stop_at(malformed: &Malformed, replay: &Replay) -> DecodeStop {
    DecodeStop::Malformed {
        len: malformed.len,
        after: malformed.held + replay.len() as u8,
    }
}

/// Replaces the malformed sequences at the start of `src` that [`DecodeMachine::malformed`] finds. Returns the number
/// of bytes read.
#[inline(always)]
pub(super) fn replace_malformed<M: DecodeMachine, U: Unit>(
    machine: &M,
    src: &[u8],
    out: &mut Out<'_, U>,
    errors: &mut Errors,
) -> usize {
    let mut read = 0;
    loop {
        let malformed = machine.malformed(&src[read..]);
        if malformed == 0 || !errors.replaced(out) {
            return read;
        }
        read += malformed;
        read += machine.replace(&src[read..], out);
    }
}

/// Writes a scalar value. Not inlined, and given `out` instead of the caller's cursor, which thus stays in registers.
#[inline(never)]
fn push_other<U: Unit>(out: &mut Out<'_, U>, scalar: u32) -> bool {
    U::push_scalar(out, scalar)
}

/// The portable prefix kernel of every ASCII-compatible multi-byte encoding.
///
/// `sequence` decodes the well-formed non-ASCII sequence at the start of a slice to a scalar value and the length in
/// bytes. It returns `None` if the state machine has to handle the sequence.
#[inline(always)]
pub(crate) fn well_formed<U: Unit>(
    src: &[u8],
    out: &mut Out<'_, U>,
    sequence: impl Fn(&[u8]) -> Option<(u32, usize)>,
) -> usize {
    /// The minimum number of consecutive ASCII bytes for which starting the ASCII kernel pays off.
    const RUN: usize = 8;
    let mut out = out.local();
    let mut rest = src;
    loop {
        let len = match *rest {
            [] => break,
            [a, ..] if a < 0x80 => {
                if rest.first_chunk::<RUN>().is_some_and(|run| run.is_ascii()) {
                    match out.lend(|out| U::push_ascii(rest, out)) {
                        0 => break,
                        taken => taken,
                    }
                } else if U::push_bmp(&mut out, u16::from(a)) {
                    1
                } else {
                    break;
                }
            }
            _ => {
                let Some((scalar, len)) = sequence(rest) else {
                    break;
                };
                // The most frequent case first.
                let fits = if matches!(scalar, 0x800..=0xFFFF) {
                    U::push_three(&mut out, scalar)
                } else {
                    out.lend(|out| push_other(out, scalar))
                };
                if !fits {
                    break;
                }
                len
            }
        };
        rest = tail(rest, len);
    }
    src.len() - rest.len()
}

/// The prefix kernel of a double-byte encoding: the vector kernel where it pays off, otherwise `run`, which is
/// [`well_formed`] for the encoding. A start of the vector kernel pays off from half its minimum input on, in pairs.
#[inline(always)]
pub(crate) fn well_formed_double_byte<U: Unit>(
    pairs: &DoubleByteDecode,
    src: &[u8],
    out: &mut Out<'_, U>,
    backoff: &mut Backoff,
    run: impl Fn(&[u8], &mut Out<'_, U>) -> usize,
) -> usize {
    const LONGEST_SEQUENCE: usize = 4;
    let mut read = 0;
    // Short input is not worth the query of the instruction set.
    let from = (src.len() >= tuning::DOUBLE_BYTE_FROM[0])
        .then(simd::double_byte_from)
        .flatten()
        .unwrap_or(usize::MAX);
    loop {
        let rest = tail(src, read);
        let pause = backoff.pause();
        let is_end = rest.len() < from.saturating_add(pause);
        let portable = if is_end { rest } else { &rest[..pause] };
        let taken = run(portable, out);
        read += taken;
        // The end of the portable part may split a character.
        if is_end || portable.len() >= taken + LONGEST_SEQUENCE {
            return read;
        }
        let before = out.written();
        let taken = U::push_double_byte(pairs, tail(src, read), out);
        read += taken;
        if read == src.len() {
            return read;
        }
        // A pair becomes one code unit of UTF-16, or three bytes of UTF-8.
        backoff.stopped(taken.abs_diff(out.written() - before), from / 2);
    }
}
