//! Recovery after damage: members that a damaged one hides, and the next one that begins with a record.

use super::super::codec::{Codec, Start};
use super::{Room, START, Stream};
use std::io::{self, Read};

/// The number of bytes that may be read again in search of members, for each byte of the file, and at least.
const FOR_EACH_BYTE: u64 = 4;
const SPARE: u64 = 8 << 20;
/// The number of bytes for examining a member after these are spent: enough for gzip, and for short
/// frames of Zstandard.
const FEW: usize = 2 << 10;

/// The search state for hidden members.
#[derive(Default)]
pub struct Search {
    /// A codec for them, once one has been needed.
    codec: Option<Codec>,
    /// The member that was searched last, and where the search in it has ended, as offsets in the file.
    member: u64,
    end: u64,
    /// Bytes that have been decompressed in search of members.
    spent: u64,
    head: Room,
}

impl<R: Read> Stream<R> {
    /// True if a member that begins with a record starts inside the current member.
    ///
    /// If so, the current one was cut off: a stored block takes the next bytes of the file for its own content.
    ///
    /// # Errors
    ///
    /// Fails if the input cannot be read.
    pub fn hides_member(&mut self) -> io::Result<bool> {
        // A gzip member that has ended was right to its checksum.
        let is_right = !self.in_member && matches!(self.codec, Codec::Gzip(_));
        if !self.is_compressed() || is_right {
            return Ok(false);
        }
        let read = self.raw_offset + self.raw_at as u64;
        // A member may have many damaged records: bytes are searched once.
        let mut start = self.raw_member + usize::from(self.is_kept());
        if self.search.member == self.member {
            let searched = self.search.end.saturating_sub(self.raw_offset);
            start = start.max(usize::try_from(searched).unwrap_or(usize::MAX));
        }
        let magic = self.codec.magic();
        let there = &self.raw[start.min(self.raw.len())..];
        let is_possible = memchr::memmem::find(there, magic).is_some() || {
            // The rest of a magic number may not be read yet.
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

    /// Goes to the first member with a record that starts after `start` in `raw` and before an offset.
    fn find_member_before(&mut self, start: usize, end: u64) -> io::Result<bool> {
        let magic = self.codec.magic();
        self.raw_at = start;
        while self.raw_offset + (self.raw_at as u64) < end {
            let rest = &self.raw[self.raw_at..];
            let Some(found) = memchr::memmem::find(rest, magic) else {
                // The rest of a magic number may not be read yet.
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

    /// True if `raw` has the start of the member.
    fn is_kept(&self) -> bool {
        self.raw_offset + self.raw_member as u64 == self.member
    }

    /// Searches after damage for the next member that begins with a record; returns false without one.
    ///
    /// The decompressed bytes of the damaged member are dropped.
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
            // The member before may have been cut off, and be right all the same with the first bytes of the next one.
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
        // Magic numbers before data that gives nothing would take their number times the data.
        let most = match self.search.spent <= SPARE + FOR_EACH_BYTE * self.bytes_read() {
            true => START,
            false => FEW,
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
