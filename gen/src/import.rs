//! `gen import`: derives each index by decoding every pointer with encoding_rs.
//!
//! A pointer belongs to the index if its bytes, alone, decode without error to one code point. Decoding rules outside an
//! index are thereby excluded, with two exceptions: the end-user-defined rows of Shift_JIS, and pointer 7457 of the gb18030
//! ranges.

use std::collections::BTreeMap;

use encoding_rs::{BIG5, EUC_JP, EUC_KR, Encoding, GB18030, ISO_2022_JP, SHIFT_JIS};

use crate::double_byte::{self, LEADS, Layout};
use crate::index::{self, Index};
use crate::{Outcome, paths};

/// Runs the command.
pub fn run() -> Outcome {
    let directory = paths::indexes();
    std::fs::create_dir_all(&directory)?;
    let (mut files, mut entries) = (0, 0);
    for (name, index) in all()? {
        let path = directory.join(index::file_name(name));
        let before = std::fs::read_to_string(&path).unwrap_or_default();
        std::fs::write(path, index.format(name, &before))?;
        files += 1;
        entries += index.0.len();
    }
    Ok(format!("imported {files} indexes, {entries} entries"))
}

fn all() -> Result<Vec<(&'static str, Index)>, String> {
    let mut indexes = Vec::new();
    for name in index::SINGLE_BYTE {
        let encoding = Encoding::for_label(name.as_bytes())
            .ok_or_else(|| format!("encoding_rs does not know {name}"))?;
        indexes.push((
            name,
            collect(0..128, |pointer| decode(encoding, &[0x80 | pointer as u8])),
        ));
    }
    let double_byte = |encoding, layout: Layout| {
        collect(0..LEADS * layout.trails, |pointer| {
            decode(encoding, &layout.bytes(pointer))
        })
    };
    indexes.push(("big5", double_byte(BIG5, double_byte::BIG5)));
    indexes.push(("euc-kr", double_byte(EUC_KR, double_byte::EUC_KR)));
    indexes.push(("gb18030", double_byte(GB18030, double_byte::GB18030)));
    indexes.push(("gb18030-ranges", gb18030_ranges()));
    indexes.push(("iso-2022-jp-katakana", iso_2022_jp_katakana()));
    indexes.push(("jis0208", jis0208()));
    indexes.push(("jis0212", jis0212()));
    Ok(indexes)
}

fn collect(
    pointers: impl IntoIterator<Item = u32>,
    code_point: impl Fn(u32) -> Option<u32>,
) -> Index {
    Index(
        pointers
            .into_iter()
            .filter_map(|pointer| Some((pointer, code_point(pointer)?)))
            .collect(),
    )
}

/// Returns the one code point that `bytes` decode to.
fn decode(encoding: &'static Encoding, bytes: &[u8]) -> Option<u32> {
    let text = encoding.decode_without_bom_handling_and_without_replacement(bytes)?;
    let mut characters = text.chars();
    let first = characters.next()?;
    // Big5's pointers 1133, 1135, 1164 and 1166 decode to two code points by a rule of the decoder, not through the index.
    characters.next().is_none().then_some(first as u32)
}

/// EUC-JP reaches rows 0..=93, Shift_JIS rows 0..=119. For pointers 8836..=10715, Shift_JIS uses the private use area
/// instead of the index.
fn jis0208() -> Index {
    const END_USER_DEFINED: std::ops::Range<u32> = 8836..10716;
    let mut index = collect(0..END_USER_DEFINED.start, |pointer| {
        decode(EUC_JP, &double_byte::EUC_JP.bytes(pointer))
    });
    let shift_jis = collect(0..60 * double_byte::SHIFT_JIS.trails, |pointer| {
        decode(SHIFT_JIS, &double_byte::SHIFT_JIS.bytes(pointer))
            .filter(|_| !END_USER_DEFINED.contains(&pointer))
    });
    for (pointer, code_point) in shift_jis.0 {
        let known = index.0.insert(pointer, code_point);
        assert!(
            known == Some(code_point) || pointer >= END_USER_DEFINED.end,
            "EUC-JP and Shift_JIS disagree at pointer {pointer}"
        );
    }
    index
}

fn jis0212() -> Index {
    collect(0..94 * 94, |pointer| {
        let [lead, trail] = double_byte::EUC_JP.bytes(pointer);
        decode(EUC_JP, &[0x8F, lead, trail])
    })
}

/// Only the encoder uses this index: it replaces half-width katakana by full-width ones.
fn iso_2022_jp_katakana() -> Index {
    collect(0..63, |pointer| {
        let half_width = char::from_u32(0xFF61 + pointer)?.to_string();
        let (bytes, _, unmappable) = ISO_2022_JP.encode(&half_width);
        decode(ISO_2022_JP, &bytes).filter(|_| !unmappable)
    })
}

/// A range is a maximal sequence in which pointer and code point grow together. Pointer 7457 (U+E7C7) is left out, because
/// the Standard's algorithm handles it before the ranges.
fn gb18030_ranges() -> Index {
    let mut ranges = BTreeMap::new();
    let mut difference = None;
    for pointer in (0..=39_419).chain([189_000]) {
        let [high, low] = [pointer / 1260, pointer % 1260];
        let bytes = [
            (0x81 + high / 10) as u8,
            (0x30 + high % 10) as u8,
            (0x81 + low / 10) as u8,
            (0x30 + low % 10) as u8,
        ];
        let Some(code_point) = decode(GB18030, &bytes).filter(|_| pointer != 7457) else {
            continue;
        };
        let next = Some(i64::from(code_point) - i64::from(pointer));
        if difference != next {
            difference = next;
            ranges.insert(pointer, code_point);
        }
    }
    Index(ranges)
}
