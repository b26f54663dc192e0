//! The operation of a conversion to one output, and its records.

use crate::args::convert::ConvertArgs;
use mojika_convert::job::operation::Operation;
use mojika_convert::job::record::{Fate, Record};
use mojika_convert::job::report::{Progress, Reporter};
use mojika_convert::quote::quote;
use mojika_convert::report::Failure;
use std::io::{self, IsTerminal};
use std::path::PathBuf;

/// Records the failure of an input that is not converted.
pub fn refuse(record: &mut Record, failure: &Failure) {
    match failure {
        Failure::Doubtful { doubt, .. } => {
            record.fate = Fate::Doubtful;
            record.reason = Some(doubt.to_string());
            record.doubt = Some(doubt.clone());
        }
        Failure::Binary { what, .. } => {
            record.fate = Fate::Skipped;
            record.reason = Some((*what).to_owned());
        }
        failure => {
            record.fate = Fate::Failed;
            record.reason = record.reason.take().or_else(|| failure.message());
        }
    }
    if let Some(judgement) = record.judgement.filter(|_| record.encoding.is_none())
        && record.fate == Fate::Doubtful
    {
        record.encoding = Some(judgement.decision.encoding);
        record.why = Some(judgement.decision.source.as_str());
    }
}

/// Refuses options that select files in folders.
pub fn refuse_options(args: &ConvertArgs) -> Result<(), Failure> {
    let select = &args.select;
    let options = [
        ("--include", !select.include.is_empty()),
        ("--exclude", !select.exclude.is_empty()),
        ("--gitignore", select.gitignore),
        ("--copy-other", args.place.copy_other),
        ("--null", select.list.null && select.doubtful.is_none()),
    ];
    match options.iter().find(|(_, is_given)| *is_given) {
        Some((option, _)) => Err(Failure::Usage(format!(
            "{option} is for folders: name one as source, or use -o DIR/"
        ))),
        None => Ok(()),
    }
}

/// Begins the conversion: a single output has no journal, and its report cannot go where the text goes.
pub fn begin(args: &ConvertArgs) -> Result<Operation, Failure> {
    let is_text_there = args.output.is_none();
    let inputs = args.inputs();
    let names = inputs.iter().map(PathBuf::as_path);
    let mut say = args.select.say(args.quiet);
    if is_text_there {
        say.refuse_standard_output()?;
    }
    say.check_own_files(names, args.output.as_deref())?;
    if is_text_there && say.progress == Progress::Auto && io::stdout().is_terminal() {
        // The text itself is shown on the terminal.
        say.progress = Progress::Never;
    }
    let operation = Operation::begin(&say, None, None)?;
    let size = |file: &PathBuf| file.metadata().map_or(0, |metadata| metadata.len());
    operation.reporter.expect(inputs.iter().map(size));
    Ok(operation)
}

/// Adds the result for an input. An input that is not converted has a reason; it counts as failed if there is a failure.
pub fn add(
    reporter: &Reporter,
    mut record: Record,
    failure: Option<&Failure>,
    reason: Option<String>,
) {
    if reason.is_some() {
        record.seen = None;
        record.fate = Fate::Skipped;
    }
    // The record has path and reason in separate fields.
    let named = format!("{}: ", quote(&record.path));
    record.reason = reason.map(|reason| match reason.strip_prefix(&named) {
        Some(rest) => rest.to_owned(),
        None => reason,
    });
    if let Some(failure) = failure {
        refuse(&mut record, failure);
    }
    reporter.add(record);
}
