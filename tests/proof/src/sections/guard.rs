//! Section E: input and output next to inaccessible pages, before or after them.
//!
//! An access to such a page ends the process. The section therefore runs in a child process with one thread, which
//! prints each input before it uses it; see [`supervise`].

use super::failure;
use crate::engine::{self, Cut, Difference, Form, calmly, decode_fatal, encode, encode_fatal};
use crate::expected::{Decoding, Encoded, Text};
use crate::guarded::{Flush, Guarded, Plain};
use crate::inputs::{ascii, dense, noise, text};
use crate::repertoire::enter;
use crate::report::{Tally, hex};
use crate::run::{Check, Job, Profile, SHARE, run as run_jobs};
use crate::subject::Subject;
use mojika::{BomHandling, Decoder};
use mojika_drive::{Coder, How, Memory, Output, Source, Unit, run as drive, untouched};
use mojika_spec::Random;
use std::io::{BufRead, BufReader, Write};
use std::process::{Command, Stdio};

/// The maximum input length.
const LONGEST: usize = 200;

const FLUSH: [(Flush, Flush); 4] = [
    (Flush::End, Flush::End),
    (Flush::Start, Flush::Start),
    (Flush::End, Flush::Start),
    (Flush::Start, Flush::End),
];

/// Runs section E in this process.
pub fn run(profile: &Profile, tally: &Tally) {
    let one = Profile {
        jobs: 1,
        ..profile.clone()
    };
    let step = profile.of(1, 13);
    let full = profile.full;
    for subject in profile.subjects() {
        let jobs = (0..=LONGEST).step_by(step).flat_map(|length| {
            let mut jobs: Vec<Job> = vec![Box::new(move || decode(subject, length, full))];
            if subject.encodes() {
                jobs.push(Box::new(move || encode(subject, length, full)));
            }
            jobs
        });
        run_jobs(&one, profile.share(SHARE / 2, subject, jobs), tally);
    }
}

/// Runs section E in a child process: this program with `arguments`. Returns the numbers of cases and differences.
///
/// The child ends with a line `guarded CASES DIFFERENCES`. If it crashes, its last input is printed and counts as a
/// difference.
pub fn supervise(program: &std::path::Path, arguments: &[String]) -> std::io::Result<(u64, u64)> {
    let mut child = Command::new(program)
        .args(arguments)
        .stdout(Stdio::piped())
        .spawn()?;
    let mut last = String::new();
    if let Some(stdout) = child.stdout.take() {
        for line in BufReader::new(stdout).lines() {
            last = line?;
        }
    }
    let status = child.wait()?;
    let mut words = last.strip_prefix("guarded ").unwrap_or("").split(' ');
    let mut number = || words.next().and_then(|word| word.parse().ok());
    if let (true, Some(cases), Some(differences)) = (status.code().is_some(), number(), number()) {
        return Ok((cases, differences));
    }
    eprintln!("DIFFERENCE a stray access ended the process ({status}); its last input:\n  {last}");
    Ok((0, 1))
}

fn say(subject: Subject, operation: &str, input: &str) {
    let mut stdout = std::io::stdout().lock();
    // Ignore a closed pipe, and continue.
    let _ = writeln!(
        stdout,
        "{} [{}] {operation}: {input}",
        subject.name(),
        mojika::simd::level()
    );
    let _ = stdout.flush();
}

/// Returns the output sizes to test for a result of `length` units: exact, one less, larger, very small.
fn capacities(length: usize, least: usize, random: &mut Random, full: bool) -> Vec<usize> {
    let mut capacities = vec![length, length.saturating_sub(1), least, 64 + least];
    if full {
        capacities.extend([length + 63, random.below(length + 70), random.below(80)]);
    }
    capacities.into_iter().map(|room| room.max(least)).collect()
}

fn decode(subject: Subject, length: usize, full: bool) -> Check {
    let random = &mut Random::from_seeds(&[subject.number() as u64, length as u64, 0xE]);
    let mut inputs = vec![
        ascii(subject, random, length),
        [enter(subject), &dense(subject, random, length)].concat(),
        noise(subject, random, length),
    ];
    if full {
        inputs.push(dense(subject, random, length));
        for _ in 0..4 {
            // This input is well-formed, except near its end.
            let tail = random.below(12).min(length);
            let mut input = dense(subject, random, length - tail);
            input.extend(noise(subject, random, tail));
            inputs.push(input);
        }
    }
    let random = random.clone();
    let inputs: Vec<_> = inputs
        .into_iter()
        .map(|input| {
            let decoding = Decoding::of(subject, &input);
            (input, decoding)
        })
        .collect();
    Box::new(move |tally| {
        let mut source = Guarded::new(8 * LONGEST);
        let mut target = Guarded::new(32 * LONGEST);
        let mut random = random.clone();
        for (input, decoding) in &inputs {
            say(subject, "decode", &hex(input));
            for (from, to) in FLUSH {
                let src = source.slice::<u8>(input.len(), from);
                src.copy_from_slice(input);
                let mut run = Guards {
                    subject,
                    src,
                    target: &mut target,
                    to,
                    tally,
                };
                run.decode::<u8>(decoding, &mut random, full);
                run.decode::<u16>(decoding, &mut random, full);
            }
        }
    })
}

struct Guards<'a, S: ?Sized> {
    subject: Subject,
    src: &'a S,
    target: &'a mut Guarded,
    to: Flush,
    tally: &'a Tally,
}

impl<S: ?Sized> Guards<'_, S> {
    fn report(
        &self,
        operation: &str,
        memory: Memory,
        room: Option<usize>,
        input: String,
        result: Result<(), String>,
    ) {
        self.tally.count(1);
        if let Err(detail) = result {
            self.tally.differ(|| {
                failure(
                    self.subject,
                    operation,
                    format!(
                        "output ({memory:?}) of {room:?} flush against its pages' {:?}",
                        self.to
                    ),
                    input,
                    detail,
                )
            });
        }
    }
}

impl Guards<'_, [u8]> {
    fn decode<U: Form + Plain>(&mut self, decoding: &Decoding, random: &mut Random, full: bool) {
        let expected = decoding.as_ref();
        let text = U::of(&expected);
        // One call, with exactly the memory that the text needs, so that the guard page begins at the end of the text.
        for &memory in U::MEMORIES {
            let dst = self.target.slice::<U>(text.len().max(U::LEAST), self.to);
            let cut = Cut {
                memory,
                ..Cut::WHOLE
            };
            let result =
                calmly(&mut || decode_fatal::<U>(self.subject, self.src, cut, dst, expected));
            self.report(U::NAME, memory, None, hex(self.src), result);
        }
        let replaced = engine::replaced::<U>(&expected);
        for room in capacities(replaced.len(), U::LEAST, random, full) {
            let memory = *random.pick(U::MEMORIES);
            let mut decoder = Decoder::new(self.subject.engine, BomHandling::Keep);
            let result = self.in_windows(&mut decoder, memory, room, &replaced);
            self.report(U::NAME, memory, Some(room), hex(self.src), result);
        }
    }
}

/// Outputs that start or end at a guard page, one for each call.
struct Flushed<'a, U> {
    target: &'a mut Guarded,
    to: Flush,
    room: usize,
    got: Vec<U>,
}

impl<U: Unit + Plain> Output<U> for Flushed<'_, U> {
    fn room(&mut self) -> Result<&mut [U], Difference> {
        let dst = self.target.slice::<U>(self.room, self.to);
        dst.fill(U::CANARY);
        Ok(dst)
    }

    fn take(&mut self, written: usize) -> Result<(), Difference> {
        let dst = self.target.slice::<U>(self.room, self.to);
        self.got.extend_from_slice(&dst[..written]);
        untouched(&dst[written..])
    }
}

impl<S: Source + ?Sized> Guards<'_, S> {
    /// Converts in several calls, each with an output of `room` units.
    fn in_windows<C: Coder<S, U>, U: Unit + Plain>(
        &mut self,
        coder: &mut C,
        memory: Memory,
        room: usize,
        expected: &[U],
    ) -> Result<(), Difference> {
        let mut out = Flushed {
            target: &mut *self.target,
            to: self.to,
            room,
            got: Vec::with_capacity(expected.len()),
        };
        let how = How::LENIENT.to(memory);
        calmly(&mut || drive(coder, [self.src], &mut out, how, |_, _, _| Ok(())).map(|_| ()))?;
        match out.got == expected {
            true => Ok(()),
            false => Err(format!(
                "engine {}, oracle {}",
                hex(&out.got),
                hex(expected)
            )),
        }
    }
}

fn encode(subject: Subject, length: usize, full: bool) -> Check {
    let random = &mut Random::from_seeds(&[subject.number() as u64, length as u64, 0xEE]);
    let mut texts = vec![
        (0..length).map(|_| char::from(random.ascii())).collect(),
        text(subject, random, length),
    ];
    for _ in 0..if full { 6 } else { 1 } {
        // This text consists of characters of the encoding, except near its end.
        let mut dense: Vec<char> = crate::repertoire::Repertoire::of(subject)
            .dense(random, 2 * length)
            .into_iter()
            .flat_map(|character| character.text.iter().copied())
            .take(length)
            .collect();
        let tail = random.below(4).min(dense.len());
        dense.truncate(dense.len() - tail);
        dense.extend(text(subject, random, tail));
        texts.push(dense);
    }
    let random = random.clone();
    let texts: Vec<(Text, Encoded)> = texts
        .iter()
        .map(|scalars| {
            let text = Text::of(scalars);
            let encoded = Encoded::of(subject, &text);
            (text, encoded)
        })
        .collect();
    Box::new(move |tally| {
        let mut source = Guarded::new(8 * LONGEST);
        let mut target = Guarded::new(64 * LONGEST);
        let mut random = random.clone();
        for (text, expected) in &texts {
            say(subject, "encode", &hex(&text.utf16));
            for (from, to) in FLUSH {
                let input = || hex(&text.utf16);
                if let Some(utf8) = &text.utf8 {
                    let src = source.slice::<u8>(utf8.len(), from);
                    src.copy_from_slice(utf8.as_bytes());
                    let src = std::str::from_utf8(src).expect("a copy of UTF-8");
                    let mut run = Guards {
                        subject,
                        src,
                        target: &mut target,
                        to,
                        tally,
                    };
                    run.encode(expected, &input, &mut random, full);
                }
                let src = source.slice::<u16>(text.utf16.len(), from);
                src.copy_from_slice(&text.utf16);
                let mut run = Guards {
                    subject,
                    src: &*src,
                    target: &mut target,
                    to,
                    tally,
                };
                run.encode(expected, &input, &mut random, full);
            }
        }
    })
}

impl<S: engine::Text + ?Sized> Guards<'_, S> {
    fn encode(
        &mut self,
        expected: &Encoded,
        input: &dyn Fn() -> String,
        random: &mut Random,
        full: bool,
    ) {
        for memory in encode::MEMORIES {
            let size = expected.bytes.len().max(encode::LEAST);
            let dst = self.target.slice::<u8>(size, self.to);
            let cut = Cut {
                memory,
                ..Cut::WHOLE
            };
            let result = calmly(&mut || encode_fatal(self.subject, self.src, cut, dst, expected));
            self.report(S::NAME, memory, None, input(), result);
        }
        for room in capacities(expected.html.len(), encode::LEAST, random, full) {
            let memory = *random.pick(&encode::MEMORIES);
            let Ok(mut encoder) = self.subject.engine.new_encoder() else {
                return;
            };
            let result = self.in_windows(&mut encoder, memory, room, &expected.html);
            self.report(S::NAME, memory, Some(room), input(), result);
        }
    }
}
