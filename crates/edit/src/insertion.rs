//! Encodes insertions, and finds their unmappable characters.

use super::iso_2022_jp;
use alloc::borrow::Cow;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use mojika::{BIG5, BomHandling, EncodeError, Encoding, Fallback, ISO_2022_JP, Unmappable};

/// Pairs of characters that Big5 decodes from one two-byte sequence. Its encoder does not write these sequences.
const BIG5_PAIRS: [(&str, [u8; 2]); 4] = [
    ("\u{CA}\u{304}", [0x88, 0x62]),
    ("\u{CA}\u{30C}", [0x88, 0x64]),
    ("\u{EA}\u{304}", [0x88, 0xA3]),
    ("\u{EA}\u{30C}", [0x88, 0xA5]),
];

/// Returns the bytes of a text in a stateless encoding; `None` if a character is unmappable.
pub(super) fn encode(encoding: &'static Encoding, text: &str) -> Option<Vec<u8>> {
    if encoding != BIG5 {
        return encoding.encode(text).ok().map(Cow::into_owned);
    }
    let (mut bytes, mut rest) = (Vec::new(), text);
    while let Some((at, pair)) = first_pair(rest) {
        bytes.extend_from_slice(&encoding.encode(&rest[..at]).ok()?);
        bytes.extend_from_slice(&pair.1);
        rest = &rest[at + pair.0.len()..];
    }
    bytes.extend_from_slice(&encoding.encode(rest).ok()?);
    Some(bytes)
}

/// Returns the first of [`BIG5_PAIRS`] in a text.
fn first_pair(text: &str) -> Option<(usize, (&'static str, [u8; 2]))> {
    let mut places = text.match_indices(['\u{304}', '\u{30C}']);
    places.find_map(|(mark, _)| {
        let pair = BIG5_PAIRS
            .iter()
            .find(|(pair, _)| text[..mark + 2].ends_with(pair));
        pair.map(|&pair| (mark - 2, pair))
    })
}

/// Returns the text with unmappable characters replaced by `handler`. A character is also unmappable if its bytes
/// decode to another character.
///
/// `offset` is the offset of the text in the edited text.
///
/// # Errors
///
/// Fails at a character that `handler` refuses, or whose replacement is also unmappable.
pub(super) fn mappable<'a>(
    encoding: &'static Encoding,
    text: &'a str,
    offset: usize,
    handler: &mut dyn FnMut(Unmappable) -> Fallback,
) -> Result<Cow<'a, str>, EncodeError> {
    // The encoding `REPLACEMENT` has no encoder.
    encoding.new_encoder()?;
    if is_mappable(encoding, text) {
        return Ok(Cow::Borrowed(text));
    }
    let mut result = String::with_capacity(text.len());
    let mut at = 0;
    while at < text.len() {
        let pair = BIG5_PAIRS
            .iter()
            .find(|(pair, _)| encoding == BIG5 && text[at..].starts_with(pair));
        let scalar = text[at..].chars().next().unwrap_or_default();
        let length = pair.map_or(scalar.len_utf8(), |(pair, _)| pair.len());
        let own = &text[at..at + length];
        if pair.is_some() || is_mappable(encoding, own) {
            result.push_str(own);
        } else {
            let unmappable = Unmappable::new(scalar, (offset + at) as u64);
            let fail = EncodeError::Unmappable {
                encoding,
                unmappable,
            };
            let start = result.len();
            match handler(unmappable) {
                Fallback::Omit => {}
                Fallback::Html => {
                    result.push_str("&#");
                    result.push_str(&u32::from(scalar).to_string());
                    result.push(';');
                }
                Fallback::Text(text) => result.push_str(&text),
                Fallback::Fail => return Err(fail),
            }
            if !is_mappable(encoding, &result[start..]) {
                return Err(fail);
            }
        }
        at += length;
    }
    Ok(Cow::Owned(result))
}

/// True if each character of the text has bytes that decode to it.
fn is_mappable(encoding: &'static Encoding, text: &str) -> bool {
    if encoding == ISO_2022_JP {
        return text.chars().all(iso_2022_jp::has);
    }
    // The Standard's encoders of EUC-JP and Shift_JIS write other characters for U+00A5, U+203E and U+2212.
    encode(encoding, text)
        .is_some_and(|bytes| encoding.with(BomHandling::Keep).decode(&bytes).text == text)
}
