//! Output into the spare capacity of a `String`, without reallocation.

use crate::decoder::text;
use crate::progress::ErrorMode;
use crate::{Decoder, Progress};
use alloc::string::String;

/// [`Decoder::decode_append_fatal`] into the spare capacity of `dst`: "output full" when the capacity is used up.
///
/// ```
/// use mojika::Status;
///
/// let mut text = String::with_capacity(8);
/// let room = text.capacity();
/// let mut decoder = mojika::KOI8_R.new_decoder();
/// let progress = mojika::mem::decode_to_capacity_fatal(&mut decoder, &[0xC4; 100], &mut text, true);
/// assert_eq!(progress.status, Status::OutputFull);
/// assert_eq!((text.capacity(), text.len()), (room, progress.written));
/// ```
pub fn decode_to_capacity_fatal(
    decoder: &mut Decoder,
    src: &[u8],
    dst: &mut String,
    last: bool,
) -> Progress {
    text::decode_to_string(decoder, ErrorMode::Fatal, src, dst, last)
}
