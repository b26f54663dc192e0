//! Section D: the result depends neither on chunks, nor on output sizes, nor on alignment.

use super::{compare_decode, compare_encode, failure};
use crate::engine::{Cut, Modes, ample, calmly, decode_fatal, encode_fatal};
use crate::expected::{Decoding, Encoded, Text};
use crate::inputs::{noise, text, units};
use crate::repertoire::{Repertoire, enter};
use crate::report::{Tally, hex};
use crate::run::{Check, Job, Profile, run as run_jobs};
use crate::subject::Subject;
use mojika_spec::Random;
use std::ops::RangeInclusive;

/// The output sizes in units. All sizes are tested, the smallest ones only with operations for which they suffice.
const ROOMS: RangeInclusive<usize> = 2..=64;
/// The length of inputs that are split into three chunks at every pair of offsets.
const SHORT: usize = 18;
/// The number of alignments that are tested.
const ALIGNMENTS: usize = 64;

/// Runs section D.
pub fn run(profile: &Profile, tally: &Tally) {
    let full = profile.full;
    for subject in profile.subjects() {
        let (cuts, aligned) = (profile.of(16, 3), profile.of(8, 2));
        let mut kinds: Vec<(Kind, u64)> = vec![
            (decode_short, cuts),
            (decode_long, cuts),
            (decode_aligned, aligned),
        ];
        if subject.encodes() {
            kinds.extend([
                (encode_short as Kind, cuts),
                (encode_long, cuts),
                (encode_aligned, aligned),
            ]);
        }
        // For each kind, a sample takes one seed, which depends on the encoding.
        let jobs = kinds.into_iter().flat_map(|(kind, seeds)| {
            let all =
                (0..seeds).map(move |seed| -> Job { Box::new(move || kind(subject, seed, full)) });
            profile.share(seeds as usize, subject, all)
        });
        run_jobs(profile, jobs, tally);
    }
}

/// A function that takes a seed and returns the check of its cases.
type Kind = fn(Subject, u64, bool) -> Check;

/// Splits `length` units in every way into two and three chunks, some with empty chunks between.
///
/// Calls `visit` with the split, the output size, and a number that changes with each call. The full profile has all
/// sizes. The quick one has, for each split, two sizes that change, and one that only UTF-16 can use.
fn each_cut(length: usize, full: bool, mut visit: impl FnMut(Cut<'_>, usize)) {
    let (mut turn, mut visits) = (0, 0);
    for first in 0..=length {
        for second in first..=length {
            turn += 1;
            // Two equal offsets make an empty chunk. Three in four splits have additional empty chunks:
            let ends: &[usize] = match turn % 4 {
                0 => &[first, first, second],
                1 => &[0, first, second, second, length],
                2 => &[first, second, length, length],
                _ => &[first, second],
            };
            let mut visit = |room| {
                visits += 1;
                let cut = Cut {
                    ends,
                    room,
                    ..Cut::WHOLE
                };
                // This number is out of step with the sizes, so that all combinations occur.
                visit(cut, visits + turn / 2);
            };
            if full {
                ROOMS.for_each(|room| visit(Some(room)));
                visit(None);
            } else {
                for room in [4 + turn % 7, 4 + turn * 7 % 61, 2 + turn % 2] {
                    visit(Some(room));
                }
            }
        }
    }
}

/// Returns odd input of about `length` bytes that certainly contains text of non-ASCII characters.
fn odd_input(subject: Subject, random: &mut Random, length: usize) -> Vec<u8> {
    let mut bytes = noise(subject, random, length / 2);
    bytes.extend(enter(subject));
    while bytes.len() < length {
        match Repertoire::of(subject).character(random) {
            Some(character) if random.below(5) > 0 => bytes.extend(&character.bytes),
            _ => bytes.push(random.byte()),
        }
    }
    bytes
}

fn decode_short(subject: Subject, seed: u64, full: bool) -> Check {
    let random = &mut Random::from_seeds(&[subject.number() as u64, seed, 0xD]);
    let bytes = odd_input(subject, random, SHORT);
    let expected = Decoding::of(subject, &bytes);
    Box::new(move |tally| {
        each_cut(bytes.len(), full, |cut, turn| {
            let modes = Modes::Turn(turn);
            compare_decode(subject, &bytes, cut, modes, &expected, tally, 1);
        });
    })
}

/// Tests input of several blocks in two chunks, split at every offset, and in many chunks, split at random.
fn decode_long(subject: Subject, seed: u64, full: bool) -> Check {
    let random = &mut Random::from_seeds(&[subject.number() as u64, seed, 0xD0]);
    let length = 100 + random.below(300);
    let bytes = if seed.is_multiple_of(2) {
        odd_input(subject, random, length)
    } else {
        noise(subject, random, length)
    };
    let expected = Decoding::of(subject, &bytes);
    let random = random.clone();
    Box::new(move |tally| {
        each_long_cut(bytes.len(), full, random.clone(), |cut, turn| {
            let modes = Modes::Turn(turn);
            compare_decode(subject, &bytes, cut, modes, &expected, tally, 1);
        });
    })
}

fn each_long_cut(
    length: usize,
    full: bool,
    mut random: Random,
    mut visit: impl FnMut(Cut<'_>, usize),
) {
    for first in (0..=length).step_by(if full { 1 } else { 11 }) {
        let mut ends = vec![first];
        for _ in 0..random.below(4) {
            let end = random.below(length + 1);
            ends.extend([end; 2].iter().take(1 + random.below(2)));
        }
        ends.sort_unstable();
        let room = random.below(140);
        let capacities = [None, Some(4 + room), Some(64 + room)];
        for room in &capacities[..if full { 3 } else { 2 }] {
            for ends in [&ends[..1], &ends] {
                let cut = Cut {
                    ends,
                    room: *room,
                    ..Cut::WHOLE
                };
                visit(cut, random.below(4));
            }
        }
    }
}

fn odd_text(subject: Subject, random: &mut Random, seed: u64, length: usize) -> Text {
    if seed % 3 == 2 {
        Text::of_units(&units(subject, random, length))
    } else {
        Text::of(&text(subject, random, length))
    }
}

fn encode_short(subject: Subject, seed: u64, full: bool) -> Check {
    let random = &mut Random::from_seeds(&[subject.number() as u64, seed, 0xDE]);
    let text = odd_text(subject, random, seed, SHORT / 2);
    let expected = Encoded::of(subject, &text);
    let length = text
        .utf8
        .as_ref()
        .map_or(text.utf16.len(), String::len)
        .min(2 * SHORT);
    Box::new(move |tally| {
        each_cut(length, full, |cut, turn| {
            let modes = Modes::Turn(turn);
            compare_encode(subject, &text, cut, modes, &expected, tally, 1);
        });
    })
}

fn encode_long(subject: Subject, seed: u64, full: bool) -> Check {
    let random = &mut Random::from_seeds(&[subject.number() as u64, seed, 0xDE0]);
    let length = 100 + random.below(200);
    let text = odd_text(subject, random, seed, length);
    let expected = Encoded::of(subject, &text);
    let random = random.clone();
    Box::new(move |tally| {
        each_long_cut(text.utf16.len(), full, random.clone(), |cut, turn| {
            let modes = Modes::Turn(turn);
            compare_encode(subject, &text, cut, modes, &expected, tally, 1);
        });
    })
}

/// Memory for slices of any alignment.
struct Aligned<T>(Vec<T>);

impl<T: Copy + Default> Aligned<T> {
    fn new(length: usize) -> Self {
        Aligned(vec![T::default(); length + 2 * ALIGNMENTS])
    }

    /// Returns `length` units that start `alignment` bytes (rounded down to whole units) after a multiple of 64.
    fn at(&mut self, alignment: usize, length: usize) -> &mut [T] {
        let address = self.0.as_ptr() as usize;
        let start = (address.next_multiple_of(ALIGNMENTS) - address + alignment) / size_of::<T>();
        &mut self.0[start..start + length]
    }
}

/// Calls `visit` with alignments of input and output: with all pairs, or with each alignment of either once.
fn each_alignment(full: bool, mut visit: impl FnMut(usize, usize)) {
    for source in 0..ALIGNMENTS {
        for destination in 0..ALIGNMENTS {
            if full || (source * 29 + 7) % ALIGNMENTS == destination {
                visit(source, destination);
            }
        }
    }
}

fn report<T: std::fmt::UpperHex>(
    tally: &Tally,
    subject: Subject,
    operation: &str,
    input: &[T],
    [from, to]: [usize; 2],
    mut work: impl FnMut() -> Result<(), String>,
) {
    tally.count(1);
    if let Err(detail) = calmly(&mut work) {
        let split = format!("source at {from} and destination at {to} past a multiple of 64");
        tally.differ(|| failure(subject, operation, split, hex(input), detail));
    }
}

fn decode_aligned(subject: Subject, seed: u64, full: bool) -> Check {
    let random = &mut Random::from_seeds(&[subject.number() as u64, seed, 0xDA]);
    let length = 120 + random.below(200);
    let bytes = noise(subject, random, length);
    let expected = Decoding::of(subject, &bytes);
    Box::new(move |tally| {
        let mut source = Aligned::<u8>::new(bytes.len());
        let mut utf8 = Aligned::<u8>::new(ample(expected.utf8.len(), None));
        let mut utf16 = Aligned::<u16>::new(ample(expected.utf16.len(), None));
        each_alignment(full, |from, to| {
            let src = source.at(from, bytes.len());
            src.copy_from_slice(&bytes);
            let dst = utf8.at(to, ample(expected.utf8.len(), None));
            report(
                tally,
                subject,
                "decode to UTF-8, fatal",
                &bytes,
                [from, to],
                || decode_fatal::<u8>(subject, src, Cut::WHOLE, dst, expected.as_ref()),
            );
            let dst = utf16.at(to, ample(expected.utf16.len(), None));
            report(
                tally,
                subject,
                "decode to UTF-16, fatal",
                &bytes,
                [from, to],
                || decode_fatal::<u16>(subject, src, Cut::WHOLE, dst, expected.as_ref()),
            );
        });
    })
}

fn encode_aligned(subject: Subject, seed: u64, full: bool) -> Check {
    let random = &mut Random::from_seeds(&[subject.number() as u64, seed, 0xDEA]);
    let length = 80 + random.below(150);
    let text = Text::of(&text(subject, random, length));
    let expected = Encoded::of(subject, &text);
    Box::new(move |tally| {
        let utf8 = text.utf8.as_deref().unwrap_or("");
        let mut as_utf8 = Aligned::<u8>::new(utf8.len());
        let mut as_utf16 = Aligned::<u16>::new(text.utf16.len());
        let room = ample(expected.bytes.len(), None);
        let mut bytes = Aligned::<u8>::new(room);
        each_alignment(full, |from, to| {
            let src = as_utf8.at(from, utf8.len());
            src.copy_from_slice(utf8.as_bytes());
            let src = std::str::from_utf8(src).expect("a copy of UTF-8");
            let dst = bytes.at(to, room);
            report(
                tally,
                subject,
                "encode from UTF-8, fatal",
                &text.utf16,
                [from, to],
                || encode_fatal(subject, src, Cut::WHOLE, dst, &expected),
            );
            let src = as_utf16.at(from, text.utf16.len());
            src.copy_from_slice(&text.utf16);
            report(
                tally,
                subject,
                "encode from UTF-16, fatal",
                &text.utf16,
                [from, to],
                || encode_fatal(subject, &*src, Cut::WHOLE, dst, &expected),
            );
        });
    })
}
