//! Encodings and texts that many tests use.

use mojika::Encoding;

/// Returns one encoding for each kind of codec: all multi-byte ones, and single-byte ones with and without unmapped bytes,
/// with two- and three-byte characters in UTF-8.
pub fn representatives() -> Vec<&'static Encoding> {
    let chosen = [
        mojika::WINDOWS_1252,
        mojika::WINDOWS_874,
        mojika::ISO_8859_5,
        mojika::ISO_8859_6,
        mojika::WINDOWS_1253,
    ];
    let differs = |encoding: &&'static Encoding| {
        !encoding.is_single_byte()
            || *encoding == mojika::X_USER_DEFINED
            || chosen.contains(encoding)
    };
    Encoding::all().iter().copied().filter(differs).collect()
}

/// Returns inputs for a decoder: well-formed, malformed, truncated, with byte order marks.
///
/// All encodings are tested with the same inputs, because well-formed input of one encoding is malformed in another.
pub fn byte_inputs() -> Vec<&'static [u8]> {
    vec![
        b"",
        b"a",
        b"\xFF",
        b"\x81",
        b"ab\x95\xB6\x8E\x9A\x89\xBBcd\x81",
        b"\x81\x30\x81\x30\x90\x30\x81\x30a\x81\x30\x81a",
        b"\x81\x30\x81\xFF\x81\x30\xFF\x81\x41\x80\xFF\x81",
        b"\xA1\xA1\xB0\xA1\x8E\xB1\x8F\xA2\xAF\x8F\xA2a\x8F",
        b"a\x88\x62\x88\x64\x88\xA3\x88\xA5\x87\x40b\x88a\xFE\xFE",
        b"a\x1B$B0!F|\x1B(J\\~\x1B(I12\x1B(Bz",
        b"\x1B$B0\x1B(B\x1B(J\x1B$\x1B(\x0E\x1Ba\x1B(",
        b"\x1B$B!!0\xFF\x80\x0F0a0!\x1B$",
        b"\xE3\x81\x82\xF0\x9F\x92\xA9\xED\xA0\x80\xF4\x90\xC0\xE3\x81",
        b"\xF0\x9F\x92a\xF0\x80\xC3\xA9\xE3\x81\xFF\xF0\x9F",
        b"\xEF\xBB\xBFa\xEF\xBB\xBF\xC3\xA9\xFF",
        b"\xFE\xFF\0a\xD8\x3D\xDC\xA9\xDC\0\xD8\0\0b\xD8\0",
        b"\xFF\xFEa\0\x3D\xD8\xA9\xDC\0\xDC\0\xD8b\0\0\xD8\x7F",
        b"\xEF\xBB",
        b"\xEF\xBBa\xEF",
        b"\xFEab",
        b"\xFF\xFF\xFE",
        b"\xEF\xEF\xBB\xBF\xFE",
    ]
}

/// Returns texts for an encoder.
pub fn text_inputs() -> Vec<&'static str> {
    vec![
        "",
        "a",
        "é",
        "💩",
        "ab文字化cd¥‾z",
        "\u{E}文\u{F}\u{1B}¥\u{1B}a",
        "αaβ¥γ‾δ\\~",
        "ｱｶﾞ−～\u{E5E5}\u{E7C7}€",
        "한글 漢字 \u{20000}\u{2000B}\u{10FFFF}",
        "Привет, \u{F780}\u{F7FF} ท",
        "\u{80}\u{7FF}\u{800}\u{FFFF}\u{FFFD}\u{FEFF}",
        "a💩b\u{7FF}文\u{7FF}¥💩",
    ]
}
