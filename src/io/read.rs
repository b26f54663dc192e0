//! One read of an inner reader.

use std::io::{self, ErrorKind, Read};

/// Reads once, retrying interrupted reads; 0 means the end of the input, or an empty `buf`.
pub(super) fn read(inner: &mut impl Read, buf: &mut [u8]) -> io::Result<usize> {
    loop {
        match inner.read(buf) {
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            result => return result,
        }
    }
}
