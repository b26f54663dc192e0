//! Encode tables of the double-byte encodings.

use std::collections::BTreeMap;

use super::{RustItem, Table};
use crate::double_byte::{BIG5, EUC_KR, GB18030};
use crate::index::Index;
use crate::perfect_hash::{PerfectHash, hash_code_point};
use crate::rank::RankTable;

/// Pointers of index jis0208 that "index Shift_JIS pointer" excludes: the NEC selection of IBM extensions.
const SHIFT_JIS_EXCLUDED: std::ops::Range<u32> = 8272..8836;
/// The ideographs that gb18030 maps without a gap.
const GB18030_IDEOGRAPHS: std::ops::RangeInclusive<u16> = 0x4E00..=0x9FA5;
/// The Hangul syllables.
const HANGUL: std::ops::RangeInclusive<u16> = 0xAC00..=0xD7A3;
/// Buckets of the hash of Big5's plane 2.
const PLANE_2_BUCKETS: usize = 128;

/// Returns the three arrays of a bitmap-and-rank table. `behind` is appended to the array of values.
pub fn rank_tables(source: &str, table: &RankTable, behind: &[u16]) -> Vec<Table> {
    let entries = table.values.len();
    let values = [&table.values, behind].concat();
    let name = source.replace('-', "_");
    let file = |part| format!("encode_{name}_{part}");
    let mut tables = vec![
        Table::array(
            &file("pages"),
            source,
            "rank: page by code point >> 8",
            entries,
            &table.pages,
        ),
        Table::array(
            &file("blocks"),
            source,
            "rank: base << 16 | bitmap of 16 code points",
            entries,
            &table.blocks,
        ),
        Table::array(
            &file("values"),
            source,
            match behind {
                [] => "rank: values in code point order",
                _ => "rank: values in code point order; then flat by code point - U+4E00",
            },
            values.len(),
            &values,
        ),
    ];
    let name = name.to_uppercase();
    tables[2].statics.push(RustItem {
        text: format!(
            "pub(crate) static {name}_ENCODE: RankTable =\n    \
             RankTable::new(&{name}_PAGES, &{name}_BLOCKS, &{name}_VALUES, {entries});\n"
        ),
        // The size of a reference, two slices and a number.
        bytes: 48,
    });
    tables
}

fn narrow(code_point: u32) -> u16 {
    u16::try_from(code_point).expect("Big5 alone leaves the BMP")
}

fn row_cell(pointer: u32) -> u16 {
    u16::try_from(pointer / 94 * 256 + pointer % 94).expect("at most 119 rows")
}

/// Returns row and cell of the "index pointer", by rank, and replacements for the pointers that Shift_JIS excludes.
pub fn jis0208(name: &str, index: &Index) -> Vec<Table> {
    let pointers = index.pointers();
    let first: BTreeMap<u16, u16> = pointers
        .iter()
        .map(|(&code_point, pointers)| {
            assert!(pointers[0] < 94 * 94, "EUC-JP has 94 rows");
            (narrow(code_point), row_cell(pointers[0]))
        })
        .collect();

    let shift_jis = |code_point: u32| {
        let mut pointers = pointers[&code_point].iter();
        pointers.find(|pointer| !SHIFT_JIS_EXCLUDED.contains(pointer))
    };
    let duplicates: Vec<u16> = SHIFT_JIS_EXCLUDED
        .map(|pointer| {
            let code_point = index.0.get(&pointer);
            code_point
                .and_then(|&code_point| shift_jis(code_point))
                .map_or(0xFFFF, |&pointer| row_cell(pointer))
        })
        .collect();
    // Outside the excluded rows, both rules must choose the same pointer.
    for (&code_point, pointers) in &pointers {
        let excluded = SHIFT_JIS_EXCLUDED.contains(&pointers[0]);
        assert!(excluded || shift_jis(code_point) == Some(&pointers[0]));
    }

    let mut tables = rank_tables(name, &RankTable::new(&first), &[]);
    tables.push(Table::array(
        "encode_shift_jis_duplicates",
        "jis0208",
        "flat by pointer - 8272: row << 8 | cell, 0xFFFF = none",
        duplicates.iter().filter(|&&value| value != 0xFFFF).count(),
        &duplicates,
    ));
    tables
}

/// Returns all characters except the Hangul syllables of the extension area, whose bytes follow from their order.
pub fn euc_kr(name: &str, index: &Index) -> Vec<Table> {
    let (extension, map): (BTreeMap<u16, u16>, BTreeMap<u16, u16>) =
        first_values(index, |pointer| EUC_KR.value(pointer))
            .into_iter()
            .partition(|&(code_point, value)| {
                HANGUL.contains(&code_point) && (value >> 8 < 0xB0 || value & 0xFF < 0xA1)
            });
    let table = RankTable::new(&map);

    let before = table.rank(*HANGUL.start());
    for code_point in HANGUL {
        let below = table.rank(code_point) - before;
        match extension.get(&code_point) {
            Some(&value) => {
                let rank = usize::from(code_point - HANGUL.start()) - below;
                assert_eq!(hangul_extension_value(rank as u32), value);
            }
            None => assert!(table.get(code_point).is_some()),
        }
    }
    rank_tables(name, &table, &[])
}

/// Returns the bytes of the syllable with number `rank` among those outside KS X 1001. Lead bytes 0x81..=0xA0 have 178
/// trail bytes in the extension area. From 0xA1 on they have 84, because 0xA1..=0xFE belongs to KS X 1001.
fn hangul_extension_value(rank: u32) -> u16 {
    const FULL_ROWS: u32 = 0xA1 - 0x81;
    let (lead, cell) = match rank.checked_sub(FULL_ROWS * 178) {
        None => (0x81 + rank / 178, rank % 178),
        Some(rank) => (0xA1 + rank / 84, rank % 84),
    };
    let trail = match cell {
        0..26 => 0x41 + cell,
        26..52 => 0x61 + cell - 26,
        _ => 0x81 + cell - 52,
    };
    (lead << 8 | trail) as u16
}

/// Returns the values of the first pointer of each code point.
pub fn first_values(index: &Index, value: impl Fn(u32) -> u16) -> BTreeMap<u16, u16> {
    index
        .pointers()
        .iter()
        .map(|(&code_point, pointers)| (narrow(code_point), value(pointers[0])))
        .collect()
}

/// The rows of the gb18030 encoder that are not the inverse of its decoder (GB18030-2022 moved these characters).
const GB18030_ENCODER_ONLY: [(u16, u16); 18] = [
    (0xE78D, 0xA6D9),
    (0xE78E, 0xA6DA),
    (0xE78F, 0xA6DB),
    (0xE790, 0xA6DC),
    (0xE791, 0xA6DD),
    (0xE792, 0xA6DE),
    (0xE793, 0xA6DF),
    (0xE794, 0xA6EC),
    (0xE795, 0xA6ED),
    (0xE796, 0xA6F3),
    (0xE81E, 0xFE59),
    (0xE826, 0xFE61),
    (0xE82B, 0xFE66),
    (0xE82C, 0xFE67),
    (0xE832, 0xFE6D),
    (0xE843, 0xFE7E),
    (0xE854, 0xFE90),
    (0xE864, 0xFEA0),
];

/// The user-defined areas of gb18030: U+E000 and on, row by row.
const GB18030_USER_DEFINED: std::ops::RangeInclusive<u16> = 0xE000..=0xE765;

/// Returns the bytes of a code point of the user-defined areas: 0xAAA1..=0xAFFE and 0xF8A1..=0xFEFE in rows of 94, and
/// 0xA140..=0xA7A0 in rows of 96.
fn gb18030_user_defined_value(code_point: u16) -> u16 {
    let (lead, trail) = match code_point - GB18030_USER_DEFINED.start() {
        offset @ 0..564 => (0xAA + offset / 94, 0xA1 + offset % 94),
        offset @ 564..1222 => (0xF8 + (offset - 564) / 94, 0xA1 + (offset - 564) % 94),
        offset => {
            let cell = (offset - 1222) % 96;
            let trail = if cell < 0x3F {
                0x40 + cell
            } else {
                0x41 + cell
            };
            (0xA1 + (offset - 1222) / 96, trail)
        }
    };
    lead << 8 | trail
}

/// The encode table of gb18030: values by rank, followed by a flat table of the main block of ideographs. One array
/// holds both, so that a kernel finds any value with one load. The user-defined areas are computed.
pub fn gb18030(name: &str, index: &Index) -> Vec<Table> {
    let mut map = first_values(index, |pointer| GB18030.value(pointer));
    for (code_point, value) in GB18030_ENCODER_ONLY {
        assert_eq!(map.insert(code_point, value), None);
    }
    assert!(!map.contains_key(&0xE5E5), "the encoder refuses U+E5E5");

    for code_point in GB18030_USER_DEFINED.filter(|&code_point| code_point != 0xE5E5) {
        let value = gb18030_user_defined_value(code_point);
        assert_eq!(map.remove(&code_point), Some(value));
    }
    let ideographs: Vec<u16> = GB18030_IDEOGRAPHS
        .map(|code_point| map.remove(&code_point).expect("the block has no gaps"))
        .collect();
    rank_tables(name, &RankTable::new(&map), &ideographs)
}

/// The table for "index Big5 pointer": excludes the Hong Kong rows, and takes the last pointer for six code points. The
/// values of BMP code points are stored by rank. Plane 2 uses a perfect hash; the decode table confirms each hit.
pub fn big5(name: &str, index: &Index) -> Vec<Table> {
    const LAST_POINTER: [u32; 6] = [0x2550, 0x255E, 0x2561, 0x256A, 0x5341, 0x5345];
    let standard = Index(
        index
            .0
            .range((0xA1 - 0x81) * BIG5.trails..)
            .map(|(&pointer, &code_point)| (pointer, code_point))
            .collect(),
    );
    let mut bmp = BTreeMap::new();
    let mut plane_2 = Vec::new();
    for (&code_point, pointers) in &standard.pointers() {
        let last = LAST_POINTER.contains(&code_point);
        let pointer = pointers[if last { pointers.len() - 1 } else { 0 }];
        match u16::try_from(code_point) {
            Ok(code_point) => {
                bmp.insert(code_point, BIG5.value(pointer));
            }
            Err(_) => plane_2.push((code_point, BIG5.value(pointer))),
        }
    }

    let hashes: Vec<u32> = plane_2.iter().map(|&(cp, _)| hash_code_point(cp)).collect();
    let hash = PerfectHash::new(&hashes, PLANE_2_BUCKETS);
    for (key, &hashed) in hashes.iter().enumerate() {
        assert_eq!(hash.get(hashed), Some(key));
    }
    let slots: Vec<u16> = hash
        .slots
        .iter()
        .map(|key| key.map_or(0, |key| plane_2[key].1))
        .collect();

    let mut tables = rank_tables(name, &RankTable::new(&bmp), &[]);
    tables.push(Table::array(
        "encode_big5_plane_2_displacements",
        "big5",
        "perfect hash: displacement by bucket",
        plane_2.len(),
        &hash.displacements,
    ));
    tables.push(Table::array(
        "encode_big5_plane_2_values",
        "big5",
        "perfect hash: lead << 8 | trail by slot",
        plane_2.len(),
        &slots,
    ));
    tables
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hangul_extension_area_ends_where_the_index_does() {
        assert_eq!(hangul_extension_value(0), 0x8141);
        assert_eq!(hangul_extension_value(32 * 178 - 1), 0xA0FE);
        assert_eq!(hangul_extension_value(32 * 178), 0xA141);
        assert_eq!(hangul_extension_value(8821), 0xC652);
    }

    #[test]
    fn row_and_cell_are_apart() {
        assert_eq!(row_cell(93), 93);
        assert_eq!(row_cell(94), 0x0100);
        assert_eq!(row_cell(11_103), 0x7600 | 11);
    }
}
