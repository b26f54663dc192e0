//! UTF-8 that is mostly ASCII: the first and the last pass visit only a list of the non-ASCII steps of eight bytes, and
//! of the first step of each block. Each step copies 64 bytes of ASCII; the next step overwrites the surplus.

use core::mem::MaybeUninit;

use super::super::{DoubleByteEncode, utf8_floor};
use super::{AHEAD, Batch, Taken, UNITS};
use crate::simd::arrays::map_array;
use crate::simd::bits::{around, place_of};
use crate::simd::out::Out;
use crate::simd::prefetch;
use crate::simd::shuffles::{BYTES, list_steps};
use crate::simd::vector::{Token, V128, V256};

/// Blocks of 64 bytes in a batch.
const BLOCKS: usize = UNITS / 64;
/// Capacity for characters, with padding for stores of whole registers.
const CHARACTERS: usize = UNITS / 2 + 32;
/// Most bytes after a step that are loaded or stored with it.
const WRITE_PADDING: usize = 72;
/// Most blocks at the end that are written to scratch memory.
const SCRATCH: usize = 5;

/// A list of steps, by number.
pub(super) struct List {
    steps: MaybeUninit<[u8; 8 * BLOCKS + 8]>,
    pub len: usize,
}

impl List {
    /// Appends the first step of a block, and each step with bits in `others`.
    ///
    /// # Safety
    /// At most `block` blocks have been pushed before, and `block < BLOCKS`.
    #[inline]
    #[cfg_attr(target_arch = "x86_64", target_feature(enable = "avx2,popcnt"))]
    #[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
    pub unsafe fn push(&mut self, block: usize, others: u64) {
        // SAFETY: `self.len <= 8 * block`, by `# Safety`, so eight more fit into `8 * BLOCKS + 8`.
        unsafe {
            let to = self.steps.as_mut_ptr().cast::<u8>().add(self.len);
            self.len += list_steps(to, block, others);
        }
    }

    /// Returns a pointer to the numbers of the steps.
    #[inline(always)]
    pub fn steps(&self) -> *const u8 {
        self.steps.as_ptr().cast()
    }
}

/// Masks of lead bytes.
#[repr(C)]
pub(super) struct Leads {
    /// A mask of zeros before the first block.
    pub before: u64,
    blocks: MaybeUninit<[u64; BLOCKS]>,
}

/// The state for UTF-8 of a batch.
pub(super) struct Utf8Steps {
    pub leads: Leads,
    /// The leads, and the first and the second byte after each.
    bytes: [MaybeUninit<[u8; CHARACTERS]>; 3],
}

/// A shuffle that moves eight bytes to the positions of the set bits.
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
    /// Implements [`Input::take_listed`](super::Input::take_listed) for UTF-8.
    ///
    /// # Safety
    /// As for [`Input::take_listed`](super::Input::take_listed).
    #[cfg_attr(
        target_arch = "x86_64",
        target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")
    )]
    #[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
    pub(super) unsafe fn take_listed(
        &mut self,
        v: Token,
        pairs: &DoubleByteEncode,
        src: &[u8],
        most: usize,
        out: &mut Out<'_, u8>,
    ) -> Option<Taken> {
        let blocks = most.min(UNITS).min(src.len().saturating_sub(WRITE_PADDING)) / 64;
        if blocks <= SCRATCH {
            return None;
        }
        let mut end = utf8_floor(src, 64 * blocks);
        // SAFETY: `64 * blocks + WRITE_PADDING <= src.len()`.
        if !unsafe { self.find_leads(v, src.as_ptr(), blocks, end) } {
            return None;
        }
        let unmappable = self.look_up(v, pairs);
        self.sparse = 3 * self.list.len < 2 * 8 * blocks;
        if let Some(character) = unmappable {
            // SAFETY: `find_leads` has initialised the masks of all `blocks` blocks.
            let leads = unsafe {
                core::slice::from_raw_parts(self.utf8.leads.blocks.as_ptr().cast(), blocks)
            };
            end =
                place_of(character, leads.iter().copied()).map_or(0, |(block, at)| 64 * block + at);
        }
        // SAFETY: `2 * most` bytes are writable, by `# Safety`; `end <= src.len()`.
        unsafe {
            let written = self.write_listed(v, src.as_ptr(), end, out.spare_ptr());
            out.advance(written);
        }
        Some(Taken {
            read: end,
            stops: unmappable.is_some(),
        })
    }

    /// First pass: fills the list and the code points of the characters before `end`. Returns false if there are
    /// four-byte characters.
    ///
    /// # Safety
    /// `64 * blocks + WRITE_PADDING` bytes are readable at `src`. `end` is at most three bytes before the end of the
    /// last block.
    #[inline(never)]
    #[cfg_attr(
        target_arch = "x86_64",
        target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")
    )]
    #[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
    unsafe fn find_leads(&mut self, v: Token, src: *const u8, blocks: usize, end: usize) -> bool {
        assert!(blocks <= BLOCKS);
        let set = |byte: u8| v.splat(byte);
        let leads: *mut u64 = self.utf8.leads.blocks.as_mut_ptr().cast();
        let mut greatest = v.splat(0);
        self.list.len = 0;
        for i in 0..blocks {
            // SAFETY: the block is readable, by `# Safety`. `i < BLOCKS`, so its mask and its steps fit.
            unsafe {
                prefetch::to_read::<1, _>(src.wrapping_add(64 * i + AHEAD));
                let [low, high] = v.load_two(src.add(64 * i));
                greatest = v.greatest(greatest, v.greatest(low, high));
                let are_leads = [v.at_least(low, set(0xC0)), v.at_least(high, set(0xC0))];
                leads.add(i).write(v.top_bits_of_two(are_leads));
                self.list.push(i, v.top_bits_of_two([low, high]));
            }
        }
        if v.any(v.movemask(v.at_least(greatest, set(0xF0)))) {
            return false;
        }
        let [first, second, third] = &mut self.utf8.bytes;
        let bytes: [*mut u8; 3] = [
            first.as_mut_ptr().cast(),
            second.as_mut_ptr().cast(),
            third.as_mut_ptr().cast(),
        ];
        let mut count = 0;
        // SAFETY: as above. A step has at most four leads, so a batch has at most `UNITS / 2`, and there is capacity
        // for a register more. The mask drops a last character that is cut.
        unsafe {
            *leads.add(blocks - 1) &= u64::MAX >> (64 * blocks - end);
            for k in 0..self.list.len {
                let step = usize::from(*self.list.steps().add(k));
                let leads = *leads.cast::<u8>().add(step);
                let places = v.load_eight(BYTES[usize::from(leads)].as_ptr());
                for (i, to) in bytes.into_iter().enumerate() {
                    let from = v.load_eight(src.add(8 * step + i));
                    v.store_eight(v.shuffle_half(from, places), to.add(count));
                }
                count += leads.count_ones() as usize;
            }
            for to in bytes {
                v.store_half(v.half_of_units(0), to.add(count));
            }
        }
        self.count = count;
        let code_points: *mut u16 = self.code_points.as_mut_ptr().cast();
        let set = |lane: u16| v.splat_units(lane);
        for at in (0..count).step_by(16) {
            // SAFETY: `count` characters and 16 zeros after them are initialised.
            unsafe {
                let [first, second, third] =
                    map_array(bytes, |bytes| v.widen_half(v.load_half(bytes.add(at))));
                let second = v.and(second, set(0x3F));
                let two = v.left::<6>(v.and(first, set(0x1F)));
                let two = v.or(two, second);
                let high = v.left::<12>(first);
                let middle = v.left::<6>(second);
                let low = v.and(third, set(0x3F));
                let three = v.or(v.or(high, middle), low);
                let are_three = v.units_above(first, set(0xDF));
                let all = v.blend(are_three, three, two);
                v.store(all, code_points.add(at).cast());
            }
        }
        // SAFETY: `code_points` has `READ_PADDING` elements more than `UNITS`.
        unsafe {
            let after = code_points.add(count.next_multiple_of(16));
            v.store_half(v.half_of_units(0), after.cast());
        }
        true
    }

    /// Last pass: writes the bytes of the first `end` bytes of `src`. Returns their number.
    ///
    /// # Safety
    /// The batch was made from `src` and has values for all characters before `end`. Their bytes are writable at `to`.
    #[inline(never)]
    #[cfg_attr(
        target_arch = "x86_64",
        target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")
    )]
    #[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
    unsafe fn write_listed(&self, v: Token, src: *const u8, end: usize, to: *mut u8) -> usize {
        let mut scratch = MaybeUninit::<[[u8; 128]; SCRATCH + 1]>::uninit();
        let scratch: *mut u8 = scratch.as_mut_ptr().cast();
        // Two blocks and one byte become more than `WRITE_PADDING` bytes if each character has two bytes; otherwise
        // four blocks may be needed.
        let beside_blocks = if self.variable_length {
            SCRATCH
        } else {
            SCRATCH - 2
        };
        let direct = 64 * end.div_ceil(64).saturating_sub(beside_blocks);
        let mut writer = Writer {
            batch: self,
            src,
            item: self.list.steps(),
            values: self.values.as_ptr().cast(),
            more: 0,
        };
        // SAFETY: by `# Safety`. Stores before `direct` overshoot only into the bytes of later blocks. `scratch` has
        // 128 bytes, two for each unit, for each of `SCRATCH` blocks, and 128 more.
        unsafe {
            writer.write::<false>(v, direct, to);
            let before = direct.wrapping_add_signed(writer.more);
            writer.write::<true>(v, end, scratch.wrapping_sub(before));
            let written = end.wrapping_add_signed(writer.more);
            to.add(before)
                .copy_from_nonoverlapping(scratch, written - before);
            written
        }
    }
}

/// The state of the last pass.
struct Writer<'a> {
    batch: &'a Batch,
    src: *const u8,
    item: *const u8,
    values: *const u16,
    /// The number of bytes written minus the number of bytes read.
    more: isize,
}

impl Writer<'_> {
    /// Writes the steps before `until`, which is the start of a block, or, if `LAST`, the end of a character.
    ///
    /// # Safety
    /// As for [`Batch::write_listed`]. `WRITE_PADDING` bytes after the output are writable.
    #[inline]
    #[cfg_attr(
        target_arch = "x86_64",
        target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")
    )]
    #[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
    unsafe fn write<const LAST: bool>(&mut self, v: Token, until: usize, to: *mut u8) {
        // SAFETY: by `# Safety`, the steps of the list have leads and values, and their bytes and `WRITE_PADDING` more
        // are writable.
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
                let values = v.shuffle_half(v.load_eight(values), v.load_eight(places.as_ptr()));
                let from = self.src.add(start);
                let bytes = v.load_eight(from);
                let others = u32::from(v.top_bits_of_eight(bytes));
                let bytes = v.blend_half(bytes, values, bytes);
                let zeros = v.zeros(bytes);
                let len = if LAST { (until - start).min(8) } else { 8 };
                let counted = (1 << len) - 1;
                let keep = !(zeros & others) & counted;
                let to = to.wrapping_offset(start as isize + self.more);
                prefetch::to_write::<1, _>(to.wrapping_add(self.batch.ahead));
                let kept = v.load_eight(BYTES[keep as usize & 0xFF].as_ptr());
                v.store_eight(v.shuffle_half(bytes, kept), to);
                let written = keep.count_ones() as usize;
                self.values = self.values.add(leads.count_ones() as usize);
                self.more += written as isize - len as isize;
                for i in [0, 32] {
                    let ascii = v.load(from.add(8 + i));
                    v.store(ascii, to.add(written + i));
                }
            }
        }
    }
}
