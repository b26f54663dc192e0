//! The closing summary: totals, a table of encodings, the failures, and the command to continue.

use super::record::{Fate, Record};
use crate::decide::Doubt;
use crate::quote::quote;
use crate::report;
use std::collections::BTreeMap;
use std::fmt::{Display, Write};
use std::path::PathBuf;
use std::time::Duration;

/// The maximum number of listed failures; the report has all.
const MAX_FAILURES: usize = 20;

/// The sum of all records.
#[derive(Default)]
pub struct Summary {
    fates: BTreeMap<Fate, u64>,
    bytes_in: u64,
    rows: BTreeMap<(&'static str, &'static str), Row>,
    failures: Listed,
    /// True if a file failed because of its text. It would fail again if the run were resumed with the same options.
    is_unfit: bool,
    /// Files with replaced malformed sequences or unmappable characters.
    replaced: Listed,
    doubts: Vec<(PathBuf, Box<Doubt>)>,
    doubtful: u64,
    skips: BTreeMap<String, u64>,
    notes: Listed,
    /// The number of files with changed declarations. The next two fields are the number of these declarations, and the
    /// files with false declarations.
    declaring: u64,
    updated: u64,
    untrue: Listed,
    /// Files with several kinds of line ends, and files with byte order marks after the start.
    mixed_ends: Listed,
    marked: Listed,
    /// Parts of mail that need the user's decision, or that look like another encoding.
    parts: Listed,
    mail: Mail,
}

/// The numbers of messages and of their parts.
#[derive(Default)]
struct Mail {
    messages: u64,
    converted: u64,
    left: u64,
    doubtful: u64,
}

/// Files with their messages, up to a limit, and the number of all files.
#[derive(Default)]
struct Listed {
    files: Vec<(PathBuf, String)>,
    count: u64,
}

impl Listed {
    fn add(&mut self, record: &Record, what: impl Display) {
        self.count += 1;
        if self.files.len() < MAX_FAILURES {
            self.files.push((record.path.clone(), what.to_string()));
        }
    }

    fn write(&self, text: &mut String, title: &str) {
        if self.files.is_empty() {
            return;
        }
        let _ = writeln!(text, "\n{title}:");
        for (path, what) in &self.files {
            let _ = writeln!(text, "  {}: {what}", quote(path));
        }
        let more = self.count - self.files.len() as u64;
        if more > 0 {
            let _ = writeln!(text, "  and {more} more; --report FILE lists all");
        }
    }
}

#[derive(Default)]
struct Row {
    files: u64,
    bytes: u64,
    replaced: u64,
    failed: u64,
}

impl Summary {
    /// Adds one file.
    pub fn add(&mut self, record: &Record) {
        *self.fates.entry(record.fate).or_default() += 1;
        if !matches!(record.fate, Fate::Skipped | Fate::Finished) {
            self.bytes_in += record.bytes_in;
        }
        let failed = record.fate == Fate::Failed;
        self.is_unfit |= failed && record.malformed + record.unmappable > 0;
        if let Some(doubt) = &record.doubt {
            self.doubtful += 1;
            if self.doubts.len() < MAX_FAILURES {
                self.doubts.push((record.path.clone(), doubt.clone()));
            }
            return;
        }
        if let (Some(encoding), Some(why)) = (record.encoding, record.why) {
            let row = self.rows.entry((encoding.name(), why)).or_default();
            row.files += 1;
            row.bytes += record.bytes_in;
            row.failed += u64::from(failed);
            if !failed {
                row.replaced += record.malformed + record.unmappable;
            }
        }
        if !failed && record.malformed + record.unmappable > 0 {
            self.replaced.add(record, replacements(record));
        }
        self.add_declared(record);
        if let Some(mail) = &record.mail {
            self.mail.messages += mail.messages;
            self.mail.converted += mail.converted;
            self.mail.left += mail.left;
            self.mail.doubtful += mail.doubtful;
            for note in mail.notes(MAX_FAILURES) {
                self.parts.add(record, note);
            }
        }
        if let Some(seen) = &record.seen {
            if seen.line_ends.are_mixed() {
                self.mixed_ends.add(record, seen.line_ends);
            }
            if seen.marks > 0 {
                self.marked.add(record, seen.marks);
            }
        }
        let Some(reason) = &record.reason else {
            return;
        };
        match record.fate {
            Fate::Failed => self.failures.add(record, reason),
            Fate::Skipped => *self.skips.entry(reason.clone()).or_default() += 1,
            _ => self.notes.add(record, reason),
        }
    }

    /// True if a file failed.
    pub fn has_failures(&self) -> bool {
        self.failures.count > 0
    }

    /// True if a file is doubtful.
    pub fn has_doubts(&self) -> bool {
        self.doubtful > 0
    }

    /// True if a part of mail is doubtful.
    pub fn has_doubtful_parts(&self) -> bool {
        self.mail.doubtful > 0
    }

    /// True if there were no files.
    pub fn is_empty(&self) -> bool {
        self.fates.is_empty()
    }

    /// Returns the text for standard error; `again` is the command that continues the run.
    pub fn text(&self, time: Duration, again: Option<&str>, verb: &str) -> String {
        let mut text = String::new();
        let files = self.fates.values().sum::<u64>();
        let seconds = time.as_secs_f64();
        let rate = bytes(self.bytes_in as f64 / seconds.max(1e-9));
        let _ = write!(
            text,
            "{files} {}, {} in {seconds:.2} s ({rate}/s)",
            if files == 1 { "file" } else { "files" },
            bytes(self.bytes_in as f64)
        );
        let parts = self.fates.iter().map(|(fate, count)| match fate {
            Fate::Converted => format!(" {count} {verb}"),
            Fate::Already => format!(" {count} in the output encoding already"),
            Fate::Finished => format!(" {count} finished before"),
            _ => format!(" {count} {}", fate.word()),
        });
        let parts = parts.collect::<Vec<_>>().join(",");
        if !parts.is_empty() {
            text.push(':');
        }
        text.push_str(&parts);
        text.push('\n');
        self.write_doubts(&mut text);
        if !self.rows.is_empty() {
            let whys = self.rows.keys().map(|(_, why)| why.len());
            let width = whys.max().unwrap_or_default().max(10);
            let _ = writeln!(
                text,
                "\n{:<16} {:<width$} {:>8} {:>10} {:>9} {:>7}",
                "encoding", "why", "files", "bytes", "replaced", "failed"
            );
            for ((encoding, why), row) in &self.rows {
                let _ = writeln!(
                    text,
                    "{encoding:<16} {why:<width$} {:>8} {:>10} {:>9} {:>7}",
                    row.files,
                    bytes(row.bytes as f64),
                    row.replaced,
                    row.failed
                );
            }
        }
        if !self.skips.is_empty() {
            text.push_str("\nskipped:\n");
            for (reason, count) in &self.skips {
                let _ = writeln!(text, "  {count:>6}  {reason}");
            }
        }
        self.replaced
            .write(&mut text, "replaced or dropped, as --errors says");
        self.write_declared(&mut text);
        self.write_mail(&mut text);
        self.mixed_ends.write(&mut text, "mixed line ends");
        self.marked
            .write(&mut text, "byte order marks after the start");
        self.notes.write(&mut text, "warnings");
        self.failures.write(&mut text, "failed");
        if let Some(again) = again {
            if self.is_unfit {
                text.push_str(
                    "\nto convert malformed or unmappable text all the same: a run over these files alone, with \
                     --errors replacement, or with --from LABEL if their encoding is another\n",
                );
            }
            let _ = writeln!(text, "\nto go on: {again}");
        }
        text
    }
}

impl Summary {
    /// Writes the lines about mail.
    fn write_mail(&self, text: &mut String) {
        if self.mail.messages == 0 {
            return;
        }
        let Mail {
            converted,
            left,
            doubtful,
            ..
        } = self.mail;
        let messages = report::counted(self.mail.messages, "message");
        let parts = report::counted(converted, "part");
        let _ = writeln!(
            text,
            "\n{parts} of {messages} converted, {left} left as signed or the like, {doubtful} doubtful"
        );
        self.parts.write(text, "parts of mail to look at");
    }

    /// Adds the declarations of a converted file.
    fn add_declared(&mut self, record: &Record) {
        if record.fate != Fate::Converted {
            return;
        }
        let changes = &record.declared;
        self.declaring += u64::from(changes.updated > 0);
        self.updated += changes.updated;
        let before = self.untrue.count;
        for note in changes.untrue_notes() {
            self.untrue.add(record, note);
        }
        self.untrue.count = before + changes.untrue;
    }

    /// Writes the lines about declarations.
    fn write_declared(&self, text: &mut String) {
        if self.updated > 0 {
            let updated = report::counted(self.updated, "declaration");
            let files = report::counted(self.declaring, "file");
            let _ = writeln!(text, "\n{updated} updated in {files}");
        }
        self.untrue
            .write(text, "declarations that are no longer true");
    }

    /// Writes the doubtful files, with the facts for a choice.
    fn write_doubts(&self, text: &mut String) {
        if self.doubts.is_empty() {
            return;
        }
        text.push_str("\ndoubtful, left as they are:\n");
        for (path, doubt) in &self.doubts {
            let _ = writeln!(text, "  {}: {doubt}", quote(path));
            for line in report::candidates(doubt) {
                let _ = writeln!(text, "    {line}");
            }
        }
        let more = self.doubtful - self.doubts.len() as u64;
        if more > 0 {
            let _ = writeln!(text, "  and {more} more; --report FILE lists all");
        }
    }
}

/// Returns the text about replaced or dropped characters of a file.
fn replacements(record: &Record) -> String {
    let counts = [
        (record.malformed, "malformed"),
        (record.unmappable, "not in the output encoding"),
    ];
    let counts = counts.iter().filter(|(count, _)| *count > 0);
    let counts: Vec<_> = counts
        .map(|(count, what)| format!("{count} {what}"))
        .collect();
    counts.join(", ")
}

/// Formats a number of bytes with its unit.
pub fn bytes(count: f64) -> String {
    let units = ["B", "kB", "MB", "GB", "TB"];
    let mut count = count;
    let mut unit = 0;
    while count >= 999.5 && unit + 1 < units.len() {
        count /= 1000.0;
        unit += 1;
    }
    if unit == 0 || count >= 99.95 {
        format!("{count:.0} {}", units[unit])
    } else {
        format!("{count:.1} {}", units[unit])
    }
}

#[cfg(test)]
mod tests;
