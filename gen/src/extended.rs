//! The code pages of `mojika::extended`: `gen/pages.txt`, and the files in `gen/extended` that `gen/import-extended.py`
//! writes, one line per mapped byte.

use std::collections::BTreeSet;

use crate::index::Index;
use crate::paths;

/// The relation of a page to ASCII.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Bytes below 0x80 are ASCII.
    Ascii,
    /// The page has all of ASCII in another order. Its other characters are its own, or those of ISO-8859-1, possibly with
    /// U+20AC in place of U+00A4.
    Ebcdic,
    /// The page lacks characters of ASCII.
    Other,
    /// Bytes below 0x80 are ASCII, and other bytes repeat ASCII's signs for right-to-left text. ASCII characters are
    /// encoded to their own bytes.
    Repeated,
    /// The single bytes of an EBCDIC encoding with double bytes: 0x0E and 0x0F are shift bytes.
    Mixed,
}

/// A page of the list.
pub struct Page {
    pub name: &'static str,
    pub shape: Shape,
}

/// Returns every imported page, including those that equal an index of the Standard.
pub fn pages() -> impl Iterator<Item = Page> {
    let lines = include_str!("../pages.txt").lines();
    let fields = lines.map(|line| line.split(' ').collect::<Vec<_>>());
    fields.filter_map(|fields| {
        let shape = match *fields.get(1)? {
            "Ascii" => Shape::Ascii,
            "Ebcdic" => Shape::Ebcdic,
            "Other" => Shape::Other,
            "Repeated" => Shape::Repeated,
            "Mixed" => Shape::Mixed,
            _ => return None,
        };
        let name = fields[0];
        Some(Page { name, shape })
    })
}

/// Reads the file of a page: a map from byte to code point, and the bytes with two lines. A code point is encoded to
/// its byte with two lines, or else to the last byte that decodes to it.
pub fn read_lines(name: &str) -> Result<(Index, BTreeSet<u32>), String> {
    let (mut index, mut preferred) = (Index::default(), BTreeSet::new());
    for (byte, to) in paths::entries(name)? {
        if index.0.insert(byte, to[0]).is_some() {
            preferred.insert(byte);
        }
    }
    Ok((index, preferred))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_extend_ascii_or_have_it_in_another_order() {
        assert_eq!(pages().count(), 109);
        for page in pages() {
            let index = read_lines(page.name).unwrap().0;
            if page.shape == Shape::Ascii {
                let ascii = |byte: u32| index.0.get(&byte) == Some(&byte);
                assert!((0..0x80).all(ascii), "{}", page.name);
                let upper = index.0.range(0x80..);
                assert!(upper.into_iter().all(|(_, &code_point)| code_point >= 0x80));
            } else if page.shape == Shape::Repeated {
                assert!((0..0x80).all(|byte| index.0.get(&byte) == Some(&byte)));
            } else if page.shape != Shape::Other {
                for ascii in 0..0x80 {
                    let bytes = index.0.values().filter(|&&to| to == ascii);
                    assert_eq!(bytes.count(), 1, "{}: {ascii:02X}", page.name);
                }
            }
        }
    }
}
