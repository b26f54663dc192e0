//! Letters as legacy encodings have them.

/// Tones of Vietnamese, as windows-1258 encodes them: grave, acute, hook above, tilde, dot below.
const TONES: [char; 5] = ['\u{300}', '\u{301}', '\u{309}', '\u{303}', '\u{323}'];

/// Vowels of Vietnamese, each with its five toned forms.
const VOWELS: [&str; 12] = [
    "aàáảãạ",
    "ăằắẳẵặ",
    "âầấẩẫậ",
    "eèéẻẽẹ",
    "êềếểễệ",
    "iìíỉĩị",
    "oòóỏõọ",
    "ôồốổỗộ",
    "ơờớởỡợ",
    "uùúủũụ",
    "ưừứửữự",
    "yỳýỷỹỵ",
];

/// One line of Greek in this many is spelled as in upper case.
const EVERY: u32 = 8;

/// Letters with a tone that windows-1258 has, too.
const TONED: &str = "àáèéíóùú";

/// A text's characters as an encoding of the language would hold them, in lower case, with whether they were capitals.
///
/// In Vietnamese, keyboards write each tone as a mark of its own, and converters only where windows-1258 lacks the letter.
/// Lines are spelled as keyboards and as converters write them, in turns. In upper case, Greek has one sigma and no
/// accents. One line in `EVERY` is spelled so.
pub fn characters<'t>(text: &'t str, language: &'t str) -> impl Iterator<Item = (char, bool)> + 't {
    let mut lines = 0_u32;
    text.chars()
        .filter(|&character| !is_point(character))
        .flat_map(move |character| {
            lines += u32::from(character == '\n');
            let lower = character.to_lowercase().next().unwrap_or(character);
            let [first, second] = match language {
                "vi" if lines % 2 == 1 && TONED.contains(lower) => [Some(lower), None],
                "el" if lines % EVERY == 1 => [Some(in_upper_case(lower)), None],
                _ => spelled(lower, language),
            };
            [first, second]
                .into_iter()
                .flatten()
                .map(move |letter| (letter, lower != character))
        })
}

/// Vowel points of Hebrew and Arabic, which stand on the letter before them, and which most texts leave out.
pub fn is_point(character: char) -> bool {
    matches!(character, '\u{5B0}'..='\u{5BD}' | '\u{5BF}' | '\u{5C1}' | '\u{5C2}' | '\u{64B}'..='\u{652}')
}

/// Letters, and marks that belong to them.
pub fn is_letter(letter: char) -> bool {
    letter.is_alphabetic()
        || matches!(letter, '\u{300}'..='\u{36F}' | '\u{5B0}'..='\u{5C7}' | '\u{64B}'..='\u{65F}' | '\u{E31}'..='\u{E4E}')
}

/// Romanian's letters as most of its encodings have them.
pub fn with_cedilla(letter: char) -> char {
    match letter {
        'ș' => 'ş',
        'ț' => 'ţ',
        _ => letter,
    }
}

/// The lower case of the letter that stands for this one in a text in upper case.
fn in_upper_case(letter: char) -> char {
    match letter {
        'ς' => 'σ',
        'ά' => 'α',
        'έ' => 'ε',
        'ή' => 'η',
        'ί' | 'ϊ' | 'ΐ' => 'ι',
        'ό' => 'ο',
        'ύ' | 'ϋ' | 'ΰ' => 'υ',
        'ώ' => 'ω',
        _ => letter,
    }
}

/// The vowel and the combining tone mark of a Vietnamese letter in lower case, if it has a tone.
pub fn vowel_and_tone(letter: char) -> Option<(char, char)> {
    VOWELS.iter().find_map(|forms| {
        let mut forms = forms.chars();
        let vowel = forms.next()?;
        let tone = forms.position(|form| form == letter)?;
        Some((vowel, TONES[tone]))
    })
}

fn spelled(letter: char, language: &str) -> [Option<char>; 2] {
    let one = match (language, letter) {
        ("ro", letter) => with_cedilla(letter),
        ("fa" | "ar", 'ی') => 'ي',
        ("vi", letter) => match vowel_and_tone(letter) {
            Some((vowel, tone)) => return [Some(vowel), Some(tone)],
            None => letter,
        },
        _ => letter,
    };
    [Some(one), None]
}
