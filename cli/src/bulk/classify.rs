//! What a file is, from its first bytes and, for UTF-8, from all of them.

use mojika::{BomHandling, Decoder, Encoding, UTF_8, UTF_16BE, UTF_16LE};
use std::io::{self, Read};

/// Why `encoding` is taken, in the words of the report.
#[derive(Clone, Copy)]
pub struct Choice {
    pub encoding: &'static Encoding,
    pub why: &'static str,
}

/// Starts of files that are not text.
const MAGIC: &[(&[u8], &str)] = &[
    (b"\x89PNG\r\n\x1A\n", "a PNG image"),
    (b"\xFF\xD8\xFF", "a JPEG image"),
    (b"GIF8", "a GIF image"),
    (b"%PDF-", "a PDF document"),
    (b"PK\x03\x04", "a ZIP archive"),
    (b"\x1F\x8B\x08", "gzip data"),
    (b"\x28\xB5\x2F\xFD", "zstd data"),
    (b"BZh", "bzip2 data"),
    (b"\xFD7zXZ\0", "xz data"),
    (b"7z\xBC\xAF\x27\x1C", "a 7z archive"),
    (b"\x7FELF", "an ELF binary"),
    (b"OggS", "Ogg media"),
    (b"ID3", "MP3 audio"),
    (b"\0asm", "WebAssembly"),
    (b"SQLite format 3\0", "an SQLite database"),
];

/// Bytes that are looked through for a NUL.
const HEAD: usize = 8000;

/// What a file of this start is, if it is not text in `encoding`.
pub fn binary(head: &[u8], encoding: Option<&Encoding>) -> Option<&'static str> {
    if Encoding::for_bom(head).is_some() {
        return None;
    }
    if let Some((_, what)) = MAGIC.iter().find(|(magic, _)| head.starts_with(magic)) {
        // A text may begin with the letters of a short one.
        let is_letters = ["bzip2 data", "MP3 audio", "a GIF image", "Ogg media"].contains(what);
        if !is_letters || head[..head.len().min(HEAD)].contains(&0) {
            return Some(what);
        }
    }
    let has_nul = encoding.is_none_or(|encoding| {
        ![UTF_16BE, UTF_16LE].contains(&encoding) && !encoding.name().starts_with("UTF-32")
    });
    let nul = head[..head.len().min(HEAD)].contains(&0);
    (has_nul && nul).then_some("binary: it has NUL bytes")
}

/// Whether all of `reader` is UTF-8, and whether it goes beyond ASCII.
pub fn utf_8(reader: &mut dyn Read) -> io::Result<Option<bool>> {
    let mut decoder = Decoder::new(UTF_8, BomHandling::Keep);
    let mut bytes = vec![0; 64 << 10];
    let mut text = "\0".repeat(64 << 10);
    let mut beyond = false;
    loop {
        let len = match reader.read(&mut bytes) {
            Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
            len => len?,
        };
        let mut read = 0;
        loop {
            let progress = decoder.decode_fatal(&bytes[read..len], &mut text[..], len == 0);
            read += progress.read;
            match progress.status {
                mojika::FatalDecodeStatus::InputEmpty => break,
                mojika::FatalDecodeStatus::OutputFull => {}
                mojika::FatalDecodeStatus::Malformed(_) => return Ok(None),
            }
        }
        beyond |= !bytes[..len].is_ascii();
        if len == 0 {
            return Ok(Some(beyond));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn images_are_binary_and_utf_16_is_not() {
        assert!(binary(b"\x89PNG\r\n\x1A\n\0\0", None).is_some());
        assert!(binary(b"a\0b\0", Some(mojika::SHIFT_JIS)).is_some());
        assert!(binary(b"a\0b\0", Some(UTF_16LE)).is_none());
        assert!(binary(b"\xFF\xFEa\0", None).is_none());
        assert!(binary(b"BZh is how this text begins", None).is_none());
    }

    #[test]
    fn utf_8_is_told_from_what_is_not() {
        assert_eq!(utf_8(&mut &b"abc"[..]).unwrap(), Some(false));
        assert_eq!(utf_8(&mut "абв".as_bytes()).unwrap(), Some(true));
        assert_eq!(utf_8(&mut &b"\xE2\x82"[..]).unwrap(), None);
    }
}
