//! Replaces `convert` without the feature `parts`; no option uses it.

use super::Report;
use super::Rules;
use mojika_convert::engine::{Failure, Outcome};
use std::io::{self, Read, Write};

/// Fails, because this build reads no mail.
pub fn convert(
    _head: &[u8],
    _reader: &mut dyn Read,
    _output: &mut dyn Write,
    _rules: &Rules<'_>,
) -> (Outcome, Report, Result<(), Failure>) {
    let error = io::Error::from(io::ErrorKind::Unsupported);
    (
        Outcome::default(),
        Report::default(),
        Err(Failure::Read(error)),
    )
}
