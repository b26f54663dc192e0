//! Section C: every scalar value through every encoder, alone and within text, and lone surrogates.

use super::compare_encode;
use crate::engine::{Cut, Modes};
use crate::expected::{Encoded, Text};
use crate::repertoire::Repertoire;
use crate::report::Tally;
use crate::run::{Check, Job, Profile, SHARE, run as run_jobs};
use crate::subject::Subject;
use mojika_spec::Random;
use std::collections::BTreeSet;

/// The text before each scalar value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Run {
    /// No text: the scalar values in their order.
    Nothing,
    /// 0 to 20 ASCII characters.
    Ascii,
    /// 0 to 9 characters of the encoding.
    Dense,
    /// U+00A5, after which the encoder of ISO-2022-JP is in the Roman state.
    Yen,
}

/// Scalar values per job.
const BATCH: u32 = 0x1000;

/// Runs section C.
pub fn run(profile: &Profile, tally: &Tally) {
    for subject in profile.subjects().filter(|subject| subject.encodes()) {
        let full = profile.full;
        let scalar_values = profile.share(SHARE, subject, scalar_values(subject, full));
        run_jobs(profile, scalar_values, tally);
        run_jobs(profile, surrogates(subject, full), tally);
        run_jobs(profile, mappable(subject, profile.of(8, 1)), tally);
    }
}

fn scalar_values(subject: Subject, full: bool) -> impl Iterator<Item = Job> {
    let batches = 0..0x110000 / BATCH;
    // The quick profile has all of the first plane, and a sample of the other planes.
    batches
        .filter(move |&batch| full || batch < 0x10000 / BATCH || batch.is_multiple_of(0x4F))
        .flat_map(move |batch| {
            let scalars = move |run| -> Vec<char> {
                // Without text before scalar values, encoding all of a plane takes little time.
                let step = if full || run == Run::Nothing { 1 } else { 11 };
                (batch * BATCH..(batch + 1) * BATCH)
                    .skip(batch as usize % step)
                    .step_by(step)
                    .filter_map(char::from_u32)
                    .collect()
            };
            let mut jobs: Vec<Job> = Vec::new();
            if full {
                jobs.push(Box::new(move || {
                    let alone = scalars(Run::Nothing).into_iter().map(|c| Text::of(&[c]));
                    check(subject, alone.collect(), Modes::Fatal, 1)
                }));
            }
            for run in [Run::Nothing, Run::Ascii, Run::Dense, Run::Yen] {
                jobs.push(Box::new(move || in_runs(subject, &scalars(run), run)));
            }
            jobs
        })
}

/// Returns the check of these texts, with `cases` cases each.
fn check(subject: Subject, texts: Vec<Text>, modes: Modes, cases: u64) -> Check {
    let encoded = texts
        .into_iter()
        .map(|text| (Encoded::of(subject, &text), text));
    let encoded: Vec<(Encoded, Text)> = encoded.collect();
    Box::new(move |tally| {
        for (expected, text) in &encoded {
            compare_encode(subject, text, Cut::WHOLE, modes, expected, tally, cases);
        }
    })
}

fn in_runs(subject: Subject, scalars: &[char], run: Run) -> Check {
    let first = scalars.first().map_or(0, |&c| c.into());
    let mut random = Random::from_seeds(&[subject.number() as u64, first, run as u64]);
    let repertoire = Repertoire::of(subject);
    let mut text = Vec::new();
    for &c in scalars {
        match run {
            Run::Nothing => {}
            Run::Ascii => {
                let length = random.below(21);
                text.extend((0..length).map(|_| char::from(random.ascii())));
            }
            Run::Dense => {
                let length = random.below(20);
                let dense = repertoire.dense(&mut random, length);
                text.extend(dense.into_iter().flat_map(|c| c.text.iter().copied()));
            }
            Run::Yen => text.push('¥'),
        }
        text.push(c);
    }
    let cases = scalars.len() as u64;
    check(subject, vec![Text::of(&text)], Modes::Both, cases)
}

/// Returns jobs that encode all characters of the encoding in random order, without characters at which a kernel stops.
fn mappable(subject: Subject, streams: u64) -> impl Iterator<Item = Job> {
    (0..streams).map(move |seed| -> Job {
        Box::new(move || {
            let random = &mut Random::from_seeds(&[subject.number() as u64, seed, 0xC]);
            let all = Repertoire::of(subject).shuffled(random);
            let mut scalars: Vec<char> = all.iter().flat_map(|c| c.text.iter().copied()).collect();
            // Leave out characters that are decoded but not encoded.
            let unmappables: BTreeSet<char> = Encoded::of(subject, &Text::of(&scalars))
                .unmappables
                .iter()
                .map(|unmappable| unmappable.scalar)
                .collect();
            scalars.retain(|c| !unmappables.contains(c));
            let cases = scalars.len() as u64;
            check(subject, vec![Text::of(&scalars)], Modes::All, cases)
        })
    })
}

/// Returns jobs that test every surrogate before every kind of neighbour, alone and in sequences.
fn surrogates(subject: Subject, full: bool) -> impl Iterator<Item = Job> {
    (0xD8..0xE0).map(move |high: u16| -> Job {
        Box::new(move || {
            let neighbours = [
                0x41, 0x80, 0x3042, 0xD7FF, 0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0xE000, 0xFFFF,
            ];
            let mut random = Random::from_seeds(&[subject.number() as u64, high.into()]);
            let mut stream = Vec::new();
            let mut texts = Vec::new();
            for low in (0..0x100).step_by(if full { 1 } else { 51 }) {
                let unit = high << 8 | low;
                texts.push(Text::of_units(&[unit]));
                for neighbour in neighbours {
                    stream.extend_from_slice(&[unit, neighbour, 0x61, neighbour, unit]);
                    stream.extend((0..random.below(40)).map(|_| 0x62));
                    if full {
                        texts.push(Text::of_units(&[unit, neighbour]));
                        texts.push(Text::of_units(&[neighbour, unit]));
                    }
                }
            }
            texts.push(Text::of_units(&stream));
            check(subject, texts, Modes::Both, 1)
        })
    })
}
