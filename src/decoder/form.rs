//! The two forms of text that a decoder writes: UTF-8 and UTF-16.

use super::Decoder;
use crate::codec::Unit;
use crate::progress::{ErrorMode, Progress};
use crate::simd::Out;

/// A form of text. Each form has its own compiled copy of the code that all calls share.
pub(crate) trait Form: Unit {
    /// Runs one call in either mode.
    fn run(
        decoder: &mut Decoder,
        mode: ErrorMode,
        src: &[u8],
        out: &mut Out<'_, Self>,
        last: bool,
    ) -> Progress;
}

/// Implements [`Form`] without generics, so that it is compiled in this crate and not in every crate that decodes.
macro_rules! form {
    ($unit:ty) => {
        impl Form for $unit {
            #[inline(never)]
            fn run(
                decoder: &mut Decoder,
                mode: ErrorMode,
                src: &[u8],
                out: &mut Out<'_, Self>,
                last: bool,
            ) -> Progress {
                decoder.run_form(mode, src, out, last)
            }
        }
    };
}
form!(u8);
form!(u16);
