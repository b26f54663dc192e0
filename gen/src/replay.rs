//! The tables of `mojika::extended` in `tables/`, read in the way of `src/tables`.
//!
//! This module shares no code with `gen build`. `gen verify` uses it to compare the tables with installed converters in
//! both directions.

use std::collections::BTreeMap;

use crate::paths;

/// The arrays of the tables, and the position of each page in the arrays.
pub struct Tables {
    /// The set of pages that extend ASCII, and the set of the non-ASCII characters of EBCDIC pages.
    sets: [Set; 2],
    to_latin1: Vec<u8>,
    from_latin1: Vec<u8>,
    /// The set and the position of each index, by the static's name.
    indexes: BTreeMap<String, (usize, usize)>,
    /// For the pages that lack ASCII characters: the code points by byte, and the bytes sorted by code point.
    others: [Vec<u8>; 2],
    /// The position in `others` of each page that lacks ASCII characters, by the static's name.
    other: BTreeMap<String, usize>,
    /// By the static's name of each EBCDIC page: the name of its index, and its position among the permutations.
    ebcdic: BTreeMap<String, (String, usize)>,
}

/// Indexes that share pages.
struct Set {
    code_points: Vec<u8>,
    blocks: Vec<u8>,
    page_numbers: Vec<u8>,
    pages: Vec<u8>,
    /// The number of indexes.
    count: usize,
}

impl Tables {
    /// Reads the files.
    pub fn read() -> Result<Self, String> {
        let bytes = |file: &str| {
            let path = paths::tables().join(file);
            std::fs::read(&path).map_err(|error| format!("{}: {error}", path.display()))
        };
        // Finds the statics that a constructor builds. Returns the name of each static and the constructor's arguments.
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
        let mut set_of = |at: usize, set: &str| {
            let constructor = format!("SingleByteIndex::{set}(");
            let named = statics(&format!("{set}_indexes.rs"), &constructor)?;
            let count = named.len();
            for (name, position) in named {
                indexes.insert(name, (at, number(&position)?));
            }
            Ok::<_, String>(Set {
                code_points: bytes(&format!("decode_{set}_code_points.bin"))?,
                blocks: bytes(&format!("encode_{set}_blocks.bin"))?,
                page_numbers: bytes(&format!("encode_{set}_page_numbers.bin"))?,
                pages: bytes(&format!("encode_{set}_pages.bin"))?,
                count,
            })
        };
        let sets = [set_of(0, "extended")?, set_of(1, "ebcdic")?];
        let mut ebcdic = BTreeMap::new();
        for (name, arguments) in statics("ebcdic_pages.rs", "Permuted::at(&")? {
            let (index, position) = arguments
                .split_once(", ")
                .ok_or_else(|| format!("{name}: {arguments}"))?;
            ebcdic.insert(name, (index.to_owned(), number(position)?));
        }
        let mut other = BTreeMap::new();
        for (name, position) in statics("table_pages.rs", "Page::at(")? {
            other.insert(name, number(&position)?);
        }
        Ok(Self {
            others: [
                bytes("decode_table_code_points.bin")?,
                bytes("encode_table_order.bin")?,
            ],
            other,
            sets,
            to_latin1: bytes("decode_ebcdic_to_latin1.bin")?,
            from_latin1: bytes("encode_ebcdic_from_latin1.bin")?,
            indexes,
            ebcdic,
        })
    }

    /// Returns the page of this name.
    pub fn page(&self, name: &str) -> Page<'_> {
        let name = name.to_uppercase().replace('-', "_");
        if let Some(&position) = self.other.get(&name) {
            return Page {
                tables: self,
                set: &self.sets[0],
                position: 0,
                ebcdic: None,
                other: Some(position),
            };
        }
        let ((set, position), ebcdic) = match self.ebcdic.get(&name) {
            Some((index, row)) => (self.indexes[index], Some(*row)),
            None => (self.indexes[&name], None),
        };
        Page {
            tables: self,
            set: &self.sets[set],
            position,
            ebcdic,
            other: None,
        }
    }
}

/// A page in the tables.
pub struct Page<'a> {
    tables: &'a Tables,
    set: &'a Set,
    /// The position of the page's index; for an EBCDIC page, that of the underlying index.
    position: usize,
    /// The position of the page's permutation, for an EBCDIC page.
    ebcdic: Option<usize>,
    /// The position in `others`, for a page that lacks ASCII characters.
    other: Option<usize>,
}

impl Page<'_> {
    /// Returns the code point of a byte.
    pub fn code_point(&self, byte: u8) -> Option<u16> {
        let tables = self.tables;
        if let Some(position) = self.other {
            let at = 512 * position + 2 * usize::from(byte);
            let units = &tables.others[0];
            let unit = u16::from_le_bytes([units[at], units[at + 1]]);
            return (unit != 0xFFFF).then_some(unit);
        }
        let byte = match self.ebcdic {
            Some(row) => tables.to_latin1[256 * row + usize::from(byte)],
            None => byte,
        };
        let Some(place) = byte.checked_sub(0x80) else {
            return Some(byte.into());
        };
        let at = 2 * (128 * self.position + usize::from(place));
        let code_points = &self.set.code_points;
        let code_point = u16::from_le_bytes([code_points[at], code_points[at + 1]]);
        (code_point != 0).then_some(code_point)
    }

    /// Returns the byte of a code point.
    pub fn byte(&self, code_point: u16) -> Option<u8> {
        let tables = self.tables;
        if let Some(position) = self.other {
            let order = &tables.others[1][256 * position..256 * (position + 1)];
            let mut last_first = order.iter().rev().copied();
            return last_first.find(|&byte| self.code_point(byte) == Some(code_point));
        }
        let byte = match code_point {
            0..0x80 => code_point as u8,
            _ => {
                let set = self.set;
                let row = set.page_numbers.len() / set.count;
                let block = set.blocks[usize::from(code_point >> 6)];
                let number = set.page_numbers[row * self.position + usize::from(block)];
                let byte = set.pages[64 * usize::from(number) + usize::from(code_point & 63)];
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
