//! Conversion of files to files: the parts that the command `mojika`, its sister crates and the
//! bindings share.
//!
//! * `engine` converts one input to one output, on all cores.
//! * `job`: drafts, journals, reports and signals of runs over many files.
//! * `decide`: the encoding of a file, and its certainty; `survey`: the lines of a text by
//!   encoding.
//! * `declared`: the declarations of files, kept true by a conversion.
//! * `repair`: text that was encoded twice. `mixed`: text that changes its encoding from line to line.
//! * `mail`: messages and mailboxes, which are left out.
//! * `labels`: from a label to its encoding, or to the labels that may have been meant.
//! * `output`: the destination of bytes, and files that appear only when they are complete;
//!   `standard`: the state and type of standard output.
//! * `report`: every message and exit status; `quote`: foreign text in them; `date`: dates of the calendar.
//! * `sha1`: digests of web archives and of files.
//! * `bounded`: input of a bounded length.
//! * `args` (feature `args`): options that several subcommands have.

#![forbid(unsafe_code)]

#[cfg(feature = "args")]
pub mod args;
pub mod bounded;
#[cfg(unix)]
pub mod date;
pub mod decide;
pub mod declared;
pub mod engine;
#[cfg(unix)]
pub mod job;
pub mod labels;
pub mod mail;
pub mod mixed;
pub mod output;
pub mod quote;
pub mod repair;
pub mod report;
pub mod sha1;
pub mod standard;
pub mod survey;
