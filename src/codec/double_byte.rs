//! The encoder of all double-byte encodings except ISO-2022-JP, which is stateful.
//!
//! An [`Encoding`] holds the differences between these encodings. Only the inner loops are compiled per encoding,
//! because they decide the speed for short input.

use super::restart::Backoff;
use super::{Chars, DoubleByte, EncodeMachine, EncodeStep, Unmappables};
use crate::simd::{self, DoubleByteEncode, Out, Packed, tuning};

/// A double-byte encoding: the Standard's steps for one scalar value.
pub(super) trait Steps {
    /// Returns the bytes of a scalar value of at least U+0080.
    fn bytes(scalar: u32) -> Option<Packed>;

    /// Returns the two bytes of a frequent character as `lead << 8 | trail`, found by a single table look-up.
    fn pair(scalar: u32) -> Option<u16>;
}

/// A double-byte encoding, as a value.
pub(crate) struct Encoding {
    pairs: DoubleByteEncode,
    bytes: fn(u32) -> Option<Packed>,
    run_utf8: EncodeRun<str>,
    run_utf16: EncodeRun<[u16]>,
}

impl Encoding {
    pub(super) const fn new<S: Steps>(pairs: DoubleByteEncode) -> Self {
        Self {
            pairs,
            bytes: S::bytes,
            run_utf8: run::<S, str>,
            run_utf16: run::<S, [u16]>,
        }
    }
}

#[derive(Clone, Copy)]
pub(crate) struct DoubleByteEncoder {
    of: DoubleByte,
    backoff: Backoff,
}

impl DoubleByteEncoder {
    pub const fn new(of: DoubleByte) -> Self {
        Self {
            of,
            backoff: Backoff::new(),
        }
    }
}

impl EncodeMachine for DoubleByteEncoder {
    fn step(&mut self, scalar: u32) -> EncodeStep {
        // Step 2 of each.
        if scalar < 0x80 {
            return EncodeStep::Bytes(Packed::one(scalar as u8));
        }
        (self.of.encoding().bytes)(scalar).map_or(EncodeStep::Unmappable(scalar), EncodeStep::Bytes)
    }

    #[inline(always)]
    fn probes_ascii(&self) -> bool {
        true
    }

    /// Runs the vector kernel, or a loop where the kernel does not pay off.
    fn prefix<S: Chars + ?Sized>(
        &mut self,
        src: &S,
        out: &mut Out<'_, u8>,
        unmappables: &mut Unmappables,
    ) -> usize {
        let encoding = self.of.encoding();
        let run = |src: &S, out: &mut Out<'_, u8>, unmappables: &mut Unmappables| {
            src.by_form(
                (out, unmappables),
                |src, (out, unmappables)| (encoding.run_utf8)(src, out, unmappables),
                |src, (out, unmappables)| (encoding.run_utf16)(src, out, unmappables),
            )
        };
        if src.len() < S::KERNEL_FROM && self.backoff.pause() == 0 {
            return run(src, out, unmappables);
        }
        let mut rest = src;
        loop {
            let pause = self.backoff.pause();
            let portable = if rest.len() < pause + S::KERNEL_FROM {
                rest
            } else {
                rest.head(pause)
            };
            let taken = run(portable, out, unmappables);
            rest = rest.tail(taken);
            if taken < portable.len() {
                return src.len() - rest.len();
            }
            if rest.is_empty() {
                self.backoff.ended();
                return src.len();
            }
            let before = out.written();
            let taken = rest.by_form(
                &mut *out,
                |src, out| simd::utf8_to_double_byte(&encoding.pairs, src, out),
                |src, out| simd::utf16_to_double_byte(&encoding.pairs, src, out),
            );
            rest = rest.tail(taken);
            if rest.is_empty() {
                return src.len();
            }
            // A pair comes of one code unit of UTF-16, or of three bytes of UTF-8.
            let pairs = taken.abs_diff(out.written() - before);
            self.backoff.stopped(pairs, 2 * tuning::UTF8_KERNEL_FROM);
        }
    }
}

/// A function that encodes mappable characters without vectors and returns the number of units read. Writes a reference
/// for an unmappable character, or stops before it.
type EncodeRun<S> = fn(&S, &mut Out<'_, u8>, &mut Unmappables) -> usize;

/// The minimum number of consecutive ASCII units for which starting the kernel pays off.
const RUN: usize = 8;

/// Runs the steps of an encoding: the functions of [`EncodeRun`]. Also stops before a lone surrogate.
fn run<S: Steps, T: Chars + ?Sized>(
    src: &T,
    out: &mut Out<'_, u8>,
    unmappables: &mut Unmappables,
) -> usize {
    let mut out = out.local();
    let mut rest = src;
    while let Some((scalar, after)) = rest.first_scalar() {
        if scalar < 0x80 {
            if rest.starts_with_run::<RUN>() {
                match out.lend(|out| rest.push_ascii(out)) {
                    0 => break,
                    taken => rest = rest.tail(taken),
                }
                continue;
            }
            if !out.push(scalar as u8) {
                break;
            }
        } else if !push::<S>(scalar, &mut out, unmappables) {
            break;
        }
        rest = after;
    }
    src.len() - rest.len()
}

/// Writes the bytes of a scalar value, or a reference. Returns false and writes nothing if it is unmappable without
/// references, or does not fit.
#[inline(always)]
fn push<S: Steps>(scalar: u32, out: &mut Out<'_, u8>, unmappables: &mut Unmappables) -> bool {
    if let Some(pair) = S::pair(scalar) {
        return out.push_array(pair.to_be_bytes());
    }
    match S::bytes(scalar) {
        Some(packed) => packed.push_to(out),
        None => out.lend(|out| push_reference(scalar, out, unmappables)),
    }
}

/// Writes a reference, if references are requested and it fits. Not inlined, to keep the loops short.
#[inline(never)]
fn push_reference(scalar: u32, out: &mut Out<'_, u8>, unmappables: &mut Unmappables) -> bool {
    unmappables.write(scalar, out)
}
