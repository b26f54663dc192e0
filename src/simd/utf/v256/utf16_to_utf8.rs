//! UTF-16 to UTF-8, 16 code units at a time.
//!
//! A unit becomes the first, the second and the last byte that it would have as three; saturated additions and minima
//! make of them, without a comparison, those of two bytes and of one. A shuffle per four units keeps what counts. Units
//! below 0x800 are their lead and trail in place, eight to a shuffle. A surrogate is the two bytes of four that it
//! stands for. The tables take 8 KB. A lone surrogate is left to the caller.
//!
//! A branch that is mispredicted takes as long as two blocks. So blocks are of three kinds only, and go by twos: what is
//! not ASCII takes the next one with it, whatever that is.
//!
//! Against simdutf 0.7 with AVX2: 1.1 to 1.6, 2 on emoji.

use super::super::super::arrays::map_array;
use super::super::super::vector::{Bytes, Token, V256};
use super::{PAIRS, Saved, Shuffles, UNITS};

/// Converts blocks of 16 code units up to the first with a lone surrogate; returns the units read and the bytes written.
///
/// # Safety
/// `len` units of two bytes each at `src` are readable, of any alignment, and `room` bytes at `dst` are writable.
#[cfg_attr(
    target_arch = "x86_64",
    target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")
)]
#[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
pub(in super::super) unsafe fn utf16_to_utf8<const SWAP: bool>(
    v: Token,
    src: *const u8,
    len: usize,
    dst: *mut u8,
    room: usize,
) -> (usize, usize) {
    let (mut from, mut to) = (src, dst);
    let mut saved = Saved::nothing();
    let load = |from: *const u8| {
        // SAFETY: every caller has 16 units there.
        let units = unsafe { v.load(from) };
        if SWAP { v.swapped(units) } else { units }
    };
    // SAFETY: the ends of what the contract names.
    let (end, limit) = unsafe { (src.add(2 * len), dst.add(room)) };
    'all: loop {
        // Blocks that are left, and that fit with the sixteen bytes that the last store may spill.
        let left = (end.addr() - from.addr()) / 32;
        let fit = (limit.addr() - to.addr()).saturating_sub(16) / 48;
        let blocks = left.min(fit);
        if blocks == 0 {
            break;
        }
        let mut last = from;
        'twos: {
            for _ in 0..blocks / 2 {
                // SAFETY: no block is longer than has been counted for it, so that two are left to read, and fit. What
                // is kept lies at least 16 bytes after the output of earlier blocks, which spill 13 at most.
                unsafe {
                    let (units, next) = (load(from), load(from.add(32)));
                    if are_below_80(v, units) {
                        let bytes = v.narrow(units, next);
                        if are_below_80(v, next) {
                            v.store(bytes, to);
                            (from, to) = (from.add(64), to.add(32));
                            continue;
                        }
                        v.store_low(bytes, to);
                        (from, to) = (from.add(32), to.add(16));
                        continue;
                    }
                    let both = v.or(units, next);
                    if are_below_800(v, both) {
                        to = DoubleByteDecode::of(v, units).put(v, to);
                        let block = DoubleByteDecode::of(v, next);
                        saved.keep(to.add(block.len()));
                        to = block.put(v, to);
                        from = from.add(64);
                        continue;
                    }
                    let either = v.or(surrogates(v, units), surrogates(v, next));
                    if v.any(v.movemask(either)) {
                        last = from.add(32);
                        break 'twos;
                    }
                    to = Block::of(v, units).put(v, to);
                    let block = Block::of(v, next);
                    saved.keep(to.add(block.len(v)));
                    to = block.put(v, to);
                    from = from.add(64);
                }
            }
            if blocks > 1 {
                continue 'all;
            }
        }
        // The last block, or two with surrogates.
        while from <= last {
            // SAFETY: as above; at least 14 bytes are written.
            unsafe {
                let units = load(from);
                if are_below_800(v, units) {
                    let block = DoubleByteDecode::of(v, units);
                    saved.keep(to.add(block.len()));
                    to = block.put(v, to);
                    from = from.add(32);
                    continue;
                }
                let Some((block, lead)) = Block::with_surrogates(v, units) else {
                    break 'all;
                };
                // A lead at the end waits for the next block.
                let cut = 2 * usize::from(lead);
                saved.keep(to.add(block.len(v) - cut));
                to = block.put(v, to).sub(cut);
                from = from.add(32 - cut);
            }
        }
    }
    // SAFETY: both have gone on from there. What was kept last lies at `to`, unless ASCII has been written since.
    unsafe {
        saved.put_back(to);
        (
            from.offset_from_unsigned(src) / 2,
            to.offset_from_unsigned(dst),
        )
    }
}

#[inline(always)]
fn are_below_80(v: Token, units: Bytes) -> bool {
    v.is_zero(v.and(units, all(v, 0xFF80)))
}

#[inline(always)]
fn are_below_800(v: Token, units: Bytes) -> bool {
    v.is_zero(v.and(units, all(v, 0xF800)))
}

#[inline(always)]
fn all(v: Token, bits: u16) -> Bytes {
    v.splat_units(bits)
}

#[inline(always)]
fn surrogates(v: Token, units: Bytes) -> Bytes {
    v.equal_units(v.and(units, all(v, 0xF800)), all(v, 0xD800))
}

/// The last byte of each unit's character, with a zero above; and bytes whose bit 7 says whether it has more than one.
#[inline(always)]
fn last_bytes(v: Token, units: Bytes) -> (Bytes, Bytes) {
    // 0xFF from 0x100 on: a trail is no more than that, nor than the units below that have one.
    let low = v.add_units_up_to_max(units, all(v, 0xFF00));
    let trail = v.or(v.and(units, all(v, 0x3F)), all(v, 0x80));
    (v.least(trail, low), low)
}

/// Shuffles each half of a register by an entry of its own.
#[inline(always)]
fn shuffle(v: Token, bytes: Bytes, table: &Shuffles, entries: [u32; 2]) -> Bytes {
    v.shuffle(bytes, map_array(entries, |i| &table.0[i as usize & 0xFF]))
}

/// Sixteen units below 0x800.
struct DoubleByteDecode {
    /// The last byte of each, then the lead.
    bytes: Bytes,
    /// Which of the first eight are not ASCII, and which of the others.
    from_80: [u32; 2],
    /// How many those are.
    lens: [usize; 2],
}

impl DoubleByteDecode {
    #[inline(always)]
    fn of(v: Token, units: Bytes) -> Self {
        // Bit 15 from 0x80 on.
        let from_80 = v.top_bits_of_units(v.add_units(units, all(v, 0x7F80)));
        let lead = v.and(v.left::<2>(units), all(v, 0xFF00));
        let (last, _) = last_bytes(v, units);
        Self {
            bytes: v.or(v.or(lead, all(v, 0xC000)), last),
            from_80: map_array(from_80, |(bits, _)| bits),
            lens: map_array(from_80, |(_, len)| len),
        }
    }

    #[inline(always)]
    fn len(&self) -> usize {
        16 + self.lens[0] + self.lens[1]
    }

    /// # Safety
    /// 16 bytes more than it has are writable at `to`.
    #[inline(always)]
    unsafe fn put(self, v: Token, to: *mut u8) -> *mut u8 {
        let bytes = shuffle(v, self.bytes, &PAIRS, self.from_80);
        // SAFETY: the first eight have eight bytes at least, which leaves the others 16 more than they have.
        unsafe {
            v.store_low(bytes, to);
            let rest = to.add(8 + self.lens[0]);
            v.store_high(bytes, rest);
            rest.add(8 + self.lens[1])
        }
    }
}

/// Sixteen units of any size.
struct Block {
    /// The first byte of each, then the second of three.
    start: Bytes,
    /// The last byte of each.
    last: Bytes,
    /// Two bits for each: whether it has more than one byte, and more than two.
    lengths: u32,
}

impl Block {
    /// A block without surrogates.
    #[inline(always)]
    fn of(v: Token, units: Bytes) -> Self {
        let (last, low) = last_bytes(v, units);
        // In the lower byte bit 7 is set always, in the upper one from 0x800 on.
        let lengths = v.and(low, v.add_up_to_max(units, all(v, 0x78FF)));
        let second = v.and(v.left::<2>(units), all(v, 0x3F00));
        let three = v.or(v.right::<12>(units), all(v, 0x80E0));
        let three = v.or(three, second);
        // The lead of two below 0x800; from there on, the lead of three or more.
        let two = v.add_units_up_to_max(v.right::<6>(units), all(v, 0xFFC0));
        Self {
            start: v.least(three, two),
            last,
            lengths: v.top_bits(lengths),
        }
    }

    /// A block in which each surrogate is two bytes of four, and whether the last unit is a lead; `None` when one of the
    /// others is alone.
    #[inline(always)]
    fn with_surrogates(v: Token, units: Bytes) -> Option<(Self, bool)> {
        let (halves, lead) = halves_of_four(v, units)?;
        let block = Self::of(v, units);
        let surrogates = surrogates(v, units);
        let three = v.top_bits(surrogates) & 0xAAAA_AAAA;
        let block = Self {
            start: v.blend(surrogates, halves, block.start),
            last: v.blend(surrogates, v.right::<8>(halves), block.last),
            lengths: block.lengths & !three,
        };
        Some((block, lead))
    }

    #[inline(always)]
    fn len(&self, v: Token) -> usize {
        16 + v.count(self.lengths)
    }

    /// # Safety
    /// 16 bytes more than it has are writable at `to`.
    #[inline(always)]
    unsafe fn put(self, v: Token, to: *mut u8) -> *mut u8 {
        let Self { start, last, .. } = self;
        let fours = map_array([0, 8, 16, 24], |from| self.lengths >> from & 0xFF);
        // Each has the units from 0 or 4 on, then those from 8 or 12 on.
        let [even, odd] = v.zip_pairs(start, last);
        let even = shuffle(v, even, &UNITS, [fours[0], fours[2]]);
        let odd = shuffle(v, odd, &UNITS, [fours[1], fours[3]]);
        let lens = v.counts(self.lengths);
        let len = |i: usize| 4 + lens[i];
        // SAFETY: no store begins after the last character. In this order, what one spills the next overwrites.
        unsafe {
            let one = to.add(len(0));
            let two = one.add(len(1));
            let three = two.add(len(2));
            v.store_low(even, to);
            v.store_low(odd, one);
            v.store_high(even, two);
            v.store_high(odd, three);
            to.add(self.len(v))
        }
    }
}

/// The two bytes of four that each surrogate stands for, and whether the last unit is a lead; `None` when one of the
/// others is alone.
#[inline(always)]
fn halves_of_four(v: Token, units: Bytes) -> Option<(Bytes, bool)> {
    let kind = v.and(units, all(v, 0xFC00));
    let is = |bits: u16| v.equal_units(kind, all(v, bits));
    let (leads, trails) = (is(0xD800), is(0xDC00));
    // The units one place on, with a zero before the first.
    let on = |units| v.on::<2>(units);
    let lone = v.xor(on(leads), trails);
    if !v.is_zero(lone) {
        return None;
    }
    let ten = v.and(units, all(v, 0x3FF));
    // The plane's 1 is added to the lead's upper four bits.
    let upper = v.add_units(ten, all(v, 0x40));
    let lead = v.or(
        v.or(
            v.right::<8>(upper),
            v.and(v.left::<6>(upper), all(v, 0x3F00)),
        ),
        all(v, 0x80F0),
    );
    let two = v.and(v.left::<4>(on(units)), all(v, 0x30));
    let trail = v.or(
        v.or(
            v.or(two, v.right::<6>(ten)),
            v.and(v.left::<8>(ten), all(v, 0x3F00)),
        ),
        all(v, 0x8080),
    );
    let cut = v.top_bits(leads) >> 31 == 1;
    Some((v.blend(trails, trail, lead), cut))
}
