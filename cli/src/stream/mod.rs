//! `mojika convert` to one output: a file, or standard output.
//!
//! An input that fails does not keep the others from being converted. A file appears only if all inputs were; standard
//! output has had their text by then.

#[cfg(unix)]
pub mod check;
mod decide;
mod mail;
pub mod show;
mod watch;

use crate::args::convert::ConvertArgs;
use crate::decide::{Decided, Doubt, Later, Question};
use crate::declared;
use crate::engine::{self, BomMode, Compressor, Format, From, Input, Options, Trouble};
use crate::mixed;
use crate::output::Output;
use crate::report::{self, Counts, Failure};
use crate::standard;
use crate::survey::{Survey, Surveyed};
use decide::Held;
use mojika::sniff::{Decision, Source as SniffSource};
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;
use std::time::Instant;
use watch::{Finding, Watch};

#[cfg(all(unix, feature = "edit"))]
pub use decide::refused;

/// One input.
struct Source<'a> {
    /// Its name for messages.
    name: &'a str,
    path: &'a Path,
    reader: Box<dyn Read + Send>,
    /// Size of a regular file, in bytes.
    size: Option<u64>,
}

/// Why an input was not converted to its end.
enum Stop {
    /// Others may go on.
    Input(Failure),
    /// Compressed data is damaged; what precedes the damage was written.
    Damage(Failure),
    /// The output is at fault, and nothing goes on.
    Output(Failure),
}

/// `mojika convert` to one output; returns the exit status.
pub fn convert(args: &ConvertArgs) -> Result<u8, Failure> {
    #[cfg(unix)]
    crate::job::signals::watch(crate::job::signals::Reaction::Exit)
        .map_err(|error| Failure::io("watch for", "signals", error))?;
    watch::refuse_options(args)?;
    let question = args.question(args.is_auto() || args.mail)?;
    let named = args.named()?;
    let to = named.to;
    args.check_mail(to)?;
    let files = args.inputs();
    // Mail has encodings part by part.
    let is_other = |file: &&std::path::PathBuf| !args.mail || !mail::is(file);
    let others: Vec<_> = files.iter().filter(is_other).cloned().collect();
    let mut decided = Vec::new();
    if args.mixed {
        mixed_input(named.from, &others)?;
    }
    let mut refused = Vec::new();
    if args.is_auto() && !args.mixed {
        decided = decide::on_files(&others, &question);
        let pairs = others.iter().zip(&decided);
        refused.extend(pairs.map(|(file, one)| decide::refused(one.as_ref()?, &input_name(file))));
    } else if named.from.is_none() && !args.mixed {
        refused.extend(others.iter().map(|file| decide::unknown(file)));
    }
    if let Some(status) = refused.iter().flatten().map(Failure::status).max() {
        refuse(args, &others, &decided, refused)?;
        return Ok(status);
    }
    let mut decided = decided.into_iter();

    let output = Output::open(args.output.as_deref())?;
    let mut stream = Stream {
        args,
        question: &question,
        options: Options {
            from: match named.from {
                Some(other) if args.mixed => From::Mixed(other, SniffSource::Override.as_str()),
                Some(encoding) => From::Given(encoding),
                None => From::Unnamed,
            },
            rfc2781: named.charset,
            to,
            errors: args.errors,
            bom: named.bom,
            shape: args.shape(),
            substitutes: args.substitutes.substitutes(),
            repair: args.repair,
            records: args.records()?,
            next_line: args.next_line()?,
            threads: 1,
        },
        name: output.name().to_owned(),
        output: Place::Waiting(Some(output)),
        watch: Watch::new(args)?,
        doubtful_parts: 0,
    };
    stream.watch.expect(&files);
    let mut failures = Vec::new();
    let mut is_whole = true;
    for file in &files {
        let name = input_name(file);
        let start = Instant::now();
        let mut finding = stream.watch.finding(file);
        if others.contains(file) {
            finding.judgement = decided.next().flatten().and_then(|one| one.judgement);
        }
        let result = stream.one(file, &name, &mut finding);
        finding.time = start.elapsed();
        // The texts of several files are one output.
        stream.options.bom = BomMode::Strip;
        let failure = match result {
            Ok(counts) => {
                let warning = finding.judgement.as_ref().and_then(report::disagreement);
                stream.watch.add(finding, None, None);
                if !args.quiet
                    && let Some(warning) = warning
                {
                    stream.watch.say(&format!("{name}: {warning}"));
                }
                if !args.quiet
                    && let Some(summary) = report::summary(&name, args.errors, to, counts)
                {
                    stream.watch.say(&summary);
                }
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
        let mut message = failure.message().unwrap_or_default();
        if matches!(failure, Failure::Malformed { .. }) {
            message += &report::in_question(finding.judgement.as_ref());
        }
        stream
            .watch
            .add(finding, Some(&failure), Some(message.clone()));
        stream.watch.say(&message);
        failures.push(failure);
        if stream.watch.fails_fast() {
            break;
        }
    }
    let doubtful = u8::from(stream.doubtful_parts > 0);
    stream.finish(is_whole)?;
    Ok(failures.iter().map(Failure::status).fold(doubtful, u8::max))
}

/// Refuses inputs that `--mixed` cannot convert: a pipe is not read twice to find out what it is.
fn mixed_input(
    from: Option<&'static mojika::Encoding>,
    files: &[std::path::PathBuf],
) -> Result<(), Failure> {
    match from {
        Some(other) => mixed::check(other),
        None if files.iter().all(|file| file.is_file()) => Ok(()),
        None => Err(Failure::usage(
            "--mixed with a pipe needs --from LABEL: the encoding of the lines that are not UTF-8",
        )),
    }
}

/// Reports the inputs that keep all of them from being converted, before anything is written.
fn refuse(
    args: &ConvertArgs,
    files: &[std::path::PathBuf],
    decided: &[Option<Decided>],
    failures: Vec<Option<Failure>>,
) -> Result<(), Failure> {
    const OTHER: &str = "not converted, as another input is not";
    let mut watch = Watch::new(args)?;
    for (at, (file, failure)) in files.iter().zip(&failures).enumerate() {
        let mut finding = watch.finding(file);
        finding.size = file.metadata().ok().map(|metadata| metadata.len());
        finding.judgement = decided.get(at).and_then(|one| one.as_ref()?.judgement);
        let message = failure.as_ref().and_then(Failure::message);
        let reason = message.clone().unwrap_or_else(|| OTHER.to_owned());
        watch.add(finding, failure.as_ref(), Some(reason));
        if let Some(message) = message {
            watch.say(&message);
        }
    }
    watch.finish()
}

/// The output, and what all inputs have in common.
struct Stream<'a> {
    args: &'a ConvertArgs,
    question: &'a Question,
    options: Options,
    /// The output's name for messages.
    name: String,
    output: Place,
    watch: Watch,
    /// Parts of mail that somebody has to decide on.
    doubtful_parts: u64,
}

/// Where the text goes. The first input may decide how it is compressed.
enum Place {
    /// Until then; `None` if it could not be opened.
    Waiting(Option<Output>),
    Open(Compressor<Output>),
}

impl Stream<'_> {
    fn one(&mut self, file: &Path, name: &str, finding: &mut Finding) -> Result<Counts, Stop> {
        if is_standard_input(file) {
            let source = Source {
                name,
                path: file,
                reader: Box::new(io::stdin()),
                size: None,
            };
            return self.convert(source, finding);
        }
        if self.args.output.is_none() && standard::is_standard_output(file) {
            let name = name.to_owned();
            return Err(Stop::Output(Failure::OntoStandardOutput { name }));
        }
        let open = |error| Stop::Input(Failure::io("open", name, error));
        let reader = File::open(file).map_err(open)?;
        let metadata = reader.metadata().map_err(open)?;
        let source = Source {
            name,
            path: file,
            reader: Box::new(reader),
            size: metadata.is_file().then_some(metadata.len()),
        };
        self.convert(source, finding)
    }

    /// Converts one input to its end.
    fn convert(&mut self, source: Source<'_>, finding: &mut Finding) -> Result<Counts, Stop> {
        let Source {
            name,
            path,
            reader,
            size,
        } = source;
        let read_error = |error| Stop::Input(Failure::io("read", name, error));
        let reader = self.watch.counting(reader);
        let (format, reader) = engine::decompressed(reader).map_err(read_error)?;
        let (head, reader) = match self.args.mail {
            true => mail::begin(reader).map_err(read_error)?,
            false => (Vec::new(), reader),
        };
        if self.args.mail && crate::mail::kind(&head).is_some() {
            finding.format = format;
            finding.size = size;
            return self.convert_mail(name, format, &head, reader, finding);
        }
        let mut options = Options {
            // Files are worth all cores.
            threads: match size {
                Some(size) if size >= engine::PARALLEL => watch::jobs(self.args),
                _ => 1,
            },
            ..self.options
        };
        let (mut slots, mut compared, mut survey) = (None, 0, None);
        let mut reader: Box<dyn Read + Send> = if let Some(judgement) = finding.judgement {
            options.from = From::Decided(judgement.decision);
            reader
        } else if self.args.mixed && !matches!(self.options.from, From::Mixed(..)) {
            let text = File::open(path).and_then(|file| engine::decompressed(Box::new(file)));
            let decided = text.and_then(|(_, text)| mixed::decide(self.question, text));
            match decided.map_err(read_error)? {
                Some(decided) => {
                    finding.judgement = decided.judgement;
                    if let Some(failure) = decide::refused(&decided, name) {
                        return Err(Stop::Input(failure));
                    }
                    if let Some(decision) = decided.decision() {
                        options.from = From::Mixed(decision.encoding, decision.source.as_str());
                    }
                }
                None => {
                    let decided = decide::on_file(path, self.question).map_err(read_error)?;
                    finding.judgement = decided.judgement;
                    if let Some(failure) = decide::refused(&decided, name) {
                        return Err(Stop::Input(failure));
                    }
                    if let Some(decision) = decided.decision() {
                        options.from = From::Decided(decision);
                    }
                }
            }
            reader
        } else if self.args.is_auto() {
            let mut held = Held::new(reader, path, self.question).map_err(read_error)?;
            if held.is_open() {
                slots = Some(held.slots());
                options.from = From::Given(mojika::UTF_8);
            } else {
                held.decide().map_err(read_error)?;
                let decided = held.conclude();
                finding.judgement = decided.judgement;
                if let Some(failure) = decide::refused(&decided, name) {
                    return Err(Stop::Input(failure));
                }
                compared = decided.compared;
                if let Some(decision) = decided.decision() {
                    options.from = From::Decided(decision);
                }
            }
            let (surveyed, found) = Surveyed::new(held);
            survey = Some(found);
            Box::new(surveyed)
        } else {
            reader
        };
        let input = Input {
            reader: &mut reader,
            // The size on disk is not the text's.
            size: size.filter(|_| format.is_none()),
            // A pipe's text goes out as it comes in.
            prompt: size.is_none(),
            turn: slots.as_ref().map(|(turn, _)| &**turn),
        };
        let updates = self.args.update_declared;
        let context = self.question.context;
        let output = self.open(format)?;
        let mut later = Later::default();
        let mut remember = |trouble: &Trouble| {
            finding.add(trouble);
            later.push(trouble);
        };
        let named =
            (!is_standard_input(path)).then(|| engine::renamed(path.to_owned(), format, None));
        let convert = |output: &mut (dyn Write + Send)| {
            engine::convert(input, output, &options, &mut remember)
        };
        let (outcome, result) = if updates {
            let (outcome, result, changes) =
                declared::updated(output, options.to, context, named.as_deref(), convert);
            finding.declared = changes;
            (outcome, result)
        } else {
            convert(output)
        };
        finding.format = format;
        finding.size = size;
        if let Some((_, decided)) = &slots
            && let Some(decided) = engine::lock(decided).take()
        {
            finding.judgement = decided.judgement;
            if let Some(failure) = decide::refused(&decided, name) {
                return Err(Stop::Input(failure));
            }
            compared = decided.compared;
        }
        let result = match (result, format) {
            (Err(engine::Failure::Read(error)), Some(format)) => {
                Err(engine::Failure::Damaged { format, error })
            }
            (result, _) => result,
        };
        let stop = |failure| {
            let kind = match &failure {
                engine::Failure::Damaged { .. } => Stop::Damage,
                engine::Failure::Write(_) => Stop::Output,
                _ => Stop::Input,
            };
            kind(Failure::of(failure, name, &self.name, &outcome, &options))
        };
        let result = result.map_err(stop);
        let counts = Counts {
            malformed: outcome.malformed,
            unmappable: outcome.unmappable,
            substituted: outcome.substituted,
        };
        if !self.args.quiet
            && let Some(repaired) = report::repaired(&outcome.repaired, true)
        {
            self.watch.say(&format!("{name}: {repaired}"));
        }
        if !self.args.quiet && result.is_ok() {
            for note in report::seen(&outcome.seen, options.shape) {
                self.watch.say(&format!("{name}: {note}"));
            }
        }
        finding.outcome = outcome;
        result?;
        let survey = survey.and_then(|survey| engine::lock(&survey).take());
        if let Some(judgement) = finding.judgement
            && let Some(doubt) =
                self.doubt_later(path, judgement.decision, compared, &later, survey)?
        {
            return Err(Stop::Input(Failure::Doubtful {
                name: name.to_owned(),
                doubt: Box::new(doubt),
            }));
        }
        Ok(counts)
    }

    /// Converts mail part by part.
    fn convert_mail(
        &mut self,
        name: &str,
        format: Option<Format>,
        head: &[u8],
        mut reader: Box<dyn Read + Send>,
        finding: &mut Finding,
    ) -> Result<Counts, Stop> {
        let rules = crate::mime::Rules {
            question: self.question,
            given: match self.options.from {
                From::Given(given) | From::Mixed(given, _) => Some(given),
                _ => None,
            },
            headers: self.args.headers,
            updates_declared: self.args.update_declared,
        };
        let output_name = self.name.clone();
        let output = self.open(format)?;
        let (outcome, report, result) = crate::mime::convert(head, &mut reader, output, &rules);
        finding.outcome = outcome;
        if !self.args.quiet {
            self.watch.say(&format!("{name}: {}", report.summary()));
            for note in report.notes(mail::MOST_NOTES) {
                self.watch.say(&format!("  {note}"));
            }
        }
        self.doubtful_parts += report.doubtful;
        finding.mail = Some(Box::new(report));
        match result {
            Ok(()) => Ok(Counts::default()),
            Err(engine::Failure::Write(error)) => {
                Err(Stop::Output(Failure::write(&output_name, error)))
            }
            Err(failure) => {
                let error = io::Error::other(failure.to_string());
                Err(Stop::Input(Failure::io("read", name, error)))
            }
        }
    }

    /// Whether an input is in another encoding after what its decision rests on.
    fn doubt_later(
        &self,
        path: &Path,
        decision: Decision,
        compared: u64,
        later: &Later,
        survey: Option<Survey>,
    ) -> Result<Option<Doubt>, Stop> {
        if self.question.confidence == 0.0 {
            return Ok(None);
        }
        let of_pipe = survey.and_then(|survey| self.question.doubt_pipe(decision, &survey));
        if of_pipe.is_some() {
            return Ok(of_pipe.map(Doubt::of_written));
        }
        if !path.is_file() {
            let last = later.last.filter(|place| place.offset >= compared);
            return Ok(last.map(|place| Doubt::of_pipe(decision, place)));
        }
        if later.is_empty() {
            return Ok(None);
        }
        let doubt = File::open(path)
            .and_then(|file| engine::decompressed(Box::new(file)))
            .and_then(|(_, mut text)| self.question.doubt_later(decision, later, &mut text));
        doubt.map_err(|error| Stop::Input(Failure::io("read", crate::quote::quote(path), error)))
    }

    /// The output, once the format of the first input is known.
    fn open(&mut self, input: Option<Format>) -> Result<&mut Compressor<Output>, Stop> {
        if let Place::Waiting(output) = &mut self.output {
            let output = output.take().ok_or(Stop::Output(Failure::BrokenPipe))?;
            let named = self.args.output.as_deref().and_then(Format::of_name);
            let format = match self.args.compress {
                None => named,
                Some(compress) => compress.format(input),
            };
            let opened = Compressor::new(format, output);
            let error = |error| Stop::Output(Failure::write(&self.name, error));
            self.output = Place::Open(opened.map_err(error)?);
        }
        match &mut self.output {
            Place::Open(output) => Ok(output),
            Place::Waiting(_) => Err(Stop::Output(Failure::BrokenPipe)),
        }
    }

    /// Ends the output; a file appears if it is to be kept.
    fn finish(mut self, keep: bool) -> Result<(), Failure> {
        let report = self.watch.finish();
        if keep || self.args.output.is_none() {
            // Without an input that could be read, there is still a file.
            let opened = self.open(None).map(drop);
            if let Err(Stop::Output(failure)) = opened {
                return Err(failure);
            }
            if let Place::Open(output) = self.output {
                let output = output.finish();
                let output = output.map_err(|error| Failure::write(&self.name, error))?;
                if keep {
                    output.commit()?;
                }
            }
        }
        report
    }
}

fn is_standard_input(file: &Path) -> bool {
    file.as_os_str() == "-"
}

fn input_name(file: &Path) -> String {
    if is_standard_input(file) {
        "standard input".to_owned()
    } else {
        crate::quote::quote(file)
    }
}
