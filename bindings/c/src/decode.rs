//! The streaming decoder, in the caller's memory.

use crate::args;
use crate::progress::*;
use crate::statics::{CEncoding, EncodingOrNull};
use core::ffi::{c_int, c_void};
use core::mem::MaybeUninit;
use mojika::{BomHandling, DecodeTarget, Decoder, Progress, Status};

const _: () = args::assert_is_coder::<Decoder>();

/// Returns the byte order mark handling for a number of `mojika_bom_handling`.
pub(crate) fn bom_handling(number: c_int) -> Option<BomHandling> {
    match number {
        0 => Some(BomHandling::Sniff),
        1 => Some(BomHandling::Remove),
        2 => Some(BomHandling::Keep),
        _ => None,
    }
}

/// Returns the size of a decoder in bytes.
#[unsafe(no_mangle)]
pub extern "C" fn mojika_decoder_size() -> usize {
    size_of::<Decoder>()
}

/// Returns the alignment of a decoder in bytes.
#[unsafe(no_mangle)]
pub extern "C" fn mojika_decoder_align() -> usize {
    align_of::<Decoder>()
}

/// Initialises a decoder in the `size` bytes at `memory`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mojika_decoder_init(
    memory: *mut c_void,
    size: usize,
    encoding: EncodingOrNull,
    handling: c_int,
) -> c_int {
    let (Some(encoding), Some(handling)) = (encoding, bom_handling(handling)) else {
        return INVALID_ARGUMENT;
    };
    // SAFETY: mojika.h requires memory of `size` bytes.
    let Some(place) = (unsafe { args::place(memory, size) }) else {
        return BAD_MEMORY;
    };
    if encoding.is_left_out() {
        return LEFT_OUT;
    }
    place.write(Decoder::new(encoding.get(), handling));
    OK
}

/// [`Decoder::reset`].
#[unsafe(no_mangle)]
pub extern "C" fn mojika_decoder_reset(decoder: Option<&mut Decoder>) {
    if let Some(decoder) = decoder {
        decoder.reset();
    }
}

/// [`Decoder::encoding`].
#[unsafe(no_mangle)]
pub extern "C" fn mojika_decoder_encoding(decoder: Option<&Decoder>) -> EncodingOrNull {
    decoder.map(|decoder| CEncoding::of(decoder.encoding()))
}

/// [`Decoder::position`].
#[unsafe(no_mangle)]
pub extern "C" fn mojika_decoder_position(decoder: Option<&Decoder>) -> u64 {
    decoder.map_or(0, Decoder::position)
}

/// [`Decoder::incomplete_len`].
#[unsafe(no_mangle)]
pub extern "C" fn mojika_decoder_incomplete_length(decoder: Option<&Decoder>) -> usize {
    decoder.map_or(0, Decoder::incomplete_len)
}

/// Returns the maximum number of UTF-8 bytes from `length` further bytes; `SIZE_MAX` if a `usize` cannot hold it.
#[unsafe(no_mangle)]
pub extern "C" fn mojika_decoder_max_utf8_length(
    decoder: Option<&Decoder>,
    length: usize,
) -> usize {
    decoder
        .and_then(|decoder| decoder.max_utf8_length(length))
        .unwrap_or(usize::MAX)
}

/// Returns the maximum number of UTF-16 code units from `length` further bytes. No more UTF-32 code units are needed.
#[unsafe(no_mangle)]
pub extern "C" fn mojika_decoder_max_utf16_length(
    decoder: Option<&Decoder>,
    length: usize,
) -> usize {
    decoder
        .and_then(|decoder| decoder.max_utf16_length(length))
        .unwrap_or(usize::MAX)
}

/// Runs one decoder call in the mode that the flags select.
fn decode<T: DecodeTarget + ?Sized>(
    decoder: &mut Decoder,
    src: &[u8],
    dst: &mut T,
    flags: u32,
) -> Progress {
    let last = flags & LAST != 0;
    if flags & REPLACE != 0 {
        decoder.decode(src, dst, last)
    } else {
        decoder.decode_fatal(src, dst, last)
    }
}

/// Returns the report of a call. With `LEAVE_INCOMPLETE`, unreads an incomplete sequence that this call has read as a
/// whole.
fn report(decoder: &mut Decoder, progress: Progress, flags: u32) -> (c_int, CProgress) {
    let (status, report) = CProgress::from_library(progress);
    let count = decoder.incomplete_len();
    let may_leave = flags & LEAVE_INCOMPLETE != 0 && matches!(status, OK | OUTPUT_FULL);
    if !may_leave || count == 0 || count > report.read() {
        return (status, report);
    }
    decoder.unread_incomplete();
    let status = if status == OK { INCOMPLETE } else { status };
    (status, report.unread(count))
}

/// Returns the decoder if it is not null and the flags are valid.
fn checked(decoder: Option<&mut Decoder>, flags: u32) -> Option<&mut Decoder> {
    let excluding = LAST | LEAVE_INCOMPLETE;
    let is_known = flags & !(LAST | REPLACE | LEAVE_INCOMPLETE) == 0;
    decoder.filter(|_| is_known && flags & excluding != excluding)
}

/// Defines a decoding function that calls `run` with a decoder, a source, a target and flags.
macro_rules! decoding {
    ($($(#[$doc:meta])* $name:ident to $unit:ty, $run:expr;)*) => {$(
        $(#[$doc])*
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(
            decoder: Option<&mut Decoder>,
            src: *const u8,
            src_length: usize,
            dst: *mut $unit,
            dst_length: usize,
            flags: u32,
            progress: *mut CProgress,
        ) -> c_int {
            // SAFETY: mojika.h requires `src_length` readable bytes at `src`, writable memory of `dst_length` units at
            // `dst`, and writable memory of a mojika_progress, or null. They do not overlap, and nothing else uses them
            // during the call.
            unsafe {
                args::convert((src, src_length), (dst, dst_length), progress, |src, dst| {
                    Some($run(checked(decoder, flags)?, src, dst, flags))
                })
            }
        }
    )*};
}

decoding! {
    /// Decodes to UTF-8.
    mojika_decode_utf8 to u8, to_units;
    /// Decodes to UTF-16.
    mojika_decode_utf16 to u16, to_units;
    /// Decodes to UTF-32.
    mojika_decode_utf32 to u32, to_utf32;
}

/// Decodes to UTF-8 or UTF-16.
pub(crate) fn to_units<T>(
    decoder: &mut Decoder,
    src: &[u8],
    dst: &mut [MaybeUninit<T>],
    flags: u32,
) -> (c_int, CProgress)
where
    [MaybeUninit<T>]: DecodeTarget,
{
    let progress = decode(decoder, src, dst, flags);
    report(decoder, progress, flags)
}

/// Decodes to UTF-32, by decoding pieces of the input to UTF-16.
pub(crate) fn to_utf32(
    decoder: &mut Decoder,
    src: &[u8],
    dst: &mut [MaybeUninit<u32>],
    flags: u32,
) -> (c_int, CProgress) {
    let mut units = [0_u16; 1024];
    let mut total = Total::default();
    loop {
        let space = dst.len() - total.written;
        // Limit the code units of a piece to the number of scalar values that fit, so that all can be written.
        let piece = space.min(units.len());
        let mut progress = decode(decoder, &src[total.read..], &mut units[..piece], flags);
        if progress.status == Status::OutputFull && progress.written == 0 && piece == 1 {
            // One scalar value fits. A surrogate pair can be written; the two code points of some Big5 pairs cannot.
            let mut trial = decoder.clone();
            let next = decode(
                &mut trial,
                &src[total.read + progress.read..],
                &mut units[..2],
                flags,
            );
            if next.written == 2 && char::decode_utf16(units[..2].iter().copied()).count() == 1 {
                *decoder = trial;
                let before = progress;
                progress = next;
                progress.read += before.read;
                progress.had_errors |= before.had_errors;
            }
        }
        let scalars = char::decode_utf16(units[..progress.written].iter().copied());
        let mut count = 0;
        for (to, scalar) in dst[total.written..].iter_mut().zip(scalars) {
            to.write(scalar.map_or(0xFFFD, u32::from));
            count += 1;
        }
        total.read += progress.read;
        total.written += count;
        total.had_errors |= progress.had_errors;
        let is_stuck = progress.written == 0 && progress.read == 0;
        if progress.status == Status::OutputFull && !is_stuck && total.written < dst.len() {
            continue;
        }
        progress.read = total.read;
        progress.written = total.written;
        progress.had_errors = total.had_errors;
        return report(decoder, progress, flags);
    }
}

/// The sum of the pieces' reports.
#[derive(Default)]
struct Total {
    read: usize,
    written: usize,
    had_errors: bool,
}
