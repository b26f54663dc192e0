//! The patterns of --include and --exclude.

use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use std::path::Path;

pub use globset::Error;

/// Patterns of paths below a source.
pub struct Globs(GlobSet);

impl Globs {
    /// A pattern without "/" matches in every folder.
    ///
    /// # Errors
    ///
    /// Fails if a pattern is not a glob.
    pub fn new(patterns: &[String]) -> Result<Self, Error> {
        let mut set = GlobSetBuilder::new();
        for pattern in patterns {
            let trimmed = pattern.trim_end_matches('/');
            let anywhere = if trimmed.contains('/') {
                trimmed.trim_start_matches('/').to_owned()
            } else {
                format!("**/{trimmed}")
            };
            set.add(
                GlobBuilder::new(&anywhere)
                    .literal_separator(true)
                    .build()?,
            );
        }
        set.build().map(Self)
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn is_match(&self, relative: &Path) -> bool {
        self.0.is_match(relative)
    }
}
