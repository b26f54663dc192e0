//! Decoding to the end of a `String` or a vector, which grows.

use super::progress::{DecodeProgress, ErrorMode, FatalDecodeProgress, FatalDecodeStatus, Run};
use super::{Decoder, Form};
use crate::{simd, text};
use alloc::{string::String, vec::Vec};

impl Decoder {
    /// Decodes all of `src` to the end of a `String`, which grows; malformed sequences become U+FFFD.
    ///
    /// ```
    /// let mut text = String::from("> ");
    /// mojika::BIG5.new_decoder().decode_to_string(b"\xA4\xE5\xA6r", &mut text, true);
    /// assert_eq!(text, "> 文字");
    /// ```
    #[inline]
    pub fn decode_to_string(&mut self, src: &[u8], dst: &mut String, last: bool) -> DecodeProgress {
        self.run_to_string(ErrorMode::Replacement, src, dst, last)
            .into()
    }

    /// [`decode_to_string`](Self::decode_to_string) that stops behind a malformed sequence.
    #[inline]
    pub fn decode_to_string_fatal(
        &mut self,
        src: &[u8],
        dst: &mut String,
        last: bool,
    ) -> FatalDecodeProgress {
        self.run_to_string(ErrorMode::Fatal, src, dst, last).into()
    }

    /// Decodes all of `src` to the end of a vector of UTF-16 code units, which grows; malformed sequences become
    /// U+FFFD.
    #[inline]
    pub fn decode_to_utf16_vec(
        &mut self,
        src: &[u8],
        dst: &mut Vec<u16>,
        last: bool,
    ) -> DecodeProgress {
        self.run_to_utf16(ErrorMode::Replacement, src, dst, last)
            .into()
    }

    /// [`decode_to_utf16_vec`](Self::decode_to_utf16_vec) that stops behind a malformed sequence.
    #[inline]
    pub fn decode_to_utf16_vec_fatal(
        &mut self,
        src: &[u8],
        dst: &mut Vec<u16>,
        last: bool,
    ) -> FatalDecodeProgress {
        self.run_to_utf16(ErrorMode::Fatal, src, dst, last).into()
    }

    /// How many bytes of UTF-8 to make room for ahead of decoding `rest` bytes: all that well-formed input can need
    /// if that is little, else half as much again as the input.
    pub(crate) fn usual_room(&self, rest: usize) -> usize {
        const LITTLE: usize = 1 << 20;
        let usual = rest.saturating_add(rest / 2).max(LITTLE);
        simd::whole_blocks(rest)
            .and_then(|length| self.max_utf8_length_fatal(length))
            .map_or(usual, |most| most.min(usual))
            .max(4)
    }

    fn run_to_string(&mut self, mode: ErrorMode, src: &[u8], dst: &mut String, last: bool) -> Run {
        if dst.capacity() - dst.len() < src.len().max(4) {
            dst.reserve(self.usual_room(src.len()));
        }
        let before = dst.len();
        let mut total = Run::NONE;
        if self.is_plain(src) {
            total.read = text::start_to_string(self, src, dst);
            if total.read == src.len() {
                return self.done(total.read, dst.len() - before, last);
            }
            self.go_on(total.read);
        }
        loop {
            let next = text::decode_to_string(self, mode, &src[total.read..], dst, last);
            if !total.goes_on(next) {
                total.written = dst.len() - before;
                return total;
            }
            dst.reserve(src.len() - total.read + 64);
        }
    }

    fn run_to_utf16(&mut self, mode: ErrorMode, src: &[u8], dst: &mut Vec<u16>, last: bool) -> Run {
        let most = self.max_utf16_length_fatal(src.len());
        dst.reserve(most.unwrap_or(src.len()) + 4);
        let before = dst.len();
        let mut total = Run::NONE;
        if self.is_plain(src) {
            total.read = simd::append(dst, |out| u16::start(&mut self.machine, src, out));
            if total.read == src.len() {
                return self.done(total.read, dst.len() - before, last);
            }
            self.go_on(total.read);
        }
        loop {
            let next = simd::append(dst, |out| self.run(mode, &src[total.read..], out, last));
            if !total.goes_on(next) {
                total.written = dst.len() - before;
                return total;
            }
            let most = self.max_utf16_length_fatal(src.len() - total.read);
            dst.reserve(most.unwrap_or(src.len() - total.read) + 64);
        }
    }

    /// The kernel has stopped behind `read` bytes of a call that goes on.
    fn go_on(&mut self, read: usize) {
        self.position += read as u64;
        self.plain = false;
    }
}

impl Run {
    const NONE: Self = Self {
        read: 0,
        status: FatalDecodeStatus::OutputFull,
        written: 0,
        had_errors: false,
    };

    /// Adds the next part of a call, but for what it wrote; whether that was not the last one, for want of room.
    fn goes_on(&mut self, next: Run) -> bool {
        self.read += next.read;
        self.status = next.status;
        self.had_errors |= next.had_errors;
        self.status == FatalDecodeStatus::OutputFull
    }
}
