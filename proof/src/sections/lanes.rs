//! Section B: every input of two bytes at every offset inside ASCII and inside dense text.
//!
//! Each case is a chunk of its own: filler of 0 to 130 bytes, the two bytes, a reset, filler of another length. A call
//! starts a kernel at the chunk's start and meets the two bytes at every lane of every block and tail.

use super::DecodeStream;
use crate::engine::Modes;
use crate::expected::Decoding;
use crate::inputs::{ESCAPES, ascii, dense};
use crate::random::Random;
use crate::repertoire::enter;
use crate::report::Tally;
use crate::run::{Check, Job, Profile, run as run_jobs};
use crate::subject::Subject;
use mojika_spec::Encoding;
use std::sync::Arc;

/// Offsets from the start of a chunk.
const OFFSETS: usize = 131;
/// Lengths of the filler behind a case.
const TAILS: usize = 80;

/// Runs section B.
pub fn run(profile: &Profile, tally: &Tally) {
    for subject in profile.subjects() {
        // It has no text to be inside of.
        if subject.spec == Encoding::Replacement {
            continue;
        }
        for context in contexts(subject) {
            let full = profile.full;
            // Jobs are few in the quick profile: a sample of first bytes each.
            let jobs = (0..if full { 0x100 } else { 4 }).map(|i| -> Job {
                let context = context.clone();
                Box::new(move || sweep(&context, i, full))
            });
            run_jobs(profile, jobs, tally);
        }
    }
}

/// Text to be inside of.
struct Context {
    subject: Subject,
    /// Filler by length, ahead of the case.
    before: Vec<Piece>,
    /// Filler by length, behind the reset.
    behind: Vec<Piece>,
    /// What puts the decoder into the state of the filler, and a first character of it: what the oracle gets ahead
    /// of a case. Empty where the state is the neutral one.
    lead_in: Vec<u8>,
}

/// Bytes and what they decode to.
struct Piece {
    bytes: Vec<u8>,
    decoding: Decoding,
}

/// ASCII and dense text; in ISO-2022-JP, each of its states.
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
    contexts.into_iter().map(Arc::new).collect()
}

impl Context {
    fn new(subject: Subject, enter: &[u8], filler: &dyn Fn(&mut Random, usize) -> Vec<u8>) -> Self {
        let random = &mut Random::new(&[subject.number() as u64, enter.len() as u64]);
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
        Context {
            subject,
            before: (0..OFFSETS).map(|length| piece(&lead_in, length)).collect(),
            // Behind a reset of ISO-2022-JP stands ASCII.
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

    /// A case with its reset, and what it decodes to inside this text.
    fn case(&self, case: &[u8]) -> Piece {
        let bytes = [case, &self.subject.reset(case.len())].concat();
        let input = [&self.lead_in[..], &bytes].concat();
        let decoding = Decoding::behind(self.subject, &input, self.lead_in.len());
        Piece { bytes, decoding }
    }
}

/// The cases with one first byte, or the `i`th sample.
fn sweep(context: &Context, i: usize, full: bool) -> Check {
    let subject = context.subject;
    let mut random = Random::new(&[subject.number() as u64, i as u64, 0xB]);
    let mut stream = DecodeStream::default();
    let mut expected = Decoding::default();
    let cases: Vec<[u8; 2]> = if full && subject.is_single_byte() {
        // Where bytes do not depend on one another, 16 neighbours of each will do.
        (0..16)
            .map(|second| [i as u8, 16 * second + (i as u8 & 15)])
            .collect()
    } else if full {
        (0..=0xFF).map(|second| [i as u8, second]).collect()
    } else {
        (0..12).map(|_| [random.byte(), random.byte()]).collect()
    };
    for [first, second] in cases {
        let even = context.case(&[first, second]);
        // In UTF-16 the two bytes also lie across two code units.
        let odd = subject
            .is_utf_16()
            .then(|| context.case(&[b'x', first, second]));
        for offset in 0..OFFSETS {
            let case = match &odd {
                Some(odd) if offset % 2 == 1 => odd,
                _ => &even,
            };
            let behind = random.below(TAILS);
            for piece in [&context.before[offset], case, &context.behind[behind]] {
                expected.append(&piece.decoding, stream.bytes.len());
                stream.bytes.extend_from_slice(&piece.bytes);
            }
            stream.ends.push(stream.bytes.len());
            stream.cases += 1;
        }
    }
    stream.check_against(subject, Modes::Fatal, expected)
}
