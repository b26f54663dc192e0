//! Conversion of files to files: what the command `mojika`, its sister crates and the bindings share.
//!
//! * `engine` converts one input to one output, on all cores.
//! * `job`: what runs over many files need beside it: drafts, journals, reports, signals.
//! * `decide`: which encoding a file is in, and whether that is sure enough to convert it; `survey`: what the lines of a
//!   text are.
//! * `declared`: what files say of their encoding, kept true by a conversion.
//! * `repair`: text that was encoded twice. `mixed`: text that changes its encoding from line to line.
//! * `mail`: messages and mailboxes, which are left out.
//! * `labels`: from a label to its encoding, or to the labels that may have been meant.
//! * `output`: where the bytes go, and how a file appears only when it is complete; `standard`: whether standard output is
//!   open, and what it is.
//! * `report`: every message and exit status; `quote`: foreign text in them; `date`: dates of the calendar.
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
pub mod standard;
pub mod survey;
