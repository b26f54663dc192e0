//! Legacy single-byte encodings (section 9 of the Standard): one index each, one decoder and one encoder for all.

use super::pace::FEW;
use super::{DecodeMachine, EncodeMachine, EncodeStep, Malformed, Source, Step, Unit, Unmappables};
use crate::simd::{self, Out, Packed, Pages};
use crate::tables::SingleByteIndex;

#[derive(Clone, Copy)]
pub(crate) struct SingleByteDecoder {
    index: &'static SingleByteIndex,
}

impl SingleByteDecoder {
    pub fn new(index: &'static SingleByteIndex) -> Self {
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
        // As much as is worth a table, whether more of it is malformed or not.
        const PART: usize = 1024;
        // The kernel, with U+FFFD where the index has nothing.
        let mut code_points = *self.index.code_points();
        for code_point in &mut code_points {
            *code_point |= if *code_point == 0 { 0xFFFD } else { 0 };
        }
        U::push_single_byte(&code_points, &src[..src.len().min(PART)], out)
    }

    fn prefix<U: Unit>(&mut self, src: &[u8], out: &mut Out<'_, U>) -> usize {
        U::push_single_byte(self.index.code_points(), src, out)
    }

    fn max_utf8(&self, n: usize, replacing: bool) -> Option<usize> {
        n.checked_mul(self.index.longest_utf8(replacing))
    }
}

#[derive(Clone, Copy)]
pub(crate) struct SingleByteEncoder {
    index: &'static SingleByteIndex,
}

/// Less units than these are not worth pieces.
const LITTLE: usize = 40;

impl SingleByteEncoder {
    pub fn new(index: &'static SingleByteIndex) -> Self {
        Self { index }
    }

    /// Steps 2 to 5.
    #[inline(always)]
    fn byte(&self, scalar: u32) -> Option<u8> {
        match scalar {
            0..0x80 => Some(scalar as u8),
            // No index has U+FFFF.
            _ => self.index.byte(scalar.min(0xFFFF) as u16),
        }
    }

    /// What the kernel is not worth its start for: how many units, and whether that is behind them.
    ///
    /// Never inlined, nor is [`near`](EncodeMachine::near), as most text has no need of them.
    #[inline(never)]
    fn encode_few<S: Source + ?Sized>(
        &self,
        src: &S,
        out: &mut Out<'_, u8>,
        unmappables: &mut Unmappables,
    ) -> (usize, bool) {
        if src.len() < LITTLE || out.room() < simd::FEW_ROOM {
            return (self.encode_little(src, out, unmappables), false);
        }
        unmappables.encode_few(&pages(self.index), src, out)
    }

    /// Encodes scalar value by scalar value, references and all; returns how many units.
    #[inline(always)]
    fn encode_little<S: Source + ?Sized>(
        &self,
        src: &S,
        out: &mut Out<'_, u8>,
        unmappables: &mut Unmappables,
    ) -> usize {
        let mut read = 0;
        while let Some((scalar, len)) = src.scalar(read, false) {
            let done = match self.byte(scalar) {
                Some(byte) => out.push(byte),
                None => unmappables.write(scalar, out),
            };
            if !done {
                break;
            }
            read += usize::from(len);
        }
        read
    }
}

/// The tables of [`SingleByteIndex::byte`] as kernels want them.
#[inline(always)]
fn pages(index: &SingleByteIndex) -> Pages<'static> {
    Pages {
        first_block: 0,
        blocks: index.blocks(),
        numbers: index.page_numbers(),
        pages: index.pages(),
        letter: index.letter(),
        consecutive: false,
    }
}

impl EncodeMachine for SingleByteEncoder {
    #[inline(always)]
    fn step(&mut self, scalar: u32) -> EncodeStep {
        self.byte(scalar)
            .map_or(EncodeStep::Unmappable(scalar), |byte| {
                EncodeStep::Bytes(Packed::one(byte))
            })
    }

    #[inline(never)]
    fn near<S: Source + ?Sized>(&self) -> usize {
        2 * FEW * S::calm_pieces(&pages(self.index))
    }

    #[inline(always)]
    fn prefix_utf8(
        &mut self,
        src: &str,
        out: &mut Out<'_, u8>,
        unmappables: &mut Unmappables,
    ) -> usize {
        let few = |out: &mut Out<'_, u8>, unmappables: &mut Unmappables| {
            self.encode_few(src, out, unmappables)
        };
        unmappables.few_then_kernel(self, src, out, few, |read, out| {
            simd::encode_single_byte_utf8(&pages(self.index), &src[read..], out)
        })
    }

    #[inline(always)]
    fn prefix_utf16(
        &mut self,
        src: &[u16],
        out: &mut Out<'_, u8>,
        unmappables: &mut Unmappables,
    ) -> usize {
        let few = |out: &mut Out<'_, u8>, unmappables: &mut Unmappables| {
            self.encode_few(src, out, unmappables)
        };
        unmappables.few_then_kernel(self, src, out, few, |read, out| {
            simd::encode_single_byte_utf16(&pages(self.index), &src[read..], out)
        })
    }
}
