//! Encoder output: one sealed trait for initialised and uninitialised memory.

use crate::simd::Out;
use core::mem::MaybeUninit;

/// Output that an [`Encoder`](crate::Encoder) can write to.
///
/// Implemented for `[u8]`, `[MaybeUninit<u8>]` and arrays of these. The trait is sealed: it cannot be implemented outside
/// of this crate. Nothing beyond the bytes that a call reports as written is changed; in uninitialised memory these are
/// initialised.
///
/// A `Vec` is not a target, because it would not be clear whether to overwrite it or to append to it: pass `&mut vec[..]`
/// to overwrite it, or call `Encoder::encode_append`.
#[diagnostic::on_unimplemented(
    message = "an encoder cannot write to `{Self}`",
    label = "not an output of an encoder",
    note = "an encoder writes to `[u8]` and `[MaybeUninit<u8>]`",
    note = "write `&mut vec[..]` to overwrite a vector, or call `encode_append` to append to it"
)]
pub trait EncodeTarget: Sealed {}

/// The part of [`EncodeTarget`] that is not public.
pub trait Sealed {
    fn out(&mut self) -> Out<'_, u8>;
}

macro_rules! slices {
    ($($unit:ty, $cursor:ident;)*) => {$(
        impl EncodeTarget for [$unit] {}

        impl Sealed for [$unit] {
            #[inline(always)]
            fn out(&mut self) -> Out<'_, u8> {
                Out::$cursor(self)
            }
        }

        impl<const N: usize> EncodeTarget for [$unit; N] {}

        impl<const N: usize> Sealed for [$unit; N] {
            #[inline(always)]
            fn out(&mut self) -> Out<'_, u8> {
                Out::$cursor(self)
            }
        }
    )*};
}
slices! {
    u8, from_init;
    MaybeUninit<u8>, from_uninit;
}
