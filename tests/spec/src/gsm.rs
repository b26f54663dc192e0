//! **Extension of mojika**, not in the Standard: the default alphabet of GSM 03.38 with its extension table.

use crate::handler::{Handler, HandlerResult};
use crate::io_queue::{IoQueue, Item};

/// The default alphabet of 3GPP TS 23.038, column by column.
const ALPHABET: &str = "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞ\u{1B}ÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?\
    ¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà";

const EXTENSION: &str = "\u{0C}\n^\u{14}{(})\\/[<~=]>|@€e";

/// Returns each character of the extension table, and its byte after 0x1B.
fn extension() -> impl Iterator<Item = (char, u8)> {
    let characters: Vec<char> = EXTENSION.chars().collect();
    let rows = characters
        .chunks(2)
        .map(|row| (row[0], u32::from(row[1]) as u8));
    rows.collect::<Vec<_>>().into_iter()
}

/// The decoder.
#[derive(Clone, Debug, Default)]
pub struct GsmDecoder {
    is_escaped: bool,
}

impl Handler for GsmDecoder {
    type Input = u8;
    type Output = char;

    fn handler(&mut self, io_queue: &mut IoQueue<u8>, byte: Item<u8>) -> HandlerResult<char> {
        let was_escaped = std::mem::take(&mut self.is_escaped);
        let Item::Value(byte) = byte else {
            return if was_escaped {
                HandlerResult::error()
            } else {
                HandlerResult::Finished
            };
        };
        if was_escaped {
            return match extension().find(|(_, of)| *of == byte) {
                Some((found, _)) => HandlerResult::items(&[found]),
                None => {
                    io_queue.restore(byte);
                    HandlerResult::error()
                }
            };
        }
        match ALPHABET.chars().nth(byte.into()) {
            Some('\u{1B}') => {
                self.is_escaped = true;
                HandlerResult::Continue
            }
            Some(found) => HandlerResult::items(&[found]),
            None => HandlerResult::error(),
        }
    }
}

/// The encoder.
#[derive(Clone, Debug, Default)]
pub struct GsmEncoder;

impl Handler for GsmEncoder {
    type Input = char;
    type Output = u8;

    fn handler(&mut self, _: &mut IoQueue<char>, code_point: Item<char>) -> HandlerResult<u8> {
        let Item::Value(code_point) = code_point else {
            return HandlerResult::Finished;
        };
        let place = ALPHABET.chars().position(|of| of == code_point);
        if let Some(byte) = place.filter(|_| code_point != '\u{1B}') {
            return HandlerResult::byte(byte as u32);
        }
        match extension().find(|(of, _)| *of == code_point) {
            Some((_, byte)) => HandlerResult::bytes(&[0x1B, byte.into()]),
            None => HandlerResult::error_with(code_point),
        }
    }
}
