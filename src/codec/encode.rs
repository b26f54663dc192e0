//! The encode driver: alternates prefix kernel and state machine over one chunk of UTF-8 or UTF-16.

use super::{EncodeMachine, EncodeStep, Unmappables};
use crate::simd::tuning;
use crate::simd::{self, DoubleByteEncode, Out, Pages, is_lead, scalar_of};

/// Why the driver stopped.
pub(crate) enum EncodeStop {
    /// All input is read, except a lead surrogate at the end of a chunk; with `last`, end-of-queue is handled too.
    InputEmpty,
    /// The next bytes do not fit.
    OutputFull,
    /// A scalar value without bytes, reported as `scalar`, which took `len` units just before the position read.
    Unmappable { scalar: u32, len: u8 },
}

/// What encoders read: `str` (UTF-8) or `[u16]` (UTF-16, lone surrogates as U+FFFD).
pub(crate) trait Source {
    /// From how many units on a vector kernel is worth its start.
    const KERNEL_FROM: usize;

    fn len(&self) -> usize;

    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// What stands after the first `at` units.
    fn tail(&self, at: usize) -> &Self;

    /// The whole characters among the first `most` units.
    fn head(&self, most: usize) -> &Self;

    fn starts_with_ascii(&self) -> bool;

    /// The length of the ASCII that the source starts with, up to the first character for which `predicate` is false.
    fn ascii_len_while(&self, predicate: impl Fn(u8) -> bool) -> usize;

    /// As much of the start of the source as fits into `scratch`, in UTF-16, and its length in the source.
    fn units<'a>(&'a self, scratch: &'a mut [u16]) -> (&'a [u16], usize);

    /// The length in the source of code units that [`units`](Self::units) has returned. None of them is a surrogate.
    fn length_of(units: &[u16]) -> usize;

    /// Writes the ASCII that the source starts with, as far as it fits; returns its length.
    fn push_ascii(&self, out: &mut Out<'_, u8>) -> usize;

    /// Vector kernel of a double-byte encoding; returns how many units it took.
    fn push_double_byte(&self, pairs: &DoubleByteEncode, out: &mut Out<'_, u8>) -> usize;

    /// Vector kernel of a single-byte encoding; returns how many units it took.
    fn push_single_byte(&self, pages: &Pages<'_>, out: &mut Out<'_, u8>) -> usize;

    /// The same without vectors, up to what is unmappable or the end of the output.
    fn push_single_byte_portable(&self, pages: &Pages<'_>, out: &mut Out<'_, u8>) -> usize;

    /// The scalar value at `at` and its length in units; `None` at the end, and before a lead surrogate that ends a
    /// chunk which is not the last.
    fn scalar(&self, at: usize, last: bool) -> Option<(u32, u8)>;

    /// The lead surrogate at `at`, where an encoder that has read everything else stopped.
    fn lead_at_end(&self, at: usize) -> Option<u16>;

    /// Starts the prefix kernel at `at`.
    fn prefix<M: EncodeMachine>(
        &self,
        at: usize,
        machine: &mut M,
        out: &mut Out<'_, u8>,
        unmappables: &mut Unmappables,
    ) -> usize;
}

impl Source for str {
    const KERNEL_FROM: usize = tuning::UTF8_KERNEL_FROM;

    #[inline(always)]
    fn len(&self) -> usize {
        self.len()
    }

    #[inline(always)]
    fn tail(&self, at: usize) -> &Self {
        simd::tail(self, at)
    }

    #[inline(always)]
    fn head(&self, most: usize) -> &Self {
        &self[..floor_char_boundary(self, most)]
    }

    #[inline(always)]
    fn starts_with_ascii(&self) -> bool {
        self.as_bytes().first().is_some_and(u8::is_ascii)
    }

    #[inline(always)]
    fn ascii_len_while(&self, predicate: impl Fn(u8) -> bool) -> usize {
        let mut bytes = self.bytes();
        let end = bytes.position(|byte| byte >= 0x80 || !predicate(byte));
        end.unwrap_or(self.len())
    }

    fn units<'a>(&'a self, scratch: &'a mut [u16]) -> (&'a [u16], usize) {
        let head = self.head(3 * scratch.len());
        let mut out = Out::from_init(&mut *scratch);
        let read = simd::utf8_to_utf16(head.as_bytes(), &mut out);
        let count = out.written();
        (&scratch[..count], read)
    }

    fn length_of(units: &[u16]) -> usize {
        let length = |&unit: &u16| 1 + usize::from(unit >= 0x80) + usize::from(unit >= 0x800);
        units.iter().map(length).sum()
    }

    #[inline(always)]
    fn push_ascii(&self, out: &mut Out<'_, u8>) -> usize {
        simd::copy_ascii(self.as_bytes(), out)
    }

    #[inline(always)]
    fn push_double_byte(&self, pairs: &DoubleByteEncode, out: &mut Out<'_, u8>) -> usize {
        simd::utf8_to_double_byte(pairs, self, out)
    }

    #[inline(always)]
    fn push_single_byte(&self, pages: &Pages<'_>, out: &mut Out<'_, u8>) -> usize {
        simd::encode_single_byte_utf8(pages, self, out)
    }

    #[inline(always)]
    fn push_single_byte_portable(&self, pages: &Pages<'_>, out: &mut Out<'_, u8>) -> usize {
        simd::encode_single_byte_utf8_portable(pages, self, out)
    }

    #[inline]
    fn scalar(&self, at: usize, _last: bool) -> Option<(u32, u8)> {
        let c = simd::tail(self, at).chars().next()?;
        Some((c.into(), c.len_utf8() as u8))
    }

    #[inline(always)]
    fn lead_at_end(&self, _: usize) -> Option<u16> {
        None
    }

    fn prefix<M: EncodeMachine>(
        &self,
        at: usize,
        machine: &mut M,
        out: &mut Out<'_, u8>,
        unmappables: &mut Unmappables,
    ) -> usize {
        machine.prefix_utf8(&self[at..], out, unmappables)
    }
}

impl Source for [u16] {
    const KERNEL_FROM: usize = tuning::PORTABLE_UP_TO;

    #[inline(always)]
    fn len(&self) -> usize {
        self.len()
    }

    #[inline(always)]
    fn tail(&self, at: usize) -> &Self {
        simd::tail(self, at)
    }

    #[inline(always)]
    fn head(&self, most: usize) -> &Self {
        match &self[..self.len().min(most)] {
            // Its trail may follow.
            [before @ .., lead] if is_lead(*lead) => before,
            head => head,
        }
    }

    #[inline(always)]
    fn starts_with_ascii(&self) -> bool {
        self.first().is_some_and(|&unit| unit < 0x80)
    }

    #[inline(always)]
    fn ascii_len_while(&self, predicate: impl Fn(u8) -> bool) -> usize {
        let mut units = self.iter();
        let end = units.position(|&unit| unit >= 0x80 || !predicate(unit as u8));
        end.unwrap_or(self.len())
    }

    fn units<'a>(&'a self, scratch: &'a mut [u16]) -> (&'a [u16], usize) {
        let head = &self[..self.len().min(scratch.len())];
        (head, head.len())
    }

    fn length_of(units: &[u16]) -> usize {
        units.len()
    }

    #[inline(always)]
    fn push_ascii(&self, out: &mut Out<'_, u8>) -> usize {
        simd::narrow_ascii(self, out)
    }

    #[inline(always)]
    fn push_double_byte(&self, pairs: &DoubleByteEncode, out: &mut Out<'_, u8>) -> usize {
        simd::utf16_to_double_byte(pairs, self, out)
    }

    #[inline(always)]
    fn push_single_byte(&self, pages: &Pages<'_>, out: &mut Out<'_, u8>) -> usize {
        simd::encode_single_byte_utf16(pages, self, out)
    }

    #[inline(always)]
    fn push_single_byte_portable(&self, pages: &Pages<'_>, out: &mut Out<'_, u8>) -> usize {
        simd::encode_single_byte_utf16_portable(pages, self, out)
    }

    #[inline]
    fn scalar(&self, at: usize, last: bool) -> Option<(u32, u8)> {
        match self[at..] {
            [] => None,
            [lead] if is_lead(lead) && !last => None,
            [unit, ref rest @ ..] => {
                let (scalar, len) = scalar_of(unit, rest.first().copied().unwrap_or(0));
                Some((scalar, len as u8))
            }
        }
    }

    #[inline(always)]
    fn lead_at_end(&self, at: usize) -> Option<u16> {
        let unit = self.get(at).copied();
        debug_assert!(unit.is_none_or(|unit| is_lead(unit) && at + 1 == self.len()));
        unit
    }

    fn prefix<M: EncodeMachine>(
        &self,
        at: usize,
        machine: &mut M,
        out: &mut Out<'_, u8>,
        unmappables: &mut Unmappables,
    ) -> usize {
        machine.prefix_utf16(&self[at..], out, unmappables)
    }
}

/// Encodes `src` from `start` on until it is read, the output is full or a scalar value cannot be encoded.
///
/// Returns why it stopped and up to where `src` was read; an unmappable scalar value counts as read. Those for which a
/// reference is to be written stop it only where that does not fit. It starts `behind_kernel` where the kernel has just
/// stopped at `start`.
pub(crate) fn encode<M: EncodeMachine, S: Source + ?Sized>(
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
            read += src.prefix(read, machine, out, unmappables);
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
        // An escape sequence and the bytes after it are two writes: each may be the last that fits.
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

/// The last character boundary at or before `at`. `str::floor_char_boundary` is younger than the MSRV.
pub(crate) fn floor_char_boundary(text: &str, at: usize) -> usize {
    if at >= text.len() {
        return text.len();
    }
    (0..=at)
        .rev()
        .find(|&at| text.is_char_boundary(at))
        .unwrap_or(0)
}
