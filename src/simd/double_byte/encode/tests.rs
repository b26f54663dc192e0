//! The kernels against a model that encodes code point by code point, with its own look-up.

use super::{DoubleByteEncode, Flat, Values, encode_at};
use crate::simd::double_byte::tests::kernels;
use crate::simd::double_byte::{Utf8, Utf16};
use crate::simd::level::{Active, Level};
use crate::simd::out::Out;
use crate::simd::packed::Packed;
use crate::tables::rank::RankTable;
use mojika_spec::sample::{in_turns, one_in};

/// Some ideographs, and two code points in separate pages: `BEYOND`, above the surrogates, and `ASK`, whose bytes only
/// the encoder knows.
static TABLE: RankTable = RankTable::new(&PAGES, &BLOCKS, &VALUES, 2);

static TOY: DoubleByteEncode = DoubleByteEncode {
    flat: Flat::new(),
    table: &TABLE,
    values: Values::Bytes,
    ask: ASK,
    others: two_bytes,
};

/// [`TOY`], with four bytes for code points that it lacks, except multiples of 401.
static TOY_OF_FOUR: DoubleByteEncode = DoubleByteEncode {
    flat: Flat::new(),
    table: &TABLE,
    values: Values::Bytes,
    ask: ASK,
    others: two_or_four_bytes,
};

const ASK: u16 = 0x3042;
const BEYOND: u16 = 0xFE35;

static PAGES: [u8; 256] = {
    let mut pages = [0; 256];
    pages[(ASK >> 8) as usize] = 1;
    pages[(BEYOND >> 8) as usize] = 2;
    pages
};

static BLOCKS: [u32; 48] = {
    let mut blocks = [0; 48];
    blocks[16 + (ASK >> 4 & 15) as usize] = 1 << (ASK & 15);
    blocks[32 + (BEYOND >> 4 & 15) as usize] = 1 << 16 | 1 << (BEYOND & 15);
    blocks
};

static VALUES: [u16; 0x4000] = {
    let mut bytes = [0; 0x4000];
    // A pair that differs from that of `two_bytes` for the same code point.
    bytes[0] = 0xEEEE;
    bytes[1] = BEYOND.wrapping_mul(31) | 0x8080;
    // This bit of the value is 0, so that setting it by mistake changes the value.
    assert!(bytes[1] >> 8 & 1 == 0);
    let mut i = 2;
    while i < bytes.len() {
        let code_point = 0x4DFE + i as u16;
        bytes[i] = match code_point % 401 {
            0 => 0,
            _ => code_point.wrapping_mul(31) | 0x8080,
        };
        i += 1;
    }
    bytes
};

fn two_bytes(scalar: u32) -> Option<Packed> {
    match u16::try_from(scalar).ok()? {
        code_point if code_point.is_multiple_of(401) => None,
        code_point @ 0xFF00.. => Some(Packed::one(0x80 | code_point as u8)),
        code_point => Some(Packed::lead_trail(code_point.wrapping_mul(31) | 0x8080)),
    }
}

fn two_or_four_bytes(scalar: u32) -> Option<Packed> {
    match scalar {
        _ if scalar.is_multiple_of(401) => None,
        0x600..0x700 | 0xAC00..0xD7A4 | 0xFF00.. => {
            let [a, b, c, d] = scalar.wrapping_mul(0x9E37_79B1).to_be_bytes();
            Some(Packed::of([a | 0x80, b | 0x30, c | 0x81, d | 0x30]))
        }
        _ => two_bytes(scalar),
    }
}

/// Returns the characters that the kernel may encode, without four-byte ones: their ends in UTF-8 and UTF-16, and their
/// bytes.
fn model(pairs: &DoubleByteEncode, text: &str) -> Vec<(usize, usize, Vec<u8>)> {
    let (mut utf8, mut utf16) = (0, 0);
    let mut taken = Vec::new();
    for c in text.chars() {
        let packed = match u32::from(c) {
            ascii @ 0..0x80 => Some(Packed::one(ascii as u8)),
            scalar => (pairs.others)(scalar),
        };
        let Some(packed) = packed else {
            break;
        };
        let mut bytes = [0; 4];
        let mut out = Out::from_init(&mut bytes);
        assert!(packed.push_to(&mut out));
        if out.written() == 4 {
            break;
        }
        utf8 += c.len_utf8();
        utf16 += c.len_utf16();
        taken.push((utf8, utf16, out.written_slice().to_vec()));
    }
    taken
}

fn check(text: &str, room: usize) {
    for kernel in kernels() {
        check_one(&TOY, kernel, text, room);
        check_one(&TOY_OF_FOUR, kernel, text, room);
    }
}

fn check_one(pairs: &DoubleByteEncode, kernel: Active, text: &str, room: usize) {
    let taken = model(pairs, text);
    let units: Vec<u16> = text.encode_utf16().collect();
    for utf16 in [false, true] {
        // A separate allocation, so that a sanitizer and the proof's guard pages see reads after the input.
        let units: Option<&[u16]> = utf16.then_some(&units);
        let mut bytes = vec![0xEE; room];
        let mut out = Out::from_init(&mut bytes);
        let read = match units {
            Some(units) => encode_at::<Utf16>(kernel, pairs, units, &mut out, 0),
            None => encode_at::<Utf8>(kernel, pairs, text.as_bytes(), &mut out, 0),
        };
        let written = out.written();
        let end = |t: &(usize, usize, Vec<u8>)| if utf16 { t.1 } else { t.0 };
        let expected: Vec<u8> = taken
            .iter()
            .filter(|t| end(t) <= read)
            .flat_map(|t| t.2.clone())
            .collect();
        let at = format!("{kernel:?}, UTF-16: {utf16}, room {room}: {text:?}");
        assert_eq!(bytes[..written], expected, "{at}");
        assert!(
            bytes[written..].iter().all(|&byte| byte == 0xEE),
            "beyond, {at}"
        );
        let most = taken.last().map_or(0, end);
        assert!(
            read == 0 || taken.iter().any(|t| end(t) == read),
            "{read}, {at}"
        );
        if room >= 4 * text.len() + 1024 {
            // A kernel may leave less than a register of UTF-16, or of UTF-8 with the bytes that may precede it.
            let left = match kernel.level() {
                Level::Avx512 => 0,
                _ if utf16 => 16,
                _ => 34,
            };
            let ends = most - read <= left;
            assert!(read <= most && ends, "{read}, {most}, {at}");
        }
    }
}

#[test]
fn every_kernel_is_the_model_on_every_mix() {
    let mut state = 0x2545_F491_4F6C_DD1D_u64;
    let mut random = move |below: u64| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state % below
    };
    for round in 0..4000 / one_in(3) {
        let len = random(if round % 8 == 0 { 4000 } else { 200 }) as usize;
        let ascii = [0, 300, 900, 995][random(4) as usize];
        let wild = [0, 0, 2, 20][random(4) as usize];
        let four = [0, 0, 20, 500][random(4) as usize];
        let mut text = String::new();
        for _ in 0..len {
            let dice = random(1000);
            let scalar = if dice < wild {
                random(0x11_0000) as u32
            } else if dice < ascii {
                random(0x80) as u32
            } else if random(1000) < four {
                // Characters with four bytes in one of the encodings, and without bytes in the other.
                let first = [0x600, 0xAC00, 0x1_F300][random(3) as usize];
                let scalar = first + random(0x100) as u32;
                scalar + u32::from(scalar.is_multiple_of(401))
            } else {
                let code_point = match random(8) {
                    0 => 0x80 + random(0x500),
                    1 => 0xFF00 + random(0x100),
                    2 if random(4) == 0 => ASK.into(),
                    3 if random(4) == 0 => BEYOND.into(),
                    _ => 0x3000 + random(0x6000),
                };
                code_point as u32 + u32::from(code_point.is_multiple_of(401))
            };
            text.extend(char::from_u32(scalar));
        }
        let room = match random(3) {
            0 => random(400) as usize,
            1 => model(&TOY_OF_FOUR, &text).iter().map(|t| t.2.len()).sum(),
            _ => 4 * text.len() + 1100,
        };
        check(&text, room);
    }
}

#[test]
fn every_place_of_a_stop_is_exact() {
    // Multiples of 401 are unmappable here.
    for stop in [
        "\u{3220}",
        "\u{E190}",
        "\u{10000}",
        "💩",
        "가",
        "\u{FF66}",
        "",
    ] {
        for unit in ["a", "é", "文", "ab字", "\u{FF71}", "😀", "각文b"] {
            for before in in_turns(0..140, 4, stop.len() + unit.len()) {
                let text = format!("{}{stop}{}", unit.repeat(before), unit.repeat(40));
                check(&text, 4 * text.len() + 1600);
            }
        }
    }
}

#[test]
fn every_place_of_a_stop_is_exact_where_ascii_prevails() {
    let mostly_ascii = |count| "<a href=\"문서/index\">一</a>, <b>é</b> and so on. ".repeat(count);
    for stop in [
        "\u{3220}",
        "\u{10000}",
        "가",
        "字\u{3220}각",
        "é\u{3220}é",
        "각",
    ] {
        for before in in_turns(0..80, 2, stop.len()) {
            let text = format!(
                "{}{}{stop}{}",
                mostly_ascii(16),
                &"=".repeat(before),
                mostly_ascii(20)
            );
            check(&text, 4 * text.len() + 1600);
            check(
                &text,
                model(&TOY_OF_FOUR, &text).iter().map(|t| t.2.len()).sum(),
            );
        }
    }
}
