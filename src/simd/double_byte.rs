//! Double-byte encodings: a prefix kernel for each direction, which takes the encoding as a value.

pub(crate) mod decode;
pub(crate) mod encode;
