//! Exhaustive sweeps of `mojika` against `mojika-spec`, the transliteration of the Encoding Standard.
//!
//! A *case* is one input, one engine (instruction set) and one form (operation, and form of output or source) whose
//! full result was compared. The result is the text with the offset of every error, or the bytes with every unmappable
//! scalar value. The oracle runs once per input. The engine runs at every [`mojika::simd::Level`] of the machine, of
//! which the lowest is the portable one.
//!
//! Most cases are parts of long streams with many cases per call, so that kernels for prefixes convert them, not only
//! the state machines. Between two cases, a *reset* brings every decoder back to its neutral state. A stream that
//! differs counts as one difference, and the smallest input that still differs is printed.
//!
//! - [`subject`]: an encoding on both sides. [`repertoire`], [`inputs`]: odd input, reproducible.
//! - [`expected`]: the oracle's results. [`engine`]: runs the engine through each of its functions, and compares.
//! - [`report`]: counts and failure prints. [`run`]: rounds of jobs over levels and threads.
//! - [`sections`]: the sweeps, A to G.
#![deny(unsafe_code)]

extern crate alloc;

pub mod detect;
pub mod engine;
pub mod expected;
#[cfg(target_os = "linux")]
#[allow(unsafe_code, reason = "mapped pages")]
pub mod guarded;
pub mod inputs;
pub mod repertoire;
pub mod report;
pub mod run;
pub mod sections;
pub mod subject;
