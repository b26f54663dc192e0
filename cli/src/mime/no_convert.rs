//! A stub without the feature `mail`: no option converts it.

use super::Report;
use super::Rules;
use crate::engine::{Failure, Outcome};
use std::io::{self, Read, Write};

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
