//! Test code that is the same for both crates, and its input.
//!
//! `driver/` is compiled once for each crate and records plain data, which the tests compare.

#![allow(dead_code, unused_imports, reason = "each test uses a part")]

pub mod input;

use mojika_drive::Source;
pub use mojika_spec::sample::{in_turns, one_in};
use std::fmt::Debug;

/// This crate.
pub mod ours {
    use encoding_rs as peer;
    include!("driver.rs");
}

/// The published crate.
pub mod theirs {
    use published as peer;
    include!("driver.rs");
}

/// The result of one call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    pub result: Outcome,
    pub read: usize,
    pub written: usize,
    /// True if text was replaced; false in calls without replacement.
    pub replaced: bool,
    /// The state that accessors report after the call.
    pub state: String,
}

impl Call {
    pub fn new(result: impl Into<Outcome>, read: usize, written: usize, replaced: bool) -> Self {
        Call {
            result: result.into(),
            read,
            written,
            replaced,
            state: String::new(),
        }
    }
}

/// The reason why a call of an encoder or decoder of either crate returned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    InputEmpty,
    OutputFull,
    Malformed(u8, u8),
    Unmappable(char),
}

/// The record of a whole stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run<U> {
    pub calls: Vec<Call>,
    pub output: Vec<U>,
}

/// The position of a malformed sequence or an unmappable scalar value. It does not depend on the sizes of chunks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The number of output units before the error.
    pub written: usize,
    /// The start of the malformed sequence in the input, or the end of the unmappable character.
    pub read: usize,
    /// The length of the malformed sequence in bytes, or the unmappable scalar value.
    pub what: u32,
}

impl<U> Run<U> {
    /// Returns the positions of all errors.
    pub fn places(&self) -> Vec<Place> {
        let (mut read, mut written) = (0, 0);
        let mut places = Vec::new();
        for call in &self.calls {
            read += call.read;
            written += call.written;
            match call.result {
                Outcome::Malformed(len, after) => places.push(Place {
                    written,
                    read: read - usize::from(len) - usize::from(after),
                    what: len.into(),
                }),
                Outcome::Unmappable(scalar) => places.push(Place {
                    written,
                    read,
                    what: scalar.into(),
                }),
                Outcome::InputEmpty | Outcome::OutputFull => {}
            }
        }
        places
    }

    pub fn replaced(&self) -> bool {
        self.calls.iter().any(|call| call.replaced)
    }
}

/// The output form of decoders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    Utf8,
    Utf16,
    Str,
    String,
}

/// The handling of byte order marks in decoders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bom {
    Sniff,
    Remove,
    Keep,
}

pub const BOMS: [Bom; 3] = [Bom::Sniff, Bom::Remove, Bom::Keep];

/// The parameters of a stream.
#[derive(Clone, Debug)]
pub struct Drive<'a, T: ?Sized> {
    /// The label of the encoding; "replacement" has none in the published crate.
    pub encoding: &'static str,
    /// The chunks. The last one is passed as the end of the stream.
    pub chunks: Vec<&'a T>,
    /// The output space of each call, in units.
    pub room: usize,
    /// True if malformed sequences and unmappable scalar values are replaced.
    pub replacing: bool,
    /// True if the state is compared after each call.
    pub with_state: bool,
}

impl<'a, T: ?Sized> Drive<'a, T> {
    /// Creates a stream in calls without replacement, after each of which the state is compared.
    pub fn new(encoding: &'static str, chunks: Vec<&'a T>, room: usize) -> Self {
        Drive {
            encoding,
            chunks,
            room,
            replacing: false,
            with_state: true,
        }
    }
}

/// Makes all calls of a stream. `call` gets the rest of a chunk, and appends to the output.
pub fn run<S: Source + Debug + ?Sized, U>(
    drive: &Drive<'_, S>,
    mut call: impl FnMut(&S, bool, &mut Vec<U>) -> Call,
) -> Run<U> {
    let mut run = Run {
        calls: Vec::new(),
        output: Vec::new(),
    };
    for (i, chunk) in drive.chunks.iter().enumerate() {
        let last = i + 1 == drive.chunks.len();
        let mut rest = *chunk;
        loop {
            let call = call(rest, last, &mut run.output);
            rest = rest.part(call.read, rest.units());
            let (result, stuck) = (call.result, call.read == 0 && call.written == 0);
            run.calls.push(call);
            if result == Outcome::InputEmpty {
                break;
            }
            let stands = result == Outcome::OutputFull && stuck;
            assert!(!stands, "no progress: {drive:?}");
        }
        assert!(rest.units() == 0, "unread input: {drive:?}");
    }
    run
}

/// The value of bytes and code units with which the output is filled, to detect units that a call must not write.
pub const CANARY: u8 = 0x2A;

/// Returns the first bytes in hexadecimal, for messages.
pub fn hex(chunks: &[&[u8]]) -> String {
    let one = |chunk: &&[u8]| -> String { chunk.iter().map(|b| format!("{b:02X} ")).collect() };
    chunks.iter().map(one).collect::<Vec<_>>().join("| ")
}
