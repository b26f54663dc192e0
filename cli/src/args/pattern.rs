//! What is said about patterns of names.

use crate::report::Failure;
use std::fmt::Display;

/// A pattern, if it has anything that a name can match: an empty one, as of a variable that is not set, would match all.
///
/// # Errors
///
/// Fails if it is empty.
pub fn some<'a>(option: &str, pattern: &'a str) -> Result<&'a str, Failure> {
    if pattern.trim_end_matches('/').is_empty() {
        let given = pattern.escape_debug();
        return Err(Failure::Usage(format!(
            "{option} '{given}': an empty pattern; '*' matches every name"
        )));
    }
    Ok(pattern)
}

/// What is wrong with a pattern, as it was given.
pub fn refused(option: &str, pattern: &str, what: &impl Display) -> Failure {
    Failure::Usage(format!("{option} '{}': {what}", pattern.escape_debug()))
}
