//! Measures the likeness of a text to ordinary writing: a line is in one language, and its words are capitalised normally.
//!
//! The measure chooses between repairs that are all valid UTF-8.

use std::sync::LazyLock;

/// The non-ASCII letters of each language, in lower case. The letters of non-Latin alphabets are in [`RANGES`].
const ALPHABETS: [&str; 33] = [
    "äöüß",                                 // German
    "àâæçèéêëîïôœùûüÿ",                     // French
    "áéíóúüñ",                              // Spanish
    "àáâãçéêíóôõúü",                        // Portuguese
    "àèéìíîòóùú",                           // Italian
    "àçèéíïòóúü·",                          // Catalan
    "åäöé",                                 // Swedish, Finnish
    "šžåäö",                                // Finnish
    "æøåéèêóòôä",                           // Danish, Norwegian
    "áéëïíóöúèê",                           // Dutch
    "áðéíóúýþæö",                           // Icelandic
    "áéíóú",                                // Irish
    "áðíóúýæø",                             // Faroese
    "âêîôûŵŷáéíóúäëïöẅÿàèìòù",              // Welsh
    "áčďéěíňóřšťúůýž",                      // Czech
    "áäčďéíĺľňóôŕšťúýž",                    // Slovak
    "ąćęłńóśźż",                            // Polish
    "áéíóöőúüű",                            // Hungarian
    "čšž",                                  // Slovene
    "čćđšž",                                // Croatian
    "ăâîșț",                                // Romanian
    "ăâîşţ",                                // Romanian, with cedillas
    "çëâêîôûöü",                            // Albanian
    "âçğıîöşûüi\u{307}",                    // Turkish
    "âçğəıîöşüi\u{307}",                    // Azerbaijani
    "ąčęėįšųūž",                            // Lithuanian
    "āčēģīķļņšūžōŗ",                        // Latvian
    "äõöüšž",                               // Estonian
    "ĉĝĥĵŝŭ",                               // Esperanto
    "ċġħżàèìòù",                            // Maltese
    "āēīōūñáéíóúḥṭṣḍṇśṛṃ",                  // transliterations
    "àáâãèéêìíòóôõùúýăđĩũơư",               // Vietnamese, with RANGES
    "αβγδεζηθικλμνξοπρστυφχψωςάέήίόύώϊϋΐΰ", // Greek
];

/// Ranges of letters that several languages share: Cyrillic, and all other non-Latin scripts.
const RANGES: [(char, char); 13] = [
    ('а', 'я'),
    ('ё', 'ё'),
    ('ђ', 'џ'),
    ('ґ', 'ґ'),
    ('ғ', 'ғ'),
    ('қ', 'қ'),
    ('ң', 'ң'),
    ('ү', 'ү'),
    ('ұ', 'ұ'),
    ('һ', 'һ'),
    ('ә', 'ә'),
    ('ө', 'ө'),
    ('ạ', 'ỹ'),
];

/// Counts the oddities of a text: letters of no common language, letters in another case than their neighbours, `ß` at the
/// start of a word, signs within words. Control characters, paragraph separators, and rare arrows, punctuation and Chinese
/// characters count, too.
pub fn oddities(text: &str) -> usize {
    let mut foreign = [0; ALPHABETS.len()];
    let mut odd = 0;
    let mut before = ' ';
    let mut characters = text.chars().peekable();
    while let Some(character) = characters.next() {
        let after = characters.peek().copied().unwrap_or(' ');
        let is_odd = is_misplaced(character, before, after) || is_rare(character);
        let is_odd = is_odd && !character.is_ascii();
        odd += usize::from(is_odd);
        before = character;
        if character.is_ascii() {
            continue;
        }
        let is_letter = character.is_alphabetic() && !is_of_many(character);
        if is_letter {
            let lower = character.to_lowercase();
            let alphabets = lower.fold(u64::MAX, |all, letter| all & alphabets_with(letter));
            for (number, foreign) in foreign.iter_mut().enumerate() {
                *foreign += usize::from(alphabets >> number & 1 == 0);
            }
        }
    }
    odd + foreign.into_iter().min().unwrap_or(0)
}

/// The letters of all alphabets, in order, with a bit for each alphabet that contains them.
static LETTERS: LazyLock<Vec<(char, u64)>> = LazyLock::new(|| {
    let mut letters: Vec<char> = ALPHABETS.concat().chars().collect();
    letters.sort_unstable();
    letters.dedup();
    let bits = |letter| {
        let has = |&number: &usize| ALPHABETS[number].contains(letter);
        let numbers = (0..ALPHABETS.len()).filter(has);
        numbers.fold(0, |bits, number| bits | 1 << number)
    };
    letters.into_iter().map(|own| (own, bits(own))).collect()
});

/// Returns a bit for each alphabet that contains a letter.
fn alphabets_with(letter: char) -> u64 {
    let found = LETTERS.binary_search_by_key(&letter, |&(own, _)| own);
    found.map_or(0, |index| LETTERS[index].1)
}

/// True for a character in [`RANGES`], whose script many languages share.
fn is_of_many(character: char) -> bool {
    let mut lower = character.to_lowercase();
    let lower = lower.next().unwrap_or(character);
    lower > '\u{58F}' && !('\u{1E00}'..'\u{2000}').contains(&lower)
        || RANGES
            .iter()
            .any(|(first, last)| (first..=last).contains(&&lower))
}

fn is_misplaced(character: char, before: char, after: char) -> bool {
    let is_capital_within = character.is_uppercase()
        && (before.is_lowercase() || before.is_alphabetic() && after.is_lowercase());
    let is_small_within = character.is_lowercase() && before.is_uppercase() && after.is_uppercase();
    // Signs that Catalan, Spanish and French use within words are exempt.
    let is_sign = matches!(character, '¡'..='¿' | '×' | '÷')
        && !matches!(
            character,
            'ª' | 'º' | '·' | '«' | '»' | '°' | '´' | '\u{AD}'
        );
    let is_sign_within = is_sign && before.is_alphabetic() && after.is_alphabetic()
        || character == '÷' && (before.is_alphabetic() || after.is_alphabetic());
    is_capital_within
        || is_small_within
        || is_sign_within
        || character == 'ß' && !before.is_alphabetic()
}

/// True if a character is very rare in text.
fn is_rare(character: char) -> bool {
    matches!(character,
        // Control characters, including those of direction, and line and paragraph separators.
        '\u{80}'..='\u{9F}' | '\u{2028}'..='\u{202E}'
        // Supplemental arrows, and supplemental punctuation.
        | '\u{27F0}'..='\u{297F}' | '\u{2E00}'..='\u{2E7F}'
        // Rare Chinese characters.
        | '\u{20000}'..)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn oddities_are_letters_of_no_language_and_capitals_within_words() {
        // These letters are in no common alphabet: German has no ñ, and Spanish has no ß.
        for (texts, count) in [
            (
                "|Größe, Äpfel und GRÜSSE|Żółta łódź|Việt Nam được đặt tên|Привет, Київ|Καλημέρα|שלום العربية ไทย 文字",
                0,
            ),
            ("große Piñata|mÀdchen|MÀdchen|GRüN", 1),
            ("şžşž|Þetta ßað|a\u{85}\u{2029}|Ѐ Ѥ", 2),
            ("⤝a⤽ → ★ ⨉ ⹉ \u{2E624}", 4),
            ("n÷m, a÷ x±y 3 ÷ 2, 3÷2, col·lega, «a»b", 3),
        ] {
            texts
                .split('|')
                .for_each(|text| assert_eq!(oddities(text), count, "{text}"));
        }
    }
}
