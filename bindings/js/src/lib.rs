//! The engine for JavaScript: functions that `lib/engine.js` calls, over memory that both sides see.
//!
//! JavaScript writes bytes at [`input`] or UTF-16 code units at [`text`], calls a function with their number, and finds what
//! came of it at the addresses in [`result`]: [`memory`](mod@memory) says where each word is. Decoders and encoders have
//! numbers. All of it is safe code: a function takes lengths, never addresses.

#![deny(unsafe_op_in_unsafe_fn)]

mod decode;
mod encode;
#[cfg_attr(mojika_small, allow(dead_code, reason = "for what `sniff` answers"))]
mod json;
mod memory;
mod names;
#[cfg(not(mojika_small))]
mod sniff;
