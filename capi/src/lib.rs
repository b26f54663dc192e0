//! mojika for C: the functions of `include/mojika.h`, and of the libraries that programs have already (iconv, uchardet,
//! encoding_c), over the public API of the library alone.
//!
//! Everything is compiled to one archive. `scripts/build-capi.sh` links the shared libraries from it, each with the symbols
//! that its list in `symbols/` names. Names of other libraries, such as `iconv_open`, exist only in the shared libraries.
//!
//! # Panics
//!
//! No function panics on any input. A panic would be a bug, and aborts, both by the profile `capi` and where it would leave an
//! `extern "C"` function: a decoder in the caller's memory has no state that a program could continue with, and a library
//! without landing pads is a fifth smaller.
//!
//! # Soundness
//!
//! `unsafe` is where a caller's pointers become slices and references (`args`), and where bytes that have just been
//! validated become `str`.

#![allow(
    clippy::missing_safety_doc,
    reason = "the headers state the conditions, where callers read them"
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
