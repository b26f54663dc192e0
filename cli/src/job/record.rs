//! What became of one file, and its line in the report.

use super::journal;
use crate::engine::{Format, Trouble, TroubleKind, hex};
use mojika::Encoding;
use serde_json::{Value, json};
use std::path::PathBuf;
use std::time::Duration;

/// What became of one file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Fate {
    Converted,
    /// Copied, or left untouched in place, as it is in the output encoding already.
    Already,
    /// Copied without conversion: not text, or a symbolic link.
    Copied,
    Skipped,
    /// Finished by the run that is resumed.
    Finished,
    Failed,
}

impl Fate {
    /// The word for it in reports.
    pub fn word(self) -> &'static str {
        match self {
            Self::Converted => "converted",
            Self::Already => "already",
            Self::Copied => "copied",
            Self::Skipped => "skipped",
            Self::Finished => "finished",
            Self::Failed => "failed",
        }
    }
}

/// All that is known of one file.
pub struct Record {
    pub path: PathBuf,
    pub output: Option<PathBuf>,
    pub fate: Fate,
    pub encoding: Option<&'static Encoding>,
    /// How the input is compressed.
    pub format: Option<Format>,
    /// Why this encoding: "given", "utf-8" for text that is valid UTF-8, or the source of the library's decision.
    pub why: Option<&'static str>,
    /// Bytes of the input file and of the output file.
    pub bytes_in: u64,
    pub bytes_out: u64,
    /// Bytes of the input that progress includes already.
    pub bytes_counted: u64,
    pub malformed: u64,
    pub unmappable: u64,
    /// Where the input is not text in its encoding, or does not fit into the output encoding.
    pub faults: Vec<Trouble>,
    /// Why it was skipped or failed.
    pub reason: Option<String>,
    pub time: Duration,
    /// Whether the run that is resumed has a line for it in its report.
    pub is_reported: bool,
}

impl Record {
    /// A record of a file; only its path is known.
    pub fn new(path: PathBuf, fate: Fate) -> Self {
        Self {
            path,
            output: None,
            fate,
            encoding: None,
            format: None,
            why: None,
            bytes_in: 0,
            bytes_out: 0,
            bytes_counted: 0,
            malformed: 0,
            unmappable: 0,
            faults: Vec::new(),
            reason: None,
            time: Duration::ZERO,
            is_reported: false,
        }
    }

    /// The line of the report.
    pub fn json(&self) -> Value {
        let mut line = journal::name_of(&self.path);
        line["status"] = self.fate.word().into();
        if let Some(output) = &self.output {
            let output = journal::name_of(output);
            line["output"] = output["path"].clone();
            if !output["path_bytes"].is_null() {
                line["output_bytes"] = output["path_bytes"].clone();
            }
        }
        if let Some(encoding) = self.encoding {
            line["encoding"] = encoding.name().into();
        }
        if let Some(format) = self.format {
            line["compression"] = format.to_string().into();
        }
        if let Some(why) = self.why {
            line["why"] = why.into();
        }
        line["bytes_in"] = self.bytes_in.into();
        line["bytes_out"] = self.bytes_out.into();
        line["malformed"] = self.malformed.into();
        line["unmappable"] = self.unmappable.into();
        if !self.faults.is_empty() {
            line["errors"] = self.faults.iter().map(trouble).collect();
        }
        if let Some(reason) = &self.reason {
            line["reason"] = reason.as_str().into();
        }
        line["seconds"] = self.time.as_secs_f64().into();
        line
    }
}

fn trouble(trouble: &Trouble) -> Value {
    let kind = match trouble.kind {
        TroubleKind::Malformed => "malformed",
        TroubleKind::Unmappable(_) => "unmappable",
    };
    json!({
        "kind": kind,
        "offset": trouble.offset,
        "line": trouble.line,
        "column": trouble.column,
        "bytes": hex(&trouble.bytes),
    })
}
