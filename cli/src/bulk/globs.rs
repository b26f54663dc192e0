//! The patterns of --include and --exclude.

use crate::args::pattern;
use crate::report::Failure;
use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use std::path::Path;

/// Patterns of paths below a source.
pub struct Globs(GlobSet);

impl Globs {
    /// The patterns of an option. One without "/" matches in every folder.
    ///
    /// # Errors
    ///
    /// Fails if a pattern is empty, or not a glob.
    pub fn new(option: &str, patterns: &[String]) -> Result<Self, Failure> {
        let mut set = GlobSetBuilder::new();
        for pattern in patterns {
            let trimmed = pattern::some(option, pattern)?.trim_end_matches('/');
            let anywhere = if trimmed.contains('/') {
                trimmed.trim_start_matches('/').to_owned()
            } else {
                format!("**/{trimmed}")
            };
            let glob = GlobBuilder::new(&anywhere).literal_separator(true).build();
            set.add(glob.map_err(|error| pattern::refused(option, pattern, error.kind()))?);
        }
        let bad = |error: globset::Error| Failure::Usage(format!("{option}: {error}"));
        set.build().map(Self).map_err(bad)
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn is_match(&self, relative: &Path) -> bool {
        self.0.is_match(relative)
    }
}
