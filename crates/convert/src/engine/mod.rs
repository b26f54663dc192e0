//! Conversion of one input to one output, on one core or on all cores.
//!
//! This module knows readers, writers and encodings, but no paths, command line or messages. `job` opens files, chooses
//! [`Options`], and turns an [`Outcome`] or a [`Failure`] into words.
//!
//! * `blocks`: input in blocks of `BLOCK` bytes, each split at a point where a decoder is in its initial state.
//! * `compressed`: gzip, zstd, bzip2 and xz as readers of their content, and as writers.
//! * `start`: the byte order mark of the input, and its effect.
//! * `substitute`: substitutes for characters that the output encoding lacks.
//! * `repaired`: lines that were encoded twice.
//! * `shape`: changes of decoded text: line ends, normalization, byte order marks.
//! * `split`: the split points of each encoding.
//! * `coder`: decodes and encodes one block, and reports every trouble with its position.
//! * `workers`: threads that convert blocks and write them in order.
//! * `mixed`: lines in UTF-8 and in another encoding, and parts in UTF-16.
//! * `counting_writer`: counts the bytes of an output.
//! * `position`: lines and columns.
//! * `valid`: tests if input is UTF-8.
//!
//! The output, the troubles and their positions do not depend on the number of threads. A block starts with a new coder
//! if the previous coder is in its initial state at that point, otherwise with the previous coder.

mod blocks;
mod coder;
mod compressed;
mod counting_writer;
mod mixed;
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
pub(crate) use mixed::LineKind;
pub use mixed::{Change, Part};
pub use position::{Place, Position, line_after};
pub use shape::LineEnds;
pub use shape::{Form, Newline, Seen, Shape};
pub use start::byte_order_mark;
pub use substitute::Substitutes;
pub use valid::{Utf8, utf_8, utf_8_bytes};
pub use workers::jobs;
pub use workers::lock;
pub(crate) use workers::on_threads;

use crate::repair::{Repairs, Treatment};
use mixed::MixedText;
use mojika::Encoding;
use mojika::extended::rfc2781::Charset;
use mojika_sniff::Decision;
use std::fmt;
use std::io::{self, BufWriter, Read, Write};
use std::sync::Mutex;

/// The number of bytes to read and convert at once.
pub(crate) const BLOCK: usize = 256 << 10;

/// The minimum size of a file for several threads, in bytes.
pub const PARALLEL: u64 = 16 << 20;

/// The source of the input's encoding.
#[derive(Clone, Copy, Debug)]
pub enum From {
    /// The given encoding, unless the input starts with a byte order mark.
    Given(&'static Encoding),
    /// A byte order mark, or else UTF-8 if the whole input is valid.
    Unnamed,
    /// An earlier decision. If a byte order mark decided, the mark is removed.
    Decided(Decision),
    /// UTF-8 in valid lines, and the given encoding in other lines. The string is the source of that encoding.
    Mixed(&'static Encoding, &'static str),
}

/// A slot for the next encoding of an input, and the source of that encoding.
///
/// The reader sets it before it returns the first byte in that encoding, and starts a new read with that byte.
#[derive(Debug, Default)]
pub struct Turn(Mutex<Option<Turned>>);

type Turned = (&'static Encoding, &'static str);

impl Turn {
    /// Sets the encoding of the input from the next read on.
    pub fn set(&self, encoding: &'static Encoding, why: &'static str) {
        *lock(&self.0) = Some((encoding, why));
    }

    fn take(&self) -> Option<Turned> {
        lock(&self.0).take()
    }
}

/// The treatment of malformed sequences and unmappable characters: the Standard's error modes, and "skip".
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ErrorMode {
    /// The first malformed sequence or unmappable character is a failure.
    #[default]
    Fatal,
    /// Malformed input becomes U+FFFD, and an unmappable character (possibly U+FFFD) becomes "?".
    Replacement,
    /// Malformed input becomes U+FFFD, and an unmappable character becomes `&#…;` with its number.
    Html,
    /// Malformed input and unmappable characters are left out.
    Skip,
}

/// The treatment of a byte order mark in the output.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum BomMode {
    /// Write a mark at the start of the output.
    Add,
    /// Write no mark.
    #[default]
    Strip,
    /// Write no mark, and remove marks after the start, too.
    None,
    /// Write a mark if the input has one and the output encoding has one.
    Keep,
    /// Write no mark. The input's mark is removed, but does not determine the encoding.
    Ignore,
}

/// The options of a conversion.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Encoding of the input.
    pub from: From,
    /// The charset of RFC 2781 that labels the input. If set, only the byte order mark of that charset is recognised.
    pub rfc2781: Option<Charset>,
    /// Encoding of the output.
    pub to: &'static Encoding,
    /// The treatment of malformed sequences and unmappable characters.
    pub errors: ErrorMode,
    /// Byte order mark of the output.
    pub bom: BomMode,
    /// The changes of the text: line ends, normalization, and byte order marks after the start.
    pub shape: Shape,
    /// The substitutes for unmappable characters, tried before `errors`.
    pub substitutes: Substitutes,
    /// The treatment of lines of UTF-8 that were decoded in the wrong encoding.
    pub repair: Treatment,
    /// Threads for this input; 0 is all cores.
    pub threads: usize,
}

impl Options {
    /// Returns options for one thread and unchanged text, in which the first error is a failure.
    pub fn new(from: From, to: &'static Encoding) -> Self {
        Self {
            from,
            rfc2781: None,
            to,
            errors: ErrorMode::Fatal,
            bom: BomMode::Keep,
            shape: Shape::default(),
            substitutes: Substitutes::default(),
            repair: Treatment::Ignore,
            threads: 1,
        }
    }

    /// Checks the output encoding.
    ///
    /// # Errors
    ///
    /// Fails if it has no encoder, or no byte order mark to add.
    pub fn check(&self) -> Result<(), Failure> {
        match self.to.new_encoder() {
            Err(_) => Err(Failure::NoEncoder(self.to)),
            Ok(_) if self.bom == BomMode::Add && self.to.bom().is_none() => {
                Err(Failure::NoBom(self.to))
            }
            Ok(_) => Ok(()),
        }
    }
}

/// The input's bytes.
pub struct Input<'a> {
    /// The reader of the input.
    pub reader: &'a mut (dyn Read + Send),
    /// The size in bytes of a regular file when it was opened. Another number of bytes is a failure. 0 is not checked,
    /// because files of `/proc` report it.
    pub size: Option<u64>,
    /// True if input is converted as it arrives, as for a pipe, by one thread.
    pub prompt: bool,
    /// A slot for a later decision on the encoding. If set, one thread converts input as it arrives.
    pub turn: Option<&'a Turn>,
    /// The parts in UTF-16 and in other text, if the input is mixed.
    pub parts: &'a [Part],
}

impl<'a> Input<'a> {
    /// Returns input of unknown size in one encoding.
    pub fn new(reader: &'a mut (dyn Read + Send)) -> Self {
        Self {
            reader,
            size: None,
            prompt: false,
            turn: None,
            parts: &[],
        }
    }
}

/// A malformed sequence or an unmappable character.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Trouble {
    /// The kind of trouble.
    pub kind: TroubleKind,
    /// The offset of the first byte from the start of the input, including a byte order mark.
    pub offset: u64,
    /// The line, from 1: the number of U+000A before the trouble, plus 1.
    pub line: u64,
    /// The column, from 1: the number of earlier characters in the line, plus 1. A malformed sequence counts as one.
    pub column: u64,
    /// The bytes in the input, at most 8.
    pub bytes: Vec<u8>,
    /// The input encoding at that position.
    pub encoding: &'static Encoding,
}

/// Kinds of [`Trouble`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TroubleKind {
    /// A malformed sequence of the input encoding.
    Malformed,
    /// A character that the output encoding lacks.
    Unmappable(char),
}

/// Formats bytes in hexadecimal, separated by spaces: `82 22`.
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
    /// The number of bytes read.
    pub bytes_in: u64,
    /// The number of bytes written.
    pub bytes_out: u64,
    /// True if the input has NUL bytes. Tested only if the encoding was decided and is ASCII-compatible.
    pub has_nul: bool,
    /// The number of malformed sequences.
    pub malformed: u64,
    /// The number of unmappable characters.
    pub unmappable: u64,
    /// The first changes of the encoding in mixed input.
    pub changes: Vec<Change>,
    /// The number of all changes.
    pub change_count: u64,
    /// The lines that were encoded twice.
    pub repaired: Repairs,
    /// The number of unmappable characters that were replaced by a substitute.
    pub substituted: u64,
    /// The counts of line ends and byte order marks in the text, if requested, and of changes by normalization. The
    /// counts may be incomplete after a failure.
    pub seen: Seen,
    /// The first malformed sequence or unmappable character.
    pub first_error: Option<Trouble>,
}

/// The reason why a conversion stopped before its end.
#[derive(Debug)]
#[allow(missing_docs, reason = "fields are named after what they hold")]
pub enum Failure {
    /// No encoding was given, there is no byte order mark, and the input is not UTF-8 there.
    UnknownSource(Trouble),
    /// The output encoding has no encoder.
    NoEncoder(&'static Encoding),
    /// The output encoding has no byte order mark.
    NoBom(&'static Encoding),
    /// The first malformed sequence or unmappable character, in error mode "fatal".
    Trouble(Trouble),
    /// Reading failed.
    Read(io::Error),
    /// Compressed input is damaged. The text before the damage has been converted.
    Damaged { format: Format, error: io::Error },
    /// Writing failed.
    Write(io::Error),
    /// The input had `expected` bytes when it was opened, but `read` bytes could be read.
    Changed { expected: u64, read: u64 },
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoEncoder(encoding) => {
                write!(f, "{encoding} can be read but not written; use --to utf-8")
            }
            Self::NoBom(encoding) => write!(
                f,
                "{encoding} has no byte order mark: --bom is for UTF-8, UTF-16LE, UTF-16BE"
            ),
            Self::UnknownSource(trouble) | Self::Trouble(trouble) => {
                let (bytes, at) = (hex(&trouble.bytes), Place::of(trouble));
                write!(f, "{:?} {bytes} at {at}", trouble.kind)
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
                "the file shrank from {expected} to {read} bytes while it was read; convert it again"
            ),
            Self::Changed { expected, .. } => {
                write!(
                    f,
                    "the file of {expected} bytes grew while it was read; convert it again"
                )
            }
        }
    }
}

/// Converts `input` to its end.
///
/// Passes each trouble to `on_trouble`, in the order of the input. In error mode "fatal", the first trouble is the
/// failure. The text before a failure is written, and the writer is flushed.
pub fn convert(
    input: Input<'_>,
    output: &mut (dyn Write + Send),
    options: &Options,
    on_trouble: &mut (dyn FnMut(&Trouble) + Send),
) -> (Outcome, Result<(), Failure>) {
    let encoding = match options.from {
        From::Given(encoding) => encoding,
        From::Decided(decision) => decision.encoding,
        From::Unnamed => mojika::UTF_8,
        From::Mixed(other, why) => {
            let turn = Turn::default();
            let mut reader = MixedText::new(input.reader, (other, why), input.parts, &turn);
            let input = Input {
                reader: &mut reader,
                turn: Some(&turn),
                ..input
            };
            // A run of lines may be short.
            let mut output = BufWriter::with_capacity(BLOCK, output);
            return workers::convert(input, &mut output, options, on_trouble);
        }
    };
    if options.repair != Treatment::Ignore && encoding == mojika::UTF_8 {
        return repaired::convert(input, output, options, on_trouble);
    }
    workers::convert(input, output, options, on_trouble)
}

#[cfg(test)]
mod tests;
