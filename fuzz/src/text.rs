//! Text to encode: UTF-16 with lone surrogates, and its UTF-8 form, from the fuzzer's bytes.

use crate::encodings::Pair;
use crate::{filler, input::Input};
use mojika_spec::hooks;
use mojika_spec::odd::EDGE_SCALARS;

/// One text in three forms.
pub struct Text {
    /// UTF-16, perhaps with lone surrogates.
    pub units: Vec<u16>,
    /// The scalar values, with U+FFFD for lone surrogates.
    pub characters: Vec<char>,
    /// The scalar values as UTF-8.
    pub utf_8: String,
    /// The start of each character, and the end, in UTF-16 code units.
    pub unit_offsets: Vec<usize>,
    /// The same in UTF-8 bytes.
    pub byte_offsets: Vec<usize>,
}

/// Surrogates, which may be lone or form a pair.
const SURROGATES: [u16; 8] = [
    0xD800, 0xDBFF, 0xDC00, 0xDFFF, 0xD83D, 0xDCA9, 0xD840, 0xDC0B,
];

/// Appends a surrogate, or a character that an encoder treats specially.
fn push_special(units: &mut Vec<u16>, choice: usize) {
    let choice = choice % (SURROGATES.len() + EDGE_SCALARS.len());
    match SURROGATES.get(choice) {
        Some(&surrogate) => units.push(surrogate),
        None => {
            let scalar = EDGE_SCALARS[choice - SURROGATES.len()];
            units.extend_from_slice(scalar.encode_utf16(&mut [0; 2]));
        }
    }
}

impl Text {
    /// The first five bytes select the kind of payload and two fillers. The rest is the payload: UTF-8, bytes of the
    /// encoding, UTF-16, or one byte per character.
    pub fn new(pair: Pair, mut input: Input<'_>) -> Self {
        let kind = input.byte();
        let before = filler::text(pair, input.byte(), input.byte());
        let after = filler::text(pair, input.byte(), input.byte());
        let payload = input.0;
        let mut units: Vec<u16> = before.encode_utf16().collect();
        match kind % 4 {
            0 => units.extend(String::from_utf8_lossy(payload).encode_utf16()),
            1 => {
                let text = hooks::decode_bytes_without_bom_handling(payload, pair.spec);
                units.extend(text.encode_utf16());
            }
            2 => units.extend(
                payload
                    .chunks_exact(2)
                    .map(|pair| u16::from_le_bytes([pair[0], pair[1]])),
            ),
            _ => {
                for &byte in payload {
                    match byte {
                        ..0x60 => push_special(&mut units, byte.into()),
                        0x60..0x80 => units.push(byte.into()),
                        _ => {
                            let c = filler::character(pair, byte);
                            units.extend_from_slice(c.encode_utf16(&mut [0; 2]));
                        }
                    }
                }
            }
        }
        units.extend(after.encode_utf16());
        Self::from_units(units)
    }

    fn from_units(units: Vec<u16>) -> Self {
        let mut text = Text {
            units: Vec::new(),
            characters: Vec::with_capacity(units.len()),
            utf_8: String::with_capacity(units.len() * 3),
            unit_offsets: Vec::with_capacity(units.len() + 1),
            byte_offsets: Vec::with_capacity(units.len() + 1),
        };
        let mut offset = 0;
        for c in char::decode_utf16(units.iter().copied()) {
            text.unit_offsets.push(offset);
            text.byte_offsets.push(text.utf_8.len());
            offset += c.as_ref().map_or(1, |c| c.len_utf16());
            let c = c.unwrap_or(char::REPLACEMENT_CHARACTER);
            text.characters.push(c);
            text.utf_8.push(c);
        }
        text.unit_offsets.push(offset);
        text.byte_offsets.push(text.utf_8.len());
        text.units = units;
        text
    }
}
