//! Traces that a text is in another encoding than statistics say: words in UTF-8 among others, pieces of frames that frame
//! nothing, signs without words, and one or two kanji that would be a word in capitals.

use crate::{mem, simd};

/// Whether a run beyond ASCII is letters or signs of Western text in UTF-8, next to a letter of ASCII: `seriÃ«le`. In encodings of
/// single bytes in Latin script, these are a capital and a sign, which no word has.
pub(super) fn has_utf_8(text: &[u8]) -> bool {
    let is_letter = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_alphabetic);
    let is_western =
        |c: char| matches!(c, '\u{A0}'..='\u{17F}' | '\u{2010}'..='\u{203A}' | '€' | '™');
    let mut rest = text;
    loop {
        let (ascii, run) = rest.split_at(mem::ascii_prefix_len(rest));
        if run.is_empty() {
            return false;
        }
        let length = run.iter().position(u8::is_ascii).unwrap_or(run.len());
        let (run, after) = run.split_at(length);
        if (is_letter(ascii.last()) || is_letter(after.first()))
            && core::str::from_utf8(run).is_ok_and(|run| run.chars().all(is_western))
        {
            return true;
        }
        rest = after;
    }
}

/// Whether all lines and corners of frames but vertical lines stand alone, and there are some: `╟%s╚`.
pub(super) fn has_lone_boxes(text: &str) -> bool {
    let is_box = |c: char| matches!(c, '\u{2500}'..='\u{259F}');
    let is_corner = |c: char| matches!(c, '\u{250C}'..='\u{254B}' | '\u{2552}'..='\u{256C}');
    // Each of them begins with this byte in UTF-8, and most texts have none.
    let starts = memchr::memchr_iter(0xE2, text.as_bytes());
    let mut corners = starts.filter(|&at| text[at..].starts_with(is_corner));
    let is_lone = |at: usize| {
        let (before, rest) = text.split_at(at);
        !before.ends_with(is_box) && !rest.chars().nth(1).is_some_and(is_box)
    };
    corners.next().is_some_and(is_lone) && corners.all(is_lone)
}

/// Whether a text has more signs beyond ASCII, two different ones or more, than letters and digits: `“c’†`. Lines, frames and
/// blocks do not count, which people draw.
pub(super) fn is_rather_signs(text: &str) -> bool {
    let is_sign =
        |c: &char| !c.is_ascii() && !c.is_alphanumeric() && !matches!(c, '\u{2500}'..='\u{259F}');
    // Every sign is a character beyond ASCII. Most texts reach that number of letters and digits near their start.
    let ascii = text.len() - simd::count_not_ascii(text.as_bytes());
    let most = mem::count_chars(text) - ascii;
    let words = text.chars().filter(|c| c.is_alphanumeric());
    let words = words.take(most).count();
    if words == most {
        return false;
    }
    let mut signs = text.chars().filter(is_sign);
    let count = signs.clone().count();
    count > words
        && signs
            .next()
            .is_some_and(|first| signs.any(|sign| sign != first))
}

/// Whether a text in IBM866 is one word of two or four capitals, whose bytes are everyday kanji in Shift_JIS (rows 16 to 47 of JIS
/// X 0208): `УМЛЮ` is 東京.
pub(super) fn is_perhaps_kanji(text: &[u8]) -> bool {
    let word = text.trim_ascii();
    let is_kanji = |pair: &[u8]| matches!(pair, [0x88..=0x97, 0x80..=0x9F]);
    matches!(word.len(), 2 | 4) && word.chunks(2).all(is_kanji)
}

#[cfg(test)]
mod tests {
    use super::{has_lone_boxes, has_utf_8, is_perhaps_kanji, is_rather_signs};

    #[test]
    fn signs_that_outnumber_words_are_a_trace() {
        for (text, is_trace) in [
            ("“c’†", true),
            ("”\u{A0}©«\n", true),
            ("„€", true),
            ("„€ a", true),
            ("„€ 12", false),
            ("„€ ab", false),
            // The same sign again and again is a line, and drawn lines are none.
            ("•\n•\n•", false),
            ("———", false),
            ("┌─┐", false),
            ("─ • ─", false),
            ("© 2005", false),
            ("• one\n• two\n– three", false),
            ("\"?!\"", false),
            ("é«", false),
            ("é«»", true),
            ("", false),
        ] {
            assert_eq!(is_rather_signs(text), is_trace, "{text}");
        }
    }

    #[test]
    fn few_capitals_that_are_kanji_are_a_trace() {
        for (text, is_trace) in [
            // 東京, 学校 and 駅, which is one character.
            (&b"\x93\x8C\x8B\x9E\n"[..], true),
            (b" \x8Aw\x8D\x5A", false),
            (b"\x89w", false),
            (b"\x88\x80", true),
            (b"\x97\x9F", true),
            (b"\x87\x80", false),
            (b"\x98\x80", false),
            (b"\x88\x7F", false),
            (b"\x88\xA0", false),
            // A word of three letters, and of six.
            (b"\x8C\x88\x90", false),
            (b"\x8F\x90\x88\x82\x85\x92", false),
            (b"\x93\x8C\x8B\x9E\x93\x8C", false),
            (b"\x93\x8C \x8B\x9E", false),
            (b"", false),
        ] {
            assert_eq!(is_perhaps_kanji(text), is_trace, "{}", text.escape_ascii());
        }
    }

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
