//! Escape sequences between ASCII and pairs in ISO-2022-JP: removed before kernels decode, and inserted after they
//! encode.
//!
//! Kernels for pairs do not handle escape sequences. They convert text without them, in which both bytes of a pair have the
//! high bit set, as in EUC-JP. Only ASCII and pairs are stripped: other escape sequences, errors, and an escape sequence
//! without output before it end the stripped part. The codec ensures that.
//!
//! [`avx512`] compresses 64 bytes at a time. At other levels the codec's portable loops convert most text at two thirds
//! of the speed of shuffles or faster.

#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(all(test, target_arch = "x86_64"))]
mod tests;

use super::out::Out;
use super::token::Active;
#[cfg(target_arch = "x86_64")]
use super::token::Avx512;
#[cfg(target_arch = "x86_64")]
use crate::simd::tuning;
use core::mem::MaybeUninit;

/// Proof that this machine has kernels for escape sequences and pairs, with the token to call them.
#[derive(Clone, Copy)]
pub(crate) enum Kernels {
    #[cfg(target_arch = "x86_64")]
    Avx512(Avx512),
    /// Never constructed: this architecture has no kernels.
    #[cfg(not(target_arch = "x86_64"))]
    None,
}

impl Kernels {
    #[inline]
    pub(crate) fn detect() -> Option<Self> {
        Self::at(Active::now())
    }

    /// Returns the maximum number of bytes that one call converts.
    #[inline]
    pub(crate) fn part(self) -> usize {
        match self {
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(_) => avx512::PART,
            #[cfg(not(target_arch = "x86_64"))]
            Self::None => 0,
        }
    }

    /// Returns the length of the first part. It is small, because work on it is wasted if malformed or unmappable text
    /// follows soon.
    #[inline]
    pub(crate) fn first_part(self) -> usize {
        self.part() / 8
    }

    /// Returns the minimum length, in bytes, from which the kernels pay off, measured against the codec's portable
    /// loops.
    #[inline]
    pub(crate) fn from(self) -> usize {
        match self {
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(_) => tuning::ISO_2022_JP_FROM,
            #[cfg(not(target_arch = "x86_64"))]
            Self::None => 0,
        }
    }

    #[inline]
    fn at(active: Active) -> Option<Self> {
        #[cfg(target_arch = "x86_64")]
        let found = Avx512::at(active).map(Self::Avx512);
        #[cfg(not(target_arch = "x86_64"))]
        let found = None;
        let _ = active;
        found
    }
}

/// The maximum number of bytes that a kernel converts at a time.
const MAX_PART: usize = 2048;
/// The number of bytes after a part that are read or written with it.
const READ_PADDING: usize = 64;
/// The space left after a part that is encoded. Kernels need two bytes for each unit of a batch. With less space, they
/// would take ever smaller batches.
const BATCH: usize = 2 * 2048;

/// A block of 64 bytes of a source.
#[derive(Clone, Copy, Default)]
struct Block {
    /// Mask of the bytes that were kept.
    kept: u64,
    /// Mask of the kept bytes that are halves of pairs.
    pairs: u64,
    /// The number of bytes kept before the block.
    before: u16,
}

/// Masks of the bytes of a block.
struct Seen {
    escapes: u64,
    /// Mask of the escape bytes that begin an escape sequence to pairs. `to_ascii` is the same for sequences to ASCII.
    to_pairs: u64,
    to_ascii: u64,
    /// Mask of the bytes after an odd number of escapes in the block; each escape counts itself.
    behind_odd: u64,
    /// Other bytes that end the stripped part, and positions after the source.
    stops: u64,
}

/// The result for a block.
struct Taken {
    kept: u64,
    /// Mask of the halves of pairs. The bytes of an escape sequence count for the mode that it selects.
    pairs: u64,
    /// True if no byte after the block is kept.
    stops: bool,
}

/// The state after the bytes before a block.
struct Before {
    /// All ones if the block starts in the mode of pairs.
    in_pairs: u64,
    /// Mask of the first bytes of the block that complete an escape sequence of the previous block.
    cut: u64,
    /// Mask of the position directly after an escape sequence: the first byte, or one of the next two.
    just_escaped: u64,
}

impl Before {
    #[inline(always)]
    fn new(in_pairs: bool, must_have_output: bool) -> Self {
        Self {
            in_pairs: if in_pairs { u64::MAX } else { 0 },
            cut: 0,
            just_escaped: u64::from(must_have_output),
        }
    }

    /// Returns the result for the block and advances to the next one.
    #[inline(always)]
    fn take(&mut self, seen: Seen) -> Taken {
        let escapes = seen.escapes;
        let pairs = seen.behind_odd ^ self.in_pairs;
        let toggles = (seen.to_pairs & pairs) | (seen.to_ascii & !pairs);
        // Positions directly after an escape sequence: another one there would have no output before it.
        let after = escapes << 3 | self.just_escaped;
        let stop = (escapes & (!toggles | after)) | seen.stops;
        let before_stop = !stop & stop.wrapping_sub(1);
        let sequences = escapes << 2 | escapes << 1 | escapes | self.cut;
        *self = Self {
            in_pairs: if pairs >> 63 != 0 { u64::MAX } else { 0 },
            cut: escapes >> 62 | escapes >> 63,
            just_escaped: escapes >> 61,
        };
        Taken {
            kept: before_stop & !sequences,
            pairs,
            stops: stop != 0,
        }
    }
}

/// A part of a source, without its escape sequences.
pub(crate) struct Stripped {
    /// The first `len` are initialised. Kernels store whole registers.
    bytes: [MaybeUninit<u8>; MAX_PART + READ_PADDING],
    len: usize,
    /// The first `block_count` are initialised.
    blocks: [MaybeUninit<Block>; MAX_PART / 64],
    block_count: usize,
}

impl Stripped {
    #[inline(always)]
    pub(crate) fn new() -> Self {
        Self {
            bytes: [const { MaybeUninit::uninit() }; MAX_PART + READ_PADDING],
            len: 0,
            blocks: [const { MaybeUninit::uninit() }; MAX_PART / 64],
            block_count: 0,
        }
    }

    /// Adds a block whose kept bytes the kernel has written already.
    #[inline(always)]
    fn add(&mut self, taken: &Taken) {
        self.blocks[self.block_count].write(Block {
            kept: taken.kept,
            pairs: taken.pairs & taken.kept,
            before: self.len as u16,
        });
        self.block_count += 1;
        self.len += taken.kept.count_ones() as usize;
    }

    /// Returns the stripped bytes: ASCII, and pairs with their high bits set.
    pub(crate) fn bytes(&self) -> &[u8] {
        // SAFETY: the kernels have initialised the first `len` bytes.
        unsafe { initialised(&self.bytes, self.len) }
    }

    fn blocks(&self) -> &[Block] {
        // SAFETY: `add` has initialised the first `block_count` blocks.
        unsafe { initialised(&self.blocks, self.block_count) }
    }

    /// Strips a prefix of `src`, at most [`Kernels::part`] bytes. It starts in pairs if `in_pairs`. Returns the number
    /// of bytes kept.
    ///
    /// `must_have_output` means that an escape sequence directly precedes `src`, so another one may not follow at once.
    /// Half a pair may be kept without its other half.
    #[inline(never)]
    pub(crate) fn fill(
        &mut self,
        kernels: Kernels,
        src: &[u8],
        in_pairs: bool,
        must_have_output: bool,
    ) -> usize {
        let src = &src[..src.len().min(kernels.part())];
        (self.len, self.block_count) = (0, 0);
        match kernels {
            #[cfg(target_arch = "x86_64")]
            // SAFETY: holding the token proves detection succeeded.
            Kernels::Avx512(token) => unsafe {
                avx512::strip(token, self, src, in_pairs, must_have_output);
            },
            #[cfg(not(target_arch = "x86_64"))]
            Kernels::None => _ = (src, in_pairs, must_have_output),
        }
        self.len
    }

    /// Returns the end in the source of the first `taken` stripped bytes, and true if that end is the end of a pair;
    /// `None` if `taken` is 0.
    #[inline(never)]
    pub(crate) fn source_of(&self, taken: usize) -> Option<(usize, bool)> {
        let blocks = self.blocks();
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

/// Returns the first `len` elements of `all`.
///
/// # Safety
/// The first `len` elements of `all` are initialised.
unsafe fn initialised<T>(all: &[MaybeUninit<T>], len: usize) -> &[T] {
    let first = &all[..len];
    // SAFETY: `first` has `len` elements, checked by the slicing; they are initialised, by `# Safety`.
    unsafe { core::slice::from_raw_parts(first.as_ptr().cast(), len) }
}

/// The output of a kernel before escape sequences are inserted: ASCII, and pairs with their high bits set.
pub(crate) struct Unescaped {
    /// The first `len` bytes are initialised, and [`READ_PADDING`] zeros after them, which kernels read.
    bytes: [MaybeUninit<u8>; MAX_PART + BATCH],
    len: usize,
}

impl Unescaped {
    #[inline(always)]
    pub(crate) fn new() -> Self {
        Self {
            bytes: [const { MaybeUninit::uninit() }; MAX_PART + BATCH],
            len: 0,
        }
    }

    /// Replaces the contents by the output of `write`, at most [`Kernels::part`] bytes.
    #[inline(always)]
    pub(crate) fn fill<R>(&mut self, write: impl FnOnce(&mut Out<'_, u8>) -> R) -> R {
        const { assert!(READ_PADDING <= BATCH) };
        let mut out = Out::from_uninit(&mut self.bytes);
        let bytes = out.buffer();
        let result = write(&mut out);
        out.assert_over(bytes);
        let len = out.written();
        assert!(len <= MAX_PART);
        self.bytes[len..len + READ_PADDING].fill(MaybeUninit::new(0));
        self.len = len;
        result
    }

    fn bytes(&self) -> &[u8] {
        // SAFETY: `fill` has initialised the first `len` bytes.
        unsafe { initialised(&self.bytes, self.len) }
    }

    /// Writes the bytes without their high bits, with an escape sequence before each change of mode. Returns false and
    /// writes nothing if they do not fit. `in_pairs` is the mode of the output; it is updated.
    #[inline(never)]
    pub(crate) fn push_to(
        &self,
        kernels: Kernels,
        in_pairs: &mut bool,
        out: &mut Out<'_, u8>,
    ) -> bool {
        match kernels {
            #[cfg(target_arch = "x86_64")]
            Kernels::Avx512(token) => {
                let mut escaped = MaybeUninit::uninit();
                let mut state = *in_pairs;
                // SAFETY: holding the token proves detection succeeded. The kernel has initialised the first `len`
                // bytes of `escaped`.
                let escaped: &[u8] = unsafe {
                    let len = avx512::insert(token, &mut state, self.bytes(), &mut escaped);
                    core::slice::from_raw_parts(escaped.as_ptr().cast(), len)
                };
                let fits = out.push_slice(escaped);
                if fits {
                    *in_pairs = state;
                }
                fits
            }
            #[cfg(not(target_arch = "x86_64"))]
            Kernels::None => {
                _ = (in_pairs, out);
                false
            }
        }
    }
}
