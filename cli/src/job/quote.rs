//! File names in messages: a name never moves the cursor, colours the terminal or ends a line.

use std::fmt::Write;
use std::path::Path;

/// Quotes a path as GNU `ls` does: plain names as they are, others in shell quotes that can be pasted back.
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

/// Control and format characters, which include overrides of the writing direction.
fn is_unsafe(character: char) -> bool {
    character.is_control()
        || matches!(character, '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2060}'..='\u{2069}' | '\u{FEFF}')
}

fn is_special(character: char) -> bool {
    character.is_whitespace() || "'\"\\$`!*?[]{}()<>|&;#~".contains(character)
}

/// `$'…'` as bash, zsh and ksh read it.
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
        assert_eq!(quoted(b"a b"), "'a b'");
        assert_eq!(quoted(b"it's"), r"$'it\'s'");
    }

    #[test]
    fn control_characters_and_invalid_utf_8_are_escaped() {
        assert_eq!(quoted(b"a\nb"), r"$'a\nb'");
        assert_eq!(quoted(b"\x1B[31mred"), r"$'\033[31mred'");
        assert_eq!(quoted(b"\xFFx"), r"$'\377x'");
        assert_eq!(quoted("a\u{202E}b".as_bytes()), r"$'a\342\200\256b'");
    }
}
