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

use core::arch::x86_64::{
    __m256i, _mm_load_si128, _mm_storeu_si128, _mm256_add_epi16, _mm256_adds_epu8,
    _mm256_adds_epu16, _mm256_alignr_epi8, _mm256_and_si256, _mm256_blendv_epi8,
    _mm256_castsi256_si128, _mm256_cmpeq_epi16, _mm256_extracti128_si256, _mm256_loadu_si256,
    _mm256_min_epu8, _mm256_movemask_epi8, _mm256_or_si256, _mm256_packs_epi16,
    _mm256_packus_epi16, _mm256_permute2x128_si256, _mm256_permute4x64_epi64, _mm256_set_m128i,
    _mm256_set1_epi16, _mm256_shuffle_epi8, _mm256_slli_epi16, _mm256_srli_epi16,
    _mm256_storeu_si256, _mm256_testz_si256, _mm256_unpackhi_epi16, _mm256_unpacklo_epi16,
    _mm256_xor_si256,
};

use super::super::super::arrays::each;
use super::super::super::token::Avx2;
use super::{Behind, PAIRS, Shuffles, UNITS, swapped};

/// Converts blocks of 16 code units up to the first with a lone surrogate; returns the units read and the bytes written.
///
/// # Safety
/// `len` units of two bytes each at `src` are readable, of any alignment, and `room` bytes at `dst` are writable.
#[inline(always)]
pub(in super::super) unsafe fn utf16_to_utf8<const SWAP: bool>(
    _: Avx2,
    src: *const u8,
    len: usize,
    dst: *mut u8,
    room: usize,
) -> (usize, usize) {
    // SAFETY: holding `Avx2` proves detection succeeded; the rest is the contract of this function.
    unsafe { convert::<SWAP>(src, len, dst, room) }
}

#[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")]
unsafe fn convert<const SWAP: bool>(
    src: *const u8,
    len: usize,
    dst: *mut u8,
    room: usize,
) -> (usize, usize) {
    let (mut from, mut to) = (src, dst);
    let mut behind = Behind::nothing();
    let load = |from: *const u8| {
        // SAFETY: every caller has 16 units there.
        let units = unsafe { _mm256_loadu_si256(from.cast()) };
        if SWAP { swapped(units) } else { units }
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
                // is kept lies at least 16 bytes behind the output of earlier blocks, which spill 13 at most.
                unsafe {
                    let (units, next) = (load(from), load(from.add(32)));
                    if _mm256_testz_si256(units, all(0xFF80)) == 1 {
                        let bytes = _mm256_packus_epi16(units, next);
                        let bytes = _mm256_permute4x64_epi64::<0b11_01_10_00>(bytes);
                        if _mm256_testz_si256(next, all(0xFF80)) == 1 {
                            _mm256_storeu_si256(to.cast(), bytes);
                            (from, to) = (from.add(64), to.add(32));
                            continue;
                        }
                        _mm_storeu_si128(to.cast(), _mm256_castsi256_si128(bytes));
                        (from, to) = (from.add(32), to.add(16));
                        continue;
                    }
                    let both = _mm256_or_si256(units, next);
                    if _mm256_testz_si256(both, all(0xF800)) == 1 {
                        to = Pairs::of(units).put(to);
                        let block = Pairs::of(next);
                        behind.keep(to.add(block.len()));
                        to = block.put(to);
                        from = from.add(64);
                        continue;
                    }
                    let either = _mm256_or_si256(surrogates(units), surrogates(next));
                    if _mm256_movemask_epi8(either) != 0 {
                        last = from.add(32);
                        break 'twos;
                    }
                    to = Block::of(units).put(to);
                    let block = Block::of(next);
                    behind.keep(to.add(block.len()));
                    to = block.put(to);
                    from = from.add(64);
                }
            }
            if blocks > 1 {
                continue 'all;
            }
        }
        // The last block, or two with surrogates.
        while from <= last {
            // SAFETY: as above, but that at least 14 bytes are written.
            unsafe {
                let units = load(from);
                if _mm256_testz_si256(units, all(0xF800)) == 1 {
                    let block = Pairs::of(units);
                    behind.keep(to.add(block.len()));
                    to = block.put(to);
                    from = from.add(32);
                    continue;
                }
                let Some((block, lead)) = Block::with_surrogates(units) else {
                    break 'all;
                };
                // A lead at the end waits for the next block.
                let cut = 2 * usize::from(lead);
                behind.keep(to.add(block.len() - cut));
                to = block.put(to).sub(cut);
                from = from.add(32 - cut);
            }
        }
    }
    // SAFETY: both have gone on from there. What was kept last lies at `to`, unless ASCII has been written since.
    unsafe {
        behind.put_back(to);
        (
            from.offset_from_unsigned(src) / 2,
            to.offset_from_unsigned(dst),
        )
    }
}

#[target_feature(enable = "avx2")]
#[inline]
fn all(bits: u16) -> __m256i {
    _mm256_set1_epi16(bits as i16)
}

#[target_feature(enable = "avx2")]
#[inline]
fn surrogates(units: __m256i) -> __m256i {
    _mm256_cmpeq_epi16(_mm256_and_si256(units, all(0xF800)), all(0xD800))
}

/// The last byte of each unit's character, with a zero above; and bytes whose bit 7 says whether it has more than one.
#[target_feature(enable = "avx2")]
#[inline]
fn last_bytes(units: __m256i) -> (__m256i, __m256i) {
    // 0xFF from 0x100 on: a trail is no more than that, nor than the units below that have one.
    let low = _mm256_adds_epu16(units, all(0xFF00));
    let trail = _mm256_or_si256(_mm256_and_si256(units, all(0x3F)), all(0x80));
    (_mm256_min_epu8(trail, low), low)
}

/// Shuffles each half of a register by an entry of its own.
#[target_feature(enable = "avx2")]
#[inline]
fn shuffle(bytes: __m256i, table: &Shuffles, low: u32, high: u32) -> __m256i {
    let load = |i: u32| {
        // SAFETY: 16 bytes are read from an array of 16, which is aligned.
        unsafe { _mm_load_si128(table.0[i as usize & 0xFF].as_ptr().cast()) }
    };
    _mm256_shuffle_epi8(bytes, _mm256_set_m128i(load(high), load(low)))
}

/// Sixteen units below 0x800.
struct Pairs {
    /// The last byte of each, then the lead.
    bytes: __m256i,
    /// Which of the first eight are not ASCII, and which of the others.
    from_80: [u32; 2],
}

impl Pairs {
    #[target_feature(enable = "avx2")]
    #[inline]
    fn of(units: __m256i) -> Self {
        // Bit 15 from 0x80 on; packed within halves of the register.
        let from_80 = _mm256_add_epi16(units, all(0x7F80));
        let from_80 = _mm256_movemask_epi8(_mm256_packs_epi16(from_80, from_80)) as u32;
        let lead = _mm256_and_si256(_mm256_slli_epi16::<2>(units), all(0xFF00));
        let (last, _) = last_bytes(units);
        Self {
            bytes: _mm256_or_si256(_mm256_or_si256(lead, all(0xC000)), last),
            from_80: [from_80 & 0xFF, from_80 >> 16 & 0xFF],
        }
    }

    #[target_feature(enable = "popcnt")]
    #[inline]
    fn len(&self) -> usize {
        let [low, high] = self.from_80;
        (16 + low.count_ones() + high.count_ones()) as usize
    }

    /// # Safety
    /// 16 bytes more than it has are writable at `to`.
    #[target_feature(enable = "avx2,popcnt")]
    #[inline]
    unsafe fn put(self, to: *mut u8) -> *mut u8 {
        let [low, high] = self.from_80;
        let bytes = shuffle(self.bytes, &PAIRS, low, high);
        // SAFETY: the first eight have eight bytes at least, which leaves the others 16 more than they have.
        unsafe {
            _mm_storeu_si128(to.cast(), _mm256_castsi256_si128(bytes));
            let rest = to.add(8 + low.count_ones() as usize);
            _mm_storeu_si128(rest.cast(), _mm256_extracti128_si256::<1>(bytes));
            rest.add(8 + high.count_ones() as usize)
        }
    }
}

/// Sixteen units of any size.
struct Block {
    /// The first byte of each, then the second of three.
    start: __m256i,
    /// The last byte of each.
    last: __m256i,
    /// Two bits for each: whether it has more than one byte, and more than two.
    lengths: u32,
}

impl Block {
    /// A block without surrogates.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn of(units: __m256i) -> Self {
        let (last, low) = last_bytes(units);
        // In the lower byte bit 7 is set always, in the upper one from 0x800 on.
        let lengths = _mm256_and_si256(low, _mm256_adds_epu8(units, all(0x78FF)));
        let second = _mm256_and_si256(_mm256_slli_epi16::<2>(units), all(0x3F00));
        let three = _mm256_or_si256(_mm256_srli_epi16::<12>(units), all(0x80E0));
        let three = _mm256_or_si256(three, second);
        // The lead of two below 0x800; from there on, no less than the lead of three.
        let two = _mm256_adds_epu16(_mm256_srli_epi16::<6>(units), all(0xFFC0));
        Self {
            start: _mm256_min_epu8(three, two),
            last,
            lengths: _mm256_movemask_epi8(lengths) as u32,
        }
    }

    /// A block in which each surrogate is two bytes of four, and whether the last unit is a lead; `None` when one of the
    /// others is alone.
    #[target_feature(enable = "avx2")]
    #[inline]
    fn with_surrogates(units: __m256i) -> Option<(Self, bool)> {
        let (halves, lead) = halves_of_four(units)?;
        let block = Self::of(units);
        let surrogates = surrogates(units);
        let three = _mm256_movemask_epi8(surrogates) as u32 & 0xAAAA_AAAA;
        let block = Self {
            start: _mm256_blendv_epi8(block.start, halves, surrogates),
            last: _mm256_blendv_epi8(block.last, _mm256_srli_epi16::<8>(halves), surrogates),
            lengths: block.lengths & !three,
        };
        Some((block, lead))
    }

    #[target_feature(enable = "popcnt")]
    #[inline]
    fn len(&self) -> usize {
        (16 + self.lengths.count_ones()) as usize
    }

    /// # Safety
    /// 16 bytes more than it has are writable at `to`.
    #[target_feature(enable = "avx2,popcnt")]
    #[inline]
    unsafe fn put(self, to: *mut u8) -> *mut u8 {
        let Self { start, last, .. } = self;
        let fours = each([0, 8, 16, 24], |from| self.lengths >> from & 0xFF);
        // Each has the units from 0 or 4 on, then those from 8 or 12 on.
        let even = shuffle(
            _mm256_unpacklo_epi16(start, last),
            &UNITS,
            fours[0],
            fours[2],
        );
        let odd = shuffle(
            _mm256_unpackhi_epi16(start, last),
            &UNITS,
            fours[1],
            fours[3],
        );
        let len = |i: usize| 4 + fours[i].count_ones() as usize;
        // SAFETY: no store begins behind the last character. In this order, what one spills the next overwrites.
        unsafe {
            let one = to.add(len(0));
            let two = one.add(len(1));
            let three = two.add(len(2));
            _mm_storeu_si128(to.cast(), _mm256_castsi256_si128(even));
            _mm_storeu_si128(one.cast(), _mm256_castsi256_si128(odd));
            _mm_storeu_si128(two.cast(), _mm256_extracti128_si256::<1>(even));
            _mm_storeu_si128(three.cast(), _mm256_extracti128_si256::<1>(odd));
            to.add(self.len())
        }
    }
}

/// The two bytes of four that each surrogate stands for, and whether the last unit is a lead; `None` when one of the
/// others is alone.
#[target_feature(enable = "avx2")]
#[inline]
fn halves_of_four(units: __m256i) -> Option<(__m256i, bool)> {
    let kind = _mm256_and_si256(units, all(0xFC00));
    let is = |bits: u16| _mm256_cmpeq_epi16(kind, all(bits));
    let (leads, trails) = (is(0xD800), is(0xDC00));
    // The units one place on, with a zero before the first.
    let on =
        |units| _mm256_alignr_epi8::<14>(units, _mm256_permute2x128_si256::<0x08>(units, units));
    let lone = _mm256_xor_si256(on(leads), trails);
    if _mm256_testz_si256(lone, lone) == 0 {
        return None;
    }
    let ten = _mm256_and_si256(units, all(0x3FF));
    // The plane's 1 is added to the lead's upper four bits.
    let upper = _mm256_add_epi16(ten, all(0x40));
    let lead = _mm256_or_si256(
        _mm256_or_si256(
            _mm256_srli_epi16::<8>(upper),
            _mm256_and_si256(_mm256_slli_epi16::<6>(upper), all(0x3F00)),
        ),
        all(0x80F0),
    );
    let two = _mm256_and_si256(_mm256_slli_epi16::<4>(on(units)), all(0x30));
    let trail = _mm256_or_si256(
        _mm256_or_si256(
            _mm256_or_si256(two, _mm256_srli_epi16::<6>(ten)),
            _mm256_and_si256(_mm256_slli_epi16::<8>(ten), all(0x3F00)),
        ),
        all(0x8080),
    );
    let cut = _mm256_movemask_epi8(leads) as u32 >> 31 == 1;
    Some((_mm256_blendv_epi8(lead, trail, trails), cut))
}
