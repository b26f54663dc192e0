//! Decoding to the end of a growing `String` or vector.

use super::text;
use super::{Decoder, Form};
use crate::progress::{ErrorMode, Progress, Status};
use crate::simd;
use crate::simd::tuning;
use alloc::{string::String, vec::Vec};

/// A growing text that a [`Decoder`] appends to: a `String` receives UTF-8, a `Vec<u16>` receives UTF-16.
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
    /// Returns the length in code units.
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
    ) -> Progress {
        self.run_append(ErrorMode::Replacement, src, dst, last)
    }

    /// Decodes to the end of `dst`, which grows, and stops after a malformed sequence.
    #[inline(always)]
    pub fn decode_append_fatal<T: AppendTarget>(
        &mut self,
        src: &[u8],
        dst: &mut T,
        last: bool,
    ) -> Progress {
        self.run_append(ErrorMode::Fatal, src, dst, last)
    }

    #[inline(always)]
    fn run_append<T: AppendTarget>(
        &mut self,
        mode: ErrorMode,
        src: &[u8],
        dst: &mut T,
        last: bool,
    ) -> Progress {
        match dst.text() {
            Text::Utf8(dst) => self.run_to_string(mode, src, dst, last),
            Text::Utf16(dst) => self.run_to_utf16(mode, src, dst, last),
        }
    }

    /// Returns the number of UTF-8 bytes to reserve before decoding `rest` bytes: the maximum for well-formed input if
    /// that is small, otherwise one and a half times the input.
    pub(crate) fn usual_room(&self, rest: usize) -> usize {
        let usual = rest
            .saturating_add(rest / 2)
            .max(tuning::APPEND_WORST_CASE_UP_TO);
        simd::whole_blocks(rest)
            .and_then(|length| self.max_utf8_length_fatal(length))
            .map_or(usual, |most| most.min(usual))
            .max(4)
    }

    #[inline(never)]
    fn run_to_string(
        &mut self,
        mode: ErrorMode,
        src: &[u8],
        dst: &mut String,
        last: bool,
    ) -> Progress {
        if dst.capacity() - dst.len() < src.len().max(4) {
            dst.reserve(self.usual_room(src.len()));
        }
        // The first result starts the total: adding it to an empty one would defeat store forwarding.
        let mut total = text::decode_to_string(self, mode, src, dst, last);
        while total.status == Status::OutputFull {
            dst.reserve(src.len() - total.read + 64);
            let rest = &src[total.read..];
            total.add(text::decode_to_string(self, mode, rest, dst, last));
        }
        total
    }

    #[inline(never)]
    fn run_to_utf16(
        &mut self,
        mode: ErrorMode,
        src: &[u8],
        dst: &mut Vec<u16>,
        last: bool,
    ) -> Progress {
        let mut more = 4;
        let mut total = Progress::new(0, 0, false);
        loop {
            let rest = &src[total.read..];
            let most = self.max_utf16_length_fatal(rest.len());
            dst.reserve(most.unwrap_or(rest.len()) + more);
            more = 64;
            total.add(simd::append(dst, |out| {
                Form::run(self, mode, rest, out, last)
            }));
            if total.status != Status::OutputFull {
                return total;
            }
        }
    }
}
