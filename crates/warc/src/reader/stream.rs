//! The decompressed bytes of an archive, with the boundaries of its members, and recovery after damage.

mod resync;
mod whole;

use super::Broken;
use super::codec::{Codec, Start};
use super::room::Room;
use resync::Search;
use std::fmt;
use std::io::{self, Read};

/// The number of bytes to read at once. Decompression starts with a quarter of that space.
pub const CHUNK: usize = 256 << 10;
/// The number of compressed bytes in which the start of a member is recognised (the longest block of Zstandard has 128
/// KB). If the start of the archive is damaged, they also determine its compression.
const START: usize = 256 << 10;
/// The maximum number of compressed bytes of a member that are kept to search for the next member after damage.
const KEEP: usize = 16 << 20;

/// A position in an archive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Position {
    /// The offset in the file of the member, or of the record if the archive is not compressed.
    pub file: u64,
    /// The number of decompressed bytes of the member before the position.
    pub within: u64,
}

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "byte offset {}", self.file)?;
        if self.within > 0 {
            write!(f, ", {} bytes into the member", self.within)?;
        }
        Ok(())
    }
}

/// The result of [`Stream::fill`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fill {
    /// There are more bytes.
    Data,
    /// The member has ended. [`Stream::begin_member`] continues with the next one.
    MemberEnd,
}

fn damage<T>(what: &str) -> Result<T, Broken> {
    Err(Broken::Member(what.to_owned()))
}

/// An archive as decompressed bytes.
pub struct Stream<R> {
    input: R,
    chunk: usize,
    is_at_end: bool,
    codec: Codec,
    /// Compressed bytes.
    raw: Vec<u8>,
    /// The offset in `raw` of the next byte to decompress.
    raw_at: usize,
    /// The offset in `raw` of the start of the member; 0 if the start is no longer in `raw`.
    raw_member: usize,
    /// The offset in the file of `raw[0]`.
    raw_offset: u64,
    /// Decompressed bytes.
    out: Room,
    /// The offset in `out` of the next byte to consume.
    at: usize,
    in_member: bool,
    /// True if no byte of the member is decompressed yet.
    is_fresh: bool,
    /// The reason why the member ends after the decompressed bytes.
    broken: Option<String>,
    /// The offset of the member in the file.
    member: u64,
    /// The offset in `out` of the member's first byte; `None` once that byte is consumed.
    border: Option<usize>,
    /// The number of consumed bytes of the member.
    within: u64,
    /// Finds members that are hidden by a damaged one.
    search: Search,
}

impl<R: Read> Stream<R> {
    /// Reads an archive from its start, which is at `offset` of the file. `chunk` is the number of bytes to read at once.
    ///
    /// # Errors
    ///
    /// Fails if the input cannot be read.
    pub fn new(input: R, chunk: usize, offset: u64) -> io::Result<Self> {
        let mut stream = Self {
            input,
            chunk,
            is_at_end: false,
            codec: Codec::Identity,
            raw: Vec::new(),
            raw_at: 0,
            raw_member: 0,
            raw_offset: offset,
            out: Room::default(),
            at: 0,
            in_member: false,
            is_fresh: false,
            broken: None,
            member: 0,
            border: None,
            within: 0,
            search: Search::default(),
        };
        // Four bytes determine the compression.
        while stream.raw.len() < 4 && stream.read_more()? > 0 {}
        stream.codec = match Codec::of(&stream.raw)? {
            Some(codec) => codec,
            None => {
                while stream.raw.len() < START && stream.read_more()? > 0 {}
                let most = stream.raw.len().min(START);
                Codec::within(&stream.raw[..most])?
            }
        };
        if !stream.is_compressed() {
            stream.within = offset;
        }
        Ok(stream)
    }

    /// Returns the source of the archive.
    pub fn input(&self) -> &R {
        &self.input
    }

    /// Returns the number of bytes of the file that have been read.
    pub fn bytes_read(&self) -> u64 {
        self.raw_offset + self.raw.len() as u64
    }

    /// True if the archive consists of members.
    pub fn is_compressed(&self) -> bool {
        !matches!(self.codec, Codec::Identity)
    }

    /// Returns the available decompressed bytes.
    pub fn data(&self) -> &[u8] {
        &self.out.bytes()[self.at..]
    }

    /// Returns the position of the first byte of [`data`](Self::data).
    pub fn position(&self) -> Position {
        if self.is_compressed() {
            Position {
                file: self.member,
                within: self.within,
            }
        } else {
            Position {
                file: self.within,
                within: 0,
            }
        }
    }

    /// Returns the offset of the current member in the file.
    pub fn member(&self) -> u64 {
        self.member
    }

    /// Returns the offset in the file of the byte after the current member, if its end has been read.
    pub fn member_end(&self) -> Option<u64> {
        (!self.in_member).then(|| self.raw_offset + self.raw_at as u64)
    }

    /// Returns the start of the current member in [`data`](Self::data), if it starts there.
    pub fn border(&self) -> Option<usize> {
        self.border.map(|border| border - self.at)
    }

    /// Consumes bytes of [`data`](Self::data).
    pub fn consume(&mut self, count: usize) {
        debug_assert!(count <= self.data().len());
        self.at += count;
        match self.border {
            None => self.within += count as u64,
            Some(border) if border <= self.at => {
                self.within = (self.at - border) as u64;
                self.border = None;
            }
            // The first bytes of the data still belong to an earlier member.
            Some(_) => {}
        }
        if self.at == self.out.len() {
            self.out.clear();
            self.at = 0;
        }
    }

    /// Appends to [`data`](Self::data).
    ///
    /// # Errors
    ///
    /// Fails if the input cannot be read, or is damaged or truncated.
    pub fn fill(&mut self) -> Result<Fill, Broken> {
        if !self.in_member {
            return Ok(Fill::MemberEnd);
        }
        self.make_room();
        if !self.is_compressed() {
            return self.fill_directly();
        }
        if std::mem::take(&mut self.is_fresh) && self.fill_whole()? {
            return Ok(Fill::Data);
        }
        loop {
            if let Some(what) = self.broken.take() {
                return Err(Broken::Member(what));
            }
            let before = self.out.len();
            let input = &self.raw[self.raw_at..];
            let step = match self.codec.step(input, &mut self.out) {
                Ok(step) => step,
                Err(what) => {
                    // The bytes before the damage are returned first, because they may contain whole records.
                    self.broken = Some(what);
                    if self.out.len() > before {
                        return Ok(Fill::Data);
                    }
                    continue;
                }
            };
            self.raw_at += step.read;
            if step.ended {
                self.in_member = false;
            }
            if self.out.len() > before {
                return Ok(Fill::Data);
            }
            if step.ended {
                return Ok(Fill::MemberEnd);
            }
            if step.read == 0 && self.read_more()? == 0 {
                return damage("the file ends inside of a compressed member");
            }
        }
    }

    fn fill_directly(&mut self) -> Result<Fill, Broken> {
        if self.raw.is_empty() {
            let mut input = (&mut self.input).take(self.chunk as u64);
            let more = self.out.append(|out| input.read_to_end(out))?;
            self.raw_offset += more as u64;
            self.is_at_end = more == 0;
        } else {
            // These bytes were read to determine the compression. There is none, so they are data.
            self.raw_offset += self.raw.len() as u64;
            self.out.append(|out| out.append(&mut self.raw));
        }
        if self.is_at_end {
            self.in_member = false;
            return Ok(Fill::MemberEnd);
        }
        Ok(Fill::Data)
    }

    /// Begins the next member, if there is one.
    ///
    /// # Errors
    ///
    /// Fails if the next bytes are not a member.
    pub fn begin_member(&mut self) -> Result<bool, Broken> {
        debug_assert!(!self.in_member);
        // The start of a skipped frame is kept: if the frame is truncated, its length may cover other frames.
        let mut skipped = None;
        loop {
            if skipped.is_none() {
                self.raw_member = self.raw_at;
            }
            if self.raw_at == self.raw.len() && self.read_more()? == 0 {
                return Ok(false);
            }
            let start = self.codec.start(&self.raw[self.raw_at..])?;
            let here = self.raw_offset + self.raw_at as u64;
            match start {
                Start::Member(header) => {
                    self.raw_member = self.raw_at;
                    self.member = here;
                    if self.is_compressed() {
                        self.within = 0;
                        self.border = (!self.data().is_empty()).then_some(self.out.len());
                    }
                    self.raw_at += header;
                    self.in_member = true;
                    self.is_fresh = true;
                    return Ok(true);
                }
                Start::Skip { header, length } | Start::Dictionary { header, length } => {
                    self.raw_member = self.raw_at;
                    skipped = Some(here);
                    self.raw_at += header;
                    // A dictionary must precede all frames.
                    if here == 0 && matches!(start, Start::Dictionary { .. }) {
                        let length = usize::try_from(length).unwrap_or(usize::MAX);
                        while self.raw.len() - self.raw_at < length {
                            if self.read_more()? == 0 {
                                return self
                                    .no_member(here, "the file ends inside of its dictionary");
                            }
                        }
                        let dictionary = &self.raw[self.raw_at..self.raw_at + length];
                        if self.codec.set_dictionary(dictionary).is_err() {
                            return self.no_member(here, "the dictionary is damaged");
                        }
                    }
                    if !self.skip(length)? {
                        return self.no_member(here, "the file ends inside of a skippable frame");
                    }
                }
                Start::Short => {
                    let is_endless = self.raw.len() - self.raw_at > KEEP;
                    if is_endless || self.read_more()? == 0 {
                        let at = skipped.unwrap_or(here);
                        return self
                            .no_member(at, "the file ends inside of the header of a member");
                    }
                }
                Start::Garbage => {
                    return match skipped {
                        Some(at) => {
                            self.no_member(at, "a skippable frame that does not end at a member")
                        }
                        None => self.no_member(here, "bytes between members that are not a member"),
                    };
                }
            }
        }
    }

    /// Reports that there is no member at this offset, which is damage.
    fn no_member(&mut self, at: u64, what: &str) -> Result<bool, Broken> {
        self.member = at;
        self.within = 0;
        damage(what)
    }

    /// Skips bytes; returns false if the file ends earlier.
    fn skip(&mut self, mut length: u64) -> io::Result<bool> {
        loop {
            let there = (self.raw.len() - self.raw_at) as u64;
            let step = there.min(length);
            self.raw_at += step as usize;
            length -= step;
            if length == 0 {
                return Ok(true);
            }
            if self.read_more()? == 0 {
                return Ok(false);
            }
        }
    }

    /// Reads more of the file, and returns the number of bytes; 0 at the end.
    fn read_more(&mut self) -> io::Result<usize> {
        if self.is_at_end {
            return Ok(0);
        }
        if self.raw_at - self.raw_member > KEEP {
            self.raw_member = self.raw_at - START;
        }
        // The next member may begin with the last bytes of this member: see `resync`.
        let done = self.raw_member.saturating_sub(self.codec.magic().len() - 1);
        self.raw.drain(..done);
        self.raw_offset += done as u64;
        self.raw_at -= done;
        self.raw_member -= done;
        let more = (&mut self.input)
            .take(self.chunk as u64)
            .read_to_end(&mut self.raw)?;
        self.is_at_end = more == 0;
        Ok(more)
    }

    /// Makes space for decompressed bytes after the unconsumed ones.
    fn make_room(&mut self) {
        let room = (self.chunk / 4).max(1);
        if self.out.spare_len() >= room {
            return;
        }
        if self.at > 0 {
            self.out.take_off(self.at);
            self.border = self.border.map(|border| border - self.at);
            self.at = 0;
        }
        if self.out.spare_len() < room {
            self.out.reserve(self.out.len().max(room));
        }
    }
}
