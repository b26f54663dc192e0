//! What kernels ask of half a register: 16 bytes, or eight code units.

use super::v256::{Token, V256};

/// Half of a register of the architecture's.
pub(in crate::simd) type Half = <Token as V128>::Half;

/// What kernels ask of half a register.
///
/// # Safety
/// As of [`V256`].
pub(in crate::simd) unsafe trait V128: V256 {
    /// 16 bytes, or eight code units.
    type Half: Copy;

    /// # Safety
    /// 16 bytes at `from` are readable.
    unsafe fn load_half(self, from: *const u8) -> Self::Half;
    /// Eight bytes, then zeros.
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
    /// Bytes as units.
    fn widen_half(self, half: Self::Half) -> Self::Bytes;
    fn or_half(self, a: Self::Half, b: Self::Half) -> Self::Half;
    /// The bytes at these places, all of them below 16; from 0x80 on, 0.
    fn shuffle_half(self, bytes: Self::Half, places: Self::Half) -> Self::Half;
    /// Eight bytes each, in order, and after them anything.
    fn eights(self, bytes: Self::Bytes) -> [Self::Half; 4];
    /// The second eight bytes, then anything.
    fn upper_eight(self, half: Self::Half) -> Self::Half;
    /// Units, with `more` added to those above `limit`, which is below 0x8000, as all units are.
    fn add_above(self, units: Self::Half, limit: u16, more: u16) -> Self::Half;
    /// A bit for each byte that is 0, the first one's lowest.
    fn zeros(self, half: Self::Half) -> u32;

    /// Every unit this one.
    fn half_of_units(self, unit: u16) -> Self::Half;
    fn and_half(self, a: Self::Half, b: Self::Half) -> Self::Half;
    /// `b` where no bit of `a` is set.
    fn and_not_half(self, a: Self::Half, b: Self::Half) -> Self::Half;
    /// The bytes of `yes` where those of `by` have the top bit, of `no` elsewhere.
    fn blend_half(self, by: Self::Half, yes: Self::Half, no: Self::Half) -> Self::Half;
    /// Sums of units.
    fn add_half(self, a: Self::Half, b: Self::Half) -> Self::Half;
    /// Differences of units.
    fn subtract_half(self, a: Self::Half, b: Self::Half) -> Self::Half;
    /// Each unit shifted to the left by `N`, from 1 to 15.
    fn left_half<const N: i32>(self, units: Self::Half) -> Self::Half;
    /// Each unit shifted to the right by `N`, from 1 to 15.
    fn right_half<const N: i32>(self, units: Self::Half) -> Self::Half;
    /// All bits where units are equal.
    fn equal_half(self, a: Self::Half, b: Self::Half) -> Self::Half;
    /// All bits where units are at least as great.
    fn at_least_half(self, a: Self::Half, b: Self::Half) -> Self::Half;
    /// All bits where units, all of them below 0x8000, are above others.
    fn above_half(self, a: Self::Half, b: Self::Half) -> Self::Half;
    /// Which of eight units have all bits set, where others have none.
    fn lanes(self, units: Self::Half) -> u8;
    /// Which of 16 units have all bits set, where others have none.
    fn lanes_of_two(self, low: Self::Half, high: Self::Half) -> u16;
    /// The top bit of each of the first eight bytes, the first one's lowest.
    fn top_bits_of_eight(self, half: Self::Half) -> u8;
    /// Bits put where `mask` has some, the lowest first.
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
