//! The patterns of --include and --exclude.

use crate::args::pattern;
use globset::GlobBuilder;
use mojika_convert::job::tree::Matcher;
use mojika_convert::report::Failure;
use std::sync::Arc;

/// Compiles the patterns of an option, if there are any. A pattern without "/" matches in every folder.
///
/// # Errors
///
/// Fails if a pattern is empty or not a glob.
pub fn matcher(option: &str, patterns: &[String]) -> Result<Option<Matcher>, Failure> {
    if patterns.is_empty() {
        return Ok(None);
    }
    let set = pattern::set(option, patterns, |pattern| {
        let trimmed = pattern.trim_end_matches('/');
        let anywhere = if trimmed.contains('/') {
            trimmed.trim_start_matches('/').to_owned()
        } else {
            format!("**/{trimmed}")
        };
        GlobBuilder::new(&anywhere).literal_separator(true).build()
    })?;
    Ok(Some(Arc::new(move |relative| set.is_match(relative))))
}
