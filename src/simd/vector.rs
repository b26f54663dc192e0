//! Registers: a family of traits, implemented for each instruction set in one file.
//!
//! [`Vector`] is a register of any width, with the operations for runs of ASCII. [`V256`] is a register of 32 bytes in
//! two halves: one of AVX2, or two of NEON or simd128. [`V128`] is half a register. Kernels that shuffle are written
//! once over [`V256`] and [`V128`].
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
#[cfg(v256)]
mod v128;
#[cfg(v256)]
mod v256;

pub(super) use portable::Word;
#[cfg(v256)]
pub(super) use {
    v128::{Half, V128},
    v256::{Bytes, HALF, LEN, Marks, Token, V256},
};

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

#[cfg(all(test, v256))]
mod tests;
