//! Compression by the crates of each format.

use super::Format;
use std::io::{self, BufReader, Read, Write};

/// Returns a reader of the decompressed content of `reader`.
pub fn decompressor<'a>(
    format: Format,
    reader: impl Read + Send + 'a,
) -> io::Result<Box<dyn Read + Send + 'a>> {
    let reader = BufReader::with_capacity(64 << 10, reader);
    Ok(match format {
        Format::Gzip => Box::new(flate2::bufread::MultiGzDecoder::new(reader)),
        Format::Zstd => Box::new(zstd::stream::read::Decoder::with_buffer(reader)?),
        Format::Bzip2 => Box::new(bzip2::bufread::MultiBzDecoder::new(reader)),
        Format::Xz => Box::new(liblzma::bufread::XzDecoder::new_multi_decoder(reader)),
    })
}

/// Compresses its input, or passes it on.
pub enum Compressor<W: Write> {
    /// No compression.
    Plain(W),
    /// Gzip's format.
    Gzip(Box<flate2::write::GzEncoder<W>>),
    /// Zstandard's format.
    Zstd(Box<zstd::stream::write::Encoder<'static, W>>),
    /// Bzip2's format.
    Bzip2(Box<bzip2::write::BzEncoder<W>>),
    /// The format of xz.
    Xz(Box<liblzma::write::XzEncoder<W>>),
}

impl<W: Write> Compressor<W> {
    /// Creates a compressor with the default level of the format's own command.
    ///
    /// # Errors
    ///
    /// Fails if zstd has no memory.
    pub fn new(format: Option<Format>, writer: W) -> io::Result<Self> {
        Ok(match format {
            None => Self::Plain(writer),
            Some(Format::Gzip) => {
                let level = flate2::Compression::default();
                Self::Gzip(Box::new(flate2::write::GzEncoder::new(writer, level)))
            }
            Some(Format::Zstd) => {
                let mut encoder = zstd::stream::write::Encoder::new(writer, 0)?;
                encoder.include_checksum(true)?;
                Self::Zstd(Box::new(encoder))
            }
            Some(Format::Bzip2) => {
                let level = bzip2::Compression::best();
                Self::Bzip2(Box::new(bzip2::write::BzEncoder::new(writer, level)))
            }
            Some(Format::Xz) => {
                let level = 6;
                Self::Xz(Box::new(liblzma::write::XzEncoder::new(writer, level)))
            }
        })
    }

    /// Writes the end of the compressed data.
    ///
    /// # Errors
    ///
    /// Fails if the end cannot be written.
    pub fn finish(self) -> io::Result<W> {
        match self {
            Self::Plain(writer) => Ok(writer),
            Self::Gzip(encoder) => encoder.finish(),
            Self::Zstd(encoder) => encoder.finish(),
            Self::Bzip2(encoder) => encoder.finish(),
            Self::Xz(encoder) => encoder.finish(),
        }
    }
}

impl<W: Write> Write for Compressor<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::Plain(writer) => writer.write(bytes),
            Self::Gzip(encoder) => encoder.write(bytes),
            Self::Zstd(encoder) => encoder.write(bytes),
            Self::Bzip2(encoder) => encoder.write(bytes),
            Self::Xz(encoder) => encoder.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Plain(writer) => writer.flush(),
            Self::Gzip(encoder) => encoder.flush(),
            Self::Zstd(encoder) => encoder.flush(),
            Self::Bzip2(encoder) => encoder.flush(),
            Self::Xz(encoder) => encoder.flush(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::compressed::decompressed;

    /// Returns `text` compressed in each format.
    fn compress(text: &[u8]) -> [(Format, Vec<u8>); 4] {
        let mut gzip = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        gzip.write_all(text).unwrap();
        let mut bzip2 = bzip2::write::BzEncoder::new(Vec::new(), bzip2::Compression::fast());
        bzip2.write_all(text).unwrap();
        let mut xz = liblzma::write::XzEncoder::new(Vec::new(), 1);
        xz.write_all(text).unwrap();
        // The checksum lets zstd detect every change.
        let mut zstd = zstd::Encoder::new(Vec::new(), 1).unwrap();
        zstd.include_checksum(true).unwrap();
        zstd.write_all(text).unwrap();
        [
            (Format::Gzip, gzip.finish().unwrap()),
            (Format::Zstd, zstd.finish().unwrap()),
            (Format::Bzip2, bzip2.finish().unwrap()),
            (Format::Xz, xz.finish().unwrap()),
        ]
    }

    /// Returns the format, the bytes before the end or an error, and true if there was an error.
    fn decompress(bytes: Vec<u8>) -> (Option<Format>, Vec<u8>, bool) {
        let (format, mut reader) = decompressed(Box::new(io::Cursor::new(bytes))).unwrap();
        let mut text = Vec::new();
        let failed = reader.read_to_end(&mut text).is_err();
        (format, text, failed)
    }

    #[test]
    fn compressed_streams_of_several_members_are_read_to_the_end() {
        let text = b"one \x95\xB6\n".repeat(50_000);
        for (format, member) in compress(&text) {
            let two = [&member[..], &member].concat();
            assert!(
                decompress(two) == (Some(format), text.repeat(2), false),
                "{format}"
            );
            // Half of the compressed data is missing, which is an error.
            let half = member[..member.len() / 2].to_vec();
            let (_, saved, failed) = decompress(half);
            assert!(failed && text.starts_with(&saved), "{format}, cut");
            let mut spoilt = member.clone();
            let middle = spoilt.len() / 2;
            spoilt[middle] ^= 0x55;
            assert!(decompress(spoilt).2, "{format}, spoilt");
        }
        for text in [
            &b""[..],
            b"B",
            b"BZh9 is text",
            b"(x",
            b"plain text, long enough",
        ] {
            assert_eq!(decompress(text.to_vec()), (None, text.to_vec(), false));
        }
    }

    #[test]
    fn all_formats_are_read_as_they_are_written() {
        let text = b"text ".repeat(100_000);
        for format in Format::ALL {
            let mut bytes = Vec::new();
            for half in text.chunks(text.len() / 2) {
                // Two members.
                let mut writer = Compressor::new(Some(format), Vec::new()).unwrap();
                writer.write_all(half).unwrap();
                bytes.extend(writer.finish().unwrap());
            }
            let (found, mut reader) = decompressed(Box::new(&*bytes)).unwrap();
            assert_eq!(found, Some(format));
            let mut read = Vec::new();
            reader.read_to_end(&mut read).unwrap();
            assert!(read == text, "{format}");
        }
    }
}
