//! Traces that a text is in another encoding than statistics say: words in UTF-8 among others, and pieces of frames that frame
//! nothing.

/// Whether a run beyond ASCII is letters or signs of Western text in UTF-8, next to a letter of ASCII: `seriÃ«le`. In encodings of
/// single bytes in Latin script, these are a capital and a sign, which no word has.
pub(super) fn has_utf_8(text: &[u8]) -> bool {
    let is_letter = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_alphabetic);
    let is_western =
        |c: char| matches!(c, '\u{A0}'..='\u{17F}' | '\u{2010}'..='\u{203A}' | '€' | '™');
    let mut rest = text;
    while let Some(at) = rest.iter().position(|byte| !byte.is_ascii()) {
        let (ascii, run) = rest.split_at(at);
        let length = run.iter().position(u8::is_ascii).unwrap_or(run.len());
        let (run, after) = run.split_at(length);
        if (is_letter(ascii.last()) || is_letter(after.first()))
            && core::str::from_utf8(run).is_ok_and(|run| run.chars().all(is_western))
        {
            return true;
        }
        rest = after;
    }
    false
}

/// Whether all lines and corners of frames but vertical lines stand alone, and there are some: `╟%s╚`.
pub(super) fn has_lone_boxes(text: &str) -> bool {
    let is_box = |c: char| matches!(c, '\u{2500}'..='\u{259F}');
    let is_corner = |c: char| matches!(c, '\u{250C}'..='\u{254B}' | '\u{2552}'..='\u{256C}');
    let (mut before, mut lone) = (' ', 0);
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        if is_corner(character) {
            let after = characters.peek().copied().unwrap_or(' ');
            if is_box(before) || is_box(after) {
                return false;
            }
            lone += 1;
        }
        before = character;
    }
    lone > 0
}

#[cfg(test)]
mod tests {
    use super::{has_lone_boxes, has_utf_8};

    #[test]
    fn a_run_of_utf_8_beside_a_letter_is_a_trace() {
        for (text, is_trace) in [
            (&b"Brazili\xC3\xAB) en seri\x91le"[..], true),
            (b"\xC3\xA9\xC3\xA9n", true),
            (b"it\xE2\x80\x99s", true),
            (b"a\xC2\xA0b", true),
            // Not beside a letter, and not of Western text.
            (b" \xC3\xAB ", false),
            (b"a \xC3\xAB)", false),
            (b"a\xD0\xBF", false),
            (b"a\xC6\x80", false),
            (b"a\xE2\x94\x80", false),
            // Not UTF-8.
            (b"caf\xE9", false),
            (b"caf\xE9\xC3\xAB", false),
            (b"NA\xC3O", false),
            (b"plain", false),
            (b"", false),
            (b"\xE9 \xC3\xABa", true),
        ] {
            assert_eq!(has_utf_8(text), is_trace, "{}", text.escape_ascii());
        }
    }

    #[test]
    fn corners_that_stand_alone_are_a_trace() {
        for (text, is_trace) in [
            ("per ╟%s╚.", true),
            ("╤", true),
            ("a ┤ b", true),
            // Frames, trees and columns.
            ("┌──┐", false),
            ("├─ a", false),
            ("│ a │ b ║", false),
            ("─ ═", false),
            ("█▄ ░", false),
            ("╟%s ┌─", false),
            ("─┘ ╚", false),
            ("┌┐", false),
            ("text", false),
        ] {
            assert_eq!(has_lone_boxes(text), is_trace, "{text}");
        }
    }
}
