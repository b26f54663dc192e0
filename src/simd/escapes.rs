//! Escape sequences between ASCII and pairs, as ISO-2022-JP has them: taken out before kernels decode, put in after they
//! encode.
//!
//! Kernels for pairs know no escape sequences. What they convert is the text without them, with the high bit set on both
//! bytes of a pair, as in EUC-JP. What a source has beyond these two modes (other escape sequences, errors, an escape
//! sequence without output before it) ends the part that is taken out; the codec sees to it.

#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(all(test, target_arch = "x86_64"))]
mod tests;

/// Proof that there are kernels for this: with AVX-512.
///
/// On lower levels the portable loops of the codec are faster (twice and more) than to take out escape sequences eight
/// bytes at a time and to decode then.
#[derive(Clone, Copy)]
pub(crate) struct Kernels(
    #[cfg(target_arch = "x86_64")] super::token::Avx512,
    #[cfg(not(target_arch = "x86_64"))] core::convert::Infallible,
);

impl Kernels {
    #[inline]
    pub(crate) fn detect() -> Option<Self> {
        #[cfg(target_arch = "x86_64")]
        return super::token::Avx512::detect().map(Self);
        #[cfg(not(target_arch = "x86_64"))]
        None
    }
}

/// Bytes that one call converts at most.
pub(crate) const PART: usize = 2048;
/// Bytes to begin with: the text behind them may be malformed or unmappable, and then the work on it is in vain.
pub(crate) const FIRST_PART: usize = 256;
/// Room for a part with its escape sequences, even if every byte had one. Whole registers are written.
pub(crate) const ESCAPED: usize = 4 * PART + 64;

/// 64 bytes of a source.
#[derive(Clone, Copy, Default)]
struct Block {
    /// The bytes that were kept.
    kept: u64,
    /// Those that are halves of pairs.
    pairs: u64,
    /// How many were kept before.
    before: u16,
}

/// Part of a source, without its escape sequences.
pub(crate) struct Stripped {
    /// Registers are written whole.
    bytes: [u8; PART + 64],
    len: usize,
    blocks: [Block; PART / 64],
}

impl Stripped {
    #[inline(always)]
    pub(crate) fn new() -> Self {
        Self {
            bytes: [0; PART + 64],
            len: 0,
            blocks: [Block::default(); PART / 64],
        }
    }

    /// The stripped bytes: ASCII, and pairs with their high bits set.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes[..self.len]
    }

    /// Strips a prefix of `src`, at most [`PART`] bytes, which starts with pairs if `in_pairs`; returns how many are left
    /// of it.
    ///
    /// `must_have_output` says that an escape sequence precedes `src`, so that none may follow at once. Halves of pairs
    /// may have lost their other half.
    pub(crate) fn fill(
        &mut self,
        kernels: Kernels,
        src: &[u8],
        in_pairs: bool,
        must_have_output: bool,
    ) -> usize {
        let src = &src[..src.len().min(PART)];
        #[cfg(target_arch = "x86_64")]
        avx512::strip(kernels.0, self, src, in_pairs, must_have_output);
        #[cfg(not(target_arch = "x86_64"))]
        match kernels.0 {}
        self.len
    }

    /// Where in the source the first `taken` stripped bytes end, and whether with a pair; `None` if there are none.
    pub(crate) fn source_of(&self, taken: usize) -> Option<(usize, bool)> {
        let blocks = &self.blocks[..];
        let number = blocks
            .partition_point(|block| usize::from(block.before) < taken)
            .checked_sub(1)?;
        let mut kept = blocks[number].kept;
        for _ in 1..taken - usize::from(blocks[number].before) {
            kept &= kept.wrapping_sub(1);
        }
        let last = kept.trailing_zeros();
        let in_pairs = blocks[number].pairs.wrapping_shr(last) & 1 != 0;
        Some((64 * number + last as usize + 1, in_pairs))
    }
}

/// Writes at most [`PART`] bytes of ASCII and pairs without their high bits, with an escape sequence before each change;
/// returns how many bytes that is. `in_pairs` says which state the output is in, before and after.
pub(crate) fn insert_escapes(
    kernels: Kernels,
    in_pairs: &mut bool,
    src: &[u8],
    to: &mut [u8; ESCAPED],
) -> usize {
    let src = &src[..src.len().min(PART)];
    #[cfg(target_arch = "x86_64")]
    return avx512::insert(kernels.0, in_pairs, src, to);
    #[cfg(not(target_arch = "x86_64"))]
    match kernels.0 {}
}
