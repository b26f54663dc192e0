//! Options of several subcommands, and their meaning.
//!
//! * [`run`]: lists of file names, messages, and the continuation of a run.
//! * [`hints`]: hints for decisions on encodings.
//! * [`pattern`]: patterns of names.
//! * [`values`]: the words for option values of other modules' types.

pub mod hints;
#[cfg(feature = "patterns")]
pub mod pattern;
pub mod run;
pub mod values;
