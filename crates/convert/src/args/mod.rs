//! Options of several subcommands, and their meaning.
//!
//! * [`run`]: names of files in lists, messages, and how a run is gone on with.
//! * [`hints`]: hints for decisions on encodings.
//! * [`pattern`]: patterns of names.
//! * [`values`]: the words for the values of options whose types are others'.

pub mod hints;
#[cfg(feature = "patterns")]
pub mod pattern;
#[cfg(unix)]
pub mod run;
pub mod values;
