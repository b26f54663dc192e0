//! Converts one input after another to the output: opens it, decides its encoding, converts it, and checks it afterwards.

use super::decide;
use super::text::UnreadText;
use super::watch;
use crate::args::convert::{ConvertArgs, MailPart};
use crate::source::{self, Watched};
use mojika_convert::bounded::peek;
use mojika_convert::decide::{Decided, Doubt, Later, Question};
use mojika_convert::declared;
use mojika_convert::engine::{
    self, Compressor, Format, From, Options, Outcome, Part, Shape, Trouble, TroubleKind,
};
use mojika_convert::job::record::Record;
use mojika_convert::job::report::Reporter;
use mojika_convert::output::Output;
use mojika_convert::quote::input_name;
use mojika_convert::report::{self, Failure};
use mojika_convert::survey::Survey;
use mojika_convert::{mail, mixed};
use mojika_sniff::judge::Judgement;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;
use std::sync::atomic::AtomicU64;

/// The maximum number of parts of mail that are listed on standard error for one input.
const MOST_NOTES: usize = 20;

/// The reason why an input was not converted to its end.
pub enum Stop {
    /// Only this input is affected.
    Input(Failure),
    /// Compressed data is damaged; the text before the damage was written.
    Damage(Failure),
    /// The output failed, so no further input can be converted.
    Output(Failure),
}

/// The output, and the settings for all inputs.
pub struct Stream<'a> {
    args: &'a ConvertArgs,
    question: &'a Question,
    pub options: Options,
    /// The output's name in messages.
    name: String,
    output: Destination,
    reporter: &'a Reporter,
    /// The number of bytes of the current input that progress includes.
    counted: &'a AtomicU64,
    /// The number of mail parts whose encoding the user has to choose.
    pub doubtful_parts: u64,
}

/// The destination of the text. It is opened for the first input, which may determine the compression.
enum Destination {
    /// The state before the first input; `None` if the output could not be opened.
    Waiting(Option<Output>),
    Open(Compressor<Output>),
}

impl<'a> Stream<'a> {
    /// Creates a run before its first input.
    pub fn new(
        args: &'a ConvertArgs,
        question: &'a Question,
        options: Options,
        output: Output,
        reporter: &'a Reporter,
        counted: &'a AtomicU64,
    ) -> Self {
        Self {
            args,
            question,
            options,
            name: output.name().to_owned(),
            output: Destination::Waiting(Some(output)),
            reporter,
            counted,
            doubtful_parts: 0,
        }
    }

    /// Converts one input to its end; `name` is its name in messages.
    pub fn one(&mut self, path: &Path, name: &str, record: &mut Record) -> Result<(), Stop> {
        // The size of a regular file, in bytes.
        let mut size = None;
        let reader: Box<dyn Read + Send> = if path.as_os_str() == "-" {
            Box::new(io::stdin())
        } else {
            if self.args.output.is_none() && report::is_standard_output(path) {
                let name = name.to_owned();
                return Err(Stop::Output(Failure::OntoStandardOutput { name }));
            }
            let open = |error| Stop::Input(Failure::io("open", name, error));
            let file = File::open(path).map_err(open)?;
            let metadata = file.metadata().map_err(open)?;
            size = metadata.is_file().then_some(metadata.len());
            Box::new(file)
        };
        let read_error = |error| Stop::Input(Failure::io("read", name, error));
        let reader: Box<dyn Read + Send> = match self.reporter.shows_progress() {
            true => Box::new(Watched {
                reader,
                counted: self.counted,
                reporter: Some(self.reporter),
            }),
            false => reader,
        };
        let (format, mut reader) = engine::decompressed(reader).map_err(read_error)?;
        if self.args.mail.is_some() {
            let (head, whole) = peek(reader, source::HEAD).map_err(read_error)?;
            reader = whole;
            if mail::kind(&head).is_some() {
                record.format = format;
                let result = self.convert_mail(name, format, &head, reader, record);
                record.bytes_in = size.unwrap_or(record.bytes_in);
                return result;
            }
        }
        let mut text = self.text(name, path, reader, record)?;
        let mut compared = 0;
        if let Some(decided) = text.take_decided() {
            compared = accept(&decided, name, record)?;
        }
        let options = Options {
            // A file is converted by all cores.
            threads: match size {
                Some(size) if size >= engine::PARALLEL => self.args.select.run.jobs,
                _ => 1,
            },
            ..self.options
        };
        // The size on disk of a compressed file is not that of its text. Text from a pipe is written as it arrives.
        let known = (size.filter(|_| format.is_none()), size.is_none());
        let named = engine::renamed(path.to_owned(), format, None);
        let target = declared::Target {
            to: options.to,
            context: self.question.context,
            path: Some(&named),
            updates: self.args.update_declared,
        };
        let output = self.open(format)?;
        let mut later = Later::default();
        record.format = format;
        let mut remember = |trouble: &Trouble| later.push(trouble);
        let (outcome, result, changes) = declared::updated(output, target, |output| {
            text.convert(known, output, &options, record, &mut remember)
        });
        record.declared = changes;
        // A changed declaration may have another length.
        record.bytes_out = outcome.bytes_out;
        record.bytes_in = size.unwrap_or(outcome.bytes_in);
        if let Some(decided) = text.take_decided() {
            compared = accept(&decided, name, record)?;
        }
        later.has_nul = outcome.has_nul;
        let result = result.map_err(|failure| self.stop(failure, name));
        self.say_notes(name, &outcome, options.shape, result.is_ok());
        let survey = text.take_survey();
        if let (From::Mixed(other, _), Some(survey)) = (text.from, &survey)
            && let Some(doubt) = self.question.doubt_mixed(other, survey, true)
        {
            return Err(doubtful(name, doubt));
        }
        result?;
        if let Some(judgement) = record.judgement
            && let Some(doubt) = self.doubt_later(path, judgement, compared, &later, survey)?
        {
            return Err(doubtful(name, doubt));
        }
        Ok(())
    }

    /// Returns the text of one input. Its encoding is known, decided now, or decided while the text is read.
    fn text(
        &self,
        name: &str,
        path: &Path,
        reader: Box<dyn Read + Send + 'a>,
        record: &mut Record,
    ) -> Result<UnreadText<'a>, Stop> {
        let read_error = |error| Stop::Input(Failure::io("read", name, error));
        let from = match record.judgement {
            Some(judgement) => From::Decided(judgement.decision),
            None if self.args.mixed && path.is_file() => {
                let (from, parts) = self.mixed(name, path, record)?;
                let mut text = UnreadText::new(reader, from);
                text.parts = parts;
                return Ok(text);
            }
            None if let From::Mixed(other, _) = self.options.from
                && self.question.confidence != 0.0 =>
            {
                return Ok(UnreadText::surveyed(reader, self.options.from, other));
            }
            None if self.args.is_auto() => {
                return UnreadText::undecided(reader, path, self.question).map_err(read_error);
            }
            None if !path.is_file() => {
                return UnreadText::given(reader, self.question, &self.options).map_err(read_error);
            }
            None => self.options.from,
        };
        Ok(UnreadText::new(reader, from))
    }

    /// Returns the encodings of a file that may be mixed, and its parts in UTF-16 and in other encodings.
    fn mixed(
        &self,
        name: &str,
        path: &Path,
        record: &mut Record,
    ) -> Result<(From, Vec<Part>), Stop> {
        let read_error = |error| Stop::Input(Failure::io("read", name, error));
        let given = match self.options.from {
            From::Mixed(other, _) => Some(other),
            _ => None,
        };
        let open = || Ok(source::open(path)?.1);
        let found = mixed::decide(self.question, given, &open).map_err(read_error)?;
        if let Some(doubt) = found.doubt {
            return Err(doubtful(name, doubt));
        }
        if let Some(given) = given {
            let from = match found.is_given {
                true => From::Given(given),
                false => self.options.from,
            };
            return Ok((from, found.parts));
        }
        let is_mixed = found.decided.is_some();
        let decided = match found.decided {
            Some(decided) => decided,
            None => decide::on_file(path, self.question).map_err(read_error)?,
        };
        accept(&decided, name, record)?;
        let from = match decided.decision() {
            Some(decision) if is_mixed => From::Mixed(decision.encoding, decision.source.as_str()),
            Some(decision) => From::Decided(decision),
            None => self.options.from,
        };
        Ok((from, found.parts))
    }

    /// Reports repaired lines, and the counts of line ends and marks.
    fn say_notes(&self, name: &str, outcome: &Outcome, shape: Shape, is_converted: bool) {
        if self.args.quiet {
            return;
        }
        if let Some(repaired) = report::repaired(&outcome.repaired, self.args.repair) {
            self.reporter.warn(&format!("{name}: {repaired}"));
        } else if self.args.repair && is_converted {
            let why = report::unrepaired(outcome);
            self.reporter.warn(&format!("{name}: {why}"));
        }
        if is_converted {
            for note in report::seen(&outcome.seen, shape) {
                self.reporter.warn(&format!("{name}: {note}"));
            }
        }
    }

    /// Converts mail part by part.
    fn convert_mail(
        &mut self,
        name: &str,
        format: Option<Format>,
        head: &[u8],
        mut reader: Box<dyn Read + Send + '_>,
        record: &mut Record,
    ) -> Result<(), Stop> {
        let rules = mojika_mail::Rules {
            question: self.question,
            given: match self.options.from {
                From::Given(given) | From::Mixed(given, _) => Some(given),
                _ => None,
            },
            headers: self.args.mail == Some(MailPart::Headers),
            updates_declared: self.args.update_declared,
        };
        let output = self.open(format)?;
        let (outcome, report, result) = mojika_mail::convert(head, &mut reader, output, &rules);
        record.take_all(&outcome);
        if !self.args.quiet {
            self.reporter.warn(&format!("{name}: {}", report.summary()));
            for note in report.notes(MOST_NOTES) {
                self.reporter.warn(&format!("  {note}"));
            }
        }
        self.doubtful_parts += report.doubtful;
        record.mail = Some(Box::new(report));
        result.map_err(|failure| self.stop(failure, name))
    }

    /// Returns the engine's failure on the input called `name`.
    fn stop(&self, failure: engine::Failure, name: &str) -> Stop {
        let stop = match &failure {
            engine::Failure::Damaged { .. } => Stop::Damage,
            engine::Failure::Write(_) => Stop::Output,
            _ => Stop::Input,
        };
        stop(Failure::of(failure, name, &self.name, &self.options))
    }

    /// Returns the doubt about an input that may be in another encoding after the examined part.
    fn doubt_later(
        &self,
        path: &Path,
        judgement: Judgement,
        compared: u64,
        later: &Later,
        survey: Option<Survey>,
    ) -> Result<Option<Doubt>, Stop> {
        if self.question.confidence == 0.0 {
            return Ok(None);
        }
        let of_pipe = survey.and_then(|survey| self.question.doubt_pipe(judgement, &survey));
        if of_pipe.is_some() {
            return Ok(of_pipe.map(Doubt::of_written));
        }
        let decision = judgement.decision;
        if !path.is_file() {
            let last = later.last.filter(|place| place.offset >= compared);
            return Ok(last.map(|place| Doubt::of_pipe(decision, place)));
        }
        if later.is_empty() {
            return Ok(None);
        }
        let doubt = source::open(path)
            .and_then(|(_, mut text)| self.question.doubt_later(decision, later, &mut text));
        doubt.map_err(|error| Stop::Input(Failure::io("read", input_name(path), error)))
    }

    /// Returns the output, which is opened with the format of the first input.
    fn open(&mut self, input: Option<Format>) -> Result<&mut Compressor<Output>, Stop> {
        if let Destination::Waiting(output) = &mut self.output {
            let output = output.take().ok_or(Stop::Output(Failure::BrokenPipe))?;
            let named = self.args.output.as_deref().and_then(Format::of_name);
            let format = match self.args.compress {
                None => named,
                Some(compress) => compress.format(input),
            };
            let opened = Compressor::new(format, output);
            let error = |error| Stop::Output(Failure::write(&self.name, error));
            self.output = Destination::Open(opened.map_err(error)?);
        }
        match &mut self.output {
            Destination::Open(output) => Ok(output),
            Destination::Waiting(_) => Err(Stop::Output(Failure::BrokenPipe)),
        }
    }

    /// Reports an input that was converted to its end.
    pub fn note_converted(&mut self, name: &str, mut record: Record) {
        let warning = record.judgement.as_ref().and_then(report::disagreement);
        let untrue = record.declared.untrue_notes();
        let summary = record.summary(name, self.args.errors, self.options.to);
        record.seen = record.seen.filter(|_| !self.options.shape.is_idle());
        watch::add(self.reporter, record, None, None);
        if self.args.quiet {
            return;
        }
        if let Some(warning) = warning {
            self.reporter.warn(&format!("{name}: {warning}"));
        }
        for note in untrue {
            self.reporter
                .warn(&format!("{name}: a declaration is no longer true: {note}"));
        }
        if let Some(summary) = summary {
            self.reporter.warn(&summary);
        }
    }

    /// Reports an input that was not converted to its end.
    pub fn note_failed(&mut self, record: Record, failure: &Failure) {
        let mut message = failure.message().unwrap_or_default();
        if let Failure::Trouble { trouble, .. } = failure
            && trouble.kind == TroubleKind::Malformed
        {
            message += report::false_mark(
                record.why.unwrap_or_default(),
                &self.options,
                record.encoding,
            );
            message += &report::in_question(record.judgement.as_ref());
        }
        message += report::remedy(failure, record.judgement.as_ref());
        watch::add(self.reporter, record, Some(failure), Some(message.clone()));
        self.reporter.warn(&message);
    }

    /// Ends the output; a file appears only if `keep` is true.
    pub fn finish(mut self, keep: bool) -> Result<(), Failure> {
        if !keep && self.args.output.is_some() {
            return Ok(());
        }
        // If no input could be read, an empty file is created.
        let opened = self.open(None).map(drop);
        if let Err(Stop::Output(failure)) = opened {
            return Err(failure);
        }
        if let Destination::Open(output) = self.output {
            let output = output.finish();
            let output = output.map_err(|error| Failure::write(&self.name, error))?;
            if keep {
                output.commit()?;
            }
        }
        Ok(())
    }
}

/// Records a decision; returns the offset of the end of the examined bytes.
///
/// # Errors
///
/// Fails if the decision is a refusal.
fn accept(decided: &Decided, name: &str, record: &mut Record) -> Result<u64, Stop> {
    record.judgement = decided.judgement;
    match report::refused(decided, name) {
        Some(failure) => Err(Stop::Input(failure)),
        None => Ok(decided.compared),
    }
}

fn doubtful(name: &str, doubt: Doubt) -> Stop {
    Stop::Input(Failure::Doubtful {
        name: name.to_owned(),
        doubt: Box::new(doubt),
    })
}
