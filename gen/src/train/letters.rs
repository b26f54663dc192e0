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
const EVERY: usize = 8;

/// Letters with a tone that windows-1258 has, too.
const TONED: &str = "àáèéíóùú";

/// Returns a line of text as an encoding of the language would hold it.
///
/// In Vietnamese, keyboards write each tone as a mark of its own, and converters only where windows-1258 lacks the letter.
/// Lines are spelled as keyboards and as converters write them, in turns. In upper case, Greek has one sigma and no accents.
/// One line in `EVERY` is spelled so.
pub fn line(text: &str, language: &str, number: usize) -> String {
    let spell = |character: char| -> [Option<char>; 2] {
        let lower = character.to_lowercase().next().unwrap_or(character);
        let [first, second] = match language {
            "vi" if number % 2 == 1 && TONED.contains(lower) => [Some(lower), None],
            "el" if number.is_multiple_of(EVERY) => [Some(in_upper_case(lower)), None],
            _ => spelled(lower, language),
        };
        if first == Some(lower) && second.is_none() {
            return [Some(character), None];
        }
        let upper = |letter: char| letter.to_uppercase().next().unwrap_or(letter);
        let is_upper = lower != character;
        [
            first.map(|letter| if is_upper { upper(letter) } else { letter }),
            second,
        ]
    };
    text.chars().flat_map(spell).flatten().collect()
}

/// Romanian's letters as most of its encodings have them.
fn with_cedilla(letter: char) -> char {
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
