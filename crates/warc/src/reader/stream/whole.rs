//! Members that are decompressed by one call.

use super::super::codec::Codec;
use super::Stream;
use std::io::{self, Read};

/// The maximum length of a member, compressed and decompressed, for this path.
const WHOLE: usize = 1 << 20;
const WHOLE_CONTENT: usize = 8 << 20;
/// The maximum number of magic numbers that are tried as the end of a member. Crafted data would otherwise take minutes.
const WHOLE_TRIES: usize = 8;

impl<R: Read> Stream<R> {
    /// Decompresses a short, undamaged gzip member at once; otherwise does nothing.
    pub(super) fn fill_whole(&mut self) -> io::Result<bool> {
        let Codec::Gzip(_) = self.codec else {
            return Ok(false);
        };
        let header = self.raw_at - self.raw_member;
        let finder = memchr::memmem::Finder::new(self.codec.magic());
        let mut searched = header;
        let mut tries = 0;
        loop {
            // The member ends at the next magic number, which may also be in its data, or with the file.
            let bytes = &self.raw[self.raw_member..];
            while let Some(found) = finder.find(&bytes[searched..]) {
                let end = searched + found;
                if self
                    .codec
                    .whole(&bytes[..end], &mut self.out, WHOLE_CONTENT)
                {
                    self.raw_at = self.raw_member + end;
                    self.in_member = false;
                    return Ok(true);
                }
                tries += 1;
                if tries == WHOLE_TRIES {
                    return Ok(false);
                }
                searched = end + 1;
            }
            searched = searched.max(bytes.len().saturating_sub(2));
            if bytes.len() > WHOLE {
                return Ok(false);
            }
            if self.read_more()? == 0 {
                let bytes = &self.raw[self.raw_member..];
                if !self.codec.whole(bytes, &mut self.out, WHOLE_CONTENT) {
                    return Ok(false);
                }
                self.raw_at = self.raw.len();
                self.in_member = false;
                return Ok(true);
            }
        }
    }
}
