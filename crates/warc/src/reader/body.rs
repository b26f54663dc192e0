//! Loads, copies or skips the bodies of records, and checks the end of each.

use super::marks::ends_record;
use super::stream::Fill;
use super::{Body, Broken, Damage, Reader};
use std::io::{self, Read, Write};

/// The number of bytes by which the end of a record is recognised: a line end and "WARC/".
const LONGEST_END: usize = 7;
/// The maximum length of a body that is kept in memory while it is skipped, so that its end can be checked first.
const KEEP: u64 = 8 << 20;
/// The number of body bytes that are kept from a pipe, because the pipe may end before the declared length.
const KEEP_OF_PIPE: usize = 64 << 20;

/// The result of loading a body.
#[derive(Debug)]
pub enum Loaded {
    /// The body is loaded; [`Reader::body`] returns it.
    Yes,
    /// The body exceeds the limit.
    TooLong,
    Damaged(Damage),
}

impl<R: Read> Reader<R> {
    /// Reads the body of the current record, if it has at most `most` bytes.
    ///
    /// # Errors
    ///
    /// Fails if the input cannot be read; damage is not an error.
    pub fn load(&mut self, most: u64) -> io::Result<Loaded> {
        if self.length > most || usize::try_from(self.length).is_err() {
            return Ok(Loaded::TooLong);
        }
        match self.load_body() {
            Ok(()) => {
                self.body = Body::Loaded;
                Ok(Loaded::Yes)
            }
            Err(broken) => self.recover(broken).map(Loaded::Damaged),
        }
    }

    /// Writes the body of the current record, of any length, and returns the damage, if any. The body is consumed.
    ///
    /// # Errors
    ///
    /// Fails if the input cannot be read or the output cannot be written to.
    pub fn copy_body(&mut self, output: &mut dyn Write) -> io::Result<Option<Damage>> {
        let copied = if self.length <= KEEP || self.body == Body::Loaded {
            self.load_body().and_then(|()| {
                let length = self.length as usize;
                output.write_all(&self.stream.data()[..length])?;
                self.stream.consume(length);
                Ok(())
            })
        } else {
            self.stream_body(output)
        };
        match copied {
            Ok(()) => {
                self.body = Body::Consumed;
                Ok(None)
            }
            Err(broken) => self.recover(broken).map(Some),
        }
    }

    /// Checks the end of a long body before reading it. With a wrong length, the body would include the next records.
    ///
    /// Short and compressed bodies are checked after reading.
    pub(super) fn check_declared_end(&mut self) -> Result<(), Broken> {
        if self.is_compressed() || self.length <= KEEP {
            return Ok(());
        }
        let start = self.stream.position().file;
        let mut rest = [0; LONGEST_END];
        let end = start.checked_add(self.length);
        let there = match end {
            Some(end) => self.stream.input().look(end, &mut rest)?,
            // The length is larger than any file.
            None => Some(0),
        };
        // If the file ends with the record or earlier, no bytes are there.
        let is_right = match (there, end) {
            (_, None) => false,
            (None, _) => true,
            (Some(0), Some(end)) => self.stream.input().size() == Some(end),
            (Some(there), _) => ends_record(&rest[..there], there < LONGEST_END),
        };
        if is_right {
            Ok(())
        } else {
            Err(self.wrong_length())
        }
    }

    fn wrong_length(&self) -> Broken {
        Broken::Length(format!(
            "Content-Length is {}, and the record does not end there",
            self.length
        ))
    }

    /// Loads the body, which begins at the start of the stream's data, and checks the bytes after it.
    fn load_body(&mut self) -> Result<(), Broken> {
        let length = self.length as usize;
        self.fill_to(length)?;
        self.check_end(length)
    }

    /// Fills the stream's data until it has the first `length` bytes of the body.
    fn fill_to(&mut self, length: usize) -> Result<(), Broken> {
        while self.stream.data().len() < length {
            if self.stream.fill()? == Fill::MemberEnd {
                let there = self.stream.data().len() as u64;
                self.continue_in_next_member(there)?;
            }
        }
        Ok(())
    }

    /// Copies the body piece by piece.
    fn stream_body(&mut self, output: &mut dyn Write) -> Result<(), Broken> {
        if !self.is_compressed() && self.stream.input().size().is_none() {
            // These bytes are kept because they are searched for records if a pipe ends before the body does.
            let keep = KEEP_OF_PIPE.min(usize::try_from(self.length).unwrap_or(KEEP_OF_PIPE));
            self.fill_to(keep)?;
        }
        let mut left = self.length;
        loop {
            let there = self.stream.data();
            let part = there.len().min(usize::try_from(left).unwrap_or(usize::MAX));
            output.write_all(&there[..part])?;
            self.stream.consume(part);
            left -= part as u64;
            if left == 0 {
                break;
            }
            if self.stream.fill()? == Fill::MemberEnd {
                self.continue_in_next_member(self.length - left)?;
            }
        }
        self.check_end(0)
    }

    /// Continues a body after the end of a member, unless a record begins in the next member.
    fn continue_in_next_member(&mut self, there: u64) -> Result<(), Broken> {
        let short = format!(
            "Content-Length is {}, and {there} bytes are there",
            self.length
        );
        let start = self.stream.data().len();
        match self.stream.begin_member() {
            Ok(true) => {}
            Ok(false) => return Err(Broken::Length(short)),
            Err(Broken::Io(error)) => return Err(Broken::Io(error)),
            // The next member is damaged, too, so this record is incomplete.
            Err(_) => return Err(Broken::Member(short)),
        }
        while self.stream.data().len() < start + 5 {
            if self.stream.fill()? == Fill::MemberEnd {
                return Ok(());
            }
        }
        if self.stream.data()[start..].starts_with(b"WARC/") {
            return Err(Broken::Length(short));
        }
        Ok(())
    }

    /// Checks that the record ends after `length` bytes of the stream's data.
    fn check_end(&mut self, length: usize) -> Result<(), Broken> {
        let mut ended = false;
        loop {
            let rest = &self.stream.data()[length..];
            // If the record may be the only one of its member, the member is read to its end, to test its checksum.
            let least = if self.is_compressed() { 5 } else { 4 };
            if rest.len() >= LONGEST_END || (rest.len() >= least && ends_record(rest, false)) {
                break;
            }
            if self.stream.fill()? == Fill::MemberEnd {
                ended = true;
                break;
            }
        }
        let rest = &self.stream.data()[length..];
        match ends_record(rest, ended) {
            true => Ok(()),
            false => Err(self.wrong_length()),
        }
    }
}
