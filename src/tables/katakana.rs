//! index ISO-2022-JP katakana: the full-width form that the encoder writes for half-width katakana.

use super::double_byte::ISO_2022_JP_KATAKANA;

/// Returns the full-width code point for U+FF61 + `offset`, which is 0 to 62; U+FFFD beyond.
#[inline]
pub(crate) fn iso_2022_jp_katakana(offset: u8) -> u16 {
    ISO_2022_JP_KATAKANA
        .get(usize::from(offset))
        .copied()
        .unwrap_or(0xFFFD)
}
