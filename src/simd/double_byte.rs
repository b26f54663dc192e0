//! Double-byte encodings: a prefix kernel for each direction, which takes the encoding as a value.

pub(crate) mod decode;
pub(crate) mod encode;

/// A form of text. Each kernel has a trait for what it needs of one, which both implement.
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
