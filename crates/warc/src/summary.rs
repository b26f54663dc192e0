//! The totals of all archives.

use super::choose::LeftOut;
use super::decide::{Disagreements, Voices};
use super::document::{Document, NoDocument};
use super::reader::Damage;
use mojika::Encoding;
use mojika_convert::job::summary::bytes;
use mojika_convert::quote::printable;
use mojika_convert::quote::quote;
use mojika_convert::report::counted;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// The number of damaged records that the summary lists; others are only counted.
const MOST_DAMAGES: usize = 20;
/// The maximum length of a type's name, in characters.
const MOST_KEY: usize = 100;
/// The number of rows of the matrix that the summary shows.
const MOST_ROWS: usize = 20;

/// Counts of records.
#[derive(Default)]
pub struct Summary {
    pub archives: u64,
    /// The number of bytes in the archives.
    pub bytes_in: u64,
    /// Records that are not documents: by record type, and by content type.
    pub other_types: BTreeMap<String, u64>,
    pub binaries: BTreeMap<String, u64>,
    /// The number of bodies that exceed the maximum length.
    pub too_long: u64,
    /// Skipped documents, by reason.
    pub left_out: BTreeMap<LeftOut, u64>,
    /// Documents by encoding and source of the decision.
    pub encodings: BTreeMap<(&'static str, &'static str), Row>,
    /// The number of documents by the encodings of header, document and bytes.
    pub matrix: BTreeMap<Voice, u64>,
    pub with_replacements: u64,
    /// Documents whose text lacks the required probability.
    pub doubtful: u64,
    /// Truncated bodies.
    pub cut_bodies: u64,
    pub damages: Vec<(PathBuf, Damage)>,
    pub damaged: u64,
    /// Files of another run with the names of this output's shards.
    pub other_shards: Vec<PathBuf>,
}

/// The counts for one encoding.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Row {
    pub documents: u64,
    pub bytes: u64,
    pub replaced: u64,
    pub disagreeing: u64,
}

impl Row {
    fn add(&mut self, other: Self) {
        self.documents += other.documents;
        self.bytes += other.bytes;
        self.replaced += other.replaced;
        self.disagreeing += other.disagreeing;
    }
}

/// The encodings by header, document and bytes, each as a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Voice {
    pub header: &'static str,
    pub document: &'static str,
    pub bytes: &'static str,
    /// The contradictions between the encodings.
    pub disagreements: Disagreements,
}

impl From<&Voices> for Voice {
    fn from(voices: &Voices) -> Self {
        let word = |one: Option<&'static Encoding>| one.map_or("-", Encoding::name);
        Self {
            header: word(voices.header),
            document: word(voices.document),
            bytes: voices.bytes.word(),
            disagreements: voices.disagreements,
        }
    }
}

impl Summary {
    /// Adds a document with a body of `length` bytes.
    pub fn add(&mut self, document: &Document<'_>, length: u64) {
        let text = &document.text;
        self.with_replacements += u64::from(text.replaced > 0);
        self.doubtful += u64::from(text.is_doubtful);
        self.cut_bodies += u64::from(document.damage.is_some());
        let decision = &text.decision;
        let key = (decision.encoding.name(), decision.source.as_str());
        let row = self.encodings.entry(key).or_default();
        row.add(Row {
            documents: 1,
            bytes: length,
            replaced: text.replaced,
            disagreeing: u64::from(text.voices.disagreements.any()),
        });
        *self.matrix.entry((&text.voices).into()).or_default() += 1;
    }

    /// Returns the sums over all encodings.
    pub fn total(&self) -> Row {
        let mut total = Row::default();
        self.encodings.values().for_each(|row| total.add(*row));
        total
    }

    /// Adds a record that is not a document.
    pub fn add_other(&mut self, why: NoDocument) {
        let counts = match why {
            NoDocument::Type(_) => &mut self.other_types,
            NoDocument::Binary(_) => &mut self.binaries,
        };
        let (NoDocument::Type(mut key) | NoDocument::Binary(mut key)) = why;
        if let Some((end, _)) = key.char_indices().nth(MOST_KEY) {
            key.truncate(end);
            key.push('…');
        }
        // Servers send any text as a type, so the number of listed types is limited.
        let is_known = counts.contains_key(&key) || counts.len() < 200;
        let key = if is_known { key } else { "others".to_owned() };
        *counts.entry(key).or_default() += 1;
    }

    /// Adds a skipped document.
    pub fn leave_out(&mut self, why: LeftOut) {
        *self.left_out.entry(why).or_default() += 1;
    }

    /// Adds the damage of an archive.
    pub fn add_damage(&mut self, path: &Path, damage: Damage) {
        self.damaged += 1;
        if self.damages.len() < MOST_DAMAGES {
            self.damages.push((path.to_owned(), damage));
        }
    }

    /// Adds the counts of other archives.
    pub fn merge(&mut self, other: Self) {
        fn add<K: Ord>(counts: &mut BTreeMap<K, u64>, others: BTreeMap<K, u64>) {
            for (key, count) in others {
                *counts.entry(key).or_default() += count;
            }
        }
        self.archives += other.archives;
        self.bytes_in += other.bytes_in;
        self.too_long += other.too_long;
        self.with_replacements += other.with_replacements;
        self.doubtful += other.doubtful;
        self.cut_bodies += other.cut_bodies;
        self.damaged += other.damaged;
        add(&mut self.other_types, other.other_types);
        add(&mut self.binaries, other.binaries);
        add(&mut self.left_out, other.left_out);
        add(&mut self.matrix, other.matrix);
        for (key, row) in other.encodings {
            self.encodings.entry(key).or_default().add(row);
        }
        self.other_shards.extend(other.other_shards);
        let room = MOST_DAMAGES.saturating_sub(self.damages.len());
        self.damages.extend(other.damages.into_iter().take(room));
    }

    /// Returns the exit status.
    pub fn status(&self) -> u8 {
        u8::from(self.damaged > 0 || !self.other_shards.is_empty())
    }

    /// Returns the text for standard error; `unit` names an input.
    pub fn text(&self, time: Duration, unit: &str) -> String {
        let mut text = String::new();
        let seconds = time.as_secs_f64();
        let total = self.total();
        let _ = writeln!(
            text,
            "{}, {} in {seconds:.2} s ({}/s): {}, {}",
            counted(self.archives, unit),
            bytes(self.bytes_in as f64),
            bytes(self.bytes_in as f64 / seconds.max(1e-9)),
            counted(total.documents, "document"),
            bytes(total.bytes as f64),
        );
        self.write_encodings(&mut text);
        if self.doubtful > 0 {
            let documents = counted(self.doubtful, "document");
            let _ = writeln!(
                text,
                "\n{documents} doubtful, marked \"doubtful\" in the JSON lines; --confidence sets the probability below which"
            );
        }
        self.write_disagreements(&mut text);
        let others = self.other_types.values().chain(self.binaries.values());
        if others.sum::<u64>() + self.too_long > 0 {
            text.push_str("\nrecords that are not documents:\n");
            for (kind, count) in &self.other_types {
                let _ = writeln!(text, "  {count:>8}  {}", printable(kind));
            }
            for (kind, count) in &self.binaries {
                let _ = writeln!(text, "  {count:>8}  no text: {}", printable(kind));
            }
            if self.too_long > 0 {
                let _ = writeln!(text, "  {:>8}  longer than --max-body", self.too_long);
            }
        }
        if !self.left_out.is_empty() {
            text.push_str("\nleft out:\n");
            for (why, count) in &self.left_out {
                let _ = writeln!(text, "  {count:>8}  {}", why.words());
            }
        }
        if self.cut_bodies > 0 {
            let bodies = match self.cut_bodies {
                1 => "1 body".to_owned(),
                count => format!("{count} bodies"),
            };
            let _ = writeln!(
                text,
                "\n{bodies} cut off: \"damage\" in the record says where"
            );
        }
        if self.damaged > 0 {
            text.push_str("\ndamaged:\n");
            for (path, damage) in &self.damages {
                let damage = damage.to_string();
                let _ = writeln!(text, "  {}: {}", quote(path), printable(&damage));
            }
            let more = self.damaged - self.damages.len() as u64;
            if more > 0 {
                let _ = writeln!(text, "  and {more} more; --verbose names all");
            }
        }
        if !self.other_shards.is_empty() {
            text.push_str(
                "\nfiles of another run, which are not part of this output; remove them:\n",
            );
            for path in &self.other_shards {
                let _ = writeln!(text, "  {}", quote(path));
            }
        }
        text
    }

    fn write_encodings(&self, text: &mut String) {
        if self.encodings.is_empty() {
            return;
        }
        let _ = writeln!(
            text,
            "\n{:<16} {:<15} {:>10} {:>8} {:>9} {:>11}",
            "encoding", "decided by", "documents", "bytes", "replaced", "disagreeing"
        );
        for ((encoding, source), row) in &self.encodings {
            let _ = writeln!(
                text,
                "{encoding:<16} {source:<15} {:>10} {:>8} {:>9} {:>11}",
                row.documents,
                bytes(row.bytes as f64),
                row.replaced,
                row.disagreeing
            );
        }
        let replaced = self.total().replaced;
        if replaced > 0 {
            let _ = writeln!(
                text,
                "\n{} replaced by U+FFFD, in {}",
                counted(replaced, "malformed sequence"),
                counted(self.with_replacements, "document")
            );
        }
    }

    fn write_disagreements(&self, text: &mut String) {
        let rows = self.disagreeing();
        if rows.is_empty() {
            return;
        }
        let of = |is: fn(&Disagreements) -> bool| -> u64 {
            let rows = rows.iter().filter(|(voice, _)| is(&voice.disagreements));
            rows.map(|(_, count)| count).sum()
        };
        let _ = writeln!(
            text,
            "\n{} with a disagreement: {} header against document, {} header against bytes, {} document against bytes",
            counted(of(|_| true), "document"),
            of(|pairs| pairs.header_document),
            of(|pairs| pairs.header_bytes),
            of(|pairs| pairs.document_bytes)
        );
        let _ = writeln!(
            text,
            "  {:<16} {:<16} {:<16} {:>10}",
            "header", "document", "bytes", "documents"
        );
        for (voice, count) in rows.iter().take(MOST_ROWS) {
            let Voice {
                header,
                document,
                bytes,
                ..
            } = voice;
            let _ = writeln!(
                text,
                "  {header:<16} {document:<16} {bytes:<16} {count:>10}"
            );
        }
        if rows.len() > MOST_ROWS {
            let _ = writeln!(text, "  and {} more rows", rows.len() - MOST_ROWS);
        }
    }

    /// Returns the rows of the matrix with a disagreement, most documents first.
    pub fn disagreeing(&self) -> Vec<(Voice, u64)> {
        let rows = self
            .matrix
            .iter()
            .filter(|(voice, _)| voice.disagreements.any());
        let mut rows: Vec<_> = rows.map(|(voice, count)| (*voice, *count)).collect();
        rows.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        rows
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_that_are_not_shown_are_counted() {
        const NAMES: [&str; 23] = [
            "a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n", "o", "p", "q",
            "r", "s", "t", "u", "v", "w",
        ];
        for (rows, more) in [(19, None), (20, None), (21, Some(1)), (23, Some(3))] {
            let mut summary = Summary::default();
            for header in &NAMES[..rows] {
                let disagreements = Disagreements {
                    header_bytes: true,
                    ..Disagreements::default()
                };
                let voice = Voice {
                    header,
                    document: "-",
                    bytes: "x",
                    disagreements,
                };
                summary.matrix.insert(voice, 1);
            }
            let mut text = String::new();
            summary.write_disagreements(&mut text);
            let shown = text.lines().filter(|line| line.ends_with(" 1")).count();
            assert_eq!(shown, rows.min(MOST_ROWS), "{text}");
            let expected = more.map(|more| format!("  and {more} more rows"));
            let last = text.lines().last().filter(|line| line.contains("more"));
            assert_eq!(last.map(str::to_owned), expected);
        }
    }
}
