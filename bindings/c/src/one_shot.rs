//! Converts whole input in one call, and reports the length of the whole output, even without space for it.

use crate::args;
use crate::decode::{bom_handling, to_units, to_utf32};
use crate::encode::Call;
use crate::progress::*;
use crate::statics::EncodingOrNull;
use core::ffi::c_int;
use core::mem::MaybeUninit;
use mojika::Decoder;

/// The length of the buffer for output that is only counted, in units.
const SCRATCH: usize = 4096;

/// True if `flags` are valid for a one-shot call.
fn is_valid(flags: u32) -> bool {
    flags & !(LAST | REPLACE) == 0
}

/// Converts all of `src`, and writes to `dst` the part that fits. `length` becomes the length of the whole output.
///
/// `run` converts a part of the input to an output. It is called with `dst` and then, until all input is read, with
/// memory for discarded output. The returned progress is that of the call with `dst` alone.
fn whole<S, T: Copy>(
    src: &[S],
    dst: &mut [MaybeUninit<T>],
    length: &mut usize,
    mut run: impl FnMut(&[S], &mut [MaybeUninit<T>]) -> (c_int, CProgress),
) -> (c_int, CProgress) {
    let (status, report) = run(src, dst);
    *length = report.written();
    if status != OUTPUT_FULL {
        return (status, report);
    }
    let mut read = report.read();
    let mut scratch = [const { MaybeUninit::uninit() }; SCRATCH];
    loop {
        let (next, further) = run(&src[read..], &mut scratch);
        read += further.read();
        *length += further.written();
        match next {
            OUTPUT_FULL => {}
            OK => return (OUTPUT_FULL, report),
            // Report the error instead of the lack of space, because more space would not help.
            _ => return (next, further.after(report)),
        }
    }
}

/// Defines a function that decodes whole input. `run` is the streaming function for text of type `$unit`.
macro_rules! decoding {
    ($($(#[$doc:meta])* $name:ident to $unit:ty, $run:ident;)*) => {$(
        $(#[$doc])*
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(
            encoding: EncodingOrNull,
            handling: c_int,
            src: *const u8,
            src_length: usize,
            dst: *mut $unit,
            dst_length: usize,
            flags: u32,
            length: *mut usize,
            progress: *mut CProgress,
        ) -> c_int {
            let mut needed = 0;
            // SAFETY: mojika.h requires `src_length` readable units at `src`, writable memory of `dst_length` units at
            // `dst`, and writable memory of a mojika_progress, or null. They do not overlap, and nothing else uses them
            // during the call.
            let status = unsafe {
                args::convert((src, src_length), (dst, dst_length), progress, |src, dst| {
                    let handling = bom_handling(handling).filter(|_| is_valid(flags))?;
                    let encoding = encoding?;
                    if encoding.is_left_out() {
                        return Some((LEFT_OUT, CProgress::default()));
                    }
                    let mut decoder = Decoder::new(encoding.get(), handling);
                    Some(whole(src, dst, &mut needed, |src, dst| {
                        $run(&mut decoder, src, dst, flags | LAST)
                    }))
                })
            };
            // SAFETY: mojika.h requires memory of a size_t, or null.
            unsafe { args::write(length, needed) };
            status
        }
    )*};
}

decoding! {
    /// Decodes to UTF-8.
    mojika_to_utf8 to u8, to_units;
    /// Decodes to UTF-16.
    mojika_to_utf16 to u16, to_units;
    /// Decodes to UTF-32.
    mojika_to_utf32 to u32, to_utf32;
}

/// Defines a function that encodes whole input. `run` is the method of [`Call`] for text of type `$unit`.
macro_rules! encoding {
    ($($(#[$doc:meta])* $name:ident from $unit:ty, $run:ident;)*) => {$(
        $(#[$doc])*
        #[unsafe(no_mangle)]
        pub unsafe extern "C" fn $name(
            encoding: EncodingOrNull,
            src: *const $unit,
            src_length: usize,
            dst: *mut u8,
            dst_length: usize,
            flags: u32,
            length: *mut usize,
            progress: *mut CProgress,
        ) -> c_int {
            let mut needed = 0;
            // SAFETY: mojika.h requires `src_length` readable units at `src`, writable memory of `dst_length` units at
            // `dst`, and writable memory of a mojika_progress, or null. They do not overlap, and nothing else uses them
            // during the call.
            let status = unsafe {
                args::convert((src, src_length), (dst, dst_length), progress, |src, dst| {
                    let encoding = encoding.filter(|_| is_valid(flags))?;
                    let Ok(mut encoder) = encoding.get().new_encoder() else {
                        return Some((encoding.no_encoder(), CProgress::default()));
                    };
                    let mut position = 0;
                    Some(whole(src, dst, &mut needed, |src, dst| {
                        let (status, report) =
                            Call::new(&mut encoder, dst, flags | LAST).$run(src, position);
                        position += report.read() as u64;
                        (status, report)
                    }))
                })
            };
            // SAFETY: mojika.h requires memory of a size_t, or null.
            unsafe { args::write(length, needed) };
            status
        }
    )*};
}

encoding! {
    /// Encodes UTF-8.
    mojika_from_utf8 from u8, utf8;
    /// Encodes UTF-16.
    mojika_from_utf16 from u16, utf16;
    /// Encodes UTF-32.
    mojika_from_utf32 from u32, utf32;
}

/// Returns the number of malformed sequences.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn mojika_count_malformed(
    encoding: EncodingOrNull,
    handling: c_int,
    src: *const u8,
    src_length: usize,
) -> u64 {
    // SAFETY: mojika.h requires `src_length` bytes at `src`.
    let src = unsafe { args::slice(src, src_length) };
    let (Some(encoding), Some(handling), Some(src)) = (encoding, bom_handling(handling), src)
    else {
        return 0;
    };
    if encoding.is_left_out() {
        return u64::MAX;
    }
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
