//! mojika for C: the functions of `include/mojika.h` and those of existing libraries (iconv, uchardet, encoding_c). They
//! use only the library's public API.
//!
//! Everything is compiled to one archive. `scripts/build-capi.sh` links the shared libraries from it, each with the symbols
//! listed in `symbols/`. Names of other libraries, such as `iconv_open`, exist only in the shared libraries.
//!
//! With `--cfg mojika_small`, the archive is that of libmojika_small, with the same symbols: see "Small builds" in the
//! library's documentation. The module `left_out` defines the functions that do nothing there.
//!
//! # Panics
//!
//! No function panics on any input. A panic would be a bug and aborts, both by the profile `capi` and at the boundary of an
//! `extern "C"` function. After a panic, a decoder in the caller's memory has no usable state. Without unwinding, the
//! library is a fifth smaller.
//!
//! # Soundness
//!
//! `unsafe` makes slices and references from a caller's pointers (`args`), and `str` from bytes that have just been
//! validated.

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
mod repair;
#[cfg(not(mojika_small))]
mod sniff;
mod statics;
#[cfg(not(mojika_small))]
mod uchardet;

/// The precompiled `core` refers to this symbol, although nothing unwinds.
#[cfg(mojika_small)]
#[unsafe(no_mangle)]
extern "C" fn rust_eh_personality() {}

/// Aborts: a panic is a bug.
#[cfg(mojika_small)]
#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    // SAFETY: `abort` has no preconditions.
    unsafe { libc::abort() }
}
