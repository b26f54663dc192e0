//! The result for one file, and its line in the report.

use super::mail::Report;
use super::names::{name_of, put_name};
use crate::decide::{Candidate, Doubt, rounded};
use crate::declared::{Change, Changes};
use crate::engine::{ErrorMode, Format, Outcome, Place, Seen, Trouble, TroubleKind, hex};
use crate::report::counted;
use mojika::Encoding;
use mojika_sniff::judge::Judgement;
use serde_json::{Value, json};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// The result for one file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fate {
    /// Converted.
    #[default]
    Converted,
    /// Copied, or left unchanged in place, because it is in the output encoding.
    Already,
    /// Copied without conversion: not text, or a symbolic link.
    Copied,
    /// Left out.
    Skipped,
    /// Finished by the resumed run.
    Finished,
    /// Left unchanged, because no encoding has the required probability.
    Doubtful,
    /// Not converted, because of an error.
    Failed,
}

impl Fate {
    /// Returns the word for the fate in reports.
    pub fn word(self) -> &'static str {
        match self {
            Self::Converted => "converted",
            Self::Already => "already",
            Self::Copied => "copied",
            Self::Skipped => "skipped",
            Self::Finished => "finished",
            Self::Doubtful => "doubtful",
            Self::Failed => "failed",
        }
    }
}

/// The result for one file, with its details.
#[derive(Default)]
pub struct Record {
    /// The input.
    pub path: PathBuf,
    /// The output.
    pub output: Option<PathBuf>,
    /// The fate of the file.
    pub fate: Fate,
    /// The encoding of the input.
    pub encoding: Option<&'static Encoding>,
    /// The compression of the input.
    pub format: Option<Format>,
    /// The source of the library's decision.
    pub why: Option<&'static str>,
    /// The judgement, if the user has not named the encoding.
    pub judgement: Option<Judgement>,
    /// The reason why the file is doubtful.
    pub doubt: Option<Box<Doubt>>,
    /// The number of bytes of the input file.
    pub bytes_in: u64,
    /// The number of bytes of the output file.
    pub bytes_out: u64,
    /// The number of input bytes that progress already includes.
    pub bytes_counted: u64,
    /// The number of malformed sequences.
    pub malformed: u64,
    /// The number of unmappable characters.
    pub unmappable: u64,
    /// The number of unmappable characters that were replaced by a substitute.
    pub substituted: u64,
    /// The counts of line ends and marks, if requested.
    pub seen: Option<Seen>,
    /// The malformed sequences and unmappable characters.
    pub faults: Faults,
    /// The changes of the encoding, with --mixed.
    pub changes: Vec<crate::engine::Change>,
    /// Lines that were encoded twice.
    pub repaired: Vec<crate::repair::Finding>,
    /// The outcome for the parts of mail, with --mail.
    pub mail: Option<Box<Report>>,
    /// The declarations that the conversion makes false.
    pub declared: Changes,
    /// The reason why the file was skipped or failed.
    pub reason: Option<String>,
    /// The time that the file took.
    pub time: Duration,
    /// True if the report of the resumed run already has a line for the file.
    pub is_reported: bool,
}

impl Record {
    /// Creates a record with only the path.
    pub fn new(path: PathBuf, fate: Fate) -> Self {
        Self {
            path,
            fate,
            ..Self::default()
        }
    }

    /// Processes the file at `path`, and returns its record with the time that it took.
    pub fn timed<T>(path: PathBuf, work: impl FnOnce(&mut Self) -> T) -> (Self, T) {
        let start = Instant::now();
        let mut record = Self::new(path, Fate::Converted);
        let result = work(&mut record);
        record.time = start.elapsed();
        (record, result)
    }

    /// Takes the counts and the changes of a conversion.
    pub fn take(&mut self, outcome: &Outcome) {
        self.malformed = outcome.malformed;
        self.unmappable = outcome.unmappable;
        self.substituted = outcome.substituted;
        self.seen = Some(outcome.seen);
        self.changes.clone_from(&outcome.changes);
        self.repaired.clone_from(&outcome.repaired.repaired);
    }

    /// Takes the counts and lists of a conversion, and the encoding and the sizes.
    pub fn take_all(&mut self, outcome: &Outcome) {
        self.take(outcome);
        self.encoding = outcome.encoding;
        self.why = outcome.encoding.map(|_| outcome.why);
        (self.bytes_in, self.bytes_out) = (outcome.bytes_in, outcome.bytes_out);
    }

    /// Returns the line about the replaced or dropped text; `None` if no text was replaced.
    pub fn summary(&self, name: &str, errors: ErrorMode, to: &Encoding) -> Option<String> {
        let (malformed_fate, unmappable_fate) = match errors {
            ErrorMode::Skip => ("dropped", "dropped"),
            ErrorMode::Html => ("replaced", "written as &#…;"),
            ErrorMode::Replacement | ErrorMode::Fatal => ("replaced", "replaced with '?'"),
        };
        let mut parts = Vec::new();
        if self.malformed > 0 {
            let sequences = counted(self.malformed, "malformed sequence");
            parts.push(format!("{sequences} {malformed_fate}"));
        }
        if self.unmappable > 0 {
            let characters = counted(self.unmappable, "character");
            parts.push(format!("{characters} not in {to} {unmappable_fate}"));
        }
        if self.substituted > 0 {
            let characters = counted(self.substituted, "character");
            parts.push(format!("{characters} not in {to} written as a substitute"));
        }
        (!parts.is_empty()).then(|| format!("{name}: {}", parts.join(", ")))
    }

    /// Returns the approximate size of the record's lists in bytes.
    pub fn weight(&self) -> usize {
        let of_mail = self.mail.as_ref().map_or(0, |mail| mail.weight());
        let of_repaired = self
            .repaired
            .iter()
            .map(|one| one.before.len() + one.after.as_ref().map_or(0, String::len));
        // 128 bytes are a rough size of an item, including the memory that it allocates.
        128 * (self.faults.runs.len()
            + self.changes.len()
            + self.repaired.len()
            + self.declared.listed.len())
            + of_repaired.sum::<usize>()
            + of_mail
    }

    /// Returns the line of the report.
    pub fn json(&self) -> Value {
        let mut line = name_of(&self.path);
        line["status"] = self.fate.word().into();
        line["bytes_in"] = self.bytes_in.into();
        line["bytes_out"] = self.bytes_out.into();
        line["malformed"] = self.malformed.into();
        line["unmappable"] = self.unmappable.into();
        line["seconds"] = self.time.as_secs_f64().into();
        if let Some(output) = &self.output {
            put_name(&mut line, "output", output);
        }
        if let Some(judgement) = &self.judgement {
            decision(&mut line, judgement);
        }
        if let Some(doubt) = &self.doubt {
            if let Some(Place {
                offset,
                line: Some((row, column)),
            }) = doubt.place
            {
                line["malformed_at"] = json!({"offset": offset, "line": row, "column": column});
            }
            line["candidates"] = doubt.candidates.iter().map(candidate).collect();
        }
        if let Some(seen) = self.seen {
            let ends = seen.line_ends;
            line["line_ends"] =
                json!({"lf": ends.lf, "crlf": ends.crlf, "cr": ends.cr, "nel": ends.nel});
            line["interior_bom"] = seen.marks.into();
        }
        let changes = self.changes.iter().map(|change| {
            json!({
                "offset": change.offset,
                "line": change.line,
                "encoding": change.encoding.name(),
            })
        });
        let twice = self.repaired.iter().map(|one| {
            let readings: Vec<_> = one.misreadings.iter().map(|one| one.read_as.name()).collect();
            let steps: Vec<_> = one.misreadings.iter().map(ToString::to_string).collect();
            json!({"line": one.line, "before": one.before, "after": one.after, "read_as": readings, "steps": steps})
        });
        let kept = self.declared.are_kept;
        let declared = self.declared.listed.iter().map(|one| declared(one, kept));
        let lists: [(&str, Vec<Value>); 4] = [
            (
                "errors",
                self.faults.runs.iter().map(ErrorRun::json).collect(),
            ),
            ("changes", changes.collect()),
            ("encoded_twice", twice.collect()),
            ("declared", declared.collect()),
        ];
        for (key, list) in lists.into_iter().filter(|(_, list)| !list.is_empty()) {
            line[key] = list.into();
        }
        let counts = [
            ("normalized", self.seen.map_or(0, |seen| seen.normalized)),
            ("errors_not_listed", self.faults.beyond),
            ("declared_not_listed", self.declared.beyond()),
        ];
        for (key, count) in counts.into_iter().filter(|(_, count)| *count > 0) {
            line[key] = count.into();
        }
        let known = [
            ("encoding", self.encoding.map(|one| one.name().into())),
            ("compression", self.format.map(|one| one.to_string().into())),
            ("why", self.why.map(Value::from)),
            ("mail", self.mail.as_ref().map(|mail| mail.json())),
            ("reason", self.reason.as_deref().map(Value::from)),
        ];
        for (key, value) in known {
            if let Some(value) = value {
                line[key] = value;
            }
        }
        line
    }
}

/// The limit of listed errors for a file. Adjacent malformed sequences count as one error.
const MOST_FAULTS: usize = 1000;

/// The errors of one file: unmappable characters, and groups of adjacent malformed sequences. The list is limited.
#[derive(Debug, Default)]
pub struct Faults {
    runs: Vec<ErrorRun>,
    /// The number of errors that are not listed.
    beyond: u64,
}

/// Adjacent errors of one kind.
#[derive(Debug)]
struct ErrorRun {
    first: Trouble,
    count: u64,
    /// The offset of the byte after the last error.
    end: u64,
}

impl Faults {
    /// Adds an error, which must follow all earlier ones.
    pub fn push(&mut self, trouble: &Trouble) {
        // Unmappable characters are not grouped.
        let are_malformed = |run: &ErrorRun| {
            [&run.first, trouble]
                .iter()
                .all(|one| one.kind == TroubleKind::Malformed)
        };
        let end = trouble.offset + trouble.bytes.len() as u64;
        if self.beyond == 0
            && let Some(run) = self.runs.last_mut()
            && run.end == trouble.offset
            && are_malformed(run)
        {
            run.end = end;
            run.count += 1;
        } else if self.runs.len() < MOST_FAULTS {
            self.runs.push(ErrorRun {
                first: trouble.clone(),
                count: 1,
                end,
            });
        } else {
            self.beyond += 1;
        }
    }

    /// True if there were no errors.
    pub fn is_empty(&self) -> bool {
        self.runs.is_empty() && self.beyond == 0
    }
}

impl ErrorRun {
    fn json(&self) -> Value {
        let kind = match self.first.kind {
            TroubleKind::Malformed => "malformed",
            TroubleKind::Unmappable(_) => "unmappable",
        };
        let mut value = json!({
            "kind": kind,
            "offset": self.first.offset,
            "line": self.first.line,
            "column": self.first.column,
            "bytes": hex(&self.first.bytes),
        });
        if let TroubleKind::Unmappable(character) = self.first.kind {
            value["character"] = character.to_string().into();
        }
        if self.count > 1 {
            value["count"] = self.count.into();
            value["end"] = self.end.into();
        }
        value
    }
}

/// Returns the JSON for a declaration and its new value; the value is null if the declaration stays.
fn declared(change: &Change, is_kept: bool) -> Value {
    json!({
        "kind": change.convention.as_str(),
        "from": change.from,
        "to": change.to.as_ref().filter(|_| !is_kept),
    })
}

/// Adds the probability of a decision, or null.
fn decision(line: &mut Value, judgement: &Judgement) {
    line["probability"] = judgement.probability.map(rounded).into();
    line["runner_up"] = judgement.runner_up().map_or(Value::Null, |guess| {
        json!({"encoding": guess.encoding.name(), "probability": rounded(guess.probability)})
    });
    line["disagreement"] = match (judgement.declared, judgement.contradiction) {
        (declared, Some(shown)) => json!({
            "declared": declared.map(|declared| declared.encoding.name()),
            "source": declared.map(|declared| declared.source.as_str()),
            "bytes": shown.name(),
            "malformed_at": judgement.malformed,
        }),
        _ => Value::Null,
    };
}

fn candidate(candidate: &Candidate) -> Value {
    json!({
        "encoding": candidate.encoding.name(),
        "probability": candidate.probability.map(rounded),
        "line": candidate.line,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_runs_and_bounded() {
        let trouble = |offset, kind| Trouble {
            kind,
            offset,
            line: 1,
            column: 1,
            bytes: vec![0xFF],
            encoding: mojika::UTF_8,
        };
        let mut faults = Faults::default();
        for offset in 10..20 {
            faults.push(&trouble(offset, TroubleKind::Malformed));
        }
        faults.push(&trouble(20, TroubleKind::Unmappable('a')));
        faults.push(&trouble(21, TroubleKind::Unmappable('b')));
        for number in 0..MOST_FAULTS as u64 {
            faults.push(&trouble(30 + 10 * number, TroubleKind::Malformed));
        }
        let mut record = Record::new(PathBuf::from("a"), Fate::Converted);
        record.faults = faults;
        let line = record.json();
        let runs: Vec<_> = line["errors"].as_array().unwrap().iter().collect();
        assert_eq!(runs.len(), MOST_FAULTS);
        let starts: Vec<_> = runs[..4]
            .iter()
            .map(|run| (&run["offset"], &run["count"], &run["end"]))
            .collect();
        assert_eq!(
            json!(starts),
            json!([
                [10, 10, 20],
                [20, null, null],
                [21, null, null],
                [30, null, null]
            ])
        );
        assert_eq!(runs[2]["character"], "b");
        assert_eq!(line["errors_not_listed"], 3);
    }

    #[test]
    fn line_ends_marks_and_what_was_normalized_are_counted() {
        let mut record = Record::new(PathBuf::from("a"), Fate::Converted);
        let mut seen = Seen::default();
        (seen.line_ends.lf, seen.line_ends.crlf) = (1, 2);
        (seen.line_ends.cr, seen.line_ends.nel, seen.marks) = (3, 4, 5);
        for (normalized, expected) in [(0, Value::Null), (1, json!(1)), (6, json!(6))] {
            seen.normalized = normalized;
            record.seen = Some(seen);
            let line = record.json();
            let ends = json!({"lf": 1, "crlf": 2, "cr": 3, "nel": 4});
            assert_eq!(line["line_ends"], ends);
            assert_eq!(
                (&line["interior_bom"], &line["normalized"]),
                (&json!(5), &expected)
            );
        }
    }
}
