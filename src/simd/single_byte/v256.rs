//! AVX2 and NEON, which shuffle bytes but cannot compress or mask.
//!
//! The algorithms are the same as for AVX-512. Registers of bytes are looked up: for UTF-16 in a table of low bytes and
//! one of high bytes, for UTF-8 in one per byte of a sequence. Encoding has windows of 128 code points. A table-driven
//! shuffle of a few characters replaces compress (`groups`). With AVX2, consecutive three-byte letters, as in Thai, are
//! computed. The end of the input, stops and little room are left to the portable loop. Text in Latin scripts uses
//! [`mostly_ascii`](super::mostly_ascii), compiled here for this level, or, for windows-1252 with many letters,
//! [`latin_1`].
//!
//! Speed relative to encoding_rs 0.8.44 on plain texts of 100 KB: to UTF-8 windows-1251 9.5, windows-874 6; to UTF-16
//! 9, 5; from UTF-8 9, 9. The number of instructions is the limit: with AVX2 a look-up is eight shuffles, loads,
//! differences and sums; with NEON it is two. Stores through a buffer instead of [`groups`] are no faster.

mod decode;
mod encode;
mod groups;
mod latin_1;

pub(super) use decode::{utf8 as decode_utf8, utf16 as decode_utf16};
pub(super) use encode::{utf8 as encode_utf8, utf16 as encode_utf16};

/// Shuffles that keep the first byte of each of eight pairs, and the second byte if its bit in the index is set.
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

/// Shuffles that keep the bytes of four characters, each in four bytes. Of the index's two bits for a character, the
/// lower is set if the second byte counts, the higher if the third does. The fourth byte never counts.
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
