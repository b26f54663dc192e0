//! The command `mojika`: converts text between all encodings of the WHATWG Encoding Standard.
//!
//! [`run`] is the whole command. The program `mojika` calls it, and so does `python -m mojika`.
//!
//! * `args`: what the command line says.
//! * `engine` converts one input to one output, on all cores.
//! * `stream` converts inputs to one output; `bulk` converts files to files, with what `job` has for such runs.
//! * `decide`: which encoding a file is in, and whether that is sure enough to convert it; `hints` are its options.
//! * `detect` says it.
//! * `output`: where the bytes go, and how a file appears only when it is complete.
//! * `encodings`: the list of encodings.
//! * `labels`: from a label to its encoding, or to the labels that may have been meant.
//! * `named`: the encodings that options name, and what `--rfc2781` makes of them.
//! * `report`: every message and exit status.
//! * `warc`: web archives to text, if the feature `warc` is on.

#![forbid(unsafe_code)]

mod args;
#[cfg(unix)]
mod bulk;
#[cfg(feature = "completions")]
mod completions;
mod decide;
mod detect;
mod encodings;
mod engine;
mod hints;
#[cfg(unix)]
mod job;
mod labels;
mod named;
mod output;
mod report;
mod stream;
#[cfg(all(unix, feature = "warc"))]
mod warc;

use args::{Cli, Command};
use clap::Parser;
use std::ffi::{OsStr, OsString};
use std::path::Path;

/// Bytes of a file from which on it is worth several threads.
pub(crate) const PARALLEL: u64 = 16 << 20;

/// Runs the command with these arguments, the program's name first, and returns its exit status.
///
/// It is for a process of its own: it reads standard input, writes standard output and error, may handle signals, and ends
/// the process where clap does: after `--help`, `--version` and a mistake in the arguments.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    let arguments: Vec<_> = arguments.into_iter().collect();
    let mut command = parse(&arguments).command;
    command.name_standard_output();
    let result = match command {
        #[cfg(unix)]
        Command::Convert(args) if bulk::applies(&args) => bulk::convert(&args),
        Command::Convert(args) => stream::convert(&args),
        #[cfg(unix)]
        Command::Check(args) if args.is_of_standard_input() => stream::check::standard_input(&args),
        #[cfg(unix)]
        Command::Check(args) => bulk::check(&args),
        #[cfg(feature = "completions")]
        Command::Completions(args) => completions::run(&args).map(|()| 0),
        Command::Detect(args) => detect::detect(&args).map(|found| u8::from(!found)),
        Command::Encodings(args) => encodings::run(&args).map(|()| 0),
        #[cfg(all(unix, feature = "warc"))]
        Command::Warc(args) => warc::run(&args),
    };
    match result {
        Ok(status) => status,
        Err(failure) => {
            if let Some(message) = failure.message() {
                report::say(&message);
            }
            failure.status()
        }
    }
}

/// The command line; what would be right after `convert` gets that hint.
fn parse(arguments: &[OsString]) -> Cli {
    Cli::try_parse_from(arguments).unwrap_or_else(|mut error| {
        use clap::error::{ContextKind, ContextValue, ErrorKind};
        let given = arguments.get(1..).unwrap_or_default();
        let is_convert = || {
            let with = [OsStr::new("mojika"), OsStr::new("convert")].map(OsStr::to_owned);
            let args = with.into_iter().chain(given.iter().cloned());
            Cli::try_parse_from(args).is_ok()
        };
        let kinds = [ErrorKind::UnknownArgument, ErrorKind::InvalidSubcommand];
        if kinds.contains(&error.kind())
            && given.first().is_none_or(|first| first != "convert")
            && is_convert()
        {
            let hint = "converting is a subcommand: mojika convert …".into();
            error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![hint]));
        }
        error.exit()
    })
}

/// A file name for messages.
pub(crate) fn quote(file: &Path) -> String {
    #[cfg(unix)]
    return job::quote(file);
    #[cfg(not(unix))]
    return file.display().to_string();
}

/// Whether a character in a message may move the cursor, hide, or turn the writing direction.
pub(crate) fn is_unsafe(character: char) -> bool {
    #[cfg(unix)]
    return job::quote::is_unsafe(character);
    #[cfg(not(unix))]
    return character.is_control();
}
