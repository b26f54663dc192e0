//! Runs the engine by [`mojika_drive`], in chunks and outputs of given sizes, and compares it with the oracle.
//!
//! [`decode`] and [`encode`] have the two directions, [`whole`] the one-shot calls; this module has the code that they share.

pub mod decode;
pub mod encode;
pub mod whole;

pub use decode::{Form, decode_all, decode_fatal, replaced};
pub use encode::{Text, encode_all, encode_fatal};
pub use whole::{decode_whole, encode_whole};

use mojika_drive::{Coder, How, Memory, Output, Source, Unit, run, untouched};
use std::fmt::{Debug, Write};

/// A difference between engine and oracle.
pub type Difference = String;

/// The splits of input and output, and the memory of the output.
#[derive(Clone, Copy, Debug)]
pub struct Cut<'a> {
    /// The ends of chunks, in ascending order; equal ends make empty chunks. The end of the input is added.
    pub ends: &'a [usize],
    /// The size of each output buffer; `None` for a buffer with space for the whole output.
    pub room: Option<usize>,
    /// The kind of memory that the engine writes to.
    pub memory: Memory,
}

impl Cut<'_> {
    /// The whole input in one call, into initialised memory.
    pub const WHOLE: Cut<'static> = Cut {
        ends: &[],
        room: None,
        memory: Memory::Init,
    };

    fn chunks<'s, S: Source + ?Sized>(&self, src: &'s S) -> impl Iterator<Item = &'s S> {
        let ends = self.ends.iter().copied().chain([src.units()]);
        ends.scan(0, |start, end| {
            let chunk = src.part(*start, end);
            *start = end;
            Some(chunk)
        })
    }

    /// Returns the chunk ends and the output room, for failure messages.
    pub fn describe(&self) -> String {
        let ends = &self.ends[..self.ends.len().min(12)];
        let room = self
            .room
            .map_or("ample".to_string(), |room| room.to_string());
        format!("chunks end at {ends:?}, output room {room}")
    }
}

/// Memory for the whole output. Each call gets the next `room` units, or all units that are left.
struct Window<'a, U> {
    dst: &'a mut [U],
    written: usize,
    room: Option<usize>,
}

impl<U: Unit> Output<U> for Window<'_, U> {
    fn room(&mut self) -> Result<&mut [U], Difference> {
        let written = self.written;
        let spare = &mut self.dst[written..];
        let size = self.room.unwrap_or(spare.len());
        spare
            .get_mut(..size)
            .ok_or_else(|| format!("more output than expected: {written} units so far"))
    }

    fn take(&mut self, written: usize) -> Result<(), Difference> {
        self.written += written;
        match self.room {
            Some(_) => untouched(&self.dst[self.written..]),
            // Checked at the end of the stream, because a check after every error of a long one takes too long.
            None => Ok(()),
        }
    }
}

/// Converts in error mode "fatal", continuing after each error, and compares output and errors. `is` compares an expected
/// error with a reported one and the length of the output before it.
fn check_fatal<C: Coder<S, U>, S: Source + ?Sized, U: Unit, E: Debug>(
    coder: &mut C,
    src: &S,
    cut: Cut<'_>,
    dst: &mut [U],
    want: (&[U], &[E]),
    is: impl Fn(&E, C::Error, usize) -> bool,
) -> Result<(), Difference> {
    let (want, errors) = want;
    let mut errors = errors.iter();
    let how = How::FATAL.to(cut.memory);
    let out = &mut window(dst, cut);
    run(coder, cut.chunks(src), out, how, |_, written, got| {
        let want = errors.next();
        match want.is_some_and(|want| is(want, got, written)) {
            true => Ok(()),
            false => Err(format!(
                "error: engine {got:?} after {written} units, oracle {want:?}"
            )),
        }
    })?;
    same(&out.dst[..out.written], want)?;
    untouched(&out.dst[out.written..])?;
    match errors.next() {
        Some(missing) => Err(format!("an error is missing: {missing:?}")),
        None => Ok(()),
    }
}

/// Converts in error mode "replacement" or "html", and compares the output and the flag for errors.
fn check_replacing<C: Coder<S, U>, S: Source + ?Sized, U: Unit>(
    coder: &mut C,
    src: &S,
    cut: Cut<'_>,
    dst: &mut [U],
    want: &[U],
    errors: bool,
) -> Result<(), Difference> {
    let how = How::LENIENT.to(cut.memory);
    let out = &mut window(dst, cut);
    let had_errors = run(coder, cut.chunks(src), out, how, |_, _, _| Ok(()))?;
    same(&out.dst[..out.written], want)?;
    untouched(&out.dst[out.written..])?;
    match had_errors == errors {
        true => Ok(()),
        false => Err(format!("the engine had errors: {had_errors}")),
    }
}

fn window<'a, U: Unit>(dst: &'a mut [U], cut: Cut<'_>) -> Window<'a, U> {
    dst.fill(U::CANARY);
    Window {
        dst,
        written: 0,
        room: cut.room,
    }
}

/// Returns an error that describes the first difference between two outputs.
pub(crate) fn same<T: PartialEq + Debug>(got: &[T], want: &[T]) -> Result<(), Difference> {
    if got == want {
        return Ok(());
    }
    let first = got
        .iter()
        .zip(want)
        .position(|(got, want)| got != want)
        .unwrap_or(got.len().min(want.len()));
    let show = |list: &[T]| {
        let mut shown = String::new();
        for value in list.iter().skip(first.saturating_sub(2)).take(10) {
            let _ = write!(shown, "{value:02X?} ");
        }
        shown
    };
    Err(format!(
        "output differs at {} (lengths {} and {}): engine [{}] oracle [{}]",
        first,
        got.len(),
        want.len(),
        show(got),
        show(want)
    ))
}

/// Returns a sufficient length of the output for [`decode_fatal`] and similar functions.
pub fn ample(expected_length: usize, room: Option<usize>) -> usize {
    expected_length + 72 + room.unwrap_or(0)
}

/// Calls `work`. A panic of the engine counts as a difference.
pub fn calmly(work: &mut dyn FnMut() -> Result<(), Difference>) -> Result<(), Difference> {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(work)).unwrap_or_else(|panic| {
        let message = panic
            .downcast_ref::<String>()
            .map(String::as_str)
            .or_else(|| panic.downcast_ref::<&str>().copied());
        Err(format!("panicked: {}", message.unwrap_or("?")))
    })
}

/// The error modes and kinds of memory that are tested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Modes {
    /// Only "fatal", into initialised memory.
    Fatal,
    /// "fatal", and "replacement" or "html", into initialised memory.
    Both,
    /// Both modes, into initialised memory. An odd number adds one of the other kinds, in turn.
    Turn(usize),
    /// Both modes, into every kind of memory.
    All,
}

impl Modes {
    /// True if memory of kind `i`, out of `count`, is tested. Kind 0 is initialised memory.
    fn take(self, i: usize, count: usize) -> bool {
        match self {
            Modes::Fatal | Modes::Both => i == 0,
            Modes::Turn(turn) => i == 0 || (turn % 2 == 1 && i == 1 + turn / 2 % (count - 1)),
            Modes::All => true,
        }
    }
}

/// The differences, each with the name of the operation, and the number of compared operations.
#[derive(Default)]
struct Findings {
    found: Vec<(&'static str, Difference)>,
    compared: u64,
}

impl Findings {
    fn run(&mut self, name: &'static str, work: &mut dyn FnMut() -> Result<(), Difference>) {
        self.compared += 1;
        if let Err(difference) = calmly(work) {
            self.found.push((name, difference));
        }
    }
}

/// Output buffers, which are reused.
#[derive(Debug, Default)]
pub struct Buffers {
    bytes: Vec<u8>,
    units: Vec<u16>,
}

impl Buffers {
    /// Returns a buffer of `length` bytes.
    pub fn bytes(&mut self, length: usize) -> &mut [u8] {
        if self.bytes.len() < length {
            self.bytes.resize(length, 0);
        }
        &mut self.bytes[..length]
    }

    /// Returns a buffer of `length` code units.
    pub fn units(&mut self, length: usize) -> &mut [u16] {
        if self.units.len() < length {
            self.units.resize(length, 0);
        }
        &mut self.units[..length]
    }
}
