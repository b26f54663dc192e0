//! Files of records, as mainframes have them, as lines in the same encoding.
//!
//! A file of records has no line ends: a record has a length, which is one for the whole file, or is stated before it. Each
//! record becomes the bytes that it has, back in single bytes where it has double ones, and a line feed. One record is in
//! memory, 65,535 bytes at most.

use super::counting::Counting;
use super::{Failure, Input, Options, Outcome, Trouble, workers};
use mojika::Encoding;
use std::io::{self, BufReader, Read, Write};

/// The way in which a file marks the ends of its records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// All have this number of bytes.
    Fixed(u16),
    /// A record descriptor word is before each: two bytes with its length, the word included, and two bytes of zeros.
    Rdw,
    /// A block descriptor word is before each block of such records: likewise with the length of the block, or four bytes
    /// with that length after a first bit that is set.
    Bdw,
}

/// The treatment of records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Records {
    /// The format of the records.
    pub format: Format,
    /// True if blanks at the end of a record are left out.
    pub trim: bool,
}

/// The line end of EBCDIC.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum EbcdicNewline {
    /// Byte 0x25, which is U+000A.
    #[default]
    Lf,
    /// Byte 0x15, which is U+0085 otherwise.
    Nel,
}

/// The bytes that separate records in an encoding.
#[derive(Clone, Copy)]
struct Bytes {
    line_feed: u8,
    blank: u8,
    /// True if 0x0E and 0x0F shift.
    shifts: bool,
}

/// True if an encoding is IBM's, without ASCII's bytes, and has line ends.
pub fn is_ebcdic(encoding: &'static Encoding) -> bool {
    let has_line_ends = encoding.code_unit_len() == 1;
    encoding.name().starts_with("IBM") && !encoding.is_ascii_compatible() && has_line_ends
}

impl Bytes {
    fn of(encoding: &'static Encoding) -> Self {
        if is_ebcdic(encoding) {
            Self {
                line_feed: LINE_FEED,
                blank: 0x40,
                shifts: encoding.is_stateful(),
            }
        } else {
            Self {
                line_feed: b'\n',
                blank: b' ',
                shifts: false,
            }
        }
    }
}

/// The byte of a line feed in EBCDIC, and of the next line, which lines of z/OS UNIX end with.
const LINE_FEED: u8 = 0x25;
const NEXT_LINE: u8 = 0x15;

/// A byte with the line feed and the next line of EBCDIC exchanged. In pairs of bytes there is neither.
fn exchanged(byte: u8) -> u8 {
    match byte {
        LINE_FEED => NEXT_LINE,
        NEXT_LINE => LINE_FEED,
        other => other,
    }
}

/// Reads records as lines.
struct RecordReader<R> {
    /// A record may be short, and each is read by itself.
    inner: BufReader<R>,
    records: Records,
    bytes: Bytes,
    /// True if line ends of EBCDIC are exchanged in records.
    exchanges: bool,
    /// Offset in the file.
    offset: u64,
    /// Bytes of the block that are still to come.
    block: u64,
    line: Vec<u8>,
    given: usize,
}

/// Returns an error with its place and text.
fn damaged(offset: u64, what: String) -> io::Error {
    let message = format!("{what}, at byte offset {offset}: is --records what the file has?");
    io::Error::new(io::ErrorKind::InvalidData, message)
}

impl<R: Read> RecordReader<R> {
    fn new(inner: R, records: Records, encoding: &'static Encoding, exchanges: bool) -> Self {
        Self {
            inner: BufReader::with_capacity(64 << 10, inner),
            records,
            bytes: Bytes::of(encoding),
            exchanges,
            offset: 0,
            block: 0,
            line: Vec::new(),
            given: 0,
        }
    }

    /// Fills `buffer` from the input; returns the number of bytes.
    fn fill(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let mut filled = 0;
        while filled < buffer.len() {
            match self.inner.read(&mut buffer[filled..]) {
                Ok(0) => break,
                Ok(more) => filled += more,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        self.offset += filled as u64;
        Ok(filled)
    }

    /// A descriptor word; `None` at the end of the file.
    fn word(&mut self, what: &str) -> io::Result<Option<[u8; 4]>> {
        let (mut word, at) = ([0; 4], self.offset);
        match self.fill(&mut word)? {
            0 => Ok(None),
            4 => Ok(Some(word)),
            some => Err(damaged(
                at,
                format!("the file ends after {some} of 4 bytes of a {what} descriptor word"),
            )),
        }
    }

    /// The length of the next record; `None` at the end of the file.
    fn length(&mut self) -> io::Result<Option<usize>> {
        if let Format::Fixed(length) = self.records.format {
            return Ok(Some(length.into()));
        }
        if self.records.format == Format::Bdw && self.block == 0 {
            let at = self.offset;
            let Some(word) = self.word("block")? else {
                return Ok(None);
            };
            let [first, second, third, fourth] = word;
            let length = if first & 0x80 != 0 {
                u32::from_be_bytes([first & 0x7F, second, third, fourth])
            } else if [third, fourth] == [0, 0] {
                u16::from_be_bytes([first, second]).into()
            } else {
                return Err(damaged(
                    at,
                    format!("no block descriptor word: {word:02X?}"),
                ));
            };
            if length < 8 {
                return Err(damaged(
                    at,
                    format!("a block of {length} bytes, less than 8"),
                ));
            }
            self.block = u64::from(length) - 4;
        }
        let at = self.offset;
        let Some(word) = self.word("record")? else {
            return if self.block > 0 {
                Err(damaged(
                    at,
                    format!("the file ends {} bytes before its block", self.block),
                ))
            } else {
                Ok(None)
            };
        };
        let length = u16::from_be_bytes([word[0], word[1]]);
        if length < 4 {
            return Err(damaged(
                at,
                format!("a record of {length} bytes, less than 4"),
            ));
        }
        if word[2] != 0 || word[3] != 0 {
            let what = "a segment of a spanned record, which is not supported, or no record descriptor word";
            return Err(damaged(at, format!("{what}: {word:02X?}")));
        }
        if self.records.format == Format::Bdw {
            self.block = self.block.checked_sub(length.into()).ok_or_else(|| {
                damaged(
                    at,
                    format!("a record of {length} bytes, more than its block has left"),
                )
            })?;
        }
        Ok(Some(usize::from(length) - 4))
    }

    /// Reads a record and makes a line; false at the end of the file.
    fn next(&mut self) -> io::Result<bool> {
        let Some(length) = self.length()? else {
            return Ok(false);
        };
        let mut line = std::mem::take(&mut self.line);
        line.clear();
        line.resize(length, 0);
        let at = self.offset;
        let read = self.fill(&mut line)?;
        if read == 0 && length > 0 && matches!(self.records.format, Format::Fixed(_)) {
            return Ok(false);
        }
        if read < length {
            let what = format!("the file ends after {read} of the {length} bytes of a record");
            return Err(damaged(at, what));
        }
        if self.exchanges {
            for byte in &mut line {
                *byte = exchanged(*byte);
            }
        }
        let last_shift = memchr::memrchr2(0x0E, 0x0F, &line).filter(|_| self.bytes.shifts);
        let is_double = last_shift.is_some_and(|at| line[at] == 0x0E);
        if self.records.trim && !is_double {
            let blanks = line
                .iter()
                .rev()
                .take_while(|byte| **byte == self.bytes.blank);
            line.truncate(line.len() - blanks.count());
        }
        if is_double {
            line.push(0x0F);
        }
        line.push(self.bytes.line_feed);
        (self.line, self.given) = (line, 0);
        Ok(true)
    }
}

impl<R: Read> Read for RecordReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.given == self.line.len() && !self.next()? {
            return Ok(0);
        }
        let rest = &self.line[self.given..];
        let taken = rest.len().min(buffer.len());
        buffer[..taken].copy_from_slice(&rest[..taken]);
        self.given += taken;
        Ok(taken)
    }
}

/// A reader that exchanges line ends of EBCDIC.
struct ExchangingReader<R>(R);

impl<R: Read> Read for ExchangingReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.0.read(buffer)?;
        for byte in &mut buffer[..length] {
            *byte = exchanged(*byte);
        }
        Ok(length)
    }
}

/// A writer that exchanges line ends of EBCDIC.
struct ExchangingWriter<'a>(&'a mut (dyn Write + Send));

impl Write for ExchangingWriter<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let exchanged: Vec<u8> = bytes.iter().map(|byte| exchanged(*byte)).collect();
        self.0.write(&exchanged)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// Converts the lines of records in this encoding, and exchanges line ends of EBCDIC if asked.
/// Offsets of errors are offsets in the lines, whose numbers are those of the records.
pub fn convert(
    input: Input<'_>,
    encoding: &'static Encoding,
    output: &mut (dyn Write + Send),
    options: &Options,
    on_trouble: &mut (dyn FnMut(&Trouble) + Send),
) -> (Outcome, Result<(), Failure>) {
    let mut counting = Counting::new(input.reader, input.size);
    let mut exchanging_writer;
    let output = if options.next_line && is_ebcdic(options.to) {
        exchanging_writer = ExchangingWriter(output);
        &mut exchanging_writer
    } else {
        output
    };
    let exchanges = options.next_line && is_ebcdic(encoding);
    // The bytes of a trouble as the file has them.
    let in_file = |mut trouble: Trouble| {
        for byte in trouble.bytes.iter_mut().filter(|_| exchanges) {
            *byte = exchanged(*byte);
        }
        trouble
    };
    let (outcome, result) = {
        let mut exchanging;
        let mut lines;
        let reader: &mut (dyn Read + Send) = match options.records {
            Some(records) => {
                lines = RecordReader::new(&mut counting, records, encoding, exchanges);
                &mut lines
            }
            None if exchanges => {
                exchanging = ExchangingReader(&mut counting);
                &mut exchanging
            }
            None => &mut counting,
        };
        let inner = Input {
            reader,
            size: None,
            prompt: input.prompt,
            turn: input.turn,
        };
        let mut on_trouble = |trouble: &Trouble| on_trouble(&in_file(trouble.clone()));
        workers::convert(inner, output, options, &mut on_trouble)
    };
    let result = result.map_err(|failure| match failure {
        Failure::Trouble(trouble) => Failure::Trouble(in_file(trouble)),
        other => other,
    });
    let outcome = Outcome {
        bytes_in: counting.read,
        ..outcome
    };
    (outcome, counting.check(result))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(bytes: &[u8], format: Format, trim: bool, name: &str) -> Result<Vec<u8>, String> {
        let encoding = mojika::extended::find(name).unwrap();
        let mut reader = RecordReader::new(bytes, Records { format, trim }, encoding, false);
        let mut read = Vec::new();
        let result = reader.read_to_end(&mut read);
        result.map(|_| read).map_err(|error| error.to_string())
    }

    #[test]
    fn records_become_lines() {
        let fixed = lines(
            b"\xC1\xC2\x40\xC3\x40\x40",
            Format::Fixed(3),
            false,
            "ibm037",
        );
        assert_eq!(fixed.unwrap(), b"\xC1\xC2\x40\x25\xC3\x40\x40\x25");
        let trimmed = lines(
            b"\xC1\xC2\x40\xC3\x40\x40",
            Format::Fixed(3),
            true,
            "ibm037",
        );
        assert_eq!(trimmed.unwrap(), b"\xC1\xC2\x25\xC3\x25");
        let rdw = lines(
            b"\0\x06\0\0\xC1\xC2\0\x04\0\0",
            Format::Rdw,
            false,
            "ibm037",
        );
        assert_eq!(rdw.unwrap(), b"\xC1\xC2\x25\x25");
        let bdw = lines(
            b"\0\x0F\0\0\0\x06\0\0\xC1\xC2\0\x05\0\0\xC3\x80\0\0\x09\0\x05\0\0\xC4",
            Format::Bdw,
            false,
            "ibm037",
        );
        assert_eq!(bdw.unwrap(), b"\xC1\xC2\x25\xC3\x25\xC4\x25");
        assert_eq!(
            lines(b"ab c  ", Format::Fixed(3), true, "gbk").unwrap(),
            b"ab\nc\n"
        );
        assert_eq!(lines(b"", Format::Bdw, true, "ibm037").unwrap(), b"");
    }

    #[test]
    fn a_record_ends_in_single_bytes() {
        let cut = lines(
            b"\x0E\x4F\x58\x40\x40\x0F\xC1\x40",
            Format::Fixed(4),
            true,
            "ibm939",
        );
        assert_eq!(cut.unwrap(), b"\x0E\x4F\x58\x40\x0F\x25\x40\x0F\xC1\x25");
    }

    #[test]
    fn damaged_lengths_are_named_with_their_place() {
        for (bytes, format, message) in [
            (
                &b"\0\x06\0\0\xC1\xC2\0\x03\0\0"[..],
                Format::Rdw,
                "a record of 3 bytes, less than 4, at byte offset 6",
            ),
            (
                b"\0\x09\0\0\xC1\xC2",
                Format::Rdw,
                "ends after 2 of the 5 bytes of a record, at byte offset 4",
            ),
            (
                b"\0\x09\0",
                Format::Rdw,
                "ends after 3 of 4 bytes of a record descriptor word, at byte offset 0",
            ),
            (
                b"\0\x05\x01\0\xC1",
                Format::Rdw,
                "a segment of a spanned record",
            ),
            (
                b"\0\x09\0\0\0\x06\0\0\xC1\xC2",
                Format::Bdw,
                "more than its block has left, at byte offset 4",
            ),
            (
                b"\0\x07\0\0",
                Format::Bdw,
                "a block of 7 bytes, less than 8, at byte offset 0",
            ),
            (
                b"\0\x0B\0\0\0\x05\0\0\xC1",
                Format::Bdw,
                "ends 2 bytes before its block, at byte offset 9",
            ),
            (
                b"\xC1\xC2\xC3\xC4",
                Format::Fixed(3),
                "ends after 1 of the 3 bytes of a record, at byte offset 3",
            ),
        ] {
            let error = lines(bytes, format, false, "ibm037").unwrap_err();
            assert!(error.contains(message), "{error}");
        }
    }
}
