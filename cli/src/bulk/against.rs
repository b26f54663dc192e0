//! `mojika check --against`: checks that converted files have the text of their sources, and look plausible.

use super::choice::doubtful;
use super::walk;
use crate::args::check::CheckArgs;
use crate::args::files::SelectArgs;
use crate::source;
use mojika::Encoding;
use mojika_convert::decide::{Doubt, Outcome, Question};
use mojika_convert::engine::Format;
use mojika_convert::job::batch::{self, FileStep};
use mojika_convert::job::folder::identity;
use mojika_convert::job::operation::{Operation, going};
use mojika_convert::job::problem;
use mojika_convert::job::record::{Fate, Record};
use mojika_convert::job::signals::{self, Reaction};
use mojika_convert::labels;
use mojika_convert::quote::quote;
use mojika_convert::repair::{self, History, Undone};
use mojika_convert::report::{self, Failure, counted};
use std::fs;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

/// Compares each file of `source` with the file of the same name in `args.files`; returns the exit status.
///
/// # Errors
///
/// Fails if the options conflict, or the report cannot be written.
pub fn check(args: &CheckArgs, source: &Path) -> Result<u8, Failure> {
    let [result] = &args.files[..] else {
        return Err(Failure::usage(
            "--against SOURCE takes one more name: the file or folder that was made of SOURCE",
        ));
    };
    let (from, question) = args.encoding.question()?;
    let to = labels::find_target(&args.to)?;
    if [source, result].iter().any(|path| path.as_os_str() == "-") {
        return Err(Failure::usage(
            "--against compares files and folders, which are read more than once: standard input is neither",
        ));
    }
    let (is_folder, to_folder) = (source.is_dir(), result.is_dir());
    if is_folder && let Err(error) = result.metadata() {
        return Err(Failure::io("read", quote(result), error));
    }
    if is_folder && result.is_file() {
        return Err(Failure::usage(&format!(
            "{} is a folder, and {} is a file; name two files or two folders",
            quote(source),
            quote(result)
        )));
    }
    let compared = [source.to_owned(), result.clone()];
    let say = args.select.say(args.quiet);
    say.check_own_files(compared.iter().map(PathBuf::as_path), None)?;
    signals::watch(Reaction::Drain)?;
    let operation = Operation::begin(&say, None, None)?;
    let mut batch = operation.batch(1, None, None);
    let mut without_result = 0;
    // The output of a single file has its name and lies directly in the output folder.
    let here = match is_folder {
        true => source,
        false => source.parent().unwrap_or(Path::new("")),
    };
    for entry in going(files(&args.select, source, result, &operation)?) {
        let (target, expected) = match is_folder || to_folder {
            true => (
                counterpart(here, &entry.relative, result)
                    .filter(|target| !operation.is_own(target)),
                result.join(&entry.relative),
            ),
            false => (
                Some(result.clone()).filter(|result| result.exists()),
                result.clone(),
            ),
        };
        let pair = Pair {
            source: &entry.path,
            target,
            expected,
            from,
            to,
            question: &question,
        };
        let processed = batch::guarded(entry.path.clone(), |record| pair.compare(record));
        let has_failed = matches!(&processed.1, Err(found) if found.fate == Fate::Failed);
        without_result += u64::from(pair.target.is_none() && has_failed);
        batch.take(processed);
    }
    let without_source = match is_folder && to_folder {
        true => report_extra(&args.select, source, result, &operation)?,
        false => 0,
    };
    drop(batch);
    let verb = (!args.quiet).then_some("the same text");
    let (summary, status) = operation.end(verb)?;
    if !args.quiet {
        let said = [
            (without_result, "without a result"),
            (without_source, "without a source"),
        ];
        for (count, what) in said.into_iter().filter(|(count, _)| *count > 0) {
            report::say(&format!("{} {what}", report::counted(count, "file")));
        }
    }
    Ok(status.max(u8::from(summary.has_doubts())))
}

/// Reports the files of `result` that have no source; returns their number.
fn report_extra(
    select: &SelectArgs,
    source: &Path,
    result: &Path,
    operation: &Operation,
) -> Result<u64, Failure> {
    let mut count = 0;
    for entry in going(files(select, result, source, operation)?) {
        let found = counterpart(result, &entry.relative, source);
        if found.is_some_and(|found| !operation.is_own(&found)) {
            continue;
        }
        count += 1;
        let expected = source.join(&entry.relative);
        let mut record = Record::new(entry.path, Fate::Failed);
        record.reason = Some(format!("has no source: there is no {}", quote(&expected)));
        operation.reporter.add(record);
    }
    Ok(count)
}

/// Returns the files of `top`, or `top` itself if it is a file. Leaves out a folder `other` within `top` and the files that
/// the operation itself writes. Reports unreadable entries.
fn files(
    select: &SelectArgs,
    top: &Path,
    other: &Path,
    operation: &Operation,
) -> Result<impl Iterator<Item = walk::WalkEntry>, Failure> {
    let walk = walk::Walk {
        sources: vec![top.to_owned()],
        select: select.clone(),
        leave_out: identity(other).filter(|_| other.is_dir()),
        ..walk::Walk::default()
    };
    let entries = walk.entries()?;
    Ok(entries.filter_map(move |item| match item {
        Ok(entry) => Some(entry)
            .filter(|entry| entry.kind == walk::EntryKind::File && !operation.is_own(&entry.path)),
        Err(error) => {
            operation.reporter.add(error.record());
            None
        }
    }))
}

/// Returns the file in `there` that corresponds to `relative` in `here`. The compression and its extension may differ.
pub fn counterpart(here: &Path, relative: &Path, there: &Path) -> Option<PathBuf> {
    if exists(&there.join(relative)) {
        return Some(there.join(relative));
    }
    let plain = match Format::of_name(relative) {
        Some(_) => relative.with_extension(""),
        None => relative.to_owned(),
    };
    let compressed = Format::ALL.into_iter().map(|format| {
        let mut name = plain.clone().into_os_string();
        name.push(format.ending());
        PathBuf::from(name)
    });
    // A compressed source is not a counterpart if another source has its name.
    let mut candidates = std::iter::once(plain.clone()).chain(compressed);
    let found = candidates.find(|name| exists(&there.join(name)) && !exists(&here.join(name)))?;
    Some(there.join(found))
}

/// True if there is a file, or a link with any target.
fn exists(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|metadata| !metadata.is_dir())
}

/// A file and its conversion.
struct Pair<'a> {
    source: &'a Path,
    /// The converted file, or its expected path if it is missing.
    target: Option<PathBuf>,
    expected: PathBuf,
    from: Option<&'static Encoding>,
    to: &'static Encoding,
    question: &'a Question,
}

impl Pair<'_> {
    /// Compares the texts, and records the remarks on a correct file.
    fn compare(&self, record: &mut Record) -> Result<FileStep, problem::Problem> {
        let source = read(self.source).map_err(problem::cannot("read"))?;
        record.bytes_in = source.len() as u64;
        let mut in_question = Vec::new();
        let mut encoding = match self.from {
            Some(encoding) => encoding,
            None => {
                let decided = self.question.of_bytes(Some(self.source), &source);
                record.judgement = decided.judgement;
                match decided.outcome {
                    Outcome::Binary(what) => return Err(problem::skipped(what)),
                    Outcome::Contradiction(error, _) => {
                        return Err(problem::failed(error.to_string()));
                    }
                    // A doubtful source with candidates is no error: the user chose a candidate for the conversion.
                    Outcome::Doubtful(ref doubt) if doubt.candidates.is_empty() => {
                        // A text in several encodings cannot be compared in a single one.
                        return Err(doubtful(record, Doubt::clone(doubt)));
                    }
                    Outcome::Doubtful(ref doubt) => {
                        let candidates = doubt.candidates.iter();
                        in_question.extend(candidates.map(|candidate| candidate.encoding));
                    }
                    Outcome::Sure => {}
                }
                decided
                    .decision()
                    .map_or(mojika::UTF_8, |decision| decision.encoding)
            }
        };
        record.why = Some(match (self.from, record.judgement) {
            (None, Some(judgement)) => judgement.decision.source.as_str(),
            _ => mojika_sniff::Source::Override.as_str(),
        });
        let Some(target) = &self.target else {
            let expected = quote(&self.expected);
            return Err(problem::failed(format!(
                "has no result: there is no {expected}"
            )));
        };
        let result = read(target)
            .map_err(|error| problem::failed(format!("cannot read {}: {error}", quote(target))))?;
        record.output = Some(target.clone());
        record.bytes_out = result.len() as u64;
        let text = self.to.decode(&result);
        if text.had_errors {
            return Err(problem::failed(format!(
                "{} is not valid {}",
                quote(target),
                self.to
            )));
        }
        let text = &*text.text;
        let mut notes = Vec::new();
        let marked = source.len() - without_mark(&source).len();
        let is_written_in = |encoding: &'static Encoding| {
            let encoded = encoding.encode(text);
            encoded.is_ok_and(|bytes| bytes[..] == source[marked..])
        };
        if let Some(chosen) = in_question.into_iter().find(|one| is_written_in(one)) {
            if chosen != encoding {
                notes.push(format!("in {chosen} by choice, and not in {encoding}"));
            }
            encoding = chosen;
        }
        record.encoding = Some(encoding);
        let expected = encoding.decode(&source).text;
        let is_same = is_written_in(encoding);
        if !is_same {
            if *expected != *text {
                return Err(problem::failed(difference(&expected, text, encoding)));
            }
            notes.push(format!(
                "the same text, though {encoding} would write it in other bytes"
            ));
        }
        notes.extend(suspicions(text)?);
        record.reason = (!notes.is_empty()).then(|| notes.join("; "));
        Ok(FileStep::Done(Fate::Converted))
    }
}

fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    source::open(path)?.1.read_to_end(&mut bytes)?;
    Ok(bytes)
}

fn without_mark(bytes: &[u8]) -> &[u8] {
    let mark = mojika_sniff::bom::of_text(bytes).map_or(0, |bom| bom.length);
    &bytes[mark..]
}

/// Describes the first difference of two texts.
fn difference(expected: &str, text: &str, encoding: &Encoding) -> String {
    let same = expected.chars().zip(text.chars());
    let same: String = same
        .take_while(|(one, other)| one == other)
        .map(|pair| pair.0)
        .collect();
    let line = 1 + same.matches('\n').count();
    let column = 1 + same.rsplit('\n').next().unwrap_or_default().chars().count();
    let shown = |text: &str| match text[same.len()..].chars().next() {
        Some(character) => format!("U+{:04X}", u32::from(character)),
        None => "the end".to_owned(),
    };
    format!(
        "differs at byte offset {} of the result (line {line}, column {column}): {} by the source in {encoding}, {} in the result",
        same.len(),
        shown(expected),
        shown(text)
    )
}

/// Examines a text for suspicious characters: returns an error for clearly wrong ones, or remarks.
fn suspicions(text: &str) -> Result<Vec<String>, problem::Problem> {
    let count = |is: fn(char) -> bool| text.chars().filter(|&character| is(character)).count();
    let replaced = count(|character| character == '\u{FFFD}');
    if replaced > 0 {
        return Err(problem::failed(format!("{replaced} U+FFFD")));
    }
    let lines = text.lines().enumerate();
    let mut history = History::default();
    let mut twice = lines.filter(|(_, line)| repair::undo(line, &mut history) != Undone::Clean);
    if let Some((number, _)) = twice.next() {
        return Err(problem::failed(format!(
            "looks encoded twice in {}, first in line {}",
            counted(1 + twice.count() as u64, "line"),
            number + 1
        )));
    }
    let private = count(
        |character| matches!(character, '\u{E000}'..='\u{F8FF}' | '\u{F0000}'..='\u{FFFFD}' | '\u{100000}'..='\u{10FFFD}'),
    );
    let controls = count(|character| {
        character.is_control() && !matches!(character, '\t' | '\n' | '\r' | '\x0C')
    });
    let notes = [
        (private, "private-use character"),
        (controls, "control character"),
    ];
    let notes = notes.into_iter().filter(|(count, _)| *count > 0);
    Ok(notes
        .map(|(count, what)| counted(count as u64, what))
        .collect())
}
