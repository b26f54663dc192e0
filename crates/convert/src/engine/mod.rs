//! Conversion of one input to one output, on one core or on all cores.
//!
//! This room knows readers, writers and encodings. It knows no paths, no command line and no messages: the job side
//! opens files, chooses [`Options`] and turns an [`Outcome`] or a [`Failure`] into words.
//!
//! * `blocks`: input read in blocks of [`BLOCK`] bytes, each cut at a point where a decoder is neutral.
//! * `compressed`: gzip, zstd, bzip2 and xz as readers of their content, and as writers.
//! * `start`: the byte order mark of the input, and its effect.
//! * `substitute`: the text written for characters that the output encoding lacks.
//! * `repaired`: lines that were encoded twice.
//! * `shape`: decoded text on its way to the encoder: line ends, normalization, marks in it.
//! * `split`: where such points are, for each encoding.
//! * `coder`: one block decoded and encoded, with every trouble and its place.
//! * `workers`: blocks converted by several threads and written in order.
//! * `mixed`: lines in UTF-8, and others in another encoding.
//! * `parts`: parts in UTF-16 among other text.
//! * `counting`: bytes of an input, counted before `mixed` or `repaired` changes them.
//! * `counting_writer`: bytes of an output, counted.
//! * `position`: lines and columns.
//! * `valid`: whether input is UTF-8.
//!
//! The output, the troubles and their places do not depend on the number of threads: a block starts either with a new
//! coder at a point where the old one is neutral, or with the coder of the block before it.

mod blocks;
mod coder;
mod compressed;
mod counting;
mod counting_writer;
mod mixed;
mod parts;
mod position;
mod repaired;
mod shape;
mod split;
mod start;
mod substitute;
mod valid;
mod workers;

pub use blocks::LONGEST_BOM;
pub use compressed::{Compress, Compressor, Format, damage, decompressed, decompressor, renamed};
pub use counting_writer::CountingWriter;
pub use mixed::Change;
pub use parts::{Part, Parts};
pub use position::{Place, line_after};
pub use shape::LineEnds;
pub use shape::{Form, InteriorBom, Newline, Seen, Shape};
pub use start::byte_order_mark;
pub use substitute::Substitutes;
pub use valid::{Utf8, utf_8, utf_8_bytes};
pub use workers::lock;
#[cfg(unix)]
pub use workers::{jobs, on_threads};

use crate::repair::Repairs;
use mojika::Encoding;
use mojika::extended::rfc2781::Charset;
use mojika_sniff::Decision;
use std::fmt;
use std::io::{self, Read, Write};
use std::sync::Mutex;

/// Bytes to read and convert at once.
pub const BLOCK: usize = 256 << 10;

/// Bytes of a file from which on it is worth several threads.
pub const PARALLEL: u64 = 16 << 20;

/// The source of the input's encoding.
#[derive(Clone, Copy, Debug)]
pub enum From {
    /// This encoding, unless the input starts with a byte order mark.
    Given(&'static Encoding),
    /// A byte order mark, or else UTF-8 if all of the input is valid.
    Unnamed,
    /// This decision; its byte order mark is left out.
    Decided(Decision),
    /// UTF-8 in the lines where it is valid, and else this encoding, which that word has decided on.
    Mixed(&'static Encoding, &'static str),
}

/// A decision on the rest of an input with an ASCII beginning, which was converted before.
///
/// The reader makes it before it returns the first byte that is not ASCII, and begins a new read with that byte.
#[derive(Debug, Default)]
pub struct Turn(Mutex<Option<Decision>>);

impl Turn {
    /// Sets the encoding of the input from here on.
    pub fn set(&self, decision: Decision) {
        *lock(&self.0) = Some(decision);
    }

    fn take(&self) -> Option<Decision> {
        lock(&self.0).take()
    }
}

/// The treatment of malformed sequences and unmappable characters: the Standard's error modes, and one more.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ErrorMode {
    /// The first one is a failure.
    #[default]
    Fatal,
    /// Malformed input becomes U+FFFD, a character that the output encoding lacks (which may be U+FFFD) becomes "?".
    Replacement,
    /// Malformed input becomes U+FFFD, a character that the output encoding lacks becomes `&#…;` with its number.
    Html,
    /// Both are left out.
    Skip,
}

/// The treatment of a byte order mark in the output.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BomMode {
    /// Begin the output with one.
    Add,
    /// Write none.
    #[default]
    Strip,
    /// Write none, and leave out those after the start.
    None,
    /// Write one if the input has one and the output encoding knows one.
    Keep,
    /// Write none, and leave out that of the input, which does not say its encoding.
    Ignore,
}

/// The options of a conversion.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Encoding of the input.
    pub from: From,
    /// The charset of RFC 2781 that labels the input; only its signature counts then.
    pub rfc2781: Option<Charset>,
    /// Encoding of the output.
    pub to: &'static Encoding,
    /// The treatment of malformed sequences and unmappable characters.
    pub errors: ErrorMode,
    /// Byte order mark of the output.
    pub bom: BomMode,
    /// The changes of the text: line ends, normalization, marks inside.
    pub shape: Shape,
    /// The substitutes for unmappable characters, tried before `errors`.
    pub substitutes: Substitutes,
    /// True if lines of UTF-8 are undone that were encoded twice.
    pub repair: bool,
    /// Threads for this input; 0 is all cores.
    pub threads: usize,
}

impl Options {
    /// Returns the options for one thread and unchanged text: the first error is a failure.
    pub fn new(from: From, to: &'static Encoding) -> Self {
        Self {
            from,
            rfc2781: None,
            to,
            errors: ErrorMode::Fatal,
            bom: BomMode::Keep,
            shape: Shape::default(),
            substitutes: Substitutes::default(),
            repair: false,
            threads: 1,
        }
    }
}

/// The input's bytes.
pub struct Input<'a> {
    /// The reader of the input.
    pub reader: &'a mut (dyn Read + Send),
    /// The size of a regular file, in bytes, when it was opened. Another number of bytes is a failure; 0 is not
    /// checked, because files of `/proc` claim it.
    pub size: Option<u64>,
    /// True if one thread passes on input at once, as for a pipe, on which more may be long in coming.
    pub prompt: bool,
    /// A place for a later decision on the encoding. One thread converts then, and passes on input at once.
    pub turn: Option<&'a Turn>,
    /// Its parts in UTF-16 and in other text, where it is mixed.
    pub parts: &'a [Part],
}

/// Something that the output cannot hold as it stands in the input.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trouble {
    /// The kind of trouble.
    pub kind: TroubleKind,
    /// Offset of its first byte from the start of the input, a byte order mark counted.
    pub offset: u64,
    /// Its line, from 1: the number of U+000A before it, plus 1.
    pub line: u64,
    /// Its column, from 1: the number of characters before it in its line, plus 1. A malformed sequence counts as one.
    pub column: u64,
    /// Its bytes in the input, at most 8.
    pub bytes: Vec<u8>,
}

/// Kinds of [`Trouble`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TroubleKind {
    /// A malformed sequence of the input encoding.
    Malformed,
    /// A character that the output encoding lacks.
    Unmappable(char),
}

/// Bytes in hexadecimal, separated by spaces: `82 22`.
pub fn hex(bytes: &[u8]) -> String {
    let digits: Vec<_> = bytes.iter().map(|byte| format!("{byte:02X}")).collect();
    digits.join(" ")
}

/// The result of a conversion, up to its end or up to a failure.
#[derive(Clone, Debug, Default)]
pub struct Outcome {
    /// The encoding of the input, once known.
    pub encoding: Option<&'static Encoding>,
    /// The source of the decision: "bom", "override" or another one of the library.
    pub why: &'static str,
    /// Bytes read.
    pub bytes_in: u64,
    /// Bytes written.
    pub bytes_out: u64,
    /// True if a text of unknown encoding, which was decided on, has NUL bytes.
    pub has_nul: bool,
    /// Malformed sequences.
    pub malformed: u64,
    /// Characters that the output encoding lacks.
    pub unmappable: u64,
    /// The places at which the encoding of mixed input changes, up to a limit, and the number of all.
    pub changes: Vec<Change>,
    /// The number of changes.
    pub change_count: u64,
    /// Lines that were encoded twice.
    pub repaired: Repairs,
    /// Characters that the output encoding lacks, for which a substitute was written.
    pub substituted: u64,
    /// Line ends and marks in the text, if they were counted, and the number of changes by
    /// normalization. After a failure, the text before it may not be counted in full.
    pub seen: Seen,
    /// The first trouble.
    pub first_error: Option<Trouble>,
}

/// The reason that a conversion stopped before its end.
#[derive(Debug)]
#[allow(missing_docs, reason = "fields are named after what they hold")]
pub enum Failure {
    /// No encoding was given, no byte order mark was found, and the input is not UTF-8 at `offset`.
    UnknownSource { offset: u64 },
    /// The output encoding has no encoder.
    NoEncoder(&'static Encoding),
    /// The output encoding has no byte order mark.
    NoBom(&'static Encoding),
    /// The first trouble, in error mode "fail".
    Trouble(Trouble),
    /// Reading failed.
    Read(io::Error),
    /// Compressed input is damaged. The text before the damage has been converted.
    Damaged { format: Format, error: io::Error },
    /// Writing failed.
    Write(io::Error),
    /// The input had `expected` bytes when it was opened, and another number when it was read.
    Changed { expected: u64, read: u64 },
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::UnknownSource { offset } => {
                write!(
                    f,
                    "no byte order mark, and not UTF-8 at byte offset {offset}"
                )
            }
            Self::NoEncoder(encoding) => write!(f, "{encoding} has no encoder"),
            Self::NoBom(encoding) => write!(f, "{encoding} has no byte order mark"),
            Self::Trouble(trouble) => {
                match trouble.kind {
                    TroubleKind::Malformed => f.write_str("malformed sequence")?,
                    TroubleKind::Unmappable(character) => {
                        write!(f, "unmappable U+{:04X}", u32::from(character))?;
                    }
                }
                let Trouble {
                    offset,
                    line,
                    column,
                    ..
                } = trouble;
                let bytes = hex(&trouble.bytes);
                write!(
                    f,
                    " {bytes} at byte offset {offset}, line {line}, column {column}"
                )
            }
            Self::Read(error) => write!(f, "cannot read: {error}"),
            Self::Damaged { format, error } => write!(
                f,
                "{}; what precedes the damage was converted",
                damage(*format, &error.to_string())
            ),
            Self::Write(error) => write!(f, "cannot write: {error}"),
            Self::Changed { expected, read } if read < expected => write!(
                f,
                "the file shrank while it was read: {read} of {expected} bytes were left"
            ),
            Self::Changed { expected, .. } => {
                write!(f, "the file of {expected} bytes grew while it was read")
            }
        }
    }
}

/// Converts `input` to its end.
///
/// Each trouble goes to `on_trouble`, in the order of the input; in error mode "fail" the first one
/// is the failure. The text before a failure is written. The writer is flushed.
pub fn convert(
    input: Input<'_>,
    output: &mut (dyn Write + Send),
    options: &Options,
    on_trouble: &mut (dyn FnMut(&Trouble) + Send),
) -> (Outcome, Result<(), Failure>) {
    if let From::Mixed(other, why) = options.from {
        return mixed::convert(input, (other, why), output, options, on_trouble);
    }
    let encoding = match options.from {
        From::Given(encoding) | From::Mixed(encoding, _) => encoding,
        From::Decided(decision) => decision.encoding,
        From::Unnamed => mojika::UTF_8,
    };
    if options.repair && encoding == mojika::UTF_8 {
        return repaired::convert(input, output, options, on_trouble);
    }
    workers::convert(input, output, options, on_trouble)
}

#[cfg(test)]
mod tests;
