//! Encoding to the end of a vector, which grows.

use super::progress::{EncodeProgress, EncodeStatus, ErrorMode, HtmlEncodeProgress, Run};
use super::{EncodeSource, Encoder};
use crate::codec::AnyEncoder;
use crate::simd::{self, Out};
use alloc::vec::Vec;

impl Encoder {
    /// Encodes to the end of a vector, which grows, and stops behind an unmappable scalar value.
    ///
    /// ```
    /// let mut bytes = Vec::from(*b"> ");
    /// mojika::GBK.new_encoder()?.encode_append("文字", &mut bytes, true);
    /// assert_eq!(bytes, b"> \xCE\xC4\xD7\xD6");
    /// # Ok::<(), mojika::NoEncoder>(())
    /// ```
    #[inline(always)]
    pub fn encode_append<S: EncodeSource + ?Sized>(
        &mut self,
        src: &S,
        dst: &mut Vec<u8>,
        last: bool,
    ) -> EncodeProgress {
        src.append(self, ErrorMode::Fatal, dst, last).into()
    }

    /// Encodes all of `src` to the end of a vector, which grows; unmappable scalar values become numeric character
    /// references.
    #[inline(always)]
    pub fn encode_html_append<S: EncodeSource + ?Sized>(
        &mut self,
        src: &S,
        dst: &mut Vec<u8>,
        last: bool,
    ) -> HtmlEncodeProgress {
        src.append(self, ErrorMode::Html, dst, last).into()
    }

    pub(super) fn utf8_to_vec(
        &mut self,
        mode: ErrorMode,
        src: &str,
        dst: &mut Vec<u8>,
        last: bool,
    ) -> Run {
        self.append(
            src.len(),
            dst,
            last,
            |machine, out| machine.prefix_utf8(src, out),
            |encoder, read, out| encoder.run_utf8(mode, &src[read..], out, last),
        )
    }

    pub(super) fn utf16_to_vec(
        &mut self,
        mode: ErrorMode,
        src: &[u16],
        dst: &mut Vec<u8>,
        last: bool,
    ) -> Run {
        self.append(
            src.len(),
            dst,
            last,
            |machine, out| machine.prefix_utf16(src, out),
            |encoder, read, out| encoder.run_utf16(mode, &src[read..], out, last),
        )
    }

    /// Encodes `length` units: `start` is the kernel, which mostly takes all of them, and `run` is a call from a number of
    /// units on, which is repeated until the room suffices.
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
            status: EncodeStatus::OutputFull,
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
            if total.status != EncodeStatus::OutputFull {
                total.written = dst.len() - before;
                return total;
            }
            // Room for any single step; `reserve` grows the capacity geometrically.
            dst.reserve((length - total.read).max(64));
        }
    }
}
