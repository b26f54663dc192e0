//! Input that somebody has prepared to do harm, runs that are disturbed, and what is promised all the same.
//!
//! docs/SECURITY.md has the table of what is tried.

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
