//! Tests if input of unknown encoding is valid UTF-8.

use super::BLOCK;
use crate::bounded;
use mojika::mem::utf8_prefix_len;
use std::io::{self, Read};

/// The result of reading input as UTF-8.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Utf8 {
    /// All bytes are ASCII.
    Ascii,
    /// Valid, and not ASCII.
    Valid,
    /// The first malformed sequence is at this offset.
    Malformed(u64),
}

/// Reads to the end, or to the first malformed sequence, in constant memory. Sets `has_nul` if there are NUL bytes.
pub fn utf_8(reader: &mut dyn Read, has_nul: &mut bool) -> io::Result<Utf8> {
    let mut buffer = vec![0; BLOCK];
    let mut is_ascii = true;
    // The number of bytes of an incomplete character in `buffer`, and the input offset of the first byte in `buffer`.
    let (mut held, mut offset) = (0, 0);
    loop {
        let more = bounded::read(&mut *reader, &mut buffer[held..])?;
        let len = held + more;
        *has_nul |= memchr::memchr(0, &buffer[held..len]).is_some();
        let valid = utf8_prefix_len(&buffer[..len]);
        is_ascii = is_ascii && buffer[..valid].is_ascii();
        offset += valid as u64;
        held = len - valid;
        let is_incomplete = match std::str::from_utf8(&buffer[valid..len]) {
            Ok(_) => true,
            Err(error) => error.error_len().is_none() && error.valid_up_to() == 0,
        };
        if held > 0 && (more == 0 || !is_incomplete) {
            return Ok(Utf8::Malformed(offset));
        }
        if more == 0 {
            return Ok(if is_ascii { Utf8::Ascii } else { Utf8::Valid });
        }
        buffer.copy_within(valid..len, 0);
    }
}

/// Tests bytes in memory as [`utf_8`] does.
pub fn utf_8_bytes(bytes: &[u8]) -> Utf8 {
    match utf8_prefix_len(bytes) {
        valid if valid < bytes.len() => Utf8::Malformed(valid as u64),
        _ if bytes.is_ascii() => Utf8::Ascii,
        _ => Utf8::Valid,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn valid_and_malformed_text() {
        for (bytes, expected) in [
            (&b"abc"[..], Utf8::Ascii),
            ("абв".as_bytes(), Utf8::Valid),
            (b"a\xE2\x82", Utf8::Malformed(1)),
            (b"a\xE2\x82a", Utf8::Malformed(1)),
            (b"", Utf8::Ascii),
        ] {
            assert_eq!(utf_8(&mut &*bytes, &mut false).unwrap(), expected);
            assert_eq!(utf_8_bytes(bytes), expected);
            // Each read returns one byte, so that reads split characters.
            let mut bytewise = bytes
                .chunks(1)
                .fold(Box::new(io::empty()) as Box<dyn Read>, |before, byte| {
                    Box::new(before.chain(byte))
                });
            assert_eq!(utf_8(&mut *bytewise, &mut false).unwrap(), expected);
        }
    }
}
