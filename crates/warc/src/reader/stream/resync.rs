//! Recovers after damage: finds members that a damaged member hides, and the next member that begins with a record.

use super::super::codec::{Codec, Start};
use super::{Room, START, Stream};
use std::io::{self, Read};

/// The number of bytes that the search may decompress, per byte of the file, and the number that is always allowed.
const FOR_EACH_BYTE: u64 = 4;
const SPARE: u64 = 8 << 20;
/// The number of bytes for examining a member after that budget is spent. It suffices for gzip, and for short Zstandard
/// frames.
const MEMBER_HEAD_LENGTH: usize = 2 << 10;

/// The search state for hidden members.
#[derive(Default)]
pub struct Search {
    /// A codec for hidden members; created when first needed.
    codec: Option<Codec>,
    /// The member that was searched last, and the end of that search, as offsets in the file.
    member: u64,
    end: u64,
    /// The number of bytes that the search has decompressed.
    spent: u64,
    head: Room,
}

impl<R: Read> Stream<R> {
    /// True if a member that begins with a record starts inside the current member.
    ///
    /// The current member was truncated in that case: one of its stored blocks includes the next bytes of the file.
    ///
    /// # Errors
    ///
    /// Fails if the input cannot be read.
    pub fn hides_member(&mut self) -> io::Result<bool> {
        // A gzip member that has been completed had the right checksum, so it hides no member.
        let is_right = !self.in_member && matches!(self.codec, Codec::Gzip(_));
        if !self.is_compressed() || is_right {
            return Ok(false);
        }
        let read = self.raw_offset + self.raw_at as u64;
        // A member may have many damaged records, but its bytes are searched only once.
        let mut start = self.raw_member + usize::from(self.is_kept());
        if self.search.member == self.member {
            let searched = self.search.end.saturating_sub(self.raw_offset);
            start = start.max(usize::try_from(searched).unwrap_or(usize::MAX));
        }
        let magic = self.codec.magic();
        let there = &self.raw[start.min(self.raw.len())..];
        let is_possible = memchr::memmem::find(there, magic).is_some() || {
            // A magic number at the end of the bytes may continue in bytes that have not been read.
            (1..magic.len()).any(|length| there.ends_with(&magic[..length]))
        };
        let mut found = false;
        if is_possible {
            let probe = match self.search.codec.take() {
                Some(probe) => probe,
                None => self.codec.another()?,
            };
            let codec = std::mem::replace(&mut self.codec, probe);
            let result = self.find_member_before(start, read);
            self.search.codec = Some(std::mem::replace(&mut self.codec, codec));
            found = result?;
        }
        self.search.member = self.member;
        self.search.end = read.saturating_sub(magic.len() as u64 - 1);
        self.raw_at = (read - self.raw_offset) as usize;
        Ok(found)
    }

    /// Moves to the first member that starts after `start` in `raw` and before the file offset `end`, and begins with a
    /// record.
    fn find_member_before(&mut self, start: usize, end: u64) -> io::Result<bool> {
        let magic = self.codec.magic();
        self.raw_at = start;
        while self.raw_offset + (self.raw_at as u64) < end {
            let rest = &self.raw[self.raw_at..];
            let Some(found) = memchr::memmem::find(rest, magic) else {
                // A magic number at the end of the bytes may continue in bytes that have not been read.
                let is_cut = (1..magic.len()).any(|length| rest.ends_with(&magic[..length]));
                if is_cut && self.read_more()? > 0 {
                    continue;
                }
                return Ok(false);
            };
            self.raw_at += found;
            if self.raw_offset + self.raw_at as u64 >= end {
                return Ok(false);
            }
            if self.begins_record()? {
                return Ok(true);
            }
            self.raw_at += 1;
        }
        Ok(false)
    }

    /// True if `raw` contains the start of the member.
    fn is_kept(&self) -> bool {
        self.raw_offset + self.raw_member as u64 == self.member
    }

    /// Finds the next member after damage that begins with a record; returns false if there is none.
    ///
    /// Discards the decompressed bytes of the damaged member.
    ///
    /// # Errors
    ///
    /// Fails if the input cannot be read.
    pub fn resync(&mut self) -> io::Result<bool> {
        self.out.clear();
        self.at = 0;
        self.border = None;
        self.in_member = false;
        self.broken = None;
        if !self.is_compressed() {
            return Ok(false);
        }
        let magic = self.codec.magic();
        self.raw_at = if !self.is_kept() {
            self.raw_member
        } else if self.raw[self.raw_member..].starts_with(magic) {
            self.raw_member + 1
        } else {
            // The damaged member may include the first bytes of the next member, which then starts earlier.
            self.raw_member.saturating_sub(magic.len() - 1)
        };
        let finder = memchr::memmem::Finder::new(magic);
        loop {
            self.raw_at = self.raw_at.min(self.raw.len());
            self.raw_member = self.raw_at;
            let Some(found) = finder.find(&self.raw[self.raw_at..]) else {
                self.raw_at = self
                    .raw_at
                    .max(self.raw.len().saturating_sub(magic.len() - 1));
                self.raw_member = self.raw_at;
                if self.read_more()? == 0 {
                    self.raw_at = self.raw.len();
                    return Ok(false);
                }
                continue;
            };
            self.raw_at += found;
            self.raw_member = self.raw_at;
            if self.begins_record()? {
                return Ok(true);
            }
            self.raw_at += 1;
        }
    }

    /// True if the bytes at `raw_at` are a member that begins with a record.
    fn begins_record(&mut self) -> io::Result<bool> {
        const NEEDED: &[u8] = b"WARC/";
        // Without this limit, data with many magic numbers that decompress to nothing would take quadratic time.
        let most = match self.search.spent <= SPARE + FOR_EACH_BYTE * self.bytes_read() {
            true => START,
            false => MEMBER_HEAD_LENGTH,
        };
        let mut head = std::mem::take(&mut self.search.head);
        head.reserve(64);
        let begins = loop {
            head.clear();
            let bytes = &self.raw[self.raw_at..];
            let bytes = &bytes[..bytes.len().min(most)];
            let mut read = bytes.len() / 16;
            let begins = match self.codec.start(bytes)? {
                Start::Member(header) => {
                    let mut at = header;
                    read = 64;
                    loop {
                        match self.codec.step(&bytes[at..], &mut head) {
                            Err(_) => break Some(head.bytes().starts_with(NEEDED)),
                            Ok(_) if head.len() >= NEEDED.len() => {
                                break Some(head.bytes().starts_with(NEEDED));
                            }
                            Ok(step) if step.ended => break Some(false),
                            Ok(step) if step.read == 0 => break None,
                            Ok(step) => {
                                at += step.read;
                                read += step.read;
                            }
                        }
                    }
                }
                Start::Short => None,
                _ => Some(false),
            };
            self.search.spent += read as u64;
            match begins {
                Some(begins) => break begins,
                None if bytes.len() >= most || self.read_more()? == 0 => break false,
                None => {}
            }
        };
        self.search.head = head;
        Ok(begins)
    }
}
