//! Filler: well-formed text around the payload. Kernels need long input, and with filler they find the payload at every
//! position of a vector.
//!
//! Two bytes select a filler: its kind (low three bits) and its start in the pool (high five bits), then its length.

use crate::encodings::{COUNT, Pair};
use mojika_spec::odd::ESCAPES;
use mojika_spec::{
    DecodeItem, EncodeItem, Encoding, Random, decode_fragments, encode_fragments, utf_16,
};
use std::sync::OnceLock;

/// The mappable characters of an encoding, in a scrambled order.
struct Pool {
    /// Characters above U+007F with their bytes, one list for each length in bytes.
    classes: Vec<Vec<(char, Vec<u8>)>>,
    /// Two- and three-byte sequences that decode to one or two characters without an error; some are not encoded back.
    decode_only: Vec<Vec<u8>>,
}

/// The maximum number of characters in one list of [`Pool::classes`].
const CLASS: usize = 256;

static POOLS: [OnceLock<Pool>; COUNT] = [const { OnceLock::new() }; COUNT];

fn pool(pair: Pair) -> &'static Pool {
    POOLS[pair.number].get_or_init(|| Pool::new(pair.spec))
}

impl Pool {
    fn new(spec: Encoding) -> Self {
        // The steps are coprime to the sizes of table rows, so that characters of all rows occur.
        let sparse = (0x80..0x10000).step_by(29);
        let astral = (0x10000..0x110000).step_by(0x1FFD);
        let dense = (0x80..0x600).step_by(3);
        let mut characters: Vec<char> = sparse
            .chain(astral)
            .chain(dense)
            .filter_map(char::from_u32)
            .collect();
        characters.sort_by_cached_key(|&c| Random::new(c.into()).next());
        let mut classes: Vec<Vec<(char, Vec<u8>)>> = Vec::new();
        for c in characters {
            let Some(bytes) = encode_one(spec, c) else {
                continue;
            };
            let class = bytes.len();
            let at = classes.iter().position(|list| list[0].1.len() == class);
            match at.map(|at| &mut classes[at]) {
                Some(list) if list.len() < CLASS => list.push((c, bytes)),
                Some(_) => {}
                None => classes.push(vec![(c, bytes)]),
            }
        }
        classes.sort_by_key(|list| list[0].1.len());
        Pool {
            classes,
            decode_only: decode_only(spec),
        }
    }
}

/// Returns the bytes of one character in its own stream, or `None` if it is unmappable.
fn encode_one(spec: Encoding, c: char) -> Option<Vec<u8>> {
    encode(spec, &[c])
}

/// Returns the bytes of a text, or `None` if a character is unmappable.
fn encode(spec: Encoding, text: &[char]) -> Option<Vec<u8>> {
    match spec {
        Encoding::Replacement => None,
        Encoding::Utf16Be | Encoding::Utf16Le => {
            Some(utf_16::encode_utf_16(spec == Encoding::Utf16Be, text))
        }
        _ => encode_fragments(spec, text)
            .into_iter()
            .map(|item| match item {
                EncodeItem::Bytes { bytes, .. } => Some(bytes),
                EncodeItem::Unmappable { .. } => None,
            })
            .collect::<Option<Vec<_>>>()
            .map(|list| list.concat()),
    }
}

fn decode_only(spec: Encoding) -> Vec<Vec<u8>> {
    let mut list = Vec::new();
    let of_two_bytes = [
        Encoding::Gbk,
        Encoding::Gb18030,
        Encoding::Big5,
        Encoding::EucJp,
        Encoding::ShiftJis,
        Encoding::EucKr,
    ];
    if !of_two_bytes.contains(&spec) {
        return list;
    }
    for number in 0..0x2000 {
        let [a, b, c, d, ..] = Random::new(number).next().to_be_bytes();
        let (a, b, c) = (a | 0x80, b, c | 0x80);
        let candidate = match (spec, d % 2) {
            (Encoding::EucJp, 0) => vec![0x8F, b | 0x80, c],
            _ => vec![a, b],
        };
        let items = decode_fragments(spec, &candidate);
        if items
            .iter()
            .all(|item| matches!(item, DecodeItem::Scalar { value, .. } if *value > '\u{7F}'))
        {
            list.push(candidate);
        }
        if list.len() == CLASS {
            break;
        }
    }
    list
}

/// Returns the number of characters for a length byte: for a third of all values at most 47, for the others up to 318,
/// for kernels that need long input.
fn length(byte: u8) -> usize {
    match byte {
        0..96 => usize::from(byte % 48),
        96.. => usize::from(byte - 96) * 2,
    }
}

/// Returns the characters of a filler in order: `Ok` with a character of the pool, or `Err` with an ASCII byte.
fn plan(pair: Pair, kind: u8, len: u8) -> impl Iterator<Item = Result<(char, &'static [u8]), u8>> {
    let pool = pool(pair);
    let (kind, start) = (kind % 8, usize::from(kind / 8));
    (0..length(len)).map(move |i| {
        let ascii = Err(b' ' + ((start * 7 + i) % 95) as u8);
        let classes = pool.classes.len();
        let class = match kind {
            _ if classes == 0 => return ascii,
            0 => return ascii,
            // Characters of two lengths, with ASCII between them.
            5 if i % 2 == 1 => return ascii,
            6 if i % 16 > 11 => return ascii,
            1 | 5 | 6 => (start + i / 3) % classes,
            kind => usize::from(kind) % classes,
        };
        let list = &pool.classes[class];
        let (c, bytes) = &list[(start * 31 + i * 5) % list.len()];
        Ok((*c, bytes.as_slice()))
    })
}

/// Returns filler as bytes of the encoding.
pub fn bytes(pair: Pair, kind: u8, len: u8) -> Vec<u8> {
    let pool = pool(pair);
    let start = usize::from(kind / 8);
    if pair.spec == Encoding::Iso2022Jp {
        let text: Vec<char> = text(pair, kind, len).chars().collect();
        let mut bytes = encode(pair.spec, &text).unwrap_or_default();
        if kind % 8 == 7 {
            // End with an escape sequence, so that the payload starts in its state.
            bytes.extend_from_slice(ESCAPES[start % ESCAPES.len()]);
        }
        return bytes;
    }
    if kind % 8 == 7 && !pool.decode_only.is_empty() {
        return (0..length(len))
            .flat_map(|i| &pool.decode_only[(start * 31 + i * 5) % pool.decode_only.len()])
            .copied()
            .collect();
    }
    let mut filler = Vec::new();
    for character in plan(pair, kind, len) {
        match (character, pair.spec) {
            (Ok((_, bytes)), _) => filler.extend_from_slice(bytes),
            (Err(ascii), Encoding::Utf16Be | Encoding::Utf16Le | Encoding::Extended(_)) => {
                filler.extend(encode_one(pair.spec, ascii.into()).unwrap_or_default());
            }
            (Err(ascii), _) => filler.push(ascii),
        }
    }
    filler
}

/// Returns filler as mappable text.
pub fn text(pair: Pair, kind: u8, len: u8) -> String {
    plan(pair, kind, len)
        .map(|character| character.map_or_else(char::from, |(c, _)| c))
        .collect()
}

/// Returns the pool's character that `byte` selects.
pub fn character(pair: Pair, byte: u8) -> char {
    let classes = &pool(pair).classes;
    if classes.is_empty() {
        return char::from(byte % 0x80);
    }
    let byte = usize::from(byte);
    let list = &classes[byte % classes.len()];
    list[byte * 3 % list.len()].0
}
