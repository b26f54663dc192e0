//! The command `mojika`: converts text between all encodings of the WHATWG Encoding Standard.
//!
//! [`run`] is the whole command. The program `mojika` and `python -m mojika` call it.
//!
//! * `command`: the command line; `args`: its options and their meaning.
//! * `stream` converts inputs to one output, and shows their first lines; `bulk` converts files to files.
//! * `detect`: the encoding of files.
//! * `source`: a regular file, which can be read repeatedly.
//! * `encodings`: the list of encodings.
//! * `iconv`: the syntax of iconv and similar programs.

#![forbid(unsafe_code)]

mod args;
mod bulk;
mod command;
#[cfg(feature = "completions")]
mod completions;
mod detect;
mod encodings;
mod iconv;
mod source;
mod stream;

use clap::{CommandFactory, Parser};
use command::{Cli, Command};
use mojika_convert::{quote, report};
use std::ffi::{OsStr, OsString};

/// Runs the command with these arguments, the program's name first, and returns its exit status.
///
/// The command needs a process of its own. It reads standard input, writes standard output and error, and may handle
/// signals. It ends the process where clap does: after `--help`, `--version` and wrong arguments.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    let arguments: Vec<_> = arguments.into_iter().collect();
    let mut command = parse(&iconv::arguments(arguments)).command;
    command.name_standard_output();
    let taken = match &mut command {
        Command::Convert(args) => args.take_from_iconv(),
        _ => Ok(()),
    };
    let result = taken.and_then(|()| match command {
        Command::Convert(args) if bulk::applies(&args) => bulk::convert(&args),
        Command::Convert(args) => stream::convert(&args),
        Command::Check(args) if args.is_of_standard_input() => stream::check::standard_input(&args),
        Command::Check(args) => bulk::check(&args),
        #[cfg(feature = "completions")]
        Command::Completions(args) => completions::run(&args).map(|()| 0),
        Command::Detect(args) => detect::detect(&args).map(|found| u8::from(!found)),
        Command::Show(args) => stream::show::show(&args),
        Command::Names(args) => mojika_names::run(&args),
        Command::Undo(args) => mojika_names::undo::run(&args),
        #[cfg(feature = "edit")]
        Command::Get(args) => mojika_edit::files::get(&args),
        #[cfg(feature = "edit")]
        Command::Put(args) => mojika_edit::files::put(&args),
        #[cfg(feature = "edit")]
        Command::Edit(args) => mojika_edit::files::edit(&args),
        Command::Encodings(args) => encodings::run(&args).map(|()| 0),
        #[cfg(feature = "warc")]
        Command::Warc(args) => mojika_warc::run(&args),
        #[cfg(feature = "warc")]
        Command::Pages(args) => mojika_warc::pages::run(&args),
    });
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

/// Parses the command line.
fn parse(arguments: &[OsString]) -> Cli {
    Cli::try_parse_from(arguments).unwrap_or_else(|error| {
        if error.kind() == clap::error::ErrorKind::InvalidSubcommand
            && let Some(file) = arguments.get(1).map(std::path::Path::new)
            && file.exists()
        {
            let name = quote::quote(file);
            report::say(&format!(
                "{name} is not a subcommand: `mojika detect {name}` prints its encoding, `mojika convert {name} -o OUT` converts it"
            ));
            std::process::exit(2);
        }
        let escape = |one: &OsString| quote::printable(&one.to_string_lossy()).into_owned().into();
        let escaped: Vec<OsString> = arguments.iter().map(escape).collect();
        if escaped == arguments || !error.use_stderr() {
            with_hint(error, arguments).exit();
        }
        // clap repeats arguments unchanged, and they may come from file names that a shell's pattern has matched.
        let error = Cli::try_parse_from(&escaped).err().unwrap_or(error);
        let error = with_hint(error, &escaped);
        report::say(error.render().to_string().trim_end());
        std::process::exit(error.exit_code())
    })
}

/// Returns the error for these arguments, with a hint if they would be valid after `convert`.
fn with_hint(mut error: clap::Error, arguments: &[OsString]) -> clap::Error {
    use clap::error::{ContextKind, ContextValue, ErrorKind};
    let given = arguments.get(1..).unwrap_or_default();
    let is_convert = || {
        let with = [OsStr::new("mojika"), OsStr::new("convert")].map(OsStr::to_owned);
        let args = with.into_iter().chain(given.iter().cloned());
        Cli::try_parse_from(args).is_ok()
    };
    let kinds = [ErrorKind::UnknownArgument, ErrorKind::InvalidSubcommand];
    let is_unknown = kinds.contains(&error.kind());
    let hint = if let Some(hint) = another_programs(&error, given).filter(|_| is_unknown) {
        Some(hint.into())
    } else if is_unknown && may_be_of_convert(&error, given) && is_convert() {
        Some("converting is a subcommand: mojika convert …".into())
    } else {
        None
    };
    if let Some(hint) = hint {
        error.insert(ContextKind::Suggested, ContextValue::StyledStrs(vec![hint]));
    }
    error
}

/// True if the unknown argument may be one of `convert`: no subcommand is given, or the given one lacks this option.
fn may_be_of_convert(error: &clap::Error, given: &[OsString]) -> bool {
    use clap::error::{ContextKind, ContextValue};
    let first = given.first().and_then(|first| first.to_str());
    let unknown = error.get(ContextKind::InvalidArg);
    match first.filter(|first| Cli::command().find_subcommand(first).is_some()) {
        Some("convert") => false,
        Some(_) => matches!(unknown, Some(ContextValue::String(one)) if one.starts_with('-')),
        None => true,
    }
}

/// Returns the equivalent mojika command for another program's argument.
fn another_programs(error: &clap::Error, given: &[OsString]) -> Option<String> {
    use clap::error::{ContextKind, ContextValue};
    let unknown = [ContextKind::InvalidArg, ContextKind::InvalidSubcommand]
        .into_iter()
        .find_map(|kind| error.get(kind));
    let Some(ContextValue::String(unknown)) = unknown else {
        return None;
    };
    let given: Vec<_> = given.iter().filter_map(|one| one.to_str()).collect();
    iconv::hint(&given, unknown)
}
