//! The same code for both crates, and input to run it on.
//!
//! `driver/` is compiled twice, over this crate and over the published one, and records plain data; the tests compare
//! the records.

#![allow(dead_code, unused_imports, reason = "each test uses a part")]

pub mod input;

pub use mojika_spec::sample::{in_turns, one_in};

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

/// What one call did.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    pub result: Outcome,
    pub read: usize,
    pub written: usize,
    /// Whether anything was replaced; false in calls without replacement.
    pub replaced: bool,
    /// What else can be asked afterwards.
    pub state: String,
}

/// Why a call returned, of either crate and either direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    InputEmpty,
    OutputFull,
    Malformed(u8, u8),
    Unmappable(char),
}

/// A whole stream.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run<U> {
    pub calls: Vec<Call>,
    pub output: Vec<U>,
}

/// A malformed sequence or an unmappable scalar value, by places that do not depend on where calls end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// Units of output before it.
    pub written: usize,
    /// Where it starts in the input, or ends if it is unmappable.
    pub read: usize,
    /// Its length in bytes, or the scalar value.
    pub what: u32,
}

impl<U> Run<U> {
    /// All errors by place.
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

/// What decoders write to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    Utf8,
    Utf16,
    Str,
    String,
}

/// How decoders treat byte order marks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bom {
    Sniff,
    Remove,
    Keep,
}

pub const BOMS: [Bom; 3] = [Bom::Sniff, Bom::Remove, Bom::Keep];

/// What encoders read and write.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EncodeForm {
    Utf8,
    Utf8ToVec,
    Utf16,
}

/// How a stream is driven.
#[derive(Clone, Debug)]
pub struct Drive<'a, T: ?Sized> {
    /// The label of the encoding; "replacement" has none in the published crate.
    pub encoding: &'static str,
    /// The chunks; the last one is passed as such.
    pub chunks: Vec<&'a T>,
    /// Units of output in each call.
    pub room: usize,
    /// Whether malformed sequences and unmappable scalar values are replaced.
    pub replacing: bool,
    /// Whether the state is looked at after each call.
    pub with_state: bool,
}

/// Bytes and code units that no call should leave where it says it wrote nothing.
pub const CANARY: u8 = 0x2A;

/// The first characters of `bytes` in hexadecimal, for messages.
pub fn hex(chunks: &[&[u8]]) -> String {
    let one = |chunk: &&[u8]| -> String { chunk.iter().map(|b| format!("{b:02X} ")).collect() };
    chunks.iter().map(one).collect::<Vec<_>>().join("| ")
}
