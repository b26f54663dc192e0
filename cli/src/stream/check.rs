//! `mojika check` of standard input.

use super::decide::{self, Held};
use crate::args::check::CheckArgs;
use crate::engine::{self, From, Input};
use crate::job::record::{Fate, Faults, Record};
use crate::labels;
use crate::report::{self, Failure};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// Checks standard input; returns the exit status.
///
/// # Errors
///
/// Fails if it is no valid text, or its encoding is not sure enough.
pub fn standard_input(args: &CheckArgs) -> Result<u8, Failure> {
    const NAME: &str = "standard input";
    let is_auto = args.from == "auto";
    let question = args.question(is_auto)?;
    let mut options = args.options()?;
    let reporter = match args.select.run.report {
        Some(_) => Some(args.select.run.reporter(&args.select.say(true))?),
        None => None,
    };
    let mut record = Record::new(PathBuf::from("-"), Fate::Converted);
    record.faults = Faults::new(args.select.report_errors);
    let unreadable = |error| Failure::io("read", NAME, error);
    let (format, reader) = engine::decompressed(Box::new(io::stdin())).map_err(unreadable)?;
    let (mut judgement, mut slots) = (None, None);
    let mut reader: Box<dyn Read + Send> = if is_auto {
        let mut held = Held::new(reader, Path::new("-"), &question).map_err(unreadable)?;
        if held.is_open() {
            slots = Some(held.slots());
            options.from = From::Given(mojika::UTF_8);
        } else {
            held.decide().map_err(unreadable)?;
            let decided = held.conclude();
            if let Some(failure) = decide::refused(&decided, NAME) {
                return Err(failure);
            }
            judgement = decided.judgement;
            if let Some(decision) = decided.decision() {
                options.from = From::Decided(decision);
            }
        }
        Box::new(held)
    } else {
        options.from = From::Given(labels::find(&args.from)?);
        reader
    };
    let input = Input {
        reader: &mut reader,
        size: None,
        prompt: false,
        turn: slots.as_ref().map(|(turn, _)| &**turn),
    };
    let faults = &mut record.faults;
    let (outcome, mut result) = engine::convert(input, &mut io::sink(), &options, &mut |trouble| {
        faults.push(trouble);
    });
    if result.is_ok()
        && let Some(first) = &outcome.first_error
    {
        result = Err(engine::Failure::Trouble(first.clone()));
    }
    if let Some((_, decided)) = &slots
        && let Some(decided) = engine::lock(decided).take()
    {
        if let Some(failure) = decide::refused(&decided, NAME) {
            return Err(failure);
        }
        judgement = decided.judgement;
    }
    let failure = match (result, format) {
        (Ok(()), _) => None,
        (Err(engine::Failure::Read(error)), Some(format)) => Some(Failure::io(
            "read",
            NAME,
            io::Error::other(format!("the {format} data is damaged ({error})")),
        )),
        (Err(failure), _) => Some(Failure::of(failure, NAME, NAME, &outcome, &options)),
    };
    let message = failure.as_ref().and_then(|failure| {
        let in_question = match failure {
            Failure::Malformed { .. } => report::in_question(judgement.as_ref()),
            _ => String::new(),
        };
        let more = report::and_more(outcome.malformed + outcome.unmappable);
        Some(failure.message()? + &in_question + &more)
    });
    if let Some(reporter) = reporter {
        record.fate = match failure {
            Some(_) => Fate::Failed,
            None => Fate::Converted,
        };
        record.encoding = outcome.encoding;
        record.why = Some(outcome.why);
        record.format = format;
        record.judgement = judgement;
        (record.bytes_in, record.bytes_out) = (outcome.bytes_in, outcome.bytes_out);
        (record.malformed, record.unmappable) = (outcome.malformed, outcome.unmappable);
        record.seen = failure.is_none().then_some(outcome.seen);
        record.reason = message.clone();
        reporter.add(record);
        let (_, written) = reporter.finish();
        written.map_err(|error| args.select.run.report_failure(error))?;
    }
    let Some(failure) = failure else {
        if !args.quiet {
            let encoding = outcome.encoding.unwrap_or(mojika::UTF_8);
            report::say(&format!("{NAME}: valid {encoding} ({})", outcome.why));
            for note in report::seen(&outcome.seen, options.shape) {
                report::say(&format!("{NAME}: {note}"));
            }
        }
        return Ok(0);
    };
    if let Some(message) = message {
        report::say(&message);
    }
    Ok(failure.status())
}
