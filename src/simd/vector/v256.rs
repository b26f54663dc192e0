//! Registers of 32 bytes in two halves: one of AVX2, or two of NEON or simd128.
//!
//! Bytes are shuffled within their half. A register's bytes are taken for code units as they lie in memory, little-endian,
//! as all three architectures have them. An architecture has one token of this width, which is [`Token`]: kernels name that, and
//! are no generics.

use crate::simd::arrays::map_array;
pub(in crate::simd) use crate::simd::token::V256Token as Token;

/// A register of the architecture's.
pub(in crate::simd) type Bytes = <Token as V256>::Bytes;
/// Marks of the architecture's.
pub(in crate::simd) type Marks = <Token as V256>::Marks;

/// Bytes in a register.
pub(in crate::simd) const LEN: usize = 32;
/// Bytes in half of it.
pub(in crate::simd) const HALF: usize = LEN / 2;

/// What kernels ask of registers.
///
/// # Safety
/// Loads, stores, masks and counts are exact for all bytes: kernels take them for bounds.
pub(in crate::simd) unsafe trait V256: Copy {
    /// [`LEN`] bytes, or `LEN / 2` code units.
    type Bytes: Copy;
    /// A bit for each byte, in whatever form is best to ask whether there are any.
    type Marks: Copy;
    /// 128 entries, for bytes from 0x80 on.
    type Table;
    /// Whether a look-up in a table is more work than some arithmetic.
    const ARE_TABLES_COSTLY: bool;
    /// 128 flags: by the low half of a byte a bit for each of the eight high halves from 8 on.
    type Set;

    /// # Safety
    /// [`LEN`] bytes at `from` are readable.
    unsafe fn load(self, from: *const u8) -> Self::Bytes;
    /// Two registers.
    ///
    /// # Safety
    /// Twice [`LEN`] bytes at `from` are readable.
    #[inline(always)]
    unsafe fn load_two(self, from: *const u8) -> [Self::Bytes; 2] {
        // SAFETY: by `# Safety`, twice `LEN` bytes at `from` are readable.
        map_array([0, LEN], |at| unsafe { self.load(from.add(at)) })
    }
    /// # Safety
    /// [`LEN`] bytes at `to` are writable.
    unsafe fn store(self, bytes: Self::Bytes, to: *mut u8);
    /// The low and the high bytes of [`LEN`] units.
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
    /// The bytes of the first half at these places, all of them below 16; from 0x80 on, 0.
    ///
    /// # Safety
    /// [`HALF`] bytes at `to` are writable.
    unsafe fn store_low_picked(self, bytes: Self::Bytes, places: &[u8; HALF], to: *mut u8);
    /// The bytes of the second half at these places, all of them below 16; from 0x80 on, 0.
    ///
    /// # Safety
    /// [`HALF`] bytes at `to` are writable.
    unsafe fn store_high_picked(self, bytes: Self::Bytes, places: &[u8; HALF], to: *mut u8);
    /// The bytes of two words, the lowest first, then zeros.
    fn first_words(self, first: u64, second: u64) -> Self::Bytes;
    /// A register of halves.
    fn halves(self, low: &[u8; HALF], high: &[u8; HALF]) -> Self::Bytes;

    /// Every byte this one.
    fn splat(self, byte: u8) -> Self::Bytes;
    /// Every unit this one.
    fn splat_units(self, unit: u16) -> Self::Bytes;

    fn and(self, a: Self::Bytes, b: Self::Bytes) -> Self::Bytes;
    fn or(self, a: Self::Bytes, b: Self::Bytes) -> Self::Bytes;
    fn xor(self, a: Self::Bytes, b: Self::Bytes) -> Self::Bytes;
    /// `b` where no bit of `a` is set.
    fn and_not(self, a: Self::Bytes, b: Self::Bytes) -> Self::Bytes;
    /// The bytes of `yes` where those of `by` have the top bit, of `no` elsewhere.
    fn blend(self, by: Self::Bytes, yes: Self::Bytes, no: Self::Bytes) -> Self::Bytes;

    fn add(self, a: Self::Bytes, b: Self::Bytes) -> Self::Bytes;
    fn subtract(self, a: Self::Bytes, b: Self::Bytes) -> Self::Bytes;
    /// Sums of bytes, 0xFF at most.
    fn add_up_to_max(self, a: Self::Bytes, b: Self::Bytes) -> Self::Bytes;
    /// Differences of bytes, 0 at least.
    fn subtract_down_to_0(self, a: Self::Bytes, b: Self::Bytes) -> Self::Bytes;
    /// The greater of bytes.
    fn greatest(self, a: Self::Bytes, b: Self::Bytes) -> Self::Bytes;
    /// The lesser of bytes.
    fn least(self, a: Self::Bytes, b: Self::Bytes) -> Self::Bytes;
    /// All bits where bytes are equal.
    fn equal(self, a: Self::Bytes, b: Self::Bytes) -> Self::Bytes;
    /// All bits where bytes, as unsigned numbers, are at least as great.
    fn at_least(self, a: Self::Bytes, b: Self::Bytes) -> Self::Bytes;
    /// All bits in the bytes that continue no character of UTF-8.
    fn starts(self, bytes: Self::Bytes) -> Self::Bytes;
    /// Each byte shifted to the left by 6; the low six bits are anything.
    fn shift_6(self, bytes: Self::Bytes) -> Self::Bytes;
    /// The upper half of each byte.
    fn top_four(self, bytes: Self::Bytes) -> Self::Bytes;
    /// The two top bits of each byte.
    fn top_two(self, bytes: Self::Bytes) -> Self::Bytes;

    fn add_units(self, a: Self::Bytes, b: Self::Bytes) -> Self::Bytes;
    fn subtract_units(self, a: Self::Bytes, b: Self::Bytes) -> Self::Bytes;
    /// The low 16 bits of products of units.
    fn multiply_units(self, a: Self::Bytes, b: Self::Bytes) -> Self::Bytes;
    /// The lesser of units.
    fn least_of_units(self, a: Self::Bytes, b: Self::Bytes) -> Self::Bytes;
    /// Sums of units, 0xFFFF at most.
    fn add_units_up_to_max(self, a: Self::Bytes, b: Self::Bytes) -> Self::Bytes;
    /// All bits where units are equal.
    fn equal_units(self, a: Self::Bytes, b: Self::Bytes) -> Self::Bytes;
    /// All bits where units, all of them below 0x8000, are above others.
    fn units_above(self, a: Self::Bytes, b: Self::Bytes) -> Self::Bytes;
    /// Each unit shifted to the left by `N`, from 1 to 15.
    fn left<const N: i32>(self, units: Self::Bytes) -> Self::Bytes;
    /// Each unit shifted to the right by `N`, from 1 to 15.
    fn right<const N: i32>(self, units: Self::Bytes) -> Self::Bytes;
    /// Units with their bytes swapped.
    fn swapped(self, units: Self::Bytes) -> Self::Bytes;

    /// Whether no bit is set.
    fn is_zero(self, bytes: Self::Bytes) -> bool;
    /// The top bit of each byte.
    fn movemask(self, bytes: Self::Bytes) -> Self::Marks;
    /// Whether any byte is marked.
    fn any(self, marks: Self::Marks) -> bool;
    /// The marks that are in both.
    fn both(self, a: Self::Marks, b: Self::Marks) -> Self::Marks;
    /// Marks where there are none.
    fn others(self, marks: Self::Marks) -> Self::Marks;
    /// A bit for each byte, the first byte's lowest.
    fn bits(self, marks: Self::Marks) -> u32;
    /// The top bit of each byte, the first byte's lowest.
    #[inline(always)]
    fn top_bits(self, bytes: Self::Bytes) -> u32 {
        self.bits(self.movemask(bytes))
    }
    /// The top bit of each byte of two registers, the first byte's lowest.
    fn top_bits_of_two(self, registers: [Self::Bytes; 2]) -> u64;
    /// The top bit of each byte of a block of two registers, the first byte's lowest.
    #[inline(always)]
    fn top_bits_of_block(self, block: &[u8; 2 * LEN]) -> u64 {
        // SAFETY: the block has LEN bytes twice.
        self.top_bits_of_two(unsafe { self.load_two(block.as_ptr()) })
    }
    /// The top bit of each unit of each half, the first unit's lowest, and how many are set.
    fn top_bits_of_units(self, units: Self::Bytes) -> [(u32, usize); 2];
    /// The top bit of bytes, and no other: those of a number, the lowest one's the first byte's.
    fn bytes_of_bits(self, bits: u32) -> Self::Bytes;
    /// How many bits are set in each of the four bytes of a number, the lowest first.
    fn counts(self, bits: u32) -> [usize; 4];
    /// How many bits are set in all.
    fn count(self, bits: u32) -> usize;

    /// Bytes each `N` places on, and `N` zeros before them: `N` is 1, 2 or 3.
    fn on<const N: i32>(self, bytes: Self::Bytes) -> Self::Bytes;
    /// Bytes as units: the first half, then the second.
    fn widen(self, bytes: Self::Bytes) -> [Self::Bytes; 2];
    /// The low bytes of units: those of `low` count if all of them are below 0x100, and likewise of `high`.
    fn narrow(self, low: Self::Bytes, high: Self::Bytes) -> Self::Bytes;
    /// First halves and second halves of each half register, interleaved byte by byte.
    fn zip(self, a: Self::Bytes, b: Self::Bytes) -> [Self::Bytes; 2];
    /// First halves and second halves of each half register, interleaved in pairs of bytes.
    fn zip_pairs(self, a: Self::Bytes, b: Self::Bytes) -> [Self::Bytes; 2];
    /// The units of the first half of each, one of `a` and one of `b` in turn, and those of the second half.
    fn zip_units(self, a: Self::Bytes, b: Self::Bytes) -> [Self::Bytes; 2];
    /// In each half, the bytes at these places, all of them below 16; from 0x80 on, 0.
    fn shuffle(self, bytes: Self::Bytes, places: [&[u8; HALF]; 2]) -> Self::Bytes;
    /// In each half, those of the first eight bytes whose bits are set, then anything.
    fn compress(self, bytes: Self::Bytes, bits: [u8; 2]) -> Self::Bytes;
    /// The second eight bytes of each half, then zeros.
    fn second_eights(self, bytes: Self::Bytes) -> Self::Bytes;

    /// The entries of bytes below 16.
    fn look_up_nibbles(self, table: &[u8; HALF], nibbles: Self::Bytes) -> Self::Bytes;
    fn table(self, entries: &[u8; 128]) -> Self::Table;
    /// The entries of bytes from 0x80 on; 0 of others.
    fn look_up(self, table: &Self::Table, bytes: Self::Bytes) -> Self::Bytes;
    /// The bytes from 0x80 on whose entry is true.
    #[inline(always)]
    fn set(self, entries: &[bool; 128]) -> Self::Set {
        self.set_of_flags(&flags(entries))
    }
    /// A set by its flags.
    fn set_of_flags(self, flags: &[u8; HALF]) -> Self::Set;
    /// All bits in the bytes that are not in a set.
    fn is_not_in(self, set: &Self::Set, bytes: Self::Bytes) -> Self::Bytes;
}

/// 128 flags, eight to a byte, as [`V256::Set`] has them.
#[inline(always)]
fn flags(entries: &[bool; 128]) -> [u8; HALF] {
    let mut set = [0; HALF];
    for (i, &is_in) in entries.iter().enumerate() {
        set[i % HALF] |= u8::from(is_in) << (i / HALF);
    }
    set
}
