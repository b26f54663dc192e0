//! Single-byte encodings: what each byte stands for, and how common it is.

use super::{alphabet::Alphabet, candidates::Candidate, letters, signs};

/// Cost of a byte without a character.
const UNMAPPED: u8 = 45;
/// Cost of a control character.
const CONTROL: u8 = 30;
/// Cost of a letter that the training texts lack.
const RARE: u8 = 18;

/// Numbers from here on are signs: the low bits are the place that a sign expects.
const SIGN: u8 = 0x80;
/// The number of a mark that stands on the letter before it, such as a vowel point of Hebrew.
const POINT: u8 = 0xC0;
/// Cost of a mark after a letter.
const POINT_COST: u8 = 3;

/// The character of each byte from 0x80 on.
fn characters(name: &str) -> [Option<char>; 128] {
    let encoding = encoding_rs::Encoding::for_label(name.as_bytes()).expect("names are labels");
    std::array::from_fn(|at| {
        encoding
            .decode_without_bom_handling_and_without_replacement(&[at as u8 + 0x80])
            .and_then(|text| text.chars().next())
    })
}

/// The letter in lower case, and whether that is another one.
fn folded(character: char) -> (char, bool) {
    let lower = character.to_lowercase().next().unwrap_or(character);
    (letters::with_cedilla(lower), lower != character)
}

/// For each byte from 0x80 on the number in the alphabet, then for each the case in the two high bits and a cost.
pub fn bytes(candidate: &Candidate, alphabet: &Alphabet) -> Vec<u8> {
    let rows = characters(candidate.name).map(|character| match character {
        None => (SIGN, 0, UNMAPPED),
        Some('\u{80}'..='\u{9F}') => (SIGN, 0, CONTROL),
        Some(character) if letters::is_point(character) => (POINT, 0, POINT_COST),
        Some(character) if letters::is_letter(character) && !signs::is_sign(character) => {
            let (lower, is_upper) = folded(character);
            let number = alphabet.number(lower);
            let extra = if number == alphabet.rare() { RARE } else { 0 };
            (number as u8, 1 + u8::from(is_upper), extra)
        }
        Some(character) => {
            let (place, cost) = signs::sign(character);
            (SIGN + place as u8, 0, cost)
        }
    });
    let numbers = rows.iter().map(|&(number, ..)| number);
    let costs = rows.iter().map(|&(_, case, cost)| case << 6 | cost);
    numbers.chain(costs).collect()
}
