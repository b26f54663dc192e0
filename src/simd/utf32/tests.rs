//! Every order and level, against a conversion character by character.

use super::*;
use crate::simd::Level;

const ORDERS: [Utf32Order; 4] = [
    Utf32Order::BigEndian,
    Utf32Order::LittleEndian,
    Utf32Order::Order2143,
    Utf32Order::Order3412,
];

#[test]
fn orders_place_the_octets_as_their_names_say() {
    let bytes = ORDERS.map(|order| order.bytes(0x0102_0304));
    assert_eq!(
        bytes,
        [[1, 2, 3, 4], [4, 3, 2, 1], [2, 1, 4, 3], [3, 4, 1, 2]]
    );
    for (order, bytes) in ORDERS.into_iter().zip(bytes) {
        assert_eq!(order.unit(bytes), 0x0102_0304, "{order:?}");
    }
}

/// Returns text of two-byte characters, with the character `other` at `at`.
fn text(len: usize, at: usize, other: u32) -> Vec<u32> {
    let usual = |i: usize| 0x41 + 0x3A7 * (i as u32 % 40);
    (0..len)
        .map(|i| if i == at { other } else { usual(i) })
        .collect()
}

#[test]
fn every_level_stops_where_a_character_by_character_conversion_does() {
    for level in crate::simd::available() {
        let active = Active::at_most(level);
        for order in ORDERS {
            for (len, at) in [(3, 1), (40, 39), (70, 33), (130, 64), (200, 500)] {
                for other in [0, 0xD7FF, 0xD800, 0xDFFF, 0xE000, 0xFFFF, 0x1_0000] {
                    check(active, level, order, &text(len, at, other));
                }
                for other in [0x10_FFFF, 0x11_0000, 0x1_D800, 0xFFFF_FFFF] {
                    check(active, level, order, &text(len, at, other));
                }
            }
        }
    }
}

fn check(active: Active, level: Level, order: Utf32Order, units: &[u32]) {
    let src: Vec<[u8; 4]> = units.iter().map(|&unit| order.bytes(unit)).collect();
    let expected: String = units
        .iter()
        .map_while(|&unit| char::from_u32(unit))
        .collect();
    let expected: Vec<u16> = expected.encode_utf16().collect();
    for room in [expected.len(), expected.len().saturating_sub(1), 33, 0] {
        let mut dst = vec![0xAAAA; room];
        let mut out = Out::from_init(&mut dst);
        // SAFETY: `to_utf16_at` writes initialised values only, and initialises the `done.1` units from the cursor on.
        let (read, written) = unsafe {
            let done = to_utf16_at(active, &src, order, out.spare());
            out.advance(done.1);
            done
        };
        assert!(dst[written..].iter().all(|&unit| unit == 0xAAAA));
        let case = || format!("{level} {order:?} room {room}: {units:X?}");
        let whole = char::decode_utf16(dst[..written].iter().copied())
            .map(|unit| unit.map(u32::from))
            .collect::<Result<Vec<_>, _>>();
        assert_eq!(whole.as_deref(), Ok(&units[..read]), "{}", case());
        let next = units.get(read).copied().and_then(char::from_u32);
        let fits = next.is_some_and(|next| next.len_utf16() <= room - written);
        assert!(!fits, "stopped early, {}", case());

        let mut back = vec![0; 4 * read];
        let mut out = Out::from_init(&mut back);
        // SAFETY: `from_utf16_at` writes initialised values only.
        let result = unsafe {
            let to = out.spare().as_chunks_mut().0;
            from_utf16_at(active, &dst[..written], order, to)
        };
        assert_eq!(result, (written, read), "{}", case());
        assert_eq!(back, src[..read].as_flattened(), "{}", case());
    }
}

/// Returns text of `len` characters, with `other` at every `distance`th position from `from` on.
fn mixed(len: usize, from: usize, distance: usize, other: char) -> String {
    (0..len)
        .map(|i| match i.checked_sub(from) {
            Some(i) if i % distance == 0 => other,
            _ => char::from(b'a' + (i % 26) as u8),
        })
        .collect()
}

fn mixed_texts() -> impl Iterator<Item = String> {
    let places = [
        (0, 1),
        (0, 2),
        (31, 33),
        (32, 32),
        (40, 5),
        (63, 64),
        (300, 300),
        (9999, 1),
    ];
    let lengths = [0, 1, 17, 31, 32, 33, 64, 100, 257, 1500];
    lengths.into_iter().flat_map(move |len| {
        places.into_iter().flat_map(move |(from, distance)| {
            ['\u{80}', 'é', '漢', '😀'].map(|other| mixed(len, from, distance, other))
        })
    })
}

#[test]
fn utf_8_passes_both_ways_whatever_ascii_it_has() {
    for text in mixed_texts() {
        for order in ORDERS {
            let units: Vec<_> = text.chars().map(|char| order.bytes(char.into())).collect();
            let units = units.as_flattened();
            // Space for the two intermediate units of the last character.
            let mut dst = vec![0; units.len() + 4];
            let mut out = Out::from_init(&mut dst);
            assert_eq!(utf8_to_utf32_bytes(&text, order, &mut out), text.len());
            assert_eq!(out.written_slice(), units, "{order:?}: {text}");
            for room in [text.len(), text.len().saturating_sub(1), text.len() / 2] {
                let mut back = vec![0; room];
                let mut out = Out::from_init(&mut back);
                let read = utf32_bytes_to_utf8(units, order, &mut out);
                let written = out.written_slice().len();
                assert_eq!(
                    back[..written],
                    text.as_bytes()[..written],
                    "{order:?}: {text}"
                );
                let whole = text[..written].chars().count();
                assert_eq!(read, 4 * whole, "{order:?}: {text}");
                if room == text.len() {
                    assert_eq!(written, room, "{order:?}: {text}");
                }
            }
        }
    }
}
