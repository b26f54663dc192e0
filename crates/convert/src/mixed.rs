//! `--mixed`: finds the parts in UTF-16, and the encoding of the lines that are not UTF-8.

use crate::decide::{Decided, Doubt, Outcome, Question};
use crate::engine::Part;
use crate::report::Failure;
use crate::survey::Survey;
use mojika::Encoding;
use std::io::{self, Read};

/// The parts of a text in UTF-16, and the decision on lines that are not UTF-8.
pub struct Mixed {
    /// The parts; empty if the whole text is in UTF-16 or has single-byte units.
    pub parts: Vec<Part>,
    /// The decision on the lines; `None` if all lines are in one encoding.
    pub decided: Option<Decided>,
    /// True if all lines are in the given encoding, and those in UTF-8 are so by chance.
    pub is_given: bool,
    /// The reason why the encoding of the lines is doubtful.
    pub doubt: Option<Doubt>,
}

/// Examines a text for parts and lines in other encodings; only for parts if the encoding of the lines is given.
///
/// # Errors
///
/// Fails if the text cannot be read.
pub fn decide<'t>(
    question: &Question,
    given: Option<&'static Encoding>,
    open: &dyn Fn() -> io::Result<Box<dyn Read + Send + 't>>,
) -> io::Result<Mixed> {
    let mut survey = Survey::of(open()?, true)?;
    let parts = survey.wide.parts();
    let text = || {
        io::Result::Ok(Narrow {
            reader: open()?,
            parts: &parts,
            offset: 0,
        })
    };
    let half = Doubt::of_half(&survey.wide, true).filter(|_| question.confidence != 0.0);
    if !parts.is_empty() {
        survey = Survey::of(text()?, true)?;
    }
    let doubt = half.or_else(|| question.doubt_mixed(given?, &survey, false));
    let is_given = given.is_some_and(|other| survey.has_both() && !survey.is_by_line(other));
    let mut decided = None;
    if given.is_none() {
        decided = of_lines(question, &survey);
        if decided.is_none() && !parts.is_empty() {
            decided = Some(question.of_reader(None, b"", &mut text()?)?);
        }
    }
    Ok(Mixed {
        is_given: is_given && parts.is_empty(),
        parts,
        decided,
        doubt,
    })
}

/// Decides on the lines that are not UTF-8; `None` if the text is in one encoding.
fn of_lines(question: &Question, survey: &Survey) -> Option<Decided> {
    let decided = survey
        .has_both()
        .then(|| question.of_bytes(None, &survey.sample))?;
    let is_sure = matches!(decided.outcome, Outcome::Sure);
    let encoding = decided.decision()?.encoding;
    let is_mixed = encoding.is_ascii_compatible() && survey.is_mixed_with(encoding, is_sure);
    is_mixed.then_some(decided)
}

/// A text with spaces in place of its parts in UTF-16, so that other bytes keep their positions.
struct Narrow<'p, R> {
    reader: R,
    parts: &'p [Part],
    offset: u64,
}

impl<R: Read> Read for Narrow<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.reader.read(buffer)?;
        let narrow = self.parts.is_empty();
        for byte in buffer[..length].iter_mut().filter(|_| !narrow) {
            let next = |part: &&Part| part.place.offset <= self.offset;
            while self.parts.get(1).as_ref().is_some_and(next) {
                self.parts = &self.parts[1..];
            }
            let part = self.parts.first();
            if part.is_some_and(|part| part.encoding.is_some()) && *byte != b'\n' {
                *byte = b' ';
            }
            self.offset += 1;
        }
        Ok(length)
    }
}

/// Refuses an encoding whose text cannot be distinguished from UTF-8 by lines.
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
