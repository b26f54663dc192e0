//! Escapes names and other foreign text in messages. Such text must not move the cursor, colour the terminal, change
//! the writing direction, be invisible, or end a line.

use std::borrow::Cow;
use std::fmt::Write;
use std::path::Path;

/// Quotes a path as GNU `ls` does: plain names stay, others get shell quotes that can be pasted back.
pub fn quote(path: &Path) -> String {
    let bytes = path.as_os_str().as_encoded_bytes();
    let text = std::str::from_utf8(bytes).ok();
    let printable = text.filter(|text| !text.chars().any(is_unsafe));
    match printable {
        Some(text) if !text.is_empty() && !text.chars().any(is_special) => text.to_owned(),
        Some(text) if !text.contains('\'') => format!("'{text}'"),
        _ => escape(bytes),
    }
}

/// Returns the name of an input in messages; "-" is standard input.
pub fn input_name(path: &Path) -> String {
    match path.as_os_str() == "-" {
        true => "standard input".to_owned(),
        false => quote(path),
    }
}

/// Returns text that is not a name, such as a field of an archive or a label, with `\u{…}` for unsafe characters.
pub fn printable(text: &str) -> Cow<'_, str> {
    escaped_but(text, |_| false)
}

/// Escapes a message, which may have several lines.
pub fn printable_lines(text: &str) -> Cow<'_, str> {
    escaped_but(text, |character| matches!(character, '\n' | '\t'))
}

fn escaped_but(text: &str, is_allowed: impl Fn(char) -> bool) -> Cow<'_, str> {
    let is_kept = |character: char| is_allowed(character) || !is_unsafe(character);
    // Most messages are ASCII.
    let is_plain = |&byte: &u8| matches!(byte, b' '..=b'~');
    if text.as_bytes().iter().all(is_plain) || text.chars().all(is_kept) {
        return Cow::Borrowed(text);
    }
    let mut escaped = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        match character {
            _ if is_kept(character) => escaped.push(character),
            '\n' => escaped.push_str("\\n"),
            '\r' => escaped.push_str("\\r"),
            '\t' => escaped.push_str("\\t"),
            _ => {
                let _ = write!(escaped, "\\u{{{:x}}}", u32::from(character));
            }
        }
    }
    Cow::Owned(escaped)
}

/// True for control and format characters, which include overrides of the writing direction, line separators, private use,
/// and code points unassigned in Rust's standard library. These are the general categories Cc, Cf, Zl, Zp, Co, Cn.
pub fn is_unsafe(character: char) -> bool {
    if character.is_ascii() {
        return character.is_ascii_control();
    }
    // Letters and marks that are invisible.
    if matches!(
        character,
        '\u{34F}'
            | '\u{115F}'
            | '\u{1160}'
            | '\u{17B4}'
            | '\u{17B5}'
            | '\u{2800}'
            | '\u{3164}'
            | '\u{FFA0}'
    ) {
        return true;
    }
    // Spaces are printable here. U+0085, U+2028 and U+2029 are line ends.
    if character.is_whitespace() {
        return matches!(character, '\u{85}' | '\u{2028}' | '\u{2029}');
    }
    // `escape_debug` escapes the other unsafe characters. At the start of a text, it would also escape combining marks.
    let mut pair = [b'a'; 5];
    let length = 1 + character.encode_utf8(&mut pair[1..]).len();
    let pair = std::str::from_utf8(&pair[..length]).unwrap_or_default();
    pair.escape_debug().nth(1) == Some('\\')
}

fn is_special(character: char) -> bool {
    character.is_whitespace() || "'\"\\$`!*?[]{}()<>|&;#~".contains(character)
}

/// Returns `$'…'` in the syntax of bash, zsh and ksh.
fn escape(bytes: &[u8]) -> String {
    let mut quoted = String::from("$'");
    for chunk in bytes.utf8_chunks() {
        for character in chunk.valid().chars() {
            match character {
                '\n' => quoted.push_str("\\n"),
                '\t' => quoted.push_str("\\t"),
                '\r' => quoted.push_str("\\r"),
                '\'' | '\\' => quoted.extend(['\\', character]),
                _ if is_unsafe(character) => {
                    for byte in character.encode_utf8(&mut [0; 4]).bytes() {
                        let _ = write!(quoted, "\\{byte:03o}");
                    }
                }
                _ => quoted.push(character),
            }
        }
        for byte in chunk.invalid() {
            let _ = write!(quoted, "\\{byte:03o}");
        }
    }
    quoted.push('\'');
    quoted
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt;

    fn quoted(bytes: &[u8]) -> String {
        quote(Path::new(OsStr::from_bytes(bytes)))
    }

    #[test]
    fn plain_names_stay_as_they_are() {
        assert_eq!(quoted("a/文字.txt".as_bytes()), "a/文字.txt");
        for name in ["e\u{301}", "हिन्दी", "👍🏽", "ไทย", "עברית", "ą-_+=,.:@%^/"]
        {
            assert_eq!(quoted(name.as_bytes()), name);
        }
        assert_eq!(quoted(b"a b"), "'a b'");
        assert_eq!(quoted("全\u{3000}角".as_bytes()), "'全\u{3000}角'");
        assert_eq!(quoted(b"it's"), r"$'it\'s'");
    }

    #[test]
    fn control_characters_and_invalid_utf_8_are_escaped() {
        assert_eq!(quoted(b"a\nb\tc\rd\\e\x08"), r"$'a\nb\tc\rd\\e\010'");
        assert_eq!(quoted(b"\x1B[31mred"), r"$'\033[31mred'");
        assert_eq!(quoted(b"\xFFx"), r"$'\377x'");
        assert_eq!(quoted("a\u{202E}b".as_bytes()), r"$'a\342\200\256b'");
    }

    /// Characters of these categories control terminals, editors or the bidi algorithm, or are invisible.
    #[test]
    fn nothing_that_steers_or_hides_is_passed_on() {
        let unsafe_ranges = [
            0..=0x1F,
            0x7F..=0x9F,
            0xAD..=0xAD,
            0x600..=0x605,
            0x61C..=0x61C,
            0x6DD..=0x6DD,
            0x70F..=0x70F,
            0x8E2..=0x8E2,
            0x115F..=0x1160,
            0x180E..=0x180E,
            0x200B..=0x200F,
            0x2028..=0x202E,
            0x2060..=0x206F,
            0x3164..=0x3164,
            0xE000..=0xF8FF,
            0xFEFF..=0xFEFF,
            0xFFA0..=0xFFA0,
            0xFFF0..=0xFFFB,
            0xFFFE..=0xFFFF,
            0x1D173..=0x1D17A,
            0xE0000..=0xE00FF,
            0xE01F0..=0x10_FFFF,
        ];
        for character in unsafe_ranges
            .into_iter()
            .flatten()
            .filter_map(char::from_u32)
        {
            let name = format!("a{character}b");
            let shown = quoted(name.as_bytes());
            assert!(
                shown.starts_with("$'a\\"),
                "U+{:04X}: {shown}",
                u32::from(character)
            );
            let shown = printable(&name);
            assert!(
                shown.starts_with("a\\"),
                "U+{:04X}: {shown}",
                u32::from(character)
            );
        }
        assert_eq!(
            printable("text/\x1B[2Jhtml\n\t\r"),
            "text/\\u{1b}[2Jhtml\\n\\t\\r"
        );
        assert_eq!(
            printable_lines("one\n\ttwo\r\u{202E}"),
            "one\n\ttwo\\r\\u{202e}"
        );
    }
}
