//! Single-byte encodings: 128 code points each to decode. To encode, pages of 64 code points that the encodings share.
//!
//! `code point >> 6` selects a block number common to all encodings; 0 means that no encoding has a character in that
//! block. A row per encoding maps the block to a page, and the page gives the byte, 0 for unmapped. Equal pages, such as
//! the Latin-1 one or the empty one, are stored once.

use super::{RustItem, Table, take_statics};
use crate::index::Index;

const BLOCK: usize = 64;
type Page = [u8; BLOCK];

/// Returns the tables of a set of indexes: `single_byte`, `extended` or `ebcdic`, which is part of the file names.
pub fn tables(set: &str, indexes: &[(&str, Index)]) -> Vec<Table> {
    let mut code_points = Vec::new();
    let mut encode = vec![vec![0_u8; 0x1_0000]; indexes.len()];
    let mut entries = 0;
    for ((_, index), encode) in indexes.iter().zip(&mut encode) {
        assert!(index.last_pointer() < 128);
        entries += index.0.len();
        for pointer in 0..128 {
            let code_point = index.0.get(&pointer).map_or(0, |&code_point| {
                u16::try_from(code_point).expect("single-byte encodings stay in the BMP")
            });
            code_points.push(code_point);
            let byte = &mut encode[usize::from(code_point)];
            // The Standard's "index pointer" is the first one. IBM874 has vowel signs twice, and converters write the last.
            if code_point != 0 && (*byte == 0 || set != "single_byte") {
                *byte = 0x80 | pointer as u8;
            }
        }
    }

    let directory = directory(&encode);
    let blocks = directory
        .iter()
        .map(|&number| usize::from(number) + 1)
        .max();
    let (page_numbers, pages) = pages(&encode, &directory, blocks.unwrap_or(1));
    let source = match set {
        "single_byte" => "27 single-byte indexes".to_owned(),
        _ => format!("{} {set} indexes", indexes.len()),
    };
    let source = source.as_str();
    let mut tables = vec![
        Table::array(
            &format!("decode_{set}_code_points"),
            source,
            "flat by encoding and byte - 0x80, 0 = unmapped",
            entries,
            &code_points,
        ),
        Table::array(
            &format!("encode_{set}_blocks"),
            source,
            "shared pages: block by code point >> 6",
            entries,
            &directory,
        ),
        Table::array(
            &format!("encode_{set}_page_numbers"),
            source,
            "shared pages: page by encoding and block",
            entries,
            &page_numbers,
        ),
        Table::array(
            &format!("encode_{set}_pages"),
            source,
            "shared pages: byte by page and code point & 63, 0 = unmapped",
            entries,
            pages.as_flattened(),
        ),
    ];
    let mut items = take_statics(&mut tables);
    items.extend(positions(set, indexes));
    tables.push(Table::source(
        &format!("{set}_indexes"),
        source,
        "arrays, and references by encoding",
        indexes.len(),
        &items,
    ));
    tables
}

/// Returns the block numbers. Blocks with a character in any encoding count from 1.
fn directory(encode: &[Vec<u8>]) -> Vec<u8> {
    let mut blocks = 0;
    (0..0x1_0000 / BLOCK)
        .map(|block| {
            let range = block * BLOCK..(block + 1) * BLOCK;
            let used = encode
                .iter()
                .any(|bytes| bytes[range.clone()].iter().any(|&byte| byte != 0));
            if used {
                blocks += 1;
                blocks
            } else {
                0
            }
        })
        .collect()
}

/// Returns page numbers by encoding and block, and the pages.
fn pages(encode: &[Vec<u8>], directory: &[u8], blocks: usize) -> (Vec<u8>, Vec<Page>) {
    let mut pages: Vec<Page> = vec![[0; BLOCK]];
    let mut numbers = Vec::new();
    for bytes in encode {
        let mut row = vec![0; blocks];
        let content = bytes.as_chunks::<BLOCK>().0;
        for (page, &block) in content.iter().zip(directory) {
            let number = pages.iter().position(|known| known == page);
            let number = number.unwrap_or_else(|| {
                pages.push(*page);
                pages.len() - 1
            });
            if block != 0 {
                row[usize::from(block)] = u8::try_from(number).expect("at most 256 pages");
            }
        }
        numbers.extend(row);
    }
    (numbers, pages)
}

/// Returns the name of an index's static.
pub fn static_name(name: &str) -> String {
    name.to_uppercase().replace('-', "_")
}

/// Returns the static of each encoding, which holds the encoding's position in the arrays.
fn positions(set: &str, indexes: &[(&str, Index)]) -> Vec<RustItem> {
    let constructor = if set == "single_byte" { "at" } else { set };
    indexes
        .iter()
        .enumerate()
        .map(|(position, (name, _))| RustItem {
            text: format!(
                "pub(crate) static {}: SingleByteIndex = SingleByteIndex::{constructor}({position});\n",
                static_name(name)
            ),
            // The size of a slice, two references and four small fields.
            bytes: 40,
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_pages_are_stored_once() {
        let index = Index([(0, 0x00C0), (1, 0x2019)].into());
        let tables = tables("single_byte", &[("a", index.clone()), ("b", index)]);
        let content = |file: &str| {
            let mut matching = tables.iter().filter(|table| table.file == file);
            &matching.next().unwrap().content
        };
        assert_eq!(content("encode_single_byte_pages.bin").len(), 3 * BLOCK);
        let numbers = content("encode_single_byte_page_numbers.bin");
        assert_eq!(numbers, &[0, 1, 2, 0, 1, 2]);
        let blocks = content("encode_single_byte_blocks.bin");
        assert_eq!((blocks[3], blocks[0x80], blocks[4]), (1, 2, 0));
    }
}
