//! Encodings outside the Standard: EBCDIC and code pages of DOS.
//!
//! They have no tables of their own: each byte is looked up as the character that it stands for, in encodings of the
//! Standard with the same letters.

use super::reading::Reading;
use super::selection::Counts;
use super::tables::{self, Script};
use crate::{BomHandling, Decoder, Encoding, WINDOWS_1250, WINDOWS_1252, sniff::extended};

/// How many there are.
pub(super) const COUNT: usize = 6;

/// Names, whether EBCDIC, how much rarer than windows-1252, and the encoding of the Standard with their languages.
const OTHERS: [(&str, bool, u8, &Encoding); COUNT] = [
    ("IBM850", false, 10, WINDOWS_1252),
    ("IBM437", false, 11, WINDOWS_1252),
    ("IBM852", false, 10, WINDOWS_1250),
    ("IBM037", true, 10, WINDOWS_1252),
    ("IBM500", true, 12, WINDOWS_1252),
    ("IBM1047", true, 11, WINDOWS_1252),
];

/// Cost of signs that no encoding of the Standard has, such as lines of tables.
const SIGN: u8 = 12;

/// The number of a sign that may stand anywhere.
const SIGN_NUMBER: u8 = 0x80;

/// The readings; bytes that the sample lacks are not looked up.
pub(super) fn readings(sample: &[u8]) -> impl Iterator<Item = Reading> {
    let known = [WINDOWS_1252, WINDOWS_1250].map(Known::new);
    let counts = Counts::new(sample);
    OTHERS
        .into_iter()
        .filter_map(move |(name, is_ebcdic, prior, like)| {
            let encoding = extended(name.as_bytes())?;
            let languages = candidate(like).1.languages;
            let languages = languages
                .iter()
                .fold(0, |bits, language| bits | 1 << language);
            let mut reading = Reading::new(encoding, Script::Latin, languages, prior);
            let ascii = Reading::new(encoding, Script::Latin, languages, prior);
            for byte in 0..=0xFF_u8 {
                if byte < 0x80 && !is_ebcdic || counts.of(byte) == 0 {
                    continue;
                }
                let character = character(encoding, byte);
                let (number, extra) = match u8::try_from(character) {
                    // The encodings of EBCDIC differ in these signs most.
                    Ok(code @ (b'[' | b']' | b'|' | b'^' | b'{' | b'}' | b'~' | b'\\')) => {
                        (ascii.numbers[usize::from(code)], 4)
                    }
                    Ok(code @ 0..0x80) => (
                        ascii.numbers[usize::from(code)],
                        ascii.extras[usize::from(code)],
                    ),
                    // Next line, which ends lines in EBCDIC.
                    Ok(0x85) => (0, 0),
                    _ => known
                        .iter()
                        .find_map(|known| known.look_up(character))
                        .unwrap_or((SIGN_NUMBER, SIGN)),
                };
                reading.numbers[usize::from(byte)] = number;
                reading.extras[usize::from(byte)] = extra;
            }
            Some(reading)
        })
}

/// Whether an encoding is one of EBCDIC.
pub(super) fn is_ebcdic(encoding: &'static Encoding) -> bool {
    OTHERS
        .iter()
        .any(|&(name, is_ebcdic, ..)| is_ebcdic && name == encoding.name())
}

fn candidate(encoding: &'static Encoding) -> (usize, &'static tables::Candidate) {
    tables::candidates()
        .iter()
        .enumerate()
        .find(|(_, candidate)| candidate.encoding == encoding)
        .expect("Latin encodings of the Standard are candidates")
}

fn character(encoding: &'static Encoding, byte: u8) -> u16 {
    let mut unit = [0; 4];
    let mut decoder = Decoder::new(encoding, BomHandling::Keep);
    decoder.decode(&[byte], &mut unit[..], true);
    unit[0]
}

/// The characters of an encoding of the Standard from byte 0x80 on.
struct Known {
    characters: [u16; 128],
    at: usize,
}

impl Known {
    fn new(encoding: &'static Encoding) -> Self {
        Self {
            characters: core::array::from_fn(|at| character(encoding, at as u8 + 0x80)),
            at: candidate(encoding).0,
        }
    }

    /// Number and extra of a character.
    fn look_up(&self, character: u16) -> Option<(u8, u8)> {
        let at = self.characters.iter().position(|&one| one == character)?;
        Some((tables::numbers(self.at)[at], tables::extras(self.at)[at]))
    }
}
