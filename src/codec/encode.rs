//! The encode driver: alternates prefix kernel and state machine over one chunk of UTF-8 or UTF-16.

use super::pace::Pace;
use super::{EncodeMachine, EncodeStep, Reference};
use crate::simd::{self, Out, Pages, Text, is_lead, scalar_of};

/// Why the driver stopped.
pub(crate) enum EncodeStop {
    /// All input is read, except a lead surrogate at the end of a chunk; with `last`, end-of-queue is handled too.
    InputEmpty,
    /// The next bytes do not fit.
    OutputFull,
    /// A scalar value without bytes, reported as `scalar`, which took `len` units just before the position read.
    Unmappable { scalar: u32, len: u8 },
}

/// What becomes of scalar values without bytes.
#[derive(Default)]
pub(crate) struct Unmappables {
    /// Whether numeric character references are written for them, as error mode "html" wants it, where they fit.
    pub reference: bool,
    /// Whether there have been any.
    pub seen: bool,
    /// Where they are.
    pub pace: Pace,
}

impl Unmappables {
    /// Writes a reference, if that is wanted and fits; else false, and nothing written.
    #[inline(always)]
    pub fn write(&mut self, scalar: u32, out: &mut Out<'_, u8>) -> bool {
        let written = self.reference && Reference::push_whole(scalar, out);
        self.seen |= written;
        written
    }

    /// [`simd::encode_few`]: how many units it read, and whether the kernel is to go on.
    pub fn encode_few<S: Text + ?Sized>(
        &mut self,
        pages: &Pages<'_>,
        src: &S,
        out: &mut Out<'_, u8>,
    ) -> (usize, bool) {
        let few = simd::encode_few(pages, src, out, self.reference);
        self.seen |= few.replaced;
        (few.read, few.is_calm)
    }

    /// `few`, where something unmappable is near, and then `kernel`, from where that ends, if it is to go on there; returns how
    /// many units both took.
    #[inline(always)]
    pub fn few_then_kernel<M: EncodeMachine, S: Source + ?Sized>(
        &mut self,
        machine: &M,
        src: &S,
        out: &mut Out<'_, u8>,
        few: impl FnOnce(&mut Out<'_, u8>, &mut Self) -> (usize, bool),
        kernel: impl FnOnce(usize, &mut Out<'_, u8>) -> usize,
    ) -> usize {
        let mut read = 0;
        if self.pace.near || src.starts_beyond_bmp() {
            let (taken, is_calm) = few(out, self);
            if !is_calm {
                return taken;
            }
            read = taken;
        }
        let taken = kernel(read, out);
        self.took::<M, S>(machine, taken, read + taken < src.len(), out);
        read + taken
    }

    /// Takes note of how many units the kernel took, and whether that was not all.
    #[inline(always)]
    fn took<M: EncodeMachine, S: Source + ?Sized>(
        &mut self,
        machine: &M,
        taken: usize,
        is_more: bool,
        out: &Out<'_, u8>,
    ) {
        self.pace.near = is_more && out.room() > 0 && taken < machine.near::<S>();
    }
}

/// What encoders read: `str` (UTF-8) or `[u16]` (UTF-16, lone surrogates as U+FFFD).
pub(crate) trait Source: Text {
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
    #[inline]
    fn scalar(&self, at: usize, _last: bool) -> Option<(u32, u8)> {
        let low = |byte: u8| u32::from(byte & 0x3F);
        Some(match self.as_bytes()[at..] {
            [] => return None,
            [a, ..] if a < 0x80 => (a.into(), 1),
            [a, b, c, ..] if matches!(a, 0xE0..0xF0) => {
                (u32::from(a & 0xF) << 12 | low(b) << 6 | low(c), 3)
            }
            [a, b, ..] if a < 0xE0 => (u32::from(a & 0x1F) << 6 | low(b), 2),
            [a, b, c, d, ..] => (
                u32::from(a & 7) << 18 | low(b) << 12 | low(c) << 6 | low(d),
                4,
            ),
            // No `str` ends within a character.
            _ => return None,
        })
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
/// reference is to be written stop it only where that does not fit. Where the kernel has just stopped at `start`, `taken`
/// says how much it took.
pub(crate) fn encode<M: EncodeMachine, S: Source + ?Sized>(
    machine: &mut M,
    src: &S,
    start: usize,
    taken: Option<usize>,
    out: &mut Out<'_, u8>,
    last: bool,
    unmappables: &mut Unmappables,
) -> (EncodeStop, usize) {
    let mut read = start;
    let mut behind_kernel = taken.is_some();
    if let Some(taken) = taken {
        unmappables.took::<M, S>(machine, taken, start < src.len(), out);
    }
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
