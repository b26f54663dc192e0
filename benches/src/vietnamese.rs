//! Vietnamese in the form of windows-1258: with separate vowels and tone marks.
//!
//! windows-1258 has each vowel with its circumflex, breve or horn as one byte, and the five tones as combining
//! characters. Other Vietnamese text is precomposed, and would lose its vowels in this encoding.

use std::borrow::Cow;

#[allow(dead_code, reason = "the generator of detection tables uses the rest")]
#[path = "../../gen/src/train/letters.rs"]
mod letters;

/// Returns the vowel and the tone mark of a letter with a tone.
fn apart(letter: char) -> Option<(char, char)> {
    let lower = letter.to_lowercase().next()?;
    let (vowel, tone) = letters::vowel_and_tone(lower)?;
    let vowel = if letter == lower {
        vowel
    } else {
        vowel.to_uppercase().next()?
    };
    Some((vowel, tone))
}

/// Returns the text with tone marks as separate characters.
pub fn decompose(text: &str) -> Cow<'_, str> {
    if text.is_ascii() {
        return text.into();
    }
    let mut decomposed = String::with_capacity(text.len() + text.len() / 4);
    for letter in text.chars() {
        match (!letter.is_ascii()).then(|| apart(letter)).flatten() {
            Some((vowel, tone)) => decomposed.extend([vowel, tone]),
            None => decomposed.push(letter),
        }
    }
    decomposed.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tone_marks_come_apart_and_other_marks_stay() {
        assert_eq!(decompose("Sao Hỏa ấy"), "Sao Ho\u{309}a â\u{301}y");
        assert_eq!(decompose("đường"), "đươ\u{300}ng");
    }

    #[test]
    fn every_letter_with_a_tone_is_known_to_windows_1258_afterwards() {
        // The precomposed characters of Unicode: Latin Extended Additional, from A with dot below on.
        for letter in '\u{1EA0}'..='\u{1EF9}' {
            let decomposed = decompose(letter.encode_utf8(&mut [0; 4])).into_owned();
            // Circumflex, breve and horn stay with their letter, so there are at most two characters.
            assert_eq!(decomposed.chars().count(), 2, "{letter}");
            assert!(mojika::WINDOWS_1258.encode(&decomposed).is_ok(), "{letter}");
        }
        assert_eq!(decompose("ÀáÕ"), "A\u{300}a\u{301}O\u{303}");
    }
}
