//! Text of hundreds of characters, which kernels convert in pieces.

use super::*;

/// Covers every code point near Latin letters, among enough letters for the loop for dense letters.
#[test]
fn dense_latin_text_is_exact_at_every_level() {
    for_all(|code_points, pages, rng| {
        let letters: Vec<char> = (0xC0..=0xFF)
            .filter_map(|byte| char_of(code_points, byte).filter(|c| (*c as u32) < 0x800))
            .collect();
        if !pages.is_sparse() || letters.is_empty() {
            return;
        }
        let mut chars: Vec<char> = (0..420).map(|i| letters[i % letters.len()]).collect();
        for (i, other) in ('\u{7F}'..'\u{200}')
            .chain('\u{200F}'..'\u{2040}')
            .enumerate()
        {
            let at = 140 + rng.below(250);
            let before = core::mem::replace(&mut chars[at], other);
            chars[130 + i % 20] = 'a';
            let text: String = chars.iter().collect();
            let room = [2000, 420, 150 + rng.below(270)][i % 3];
            check_encode_utf8(code_points, pages, &text, (i % 64, room));
            chars[at] = before;
        }
    });
}

/// Covers input long enough for tables at the levels without vectors: every output length, and unmapped characters at
/// any position.
#[test]
fn long_input_is_exact_at_every_level() {
    for_all(|code_points, pages, rng| {
        let gap = code_points.iter().position(|&c| c == 0);
        for round in 0..40 {
            let mut bytes = mapped_bytes(code_points, 600 + rng.below(700), rng);
            if round % 3 == 0 {
                // Mostly ASCII, as in Latin scripts, followed by dense letters.
                for byte in &mut bytes[..500] {
                    *byte = if *byte % 11 == 0 { *byte } else { *byte & 0x7F };
                }
            } else if round % 3 == 1 {
                // Long ASCII, which kernels look for at every fourth block, with an arbitrary end.
                let start = 100 + rng.below(156);
                bytes[start..2 * AHEAD + rng.below(80)]
                    .iter_mut()
                    .for_each(|byte| *byte &= 0x7F);
            }
            let text = text_of(code_points, &bytes);
            let most = if round % 2 == 0 {
                3 * bytes.len()
            } else {
                rng.below(3 * bytes.len())
            };
            let place = (rng.below(64), most);
            check_encode_utf8(code_points, pages, &text, place);
            let mut units: Vec<u16> = text.encode_utf16().collect();
            check_encode_utf16(code_points, pages, &units, place);
            let at = rng.below(bytes.len());
            let mut chars: Vec<char> = text.chars().collect();
            let other = [
                '\u{7FF}',
                '\u{FFF}',
                '\u{9E9E}',
                '\u{F6FF}',
                '\u{F800}',
                '\u{1F600}',
                '\0',
            ][round % 7];
            chars[at] = other;
            check_encode_utf8(code_points, pages, &chars.iter().collect::<String>(), place);
            units[at] = [0x7FF, 0xFFF, 0x1000, 0xD800, 0xF77F, 0xF800, 0][round % 7];
            check_encode_utf16(code_points, pages, &units, place);
            check_decode(code_points, &bytes, place);
            bytes[at] = gap.map_or(0, |gap| 0x80 + gap as u8);
            check_decode(code_points, &bytes, place);
        }
    });
}
