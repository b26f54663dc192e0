//! Encoder input: one sealed trait for both forms of text.

#[cfg(feature = "alloc")]
use alloc::{string::String, vec::Vec};

/// Text that an [`Encoder`](crate::Encoder) can read: UTF-8 as `str`, UTF-16 as `[u16]`.
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
    fn text(&self) -> Text<'_>;
}

/// A text in either form.
#[derive(Debug)]
pub enum Text<'a> {
    Utf8(&'a str),
    Utf16(&'a [u16]),
}

macro_rules! sources {
    ($($(#[$cfg:meta])? [$($generics:tt)*] $source:ty, |$this:ident| $text:expr;)*) => {$(
        $(#[$cfg])?
        impl<$($generics)*> EncodeSource for $source {}

        $(#[$cfg])?
        impl<$($generics)*> Sealed for $source {
            #[inline(always)]
            fn text(&self) -> Text<'_> {
                let $this = self;
                $text
            }
        }
    )*};
}
sources! {
    [] str, |text| Text::Utf8(text);
    [] [u16], |text| Text::Utf16(text);
    [const N: usize] [u16; N], |text| Text::Utf16(text);
    [S: EncodeSource + ?Sized] &S, |text| (**text).text();
    #[cfg(feature = "alloc")] [] String, |text| Text::Utf8(text);
    #[cfg(feature = "alloc")] [] Vec<u16>, |text| Text::Utf16(text);
}
