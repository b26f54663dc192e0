//! Double-byte encodings: one prefix kernel for each direction, parameterised by a description of the encoding.

pub(crate) mod decode;
pub(crate) mod encode;

/// A Unicode encoding form. Each kernel has a trait for its own requirements, which [`Utf8`] and [`Utf16`] implement.
trait Form {
    type Unit: Copy + From<u8>;
}

struct Utf8;

impl Form for Utf8 {
    type Unit = u8;
}

struct Utf16;

impl Form for Utf16 {
    type Unit = u16;
}
