//! The encodings' codecs, in one call and in streams: indexes, labels, maximum lengths, offsets, and comparison with the
//! transliteration of the Standard and with encoding_rs.

#[path = "../common/mod.rs"]
mod common;

mod code_pages;
mod columns;
mod extended_docs;
mod extended_rfc2781;
mod faults;
mod labels;
mod max_length;
mod mem;
mod offsets;
mod offsets_highlight;
mod one_shot;
mod serde;
mod small_buffers;
mod streaming_decode;
mod streaming_encode;
mod traits;
