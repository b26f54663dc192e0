//! NEON: a register of 16 bytes, and two as one of 32.

use core::arch::aarch64::*;

use super::portable::Word;
use super::{HALF, V128, V256, instructions};
use crate::simd::arrays::map_array;
use crate::simd::level::{Neon, intrinsic, methods};
use crate::simd::shuffles::BYTES;

/// Applies an operation to each half.
macro_rules! halves {
    ($operation:ident $(::<$n:tt>)? ($($register:expr),+)) => {
        intrinsic!([$operation $(::<$n>)? ($($register[0]),+), $operation $(::<$n>)? ($($register[1]),+)])
    };
}

/// Applies an operation to the code units of each half.
macro_rules! unit_halves {
    ($operation:ident $(::<$n:ident>)? ($($register:expr),+)) => {
        [0, 1].map(|i| of_units!($operation $(::<$n>)? ($($register[i]),+)))
    };
}

/// Applies an operation on code units to bytes.
macro_rules! of_units {
    ($operation:ident $(::<$n:ident>)? ($($register:expr),+)) => {
        intrinsic!(vreinterpretq_u8_u16($operation $(::<$n>)? ($(vreinterpretq_u16_u8($register)),+)))
    };
}

// SAFETY: each method is one or two instructions of the token's set, and the tests compare each with a loop over bytes.
unsafe impl super::Vector for Neon {
    const LEN: usize = 16;
    type Bytes = uint8x16_t;
    type Units = [uint16x8_t; 2];
    type Half = Word<8>;

    #[inline(always)]
    fn half(self) -> Word<8> {
        Word
    }

    methods! {
        unsafe fn load(self, from: *const u8) -> uint8x16_t { vld1q_u8(from) }
        unsafe fn store(self, bytes: uint8x16_t, to: *mut u8) { vst1q_u8(to, bytes) }
        unsafe fn load_units(self, from: *const u16) -> [uint16x8_t; 2] {
            [vld1q_u16(from), vld1q_u16(from.add(8))]
        }
        unsafe fn store_units(self, units: [uint16x8_t; 2], to: *mut u16) {
            vst1q_u16(to, units[0]);
            vst1q_u16(to.add(8), units[1]);
        }
    }

    methods! {
        fn or(self, a: uint8x16_t, b: uint8x16_t) -> uint8x16_t { vorrq_u8(a, b) }
        fn or_units(self, a: [uint16x8_t; 2], b: [uint16x8_t; 2]) -> [uint16x8_t; 2] {
            [vorrq_u16(a[0], b[0]), vorrq_u16(a[1], b[1])]
        }
        fn is_ascii(self, bytes: uint8x16_t) -> bool { vmaxvq_u8(bytes) < 0x80 }
        fn is_ascii_units(self, units: [uint16x8_t; 2]) -> bool {
            vmaxvq_u16(vorrq_u16(units[0], units[1])) < 0x80
        }
        fn prefix(self, bytes: uint8x16_t) -> usize { self.first_set(vcltzq_s8(vreinterpretq_s8_u8(bytes))) }
        fn prefix_units(self, units: [uint16x8_t; 2]) -> usize {
            let last = vdupq_n_u16(0x7F);
            let stops = map_array(units, |half| vmovn_u16(vcgtq_u16(half, last)));
            self.first_set(vcombine_u8(stops[0], stops[1]))
        }
        fn widen(self, bytes: uint8x16_t) -> [uint16x8_t; 2] {
            [vmovl_u8(vget_low_u8(bytes)), vmovl_high_u8(bytes)]
        }
        fn narrow(self, units: [uint16x8_t; 2]) -> uint8x16_t {
            vcombine_u8(vmovn_u16(units[0]), vmovn_u16(units[1]))
        }
    }
}

impl Neon {
    methods! {
        /// Returns the index of the first byte that is 0xFF, among bytes that are 0 or 0xFF; 16 if there is none.
        ///
        /// NEON has no move-mask: a narrowing shift leaves four bits of each byte instead.
        fn first_set(self, bytes: uint8x16_t) -> usize {
            let nibbles = vreinterpret_u64_u8(vshrn_n_u16::<4>(vreinterpretq_u16_u8(bytes)));
            vget_lane_u64::<0>(nibbles).trailing_zeros() as usize / 4
        }

        /// Sets all bits of each byte whose top bit is set.
        fn top_bits_spread(self, bytes: [uint8x16_t; 2]) -> [uint8x16_t; 2] {
            map_array(bytes, |bytes| vcltzq_s8(vreinterpretq_s8_u8(bytes)))
        }

        /// Moves the top bit of each byte to its position among eight bytes, so that additions of eight bytes give a
        /// mask: NEON has no move-mask.
        ///
        /// The weights are volatile to hide them from the compiler. If it sees that the bits are disjoint, it replaces
        /// each pairwise addition by two shuffles and an OR.
        fn weighed(self, bytes: [uint8x16_t; 2]) -> [uint8x16_t; 2] {
            // An array of a register's size and alignment; every bit pattern is a valid register.
            #[repr(align(16))]
            struct Places([u8; HALF]);
            static PLACES: Places = Places([1, 2, 4, 8, 16, 32, 64, 128, 1, 2, 4, 8, 16, 32, 64, 128]);
            let places = (&raw const PLACES).cast::<uint8x16_t>().read_volatile();
            let bytes = self.top_bits_spread(bytes);
            halves!(vandq_u8(bytes, [places, places]))
        }

        /// Counts the bits in each byte.
        fn count_in_bytes(self, bits: u32) -> u32 {
            vget_lane_u32::<0>(vreinterpret_u32_u8(vcnt_u8(vcreate_u8(bits.into()))))
        }
    }
}

// SAFETY: loads, stores, masks and counts are exact; `tests` compares each operation with a loop over bytes.
unsafe impl V256 for Neon {
    type Bytes = [uint8x16_t; 2];
    /// The top bit of each byte.
    type Marks = [uint8x16_t; 2];
    type Table = [uint8x16x4_t; 2];
    type Set = uint8x16_t;
    const ARE_TABLES_COSTLY: bool = false;

    methods! {
        unsafe fn load(self, from: *const u8) -> Self::Bytes { [vld1q_u8(from), vld1q_u8(from.add(HALF))] }
        unsafe fn store(self, bytes: Self::Bytes, to: *mut u8) {
            vst1q_u8(to, bytes[0]);
            vst1q_u8(to.add(HALF), bytes[1]);
        }
        unsafe fn load_units(self, from: *const u16) -> [Self::Bytes; 2] {
            let (a, b) = (vld2q_u8(from.cast()), vld2q_u8(from.add(HALF).cast()));
            [[a.0, b.0], [a.1, b.1]]
        }
        unsafe fn store_low(self, bytes: Self::Bytes, to: *mut u8) { vst1q_u8(to, bytes[0]) }
        unsafe fn store_high(self, bytes: Self::Bytes, to: *mut u8) { vst1q_u8(to, bytes[1]) }
        unsafe fn store_low_picked(self, bytes: Self::Bytes, places: &[u8; HALF], to: *mut u8) {
            vst1q_u8(to, vqtbl1q_u8(bytes[0], vld1q_u8(places.as_ptr())))
        }
        unsafe fn store_high_picked(self, bytes: Self::Bytes, places: &[u8; HALF], to: *mut u8) {
            vst1q_u8(to, vqtbl1q_u8(bytes[1], vld1q_u8(places.as_ptr())))
        }
    }
    methods! {
        fn first_words(self, first: u64, second: u64) -> Self::Bytes {
            [vcombine_u8(vcreate_u8(first), vcreate_u8(second)), vdupq_n_u8(0)]
        }
        fn halves(self, low: &[u8; HALF], high: &[u8; HALF]) -> Self::Bytes {
            [vld1q_u8(low.as_ptr()), vld1q_u8(high.as_ptr())]
        }
        fn splat(self, byte: u8) -> Self::Bytes { [vdupq_n_u8(byte); 2] }
        fn splat_units(self, unit: u16) -> Self::Bytes { [vreinterpretq_u8_u16(vdupq_n_u16(unit)); 2] }
    }

    instructions! { halves, Self::Bytes:
        and(a, b) = vandq_u8(a, b);
        or(a, b) = vorrq_u8(a, b);
        xor(a, b) = veorq_u8(a, b);
        and_not(a, b) = vbicq_u8(b, a);
        add(a, b) = vaddq_u8(a, b);
        subtract(a, b) = vsubq_u8(a, b);
        add_up_to_max(a, b) = vqaddq_u8(a, b);
        subtract_down_to_0(a, b) = vqsubq_u8(a, b);
        least(a, b) = vminq_u8(a, b);
        equal(a, b) = vceqq_u8(a, b);
        at_least(a, b) = vcgeq_u8(a, b);
        shift_6(bytes) = vshlq_n_u8::<6>(bytes);
        top_four(bytes) = vshrq_n_u8::<4>(bytes);
        top_two(bytes) = vshrq_n_u8::<6>(bytes);
        swapped(units) = vrev16q_u8(units);
        others(marks) = vmvnq_u8(marks);
    }
    instructions! { unit_halves, Self::Bytes:
        add_units(a, b) = vaddq_u16(a, b);
        subtract_units(a, b) = vsubq_u16(a, b);
        multiply_units(a, b) = vmulq_u16(a, b);
        least_of_units(a, b) = vminq_u16(a, b);
        add_units_up_to_max(a, b) = vqaddq_u16(a, b);
        equal_units(a, b) = vceqq_u16(a, b);
        units_above(a, b) = vcgtq_u16(a, b);
        left<N>(units) = vshlq_n_u16::<N>(units);
        right<N>(units) = vshrq_n_u16::<N>(units);
    }
    methods! {
        fn blend(self, by: Self::Bytes, yes: Self::Bytes, no: Self::Bytes) -> Self::Bytes {
            let by = self.top_bits_spread(by);
            halves!(vbslq_u8(by, yes, no))
        }
        fn starts(self, bytes: Self::Bytes) -> Self::Bytes {
            map_array(bytes, |bytes| vcgtq_s8(vreinterpretq_s8_u8(bytes), vdupq_n_s8(-65)))
        }

        fn is_zero(self, bytes: Self::Bytes) -> bool {
            vmaxvq_u32(vreinterpretq_u32_u8(vorrq_u8(bytes[0], bytes[1]))) == 0
        }
        fn movemask(self, bytes: Self::Bytes) -> Self::Bytes { bytes }
        fn any(self, marks: Self::Bytes) -> bool { vmaxvq_u8(vorrq_u8(marks[0], marks[1])) >= 0x80 }
        fn both(self, a: Self::Bytes, b: Self::Bytes) -> Self::Bytes { self.and(a, b) }
        fn bits(self, marks: Self::Bytes) -> u32 {
            let [low, high] = self.weighed(marks);
            let pairs = vpaddq_u8(low, high);
            let fours = vpaddq_u8(pairs, pairs);
            vgetq_lane_u32::<0>(vreinterpretq_u32_u8(vpaddq_u8(fours, fours)))
        }
        fn top_bits_of_two(self, [a, b]: [Self::Bytes; 2]) -> u64 {
            let ([a, b], [c, d]) = (self.weighed(a), self.weighed(b));
            let fours = vpaddq_u8(vpaddq_u8(a, b), vpaddq_u8(c, d));
            vgetq_lane_u64::<0>(vreinterpretq_u64_u8(vpaddq_u8(fours, fours)))
        }
        fn top_bits_of_units(self, units: Self::Bytes) -> [(u32, usize); 2] {
            let bits = self.top_bits([vuzp2q_u8(units[0], units[1]); 2]);
            let [low, high, ..] = self.counts(bits);
            [(bits & 0xFF, low), (bits >> 8 & 0xFF, high)]
        }
        fn counts(self, bits: u32) -> [usize; 4] { map_array(self.count_in_bytes(bits).to_le_bytes(), usize::from) }
        fn count(self, bits: u32) -> usize { (self.count_in_bytes(bits).wrapping_mul(0x0101_0101) >> 24) as usize }

        fn on<const N: i32>(self, bytes: Self::Bytes) -> Self::Bytes {
            const { assert!(1 <= N && N <= 3) };
            let [low, high] = bytes;
            // The last N bytes of the preceding half, then the first ones of this half.
            let from = |before: uint8x16_t, here: uint8x16_t| match N {
                1 => vextq_u8::<15>(before, here),
                2 => vextq_u8::<14>(before, here),
                3 => vextq_u8::<13>(before, here),
                _ => unreachable!("as asserted"),
            };
            [from(vdupq_n_u8(0), low), from(low, high)]
        }
        fn widen(self, bytes: Self::Bytes) -> [Self::Bytes; 2] {
            let zero = vdupq_n_u8(0);
            map_array(bytes, |bytes| [vzip1q_u8(bytes, zero), vzip2q_u8(bytes, zero)])
        }
        fn narrow(self, low: Self::Bytes, high: Self::Bytes) -> Self::Bytes {
            map_array([low, high], |units| vuzp1q_u8(units[0], units[1]))
        }
        fn zip(self, a: Self::Bytes, b: Self::Bytes) -> [Self::Bytes; 2] {
            [halves!(vzip1q_u8(a, b)), halves!(vzip2q_u8(a, b))]
        }
        fn zip_pairs(self, a: Self::Bytes, b: Self::Bytes) -> [Self::Bytes; 2] {
            [unit_halves!(vzip1q_u16(a, b)), unit_halves!(vzip2q_u16(a, b))]
        }
        fn zip_units(self, a: Self::Bytes, b: Self::Bytes) -> [Self::Bytes; 2] {
            let [low, high] = self.zip_pairs(a, b);
            [[low[0], high[0]], [low[1], high[1]]]
        }
        fn shuffle(self, bytes: Self::Bytes, [low, high]: [&[u8; HALF]; 2]) -> Self::Bytes {
            let places = self.halves(low, high);
            halves!(vqtbl1q_u8(bytes, places))
        }
        fn compress(self, bytes: Self::Bytes, bits: [u8; 2]) -> Self::Bytes {
            let compress = |bytes, bits: u8| {
                let places = vld1_u8(BYTES[usize::from(bits)].as_ptr());
                vcombine_u8(vqtbl1_u8(bytes, places), vdup_n_u8(0))
            };
            [compress(bytes[0], bits[0]), compress(bytes[1], bits[1])]
        }
        fn second_eights(self, bytes: Self::Bytes) -> Self::Bytes {
            map_array(bytes, |bytes| vextq_u8::<8>(bytes, vdupq_n_u8(0)))
        }

        fn look_up_nibbles(self, table: &[u8; HALF], nibbles: Self::Bytes) -> Self::Bytes {
            map_array(nibbles, |nibbles| vqtbl1q_u8(vld1q_u8(table.as_ptr()), nibbles))
        }
        fn table(self, entries: &[u8; 128]) -> Self::Table {
            map_array([0, 64], |at| vld1q_u8_x4(entries.as_ptr().add(at)))
        }
        fn look_up(self, table: &Self::Table, bytes: Self::Bytes) -> Self::Bytes {
            // An index out of bounds gives 0 in the first look-up, and keeps the first result in the second one.
            map_array(bytes, |bytes| {
                let found = vqtbl4q_u8(table[0], veorq_u8(bytes, vdupq_n_u8(0x80)));
                vqtbx4q_u8(found, table[1], veorq_u8(bytes, vdupq_n_u8(0xC0)))
            })
        }
        fn set_of_flags(self, flags: &[u8; HALF]) -> Self::Set { vld1q_u8(flags.as_ptr()) }
        fn is_not_in(self, set: &Self::Set, bytes: Self::Bytes) -> Self::Bytes {
            map_array(bytes, |bytes| {
                // Maps the high half of a byte to the bit of that half. ASCII has no bit.
                let bits = vld1q_u8([0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128].as_ptr());
                let high = vqtbl1q_u8(bits, vshrq_n_u8::<4>(bytes));
                let low = vqtbl1q_u8(*set, vandq_u8(bytes, vdupq_n_u8(15)));
                vmvnq_u8(vtstq_u8(low, high))
            })
        }
    }
}

// SAFETY: loads, stores, masks and counts are exact; `tests` compares each operation with a loop over bytes.
unsafe impl V128 for Neon {
    type Half = uint8x16_t;

    methods! {
        unsafe fn load_half(self, from: *const u8) -> uint8x16_t { vld1q_u8(from) }
        unsafe fn load_eight(self, from: *const u8) -> uint8x16_t { vcombine_u8(vld1_u8(from), vdup_n_u8(0)) }
        unsafe fn store_half(self, half: uint8x16_t, to: *mut u8) { vst1q_u8(to, half) }
        unsafe fn store_eight(self, half: uint8x16_t, to: *mut u8) { vst1_u8(to, vget_low_u8(half)) }
    }
    instructions! { intrinsic, uint8x16_t:
        or_half(a, b) = vorrq_u8(a, b);
        shuffle_half(bytes, places) = vqtbl1q_u8(bytes, places);
    }
    instructions! { of_units, uint8x16_t:
        and_half(a, b) = vandq_u16(a, b);
        and_not_half(a, b) = vbicq_u16(b, a);
        add_half(a, b) = vaddq_u16(a, b);
        subtract_half(a, b) = vsubq_u16(a, b);
        left_half<N>(units) = vshlq_n_u16::<N>(units);
        right_half<N>(units) = vshrq_n_u16::<N>(units);
        equal_half(a, b) = vceqq_u16(a, b);
        at_least_half(a, b) = vcgeq_u16(a, b);
        above_half(a, b) = vcgtq_u16(a, b);
    }
    methods! {
        fn upper_eight(self, half: uint8x16_t) -> uint8x16_t { vextq_u8::<8>(half, half) }
        fn add_above(self, units: uint8x16_t, limit: u16, more: u16) -> uint8x16_t {
            let units = vreinterpretq_u16_u8(units);
            let above = vcgtq_u16(units, vdupq_n_u16(limit));
            vreinterpretq_u8_u16(vaddq_u16(units, vandq_u16(above, vdupq_n_u16(more))))
        }
        fn zeros(self, half: uint8x16_t) -> u32 { self.bits([vceqzq_u8(half); 2]) & 0xFFFF }
        fn half_of_units(self, unit: u16) -> uint8x16_t { self.splat_units(unit)[0] }
        fn lanes(self, units: uint8x16_t) -> u8 {
            let bits = vld1q_u16([1, 2, 4, 8, 16, 32, 64, 128].as_ptr());
            vaddvq_u16(vandq_u16(vreinterpretq_u16_u8(units), bits)) as u8
        }
        fn lanes_of_two(self, low: uint8x16_t, high: uint8x16_t) -> u16 {
            self.top_bits([vuzp1q_u8(low, high); 2]) as u16
        }
    }
}
