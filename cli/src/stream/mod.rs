//! `mojika convert` to one output: a file, or standard output.
//!
//! If an input fails, the others are still converted. A file appears only if all inputs were converted. Standard output
//! already has the text of the other inputs by then.

pub mod check;
mod decide;
mod input;
pub mod show;
mod text;
mod watch;

use crate::args::convert::ConvertArgs;
use input::{Stop, Stream};
use mojika_convert::decide::Decided;
use mojika_convert::engine::{BomMode, From};
use mojika_convert::job::record::{Fate, Record};
use mojika_convert::job::signals::{self, Reaction};
use mojika_convert::mixed;
use mojika_convert::output::Output;
use mojika_convert::quote::input_name;
use mojika_convert::report::{self, Failure};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};

/// Runs `mojika convert` to one output; returns the exit status.
pub fn convert(args: &ConvertArgs) -> Result<u8, Failure> {
    signals::watch(Reaction::Exit)?;
    watch::refuse_options(args)?;
    let question = args.question(args.is_auto() || args.mail.is_some())?;
    let named = args.named()?;
    let to = named.to;
    args.check_mail(to)?;
    let from = match named.from {
        Some(other) if args.mixed => From::Mixed(other, mojika_sniff::Source::Override.as_str()),
        Some(encoding) => From::Given(encoding),
        None => From::Unnamed,
    };
    let options = args.options(&named, from);
    let files = args.inputs();
    if args.mixed {
        match named.from {
            Some(other) => mixed::check(other)?,
            None if files.iter().all(|file| file.is_file()) => {}
            // A pipe cannot be read twice.
            None => {
                return Err(Failure::usage(
                    "--mixed with a pipe needs --from LABEL: the encoding of the lines that are not UTF-8",
                ));
            }
        }
    }
    let inputs: Vec<_> = files
        .iter()
        .map(|file| {
            // Mail is exempt from these checks, because each part has its own encoding.
            if args.mixed || args.mail.is_some() && decide::is_mail(file) {
                return (None, None);
            }
            if !args.is_auto() {
                return (None, decide::unknown(file, &question, &options));
            }
            // Regular files can be read twice. Other inputs are decided while they are read. The conversion reports read
            // errors.
            let decided = file.is_file().then(|| decide::on_file(file, &question));
            let decided = decided.and_then(Result::ok);
            let refused = decided
                .as_ref()
                .and_then(|decided| report::refused(decided, &input_name(file)));
            (decided, refused)
        })
        .collect();
    let refusals = inputs.iter().filter_map(|(_, refused)| refused.as_ref());
    if let Some(status) = refusals.map(Failure::status).max() {
        refuse(args, &files, &inputs)?;
        return Ok(status);
    }

    let output = Output::open(args.output.as_deref())?;
    let operation = watch::begin(args)?;
    let counted = AtomicU64::new(0);
    let reporter = &operation.reporter;
    let mut stream = Stream::new(args, &question, options, output, reporter, &counted);
    let mut failures = Vec::new();
    let mut is_whole = true;
    for (file, (decided, _)) in files.iter().zip(inputs) {
        let name = input_name(file);
        let (mut record, result) = Record::timed(file.clone(), |record| {
            record.judgement = decided.and_then(|one| one.judgement);
            stream.one(file, &name, record)
        });
        record.bytes_counted = counted.swap(0, Ordering::Relaxed);
        // Only the first input may write a byte order mark, because all inputs become one output.
        if stream.options.bom != BomMode::Ignore {
            stream.options.bom = BomMode::Strip;
        }
        let failure = match result {
            Ok(()) => {
                stream.note_converted(&name, record);
                continue;
            }
            Err(Stop::Output(failure)) => return Err(failure),
            Err(Stop::Damage(failure)) => {
                is_whole &= args.salvage;
                failure
            }
            Err(Stop::Input(failure)) => {
                is_whole = false;
                failure
            }
        };
        stream.note_failed(record, &failure);
        failures.push(failure);
        if signals::stopped() {
            // --fail-fast leaves out the other inputs, so the output is incomplete.
            is_whole = false;
            break;
        }
    }
    let doubtful = u8::from(stream.doubtful_parts > 0);
    let written = stream.finish(is_whole);
    written.and(operation.end(None))?;
    Ok(failures.iter().map(Failure::status).fold(doubtful, u8::max))
}

/// Reports the inputs that prevent the conversion, before any output.
fn refuse(
    args: &ConvertArgs,
    files: &[PathBuf],
    inputs: &[(Option<Decided>, Option<Failure>)],
) -> Result<(), Failure> {
    const OTHER: &str = "not written, as another input failed";
    let operation = watch::begin(args)?;
    let reporter = &operation.reporter;
    for (file, (decided, failure)) in files.iter().zip(inputs) {
        let mut record = Record::new(file.clone(), Fate::Skipped);
        record.bytes_in = file.metadata().map_or(0, |metadata| metadata.len());
        record.judgement = decided.as_ref().and_then(|one| one.judgement);
        let message = failure.as_ref().and_then(Failure::message);
        let reason = message.clone().unwrap_or_else(|| OTHER.to_owned());
        watch::add(reporter, record, failure.as_ref(), Some(reason));
        if let Some(message) = message {
            reporter.warn(&message);
        }
    }
    operation.end(None).map(drop)
}
