//! Finds the first `meta` anywhere in a page that arrives in chunks.

use super::find_meta;
use alloc::vec::Vec;
use mojika::Encoding;

/// The maximum length of a tag. After a longer tag, no `meta` is found.
const LONGEST_TAG: usize = 64 * 1024;

/// The number of bytes that identify a tag: `<meta` and a space.
const TAG_START_LENGTH: usize = 6;

/// Prescans a whole page that arrives in chunks of any size.
#[derive(Clone, Debug, Default)]
pub(crate) struct LateMeta {
    found: Option<&'static Encoding>,
    /// The bytes from the start of an incomplete tag or comment.
    rest: Vec<u8>,
    gave_up: bool,
}

impl LateMeta {
    /// Reads one more chunk.
    pub fn feed(&mut self, chunk: &[u8]) {
        if self.found.is_some() || self.gave_up {
            return;
        }
        if self.rest.is_empty() {
            self.scan(chunk);
        } else {
            let mut bytes = core::mem::take(&mut self.rest);
            bytes.extend_from_slice(chunk);
            self.scan(&bytes);
        }
    }

    fn scan(&mut self, bytes: &[u8]) {
        // The first bytes identify a tag.
        let last = &bytes[bytes.len().saturating_sub(TAG_START_LENGTH)..];
        let cut = match memchr::memchr(b'<', last) {
            Some(at) => bytes.len() - last.len() + at,
            None => bytes.len(),
        };
        let mut tag = 0;
        self.found = find_meta(&bytes[..cut], &mut tag);
        let rest = &bytes[tag..];
        if self.found.is_some() {
            return;
        }
        if rest.starts_with(b"<!--") && rest.len() > 8 {
            // Only the end of a comment matters, so its text is dropped. The end may be split over two chunks.
            self.rest.extend_from_slice(b"<!-- ");
            self.rest.extend_from_slice(&rest[rest.len() - 2..]);
        } else {
            self.rest.extend_from_slice(rest);
        }
        self.gave_up = self.rest.len() > LONGEST_TAG;
    }

    /// Returns the encoding of the first `meta` that declares one.
    pub fn found(&self) -> Option<&'static Encoding> {
        self.found
    }

    /// True if more input does not change the result.
    pub fn is_decided(&self) -> bool {
        self.found.is_some() || self.gave_up
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::html::prescan_all;

    #[test]
    fn a_tag_is_read_to_its_end_up_to_the_longest() {
        let open = b"<p title='";
        for (length, found) in [(LONGEST_TAG, true), (LONGEST_TAG + 1, false)] {
            let mut late = LateMeta::default();
            late.feed(&[open, &b"x".repeat(length - open.len())[..]].concat());
            assert_eq!(late.is_decided(), !found, "{length}");
            late.feed(b"'><meta charset=koi8-r>");
            assert_eq!(late.found().is_some(), found, "{length}");
        }
    }

    #[test]
    fn a_page_in_pieces_has_the_meta_of_the_whole() {
        let pages: [&[u8]; 8] = [
            b"<p>text</p><!-- <meta charset=gbk> --><p a='<meta charset=big5>'><meta charset=koi8-r>",
            b"<!--><meta charset=gbk>",
            b"<!-- x-> <meta charset=gbk> --->text<meta charset=euc-jp>",
            b"<!-- a long comment that never ends <meta charset=gbk>",
            b"<meta http-equiv=content-type content='text/html; charset=windows-1251'>",
            b"<! <meta charset=gbk> <meta charset=koi8-r>",
            b"a < b <meta charset=unknown><meta charset=big5>",
            b"<meta charset",
        ];
        for page in pages {
            let whole = prescan_all(page).map(|found| found.encoding);
            for size in 1..=page.len() {
                let mut late = LateMeta::default();
                for chunk in page.chunks(size) {
                    late.feed(chunk);
                }
                let text = alloc::string::String::from_utf8_lossy(page);
                assert_eq!(late.found(), whole, "{text} in pieces of {size}");
            }
        }
    }
}
