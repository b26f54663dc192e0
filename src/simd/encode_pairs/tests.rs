//! The kernel against a model that encodes code point by code point, with a look-up of its own.

use super::super::out::Out;
use super::super::token::Avx512;
use super::{EncodePairs, Ranks, Values, avx512};

#[derive(Clone, Copy)]
struct Toy;

impl EncodePairs for Toy {
    const VALUES: Values = Values::Bytes;

    /// Some ideographs, behind one code point of a page; the kernel has to ask for the rest.
    fn ranks() -> Ranks {
        static VALUES: [u16; 0x4001] = {
            let mut bytes = [0; 0x4001];
            bytes[0] = 0x3042_u16.wrapping_mul(31) | 0x8080;
            let mut i = 1;
            while i < bytes.len() {
                let code_point = 0x4DFF + i as u16;
                bytes[i] = match code_point % 401 {
                    0 => 0,
                    _ => code_point.wrapping_mul(31) | 0x8080,
                };
                i += 1;
            }
            bytes
        };
        Ranks {
            pages: &const {
                let mut pages = [0; 256];
                pages[0x30] = 1;
                pages
            },
            blocks: &const {
                let mut blocks = [0; 16];
                blocks[8 + 2] = 1 << 2;
                blocks
            },
            values: &VALUES,
            ideographs: Some(1),
        }
    }

    fn bytes(code_point: u16) -> u16 {
        match code_point {
            0xD800..=0xDFFF => 0,
            _ if code_point.is_multiple_of(401) => 0,
            0xFF00.. => 0x80 | code_point & 0x7F,
            _ => code_point.wrapping_mul(31) | 0x8080,
        }
    }
}

/// The characters that the kernel may take: their ends in UTF-8 and UTF-16, and their bytes.
fn model(text: &str) -> Vec<(usize, usize, Vec<u8>)> {
    let (mut utf8, mut utf16) = (0, 0);
    let mut taken = Vec::new();
    for c in text.chars() {
        let bytes = match u16::try_from(u32::from(c)) {
            Ok(ascii @ 0..0x80) => vec![ascii as u8],
            Ok(code_point) => match Toy::bytes(code_point).to_be_bytes() {
                [0, 0] => break,
                [0, one] => vec![one],
                two => two.to_vec(),
            },
            Err(_) => break,
        };
        utf8 += c.len_utf8();
        utf16 += c.len_utf16();
        taken.push((utf8, utf16, bytes));
    }
    taken
}

fn check(token: Avx512, text: &str, room: usize) {
    let taken = model(text);
    let units: Vec<u16> = text.encode_utf16().collect();
    for utf16 in [false, true] {
        let mut bytes = vec![0xEE; room];
        let mut out = Out::from_init(&mut bytes);
        let read = if utf16 {
            avx512::encode::<Toy, avx512::Utf16>(token, &units, &mut out)
        } else {
            avx512::encode::<Toy, avx512::Utf8>(token, text.as_bytes(), &mut out)
        };
        let written = out.written();
        let end = |t: &(usize, usize, Vec<u8>)| if utf16 { t.1 } else { t.0 };
        let expected: Vec<u8> = taken
            .iter()
            .filter(|t| end(t) <= read)
            .flat_map(|t| t.2.clone())
            .collect();
        assert_eq!(
            bytes[..written],
            expected,
            "UTF-16: {utf16}, room {room}: {text:?}"
        );
        assert!(
            bytes[written..].iter().all(|&byte| byte == 0xEE),
            "beyond: {text:?}"
        );
        let most = taken.last().map_or(0, end);
        assert!(
            read == 0 || taken.iter().any(|t| end(t) == read),
            "{read}: {text:?}"
        );
        if room >= 2 * units.len() + 1024 {
            assert_eq!(read, most, "UTF-16: {utf16}: {text:?}");
        }
    }
}

#[test]
fn the_kernel_is_the_model_on_every_mix() {
    let Some(token) = Avx512::detect() else {
        return;
    };
    let mut state = 0x2545_F491_4F6C_DD1D_u64;
    let mut random = move |below: u64| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state % below
    };
    for round in 0..4000 {
        let len = random(if round % 8 == 0 { 1200 } else { 200 }) as usize;
        let ascii = [0, 300, 900, 995][random(4) as usize];
        let wild = [0, 0, 2, 20][random(4) as usize];
        let mut text = String::new();
        for _ in 0..len {
            let dice = random(1000);
            let scalar = if dice < wild {
                random(0x11_0000) as u32
            } else if dice < ascii {
                random(0x80) as u32
            } else {
                let code_point = match random(8) {
                    0 => 0x80 + random(0x780),
                    1 => 0xFF00 + random(0x100),
                    _ => 0x3000 + random(0x6000),
                };
                code_point as u32 + u32::from(code_point % 401 == 0)
            };
            text.extend(char::from_u32(scalar));
        }
        let room = match random(3) {
            0 => random(400) as usize,
            _ => 3 * text.len() + 1100,
        };
        check(token, &text, room);
    }
}

#[test]
fn every_place_of_a_stop_is_exact() {
    let Some(token) = Avx512::detect() else {
        return;
    };
    // 401 * 32 is unmappable here.
    for stop in ["\u{3220}", "\u{10000}", "💩", ""] {
        for unit in ["a", "é", "文", "ab字"] {
            for before in 0..140 {
                let text = format!("{}{stop}{}", unit.repeat(before), unit.repeat(40));
                check(token, &text, 4 * text.len() + 1600);
            }
        }
    }
}
