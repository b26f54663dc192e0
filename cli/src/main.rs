//! `mojika`: converts text between all encodings of the WHATWG Encoding Standard.
//!
//! * `args`: what the command line says.
//! * `engine` converts one input to one output, on all cores.
//! * `detect` says which encoding files are in.
//! * `output`: where the bytes go, and how a file appears only when it is complete.
//! * `encodings`: the list of encodings.
//! * `labels`: from a label to its encoding, or to the labels that may have been meant.
//! * `named`: the encodings that options name, and what `--rfc2781` makes of them.
//! * `report`: every message and exit status.

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

use args::{Cli, Command, ConvertArgs};
use clap::Parser;
use engine::{BomMode, From, Input, Options};
use mojika::Encoding;
use mojika::sniff::Hints;
use output::Output;
use report::{Counts, Failure};
use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Bytes of a file from which on it is worth several threads.
pub const PARALLEL: u64 = 16 << 20;

/// Length of the longest byte order mark.
const LONGEST_BOM: u64 = 4;

fn main() -> ExitCode {
    let result = match parse().command {
        #[cfg(unix)]
        Command::Convert(args) if bulk::applies(&args) => match args.refuse_hints(true) {
            Ok(()) => bulk::convert(&args),
            Err(failure) => Err(failure),
        },
        Command::Convert(args) => convert(&args).map(|()| 0),
        #[cfg(unix)]
        Command::Check(args) => bulk::check(&args),
        Command::Completions(args) => completions::run(&args).map(|()| 0),
        Command::Detect(args) => detect::detect(&args).map(|found| u8::from(!found)),
        Command::Encodings(args) => encodings::run(&args).map(|()| 0),
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

/// `mojika convert`.
fn convert(args: &ConvertArgs) -> Result<(), Failure> {
    #[cfg(unix)]
    job::signals::watch(job::signals::Reaction::Exit)
        .map_err(|error| Failure::io("watch for", "signals", error))?;
    args.refuse_hints(false)?;
    let named = args.named()?;
    let files = args.inputs();
    if args.is_auto() {
        refuse_contradictions(&files, args)?;
    } else if named.from.is_none() {
        refuse_unknown(&files)?;
    }

    let mut output = Output::open(args.output.as_deref())?;
    let mut options = Options {
        from: named.from.map_or(From::Unnamed, From::Given),
        rfc2781: named.charset,
        to: named.to,
        errors: args.errors,
        bom: named.bom,
        newline: args.newline,
        threads: 1,
    };
    for file in &files {
        let name = input_name(file);
        let counts = if is_standard_input(file) {
            let source = Source {
                name: &name,
                path: file,
                reader: Box::new(io::stdin()),
                size: None,
            };
            convert_one(source, &mut output, &options, args)?
        } else {
            if args.output.is_none() && output::is_standard_output(file) {
                return Err(Failure::OntoStandardOutput { name });
            }
            let open = |error| Failure::io("open", name.clone(), error);
            let reader = File::open(file).map_err(open)?;
            let metadata = reader.metadata().map_err(open)?;
            let size = metadata.is_file().then_some(metadata.len());
            let source = Source {
                name: &name,
                path: file,
                reader: Box::new(reader),
                size,
            };
            convert_one(source, &mut output, &options, args)?
        };
        // The texts of several files are one output.
        options.bom = BomMode::Strip;
        if !args.quiet
            && let Some(summary) = report::summary(&name, args.errors, named.to, counts)
        {
            report::say(&summary);
        }
    }
    output.commit()
}

/// One input.
struct Source<'a> {
    /// Its name for messages.
    name: &'a str,
    path: &'a Path,
    reader: Box<dyn Read + Send>,
    /// Size of a regular file, in bytes.
    size: Option<u64>,
}

/// Converts one input to its end.
fn convert_one(
    source: Source<'_>,
    output: &mut Output,
    options: &Options,
    args: &ConvertArgs,
) -> Result<Counts, Failure> {
    let Source {
        name,
        path,
        reader,
        size,
    } = source;
    let output_name = output.name().to_owned();
    let (format, mut reader) =
        engine::decompressed(reader).map_err(|error| Failure::io("read", name, error))?;
    let mut head = Vec::new();
    let from = if args.is_auto() {
        From::Given(decided(&mut *reader, &mut head, path, name, args)?)
    } else {
        options.from
    };
    let mut reader = head.as_slice().chain(reader);
    let input = Input {
        reader: &mut reader,
        // The size on disk is not the text's.
        size: size.filter(|_| format.is_none()),
        // A pipe's text goes out as it comes in.
        prompt: size.is_none(),
    };
    // A pipe's text goes out as it comes in. Files are worth all cores.
    let threads = usize::from(size.is_none());
    let options = Options {
        from,
        threads,
        ..*options
    };
    let (outcome, result) = engine::convert(input, output, &options, &mut |_| ());
    let result = match (result, format) {
        (Err(engine::Failure::Read(error)), Some(format)) => {
            Err(engine::Failure::Damaged { format, error })
        }
        (result, _) => result,
    };
    result.map_err(|failure| Failure::of(failure, name, &output_name, &outcome, &options))?;
    Ok(Counts {
        malformed: outcome.malformed,
        unmappable: outcome.unmappable,
    })
}

/// The encoding of an input, as `mojika detect` has it; `head` gets the bytes that were read.
fn decided(
    reader: &mut dyn Read,
    head: &mut Vec<u8>,
    path: &Path,
    name: &str,
    args: &ConvertArgs,
) -> Result<&'static Encoding, Failure> {
    let hints = Hints {
        transport: args.transport.as_deref().map(str::as_bytes),
        ..Hints::default()
    };
    // The format's extension is not that of the text.
    let extension = path.extension().and_then(OsStr::to_str).unwrap_or_default();
    let is_compressed = ["gz", "zst", "bz2", "xz"].contains(&extension);
    let path = if is_compressed {
        &path.with_extension("")
    } else {
        path
    };
    let decision = detect::decide_from_head(reader, head, path, args.context, hints)
        .map_err(|error| Failure::io("read", name, error))?;
    match decision {
        Ok(decision) => Ok(decision.encoding),
        Err(error) => Err(Failure::Contradiction {
            name: name.to_owned(),
            error,
        }),
    }
}

/// With `--from auto`, finds the files that contradict themselves before anything is written.
fn refuse_contradictions(files: &[PathBuf], args: &ConvertArgs) -> Result<(), Failure> {
    for file in files.iter().filter(|file| file.is_file()) {
        let name = input_name(file);
        let mut reader =
            File::open(file).map_err(|error| Failure::io("open", name.clone(), error))?;
        decided(&mut reader, &mut Vec::new(), file, &name, args)?;
    }
    Ok(())
}

/// Without `--from`, finds the files that have no byte order mark and are not UTF-8 before anything is written.
///
/// Only regular files can be read twice; the converter itself looks again, at every input.
fn refuse_unknown(files: &[PathBuf]) -> Result<(), Failure> {
    for file in files.iter().filter(|file| file.is_file()) {
        let name = input_name(file);
        let read_error = |error| Failure::io("read", name.clone(), error);
        let reader = File::open(file).map_err(|error| Failure::io("open", name.clone(), error))?;
        let (format, mut reader) = engine::decompressed(Box::new(reader)).map_err(read_error)?;
        if format.is_some() {
            // Not worth decompressing twice.
            continue;
        }
        let mut head = Vec::new();
        (&mut reader)
            .take(LONGEST_BOM)
            .read_to_end(&mut head)
            .map_err(read_error)?;
        if Encoding::for_bom(&head).is_none()
            && let engine::Utf8::Malformed(offset) =
                engine::utf_8(&mut head.as_slice().chain(reader)).map_err(read_error)?
        {
            return Err(Failure::UnknownSource { name, offset });
        }
    }
    Ok(())
}

fn is_standard_input(file: &Path) -> bool {
    file.as_os_str() == "-"
}

fn input_name(file: &Path) -> String {
    if is_standard_input(file) {
        "standard input".to_owned()
    } else {
        quote(file)
    }
}

/// A file name for messages.
pub fn quote(file: &Path) -> String {
    #[cfg(unix)]
    return job::quote(file);
    #[cfg(not(unix))]
    return file.display().to_string();
}
