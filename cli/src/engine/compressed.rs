//! Compressed input, recognised by its first bytes and read as the text that it holds.
//!
//! Streams of several members (concatenated files) are read to their end. Damage is an error of the reader, after all
//! that precedes it.

use std::fmt;
use std::io::{self, BufReader, Cursor, Read};

/// A compressed format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    Gzip,
    Zstd,
    Bzip2,
    Xz,
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
    /// The format of data that begins with `head`, at least 10 bytes of it if there are as many.
    pub fn of(head: &[u8]) -> Option<Self> {
        let is_bzip2 = || {
            // "BZh" may begin a text. The magic number of a block, or of the end, follows the level.
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

/// Bytes that decide.
const HEAD: usize = 10;

/// What `reader` holds, decompressed if it is compressed, and the format if so.
pub fn decompressed(
    mut reader: Box<dyn Read + Send>,
) -> io::Result<(Option<Format>, Box<dyn Read + Send>)> {
    let mut head = [0; HEAD];
    let mut len = 0;
    // A text in a pipe may begin with a few bytes, and more may be long in coming.
    while len == 0 || len < HEAD && could_be_compressed(&head[..len]) {
        match reader.read(&mut head[len..]) {
            Ok(0) => break,
            Ok(more) => len += more,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    let format = Format::of(&head[..len]);
    let whole = Cursor::new(head).take(len as u64).chain(reader);
    Ok((
        format,
        match format {
            None => Box::new(whole),
            Some(Format::Gzip) => Box::new(flate2::bufread::MultiGzDecoder::new(buffered(whole))),
            Some(Format::Zstd) => {
                Box::new(zstd::stream::read::Decoder::with_buffer(buffered(whole))?)
            }
            Some(Format::Bzip2) => Box::new(bzip2::bufread::MultiBzDecoder::new(buffered(whole))),
            Some(Format::Xz) => Box::new(liblzma::bufread::XzDecoder::new_multi_decoder(buffered(
                whole,
            ))),
        },
    ))
}

fn could_be_compressed(head: &[u8]) -> bool {
    matches!(head, [0x1F | 0x28 | 0xFD | b'B', ..])
}

fn buffered<R: Read>(reader: R) -> BufReader<R> {
    BufReader::with_capacity(64 << 10, reader)
}
