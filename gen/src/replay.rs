//! The tables of `mojika::extended` as they lie in `tables/`, read as `src/tables` reads them.
//!
//! This shares nothing with what `gen build` makes them by: `gen verify` compares them with installed converters, in both
//! directions.

use std::collections::BTreeMap;

use crate::paths;

/// The arrays, and where each page is in them.
pub struct Tables {
    code_points: Vec<u8>,
    blocks: Vec<u8>,
    page_numbers: Vec<u8>,
    pages: Vec<u8>,
    to_latin1: Vec<u8>,
    from_latin1: Vec<u8>,
    /// By the static's name: its position.
    indexes: BTreeMap<String, usize>,
    /// By the static's name: the index behind it, and its position.
    ebcdic: BTreeMap<String, (String, usize)>,
}

impl Tables {
    /// Reads the files.
    pub fn read() -> Result<Self, String> {
        let bytes = |file: &str| {
            let path = paths::tables().join(file);
            std::fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))
        };
        // What stands in parentheses behind the name of each static of a type.
        let statics = |file: &str, constructor: &str| {
            let text = String::from_utf8(bytes(file)?).map_err(|_| format!("{file}: no text"))?;
            let line = |line: &str| {
                let (name, rest) = line.strip_prefix("pub(crate) static ")?.split_once(':')?;
                let arguments = rest.split_once(constructor)?.1.strip_suffix(");")?;
                Some((name.to_owned(), arguments.to_owned()))
            };
            Ok::<Vec<_>, String>(text.lines().filter_map(line).collect())
        };
        let number = |digits: &str| digits.parse::<usize>().map_err(|error| error.to_string());

        let mut indexes = BTreeMap::new();
        for (name, position) in statics("extended_indexes.rs", "SingleByteIndex::extended(")? {
            indexes.insert(name, number(&position)?);
        }
        let mut ebcdic = BTreeMap::new();
        for (name, arguments) in statics("ebcdic_pages.rs", "Permuted::at(&")? {
            let (index, position) = arguments
                .split_once(", ")
                .ok_or_else(|| format!("{name}: {arguments}"))?;
            ebcdic.insert(name, (index.to_owned(), number(position)?));
        }
        Ok(Self {
            code_points: bytes("decode_extended_code_points.bin")?,
            blocks: bytes("encode_extended_blocks.bin")?,
            page_numbers: bytes("encode_extended_page_numbers.bin")?,
            pages: bytes("encode_extended_pages.bin")?,
            to_latin1: bytes("decode_ebcdic_to_latin1.bin")?,
            from_latin1: bytes("encode_ebcdic_from_latin1.bin")?,
            indexes,
            ebcdic,
        })
    }

    /// The code point of a byte in the page of this name.
    pub fn code_point(&self, page: &str, byte: u8) -> Option<u16> {
        let (position, byte) = match self.ebcdic.get(&page.to_uppercase()) {
            Some((index, row)) => (
                self.indexes[index],
                self.to_latin1[256 * row + usize::from(byte)],
            ),
            None => (self.position(page), byte),
        };
        let Some(place) = byte.checked_sub(0x80) else {
            return Some(byte.into());
        };
        let at = 2 * (128 * position + usize::from(place));
        let code_point = u16::from_le_bytes([self.code_points[at], self.code_points[at + 1]]);
        (code_point != 0).then_some(code_point)
    }

    /// The byte of a code point in the page of this name.
    pub fn byte(&self, page: &str, code_point: u16) -> Option<u8> {
        let ebcdic = self.ebcdic.get(&page.to_uppercase());
        let position = ebcdic.map_or_else(|| self.position(page), |(index, _)| self.indexes[index]);
        let byte = match code_point {
            0..0x80 => code_point as u8,
            _ => {
                let row = self.page_numbers.len() / self.indexes.len();
                let block = self.blocks[usize::from(code_point >> 6)];
                let number = self.page_numbers[row * position + usize::from(block)];
                let byte = self.pages[64 * usize::from(number) + usize::from(code_point & 63)];
                if byte == 0 {
                    return None;
                }
                byte
            }
        };
        Some(ebcdic.map_or(byte, |&(_, row)| {
            self.from_latin1[256 * row + usize::from(byte)]
        }))
    }

    fn position(&self, page: &str) -> usize {
        self.indexes[&page.to_uppercase().replace('-', "_")]
    }
}
