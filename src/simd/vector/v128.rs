//! The operations of kernels on half a register: 16 bytes, or eight code units.

use super::v256::{Token, V256};

/// Half a register of this architecture.
pub(in crate::simd) type Half = <Token as V128>::Half;

/// The operations on half a register.
///
/// # Safety
/// As for [`V256`].
pub(in crate::simd) unsafe trait V128: V256 {
    /// A half register of 16 bytes, or eight code units.
    type Half: Copy;

    /// # Safety
    /// 16 bytes at `from` are readable.
    unsafe fn load_half(self, from: *const u8) -> Self::Half;
    /// Loads eight bytes, padded with zeros.
    ///
    /// # Safety
    /// Eight bytes at `from` are readable.
    unsafe fn load_eight(self, from: *const u8) -> Self::Half;
    /// # Safety
    /// 16 bytes at `to` are writable.
    unsafe fn store_half(self, half: Self::Half, to: *mut u8);
    /// Stores the first eight bytes.
    ///
    /// # Safety
    /// Eight bytes at `to` are writable.
    unsafe fn store_eight(self, half: Self::Half, to: *mut u8);
    fn or_half(self, a: Self::Half, b: Self::Half) -> Self::Half;
    /// Returns the bytes at the indices `places`, which are below 16; indices from 0x80 on give 0.
    fn shuffle_half(self, bytes: Self::Half, places: Self::Half) -> Self::Half;
    /// Returns the second eight bytes; the bytes after them are unspecified.
    fn upper_eight(self, half: Self::Half) -> Self::Half;
    /// Adds `more` to the units above `limit`. All units and `limit` are below 0x8000.
    fn add_above(self, units: Self::Half, limit: u16, more: u16) -> Self::Half;
    /// Returns a mask of the bytes that are 0; the bit of the first byte is the lowest.
    fn zeros(self, half: Self::Half) -> u32;

    /// Sets every unit to `unit`.
    fn half_of_units(self, unit: u16) -> Self::Half;
    fn and_half(self, a: Self::Half, b: Self::Half) -> Self::Half;
    /// Returns `b & !a`.
    fn and_not_half(self, a: Self::Half, b: Self::Half) -> Self::Half;
    /// Adds units.
    fn add_half(self, a: Self::Half, b: Self::Half) -> Self::Half;
    /// Subtracts units.
    fn subtract_half(self, a: Self::Half, b: Self::Half) -> Self::Half;
    /// Shifts each unit to the left by `N`, from 1 to 15.
    fn left_half<const N: i32>(self, units: Self::Half) -> Self::Half;
    /// Shifts each unit to the right by `N`, from 1 to 15.
    fn right_half<const N: i32>(self, units: Self::Half) -> Self::Half;
    /// Sets all bits of units that are equal.
    fn equal_half(self, a: Self::Half, b: Self::Half) -> Self::Half;
    /// Sets all bits of units for which `a >= b`, unsigned.
    fn at_least_half(self, a: Self::Half, b: Self::Half) -> Self::Half;
    /// Sets all bits of units for which `a > b`; all units are below 0x8000.
    fn above_half(self, a: Self::Half, b: Self::Half) -> Self::Half;
    /// Returns a mask of the units with all bits set. Every unit must have all bits set, or none.
    fn lanes(self, units: Self::Half) -> u8;
    /// Returns a mask of the units with all bits set, in two registers. Every unit must have all bits set, or none.
    fn lanes_of_two(self, low: Self::Half, high: Self::Half) -> u16;
    /// Deposits the bits, lowest first, at the set bits of `mask`, like PDEP.
    #[inline(always)]
    fn deposit(self, bits: u8, mask: u8) -> u8 {
        let (mut rest, mut places, mut deposited) = (bits, mask, 0);
        while places != 0 {
            deposited |= (rest & 1) * (places & places.wrapping_neg());
            rest >>= 1;
            places &= places - 1;
        }
        deposited
    }
}
