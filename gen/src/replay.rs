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

    /// The page of this name.
    pub fn page(&self, name: &str) -> Page<'_> {
        let name = name.to_uppercase();
        let (position, ebcdic) = match self.ebcdic.get(&name) {
            Some((index, row)) => (self.indexes[index], Some(*row)),
            None => (self.indexes[&name.replace('-', "_")], None),
        };
        Page {
            tables: self,
            position,
            ebcdic,
        }
    }
}

/// A page in the tables.
pub struct Page<'a> {
    tables: &'a Tables,
    /// The position of its index, or of the one behind it.
    position: usize,
    /// The position of its permutation, if it is EBCDIC.
    ebcdic: Option<usize>,
}

impl Page<'_> {
    /// The code point of a byte.
    pub fn code_point(&self, byte: u8) -> Option<u16> {
        let tables = self.tables;
        let byte = match self.ebcdic {
            Some(row) => tables.to_latin1[256 * row + usize::from(byte)],
            None => byte,
        };
        let Some(place) = byte.checked_sub(0x80) else {
            return Some(byte.into());
        };
        let at = 2 * (128 * self.position + usize::from(place));
        let code_point = u16::from_le_bytes([tables.code_points[at], tables.code_points[at + 1]]);
        (code_point != 0).then_some(code_point)
    }

    /// The byte of a code point.
    pub fn byte(&self, code_point: u16) -> Option<u8> {
        let tables = self.tables;
        let byte = match code_point {
            0..0x80 => code_point as u8,
            _ => {
                let row = tables.page_numbers.len() / tables.indexes.len();
                let block = tables.blocks[usize::from(code_point >> 6)];
                let number = tables.page_numbers[row * self.position + usize::from(block)];
                let byte = tables.pages[64 * usize::from(number) + usize::from(code_point & 63)];
                if byte == 0 {
                    return None;
                }
                byte
            }
        };
        Some(match self.ebcdic {
            Some(row) => tables.from_latin1[256 * row + usize::from(byte)],
            None => byte,
        })
    }
}
