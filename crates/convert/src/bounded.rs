//! Opens files and standard input, and reads input of limited length: a device or a pipe may never end.

use std::fs::File;
use std::io::{self, BufRead, Read};
use std::path::Path;

/// Opens a file for reading; "-" is standard input.
///
/// # Errors
///
/// Fails if the file cannot be opened.
pub fn open(path: &Path) -> io::Result<Box<dyn Read + Send>> {
    Ok(match path.as_os_str() == "-" {
        true => Box::new(io::stdin()),
        false => Box::new(File::open(path)?),
    })
}

/// Reads once, and again after a signal.
///
/// # Errors
///
/// Fails if the reader does.
pub fn read(mut reader: impl Read, buffer: &mut [u8]) -> io::Result<usize> {
    loop {
        match reader.read(buffer) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            result => return result,
        }
    }
}

/// Reads everything, up to `most` bytes.
///
/// # Errors
///
/// Fails if there are more bytes, or reading fails.
pub fn read_all(reader: impl Read, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    reader
        .take(most.saturating_add(1))
        .read_to_end(&mut bytes)?;
    match bytes.len() as u64 > most {
        true => Err(io::Error::other(format!("it has more than {most} bytes"))),
        false => Ok(bytes),
    }
}

/// Reads up to `most` bytes; also returns a reader that begins with these bytes.
///
/// # Errors
///
/// Fails if the reader does.
pub fn peek<'r>(
    mut reader: Box<dyn Read + Send + 'r>,
    most: usize,
) -> io::Result<(Vec<u8>, Box<dyn Read + Send + 'r>)> {
    let mut head = Vec::new();
    (&mut reader).take(most as u64).read_to_end(&mut head)?;
    let whole = io::Cursor::new(head.clone()).chain(reader);
    Ok((head, Box::new(whole)))
}

/// Reads into `line` up to the byte `end`, which is left out. Returns false at the end of the input.
///
/// # Errors
///
/// Fails if the line has more than `most` bytes, or reading fails.
pub fn read_line(
    reader: &mut dyn BufRead,
    line: &mut Vec<u8>,
    end: u8,
    most: u64,
) -> io::Result<bool> {
    line.clear();
    let read = reader.take(most + 1).read_until(end, line)?;
    if line.last() == Some(&end) {
        line.pop();
    } else if read as u64 > most {
        let message = format!("an item of it has more than {most} bytes");
        return Err(io::Error::other(message));
    }
    Ok(read > 0)
}
