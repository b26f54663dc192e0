//! The SIMD room: instruction-set detection, the output cursor, and every vector kernel.
//!
//! Why it exists: unsafe code is confined to this directory, so that the codecs can be safe code that reads like
//! the Standard. It depends on `core` (and on `simdutf8`), never on a codec or a table.
//!
//! - [`level`](mod@level): which instruction sets this process uses (public: [`Level`], [`level()`], [`cap`]);
//! - `token`: zero-sized proofs of detection, which kernels take;
//! - `out`: the output cursor every codec writes through;
//! - `ascii`: runs of ASCII, which all ASCII-compatible encodings share;
//! - `single_byte`: the legacy single-byte encodings, both directions;
//! - `utf`: between UTF-8, UTF-16 and their bytes;
//! - `utf8`: validation, and the one place that turns proven bytes into `str`.
//!
//! A kernel takes a prefix of its input and says how much; it never writes past what it reports, never reads past
//! its input, and its result does not depend on the instruction set.
#![deny(unsafe_op_in_unsafe_fn, clippy::undocumented_unsafe_blocks)]
// A toolbox: which of its tools have a user depends on the features and the architecture.
#![allow(dead_code, unused_imports)]

mod ascii;
mod encode_pairs;
mod level;
mod out;
mod pairs;
mod single_byte;
mod token;
mod utf;
mod utf8;

pub use level::{Level, UnknownLevel, available, cap, detected, level};

pub(crate) use ascii::{
    ascii_prefix_len, ascii_prefix_len_u16, copy_ascii, narrow_ascii, widen_ascii,
};
pub(crate) use encode_pairs::{EncodePairs, Ranks, Values, utf8_to_pairs, utf16_to_pairs};
pub(crate) use out::Out;
#[cfg(feature = "alloc")]
pub(crate) use out::append;
pub(crate) use pairs::{Layout, Pairs, pairs_to_utf8, pairs_to_utf16};
pub(crate) use single_byte::{
    Pages, consecutive_to_utf16, encode_single_byte_utf8, encode_single_byte_utf16,
    single_byte_to_utf8, single_byte_to_utf16,
};
pub(crate) use utf::{
    utf8_to_utf8, utf8_to_utf16, utf8_to_utf16_bytes, utf16_bytes_to_utf8, utf16_bytes_to_utf16,
    utf16_to_utf8, utf16_to_utf16_bytes,
};
pub(crate) use utf8::{split_valid, str_from_valid, utf8_valid_up_to};

#[cfg(test)]
mod tests;
