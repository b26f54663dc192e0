//! NEON: 16 bytes in a register.

use core::arch::aarch64::{
    uint8x16_t, uint16x8_t, vcgtq_u16, vcltzq_s8, vcombine_u8, vdupq_n_u16, vget_lane_u64,
    vget_low_u8, vld1q_u8, vld1q_u16, vmaxvq_u8, vmaxvq_u16, vmovl_high_u8, vmovl_u8, vmovn_u16,
    vorrq_u8, vorrq_u16, vreinterpret_u64_u8, vreinterpretq_s8_u8, vreinterpretq_u16_u8,
    vshrn_n_u16, vst1q_u8, vst1q_u16,
};

use super::super::arrays::map_array;
use super::super::token::{Neon, intrinsic};
use super::portable::Word;
use super::vector::{Vector, entry_point};

entry_point!(Neon, "neon");

// SAFETY: each method is one instruction or two of the token's set, and the tests compare each with a loop over bytes.
unsafe impl Vector for Neon {
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
