//! Bytes looked up one by one in a table of 256: what brings EBCDIC into the order of ASCII and back.

use super::out::Out;

/// Writes the byte of `table` for each of `src` to the same place of `dst`, which is as long.
#[inline]
pub(crate) fn permute(table: &[u8; 256], src: &[u8], dst: &mut [u8]) {
    for (to, &from) in dst.iter_mut().zip(src) {
        *to = table[usize::from(from)];
    }
}

/// AsciiProbe up all that `out` has written, in its place.
#[inline(never)]
pub(crate) fn permute_written(table: &[u8; 256], out: &mut Out<'_, u8>) {
    for byte in out.written_slice_mut() {
        *byte = table[usize::from(*byte)];
    }
}
