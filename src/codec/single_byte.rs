//! Legacy single-byte encodings (section 9 of the Standard): one index each, one decoder and one encoder for all.

use super::{DecodeMachine, EncodeMachine, EncodeStep, Malformed, Step, Unit};
use crate::simd::{self, Out, Packed, Pages};
use crate::tables::{self, SingleByteIndex};

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

impl SingleByteEncoder {
    pub fn new(index: &'static SingleByteIndex) -> Self {
        Self { index }
    }
}

/// The byte that stands for a letter of the encoding's script in every index: U+00E1, U+0430, U+03B1, U+0644 and so on.
const LETTER: u8 = 0xE1;

/// The tables of [`SingleByteIndex::byte`] as kernels want them.
#[inline(always)]
fn pages(index: &SingleByteIndex) -> Pages<'static> {
    Pages {
        first_block: 0,
        blocks: &tables::SINGLE_BYTE_BLOCKS,
        numbers: index.page_numbers(),
        pages: tables::SINGLE_BYTE_PAGES.as_chunks().0,
        letter: index.code_points()[usize::from(LETTER & 0x7F)],
        consecutive: false,
    }
}

impl EncodeMachine for SingleByteEncoder {
    const ONE_BY_ONE: u8 = 16;

    #[inline(always)]
    fn step(&mut self, scalar: u32) -> EncodeStep {
        // Step 2.
        if scalar < 0x80 {
            return EncodeStep::Bytes(Packed::one(scalar as u8));
        }
        // Steps 3 to 5. No index has U+FFFF.
        match self.index.byte(scalar.min(0xFFFF) as u16) {
            Some(byte) => EncodeStep::Bytes(Packed::one(byte)),
            None => EncodeStep::Unmappable(scalar),
        }
    }

    #[inline(always)]
    fn prefix_utf8(&mut self, src: &str, out: &mut Out<'_, u8>) -> usize {
        simd::encode_single_byte_utf8(&pages(self.index), src, out)
    }

    #[inline(always)]
    fn prefix_utf16(&mut self, src: &[u16], out: &mut Out<'_, u8>) -> usize {
        simd::encode_single_byte_utf16(&pages(self.index), src, out)
    }
}
