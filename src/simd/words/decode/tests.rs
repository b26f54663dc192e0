//! The kernel against a model that decodes pair by pair, with an index that has holes.

use super::super::super::out::Out;
use super::super::super::pairs::{Layout, Pairs};
use super::super::tests::{dice, has_long_run, index};
use super::{Utf8, Utf16, decode};

/// Code points of two and three bytes, and holes, not as far as the last leads.
static INDEX: [u16; 80 * 94] = index();

static EUC: Pairs = Pairs {
    layout: Layout::EUC,
    index: &INDEX,
    four_bytes: None,
    words: true,
    has_spaces: true,
};

/// More leads and trails than those of EUC, whose pointers are in the second ranges.
static WIDER: Pairs = Pairs {
    layout: Layout {
        leads: [(0x81, 0xFE); 2],
        plain: [(0x81, 0xFE); 2],
        lead_offsets: [0x81; 2],
        columns: 100,
        trails: [(0x40, 0x4E), (0x9A, 0xFE)],
        trail_offsets: [0x40, 0x9A],
        ..Layout::EUC
    },
    ..EUC
};

/// The pointer of a lead and a trail from 0xA1 on.
fn pointer(pairs: &Pairs, lead: u8, trail: u8) -> usize {
    let (lead, trail) = (usize::from(lead), usize::from(trail));
    if pairs.layout.columns == 94 {
        (lead - 0xA1) * 94 + trail - 0xA1
    } else {
        (lead - 0x81) * 100 + trail - 0x9A
    }
}

/// Where each character of the well-formed prefix ends, and what it is.
fn model(pairs: &Pairs, src: &[u8]) -> Vec<(usize, char)> {
    let mut characters = Vec::new();
    let mut at = 0;
    while let [first, ref rest @ ..] = src[at..] {
        let (code_point, len) = match (first, rest.first()) {
            (0..0x80, _) => (first.into(), 1),
            (0xA1..=0xFE, Some(trail @ 0xA1..=0xFE)) => {
                match INDEX.get(pointer(pairs, first, *trail)) {
                    None | Some(0) => break,
                    Some(&code_point) => (u32::from(code_point), 2),
                }
            }
            _ => break,
        };
        at += len;
        characters.push((at, char::from_u32(code_point).unwrap()));
    }
    characters
}

fn check(pairs: &Pairs, src: &[u8], room: usize) {
    let characters = model(pairs, src);
    let text = |read: usize| characters.iter().filter(move |t| t.0 <= read).map(|t| t.1);

    let mut bytes = vec![0xEE; room];
    let mut out = Out::from_init(&mut bytes);
    let read = decode::<Utf8>(pairs, src, &mut out);
    let written = out.written();
    check_progress(&characters, src, read, 3 * src.len() / 2 + 96 <= room);
    assert_eq!(
        bytes[..written],
        *text(read).collect::<String>().as_bytes(),
        "{src:02X?}"
    );
    assert!(
        bytes[written..].iter().all(|&byte| byte == 0xEE),
        "{src:02X?}"
    );

    let mut units = vec![0xABCD_u16; room];
    let mut out = Out::from_init(&mut units);
    let read = decode::<Utf16>(pairs, src, &mut out);
    let written = out.written();
    check_progress(&characters, src, read, src.len() + 64 <= room);
    let expected: Vec<u16> = text(read).map(|c| c as u16).collect();
    assert_eq!(units[..written], expected, "{src:02X?}");
    assert!(
        units[written..].iter().all(|&unit| unit == 0xABCD),
        "{src:02X?}"
    );
}

fn check_progress(characters: &[(usize, char)], src: &[u8], read: usize, has_room: bool) {
    let most = characters.last().map_or(0, |t| t.0);
    assert!(
        read == 0 || characters.iter().any(|t| t.0 == read),
        "{read} of {most}: {src:02X?}"
    );
    if has_room && read != most {
        let block = &src[read..src.len().min(read + 64)];
        let few = 2 * block.iter().filter(|byte| !byte.is_ascii()).count() < block.len();
        assert!(
            few || has_long_run(|byte| byte < 0x80)(block),
            "{read} of {most}: {src:02X?}"
        );
    }
}

#[test]
fn the_kernel_is_the_model_on_every_mix() {
    let mut random = dice();
    for round in 0..20_000 {
        let len = random(if round % 8 == 0 { 2000 } else { 150 }) as usize;
        // Per mille: ASCII, then pairs, then anything.
        let ascii = [0, 200, 600, 950][random(4) as usize];
        let wild = [0, 0, 1, 20][random(4) as usize];
        let pairs = [&EUC, &WIDER][round % 2];
        let mut src = Vec::new();
        while src.len() < len {
            let dice = random(1000);
            if dice < wild {
                src.push(random(256) as u8);
            } else if dice < ascii {
                src.push(random(128) as u8);
            } else {
                let (lead, trail) = (0xA1 + random(81) as u8, 0xA1 + random(94) as u8);
                // Few of the holes, which end the prefix.
                let code_point = INDEX.get(pointer(pairs, lead, trail));
                if code_point.is_some_and(|&c| c != 0) || random(40) == 0 {
                    src.extend([lead, trail]);
                }
            }
        }
        let room = match random(3) {
            0 => random(400) as usize,
            1 => src.len() + src.len() / 2,
            _ => 3 * src.len(),
        };
        check(pairs, &src, room);
    }
}
