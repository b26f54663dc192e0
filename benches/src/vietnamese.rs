//! Vietnamese as windows-1258 writes it: vowel and tone mark apart.
//!
//! windows-1258 has the vowels with their circumflex, breve or horn as one byte, and the five tones as combining
//! characters. Text from anywhere else is precomposed, and would lose its vowels.

use std::borrow::Cow;

/// The twelve vowels, in both cases, and per vowel its letters with grave, hook above, tilde, acute and dot below.
const VOWELS: [(char, &str); 24] = [
    ('a', "àảãáạ"),
    ('ă', "ằẳẵắặ"),
    ('â', "ầẩẫấậ"),
    ('e', "èẻẽéẹ"),
    ('ê', "ềểễếệ"),
    ('i', "ìỉĩíị"),
    ('o', "òỏõóọ"),
    ('ô', "ồổỗốộ"),
    ('ơ', "ờởỡớợ"),
    ('u', "ùủũúụ"),
    ('ư', "ừửữứự"),
    ('y', "ỳỷỹýỵ"),
    ('A', "ÀẢÃÁẠ"),
    ('Ă', "ẰẲẴẮẶ"),
    ('Â', "ẦẨẪẤẬ"),
    ('E', "ÈẺẼÉẸ"),
    ('Ê', "ỀỂỄẾỆ"),
    ('I', "ÌỈĨÍỊ"),
    ('O', "ÒỎÕÓỌ"),
    ('Ô', "ỒỔỖỐỘ"),
    ('Ơ', "ỜỞỠỚỢ"),
    ('U', "ÙỦŨÚỤ"),
    ('Ư', "ỪỬỮỨỰ"),
    ('Y', "ỲỶỸÝỴ"),
];
const TONES: [char; 5] = ['\u{300}', '\u{309}', '\u{303}', '\u{301}', '\u{323}'];

/// The text with tone marks as characters of their own.
pub fn decompose(text: &str) -> Cow<'_, str> {
    let apart = |letter| {
        VOWELS.iter().find_map(|&(vowel, letters)| {
            let tone = letters.chars().position(|l| l == letter)?;
            Some((vowel, TONES[tone]))
        })
    };
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
        for (_, letters) in VOWELS {
            assert_eq!(letters.chars().count(), TONES.len(), "{letters}");
            assert!(mojika::WINDOWS_1258.encode(&decompose(letters)).is_ok());
        }
    }
}
