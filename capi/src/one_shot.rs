//! Whole input in one call, which says what length it takes: calling without an output asks for the length.

use crate::args;
use crate::decode::{bom_handling, to_utf32};
use crate::encode::{from_utf8, from_utf16, from_utf32};
use crate::progress::*;
use crate::statics::Found;
use core::ffi::c_int;
use core::mem::MaybeUninit;
use mojika::{DecodeTarget, Decoder};

/// How many units are converted at once where only their number is wanted.
const SCRATCH: usize = 4096;

/// A report, and the length that the whole output has.
type Outcome = (c_int, CProgress, usize);

/// Calls `run` on `dst` until the input is read, and then, if it does not fit, on scratch memory for its length.
///
/// `run` takes the rest of the input and the rest of an output. Progress is that of `dst` alone.
fn whole<S, T: Copy>(
    src: &[S],
    dst: &mut [MaybeUninit<T>],
    mut run: impl FnMut(&[S], &mut [MaybeUninit<T>]) -> (c_int, CProgress),
) -> Outcome {
    let (status, report) = run(src, dst);
    let mut length = report.written();
    if status != OUTPUT_FULL {
        return (status, report, length);
    }
    let mut read = report.read();
    let mut scratch = [const { MaybeUninit::uninit() }; SCRATCH];
    loop {
        let (next, further) = run(&src[read..], &mut scratch);
        read += further.read();
        length += further.written();
        match next {
            OUTPUT_FULL => {}
            OK => return (OUTPUT_FULL, report, length),
            // What is wrong counts before the size: no size would do.
            _ => return (next, further.after(report), length),
        }
    }
}

/// One call of a streaming decoder to a form of text.
trait Form: Copy {
    fn decode(
        decoder: &mut Decoder,
        src: &[u8],
        dst: &mut [MaybeUninit<Self>],
        flags: u32,
    ) -> (c_int, CProgress);
}

fn to_units<T>(
    decoder: &mut Decoder,
    src: &[u8],
    dst: &mut [MaybeUninit<T>],
    flags: u32,
) -> (c_int, CProgress)
where
    [MaybeUninit<T>]: DecodeTarget,
{
    CProgress::from_library(if flags & REPLACE != 0 {
        decoder.decode(src, dst, true)
    } else {
        decoder.decode_fatal(src, dst, true)
    })
}

macro_rules! decoding {
    ($($(#[$doc:meta])* $name:ident to $unit:ty, $run:ident;)*) => {$(
        impl Form for $unit {
            fn decode(
                decoder: &mut Decoder,
                src: &[u8],
                dst: &mut [MaybeUninit<Self>],
                flags: u32,
            ) -> (c_int, CProgress) {
                $run(decoder, src, dst, flags)
            }
        }

        $(#[$doc])*
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(
            encoding: Found,
            handling: c_int,
            src: *const u8,
            src_length: usize,
            dst: *mut $unit,
            dst_length: usize,
            flags: u32,
            length: *mut usize,
            progress: *mut CProgress,
        ) -> c_int {
            // SAFETY: mojika.h asks for `src_length` bytes at `src`, and that they do not overlap with the output.
            let src = unsafe { args::slice(src, src_length) };
            // SAFETY: mojika.h asks for memory of `dst_length` units at `dst` that nothing else uses in the call.
            let dst = unsafe { args::target(dst, dst_length) };
            let handling = bom_handling(handling).filter(|_| flags & !(LAST | REPLACE) == 0);
            let (status, report, needed) = match (encoding, handling, src, dst) {
                (Some(encoding), Some(handling), Some(src), Some(dst)) => {
                    let mut decoder = Decoder::new(encoding.get(), handling);
                    whole(src, dst, |src, dst| {
                        <$unit>::decode(&mut decoder, src, dst, flags | LAST)
                    })
                }
                _ => (INVALID_ARGUMENT, CProgress::default(), 0),
            };
            // SAFETY: mojika.h asks for memory of a size_t, or null.
            unsafe { args::write(length, needed) };
            // SAFETY: mojika.h asks for memory of a mojika_progress, or null.
            unsafe { args::write(progress, report) };
            status
        }
    )*};
}

decoding! {
    /// Bytes to UTF-8.
    mojika_to_utf8 to u8, to_units;
    /// Bytes to UTF-16.
    mojika_to_utf16 to u16, to_units;
    /// Bytes to UTF-32.
    mojika_to_utf32 to u32, to_utf32;
}

macro_rules! encoding {
    ($($(#[$doc:meta])* $name:ident from $unit:ty, $run:ident;)*) => {$(
        $(#[$doc])*
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(
            encoding: Found,
            src: *const $unit,
            src_length: usize,
            dst: *mut u8,
            dst_length: usize,
            flags: u32,
            length: *mut usize,
            progress: *mut CProgress,
        ) -> c_int {
            // SAFETY: mojika.h asks for `src_length` units at `src`, and that they do not overlap with the output.
            let src = unsafe { args::slice(src, src_length) };
            // SAFETY: mojika.h asks for memory of `dst_length` bytes at `dst` that nothing else uses in the call.
            let dst = unsafe { args::target(dst, dst_length) };
            let encoding = encoding.filter(|_| flags & !(LAST | REPLACE) == 0);
            let (status, report, needed) = match (encoding, src, dst) {
                (Some(encoding), Some(src), Some(dst)) => match encoding.get().new_encoder() {
                    Ok(mut encoder) => {
                        let mut position = 0;
                        whole(src, dst, |src, dst| {
                            let (status, report) =
                                $run(&mut encoder, src, dst, flags | LAST, position);
                            position += report.read() as u64;
                            (status, report)
                        })
                    }
                    Err(_) => (NO_ENCODER, CProgress::default(), 0),
                },
                _ => (INVALID_ARGUMENT, CProgress::default(), 0),
            };
            // SAFETY: mojika.h asks for memory of a size_t, or null.
            unsafe { args::write(length, needed) };
            // SAFETY: mojika.h asks for memory of a mojika_progress, or null.
            unsafe { args::write(progress, report) };
            status
        }
    )*};
}

encoding! {
    /// UTF-8 to bytes.
    mojika_from_utf8 from u8, from_utf8;
    /// UTF-16 to bytes.
    mojika_from_utf16 from u16, from_utf16;
    /// UTF-32 to bytes.
    mojika_from_utf32 from u32, from_utf32;
}

/// The number of malformed sequences.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mojika_count_malformed(
    encoding: Found,
    handling: c_int,
    src: *const u8,
    src_length: usize,
) -> u64 {
    // SAFETY: mojika.h asks for `src_length` bytes at `src`.
    let src = unsafe { args::slice(src, src_length) };
    let (Some(encoding), Some(handling), Some(src)) = (encoding, bom_handling(handling), src)
    else {
        return 0;
    };
    let mut decoder = Decoder::new(encoding.get(), handling);
    let mut scratch = [const { MaybeUninit::<u8>::uninit() }; SCRATCH];
    let (mut read, mut count) = (0, 0);
    loop {
        let progress = decoder.decode_fatal(&src[read..], &mut scratch, true);
        read += progress.read;
        match progress.status {
            mojika::Status::InputEmpty => return count,
            mojika::Status::Malformed(_) => count += 1,
            _ => {}
        }
    }
}
