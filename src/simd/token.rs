//! Zero-sized proofs that the processor has an instruction set.
//!
//! A kernel takes its token by value, which justifies the `unsafe` call of code compiled for the instruction set.
//! Tokens come only from [`Active`], which never holds a level above the detected one, so safe code cannot forge one.
//!
//! A dispatcher loads the level once and compares it:
//!
//! ```text
//! let active = Active::now();
//! if let Some(token) = Avx512::at(active) {
//!     avx512::kernel(token, src, out)
//! } else if let Some(token) = Avx2::at(active) {
//!     avx2::kernel(token, src, out)
//! } else {
//!     portable::kernel(src, out)
//! }
//! ```

use super::level::{self, Level, levels};

/// A level that this machine has, and that the cap allowed when it was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Active(Level);

impl Active {
    /// Returns the level in use, with one relaxed load.
    #[inline(always)]
    pub(crate) fn now() -> Self {
        // `level()` is never above `detected()`.
        Self(level::level())
    }

    /// Returns the highest level that this machine has and `cap` allows, ignoring the cap of the process. Test suites
    /// use it to run a kernel at every level.
    pub(crate) fn at_most(cap: Level) -> Self {
        Self(level::at_most(cap))
    }

    /// Returns the level itself.
    #[inline(always)]
    pub(crate) fn level(self) -> Level {
        self.0
    }
}

/// Defines the token of each [`Level`] of this architecture: proof that it was detected.
macro_rules! tokens {
    ($(
        $(#[$doc:meta])*
        $name:ident = $number:literal, $text:literal on $on:meta with $($feature:tt),+;
    )+) => {$(
        /// Proof that the processor has all features of the level of the same name.
        #[cfg($on)]
        #[derive(Clone, Copy, Debug)]
        pub(crate) struct $name(());

        #[cfg($on)]
        impl $name {
            /// Returns the token, if `active` is at this level or above.
            #[inline(always)]
            pub(crate) fn at(active: Active) -> Option<Self> {
                // On one architecture, a higher level includes the lower ones.
                let is_there = level::is_possible(Level::$name) && active.0 >= Level::$name;
                is_there.then_some(Self(()))
            }
        }
    )+};
}
levels!(tokens);

/// Wraps intrinsics that access no memory, for methods of a token.
#[cfg(v256)]
macro_rules! intrinsic {
    ($($operation:tt)+) => {
        // SAFETY: the method holds the token `self`, which proves that detection succeeded; the operation accesses
        // registers only.
        unsafe { $($operation)+ }
    };
}
#[cfg(v256)]
pub(super) use intrinsic;

/// Defines methods of a token that are a few intrinsics each. The `unsafe` ones have a `# Safety` section in their
/// trait.
#[cfg(v256)]
macro_rules! methods {
    ($(
        $(#[$attribute:meta])*
        fn $name:ident $(<const $n:ident: i32>)? ($self:ident $(, $of:tt: $type:ty)*) -> $result:ty
        { $($operation:tt)+ }
    )+) => {$(
        $(#[$attribute])*
        #[inline(always)]
        fn $name $(<const $n: i32>)? ($self $(, $of: $type)*) -> $result {
            // SAFETY: the method holds the token `self`, which proves that detection succeeded. The operation accesses
            // registers only, or loads arrays and statics that are as long as the load.
            #[allow(unused_unsafe, reason = "some do without intrinsics")]
            unsafe { $($operation)+ }
        }
    )+};
    ($(
        unsafe fn $name:ident ($self:ident $(, $of:ident: $type:ty)*) $(-> $result:ty)?
        { $($operation:tt)+ }
    )+) => {$(
        #[inline(always)]
        unsafe fn $name ($self $(, $of: $type)*) $(-> $result)? {
            // SAFETY: the method holds the token `self`, which proves that detection succeeded. The memory that the
            // operation loads or stores is valid, by `# Safety` in the trait.
            unsafe { $($operation)+ }
        }
    )+};
}
#[cfg(v256)]
pub(super) use methods;

/// The token of the level for which the kernels over [`V256`](super::vector) are compiled.
#[cfg(target_arch = "x86_64")]
pub(crate) type V256Token = Avx2;
#[cfg(all(target_arch = "aarch64", target_endian = "little"))]
pub(crate) type V256Token = Neon;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub(crate) type V256Token = Simd128;

/// Evaluates `$do` with the token of the kernels over `V256`, if `$active` has that level; otherwise `None`.
macro_rules! with_v256 {
    ($active:expr, |$token:ident| $do:expr) => {{
        #[cfg(v256)]
        let done = $crate::simd::token::V256Token::at($active).map(|$token| $do);
        #[cfg(not(v256))]
        let done = {
            let _ = $active;
            None
        };
        done
    }};
}
pub(super) use with_v256;

#[cfg(target_arch = "x86_64")]
impl Avx512 {
    /// Returns the token of AVX2, which this level includes.
    #[inline(always)]
    pub(crate) fn avx2(self) -> Avx2 {
        Avx2(())
    }
}

#[cfg(target_arch = "x86_64")]
impl Avx2 {
    /// Returns the token of SSE2, which this level includes.
    #[inline(always)]
    pub(crate) fn sse2(self) -> Sse2 {
        Sse2(())
    }
}
