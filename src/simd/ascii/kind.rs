//! The five operations on a run of ASCII, each defined by its load, its test and its store.

use crate::simd::vector::Vector;

/// One operation on a run of ASCII.
///
/// # Safety
/// `prefix` and `is_ascii` are exact, and the stores initialise every unit that they are asked to write: `run` counts
/// those as written.
pub(super) unsafe trait Task {
    /// The input unit: a byte or a code unit.
    type In: core::marker::Copy;
    /// The output unit: a byte, a code unit, or `()`.
    type Out: core::marker::Copy;
    /// `LEN` units of input in registers.
    type Block<V: Vector>: core::marker::Copy;

    /// Converts one input unit; `None` if it is not ASCII.
    fn convert(unit: Self::In) -> Option<Self::Out>;
    /// # Safety
    /// `V::LEN` units at `from` are readable.
    unsafe fn load<V: Vector>(v: V, from: *const Self::In) -> Self::Block<V>;
    /// # Safety
    /// `V::LEN` units at `to` are writable. The block is ASCII.
    unsafe fn store<V: Vector>(v: V, block: Self::Block<V>, to: *mut Self::Out);
    /// Bitwise or.
    fn or<V: Vector>(v: V, a: Self::Block<V>, b: Self::Block<V>) -> Self::Block<V>;
    /// True if the whole block is ASCII.
    fn is_ascii<V: Vector>(v: V, block: Self::Block<V>) -> bool;
    /// Returns the number of units before the first non-ASCII one; `V::LEN` if there is no such unit.
    fn prefix<V: Vector>(v: V, block: Self::Block<V>) -> usize;
    /// # Safety
    /// `V` has masks, `n <= V::LEN`, and `n` units at `from` are readable.
    unsafe fn load_first<V: Vector>(v: V, from: *const Self::In, n: usize) -> Self::Block<V>;
    /// # Safety
    /// `V` has masks, `n <= V::LEN`, and `n` units at `to` are writable. The first `n` units of the block are ASCII.
    unsafe fn store_first<V: Vector>(v: V, block: Self::Block<V>, to: *mut Self::Out, n: usize);
}

/// Defines methods of a [`Task`] that forward to a method of the vector with the same contract.
macro_rules! forward {
    ($(unsafe fn $name:ident($v:ident $(, $of:ident: $type:ty)*) $(-> $result:ty)? { $($call:tt)+ })+) => {$(
        #[inline(always)]
        unsafe fn $name<V: Vector>($v: V $(, $of: $type)*) $(-> $result)? {
            // SAFETY: by `# Safety` of this method of `Task`, the units that the vector's method accesses are readable
            // or writable.
            unsafe { $($call)+ }
        }
    )+};
}

/// The half of a [`Task`] that reads bytes. A macro, because default methods could not know that `In` is `u8`.
macro_rules! reads_bytes {
    () => {
        type In = u8;
        type Block<V: Vector> = V::Bytes;

        forward! {
            unsafe fn load(v, from: *const u8) -> V::Bytes { v.load(from) }
            unsafe fn load_first(v, from: *const u8, n: usize) -> V::Bytes { v.load_first(from, n) }
        }
        #[inline(always)]
        fn or<V: Vector>(v: V, a: V::Bytes, b: V::Bytes) -> V::Bytes {
            v.or(a, b)
        }
        #[inline(always)]
        fn is_ascii<V: Vector>(v: V, block: V::Bytes) -> bool {
            v.is_ascii(block)
        }
        #[inline(always)]
        fn prefix<V: Vector>(v: V, block: V::Bytes) -> usize {
            v.prefix(block)
        }
    };
}

/// The half of a [`Task`] that reads code units; see [`reads_bytes`].
macro_rules! reads_units {
    () => {
        type In = u16;
        type Block<V: Vector> = V::Units;

        forward! {
            unsafe fn load(v, from: *const u16) -> V::Units { v.load_units(from) }
            unsafe fn load_first(v, from: *const u16, n: usize) -> V::Units { v.load_units_first(from, n) }
        }
        #[inline(always)]
        fn or<V: Vector>(v: V, a: V::Units, b: V::Units) -> V::Units {
            v.or_units(a, b)
        }
        #[inline(always)]
        fn is_ascii<V: Vector>(v: V, block: V::Units) -> bool {
            v.is_ascii_units(block)
        }
        #[inline(always)]
        fn prefix<V: Vector>(v: V, block: V::Units) -> usize {
            v.prefix_units(block)
        }
    };
}

/// Bytes to bytes.
pub(super) struct Copy;

// SAFETY: the tests are the vector's, which are exact; its stores write all of their units.
unsafe impl Task for Copy {
    reads_bytes!();
    type Out = u8;

    #[inline(always)]
    fn convert(unit: u8) -> Option<u8> {
        unit.is_ascii().then_some(unit)
    }
    forward! {
        unsafe fn store(v, block: V::Bytes, to: *mut u8) { v.store(block, to) }
        unsafe fn store_first(v, block: V::Bytes, to: *mut u8, n: usize) { v.store_first(block, to, n) }
    }
}

/// Bytes to code units.
pub(super) struct Widen;

// SAFETY: the tests are the vector's, which are exact; its stores write all of their units.
unsafe impl Task for Widen {
    reads_bytes!();
    type Out = u16;

    #[inline(always)]
    fn convert(unit: u8) -> Option<u16> {
        unit.is_ascii().then_some(u16::from(unit))
    }
    forward! {
        unsafe fn store(v, block: V::Bytes, to: *mut u16) { v.store_units(v.widen(block), to) }
        unsafe fn store_first(v, block: V::Bytes, to: *mut u16, n: usize) { v.store_units_first(v.widen(block), to, n) }
    }
}

/// Code units to bytes.
pub(super) struct Narrow;

// SAFETY: the tests are the vector's, which are exact; its stores write all of their units.
unsafe impl Task for Narrow {
    reads_units!();
    type Out = u8;

    #[inline(always)]
    fn convert(unit: u16) -> Option<u8> {
        u8::try_from(unit).ok().filter(u8::is_ascii)
    }
    forward! {
        unsafe fn store(v, block: V::Units, to: *mut u8) { v.store(v.narrow(block), to) }
        unsafe fn store_first(v, block: V::Units, to: *mut u8, n: usize) { v.store_first(v.narrow(block), to, n) }
    }
}

/// Measures bytes: only the length is wanted.
pub(super) struct Measure;

// SAFETY: the tests are the vector's, which are exact; units of `()` need no initialisation.
unsafe impl Task for Measure {
    reads_bytes!();
    type Out = ();

    #[inline(always)]
    fn convert(unit: u8) -> Option<()> {
        unit.is_ascii().then_some(())
    }
    #[inline(always)]
    unsafe fn store<V: Vector>(_: V, _: V::Bytes, _: *mut ()) {}
    #[inline(always)]
    unsafe fn store_first<V: Vector>(_: V, _: V::Bytes, _: *mut (), _: usize) {}
}

/// Measures code units: only the length is wanted.
pub(super) struct MeasureUnits;

// SAFETY: the tests are the vector's, which are exact; units of `()` need no initialisation.
unsafe impl Task for MeasureUnits {
    reads_units!();
    type Out = ();

    #[inline(always)]
    fn convert(unit: u16) -> Option<()> {
        (unit < 0x80).then_some(())
    }
    #[inline(always)]
    unsafe fn store<V: Vector>(_: V, _: V::Units, _: *mut ()) {}
    #[inline(always)]
    unsafe fn store_first<V: Vector>(_: V, _: V::Units, _: *mut (), _: usize) {}
}
