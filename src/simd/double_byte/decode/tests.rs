//! The kernels against a byte-wise model, on layouts made for the test, with an index that has holes.

use super::{DoubleByteDecode, Layout, decode_at};
use crate::simd::double_byte::tests::kernels;
use crate::simd::double_byte::{Utf8, Utf16};
use crate::simd::level::{Active, Level};
use crate::simd::out::Out;
use crate::simd::tests::{dice, index};
use crate::simd::tuning;
use crate::tables;

/// Returns the maximum number of bytes at the end that a kernel leaves to the portable loop.
fn leaves(kernel: Active) -> usize {
    match kernel.level() {
        Level::Avx512 => 0,
        _ => 64 + 8 - 1,
    }
}

/// An index with an element for every pointer: two-byte and three-byte characters, and holes.
static INDEX: [u16; 24000] = index();

static SOME_PLAIN: DoubleByteDecode = DoubleByteDecode {
    layout: Layout {
        leads: [(0x81, 0xFE); 2],
        plain: [(0x90, 0x9F), (0xB0, 0xFE)],
        lead_offsets: [0x81; 2],
        columns: 190,
        trails: [(0x41, 0x7E), (0x80, 0xFE)],
        trail_offsets: [0x41; 2],
        first_pointer: 942,
        katakana: false,
    },
    index: &INDEX,
};

static TWO_RANGES: DoubleByteDecode = DoubleByteDecode {
    layout: Layout {
        leads: [(0x81, 0x9F), (0xE0, 0xFC)],
        plain: [(0x81, 0x9F), (0xE0, 0xFC)],
        lead_offsets: [0x81, 0xC1],
        columns: 188,
        trails: [(0x40, 0x7E), (0x80, 0xFC)],
        trail_offsets: [0x40, 0x41],
        first_pointer: 0,
        katakana: true,
    },
    index: &INDEX,
};

/// The four-byte characters of gb18030.
const GB18030: DoubleByteDecode = DoubleByteDecode {
    layout: Layout {
        leads: [(0x81, 0xFE); 2],
        plain: [(0x81, 0xFE); 2],
        lead_offsets: [0x81; 2],
        columns: 190,
        trails: [(0x40, 0x7E), (0x80, 0xFE)],
        trail_offsets: [0x40, 0x41],
        first_pointer: 0,
        katakana: false,
    },
    index: &INDEX,
};

static SQUARE: DoubleByteDecode = DoubleByteDecode {
    layout: Layout::EUC,
    index: &INDEX,
};

/// Returns the code point of four bytes.
fn four_bytes(bytes: [u8; 4]) -> Option<u32> {
    let [a, b, c, d] = bytes.map(u32::from);
    let row = (a - 0x81) * 10 + b - 0x30;
    tables::gb18030_ranges_code_point((row * 126 + c - 0x81) * 10 + d - 0x30)
}

/// Returns the longest prefix that the kernel may decode: the end of each character, and the character.
fn model(pairs: &DoubleByteDecode, src: &[u8], katakana: bool) -> Vec<(usize, char)> {
    let layout = &pairs.layout;
    let find = |ranges: [(u8, u8); 2], byte: u8| {
        (0..2).rfind(|&i| (ranges[i].0..=ranges[i].1).contains(&byte))
    };
    let mut at = 0;
    let mut text = Vec::new();
    while at < src.len() {
        let byte = src[at];
        let scalar = if byte < 0x80 {
            at += 1;
            u32::from(byte)
        } else if let Some(lead_range) = find(layout.leads, byte) {
            let Some(trail_range) = src.get(at + 1).and_then(|&b| find(layout.trails, b)) else {
                break;
            };
            if find(layout.plain, byte).is_none() {
                break;
            }
            let row = u32::from(byte - layout.lead_offsets[lead_range]);
            let column = u32::from(src[at + 1] - layout.trail_offsets[trail_range]);
            let pointer = row * u32::from(layout.columns) + column;
            let Some(position) = pointer.checked_sub(layout.first_pointer.into()) else {
                break;
            };
            match INDEX.get(position as usize) {
                None | Some(0) => break,
                Some(&code_point) => {
                    at += 2;
                    code_point.into()
                }
            }
        } else if layout.katakana && katakana && (0xA1..=0xDF).contains(&byte) {
            at += 1;
            0xFF61 - 0xA1 + u32::from(byte)
        } else {
            break;
        };
        text.push((at, char::from_u32(scalar).unwrap()));
    }
    text
}

fn check(pairs: &DoubleByteDecode, kernel: Active, src: &[u8], room: usize) {
    let mut units = vec![0xABCD_u16; room];
    let mut out = Out::from_init(&mut units);
    let read = decode_at::<Utf16>(kernel, pairs, src, &mut out);
    let written = out.written();
    let taken: Vec<_> = model(pairs, src, true);
    check_progress(kernel, &taken, src, read, room / 64);
    let expected: String = taken.iter().filter(|t| t.0 <= read).map(|t| t.1).collect();
    let expected: Vec<u16> = expected.encode_utf16().collect();
    assert_eq!(
        units[..written],
        expected,
        "{kernel:?} to UTF-16, room {room}: {src:02X?}"
    );
    assert!(
        units[written..].iter().all(|&unit| unit == 0xABCD),
        "{kernel:?} beyond: {src:02X?}"
    );

    let mut bytes = vec![0xEE; room];
    let mut out = Out::from_init(&mut bytes);
    let read = decode_at::<Utf8>(kernel, pairs, src, &mut out);
    let written = out.written();
    let taken: Vec<_> = model(pairs, src, false);
    check_progress(kernel, &taken, src, read, room / 96);
    let expected: String = taken.iter().filter(|t| t.0 <= read).map(|t| t.1).collect();
    assert_eq!(
        &bytes[..written],
        expected.as_bytes(),
        "{kernel:?} to UTF-8, room {room}: {src:02X?}"
    );
    assert!(
        bytes[written..].iter().all(|&byte| byte == 0xEE),
        "{kernel:?} beyond: {src:02X?}"
    );
}

/// Asserts that the kernel ends at a character. If the output has space for blocks, asserts that it decodes all it can.
fn check_progress(kernel: Active, taken: &[(usize, char)], src: &[u8], read: usize, blocks: usize) {
    let most = taken.last().map_or(0, |t| t.0);
    assert!(
        read == 0 || taken.iter().any(|t| t.0 == read),
        "{kernel:?}: read {read} of {most}: {src:02X?}"
    );
    // A batch may leave a pair at its end that does not fit.
    if blocks * 64 > src.len() + 256 {
        let leaves = src.len() - read <= leaves(kernel);
        assert!(
            read == most || leaves || (read == 0 && most < tuning::PORTABLE_UP_TO),
            "{kernel:?}: {read} of {most}: {src:02X?}"
        );
    }
}

/// Checks inputs of ASCII, random bytes and the output of `piece` in various proportions, with enough output space or
/// too little.
fn inputs(
    random: &mut impl FnMut(u64) -> u64,
    count: usize,
    mut piece: impl FnMut(&mut dyn FnMut(u64) -> u64, &mut Vec<u8>),
    mut check: impl FnMut(Active, &[u8], usize),
) {
    for round in 0..count {
        let len = random(if round % 8 == 0 { 6000 } else { 300 }) as usize;
        // The shares of ASCII, pieces and random bytes, per mille.
        let ascii = [0, 300, 900, 995][random(4) as usize];
        let wild = [0, 0, 1, 20][random(4) as usize];
        let mut src = Vec::new();
        while src.len() < len {
            let dice = random(1000);
            if dice < wild {
                src.push(random(256) as u8);
            } else if dice < ascii {
                src.push(random(128) as u8);
            } else {
                piece(random, &mut src);
            }
        }
        let room = match random(3) {
            0 => random(400) as usize,
            _ => 3 * src.len() + 800,
        };
        for kernel in kernels() {
            check(kernel, &src, room);
        }
    }
}

#[test]
fn the_kernel_is_the_model_on_every_mix() {
    let pair = |random: &mut dyn FnMut(u64) -> u64, src: &mut Vec<u8>| {
        // Unmapped pairs are few, but enough to end most prefixes early, so they are usually avoided.
        let (lead, trail) = (0x91 + random(12) as u8, 0x41 + random(0x3D) as u8);
        let position = usize::from(lead - 0x81) * 188 + usize::from(trail - 0x40);
        let hole = position % 97 == 0 || (position + 32 - 942 + 95) % 97 < 2;
        if !hole || random(20) == 0 {
            src.extend([lead, trail]);
        }
    };
    inputs(&mut dice(), 6000, pair, |kernel, src, room| {
        check(&SOME_PLAIN, kernel, src, room);
        check(&TWO_RANGES, kernel, src, room);
    });
}

#[test]
fn half_width_katakana_are_the_models_also_beside_nul() {
    let piece = |random: &mut dyn FnMut(u64) -> u64, src: &mut Vec<u8>| match random(8) {
        0 => src.push(0),
        1..4 => src.extend([0x91, 0x41 + random(8) as u8]),
        _ => src.push(0xA1 + random(0x3F) as u8),
    };
    inputs(&mut dice(), 2000, piece, |kernel, src, room| {
        check(&TWO_RANGES, kernel, src, room);
    });
}

#[test]
fn characters_of_four_bytes_are_the_models() {
    // The masks treat each half of a four-byte sequence as a pair. Only the bytes before a half tell which half it is.
    let piece = |random: &mut dyn FnMut(u64) -> u64, src: &mut Vec<u8>| match random(12) {
        0..=2 => {
            for _ in 0..1 + random(6) {
                let before = src.len();
                for leads in [5, 126] {
                    src.extend([0x81 + random(leads) as u8, 0x30 + random(10) as u8]);
                }
                let last: [u8; 4] = *src[before..].first_chunk().unwrap();
                if four_bytes(last).is_none() && random(20) != 0 {
                    src.truncate(before);
                }
            }
        }
        3 if random(20) == 0 => src.extend([0x81 + random(126) as u8, 0x30 + random(10) as u8]),
        // Near pointer 7457, which is in no range, and near the highest pointer.
        4 if random(10) == 0 => src.extend([0x81, 0x35, 0xF4, 0x36 + random(3) as u8]),
        // One byte is just outside its range.
        6 if random(8) == 0 => {
            let mut bytes = [0x82, 0x31, 0x84, 0x32];
            let at = random(4) as usize;
            bytes[at] = [[0x80, 0xFF], [0x2F, 0x3A]][at % 2][random(2) as usize];
            src.extend(bytes);
        }
        5 if random(20) == 0 => src.extend([0xE3, 0x32, 0x9A, 0x34 + random(3) as u8]),
        _ => {
            let (lead, trail) = (0x81 + random(120) as u8, 0x80 + random(0x7E) as u8);
            let position = usize::from(lead - 0x81) * 190 + usize::from(trail - 0x41);
            if position % 97 != 0 {
                src.extend([lead, trail]);
            }
        }
    };
    inputs(&mut dice(), 4000, piece, |kernel, src, room| {
        check(&GB18030, kernel, src, room);
    });
}

#[test]
fn pairs_alone_are_the_models() {
    let pair = |random: &mut dyn FnMut(u64) -> u64, src: &mut Vec<u8>| {
        let (lead, trail) = (0xA1 + random(94) as u8, 0xA1 + random(94) as u8);
        let position = usize::from(lead - 0xA1) * 94 + usize::from(trail - 0xA1);
        if position % 97 != 0 || random(50) == 0 {
            src.extend([lead, trail]);
        }
    };
    inputs(&mut dice(), 2000, pair, |kernel, src, room| {
        check(&SQUARE, kernel, src, room)
    });
}

#[test]
fn every_place_of_a_stop_is_exact() {
    for stop in [
        &[0x80][..],
        &[0xFF],
        &[0x91],
        &[0x91, 0x20],
        &[0x91, 0x30],
        &[0x91, 0x30, 0x91],
        &[0x91, 0x30, 0x91, 0x32],
        &[0x91, 0x30, 0x20, 0x91, 0x32],
        &[0xA0],
        &[0xB5],
        &[],
    ] {
        for unit in [&b"a"[..], &[0x91, 0x42], b"ab\x91\x43"] {
            for before in 0..200 {
                let mut src = unit.repeat(before / unit.len() + 1);
                src.extend_from_slice(stop);
                src.extend_from_slice(&unit.repeat(40));
                for kernel in kernels() {
                    check(&SOME_PLAIN, kernel, &src, 4 * src.len() + 1600);
                    check(&TWO_RANGES, kernel, &src, 4 * src.len() + 1600);
                    check(&GB18030, kernel, &src, 4 * src.len() + 1600);
                }
            }
        }
    }
}
