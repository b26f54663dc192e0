//! Runs the engine, in chunks and into outputs of chosen sizes, and compares with the oracle as it goes.
//!
//! Output buffers are filled with a canary first: what lies past the last unit reported as written must stay as it was.
//!
//! [`decode`] and [`encode`] are the two directions, [`form`] what decoders write, [`memory`] what it is written to;
//! what both directions check of every call is here.

pub mod decode;
pub mod encode;
pub mod form;
pub mod memory;

pub use decode::{decode_all, decode_fatal, decode_replacing, replaced};
pub use encode::{Source, encode_all, encode_fatal, encode_html};
pub use form::Form;
pub use memory::{Buffers, Memory};

use memory::uninit;
use std::fmt::{Debug, Write};

/// What differed.
pub type Difference = String;

/// How input and output are cut, and what output is written to.
#[derive(Clone, Copy, Debug)]
pub struct Cut<'a> {
    /// Where chunks end, ascending; equal ends make empty chunks. The end of the input is added.
    pub ends: &'a [usize],
    /// The size of each output buffer; `None` for one that has room for everything.
    pub room: Option<usize>,
    /// What the outputs are, to the engine.
    pub memory: Memory,
}

impl Cut<'_> {
    /// Everything in one call, to initialised memory.
    pub const WHOLE: Cut<'static> = Cut {
        ends: &[],
        room: None,
        memory: Memory::Init,
    };

    fn chunks(&self, length: usize) -> impl Iterator<Item = (usize, bool)> {
        self.ends
            .iter()
            .map(|&end| (end, false))
            .chain([(length, true)])
    }

    /// For failure prints.
    pub fn describe(&self) -> String {
        let ends = &self.ends[..self.ends.len().min(12)];
        let room = self
            .room
            .map_or("ample".to_string(), |room| room.to_string());
        format!("chunks end at {ends:?}, output room {room}")
    }
}

/// Fails with the first difference between two pieces of output that start at `at`.
fn same<T: PartialEq + Debug>(got: &[T], want: &[T], at: usize) -> Result<(), Difference> {
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
        at + first,
        at + got.len(),
        at + want.len(),
        show(got),
        show(want)
    ))
}

/// Whether all of `rest` is canary still.
fn untouched<U: Form>(rest: &[U]) -> Result<(), Difference> {
    match rest.iter().position(|&unit| unit != U::CANARY) {
        None => Ok(()),
        Some(at) => Err(format!(
            "unit {at} past those reported as written was written: {:02X?}",
            rest[at]
        )),
    }
}

/// The part of `dst` that a call gets, which starts at `written`.
fn window<U>(dst: &mut [U], written: usize, room: Option<usize>) -> Result<&mut [U], Difference> {
    let spare = &mut dst[written..];
    let size = room.unwrap_or(spare.len());
    spare
        .get_mut(..size)
        .ok_or_else(|| format!("more output than expected: {written} units so far"))
}

/// The result of a step: an output that stays full without progress is a fault of its own.
fn progress(full: bool, read: usize, written: usize, room: usize) -> Result<(), Difference> {
    if full && read == 0 && written == 0 {
        return Err(format!("stalled: full with {room} units of room"));
    }
    Ok(())
}

/// How much output [`decode_fatal`] and the others need as `dst`.
pub fn ample(expected_length: usize, room: Option<usize>) -> usize {
    expected_length + 72 + room.unwrap_or(0)
}

/// Runs `work`; a panic of the engine is a difference.
pub fn calmly(work: &mut dyn FnMut() -> Result<(), Difference>) -> Result<(), Difference> {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(work)).unwrap_or_else(|panic| {
        let message = panic
            .downcast_ref::<String>()
            .map(String::as_str)
            .or_else(|| panic.downcast_ref::<&str>().copied());
        Err(format!("panicked: {}", message.unwrap_or("?")))
    })
}

/// Which error modes to run, and into what kinds of memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Modes {
    /// "fatal" alone, to initialised memory.
    Fatal,
    /// "fatal", and "replacement" or "html", to initialised memory.
    Both,
    /// Both, to initialised memory and, every other turn, to one other kind, by turns.
    Turn(usize),
    /// Both, to every kind of memory.
    All,
}

impl Modes {
    /// Whether to run with kind `i` of `count` kinds of memory, the first of which is initialised.
    fn take(self, i: usize, count: usize) -> bool {
        match self {
            Modes::Fatal | Modes::Both => i == 0,
            Modes::Turn(turn) => i == 0 || (turn % 2 == 1 && i == 1 + turn / 2 % (count - 1)),
            Modes::All => true,
        }
    }
}

/// What differed, with the operations' names, and how many operations were compared.
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
