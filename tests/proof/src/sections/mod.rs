//! The sections of the proof.
//!
//! | section | what |
//! |---|---|
//! | A | decode: every input of up to three bytes, and longer ones where an encoding has them |
//! | B | decode: every input of one and two bytes, and longer ones, at every offset in ASCII and in dense text |
//! | C | encode: every scalar value, alone and inside runs, from both source forms |
//! | D | both directions: every split, every small output, empty chunks, every alignment |
//! | E | both directions: buffers flush against unmapped pages |
//! | F | one-shot calls: borrowed results, byte order marks |
//! | G | edits of documents |

pub mod decode_sweep;
pub mod edits;
pub mod encode_sweep;
#[cfg(target_os = "linux")]
pub mod guard;
pub mod lanes;
pub mod properties;
pub mod splits;

use crate::engine::{Buffers, Cut, Difference, Modes, decode_all, encode_all};
use crate::expected::{Decoding, Encoded, Text};
use crate::report::{Failure, Tally, hex, shrink};
use crate::run::{Check, Profile};
use crate::subject::Subject;
use std::cell::RefCell;
use std::fmt::UpperHex;

/// The letters of the sections, in order.
pub const SECTIONS: [char; 7] = ['A', 'B', 'C', 'D', 'E', 'F', 'G'];

/// Runs the section with the letter `section`.
pub fn run(section: char, profile: &Profile, tally: &Tally) {
    match section {
        'A' => decode_sweep::run(profile, tally),
        'B' => lanes::run(profile, tally),
        'C' => encode_sweep::run(profile, tally),
        'D' => splits::run(profile, tally),
        #[cfg(target_os = "linux")]
        'E' => guard::run(profile, tally),
        'F' => properties::run(profile, tally),
        'G' => edits::run(profile, tally),
        _ => {}
    }
}

thread_local! {
    static BUFFERS: RefCell<Buffers> = RefCell::default();
}

/// Calls `work` with the buffers of this thread.
pub fn with_buffers<R>(work: impl FnOnce(&mut Buffers) -> R) -> R {
    BUFFERS.with(|buffers| work(&mut buffers.borrow_mut()))
}

/// Bytes to decode, which contain `cases` cases.
#[derive(Debug, Default)]
pub struct DecodeStream {
    /// All bytes.
    pub bytes: Vec<u8>,
    /// The ends of chunks.
    pub ends: Vec<usize>,
    /// The number of cases.
    pub cases: u64,
}

impl DecodeStream {
    /// Returns the check that compares with the oracle's result for the whole stream.
    pub fn check(self, subject: Subject, modes: Modes) -> Check {
        let expected = Decoding::of(subject, &self.bytes);
        self.check_against(subject, modes, expected)
    }

    /// Returns the check that compares with a result that is known already.
    pub fn check_against(self, subject: Subject, modes: Modes, expected: Decoding) -> Check {
        Box::new(move |tally| {
            let cut = Cut {
                ends: &self.ends,
                ..Cut::WHOLE
            };
            compare_decode(
                subject,
                &self.bytes,
                cut,
                modes,
                &expected,
                tally,
                self.cases,
            );
        })
    }
}

/// Decodes to both forms, counts the cases, and reports each difference with a small input that shows it.
pub fn compare_decode(
    subject: Subject,
    bytes: &[u8],
    cut: Cut<'_>,
    modes: Modes,
    expected: &Decoding,
    tally: &Tally,
    cases: u64,
) {
    compare(
        subject,
        bytes,
        cut,
        tally,
        cases,
        &|smaller, cut| match smaller {
            None => {
                with_buffers(|buffers| decode_all(subject, bytes, cut, modes, expected, buffers))
            }
            Some(bytes) => {
                let expected = Decoding::of(subject, bytes);
                decode_all(
                    subject,
                    bytes,
                    cut,
                    modes,
                    &expected,
                    &mut Buffers::default(),
                )
            }
        },
    );
}

/// Encodes from both forms, counts, and reports differences with a small input that shows them, in UTF-16 code units.
pub fn compare_encode(
    subject: Subject,
    text: &Text,
    cut: Cut<'_>,
    modes: Modes,
    expected: &Encoded,
    tally: &Tally,
    cases: u64,
) {
    compare(
        subject,
        &text.utf16,
        cut,
        tally,
        cases,
        &|smaller, cut| match smaller {
            None => {
                with_buffers(|buffers| encode_all(subject, text, cut, modes, expected, buffers))
            }
            Some(units) => {
                let text = Text::of_units(units);
                let expected = Encoded::of(subject, &text);
                encode_all(
                    subject,
                    &text,
                    cut,
                    modes,
                    &expected,
                    &mut Buffers::default(),
                )
            }
        },
    );
}

/// The differences that a conversion finds, each with the name of its operation, and the number of operations.
type Found = (Vec<(&'static str, Difference)>, u64);

/// Counts the cases of a conversion, and reports its differences. `convert(None, …)` converts the whole
/// input; `convert(Some(units), …)` converts a smaller input, to find the smallest one that fails.
fn compare<T: Copy + UpperHex>(
    subject: Subject,
    units: &[T],
    cut: Cut<'_>,
    tally: &Tally,
    cases: u64,
    convert: &dyn Fn(Option<&[T]>, Cut<'_>) -> Found,
) {
    let (found, forms) = convert(None, cut);
    tally.count(forms * cases);
    for (operation, difference) in found {
        tally.differ(|| {
            let again = |marked: &[(T, bool)]| {
                let (units, ends) = unmark(marked);
                let found = convert(Some(&units), Cut { ends: &ends, ..cut }).0;
                found.into_iter().find(|(name, _)| *name == operation)
            };
            let smallest = shrink(&mark(units, cut.ends), |marked| again(marked).is_some());
            let (smaller, ends) = unmark(&smallest);
            // No smaller input may fail, perhaps because the original has empty chunks.
            let (cut, units, detail) = match again(&smallest) {
                Some((_, detail)) => (Cut { ends: &ends, ..cut }, &smaller[..], detail),
                None => (cut, units, difference),
            };
            failure(subject, operation, cut.describe(), hex(units), detail)
        });
    }
}

fn failure<'a>(
    subject: Subject,
    operation: &'a str,
    split: String,
    input: String,
    detail: String,
) -> Failure<'a> {
    Failure {
        encoding: subject.name(),
        operation,
        split,
        input,
        detail,
    }
}

/// Returns the units with a flag for each that ends a chunk. Shrinking the list thus keeps the chunks.
fn mark<T: Copy>(units: &[T], ends: &[usize]) -> Vec<(T, bool)> {
    let mut marked: Vec<(T, bool)> = units.iter().map(|&unit| (unit, false)).collect();
    for &end in ends {
        if let Some(before) = end.checked_sub(1).and_then(|i| marked.get_mut(i)) {
            before.1 = true;
        }
    }
    marked
}

fn unmark<T: Copy>(marked: &[(T, bool)]) -> (Vec<T>, Vec<usize>) {
    let units = marked.iter().map(|&(unit, _)| unit).collect();
    let ends = (1..=marked.len())
        .filter(|&end| marked[end - 1].1)
        .collect();
    (units, ends)
}
