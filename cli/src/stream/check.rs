//! `mojika check` of standard input.

use super::decide::{self, Held};
use super::watch;
use crate::args::check::CheckArgs;
use crate::engine::{self, From, Input};
use crate::job::record::{Fate, Faults, Record};
use crate::job::report::Reporter;
use crate::labels;
use crate::report::{self, Failure};
use crate::survey::Surveyed;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

const NAME: &str = "standard input";

/// Checks standard input; returns the exit status.
///
/// # Errors
///
/// Fails if the command is wrong, or the report cannot be written.
pub fn standard_input(args: &CheckArgs) -> Result<u8, Failure> {
    let reporter = Reporter::new(&args.select.say(true))?;
    let mut record = Record::new(PathBuf::from("-"), Fate::Converted);
    record.faults = Faults::new(args.select.report_errors);
    let mut notes = Vec::new();
    let failure = examine(args, &mut record, &mut notes)?;
    let mut message = None;
    if let Some(failure) = &failure {
        message = failure.message();
        if let (Failure::Malformed { .. }, Some(message)) = (failure, &mut message) {
            *message += &report::in_question(record.judgement.as_ref());
        }
        if let (Failure::Malformed { .. } | Failure::Unmappable { .. }, Some(message)) =
            (failure, &mut message)
        {
            *message += &report::and_more(record.malformed + record.unmappable);
        }
        record.reason = message.clone();
        watch::refuse(&mut record, failure);
    }
    let valid = match (record.encoding, record.why) {
        (Some(encoding), Some(why)) => format!("{NAME}: valid {encoding} ({why})"),
        _ => format!("{NAME}: valid"),
    };
    reporter.add(record);
    reporter.finish().1?;
    let Some(failure) = failure else {
        if !args.quiet {
            report::say(&valid);
            for note in notes {
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

/// Why standard input is no valid text, or its encoding is not sure enough; `None` if all is well.
///
/// # Errors
///
/// Fails if the command is wrong.
fn examine(
    args: &CheckArgs,
    record: &mut Record,
    notes: &mut Vec<String>,
) -> Result<Option<Failure>, Failure> {
    let is_auto = args.from == "auto";
    let question = args.question(is_auto)?;
    let mut options = args.options()?;
    // What was encoded twice is said.
    options.repair = true;
    let unreadable = |error| Failure::io("read", NAME, error);
    let (format, reader) = match engine::decompressed(Box::new(io::stdin())) {
        Ok(opened) => opened,
        Err(error) => return Ok(Some(unreadable(error))),
    };
    record.format = format;
    let (mut slots, mut survey) = (None, None);
    let mut reader: Box<dyn Read + Send> = if is_auto {
        let held = Held::new(reader, Path::new("-"), &question);
        let mut held = match held {
            Ok(held) => held,
            Err(error) => return Ok(Some(unreadable(error))),
        };
        if held.is_open() {
            slots = Some(held.slots());
            options.from = From::Given(mojika::UTF_8);
        } else {
            if let Err(error) = held.decide() {
                return Ok(Some(unreadable(error)));
            }
            let decided = held.conclude();
            record.judgement = decided.judgement;
            if let Some(failure) = decide::refused(&decided, NAME) {
                return Ok(Some(failure));
            }
            if let Some(decision) = decided.decision() {
                options.from = From::Decided(decision);
            }
        }
        let (surveyed, found) = Surveyed::new(held);
        survey = Some(found);
        Box::new(surveyed)
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
    (record.encoding, record.why) = (outcome.encoding, Some(outcome.why));
    (record.bytes_in, record.bytes_out) = (outcome.bytes_in, outcome.bytes_out);
    (record.malformed, record.unmappable) = (outcome.malformed, outcome.unmappable);
    if let Some((_, decided)) = &slots
        && let Some(decided) = engine::lock(decided).take()
    {
        record.judgement = decided.judgement;
        if let Some(failure) = decide::refused(&decided, NAME) {
            return Ok(Some(failure));
        }
    }
    let survey = survey.and_then(|survey| engine::lock(&survey).take());
    if let (Some(judgement), Some(survey)) = (record.judgement, survey)
        && let Some(doubt) = question.doubt_pipe(judgement.decision, &survey)
    {
        return Ok(Some(Failure::Doubtful {
            name: NAME.to_owned(),
            doubt: Box::new(doubt),
        }));
    }
    if result.is_ok()
        && let Some(first) = &outcome.first_error
    {
        result = Err(engine::Failure::Trouble(first.clone()));
    }
    Ok(match (result, format) {
        (Ok(()), _) => {
            record.seen = Some(outcome.seen);
            notes.extend(report::repaired(&outcome.repaired, false));
            record.reason = notes.first().cloned();
            notes.extend(report::seen(&outcome.seen, options.shape));
            let has_bom = record
                .judgement
                .is_some_and(|judgement| judgement.decision.bom_length > 0);
            let is_changed = outcome.repaired.count > 0 || has_bom;
            if record.encoding == Some(options.to) && !is_changed && format.is_none() {
                record.fate = Fate::Already;
                record.bytes_out = 0;
            }
            record.repaired = outcome.repaired.repaired;
            None
        }
        (Err(engine::Failure::Read(error)), Some(format)) => {
            let damaged = format!("the {format} data is damaged ({error})");
            Some(unreadable(io::Error::other(damaged)))
        }
        (Err(failure), _) => Some(Failure::of(failure, NAME, NAME, &outcome, &options)),
    })
}
