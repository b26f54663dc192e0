//! Target `streaming`: chunks and outputs of any size, in both directions, compared with the result for whole input.
//!
//! The first bytes select the direction, the encoding, the options, the level and the schedule. The options are the form of
//! text, the function and, for a decoder, the BOM handling. A decoder gets the rest with a filler in the middle. An encoder
//! gets text that [`filler::units`] makes of the rest. Each call must only write the reported units, make progress if one
//! character fits, and have read all input if the status is "input empty". The number of calls is bounded.

use crate::input::Input;
use crate::{encodings, filler, levels};
use mojika::{BomHandling, Decoder, MalformedSequence, Unmappable};
use mojika_drive::{Buffer, Coder, How, Memory, Source, Stop, Stream, Unit};
use mojika_proof::engine::{Form, Text, replaced};
use mojika_proof::expected::{self, Decoding, Encoded};
use mojika_proof::subject::Subject;

/// An error: its offset, and its length in bytes or the unmappable scalar value.
type Place = (u64, u32);

/// Checks one input.
pub fn check(data: &[u8]) {
    let mut input = Input(data);
    if input.byte() & 1 == 0 {
        let subject = encodings::choose(&mut input);
        let kind = input.byte();
        match kind >> 4 {
            ..8 => decode::<u8>(subject, kind, input),
            _ => decode::<u16>(subject, kind, input),
        }
    } else {
        let subject = encodings::choose_with_encoder(&mut input);
        let (kind, level) = (input.byte(), levels::choose(input.byte()));
        let schedule = Schedule::new(&mut input);
        let text = expected::Text::of_units(&filler::units(subject, input));
        let expected = Encoded::of(subject, &text);
        let context = || {
            let (name, units) = (subject.name(), &text.utf16);
            format!("{name} kind {kind:02X} at {level}, {schedule:02X?}, {units:04X?}")
        };
        let memory = [Some(Memory::Init), Some(Memory::Uninit), None][usize::from(kind >> 1) % 3];
        match &text.utf8 {
            Some(utf8) if kind & 1 == 0 => {
                encode(
                    subject,
                    utf8.as_str(),
                    memory,
                    &expected,
                    &schedule,
                    &context,
                );
            }
            _ => encode(
                subject,
                &*text.utf16,
                memory,
                &expected,
                &schedule,
                &context,
            ),
        }
    }
}

fn decode<U: Form>(subject: Subject, kind: u8, mut input: Input<'_>) {
    let bom =
        [BomHandling::Sniff, BomHandling::Remove, BomHandling::Keep][usize::from(kind % 16) % 3];
    let level = levels::choose(input.byte());
    let schedule = Schedule::new(&mut input);
    let filler = filler::bytes(subject, &mut input);
    let bytes = [input.take(input.0.len() / 2), &filler, input.0].concat();
    let expected = Decoding::marked(subject, bom, &bytes).0;
    let errors = expected.errors.iter();
    let errors: Vec<Place> = errors
        .map(|error| (error.offset as u64, error.len as u32))
        .collect();
    // An index past the end selects the function that appends.
    let memory = U::MEMORIES.get(usize::from(kind >> 4) % (U::MEMORIES.len() + 1));
    let streams = Streams {
        coder: Decoder::new(subject.engine, bom),
        src: &bytes[..],
        memory: memory.copied(),
        schedule: &schedule,
        context: &|| {
            let name = subject.name();
            format!("{name} {bom:?} kind {kind:02X} at {level}, {schedule:02X?}, {bytes:02X?}")
        },
    };
    let want = replaced::<U>(&expected.as_ref());
    streams.check(
        (&want, &errors),
        |units: &mut Vec<U>, error: MalformedSequence| {
            U::push(units, '\u{FFFD}');
            (error.offset, error.len.into())
        },
    );
}

fn encode<S: Text + ?Sized>(
    subject: Subject,
    src: &S,
    memory: Option<Memory>,
    expected: &Encoded,
    schedule: &Schedule<'_>,
    context: &dyn Fn() -> String,
) where
    for<'b> Box<S>: From<&'b S>,
{
    let errors = expected.unmappables.iter();
    let errors: Vec<Place> = errors
        .map(|error| (S::offset(error) as u64, error.scalar.into()))
        .collect();
    let coder = subject.engine.new_encoder().expect("not replacement");
    let streams = Streams {
        coder,
        src,
        memory,
        schedule,
        context,
    };
    streams.check(
        (&expected.html, &errors),
        |bytes: &mut Vec<u8>, error: Unmappable| {
            bytes.extend(mojika_spec::reference(subject.spec, error.scalar));
            (error.offset, error.scalar.into())
        },
    );
}

/// The sizes of input chunks.
const CHUNKS: [usize; 16] = [0, 1, 1, 2, 3, 4, 5, 7, 8, 15, 17, 32, 33, 65, 130, 1000];
/// The sizes of outputs in units. A stream may make no progress with sizes below four, but its result must not change.
const ROOMS: [usize; 16] = [4, 4, 5, 6, 7, 9, 16, 18, 33, 66, 129, 1000, 0, 1, 2, 3];
/// The treatment of errors.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mode {
    /// All calls write U+FFFD or numeric character references for errors.
    Lenient,
    /// All calls stop at errors.
    Fatal,
    /// Calls alternate between the two modes.
    Mixed,
}

/// The chunk and output sizes of a stream, with the mode of each call. The steps are repeated cyclically.
#[derive(Clone, Debug)]
struct Schedule<'a> {
    steps: &'a [u8],
    at: usize,
    mode: Mode,
    /// True if the stream ends with the last chunk of data; otherwise an empty chunk follows.
    last_with_data: bool,
    /// The alignment of outputs that are surrounded by canaries; `None` if each output is a separate allocation.
    shift: Option<u8>,
    /// True if the stream runs twice through one decoder or encoder.
    twice: bool,
    /// True if another stream is started first, and ended by `reset`.
    dirty: bool,
}

impl<'a> Schedule<'a> {
    /// The bytes are flags, the alignment, the number of steps, and the steps.
    fn new(input: &mut Input<'a>) -> Self {
        let flags = input.byte();
        let shift = input.byte();
        let number = usize::from(input.byte() % 16);
        Schedule {
            steps: input.take(number),
            at: 0,
            mode: match flags % 4 {
                0 | 3 => Mode::Lenient,
                1 => Mode::Fatal,
                _ => Mode::Mixed,
            },
            last_with_data: flags & 4 != 0,
            shift: (flags & 8 != 0).then_some(shift),
            twice: flags & 16 != 0,
            dirty: flags & 32 != 0,
        }
    }

    /// Returns the next step. Each cycle ends with a step whose output has enough space for a character.
    fn next(&mut self) -> Step {
        let byte = self.steps.get(self.at).copied();
        let turn = self.at;
        self.at = if byte.is_some() { self.at + 1 } else { 0 };
        let (chunk, room) = match byte {
            Some(byte) => (
                CHUNKS[usize::from(byte & 15)],
                ROOMS[usize::from(byte >> 4)],
            ),
            None => (3, 11),
        };
        Step {
            chunk,
            room,
            fatal: match self.mode {
                Mode::Lenient => false,
                Mode::Fatal => true,
                Mode::Mixed => turn & 1 == 0,
            },
        }
    }

    /// Returns a maximum number of calls for a stream, beyond which it counts as endless.
    fn most_calls(&self, input: usize, output: usize) -> usize {
        (input + output + 16) * (self.steps.len() + 1) * 2
    }
}

struct Step {
    chunk: usize,
    room: usize,
    fatal: bool,
}

/// A decoder or encoder, its input, and the schedule of its streams.
struct Streams<'a, C, S: ?Sized> {
    coder: C,
    src: &'a S,
    /// The kind of memory for the output; `None` if the output grows.
    memory: Option<Memory>,
    schedule: &'a Schedule<'a>,
    context: &'a dyn Fn() -> String,
}

impl<C, S: Source + ?Sized> Streams<'_, C, S>
where
    for<'b> Box<S>: From<&'b S>,
{
    /// Runs all streams of the schedule. `found` appends the replacement of an error, and returns its place.
    fn check<U: Unit>(
        mut self,
        want: (&[U], &[Place]),
        found: impl Fn(&mut Vec<U>, C::Error) -> Place,
    ) where
        C: Coder<S, U>,
    {
        if self.schedule.dirty {
            let half = self.src.part(0, self.src.boundary(self.src.units() / 2));
            let fatal = self.schedule.mode == Mode::Fatal;
            let mut stream = Stream::new(&mut self.coder);
            let broken = match self.memory {
                None => stream.append(half, &mut Vec::new(), false, fatal).err(),
                Some(memory) => {
                    let out = &mut Buffer::new(5, None);
                    stream.call(half, out, false, How { fatal, memory }).err()
                }
            };
            assert_eq!(broken, None, "{}", (self.context)());
            self.coder.reset();
        }
        for _ in 0..=u8::from(self.schedule.twice) {
            self.run(want, &found);
        }
    }

    fn run<U: Unit>(
        &mut self,
        (want, want_errors): (&[U], &[Place]),
        found: impl Fn(&mut Vec<U>, C::Error) -> Place,
    ) where
        C: Coder<S, U>,
    {
        let (context, src, mut schedule) = (self.context, self.src, self.schedule.clone());
        let mode = schedule.mode;
        let mut stream = Stream::new(&mut self.coder);
        let mut out = Buffer::new(0, None);
        let mut errors = Vec::new();
        let mut promises = Promises::default();
        let length = src.units();
        let most_calls = schedule.most_calls(length, want.len());
        let mut calls = 0;
        // The end of the chunk.
        let mut end = 0;
        let mut last = false;
        loop {
            let step = schedule.next();
            let read = stream.read;
            if read == end && !last {
                end = src.boundary(read + step.chunk);
                // Unless the last chunk may have data, an empty chunk ends the stream.
                last = read == length || (schedule.last_with_data && end == length);
            }
            calls += 1;
            assert!(calls <= most_calls, "{calls} calls: {}", context());
            let most = stream.coder.max_length(length - read, mode == Mode::Fatal);
            promises.add(stream.written, most);
            // The chunk is a separate allocation, so that reads beyond it are detected.
            let chunk = Box::<S>::from(src.part(read, end));
            let fatal = step.fatal;
            let call = match self.memory {
                None => stream.append(&chunk, &mut out.units, last, fatal),
                Some(memory) => {
                    out.renew(step.room, schedule.shift);
                    stream.call(&chunk, &mut out, last, How { fatal, memory })
                }
            };
            match call.map(|call| call.stop) {
                Ok(Stop::InputEmpty) if last => break,
                Ok(Stop::Error(error)) => errors.push(found(&mut out.units, error)),
                Ok(_) => {}
                Err(broken) => panic!("{broken}: {}", context()),
            }
        }
        assert_eq!(out.units, want, "{}", context());
        let had_errors = !want_errors.is_empty();
        match mode {
            Mode::Lenient => assert_eq!(stream.had_errors, had_errors, "{}", context()),
            Mode::Fatal => assert_eq!(errors, want_errors, "{}", context()),
            Mode::Mixed => {
                for error in &errors {
                    assert!(want_errors.contains(error), "{error:?}: {}", context());
                }
            }
        }
        promises.check(stream.written, context);
    }
}

/// The output lengths that `max_length` promised during a stream, with the units written before each.
#[derive(Default)]
struct Promises(Vec<(usize, usize)>);

impl Promises {
    /// Records the promise that at most `most` units follow the first `written` ones.
    fn add(&mut self, written: usize, most: Option<usize>) {
        self.0.push((written, most.expect("short input")));
    }

    fn check(&self, total: usize, context: &dyn Fn() -> String) {
        for &(written, most) in &self.0 {
            assert!(
                total - written <= most,
                "{} more after {written}, at most {most} promised: {}",
                total - written,
                context()
            );
        }
    }
}
