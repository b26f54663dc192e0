//! Symbols: the letters of each script and the signs of single-byte encodings.

use super::candidates::{CANDIDATES, Candidate};
use super::tokens::{
    CJK_OTHER, Kind, LATIN, RARE, SCRIPTS, SIGN, ascii_element, is_point, wide_class,
};
use crate::extended;
use std::collections::BTreeMap;

/// The symbols, numbered.
pub struct Symbols {
    letters: [BTreeMap<char, u8>; SCRIPTS],
    signs: BTreeMap<char, u8>,
    /// The signs, in the order of their chain elements.
    pub list: Vec<char>,
}

impl Symbols {
    /// Numbers the letters and signs of the candidates.
    pub fn new() -> Result<Self, String> {
        let mut symbols = Self {
            letters: Default::default(),
            signs: BTreeMap::new(),
            list: Vec::new(),
        };
        for letter in 'a'..='z' {
            symbols.add_letter(letter, LATIN);
        }
        for candidate in &CANDIDATES {
            let characters = characters(candidate)?.into_iter().flatten();
            for character in characters.filter(|one| !one.is_ascii() && !is_point(*one)) {
                if let Some(script) = script_of(character) {
                    symbols.add_letter(folded(character), script);
                } else if wide_class(character).is_none_or(|class| class == RARE)
                    && !symbols.signs.contains_key(&character)
                {
                    let element = SIGN + symbols.list.len() as u8;
                    symbols.signs.insert(character, element);
                    symbols.list.push(character);
                }
            }
        }
        Ok(symbols)
    }

    fn add_letter(&mut self, letter: char, script: u8) {
        let letters = &mut self.letters[usize::from(script)];
        let next = letters.len() as u8 + 1;
        letters.entry(letter).or_insert(next);
    }

    /// Returns the number of letters of a script, with 0 for the end of a word.
    pub fn len_of(&self, script: u8) -> usize {
        self.letters[usize::from(script)].len() + 1
    }

    /// Returns the number of chain elements.
    pub fn elements(&self) -> usize {
        usize::from(SIGN) + self.list.len()
    }

    /// Returns the kind of a character.
    pub fn kind(&self, character: char) -> Kind {
        if character.is_ascii() && !character.is_ascii_alphabetic() {
            return Kind::element(ascii_element(character as u8));
        }
        if is_point(character) {
            return Kind::POINT;
        }
        if let Some(script) = script_of(character) {
            let lower = folded(character);
            let is_upper = lower != character && !"șț".contains(character);
            return match self.letters[usize::from(script)].get(&lower) {
                Some(&letter) => Kind::letter(script, letter, is_upper),
                None => Kind::element(CJK_OTHER),
            };
        }
        match self.signs.get(&character) {
            Some(&element) => Kind::element(element),
            None if character == '\u{FFFD}' => Kind::MALFORMED,
            None => Kind::element(wide_class(character).unwrap_or(CJK_OTHER)),
        }
    }

    /// Returns the kind of a character in a double-byte encoding.
    pub fn wide_kind(&self, character: char) -> Kind {
        let kind = self.kind(character);
        if !character.is_ascii() && (kind.is_letter() || kind.low() >= SIGN) {
            return Kind::element(CJK_OTHER);
        }
        kind
    }

    /// Returns the non-ASCII letters and signs in order, with their kinds.
    pub fn table(&self) -> BTreeMap<char, Kind> {
        let letters = self.letters.iter().flat_map(BTreeMap::keys);
        let both = letters.flat_map(|&letter| std::iter::once(letter).chain(letter.to_uppercase()));
        both.chain(self.list.iter().copied())
            .chain("șțȘȚİ".chars())
            .filter(|one| !one.is_ascii() && u16::try_from(*one as u32).is_ok())
            .map(|character| (character, self.kind(character)))
            .filter(|(_, kind)| kind.is_letter() || kind.low() >= SIGN)
            .collect()
    }
}

/// Returns the character of each byte from 0x80 on.
pub fn characters(candidate: &Candidate) -> Result<Vec<Option<char>>, String> {
    if let Some(encoding) = encoding_rs::Encoding::for_label(candidate.name.as_bytes()) {
        let decode = |byte| {
            let byte = [byte];
            let text = encoding.decode_without_bom_handling_and_without_replacement(&byte)?;
            text.chars().next()
        };
        return Ok((0x80..=0xFF).map(decode).collect());
    }
    let (index, _) = extended::read_lines(&candidate.name.to_lowercase())?;
    let character = |byte| char::from_u32(*index.0.get(&byte)?);
    Ok((0x80..=0xFF).map(character).collect())
}

/// Returns the script of a letter that forms words.
pub fn script_of(letter: char) -> Option<u8> {
    Some(match letter as u32 {
        0x41..=0x5A
        | 0x61..=0x7A
        | 0xC0..=0xD6
        | 0xD8..=0xF6
        | 0xF8..=0x24F
        | 0x300..=0x323
        | 0x1E00..=0x1EFF => LATIN,
        0x370..=0x373 | 0x386 | 0x388..=0x3FF => 1,
        0x400..=0x52F => 2,
        0x5D0..=0x5F2 => 3,
        0x620..=0x64A | 0x66E..=0x6D3 => 4,
        0xE01..=0xE3A | 0xE40..=0xE4E => 5,
        _ => return None,
    })
}

/// Returns the letter that stands for `letter` in the model: in lower case, with a cedilla for Romanian's comma.
pub fn folded(letter: char) -> char {
    match letter {
        'İ' => 'i',
        'ș' | 'Ș' => 'ş',
        'ț' | 'Ț' => 'ţ',
        _ => {
            let mut lower = letter.to_lowercase();
            match (lower.next(), lower.next()) {
                (Some(one), None) => one,
                _ => letter,
            }
        }
    }
}

/// Returns the group of a sign beyond ASCII.
pub fn sign_group(sign: char) -> usize {
    match sign as u32 {
        // A space that does not break.
        0xA0 => 0,
        // Quotation marks.
        0xAB | 0xBB | 0x2018..=0x201F | 0x2039 | 0x203A => 1,
        // Dashes and dots.
        0x2010..=0x2015 | 0x2026 | 0x2022 | 0xB7 => 2,
        // Currencies.
        0xA2..=0xA5 | 0x20A0..=0x20BF => 3,
        // Numbers and units.
        0xB0..=0xB3 | 0xB9 | 0xBC..=0xBE | 0xD7 | 0xF7 | 0xB5 => 4,
        // Marks of paragraphs and trades.
        0xA7 | 0xA9 | 0xAE | 0x2122 | 0xB6 | 0x2116 | 0x2020 | 0x2021 | 0x2030 => 5,
        // Signs of Spanish and Portuguese.
        0xAA | 0xBA | 0xA1 | 0xBF => 6,
        // Lines and blocks.
        0x2500..=0x25FF => 7,
        0x80..=0x9F => 8,
        // Accents without a letter, and the rest of Latin-1.
        0xA6 | 0xA8 | 0xAC | 0xAF | 0xB4 | 0xB8 | 0x2C6..=0x2DD | 0x384 | 0x385 => 9,
        0xE000..=0xF8FF | 0x200B..=0x200F => 10,
        _ => 11,
    }
}
