//! The code pages of `mojika::extended`: single-byte indexes, and permutations for EBCDIC.
//!
//! An EBCDIC page has ASCII in another order, so it is stored as an index that extends ASCII and a permutation, in both
//! directions. The index is ISO-8859-1, ISO-8859-1 with the euro sign for the currency sign, or the page's own: its
//! non-ASCII characters in byte order. Pages with the euro sign use the permutation of the page without it.

use super::{RustItem, Table, single_byte, take_statics};
use std::collections::{BTreeMap, BTreeSet};

use crate::extended::{self, Shape};
use crate::index::Index;

/// The index of ISO-8859-1 with the euro sign for the currency sign, used by EBCDIC pages with a euro sign.
const LATIN1_EURO: &str = "latin1-euro";

/// Returns a page's own index, and its permutation: the byte in the index for each byte of the page.
fn own_index(bytes: &BTreeMap<u32, u32>, preferred: &BTreeSet<u32>) -> (Index, Vec<u8>) {
    let mut index = Index::default();
    let mut next = 0;
    let order = (0..256).map(|byte| match bytes.get(&byte) {
        Some(&ascii @ 0..0x80) => ascii as u8,
        other => {
            if let Some(&code_point) = other {
                index.0.insert(next, code_point);
            }
            next += 1;
            // The remaining bytes and pointers are equal in number.
            (0x7F + next) as u8
        }
    });
    let mut order: Vec<u8> = order.collect();
    // A code point is encoded to its last pointer.
    for &byte in preferred {
        let code_point = bytes[&byte];
        let last = bytes.iter().rev().find(|&(_, &to)| to == code_point);
        let last = last.map_or(byte, |(&last, _)| last);
        order.swap(byte as usize, last as usize);
    }
    (index, order)
}

pub fn tables() -> Result<Vec<Table>, String> {
    let (mut indexes, mut of_ebcdic) = (Vec::new(), Vec::new());
    let (mut orders, mut inverses, mut items) = (Vec::new(), Vec::new(), Vec::new());
    let (mut others, mut sorted, mut other_items) = (Vec::new(), Vec::new(), Vec::new());
    for page in extended::pages() {
        let (Index(bytes), preferred) = extended::read_lines(page.name)?;
        if page.shape == Shape::Ascii {
            let upper = bytes.range(0x80..).map(|(&byte, &to)| (byte - 0x80, to));
            indexes.push((page.name, Index(upper.collect())));
            continue;
        }
        if matches!(page.shape, Shape::Other | Shape::Repeated) {
            let units: Vec<u16> = (0..256)
                .map(|byte| bytes.get(&byte).map_or(0xFFFF, |&to| to as u16))
                .collect();
            let mut order: Vec<u8> = (0..=0xFF).collect();
            order.sort_by_key(|&byte| {
                let is_preferred = preferred.contains(&u32::from(byte));
                (units[usize::from(byte)], is_preferred, byte)
            });
            other_items.push(RustItem {
                text: format!(
                    "pub(crate) static {}: Page = Page::at({});\n",
                    single_byte::static_name(page.name),
                    others.len() / 256
                ),
                // The size of two references.
                bytes: 16,
            });
            others.extend(units);
            sorted.extend(order);
            continue;
        }
        let latin1: Option<Vec<u8>> = (0..256)
            .map(|byte| match bytes.get(&byte)? {
                0x20AC => Some(0xA4),
                &to => u8::try_from(to).ok(),
            })
            .collect();
        let has_euro = bytes.values().any(|&to| to == 0x20AC);
        let (index, order) = match latin1 {
            Some(order) if has_euro => ("LATIN1_EURO".to_owned(), order),
            Some(order) => ("ISO_8859_1".to_owned(), order),
            None => {
                let (index, order) = own_index(&bytes, &preferred);
                let name = format!("ebcdic-{}", page.name);
                let static_name = single_byte::static_name(&name);
                of_ebcdic.push((name, index));
                (static_name, order)
            }
        };
        let place = orders.chunks(256).position(|known| known == order);
        let place = place.unwrap_or_else(|| {
            let mut inverse = [None; 256];
            for (byte, &to) in order.iter().enumerate() {
                let before = inverse[usize::from(to)].replace(byte as u8);
                assert!(before.is_none(), "{}: not a permutation", page.name);
            }
            inverses.extend(inverse.map(|byte| byte.expect("all 256 are there")));
            orders.extend(order);
            orders.len() / 256 - 1
        });
        items.push(RustItem {
            text: format!(
                "pub(crate) static {}: Permuted = Permuted::at(&{index}, {place});\n",
                page.name.to_uppercase()
            ),
            // The size of three references.
            bytes: 24,
        });
    }
    let latin1_euro = (0..128).map(|pointer| {
        (
            pointer,
            if pointer == 0x24 {
                0x20AC
            } else {
                0x80 + pointer
            },
        )
    });
    indexes.push((LATIN1_EURO, Index(latin1_euro.collect())));

    let of_ebcdic: Vec<(&str, Index)> = (of_ebcdic
        .iter()
        .map(|(name, index)| (name.as_str(), index.clone())))
    .collect();
    let mut tables = single_byte::tables("extended", &indexes);
    tables.extend(single_byte::tables("ebcdic", &of_ebcdic));
    let source = format!("{} EBCDIC pages", items.len());
    let source = source.as_str();
    tables.push(Table::array(
        "decode_ebcdic_to_latin1",
        source,
        "permutation by page: byte to byte of the index",
        orders.len(),
        &orders,
    ));
    tables.push(Table::array(
        "encode_ebcdic_from_latin1",
        source,
        "its inverse",
        inverses.len(),
        &inverses,
    ));
    let source = format!("{} pages that lack characters of ASCII", other_items.len());
    let mut of_others = [
        Table::array(
            "decode_table_code_points",
            &source,
            "code point by byte, 0xFFFF = unmapped",
            others.len(),
            &others,
        ),
        Table::array(
            "encode_table_order",
            &source,
            "bytes in the order of their code points",
            sorted.len(),
            &sorted,
        ),
    ];
    other_items.splice(0..0, take_statics(&mut of_others));
    tables.extend(of_others);
    tables.push(Table::source(
        "table_pages",
        &source,
        "arrays; two references by page",
        others.len() / 256,
        &other_items,
    ));
    let source = format!("{} EBCDIC pages", items.len());
    let source = source.as_str();
    let pages = items.len();
    items.splice(0..0, take_statics(&mut tables));
    tables.push(Table::source(
        "ebcdic_pages",
        source,
        "arrays; an index and two references by page",
        pages,
        &items,
    ));
    Ok(tables)
}
