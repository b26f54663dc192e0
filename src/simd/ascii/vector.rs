//! What a register can do, as far as runs of ASCII need it.
//!
//! The trait is implemented on the tokens, so that every method has the proof of detection at hand: only memory
//! accesses are `unsafe`. Methods are `inline(always)` because they must end up inside the one function of each
//! instruction set that is compiled for it.

use super::kind::Kind;
use super::run;

/// A register of [`Vector::LEN`] bytes, and a pair of them as `LEN` UTF-16 code units.
///
/// # Safety
/// `prefix` and `is_ascii` are exact, and stores write all `LEN` units.
pub(super) unsafe trait Vector: Copy {
    /// Bytes in a register.
    const LEN: usize;
    /// `LEN` bytes.
    type Bytes: Copy;
    /// `LEN` code units.
    type Units: Copy;
    /// The next smaller vector, which every processor with this one has.
    type Half: Vector;

    /// The next smaller vector.
    fn half(self) -> Self::Half;

    /// Asks for a line of memory that will be written soon, if that is worth it: `line` bytes behind what will be at some
    /// distance from `to`, of which `room` bytes are writable.
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

    /// Bitwise or, to test several registers at once.
    fn or(self, a: Self::Bytes, b: Self::Bytes) -> Self::Bytes;
    /// Bitwise or, to test several registers at once.
    fn or_units(self, a: Self::Units, b: Self::Units) -> Self::Units;
    /// Whether every byte is ASCII.
    fn is_ascii(self, bytes: Self::Bytes) -> bool;
    /// Whether every unit is below 0x80.
    fn is_ascii_units(self, units: Self::Units) -> bool;
    /// How many bytes stand before the first that is not ASCII; `LEN` when none is.
    fn prefix(self, bytes: Self::Bytes) -> usize;
    /// How many units stand before the first that is not ASCII; `LEN` when none is.
    fn prefix_units(self, units: Self::Units) -> usize;
    /// ASCII bytes to code units.
    fn widen(self, bytes: Self::Bytes) -> Self::Units;
    /// Code units below 0x80 to bytes.
    fn narrow(self, units: Self::Units) -> Self::Bytes;

    /// Takes the ASCII prefix of fewer than `LEN` units, writing exactly that; returns its length.
    ///
    /// # Safety
    /// `n < LEN`; `n` units at `src` are readable, `n` at `dst` are writable, and the two do not overlap.
    #[inline(always)]
    unsafe fn take_partial<K: Kind>(self, src: *const K::In, dst: *mut K::Out, n: usize) -> usize {
        // SAFETY: by `# Safety`, `n` units at `src` are readable, `n` at `dst` writable, and `n < LEN`.
        unsafe { run::take_raw::<_, K>(self.half(), src, dst, n) }
    }

    /// Writes fewer than `LEN` units that are known to be ASCII.
    ///
    /// # Safety
    /// `n < LEN`; `n` units at `src` are readable and ASCII, `n` at `dst` are writable, and the two do not overlap.
    #[inline(always)]
    unsafe fn put_partial<K: Kind>(self, src: *const K::In, dst: *mut K::Out, n: usize) {
        // SAFETY: by `# Safety`, `n` units at `src` are readable and ASCII, `n` at `dst` writable, and `n < LEN`.
        unsafe { run::put_halves::<_, K>(self.half(), src, dst, n) }
    }
}

/// A vector whose loads and stores can be masked.
pub(super) trait Masked: Vector {
    /// The first `n` bytes, then zeros.
    ///
    /// # Safety
    /// `n <= LEN`, and `n` bytes at `from` are readable.
    unsafe fn load_first(self, from: *const u8, n: usize) -> Self::Bytes;
    /// Stores the first `n` bytes.
    ///
    /// # Safety
    /// `n <= LEN`, and `n` bytes at `to` are writable.
    unsafe fn store_first(self, bytes: Self::Bytes, to: *mut u8, n: usize);
    /// The first `n` units, then zeros.
    ///
    /// # Safety
    /// `n <= LEN`, and `n` units at `from` are readable.
    unsafe fn load_units_first(self, from: *const u16, n: usize) -> Self::Units;
    /// Stores the first `n` units.
    ///
    /// # Safety
    /// `n <= LEN`, and `n` units at `to` are writable.
    unsafe fn store_units_first(self, units: Self::Units, to: *mut u16, n: usize);
}

/// Defines `take`, which is [`run::take`] compiled for the instruction sets of a token.
#[cfg(any(
    target_arch = "x86_64",
    all(target_arch = "aarch64", target_endian = "little")
))]
macro_rules! entry_point {
    ($token:ident, $features:literal) => {
        #[inline(always)]
        pub(super) fn take<K: $crate::simd::ascii::Kind>(
            token: $token,
            src: &[K::In],
            out: &mut $crate::simd::out::Out<'_, K::Out>,
        ) -> usize {
            #[target_feature(enable = $features)]
            fn take<K: $crate::simd::ascii::Kind>(
                token: $token,
                src: &[K::In],
                out: &mut $crate::simd::out::Out<'_, K::Out>,
            ) -> usize {
                $crate::simd::ascii::run::take::<_, K>(token, src, out)
            }
            // SAFETY: holding the token proves detection succeeded.
            unsafe { take::<K>(token, src, out) }
        }
    };
}
#[cfg(any(
    target_arch = "x86_64",
    all(target_arch = "aarch64", target_endian = "little")
))]
pub(super) use entry_point;
