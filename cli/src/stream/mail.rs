//! Recognises mail in an input.

use mojika_convert::engine;
use mojika_convert::mail;
use std::fs::File;
use std::io::{self, Read};
use std::path::Path;

/// The number of bytes by which mail is recognised.
const HEAD: u64 = 64 << 10;

/// The maximum number of parts of one input that are listed on standard error.
pub const MOST_NOTES: usize = 20;

/// True if a regular file is mail.
pub fn is(file: &Path) -> bool {
    let head = || -> io::Result<Vec<u8>> {
        let (_, reader) = engine::decompressed(Box::new(File::open(file)?))?;
        Ok(begin(reader)?.0)
    };
    // The conversion reports read errors.
    file.is_file() && head().is_ok_and(|head| mail::kind(&head).is_some())
}

/// Returns the first bytes of an input, and a reader of the whole input.
///
/// # Errors
///
/// Fails if the input cannot be read.
pub fn begin(mut reader: Box<dyn Read + Send>) -> io::Result<(Vec<u8>, Box<dyn Read + Send>)> {
    let mut head = Vec::new();
    (&mut reader).take(HEAD).read_to_end(&mut head)?;
    let all = io::Cursor::new(head.clone()).chain(reader);
    Ok((head, Box::new(all)))
}
