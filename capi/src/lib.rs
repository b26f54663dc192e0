//! mojika for C: the functions of `include/mojika.h`, and of the libraries that programs have already (iconv, uchardet,
//! encoding_c), over the public API of the library alone.
//!
//! Everything is compiled to one archive. `scripts/build-capi.sh` links the shared libraries of it, each with the symbols
//! that its list in `symbols/` names; the names that other libraries have, such as `iconv_open`, exist in those alone.
//!
//! # Panics
//!
//! No function panics on any input. The profile `capi` aborts on a panic, for it would be a bug, and `extern "C"` aborts
//! too where a panic would leave it: a decoder in the caller's memory has no state that a program could go on with, and
//! a library without landing pads is a fifth smaller.
//!
//! # Soundness
//!
//! `unsafe` is where a caller's pointers become slices and references (`args`), and where bytes that have just been
//! validated become `str`.

#![allow(
    clippy::missing_safety_doc,
    reason = "what callers owe stands in the headers, which is where they read it"
)]
#![warn(missing_debug_implementations)]

mod args;
mod decode;
mod detect;
mod encode;
mod encoding;
mod encoding_c;
mod iconv;
mod mem;
mod one_shot;
mod progress;
mod sniff;
mod statics;
mod uchardet;
