//! The instruction sets that this process uses: detected once, capped on request, and proved by tokens.
//!
//! Detection at run time needs `std`. Without it, a level is used if the crate is compiled for it. The choice is one
//! byte, so reading it takes one relaxed load. Only x86-64, little-endian AArch64 and wasm32 with simd128 have kernels.
//! All other targets, including 32-bit x86, run [`Level::Portable`].
//!
//! A kernel takes its token, a zero-sized proof, by value. The token justifies the `unsafe` call of code compiled for the
//! instruction set. Tokens come only from [`Active`], which never holds a level above the detected one, so safe code
//! cannot forge one. A dispatcher loads the level once and compares it:
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

#[cfg(feature = "std")]
extern crate std;

use core::fmt;
use core::str::FromStr;
use core::sync::atomic::{AtomicU8, Ordering};
#[cfg(all(feature = "std", target_arch = "aarch64", target_endian = "little"))]
use std::arch::is_aarch64_feature_detected as is_detected;
#[cfg(all(feature = "std", target_arch = "x86_64"))]
use std::arch::is_x86_feature_detected as is_detected;

/// Decided at compile time: a WebAssembly module with unknown instructions does not load.
#[cfg(all(feature = "std", v256, target_arch = "wasm32"))]
macro_rules! is_detected {
    ($feature:tt) => {
        cfg!(target_feature = $feature)
    };
}

/// Defines a function that is `const` without `std`, because the level is known at compile time then.
macro_rules! const_without_std {
    ($(#[$attribute:meta])* fn $($function:tt)*) => {
        $(#[$attribute])*
        #[cfg(feature = "std")]
        fn $($function)*

        $(#[$attribute])*
        #[cfg(not(feature = "std"))]
        const fn $($function)*
    };
}

/// Lists the instruction sets that have kernels, the highest first: number, name in `MOJIKA_SIMD`, targets, and
/// features, which include those of the lower levels.
///
/// The list is passed to the macro `$make`. [`Level`], detection, the tokens and the ASCII loops are generated from it.
macro_rules! levels {
    ($make:ident) => {
        $make! {
            /// AVX-512 F, BW, VL, DQ, VBMI, VBMI2 and VPOPCNTDQ, on top of [`Level::Avx2`].
            Avx512 = 3, "avx512" on target_arch = "x86_64" with
                "sse2", "avx2", "bmi1", "bmi2", "popcnt", "lzcnt", "avx512f", "avx512bw", "avx512vl", "avx512dq",
                "avx512vbmi", "avx512vbmi2", "avx512vpopcntdq";
            /// AVX2 with BMI1, BMI2, POPCNT and LZCNT.
            Avx2 = 2, "avx2" on target_arch = "x86_64" with "sse2", "avx2", "bmi1", "bmi2", "popcnt", "lzcnt";
            /// SSE2: every x86-64 processor.
            Sse2 = 1, "sse2" on target_arch = "x86_64" with "sse2";
            /// NEON: every AArch64 processor with a standard library.
            Neon = 4, "neon" on all(target_arch = "aarch64", target_endian = "little") with "neon";
            /// WebAssembly's vector instructions, in modules that are compiled with them.
            Simd128 = 5, "simd128" on all(target_arch = "wasm32", target_feature = "simd128") with "simd128";
        }
    };
}
pub(super) use levels;

/// True if the processor (with `std`) or the compilation target (without) has all the given features.
#[cfg(v256)]
macro_rules! has {
    ($($feature:tt),+) => {{
        #[cfg(feature = "std")]
        let has = true $(&& is_detected!($feature))+;
        #[cfg(not(feature = "std"))]
        let has = true $(&& cfg!(target_feature = $feature))+;
        has
    }};
}

/// Defines [`Level`], the list of levels and detection.
macro_rules! define {
    ($(
        $(#[$doc:meta])*
        $name:ident = $number:literal, $text:literal on $on:meta with $($feature:tt),+;
    )+) => {
        /// One of the instruction sets that kernels are written for.
        ///
        /// On x86-64 each level includes the lower ones.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        #[repr(u8)]
        pub enum Level {
            /// Code without vector intrinsics, which runs everywhere.
            Portable = 0,
            $($(#[$doc])* $name = $number,)+
        }

        /// The levels of this architecture, highest first.
        const LADDER: &[Level] = &[$(#[cfg($on)] Level::$name,)+ Level::Portable];

        impl Level {
            const fn from_byte(byte: u8) -> Option<Self> {
                Some(match byte {
                    0 => Self::Portable,
                    $($number => Self::$name,)+
                    _ => return None,
                })
            }

            /// Returns the name of this level in `MOJIKA_SIMD`, such as `"avx2"`.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self {
                    Self::Portable => "portable",
                    $(Self::$name => $text,)+
                }
            }
        }

        const_without_std! {
            /// Returns the highest level whose features are all available.
            fn detect() -> Level {
                $(#[cfg($on)] if has!($($feature),+) { return Level::$name; })+
                Level::Portable
            }
        }
    };
}
levels!(define);

impl fmt::Display for Level {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// The error of parsing a [`Level`] from a name that no level has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct UnknownLevel;

impl fmt::Display for UnknownLevel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("unknown instruction-set level")
    }
}

impl core::error::Error for UnknownLevel {}

impl FromStr for Level {
    type Err = UnknownLevel;

    /// Parses a [`Level::name`], in any ASCII case.
    fn from_str(name: &str) -> Result<Self, UnknownLevel> {
        (0..)
            .map_while(Self::from_byte)
            .find(|level| level.name().eq_ignore_ascii_case(name))
            .ok_or(UnknownLevel)
    }
}

/// True if the only vector kernels are those with two registers of 16 bytes (NEON and simd128), whose minimum lengths
/// differ from AVX2's.
pub(super) const IS_IN_HALVES: bool = cfg!(all(v256, not(target_arch = "x86_64")));

/// The level in use as a byte; [`UNDECIDED`] until it is first needed.
///
/// Never above [`detected`], which the tokens rely on.
static IN_USE: AtomicU8 = AtomicU8::new(UNDECIDED);
const UNDECIDED: u8 = u8::MAX;

/// Returns the level that conversions use: the detected one, unless capped.
#[inline]
#[must_use]
pub fn level() -> Level {
    match Level::from_byte(IN_USE.load(Ordering::Relaxed)) {
        Some(level) => level,
        None => decide(),
    }
}

// This runs once per process. Inlined, it would be repeated wherever a kernel is selected.
#[cold]
#[inline(never)]
fn decide() -> Level {
    let start = starting_level();
    // A call of `cap` on another thread may have come first. Its choice then applies.
    #[cfg(target_has_atomic = "8")]
    if let Err(chosen) =
        IN_USE.compare_exchange(UNDECIDED, start as u8, Ordering::Relaxed, Ordering::Relaxed)
    {
        return Level::from_byte(chosen).unwrap_or(start);
    }
    #[cfg(not(target_has_atomic = "8"))]
    IN_USE.store(start as u8, Ordering::Relaxed);
    start
}

/// Caps the level for the whole process, or, with `None`, returns to the level it started with.
///
/// For tests and benches: results never change, only speed. A conversion that runs on another thread follows at its
/// next call. A level above those of this machine, or of another architecture, sets no cap. The process starts with the
/// detected level or, with the `std` feature, with the level named by the environment variable `MOJIKA_SIMD`, such as
/// `avx2` ([`Level::name`]); any other value is ignored.
pub fn cap(level: Option<Level>) {
    let level = level.map_or_else(starting_level, at_most);
    IN_USE.store(level as u8, Ordering::Relaxed);
}

/// True if the target can have this level, as far as is known at compile time. Without run-time detection, this keeps
/// useless kernels out of programs.
pub(super) const fn is_possible(level: Level) -> bool {
    #[cfg(feature = "std")]
    let highest = LADDER[0];
    #[cfg(not(feature = "std"))]
    let highest = detect();
    level as u8 <= highest as u8
}

/// Returns the levels that this machine can run, lowest first, ignoring caps; [`Level::Portable`] is always one.
pub fn available() -> impl Iterator<Item = Level> {
    let detected = detected();
    (LADDER.iter().rev().copied()).filter(move |&level| level <= detected)
}

/// Returns the highest level that this machine can run, ignoring caps.
#[must_use]
pub fn detected() -> Level {
    detect()
}

/// Returns the highest level that this machine has and `cap` allows.
pub(super) fn at_most(cap: Level) -> Level {
    let detected = detected();
    if LADDER.contains(&cap) {
        cap.min(detected)
    } else {
        detected
    }
}

fn starting_level() -> Level {
    #[cfg(feature = "std")]
    if let Some(cap) = std::env::var("MOJIKA_SIMD")
        .ok()
        .and_then(|name| name.parse().ok())
    {
        return at_most(cap);
    }
    detected()
}

/// A level that this machine has, and that the cap allowed when it was read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Active(Level);

impl Active {
    /// Returns the level in use, with one relaxed load.
    #[inline(always)]
    pub(crate) fn now() -> Self {
        // `level()` is never above `detected()`.
        Self(level())
    }

    /// Returns the highest level that this machine has and `cap` allows, ignoring the cap of the process. Test suites
    /// use it to run a kernel at every level.
    pub(crate) fn at_most(cap: Level) -> Self {
        Self(at_most(cap))
    }

    /// Returns the level itself.
    #[inline(always)]
    pub(crate) fn level(self) -> Level {
        self.0
    }

    /// True if `len` is at most the limit of this level: with AVX-512, or at other levels.
    #[inline(always)]
    pub(super) fn is_short(self, len: usize, [with_avx512, others]: [usize; 2]) -> bool {
        len <= with_avx512 || len <= others && self.0 != Level::Avx512
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
                let is_there = is_possible(Level::$name) && active.0 >= Level::$name;
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

/// Evaluates `$do` with the token of AVX-512, if `$active` has that level. It returns from the function.
macro_rules! with_avx512 {
    ($active:expr, |$token:ident| $do:expr) => {
        #[cfg(target_arch = "x86_64")]
        if let Some($token) = $crate::simd::level::Avx512::at($active) {
            $do
        }
    };
}
pub(super) use with_avx512;

/// Evaluates `$do` with the token of the kernels over `V256`, if `$active` has that level; otherwise `None`.
macro_rules! with_v256 {
    ($active:expr, |$token:ident| $do:expr) => {{
        #[cfg(v256)]
        let done = $crate::simd::level::V256Token::at($active).map(|$token| $do);
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
