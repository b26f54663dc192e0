//! One read of an inner reader.

use std::io::{self, ErrorKind, Read};

/// Reads once, and again as long as the read is interrupted; 0 means that the end has been reached, or that `buf` is empty.
pub(super) fn read(inner: &mut impl Read, buf: &mut [u8]) -> io::Result<usize> {
    loop {
        match inner.read(buf) {
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            result => return result,
        }
    }
}
