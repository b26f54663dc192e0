//! Double-byte encodings: a prefix kernel for each direction, which takes the encoding as a value.

pub(crate) mod decode;
pub(crate) mod encode;

use crate::tables::ranges::Ranges;

/// gb18030's characters of four bytes, in one direction.
#[derive(Clone, Copy)]
pub(crate) struct FourBytes {
    /// From pointers to code points of the BMP, or back; the codec knows those that it is not for.
    pub ranges: &'static Ranges,
    /// The pointer of U+10000. From there on, pointers are as far apart as code points.
    pub supplementary: u32,
}

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
