//! Decode tables of the multi-byte encodings: flat arrays by pointer.

use super::Table;
use crate::double_byte::EUC_KR;
use crate::index::Index;

/// The name of the scheme in the manifest.
const FLAT: &str = "flat by pointer, 0 = unmapped";
/// The first pointer of the stored table: index Big5 has no entries in the rows before it.
const BIG5_FIRST_POINTER: u32 = 942;

/// Returns an array by pointer, for an index in the BMP.
pub fn flat_bmp(name: &str, index: &Index) -> Vec<Table> {
    let file = format!("decode_{}", name.replace('-', "_"));
    let units = flat(index, 0, bmp);
    vec![Table::array(&file, name, FLAT, index.0.len(), &units)]
}

/// Returns code units by pointer, from `first` to the last pointer.
fn flat(index: &Index, first: u32, unit: impl Fn(u32) -> u16) -> Vec<u16> {
    let code_point = |pointer| index.0.get(&pointer).map_or(0, |&cp| unit(cp));
    let (&least, _) = index.0.first_key_value().expect("an index has entries");
    assert!(least >= first, "pointer {least} is below {first}");
    assert!(index.0.values().all(|&cp| cp != 0), "0 stands for unmapped");
    (first..=index.last_pointer()).map(code_point).collect()
}

fn bmp(code_point: u32) -> u16 {
    u16::try_from(code_point).expect("Big5 alone leaves the BMP")
}

/// Returns KS X 1001 by row and cell, and the extension area by pointer. The extension area has the Hangul syllables
/// outside KS X 1001 in Unicode order.
pub fn euc_kr(_: &str, index: &Index) -> Vec<Table> {
    const SHARED: usize = 32;
    let mut ks_x_1001 = vec![0_u16; 94 * 94];
    let mut extension = Vec::new();
    for (&pointer, &code_point) in &index.0 {
        let code_point = bmp(code_point);
        match EUC_KR.bytes(pointer) {
            [lead @ 0xA1..=0xFE, trail @ 0xA1..=0xFE] => {
                let (row, cell) = (usize::from(lead - 0xA1), usize::from(trail - 0xA1));
                ks_x_1001[94 * row + cell] = code_point;
            }
            // Lead bytes 0x81 to 0xA0 also have trail bytes above 0xA0.
            _ => extension.push(code_point),
        }
    }
    assert_eq!(extension.len(), 11_172 - 2350);
    assert!(extension.is_sorted());
    let bases: Vec<u16> = extension.chunks(SHARED).map(|shared| shared[0]).collect();
    let steps: Vec<u8> = (extension.chunks(SHARED))
        .flat_map(|shared| shared.iter().map(|&syllable| syllable - shared[0]))
        .map(|step| u8::try_from(step).expect("32 syllables are near to one another"))
        .collect();
    let entries = index.0.len() - extension.len();
    vec![
        Table::array(
            "decode_euc_kr",
            "euc-kr",
            "flat by row and cell of KS X 1001, 0 = unmapped",
            entries,
            &ks_x_1001,
        ),
        Table::array(
            "decode_euc_kr_bases",
            "euc-kr",
            "extension area: syllable by place / 32",
            bases.len(),
            &bases,
        ),
        Table::array(
            "decode_euc_kr_steps",
            "euc-kr",
            "extension area: addends, by place",
            steps.len(),
            &steps,
        ),
    ]
}

/// Returns the low 16 bits by pointer, and a bitmap of the pointers whose code points are in plane 2.
pub fn big5(_: &str, index: &Index) -> Vec<Table> {
    let units = flat(index, BIG5_FIRST_POINTER, |code_point| {
        assert!(matches!(code_point >> 16, 0 | 2) && code_point & 0xFFFF != 0);
        (code_point & 0xFFFF) as u16
    });
    let mut plane_2 = vec![0_u32; units.len().div_ceil(32)];
    let mut members = 0;
    for (&pointer, _) in index.0.iter().filter(|&(_, &cp)| cp >> 16 == 2) {
        let position = pointer - BIG5_FIRST_POINTER;
        plane_2[(position / 32) as usize] |= 1 << (position % 32);
        members += 1;
    }
    vec![
        Table::array(
            "decode_big5",
            "big5",
            "flat by pointer - 942, low 16 bits, 0 = unmapped",
            index.0.len(),
            &units,
        ),
        Table::array(
            "decode_big5_plane_2",
            "big5",
            "bitmap by pointer - 942: in plane 2",
            members,
            &plane_2,
        ),
    ]
}

/// Returns parallel arrays of the ranges in the BMP. The last range, 189000 to U+10000, is computed.
pub fn gb18030_ranges(name: &str, index: &Index) -> Vec<Table> {
    let mut ranges = index.0.clone();
    assert_eq!(ranges.pop_last(), Some((189_000, 0x1_0000)));
    let pointers: Vec<u16> = ranges.keys().map(|&pointer| bmp(pointer)).collect();
    let code_points: Vec<u16> = ranges.values().map(|&code_point| bmp(code_point)).collect();
    assert!(pointers.is_sorted() && code_points.is_sorted());
    vec![
        Table::array(
            "decode_range_pointers",
            name,
            "first pointer of each BMP range; 189000 by arithmetic",
            index.0.len(),
            &pointers,
        ),
        Table::array(
            "decode_range_code_points",
            name,
            "first code point of each BMP range",
            code_points.len(),
            &code_points,
        ),
    ]
}

pub fn iso_2022_jp_katakana(name: &str, index: &Index) -> Vec<Table> {
    let units = flat(index, 0, bmp);
    assert_eq!(units.len(), 63);
    vec![Table::array(
        "encode_iso_2022_jp_katakana",
        name,
        "full-width by half-width code point - U+FF61",
        index.0.len(),
        &units,
    )]
}
