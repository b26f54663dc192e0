//! Legacy single-byte encodings (section 9 of the Standard): one index each, one decoder and one encoder for all.

use super::restart::Backoff;
use super::{Chars, DecodeMachine, EncodeMachine, EncodeStep, Malformed, Step, Unit, Unmappables};
use crate::simd::tuning;
use crate::simd::{self, Out, Packed, Pages};
use crate::tables::SingleByteIndex;

#[derive(Clone, Copy)]
pub(crate) struct SingleByteDecoder {
    index: &'static SingleByteIndex,
}

impl SingleByteDecoder {
    pub const fn new(index: &'static SingleByteIndex) -> Self {
        Self { index }
    }
}

impl DecodeMachine for SingleByteDecoder {
    fn step(&mut self, byte: u8) -> Step {
        // Step 2.
        if byte < 0x80 {
            return Step::Scalar(byte.into());
        }
        // Steps 3 to 5.
        match self.index.code_point(byte) {
            Some(code_point) => Step::Scalar(code_point.into()),
            None => Malformed::through(1),
        }
    }

    fn finish(&mut self) -> Option<Malformed> {
        None
    }

    fn is_neutral(&self) -> bool {
        true
    }

    #[inline(always)]
    fn malformed(&self, src: &[u8]) -> usize {
        let first = src.first().filter(|byte| !byte.is_ascii());
        usize::from(first.is_some_and(|&byte| self.index.code_point(byte).is_none()))
    }

    fn replace<U: Unit>(&self, src: &[u8], out: &mut Out<'_, U>) -> usize {
        // The number of input bytes after which building the table pays off, even without further malformed bytes.
        const PART: usize = 1024;
        // The table for the kernel, with U+FFFD for unmapped bytes.
        let mut code_points = *self.index.code_points();
        for code_point in &mut code_points {
            *code_point |= if *code_point == 0 { 0xFFFD } else { 0 };
        }
        U::push_single_byte(&code_points, &src[..src.len().min(PART)], out)
    }

    fn prefix<U: Unit>(&mut self, src: &[u8], out: &mut Out<'_, U>, _: &mut Backoff) -> usize {
        if self.index.is_latin() {
            return U::push_latin(self.index.code_points(), src, out);
        }
        U::push_single_byte(self.index.code_points(), src, out)
    }

    fn max_utf8(&self, n: usize, replacing: bool) -> Option<usize> {
        n.checked_mul(self.index.longest_utf8(replacing))
    }
}

#[derive(Clone, Copy)]
pub(crate) struct SingleByteEncoder {
    index: &'static SingleByteIndex,
    backoff: Backoff,
}

impl SingleByteEncoder {
    pub const fn new(index: &'static SingleByteIndex) -> Self {
        Self {
            index,
            backoff: Backoff::new(),
        }
    }

    #[inline(never)]
    fn prefix_of_long<S: Chars + ?Sized>(
        &mut self,
        src: &S,
        out: &mut Out<'_, u8>,
        unmappables: &mut Unmappables,
    ) -> usize {
        with_references(&mut self.backoff, &pages(self.index), src, out, unmappables)
    }
}

/// Steps 2 to 5 of the Standard's encoder: returns the byte of a scalar value.
#[inline(always)]
fn byte(index: &SingleByteIndex, scalar: u32) -> Option<u8> {
    match scalar {
        0..0x80 => Some(scalar as u8),
        // No index has U+FFFF.
        _ => index.byte(scalar.min(0xFFFF) as u16),
    }
}

/// Returns the tables of [`SingleByteIndex::byte`] in the form for kernels.
#[inline(always)]
fn pages(index: &SingleByteIndex) -> Pages<'static> {
    Pages {
        first_block: 0,
        blocks: index.blocks(),
        numbers: index.page_numbers(),
        pages: index.pages(),
        letter: index.letter(),
        is_latin_1: index.is_latin_1(),
        near: index.near(),
    }
}

impl EncodeMachine for SingleByteEncoder {
    #[inline(always)]
    fn step(&mut self, scalar: u32) -> EncodeStep {
        byte(self.index, scalar).map_or(EncodeStep::Unmappable(scalar), |byte| {
            EncodeStep::Bytes(Packed::one(byte))
        })
    }

    #[inline(always)]
    fn probes_ascii(&self) -> bool {
        true
    }

    #[inline(always)]
    fn prefix<S: Chars + ?Sized>(
        &mut self,
        src: &S,
        out: &mut Out<'_, u8>,
        unmappables: &mut Unmappables,
    ) -> usize {
        if src.len() > tuning::DIRECT_UP_TO[0] || self.backoff.pause() > 0 {
            return self.prefix_of_long(src, out, unmappables);
        }
        let pages = pages(self.index);
        src.by_form(
            out,
            |src, out| simd::encode_utf8_short(&pages, src.as_bytes(), out),
            |src, out| simd::encode_group_utf16(&pages, src, out),
        )
    }
}

/// Runs a single-byte kernel, or, where it does not pay off, a portable loop with references. Returns the number of
/// units read.
#[inline(always)]
pub(super) fn with_references<S: Chars + ?Sized>(
    backoff: &mut Backoff,
    pages: &Pages<'_>,
    src: &S,
    out: &mut Out<'_, u8>,
    unmappables: &mut Unmappables,
) -> usize {
    let mut read = 0;
    loop {
        if backoff.pause() > 0 {
            let part = src.tail(read).head(backoff.pause());
            let taken = portable_with_references(pages, part, out, unmappables);
            read += taken;
            if taken < part.len() || part.is_empty() {
                return read;
            }
            if read == src.len() {
                backoff.ended();
                return read;
            }
            // The text between two stops may be pure ASCII, which is copied without starting the kernel.
            let taken = src.tail(read).push_ascii(out);
            read += taken;
            if taken >= tuning::TABLES_FROM {
                backoff.stopped(taken, tuning::TABLES_FROM);
                continue;
            }
        }
        let taken = src.tail(read).by_form(
            &mut *out,
            |src, out| simd::encode_single_byte_utf8(pages, src, out),
            |src, out| simd::encode_single_byte_utf16(pages, src, out),
        );
        read += taken;
        if read == src.len() {
            return read;
        }
        backoff.stopped(taken, tuning::TABLES_FROM);
    }
}

/// Runs the portable loop, which writes references if they are requested. Returns the number of units read.
#[inline(never)]
fn portable_with_references<S: Chars + ?Sized>(
    pages: &Pages<'_>,
    src: &S,
    out: &mut Out<'_, u8>,
    unmappables: &mut Unmappables,
) -> usize {
    let mut read = 0;
    loop {
        read += src.tail(read).by_form(
            &mut *out,
            |src, out| simd::encode_single_byte_utf8_portable(pages, src, out),
            |src, out| simd::encode_single_byte_utf16_portable(pages, src, out),
        );
        let before = read;
        while let Some((scalar, len)) = src.scalar(read, false)
            && !pages.maps(scalar)
            && unmappables.write(scalar, out)
        {
            read += usize::from(len);
        }
        if read == before {
            return read;
        }
    }
}
