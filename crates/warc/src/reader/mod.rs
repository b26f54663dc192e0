//! WARC archives as records: ISO 28500 (WARC 1.0 and 1.1), uncompressed, in gzip or in Zstandard.
//!
//! `fastwarc` 2.0.0 cannot resynchronise after damage: its `GzipReader` takes a truncated member for the end of the file.
//! This reader therefore uses only flate2 and zstd, for decompression.
//!
//! Memory is bounded by the longest requested record, and by 16 MB for finding the next member after damage.

mod body;
mod codec;
pub mod fields;
mod input;
mod marks;
pub mod member;
mod room;
mod stream;
#[cfg(test)]
pub mod tests;

pub use body::Loaded;
use fields::Head;
pub use input::Input;
use marks::{HeadEnd, blank_length, head_end, starts_record};
use std::fmt;
use std::io::{self, Read};
pub use stream::{CHUNK, Position};
use stream::{Fill, Stream};

/// The maximum length of a record's header, in bytes.
const MOST_HEAD: usize = 64 << 10;
/// The length of "WARC/1.1", a line end and "WARC-".
const VERSION_LINE: usize = 15;
/// The result of reading on in an archive.
#[derive(Debug)]
pub enum Event {
    /// A record, which is now the current one.
    Record,
    /// Bytes that could not be read as a record.
    Damage(Damage),
    /// The end of the archive.
    End,
}

/// Damage, with the record and its position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Damage {
    pub at: Position,
    pub what: String,
    /// The address of the lost record, if its header could be read.
    pub url: Option<String>,
}

/// The position of a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Extent {
    pub at: Position,
    /// The length in the file: of an uncompressed record, or of a member that has only this record.
    pub length: Option<u64>,
}

impl fmt::Display for Damage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.at, self.what)?;
        match &self.url {
            Some(url) => write!(f, " ({url})"),
            None => Ok(()),
        }
    }
}

/// Reads records one after another.
pub struct Reader<R> {
    stream: Stream<Input<R>>,
    head: Vec<u8>,
    /// The position of the record with this header.
    head_at: Option<Position>,
    position: Position,
    /// The value of Content-Length.
    length: u64,
    body: Body,
}

/// The state of the current record's body.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Body {
    Unread,
    /// The body is at the start of the stream's data.
    Loaded,
    Consumed,
}

/// The reason why the stream does not continue as the record states.
#[derive(Debug)]
pub enum Broken {
    Io(io::Error),
    /// The member is damaged. [`Stream::resync`] finds the next one.
    Member(String),
    /// The declared length of the record is wrong.
    Length(String),
}

impl From<io::Error> for Broken {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl<R: Read> Reader<R> {
    /// Reads an archive from its start, which is at `offset` of the file. `chunk` is the number of bytes to read at once:
    /// [`CHUNK`], except in tests.
    ///
    /// # Errors
    ///
    /// Fails if the input cannot be read.
    pub fn new(input: Input<R>, chunk: usize, offset: u64) -> io::Result<Self> {
        Ok(Self {
            stream: Stream::new(input, chunk, offset)?,
            head: Vec::new(),
            head_at: None,
            position: Position::default(),
            length: 0,
            body: Body::Consumed,
        })
    }

    /// Returns the number of bytes of the file that have been read.
    pub fn bytes_read(&self) -> u64 {
        self.stream.bytes_read()
    }

    /// Returns the position of the current record.
    pub fn position(&self) -> Position {
        self.position
    }

    /// Returns the position and length of the current record, which must be [loaded](Self::load).
    pub fn extent(&self) -> Extent {
        let length = if self.is_compressed() {
            let is_alone = self.position.within == 0 && self.position.file == self.stream.member();
            // True if the member ends with the record.
            let rest = &self.stream.data()[self.length as usize..];
            let end = self.stream.member_end().filter(|_| is_alone);
            end.filter(|_| blank_length(rest) == rest.len())
                .map(|end| end - self.position.file)
        } else {
            Some(self.head.len() as u64 + self.length + 4)
        };
        let at = self.position;
        Extent { at, length }
    }

    /// Returns the address of the current record.
    pub fn url(&self) -> Option<String> {
        /// The maximum number of characters of an address in a message.
        const MAX_CHARS: usize = 300;
        if self.head_at != Some(self.position) {
            return None;
        }
        let url = String::from_utf8_lossy(self.head().url());
        (!url.is_empty()).then(|| url.chars().take(MAX_CHARS).collect())
    }

    /// True if the archive is compressed.
    pub fn is_compressed(&self) -> bool {
        self.stream.is_compressed()
    }

    /// Returns the header of the current record.
    pub fn head(&self) -> Head<'_> {
        Head::new(&self.head)
    }

    /// Returns the bytes of the current record's header, with the empty line.
    pub fn head_bytes(&self) -> &[u8] {
        &self.head
    }

    /// Returns the declared length of the current record's body.
    pub fn length(&self) -> u64 {
        self.length
    }

    /// Returns the body of the current record, if it has been [loaded](Self::load).
    pub fn body(&self) -> &[u8] {
        match self.body {
            Body::Loaded => &self.stream.data()[..self.length as usize],
            _ => &[],
        }
    }

    /// Advances to the next record. An unread body is skipped.
    ///
    /// # Errors
    ///
    /// Fails if the input cannot be read; damage is not an error.
    pub fn advance(&mut self) -> io::Result<Event> {
        if self.body == Body::Unread
            && let Some(damage) = self.copy_body(&mut io::sink())?
        {
            return Ok(Event::Damage(damage));
        }
        if self.body == Body::Loaded {
            self.stream.consume(self.length as usize);
            self.body = Body::Consumed;
        }
        match self.find_head() {
            Ok(true) => {
                self.body = Body::Unread;
                Ok(Event::Record)
            }
            Ok(false) => Ok(Event::End),
            Err(broken) => self.recover(broken).map(Event::Damage),
        }
    }

    /// Continues after damage, and returns the damage.
    fn recover(&mut self, broken: Broken) -> io::Result<Damage> {
        self.body = Body::Consumed;
        let url = self.url();
        let what = match broken {
            Broken::Io(error) => return Err(error),
            Broken::Member(what) => {
                self.stream.resync()?;
                what
            }
            // The member was truncated, and these bytes belong to the next members.
            Broken::Length(what) if self.is_cut_off()? => {
                self.stream.resync()?;
                what
            }
            Broken::Length(what) => {
                match self.find_record() {
                    Ok(()) => {}
                    Err(Broken::Io(error)) => return Err(error),
                    // The readable part of that member does not begin a record.
                    Err(_) => drop(self.stream.resync()?),
                }
                what
            }
        };
        let at = self.position;
        Ok(Damage { at, what, url })
    }

    /// True if the member of the current record was truncated, and later members were read as its content.
    fn is_cut_off(&mut self) -> io::Result<bool> {
        Ok(self.position.file == self.stream.member() && self.stream.hides_member()?)
    }

    /// Finds the header of the next record; returns false at the end of the archive.
    fn find_head(&mut self) -> Result<bool, Broken> {
        loop {
            let blank = blank_length(self.stream.data());
            self.stream.consume(blank);
            self.position = self.stream.position();
            let data = self.stream.data();
            if data.len() >= 5 {
                break;
            }
            if self.stream.fill()? == Fill::Data {
                continue;
            }
            let left = self.stream.data();
            let left = &left[..self.stream.border().unwrap_or(left.len())];
            if blank_length(left) < left.len() {
                break;
            }
            let left = left.len();
            self.stream.consume(left);
            let begun = self.stream.begin_member();
            self.position = self.stream.position();
            if !begun? {
                return Ok(false);
            }
        }
        if !self.stream.data().starts_with(b"WARC/") {
            return Err(Broken::Length("bytes that are not a record".to_owned()));
        }
        let length = loop {
            let data = self.stream.data();
            let data = &data[..data.len().min(MOST_HEAD)];
            match head_end(data) {
                HeadEnd::At(length) => break length,
                HeadEnd::CutOff => return self.no_head("its header is incomplete"),
                HeadEnd::Open => {}
            }
            if data.len() == MOST_HEAD {
                return self.no_head("its header has more than 64 KB");
            }
            if self.stream.fill()? == Fill::MemberEnd {
                return self.no_head("its header is incomplete");
            }
        };
        self.head.clear();
        self.head.extend_from_slice(&self.stream.data()[..length]);
        self.head_at = Some(self.position);
        let value = self.head().get("Content-Length");
        let value = value.and_then(|value| str::from_utf8(value).ok());
        match value.and_then(|value| value.parse().ok()) {
            Some(value) => {
                self.length = value;
                self.stream.consume(length);
                self.check_declared_end()?;
                Ok(true)
            }
            None => self.no_head("its header has no valid Content-Length"),
        }
    }

    /// Skips the start of an unreadable record.
    fn no_head(&mut self, what: &str) -> Result<bool, Broken> {
        // One byte is skipped, so that the same start is not found again.
        let start = self.stream.data().len().min(1);
        self.stream.consume(start);
        Err(Broken::Length(what.to_owned()))
    }

    /// Consumes bytes up to the start of the next record.
    fn find_record(&mut self) -> Result<(), Broken> {
        let mut is_line_start = false;
        loop {
            let data = self.stream.data();
            let border = self.stream.border();
            let found = memchr::memmem::find_iter(data, b"WARC/").find(|&at| {
                let is_start = border == Some(at) || (at == 0 && is_line_start);
                starts_record(data, at)
                    || (is_start && data.get(5 + at).is_some_and(u8::is_ascii_digit))
            });
            if let Some(found) = found {
                self.stream.consume(found);
                return Ok(());
            }
            // The start of a record at the end of the data may be incomplete.
            let keep = data.len().min(VERSION_LINE);
            let consumed = data.len() - keep;
            if consumed > 0 {
                is_line_start = data[consumed - 1] == b'\n';
                self.stream.consume(consumed);
            }
            if self.stream.fill()? == Fill::MemberEnd {
                let left = self.stream.data().len();
                self.stream.consume(left);
                if !self.stream.begin_member()? {
                    return Ok(());
                }
                is_line_start = true;
            }
        }
    }
}
