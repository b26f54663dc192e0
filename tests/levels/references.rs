//! References for unmappable characters, near and far from each other, at every level. Kernels, the loops that write
//! references, and the state machines alternate.

use crate::common::{EncodeError, Random, at_every_level, drive, input, oracle};
use mojika::Encoding;
use mojika_spec::hooks::encode_string;
use mojika_spec::{EncodeItem, encode_fragments};

/// Characters that few or no encodings have: above U+FFFF, of three bytes and of two, a surrogate's replacement, and
/// special ones of ISO-2022-JP.
const STRANGE: [char; 16] = [
    '\u{1F600}',
    '\u{20000}',
    '\u{10FFFF}',
    '\u{FFFF}',
    '\u{FFFD}',
    '\u{E000}',
    '\u{F700}',
    '\u{F77F}',
    '\u{F800}',
    '\u{7FF}',
    '\u{80}',
    '\u{A5}',
    '\u{203E}',
    '\u{1B}',
    '\u{E}',
    '\0',
];

/// Returns mappable text, with one of [`STRANGE`] about every `distance` characters.
fn text(
    random: &mut Random,
    encoding: &'static Encoding,
    length: usize,
    distance: usize,
) -> String {
    let is_mapped = |c: &char| encoding.encode(c.encode_utf8(&mut [0; 4])).is_ok();
    let mut text = String::new();
    while text.chars().count() < length {
        let (first, count) = input::SCRIPTS[random.below(input::SCRIPTS.len())];
        for _ in 0..1 + random.below(40) {
            let script = if random.below(6) == 0 {
                (0x20, 95)
            } else {
                (first, count)
            };
            let c = char::from_u32(script.0 + random.below(script.1) as u32).filter(is_mapped);
            text.extend(c);
            if random.below(distance) == 0 {
                text.push(*random.pick(&STRANGE));
            }
        }
    }
    text
}

/// Returns code units, with a lone surrogate for each U+FFFD that does not form a pair with its neighbours.
fn units(text: &str) -> Vec<u16> {
    let mut units: Vec<u16> = text.encode_utf16().collect();
    for at in 0..units.len() {
        if units[at] == 0xFFFD {
            let follows_lead = at > 0 && units[at - 1] & 0xFC00 == 0xD800;
            units[at] = if follows_lead || at % 2 == 0 {
                0xDBFF
            } else {
                0xDC00
            };
        }
    }
    units
}

/// Returns the transliteration's bytes, and the unmappable characters.
fn without_references(encoding: &'static Encoding, text: &str) -> (Vec<u8>, Vec<EncodeError>) {
    let (mut bytes, mut errors) = (Vec::new(), Vec::new());
    let characters: Vec<(usize, char)> = text.char_indices().collect();
    let scalars: Vec<char> = text.chars().collect();
    for item in encode_fragments(oracle(encoding), &scalars) {
        match item {
            EncodeItem::Bytes { bytes: more, .. } => bytes.extend(more),
            EncodeItem::Unmappable { code_point, index } => errors.push(EncodeError {
                at: bytes.len(),
                offset: characters[index].0 as u64,
                scalar: code_point,
            }),
        }
    }
    (bytes, errors)
}

#[test]
fn references_are_the_same_near_and_far() {
    let mut random = Random::new(77);
    let mut cases = Vec::new();
    for encoding in Encoding::all() {
        if encoding.output_encoding() != *encoding {
            continue;
        }
        for round in 0..60 {
            let distance = [2, 5, 12, 30, 90, 300][round % 6];
            let length = 1 + random.below(60 + 8 * distance);

            let text = text(&mut random, encoding, length, distance);
            let units = units(&text);
            let expected = encode_string(&text, oracle(encoding));
            let most = *random.pick(&[8, 80, 700]);
            let room = 4 + random.below(most);
            cases.push((encoding, text, units, expected, room));
        }
    }
    at_every_level(|level| {
        for (encoding, text, units, expected, room) in &cases {
            let case = format!("{encoding} at level {level}, buffers of {room}: {text:?}");
            let html = encoding.encode_html(text).unwrap();
            assert!(*html.bytes == **expected, "{case}");
            let strange = encoding.encode(text).is_err();
            assert_eq!(html.had_errors, strange, "{case}");
            let mut encoder = encoding.new_encoder().unwrap();
            let (first, second) =
                text.split_at(text.char_indices().nth(20).map_or(0, |(at, _)| at));
            let chunked = drive::encode(&mut encoder, &[first, second], *room);
            assert!(chunked.bytes == *expected, "in chunks: {case}");
            assert_eq!(chunked.had_errors, strange, "in chunks: {case}");
            let (first, second) = units.split_at(units.len() / 3);
            let chunked = drive::encode(&mut encoder, &[first, second], *room);
            assert!(chunked.bytes == *expected, "from UTF-16: {case}");
            assert_eq!(chunked.had_errors, strange, "from UTF-16: {case}");
            // Without references, each unmappable character stops a call.
            let (bytes, errors) = without_references(encoding, text);
            let fatal = drive::encode_fatal(&mut encoder, &[&**text], *room);
            assert!(
                (fatal.bytes, fatal.errors) == (bytes, errors),
                "fatal: {case}"
            );
        }
    });
}
