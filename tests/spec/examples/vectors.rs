//! Writes odd input for each encoding with the transliteration's results, as JSON lines, for tests in other languages.
//!
//! `cargo run -p mojika-spec --example vectors -- LENGTH` writes two objects for each encoding. Their fields are its
//! `name`, `bytes` in hex, the `text` of these bytes, and their `malformed` sequences as pairs of offset and length.
//! For an encoding with an encoder, `units` has code units in hex, and `html` their bytes in error mode "html".

use mojika_spec::hooks::encode;
use mojika_spec::{
    DecodeItem, EncodeItem, Encoding, IoQueue, Random, decode_fragments, encode_fragments,
    reference,
};

fn main() {
    let length = std::env::args()
        .nth(1)
        .and_then(|length| length.parse().ok());
    let length = length.unwrap_or(300);
    for encoding in Encoding::all() {
        for seed in [1, 2] {
            println!("{}", line(encoding, seed, length));
        }
    }
}

fn line(encoding: Encoding, seed: u64, length: usize) -> String {
    let mut random = Random::from_seeds(&[seed, encoding.number() as u64]);
    let bytes = random.odd_bytes(length);
    let items = decode_fragments(encoding, &bytes);
    let text: String = items.iter().map(DecodeItem::replaced).collect();
    let malformed: Vec<String> = items
        .iter()
        .filter_map(|item| match item {
            DecodeItem::Error { offset, len, .. } => Some(format!("[{offset},{len}]")),
            DecodeItem::Scalar { .. } => None,
        })
        .collect();
    let units: Vec<u16> = random.odd_units(length);
    let scalars: Vec<char> = char::decode_utf16(units.iter().copied())
        .map(|scalar| scalar.unwrap_or(char::REPLACEMENT_CHARACTER))
        .collect();
    // UTF-16 and replacement have no encoder.
    let html = encoding.encoder().map_or(String::from("null"), |_| {
        format!("\"{}\"", hex(html(encoding, &scalars).into_iter()))
    });
    format!(
        "{{\"name\":\"{}\",\"bytes\":\"{}\",\"text\":\"{}\",\"malformed\":[{}],\"units\":\"{}\",\"html\":{html}}}",
        encoding.name(),
        hex(bytes.iter().copied()),
        hex(text.encode_utf16().flat_map(u16::to_be_bytes)),
        malformed.join(","),
        hex(units.iter().copied().flat_map(u16::to_be_bytes)),
    )
}

/// Returns the bytes in error mode "html". References are ASCII in the Standard's encodings, and text in others.
fn html(encoding: Encoding, scalars: &[char]) -> Vec<u8> {
    if !matches!(encoding, Encoding::Extended(_)) {
        return encode(&mut IoQueue::immediate(scalars), encoding).into_items();
    }
    let items = encode_fragments(encoding, scalars);
    let bytes = items.into_iter().flat_map(|item| match item {
        EncodeItem::Bytes { bytes, .. } => bytes,
        EncodeItem::Unmappable { code_point, .. } => reference(encoding, code_point),
    });
    bytes.collect()
}

fn hex(bytes: impl Iterator<Item = u8>) -> String {
    bytes.map(|byte| format!("{byte:02x}")).collect()
}
