//! Every pointer of every index of the Standard: decoded, and encoded back where the encoder has it.
//!
//! The indexes are read from `gen/indexes` by a parser in this file. Lead and trail bytes are computed as in the Standard,
//! so that the library's tables are not used.

use crate::common::hex;
use mojika::{BIG5, BomHandling, EUC_JP, EUC_KR, Encoding, GB18030, GBK, ISO_2022_JP, SHIFT_JIS};
use std::collections::HashMap;

/// Pointers and code points of an index, by pointer.
fn index(name: &str, expected_count: usize) -> Vec<(usize, char)> {
    let path = format!(
        "{}/gen/indexes/index-{name}.txt",
        env!("CARGO_MANIFEST_DIR")
    );
    let file = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
    let rows: Vec<(usize, char)> = file
        .lines()
        .filter(|line| !line.trim().is_empty() && !line.starts_with('#'))
        .map(|line| {
            let mut fields = line.split_ascii_whitespace();
            let pointer = fields.next().unwrap().parse().unwrap();
            let code_point = fields.next().unwrap().strip_prefix("0x").unwrap();
            let scalar = char::from_u32(u32::from_str_radix(code_point, 16).unwrap());
            (pointer, scalar.expect("no index has surrogates"))
        })
        .collect();
    assert!(rows.is_sorted_by(|a, b| a.0 < b.0), "{name}");
    assert_eq!(rows.len(), expected_count, "{name}");
    rows
}

/// Returns the pointer that an encoder uses for each code point: the first or, if `last` selects it, the last.
fn by_code_point(
    rows: &[(usize, char)],
    excluded: impl Fn(usize) -> bool,
    last: &[char],
) -> HashMap<char, usize> {
    let mut pointers = HashMap::new();
    for &(pointer, scalar) in rows {
        if excluded(pointer) {
            continue;
        }
        if last.contains(&scalar) {
            pointers.insert(scalar, pointer);
        } else {
            pointers.entry(scalar).or_insert(pointer);
        }
    }
    pointers
}

#[track_caller]
fn decodes_to(encoding: &'static Encoding, bytes: &[u8], scalar: char) {
    let decoded = encoding.decode_with(bytes, BomHandling::Keep);
    let mut buffer = [0; 4];
    assert_eq!(
        decoded.text,
        &*scalar.encode_utf8(&mut buffer),
        "{encoding}: {}",
        hex(bytes)
    );
    assert!(!decoded.had_errors, "{encoding}: {}", hex(bytes));
}

#[track_caller]
fn encodes_to(encoding: &'static Encoding, scalar: char, bytes: &[u8]) {
    let mut buffer = [0; 4];
    let encoded = encoding.encode(scalar.encode_utf8(&mut buffer));
    assert_eq!(
        encoded.as_deref(),
        Ok(bytes),
        "{encoding}: U+{:04X}",
        u32::from(scalar)
    );
}

/// Checks that a pointer outside the index decodes to one error, of all its bytes except an ASCII trail.
#[track_caller]
fn is_unmapped(encoding: &'static Encoding, bytes: &[u8]) {
    let decoded = encoding.decode_with(bytes, BomHandling::Keep);
    let trail = bytes[bytes.len() - 1];
    let expected = if trail < 0x80 {
        format!("\u{FFFD}{}", char::from(trail))
    } else {
        "\u{FFFD}".to_string()
    };
    assert_eq!(decoded.text, expected, "{encoding}: {}", hex(bytes));
}

/// Runs over all pointers below `end`. Mapped ones decode, and encode back if the encoder uses that pointer; unmapped ones
/// are errors. Returns the number that encoded back.
fn round_trip(
    encoding: &'static Encoding,
    rows: &[(usize, char)],
    end: usize,
    bytes: impl Fn(usize) -> Vec<u8>,
    encoder: &HashMap<char, usize>,
) -> usize {
    let mut rows = rows.iter().copied().peekable();
    let mut encoded = 0;
    for pointer in 0..end {
        let bytes = bytes(pointer);
        match rows.next_if(|row| row.0 == pointer) {
            Some((_, scalar)) => {
                decodes_to(encoding, &bytes, scalar);
                if encoder.get(&scalar) == Some(&pointer) {
                    encodes_to(encoding, scalar, &bytes);
                    encoded += 1;
                }
            }
            None => is_unmapped(encoding, &bytes),
        }
    }
    assert_eq!(rows.next(), None, "{encoding}: pointers without bytes");
    assert_eq!(encoded, encoder.len(), "{encoding}");
    encoded
}

#[test]
fn big5_18590_pointers() {
    let rows = index("big5", 18590);
    let last = [
        '\u{2550}', '\u{255E}', '\u{2561}', '\u{256A}', '\u{5341}', '\u{5345}',
    ];
    let encoder = by_code_point(&rows, |pointer| pointer < (0xA1 - 0x81) * 157, &last);
    let bytes = |pointer| {
        let (lead, trail) = (pointer / 157 + 0x81, pointer % 157);
        let offset = if trail < 0x3F { 0x40 } else { 0x62 };
        vec![lead as u8, (trail + offset) as u8]
    };
    // The decoder handles four pointers that the index lacks.
    let pairs = [(1133, "Ê̄"), (1135, "Ê̌"), (1164, "ê̄"), (1166, "ê̌")];
    for (pointer, text) in pairs {
        assert!(rows.iter().all(|row| row.0 != pointer));
        assert_eq!(
            BIG5.decode_with(&bytes(pointer), BomHandling::Keep).text,
            text
        );
    }
    let mut with_pairs = rows.clone();
    with_pairs.extend(pairs.map(|(pointer, _)| (pointer, '\0')));
    with_pairs.sort_unstable();
    let mut encoded = 0;
    let mut unmapped = 0;
    let mut rows = with_pairs.iter().peekable();
    for pointer in 0..126 * 157 {
        match rows.next_if(|row| row.0 == pointer) {
            Some((_, '\0')) => {}
            Some(&(_, scalar)) => {
                decodes_to(BIG5, &bytes(pointer), scalar);
                if encoder.get(&scalar) == Some(&pointer) {
                    encodes_to(BIG5, scalar, &bytes(pointer));
                    encoded += 1;
                }
            }
            None => {
                is_unmapped(BIG5, &bytes(pointer));
                unmapped += 1;
            }
        }
    }
    assert_eq!((encoded, unmapped), (encoder.len(), 126 * 157 - 18590 - 4));
    assert_eq!(encoded, 14653);
}

#[test]
fn euc_kr_17048_pointers() {
    let rows = index("euc-kr", 17048);
    let encoder = by_code_point(&rows, |_| false, &[]);
    let bytes = |pointer| vec![(pointer / 190 + 0x81) as u8, (pointer % 190 + 0x41) as u8];
    assert_eq!(round_trip(EUC_KR, &rows, 126 * 190, bytes, &encoder), 17048);
}

#[test]
fn gb18030_23940_pointers() {
    let rows = index("gb18030", 23940);
    let encoder = by_code_point(&rows, |_| false, &[]);
    let bytes = |pointer| {
        let (lead, trail) = (pointer / 190 + 0x81, pointer % 190);
        let offset = if trail < 0x3F { 0x40 } else { 0x41 };
        vec![lead as u8, (trail + offset) as u8]
    };
    let encoded = round_trip(GB18030, &rows, 126 * 190, bytes, &encoder);
    assert_eq!(encoded, 23939);
    // GBK differs in the euro sign.
    for &(pointer, scalar) in &rows {
        let bytes = bytes(pointer);
        decodes_to(GBK, &bytes, scalar);
        if scalar == '€' {
            encodes_to(GBK, scalar, b"\x80");
        } else if encoder[&scalar] == pointer {
            encodes_to(GBK, scalar, &bytes);
        }
    }
}

#[test]
fn gb18030_ranges_of_207_offsets() {
    let ranges = index("gb18030-ranges", 207);
    let two_byte = by_code_point(&index("gb18030", 23940), |_| false, &[]);
    let side_table = |scalar| {
        matches!(scalar, '\u{E78D}'..='\u{E796}')
            || "\u{E81E}\u{E826}\u{E82B}\u{E82C}\u{E832}\u{E843}\u{E854}\u{E864}".contains(scalar)
    };
    let (mut decoded, mut encoded) = (0, 0);
    for pointer in 0..126 * 10 * 126 * 10 {
        let bytes = [
            (pointer / 12600 + 0x81) as u8,
            (pointer / 1260 % 10 + 0x30) as u8,
            (pointer / 10 % 126 + 0x81) as u8,
            (pointer % 10 + 0x30) as u8,
        ];
        let scalar = match pointer {
            7457 => Some('\u{E7C7}'),
            39420..189_000 | 1_237_576.. => None,
            _ => {
                let range = &ranges[ranges.partition_point(|row| row.0 <= pointer) - 1];
                char::from_u32(u32::from(range.1) + (pointer - range.0) as u32)
            }
        };
        // The planes beyond the first are linear: their edges and every 97th stand for all.
        if (189_100..1_237_500).contains(&pointer) && pointer % 97 != 0 {
            continue;
        }
        let Some(scalar) = scalar else {
            if pointer % 17 == 0 || matches!(pointer, 39420 | 188_999 | 1_237_576) {
                let decoded = GB18030.decode_with(&bytes, BomHandling::Keep);
                assert_eq!(decoded.text, "\u{FFFD}", "gb18030: {}", hex(&bytes));
            }
            continue;
        };
        decodes_to(GB18030, &bytes, scalar);
        decoded += usize::from(pointer < 39420);
        if !two_byte.contains_key(&scalar) && !side_table(scalar) && scalar != '\u{E5E5}' {
            encodes_to(GB18030, scalar, &bytes);
            encoded += usize::from(pointer < 39420);
        }
    }
    // The 18 code points with rows of their own are encoded as two bytes.
    assert_eq!((decoded, encoded), (39420, 39420 - 18));
}

#[test]
fn jis0208_7724_pointers_in_euc_jp() {
    let rows: Vec<_> = index("jis0208", 7724);
    // EUC-JP uses the first pointer, even if it has no bytes for that one.
    let encoder = by_code_point(&rows, |_| false, &[]);
    let reachable: Vec<_> = rows.iter().copied().filter(|row| row.0 < 94 * 94).collect();
    let encoder: HashMap<_, _> = encoder.into_iter().filter(|e| e.1 < 94 * 94).collect();
    let bytes = |pointer| vec![(pointer / 94 + 0xA1) as u8, (pointer % 94 + 0xA1) as u8];
    let encoded = round_trip(EUC_JP, &reachable, 94 * 94, bytes, &encoder);
    assert_eq!((reachable.len(), encoded), (7336, 7326));
}

#[test]
fn jis0208_7724_pointers_in_iso_2022_jp() {
    let rows = index("jis0208", 7724);
    let encoder = by_code_point(&rows, |_| false, &[]);
    let mut encoded = 0;
    for &(pointer, scalar) in rows.iter().filter(|row| row.0 < 94 * 94) {
        let (row, cell) = ((pointer / 94 + 0x21) as u8, (pointer % 94 + 0x21) as u8);
        decodes_to(ISO_2022_JP, &[0x1B, b'$', b'B', row, cell], scalar);
        if encoder[&scalar] == pointer {
            let bytes = [0x1B, b'$', b'B', row, cell, 0x1B, b'(', b'B'];
            encodes_to(ISO_2022_JP, scalar, &bytes);
            encoded += 1;
        }
    }
    assert_eq!(encoded, 7326);
}

#[test]
fn jis0208_7724_pointers_in_shift_jis() {
    let rows = index("jis0208", 7724);
    let encoder = by_code_point(&rows, |pointer| (8272..=8835).contains(&pointer), &[]);
    let bytes = |pointer: usize| {
        let (lead, trail) = (pointer / 188, pointer % 188);
        let lead_offset = if lead < 0x1F { 0x81 } else { 0xC1 };
        let offset = if trail < 0x3F { 0x40 } else { 0x41 };
        vec![(lead + lead_offset) as u8, (trail + offset) as u8]
    };
    // Windows' end-user-defined characters are in the decoder only.
    assert!(rows.iter().all(|row| !(8836..=10715).contains(&row.0)));
    let mut with_eudc = rows;
    with_eudc.extend((8836..=10715).map(|pointer| {
        (
            pointer,
            char::from_u32((0xE000 - 8836 + pointer) as u32).unwrap(),
        )
    }));
    with_eudc.sort_unstable();
    let encoded = round_trip(SHIFT_JIS, &with_eudc, 60 * 188, bytes, &encoder);
    assert_eq!(encoded, 7326);
}

#[test]
fn jis0212_6067_pointers() {
    let rows = index("jis0212", 6067);
    let bytes = |pointer| {
        vec![
            0x8F,
            (pointer / 94 + 0xA1) as u8,
            (pointer % 94 + 0xA1) as u8,
        ]
    };
    round_trip(EUC_JP, &rows, 94 * 94, bytes, &HashMap::new());
    // EUC-JP encodes only the characters of index jis0208.
    let jis0208 = by_code_point(&index("jis0208", 7724), |_| false, &[]);
    for (_, scalar) in rows {
        let encoded = EUC_JP
            .encode_html(scalar.encode_utf8(&mut [0; 4]))
            .unwrap()
            .had_errors;
        assert_eq!(
            encoded,
            !jis0208.contains_key(&scalar),
            "U+{:04X}",
            u32::from(scalar)
        );
    }
}

#[test]
fn iso_2022_jp_katakana_63_pointers() {
    let jis0208 = by_code_point(&index("jis0208", 7724), |_| false, &[]);
    for (pointer, full_width) in index("iso-2022-jp-katakana", 63) {
        let half_width = char::from_u32(0xFF61 + pointer as u32).unwrap();
        let pointer = jis0208[&full_width];
        let (row, cell) = ((pointer / 94 + 0x21) as u8, (pointer % 94 + 0x21) as u8);
        let bytes = [0x1B, b'$', b'B', row, cell, 0x1B, b'(', b'B'];
        encodes_to(ISO_2022_JP, half_width, &bytes);
    }
}

#[test]
fn single_byte_indexes() {
    let mut total = 0;
    for encoding in Encoding::all().iter().filter(|e| e.is_single_byte()) {
        let name = match encoding.name() {
            "x-user-defined" => continue,
            "ISO-8859-8-I" => "iso-8859-8".to_string(),
            name => name.to_ascii_lowercase(),
        };
        let count = match &*name {
            "iso-8859-3" => 121,
            "iso-8859-6" => 83,
            "iso-8859-7" | "windows-1253" => 125,
            "iso-8859-8" => 92,
            "windows-874" => 120,
            "windows-1255" => 118,
            "windows-1257" => 126,
            _ => 128,
        };
        let rows = index(&name, count);
        let encoder = by_code_point(&rows, |_| false, &[]);
        let bytes = |pointer| vec![(pointer + 0x80) as u8];
        total += round_trip(encoding, &rows, 128, bytes, &encoder);
    }
    assert_eq!(total, 3434);
}
