//! The engine for JavaScript: functions that `lib/engine.js` calls, over shared memory.
//!
//! JavaScript writes bytes at [`input`] or UTF-16 code units at [`text`], and calls a function with their number.
//! Results are in the words at [`result`], some as addresses; the function documents each word. Decoders and encoders
//! have numbers. All code is safe: functions take lengths, never addresses.

#![deny(unsafe_op_in_unsafe_fn)]

mod decode;
mod encode;
#[cfg_attr(mojika_small, allow(dead_code, reason = "for what `sniff` answers"))]
mod json;
mod memory;
mod names;
#[cfg(not(mojika_small))]
mod sniff;
