//! `mojika`: converts text between all encodings of the WHATWG Encoding Standard.
//!
//! * `args`: what the command line says.
//! * `convert` reads and decodes, `sink` encodes and writes: a pipeline of fixed buffers, generic over `Read` and
//!   `Write`.
//! * `output`: where the bytes go, and how a file appears only when it is complete.
//! * `labels`: from a label to its encoding, or to the labels that may have been meant.
//! * `report`: every message and exit status.

#![forbid(unsafe_code)]

mod args;
mod convert;
mod labels;
mod output;
mod report;
mod sink;

use args::{Cli, Command, ConvertArgs, EncodingsArgs};
use clap::Parser;
use convert::Converter;
use mojika::Encoding;
use output::Output;
use report::Failure;
use sink::Sink;
use std::fs::File;
use std::io::{self, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

fn main() -> ExitCode {
    let result = match Cli::parse().command {
        Command::Convert(args) => convert(&args),
        Command::Encodings(args) => encodings(&args),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            if let Some(message) = failure.message() {
                report::say(&message);
            }
            ExitCode::from(failure.status())
        }
    }
}

/// `mojika convert`.
fn convert(args: &ConvertArgs) -> Result<(), Failure> {
    let from = args.from.as_deref().map(labels::find).transpose()?;
    let to = labels::find(&args.to)?;
    let files = args.inputs();
    if from.is_none() {
        refuse_unknown(&files)?;
    }

    let output = Output::open(args.output.as_deref())?;
    let output_name = output.name().to_owned();
    let sink = Sink::new(to, args.errors, args.bom, output)?;
    let mut converter = Converter::new(from, args.errors, sink, output_name);
    for file in &files {
        let name = input_name(file);
        let counts = if is_standard_input(file) {
            converter.convert(&name, &mut io::stdin().lock())?
        } else {
            if args.output.is_none() && output::is_standard_output(file) {
                return Err(Failure::OntoStandardOutput { name });
            }
            let mut reader =
                File::open(file).map_err(|error| Failure::io("open", name.clone(), error))?;
            converter.convert(&name, &mut reader)?
        };
        if !args.quiet
            && let Some(summary) = report::summary(&name, args.errors, to, counts)
        {
            report::say(&summary);
        }
    }
    converter.finish()?.commit()
}

/// Without `--from`, finds the files that have no byte order mark and are not UTF-8 before anything is written.
///
/// Only regular files can be read twice; the converter itself looks again, at every input.
fn refuse_unknown(files: &[PathBuf]) -> Result<(), Failure> {
    for file in files.iter().filter(|file| file.is_file()) {
        let name = input_name(file);
        let read_error = |error| Failure::io("read", name.clone(), error);
        let mut reader =
            File::open(file).map_err(|error| Failure::io("open", name.clone(), error))?;
        let mut head = Vec::new();
        (&mut reader)
            .take(convert::LONGEST_BOM as u64)
            .read_to_end(&mut head)
            .map_err(read_error)?;
        if Encoding::for_bom(&head).is_none()
            && let Some(offset) = convert::first_malformed_utf8(&mut head.as_slice().chain(reader))
                .map_err(read_error)?
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
        file.display().to_string()
    }
}

/// `mojika encodings`.
fn encodings(args: &EncodingsArgs) -> Result<(), Failure> {
    let mut list = String::new();
    if let Some(label) = &args.label {
        list = format!("{}\n", labels::find(label)?);
    } else {
        for encoding in Encoding::all() {
            list += encoding.name();
            if !args.names {
                let labels: Vec<_> = encoding.labels().collect();
                list += &format!(": {}", labels.join(", "));
            }
            list.push('\n');
        }
    }
    let mut output = BufWriter::new(Output::open(None)?);
    output
        .write_all(list.as_bytes())
        .and_then(|()| output.flush())
        .map_err(|error| Failure::write(output.get_ref().name(), error))
}
