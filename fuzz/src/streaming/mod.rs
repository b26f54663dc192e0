//! Target `streaming`: chunks and outputs of any size, in both directions, compared with the result for whole input.
//!
//! The first byte selects the direction. Further bytes are those of [`decode`] or [`encode`], and of [`Schedule::new`].
//! Every call is checked: it only writes the reported units, makes progress if one character fits, and has read all
//! input if the status is "input empty". The number of calls is bounded.

mod decode;
mod encode;

use crate::input::Input;
use mojika_drive::{Buffer, Coder, How, Memory, Source, Stop, Stream, Unit};
use std::fmt::Debug;

/// Checks one input.
pub fn check(data: &[u8]) {
    let mut input = Input(data);
    if input.byte() & 1 == 0 {
        decode::check(input);
    } else {
        encode::check(input);
    }
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
    /// In turns.
    Mixed,
}

/// The chunk and output sizes of a stream, with the mode of each call. The steps are repeated cyclically.
#[derive(Clone)]
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
    schedule: Schedule<'a>,
    context: &'a dyn Fn() -> String,
}

impl<C, S: Source + ?Sized> Streams<'_, C, S>
where
    for<'b> Box<S>: From<&'b S>,
{
    /// Runs all streams of the schedule. `found` appends the replacement of an error, and returns it in `want`'s form.
    fn check<U: Unit, E: PartialEq + Debug>(
        mut self,
        want: (&[U], &[E]),
        found: impl Fn(&mut Vec<U>, C::Error) -> E,
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

    fn run<U: Unit, E: PartialEq + Debug>(
        &mut self,
        (want, want_errors): (&[U], &[E]),
        found: impl Fn(&mut Vec<U>, C::Error) -> E,
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
