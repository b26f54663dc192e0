//! The checks of the fuzz targets, as a library. Each target is a module whose function `check` takes the fuzzer's bytes,
//! and panics if mojika and the transliteration of the Standard differ.
//!
//! An input starts with a few bytes that select the encoding, filler around the payload, the instruction set and chunk
//! lengths; each module's documentation lists these choosing bytes. The rest is the payload. Inputs may have any
//! length: missing bytes are zeros, and every value of a choosing byte is valid.

pub mod bodies;
pub mod bom;
pub mod decode;
pub mod detect;
pub mod edit;
pub mod encode;
pub mod labels;
pub mod seeds;
pub mod sniff;
pub mod streaming;
pub mod warc;

mod encodings;
mod filler;
mod input;
mod levels;

/// Checks one input; panics at a difference.
pub type Check = fn(&[u8]);

/// The targets by name.
pub const TARGETS: [(&str, Check); 10] = [
    ("decode", decode::check),
    ("encode", encode::check),
    ("streaming", streaming::check),
    ("labels", labels::check),
    ("bom", bom::check),
    ("sniff", sniff::check),
    ("detect", detect::check),
    ("warc", warc::check),
    ("bodies", bodies::check),
    ("edit", edit::check),
];
