//! Registers: a family of traits, implemented for each instruction set in one file.
//!
//! [`Vector`] is a register of any width, with the operations for runs of ASCII. [`V256`] is a register of 32 bytes in
//! two halves: one of AVX2, or two of NEON or simd128. [`V128`] is half a register. Kernels that shuffle are written
//! once over [`V256`] and [`V128`]. Each architecture has one token of this width, [`Token`]: kernels name it and are not
//! generic. Bytes are shuffled inside their half. Code units are little-endian in memory, as on all three architectures.
//!
//! The traits are implemented by the tokens, so holding `self` proves that detection succeeded, and only memory
//! accesses are `unsafe`. Methods are `inline(always)` because they must end up inside the function that is compiled
//! for the instruction set.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
#[cfg(all(target_arch = "aarch64", target_endian = "little"))]
mod neon;
mod portable;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
mod simd128;
#[cfg(target_arch = "x86_64")]
mod sse2;

use super::arrays::map_array;
#[cfg(v256)]
pub(super) use super::level::V256Token as Token;
pub(super) use portable::Word;

/// Defines methods that are one instruction on registers of one type.
#[cfg(v256)]
macro_rules! instructions {
    ($apply:ident, $register:ty: $(
        $name:ident $(<$n:ident>)? ($($of:ident),+) = $instruction:ident $(::<$by:tt>)? ($($operand:ident),+);
    )+) => {$(
        #[inline(always)]
        fn $name $(<const $n: i32>)? (self, $($of: $register),+) -> $register {
            $apply!($instruction $(::<$by>)? ($($operand),+))
        }
    )+};
}
#[cfg(v256)]
use instructions;

/// A register of [`Vector::LEN`] bytes, and a pair of registers for `LEN` UTF-16 code units.
///
/// # Safety
/// `prefix` and `is_ascii` are exact, and stores write all `LEN` units.
pub(super) unsafe trait Vector: Copy {
    /// The number of bytes in a register.
    const LEN: usize;
    /// True if loads and stores can be masked, by the methods whose names end in `first`.
    const MASKED: bool = false;
    /// A register of `LEN` bytes.
    type Bytes: Copy;
    /// A register of `LEN` code units.
    type Units: Copy;
    /// The next smaller vector, which is available on every processor with this one.
    type Half: Vector;

    /// Returns the next smaller vector.
    fn half(self) -> Self::Half;

    /// Prefetches the cache line of the output at a fixed distance plus `line` bytes after `to`, if that pays off.
    /// `room` bytes are writable at `to`.
    #[inline(always)]
    fn prefetch_output(self, to: *const u8, line: usize, room: usize) {
        let _ = (to, line, room);
    }

    /// # Safety
    /// `LEN` bytes at `from` are readable.
    unsafe fn load(self, from: *const u8) -> Self::Bytes;
    /// # Safety
    /// `LEN` bytes at `to` are writable.
    unsafe fn store(self, bytes: Self::Bytes, to: *mut u8);
    /// # Safety
    /// `LEN` code units at `from` are readable.
    unsafe fn load_units(self, from: *const u16) -> Self::Units;
    /// # Safety
    /// `LEN` code units at `to` are writable.
    unsafe fn store_units(self, units: Self::Units, to: *mut u16);

    /// Bitwise OR, to test several registers at once.
    fn or(self, a: Self::Bytes, b: Self::Bytes) -> Self::Bytes;
    /// Bitwise OR, to test several registers at once.
    fn or_units(self, a: Self::Units, b: Self::Units) -> Self::Units;
    /// True if every byte is ASCII.
    fn is_ascii(self, bytes: Self::Bytes) -> bool;
    /// True if every unit is below 0x80.
    fn is_ascii_units(self, units: Self::Units) -> bool;
    /// Returns the number of bytes before the first non-ASCII one; `LEN` if there is none.
    fn prefix(self, bytes: Self::Bytes) -> usize;
    /// Returns the number of units before the first non-ASCII one; `LEN` if there is none.
    fn prefix_units(self, units: Self::Units) -> usize;
    /// Widens ASCII bytes to code units.
    fn widen(self, bytes: Self::Bytes) -> Self::Units;
    /// Narrows code units below 0x80 to bytes.
    fn narrow(self, units: Self::Units) -> Self::Bytes;

    /// Loads the first `n` bytes, padded with zeros.
    ///
    /// # Safety
    /// [`MASKED`](Self::MASKED) is true; `n <= LEN`, and `n` bytes at `from` are readable.
    #[inline(always)]
    unsafe fn load_first(self, from: *const u8, n: usize) -> Self::Bytes {
        let _ = (from, n);
        unreachable!("no masks")
    }
    /// Stores the first `n` bytes.
    ///
    /// # Safety
    /// [`MASKED`](Self::MASKED) is true; `n <= LEN`, and `n` bytes at `to` are writable.
    #[inline(always)]
    unsafe fn store_first(self, bytes: Self::Bytes, to: *mut u8, n: usize) {
        let _ = (bytes, to, n);
        unreachable!("no masks")
    }
    /// Loads the first `n` units, padded with zeros.
    ///
    /// # Safety
    /// [`MASKED`](Self::MASKED) is true; `n <= LEN`, and `n` units at `from` are readable.
    #[inline(always)]
    unsafe fn load_units_first(self, from: *const u16, n: usize) -> Self::Units {
        let _ = (from, n);
        unreachable!("no masks")
    }
    /// Stores the first `n` units.
    ///
    /// # Safety
    /// [`MASKED`](Self::MASKED) is true; `n <= LEN`, and `n` units at `to` are writable.
    #[inline(always)]
    unsafe fn store_units_first(self, units: Self::Units, to: *mut u16, n: usize) {
        let _ = (units, to, n);
        unreachable!("no masks")
    }
}

/// A register of this architecture.
#[cfg(v256)]
pub(super) type Bytes = <Token as V256>::Bytes;
/// The marks of this architecture.
#[cfg(v256)]
pub(super) type Marks = <Token as V256>::Marks;

/// The number of bytes in a register.
pub(super) const LEN: usize = 32;
/// The number of bytes in half a register.
pub(super) const HALF: usize = LEN / 2;

/// The operations of kernels on registers.
///
/// # Safety
/// Loads, stores, masks and counts are exact for all bytes: kernels derive bounds of memory accesses from them.
pub(super) unsafe trait V256: Copy {
    /// A register of [`LEN`] bytes, or `LEN / 2` code units.
    type Bytes: Copy;
    /// One bit for each byte, in the form for which [`any`](Self::any) is cheapest.
    type Marks: Copy;
    /// A table of 128 entries, for bytes from 0x80 on.
    type Table;
    /// True if a table look-up costs more than a few arithmetic instructions.
    const ARE_TABLES_COSTLY: bool;
    /// A set of 128 flags, indexed by the low half of a byte: one bit for each of the high halves from 8 on.
    type Set;

    /// # Safety
    /// [`LEN`] bytes at `from` are readable.
    unsafe fn load(self, from: *const u8) -> Self::Bytes;
    /// Loads two registers.
    ///
    /// # Safety
    /// Twice [`LEN`] bytes at `from` are readable.
    #[inline(always)]
    unsafe fn load_two(self, from: *const u8) -> [Self::Bytes; 2] {
        // SAFETY: `at + LEN <= 2 * LEN`, and `2 * LEN` bytes at `from` are readable, by `# Safety`.
        map_array([0, LEN], |at| unsafe { self.load(from.add(at)) })
    }
    /// # Safety
    /// [`LEN`] bytes at `to` are writable.
    unsafe fn store(self, bytes: Self::Bytes, to: *mut u8);
    /// Loads [`LEN`] units as low and high bytes.
    ///
    /// # Safety
    /// [`LEN`] units at `from` are readable.
    unsafe fn load_units(self, from: *const u16) -> [Self::Bytes; 2];
    /// # Safety
    /// [`HALF`] bytes at `to` are writable.
    unsafe fn store_low(self, bytes: Self::Bytes, to: *mut u8);
    /// # Safety
    /// [`HALF`] bytes at `to` are writable.
    unsafe fn store_high(self, bytes: Self::Bytes, to: *mut u8);
    /// Stores the bytes of the first half at the indices `places`, which are below 16; indices from 0x80 on give 0.
    ///
    /// # Safety
    /// [`HALF`] bytes at `to` are writable.
    unsafe fn store_low_picked(self, bytes: Self::Bytes, places: &[u8; HALF], to: *mut u8);
    /// Stores the bytes of the second half at the indices `places`, which are below 16; indices from 0x80 on give 0.
    ///
    /// # Safety
    /// [`HALF`] bytes at `to` are writable.
    unsafe fn store_high_picked(self, bytes: Self::Bytes, places: &[u8; HALF], to: *mut u8);
    /// Returns the bytes of two words, the lowest first, padded with zeros.
    fn first_words(self, first: u64, second: u64) -> Self::Bytes;
    /// Returns a register made of two halves.
    fn halves(self, low: &[u8; HALF], high: &[u8; HALF]) -> Self::Bytes;

    /// Sets every byte to `byte`.
    fn splat(self, byte: u8) -> Self::Bytes;
    /// Sets every unit to `unit`.
    fn splat_units(self, unit: u16) -> Self::Bytes;

    fn and(self, a: Self::Bytes, b: Self::Bytes) -> Self::Bytes;
    fn or(self, a: Self::Bytes, b: Self::Bytes) -> Self::Bytes;
    fn xor(self, a: Self::Bytes, b: Self::Bytes) -> Self::Bytes;
    /// Returns `b & !a`.
    fn and_not(self, a: Self::Bytes, b: Self::Bytes) -> Self::Bytes;
    /// Selects bytes of `yes` if the top bit of `by` is set, otherwise those of `no`.
    fn blend(self, by: Self::Bytes, yes: Self::Bytes, no: Self::Bytes) -> Self::Bytes;

    fn add(self, a: Self::Bytes, b: Self::Bytes) -> Self::Bytes;
    fn subtract(self, a: Self::Bytes, b: Self::Bytes) -> Self::Bytes;
    /// Adds bytes, saturating at 0xFF.
    fn add_up_to_max(self, a: Self::Bytes, b: Self::Bytes) -> Self::Bytes;
    /// Subtracts bytes, saturating at 0.
    fn subtract_down_to_0(self, a: Self::Bytes, b: Self::Bytes) -> Self::Bytes;
    /// Returns the minimum of unsigned bytes.
    fn least(self, a: Self::Bytes, b: Self::Bytes) -> Self::Bytes;
    /// Sets all bits of bytes that are equal.
    fn equal(self, a: Self::Bytes, b: Self::Bytes) -> Self::Bytes;
    /// Sets all bits of bytes for which `a >= b`, unsigned.
    fn at_least(self, a: Self::Bytes, b: Self::Bytes) -> Self::Bytes;
    /// Sets all bits of bytes that are not UTF-8 continuation bytes.
    fn starts(self, bytes: Self::Bytes) -> Self::Bytes;
    /// Shifts each byte to the left by 6; the low six bits are unspecified.
    fn shift_6(self, bytes: Self::Bytes) -> Self::Bytes;
    /// Returns the upper four bits of each byte.
    fn top_four(self, bytes: Self::Bytes) -> Self::Bytes;
    /// Returns the upper two bits of each byte.
    fn top_two(self, bytes: Self::Bytes) -> Self::Bytes;

    fn add_units(self, a: Self::Bytes, b: Self::Bytes) -> Self::Bytes;
    fn subtract_units(self, a: Self::Bytes, b: Self::Bytes) -> Self::Bytes;
    /// Returns the low 16 bits of products of units.
    fn multiply_units(self, a: Self::Bytes, b: Self::Bytes) -> Self::Bytes;
    /// Returns the minimum of unsigned units.
    fn least_of_units(self, a: Self::Bytes, b: Self::Bytes) -> Self::Bytes;
    /// Adds units, saturating at 0xFFFF.
    fn add_units_up_to_max(self, a: Self::Bytes, b: Self::Bytes) -> Self::Bytes;
    /// Sets all bits of units that are equal.
    fn equal_units(self, a: Self::Bytes, b: Self::Bytes) -> Self::Bytes;
    /// Sets all bits of units for which `a > b`; all units are below 0x8000.
    fn units_above(self, a: Self::Bytes, b: Self::Bytes) -> Self::Bytes;
    /// Shifts each unit to the left by `N`, from 1 to 15.
    fn left<const N: i32>(self, units: Self::Bytes) -> Self::Bytes;
    /// Shifts each unit to the right by `N`, from 1 to 15.
    fn right<const N: i32>(self, units: Self::Bytes) -> Self::Bytes;
    /// Swaps the bytes of each unit.
    fn swapped(self, units: Self::Bytes) -> Self::Bytes;

    /// True if all bits are clear.
    fn is_zero(self, bytes: Self::Bytes) -> bool;
    /// Returns the top bit of each byte as marks.
    fn movemask(self, bytes: Self::Bytes) -> Self::Marks;
    /// True if any byte is marked.
    fn any(self, marks: Self::Marks) -> bool;
    /// Returns the marks that are set in both `a` and `b`.
    fn both(self, a: Self::Marks, b: Self::Marks) -> Self::Marks;
    /// Inverts the marks.
    fn others(self, marks: Self::Marks) -> Self::Marks;
    /// Returns one bit for each byte; the bit of the first byte is the lowest.
    fn bits(self, marks: Self::Marks) -> u32;
    /// Returns the top bit of each byte; the bit of the first byte is the lowest.
    #[inline(always)]
    fn top_bits(self, bytes: Self::Bytes) -> u32 {
        self.bits(self.movemask(bytes))
    }
    /// Returns the top bit of each byte of two registers; the bit of the first byte is the lowest.
    fn top_bits_of_two(self, registers: [Self::Bytes; 2]) -> u64;
    /// Returns the top bit of each byte of a block of two registers; the bit of the first byte is the lowest.
    #[inline(always)]
    fn top_bits_of_block(self, block: &[u8; 2 * LEN]) -> u64 {
        // SAFETY: the block has `2 * LEN` bytes.
        self.top_bits_of_two(unsafe { self.load_two(block.as_ptr()) })
    }
    /// Returns for each half the top bits of its units, with the first unit's lowest, and the number of set bits.
    fn top_bits_of_units(self, units: Self::Bytes) -> [(u32, usize); 2];
    /// Counts the bits in each of the four bytes of a number, the lowest first.
    fn counts(self, bits: u32) -> [usize; 4];
    /// Counts all bits.
    fn count(self, bits: u32) -> usize;

    /// Shifts the bytes up by `N` positions, 1 to 3, with zeros first.
    fn on<const N: i32>(self, bytes: Self::Bytes) -> Self::Bytes;
    /// Widens bytes to units: the first half, then the second.
    fn widen(self, bytes: Self::Bytes) -> [Self::Bytes; 2];
    /// Narrows units to bytes. The half from `low` is valid if all of `low` is below 0x100, and likewise for `high`.
    fn narrow(self, low: Self::Bytes, high: Self::Bytes) -> Self::Bytes;
    /// Interleaves `a` and `b` byte by byte: the first eight bytes of each half, then the second eight.
    fn zip(self, a: Self::Bytes, b: Self::Bytes) -> [Self::Bytes; 2];
    /// Interleaves `a` and `b` in pairs of bytes: the first eight bytes of each half, then the second eight.
    fn zip_pairs(self, a: Self::Bytes, b: Self::Bytes) -> [Self::Bytes; 2];
    /// Interleaves `a` and `b` unit by unit: the first halves, then the second halves.
    fn zip_units(self, a: Self::Bytes, b: Self::Bytes) -> [Self::Bytes; 2];
    /// Shuffles each half by the indices `places`, which are below 16; indices from 0x80 on give 0.
    fn shuffle(self, bytes: Self::Bytes, places: [&[u8; HALF]; 2]) -> Self::Bytes;
    /// Compresses the first eight bytes of each half: the bytes whose bits are set move to the front of the half. The
    /// bytes after them are unspecified.
    fn compress(self, bytes: Self::Bytes, bits: [u8; 2]) -> Self::Bytes;
    /// Returns the second eight bytes of each half, padded with zeros.
    fn second_eights(self, bytes: Self::Bytes) -> Self::Bytes;

    /// Looks up bytes below 16.
    fn look_up_nibbles(self, table: &[u8; HALF], nibbles: Self::Bytes) -> Self::Bytes;
    fn table(self, entries: &[u8; 128]) -> Self::Table;
    /// Looks up bytes from 0x80 on. The result for other bytes is 0.
    fn look_up(self, table: &Self::Table, bytes: Self::Bytes) -> Self::Bytes;
    /// Returns the set of bytes from 0x80 on whose entry is true.
    #[inline(always)]
    fn set(self, entries: &[bool; 128]) -> Self::Set {
        self.set_of_flags(&flags(entries))
    }
    /// Returns the set with the given flags.
    fn set_of_flags(self, flags: &[u8; HALF]) -> Self::Set;
    /// Sets all bits of bytes that are not in the set.
    fn is_not_in(self, set: &Self::Set, bytes: Self::Bytes) -> Self::Bytes;
}

/// Packs 128 flags eight to a byte, in the layout of [`V256::Set`].
#[inline(always)]
fn flags(entries: &[bool; 128]) -> [u8; HALF] {
    let mut set = [0; HALF];
    for (i, &is_in) in entries.iter().enumerate() {
        set[i % HALF] |= u8::from(is_in) << (i / HALF);
    }
    set
}

/// Half a register of this architecture.
#[cfg(v256)]
pub(super) type Half = <Token as V128>::Half;

/// The operations on half a register.
///
/// # Safety
/// As for [`V256`].
pub(super) unsafe trait V128: V256 {
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

#[cfg(all(test, v256))]
mod tests;
