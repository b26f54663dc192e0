//! NEON: a register of 16 bytes, and two of them as one of 32.

use core::arch::aarch64::*;

use super::portable::Word;
use super::{HALF, V128, V256, instructions};
use crate::simd::arrays::map_array;
use crate::simd::shuffles::BYTES;
use crate::simd::token::{Neon, intrinsic};

/// An operation on each half.
macro_rules! halves {
    ($operation:ident($($register:expr),+)) => {
        // SAFETY: where there is a register, NEON has been detected.
        unsafe { [$operation($($register[0]),+), $operation($($register[1]),+)] }
    };
}

/// An operation on the code units of each half.
macro_rules! unit_halves {
    ($operation:ident($($register:expr),+)) => {
        [0, 1].map(|i| {
            // SAFETY: holding the token, which every method does, proves detection succeeded.
            unsafe { vreinterpretq_u8_u16($operation($(vreinterpretq_u16_u8($register[i])),+)) }
        })
    };
}

/// An operation on code units, which gives bytes.
macro_rules! of_units {
    ($operation:ident $(::<$n:ident>)? ($($register:expr),+)) => {
        // SAFETY: holding the token, which every method does, proves detection succeeded.
        unsafe { vreinterpretq_u8_u16($operation $(::<$n>)? ($(vreinterpretq_u16_u8($register)),+)) }
    };
}

// SAFETY: each method is one instruction or two of the token's set, and the tests compare each with a loop over bytes.
unsafe impl super::Vector for Neon {
    const LEN: usize = 16;
    type Bytes = uint8x16_t;
    type Units = [uint16x8_t; 2];
    type Half = Word<8>;

    #[inline(always)]
    fn half(self) -> Word<8> {
        Word
    }

    #[inline(always)]
    unsafe fn load(self, from: *const u8) -> uint8x16_t {
        // SAFETY: holding `Neon` proves detection succeeded; by `# Safety`, `LEN` bytes are readable.
        unsafe { vld1q_u8(from) }
    }
    #[inline(always)]
    unsafe fn store(self, bytes: uint8x16_t, to: *mut u8) {
        // SAFETY: holding `Neon` proves detection succeeded; by `# Safety`, `LEN` bytes are writable.
        unsafe { vst1q_u8(to, bytes) }
    }
    #[inline(always)]
    unsafe fn load_units(self, from: *const u16) -> [uint16x8_t; 2] {
        // SAFETY: holding `Neon` proves detection succeeded; by `# Safety`, `LEN` units are readable.
        unsafe { [vld1q_u16(from), vld1q_u16(from.add(8))] }
    }
    #[inline(always)]
    unsafe fn store_units(self, units: [uint16x8_t; 2], to: *mut u16) {
        // SAFETY: holding `Neon` proves detection succeeded; by `# Safety`, `LEN` units are writable.
        unsafe {
            vst1q_u16(to, units[0]);
            vst1q_u16(to.add(8), units[1]);
        }
    }

    #[inline(always)]
    fn or(self, a: uint8x16_t, b: uint8x16_t) -> uint8x16_t {
        intrinsic!(vorrq_u8(a, b))
    }
    #[inline(always)]
    fn or_units(self, a: [uint16x8_t; 2], b: [uint16x8_t; 2]) -> [uint16x8_t; 2] {
        intrinsic!([vorrq_u16(a[0], b[0]), vorrq_u16(a[1], b[1])])
    }
    #[inline(always)]
    fn is_ascii(self, bytes: uint8x16_t) -> bool {
        intrinsic!(vmaxvq_u8(bytes) < 0x80)
    }
    #[inline(always)]
    fn is_ascii_units(self, units: [uint16x8_t; 2]) -> bool {
        intrinsic!(vmaxvq_u16(vorrq_u16(units[0], units[1])) < 0x80)
    }
    #[inline(always)]
    fn prefix(self, bytes: uint8x16_t) -> usize {
        intrinsic!(self.first_set(vcltzq_s8(vreinterpretq_s8_u8(bytes))))
    }
    #[inline(always)]
    fn prefix_units(self, units: [uint16x8_t; 2]) -> usize {
        // SAFETY: holding `Neon` proves detection succeeded.
        unsafe {
            let last = vdupq_n_u16(0x7F);
            let stops = map_array(units, |half| vmovn_u16(vcgtq_u16(half, last)));
            self.first_set(vcombine_u8(stops[0], stops[1]))
        }
    }
    #[inline(always)]
    fn widen(self, bytes: uint8x16_t) -> [uint16x8_t; 2] {
        intrinsic!([vmovl_u8(vget_low_u8(bytes)), vmovl_high_u8(bytes)])
    }
    #[inline(always)]
    fn narrow(self, units: [uint16x8_t; 2]) -> uint8x16_t {
        intrinsic!(vcombine_u8(vmovn_u16(units[0]), vmovn_u16(units[1])))
    }
}

impl Neon {
    /// The index of the first byte that is 0xFF among bytes that are 0 or 0xFF; 16 when there is none.
    ///
    /// NEON has no move-mask: a narrowing shift leaves four bits of each byte instead.
    #[inline(always)]
    fn first_set(self, bytes: uint8x16_t) -> usize {
        // SAFETY: holding `Neon` proves detection succeeded.
        let nibbles = unsafe {
            let narrowed = vshrn_n_u16::<4>(vreinterpretq_u16_u8(bytes));
            vget_lane_u64::<0>(vreinterpret_u64_u8(narrowed))
        };
        nibbles.trailing_zeros() as usize / 4
    }
}

// SAFETY: every operation is compared with a loop over bytes in `tests`.
unsafe impl V256 for Neon {
    type Bytes = [uint8x16_t; 2];
    /// The top bit of each byte.
    type Marks = [uint8x16_t; 2];
    type Table = [uint8x16x4_t; 2];
    type Set = uint8x16_t;
    const ARE_TABLES_COSTLY: bool = false;

    #[inline(always)]
    unsafe fn load(self, from: *const u8) -> Self::Bytes {
        // SAFETY: holding `self` proves detection succeeded; by `# Safety`, `LEN` bytes at `from` are readable.
        unsafe { [vld1q_u8(from), vld1q_u8(from.add(HALF))] }
    }
    #[inline(always)]
    unsafe fn store(self, bytes: Self::Bytes, to: *mut u8) {
        // SAFETY: holding `self` proves detection succeeded; by `# Safety`, `LEN` bytes at `to` are writable.
        unsafe {
            vst1q_u8(to, bytes[0]);
            vst1q_u8(to.add(HALF), bytes[1]);
        }
    }
    #[inline(always)]
    unsafe fn load_units(self, from: *const u16) -> [Self::Bytes; 2] {
        // SAFETY: holding `self` proves detection succeeded; by `# Safety`, `LEN` units at `from` are readable.
        let [a, b] = unsafe { [vld2q_u8(from.cast()), vld2q_u8(from.add(HALF).cast())] };
        [[a.0, b.0], [a.1, b.1]]
    }
    #[inline(always)]
    unsafe fn store_low(self, bytes: Self::Bytes, to: *mut u8) {
        // SAFETY: holding `self` proves detection succeeded; by `# Safety`, `HALF` bytes at `to` are writable.
        unsafe { vst1q_u8(to, bytes[0]) }
    }
    #[inline(always)]
    unsafe fn store_high(self, bytes: Self::Bytes, to: *mut u8) {
        // SAFETY: holding `self` proves detection succeeded; by `# Safety`, `HALF` bytes at `to` are writable.
        unsafe { vst1q_u8(to, bytes[1]) }
    }
    #[inline(always)]
    unsafe fn store_low_picked(self, bytes: Self::Bytes, places: &[u8; HALF], to: *mut u8) {
        // SAFETY: holding `self` proves detection succeeded; `places` has 16 bytes; by `# Safety`, `HALF` bytes at `to`
        // are writable.
        unsafe { vst1q_u8(to, vqtbl1q_u8(bytes[0], vld1q_u8(places.as_ptr()))) }
    }
    #[inline(always)]
    unsafe fn store_high_picked(self, bytes: Self::Bytes, places: &[u8; HALF], to: *mut u8) {
        // SAFETY: holding `self` proves detection succeeded; by `# Safety`, `HALF` bytes at `to` are writable.
        unsafe { vst1q_u8(to, vqtbl1q_u8(bytes[1], vld1q_u8(places.as_ptr()))) }
    }
    #[inline(always)]
    fn first_words(self, first: u64, second: u64) -> Self::Bytes {
        intrinsic!([
            vcombine_u8(vcreate_u8(first), vcreate_u8(second)),
            vdupq_n_u8(0),
        ])
    }
    #[inline(always)]
    fn halves(self, low: &[u8; HALF], high: &[u8; HALF]) -> Self::Bytes {
        // SAFETY: holding `self` proves detection succeeded; each array has the number of bytes that is loaded.
        unsafe { [vld1q_u8(low.as_ptr()), vld1q_u8(high.as_ptr())] }
    }

    #[inline(always)]
    fn splat(self, byte: u8) -> Self::Bytes {
        [intrinsic!(vdupq_n_u8(byte)); 2]
    }
    #[inline(always)]
    fn splat_units(self, unit: u16) -> Self::Bytes {
        [intrinsic!(vreinterpretq_u8_u16(vdupq_n_u16(unit))); 2]
    }

    instructions! { halves, Self::Bytes:
        and(a, b) = vandq_u8(a, b);
        or(a, b) = vorrq_u8(a, b);
        xor(a, b) = veorq_u8(a, b);
        and_not(a, b) = vbicq_u8(b, a);
    }
    #[inline(always)]
    fn blend(self, by: Self::Bytes, yes: Self::Bytes, no: Self::Bytes) -> Self::Bytes {
        let by = top_bits_spread(by);
        halves!(vbslq_u8(by, yes, no))
    }

    instructions! { halves, Self::Bytes:
        add(a, b) = vaddq_u8(a, b);
        subtract(a, b) = vsubq_u8(a, b);
        add_up_to_max(a, b) = vqaddq_u8(a, b);
        subtract_down_to_0(a, b) = vqsubq_u8(a, b);
        greatest(a, b) = vmaxq_u8(a, b);
        least(a, b) = vminq_u8(a, b);
        equal(a, b) = vceqq_u8(a, b);
        at_least(a, b) = vcgeq_u8(a, b);
    }
    #[inline(always)]
    fn starts(self, bytes: Self::Bytes) -> Self::Bytes {
        map_array(bytes, |bytes| {
            intrinsic!(vcgtq_s8(vreinterpretq_s8_u8(bytes), vdupq_n_s8(-65)))
        })
    }
    #[inline(always)]
    fn shift_6(self, bytes: Self::Bytes) -> Self::Bytes {
        map_array(bytes, |bytes| intrinsic!(vshlq_n_u8::<6>(bytes)))
    }
    #[inline(always)]
    fn top_four(self, bytes: Self::Bytes) -> Self::Bytes {
        map_array(bytes, |bytes| intrinsic!(vshrq_n_u8::<4>(bytes)))
    }
    #[inline(always)]
    fn top_two(self, bytes: Self::Bytes) -> Self::Bytes {
        map_array(bytes, |bytes| intrinsic!(vshrq_n_u8::<6>(bytes)))
    }

    instructions! { unit_halves, Self::Bytes:
        add_units(a, b) = vaddq_u16(a, b);
        subtract_units(a, b) = vsubq_u16(a, b);
        multiply_units(a, b) = vmulq_u16(a, b);
        least_of_units(a, b) = vminq_u16(a, b);
        add_units_up_to_max(a, b) = vqaddq_u16(a, b);
        equal_units(a, b) = vceqq_u16(a, b);
        units_above(a, b) = vcgtq_u16(a, b);
    }
    #[inline(always)]
    fn left<const N: i32>(self, units: Self::Bytes) -> Self::Bytes {
        map_array(units, |units| {
            intrinsic!(vreinterpretq_u8_u16(vshlq_n_u16::<N>(
                vreinterpretq_u16_u8(units)
            )))
        })
    }
    #[inline(always)]
    fn right<const N: i32>(self, units: Self::Bytes) -> Self::Bytes {
        map_array(units, |units| {
            intrinsic!(vreinterpretq_u8_u16(vshrq_n_u16::<N>(
                vreinterpretq_u16_u8(units)
            )))
        })
    }
    #[inline(always)]
    fn swapped(self, units: Self::Bytes) -> Self::Bytes {
        map_array(units, |units| intrinsic!(vrev16q_u8(units)))
    }

    #[inline(always)]
    fn is_zero(self, bytes: Self::Bytes) -> bool {
        intrinsic!(vmaxvq_u32(vreinterpretq_u32_u8(vorrq_u8(bytes[0], bytes[1]))) == 0)
    }
    #[inline(always)]
    fn movemask(self, bytes: Self::Bytes) -> Self::Bytes {
        bytes
    }
    #[inline(always)]
    fn any(self, marks: Self::Bytes) -> bool {
        intrinsic!(vmaxvq_u8(vorrq_u8(marks[0], marks[1])) >= 0x80)
    }
    #[inline(always)]
    fn both(self, a: Self::Bytes, b: Self::Bytes) -> Self::Bytes {
        self.and(a, b)
    }
    #[inline(always)]
    fn others(self, marks: Self::Bytes) -> Self::Bytes {
        halves!(vmvnq_u8(marks))
    }
    #[inline(always)]
    fn bits(self, marks: Self::Bytes) -> u32 {
        let [low, high] = weighed(marks);
        // SAFETY: holding `self` proves detection succeeded.
        unsafe {
            let pairs = vpaddq_u8(low, high);
            let fours = vpaddq_u8(pairs, pairs);
            vgetq_lane_u32::<0>(vreinterpretq_u32_u8(vpaddq_u8(fours, fours)))
        }
    }
    #[inline(always)]
    fn top_bits_of_two(self, [a, b]: [Self::Bytes; 2]) -> u64 {
        let ([a, b], [c, d]) = (weighed(a), weighed(b));
        // SAFETY: holding `self` proves detection succeeded.
        unsafe {
            let fours = vpaddq_u8(vpaddq_u8(a, b), vpaddq_u8(c, d));
            vgetq_lane_u64::<0>(vreinterpretq_u64_u8(vpaddq_u8(fours, fours)))
        }
    }
    #[inline(always)]
    fn top_bits_of_units(self, units: Self::Bytes) -> [(u32, usize); 2] {
        // SAFETY: holding `self` proves detection succeeded.
        let upper = unsafe { vuzp2q_u8(units[0], units[1]) };
        let bits = self.top_bits([upper; 2]);
        let [low, high, ..] = self.counts(bits);
        [(bits & 0xFF, low), (bits >> 8 & 0xFF, high)]
    }
    #[inline(always)]
    fn bytes_of_bits(self, bits: u32) -> Self::Bytes {
        // SAFETY: holding `self` proves detection succeeded; the arrays have the number of bytes that is loaded.
        unsafe {
            // Each byte of the mask to eight bytes, each of which has its bit moved to the top.
            let bits = vreinterpretq_u8_u32(vdupq_n_u32(bits));
            let left = vld1q_s8([7, 6, 5, 4, 3, 2, 1, 0, 7, 6, 5, 4, 3, 2, 1, 0].as_ptr());
            map_array([0, 2], |first| {
                let places = vcombine_u8(vdup_n_u8(first), vdup_n_u8(first + 1));
                let moved = vshlq_u8(vqtbl1q_u8(bits, places), left);
                vandq_u8(moved, vdupq_n_u8(0x80))
            })
        }
    }
    #[inline(always)]
    fn counts(self, bits: u32) -> [usize; 4] {
        map_array(count_in_bytes(bits).to_le_bytes(), usize::from)
    }
    #[inline(always)]
    fn count(self, bits: u32) -> usize {
        (count_in_bytes(bits).wrapping_mul(0x0101_0101) >> 24) as usize
    }

    #[inline(always)]
    fn on<const N: i32>(self, bytes: Self::Bytes) -> Self::Bytes {
        const { assert!(1 <= N && N <= 3) };
        let [low, high] = bytes;
        // The last bytes of what lies before, and the first of what lies there.
        let from = |before: uint8x16_t, here: uint8x16_t| {
            intrinsic!(match N {
                1 => vextq_u8::<15>(before, here),
                2 => vextq_u8::<14>(before, here),
                3 => vextq_u8::<13>(before, here),
                _ => unreachable!("as asserted"),
            })
        };
        // SAFETY: holding `self` proves detection succeeded.
        [from(unsafe { vdupq_n_u8(0) }, low), from(low, high)]
    }
    #[inline(always)]
    fn widen(self, bytes: Self::Bytes) -> [Self::Bytes; 2] {
        let zero = self.splat(0)[0];
        map_array(bytes, |bytes| {
            intrinsic!([vzip1q_u8(bytes, zero), vzip2q_u8(bytes, zero)])
        })
    }
    #[inline(always)]
    fn narrow(self, low: Self::Bytes, high: Self::Bytes) -> Self::Bytes {
        map_array([low, high], |units| {
            intrinsic!(vuzp1q_u8(units[0], units[1]))
        })
    }
    #[inline(always)]
    fn zip(self, a: Self::Bytes, b: Self::Bytes) -> [Self::Bytes; 2] {
        [halves!(vzip1q_u8(a, b)), halves!(vzip2q_u8(a, b))]
    }
    #[inline(always)]
    fn zip_pairs(self, a: Self::Bytes, b: Self::Bytes) -> [Self::Bytes; 2] {
        [
            unit_halves!(vzip1q_u16(a, b)),
            unit_halves!(vzip2q_u16(a, b)),
        ]
    }
    #[inline(always)]
    fn zip_units(self, a: Self::Bytes, b: Self::Bytes) -> [Self::Bytes; 2] {
        let [low, high] = self.zip_pairs(a, b);
        [[low[0], high[0]], [low[1], high[1]]]
    }
    #[inline(always)]
    fn shuffle(self, bytes: Self::Bytes, [low, high]: [&[u8; HALF]; 2]) -> Self::Bytes {
        let places = self.halves(low, high);
        halves!(vqtbl1q_u8(bytes, places))
    }
    #[inline(always)]
    fn compress(self, bytes: Self::Bytes, bits: [u8; 2]) -> Self::Bytes {
        let compress = |bytes, bits: u8| {
            // SAFETY: holding `self` proves detection succeeded; 8 places are loaded.
            unsafe {
                let places = vld1_u8(BYTES[usize::from(bits)].as_ptr());
                vcombine_u8(vqtbl1_u8(bytes, places), vdup_n_u8(0))
            }
        };
        [compress(bytes[0], bits[0]), compress(bytes[1], bits[1])]
    }
    #[inline(always)]
    fn second_eights(self, bytes: Self::Bytes) -> Self::Bytes {
        map_array(bytes, |bytes| {
            intrinsic!(vextq_u8::<8>(bytes, vdupq_n_u8(0)))
        })
    }

    #[inline(always)]
    fn look_up_nibbles(self, table: &[u8; HALF], nibbles: Self::Bytes) -> Self::Bytes {
        // SAFETY: holding `self` proves detection succeeded; the table has the number of bytes that is loaded.
        map_array(nibbles, |nibbles| unsafe {
            vqtbl1q_u8(vld1q_u8(table.as_ptr()), nibbles)
        })
    }
    #[inline(always)]
    fn table(self, entries: &[u8; 128]) -> Self::Table {
        // SAFETY: holding `self` proves detection succeeded; 64 bytes are loaded from each half of 128.
        map_array([0, 64], |at| unsafe {
            vld1q_u8_x4(entries.as_ptr().add(at))
        })
    }
    #[inline(always)]
    fn look_up(self, table: &Self::Table, bytes: Self::Bytes) -> Self::Bytes {
        // SAFETY: holding `self` proves detection succeeded.
        map_array(bytes, |bytes| unsafe {
            // A place beyond a table gives 0 in the first look-up and what is there in the second.
            let place = veorq_u8(bytes, vdupq_n_u8(0x80));
            let found = vqtbl4q_u8(table[0], place);
            vqtbx4q_u8(found, table[1], veorq_u8(bytes, vdupq_n_u8(0xC0)))
        })
    }
    #[inline(always)]
    fn set_of_flags(self, flags: &[u8; HALF]) -> Self::Set {
        // SAFETY: holding `self` proves detection succeeded; the array has the number of bytes that is loaded.
        unsafe { vld1q_u8(flags.as_ptr()) }
    }
    #[inline(always)]
    fn is_not_in(self, set: &Self::Set, bytes: Self::Bytes) -> Self::Bytes {
        // SAFETY: holding `self` proves detection succeeded; the array has the number of bytes that is loaded.
        map_array(bytes, |bytes| unsafe {
            // By the high half of a byte, its bit; ASCII has none.
            let bits = vld1q_u8([0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128].as_ptr());
            let high = vqtbl1q_u8(bits, vshrq_n_u8::<4>(bytes));
            let low = vqtbl1q_u8(*set, vandq_u8(bytes, vdupq_n_u8(15)));
            vmvnq_u8(vtstq_u8(low, high))
        })
    }
}

/// All bits where the top bit is set.
#[inline(always)]
fn top_bits_spread(bytes: [uint8x16_t; 2]) -> [uint8x16_t; 2] {
    // SAFETY: where there is a register, NEON has been detected.
    map_array(bytes, |bytes| unsafe {
        vcltzq_s8(vreinterpretq_s8_u8(bytes))
    })
}

/// The top bit of each byte at its place among eight: to be added up by eights, as NEON has no move-mask.
///
/// The compiler must not know the places: where it sees that no bits meet, it makes of each sum by pairs two shuffles and an
/// "or". So it is told that they may change.
#[inline(always)]
fn weighed(bytes: [uint8x16_t; 2]) -> [uint8x16_t; 2] {
    #[repr(align(16))]
    struct Places([u8; 16]);
    static PLACES: Places = Places([1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128]);
    // SAFETY: an array is read as a register of as many bytes, with the same alignment; every bit pattern is a value of it.
    let places = unsafe { (&raw const PLACES).cast::<uint8x16_t>().read_volatile() };
    let bytes = top_bits_spread(bytes);
    halves!(vandq_u8(bytes, [places, places]))
}

/// How many bits are set in each byte.
#[inline(always)]
fn count_in_bytes(bits: u32) -> u32 {
    // SAFETY: the token that the caller holds proves detection succeeded.
    unsafe { vget_lane_u32::<0>(vreinterpret_u32_u8(vcnt_u8(vcreate_u8(bits.into())))) }
}

// SAFETY: every operation is compared with a loop over bytes in `tests`.
unsafe impl V128 for Neon {
    type Half = uint8x16_t;

    #[inline(always)]
    unsafe fn load_half(self, from: *const u8) -> uint8x16_t {
        // SAFETY: holding `self` proves detection succeeded; by `# Safety`, 16 bytes at `from` are readable.
        unsafe { vld1q_u8(from) }
    }
    #[inline(always)]
    unsafe fn load_eight(self, from: *const u8) -> uint8x16_t {
        // SAFETY: holding `self` proves detection succeeded; by `# Safety`, eight bytes at `from` are readable.
        unsafe { vcombine_u8(vld1_u8(from), vdup_n_u8(0)) }
    }
    #[inline(always)]
    unsafe fn store_half(self, half: uint8x16_t, to: *mut u8) {
        // SAFETY: holding `self` proves detection succeeded; by `# Safety`, 16 bytes at `to` are writable.
        unsafe { vst1q_u8(to, half) }
    }
    #[inline(always)]
    unsafe fn store_eight(self, half: uint8x16_t, to: *mut u8) {
        // SAFETY: holding `self` proves detection succeeded; by `# Safety`, eight bytes at `to` are writable.
        unsafe { vst1_u8(to, vget_low_u8(half)) }
    }
    #[inline(always)]
    fn widen_half(self, half: uint8x16_t) -> Self::Bytes {
        self.widen([half, half])[0]
    }
    instructions! { intrinsic, uint8x16_t:
        or_half(a, b) = vorrq_u8(a, b);
        shuffle_half(bytes, places) = vqtbl1q_u8(bytes, places);
    }
    #[inline(always)]
    fn eights(self, [low, high]: [uint8x16_t; 2]) -> [uint8x16_t; 4] {
        [low, self.upper_eight(low), high, self.upper_eight(high)]
    }
    #[inline(always)]
    fn upper_eight(self, half: uint8x16_t) -> uint8x16_t {
        intrinsic!(vextq_u8::<8>(half, half))
    }
    #[inline(always)]
    fn add_above(self, units: uint8x16_t, limit: u16, more: u16) -> uint8x16_t {
        // SAFETY: holding `self` proves detection succeeded.
        unsafe {
            let units = vreinterpretq_u16_u8(units);
            let above = vcgtq_u16(units, vdupq_n_u16(limit));
            vreinterpretq_u8_u16(vaddq_u16(units, vandq_u16(above, vdupq_n_u16(more))))
        }
    }
    #[inline(always)]
    fn places_of_units(self, places: uint8x16_t) -> uint8x16_t {
        // SAFETY: holding `self` proves detection succeeded.
        unsafe {
            let twice = vzip1q_u8(places, places);
            vorrq_u8(vqaddq_u8(twice, twice), self.splat_units(0x0100)[0])
        }
    }
    #[inline(always)]
    fn zeros(self, half: uint8x16_t) -> u32 {
        // SAFETY: holding `self` proves detection succeeded.
        self.bits([unsafe { vceqzq_u8(half) }; 2]) & 0xFFFF
    }
    #[inline(always)]
    fn zero_units(self, half: uint8x16_t) -> u32 {
        // SAFETY: holding `self` proves detection succeeded.
        let zeros = unsafe { vmovn_u16(vceqzq_u16(vreinterpretq_u16_u8(half))) };
        // SAFETY: holding `self` proves detection succeeded.
        self.bits([unsafe { vcombine_u8(zeros, zeros) }; 2]) & 0xFF
    }

    #[inline(always)]
    fn half_of_units(self, unit: u16) -> uint8x16_t {
        self.splat_units(unit)[0]
    }
    instructions! { of_units, uint8x16_t:
        and_half(a, b) = vandq_u16(a, b);
        and_not_half(a, b) = vbicq_u16(b, a);
    }
    #[inline(always)]
    fn blend_half(self, by: uint8x16_t, yes: uint8x16_t, no: uint8x16_t) -> uint8x16_t {
        self.blend([by, by], [yes, yes], [no, no])[0]
    }
    instructions! { of_units, uint8x16_t:
        add_half(a, b) = vaddq_u16(a, b);
        subtract_half(a, b) = vsubq_u16(a, b);
    }
    #[inline(always)]
    fn left_half<const N: i32>(self, units: uint8x16_t) -> uint8x16_t {
        of_units!(vshlq_n_u16::<N>(units))
    }
    #[inline(always)]
    fn right_half<const N: i32>(self, units: uint8x16_t) -> uint8x16_t {
        of_units!(vshrq_n_u16::<N>(units))
    }
    instructions! { of_units, uint8x16_t:
        equal_half(a, b) = vceqq_u16(a, b);
        at_least_half(a, b) = vcgeq_u16(a, b);
        above_half(a, b) = vcgtq_u16(a, b);
    }
    #[inline(always)]
    fn lanes(self, units: uint8x16_t) -> u8 {
        // SAFETY: holding `self` proves detection succeeded; the array has the number of units that is loaded.
        unsafe {
            let bits = vld1q_u16([1, 2, 4, 8, 16, 32, 64, 128].as_ptr());
            vaddvq_u16(vandq_u16(vreinterpretq_u16_u8(units), bits)) as u8
        }
    }
    #[inline(always)]
    fn lanes_of_two(self, low: uint8x16_t, high: uint8x16_t) -> u16 {
        // SAFETY: holding `self` proves detection succeeded.
        let bytes = unsafe { vuzp1q_u8(low, high) };
        self.top_bits([bytes, bytes]) as u16
    }
    #[inline(always)]
    fn top_bits_of_eight(self, half: uint8x16_t) -> u8 {
        // SAFETY: holding `self` proves detection succeeded; the array has the number of bytes that is loaded.
        unsafe {
            let bits = vld1_u8([1, 2, 4, 8, 16, 32, 64, 128].as_ptr());
            let tops = vcltz_s8(vreinterpret_s8_u8(vget_low_u8(half)));
            vaddv_u8(vand_u8(tops, bits))
        }
    }
    #[inline(always)]
    fn first_word(self, half: uint8x16_t) -> u64 {
        intrinsic!(vgetq_lane_u64::<0>(vreinterpretq_u64_u8(half)))
    }
    #[inline(always)]
    fn deposit(self, bits: u8, mut mask: u8) -> u8 {
        let (mut rest, mut deposited) = (bits, 0);
        while mask != 0 {
            deposited |= (rest & 1) * (mask & mask.wrapping_neg());
            rest >>= 1;
            mask &= mask - 1;
        }
        deposited
    }
}
