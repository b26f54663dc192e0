//! UTF-8 in which ASCII prevails: a list of the steps of eight bytes that are not ASCII, and of the first of each block.
//! The first and the last pass go over those alone; behind each 64 bytes are copied as ASCII, which is more than lies
//! between one step of the list and the next. What is too much, the next one covers.

use core::arch::x86_64::*;
use core::mem::MaybeUninit;

use super::super::super::arrays::each;
use super::super::super::bits::{around, place_of};
use super::super::super::out::Out;
use super::super::super::prefetch;
use super::super::super::shuffles::{BYTES, list_steps};
use super::super::{EncodePairs, utf8_floor};
use super::{AHEAD, Batch, Taken, UNITS};

/// Blocks in a batch, of 64 bytes.
const BLOCKS: usize = UNITS / 64;
/// Characters in a batch, at most, and room to store whole registers.
const CHARACTERS: usize = UNITS / 2 + 32;
/// Bytes behind a step that are loaded with it, and stored, at most.
const SURPLUS: usize = 72;
/// Blocks at the end that are written beside the output, at most.
const BESIDE: usize = 5;

/// Steps by number.
pub(super) struct List {
    steps: MaybeUninit<[u8; 8 * BLOCKS + 8]>,
    pub len: usize,
}

impl List {
    /// Lists the first step of a block, and those in which `others` has bits.
    ///
    /// # Safety
    /// Before this block there have been no more than `block` ones, which is below `BLOCKS`.
    #[inline]
    #[target_feature(enable = "avx2,popcnt")]
    pub unsafe fn push(&mut self, block: usize, others: u64) {
        // SAFETY: there is room for eight more than `8 * block`: the contract of this function.
        unsafe {
            let to = self.steps.as_mut_ptr().cast::<u8>().add(self.len);
            self.len += list_steps(to, block, others);
        }
    }

    /// The numbers.
    #[inline(always)]
    pub fn steps(&self) -> *const u8 {
        self.steps.as_ptr().cast()
    }
}

/// Masks of leads.
#[repr(C)]
pub(super) struct Leads {
    /// None.
    pub before: u64,
    blocks: MaybeUninit<[u64; BLOCKS]>,
}

/// UTF-8 of a batch.
pub(super) struct Utf8Steps {
    pub leads: Leads,
    /// Leads, and the first and second byte behind each.
    bytes: [MaybeUninit<[u8; CHARACTERS]>; 3],
}

/// Moves eight bytes apart, to where a bit is set.
static APART: [[u8; 8]; 256] = {
    let mut all = [[0x80; 8]; 256];
    let mut bits = 0;
    while bits < 256 {
        let (mut i, mut from) = (0, 0);
        while i < 8 {
            if bits >> i & 1 == 1 {
                all[bits][i] = from;
                from += 1;
            }
            i += 1;
        }
        bits += 1;
    }
    all
};

impl Batch {
    /// See [`Form::take_listed`](super::Form::take_listed).
    ///
    /// # Safety
    /// That of it.
    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")]
    pub(super) unsafe fn take_listed(
        &mut self,
        pairs: &EncodePairs,
        src: &[u8],
        most: usize,
        out: &mut Out<'_, u8>,
    ) -> Option<Taken> {
        let blocks = most.min(UNITS).min(src.len().saturating_sub(SURPLUS)) / 64;
        if blocks <= BESIDE {
            return None;
        }
        let mut end = utf8_floor(src, 64 * blocks);
        // SAFETY: so many blocks and `SURPLUS` bytes are readable; a list of UTF-8 has no surrogates.
        let unmappable = unsafe {
            if !self.find_leads(src.as_ptr(), blocks, end) {
                return None;
            }
            self.look_up(pairs, None)
        };
        self.sparse = 3 * self.list.len < 2 * 8 * blocks;
        if let Some(character) = unmappable {
            // SAFETY: `find_leads` has initialised as many.
            let leads = unsafe {
                core::slice::from_raw_parts(self.utf8.leads.blocks.as_ptr().cast(), blocks)
            };
            end =
                place_of(character, leads.iter().copied()).map_or(0, |(block, at)| 64 * block + at);
        }
        // SAFETY: the contract of this function.
        unsafe {
            let written = self.write_listed(src.as_ptr(), end, out.spare_ptr());
            out.advance(written);
        }
        Some(Taken {
            read: end,
            stops: unmappable.is_some(),
        })
    }

    /// First pass: the list, and the code points of the characters before `end`. False if some have four bytes.
    ///
    /// # Safety
    /// `blocks` and `SURPLUS` bytes are readable at `src`; `end` is in the last block, or at its end.
    #[inline(never)]
    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")]
    unsafe fn find_leads(&mut self, src: *const u8, blocks: usize, end: usize) -> bool {
        assert!(blocks <= BLOCKS);
        let set = |byte: u8| _mm256_set1_epi8(byte as i8);
        let leads: *mut u64 = self.utf8.leads.blocks.as_mut_ptr().cast();
        let mut greatest = _mm256_setzero_si256();
        self.list.len = 0;
        for i in 0..blocks {
            // SAFETY: the block is readable, and there is room for its mask and its steps.
            unsafe {
                prefetch::to_read::<1, _>(src.wrapping_add(64 * i + AHEAD));
                let block: *const __m256i = src.add(64 * i).cast();
                let (low, high) = (_mm256_loadu_si256(block), _mm256_loadu_si256(block.add(1)));
                greatest = _mm256_max_epu8(greatest, _mm256_max_epu8(low, high));
                let lead = |bytes| {
                    let lead = _mm256_cmpeq_epi8(_mm256_max_epu8(bytes, set(0xC0)), bytes);
                    u64::from(_mm256_movemask_epi8(lead) as u32)
                };
                leads.add(i).write(lead(low) | lead(high) << 32);
                let top = |bytes| u64::from(_mm256_movemask_epi8(bytes) as u32);
                self.list.push(i, top(low) | top(high) << 32);
            }
        }
        let fours = _mm256_cmpeq_epi8(_mm256_max_epu8(greatest, set(0xF0)), greatest);
        if _mm256_movemask_epi8(fours) != 0 {
            return false;
        }
        let [first, second, third] = &mut self.utf8.bytes;
        let bytes: [*mut u8; 3] = [
            first.as_mut_ptr().cast(),
            second.as_mut_ptr().cast(),
            third.as_mut_ptr().cast(),
        ];
        let mut count = 0;
        // SAFETY: as above. The last character may be cut: it counts no more. A step has four leads at most, and so a
        // batch has `UNITS / 2`, with room for a register behind them.
        unsafe {
            *leads.add(blocks - 1) &= _bzhi_u64(u64::MAX, (end - 64 * (blocks - 1)) as u32);
            for k in 0..self.list.len {
                let step = usize::from(*self.list.steps().add(k));
                let leads = *leads.cast::<u8>().add(step);
                let places = _mm_loadl_epi64(BYTES[usize::from(leads)].as_ptr().cast());
                for (i, to) in bytes.into_iter().enumerate() {
                    let from = _mm_loadl_epi64(src.add(8 * step + i).cast());
                    _mm_storel_epi64(to.add(count).cast(), _mm_shuffle_epi8(from, places));
                }
                count += leads.count_ones() as usize;
            }
            for to in bytes {
                _mm_storeu_si128(to.add(count).cast(), _mm_setzero_si128());
            }
        }
        self.count = count;
        let code_points: *mut u16 = self.code_points.as_mut_ptr().cast();
        let set = |lane: u16| _mm256_set1_epi16(lane as i16);
        for at in (0..count).step_by(16) {
            // SAFETY: as many characters there are, and 16 zeros behind.
            unsafe {
                let [first, second, third] = each(bytes, |bytes| {
                    _mm256_cvtepu8_epi16(_mm_loadu_si128(bytes.add(at).cast()))
                });
                let second = _mm256_and_si256(second, set(0x3F));
                let two = _mm256_slli_epi16::<6>(_mm256_and_si256(first, set(0x1F)));
                let two = _mm256_or_si256(two, second);
                let high = _mm256_slli_epi16::<12>(first);
                let middle = _mm256_slli_epi16::<6>(second);
                let low = _mm256_and_si256(third, set(0x3F));
                let three = _mm256_or_si256(_mm256_or_si256(high, middle), low);
                let are_three = _mm256_cmpgt_epi16(first, set(0xDF));
                let all = _mm256_blendv_epi8(two, three, are_three);
                _mm256_storeu_si256(code_points.add(at).cast(), all);
            }
        }
        // SAFETY: there is room for `BEHIND` more than `UNITS`.
        unsafe {
            let behind = code_points.add(count.next_multiple_of(16));
            _mm_storeu_si128(behind.cast(), _mm_setzero_si128());
        }
        true
    }

    /// Last pass: writes the bytes of the first `end` of `src`; returns how many.
    ///
    /// # Safety
    /// The batch is of `src`, and has values for what is before `end`; as many bytes are writable at `to` as it becomes.
    #[inline(never)]
    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")]
    unsafe fn write_listed(&self, src: *const u8, end: usize, to: *mut u8) -> usize {
        let mut beside = MaybeUninit::<[[u8; 128]; BESIDE + 1]>::uninit();
        let beside: *mut u8 = beside.as_mut_ptr().cast();
        // Two blocks and one byte become more than `SURPLUS` if each character has two bytes; else it takes four.
        let beside_blocks = if self.ragged { BESIDE } else { BESIDE - 2 };
        let direct = 64 * end.div_ceil(64).saturating_sub(beside_blocks);
        let mut writer = Writer {
            batch: self,
            src,
            item: self.list.steps(),
            values: self.values.as_ptr().cast(),
            fours: self.fours.as_ptr().cast(),
            more: 0,
        };
        // SAFETY: the contract of this function. What is stored too much is within what follows `direct` in the output,
        // and `beside` has room for `BESIDE` blocks of which each unit becomes two bytes.
        unsafe {
            writer.write::<false>(direct, to);
            let before = direct.wrapping_add_signed(writer.more);
            writer.write::<true>(end, beside.wrapping_sub(before));
            let written = end.wrapping_add_signed(writer.more);
            to.add(before)
                .copy_from_nonoverlapping(beside, written - before);
            written
        }
    }
}

/// Where the last pass is.
struct Writer<'a> {
    batch: &'a Batch,
    src: *const u8,
    item: *const u8,
    values: *const u16,
    fours: *const u32,
    /// Bytes written less bytes read.
    more: isize,
}

impl Writer<'_> {
    /// Writes the steps before `until`, where a block starts or the `LAST` character ends.
    ///
    /// # Safety
    /// That of [`Batch::write_listed`]; `SURPLUS` bytes may be stored too much.
    #[inline]
    #[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")]
    unsafe fn write<const LAST: bool>(&mut self, until: usize, to: *mut u8) {
        // SAFETY: the contract of this function.
        unsafe {
            let list_end = self.batch.list.steps().add(self.batch.list.len);
            loop {
                if LAST && self.item == list_end {
                    return;
                }
                let start = 8 * usize::from(*self.item);
                if start >= until {
                    return;
                }
                self.item = self.item.add(1);
                let bits = around((&raw const self.batch.utf8.leads).cast(), start / 8);
                let (leads, carry) = (bits >> 1, bits & 1);
                let places = &APART[usize::from((leads | bits) as u8)];
                let values = self.values.cast::<u8>().sub(carry as usize);
                let values = _mm_shuffle_epi8(
                    _mm_loadl_epi64(values.cast()),
                    _mm_loadl_epi64(places.as_ptr().cast()),
                );
                let from = self.src.add(start);
                let bytes = _mm_loadl_epi64(from.cast());
                let others = _mm_movemask_epi8(bytes) as u32;
                let bytes = _mm_blendv_epi8(bytes, values, bytes);
                let zeros = _mm_movemask_epi8(_mm_cmpeq_epi8(bytes, _mm_setzero_si128())) as u32;
                let len = if LAST { (until - start).min(8) } else { 8 };
                let counted = (1 << len) - 1;
                let keep = !(zeros & others) & counted;
                let fours = leads & zeros & counted;
                let to = to.wrapping_offset(start as isize + self.more);
                prefetch::to_write::<1, _>(to.wrapping_add(self.batch.ahead));
                let written = if fours != 0 {
                    self.write_fours(bytes, keep, fours, to)
                } else {
                    let kept = _mm_loadl_epi64(BYTES[keep as usize & 0xFF].as_ptr().cast());
                    _mm_storel_epi64(to.cast(), _mm_shuffle_epi8(bytes, kept));
                    keep.count_ones() as usize
                };
                self.values = self.values.add(leads.count_ones() as usize);
                self.more += written as isize - len as isize;
                for i in [0, 32] {
                    let ascii = _mm256_loadu_si256(from.add(8 + i).cast());
                    _mm256_storeu_si256(to.add(written + i).cast(), ascii);
                }
            }
        }
    }

    /// Writes those of eight bytes that are kept, and four in some places; returns how many.
    ///
    /// # Safety
    /// There are as many characters of four bytes, and room for what is written.
    #[cold]
    #[inline(never)]
    #[target_feature(enable = "avx2")]
    unsafe fn write_fours(&mut self, bytes: __m128i, keep: u32, fours: u32, to: *mut u8) -> usize {
        let bytes = _mm_cvtsi128_si64(bytes).to_le_bytes();
        let mut written = 0;
        for (i, byte) in bytes.into_iter().enumerate() {
            // SAFETY: the contract of this function.
            unsafe {
                if fours >> i & 1 != 0 {
                    to.add(written)
                        .cast::<[u8; 4]>()
                        .write((*self.fours).to_le_bytes());
                    self.fours = self.fours.add(1);
                    written += 4;
                } else if keep >> i & 1 != 0 {
                    to.add(written).write(byte);
                    written += 1;
                }
            }
        }
        written
    }
}
