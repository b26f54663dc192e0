//! `--mixed`: the encoding of the lines that are not UTF-8.

use crate::decide::{Decided, Outcome, Question};
use crate::report::Failure;
use crate::survey::Survey;
use mojika::Encoding;
use std::io::{self, Read};

/// The decision on the lines that are not UTF-8; `None` if the text is in one encoding.
///
/// # Errors
///
/// Fails if the reader does.
pub fn decide(question: &Question, text: impl Read) -> io::Result<Option<Decided>> {
    let survey = Survey::of(text)?;
    let may_be_damaged = survey.is_mixed_or_damaged();
    let decided = (survey.is_mixed() || may_be_damaged)
        .then(|| question.of_bytes(None, &survey.sample))
        .filter(|decided| !may_be_damaged || matches!(decided.outcome, Outcome::Sure));
    Ok(decided.filter(|decided| {
        decided
            .decision()
            .is_none_or(|decision| decision.encoding.is_ascii_compatible())
    }))
}

/// Refuses an encoding whose lines cannot be distinguished from UTF-8.
///
/// # Errors
///
/// Fails for UTF-8, UTF-16, UTF-32 and EBCDIC.
pub fn check(other: &'static Encoding) -> Result<(), Failure> {
    if other == mojika::UTF_8 || !other.is_ascii_compatible() {
        return Err(Failure::Usage(format!(
            "--mixed is for lines in UTF-8 and in another encoding that is compatible with ASCII, which {other} is not: \
             name that one with --from"
        )));
    }
    Ok(())
}
