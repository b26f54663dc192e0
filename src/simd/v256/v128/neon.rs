//! A register of NEON.

use core::arch::aarch64::*;

use super::super::super::token::{Neon, intrinsic};
use super::{V128, V256};

/// An operation on code units, which gives bytes.
macro_rules! of_units {
    ($operation:ident $(::<$n:ident>)? ($($register:expr),+)) => {
        // SAFETY: holding the token, which every method does, proves detection succeeded.
        unsafe { vreinterpretq_u8_u16($operation $(::<$n>)? ($(vreinterpretq_u16_u8($register)),+)) }
    };
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
    #[inline(always)]
    fn or_half(self, a: uint8x16_t, b: uint8x16_t) -> uint8x16_t {
        intrinsic!(vorrq_u8(a, b))
    }
    #[inline(always)]
    fn shuffle_half(self, bytes: uint8x16_t, places: uint8x16_t) -> uint8x16_t {
        intrinsic!(vqtbl1q_u8(bytes, places))
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
    #[inline(always)]
    fn and_half(self, a: uint8x16_t, b: uint8x16_t) -> uint8x16_t {
        of_units!(vandq_u16(a, b))
    }
    #[inline(always)]
    fn and_not_half(self, a: uint8x16_t, b: uint8x16_t) -> uint8x16_t {
        of_units!(vbicq_u16(b, a))
    }
    #[inline(always)]
    fn blend_half(self, by: uint8x16_t, yes: uint8x16_t, no: uint8x16_t) -> uint8x16_t {
        self.blend([by, by], [yes, yes], [no, no])[0]
    }
    #[inline(always)]
    fn add_half(self, a: uint8x16_t, b: uint8x16_t) -> uint8x16_t {
        of_units!(vaddq_u16(a, b))
    }
    #[inline(always)]
    fn subtract_half(self, a: uint8x16_t, b: uint8x16_t) -> uint8x16_t {
        of_units!(vsubq_u16(a, b))
    }
    #[inline(always)]
    fn left_half<const N: i32>(self, units: uint8x16_t) -> uint8x16_t {
        of_units!(vshlq_n_u16::<N>(units))
    }
    #[inline(always)]
    fn right_half<const N: i32>(self, units: uint8x16_t) -> uint8x16_t {
        of_units!(vshrq_n_u16::<N>(units))
    }
    #[inline(always)]
    fn equal_half(self, a: uint8x16_t, b: uint8x16_t) -> uint8x16_t {
        of_units!(vceqq_u16(a, b))
    }
    #[inline(always)]
    fn at_least_half(self, a: uint8x16_t, b: uint8x16_t) -> uint8x16_t {
        of_units!(vcgeq_u16(a, b))
    }
    #[inline(always)]
    fn above_half(self, a: uint8x16_t, b: uint8x16_t) -> uint8x16_t {
        of_units!(vcgtq_u16(a, b))
    }
    #[inline(always)]
    fn lanes(self, units: uint8x16_t) -> u8 {
        // SAFETY: holding `self` proves detection succeeded; the array has as many units as are loaded.
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
        // SAFETY: holding `self` proves detection succeeded; the array has as many bytes as are loaded.
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
