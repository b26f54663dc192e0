//! The two forms of text that a decoder writes: UTF-8 and UTF-16.

use super::Decoder;
use crate::codec::Unit;
use crate::progress::{ErrorMode, Progress};
use crate::simd::Out;

/// The two forms of text, each with its own copy of the code that calls share.
pub(crate) trait Form: Unit {
    /// [`Decoder::start`].
    fn start(decoder: &mut Decoder, src: &[u8], out: &mut Out<'_, Self>) -> usize;

    /// [`Decoder::run_on`].
    fn run_on(
        decoder: &mut Decoder,
        mode: ErrorMode,
        src: &[u8],
        taken: Option<usize>,
        out: &mut Out<'_, Self>,
        last: bool,
    ) -> Progress;
}

/// Not generic, so that they are compiled here and not in every crate that decodes.
macro_rules! form {
    ($unit:ty) => {
        impl Form for $unit {
            #[inline(never)]
            fn start(decoder: &mut Decoder, src: &[u8], out: &mut Out<'_, Self>) -> usize {
                decoder.start(src, out)
            }

            #[inline(never)]
            fn run_on(
                decoder: &mut Decoder,
                mode: ErrorMode,
                src: &[u8],
                taken: Option<usize>,
                out: &mut Out<'_, Self>,
                last: bool,
            ) -> Progress {
                decoder.run_on(mode, src, taken, out, last)
            }
        }
    };
}
form!(u8);
form!(u16);
