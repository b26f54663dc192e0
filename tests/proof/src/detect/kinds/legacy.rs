//! Encodings outside the Standard.

use mojika::{EUC_KR, GBK};

/// Languages and encodings that mojika decodes, but that detection only returns if hints allow them.
pub const EXTENDED: [(&str, &str); 24] = [
    ("de", "IBM850"),
    ("fr", "IBM850"),
    ("es", "IBM850"),
    ("sv", "IBM850"),
    ("de", "IBM437"),
    ("fr", "IBM437"),
    ("pl", "IBM852"),
    ("cs", "IBM852"),
    ("hu", "IBM852"),
    ("ru", "IBM855"),
    ("bg", "IBM855"),
    ("sr", "IBM855"),
    ("tr", "IBM857"),
    ("el", "IBM737"),
    ("el", "IBM869"),
    ("lt", "IBM775"),
    ("lv", "IBM775"),
    ("he", "IBM862"),
    ("is", "IBM861"),
    ("nb", "IBM865"),
    ("en", "IBM037"),
    ("de", "IBM273"),
    ("fr", "IBM297"),
    ("es", "IBM500"),
];

/// Languages, encodings without a decoder in the Standard, and encoders, each built on that of another encoding.
#[allow(clippy::type_complexity, reason = "a table")]
pub const ESCAPED: [(&str, &str, fn(&str) -> Vec<u8>); 7] = [
    ("ko", "ISO-2022-KR", iso_2022_kr),
    ("zh_CN", "ISO-2022-CN", iso_2022_cn),
    ("zh_CN", "HZ-GB-2312", hz),
    ("ja", "UTF-7", utf_7),
    ("ru", "UTF-7", utf_7),
    ("de", "UTF-7", utf_7),
    ("ko", "UTF-7", utf_7),
];

/// Returns the two bytes of a character in `encoding` without their high bits; `None` if it has no such bytes.
fn seven_bits(letter: char, encoding: &'static mojika::Encoding) -> Option<[u8; 2]> {
    let bytes = encoding
        .encode(letter.encode_utf8(&mut [0; 4]))
        .ok()?
        .into_owned();
    match bytes[..] {
        [first @ 0xA1..=0xFE, second @ 0xA1..=0xFE] => Some([first & 0x7F, second & 0x7F]),
        _ => None,
    }
}

/// Returns ASCII, and pairs of seven-bit bytes of `encoding`. `shifts` start ASCII and pairs. Omits other characters.
fn shifted(text: &str, encoding: &'static mojika::Encoding, shifts: [&str; 2]) -> Vec<u8> {
    let (mut bytes, mut is_shifted) = (Vec::new(), false);
    let mut shift = |bytes: &mut Vec<u8>, to: bool| {
        if to != is_shifted {
            bytes.extend_from_slice(shifts[usize::from(to)].as_bytes());
            is_shifted = to;
        }
    };
    for letter in text.chars() {
        if letter.is_ascii() {
            shift(&mut bytes, false);
            bytes.push(letter as u8);
        } else if let Some(pair) = seven_bits(letter, encoding) {
            shift(&mut bytes, true);
            bytes.extend_from_slice(&pair);
        }
    }
    shift(&mut bytes, false);
    bytes
}

/// Encodes as RFC 1557 defines.
fn iso_2022_kr(text: &str) -> Vec<u8> {
    [b"\x1B$)C".to_vec(), shifted(text, EUC_KR, ["\x0F", "\x0E"])].concat()
}

/// Encodes by RFC 1922. Each line with a pair has its own designation.
fn iso_2022_cn(text: &str) -> Vec<u8> {
    let lines = text.lines().map(|line| {
        let line = shifted(line, GBK, ["\x0F", "\x1B$)A\x0E"]);
        [line, b"\n".to_vec()].concat()
    });
    lines.collect::<Vec<_>>().concat()
}

/// Encodes as RFC 1843 defines.
fn hz(text: &str) -> Vec<u8> {
    shifted(&text.replace('~', "~~"), GBK, ["~}", "~{"])
}

/// Encodes by RFC 2152. Adjacent characters outside of ASCII form one run of Base64.
fn utf_7(text: &str) -> Vec<u8> {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut bytes = Vec::new();
    let mut run: Vec<u16> = Vec::new();
    for letter in text.chars().chain(['\n']) {
        if !letter.is_ascii() {
            run.extend_from_slice(letter.encode_utf16(&mut [0; 2]));
            continue;
        }
        if !run.is_empty() {
            bytes.push(b'+');
            let bits: Vec<u16> = run
                .iter()
                .flat_map(|unit| (0..16).rev().map(move |bit| unit >> bit & 1))
                .collect();
            for six in bits.chunks(6) {
                let value = (0..6).fold(0, |value, at| {
                    value << 1 | six.get(at).copied().unwrap_or(0)
                });
                bytes.push(DIGITS[usize::from(value)]);
            }
            bytes.push(b'-');
            run.clear();
        }
        bytes.push(letter as u8);
        if letter == '+' {
            bytes.push(b'-');
        }
    }
    bytes
}
