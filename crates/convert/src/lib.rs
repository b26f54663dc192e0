//! Conversion of files: the parts that the command `mojika`, its sister crates and the bindings share.
//!
//! * `engine` converts one input to one output, on all cores.
//! * `job`: drafts, journals, reports and signals of runs over many files.
//! * `decide`: the encoding of a file, and its probability; `survey`: the lines of a text by encoding.
//! * `declared`: updates the declarations in converted files.
//! * `repair`: text that was encoded twice. `mixed`: text that changes its encoding from line to line.
//! * `mail`: recognises messages and mailboxes, which are not converted as text.
//! * `labels`: finds the encoding of a label, or similar labels.
//! * `output`: standard output, and files that appear only when they are complete.
//! * `report`: messages, exit statuses, and the state of standard output; `quote`: foreign text in messages; `date`: dates.
//! * `bounded`: input from files and standard input, of limited length.
//! * `args` (feature `args`): options that several subcommands have.
//!
//! Without the feature `files`, this crate has only `repair`, which needs no operating system.

#![forbid(unsafe_code)]

#[cfg(feature = "args")]
pub mod args;
#[cfg(feature = "files")]
pub mod bounded;
#[cfg(all(unix, feature = "files"))]
pub mod date;
#[cfg(feature = "files")]
pub mod decide;
#[cfg(feature = "files")]
pub mod declared;
#[cfg(feature = "files")]
pub mod engine;
#[cfg(all(unix, feature = "files"))]
pub mod job;
#[cfg(feature = "files")]
pub mod labels;
#[cfg(feature = "files")]
pub mod mail;
#[cfg(feature = "files")]
pub mod mixed;
#[cfg(feature = "files")]
pub mod output;
#[cfg(feature = "files")]
pub mod quote;
pub mod repair;
#[cfg(feature = "files")]
pub mod report;
#[cfg(feature = "files")]
#[cfg(feature = "files")]
pub mod survey;
