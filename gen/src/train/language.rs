//! Letter classes of languages, and the bytes of their encodings.

use super::{cost, letters, texts::Texts};
use std::collections::HashMap;

/// Classes of a language.
const CLASSES: usize = 46;
/// Letters that are no class of their own.
const OTHER: usize = 44;
/// Signs beyond ASCII.
const SIGN: usize = 45;

/// Languages in Latin letters.
const LATIN: [&str; 22] = [
    "cs", "sk", "pl", "hu", "sl", "hr", "ro", "fr", "de", "es", "pt", "it", "sv", "da", "fi", "is",
    "nl", "ca", "tr", "lt", "lv", "et",
];
/// The others; Vietnamese has Latin letters, too.
const OTHERS: [&str; 12] = [
    "vi", "el", "he", "ar", "fa", "th", "ru", "uk", "bg", "sr", "mk", "be",
];

/// Encodings and their languages, in the order of the detector's candidates.
pub const MODELS: [(&str, &[&str]); 18] = [
    (
        "windows-1252",
        &[
            "fr", "de", "es", "pt", "it", "sv", "da", "fi", "is", "nl", "ca",
        ],
    ),
    ("windows-1250", &["cs", "sk", "pl", "hu", "sl", "hr", "ro"]),
    ("ISO-8859-2", &["cs", "sk", "pl", "hu", "sl", "hr", "ro"]),
    ("windows-1254", &["tr"]),
    ("windows-1257", &["lt", "lv", "et"]),
    ("ISO-8859-4", &["lt", "lv", "et"]),
    ("windows-1258", &["vi"]),
    ("windows-1253", &["el"]),
    ("ISO-8859-7", &["el"]),
    ("windows-1255", &["he"]),
    ("windows-1256", &["ar", "fa"]),
    ("ISO-8859-6", &["ar"]),
    ("windows-874", &["th"]),
    ("windows-1251", &["ru", "uk", "bg", "sr", "mk", "be"]),
    ("KOI8-U", &["ru", "uk", "be"]),
    ("ISO-8859-5", &["ru", "uk", "bg", "sr", "mk", "be"]),
    ("IBM866", &["ru", "uk", "bg"]),
    ("x-mac-cyrillic", &["ru", "uk", "bg"]),
];

struct Language {
    is_latin: bool,
    /// Classes of letters beyond ASCII.
    classes: HashMap<char, usize>,
    counts: HashMap<char, f64>,
    table: Vec<u8>,
}

impl Language {
    fn train(text: &str, name: &str) -> Self {
        let is_latin = LATIN.contains(&name) || name == "vi";
        let mut counts: HashMap<char, f64> = HashMap::new();
        for (letter, _) in letters::characters(text, name) {
            if !letter.is_ascii() {
                *counts.entry(letter).or_default() += 1.0;
            }
        }
        let mut common: Vec<(char, f64)> = counts
            .iter()
            .map(|(&letter, &count)| (letter, count))
            .filter(|&(letter, _)| is_letter(letter))
            .collect();
        common.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        let first = if is_latin { 28 } else { 3 };
        let classes = common
            .into_iter()
            .zip(first..OTHER)
            .map(|((letter, _), class)| (letter, class))
            .collect();
        let mut language = Self {
            is_latin,
            classes,
            counts,
            table: Vec::new(),
        };
        let mut pairs = vec![[0.02; CLASSES]; CLASSES];
        let mut previous = 0;
        for (letter, _) in letters::characters(text, name) {
            let class = language.class(letter);
            pairs[previous][class] += 1.0;
            previous = class;
        }
        let costs: Vec<u8> = pairs
            .iter()
            .flat_map(|row| {
                let sum: f64 = row.iter().sum();
                row.map(|count| cost(count / sum, 15))
            })
            .collect();
        language.table = costs.chunks(2).map(|two| two[0] | two[1] << 4).collect();
        language
    }

    fn class(&self, letter: char) -> usize {
        match letter {
            '\0'..=' ' => 0,
            'a'..='z' if self.is_latin => 2 + letter as usize - 'a' as usize,
            'a'..='z' => 2,
            '!'..='\x7F' => 1,
            _ if is_letter(letter) => self.classes.get(&letter).copied().unwrap_or(OTHER),
            _ => SIGN,
        }
    }
}

/// Letters, and marks that belong to them.
fn is_letter(letter: char) -> bool {
    letter.is_alphabetic()
        || matches!(letter, '\u{300}'..='\u{36F}' | '\u{5B0}'..='\u{5C7}' | '\u{64B}'..='\u{65F}' | '\u{E31}'..='\u{E4E}')
}

/// The contents of `languages.bin` and `bytes.bin`.
pub fn tables(texts: &Texts) -> Result<(Vec<u8>, Vec<u8>), String> {
    let mut signs: HashMap<char, f64> = HashMap::new();
    for text in texts.all() {
        for character in text.chars().filter(|&c| !c.is_ascii() && !is_letter(c)) {
            *signs.entry(character).or_default() += 1.0;
        }
    }
    let sum: f64 = signs.values().sum();
    let names: Vec<&str> = LATIN.into_iter().chain(OTHERS).collect();
    let mut languages = HashMap::new();
    let mut table = Vec::new();
    for name in names {
        let language = Language::train(texts.of(name)?, name);
        table.extend_from_slice(&language.table);
        languages.insert(name, language);
    }
    let mut bytes = Vec::new();
    for (encoding, of) in MODELS {
        for name in of {
            byte_tables(encoding, &languages[name], &signs, sum, &mut bytes);
        }
    }
    Ok((table, bytes))
}

/// 128 classes with the case in the two high bits, and 128 costs.
fn byte_tables(
    encoding: &str,
    language: &Language,
    signs: &HashMap<char, f64>,
    sum: f64,
    out: &mut Vec<u8>,
) {
    let encoding = encoding_rs::Encoding::for_label(encoding.as_bytes()).expect("names are labels");
    let others: f64 = language
        .counts
        .iter()
        .filter(|&(&letter, _)| language.class(letter) == OTHER)
        .map(|(_, count)| count + 0.3)
        .sum::<f64>()
        + 30.0;
    let mut costs = [0; 128];
    for byte in 0x80..=0xFF_u8 {
        let decoded = encoding
            .decode_without_bom_handling_and_without_replacement(&[byte])
            .map(|text| text.chars().next().unwrap_or('\0'));
        let (class, case, cost) = match decoded {
            None => (SIGN, 0, 45),
            Some('\u{80}'..='\u{9F}') => (SIGN, 0, 30),
            Some(character) => {
                let lower = character.to_lowercase().next().unwrap_or(character);
                let case = if !is_letter(character) {
                    0
                } else if lower == character {
                    1
                } else {
                    2
                };
                let class = language.class(lower);
                let extra = match class {
                    OTHER => cost(
                        (language.counts.get(&lower).unwrap_or(&0.0) + 0.3) / others,
                        20,
                    ),
                    SIGN => cost(
                        (signs.get(&character).unwrap_or(&0.0) + 0.3) / (sum + 30.0),
                        20,
                    ),
                    _ => 0,
                };
                (class, case, extra)
            }
        };
        out.push((class | case << 6) as u8);
        costs[usize::from(byte - 0x80)] = cost;
    }
    out.extend_from_slice(&costs);
}
