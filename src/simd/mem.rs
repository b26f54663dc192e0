//! Checks of text in memory, and conversions of Latin-1.
//!
//! [`loops`] has one loop per job, written so that the compiler makes vectors of it: a block at a time, without a
//! branch within the block. Here each is compiled once per instruction set, and chosen by the one in use. [`text`] has
//! what other kernels serve.

#[cfg(target_arch = "x86_64")]
mod avx512;
mod counts;
mod loops;
mod text;

#[cfg(target_arch = "x86_64")]
use super::token;
use super::token::Active;
use crate::simd::tuning;

/// Up to this many units the portable loop is used: choosing a kernel costs more.
const SHORT: usize = tuning::PORTABLE_UP_TO;

/// Defines a function that runs a loop compiled for the best instruction set there is: its name, the name of the
/// same at a given level, whatever the length (what the tests compare), the loop, the arguments (of which the first says
/// how long the input is) and the result. Where comparisons are summed, the compiler does badly with AVX-512, which has them
/// in mask registers: after `for avx2:` it compiles the loop as AVX2 does, and what follows `|` is taken instead of the loop.
macro_rules! leveled {
    (for avx2: $(#[$doc:meta])* $name:ident, $at:ident = $body:path, $($rest:tt)*) => {
        leveled! { @ "avx2,bmi1,bmi2,lzcnt,popcnt", $body; $(#[$doc])* $name, $at = $body, $($rest)* }
    };
    ($(#[$doc:meta])* $name:ident, $at:ident = $body:path, $($rest:tt)*) => {
        leveled! { $(#[$doc])* $name, $at = $body | $body, $($rest)* }
    };
    ($(#[$doc:meta])* $name:ident, $at:ident = $body:path | $wide_body:path, $($rest:tt)*) => {
        leveled! {
            @ "avx2,bmi1,bmi2,lzcnt,popcnt,avx512f,avx512bw,avx512vl,avx512dq,avx512vbmi", $wide_body;
            $(#[$doc])* $name, $at = $body, $($rest)*
        }
    };
    (
        @ $wide:literal, $wide_body:path;
        $(#[$doc:meta])*
        $name:ident, $at:ident = $body:path,
        ($first:ident: $slice:ty $(, $arg:ident: $type:ty)*) -> $result:ty
    ) => {
        $(#[$doc])*
        #[inline]
        pub(crate) fn $name($first: $slice $(, $arg: $type)*) -> $result {
            if $first.len() <= SHORT {
                return $body($first $(, $arg)*);
            }
            $at(Active::now(), $first $(, $arg)*)
        }

        #[inline(never)]
        fn $at(active: Active, $first: $slice $(, $arg: $type)*) -> $result {
            #[cfg(target_arch = "x86_64")]
            {
                #[target_feature(enable = "avx2,bmi1,bmi2,lzcnt,popcnt")]
                fn avx2($first: $slice $(, $arg: $type)*) -> $result {
                    $body($first $(, $arg)*)
                }
                #[target_feature(enable = $wide)]
                fn avx512($first: $slice $(, $arg: $type)*) -> $result {
                    $wide_body($first $(, $arg)*)
                }
                if token::Avx512::at(active).is_some() {
                    // SAFETY: the token proves detection succeeded.
                    return unsafe { avx512($first $(, $arg)*) };
                }
                if token::Avx2::at(active).is_some() {
                    // SAFETY: the token proves detection succeeded.
                    return unsafe { avx2($first $(, $arg)*) };
                }
            }
            let _ = active;
            $body($first $(, $arg)*)
        }
    };
}

pub(super) use leveled;

leveled! {
    /// Writes bytes as code units of the same number, up to the shorter slice's length.
    widen_latin1, widen_latin1_at = loops::widen, (src: &[u8], dst: &mut [u16]) -> ()
}
leveled! {
    /// Writes the low bytes of code units, up to the shorter slice's length.
    narrow_units, narrow_units_at = loops::narrow, (src: &[u16], dst: &mut [u8]) -> ()
}
leveled! {
    /// Whether all code units are below 0x100.
    are_latin1_units, are_latin1_units_at = loops::are_latin1, (src: &[u16]) -> bool
}
leveled! {
    /// The length of the longest prefix that is UTF-8 of code points below U+0100.
    latin1_prefix_len_utf8, latin1_prefix_len_utf8_at = loops::latin1_prefix_len, (src: &[u8]) -> usize
}
leveled! {
    /// The length of the longest prefix in which surrogates come in pairs.
    paired_prefix_len, paired_prefix_len_at = loops::paired_prefix_len, (src: &[u16]) -> usize
}
leveled! {
    /// Whether some code unit is of a character that is written right to left: see [`is_rtl_unit`].
    have_rtl_units, have_rtl_units_at = loops::have_rtl, (src: &[u16]) -> bool
}

leveled! {
    /// How many of at most 64 KiB of bytes are U+0000, controls that text lacks (U+0000 among them), and printable ASCII.
    count_text_bytes, count_text_bytes_at = loops::count_text_bytes, (src: &[u8]) -> [u32; 3]
}
leveled! {
    /// How many characters UTF-8 has.
    count_chars, count_chars_at = counts::count_chars | avx512::count_chars, (src: &[u8]) -> usize
}
leveled! {
    /// How many UTF-16 code units UTF-8 becomes.
    count_utf16_of_utf8, count_utf16_of_utf8_at = counts::count_utf16_of_utf8 | avx512::count_utf16_of_utf8, (src: &[u8]) -> usize
}
leveled! {
    /// How many bytes are not ASCII.
    count_not_ascii, count_not_ascii_at = counts::count_not_ascii | avx512::count_not_ascii, (src: &[u8]) -> usize
}
leveled! {
    /// How many surrogate pairs UTF-16 has.
    count_pairs, count_pairs_at = counts::count_pairs | avx512::count_pairs, (src: &[u16]) -> usize
}
leveled! {
    /// How many bytes of UTF-8 UTF-16 becomes, with U+FFFD for lone surrogates.
    count_utf8_of_utf16, count_utf8_of_utf16_at = counts::count_utf8_of_utf16 | avx512::count_utf8_of_utf16, (src: &[u16]) -> usize
}

pub(crate) use loops::is_rtl_unit;
#[cfg(feature = "alloc")]
pub(crate) use text::{decode_latin1, encode_latin1_lossy};
pub(crate) use text::{
    latin1_to_str, latin1_to_utf8, utf8_to_latin1_lossy, utf16_to_str, utf16_to_utf8_replacing,
};

#[cfg(test)]
mod tests;
