//! The kernel against a model that decodes byte by byte, on layouts of its own with an index that has holes.

use super::super::out::Out;
use super::super::token::Avx512;
use super::{Layout, Pairs, avx512};

/// An index with an element for every pointer: two-byte and three-byte characters, and holes.
static INDEX: [u16; 24000] = {
    let mut index = [0; 24000];
    let mut i = 0;
    while i < index.len() {
        index[i] = match i % 97 {
            0 => 0,
            1..=9 => 0xA0 + (i % 1800) as u16,
            _ => 0x3000 + (i % 0x9000) as u16,
        };
        i += 1;
    }
    index
};

macro_rules! layout {
    ($name:ident, $($field:ident: $value:expr),*) => {
        #[derive(Clone, Copy)]
        struct $name;
        impl Pairs for $name {
            const LAYOUT: Layout = Layout { $($field: $value),* };
            fn index() -> &'static [u16] {
                &INDEX
            }
        }
    };
}

layout!(OneRange, leads: [(0x81, 0xFE); 2], plain: [(0x90, 0x9F), (0xB0, 0xFE)], lead_offsets: [0x81; 2],
    columns: 190, trails: [(0x41, 0xFE); 2], trail_offsets: [0x41; 2], first_pointer: 942, katakana: false, ascii: true);
layout!(TwoRanges, leads: [(0x81, 0x9F), (0xE0, 0xFC)], plain: [(0x81, 0x9F), (0xE0, 0xFC)],
    lead_offsets: [0x81, 0xC1], columns: 188, trails: [(0x40, 0x7E), (0x80, 0xFC)], trail_offsets: [0x40, 0x41],
    first_pointer: 0, katakana: true, ascii: true);

/// What the kernel may take at most, and the text of it.
fn model<P: Pairs>(src: &[u8], katakana: bool) -> Vec<(usize, char)> {
    let layout = P::LAYOUT;
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

fn check<P: Pairs>(token: Avx512, src: &[u8], room: usize) {
    let mut units = vec![0xABCD_u16; room];
    let mut out = Out::from_init(&mut units);
    let read = avx512::decode::<P, avx512::Utf16>(token, src, &mut out);
    let written = out.written();
    let taken: Vec<_> = model::<P>(src, true);
    check_progress(&taken, src, read, room / 64);
    let expected: String = taken.iter().filter(|t| t.0 <= read).map(|t| t.1).collect();
    let expected: Vec<u16> = expected.encode_utf16().collect();
    assert_eq!(
        units[..written],
        expected,
        "to UTF-16, room {room}: {src:02X?}"
    );
    assert!(
        units[written..].iter().all(|&unit| unit == 0xABCD),
        "beyond: {src:02X?}"
    );

    let mut bytes = vec![0xEE; room];
    let mut out = Out::from_init(&mut bytes);
    let read = avx512::decode::<P, avx512::Utf8>(token, src, &mut out);
    let written = out.written();
    let taken: Vec<_> = model::<P>(src, false);
    check_progress(&taken, src, read, room / 96);
    let expected: String = taken.iter().filter(|t| t.0 <= read).map(|t| t.1).collect();
    assert_eq!(
        &bytes[..written],
        expected.as_bytes(),
        "to UTF-8, room {room}: {src:02X?}"
    );
    assert!(
        bytes[written..].iter().all(|&byte| byte == 0xEE),
        "beyond: {src:02X?}"
    );
}

/// The kernel ends at a character, and takes all it can as long as there are blocks of room.
fn check_progress(taken: &[(usize, char)], src: &[u8], read: usize, blocks: usize) {
    let most = taken.last().map_or(0, |t| t.0);
    assert!(
        read == 0 || taken.iter().any(|t| t.0 == read),
        "read {read} of {most}: {src:02X?}"
    );
    // A batch may leave a cut pair behind, for which there may be no room.
    if blocks * 64 > src.len() + 256 {
        assert_eq!(read, most, "{src:02X?}");
    }
}

#[test]
fn the_kernel_is_the_model_on_every_mix() {
    let Some(token) = Avx512::detect() else {
        return;
    };
    let mut state = 0x9E37_79B9_7F4A_7C15_u64;
    let mut random = move |below: u64| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state % below
    };
    for round in 0..6000 {
        let len = random(if round % 8 == 0 { 2300 } else { 300 }) as usize;
        // Per mille: ASCII, then pairs, then anything.
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
                // The holes are few, but enough to end most runs: usually aim at the rest.
                let (lead, trail) = (0x91 + random(12) as u8, 0x41 + random(0x3D) as u8);
                let position = usize::from(lead - 0x81) * 188 + usize::from(trail - 0x40);
                let hole = position % 97 == 0 || (position + 32 - 942 + 95) % 97 < 2;
                if !hole || random(20) == 0 {
                    src.extend([lead, trail]);
                }
            }
        }
        let room = match random(3) {
            0 => random(400) as usize,
            _ => 3 * src.len() + 800,
        };
        check::<OneRange>(token, &src, room);
        check::<TwoRanges>(token, &src, room);
    }
}

#[test]
fn every_place_of_a_stop_is_exact() {
    let Some(token) = Avx512::detect() else {
        return;
    };
    for stop in [
        &[0x80][..],
        &[0xFF],
        &[0x91],
        &[0x91, 0x20],
        &[0xA0],
        &[0xB5],
        &[],
    ] {
        for unit in [&b"a"[..], &[0x91, 0x42], b"ab\x91\x43"] {
            for before in 0..200 {
                let mut src = unit.repeat(before / unit.len() + 1);
                src.extend_from_slice(stop);
                src.extend_from_slice(&unit.repeat(40));
                check::<OneRange>(token, &src, 4 * src.len() + 1600);
                check::<TwoRanges>(token, &src, 4 * src.len() + 1600);
            }
        }
    }
}
