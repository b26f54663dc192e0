//! Replaces `globs` without the feature `gitignore`: there are no options for patterns.

use mojika_convert::report::Failure;
use std::path::Path;

/// No patterns.
pub struct Globs;

impl Globs {
    pub fn new(_option: &str, _patterns: &[String]) -> Result<Self, Failure> {
        Ok(Self)
    }

    pub fn is_empty(&self) -> bool {
        true
    }

    pub fn is_match(&self, _relative: &Path) -> bool {
        false
    }
}
