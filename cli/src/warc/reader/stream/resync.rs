//! The way on behind damage: members that a damaged one hides, and the next one that begins with a record.

use super::super::codec::{Codec, Start};
use super::{Room, START, Stream};
use std::io::{self, Read};

impl<R: Read> Stream<R> {
    /// Whether a member that begins with a record starts inside of the current member.
    ///
    /// If so, the current one was cut off: a stored block takes what follows it in the file for its own content.
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
        let probe = self.codec.another()?;
        let codec = std::mem::replace(&mut self.codec, probe);
        let read = self.raw_offset + self.raw_at as u64;
        let found = self.find_member_before(read);
        self.codec = codec;
        self.raw_at = (read - self.raw_offset) as usize;
        found
    }

    /// Goes to the first member with a record that starts behind the start of the current one and before an offset.
    fn find_member_before(&mut self, end: u64) -> io::Result<bool> {
        let magic = self.codec.magic();
        self.raw_at = self.raw_member + usize::from(self.is_kept());
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

    /// Whether `raw` has the start of the member.
    fn is_kept(&self) -> bool {
        self.raw_offset + self.raw_member as u64 == self.member
    }

    /// Looks behind damage for the next member that begins with a record; no if there is none.
    ///
    /// What was decompressed of the damaged one is dropped.
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

    /// Whether the bytes at `raw_at` are a member that begins with a record.
    fn begins_record(&mut self) -> io::Result<bool> {
        const NEEDED: &[u8] = b"WARC/";
        let mut head = Room::default();
        head.reserve(64);
        loop {
            head.clear();
            let bytes = &self.raw[self.raw_at..];
            let is_short = match self.codec.start(bytes)? {
                Start::Member(header) => {
                    let mut at = header;
                    loop {
                        match self.codec.step(&bytes[at..], &mut head) {
                            Err(_) => return Ok(head.bytes().starts_with(NEEDED)),
                            Ok(_) if head.len() >= NEEDED.len() => {
                                return Ok(head.bytes().starts_with(NEEDED));
                            }
                            Ok(step) if step.ended => return Ok(false),
                            Ok(step) if step.read == 0 => break true,
                            Ok(step) => at += step.read,
                        }
                    }
                }
                Start::Short => true,
                _ => return Ok(false),
            };
            if is_short && (bytes.len() > START || self.read_more()? == 0) {
                return Ok(false);
            }
        }
    }
}
