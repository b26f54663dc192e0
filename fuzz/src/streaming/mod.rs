//! Target `streaming`: chunks and outputs of any size, in both directions, against whole-input expectations.
//!
//! Choosing bytes, the first of which chooses the direction: those of [`decode`] or [`encode`]; then those of
//! [`Schedule::new`]. Every call is checked by itself: nothing written but what is reported, progress whenever there is
//! room for one character, all input read when it says so; and the number of calls has a bound.

mod decode;
mod encode;

use crate::input::Input;

/// See the module.
pub fn check(data: &[u8]) {
    let mut input = Input(data);
    if input.byte() & 1 == 0 {
        decode::check(input);
    } else {
        encode::check(input);
    }
}

/// Sizes of input chunks.
const CHUNKS: [usize; 16] = [0, 1, 1, 2, 3, 4, 5, 7, 8, 15, 17, 32, 33, 65, 130, 1000];
/// Sizes of outputs. Those below [`ENOUGH`] may stall a stream, not break it.
const ROOMS: [usize; 16] = [4, 4, 5, 6, 7, 9, 16, 18, 33, 66, 129, 1000, 0, 1, 2, 3];
/// Room for any one character in either form, or in any encoding.
const ENOUGH: usize = 4;

/// How a fatal error is dealt with from call to call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mode {
    /// All calls replace, or write references.
    Lenient,
    /// All calls stop at errors.
    Fatal,
    /// By turns.
    Mixed,
}

/// The sizes of chunks and outputs of a stream, and the mode of each call, round and round.
#[derive(Clone)]
struct Schedule<'a> {
    steps: &'a [u8],
    at: usize,
    mode: Mode,
    /// The last chunk with data is the stream's last, rather than an empty one behind it.
    last_with_data: bool,
    /// The alignment of outputs within canaries; or outputs are allocations of their own.
    shift: Option<u8>,
    /// The stream runs twice through one decoder or encoder.
    twice: bool,
    /// Before that, something else is started and given up with `reset`.
    dirty: bool,
}

impl<'a> Schedule<'a> {
    /// Choosing bytes: flags; the alignment; the number of steps; each step.
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

    /// The next step; after each round, one with enough room for one character.
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

    /// More calls than any stream of these sizes needs.
    fn most_calls(&self, input: usize, output: usize) -> usize {
        (input + output + 16) * (self.steps.len() + 1) * 2
    }
}

struct Step {
    chunk: usize,
    room: usize,
    fatal: bool,
}

/// Why a call of any kind returned.
enum Stop<E> {
    InputEmpty,
    OutputFull,
    Error(E),
}

/// What a call of any kind did.
struct Call<E> {
    stop: Stop<E>,
    read: usize,
    written: usize,
    /// As reported; false for fatal calls.
    had_errors: bool,
}

/// Output lengths that were promised at some point of a stream.
#[derive(Default)]
struct Promises(Vec<(usize, usize)>);

impl Promises {
    /// After `written`, no more than `most` is to come.
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
