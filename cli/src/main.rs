//! `mojika`: converts text between all encodings of the WHATWG Encoding Standard.
//!
//! * `args`: what the command line says.
//! * `engine` converts one input to one output, on all cores.
//! * `stream` converts inputs to one output; `bulk` converts files to files, with what `job` has for such runs.
//! * `detect` says which encoding files are in.
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
mod completions;
mod detect;
mod encodings;
mod engine;
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
use std::ffi::OsStr;
use std::path::Path;
use std::process::ExitCode;

/// Bytes of a file from which on it is worth several threads.
pub const PARALLEL: u64 = 16 << 20;

fn main() -> ExitCode {
    let result = match parse().command {
        #[cfg(unix)]
        Command::Convert(args) if bulk::applies(&args) => match args.refuse_hints(true) {
            Ok(()) => bulk::convert(&args),
            Err(failure) => Err(failure),
        },
        Command::Convert(args) => stream::convert(&args),
        #[cfg(unix)]
        Command::Check(args) => bulk::check(&args),
        Command::Completions(args) => completions::run(&args).map(|()| 0),
        Command::Detect(args) => detect::detect(&args).map(|found| u8::from(!found)),
        Command::Encodings(args) => encodings::run(&args).map(|()| 0),
        #[cfg(all(unix, feature = "warc"))]
        Command::Warc(args) => warc::run(&args),
    };
    match result {
        Ok(status) => ExitCode::from(status),
        Err(failure) => {
            if let Some(message) = failure.message() {
                report::say(&message);
            }
            ExitCode::from(failure.status())
        }
    }
}

/// The command line; what would be right after `convert` gets that hint.
fn parse() -> Cli {
    Cli::try_parse().unwrap_or_else(|mut error| {
        use clap::error::{ContextKind, ContextValue, ErrorKind};
        let first = std::env::args_os().nth(1).unwrap_or_default();
        let is_convert = || {
            let with = [OsStr::new("mojika"), OsStr::new("convert")].map(OsStr::to_owned);
            let args = with.into_iter().chain(std::env::args_os().skip(1));
            Cli::try_parse_from(args).is_ok()
        };
        let kinds = [ErrorKind::UnknownArgument, ErrorKind::InvalidSubcommand];
        if kinds.contains(&error.kind()) && first != "convert" && is_convert() {
            let hint = "converting is a subcommand: mojika convert …".into();
            error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![hint]));
        }
        error.exit()
    })
}

/// A file name for messages.
pub fn quote(file: &Path) -> String {
    #[cfg(unix)]
    return job::quote(file);
    #[cfg(not(unix))]
    return file.display().to_string();
}
