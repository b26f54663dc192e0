//! Recognises binary files by their first bytes.

use crate::mail;
use mojika::Encoding;
use mojika_sniff::bom;
use mojika_sniff::detect::format;
use mojika_sniff::judge::is_wide;

/// The message for a file that is not text in one encoding, because it has NUL bytes.
pub const NUL: &str = "binary: it has NUL bytes";

/// The number of bytes that are searched for a NUL. For this search, no more bytes of a pipe are buffered.
const HEAD: usize = 4096;

/// Returns the kind of a binary file by its first bytes, or `None` for text. `encoding` is the encoding that a source
/// names, if any.
pub fn binary(head: &[u8], encoding: Option<&Encoding>) -> Option<&'static str> {
    if bom::of_text(head).is_some() {
        return None;
    }
    let has_nul = memchr::memchr(0, &head[..head.len().min(HEAD)]).is_some();
    if let Some(what) = format(head) {
        return Some(what);
    }
    if has_nul && !encoding.is_some_and(is_wide) {
        return Some(NUL);
    }
    mail::kind(head)
}

#[cfg(test)]
mod tests {
    use super::super::{Outcome, Question};
    use super::*;

    #[test]
    fn images_are_binary_and_utf_16_is_not() {
        assert!(binary(b"\x89PNG\r\n\x1A\n\0\0", None).is_some());
        assert!(binary(b"a\0b\0", Some(mojika::SHIFT_JIS)).is_some());
        assert!(binary(b"a\0b\0", Some(mojika::UTF_16LE)).is_none());
        assert!(binary(b"\xFF\xFEa\0", None).is_none());
        assert!(binary(b"BZh is how this text begins", None).is_none());
        let question = Question::default();
        let wide = mojika::UTF_16BE
            .encode("Text without a byte order mark.")
            .unwrap();
        assert!(matches!(
            question.of_bytes(None, &wide).outcome,
            Outcome::Sure
        ));
        let none = question.of_bytes(None, b"\x01\0\0\0\x7F\0\x80\xFF\0\0\0\x02");
        assert!(matches!(none.outcome, Outcome::Binary(_)));
    }

    /// Only UTF-16 and UTF-32 are wide. A byte order mark or characters of four bytes do not make an encoding wide.
    #[test]
    fn utf_16_and_utf_32_are_wide() {
        let find = |name| mojika::extended::find(name).unwrap();
        for name in ["utf-16le", "utf-16be", "utf-32le", "utf-32be"] {
            assert!(is_wide(find(name)), "{name}");
        }
        for name in [
            "utf-8",
            "utf-7",
            "koi8-r",
            "gb18030",
            "big5",
            "iso-2022-jp",
            "ibm037",
        ] {
            assert!(!is_wide(find(name)), "{name}");
        }
        // Text that is neither UTF-16 nor UTF-32 must not contain a NUL.
        for name in ["utf-8", "gb18030"] {
            assert!(binary(b"a\0b", Some(find(name))).is_some(), "{name}");
        }
    }
}
