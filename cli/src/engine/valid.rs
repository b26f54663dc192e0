//! Looks for malformed UTF-8 in input that nothing names the encoding of, before anything is written.

use super::BLOCK;
use mojika::mem::utf8_prefix_len;
use std::io::{self, Read};

/// The offset of the first malformed sequence if `reader` is taken to be UTF-8; `None` if all of it is valid.
///
/// Reads to the end, in constant memory.
pub fn first_malformed_utf8(reader: &mut dyn Read) -> io::Result<Option<u64>> {
    let mut buffer = vec![0; BLOCK];
    // Bytes of `buffer` that are an incomplete character, and the offset of the first one.
    let (mut held, mut offset) = (0, 0);
    loop {
        let more = match reader.read(&mut buffer[held..]) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            result => result?,
        };
        let len = held + more;
        let valid = utf8_prefix_len(&buffer[..len]);
        offset += valid as u64;
        held = len - valid;
        let is_incomplete = match std::str::from_utf8(&buffer[valid..len]) {
            Ok(_) => true,
            Err(error) => error.error_len().is_none() && error.valid_up_to() == 0,
        };
        if held > 0 && (more == 0 || !is_incomplete) {
            return Ok(Some(offset));
        }
        if more == 0 {
            return Ok(None);
        }
        buffer.copy_within(valid..len, 0);
    }
}
