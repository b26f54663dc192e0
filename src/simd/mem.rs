//! Checks of text in memory, and conversions of Latin-1.
//!
//! [`loops`] has one loop per job, written for auto-vectorisation: a block at a time, without a branch inside the
//! block. Each loop is compiled here once per instruction set, and dispatched by the level in use. [`text`] has the
//! functions that use other kernels.

#[cfg(target_arch = "x86_64")]
mod avx512;
mod counts;
mod loops;
mod text;

use super::level::Active;
use crate::simd::tuning;

/// Defines a function that runs a loop compiled for the best available instruction set. The parameters are its name,
/// the name of the variant for a given level, the loop, the arguments and the result. The tests compare the variants,
/// and the first argument has the length.
///
/// `for avx2:` compiles the loop for AVX2 on AVX-512 as well, since LLVM does badly with sums of comparisons in mask
/// registers. A path after `|` replaces the loop on AVX-512.
macro_rules! leveled {
    (for avx2: $(#[$doc:meta])* $name:ident, $at:ident = $body:path, $($rest:tt)*) => {
        leveled! { @ "avx2,bmi1,bmi2,popcnt,lzcnt", $body; $(#[$doc])* $name, $at = $body, $($rest)* }
    };
    ($(#[$doc:meta])* $name:ident, $at:ident = $body:path, $($rest:tt)*) => {
        leveled! { $(#[$doc])* $name, $at = $body | $body, $($rest)* }
    };
    ($(#[$doc:meta])* $name:ident, $at:ident = $body:path | $wide_body:path, $($rest:tt)*) => {
        leveled! {
            @ "bmi1,bmi2,popcnt,lzcnt,avx512vl,avx512dq,avx512vbmi,avx512vbmi2", $wide_body;
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
            if $first.len() <= tuning::PORTABLE_UP_TO {
                return $body($first $(, $arg)*);
            }
            $at(Active::now(), $first $(, $arg)*)
        }

        #[inline(never)]
        fn $at(active: Active, $first: $slice $(, $arg: $type)*) -> $result {
            #[cfg(target_arch = "x86_64")]
            {
                #[target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")]
                fn avx2($first: $slice $(, $arg: $type)*) -> $result {
                    $body($first $(, $arg)*)
                }
                #[target_feature(enable = $wide)]
                fn avx512($first: $slice $(, $arg: $type)*) -> $result {
                    $wide_body($first $(, $arg)*)
                }
                // SAFETY: the token proves detection succeeded.
                $crate::simd::level::with_avx512!(active, |_token| return unsafe { avx512($first $(, $arg)*) });
                if $crate::simd::level::Avx2::at(active).is_some() {
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
    /// Widens bytes to code units of the same value, up to the length of the shorter slice.
    widen_latin1, widen_latin1_at = loops::widen, (src: &[u8], dst: &mut [u16]) -> ()
}
leveled! {
    /// Writes the low bytes of code units, up to the length of the shorter slice.
    narrow_units, narrow_units_at = loops::narrow, (src: &[u16], dst: &mut [u8]) -> ()
}
leveled! {
    /// True if all code units are below 0x100.
    are_latin1_units, are_latin1_units_at = loops::are_latin1, (src: &[u16]) -> bool
}
leveled! {
    /// Returns the length of the longest prefix that is UTF-8 of code points below U+0100.
    latin1_prefix_len_utf8, latin1_prefix_len_utf8_at = loops::latin1_prefix_len, (src: &[u8]) -> usize
}
leveled! {
    /// Returns the length of the longest prefix in which all surrogates are paired.
    paired_prefix_len, paired_prefix_len_at = loops::paired_prefix_len, (src: &[u16]) -> usize
}
leveled! {
    /// True if a code unit belongs to a right-to-left character: see [`is_rtl_unit`].
    have_rtl_units, have_rtl_units_at = loops::have_rtl, (src: &[u16]) -> bool
}

leveled! {
    /// Counts, in at most 4 GiB: U+0000; controls that text lacks, including U+0000; and printable ASCII.
    count_text_bytes, count_text_bytes_at = loops::count_text_bytes, (src: &[u8]) -> [u32; 3]
}
leveled! {
    /// Counts the characters of UTF-8.
    count_chars, count_chars_at = counts::count_chars | avx512::count_chars, (src: &[u8]) -> usize
}
leveled! {
    /// Returns the number of UTF-16 code units that UTF-8 becomes.
    count_utf16_of_utf8, count_utf16_of_utf8_at = counts::count_utf16_of_utf8 | avx512::count_utf16_of_utf8, (src: &[u8]) -> usize
}
leveled! {
    /// Counts the non-ASCII bytes.
    count_not_ascii, count_not_ascii_at = counts::count_not_ascii | avx512::count_not_ascii, (src: &[u8]) -> usize
}
leveled! {
    /// Counts the surrogate pairs of UTF-16.
    count_pairs, count_pairs_at = counts::count_pairs | avx512::count_pairs, (src: &[u16]) -> usize
}
leveled! {
    /// Returns the number of UTF-8 bytes that UTF-16 becomes, with U+FFFD for lone surrogates.
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
