//! The patterns of --include and --exclude.

use crate::args::pattern;
use globset::{GlobBuilder, GlobSet};
use mojika_convert::report::Failure;
use std::path::Path;

/// Patterns of paths below a source.
pub struct Globs(GlobSet);

impl Globs {
    /// Compiles the patterns of an option. A pattern without "/" matches in every folder.
    ///
    /// # Errors
    ///
    /// Fails if a pattern is empty or not a glob.
    pub fn new(option: &str, patterns: &[String]) -> Result<Self, Failure> {
        let set = pattern::set(option, patterns, |pattern| {
            let trimmed = pattern.trim_end_matches('/');
            let anywhere = if trimmed.contains('/') {
                trimmed.trim_start_matches('/').to_owned()
            } else {
                format!("**/{trimmed}")
            };
            GlobBuilder::new(&anywhere).literal_separator(true).build()
        });
        set.map(Self)
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn is_match(&self, relative: &Path) -> bool {
        self.0.is_match(relative)
    }
}
