//! Encoding to the end of a vector, which grows.

use super::Encoder;
use super::progress::{EncodeProgress, ErrorMode, FatalEncodeProgress, FatalEncodeStatus, Run};
use crate::codec::AnyEncoder;
use crate::simd::{self, Out};
use alloc::vec::Vec;

impl Encoder {
    /// Encodes all of `src` to the end of a vector, which grows; unmappable scalar values become numeric character
    /// references.
    #[inline]
    pub fn encode_from_utf8_to_vec(
        &mut self,
        src: &str,
        dst: &mut Vec<u8>,
        last: bool,
    ) -> EncodeProgress {
        self.utf8_to_vec(ErrorMode::Html, src, dst, last).into()
    }

    /// [`encode_from_utf8_to_vec`](Self::encode_from_utf8_to_vec) that stops behind an unmappable scalar value.
    #[inline]
    pub fn encode_from_utf8_to_vec_fatal(
        &mut self,
        src: &str,
        dst: &mut Vec<u8>,
        last: bool,
    ) -> FatalEncodeProgress {
        self.utf8_to_vec(ErrorMode::Fatal, src, dst, last).into()
    }

    /// [`encode_from_utf8_to_vec`](Self::encode_from_utf8_to_vec) for UTF-16, lone surrogates as U+FFFD.
    #[inline]
    pub fn encode_from_utf16_to_vec(
        &mut self,
        src: &[u16],
        dst: &mut Vec<u8>,
        last: bool,
    ) -> EncodeProgress {
        self.utf16_to_vec(ErrorMode::Html, src, dst, last).into()
    }

    /// [`encode_from_utf16_to_vec`](Self::encode_from_utf16_to_vec) that stops behind an unmappable scalar value.
    #[inline]
    pub fn encode_from_utf16_to_vec_fatal(
        &mut self,
        src: &[u16],
        dst: &mut Vec<u8>,
        last: bool,
    ) -> FatalEncodeProgress {
        self.utf16_to_vec(ErrorMode::Fatal, src, dst, last).into()
    }

    fn utf8_to_vec(&mut self, mode: ErrorMode, src: &str, dst: &mut Vec<u8>, last: bool) -> Run {
        self.append(
            src.len(),
            dst,
            last,
            |machine, out| machine.prefix_utf8(src, out),
            |encoder, read, out| encoder.run_utf8(mode, &src[read..], out, last),
        )
    }

    fn utf16_to_vec(&mut self, mode: ErrorMode, src: &[u16], dst: &mut Vec<u8>, last: bool) -> Run {
        self.append(
            src.len(),
            dst,
            last,
            |machine, out| machine.prefix_utf16(src, out),
            |encoder, read, out| encoder.run_utf16(mode, &src[read..], out, last),
        )
    }

    /// Encodes `length` units: `start` is the kernel, which mostly does it all, and `run` a call from so many units on,
    /// which is repeated until the room suffices.
    #[inline(always)]
    fn append(
        &mut self,
        length: usize,
        dst: &mut Vec<u8>,
        last: bool,
        start: impl FnOnce(&mut AnyEncoder, &mut Out<'_, u8>) -> usize,
        mut run: impl FnMut(&mut Self, usize, &mut Out<'_, u8>) -> Run,
    ) -> Run {
        dst.reserve(length);
        let before = dst.len();
        let mut total = Run {
            read: 0,
            status: FatalEncodeStatus::OutputFull,
            written: 0,
            had_unmappables: false,
        };
        if self.plain {
            let (read, done) = simd::append(dst, |out| {
                let read = start(&mut self.machine, out);
                self.permute(out);
                let done = read == length && self.is_finished(last, out);
                (read, done)
            });
            total.read = read;
            if done {
                return self.done(length, dst.len() - before, last);
            }
            self.position += total.read as u64;
            self.plain = false;
        }
        loop {
            let next = simd::append(dst, |out| run(self, total.read, out));
            total.read += next.read;
            total.status = next.status;
            total.had_unmappables |= next.had_unmappables;
            if total.status != FatalEncodeStatus::OutputFull {
                total.written = dst.len() - before;
                return total;
            }
            // Room for any one step; `reserve` more than doubles the vector as it needs.
            dst.reserve((length - total.read).max(64));
        }
    }
}
