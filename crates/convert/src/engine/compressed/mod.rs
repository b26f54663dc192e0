//! Compressed input, recognised by its first bytes and decompressed, and compressed output.
//!
//! Streams of several members (concatenated files) are read to their end. If data is damaged, the reader returns the
//! data before the damage, then an error.

#[cfg_attr(not(feature = "compressed"), path = "no_codecs.rs")]
mod codecs;

pub use codecs::Compressor;

use crate::bounded;
use std::fmt;
use std::io::{self, Cursor, Read};
use std::path::{Path, PathBuf};

/// A compressed format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// RFC 1952.
    Gzip,
    /// RFC 8878.
    Zstd,
    /// The format of the command bzip2.
    Bzip2,
    /// The format `.xz` of XZ Utils.
    Xz,
}

/// The compression of output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Compress {
    /// The compression of the input.
    Keep,
    /// No compression.
    None,
    /// This format.
    To(Format),
}

impl Compress {
    /// Returns the format of the output; `input` is the format of the input.
    pub fn format(self, input: Option<Format>) -> Option<Format> {
        match self {
            Self::Keep => input,
            Self::None => None,
            Self::To(format) => Some(format),
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Gzip => "gzip",
            Self::Zstd => "zstd",
            Self::Bzip2 => "bzip2",
            Self::Xz => "xz",
        })
    }
}

impl Format {
    /// All formats.
    pub const ALL: [Self; 4] = [Self::Gzip, Self::Zstd, Self::Bzip2, Self::Xz];

    /// Returns the extension of files in the format, such as `.gz`.
    pub fn ending(self) -> &'static str {
        match self {
            Self::Gzip => ".gz",
            Self::Zstd => ".zst",
            Self::Bzip2 => ".bz2",
            Self::Xz => ".xz",
        }
    }

    /// Returns the format that a file name's extension indicates.
    pub fn of_name(path: &Path) -> Option<Self> {
        let name = path.file_name()?.as_encoded_bytes();
        let has = |format: &Self| {
            let ending = format.ending().as_bytes();
            name.len() > ending.len()
                && name[name.len() - ending.len()..].eq_ignore_ascii_case(ending)
        };
        Self::ALL.into_iter().find(has)
    }

    /// Returns the format of data that begins with `head`, which must have 10 bytes unless the data is shorter.
    pub fn of(head: &[u8]) -> Option<Self> {
        let is_bzip2 = || {
            // Text may begin with "BZh". In bzip2, the level and the magic number of a block or of the end follow.
            matches!(head.get(3), Some(b'1'..=b'9'))
                && matches!(
                    head.get(4..10),
                    Some(b"\x31\x41\x59\x26\x53\x59" | b"\x17\x72\x45\x38\x50\x90")
                )
        };
        match head {
            // The third byte is the method: deflate is the only one.
            [0x1F, 0x8B, 8, ..] => Some(Self::Gzip),
            [0x28, 0xB5, 0x2F, 0xFD, ..] => Some(Self::Zstd),
            [0xFD, b'7', b'z', b'X', b'Z', 0, ..] => Some(Self::Xz),
            [b'B', b'Z', b'h', ..] if is_bzip2() => Some(Self::Bzip2),
            _ => None,
        }
    }
}

/// Returns the name of a file after its change from `from` to `to`: `a.txt.gz`, `a.txt`, `a.txt.zst`.
pub fn renamed(path: PathBuf, from: Option<Format>, to: Option<Format>) -> PathBuf {
    if from == to {
        return path;
    }
    let mut path = path;
    if from.is_some() && Format::of_name(&path) == from {
        path.set_extension("");
    }
    if let Some(to) = to {
        let mut name = path.into_os_string();
        name.push(to.ending());
        path = name.into();
    }
    path
}

/// The number of bytes that determine the format.
const HEAD: usize = 10;

/// Returns a reader that decompresses `reader` if it is compressed, and its format in that case.
pub fn decompressed<'a>(
    mut reader: Box<dyn Read + Send + 'a>,
) -> io::Result<(Option<Format>, Box<dyn Read + Send + 'a>)> {
    let mut head = [0; HEAD];
    let mut len = 0;
    // A pipe may begin with a few bytes, so no more bytes are awaited than needed to exclude compression.
    while len == 0 || len < HEAD && could_be_compressed(&head[..len]) {
        match bounded::read(&mut reader, &mut head[len..])? {
            0 => break,
            more => len += more,
        }
    }
    let format = Format::of(&head[..len]);
    let whole = Cursor::new(head).take(len as u64).chain(reader);
    Ok((
        format,
        match format {
            None => Box::new(whole),
            Some(format) => decompressor(format, whole)?,
        },
    ))
}

/// Returns a reader of the decompressed content of `reader`.
///
/// # Errors
///
/// Fails if memory is insufficient, or if this build lacks the format.
pub fn decompressor<'a>(
    format: Format,
    reader: impl Read + Send + 'a,
) -> io::Result<Box<dyn Read + Send + 'a>> {
    let reader = codecs::decompressor(format, reader)?;
    Ok(Box::new(Explained { reader, format }))
}

/// A reader that explains a decompressor's errors about memory.
struct Explained<R> {
    reader: R,
    format: Format,
}

impl<R: Read> Read for Explained<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.reader.read(buffer).map_err(|error| {
            let window = too_large_window(self.format, &error.to_string());
            window.map_or(error, io::Error::other)
        })
    }
}

const TOO_LARGE: &str = "has a window of";

/// Returns the message for well-formed data that needs too much memory.
fn too_large_window(format: Format, error: &str) -> Option<String> {
    Some(match error {
        // zstd's message.
        _ if error.contains("too much memory") => format!(
            "the {format} data {TOO_LARGE} more than 128 MiB, for which no memory is taken; {format} -d --long=31 decompresses it"
        ),
        // liblzma's message.
        _ if error.contains("allocate memory") => {
            format!("the {format} data {TOO_LARGE} more bytes than there is memory for")
        }
        _ => return None,
    })
}

/// Returns the message for damaged data in `format`, by the decompressor's error.
pub fn damage(format: Format, error: &str) -> String {
    match error.contains(TOO_LARGE) {
        true => error.to_owned(),
        false => format!("the {format} data is damaged ({error})"),
    }
}

fn could_be_compressed(head: &[u8]) -> bool {
    matches!(head, [0x1F | 0x28 | 0xFD | b'B', ..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_follow_the_format() {
        let renamed = |path: &str, from, to| renamed(path.into(), from, to);
        let (gzip, zstd) = (Some(Format::Gzip), Some(Format::Zstd));
        assert_eq!(renamed("a/b.txt.gz", gzip, None), Path::new("a/b.txt"));
        assert_eq!(renamed("a/b.txt.GZ", gzip, zstd), Path::new("a/b.txt.zst"));
        assert_eq!(renamed("a/b.txt.gz", gzip, gzip), Path::new("a/b.txt.gz"));
        assert_eq!(renamed("a/b", None, zstd), Path::new("a/b.zst"));
        // The extension is not the one of gzip.
        assert_eq!(renamed("a/b.dat", gzip, None), Path::new("a/b.dat"));
        assert_eq!(renamed(".gz", gzip, None), Path::new(".gz"));
    }
}
