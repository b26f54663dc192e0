//! Checks of the tables against the Standard's rules, over every code point and pointer.

extern crate std;

use std::vec;
use std::vec::Vec;

use super::double_byte::*;
use super::gb18030_ranges::*;
use super::labels::{
    LABEL_DISPLACEMENTS, LABEL_ENCODINGS, LABEL_SLOTS, LABEL_STARTS, LABEL_TEXT, labels,
};
use super::*;

fn is_surrogate(code_point: u32) -> bool {
    (0xD800..=0xDFFF).contains(&code_point)
}

/// Returns the first pointer of every code point of a decode table.
fn first_pointers(table: &[u16]) -> Vec<(u16, usize)> {
    let mut seen = vec![false; 0x1_0000];
    let entries = table
        .iter()
        .enumerate()
        .filter(|&(_, &code_point)| code_point != 0);
    entries
        .filter(|&(_, &code_point)| !std::mem::replace(&mut seen[usize::from(code_point)], true))
        .map(|(pointer, &code_point)| (code_point, pointer))
        .collect()
}

/// Checks that `get` returns the `expected` values for the listed code points of the BMP, and nothing for the others.
fn assert_map(expected: &[(u16, u16)], get: impl Fn(u16) -> Option<u16>) {
    let mut map = vec![None; 0x1_0000];
    for &(code_point, value) in expected {
        map[usize::from(code_point)] = Some(value);
    }
    for code_point in 0..=u16::MAX {
        assert_eq!(
            get(code_point),
            map[usize::from(code_point)],
            "U+{code_point:04X}"
        );
    }
}

fn value(lead: usize, trail: usize) -> u16 {
    (lead << 8 | trail) as u16
}

/// Returns index EUC-KR by pointer; 0 is unmapped.
fn euc_kr() -> Vec<u16> {
    let code_point = |pointer: usize| euc_kr_code_point(pointer / 190, pointer % 190);
    (0..126 * 190)
        .map(|pointer| code_point(pointer).unwrap_or(0))
        .collect()
}

#[test]
fn no_entry_is_a_surrogate() {
    let bmp = [
        &JIS0208[..],
        &JIS0212,
        &euc_kr(),
        &GB18030,
        &SINGLE_BYTE_CODE_POINTS,
    ];
    assert!(
        bmp.iter()
            .all(|table| table.iter().all(|&cp| !is_surrogate(cp.into())))
    );
    assert!(
        (0..20_000)
            .filter_map(big5_code_point)
            .all(|cp| !is_surrogate(cp))
    );
}

#[test]
fn entries_are_as_many_as_in_the_indexes() {
    let count = |table: &[u16]| table.iter().filter(|&&code_point| code_point != 0).count();
    assert_eq!((count(&JIS0208), JIS0208.len()), (7724, 11_104));
    assert_eq!((count(&JIS0212), JIS0212.len()), (6067, 7211));
    assert_eq!(count(&euc_kr()), 17_048);
    assert_eq!((count(&GB18030), GB18030.len()), (23_940, 23_940));
    assert_eq!(
        (0..=usize::from(u16::MAX))
            .filter_map(big5_code_point)
            .count(),
        18_590
    );
    assert_eq!(count(&SINGLE_BYTE_CODE_POINTS), 3342);
}

#[test]
fn pointers_out_of_range_are_unmapped() {
    for pointer in [23_940, 1 << 20, usize::MAX] {
        assert_eq!(jis0208_code_point(pointer), None);
        assert_eq!(jis0212_code_point(pointer), None);
        assert_eq!(euc_kr_code_point(pointer, 95), None);
        assert_eq!(euc_kr_code_point(pointer, 96), None);
        assert_eq!(euc_kr_code_point(0, pointer), None);
        assert_eq!(euc_kr_code_point(32, pointer), None);
        assert_eq!(gb18030_code_point(pointer), None);
        assert_eq!(big5_code_point(pointer), None);
    }
}

#[test]
fn jis0208_index_pointer_is_the_first() {
    let expected: Vec<_> = first_pointers(&JIS0208)
        .into_iter()
        .map(|(code_point, pointer)| (code_point, value(pointer / 94, pointer % 94)))
        .collect();
    assert_map(&expected, jis0208_row_cell);
    assert_eq!(jis0208_row_cell(0x3000), Some(0));
    assert_eq!(jis0208_row_cell(0x4E9C), Some(0x0F00));
}

#[test]
fn shift_jis_index_pointer_passes_over_nec_selection() {
    let mut table = JIS0208;
    table[8272..8836].fill(0);
    let expected: Vec<_> = first_pointers(&table)
        .into_iter()
        .map(|(code_point, pointer)| (code_point, value(pointer / 94, pointer % 94)))
        .collect();
    assert_map(&expected, shift_jis_row_cell);
    // U+2252 is in rows 1 and 12: both rules take row 1. U+7E8A is in rows 88 and 114.
    assert_eq!(shift_jis_row_cell(0x2252), jis0208_row_cell(0x2252));
    assert_eq!(jis0208_row_cell(0x7E8A), Some(0x5800));
    assert!(shift_jis_row_cell(0x7E8A).is_some_and(|row_cell| row_cell >> 8 >= 114));
}

#[test]
fn euc_kr_index_pointer_is_reproduced() {
    let expected: Vec<_> = first_pointers(&euc_kr())
        .into_iter()
        .map(|(code_point, pointer)| {
            (
                code_point,
                value(0x81 + pointer / 190, 0x41 + pointer % 190),
            )
        })
        .collect();
    assert_map(&expected, euc_kr_bytes);
    assert_eq!(euc_kr_bytes(0xAC00), Some(0xB0A1));
    assert_eq!(euc_kr_bytes(0xAC02), Some(0x8141));
    assert_eq!(euc_kr_bytes(0xD7A3), Some(0xC652));
}

#[test]
fn gb18030_two_byte_form_is_reproduced() {
    let mut expected: Vec<_> = first_pointers(&GB18030)
        .into_iter()
        .map(|(code_point, pointer)| {
            let cell = pointer % 190;
            let trail = cell + if cell < 0x3F { 0x40 } else { 0x41 };
            (code_point, value(0x81 + pointer / 190, trail))
        })
        .collect();
    expected.extend([
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
    ]);
    assert_map(&expected, gb18030_bytes);
    assert_eq!(gb18030_bytes(0xE5E5), None);
    assert_eq!(gb18030_bytes(0x4E00), Some(0xD2BB));
}

#[test]
fn big5_index_pointer_skips_hong_kong_and_takes_the_last_of_six() {
    const LAST: [u32; 6] = [0x2550, 0x255E, 0x2561, 0x256A, 0x5341, 0x5345];
    let mut expected = vec![None; 0x3_0000];
    for pointer in (0xA1 - 0x81) * 157..19_782 {
        let Some(code_point) = big5_code_point(pointer) else {
            continue;
        };
        let cell = pointer % 157;
        let trail = cell + if cell < 0x3F { 0x40 } else { 0x62 };
        let entry = &mut expected[code_point as usize];
        if entry.is_none() || LAST.contains(&code_point) {
            *entry = Some(value(0x81 + pointer / 157, trail));
        }
    }
    for (code_point, &bytes) in (0..0x11_0000).zip(expected.iter().chain(std::iter::repeat(&None)))
    {
        assert_eq!(big5_bytes(code_point), bytes, "U+{code_point:04X}");
    }
    assert_eq!(big5_bytes(u32::MAX), None);
    assert_eq!(big5_bytes(0x5341), Some(0xA451));
}

#[test]
fn big5_plane_2_is_resolved_and_two_code_point_pointers_are_absent() {
    assert_eq!(big5_code_point(942), Some(0x43F0));
    assert_eq!(big5_code_point(947), Some(0x2_7267));
    for pointer in [1133, 1135, 1164, 1166] {
        assert_eq!(big5_code_point(pointer), None);
    }
}

#[test]
fn gb18030_ranges_follow_the_standard() {
    let cases = [
        (0, Some(0x80)),
        (36, Some(0xA5)),
        (7457, Some(0xE7C7)),
        (7458, Some(0x1E40)),
        (39_394, Some(0xFFE6)),
        (39_419, Some(0xFFFF)),
        (39_420, None),
        (188_999, None),
        (189_000, Some(0x1_0000)),
        (1_237_575, Some(0x10_FFFF)),
        (1_237_576, None),
        (u32::MAX, None),
    ];
    for (pointer, code_point) in cases {
        assert_eq!(gb18030_ranges_code_point(pointer), code_point, "{pointer}");
    }
}

#[test]
fn every_scalar_value_but_one_survives_gb18030() {
    for character in '\u{80}'..=char::MAX {
        let code_point = character as u32;
        let two_bytes = u16::try_from(code_point).ok().and_then(gb18030_bytes);
        if two_bytes.is_none() && code_point != 0xE5E5 {
            let pointer = gb18030_ranges_pointer(code_point);
            assert_eq!(
                gb18030_ranges_code_point(pointer),
                Some(code_point),
                "U+{code_point:04X}"
            );
        }
    }
    // No argument panics.
    for code_point in (0..0x100).chain([0x11_0000, u32::MAX]) {
        gb18030_ranges_pointer(code_point);
    }
}

#[test]
fn single_byte_indexes_are_inverted() {
    let indexes = [
        &IBM866,
        &ISO_8859_2,
        &ISO_8859_3,
        &ISO_8859_4,
        &ISO_8859_5,
        &ISO_8859_6,
        &ISO_8859_7,
        &ISO_8859_8,
        &ISO_8859_10,
        &ISO_8859_13,
        &ISO_8859_14,
        &ISO_8859_15,
        &ISO_8859_16,
        &KOI8_R,
        &KOI8_U,
        &MACINTOSH,
        &WINDOWS_874,
        &WINDOWS_1250,
        &WINDOWS_1251,
        &WINDOWS_1252,
        &WINDOWS_1253,
        &WINDOWS_1254,
        &WINDOWS_1255,
        &WINDOWS_1256,
        &WINDOWS_1257,
        &WINDOWS_1258,
        &X_MAC_CYRILLIC,
    ];
    for index in indexes {
        let expected: Vec<_> = first_pointers(index.code_points())
            .into_iter()
            .map(|(code_point, pointer)| (code_point, 0x80 | pointer as u16))
            .collect();
        assert_map(&expected, |code_point| {
            index.byte(code_point).map(u16::from)
        });
        for byte in 0x80..=0xFF {
            let entry = index.code_points()[usize::from(byte - 0x80)];
            assert_eq!(index.code_point(byte).unwrap_or(0), entry);
        }
    }
    assert_eq!(WINDOWS_1252.byte(0x20AC), Some(0x80));
    assert_eq!(WINDOWS_1251.code_point(0xFF), Some(0x044F));
    assert_eq!(WINDOWS_874.code_point(0xDB), None);
    assert_eq!(X_MAC_CYRILLIC.byte(0x20AC), Some(0xFF));
}

#[test]
fn katakana_become_full_width() {
    assert_eq!(iso_2022_jp_katakana(0), 0x3002);
    // U+FF71, half-width A.
    assert_eq!(iso_2022_jp_katakana(16), 0x30A2);
    assert_eq!(iso_2022_jp_katakana(62), 0x309C);
    assert_eq!(iso_2022_jp_katakana(63), 0xFFFD);
}

#[test]
fn labels_lead_to_their_encodings() {
    assert_eq!(labels().count(), 228);
    for (label, number) in labels() {
        assert_eq!(
            encoding_number_for_label(label.as_bytes()),
            Some(number),
            "{label}"
        );
    }
    assert!(labels().map(|(_, number)| number).is_sorted());
    assert_eq!(encoding_number_for_label(b"utf-8"), Some(0));
    assert_eq!(encoding_number_for_label(b"x-user-defined"), Some(39));
    for refused in [
        &b""[..],
        b"utf",
        b"UTF-8",
        b" utf-8",
        b"\xFF",
        b"iso-8859-12",
    ] {
        assert_eq!(encoding_number_for_label(refused), None);
    }
}

#[test]
fn tables_stay_within_310_kb() {
    let rank = |table: &rank::RankTable| {
        size_of_val(table) + 256 + size_of_val(table.blocks()) + size_of_val(table.values())
    };
    let total = [
        size_of_val(&JIS0208),
        size_of_val(&JIS0212),
        size_of_val(&EUC_KR) + size_of_val(&EUC_KR_BASES) + size_of_val(&EUC_KR_STEPS),
        size_of_val(&GB18030),
        size_of_val(&BIG5),
        size_of_val(&BIG5_PLANE_2),
        size_of_val(&RANGE_POINTERS) + size_of_val(&RANGE_CODE_POINTS),
        size_of_val(&LATIN_POINTERS) + size_of_val(&LATIN_CODE_POINTS),
        size_of_val(&POINTER_BUCKETS) + size_of_val(&CODE_POINT_BUCKETS),
        size_of_val(&ISO_2022_JP_KATAKANA),
        rank(&JIS0208_ENCODE),
        rank(&EUC_KR_ENCODE),
        rank(&GB18030_ENCODE),
        rank(&BIG5_ENCODE),
        size_of_val(&SHIFT_JIS_DUPLICATES),
        size_of_val(&BIG5_PLANE_2_DISPLACEMENTS) + size_of_val(&BIG5_PLANE_2_VALUES),
        size_of_val(&SINGLE_BYTE_CODE_POINTS),
        size_of_val(&SINGLE_BYTE_BLOCKS),
        size_of_val(&SINGLE_BYTE_PAGE_NUMBERS),
        size_of_val(&SINGLE_BYTE_PAGES),
        27 * size_of::<SingleByteIndex>(),
        size_of_val(LABEL_TEXT) + size_of_val(&LABEL_STARTS) + size_of_val(&LABEL_ENCODINGS),
        size_of_val(&LABEL_DISPLACEMENTS) + size_of_val(&LABEL_SLOTS),
    ]
    .iter()
    .sum::<usize>();
    assert!((300_000..=310_500).contains(&total), "{total}");
}
