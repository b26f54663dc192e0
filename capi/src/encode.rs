//! The streaming encoder, in memory of the caller.
//!
//! Text that comes from C is not known to be valid, and is validated piece by piece before it is encoded. An incomplete
//! sequence of UTF-8 at the end of a call that is not the last is left to the caller.

use crate::args;
use crate::progress::*;
use crate::statics::{CEncoding, Found};
use core::ffi::{c_int, c_void};
use core::mem::MaybeUninit;
use mojika::{EncodeSource, Encoder, Progress, Status, mem};

/// `mojika_encoder` of mojika.h: what it reserves for an encoder.
const RESERVED: usize = 192;

const _: () = assert!(size_of::<CEncoder>() <= RESERVED && align_of::<CEncoder>() <= 8);
// Callers never free one, and may copy its bytes.
const _: () = assert!(!core::mem::needs_drop::<CEncoder>());

/// How many bytes of UTF-8 are validated and then encoded at once: both passes find them in the first cache.
const PIECE: usize = 16 * 1024;

/// An encoder, and what it does not count itself.
#[derive(Debug)]
pub struct CEncoder {
    encoder: Encoder,
    /// Units of the caller's input that have been read since the start of the stream.
    position: u64,
}

/// What one call does.
struct Call<'a> {
    encoder: &'a mut Encoder,
    dst: &'a mut [MaybeUninit<u8>],
    flags: u32,
    written: usize,
    had_errors: bool,
}

impl Call<'_> {
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

    /// Encodes U+FFFD for something malformed: whether that is done with, and whether all of it fits. The encoder keeps
    /// what does not fit of a numeric character reference.
    fn replace(&mut self) -> (bool, bool) {
        let progress = self.encode("\u{FFFD}", false);
        let is_read = progress.read > 0;
        self.had_errors |= is_read;
        (is_read, progress.status == Status::InputEmpty)
    }

    /// What the call reports after `read` units.
    fn report(&self, read: usize) -> CProgress {
        CProgress::of(read, self.written, self.had_errors)
    }

    /// UTF-8 from the caller.
    fn utf8(&mut self, src: &[u8], position: u64) -> (c_int, CProgress) {
        let last = self.flags & LAST != 0;
        let mut read = 0;
        loop {
            let rest = &src[read..];
            let piece = &rest[..rest.len().min(PIECE)];
            let valid = mem::utf8_prefix_len(piece);
            let is_end = valid == rest.len();
            // SAFETY: `utf8_prefix_len` has just established that these bytes are UTF-8.
            let text = unsafe { str::from_utf8_unchecked(&piece[..valid]) };
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
            if self.replaces() {
                let (is_read, fits) = self.replace();
                read += if is_read { len } else { 0 };
                if !fits {
                    return (OUTPUT_FULL, self.report(read));
                }
            } else {
                let report = self.report(read + len);
                let offset = position + read as u64;
                return (MALFORMED, report.malformed(offset, len as u8, 0));
            }
        }
    }

    /// UTF-16 from the caller, in which lone surrogates count as U+FFFD.
    fn utf16(&mut self, src: &[u16], _: u64) -> (c_int, CProgress) {
        let progress = self.encode(src, self.flags & LAST != 0);
        CProgress::from_library(progress)
    }

    /// UTF-32 from the caller, by way of UTF-16 in pieces.
    fn utf32(&mut self, src: &[u32], position: u64) -> (c_int, CProgress) {
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
            if self.replaces() {
                let (is_read, fits) = self.replace();
                read += usize::from(is_read);
                if !fits {
                    return (OUTPUT_FULL, self.report(read));
                }
            } else {
                let report = self.report(read + 1);
                return (MALFORMED, report.malformed(position + read as u64, 1, 0));
            }
        }
    }
}

/// Encodes UTF-8 with an encoder of the library.
pub(crate) fn from_utf8(
    encoder: &mut Encoder,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
    flags: u32,
    position: u64,
) -> (c_int, CProgress) {
    call(encoder, dst, flags).utf8(src, position)
}

/// Encodes UTF-16 with an encoder of the library.
pub(crate) fn from_utf16(
    encoder: &mut Encoder,
    src: &[u16],
    dst: &mut [MaybeUninit<u8>],
    flags: u32,
    position: u64,
) -> (c_int, CProgress) {
    call(encoder, dst, flags).utf16(src, position)
}

/// Encodes UTF-32 with an encoder of the library.
pub(crate) fn from_utf32(
    encoder: &mut Encoder,
    src: &[u32],
    dst: &mut [MaybeUninit<u8>],
    flags: u32,
    position: u64,
) -> (c_int, CProgress) {
    call(encoder, dst, flags).utf32(src, position)
}

fn call<'a>(encoder: &'a mut Encoder, dst: &'a mut [MaybeUninit<u8>], flags: u32) -> Call<'a> {
    Call {
        encoder,
        dst,
        flags,
        written: 0,
        had_errors: false,
    }
}

/// Size of an encoder in bytes.
#[unsafe(no_mangle)]
pub extern "C" fn mojika_encoder_size() -> usize {
    size_of::<CEncoder>()
}

/// Alignment of an encoder in bytes.
#[unsafe(no_mangle)]
pub extern "C" fn mojika_encoder_align() -> usize {
    align_of::<CEncoder>()
}

/// Makes an encoder in `size` bytes at `memory`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mojika_encoder_init(
    memory: *mut c_void,
    size: usize,
    encoding: Found,
) -> c_int {
    let Some(encoding) = encoding else {
        return INVALID_ARGUMENT;
    };
    let place = memory.cast::<CEncoder>();
    if place.is_null() || !place.is_aligned() || size < size_of::<CEncoder>() {
        return BAD_MEMORY;
    }
    let Ok(encoder) = encoding.get().new_encoder() else {
        return NO_ENCODER;
    };
    let new = CEncoder {
        encoder,
        position: 0,
    };
    // SAFETY: not null, aligned and of sufficient size, as has just been tested; mojika.h asks for memory of that size.
    unsafe { place.write(new) };
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
pub extern "C" fn mojika_encoder_encoding(encoder: Option<&CEncoder>) -> Found {
    encoder.map(|this| CEncoding::of(this.encoder.encoding()))
}

/// [`Encoder::is_complete`].
#[unsafe(no_mangle)]
pub extern "C" fn mojika_encoder_is_complete(encoder: Option<&CEncoder>) -> c_int {
    encoder
        .is_some_and(|this| this.encoder.is_complete())
        .into()
}

/// Defines a function for the longest output from a form of text. U+FFFD takes the place of what is malformed, and of each
/// byte or unit of it at most.
macro_rules! max_length {
    ($(#[$doc:meta])* $name:ident, $method:ident;) => {
        $(#[$doc])*
        #[unsafe(no_mangle)]
        pub extern "C" fn $name(encoder: Option<&CEncoder>, length: usize) -> usize {
            encoder
                .and_then(|this| this.encoder.$method(length))
                .unwrap_or(usize::MAX)
        }
    };
}

max_length! {
    /// Most bytes from `length` bytes of valid UTF-8, unmappable characters not replaced.
    mojika_encoder_max_length_from_utf8, max_length_from_utf8;
}
max_length! {
    /// Most bytes from `length` code units of UTF-16, unmappable characters not replaced.
    mojika_encoder_max_length_from_utf16, max_length_from_utf16;
}
max_length! {
    /// Most bytes from `length` bytes of valid UTF-8, unmappable characters as numeric character references.
    mojika_encoder_max_length_from_utf8_replacing, max_length_from_utf8_html;
}
max_length! {
    /// Most bytes from `length` code units of UTF-16, unmappable characters as numeric character references.
    mojika_encoder_max_length_from_utf16_replacing, max_length_from_utf16_html;
}

/// Defines an encoding function; `run` is what it does with an encoder, a source, a target, flags and the position.
macro_rules! encoding {
    ($(#[$doc:meta])* $name:ident from $unit:ty, $run:expr;) => {
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
            // SAFETY: mojika.h asks for `src_length` units at `src`, and that they do not overlap with the output.
            let src = unsafe { args::slice(src, src_length) };
            // SAFETY: mojika.h asks for memory of `dst_length` bytes at `dst` that nothing else uses in the call.
            let dst = unsafe { args::target(dst, dst_length) };
            let encoder = encoder.filter(|_| flags & !(LAST | REPLACE) == 0);
            let (status, report) = match (encoder, src, dst) {
                (Some(this), Some(src), Some(dst)) => {
                    let (status, report) =
                        $run(&mut this.encoder, src, dst, flags, this.position);
                    this.position += report.read() as u64;
                    if status == OK && flags & LAST != 0 {
                        this.position = 0;
                    }
                    (status, report)
                }
                _ => (INVALID_ARGUMENT, CProgress::default()),
            };
            // SAFETY: mojika.h asks for memory of a mojika_progress, or null.
            unsafe { args::write(progress, report) };
            status
        }
    };
}

encoding! {
    /// Encodes UTF-8.
    mojika_encode_utf8 from u8, from_utf8;
}
encoding! {
    /// Encodes UTF-16.
    mojika_encode_utf16 from u16, from_utf16;
}
encoding! {
    /// Encodes UTF-32.
    mojika_encode_utf32 from u32, from_utf32;
}
