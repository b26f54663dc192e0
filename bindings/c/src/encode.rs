//! The streaming encoder, in the caller's memory.
//!
//! Text from C may be invalid: it is validated piece by piece before it is encoded. An incomplete UTF-8 sequence at the end
//! of a call stays unread, unless the call is the last.

use crate::args;
use crate::progress::*;
use crate::statics::{CEncoding, EncodingOrNull};
use core::ffi::{c_int, c_void};
use core::mem::MaybeUninit;
use mojika::{EncodeSource, Encoder, Progress, Status};

const _: () = args::assert_is_coder::<CEncoder>();

/// The number of UTF-8 bytes that are validated and encoded at once, which fit the first-level cache.
const BATCH_LENGTH: usize = 16 * 1024;

/// An encoder, with the number of units read, which `Encoder` does not count.
#[derive(Debug)]
pub struct CEncoder {
    encoder: Encoder,
    /// The number of units of input read since the start of the stream.
    position: u64,
}

/// One call of an encoder.
pub(crate) struct Call<'a> {
    encoder: &'a mut Encoder,
    dst: &'a mut [MaybeUninit<u8>],
    flags: u32,
    written: usize,
    had_errors: bool,
}

impl<'a> Call<'a> {
    pub(crate) fn new(
        encoder: &'a mut Encoder,
        dst: &'a mut [MaybeUninit<u8>],
        flags: u32,
    ) -> Self {
        Self {
            encoder,
            dst,
            flags,
            written: 0,
            had_errors: false,
        }
    }

    fn replaces(&self) -> bool {
        self.flags & REPLACE != 0
    }

    /// Encodes a valid part of the input.
    fn encode<S: EncodeSource + ?Sized>(&mut self, text: &S, last: bool) -> Progress {
        let replaces = self.replaces();
        let dst = &mut self.dst[self.written..];
        let progress = if replaces {
            self.encoder.encode_html(text, dst, last)
        } else {
            self.encoder.encode(text, dst, last)
        };
        self.written += progress.written;
        self.had_errors |= progress.had_errors;
        progress
    }

    /// Encodes U+FFFD in place of a malformed sequence. Returns two flags: the sequence is read, and U+FFFD was written
    /// completely. The encoder keeps the rest of a numeric character reference that does not fit.
    fn replace(&mut self) -> (bool, bool) {
        let progress = self.encode("\u{FFFD}", false);
        let is_read = progress.read > 0;
        self.had_errors |= is_read;
        (is_read, progress.status == Status::InputEmpty)
    }

    /// Handles a malformed sequence of `len` units after `read` valid units. Returns the report if the call ends there.
    fn malformed(
        &mut self,
        read: &mut usize,
        len: usize,
        position: u64,
    ) -> Option<(c_int, CProgress)> {
        if !self.replaces() {
            let report = self.report(*read + len);
            let offset = position + *read as u64;
            return Some((MALFORMED, report.malformed(offset, len as u8, 0)));
        }
        let (is_read, fits) = self.replace();
        *read += if is_read { len } else { 0 };
        (!fits).then(|| (OUTPUT_FULL, self.report(*read)))
    }

    /// Returns the report of a call that has read `read` units.
    fn report(&self, read: usize) -> CProgress {
        CProgress::of(read, self.written, self.had_errors)
    }

    /// Encodes UTF-8 from the caller. Here and in the next two functions, `position` is the stream position of `src`.
    pub(crate) fn utf8(&mut self, src: &[u8], position: u64) -> (c_int, CProgress) {
        let last = self.flags & LAST != 0;
        let mut read = 0;
        loop {
            let rest = &src[read..];
            let piece = &rest[..rest.len().min(BATCH_LENGTH)];
            let text = args::utf8_prefix(piece);
            let is_end = text.len() == rest.len();
            let progress = self.encode(text, last && is_end);
            let start = read;
            read += progress.read;
            match progress.status {
                Status::OutputFull => return (OUTPUT_FULL, self.report(read)),
                Status::Unmappable(unmappable) => {
                    let end = &text[..read - start];
                    let len = end.chars().next_back().map_or(0, char::len_utf8);
                    let offset = position + (read - len) as u64;
                    let report = self.report(read);
                    return (
                        UNMAPPABLE,
                        report.unmappable(offset, unmappable.scalar.into()),
                    );
                }
                _ if is_end => return (OK, self.report(read)),
                _ => {}
            }
            let rest = &src[read..];
            let Err(error) = str::from_utf8(&rest[..rest.len().min(4)]) else {
                continue;
            };
            if error.valid_up_to() > 0 {
                continue;
            }
            let len = match error.error_len() {
                Some(len) => len,
                None if last => rest.len(),
                None => return (INCOMPLETE, self.report(read)),
            };
            if let Some(end) = self.malformed(&mut read, len, position) {
                return end;
            }
        }
    }

    /// Encodes UTF-16 from the caller, with lone surrogates as U+FFFD.
    pub(crate) fn utf16(&mut self, src: &[u16], _: u64) -> (c_int, CProgress) {
        let progress = self.encode(src, self.flags & LAST != 0);
        CProgress::from_library(progress)
    }

    /// Encodes UTF-32 from the caller, by converting pieces to UTF-16.
    pub(crate) fn utf32(&mut self, src: &[u32], position: u64) -> (c_int, CProgress) {
        let last = self.flags & LAST != 0;
        let mut read = 0;
        loop {
            let mut units = [0_u16; 1024];
            let rest = &src[read..];
            let (mut filled, mut scalars) = (0, 0);
            for &scalar in rest {
                let Some(scalar) = char::from_u32(scalar) else {
                    break;
                };
                if filled + 2 > units.len() {
                    break;
                }
                filled += scalar.encode_utf16(&mut units[filled..]).len();
                scalars += 1;
            }
            let is_end = scalars == rest.len();
            let progress = self.encode(&units[..filled], last && is_end);
            let done = char::decode_utf16(units[..progress.read].iter().copied()).count();
            read += done;
            match progress.status {
                Status::OutputFull => return (OUTPUT_FULL, self.report(read)),
                Status::Unmappable(unmappable) => {
                    let report = self.report(read);
                    let offset = position + read as u64 - 1;
                    return (
                        UNMAPPABLE,
                        report.unmappable(offset, unmappable.scalar.into()),
                    );
                }
                _ if is_end => return (OK, self.report(read)),
                _ => {}
            }
            if src
                .get(read)
                .is_none_or(|&scalar| char::from_u32(scalar).is_some())
            {
                continue;
            }
            if let Some(end) = self.malformed(&mut read, 1, position) {
                return end;
            }
        }
    }
}

/// Returns the size of an encoder in bytes.
#[unsafe(no_mangle)]
pub extern "C" fn mojika_encoder_size() -> usize {
    size_of::<CEncoder>()
}

/// Returns the alignment of an encoder in bytes.
#[unsafe(no_mangle)]
pub extern "C" fn mojika_encoder_align() -> usize {
    align_of::<CEncoder>()
}

/// Initialises an encoder in the `size` bytes at `memory`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mojika_encoder_init(
    memory: *mut c_void,
    size: usize,
    encoding: EncodingOrNull,
) -> c_int {
    let Some(encoding) = encoding else {
        return INVALID_ARGUMENT;
    };
    // SAFETY: mojika.h requires memory of `size` bytes.
    let Some(place) = (unsafe { args::place(memory, size) }) else {
        return BAD_MEMORY;
    };
    let Ok(encoder) = encoding.get().new_encoder() else {
        return encoding.no_encoder();
    };
    place.write(CEncoder {
        encoder,
        position: 0,
    });
    OK
}

/// [`Encoder::reset`].
#[unsafe(no_mangle)]
pub extern "C" fn mojika_encoder_reset(encoder: Option<&mut CEncoder>) {
    if let Some(this) = encoder {
        this.encoder.reset();
        this.position = 0;
    }
}

/// [`Encoder::encoding`].
#[unsafe(no_mangle)]
pub extern "C" fn mojika_encoder_encoding(encoder: Option<&CEncoder>) -> EncodingOrNull {
    encoder.map(|this| CEncoding::of(this.encoder.encoding()))
}

/// [`Encoder::is_complete`].
#[unsafe(no_mangle)]
pub extern "C" fn mojika_encoder_is_complete(encoder: Option<&CEncoder>) -> c_int {
    encoder
        .is_some_and(|this| this.encoder.is_complete())
        .into()
}

/// Defines a function that returns the maximum output length for `length` units of text. The result holds for UTF-16
/// with lone surrogates. Malformed UTF-8 may need more: each byte may become a numeric character reference to U+FFFD.
macro_rules! max_length {
    ($($(#[$doc:meta])* $name:ident, $method:ident;)*) => {$(
        $(#[$doc])*
        #[unsafe(no_mangle)]
        pub extern "C" fn $name(encoder: Option<&CEncoder>, length: usize) -> usize {
            encoder
                .and_then(|this| this.encoder.$method(length))
                .unwrap_or(usize::MAX)
        }
    )*};
}

max_length! {
    /// The maximum number of bytes for `length` bytes of valid UTF-8, without replacement.
    mojika_encoder_max_length_from_utf8, max_length_from_utf8;
    /// The maximum number of bytes for `length` UTF-16 code units, without replacement.
    mojika_encoder_max_length_from_utf16, max_length_from_utf16;
    /// The maximum number of bytes for `length` bytes of valid UTF-8, with numeric character references.
    mojika_encoder_max_length_from_utf8_replacing, max_length_from_utf8_html;
    /// The maximum number of bytes for `length` UTF-16 code units, with numeric character references.
    mojika_encoder_max_length_from_utf16_replacing, max_length_from_utf16_html;
}

/// Defines an encoding function. `run` is the method of [`Call`] that encodes text of type `$unit`.
macro_rules! encoding {
    ($($(#[$doc:meta])* $name:ident from $unit:ty, $run:ident;)*) => {$(
        $(#[$doc])*
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(
            encoder: Option<&mut CEncoder>,
            src: *const $unit,
            src_length: usize,
            dst: *mut u8,
            dst_length: usize,
            flags: u32,
            progress: *mut CProgress,
        ) -> c_int {
            // SAFETY: mojika.h requires `src_length` readable units at `src`, writable memory of `dst_length` bytes at
            // `dst`, and writable memory of a mojika_progress, or null. They do not overlap, and nothing else uses them
            // during the call.
            unsafe {
                args::convert((src, src_length), (dst, dst_length), progress, |src, dst| {
                    let this = encoder.filter(|_| flags & !(LAST | REPLACE) == 0)?;
                    let (status, report) =
                        Call::new(&mut this.encoder, dst, flags).$run(src, this.position);
                    this.position += report.read() as u64;
                    if status == OK && flags & LAST != 0 {
                        this.position = 0;
                    }
                    Some((status, report))
                })
            }
        }
    )*};
}

encoding! {
    /// Encodes UTF-8.
    mojika_encode_utf8 from u8, utf8;
    /// Encodes UTF-16.
    mojika_encode_utf16 from u16, utf16;
    /// Encodes UTF-32.
    mojika_encode_utf32 from u32, utf32;
}
