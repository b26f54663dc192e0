//! Encodings outside the Standard: EBCDIC and code pages of DOS.
//!
//! They have no tables of their own: each byte is looked up as the character that it stands for, in encodings of the
//! Standard with the same letters.

use super::reading::Reading;
use super::selection::Counts;
use super::signs;
use super::tables::{self, SIGN};
use crate::{
    BomHandling, Decoder, Encoding, WINDOWS_1250, WINDOWS_1251, WINDOWS_1252, WINDOWS_1253,
    WINDOWS_1254, WINDOWS_1255, WINDOWS_1257, sniff::extended,
};

/// How many are read at once at most: those of EBCDIC, or the others.
pub(super) const COUNT: usize = 14;

/// Names, whether EBCDIC, how much rarer than windows-1252, and the encoding of the Standard with their languages.
const OTHERS: [(&str, bool, u8, &Encoding); 27] = [
    ("IBM850", false, 18, WINDOWS_1252),
    ("IBM437", false, 18, WINDOWS_1252),
    ("IBM852", false, 18, WINDOWS_1250),
    ("IBM855", false, 16, WINDOWS_1251),
    ("IBM858", false, 21, WINDOWS_1252),
    ("IBM865", false, 21, WINDOWS_1252),
    ("IBM860", false, 22, WINDOWS_1252),
    ("IBM861", false, 22, WINDOWS_1252),
    ("IBM863", false, 22, WINDOWS_1252),
    ("IBM737", false, 16, WINDOWS_1253),
    ("IBM869", false, 18, WINDOWS_1253),
    ("IBM857", false, 20, WINDOWS_1254),
    ("IBM862", false, 17, WINDOWS_1255),
    ("IBM775", false, 20, WINDOWS_1257),
    ("IBM037", true, 10, WINDOWS_1252),
    ("IBM500", true, 12, WINDOWS_1252),
    ("IBM1047", true, 11, WINDOWS_1252),
    ("IBM1140", true, 13, WINDOWS_1252),
    ("IBM273", true, 15, WINDOWS_1252),
    ("IBM277", true, 17, WINDOWS_1252),
    ("IBM278", true, 17, WINDOWS_1252),
    ("IBM280", true, 17, WINDOWS_1252),
    ("IBM284", true, 17, WINDOWS_1252),
    ("IBM285", true, 16, WINDOWS_1252),
    ("IBM297", true, 17, WINDOWS_1252),
    ("IBM871", true, 17, WINDOWS_1252),
    ("IBM1141", true, 17, WINDOWS_1252),
];

const _: () = {
    let (mut at, mut of_ebcdic) = (0, 0);
    while at < OTHERS.len() {
        of_ebcdic += OTHERS[at].1 as usize;
        at += 1;
    }
    assert!(of_ebcdic <= COUNT && OTHERS.len() - of_ebcdic <= COUNT);
};

/// The encodings of the Standard with their letters.
const LIKE: [&Encoding; 7] = [
    WINDOWS_1252,
    WINDOWS_1250,
    WINDOWS_1251,
    WINDOWS_1253,
    WINDOWS_1254,
    WINDOWS_1255,
    WINDOWS_1257,
];

/// Costs of the lines and blocks that tables are drawn with, and of other signs that no encoding of the Standard has.
const BOX_COST: u8 = 8;
const SIGN_COST: u8 = 16;

/// The cost of a letter of another script: those of IBM437 stand in formulas.
const FOREIGN_COST: u8 = 40;

/// Whether an encoding is one of these.
pub(super) fn is_other(encoding: &'static Encoding) -> bool {
    OTHERS.iter().any(|other| other.0 == encoding.name())
}

/// How these encodings read bytes: a place for each that is read.
pub(super) type Tables = [tables::Bytes; COUNT];

/// These places before they are filled.
pub(super) const NO_TABLES: Tables = [const { tables::Bytes::of_ascii(true) }; COUNT];

/// The readings of the encodings of EBCDIC, or of the others; bytes that the sample lacks are not looked up.
pub(super) fn readings<'b>(
    sample: &[u8],
    others: Others,
    tables: &'b mut Tables,
) -> impl Iterator<Item = Reading<'b>> {
    let known = LIKE.map(Known::new);
    let counts = Counts::new(sample);
    let of_ebcdic = others == Others::Ebcdic;
    OTHERS
        .into_iter()
        .filter(move |other| other.1 == of_ebcdic)
        .zip(tables)
        .filter_map(move |((name, is_ebcdic, prior, like), bytes)| {
            let encoding = extended(name.as_bytes())?;
            let (_, like_it) = candidate(like);
            let languages = like_it.languages.iter();
            let mut languages = languages.fold(0, |bits, language| bits | 1 << language);
            if others != Others::DosWithLines {
                // In a language without a model, they would be guessed from signs.
                languages &= !(1 << tables::UNDETERMINED_LANGUAGE);
            }
            let known = known.iter().filter(|known| known.script == like_it.script);
            let ascii = tables::Bytes::of_ascii(like_it.script == tables::Script::Latin);
            *bytes = ascii.clone();
            for byte in 0..=0xFF_u8 {
                if byte < 0x80 && !is_ebcdic || counts.of(byte) == 0 {
                    continue;
                }
                let character = character(encoding, byte);
                let (number, extra) = match character {
                    // The encodings of EBCDIC differ in these signs most.
                    0x5B..=0x5E | 0x7B..=0x7E => (ascii.numbers[usize::from(character)], 8),
                    0..0x80 => (
                        ascii.numbers[usize::from(character)],
                        ascii.extras[usize::from(character)],
                    ),
                    // Next line, which ends lines in EBCDIC.
                    0x85 if is_ebcdic => (0, 0),
                    0x2500..=0x259F => (SIGN + signs::BOX, BOX_COST),
                    0x0370..=0x03FF
                        if like_it.script == tables::Script::Latin && character != 0x03BC =>
                    {
                        (SIGN + signs::FREE, FOREIGN_COST)
                    }
                    _ => {
                        let found = known.clone().find_map(|known| known.look_up(character));
                        found.unwrap_or((SIGN + signs::FREE, SIGN_COST))
                    }
                };
                bytes.numbers[usize::from(byte)] = number;
                bytes.extras[usize::from(byte)] = extra;
            }
            let mut reading = Reading::new(encoding, like_it.script, languages, prior, bytes);
            reading.is_other = true;
            Some(reading)
        })
}

/// Which of the encodings are in question.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Others {
    Ebcdic,
    /// Code pages of DOS.
    Dos,
    /// The same, in text that has lines of tables.
    DosWithLines,
}

impl Others {
    /// The code pages of DOS, for a sample.
    pub fn of_dos(sample: &[u8]) -> Self {
        if has_lines(sample) {
            Self::DosWithLines
        } else {
            Self::Dos
        }
    }
}

/// Whether a line or a block of a table is in the sample: three times the same, where code pages of DOS have them.
fn has_lines(sample: &[u8]) -> bool {
    let three = sample.windows(3);
    three
        .filter(|three| matches!(three[0], 0xB0..=0xDF))
        .any(|three| three[0] == three[1] && three[1] == three[2])
}

fn candidate(encoding: &'static Encoding) -> (usize, &'static tables::Candidate) {
    tables::candidate(encoding).expect("Latin encodings of the Standard are candidates")
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
    script: tables::Script,
    at: usize,
}

impl Known {
    fn new(encoding: &'static Encoding) -> Self {
        let (at, candidate) = candidate(encoding);
        Self {
            characters: core::array::from_fn(|at| character(encoding, at as u8 + 0x80)),
            script: candidate.script,
            at,
        }
    }

    /// Number and extra of a character.
    fn look_up(&self, character: u16) -> Option<(u8, u8)> {
        let at = self.characters.iter().position(|&one| one == character)?;
        let bytes = tables::bytes(self.at);
        Some((bytes.numbers[128 + at], bytes.extras[128 + at]))
    }
}

#[cfg(test)]
mod tests {
    use super::has_lines;

    #[test]
    fn lines_are_one_byte_three_times_where_pages_of_dos_have_them() {
        for (sample, is_line) in [
            (&b"\xC4\xC4\xC4"[..], true),
            (b"a\xB0\xB0\xB0", true),
            (b"\xDF\xDF\xDFb", true),
            (b"\xAF\xAF\xAF", false),
            (b"\xE0\xE0\xE0", false),
            (b"\xC4\xC4\xC5", false),
            (b"\xC5\xC4\xC4", false),
            (b"\xC4\xC5\xC4", false),
            (b"---", false),
        ] {
            assert_eq!(has_lines(sample), is_line, "{sample:X?}");
        }
    }
}
