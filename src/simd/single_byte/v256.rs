//! AVX2 and NEON, which shuffle bytes but cannot compress or mask.
//!
//! The idea is that of the AVX-512 kernels: look up a register of bytes at once, in one table for low and one for high
//! bytes (UTF-16), in one for each byte of a sequence (UTF-8), in windows of 128 code points (encoding). What a compress
//! would do, a shuffle does by a table of places, for a few characters at a time (`groups`). With AVX2, letters of three
//! bytes that follow one another, as in Thai, are arithmetic. The end of the input, a stop and little room are left to the
//! portable loop. Text of Latin letters takes another way, [`mostly_ascii`](super::mostly_ascii), which is compiled for this level
//! here, or, to windows-1252 where they are many, [`latin_1`].
//!
//! Times encoding_rs 0.8.44 in texts of 100 KB, plain: to UTF-8 windows-1251 9.5, windows-874 6; to UTF-16 9, 5; from UTF-8
//! 9, 9. What limits them is the number of instructions: a look-up is eight shuffles there, and eight loads, differences
//! and sums; with NEON it is two. Measured and no faster: stores by way of a buffer in place of what [`groups`] does.

use super::super::out::Out;
use super::super::vector::Token;
use super::{CodePoints, Pages};

mod decode;
mod encode;
mod groups;
mod latin_1;
mod starts;

/// Defines an entry: safe, for it takes the token.
macro_rules! entry {
    ($name:ident, $kernel:path, $tables:ty, $src:ty, $unit:ty) => {
        #[inline(always)]
        pub(super) fn $name(
            token: Token,
            tables: $tables,
            src: $src,
            out: &mut Out<'_, $unit>,
        ) -> usize {
            #[cfg_attr(
                target_arch = "x86_64",
                target_feature(enable = "avx2,bmi1,bmi2,popcnt,lzcnt")
            )]
            #[cfg_attr(target_arch = "aarch64", target_feature(enable = "neon"))]
            fn featured(
                token: Token,
                tables: $tables,
                src: $src,
                out: &mut Out<'_, $unit>,
            ) -> usize {
                $kernel(token, tables, src, out)
            }
            // SAFETY: holding the token proves detection succeeded.
            unsafe { featured(token, tables, src, out) }
        }
    };
}
entry!(decode_utf16, decode::utf16, &CodePoints, &[u8], u16);
entry!(decode_utf8, decode::utf8, &CodePoints, &[u8], u8);
entry!(encode_utf8, encode::utf8, &Pages<'_>, &str, u8);
entry!(encode_utf16, encode::utf16, &Pages<'_>, &[u16], u8);

/// Where the bytes of eight pairs are whose second byte, by the bits of the index, counts.
static PAIRS: [[u8; 16]; 256] = {
    let mut all = [[0x80; 16]; 256];
    let mut bits = 0;
    while bits < 256 {
        let (mut i, mut n) = (0, 0);
        while i < 16 {
            if i % 2 == 0 || bits >> (i / 2) & 1 == 1 {
                all[bits][n] = i as u8;
                n += 1;
            }
            i += 1;
        }
        bits += 1;
    }
    all
};

/// Where the bytes of four characters in four bytes each are: of two bits of the index for each character, the lower says
/// whether the second byte counts, the higher whether the third does; the fourth never counts.
static TRIPLES: [[u8; 16]; 256] = {
    let mut all = [[0x80; 16]; 256];
    let mut bits = 0;
    while bits < 256 {
        let (mut i, mut n) = (0, 0);
        while i < 16 {
            let counts = match i % 4 {
                0 => true,
                1 => bits >> (2 * (i / 4)) & 1 == 1,
                2 => bits >> (2 * (i / 4) + 1) & 1 == 1,
                _ => false,
            };
            if counts {
                all[bits][n] = i as u8;
                n += 1;
            }
            i += 1;
        }
        bits += 1;
    }
    all
};
