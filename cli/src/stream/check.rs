//! `mojika check` of standard input.

use super::text::UnreadText;
use super::watch;
use crate::args::check::CheckArgs;
use crate::source;
use mojika::Encoding;
use mojika_convert::decide::Question;
use mojika_convert::engine::{self, From, Options, Outcome, TroubleKind};
use mojika_convert::job::operation::Operation;
use mojika_convert::job::record::{Fate, Record};
use mojika_convert::job::signals::{self, Reaction};
use mojika_convert::repair::Treatment;
use mojika_convert::report::{self, Failure};
use std::io;
use std::path::{Path, PathBuf};

const NAME: &str = "standard input";

/// Checks standard input; returns the exit status.
///
/// # Errors
///
/// Fails if the options are wrong, or the report cannot be written.
pub fn standard_input(args: &CheckArgs) -> Result<u8, Failure> {
    let (named, question) = args.encoding.question()?;
    let options = Options {
        // Text that was encoded twice is reported.
        repair: Treatment::Count,
        ..args.options()?
    };
    let say = args.select.say(true);
    say.check_own_files(std::iter::once(Path::new("-")), None)?;
    signals::watch(Reaction::Exit)?;
    let operation = Operation::begin(&say, None, None)?;
    let mut record = Record::new(PathBuf::from("-"), Fate::Converted);
    let mut notes = Vec::new();
    let failure = examine(&question, named, options, &mut record, &mut notes);
    let mut message = None;
    if let Some(failure) = &failure {
        message = failure.message();
        if let (Failure::Trouble { trouble, .. }, Some(message)) = (failure, &mut message) {
            if trouble.kind == TroubleKind::Malformed {
                *message += &report::in_question(record.judgement.as_ref());
            }
            *message += &report::and_more(record.malformed + record.unmappable);
        }
        record.reason = message.clone();
        watch::refuse(&mut record, failure);
    }
    let valid = match (record.encoding, record.why) {
        (Some(encoding), Some(why)) => format!("{NAME}: valid {encoding} ({why})"),
        _ => format!("{NAME}: valid"),
    };
    operation.reporter.add(record);
    operation.end(None)?;
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

/// Returns the reason why standard input is invalid, or why its encoding is uncertain; `None` if it is valid.
fn examine(
    question: &Question,
    named: Option<&'static Encoding>,
    options: Options,
    record: &mut Record,
    notes: &mut Vec<String>,
) -> Option<Failure> {
    let unreadable = |error| Failure::io("read", NAME, error);
    let text = source::open(Path::new("-")).and_then(|(format, reader)| {
        record.format = format;
        match named {
            Some(encoding) => {
                let from = From::Given(encoding);
                let options = Options { from, ..options };
                UnreadText::given(reader, question, &options)
            }
            None => UnreadText::undecided(reader, Path::new("-"), question),
        }
    });
    let mut text = match text {
        Ok(text) => text,
        Err(error) => return Some(unreadable(error)),
    };
    if let Some(failure) = refused(&text, record) {
        return Some(failure);
    }
    let known = (None, false);
    let (outcome, mut result) = text.convert(known, &mut io::sink(), &options, record, &mut |_| {});
    if let Some(failure) = refused(&text, record) {
        return Some(failure);
    }
    if let (Some(judgement), Some(survey)) = (record.judgement, text.take_survey())
        && let Some(doubt) = question.doubt_pipe(judgement, &survey)
    {
        return Some(Failure::Doubtful {
            name: NAME.to_owned(),
            doubt: Box::new(doubt),
        });
    }
    if result.is_ok()
        && let Some(first) = &outcome.first_error
    {
        result = Err(engine::Failure::Trouble(first.clone()));
    }
    match result {
        Ok(()) => {
            note_valid(record, &outcome, &options, notes);
            None
        }
        // Nothing is written.
        Err(engine::Failure::Damaged { format, error }) => Some(unreadable(io::Error::other(
            engine::damage(format, &error.to_string()),
        ))),
        Err(failure) => Some(Failure::of(failure, NAME, NAME, &options)),
    }
}

/// Records the decision, if there is one by now; returns a failure if the encoding is refused as doubtful.
fn refused(text: &UnreadText<'_>, record: &mut Record) -> Option<Failure> {
    let decided = text.take_decided()?;
    record.judgement = decided.judgement;
    report::refused(&decided, NAME)
}

/// Records remarks about valid text.
fn note_valid(record: &mut Record, outcome: &Outcome, options: &Options, notes: &mut Vec<String>) {
    notes.extend(report::repaired(&outcome.repaired, false));
    record.reason = notes.first().cloned();
    notes.extend(report::seen(&outcome.seen, options.shape));
    let has_bom = record
        .judgement
        .is_some_and(|judgement| judgement.decision.bom_length > 0);
    let is_changed = outcome.repaired.count > 0 || has_bom;
    if record.encoding == Some(options.to) && !is_changed && record.format.is_none() {
        record.fate = Fate::Already;
        record.bytes_out = 0;
    }
}
