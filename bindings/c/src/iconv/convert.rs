//! One conversion step: until the first character that the C library may convert differently.

use super::filter::Filter;
use super::page::Page;
use super::short;
use super::step::{Step, Stop};
use crate::args;
use core::mem::MaybeUninit;
use mojika::{BomHandling, Decoder, Status, UTF_8, mem};

/// The number of bytes that are validated, encoded and filtered at once; they fit the first-level cache.
const BATCH_LENGTH: usize = 8 * 1024;

/// The number of bytes filtered first: few, because a caller may skip malformed bytes one by one, with a call for each.
const FIRST_BATCH_LENGTH: usize = 64;

/// The input length from which the filter tests code units instead of bytes. Building their set takes some time.
const LONG: usize = 4096;

/// The number of bytes tested at once in long input. One differing character slows down only these bytes.
const TEST_LENGTH: usize = 2048;

/// Converts from one page's encoding to another's.
pub(super) fn convert(from: &Page, to: &Page, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Step {
    match short::convert(from, to, src, dst) {
        Some(step) if step.stop != Stop::Other => step,
        step => {
            let (read, written) = step.map_or((0, 0), |step| (step.read, step.written));
            let rest = by_coders(from, to, &src[read..], &mut dst[written..]);
            Step::new(read + rest.read, written + rest.written, rest.stop)
        }
    }
}

/// Converts, with decoders and encoders, input that the tables for short input do not cover.
#[inline(never)]
pub(super) fn by_coders(from: &Page, to: &Page, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Step {
    if to.encoding == UTF_8 {
        decode(from, src, dst)
    } else if from.encoding == UTF_8 {
        encode(to, src, dst)
    } else {
        by_way_of_utf8(from, to, src, dst)
    }
}

/// Returns initialised units as a slice.
///
/// # Safety
///
/// All units must be initialised.
pub(super) unsafe fn initialised<T>(units: &[MaybeUninit<T>]) -> &[T] {
    // SAFETY: the caller guarantees that the units are initialised, and the layout is the same.
    unsafe { &*(core::ptr::from_ref(units) as *const [T]) }
}

/// Decodes bytes to UTF-8.
fn decode(page: &Page, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Step {
    let Some(filter) = &page.filter else {
        return decode_part(page, src, dst, src.len());
    };
    let (mut read, mut written) = (0, 0);
    let is_long = filter.takes_units() && src.len() >= LONG;
    loop {
        let mut longest = if read == 0 {
            FIRST_BATCH_LENGTH
        } else {
            BATCH_LENGTH
        };
        if is_long {
            let (more, made) = decode_long(page, filter, &src[read..], &mut dst[written..]);
            read += more;
            written += made;
            longest = longest.min(TEST_LENGTH);
        }
        // The filter need not inspect more bytes than fit the output.
        let rest = &src[read..];
        let most = rest.len().min(longest).min(dst.len() - written + 8);
        let limit = filter.input(&rest[..most]);
        let step = decode_part(page, &rest[..limit], &mut dst[written..], rest.len());
        read += step.read;
        written += step.written;
        let is_cut = limit == most && most < rest.len();
        if step.stop != Stop::Done && !(is_cut && step.stop == Stop::Other && step.read > 0) {
            return Step::new(read, written, step.stop);
        }
        if !is_cut {
            let stop = if read == src.len() {
                Stop::Done
            } else {
                Stop::Other
            };
            return Step::new(read, written, stop);
        }
    }
}

/// Decodes long input through UTF-16 in pieces of [`TEST_LENGTH`] bytes. Stops at a piece that may contain a
/// difference, or whose text may not fit. Returns the numbers of bytes read and written.
fn decode_long(
    page: &Page,
    filter: &Filter,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> (usize, usize) {
    let mut units = [const { MaybeUninit::<u16>::uninit() }; TEST_LENGTH];
    let (mut read, mut written) = (0, 0);
    loop {
        let rest = &src[read..];
        let most = rest.len().min(TEST_LENGTH);
        // A byte becomes at most one code unit, and a code unit at most three bytes.
        if most < TEST_LENGTH || dst.len() - written < 3 * most {
            return (read, written);
        }
        let mut decoder = Decoder::new(page.encoding, BomHandling::Keep);
        let progress = decoder.decode_fatal(&rest[..most], &mut units, false);
        let unread = decoder.unread_incomplete();
        // SAFETY: the decoder has reported that it has written these code units.
        let text = unsafe { initialised(&units[..progress.written]) };
        if progress.status != Status::InputEmpty || !filter.is_decoded_alike(page.encoding, text) {
            return (read, written);
        }
        // SAFETY: `utf16_to_utf8` writes through the library's cursor, which never reads uninitialised units.
        let out = unsafe { &mut *(core::ptr::from_mut(&mut dst[written..]) as *mut [u8]) };
        written += mem::utf16_to_utf8(text, out).written;
        read += progress.read - unread;
    }
}

/// Decodes `src`, which is a prefix of an input of `whole` bytes.
#[inline]
fn decode_part(page: &Page, src: &[u8], dst: &mut [MaybeUninit<u8>], whole: usize) -> Step {
    let mut decoder = Decoder::new(page.encoding, BomHandling::Keep);
    let progress = decoder.decode_fatal(src, dst, false);
    let (unread, stop) = match progress.status {
        Status::InputEmpty => match decoder.unread_incomplete() {
            0 => (0, Stop::Done),
            unread if page.is_unicode() && src.len() == whole => (unread, Stop::Incomplete),
            unread => (unread, Stop::Other),
        },
        Status::OutputFull => (decoder.unread_incomplete(), Stop::Full),
        Status::Malformed(sequence) => (
            usize::from(sequence.len) + usize::from(sequence.after),
            Stop::Other,
        ),
        Status::Unmappable(_) => (0, Stop::Other),
    };
    Step::new(
        progress.read - unread.min(progress.read),
        progress.written,
        stop,
    )
}

/// Encodes UTF-8.
fn encode(page: &Page, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Step {
    let (mut read, mut written) = (0, 0);
    let is_long = src.len() >= LONG && page.filter.as_ref().is_some_and(Filter::takes_units);
    let longest = if is_long { TEST_LENGTH } else { BATCH_LENGTH };
    loop {
        let rest = &src[read..];
        let piece = &rest[..rest.len().min(longest)];
        let text = args::utf8_prefix(piece);
        let step = encode_text(page, text, &mut dst[written..], is_long);
        read += step.read;
        written += step.written;
        let is_done = step.stop == Stop::Done;
        let stop = if !is_done {
            step.stop
        } else if read == src.len() {
            Stop::Done
        } else if text.len() == piece.len() || (piece.len() < rest.len() && !text.is_empty()) {
            // The limit of the filtered bytes may split a character: continue with that character.
            continue;
        } else {
            match str::from_utf8(&src[read..][..(src.len() - read).min(4)]) {
                Err(error) if error.error_len().is_none() => Stop::Incomplete,
                _ => Stop::Other,
            }
        };
        return Step::new(read, written, stop);
    }
}

/// Encodes valid text. If `is_long`, text for which [`is_clear`] is true skips the filter.
fn encode_text(page: &Page, text: &str, dst: &mut [MaybeUninit<u8>], is_long: bool) -> Step {
    let Ok(mut encoder) = page.encoding.new_encoder() else {
        return Step::NONE;
    };
    let progress = encoder.encode(text, dst, false);
    let (mut read, mut written) = (progress.read, progress.written);
    let mut stop = match progress.status {
        Status::InputEmpty => Stop::Done,
        Status::OutputFull => Stop::Full,
        Status::Unmappable(_) => {
            // The encoder has read the unmappable character: it is the last one before `read`.
            let before = text[..read].chars().next_back();
            read -= before.map_or(0, char::len_utf8);
            Stop::Other
        }
        Status::Malformed(_) => Stop::Other,
    };
    if let Some(filter) = &page.filter
        && !(is_long && is_clear(page, filter, text))
    {
        // SAFETY: the encoder has reported that it has written these bytes.
        let bytes = unsafe { initialised(&dst[..written]) };
        let alike = filter.output(bytes);
        if alike < written {
            // Encode again into the first `alike` bytes only: the encoder then reports the length of their text.
            encoder.reset();
            let progress = encoder.encode(text, &mut dst[..alike], false);
            (read, written, stop) = (progress.read, progress.written, Stop::Other);
        } else if stop == Stop::Full {
            // The character that does not fit may be one that the C library must convert.
            let mut one = [MaybeUninit::uninit(); 8];
            let next = &text[read..][..text[read..].chars().next().map_or(0, char::len_utf8)];
            encoder.reset();
            let written = encoder.encode(next, &mut one, false).written;
            // SAFETY: the encoder has reported that it has written these bytes.
            if filter.output(unsafe { initialised(&one[..written]) }) < written {
                stop = Stop::Other;
            }
        }
    }
    Step::new(read, written, stop)
}

/// True if this part of a long text contains no character that the engine and the C library may encode differently.
fn is_clear(page: &Page, filter: &Filter, text: &str) -> bool {
    let mut units = [0; TEST_LENGTH];
    let progress = mem::utf8_to_utf16_fatal(text.as_bytes(), &mut units);
    progress.read == text.len()
        && filter.is_encoded_alike(page.encoding, &units[..progress.written])
}

/// Converts from one encoding to another through UTF-8.
fn by_way_of_utf8(from: &Page, to: &Page, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Step {
    const PIVOT: usize = 4096;
    let mut pivot = [const { MaybeUninit::<u8>::uninit() }; PIVOT];
    let (mut read, mut written) = (0, 0);
    loop {
        // Read only slightly more input than fits the output, because excess input has to be decoded again.
        let space = dst.len() - written;
        let most = PIVOT.min(space.saturating_mul(4).max(8));
        let rest = &src[read..];
        let decoded = decode(from, rest, &mut pivot[..most]);
        // SAFETY: the decoder has reported these bytes as written, and a decoder writes only UTF-8.
        let text = unsafe { str::from_utf8_unchecked(initialised(&pivot[..decoded.written])) };
        let encoded = encode_text(to, text, &mut dst[written..], false);
        if encoded.read == decoded.written && encoded.stop == Stop::Done {
            read += decoded.read;
            written += encoded.written;
            match decoded.stop {
                Stop::Full => continue,
                stop => {
                    return Step::new(read, written, stop);
                }
            }
        }
        // Decode again into an output as long as the encoded text. The decoder then reports the length read.
        let mut end = encoded.read;
        let mut again = decode(from, rest, &mut pivot[..end]);
        let mut made = encoded.written;
        while again.written < end {
            // The output ends between two characters of one sequence: convert neither character.
            end = again.written;
            again = decode(from, rest, &mut pivot[..end]);
            // SAFETY: the decoder has reported these bytes as written, and a decoder writes only UTF-8.
            let text = unsafe { str::from_utf8_unchecked(initialised(&pivot[..end])) };
            made = encode_text(to, text, &mut dst[written..], false).written;
        }
        return Step::new(read + again.read, written + made, encoded.stop);
    }
}
