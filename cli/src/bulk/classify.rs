//! What a file is, from its first bytes and, for UTF-8, from all of them.

use super::choose;
use super::source::Opened;
use crate::engine::{self, Utf8};
use mojika::{Encoding, UTF_16BE, UTF_16LE};
use std::io;

/// Starts of files that are not text.
const MAGIC: &[(&[u8], &str)] = &[
    (b"\x89PNG\r\n\x1A\n", "a PNG image"),
    (b"\xFF\xD8\xFF", "a JPEG image"),
    (b"GIF8", "a GIF image"),
    (b"%PDF-", "a PDF document"),
    (b"PK\x03\x04", "a ZIP archive"),
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
        let is_letters = ["MP3 audio", "a GIF image", "Ogg media"].contains(what);
        if !is_letters || has_nul(head) {
            return Some(what);
        }
    }
    let is_nul = has_nul(head);
    let is_text = || encoding.map_or_else(|| is_wide(head), has_nuls);
    (is_nul && !is_text()).then_some("binary: it has NUL bytes")
}

fn has_nul(head: &[u8]) -> bool {
    memchr::memchr(0, &head[..head.len().min(HEAD)]).is_some()
}

/// Whether `head` looks like UTF-16 or UTF-32, in which NULs are common.
fn is_wide(head: &[u8]) -> bool {
    choose::detected(head).is_some_and(|choice| has_nuls(choice.encoding))
}

/// Whether text in this encoding has NULs.
pub fn has_nuls(encoding: &Encoding) -> bool {
    [UTF_16BE, UTF_16LE].contains(&encoding) || encoding.name().starts_with("UTF-32")
}

/// Whether all of the text is UTF-8, and whether it goes beyond ASCII.
pub fn utf_8(source: &Opened<'_>) -> io::Result<Option<bool>> {
    let found = match source.whole() {
        Some(bytes) => engine::utf_8_bytes(bytes),
        None => engine::utf_8(&mut *source.text(None)?)?,
    };
    Ok(match found {
        Utf8::Ascii => Some(false),
        Utf8::Valid => Some(true),
        Utf8::Malformed(_) => None,
    })
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
        let wide = UTF_16BE.encode("Text without a byte order mark.").unwrap();
        assert!(binary(&wide, None).is_none());
        assert!(binary(b"\x01\0\0\0\x7F\0\x80\xFF\0\0\0\x02", None).is_some());
    }
}
