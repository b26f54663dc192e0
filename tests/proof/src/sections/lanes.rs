//! Section B: every input of one and two bytes, and longer sequences of each class, at every offset within ASCII and
//! within text of non-ASCII characters.
//!
//! Each case is a separate chunk: filler of 0 to 130 bytes, the case, a reset, filler of another length. A call starts
//! a kernel at the start of the chunk, so that the case is in every lane of every block and of the remainder. Longer
//! sequences are also split into two chunks at each offset. If bytes do not depend on one another, a chunk has several
//! cases, and only the last case may be malformed.
//!
//! The quick profile tests a sample of the inputs at all offsets, and every input at some offsets. Of inputs of two
//! bytes, the sample of `cargo test` has one in four.

use super::DecodeStream;
use crate::engine::Modes;
use crate::expected::Decoding;
use crate::inputs::{UTF_32_UNITS, ascii, dense};
use crate::repertoire::enter;
use crate::report::Tally;
use crate::run::{Check, Job, Profile, SHARE, run as run_jobs};
use crate::subject::Subject;
use mojika_spec::Encoding;
use mojika_spec::Random;
use mojika_spec::odd::ESCAPES;
use std::sync::Arc;

/// The number of offsets from the start of a chunk that are tested.
const OFFSETS: usize = 131;
/// The number of different lengths of filler after a case.
const TAILS: usize = 80;
/// The distance between cases, if a chunk has several.
const STRIDE: usize = 10;

/// Runs section B.
pub fn run(profile: &Profile, tally: &Tally) {
    for subject in profile.subjects() {
        // The replacement decoder decodes no text before or after a case.
        if subject.spec == Encoding::Replacement {
            continue;
        }
        for context in contexts(subject) {
            let jobs = profile.share(SHARE, subject, jobs(&context, profile));
            run_jobs(profile, jobs, tally);
        }
    }
}

/// The work of a job. The number is the first byte of the job's inputs, or selects a part of all inputs.
type Part = fn(&mut Lanes, u8, bool);

fn jobs(context: &Arc<Context>, profile: &Profile) -> impl Iterator<Item = Job> + use<> {
    let full = profile.full;
    let every = if profile.in_turns { 4 } else { 1 };
    let single_byte = context.subject.is_single_byte();
    let pairs: Part = if single_byte {
        Lanes::pairs_by_stride
    } else {
        Lanes::pairs
    };
    let mut parts: Vec<(Part, u8)> = (0..=0xFF).map(|first| (pairs, first)).collect();
    if !full {
        parts.extend((0..4).map(|i| (Lanes::sample as Part, i)));
    }
    if !single_byte {
        parts.extend((0..LONGER_PARTS).map(|part| (Lanes::longer as Part, part)));
    }
    let context = context.clone();
    parts.into_iter().map(move |(part, i)| -> Job {
        let context = context.clone();
        Box::new(move || {
            let mut lanes = Lanes::new(context, i, every);
            part(&mut lanes, i, full);
            lanes.finish()
        })
    })
}

/// The text around a case.
struct Context {
    subject: Subject,
    /// Filler before a case, by its length.
    before: Vec<Piece>,
    /// Filler after the reset, by its length.
    behind: Vec<Piece>,
    /// The bytes that bring the decoder into the state of the filler, followed by a character. The oracle reads them
    /// before a case. Empty for the neutral state.
    lead_in: Vec<u8>,
    /// The length of a character in bytes. The filler has whole characters.
    unit: usize,
    /// The byte that fills the incomplete character before a case.
    rest: u8,
}

/// Bytes and their decoded text.
struct Piece {
    bytes: Vec<u8>,
    decoding: Decoding,
}

/// Returns contexts of ASCII and other text. ISO-2022-JP has one for each state, other stateful encodings one of pairs.
fn contexts(subject: Subject) -> Vec<Arc<Context>> {
    let ascii_filler = |random: &mut Random, length| ascii(subject, random, length);
    let dense_filler = |random: &mut Random, length| dense(subject, random, length);
    let mut contexts = vec![Context::new(subject, b"", &ascii_filler)];
    contexts.push(Context::new(subject, enter(subject), &dense_filler));
    if subject.spec == Encoding::Iso2022Jp {
        let in_range = |random: &mut Random, length: usize| {
            (0..length)
                .map(|_| 0x21 + random.below(0x3F) as u8)
                .collect()
        };
        contexts.push(Context::new(subject, ESCAPES[1], &in_range));
        contexts.push(Context::new(subject, ESCAPES[2], &in_range));
    }
    if let Some((shift, bytes)) = subject.shift() {
        let (first, count) = (*bytes.start(), bytes.len());
        let of_pairs = |random: &mut Random, length: usize| {
            let byte = |_| first + random.below(count) as u8;
            (0..length / 2 * 2).map(byte).collect()
        };
        contexts.push(Context::new(subject, shift, &of_pairs));
    }
    contexts.into_iter().map(Arc::new).collect()
}

impl Context {
    fn new(subject: Subject, enter: &[u8], filler: &dyn Fn(&mut Random, usize) -> Vec<u8>) -> Self {
        let random = &mut Random::from_seeds(&[subject.number() as u64, enter.len() as u64]);
        let lead_in = if enter.is_empty() {
            Vec::new()
        } else {
            [enter, &filler(random, 2)].concat()
        };
        let mut piece = |lead_in: &[u8], length| {
            let bytes = [lead_in, &filler(random, length)].concat();
            let decoding = Decoding::of(subject, &bytes);
            Piece { bytes, decoding }
        };
        let (unit, rest) = match subject.spec {
            // A lead byte of jis0208.
            Encoding::Iso2022Jp if enter == b"\x1B$B" => (2, 0x30),
            _ => match subject.shift() {
                Some((shift, bytes)) if enter == shift => (2, *bytes.start()),
                _ => (subject.ascii_length(), b'x'),
            },
        };
        Context {
            subject,
            unit,
            rest,
            before: (0..OFFSETS).map(|length| piece(&lead_in, length)).collect(),
            // If a reset ends a state, the filler after it is ASCII.
            behind: (0..TAILS)
                .map(|length| {
                    if lead_in.is_empty() {
                        piece(b"", length)
                    } else {
                        let bytes = vec![b'y'; length];
                        let decoding = Decoding::of(subject, &bytes);
                        Piece { bytes, decoding }
                    }
                })
                .collect(),
            lead_in,
        }
    }

    /// Returns a case with the reset after it, and the text to which they decode in this context.
    fn case(&self, case: &[u8]) -> Piece {
        let bytes = [case, &self.subject.reset(case.len())].concat();
        let input = [&self.lead_in[..], &bytes].concat();
        let decoding = Decoding::behind(self.subject, &input, self.lead_in.len());
        Piece { bytes, decoding }
    }
}

/// A stream of cases that is being built.
struct Lanes {
    context: Arc<Context>,
    random: Random,
    stream: DecodeStream,
    expected: Decoding,
    /// The step between the second bytes that [`pairs`](Self::pairs) tests.
    every: usize,
}

impl Lanes {
    fn new(context: Arc<Context>, i: u8, every: usize) -> Self {
        Lanes {
            random: Random::from_seeds(&[context.subject.number() as u64, i.into(), 0xB]),
            context,
            stream: DecodeStream::default(),
            expected: Decoding::default(),
            every,
        }
    }

    fn finish(self) -> Check {
        let subject = self.context.subject;
        self.stream
            .check_against(subject, Modes::Fatal, self.expected)
    }

    fn push(&mut self, piece: &Piece) {
        self.expected
            .append(&piece.decoding, self.stream.bytes.len());
        self.stream.bytes.extend_from_slice(&piece.bytes);
    }

    /// Ends a chunk with filler of a random length.
    fn end_chunk(&mut self) {
        let context = self.context.clone();
        let length = self.random.below(TAILS);
        self.push(&context.behind[length]);
        self.stream.ends.push(self.stream.bytes.len());
    }

    /// Tests a case at every `step`th offset; if `cut` is set, in two chunks, split after another byte each time.
    fn at_offsets(&mut self, case: &[u8], step: usize, cut: bool) {
        let context = self.context.clone();
        let pieces: Vec<Piece> = (0..context.unit)
            .map(|missing| context.case(&[&vec![context.rest; missing], case].concat()))
            .collect();
        for offset in (self.random.below(step)..OFFSETS).step_by(step) {
            let piece = &pieces[offset % context.unit];
            self.push(&context.before[offset]);
            if cut {
                let within = (offset / step + case[0] as usize) % (case.len() + 1);
                self.stream.ends.push(self.stream.bytes.len() + within);
            }
            self.push(piece);
            self.end_chunk();
            self.stream.cases += 1;
        }
    }

    /// Tests the input `first`, and the inputs of two bytes that begin with it: one in [`every`](Self::every).
    fn pairs(&mut self, first: u8, full: bool) {
        let step = if full { 1 } else { OFFSETS };
        self.at_offsets(&[first], step, false);
        let start = self.random.below(self.every) as u8;
        for second in (start..=0xFF).step_by(self.every) {
            self.at_offsets(&[first, second], step, false);
        }
    }

    /// Tests some inputs of two bytes at all offsets.
    fn sample(&mut self, _part: u8, _full: bool) {
        for _ in 0..12 {
            let pair = [self.random.byte(), self.random.byte()];
            self.at_offsets(&pair, 1, false);
        }
    }

    /// Tests one of the [`LONGER_PARTS`] of the longer sequences.
    fn longer(&mut self, part: u8, full: bool) {
        let step = if full { 1 } else { 43 };
        let sequences = longer_sequences(self.context.subject);
        for sequence in sequences
            .iter()
            .skip(part.into())
            .step_by(LONGER_PARTS.into())
        {
            self.at_offsets(sequence, step, true);
        }
    }

    /// Tests [`pairs`](Self::pairs) of a single-byte encoding, several in each chunk, up to a malformed one.
    fn pairs_by_stride(&mut self, first: u8, full: bool) {
        let context = self.context.clone();
        let pieces: Vec<Piece> = (0..=0xFF)
            .map(|second| {
                let bytes = vec![first, second];
                let decoding = Decoding::of(context.subject, &bytes);
                Piece { bytes, decoding }
            })
            .collect();
        if full {
            for second in 0..=0xFF {
                (0..STRIDE).for_each(|start| self.stride(&pieces, second, start));
            }
        } else {
            for second in (0..=0xFF).step_by(OFFSETS / STRIDE) {
                let start = self.random.below(STRIDE);
                self.stride(&pieces, second, start);
            }
        }
    }

    /// Tests offsets from `start` on, at a distance of [`STRIDE`]. The cases are the pieces from `second` on.
    fn stride(&mut self, pieces: &[Piece], second: u8, start: usize) {
        let context = self.context.clone();
        let mut filler = start;
        for (i, offset) in (start..OFFSETS).step_by(STRIDE).enumerate() {
            let piece = &pieces[usize::from(second.wrapping_add(i as u8))];
            self.push(&context.before[filler]);
            self.push(piece);
            self.stream.cases += 1;
            filler = STRIDE - 2;
            if !piece.decoding.errors.is_empty() {
                // An error ends the kernel's call, so that offsets would count from here: start a new chunk.
                self.end_chunk();
                filler = offset + STRIDE;
            }
        }
        self.end_chunk();
    }
}

/// The number of jobs for the longer sequences.
const LONGER_PARTS: u8 = 24;

/// Returns sequences of more than two bytes, for each class of well-formed and malformed sequences in the encoding.
fn longer_sequences(subject: Subject) -> Vec<Vec<u8>> {
    let bytes = |list: &[u8]| list.iter().map(|&byte| vec![byte]).collect::<Vec<_>>();
    match subject.spec {
        Encoding::Utf8 => product(&[
            bytes(&[
                0x41, 0x80, 0xBF, 0xC1, 0xC2, 0xDF, 0xE0, 0xE1, 0xEC, 0xED, 0xEE, 0xEF, 0xF0, 0xF1,
                0xF3, 0xF4, 0xF5, 0xFF,
            ]),
            bytes(&[0x41, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC2]),
            bytes(&[0x41, 0x80, 0xBF, 0xE1]),
            bytes(&[0x41, 0x80, 0xBF, 0xF0]),
        ]),
        Encoding::Utf16Be | Encoding::Utf16Le => {
            let units = [
                0x0041, 0x007F, 0x0080, 0x07FF, 0x0800, 0xD7FF, 0xD800, 0xDBFF, 0xDC00, 0xDFFF,
                0xE000, 0xFFFF,
            ]
            .map(|unit| subject.unit(unit).to_vec())
            .to_vec();
            product(&[units.clone(), units])
        }
        Encoding::Extended(extended) if extended.is_utf_32() => {
            let units = UTF_32_UNITS.map(|unit| extended.code_unit(unit).to_vec());
            product(&[units.to_vec(), units.to_vec()])
        }
        Encoding::Gbk | Encoding::Gb18030 => product(&[
            bytes(&[0x81, 0x84, 0x90, 0xE3, 0xFE]),
            bytes(&[0x2F, 0x30, 0x31, 0x39, 0x3A, 0x81]),
            bytes(&[0x80, 0x81, 0xA4, 0xFE, 0xFF]),
            bytes(&[0x2F, 0x30, 0x39, 0x3A]),
        ]),
        Encoding::EucJp => {
            let trails = [0x41, 0xA0, 0xA1, 0xA2, 0xB0, 0xED, 0xFE, 0xFF];
            product(&[bytes(&[0x8E, 0x8F]), bytes(&trails), bytes(&trails)])
        }
        Encoding::Iso2022Jp => {
            let escapes = ESCAPES.map(<[u8]>::to_vec);
            let between = ["", "a", "!", "0!", "\x1B", "\x1B$", "\x0E"].map(|text| text.into());
            product(&[escapes.to_vec(), between.to_vec(), escapes.to_vec()])
        }
        _ => Vec::new(),
    }
}

/// Returns all concatenations of one item from each list.
fn product(lists: &[Vec<Vec<u8>>]) -> Vec<Vec<u8>> {
    lists.iter().fold(vec![Vec::new()], |heads, list| {
        heads
            .iter()
            .flat_map(|head| list.iter().map(move |tail| [&head[..], tail].concat()))
            .collect()
    })
}
