//! The pages of `mojika::extended`: single-byte indexes of their own, and permutations for EBCDIC.
//!
//! An EBCDIC page is ISO-8859-1 in another order, so it is stored as that order, in both directions; a page with the
//! euro sign has the order of the page without, and differs by one code point of the index behind it.

use super::{RustItem, Table, single_byte, take_statics};
use crate::extended::{self, PAGES, Shape};
use crate::index::Index;

/// The index of ISO-8859-1 with the euro sign for the currency sign, behind the EBCDIC pages with one.
const LATIN1_EURO: &str = "latin1-euro";

pub fn tables() -> Result<Vec<Table>, String> {
    let mut indexes = Vec::new();
    let (mut orders, mut inverses, mut items) = (Vec::new(), Vec::new(), Vec::new());
    for page in PAGES {
        let bytes = extended::read(page.name)?.0;
        if page.shape == Shape::Ascii {
            let upper = bytes.range(0x80..).map(|(&byte, &to)| (byte - 0x80, to));
            indexes.push((page.name, Index(upper.collect())));
            continue;
        }
        let has_euro = bytes.values().any(|&to| to == 0x20AC);
        let order: Vec<u8> = (0..256)
            .map(|byte| match bytes.get(&byte) {
                Some(0x20AC) => Ok(0xA4),
                Some(&to) => u8::try_from(to).map_err(|_| page.name),
                None => Err(page.name),
            })
            .collect::<Result<_, _>>()?;
        let place = orders.chunks(256).position(|known| known == order);
        assert!(
            place.is_some() || !has_euro,
            "{}: no page without the euro sign has this order",
            page.name
        );
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
        let index = if has_euro {
            "LATIN1_EURO"
        } else {
            "ISO_8859_1"
        };
        items.push(RustItem {
            text: format!(
                "/// page {}.\npub(crate) static {}: Permuted = Permuted::at(&{index}, {place});\n",
                page.name,
                page.name.to_uppercase()
            ),
            // Three references.
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

    let mut tables = single_byte::tables("extended", &indexes);
    let source = "21 EBCDIC pages";
    tables.push(Table::array(
        "decode_ebcdic_to_latin1",
        source,
        "permutation by page without the euro sign: byte to ISO-8859-1",
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
