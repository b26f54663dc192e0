//! The encoder of all double-byte encodings except ISO-2022-JP, which is stateful.
//!
//! An [`Encoding`] holds the differences between them. Only the inner loops are compiled per encoding, because they decide
//! the speed for short input.

use super::restart::Backoff;
use super::{Chars, DoubleByte, EncodeMachine, EncodeStep, Unmappables};
use crate::simd::{DoubleByteEncode, Out, Packed, is_lead, is_surrogate, is_trail, join, tail};

/// A double-byte encoding: the Standard's steps for one scalar value.
pub(super) trait Steps {
    /// Returns the bytes of a scalar value of at least U+0080.
    fn bytes(scalar: u32) -> Option<Packed>;

    /// Returns the bytes of the most frequent characters, in an encoding in which other characters have other lengths.
    #[inline(always)]
    fn pair(_scalar: u32) -> Option<u16> {
        None
    }
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
            run_utf8: run_utf8::<S>,
            run_utf16: run_utf16::<S>,
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

    fn prefix_utf8(
        &mut self,
        src: &str,
        out: &mut Out<'_, u8>,
        unmappables: &mut Unmappables,
    ) -> usize {
        self.prefix(|encoding| encoding.run_utf8, src, out, unmappables)
    }

    fn prefix_utf16(
        &mut self,
        src: &[u16],
        out: &mut Out<'_, u8>,
        unmappables: &mut Unmappables,
    ) -> usize {
        self.prefix(|encoding| encoding.run_utf16, src, out, unmappables)
    }
}

impl DoubleByteEncoder {
    /// Runs the vector kernel, or `run` for non-ASCII characters where the kernel does not pay off.
    #[inline(always)]
    fn prefix<S: Chars + ?Sized>(
        &mut self,
        run: impl Fn(&'static Encoding) -> EncodeRun<S>,
        src: &S,
        out: &mut Out<'_, u8>,
        unmappables: &mut Unmappables,
    ) -> usize {
        let encoding = self.of.encoding();
        let run = run(encoding);
        let mut rest = src;
        loop {
            let pause = self.backoff.pause();
            let portable = if rest.len() < pause + S::KERNEL_FROM {
                rest
            } else {
                rest.head(pause)
            };
            let taken = portable_prefix(run, portable, out, unmappables);
            rest = rest.tail(taken);
            if taken < portable.len() {
                return src.len() - rest.len();
            }
            if rest.is_empty() {
                self.backoff.ended();
                return src.len();
            }
            let taken = rest.push_double_byte(&encoding.pairs, out);
            rest = rest.tail(taken);
            if rest.is_empty() {
                return src.len();
            }
            self.backoff.stopped(taken, 4 * S::KERNEL_FROM);
        }
    }
}

/// A function that encodes consecutive non-ASCII characters and returns the number of units read.
type EncodeRun<S> = fn(&S, &mut Out<'_, u8>, &mut Unmappables) -> usize;

/// The portable prefix kernel, with separate loops for ASCII and for other characters.
#[inline(always)]
fn portable_prefix<S: Chars + ?Sized>(
    run: EncodeRun<S>,
    src: &S,
    out: &mut Out<'_, u8>,
    unmappables: &mut Unmappables,
) -> usize {
    let mut rest = src;
    loop {
        if rest.starts_with_ascii() {
            rest = rest.tail(rest.push_ascii(out));
        }
        if rest.is_empty() {
            return src.len();
        }
        rest = rest.tail(run(rest, out, unmappables));
        if !(rest.starts_with_ascii() && out.room() > 0) {
            return src.len() - rest.len();
        }
    }
}

/// Encodes non-ASCII characters until ASCII follows. Returns the number of bytes read. Writes a reference for an unmappable
/// character, or stops before it.
fn run_utf8<S: Steps>(src: &str, out: &mut Out<'_, u8>, unmappables: &mut Unmappables) -> usize {
    let mut out = out.local();
    let mut rest = src;
    loop {
        match *rest.as_bytes() {
            [a, b, ..] if a < 0x80 && b >= 0x80 => {
                if !out.push(a) {
                    break;
                }
                rest = tail(rest, 1);
                continue;
            }
            [a, ..] if a < 0x80 => break,
            _ => {}
        }
        let mut chars = rest.chars();
        let Some(scalar) = chars.next() else {
            break;
        };
        if !push::<S>(scalar.into(), &mut out, unmappables) {
            break;
        }
        rest = chars.as_str();
    }
    src.len() - rest.len()
}

/// Encodes UTF-16 like [`run_utf8`]; also stops before a lone surrogate.
fn run_utf16<S: Steps>(src: &[u16], out: &mut Out<'_, u8>, unmappables: &mut Unmappables) -> usize {
    let mut out = out.local();
    let mut read = 0;
    loop {
        let (scalar, len) = match src[read..] {
            [] => break,
            [a, b, ..] if a < 0x80 && b >= 0x80 => {
                if !out.push(a as u8) {
                    break;
                }
                read += 1;
                continue;
            }
            [a, ..] if a < 0x80 => break,
            [lead, trail, ..] if is_lead(lead) && is_trail(trail) => (join(lead, trail), 2),
            [unit, ..] if is_surrogate(unit) => break,
            [unit, ..] => (unit.into(), 1),
        };
        if !push::<S>(scalar, &mut out, unmappables) {
            break;
        }
        read += len;
    }
    read
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

/// Writes a reference, if one is wanted and fits. Not inlined, to keep the loops short.
#[inline(never)]
fn push_reference(scalar: u32, out: &mut Out<'_, u8>, unmappables: &mut Unmappables) -> bool {
    unmappables.write(scalar, out)
}
