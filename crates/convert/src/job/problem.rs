//! Messages for files that were not converted.

use super::record::Fate;
use crate::engine::{self, Format};
use crate::report::counted;
use std::io;

/// The reason why a file was not converted.
pub struct Problem {
    /// The result for the file, such as "failed" or "skipped".
    pub fate: Fate,
    /// The reason for the user.
    pub reason: String,
    /// The kind of the reason.
    pub cause: Cause,
}

/// The cause of a problem that has a treatment.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Cause {
    /// The input is damaged; the output has the text before the damage.
    Damage,
    /// The output's file system is full.
    NoRoom,
    /// The input is not text.
    Binary,
    /// Any other reason.
    Other,
}

/// Returns the problem of a file that failed for `reason`.
pub fn failed(reason: impl Into<String>) -> Problem {
    let reason = reason.into();
    Problem {
        fate: Fate::Failed,
        reason,
        cause: Cause::Other,
    }
}

/// Returns the problem of a file that is skipped for `reason`.
pub fn skipped(reason: impl Into<String>) -> Problem {
    Problem {
        fate: Fate::Skipped,
        ..failed(reason)
    }
}

/// Returns a function that maps an error of `action` to a problem.
pub fn cannot(action: &str) -> impl Fn(io::Error) -> Problem + '_ {
    move |error| failed(format!("cannot {action}: {error}"))
}

/// Returns the message for damaged data after `read` bytes of text.
pub fn damaged(format: Format, error: &str, read: u64) -> String {
    format!(
        "{} after {} of text",
        engine::damage(format, error),
        counted(read, "byte")
    )
}

/// Returns the message for a file that cannot be read; `format` is its compression.
pub fn unreadable(format: Option<Format>) -> impl Fn(io::Error) -> Problem {
    move |error| match format {
        None => cannot("read")(error),
        Some(format) => failed(engine::damage(format, &error.to_string())),
    }
}
