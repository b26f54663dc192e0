//! What an encoder reads: both forms of text behind one sealed trait.

use super::Encoder;
use super::progress::{ErrorMode, Run};
use crate::simd::Out;
#[cfg(feature = "alloc")]
use alloc::{string::String, vec::Vec};

/// What an [`Encoder`] can read: UTF-8 as `str`, UTF-16 as `[u16]`.
///
/// Implemented for `str`, `[u16]`, arrays of `u16`, references to these, and, with feature `alloc`, `String` and
/// `Vec<u16>`. The trait is sealed: it cannot be implemented outside of this crate.
#[diagnostic::on_unimplemented(
    message = "an encoder cannot read `{Self}`",
    label = "not text",
    note = "an encoder reads UTF-8 as `&str` and UTF-16 as `&[u16]`"
)]
pub trait EncodeSource: Sealed {}

/// The part of [`EncodeSource`] that is not public.
pub trait Sealed {
    /// One call to a buffer.
    fn run(&self, encoder: &mut Encoder, mode: ErrorMode, out: &mut Out<'_, u8>, last: bool)
    -> Run;

    /// One call to a vector that grows.
    #[cfg(feature = "alloc")]
    fn append(&self, encoder: &mut Encoder, mode: ErrorMode, dst: &mut Vec<u8>, last: bool) -> Run;
}

macro_rules! forms {
    ($($text:ty, $run:ident, $append:ident;)*) => {$(
        impl EncodeSource for $text {}

        impl Sealed for $text {
            #[inline(always)]
            fn run(
                &self,
                encoder: &mut Encoder,
                mode: ErrorMode,
                out: &mut Out<'_, u8>,
                last: bool,
            ) -> Run {
                encoder.$run(mode, self, out, last)
            }

            #[cfg(feature = "alloc")]
            #[inline(always)]
            fn append(
                &self,
                encoder: &mut Encoder,
                mode: ErrorMode,
                dst: &mut Vec<u8>,
                last: bool,
            ) -> Run {
                encoder.$append(mode, self, dst, last)
            }
        }
    )*};
}
forms! {
    str, run_utf8, utf8_to_vec;
    [u16], run_utf16, utf16_to_vec;
}

/// What derefs to either form.
macro_rules! owned {
    ($($(#[$cfg:meta])? [$($generics:tt)*] $owned:ty, $text:ty;)*) => {$(
        $(#[$cfg])?
        impl<$($generics)*> EncodeSource for $owned {}

        $(#[$cfg])?
        impl<$($generics)*> Sealed for $owned {
            #[inline(always)]
            fn run(
                &self,
                encoder: &mut Encoder,
                mode: ErrorMode,
                out: &mut Out<'_, u8>,
                last: bool,
            ) -> Run {
                <$text as Sealed>::run(self, encoder, mode, out, last)
            }

            #[cfg(feature = "alloc")]
            #[inline(always)]
            fn append(
                &self,
                encoder: &mut Encoder,
                mode: ErrorMode,
                dst: &mut Vec<u8>,
                last: bool,
            ) -> Run {
                <$text as Sealed>::append(self, encoder, mode, dst, last)
            }
        }
    )*};
}
owned! {
    [const N: usize] [u16; N], [u16];
    [S: EncodeSource + ?Sized] &S, S;
    #[cfg(feature = "alloc")] [] String, str;
    #[cfg(feature = "alloc")] [] Vec<u16>, [u16];
}
