//! The results for the parts of mail messages.

use mojika::Encoding;
use serde_json::{Value, json};

/// The maximum number of parts that are listed for a file.
const MAX_PARTS: usize = 1000;

/// The maximum length of a listed type or reason, in characters.
const MAX_REASON_LENGTH: usize = 400;

/// The results for the messages of one file.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// The number of messages.
    pub messages: u64,
    /// The number of parts that were converted.
    pub converted: u64,
    /// The number of unchanged parts that need no decision: signed parts, and attachments without a charset.
    pub left: u64,
    /// The number of unchanged parts that need the user's decision.
    pub doubtful: u64,
    /// The number of converted header fields.
    pub fields: u64,
    /// The number of fields with non-ASCII bytes that are not UTF-8, without --headers.
    pub raw_fields: u64,
    /// The offset of the current message in the file.
    pub offset: u64,
    entries: Vec<PartEntry>,
}

/// The result for one part or field.
#[derive(Clone, Debug)]
struct PartEntry {
    message: u64,
    offset: u64,
    /// The numbers of the part and its ancestors in the message; empty for the message itself.
    path: String,
    kind: String,
    from: Option<&'static Encoding>,
    is_doubtful: bool,
    reason: Option<String>,
}

impl Report {
    /// True if anything was changed.
    pub fn has_changes(&self) -> bool {
        self.converted + self.fields > 0
    }

    /// Returns an empty report for the current message.
    pub fn of_message(&self) -> Self {
        Self {
            messages: self.messages,
            offset: self.offset,
            ..Self::default()
        }
    }

    /// Adds the results `own` for the current message.
    pub fn take(&mut self, own: Self) {
        self.converted += own.converted;
        self.left += own.left;
        self.doubtful += own.doubtful;
        self.fields += own.fields;
        self.raw_fields += own.raw_fields;
        own.entries.into_iter().for_each(|entry| self.push(entry));
    }

    /// Returns the approximate size of the entries in bytes.
    pub fn weight(&self) -> usize {
        let reasons = self
            .entries
            .iter()
            .filter_map(|entry| entry.reason.as_ref());
        192 * self.entries.len() + reasons.map(String::len).sum::<usize>()
    }

    fn push(&mut self, entry: PartEntry) {
        if self.entries.len() < MAX_PARTS {
            self.entries.push(entry);
        }
    }

    fn entry(&self, path: &str, kind: &str, reason: Option<String>) -> PartEntry {
        PartEntry {
            message: self.messages,
            offset: self.offset,
            path: path.to_owned(),
            kind: shortened(kind),
            from: None,
            is_doubtful: false,
            reason: reason.map(|reason| shortened(&reason)),
        }
    }

    /// Records a part that stays.
    pub fn leave(&mut self, path: &str, kind: &str, why: &str) {
        self.left += 1;
        self.push(self.entry(path, kind, Some(why.to_owned())));
    }

    /// Records a part that stays and needs the user's decision.
    pub fn doubt(&mut self, path: &str, kind: &str, why: &str) {
        self.doubtful += 1;
        let entry = PartEntry {
            is_doubtful: true,
            ..self.entry(path, kind, Some(why.to_owned()))
        };
        self.push(entry);
    }

    /// Records a converted part.
    pub fn converted(
        &mut self,
        path: &str,
        kind: &str,
        from: &'static Encoding,
        warning: Option<String>,
    ) {
        self.converted += 1;
        let entry = PartEntry {
            from: Some(from),
            ..self.entry(path, kind, warning)
        };
        self.push(entry);
    }

    /// Returns the report as JSON.
    pub fn json(&self) -> Value {
        let parts = self.entries.iter().map(|entry| {
            let mut part = json!({
                "message": entry.message,
                "offset": entry.offset,
                "part": entry.path,
                "type": entry.kind,
                "status": entry.fate(),
            });
            if let Some(from) = entry.from {
                part["encoding"] = from.name().into();
            }
            if let Some(reason) = &entry.reason {
                part["reason"] = reason.as_str().into();
            }
            part
        });
        json!({
            "messages": self.messages,
            "parts_converted": self.converted,
            "parts_left": self.left,
            "parts_doubtful": self.doubtful,
            "fields_converted": self.fields,
            "fields_not_utf_8": self.raw_fields,
            "parts": parts.collect::<Vec<_>>(),
        })
    }

    /// Returns the first remarks about doubtful parts, and about parts that look like another encoding.
    pub fn notes(&self, most: usize) -> Vec<String> {
        let entries = self.entries.iter();
        let entries = entries.filter(|entry| entry.is_doubtful || entry.from.is_some());
        let notes = entries.filter_map(|entry| {
            let reason = entry.reason.as_deref()?;
            let part = match &*entry.path {
                "" => String::new(),
                path => format!(", part {path}"),
            };
            Some(format!(
                "message {} at byte offset {}{part} ({}): {reason}",
                entry.message, entry.offset, entry.kind
            ))
        });
        notes.take(most).collect()
    }

    /// Returns the numbers of messages, parts and fields, in one line.
    pub fn summary(&self) -> String {
        let messages = crate::report::counted(self.messages, "message");
        let mut text = format!(
            "{messages}, {} converted",
            crate::report::counted(self.converted, "part")
        );
        for (count, what) in [(self.left, "left"), (self.doubtful, "doubtful")] {
            if count > 0 {
                text.push_str(&format!(", {count} {what}"));
            }
        }
        if self.fields > 0 {
            text.push_str(&format!(
                ", {} converted",
                crate::report::counted(self.fields, "field")
            ));
        }
        text
    }
}

/// Returns the first [`MAX_REASON_LENGTH`] characters of a text, because types and labels may have any length.
fn shortened(text: &str) -> String {
    match text.char_indices().nth(MAX_REASON_LENGTH) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

impl PartEntry {
    fn fate(&self) -> &'static str {
        match (self.from, self.is_doubtful) {
            (Some(_), _) => "converted",
            (None, true) => "doubtful",
            (None, false) => "left",
        }
    }
}
