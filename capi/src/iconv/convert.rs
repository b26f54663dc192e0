//! One step of a conversion: up to the first character that the C library may convert differently.

use super::filter::Filter;
use super::page::{Page, Short};
use crate::args;
use core::mem::MaybeUninit;
use mojika::{BomHandling, Decoder, Status, UTF_8, mem};

/// Why a step ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stop {
    /// All input is read.
    Done,
    /// The next character does not fit.
    Full,
    /// The input ends within a character, in the C library as well.
    Incomplete,
    /// The C library is to convert, or to refuse, the next character.
    Other,
}

/// What a step did.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    pub read: usize,
    pub written: usize,
    pub stop: Stop,
}

/// How many bytes are validated, encoded and filtered at once, so that they stay in the first cache.
const PIECE: usize = 8 * 1024;

/// From how many bytes on code units are tested instead of bytes: their set takes some time to make.
const LONG: usize = 4096;

/// Up to how many bytes are converted by tables: [`decode_short`], [`Pairs`](super::pairs::Pairs).
const FEW: usize = 48;

/// How many bytes are tested at once then: a character with a difference slows down no more than these.
const SHORT: usize = 2048;

/// Converts from one page to another.
pub(super) fn convert(from: &Page, to: &Page, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Step {
    if to.encoding == UTF_8 {
        if src.len() <= FEW
            && let Some(table) = from.short()
        {
            return decode_short(table, src, dst);
        }
        if src.len() <= FEW
            && let Some(step) = from.step(src, dst)
        {
            return then_decode(from, src, dst, step);
        }
        decode(from, src, dst)
    } else if from.encoding == UTF_8 {
        encode(to, src, dst)
    } else {
        by_way_of_utf8(from, to, src, dst)
    }
}

/// Goes on after a step that a table has made, which stops at what is to be converted otherwise.
fn then_decode(page: &Page, src: &[u8], dst: &mut [MaybeUninit<u8>], step: Step) -> Step {
    if step.stop != Stop::Other {
        return step;
    }
    let rest = decode(page, &src[step.read..], &mut dst[step.written..]);
    Step {
        read: step.read + rest.read,
        written: step.written + rest.written,
        stop: rest.stop,
    }
}

/// Units that have been written.
///
/// # Safety
///
/// They must be initialised.
unsafe fn initialised<T>(units: &[MaybeUninit<T>]) -> &[T] {
    // SAFETY: the caller guarantees that the units are initialised, and the layout is the same.
    unsafe { &*(core::ptr::from_ref(units) as *const [T]) }
}

/// Short input of single bytes to UTF-8. No vector kernel starts, and nothing is filtered.
fn decode_short(table: &Short, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Step {
    let mut written = 0;
    for (read, &byte) in src.iter().enumerate() {
        let [a, b, c, length] = table[usize::from(byte)].to_le_bytes();
        // Nothing is written beyond a character: what follows may be the caller's text.
        let stop = match (length, &mut dst[written..]) {
            (1, [x, ..]) => {
                x.write(a);
                written += 1;
                continue;
            }
            (2, [x, y, ..]) => {
                x.write(a);
                y.write(b);
                written += 2;
                continue;
            }
            (3, [x, y, z, ..]) => {
                x.write(a);
                y.write(b);
                z.write(c);
                written += 3;
                continue;
            }
            (0, _) => Stop::Other,
            _ => Stop::Full,
        };
        return Step {
            read,
            written,
            stop,
        };
    }
    Step {
        read: src.len(),
        written,
        stop: Stop::Done,
    }
}

/// Bytes to UTF-8.
fn decode(page: &Page, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Step {
    let Some(filter) = page.filter else {
        return decode_part(page, src, dst, src.len());
    };
    let (mut read, mut written) = (0, 0);
    let is_long = filter.takes_units() && src.len() >= LONG;
    loop {
        let mut longest = PIECE;
        if is_long {
            let (more, made) = decode_long(page, filter, &src[read..], &mut dst[written..]);
            read += more;
            written += made;
            longest = SHORT;
        }
        // The filter reads what is decoded next, and no more than the output has space for.
        let rest = &src[read..];
        let most = rest.len().min(longest).min(dst.len() - written + 8);
        let limit = filter.input(&rest[..most]);
        let step = decode_part(page, &rest[..limit], &mut dst[written..], rest.len());
        read += step.read;
        written += step.written;
        let is_cut = limit == most && most < rest.len();
        if step.stop != Stop::Done && !(is_cut && step.stop == Stop::Other && step.read > 0) {
            return Step {
                read,
                written,
                stop: step.stop,
            };
        }
        if !is_cut {
            let stop = if read == src.len() {
                Stop::Done
            } else {
                Stop::Other
            };
            return Step {
                read,
                written,
                stop,
            };
        }
    }
}

/// Decodes long input by way of UTF-16, up to the first piece in which there may be a difference or for which the output may
/// not suffice. Returns how many bytes were read and written.
fn decode_long(
    page: &Page,
    filter: &Filter,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> (usize, usize) {
    let mut units = [const { MaybeUninit::<u16>::uninit() }; SHORT];
    let (mut read, mut written) = (0, 0);
    loop {
        let rest = &src[read..];
        let most = rest.len().min(SHORT);
        // A code unit becomes 3 bytes at most.
        if most < SHORT || dst.len() - written < 3 * most {
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
        // SAFETY: `utf16_to_utf8` writes through the library's cursor, which reads nothing that it has not written.
        let out = unsafe { &mut *(core::ptr::from_mut(&mut dst[written..]) as *mut [u8]) };
        written += mem::utf16_to_utf8(text, out).written;
        read += progress.read - unread;
    }
}

/// Decodes `src`, the beginning of input of `whole` bytes.
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
    Step {
        read: progress.read - unread.min(progress.read),
        written: progress.written,
        stop,
    }
}

/// UTF-8 to bytes.
fn encode(page: &Page, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Step {
    let (mut read, mut written) = (0, 0);
    let is_long = src.len() >= LONG && page.filter.is_some_and(Filter::takes_units);
    let longest = if is_long { SHORT } else { PIECE };
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
            // Another piece; this one may end within a character.
            continue;
        } else {
            match str::from_utf8(&src[read..][..(src.len() - read).min(4)]) {
                Err(error) if error.error_len().is_none() => Stop::Incomplete,
                _ => Stop::Other,
            }
        };
        return Step {
            read,
            written,
            stop,
        };
    }
}

/// Valid text to bytes. `is_long` if it is a short part of long text.
fn encode_text(page: &Page, text: &str, dst: &mut [MaybeUninit<u8>], is_long: bool) -> Step {
    let Ok(mut encoder) = page.encoding.new_encoder() else {
        return Step {
            read: 0,
            written: 0,
            stop: Stop::Other,
        };
    };
    let progress = encoder.encode(text, dst, false);
    let (mut read, mut written) = (progress.read, progress.written);
    let mut stop = match progress.status {
        Status::InputEmpty => Stop::Done,
        Status::OutputFull => Stop::Full,
        Status::Unmappable(_) => {
            // The character is read: it is the last before this place.
            let before = text[..read].chars().next_back();
            read -= before.map_or(0, char::len_utf8);
            Stop::Other
        }
        Status::Malformed(_) => Stop::Other,
    };
    if let Some(filter) = page.filter
        && !(is_long && is_clear(page, filter, text))
    {
        // SAFETY: the encoder has reported that it has written these bytes.
        let bytes = unsafe { initialised(&dst[..written]) };
        let alike = filter.output(bytes);
        if alike < written {
            // Once more up to there: the encoder says how much text that is.
            encoder.reset();
            let progress = encoder.encode(text, &mut dst[..alike], false);
            (read, written, stop) = (progress.read, progress.written, Stop::Other);
        } else if stop == Stop::Full {
            // The C library may have to convert the character that does not fit.
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
    Step {
        read,
        written,
        stop,
    }
}

/// Whether a part of long text has no character with a difference.
fn is_clear(page: &Page, filter: &Filter, text: &str) -> bool {
    let mut units = [0; SHORT];
    let progress = mem::utf8_to_utf16_fatal(text.as_bytes(), &mut units);
    progress.read == text.len()
        && filter.is_encoded_alike(page.encoding, &units[..progress.written])
}

/// Bytes to bytes.
fn by_way_of_utf8(from: &Page, to: &Page, src: &[u8], dst: &mut [MaybeUninit<u8>]) -> Step {
    const PIVOT: usize = 4096;
    let mut pivot = [const { MaybeUninit::<u8>::uninit() }; PIVOT];
    let (mut read, mut written) = (0, 0);
    loop {
        // Not much more than fits, because what does not fit is decoded again.
        let space = dst.len() - written;
        let most = PIVOT.min(space.saturating_mul(4).max(8));
        let rest = &src[read..];
        let decoded = decode(from, rest, &mut pivot[..most]);
        // SAFETY: the decoder has reported that it has written these bytes, and what it writes is UTF-8.
        let text = unsafe { str::from_utf8_unchecked(initialised(&pivot[..decoded.written])) };
        let encoded = encode_text(to, text, &mut dst[written..], false);
        if encoded.read == decoded.written && encoded.stop == Stop::Done {
            read += decoded.read;
            written += encoded.written;
            match decoded.stop {
                Stop::Full => continue,
                stop => {
                    return Step {
                        read,
                        written,
                        stop,
                    };
                }
            }
        }
        // To find the input of the text that was encoded, it is decoded again into an output of its length.
        let mut end = encoded.read;
        let mut again = decode(from, rest, &mut pivot[..end]);
        let mut made = encoded.written;
        while again.written < end {
            // Two characters of one sequence: neither is converted.
            end = again.written;
            again = decode(from, rest, &mut pivot[..end]);
            // SAFETY: the decoder has reported that it has written these bytes, and what it writes is UTF-8.
            let text = unsafe { str::from_utf8_unchecked(initialised(&pivot[..end])) };
            made = encode_text(to, text, &mut dst[written..], false).written;
        }
        return Step {
            read: read + again.read,
            written: written + made,
            stop: encoded.stop,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::iconv::page::{Named, named};

    /// What a step does, and the bytes that it writes.
    fn outcome(
        step: impl FnOnce(&mut [MaybeUninit<u8>]) -> Step,
        space: usize,
    ) -> (usize, Stop, Vec<u8>) {
        let mut dst = [MaybeUninit::new(0_u8); 16];
        let Step {
            read,
            written,
            stop,
        } = step(&mut dst[..space]);
        // SAFETY: all of it is initialised.
        (read, stop, unsafe { initialised(&dst[..written]) }.to_vec())
    }

    fn check(page: &Page, src: &[u8]) {
        for space in [2, 3, 5, 16] {
            let decoded = outcome(|dst| decode(page, src, dst), space);
            let converted = outcome(
                |dst| convert(page, &super::super::page::UTF_8, src, dst),
                space,
            );
            assert_eq!(converted, decoded, "{src:X?} in {space} bytes");
        }
    }

    #[test]
    fn tables_of_short_input_decode_as_the_decoder_does() {
        for name in [
            "SJIS", "CP932", "EUC-JP", "EUC-KR", "GBK", "EUC-CN", "BIG5", "GB18030",
        ] {
            let Some(Named::Page(page)) = named(name.as_bytes()) else {
                panic!("{name}");
            };
            // The table is made after some thousands of calls.
            for _ in 0..5000 {
                check(page, b"a");
            }
            for pair in 0..=u16::MAX {
                let [lead, trail] = pair.to_be_bytes();
                check(page, &[lead, trail]);
                if pair % 7 == 0 {
                    check(page, &[b'x', lead, trail, lead, b'1', lead]);
                }
            }
        }
    }

    #[test]
    fn short_utf_32_is_decoded_as_the_decoder_does() {
        for name in ["UTF-32LE", "UTF-32BE"] {
            let Some(Named::Page(page)) = named(name.as_bytes()) else {
                panic!("{name}");
            };
            for scalar in (0..0x12_0000).step_by(61).chain([0xFEFF, 0xFFFE, u32::MAX]) {
                let mut bytes = [scalar.to_le_bytes(), 0x41_u32.to_le_bytes()].concat();
                if name == "UTF-32BE" {
                    bytes = [scalar.to_be_bytes(), 0x41_u32.to_be_bytes()].concat();
                }
                for end in [3, 4, 6, 8] {
                    check(page, &bytes[..end]);
                }
            }
        }
    }
}
