//! Zero-sized proofs that the processor has an instruction set.
//!
//! A kernel takes its token by value, and holding it justifies the `unsafe` call into code that is compiled for the
//! instruction set. Tokens come from [`Active`] alone, and an [`Active`] never holds a level above the detected one,
//! so safe code cannot forge one.
//!
//! A dispatcher asks once and compares a register:
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

/// A level that this machine has, and that the cap allowed when it was asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Active(Level);

impl Active {
    /// The level in use: one relaxed load.
    #[inline(always)]
    pub(crate) fn now() -> Self {
        // `level()` is never above `detected()`.
        Self(level::level())
    }

    /// The highest level that this machine has and `cap` allows, leaving the process's own cap alone: for suites
    /// that run a kernel at every level.
    pub(crate) fn at_most(cap: Level) -> Self {
        Self(level::at_most(cap))
    }

    /// The level itself.
    #[inline(always)]
    pub(crate) fn level(self) -> Level {
        self.0
    }
}

/// Defines the token of each [`Level`] that this architecture can have: proof that detection succeeded for it.
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
            /// The token, when `active` is at this level or above.
            #[inline(always)]
            pub(crate) fn at(active: Active) -> Option<Self> {
                // Within one architecture's ladder `>=` is "includes".
                let is_there = level::is_possible(Level::$name) && active.0 >= Level::$name;
                is_there.then_some(Self(()))
            }

            /// The token, when the level in use is this one or above: detected, and not capped away.
            #[inline(always)]
            pub(crate) fn detect() -> Option<Self> {
                Self::at(Active::now())
            }
        }
    )+};
}
levels!(tokens);

/// Intrinsics that read and write no memory, in a method of a token.
#[cfg(v256)]
macro_rules! intrinsic {
    ($($operation:tt)+) => {
        // SAFETY: the method holds the token, `self`, which proves that detection succeeded; registers are all that the
        // operation touches.
        unsafe { $($operation)+ }
    };
}
#[cfg(v256)]
pub(super) use intrinsic;

/// Methods of a token that are a few intrinsics each. Those that are `unsafe` have a `# Safety` section in their trait.
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
            // SAFETY: the method holds the token, `self`, which proves that detection succeeded; the operation touches
            // registers alone, and loads arrays and statics that are as long as what is loaded.
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
            // SAFETY: the method holds the token, `self`, which proves that detection succeeded; by `# Safety` in the trait,
            // there is as much memory as the operation loads or stores.
            unsafe { $($operation)+ }
        }
    )+};
}
#[cfg(v256)]
pub(super) use methods;

/// The token of the level that the kernels over [`V256`](super::vector) are compiled for.
#[cfg(target_arch = "x86_64")]
pub(crate) type V256Token = Avx2;
#[cfg(all(target_arch = "aarch64", target_endian = "little"))]
pub(crate) type V256Token = Neon;
#[cfg(all(target_arch = "wasm32", target_feature = "simd128"))]
pub(crate) type V256Token = Simd128;

/// What `$do` makes of that token, if the active level is that one or above; nothing on an architecture without one.
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
    /// The level below, which this one includes.
    #[inline(always)]
    pub(crate) fn avx2(self) -> Avx2 {
        Avx2(())
    }
}

#[cfg(target_arch = "x86_64")]
impl Avx2 {
    /// A level below, which this one includes.
    #[inline(always)]
    pub(crate) fn sse2(self) -> Sse2 {
        Sse2(())
    }
}
