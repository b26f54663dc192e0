//! Section A: short and longer inputs, each decoded separately and as part of a stream.

use super::{DecodeStream, failure, with_buffers};
use crate::engine::{Cut, Modes, ample, calmly, decode_fatal};
use crate::expected::{Decoding, DecodingRef};
use crate::inputs::{BOUNDARY_BYTES, UTF_32_UNITS};
use crate::repertoire::{Repertoire, enter};
use crate::report::{Tally, hex};
use crate::run::{Check, Job, Profile, SHARE, run as run_jobs};
use crate::subject::Subject;
use mojika_spec::Encoding;
use mojika_spec::Random;
use mojika_spec::odd::ESCAPES;
use std::collections::BTreeSet;

/// Runs section A.
pub fn run(profile: &Profile, tally: &Tally) {
    for subject in profile.subjects() {
        let full = profile.full;
        let run_share = |jobs: Box<dyn Iterator<Item = Job>>| {
            run_jobs(profile, profile.share(SHARE, subject, jobs), tally);
        };
        run_share(Box::new(alone(subject, full)));
        run_share(Box::new(in_streams(subject, full)));
        run_share(longer(subject, full));
        run_jobs(profile, well_formed(subject, profile.of(8, 1)), tally);
    }
}

/// Inputs that are each decoded as a separate stream.
struct Alone {
    subject: Subject,
    inputs: Vec<u8>,
    expected: Decoding,
    /// For each input, its end in `inputs`, and the ends of its text and errors in `expected`.
    ends: Vec<[usize; 4]>,
}

impl Alone {
    fn new(subject: Subject) -> Self {
        Alone {
            subject,
            inputs: Vec::new(),
            expected: Decoding::default(),
            ends: vec![[0; 4]],
        }
    }

    fn push(&mut self, input: &[u8]) {
        let mut decoding = Decoding::of(self.subject, input);
        self.inputs.extend_from_slice(input);
        self.expected.utf8.append(&mut decoding.utf8);
        self.expected.utf16.append(&mut decoding.utf16);
        self.expected.errors.append(&mut decoding.errors);
        self.ends.push([
            self.inputs.len(),
            self.expected.utf8.len(),
            self.expected.utf16.len(),
            self.expected.errors.len(),
        ]);
    }

    fn into_check(self) -> Check {
        Box::new(move |tally| {
            for pair in self.ends.windows(2) {
                let ([from, utf8, utf16, errors], to) = (pair[0], pair[1]);
                let input = &self.inputs[from..to[0]];
                let expected = DecodingRef {
                    utf8: &self.expected.utf8[utf8..to[1]],
                    utf16: &self.expected.utf16[utf16..to[2]],
                    errors: &self.expected.errors[errors..to[3]],
                };
                with_buffers(|buffers| {
                    let dst = buffers.bytes(ample(expected.utf8.len(), None));
                    let result = calmly(&mut || {
                        decode_fatal(self.subject, input, Cut::WHOLE, dst, expected)
                    });
                    self.report(tally, "decode to UTF-8, fatal", input, result);
                    let dst = buffers.units(ample(expected.utf16.len(), None));
                    let result = calmly(&mut || {
                        decode_fatal(self.subject, input, Cut::WHOLE, dst, expected)
                    });
                    self.report(tally, "decode to UTF-16, fatal", input, result);
                });
            }
            tally.count(2 * (self.ends.len() as u64 - 1));
        })
    }

    fn report(&self, tally: &Tally, operation: &str, input: &[u8], result: Result<(), String>) {
        if let Err(detail) = result {
            tally.differ(|| {
                failure(
                    self.subject,
                    operation,
                    Cut::WHOLE.describe(),
                    hex(input),
                    detail,
                )
            });
        }
    }
}

/// Returns jobs that decode all inputs of up to three bytes one by one; fewer in single-byte encodings or if not `full`.
fn alone(subject: Subject, full: bool) -> impl Iterator<Item = Job> {
    (0..=0xFF).map(move |first: u8| -> Job {
        Box::new(move || {
            let mut alone = Alone::new(subject);
            if first == 0 {
                alone.push(&[]);
            }
            alone.push(&[first]);
            let step = if full || !subject.is_single_byte() {
                1
            } else {
                15
            };
            for second in (0..=0xFF).step_by(step) {
                alone.push(&[first, second]);
                if full && !subject.is_single_byte() {
                    for third in 0..=0xFF {
                        alone.push(&[first, second, third]);
                    }
                }
            }
            alone.into_check()
        })
    })
}

/// Builds a stream of cases with resets between them.
struct Builder {
    subject: Subject,
    stream: DecodeStream,
    random: Random,
}

impl Builder {
    fn new(subject: Subject, seed: u64) -> Self {
        Builder {
            subject,
            stream: DecodeStream::default(),
            random: Random::from_seeds(&[subject.number() as u64, seed]),
        }
    }

    fn push(&mut self, case: &[u8]) {
        let bytes = &mut self.stream.bytes;
        bytes.extend_from_slice(case);
        bytes.extend(self.subject.reset(case.len()));
        self.stream.cases += 1;
        // Add a few letters to some cases, so that cases start in different lanes.
        if self.random.below(7) == 0 {
            let letters = 1 + self.random.below(3);
            bytes.extend(self.subject.ascii(&b"xyz"[..letters]));
        }
    }

    fn finish(self, modes: Modes) -> Check {
        self.stream.check(self.subject, modes)
    }
}

/// Returns jobs for every input of three bytes, in streams. The quick profile has all of two and some of three bytes.
fn in_streams(subject: Subject, full: bool) -> impl Iterator<Item = Job> {
    // The replacement decoder has no reset after its one error, so its inputs are only decoded alone.
    let firsts = if subject.spec == Encoding::Replacement {
        0..0
    } else {
        0..0x100
    };
    firsts.map(move |first| -> Job {
        let first = first as u8;
        Box::new(move || {
            let mut builder = Builder::new(subject, first.into());
            for second in 0..=0xFF {
                if full {
                    (0..=0xFF).for_each(|third| builder.push(&[first, second, third]));
                } else if subject.is_single_byte() {
                    builder.push(&[first, second]);
                } else {
                    builder.push(&[first, second]);
                    let third = *builder.random.pick(&BOUNDARY_BYTES);
                    builder.push(&[first, second, third]);
                }
            }
            builder.finish(Modes::Fatal)
        })
    })
}

/// Returns jobs that decode all characters of the encoding in random order, without sequences at which a kernel stops.
fn well_formed(subject: Subject, streams: u64) -> impl Iterator<Item = Job> {
    (0..streams).map(move |seed| -> Job {
        Box::new(move || {
            let random = &mut Random::from_seeds(&[subject.number() as u64, seed, 0xA]);
            let all = Repertoire::of(subject).shuffled(random);
            let mut stream = DecodeStream {
                cases: all.len() as u64,
                bytes: enter(subject).to_vec(),
                ends: Vec::new(),
            };
            for character in all {
                stream.bytes.extend_from_slice(&character.bytes);
                if random.below(60) == 0 && subject.engine.is_ascii_compatible() {
                    stream.bytes.push(random.ascii());
                }
            }
            stream.check(subject, Modes::All)
        })
    })
}

/// Returns jobs for sequences longer than three bytes, for encodings that have such sequences.
fn longer(subject: Subject, full: bool) -> Box<dyn Iterator<Item = Job>> {
    let four = if full { 5 } else { 3 };
    match subject.spec {
        Encoding::Gbk | Encoding::Gb18030 => {
            let in_shape = (0x81..=0xFE).map(move |first: u8| -> Job {
                Box::new(move || four_bytes_in_shape(subject, first, full))
            });
            let edges = single(&[
                0x00, 0x0A, 0x2F, 0x30, 0x31, 0x35, 0x38, 0x39, 0x3A, 0x40, 0x7E, 0x7F, 0x80, 0x81,
                0x82, 0x84, 0x85, 0x8F, 0x90, 0xA2, 0xE3, 0xE4, 0xFE, 0xFF,
            ]);
            Box::new(in_shape.chain(combined(subject, edges, if full { 4 } else { 3 }, false)))
        }
        Encoding::Utf8 => {
            let edges = single(&[
                0x00, 0x41, 0x7F, 0x80, 0x81, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2, 0xDF,
                0xE0, 0xE1, 0xEC, 0xED, 0xEE, 0xEF, 0xF0, 0xF1, 0xF3, 0xF4, 0xF5, 0xFF,
            ]);
            let all = combined(subject, edges.clone(), four, false);
            if full {
                return Box::new(all);
            }
            // The quick profile tests sequences of four bytes only after the lead bytes of such sequences.
            let tails = edges.into_iter().map(|edge| edge[0]).collect::<Vec<u8>>();
            Box::new(all.chain([four_bytes_behind_leads(subject, tails)]))
        }
        Encoding::Utf16Be | Encoding::Utf16Le => {
            let units = [
                0x0000, 0x0041, 0x007F, 0x0080, 0x00FF, 0x07FF, 0x0800, 0xD7FF, 0xD800, 0xDBFF,
                0xDC00, 0xDFFF, 0xE000, 0xFEFF, 0xFFFE, 0xFFFF,
            ];
            let units = units.map(|unit| subject.unit(unit).to_vec()).to_vec();
            Box::new(combined(subject, units, four, false))
        }
        Encoding::Extended(extended) if extended.is_utf_32() => {
            let units = UTF_32_UNITS.map(|unit| extended.code_unit(unit).to_vec());
            let all = (0..=0x110).map(move |batch: u32| -> Job {
                Box::new(move || {
                    let units = (batch << 12..(batch + 1) << 12).step_by(if full { 1 } else { 7 });
                    let mut builder = Builder::new(subject, batch.into());
                    units.for_each(|unit| builder.push(&extended.code_unit(unit)));
                    builder.finish(Modes::Both)
                })
            });
            let length = if full { 4 } else { 3 };
            Box::new(combined(subject, units.to_vec(), length, false).chain(all))
        }
        Encoding::EucJp => {
            let bytes = [
                0x00, 0x41, 0x7F, 0x80, 0x8E, 0x8F, 0x90, 0xA0, 0xA1, 0xA8, 0xB0, 0xDF, 0xE0, 0xFE,
                0xFF,
            ];
            Box::new(combined(subject, single(&bytes), four, false))
        }
        Encoding::Iso2022Jp => {
            let mut tokens: Vec<Vec<u8>> = ESCAPES.map(|escape| escape.to_vec()).to_vec();
            tokens.extend(
                [
                    &b"\x1B"[..],
                    b"\x1B$",
                    b"\x1B(",
                    b"\x24",
                    b"\x30",
                    b"\x7E",
                    b"\x5C",
                    b"\x0E",
                    b"\x0A",
                    b"\xA1",
                ]
                .map(<[u8]>::to_vec),
            );
            // Two tokens with the same effect as one above in every state. Their sequences have one token less.
            let mut more = tokens.clone();
            more.extend([vec![0x20], vec![0x80]]);
            let length = if full { 6 } else { 4 };
            let alone = combined(subject, more.clone(), length - 2, true);
            let streams = combined(subject, tokens, length, false).chain(combined(
                subject,
                more,
                length - 1,
                false,
            ));
            Box::new(streams.chain(alone))
        }
        Encoding::Big5 | Encoding::ShiftJis | Encoding::EucKr => {
            let length = if full { 4 } else { 2 };
            Box::new(combined(subject, single(&BOUNDARY_BYTES), length, false))
        }
        _ => Box::new(std::iter::empty()),
    }
}

/// Returns the pointers at the limits of the ranges in index gb18030 ranges.
fn range_edges() -> BTreeSet<usize> {
    mojika_spec::indexes::index_gb18030_ranges()
        .iter()
        .map(|&(pointer, _)| pointer)
        .chain([7457, 39_419, 189_000, 1_237_575])
        .flat_map(|pointer| pointer.saturating_sub(1)..=pointer + 1)
        .collect()
}

/// Checks all four-byte sequences of gb18030 that begin with `first`; in the quick profile, ranges' limits and a sample.
fn four_bytes_in_shape(subject: Subject, first: u8, full: bool) -> Check {
    let mut builder = Builder::new(subject, first.into());
    let edges = range_edges();
    let mut pointer = usize::from(first - 0x81) * 12_600;
    for second in 0x30..=0x39 {
        for third in 0x81..=0xFE {
            for fourth in 0x30..=0x39 {
                if full || pointer.is_multiple_of(23) || edges.contains(&pointer) {
                    // Most sequences need no reset, because well-formed ones end in the neutral state.
                    let bytes = &mut builder.stream.bytes;
                    bytes.extend([first, second, third, fourth]);
                    builder.stream.cases += 1;
                    if pointer.is_multiple_of(13) {
                        bytes.push(b'\n');
                    }
                }
                pointer += 1;
            }
        }
    }
    builder.finish(Modes::Both)
}

/// Returns the job for four-byte sequences of UTF-8: every lead byte from 0xEF on, with three of `tails`.
fn four_bytes_behind_leads(subject: Subject, tails: Vec<u8>) -> Job {
    Box::new(move || {
        let mut builder = Builder::new(subject, 4);
        for first in 0xEF..=0xF5 {
            for &second in &tails {
                for &third in &tails {
                    for &fourth in &tails {
                        builder.push(&[first, second, third, fourth]);
                    }
                }
            }
        }
        builder.finish(Modes::Both)
    })
}

/// Calls `visit` with every sequence of up to `length` of `tokens` that begins with the two tokens of these indexes.
fn each_combination(
    tokens: &[Vec<u8>],
    first: usize,
    second: usize,
    length: usize,
    visit: &mut dyn FnMut(&[u8]),
) {
    for rest in 0..=length.saturating_sub(2) {
        for mut number in 0..tokens.len().pow(rest as u32) {
            let mut bytes = [&tokens[first][..], &tokens[second]].concat();
            for _ in 0..rest {
                bytes.extend_from_slice(&tokens[number % tokens.len()]);
                number /= tokens.len();
            }
            visit(&bytes);
        }
    }
}

/// Returns jobs for every sequence of two to `length` tokens, in streams or, if `is_alone` is true, each decoded alone.
fn combined(
    subject: Subject,
    tokens: Vec<Vec<u8>>,
    length: usize,
    is_alone: bool,
) -> impl Iterator<Item = Job> {
    let count = tokens.len();
    let tokens = std::sync::Arc::new(tokens);
    (0..count * count).map(move |pair| -> Job {
        let tokens = tokens.clone();
        Box::new(move || {
            let each = |visit: &mut dyn FnMut(&[u8])| {
                each_combination(&tokens, pair / count, pair % count, length, visit);
            };
            if is_alone {
                let mut alone = Alone::new(subject);
                each(&mut |bytes| alone.push(bytes));
                return alone.into_check();
            }
            let mut builder = Builder::new(subject, pair as u64);
            each(&mut |bytes| builder.push(bytes));
            builder.finish(Modes::Both)
        })
    })
}

/// Returns one token for each of these bytes.
fn single(bytes: &[u8]) -> Vec<Vec<u8>> {
    bytes.iter().map(|&byte| vec![byte]).collect()
}
