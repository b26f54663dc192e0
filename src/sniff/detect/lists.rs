//! Lists of letters, such as keyboard maps, classes of characters and the cases of a `switch`.
//!
//! Letters that stand alone are no text in any language: in the right encoding, they cost about as much as signs do in a
//! wrong one. Which letters there are tells more. They are all of one alphabet, or, in windows-1252, of several. The same is
//! true of letters in a row, such as `[äöüß]`. A word may look like one, too, so rows are a list only where no text fits.

use super::evidence::Inventory;
use super::prior::Prior;
use super::reading::{AGAIN_MOST, POINT, neighbours};
use super::standings::Standings;
use super::tables::{self, Bytes, ENCODINGS, SIGN, Script};
use crate::WINDOWS_1252;
use crate::encoding::single_byte_code_points;

/// The least number of different bytes in a list.
const KINDS: u32 = 3;

/// The least number of listed bytes for each other byte beyond ASCII.
const OTHERS: u32 = 3;

/// The greatest cost of a list that has rows of letters, in eighths of the cost of the text.
///
/// A higher cost means that the rows are words of a text that no language fits well.
const ROWS: u32 = 5;

/// What it costs that a text is a list.
const LIST: u32 = 12;

/// What it costs that a list is of one language's letters. In windows-1252, it may be of any.
const LANGUAGE: u32 = 8;

/// What a letter costs more that the language lacks.
const FOREIGN: u32 = 8;

/// The least cost of a sign, and that of a mark that belongs on a letter.
const SIGN_LEAST: u32 = 8;
const MARK: u32 = 16;

/// The cost of a letter that is not listed.
const IN_WORD: u32 = 12;

/// The cost of a byte that decodes to nothing.
const UNDEFINED: u32 = 40;

/// Returns each byte beyond ASCII, and whether it is listed: it stands alone or, `with_rows`, in a run of different ones.
fn beyond_ascii(sample: &[u8], with_rows: bool) -> impl Iterator<Item = (u8, bool)> + '_ {
    let (mut end, mut is_row) = (0, false);
    let high = sample.iter().enumerate().filter(|one| !one.1.is_ascii());
    high.map(move |(at, &byte)| {
        if with_rows && at >= end {
            let run = &sample[at..];
            let len = run.iter().position(u8::is_ascii).unwrap_or(run.len());
            end = at + len;
            is_row = len > 1 && are_different(&run[..len]);
        }
        let is_apart = |byte: u8| byte.is_ascii() && !byte.is_ascii_alphabetic();
        let is_alone = neighbours(sample, at).into_iter().all(is_apart);
        (byte, is_row || is_alone)
    })
}

/// Whether no byte beyond ASCII comes twice.
fn are_different(bytes: &[u8]) -> bool {
    let mut seen = 0_u128;
    bytes.iter().all(|byte| {
        let before = seen;
        seen |= 1 << (byte & 0x7F);
        seen != before
    })
}

/// Whether the text is a list of letters, or of signs.
fn is_list(sample: &[u8], with_rows: bool) -> bool {
    let (mut kinds, mut listed, mut others) = (0_u128, 0, 0);
    for (byte, is_listed) in beyond_ascii(sample, with_rows) {
        if is_listed {
            kinds |= 1 << (byte & 0x7F);
            listed += 1;
        } else {
            others += 1;
        }
    }
    kinds.count_ones() >= KINDS && listed >= OTHERS * others
}

/// How often each byte beyond ASCII, less 0x80, is listed, and how often it is not.
struct Counts {
    list: [(u8, u16, u16); 128],
    len: usize,
}

impl Counts {
    fn new(sample: &[u8], with_rows: bool) -> Self {
        let mut counts = [(0, 0); 128];
        for (byte, is_listed) in beyond_ascii(sample, with_rows) {
            let (listed, others) = &mut counts[usize::from(byte & 0x7F)];
            *listed += u16::from(is_listed);
            *others += u16::from(!is_listed);
        }
        let (mut list, mut len) = ([(0, 0, 0); 128], 0);
        for (at, (listed, others)) in (0..).zip(counts) {
            if listed + others > 0 {
                list[len] = (at, listed, others);
                len += 1;
            }
        }
        Self { list, len }
    }

    fn list(&self) -> &[(u8, u16, u16)] {
        &self.list[..self.len]
    }

    /// Whether all bytes that are listed are signs that texts have, in an encoding.
    fn are_signs(&self, bytes: &Bytes) -> bool {
        self.list().iter().all(|&(at, listed, _)| {
            let byte = 128 + usize::from(at);
            listed == 0 || bytes.numbers[byte] >= SIGN && bytes.extras[byte] & 63 <= AGAIN_MOST
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
        for &(at, listed, others) in self.list() {
            let byte = 128 + usize::from(at);
            let number = bytes.numbers[byte];
            let [of_listed, of_other] = if code_points[usize::from(at & 0x7F)] == 0 {
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
            cost += u32::from(listed) * of_listed + u32::from(others) * of_other;
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
///
/// An encoding of several bytes stays first unless `whole`, which is all that was read, is malformed in it.
pub(super) fn add(
    sample: &[u8],
    prior: &Prior,
    whole: Option<&Inventory>,
    standings: &mut Standings,
) {
    let (Some((first, _)), Some(fit)) = (standings.first(), standings.fit) else {
        return;
    };
    let with_rows = !is_list(sample, false);
    if with_rows && !(standings.fits_nothing() && is_list(sample, true)) {
        return;
    }
    let candidates = tables::candidates();
    let at = tables::candidate(first).map(|(at, _)| at);
    if at.is_none() && whole.is_none_or(|whole| whole.malformed(first).counted() == 0) {
        return;
    }
    let counts = Counts::new(sample, with_rows);
    // Signs of windows-1252 are as common as lists are rare.
    if first == WINDOWS_1252 && at.is_some_and(|at| counts.are_signs(tables::bytes(at))) {
        return;
    }
    let costs: [Option<u32>; ENCODINGS] = core::array::from_fn(|at| {
        let is_allowed = prior.allows(candidates[at].encoding);
        counts.least_cost(at, prior).filter(|_| is_allowed)
    });
    let Some(&least) = costs.iter().flatten().min() else {
        return;
    };
    if with_rows && 8 * least > ROWS * fit.cost {
        return;
    }
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
