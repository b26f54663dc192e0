//! Registers of 32 bytes in two halves: one of AVX2, or two of NEON or simd128.
//!
//! Bytes are shuffled inside their half. Code units are little-endian in memory, as on all three architectures. Each
//! architecture has one token of this width, [`Token`]: kernels name it and are not generic.

use crate::simd::arrays::map_array;
pub(in crate::simd) use crate::simd::token::V256Token as Token;

/// A register of this architecture.
pub(in crate::simd) type Bytes = <Token as V256>::Bytes;
/// The marks of this architecture.
pub(in crate::simd) type Marks = <Token as V256>::Marks;

/// The number of bytes in a register.
pub(in crate::simd) const LEN: usize = 32;
/// The number of bytes in half a register.
pub(in crate::simd) const HALF: usize = LEN / 2;

/// The operations of kernels on registers.
///
/// # Safety
/// Loads, stores, masks and counts are exact for all bytes: kernels derive bounds of memory accesses from them.
pub(in crate::simd) unsafe trait V256: Copy {
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
