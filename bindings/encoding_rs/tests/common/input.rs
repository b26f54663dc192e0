//! Input for both crates: parts of real text, damaged text, and noise.

use mojika_spec::Random;
use mojika_spec::odd::{EDGE_BYTES, SEQUENCES};

/// Returns the names of all encodings.
pub fn names() -> impl Iterator<Item = &'static str> {
    mojika_names().into_iter()
}

fn mojika_names() -> Vec<&'static str> {
    mojika::Encoding::all()
        .iter()
        .map(|encoding| encoding.name())
        .collect()
}

/// One encoding for each state machine. The single-byte encodings have two: with and without unmapped bytes.
pub const REPRESENTATIVES: [&str; 13] = [
    "UTF-8",
    "windows-1252",
    "windows-1255",
    "x-user-defined",
    "GBK",
    "gb18030",
    "Big5",
    "EUC-JP",
    "ISO-2022-JP",
    "Shift_JIS",
    "EUC-KR",
    "UTF-16BE",
    "UTF-16LE",
];

/// Returns bytes and sequences for tests that try each two in succession.
pub fn pieces() -> Vec<&'static [u8]> {
    const BYTES: &[u8] = b"a0\"\0\x0E\x1B$(!\x7F\x80\x81\x8E\x8F\xA1\xC2\xEF\xFE\xFF";
    BYTES.chunks(1).chain(SEQUENCES).collect()
}

/// Returns a stream of parts for an encoding: its own text, the same with damage, pieces, and noise.
pub fn stream(random: &mut Random, name: &str, parts: usize) -> Vec<u8> {
    let encoding = published::Encoding::for_label(name.as_bytes()).unwrap_or(published::UTF_8);
    let mut bytes = Vec::new();
    for _ in 0..parts {
        match random.below(8) {
            0 => {
                let length = random.below(4);
                bytes.extend(random.noise(length));
            }
            1 => bytes.push(*random.pick(&EDGE_BYTES)),
            2 | 3 => bytes.extend_from_slice(random.pick::<&[u8]>(&SEQUENCES)),
            _ => {
                let length = 1 + random.below(6);
                let text = random.odd_text(length);
                match name {
                    "UTF-16BE" => bytes.extend(text.encode_utf16().flat_map(u16::to_be_bytes)),
                    "UTF-16LE" => bytes.extend(text.encode_utf16().flat_map(u16::to_le_bytes)),
                    _ => bytes.extend_from_slice(&encoding.encode(&text).0),
                }
            }
        }
    }
    bytes
}
