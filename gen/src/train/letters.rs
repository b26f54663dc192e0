//! Letters in the spelling of legacy encodings.

/// The Vietnamese tone marks of windows-1258: grave, acute, hook above, tilde, dot below.
const TONES: [char; 5] = ['\u{300}', '\u{301}', '\u{309}', '\u{303}', '\u{323}'];

/// Vietnamese vowels, each with its five toned forms.
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

/// One Greek line in this many is spelled as in upper case.
const EVERY: usize = 8;

/// Toned letters that windows-1258 also has precomposed.
const TONED: &str = "àáèéíóùú";

/// Returns a line of text in the spelling of an encoding of the language.
///
/// In Vietnamese, keyboards write each tone as a separate mark. Converters do so only if windows-1258 lacks the letter.
/// Lines alternate between the two spellings. Greek in upper case has one sigma and no accents; one line in `EVERY` is
/// spelled so.
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

/// Returns the cedilla form of Romanian letters, which most encodings have.
fn with_cedilla(letter: char) -> char {
    match letter {
        'ș' => 'ş',
        'ț' => 'ţ',
        _ => letter,
    }
}

/// Returns the lower-case letter that stands for `letter` in upper-case text.
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

/// Returns the vowel and the combining tone mark of a lower-case Vietnamese letter, if it has a tone.
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
