//! Decoder output: one sealed trait for every form.

use super::text;
use super::{Decoder, Form};
use crate::progress::{ErrorMode, Progress};
use crate::simd::Out;
use core::mem::MaybeUninit;

/// Output that a [`Decoder`] can write to: `[u8]` and `str` receive UTF-8, `[u16]` receives UTF-16.
///
/// Implemented for `[u8]`, `[u16]`, `[MaybeUninit<u8>]`, `[MaybeUninit<u16>]`, arrays of these, and `str`. The trait is
/// sealed: it cannot be implemented outside of this crate.
///
/// * Only the units that a call reports as written are changed, except in a `str`.
/// * In uninitialised memory, the units reported as written are initialised.
/// * In a `str`, if the written part ends inside an old character, the rest of that character becomes U+0000.
///
/// A `Vec` is not a target, because it would not be clear whether to overwrite it or to append to it: pass `&mut vec[..]`
/// to overwrite it, or call [`Decoder::decode_append`].
///
/// ```
/// use core::mem::MaybeUninit;
/// use mojika::SHIFT_JIS;
///
/// let mut utf8 = [0_u8; 8];
/// let mut utf16 = [MaybeUninit::<u16>::uninit(); 8];
/// let mut text = String::from("........");
/// let source = b"\x95\xB6";
/// assert_eq!(SHIFT_JIS.new_decoder().decode(source, &mut utf8, true).written, 3);
/// assert_eq!(SHIFT_JIS.new_decoder().decode(source, &mut utf16[..4], true).written, 1);
/// SHIFT_JIS.new_decoder().decode(source, text.as_mut_str(), true);
/// assert_eq!(text, "文.....");
/// ```
#[diagnostic::on_unimplemented(
    message = "a decoder cannot write to `{Self}`",
    label = "not an output of a decoder",
    note = "a decoder writes to `[u8]`, `[u16]`, their `MaybeUninit` forms, and `str`",
    note = "write `&mut vec[..]` to overwrite a vector, or call `decode_append` to append to a `String` or a `Vec<u16>`"
)]
pub trait DecodeTarget: Sealed {}

/// The part of [`DecodeTarget`] that is not public.
pub trait Sealed {
    /// Calls [`Form::run`] and writes from unit `from` on.
    fn run(
        &mut self,
        from: usize,
        decoder: &mut Decoder,
        mode: ErrorMode,
        src: &[u8],
        last: bool,
    ) -> Progress;
}

macro_rules! slices {
    ($($unit:ty, $cursor:ident;)*) => {$(
        impl DecodeTarget for [$unit] {}

        impl Sealed for [$unit] {
            #[inline(always)]
            fn run(
                &mut self,
                from: usize,
                decoder: &mut Decoder,
                mode: ErrorMode,
                src: &[u8],
                last: bool,
            ) -> Progress {
                Form::run(decoder, mode, src, &mut Out::$cursor(&mut self[from..]), last)
            }
        }

        impl<const N: usize> DecodeTarget for [$unit; N] {}

        impl<const N: usize> Sealed for [$unit; N] {
            #[inline(always)]
            fn run(
                &mut self,
                from: usize,
                decoder: &mut Decoder,
                mode: ErrorMode,
                src: &[u8],
                last: bool,
            ) -> Progress {
                self.as_mut_slice().run(from, decoder, mode, src, last)
            }
        }
    )*};
}
slices! {
    u8, from_init;
    MaybeUninit<u8>, from_uninit;
    u16, from_init;
    MaybeUninit<u16>, from_uninit;
}

impl DecodeTarget for str {}

impl Sealed for str {
    #[inline(always)]
    fn run(
        &mut self,
        from: usize,
        decoder: &mut Decoder,
        mode: ErrorMode,
        src: &[u8],
        last: bool,
    ) -> Progress {
        text::decode_to_str(decoder, mode, src, &mut self[from..], last)
    }
}
