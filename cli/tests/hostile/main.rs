//! Malicious input and disturbed runs, and the guarantees that hold for them.
//!
//! docs/SECURITY.md has the table of attempts.

#[path = "../common/mod.rs"]
mod common;

#[cfg(feature = "warc")]
mod archives;
mod files;
mod help;
mod journals;
mod names;
mod runs;
#[cfg(feature = "zip")]
mod zips;
