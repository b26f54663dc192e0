//! Lists of letters, such as keyboard maps, classes of characters and the cases of a `switch`.
//!
//! Letters that stand alone are no text in any language: in the right encoding, they cost about as much as signs do in a
//! wrong one. Which letters there are tells more. They are all of one alphabet, or, in windows-1252, of several.

use super::prior::Prior;
use super::reading::{AGAIN_MOST, POINT, neighbours};
use super::standings::Standings;
use super::tables::{self, Bytes, ENCODINGS, SIGN, Script};
use crate::WINDOWS_1252;
use crate::encoding::single_byte_code_points;

/// The least number of different bytes that stand alone in a list.
const KINDS: u32 = 3;

/// The least number of bytes that stand alone for each other byte beyond ASCII.
const OTHERS: u32 = 3;

/// What it costs that a text is a list.
const LIST: u32 = 12;

/// What it costs that a list is of one language's letters. In windows-1252, it may be of any.
const LANGUAGE: u32 = 8;

/// What a letter costs more that the language lacks.
const FOREIGN: u32 = 8;

/// The least cost of a sign, and that of a mark that belongs on a letter.
const SIGN_LEAST: u32 = 8;
const MARK: u32 = 16;

/// The cost of a letter that does not stand alone.
const IN_WORD: u32 = 12;

/// The cost of a byte that decodes to nothing.
const UNDEFINED: u32 = 40;

/// Returns each byte beyond ASCII, and whether it stands alone.
fn beyond_ascii(sample: &[u8]) -> impl Iterator<Item = (u8, bool)> + '_ {
    let high = sample.iter().enumerate().filter(|one| !one.1.is_ascii());
    high.map(|(at, &byte)| {
        let is_apart = |byte: u8| byte.is_ascii() && !byte.is_ascii_alphabetic();
        (byte, neighbours(sample, at).into_iter().all(is_apart))
    })
}

/// Whether the text is a list of letters, or of signs.
fn is_list(sample: &[u8]) -> bool {
    let (mut kinds, mut alone, mut others) = (0_u128, 0, 0);
    for (byte, is_alone) in beyond_ascii(sample) {
        if is_alone {
            kinds |= 1 << (byte & 0x7F);
            alone += 1;
        } else {
            others += 1;
        }
    }
    kinds.count_ones() >= KINDS && alone >= OTHERS * others
}

/// How often each byte beyond ASCII, less 0x80, stands alone in a list, and how often it does not.
struct Counts {
    list: [(u8, u16, u16); 128],
    len: usize,
}

impl Counts {
    fn new(sample: &[u8]) -> Self {
        let mut counts = [(0, 0); 128];
        for (byte, is_alone) in beyond_ascii(sample) {
            let (alone, others) = &mut counts[usize::from(byte & 0x7F)];
            *alone += u16::from(is_alone);
            *others += u16::from(!is_alone);
        }
        let (mut list, mut len) = ([(0, 0, 0); 128], 0);
        for (at, (alone, others)) in (0..).zip(counts) {
            if alone + others > 0 {
                list[len] = (at, alone, others);
                len += 1;
            }
        }
        Self { list, len }
    }

    fn list(&self) -> &[(u8, u16, u16)] {
        &self.list[..self.len]
    }

    /// Whether all bytes that stand alone are signs that texts have, in an encoding.
    fn are_signs(&self, bytes: &Bytes) -> bool {
        self.list().iter().all(|&(at, alone, _)| {
            let byte = 128 + usize::from(at);
            alone == 0 || bytes.numbers[byte] >= SIGN && bytes.extras[byte] & 63 <= AGAIN_MOST
        })
    }

    /// What the bytes cost as a list of letters of a language in an encoding with these code points.
    fn cost(&self, code_points: &[u16; 128], candidate: usize, language: u8) -> u32 {
        let script = tables::candidates()[candidate].script;
        let bytes = tables::bytes(candidate);
        let cases = match script {
            Script::Latin | Script::Greek | Script::Cyrillic => 2,
            Script::Hebrew | Script::Arabic | Script::Thai => 1,
        };
        // A list is of one case, or of pairs.
        let of_letter = bits(tables::letters_of(candidate, language) / cases);
        let mut cost = 0;
        for &(at, alone, others) in self.list() {
            let byte = 128 + usize::from(at);
            let number = bytes.numbers[byte];
            let [of_alone, of_other] = if code_points[usize::from(at & 0x7F)] == 0 {
                [UNDEFINED; 2]
            } else if number == POINT {
                [MARK; 2]
            } else if number >= SIGN {
                [SIGN_LEAST.max(u32::from(bytes.extras[byte] & 63)); 2]
            } else if tables::has_letter(script, language, number) {
                [of_letter, IN_WORD]
            } else {
                [of_letter + FOREIGN, IN_WORD]
            };
            cost += u32::from(alone) * of_alone + u32::from(others) * of_other;
        }
        cost
    }

    /// What the bytes cost as a list in an encoding.
    fn least_cost(&self, at: usize, prior: &Prior) -> Option<u32> {
        let candidate = &tables::candidates()[at];
        let code_points = single_byte_code_points(candidate.encoding)?;
        let costs = candidate.languages.iter().map(|&language| {
            let of_language = if language == tables::UNDETERMINED_LANGUAGE {
                0
            } else {
                LANGUAGE
            };
            let tag = tables::languages()[usize::from(language)].tag;
            self.cost(code_points, at, language) + of_language + prior.of_language(tag)
        });
        Some(costs.min()? + LIST + 2 * u32::from(candidate.prior))
    }
}

/// Returns the cost of one letter, if all letters of an alphabet of this length are equally likely.
fn bits(letters: u8) -> u32 {
    u32::from(letters.max(1)).pow(4).ilog2() / 3
}

/// Adds the cost of a list of letters in each encoding, if the sample may be a list. Sets [`Standings::is_list`] if a list costs
/// less than text in the first encoding.
pub(super) fn add(sample: &[u8], prior: &Prior, standings: &mut Standings) {
    let (Some((first, _)), Some(fit)) = (standings.first(), standings.fit) else {
        return;
    };
    let candidates = tables::candidates();
    let Some(at) = candidates.iter().position(|one| one.encoding == first) else {
        return;
    };
    if !is_list(sample) {
        return;
    }
    let counts = Counts::new(sample);
    // Signs of windows-1252 are as common as lists are rare.
    if first == WINDOWS_1252 && counts.are_signs(tables::bytes(at)) {
        return;
    }
    let costs: [Option<u32>; ENCODINGS] = core::array::from_fn(|at| {
        let is_allowed = prior.allows(candidates[at].encoding);
        counts.least_cost(at, prior).filter(|_| is_allowed)
    });
    let Some(&least) = costs.iter().flatten().min() else {
        return;
    };
    // `fit.cost` is the cost of the first encoding as text. The other encodings keep their distance to it.
    if least < fit.cost {
        standings.fall_behind(fit.cost - least);
        standings.is_list = true;
    }
    for (cost, candidate) in costs.iter().zip(candidates) {
        if let Some(cost) = cost {
            let behind = cost - least.min(fit.cost);
            standings.note(candidate.encoding, tables::UNDETERMINED, behind);
        }
    }
}
