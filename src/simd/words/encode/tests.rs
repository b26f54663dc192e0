//! The kernel against a model that encodes character by character.

use super::super::super::encode_pairs::Ranks;
use super::super::super::out::Out;
use super::super::super::reference::reference;
use super::super::tests::{dice, has_long_run};
use super::{Utf8, Utf16, encode, encode_with_others};
use crate::tables::encode::EUC_KR_ENCODE as TABLE;

static RANKS: Ranks = Ranks::new(&TABLE.pages, TABLE.blocks, TABLE.values, TABLE.values.len());

/// The bytes of a code unit or code point.
fn bytes(code_point: u32) -> Option<Vec<u8>> {
    match code_point {
        0..0x80 => Some(vec![code_point as u8]),
        _ => Some(
            TABLE
                .get(u16::try_from(code_point).ok()?)?
                .to_be_bytes()
                .to_vec(),
        ),
    }
}

/// `units` are those of the characters, each with the place where it ends.
fn check<F: super::Form>(
    units: &[F::Unit],
    characters: &[(usize, u32)],
    room: usize,
    run: impl Fn(&[F::Unit]) -> bool,
) {
    let mut buffer = vec![0xEE; room];
    let mut out = Out::from_init(&mut buffer);
    let read = encode::<F>(&RANKS, units, &mut out);
    let written = out.written();
    let taken = characters.iter().take_while(|t| t.0 <= read);
    assert!(
        read == 0 || taken.clone().last().is_some_and(|t| t.0 == read),
        "{read}: {characters:?}"
    );
    let expected: Option<Vec<Vec<u8>>> = taken.map(|t| bytes(t.1)).collect();
    let expected = expected.expect("nothing unmapped is taken").concat();
    assert_eq!(buffer[..written], expected, "{characters:X?}");
    assert!(
        buffer[written..].iter().all(|&byte| byte == 0xEE),
        "{characters:X?}"
    );

    // It may leave a character at the end that is shorter than the longest.
    let most = characters
        .iter()
        .take_while(|t| bytes(t.1).is_some())
        .last()
        .map_or(0, |t| t.0);
    if room >= 2 * units.len() + 128 && read + F::LONGEST <= most {
        let block = &units[read..units.len().min(read + super::BLOCK)];
        assert!(run(block), "{read} of {most}: {characters:X?}");
    }
}

#[test]
fn the_kernel_is_the_model_on_every_mix() {
    let mut random = dice();
    for round in 0..20_000 {
        let len = random(if round % 8 == 0 { 1000 } else { 80 });
        // Per mille: ASCII, then what is mapped, then anything.
        let ascii = [0, 200, 600, 950][random(4) as usize];
        let wild = [0, 0, 1, 20][random(4) as usize];
        let mut code_points = Vec::new();
        while (code_points.len() as u64) < len {
            let dice = random(1000);
            let code_point = if dice < wild {
                random(0x11_0000) as u32
            } else if dice < ascii {
                random(0x80) as u32
            } else {
                match random(8) {
                    0 => 0xA0 + random(0x400) as u32,
                    1 => 0x2000 + random(0x1800) as u32,
                    _ => 0xAC00 + random(0x2BA4) as u32,
                }
            };
            if dice < wild || bytes(code_point).is_some() {
                code_points.push(code_point);
            }
        }
        let room = match random(3) {
            0 => random(400) as usize,
            _ => 4 * code_points.len() + 128,
        };

        let text: String = code_points
            .iter()
            .copied()
            .filter_map(char::from_u32)
            .collect();
        let ends = text
            .char_indices()
            .map(|(at, c)| (at + c.len_utf8(), c.into()));
        check::<Utf8>(
            text.as_bytes(),
            &ends.collect::<Vec<_>>(),
            room,
            has_long_run(|byte| byte < 0x80),
        );

        // Surrogates, too.
        let units: Vec<u16> = code_points.iter().map(|&c| c as u16).collect();
        let ends = units
            .iter()
            .enumerate()
            .map(|(at, &unit)| (at + 1, unit.into()));
        check::<Utf16>(
            &units,
            &ends.collect::<Vec<_>>(),
            room,
            has_long_run(|unit| unit < 0x80),
        );
    }
}

/// What stands for a scalar value that has no pair; nothing for some.
fn other(scalar: u32) -> Option<([u8; 16], usize)> {
    (!scalar.is_multiple_of(31)).then(|| reference(scalar))
}

/// As [`check`], with others.
fn check_others<F: super::Form>(units: &[F::Unit], characters: &[(usize, u32)], room: usize) {
    let mut buffer = vec![0xEE; room];
    let mut out = Out::from_init(&mut buffer);
    // SAFETY: references have no more than eight bytes for each unit.
    let read = unsafe { encode_with_others::<F>(&RANKS, units, &mut out, other) };
    let written = out.written();
    let taken: Vec<_> = characters.iter().take_while(|t| t.0 <= read).collect();
    assert_eq!(taken.last().map_or(0, |t| t.0), read, "{characters:X?}");
    let expected: Vec<u8> = taken
        .iter()
        .flat_map(|t| {
            bytes(t.1).unwrap_or_else(|| {
                let (bytes, len) = other(t.1).expect("nothing without bytes is taken");
                bytes[..len].to_vec()
            })
        })
        .collect();
    assert_eq!(buffer[..written], expected, "{characters:X?}");
    let beyond = &buffer[written..];
    assert!(beyond.iter().all(|&byte| byte == 0xEE), "{characters:X?}");
}

#[test]
fn others_stand_between_pairs() {
    let mut random = dice();
    for _ in 0..20_000 {
        let wild = [5, 30, 200][random(3) as usize];
        let text: String = (0..random(300))
            .filter_map(|_| match random(wild) {
                0 => char::from_u32(random(0x11_0000) as u32),
                1..4 => char::from_u32(random(0x80) as u32),
                _ => char::from_u32(0xAC00 + random(0x2BA4) as u32),
            })
            .collect();
        let room = random(10 * text.len() as u64 + 200) as usize;
        let ends = text.char_indices();
        let ends = ends.map(|(at, c)| (at + c.len_utf8(), c.into()));
        check_others::<Utf8>(text.as_bytes(), &ends.collect::<Vec<_>>(), room);

        // Now and then a surrogate without its other half.
        let mut units: Vec<u16> = text.encode_utf16().collect();
        if !units.is_empty() && random(4) == 0 {
            let at = random(units.len() as u64) as usize;
            units[at] = 0xD800 + random(0x800) as u16;
        }
        let mut at = 0;
        let ends = char::decode_utf16(units.iter().copied()).map(|c| {
            let c = c.unwrap_or(char::REPLACEMENT_CHARACTER);
            at += c.len_utf16();
            (at, c.into())
        });
        let ends: Vec<_> = ends.collect();
        check_others::<Utf16>(&units, &ends, room);
    }
}
