//! The encode driver: alternates prefix kernel and state machine over one chunk of UTF-8 or UTF-16.

use super::{Chars, EncodeMachine, EncodeStep, Unmappables};
use crate::simd::Out;

/// The reason why the driver stopped.
pub(crate) enum EncodeStop {
    /// All input is read, except a lead surrogate at the end of a chunk. With `last`, end-of-queue is handled too.
    InputEmpty,
    /// The next character's bytes do not fit.
    OutputFull,
    /// An unmappable scalar value of `len` units has been read. `scalar` is the value to report, which may differ.
    Unmappable { scalar: u32, len: u8 },
}

/// Encodes `src` from `start` on until it is read, the output is full or a scalar value is unmappable.
///
/// Returns the reason for the stop and the offset up to which `src` was read; an unmappable scalar value counts as
/// read. If references are requested, an unmappable value is a stop only if its reference does not fit.
/// `behind_kernel` is true if the kernel has just stopped at `start`.
pub(crate) fn encode<M: EncodeMachine, S: Chars + ?Sized>(
    machine: &mut M,
    src: &S,
    start: usize,
    mut behind_kernel: bool,
    out: &mut Out<'_, u8>,
    last: bool,
    unmappables: &mut Unmappables,
) -> (EncodeStop, usize) {
    let mut read = start;
    'characters: loop {
        if !core::mem::take(&mut behind_kernel) {
            read += machine.prefix(src.tail(read), out, unmappables);
        }
        let Some((scalar, len)) = src.scalar(read, last) else {
            if last {
                let before = *machine;
                if let Some(bytes) = machine.finish()
                    && !bytes.push_to(out)
                {
                    *machine = before;
                    return (EncodeStop::OutputFull, read);
                }
            }
            return (EncodeStop::InputEmpty, read);
        };
        // An escape sequence and the bytes after it are two writes: either may fill the output.
        loop {
            let before = *machine;
            let (bytes, done) = match machine.step(scalar) {
                EncodeStep::Bytes(bytes) => (bytes, true),
                EncodeStep::Escape(bytes) => (bytes, false),
                EncodeStep::Unmappable(scalar) => {
                    read += usize::from(len);
                    if unmappables.write(scalar, out) {
                        continue 'characters;
                    }
                    unmappables.seen = true;
                    return (EncodeStop::Unmappable { scalar, len }, read);
                }
            };
            if !bytes.push_to(out) {
                *machine = before;
                return (EncodeStop::OutputFull, read);
            }
            if done {
                break;
            }
        }
        read += usize::from(len);
    }
}
