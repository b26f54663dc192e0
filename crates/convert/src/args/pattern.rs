//! Patterns of names.

use crate::report::Failure;
use globset::{Error, Glob, GlobSet, GlobSetBuilder};
use std::fmt::Display;

/// Compiles the patterns of an option, after `glob` has turned each into a glob.
///
/// # Errors
///
/// Fails if a pattern is empty or not a glob.
pub fn set<'p>(
    option: &str,
    patterns: &'p [String],
    glob: impl Fn(&'p str) -> Result<Glob, Error>,
) -> Result<GlobSet, Failure> {
    let mut set = GlobSetBuilder::new();
    for pattern in patterns {
        let refused = |what: &dyn Display| {
            let given = pattern.escape_debug();
            Failure::Usage(format!("{option} '{given}': {what}"))
        };
        // The pattern may come from an unset shell variable.
        if pattern.trim_end_matches('/').is_empty() {
            return Err(refused(&"an empty pattern; '*' matches every name"));
        }
        let escaped = "a backslash before a character takes it literally";
        set.add(glob(pattern).map_err(|error| refused(&format!("{}; {escaped}", error.kind())))?);
    }
    set.build()
        .map_err(|error| Failure::Usage(format!("{option}: {error}")))
}
