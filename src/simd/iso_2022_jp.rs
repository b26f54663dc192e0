//! Escape sequences between ASCII and pairs, as ISO-2022-JP has them: taken out before kernels decode, put in after they
//! encode.
//!
//! Kernels for pairs know no escape sequences. What they convert is the text without them, with the high bit set on both
//! bytes of a pair, as in EUC-JP. What a source has beyond these two modes (other escape sequences, errors, an escape
//! sequence without output before it) ends the part that is taken out; the codec ensures that.
//!
//! [`avx512`] compresses 64 bytes at a time; [`v256`] does that by tables, and copies runs. Elsewhere there are no kernels
//! for pairs either, and the codec's portable loops do it all.

#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(all(test, v256))]
mod tests;
#[cfg(v256)]
mod v256;

use super::out::Out;
#[cfg(target_arch = "x86_64")]
use super::token::Avx512;
#[cfg(v256)]
use super::token::V256Token;
use super::token::{Active, with_v256};
#[cfg(any(v256, target_arch = "x86_64"))]
use crate::simd::tuning;
use core::mem::MaybeUninit;

/// Proof that there are kernels for this, and for pairs; and what it takes to make use of them.
#[derive(Clone, Copy)]
pub(crate) enum Kernels {
    #[cfg(target_arch = "x86_64")]
    Avx512(Avx512),
    #[cfg(v256)]
    V256(V256Token),
    /// What other architectures never have.
    #[cfg(not(v256))]
    None,
}

impl Kernels {
    #[inline]
    pub(crate) fn detect() -> Option<Self> {
        Self::at(Active::now())
    }

    /// Bytes that one call converts at most.
    #[inline]
    pub(crate) fn part(self) -> usize {
        match self {
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(_) => avx512::PART,
            #[cfg(v256)]
            Self::V256(_) => v256::PART,
            #[cfg(not(v256))]
            Self::None => 0,
        }
    }

    /// Bytes to begin with: text after them may be malformed or unmappable, and work on it would be wasted.
    #[inline]
    pub(crate) fn first_part(self) -> usize {
        self.part() / 8
    }

    /// From how many bytes on they are worth their start: measured against the codec's portable loops.
    #[inline]
    pub(crate) fn from(self) -> usize {
        match self {
            #[cfg(v256)]
            Self::V256(_) => tuning::ISO_2022_JP_FROM[1],
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(_) => tuning::ISO_2022_JP_FROM[0],
            #[cfg(not(v256))]
            Self::None => 0,
        }
    }

    #[inline]
    fn at(active: Active) -> Option<Self> {
        #[cfg(target_arch = "x86_64")]
        if let Some(token) = Avx512::at(active) {
            return Some(Self::Avx512(token));
        }
        with_v256!(active, |token| Self::V256(token))
    }
}

/// Bytes that any of them converts at a time, at most.
const MOST: usize = 8192;
/// Bytes after a part that are written with it, or read.
const READ_PADDING: usize = 64;
/// Room that is left after a part when it is encoded: kernels want two bytes for each unit of a batch, and would take
/// ever smaller batches where there is less.
const BATCH: usize = 2 * 2048;

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

/// What a block of 64 bytes has: a bit for each.
struct Seen {
    escapes: u64,
    /// Those that begin an escape sequence to pairs, and to ASCII.
    to_pairs: u64,
    to_ascii: u64,
    /// What is after an odd number of escapes within the block, each escape itself included.
    behind_odd: u64,
    /// What else ends the part that is taken out, and what lies after the source.
    stops: u64,
}

/// What is done with a block.
struct Taken {
    kept: u64,
    /// Which bytes are halves of pairs, an escape sequence being of the kind after it.
    pairs: u64,
    /// Whether nothing after it is taken.
    stops: bool,
}

/// What the bytes before a block say about it.
struct Before {
    /// All bits, if it starts with pairs.
    in_pairs: u64,
    /// Its first bytes that end an escape sequence.
    cut: u64,
    /// Its first byte, or one of the next two, if an escape sequence ends just before it.
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

    /// Says what is done with the block, and goes on to the next one.
    #[inline(always)]
    fn take(&mut self, seen: Seen) -> Taken {
        let escapes = seen.escapes;
        let pairs = seen.behind_odd ^ self.in_pairs;
        let toggles = (seen.to_pairs & pairs) | (seen.to_ascii & !pairs);
        // Places directly after an escape sequence, where another one has no output before it.
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

/// Part of a source, without its escape sequences.
pub(crate) struct Stripped {
    /// As many as `len` says are initialised. Registers are written whole.
    bytes: [MaybeUninit<u8>; MOST + READ_PADDING],
    len: usize,
    /// As many as `block_count` says are initialised.
    blocks: [MaybeUninit<Block>; MOST / 64],
    block_count: usize,
}

impl Stripped {
    #[inline(always)]
    pub(crate) fn new() -> Self {
        Self {
            bytes: [const { MaybeUninit::uninit() }; MOST + READ_PADDING],
            len: 0,
            blocks: [const { MaybeUninit::uninit() }; MOST / 64],
            block_count: 0,
        }
    }

    /// Adds a block whose kept bytes kernels have written already.
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

    /// The stripped bytes: ASCII, and pairs with their high bits set.
    pub(crate) fn bytes(&self) -> &[u8] {
        // SAFETY: kernels initialise what they count.
        unsafe { initialised(&self.bytes, self.len) }
    }

    fn blocks(&self) -> &[Block] {
        // SAFETY: likewise.
        unsafe { initialised(&self.blocks, self.block_count) }
    }

    /// Strips a prefix of `src`, at most [`Kernels::part`] bytes, which starts with pairs if `in_pairs`; returns how many
    /// are left of it.
    ///
    /// `must_have_output` says that an escape sequence precedes `src`, so that none may follow at once. Halves of pairs
    /// may have lost their other half.
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
            #[cfg(v256)]
            // SAFETY: holding the token proves detection succeeded.
            Kernels::V256(token) => unsafe {
                v256::strip(token, self, src, in_pairs, must_have_output);
            },
            #[cfg(not(v256))]
            Kernels::None => _ = (src, in_pairs, must_have_output),
        }
        self.len
    }

    /// Where in the source the first `taken` stripped bytes end, and whether with a pair; `None` if there are none.
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

/// The first `len` of some elements.
///
/// # Safety
/// They are initialised.
unsafe fn initialised<T>(all: &[MaybeUninit<T>], len: usize) -> &[T] {
    let first = &all[..len];
    // SAFETY: `all` has `len` elements, as just asserted by the slice, and they are initialised, by this function's contract.
    unsafe { core::slice::from_raw_parts(first.as_ptr().cast(), len) }
}

/// ASCII, and pairs with their high bits set, as a kernel encodes them: what still lacks its escape sequences.
pub(crate) struct Unescaped {
    /// The first `len` bytes are initialised, and after them [`READ_PADDING`] zeros, which kernels read, too.
    bytes: [MaybeUninit<u8>; MOST + BATCH],
    len: usize,
}

impl Unescaped {
    #[inline(always)]
    pub(crate) fn new() -> Self {
        Self {
            bytes: [const { MaybeUninit::uninit() }; MOST + BATCH],
            len: 0,
        }
    }

    /// Lets `write` write it anew: at most [`Kernels::part`] bytes.
    #[inline(always)]
    pub(crate) fn fill<R>(&mut self, write: impl FnOnce(&mut Out<'_, u8>) -> R) -> R {
        const { assert!(READ_PADDING <= BATCH) };
        let mut out = Out::from_uninit(&mut self.bytes);
        let bytes = out.buffer();
        let result = write(&mut out);
        out.assert_over(bytes);
        let len = out.written();
        assert!(len <= MOST);
        self.bytes[len..len + READ_PADDING].fill(MaybeUninit::new(0));
        self.len = len;
        result
    }

    fn bytes(&self) -> &[u8] {
        // SAFETY: initialised by `fill`.
        unsafe { initialised(&self.bytes, self.len) }
    }

    /// Writes it without its high bits, with an escape sequence before each change; false, and nothing written, where that
    /// does not fit. `in_pairs` says which state the output is in, before and after.
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
                // SAFETY: holding the token proves detection succeeded; the kernel has initialised the bytes that it
                // returns, within `escaped`.
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
            #[cfg(v256)]
            // SAFETY: holding the token proves detection succeeded.
            Kernels::V256(token) => unsafe { v256::push_escaped(token, self, in_pairs, out) },
            #[cfg(not(v256))]
            Kernels::None => {
                _ = (in_pairs, out);
                false
            }
        }
    }
}
