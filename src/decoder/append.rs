//! Decoding to the end of a `String` or a vector, which grows.

use super::progress::{DecodeProgress, ErrorMode, FatalDecodeProgress, FatalDecodeStatus, Run};
use super::text;
use super::{Decoder, Form};
use crate::simd;
use alloc::{string::String, vec::Vec};

/// What a [`Decoder`] can append to: a `String` receives UTF-8, a `Vec<u16>` receives UTF-16.
///
/// The trait is sealed: it cannot be implemented outside of this crate.
#[diagnostic::on_unimplemented(
    message = "a decoder cannot append to `{Self}`",
    label = "not a growing output of a decoder",
    note = "a decoder appends to a `String` or a `Vec<u16>`; `decode` writes to slices"
)]
pub trait AppendTarget: Sealed {}

/// The part of [`AppendTarget`] that is not public.
pub trait Sealed {
    fn text(&mut self) -> Text<'_>;
}

/// A growing text in either form.
#[derive(Debug)]
pub enum Text<'a> {
    Utf8(&'a mut String),
    Utf16(&'a mut Vec<u16>),
}

impl Text<'_> {
    /// Length in code units.
    pub fn len(&self) -> usize {
        match self {
            Self::Utf8(text) => text.len(),
            Self::Utf16(text) => text.len(),
        }
    }
}

impl AppendTarget for String {}

impl Sealed for String {
    #[inline(always)]
    fn text(&mut self) -> Text<'_> {
        Text::Utf8(self)
    }
}

impl AppendTarget for Vec<u16> {}

impl Sealed for Vec<u16> {
    #[inline(always)]
    fn text(&mut self) -> Text<'_> {
        Text::Utf16(self)
    }
}

impl Decoder {
    /// Decodes all of `src` to the end of `dst`, which grows; malformed sequences become U+FFFD.
    ///
    /// ```
    /// let mut text = String::from("> ");
    /// mojika::BIG5.new_decoder().decode_append(b"\xA4\xE5\xA6r", &mut text, true);
    /// assert_eq!(text, "> 文字");
    /// ```
    #[inline(always)]
    pub fn decode_append<T: AppendTarget>(
        &mut self,
        src: &[u8],
        dst: &mut T,
        last: bool,
    ) -> DecodeProgress {
        self.run_append(ErrorMode::Replacement, src, dst, last)
            .into()
    }

    /// Decodes to the end of `dst`, which grows, and stops behind a malformed sequence.
    #[inline(always)]
    pub fn decode_append_fatal<T: AppendTarget>(
        &mut self,
        src: &[u8],
        dst: &mut T,
        last: bool,
    ) -> FatalDecodeProgress {
        self.run_append(ErrorMode::Fatal, src, dst, last).into()
    }

    #[inline(always)]
    fn run_append<T: AppendTarget>(
        &mut self,
        mode: ErrorMode,
        src: &[u8],
        dst: &mut T,
        last: bool,
    ) -> Run {
        match dst.text() {
            Text::Utf8(dst) => self.run_to_string(mode, src, dst, last),
            Text::Utf16(dst) => self.run_to_utf16(mode, src, dst, last),
        }
    }

    /// How many bytes of UTF-8 to reserve before decoding `rest` bytes: the most that well-formed input can need if that is
    /// little, otherwise one and a half times the input.
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

    /// Adds the next part of a call, without what it wrote; returns whether more follow because the room was too small.
    fn goes_on(&mut self, next: Run) -> bool {
        self.read += next.read;
        self.status = next.status;
        self.had_errors |= next.had_errors;
        self.status == FatalDecodeStatus::OutputFull
    }
}
