//! Instruction sets: the level that conversions use, and a cap on it for tests and benches.
//!
//! Results never depend on the instruction set, only the speed does. The process starts with the best level that the
//! machine has, or with the level named by the environment variable `MOJIKA_SIMD`.

// Unsafe code is confined to this directory and to `decoder/text.rs`, so that the codecs can be safe code that reads
// like the Standard. This module depends on `core`, `simdutf8` and `bytemuck`, never on a codec or a table.
//
// - `level`: detection, and tokens, the zero-sized proofs that kernels take;
// - `vector`: registers, one file for each instruction set;
// - `utf8_encode`: UTF-8 of two and three bytes;
// - `out`, `packed`: the output cursor that every codec writes through, and the bytes of a character;
// - `text`: the guards of every `str` and `String` that is changed in place;
// - `ascii`: runs of ASCII, which all ASCII-compatible encodings share;
// - `single_byte`, `double_byte`, `utf`: the kernels; `utf::validate` turns validated bytes into `str`;
// - `utf32`: UTF-32 in four byte orders;
// - `mem`: checks of text in memory, and Latin-1.
//
// A kernel converts a prefix of its input and returns the length. It never reads past its input and changes nothing
// after the output that it reports, and its result does not depend on the instruction set.
#![allow(
    dead_code,
    reason = "a toolbox: which tools have a user depends on features, architecture and tests"
)]
#![cfg_attr(
    not(feature = "alloc"),
    allow(unused_imports, reason = "some tools serve one-shot calls alone")
)]
#![cfg_attr(
    any(target_arch = "wasm32", target_arch = "aarch64"),
    allow(
        unused_unsafe,
        reason = "there, functions of an instruction set are safe to call: the target has it, or the module does not load"
    )
)]
#![deny(unsafe_op_in_unsafe_fn, clippy::undocumented_unsafe_blocks)]

mod arrays;
mod ascii;
mod double_byte;
mod level;
mod mem;
mod out;
mod packed;
mod permute;
mod prefetch;
#[cfg(target_arch = "x86_64")]
mod registers;
#[cfg(v256)]
mod shuffles;
mod single_byte;
mod surrogates;
mod text;
pub(crate) mod tuning;
mod utf;
mod utf32;
mod utf8_encode;
mod vector;

#[cfg(any(test, feature = "internals"))]
pub use level::{Level, UnknownLevel, available, cap, detected, level};

pub(crate) use arrays::tail;
pub(crate) use ascii::bits::{FromAscii, is_short, is_short_ascii, push_short_ascii};
pub(crate) use ascii::{
    ascii_prefix_len, ascii_prefix_len_u16, copy_ascii, narrow_ascii, widen_ascii,
};
pub(crate) use double_byte::decode::{
    DoubleByteDecode, Layout, double_byte_from, double_byte_to_utf8, double_byte_to_utf16,
};
pub(crate) use double_byte::encode::{
    DoubleByteEncode, Flat, Values, utf8_to_double_byte, utf16_to_double_byte,
};
pub(crate) use mem::{
    are_latin1_units, count_chars, count_not_ascii, count_pairs, count_text_bytes,
    count_utf8_of_utf16, count_utf16_of_utf8, have_rtl_units, is_rtl_unit, latin1_prefix_len_utf8,
    latin1_to_str, latin1_to_utf8, narrow_units, paired_prefix_len, utf8_to_latin1_lossy,
    utf16_to_str, utf16_to_utf8_replacing, widen_latin1,
};
#[cfg(feature = "alloc")]
pub(crate) use mem::{decode_latin1, encode_latin1_lossy};
pub(crate) use out::Out;
#[cfg(feature = "alloc")]
pub(crate) use out::{append, whole_blocks};
pub(crate) use packed::Packed;
pub(crate) use permute::{permute, permute_written};
pub(crate) use single_byte::{
    Pages, consecutive_to_utf16, encode_group_utf16, encode_single_byte_utf8,
    encode_single_byte_utf8_portable, encode_single_byte_utf16, encode_single_byte_utf16_portable,
    encode_utf8_short, latin_to_utf8, latin_to_utf16, single_byte_to_utf8, single_byte_to_utf16,
};
pub(crate) use surrogates::{is_alone, is_lead, is_surrogate, is_trail, join, pair_of, scalar_of};
#[cfg(feature = "alloc")]
pub(crate) use text::append_to_string;
pub(crate) use text::overwrite_str;
pub(crate) use utf::validate::{split_valid, str_from_valid, utf8_valid_up_to};
pub(crate) use utf::{
    push_short_ascii_units, utf8_to_utf8, utf8_to_utf16, utf8_to_utf16_bytes, utf16_bytes_to_utf8,
    utf16_bytes_to_utf16, utf16_to_utf8, utf16_to_utf16_bytes,
};
pub(crate) use utf32::{
    Utf32Order, utf8_to_utf32_bytes, utf16_to_utf32_bytes, utf32_bytes_to_utf8,
    utf32_bytes_to_utf16,
};

#[cfg(test)]
mod tests;
