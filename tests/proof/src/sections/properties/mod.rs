//! Section F: properties, by quickcheck, which shrinks their input.
//!
//! `arbitrary` makes the input; `whole`, `streams` and `lengths` have the properties, which are listed here.

mod arbitrary;
mod lengths;
mod streams;
mod whole;

use crate::report::{Failure, Tally};
use crate::run::{Check, Job, Profile, run as run_jobs};
use arbitrary::{Bytes, Scalars};
use lengths::{decoders_keep_to_their_maximum, encoders_keep_to_their_maximum, longest_outputs};
use quickcheck::{QuickCheck, TestResult, Testable};
use streams::*;
use whole::*;

/// Runs section F.
pub fn run(profile: &Profile, tally: &Tally) {
    let tests = profile.of(10_000, 800);
    let jobs: Vec<Job> = vec![
        property("round_trip", tests, round_trip as fn(Scalars) -> bool),
        property(
            "decoding_concatenates",
            tests,
            decoding_concatenates as fn(Bytes, Bytes) -> TestResult,
        ),
        property(
            "encoding_concatenates",
            tests,
            encoding_concatenates as fn(Scalars, Vec<char>) -> bool,
        ),
        property(
            "decoders_keep_to_their_maximum",
            tests,
            decoders_keep_to_their_maximum as fn(Bytes, usize) -> bool,
        ),
        property(
            "encoders_keep_to_their_maximum",
            tests,
            encoders_keep_to_their_maximum as fn(Scalars, usize) -> bool,
        ),
        property(
            "replacement_is_fatal_plus_u_fffd",
            tests,
            replacement_is_fatal_plus_u_fffd as fn(Bytes) -> bool,
        ),
        property(
            "html_is_fatal_plus_references",
            tests,
            html_is_fatal_plus_references as fn(Scalars) -> bool,
        ),
        property(
            "unchanged_text_is_borrowed",
            tests,
            unchanged_text_is_borrowed as fn(Bytes) -> bool,
        ),
        property(
            "unchanged_bytes_are_borrowed",
            tests,
            unchanged_bytes_are_borrowed as fn(Scalars) -> bool,
        ),
        property(
            "chunks_do_not_matter_to_decoders",
            tests,
            chunks_do_not_matter_to_decoders as fn(Bytes, Vec<usize>, u8) -> bool,
        ),
        property(
            "chunks_do_not_matter_to_encoders",
            tests,
            chunks_do_not_matter_to_encoders as fn(Scalars, Vec<usize>, u8) -> bool,
        ),
        property(
            "a_complete_stream_leaves_nothing_behind",
            tests,
            a_complete_stream_leaves_nothing_behind as fn(Bytes, Vec<u8>, Scalars, bool) -> bool,
        ),
        property(
            "a_str_stays_well_formed",
            tests,
            a_str_stays_well_formed as fn(Bytes, String) -> bool,
        ),
        property(
            "byte_order_marks_are_obeyed",
            tests,
            byte_order_marks_are_obeyed as fn(Bytes, Vec<usize>) -> bool,
        ),
        property(
            "lone_surrogates_do_not_matter",
            tests,
            lone_surrogates_do_not_matter as fn(Scalars, u64, Vec<usize>) -> bool,
        ),
    ];
    run_jobs(profile, jobs.into_iter(), tally);
    run_jobs(profile, longest_outputs(profile), tally);
}

fn property<T: Testable + Copy + Send + Sync + 'static>(
    name: &'static str,
    tests: u64,
    property: T,
) -> Job {
    Box::new(move || -> Check {
        Box::new(move |tally| {
            let mut quickcheck = QuickCheck::new()
                .tests(tests)
                .max_tests(100 * tests)
                .min_tests_passed(0);
            match quickcheck.quicktest(property) {
                Ok(passed) => tally.count(passed),
                Err(result) => tally.differ(|| Failure {
                    encoding: "(see below)",
                    operation: name,
                    split: "-".into(),
                    input: format!("{result:?}"),
                    detail: "the property does not hold".into(),
                }),
            }
        })
    })
}
