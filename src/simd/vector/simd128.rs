//! simd128, the vector instructions of WebAssembly: a register of 16 bytes, and two as one of 32.
//!
//! A module with these instructions does not load where they are unknown, so the compiler assumes that they are
//! available. The intrinsics are safe, except those that access memory.

use core::arch::wasm32::*;

use super::portable::Word;
use super::{HALF, V128, V256, instructions};
use crate::simd::arrays::map_array;
use crate::simd::level::{Simd128, intrinsic, methods};
use crate::simd::shuffles::BYTES;

/// Applies an operation to each half.
macro_rules! halves {
    ($operation:ident $(::<$n:tt>)? ($($register:expr),+)) => {
        [$operation($($register[0]),+), $operation($($register[1]),+)]
    };
}

/// Shifts the units of each half.
macro_rules! shifted {
    ($operation:ident ::<$n:ident> ($units:expr)) => {
        map_array($units, |half| shifted_half!($operation::<$n>(half)))
    };
}

/// Shifts units.
macro_rules! shifted_half {
    ($operation:ident ::<$n:ident> ($units:expr)) => {
        $operation($units, $n as u32)
    };
}

// SAFETY: each method is one or two instructions of the token's set, and the tests compare each with a loop over bytes.
unsafe impl super::Vector for Simd128 {
    const LEN: usize = 16;
    type Bytes = v128;
    type Units = [v128; 2];
    type Half = Word<8>;

    #[inline(always)]
    fn half(self) -> Word<8> {
        Word
    }

    methods! {
        unsafe fn load(self, from: *const u8) -> v128 { v128_load(from.cast()) }
        unsafe fn store(self, bytes: v128, to: *mut u8) { v128_store(to.cast(), bytes) }
        unsafe fn load_units(self, from: *const u16) -> [v128; 2] {
            [v128_load(from.cast()), v128_load(from.add(8).cast())]
        }
        unsafe fn store_units(self, units: [v128; 2], to: *mut u16) {
            v128_store(to.cast(), units[0]);
            v128_store(to.add(8).cast(), units[1]);
        }
    }

    methods! {
        fn or(self, a: v128, b: v128) -> v128 { v128_or(a, b) }
        fn or_units(self, a: [v128; 2], b: [v128; 2]) -> [v128; 2] { halves!(v128_or(a, b)) }
        fn is_ascii(self, bytes: v128) -> bool { !v128_any_true(v128_and(bytes, u8x16_splat(0x80))) }
        fn is_ascii_units(self, units: [v128; 2]) -> bool {
            !v128_any_true(v128_and(v128_or(units[0], units[1]), u16x8_splat(0xFF80)))
        }
        fn prefix(self, bytes: v128) -> usize { (u32::from(u8x16_bitmask(bytes)) | 1 << 16).trailing_zeros() as usize }
        fn prefix_units(self, units: [v128; 2]) -> usize {
            let stops = map_array(units, |half| u16x8_gt(half, u16x8_splat(0x7F)));
            super::Vector::prefix(self, i8x16_narrow_i16x8(stops[0], stops[1]))
        }
        fn widen(self, bytes: v128) -> [v128; 2] { [u16x8_extend_low_u8x16(bytes), u16x8_extend_high_u8x16(bytes)] }
        fn narrow(self, units: [v128; 2]) -> v128 { u8x16_narrow_i16x8(units[0], units[1]) }
    }
}

// SAFETY: loads, stores, masks and counts are exact; `tests` compares each operation with a loop over bytes.
unsafe impl V256 for Simd128 {
    type Bytes = [v128; 2];
    type Marks = u32;
    type Table = [v128; 8];
    type Set = v128;
    const ARE_TABLES_COSTLY: bool = true;

    methods! {
        unsafe fn load(self, from: *const u8) -> Self::Bytes { [v128_load(from.cast()), v128_load(from.add(HALF).cast())] }
        unsafe fn store(self, bytes: Self::Bytes, to: *mut u8) {
            v128_store(to.cast(), bytes[0]);
            v128_store(to.add(HALF).cast(), bytes[1]);
        }
        unsafe fn load_units(self, from: *const u16) -> [Self::Bytes; 2] {
            let [[a, b], [c, d]] = self.load_two(from.cast());
            let units = [(a, b), (c, d)];
            [
                map_array(units, |(a, b)| {
                    u8x16_shuffle::<0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30>(a, b)
                }),
                map_array(units, |(a, b)| {
                    u8x16_shuffle::<1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31>(a, b)
                }),
            ]
        }
        unsafe fn store_low(self, bytes: Self::Bytes, to: *mut u8) { v128_store(to.cast(), bytes[0]) }
        unsafe fn store_high(self, bytes: Self::Bytes, to: *mut u8) { v128_store(to.cast(), bytes[1]) }
        unsafe fn store_low_picked(self, bytes: Self::Bytes, places: &[u8; HALF], to: *mut u8) {
            v128_store(to.cast(), u8x16_swizzle(bytes[0], v128_load(places.as_ptr().cast())))
        }
        unsafe fn store_high_picked(self, bytes: Self::Bytes, places: &[u8; HALF], to: *mut u8) {
            v128_store(to.cast(), u8x16_swizzle(bytes[1], v128_load(places.as_ptr().cast())))
        }
    }
    methods! {
        fn first_words(self, first: u64, second: u64) -> Self::Bytes { [u64x2(first, second), u8x16_splat(0)] }
        fn halves(self, low: &[u8; HALF], high: &[u8; HALF]) -> Self::Bytes {
            map_array([low, high], |half| v128_load(half.as_ptr().cast()))
        }
        fn splat(self, byte: u8) -> Self::Bytes { [u8x16_splat(byte); 2] }
        fn splat_units(self, unit: u16) -> Self::Bytes { [u16x8_splat(unit); 2] }
    }

    instructions! { halves, Self::Bytes:
        and(a, b) = v128_and(a, b);
        or(a, b) = v128_or(a, b);
        xor(a, b) = v128_xor(a, b);
        and_not(a, b) = v128_andnot(b, a);
        add(a, b) = u8x16_add(a, b);
        subtract(a, b) = u8x16_sub(a, b);
        add_up_to_max(a, b) = u8x16_add_sat(a, b);
        subtract_down_to_0(a, b) = u8x16_sub_sat(a, b);
        least(a, b) = u8x16_min(a, b);
        equal(a, b) = u8x16_eq(a, b);
        at_least(a, b) = u8x16_ge(a, b);
        add_units(a, b) = u16x8_add(a, b);
        subtract_units(a, b) = u16x8_sub(a, b);
        multiply_units(a, b) = u16x8_mul(a, b);
        least_of_units(a, b) = u16x8_min(a, b);
        add_units_up_to_max(a, b) = u16x8_add_sat(a, b);
        equal_units(a, b) = u16x8_eq(a, b);
        units_above(a, b) = i16x8_gt(a, b);
    }
    instructions! { shifted, Self::Bytes:
        left<N>(units) = u16x8_shl::<N>(units);
        right<N>(units) = u16x8_shr::<N>(units);
    }
    methods! {
        fn blend(self, by: Self::Bytes, yes: Self::Bytes, no: Self::Bytes) -> Self::Bytes {
            let by = map_array(by, |bytes| i8x16_lt(bytes, u8x16_splat(0)));
            halves!(v128_bitselect(yes, no, by))
        }
        fn starts(self, bytes: Self::Bytes) -> Self::Bytes { map_array(bytes, |bytes| i8x16_gt(bytes, i8x16_splat(-65))) }
        fn shift_6(self, bytes: Self::Bytes) -> Self::Bytes { self.left::<6>(bytes) }
        fn top_four(self, bytes: Self::Bytes) -> Self::Bytes { map_array(bytes, |bytes| u8x16_shr(bytes, 4)) }
        fn top_two(self, bytes: Self::Bytes) -> Self::Bytes { map_array(bytes, |bytes| u8x16_shr(bytes, 6)) }
        fn swapped(self, units: Self::Bytes) -> Self::Bytes {
            map_array(units, |half| {
                u8x16_shuffle::<1, 0, 3, 2, 5, 4, 7, 6, 9, 8, 11, 10, 13, 12, 15, 14>(half, half)
            })
        }

        fn is_zero(self, bytes: Self::Bytes) -> bool { !v128_any_true(v128_or(bytes[0], bytes[1])) }
        fn movemask(self, bytes: Self::Bytes) -> u32 {
            let [low, high] = map_array(bytes, |bytes| u32::from(u8x16_bitmask(bytes)));
            low | high << 16
        }
        fn any(self, marks: u32) -> bool { marks != 0 }
        fn both(self, a: u32, b: u32) -> u32 { a & b }
        fn others(self, marks: u32) -> u32 { !marks }
        fn bits(self, marks: u32) -> u32 { marks }
        fn top_bits_of_two(self, registers: [Self::Bytes; 2]) -> u64 {
            let [low, high] = map_array(registers, |bytes| self.top_bits(bytes));
            u64::from(low) | u64::from(high) << 32
        }
        fn top_bits_of_units(self, units: Self::Bytes) -> [(u32, usize); 2] {
            map_array(units, |half| {
                let bits = u32::from(u16x8_bitmask(half));
                (bits, bits.count_ones() as usize)
            })
        }
        fn counts(self, bits: u32) -> [usize; 4] {
            map_array([0, 8, 16, 24], |from| (bits >> from & 0xFF).count_ones() as usize)
        }
        fn count(self, bits: u32) -> usize { bits.count_ones() as usize }

        fn on<const N: i32>(self, bytes: Self::Bytes) -> Self::Bytes {
            const { assert!(1 <= N && N <= 3) };
            let [low, high] = bytes;
            // The last N bytes of the preceding half, then the first ones of this half.
            let from = |before: v128, here: v128| match N {
                1 => u8x16_shuffle::<15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30>(before, here),
                2 => u8x16_shuffle::<14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29>(before, here),
                3 => u8x16_shuffle::<13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28>(before, here),
                _ => unreachable!("as asserted"),
            };
            [from(u8x16_splat(0), low), from(low, high)]
        }
        fn widen(self, bytes: Self::Bytes) -> [Self::Bytes; 2] {
            map_array(bytes, |bytes| super::Vector::widen(self, bytes))
        }
        fn narrow(self, low: Self::Bytes, high: Self::Bytes) -> Self::Bytes {
            map_array([low, high], |units| super::Vector::narrow(self, units))
        }
        fn zip(self, a: Self::Bytes, b: Self::Bytes) -> [Self::Bytes; 2] {
            let pairs = [(a[0], b[0]), (a[1], b[1])];
            [
                map_array(pairs, |(a, b)| {
                    u8x16_shuffle::<0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23>(a, b)
                }),
                map_array(pairs, |(a, b)| {
                    u8x16_shuffle::<8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31>(a, b)
                }),
            ]
        }
        fn zip_pairs(self, a: Self::Bytes, b: Self::Bytes) -> [Self::Bytes; 2] {
            let pairs = [(a[0], b[0]), (a[1], b[1])];
            [
                map_array(pairs, |(a, b)| u16x8_shuffle::<0, 8, 1, 9, 2, 10, 3, 11>(a, b)),
                map_array(pairs, |(a, b)| u16x8_shuffle::<4, 12, 5, 13, 6, 14, 7, 15>(a, b)),
            ]
        }
        fn zip_units(self, a: Self::Bytes, b: Self::Bytes) -> [Self::Bytes; 2] {
            let [low, high] = self.zip_pairs(a, b);
            [[low[0], high[0]], [low[1], high[1]]]
        }
        fn shuffle(self, bytes: Self::Bytes, [low, high]: [&[u8; HALF]; 2]) -> Self::Bytes {
            let places = self.halves(low, high);
            halves!(u8x16_swizzle(bytes, places))
        }
        fn compress(self, bytes: Self::Bytes, bits: [u8; 2]) -> Self::Bytes {
            let places = map_array(bits, |bits| self.load_eight(BYTES[usize::from(bits)].as_ptr()));
            halves!(u8x16_swizzle(bytes, places))
        }
        fn second_eights(self, bytes: Self::Bytes) -> Self::Bytes {
            map_array(bytes, |bytes| u64x2_shuffle::<1, 2>(bytes, u8x16_splat(0)))
        }

        fn look_up_nibbles(self, table: &[u8; HALF], nibbles: Self::Bytes) -> Self::Bytes {
            let table = v128_load(table.as_ptr().cast());
            map_array(nibbles, |nibbles| u8x16_swizzle(table, nibbles))
        }
        fn table(self, entries: &[u8; 128]) -> [v128; 8] {
            map_array([0, 16, 32, 48, 64, 80, 96, 112], |at| v128_load(entries.as_ptr().add(at).cast()))
        }
        fn look_up(self, table: &[v128; 8], bytes: Self::Bytes) -> Self::Bytes {
            // Looks up the index in all eight parts. An index below or above a part gives 0.
            map_array(bytes, |bytes| {
                let mut index = v128_xor(bytes, u8x16_splat(0x80));
                let mut found = u8x16_swizzle(table[0], index);
                for part in &table[1..] {
                    index = u8x16_sub(index, u8x16_splat(16));
                    found = v128_or(found, u8x16_swizzle(*part, index));
                }
                found
            })
        }
        fn set_of_flags(self, flags: &[u8; HALF]) -> v128 { v128_load(flags.as_ptr().cast()) }
        fn is_not_in(self, set: &v128, bytes: Self::Bytes) -> Self::Bytes {
            // Maps the high half of a byte to the bit of that half. ASCII has no bit.
            let bits = u8x16(0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128);
            map_array(bytes, |bytes| {
                let high = u8x16_swizzle(bits, u8x16_shr(bytes, 4));
                let low = u8x16_swizzle(*set, v128_and(bytes, u8x16_splat(15)));
                u8x16_eq(v128_and(low, high), u8x16_splat(0))
            })
        }
    }
}

// SAFETY: loads, stores, masks and counts are exact; `tests` compares each operation with a loop over bytes.
unsafe impl V128 for Simd128 {
    type Half = v128;

    methods! {
        unsafe fn load_half(self, from: *const u8) -> v128 { v128_load(from.cast()) }
        unsafe fn load_eight(self, from: *const u8) -> v128 { v128_load64_zero(from.cast()) }
        unsafe fn store_half(self, half: v128, to: *mut u8) { v128_store(to.cast(), half) }
        unsafe fn store_eight(self, half: v128, to: *mut u8) { v128_store64_lane::<0>(half, to.cast()) }
    }
    instructions! { intrinsic, v128:
        or_half(a, b) = v128_or(a, b);
        shuffle_half(bytes, places) = u8x16_swizzle(bytes, places);
        and_half(a, b) = v128_and(a, b);
        and_not_half(a, b) = v128_andnot(b, a);
        add_half(a, b) = u16x8_add(a, b);
        subtract_half(a, b) = u16x8_sub(a, b);
        equal_half(a, b) = u16x8_eq(a, b);
        at_least_half(a, b) = u16x8_ge(a, b);
        above_half(a, b) = i16x8_gt(a, b);
    }
    instructions! { shifted_half, v128:
        left_half<N>(units) = u16x8_shl::<N>(units);
        right_half<N>(units) = u16x8_shr::<N>(units);
    }
    methods! {
        fn upper_eight(self, half: v128) -> v128 { u64x2_shuffle::<1, 1>(half, half) }
        fn add_above(self, units: v128, limit: u16, more: u16) -> v128 {
            let above = i16x8_gt(units, u16x8_splat(limit));
            u16x8_add(units, v128_and(above, u16x8_splat(more)))
        }
        fn zeros(self, half: v128) -> u32 { u8x16_bitmask(u8x16_eq(half, u8x16_splat(0))).into() }
        fn half_of_units(self, unit: u16) -> v128 { u16x8_splat(unit) }
        fn lanes(self, units: v128) -> u8 { u16x8_bitmask(units) }
        fn lanes_of_two(self, low: v128, high: v128) -> u16 { u8x16_bitmask(i8x16_narrow_i16x8(low, high)) }
    }
}
