//! The cost of each range of characters, by its script.

use super::*;
use std::vec::Vec;

/// The least cost of a character that occurs in text of no script.
const RARE: u32 = 14;

/// The first and the last characters of each range, by script. Text stays in one script.
#[test]
fn characters_of_one_script_are_in_one_and_cheaper_than_rare_ones() {
    let scripts: [(Script, &[(u32, u32)]); 23] = [
        (
            Latin,
            &[
                (0x41, 0x5A),
                (0x61, 0x7A),
                (0xC0, 0xFF),
                (0x100, 0x24F),
                (0x1E00, 0x1EFF),
            ],
        ),
        (GREEK, &[(0x384, 0x3CE)]),
        (Block(0x04), &[(0x400, 0x45F), (0x460, 0x52F)]),
        (Block(0x53), &[(0x531, 0x58F)]),
        (
            Block(0x05),
            &[
                (0x5D0, 0x5EA),
                (0x591, 0x5C7),
                (0x5EF, 0x5F4),
                (0xFB1D, 0xFB4F),
            ],
        ),
        (
            Block(0x06),
            &[
                (0x620, 0x652),
                (0x60C, 0x60C),
                (0x61B, 0x61B),
                (0x61F, 0x61F),
                (0x660, 0x66C),
                (0x670, 0x6D5),
                (0x6F0, 0x6F9),
                (0xFB50, 0xFDCF),
                (0xFE70, 0xFEFC),
            ],
        ),
        // Syriac, Thaana; Devanagari and another Indic script.
        (Block(0x1C), &[(0x700, 0x73F)]),
        (Block(0x1E), &[(0x780, 0x7BF)]),
        (
            Block(0x12),
            &[(0x905, 0x939), (0x93E, 0x94D), (0x964, 0x96F)],
        ),
        (Block(0x1A), &[(0xD05, 0xD39)]),
        (Block(0x0E), &[(0xE01, 0xE3A), (0xE3F, 0xE5B)]),
        (Block(0x8E), &[(0xE81, 0xEDF)]),
        (Block(0x0F), &[(0xF00, 0xFD4)]),
        (Block(0x10), &[(0x1000, 0x109F)]),
        (Block(0x11), &[(0x10A0, 0x10FF)]),
        (HANGUL, &[(0x1100, 0x11FF), (0x3131, 0x318E)]),
        (Block(0x12), &[(0x1200, 0x139F)]),
        (Block(0x13), &[(0x13A0, 0x13FF)]),
        (Block(0x14), &[(0x1400, 0x167F)]),
        (Block(0x17), &[(0x1780, 0x17F9)]),
        (Block(0x18), &[(0x1800, 0x18AA)]),
        (
            HAN,
            &[
                (0x3041, 0x3096),
                (0x30A1, 0x30FE),
                (0x3099, 0x30A0),
                (0x3100, 0x312F),
                (0xFF61, 0xFF9F),
            ],
        ),
        // Signs, of a text in any script.
        (
            Common,
            &[
                (0x20, 0x40),
                (0x7B, 0x7E),
                (0x09, 0x0A),
                (0x0D, 0x0D),
                (0xA0, 0xBF),
                (0x300, 0x30F),
                (0x2000, 0x203A),
                (0x20A0, 0x20C0),
                (0x2100, 0x214F),
                (0x2190, 0x22FF),
                (0x2460, 0x27BF),
                (0x3000, 0x3002),
                (0x3005, 0x3005),
                (0x3008, 0x3011),
                (0xFF01, 0xFF5E),
                (0xFB00, 0xFB06),
                (0xFDF0, 0xFE4F),
                (0xFEFF, 0xFEFF),
                (0xFFE0, 0xFFE6),
                (0xFFFC, 0xFFFD),
            ],
        ),
    ];
    for (script, ranges) in scripts {
        for &(first, last) in ranges {
            for value in [first, last] {
                let (found, cost) = class(value);
                assert!(found == script && cost < RARE, "U+{value:04X}: {cost}");
            }
        }
    }
}

/// Rare characters of a script cost less than characters that occur in no text.
#[test]
fn rare_characters_are_in_their_scripts_and_others_are_in_none() {
    for (script, values) in [
        (GREEK, &[0x1F00, 0x1FFF][..]),
        (HAN, &[0x4E00, 0x9FFF, 0xF900, 0xFAFF, 0x2_0000, 0x3_23FF]),
        (HANGUL, &[0xAC00, 0xD7A3]),
        (
            Block(0xE0),
            &[0xE000, 0xF8FF, 0xF_0000, 0xF_FFFD, 0x10_0000, 0x10_FFFD],
        ),
        (
            Block(0xFF),
            &[0x1_0000, 0x1_EFFF, 0x1_FB00, 0xE_0100, 0xE_01EF],
        ),
        (
            Common,
            &[
                0x08, 0x0C, 0x1B, 0x80, 0x9F, 0x250, 0x2FF, 0x376, 0x600, 0x6FF, 0xEE0, 0x1680,
                0x1700, 0x2C00, 0x33FF, 0x1_F000, 0x1_FAFF,
            ],
        ),
        (
            Unassigned,
            &[
                0x00,
                0x1F,
                0x7F,
                0xD800,
                0xFFFE,
                0xFFFF,
                0x1_FFFE,
                0x4_0000,
                0x7FFF_FFFF,
            ],
        ),
    ] {
        for &value in values {
            let (found, cost) = class(value);
            assert!(found == script, "U+{value:04X}");
            assert_eq!(cost >= BAD, script == Unassigned, "U+{value:04X}: {cost}");
        }
    }
    // Scholarly characters, by block.
    for value in [0x3400, 0x4DBF, 0xA000, 0xABFF] {
        assert!(
            matches!(class(value), (Block(_), cost) if cost < BAD),
            "U+{value:04X}"
        );
    }
}

/// One unit in 64 may be damaged. Six ideographs that consist of ASCII bytes are not text.
#[test]
fn a_reading_is_text_up_to_its_bounds() {
    let is_text = |units: &[(u16, usize)]| {
        let mut reading = Reading::default();
        for &(unit, count) in units {
            (0..count).for_each(|_| reading.unit_16(unit));
        }
        reading.is_text()
    };
    let letter = u16::from(b'a');
    assert!(is_text(&[(letter, 63), (0xFFFF, 1)]) && !is_text(&[(letter, 62), (0xFFFF, 1)]));
    assert!(is_text(&[(letter, 126), (0xFFFF, 2)]) && !is_text(&[(letter, 125), (0xFFFF, 2)]));
    let pair = u16::from_be_bytes(*b"Na");
    assert!(is_text(&[(pair, 5)]) && !is_text(&[(pair, 6)]));
    // At least three in four of the ideographs.
    assert!(is_text(&[(pair, 6), (0x4E00, 2)]) && !is_text(&[(pair, 7), (0x4E00, 2)]));
    assert!(!is_text(&[]));
}

/// Surrogate pairs are text in any plane; single surrogates are not characters.
#[test]
fn pairs_of_surrogates_are_text_of_any_plane() {
    let read = |units: &[u16]| {
        let mut reading = Reading::default();
        units.iter().for_each(|&unit| reading.unit_16(unit));
        reading
    };
    for character in ['\u{1F600}', '\u{10400}', '\u{20BB7}', '\u{10FFFD}'] {
        let mut pair = [0; 2];
        character.encode_utf16(&mut pair);
        let reading = read(&pair);
        assert_eq!((reading.units, reading.bad), (2, 0), "{character:?}");
        assert!(reading.cost > 0 && !reading.awaits_trail, "{character:?}");
        let [lead, trail] = pair;
        for units in [[trail, lead], [lead, 0x61], [0x61, trail]] {
            assert!(read(&units).bad > 0, "{units:X?}");
        }
    }
}

/// Non-ASCII bytes count anywhere and in any number.
#[test]
fn kana_have_a_steady_half_and_bytes_beyond_ascii() {
    for places in [
        &[][..],
        &[0],
        &[0, 2],
        &[0, 130],
        &[254, 256],
        &[1, 129, 257],
        &[0, 2, 130, 132],
    ] {
        let mut bytes: [u8; 300] = core::array::from_fn(|at| if at % 2 == 0 { 0x42 } else { 0x30 });
        for &place in places {
            bytes[place] |= 0x80;
        }
        assert_eq!(has_steady_half(&bytes), !places.is_empty(), "{places:?}");
        // One byte fewer than a quarter is 0x30.
        let steady: Vec<usize> = (0..300).filter(|&at| bytes[at] == 0x30).collect();
        let (others, quarter) = steady.split_at(steady.len() - 300 / 4);
        others.iter().for_each(|&at| bytes[at] = 0x31);
        assert_eq!(has_steady_half(&bytes), !places.is_empty(), "{places:?}");
        bytes[quarter[0]] = 0x31;
        assert!(!has_steady_half(&bytes), "{places:?}");
    }
}

/// The order is signs at the start, letters, vowel signs, digits, and rare characters.
#[test]
fn indic_blocks_have_one_arrangement() {
    for (character, cost) in [
        ('क', 6),
        ('ि', 6),
        ('\u{905}', 6),
        ('\u{939}', 6),
        ('\u{93E}', 6),
        ('\u{94D}', 6),
        ('\u{901}', 8),
        ('\u{903}', 8),
        ('।', 8),
        ('\u{96F}', 8),
        ('\u{904}', 10),
        ('\u{93A}', 10),
        ('\u{94E}', 10),
        ('\u{963}', 10),
        ('\u{970}', 10),
    ] {
        assert_eq!(
            super::indic(u32::from(character) - 0x900),
            cost,
            "{character:?}"
        );
    }
}
