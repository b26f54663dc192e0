//! Replaces `globs` without the feature `gitignore`: there are no options for patterns.

use mojika_convert::job::tree::Matcher;
use mojika_convert::report::Failure;

/// Returns no patterns.
pub fn matcher(_option: &str, _patterns: &[String]) -> Result<Option<Matcher>, Failure> {
    Ok(None)
}
