//! What [`shuffle`](super::shuffle) asks of an instruction set: a register of bytes, and a look-up of bytes in tables.
//!
//! A type that implements [`Vector`] is a token: holding it proves that detection succeeded, and every method's use of
//! intrinsics rests on that. Methods are inlined into functions compiled for the instruction set.

/// A register of `LEN` bytes, in quarters and halves of [`Vector::Part`], which has 16.
pub(super) trait Vector: Copy {
    /// Bytes in a register; at most 32.
    const LEN: usize;
    type Bytes: Copy;
    type Part: Copy;
    type Parts: Copy + AsRef<[Self::Part]>;
    /// 128 entries.
    type Table: Copy;

    /// # Safety
    /// `LEN` bytes at `from` are readable.
    unsafe fn load(self, from: *const u8) -> Self::Bytes;
    /// # Safety
    /// `LEN` bytes at `to` are writable.
    unsafe fn store(self, bytes: Self::Bytes, to: *mut u8);
    /// The low and the high bytes of `LEN` units.
    ///
    /// # Safety
    /// `LEN` units at `from` are readable.
    unsafe fn load_units(self, from: *const u16) -> [Self::Bytes; 2];

    fn splat(self, byte: u8) -> Self::Bytes;
    fn and(self, a: Self::Bytes, b: Self::Bytes) -> Self::Bytes;
    fn or(self, a: Self::Bytes, b: Self::Bytes) -> Self::Bytes;
    /// `b` where no bit of `a` is set.
    fn and_not(self, a: Self::Bytes, b: Self::Bytes) -> Self::Bytes;
    /// All bits where bytes are equal.
    fn equal(self, a: Self::Bytes, b: Self::Bytes) -> Self::Bytes;
    /// All bits where bytes, as unsigned numbers, are at least as great.
    fn at_least(self, a: Self::Bytes, b: Self::Bytes) -> Self::Bytes;
    /// The top bit of each byte, the first byte's lowest.
    fn top_bits(self, bytes: Self::Bytes) -> u32;
    /// Each byte shifted to the left by 6; the low six bits are anything.
    fn shift_6(self, bytes: Self::Bytes) -> Self::Bytes;

    fn table(self, entries: &[u8; 128]) -> Self::Table;
    /// The entries of bytes from 0x80 on; 0 of others.
    fn look_up(self, table: &Self::Table, bytes: Self::Bytes) -> Self::Bytes;

    fn parts(self, bytes: Self::Bytes) -> Self::Parts;
    /// First halves and second halves, interleaved byte by byte.
    fn zip(self, a: Self::Part, b: Self::Part) -> [Self::Part; 2];
    /// First halves and second halves, interleaved in pairs of bytes.
    fn zip_pairs(self, a: Self::Part, b: Self::Part) -> [Self::Part; 2];
    fn zero_part(self) -> Self::Part;
    /// The bytes at these places, all of them below 16; from 0x80 on, 0.
    fn pick(self, bytes: Self::Part, places: &[u8; 16]) -> Self::Part;
    /// # Safety
    /// 16 bytes at `to` are writable.
    unsafe fn store_part(self, bytes: Self::Part, to: *mut u8);
    /// The first 8 bytes.
    ///
    /// # Safety
    /// 8 bytes at `to` are writable.
    unsafe fn store_half(self, bytes: Self::Part, to: *mut u8);
}
