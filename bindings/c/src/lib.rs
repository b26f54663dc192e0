//! mojika for C: the functions of `include/mojika.h`, and of existing libraries (iconv, uchardet, encoding_c), over the
//! public API of the library alone.
//!
//! Everything is compiled to one archive. `scripts/build-capi.sh` links the shared libraries from it, each with the symbols
//! that its list in `symbols/` names. Names of other libraries, such as `iconv_open`, exist only in the shared libraries.
//!
//! With `--cfg mojika_small`, the archive is that of libmojika_small, which has the symbols of libmojika: see "Small
//! builds" in the library's documentation. `left_out` has the functions that do nothing there.
//!
//! # Panics
//!
//! No function panics on any input. A panic would be a bug, and aborts, both by the profile `capi` and at the boundary
//! of an `extern "C"` function. After a panic, a decoder in the caller's memory has no usable state, and a library
//! without landing pads is a fifth smaller.
//!
//! # Soundness
//!
//! `unsafe` is used to make slices and references of a caller's pointers (`args`), and `str` of bytes that have just
//! been validated.

#![cfg_attr(mojika_small, no_std)]
#![allow(
    clippy::missing_safety_doc,
    reason = "the headers state the conditions, where callers read them"
)]
#![warn(missing_debug_implementations)]

mod args;
mod decode;
#[cfg(not(mojika_small))]
mod detect;
mod encode;
mod encoding;
#[cfg(not(mojika_small))]
mod encoding_c;
#[cfg(not(mojika_small))]
mod iconv;
#[cfg(mojika_small)]
mod left_out;
mod mem;
mod one_shot;
mod progress;
#[cfg(not(mojika_small))]
mod sniff;
mod statics;
#[cfg(not(mojika_small))]
mod uchardet;

/// The compiled `core` names it. Nothing unwinds.
#[cfg(mojika_small)]
#[unsafe(no_mangle)]
extern "C" fn rust_eh_personality() {}

/// A panic, which is a bug, ends the program.
#[cfg(mojika_small)]
#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    // SAFETY: it may be called at any time.
    unsafe { libc::abort() }
}
