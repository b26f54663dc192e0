//! The statistical model: which encoding makes text of the bytes.
//!
//! Text is a sequence of tokens (words, numbers, blanks, signs), and each reading of the bytes has a cost in bits:
//!
//! - The cost of a word is that of its letters, in a mixture of the language, English, and all
//!   languages of its script. The weights of the mixture adapt to the document.
//! - The cost of the chain is that of each token after the one before it.
//! - A token that came before costs a constant: certainty grows with distinct evidence, not with length.
//! - A character of a double-byte encoding has a cost in its class.
//! - A reading in no encoding has a fixed cost for each byte beyond ASCII.
//!
//! `gen train` counts the tables (`crates/sniff/tables`). docs/DETECTION.md has the accuracy.

mod costs;
mod model;
mod reader;
mod sample;
mod set;
mod tokens;
mod words;

use alloc::vec::Vec;
use core::ops::Range;
use costs::{BIT, Cost, probability, sum};
use model::{CANDIDATES, Chain, ENGLISH, LANGUAGES, UNDETERMINED, Wide};
use mojika::{Encoding, GB18030, GBK};
use reader::{Decoding, Hypothesis, MALFORMED, Reader, Shared};
use set::{Set, hash};
use tokens::{Kind, LATIN};

/// The number of bytes after which readings are compared, and the margin by which one drops out.
const STAGE: usize = 32;
const BEHIND: Cost = 70 * BIT;
/// The distance at which a language drops out in its encoding.
const LANGUAGE_BEHIND: Cost = 24 * BIT;

/// The number of single-byte encodings that are read, the best by their bytes alone.
const READ: usize = 16;

/// The cost of a letter of another script next to ASCII, for bytes that are scored alone.
const TOUCHING: Cost = 7 * BIT;

/// The cost of a language that an encoding is not made for, and the number of such languages that are read.
const FOREIGN: Cost = 8 * BIT;
const FOREIGNERS: usize = 2;
/// The number of ASCII words that tell the language.
const NATIVE_WORDS: usize = 32;
/// The distance at which these words leave a language out, and the most that one word counts against it.
const NATIVE_BEHIND: Cost = 25 * BIT;
const NATIVE_WORD: Cost = BIT / 2;

/// The least fit of a good answer: see [`Features::fit`].
const FITTING: f32 = 1.0;

/// The cost of an encoding that is no answer.
const HIDDEN: Cost = 8 * BIT;

/// The number of malformed sequences that count.
const MOST_MALFORMED: u32 = 40;

/// The logistic function that turns features into probabilities: a constant, then the weights of
/// the margin in bits, of its square root, of the fit, and of the number of distinct words. Fitted
/// on a part of the set `tune`, without the models of its languages.
const CALIBRATION: [f32; 5] = [-1.034, -0.123, 2.588, 0.061, -0.429];

/// The most that the margin is for each byte that is no blank: two letters tell little.
const EVIDENCE: Cost = 3 * BIT / 4;

/// The most that the margin, the fit and the number of distinct words count.
const MOST_MARGIN: Cost = 40 * BIT;
const MOST_FIT: f32 = 4.0;
const MOST_DISTINCT: u32 = 6;

/// The tokens of a text depend on one another, so their bits count half.
const TEMPERATURE: Cost = 2;

/// The most that text in EBCDIC costs a byte on average.
const EBCDIC_BYTE: Cost = 6 * BIT;

/// Double-byte encodings, with their costs before anything is read.
const DOUBLE: [(&Encoding, Cost, Chain, &[Wide]); 5] = [
    (mojika::SHIFT_JIS, 5 * BIT, Chain::Japanese, &[Wide::Ja]),
    (
        mojika::EUC_JP,
        5 * BIT + BIT / 2,
        Chain::Japanese,
        &[Wide::Ja],
    ),
    (GBK, 5 * BIT, Chain::Chinese, &[Wide::ZhCn, Wide::ZhTw]),
    (mojika::BIG5, 5 * BIT, Chain::Chinese, &[Wide::ZhTw]),
    (mojika::EUC_KR, 5 * BIT, Chain::Korean, &[Wide::Ko]),
];

/// Code pages of EBCDIC with Latin letters, with their costs before anything is read.
const EBCDIC: [(&str, Cost); 13] = [
    ("IBM037", 8 * BIT),
    ("IBM500", 9 * BIT),
    ("IBM1047", 8 * BIT),
    ("IBM1140", 10 * BIT),
    ("IBM273", 11 * BIT),
    ("IBM277", 13 * BIT),
    ("IBM278", 13 * BIT),
    ("IBM280", 13 * BIT),
    ("IBM284", 13 * BIT),
    ("IBM285", 12 * BIT),
    ("IBM297", 13 * BIT),
    ("IBM871", 13 * BIT),
    ("IBM1141", 13 * BIT),
];

/// The prior knowledge of a document.
pub trait Expected {
    /// True if an encoding may be an answer.
    fn allows(&self, encoding: &'static Encoding) -> bool;
    /// Returns the cost of a language.
    fn cost_of(&self, language: &str) -> i32;
    /// True if encodings outside the Standard are answers, too.
    fn is_extended(&self) -> bool;
    /// True if one of the allowed encodings is certainly right.
    fn is_certain(&self) -> bool;
}

/// Returns the tags of the languages that have a model.
pub fn languages() -> impl Iterator<Item = &'static str> {
    let wide = [Wide::Ja, Wide::Ko, Wide::ZhCn, Wide::ZhTw].map(Wide::tag);
    let letters = LANGUAGES.iter().map(|language| language.tag);
    wide.into_iter().chain(letters).filter(|tag| *tag != "und")
}

/// One answer.
#[derive(Clone, Copy, Debug)]
pub struct Answer {
    pub encoding: &'static Encoding,
    pub language: Option<&'static str>,
    pub probability: f32,
    pub cost: Cost,
}

/// The features that calibration goes by.
#[derive(Clone, Copy, Debug, Default)]
pub struct Features {
    /// The odds of the first answer against all others, as a cost.
    pub margin: Cost,
    /// The distance from a reading in no encoding, in bits for each byte beyond ASCII.
    pub fit: f32,
    /// The number of distinct words and wide runs beyond ASCII.
    pub distinct: u32,
    /// The number of malformed sequences in the parts.
    pub malformed: u32,
}

/// The number of bytes beyond ASCII, by value.
struct Counts([u32; 128]);

impl Counts {
    fn of<'b>(bytes: impl Iterator<Item = &'b u8>) -> Self {
        let mut counts = [0; 128];
        for byte in bytes.filter(|byte| !byte.is_ascii()) {
            counts[usize::from(byte & 0x7F)] += 1;
        }
        Self(counts)
    }

    fn sum(&self) -> u32 {
        self.0.iter().sum()
    }

    /// Returns the bytes that there are, each with its number.
    fn present(&self) -> impl Iterator<Item = (u8, u32)> + '_ {
        let all = self.0.iter().enumerate();
        all.filter(|one| *one.1 > 0)
            .map(|(at, &count)| (at as u8 | 0x80, count))
    }

    /// Returns the number of bytes that a candidate lacks.
    fn undefined(&self, candidate: usize) -> u32 {
        let is_undefined = |byte| model::kind_of_byte(candidate, byte) == Kind::MALFORMED;
        let undefined = self.present().filter(|&(byte, _)| is_undefined(byte));
        undefined.map(|one| one.1).sum()
    }
}

/// Single-byte encodings that read all bytes alike, the likeliest first.
struct Group {
    members: Vec<usize>,
    /// The cost of the bytes by themselves.
    first_look: Cost,
}

/// One reading, and the encodings that it is the reading of.
struct Entry {
    encodings: Encodings,
    reader: Reader,
}

enum Encodings {
    Group(Vec<usize>),
    /// Encodings outside the Standard, which are no answers: text in them is doubtful.
    Hidden,
    One(&'static Encoding),
    /// No encoding at all.
    Nothing,
}

impl Entry {
    fn is_nothing(&self) -> bool {
        matches!(self.encodings, Encodings::Nothing)
    }

    /// Returns the encoding to name. Several may read the bytes alike: the languages of this one are the likeliest together.
    fn encoding(&self) -> Option<&'static Encoding> {
        let members = match &self.encodings {
            Encodings::One(encoding) => return Some(encoding),
            Encodings::Nothing | Encodings::Hidden => return None,
            Encodings::Group(members) => members,
        };
        let mut costs = alloc::vec![Cost::MAX / 2; members.len()];
        for one in &self.reader.hypotheses {
            let is_made_for = |member: &usize| {
                let mut languages = CANDIDATES[*member].languages.iter();
                languages.any(|language| language.0 == one.language)
            };
            let at = members.iter().position(is_made_for).unwrap_or(0);
            costs[at] = sum(costs[at], one.cost);
        }
        let best = (0..members.len()).min_by_key(|&at| costs[at])?;
        CANDIDATES[members[best]].encoding()
    }
}

/// Adds a reading.
fn add(
    entries: &mut Vec<Entry>,
    encodings: Encodings,
    decoding: Decoding,
    hypotheses: Vec<Hypothesis>,
) {
    let number = entries.len() as u8;
    entries.push(Entry {
        encodings,
        reader: Reader::new(number, decoding, hypotheses),
    });
}

/// Returns the likeliest encodings of text with something beyond ASCII, best first.
///
/// `malformed` returns the number of malformed sequences of the document in an encoding.
pub fn rank(
    bytes: &[u8],
    expected: &impl Expected,
    malformed: impl Fn(&'static Encoding) -> u32,
) -> (Vec<Answer>, Features) {
    let parts = sample::parts(bytes);
    let fast = rank_parts(bytes, &parts, expected, &malformed, Effort::Pruned);
    if fast.1.fit >= FITTING && fast.1.malformed == 0 {
        return fast;
    }
    // No reading that is left fits: the right one may have dropped out.
    let whole = rank_parts(bytes, &parts, expected, &malformed, Effort::Whole);
    if whole.0.is_empty() { fast } else { whole }
}

/// The readings that drop out on the way.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Effort {
    /// Readings far behind the best one.
    Pruned,
    /// No reading.
    Whole,
}

fn rank_parts(
    bytes: &[u8],
    parts: &[Range<usize>],
    expected: &impl Expected,
    malformed: &impl Fn(&'static Encoding) -> u32,
    effort: Effort,
) -> (Vec<Answer>, Features) {
    let whole = Counts::of(bytes.iter());
    let sampled = Counts::of(parts.iter().flat_map(|part| &bytes[part.clone()]));
    // A line that is drawn of one byte is one sign.
    let distinct = parts.iter().flat_map(|part| {
        bytes[part.clone()]
            .chunk_by(PartialEq::eq)
            .map(|run| &run[0])
    });
    let distinct = Counts::of(distinct);
    let mut shared = Shared::default();
    let (foreign, mut left_out) = languages_of_words(bytes, parts, &mut shared);
    let mut groups = groups(&whole, &distinct, touching(bytes, parts), expected);
    if effort == Effort::Whole {
        left_out.clear();
    } else {
        let mut number = 0;
        groups.retain(|group| {
            number += 1;
            // Signs have one meaning in windows-1252, however unlikely they are by themselves.
            number <= READ || group.members.contains(&0)
        });
    }
    let mut entries: Vec<Entry> = Vec::new();
    for mut group in groups {
        let hypotheses = hypotheses(&group.members, &foreign, &left_out, expected);
        if hypotheses.is_empty() {
            continue;
        }
        let decoding = Decoding::Single(group.members[0]);
        let is_answer = |member: &usize| {
            let candidate = &CANDIDATES[*member];
            (candidate.is_of_the_web || expected.is_extended())
                && candidate.encoding().is_some_and(|one| expected.allows(one))
        };
        group.members.retain(is_answer);
        add(
            &mut entries,
            match group.members.is_empty() {
                true => Encodings::Hidden,
                false => Encodings::Group(group.members),
            },
            decoding,
            hypotheses,
        );
    }
    for (encoding, prior, chain, languages) in DOUBLE {
        let is_gb18030 = encoding == GBK
            && expected.allows(GB18030)
            && (!expected.allows(GBK) || has_four_bytes(bytes));
        let encoding = if is_gb18030 { GB18030 } else { encoding };
        if !expected.allows(encoding) {
            continue;
        }
        let of_language = |wide: &Wide| {
            let cost = prior + expected.cost_of(wide.tag());
            Hypothesis::new(ENGLISH, Some(*wide), cost)
        };
        let hypotheses = languages.iter().map(of_language).collect();
        let decoding = Decoding::Double(encoding, chain);
        add(&mut entries, Encodings::One(encoding), decoding, hypotheses);
    }
    let nothing = [ENGLISH, UNDETERMINED]
        .iter()
        .map(|&language| Hypothesis::new(language, None, 0));
    add(
        &mut entries,
        Encodings::Nothing,
        Decoding::Nothing,
        nothing.collect(),
    );
    let behind = match effort {
        Effort::Pruned => BEHIND,
        Effort::Whole => Cost::MAX / 2,
    };
    read(
        bytes,
        parts,
        &mut entries,
        &mut shared,
        sampled.sum(),
        behind,
    );
    let is_ink = |byte: &&u8| **byte > b' ';
    let ink: usize = parts
        .iter()
        .map(|part| bytes[part.clone()].iter().filter(is_ink).count())
        .sum();
    posterior(&entries, (sampled.sum(), ink), expected, malformed)
}

/// Returns the likeliest code pages of text in EBCDIC, best first.
pub fn rank_ebcdic(bytes: &[u8], expected: &impl Expected) -> Vec<Answer> {
    let mut entries: Vec<Entry> = Vec::new();
    for (name, prior) in EBCDIC {
        let encoding = crate::extended(name.as_bytes()).filter(|one| expected.allows(one));
        let Some(encoding) = encoding else {
            continue;
        };
        let of_language = |&(language, cost): &(u8, i16)| {
            let tag = LANGUAGES[usize::from(language)].tag;
            let cost = prior + Cost::from(cost) + expected.cost_of(tag);
            Hypothesis::new(language, None, cost)
        };
        let hypotheses = CANDIDATES[0].languages.iter().map(of_language).collect();
        let decoding = Decoding::Letters(encoding);
        add(&mut entries, Encodings::One(encoding), decoding, hypotheses);
    }
    let bytes = &bytes[..bytes.len().min(sample::BUDGET)];
    let parts: Vec<_> = (0..bytes.len())
        .step_by(sample::PIECE)
        .map(|start| start..bytes.len().min(start + sample::PIECE))
        .collect();
    read(
        bytes,
        &parts,
        &mut entries,
        &mut Shared::default(),
        0,
        BEHIND,
    );
    let (answers, _) = posterior(&entries, (0, bytes.len()), expected, &|_| 0);
    let most = EBCDIC_BYTE * bytes.len() as Cost;
    match answers.first() {
        Some(first) if first.cost <= most => answers,
        _ => Vec::new(),
    }
}

/// Reads the parts in all encodings. Those that fall far behind drop out.
fn read(
    bytes: &[u8],
    parts: &[Range<usize>],
    entries: &mut Vec<Entry>,
    shared: &mut Shared,
    high: u32,
    behind: Cost,
) {
    let (mut read, mut compare_at) = (0, STAGE);
    for part in parts {
        for entry in entries.iter_mut() {
            entry.reader.read(bytes, part, shared);
        }
        read += part.len();
        entries.retain(|entry| match entry.reader.decoding {
            Decoding::Double(..) => 4 * entry.reader.malformed <= high / 2 + 8,
            _ => true,
        });
        if read < compare_at {
            continue;
        }
        compare_at = read + STAGE;
        let encodings = entries.iter().filter(|entry| !entry.is_nothing());
        let least = encodings.map(|entry| entry.reader.least()).min();
        let bound = least.unwrap_or(0).saturating_add(behind);
        entries.retain(|entry| entry.is_nothing() || entry.reader.least() <= bound);
        for entry in entries.iter_mut() {
            entry.reader.drop_languages(LANGUAGE_BEHIND);
        }
    }
}

/// Returns the answers with their probabilities.
fn posterior(
    entries: &[Entry],
    (high, ink): (u32, usize),
    expected: &impl Expected,
    malformed: &impl Fn(&'static Encoding) -> u32,
) -> (Vec<Answer>, Features) {
    let mut answers: Vec<(Answer, &Reader)> = Vec::new();
    let (mut nothing, mut hidden) = (None, None);
    for entry in entries {
        let reader = &entry.reader;
        let first = reader.hypotheses.iter().min_by_key(|one| one.cost);
        let mut costs = reader.hypotheses.iter().map(|one| reader.base + one.cost);
        let Some((first, mut cost)) = first.zip(costs.next()) else {
            continue;
        };
        cost = costs.fold(cost, sum);
        let Some(encoding) = entry.encoding() else {
            match entry.encodings {
                Encodings::Hidden => {
                    let cost = cost + HIDDEN;
                    hidden = Some(hidden.map_or(cost, |all| sum(all, cost)));
                }
                _ => nothing = Some(cost),
            }
            continue;
        };
        cost += MALFORMED * malformed(encoding).min(MOST_MALFORMED) as Cost;
        let tag = match first.wide {
            Some(wide) => wide.tag(),
            None => LANGUAGES[usize::from(first.language)].tag,
        };
        let answer = Answer {
            encoding,
            language: Some(tag).filter(|tag| *tag != "und"),
            probability: 0.0,
            cost,
        };
        answers.push((answer, reader));
    }
    answers.sort_by_key(|one| one.0.cost);
    let Some(&(best, reader)) = answers.first() else {
        return (Vec::new(), Features::default());
    };
    let mut answers: Vec<Answer> = answers.iter().map(|one| one.0).collect();
    let odds = |cost: Cost| odds((cost - best.cost) / TEMPERATURE);
    let others = answers.iter().skip(1).map(|one| one.cost).chain(hidden);
    let margin = others
        .reduce(sum)
        .map_or(Cost::MAX, |cost| cost - best.cost);
    let margin = margin.min(EVIDENCE.saturating_mul(ink as Cost));
    let all: f32 = answers.iter().map(|one| odds(one.cost)).sum();
    let none = nothing.map_or(0.0, odds) + hidden.map_or(0.0, odds);
    let features = Features {
        margin,
        fit: nothing.map_or(0, |cost| cost - best.cost) as f32 / BIT as f32 / high.max(1) as f32,
        distinct: reader.distinct,
        malformed: reader.malformed,
    };
    let first = if expected.is_certain() || high == 0 {
        1.0 / all
    } else {
        calibrated(&features)
    };
    let others = (all - 1.0 + none).max(f32::MIN_POSITIVE);
    for (at, answer) in answers.iter_mut().enumerate() {
        answer.probability = match at {
            0 => first,
            // The rest is the probability of no encoding.
            _ => ((1.0 - first) * odds(answer.cost) / others).min(first * odds(answer.cost)),
        };
    }
    (answers, features)
}

/// Returns the likelihood ratio of two readings whose costs differ by this.
fn odds(more: Cost) -> f32 {
    let of_less = probability(more.abs()).max(1) as f32 / 65536.0;
    if more < 0 { 1.0 / of_less } else { of_less }
}

/// Returns the probability that the first answer is right, by a logistic function of the features.
fn calibrated(features: &Features) -> f32 {
    let [constant, linear, root, fit, distinct] = CALIBRATION;
    let margin = features.margin.clamp(0, MOST_MARGIN);
    let bits = margin as f32 / BIT as f32;
    let root_of_bits = (margin * BIT).isqrt() as f32 / BIT as f32;
    let odds_in_bits = constant
        + linear * bits
        + root * root_of_bits
        + fit * features.fit.clamp(-MOST_FIT, MOST_FIT)
        + distinct * features.distinct.min(MOST_DISTINCT) as f32;
    1.0 / (1.0 + odds((odds_in_bits * BIT as f32) as Cost))
}

/// Returns the single-byte encodings to read.
fn groups(
    whole: &Counts,
    sampled: &Counts,
    touching: Cost,
    expected: &impl Expected,
) -> Vec<Group> {
    let mut groups: Vec<(u64, Group)> = Vec::new();
    for (at, candidate) in CANDIDATES.iter().enumerate() {
        if candidate.is_of_the_web || expected.is_extended() || expected.is_certain() {
            let encoding = candidate.encoding();
            if !encoding.is_some_and(|one| expected.allows(one)) {
                continue;
            }
        }
        let kinds = whole
            .present()
            .flat_map(|(byte, _)| model::kind_of_byte(at, byte).0.to_le_bytes());
        let key = hash(0, kinds);
        if let Some((_, group)) = groups.iter_mut().find(|group| group.0 == key) {
            group.members.push(at);
            group.members.sort_by_key(|&one| CANDIDATES[one].prior);
            continue;
        }
        if 5 * whole.undefined(at) > whole.sum() + 5 {
            continue;
        }
        let costs = sampled.present();
        let costs = costs.map(|(byte, count)| model::cost_of_byte(at, byte) * count as Cost);
        let apart = if candidate.is_latin { 0 } else { touching };
        let first_look = costs.sum::<Cost>() + apart + candidate.prior;
        let members = alloc::vec![at];
        groups.push((
            key,
            Group {
                members,
                first_look,
            },
        ));
    }
    let mut groups: Vec<Group> = groups.into_iter().map(|one| one.1).collect();
    groups.sort_by_key(|group| group.first_look);
    groups
}

/// Returns the languages that encodings are read in.
fn hypotheses(
    members: &[usize],
    foreign: &[u8],
    left_out: &[u8],
    expected: &impl Expected,
) -> Vec<Hypothesis> {
    let mut costs: Vec<(u8, Cost)> = Vec::new();
    for candidate in members.iter().map(|&member| &CANDIDATES[member]) {
        for &(language, cost) in candidate.languages {
            if left_out.contains(&language) {
                continue;
            }
            let cost = Cost::from(cost) + candidate.prior;
            match costs.iter_mut().find(|one| one.0 == language) {
                Some(known) => known.1 = known.1.min(cost),
                None => costs.push((language, cost)),
            }
        }
    }
    if members.iter().any(|&member| CANDIDATES[member].is_latin) {
        for &language in foreign {
            if costs.iter().all(|one| one.0 != language) {
                costs.push((language, FOREIGN + CANDIDATES[members[0]].prior));
            }
        }
    }
    let all = costs.into_iter();
    all.map(|(language, cost)| {
        let tag = LANGUAGES[usize::from(language)].tag;
        Hypothesis::new(language, None, cost + expected.cost_of(tag))
    })
    .collect()
}

/// Returns the cost of letters that touch ASCII letters, if they are of another script.
fn touching(bytes: &[u8], parts: &[Range<usize>]) -> Cost {
    let is_touching = |pair: &&[u8]| {
        pair[0].is_ascii() != pair[1].is_ascii()
            && (pair[0].is_ascii_alphabetic() || pair[1].is_ascii_alphabetic())
    };
    let pairs = parts.iter().flat_map(|part| bytes[part.clone()].windows(2));
    TOUCHING * pairs.filter(is_touching).count() as Cost
}

/// Returns the languages in Latin script that fit the ASCII words best, and the others.
fn languages_of_words(
    bytes: &[u8],
    parts: &[Range<usize>],
    shared: &mut Shared,
) -> (Vec<u8>, Vec<u8>) {
    let is_in_question = |language: &u8| {
        let script = LANGUAGES[usize::from(*language)].script;
        script == LATIN && *language != ENGLISH && *language != UNDETERMINED
    };
    let languages = (0..LANGUAGES.len() as u8).filter(is_in_question);
    let mut costs: Vec<(Cost, u8)> = languages.map(|language| (0, language)).collect();
    let mut seen = Set::default();
    let mut left = NATIVE_WORDS;
    let is_part = |byte: &u8| !byte.is_ascii() || byte.is_ascii_alphabetic();
    let runs = parts
        .iter()
        .flat_map(|part| bytes[part.clone()].split(|byte| !is_part(byte)));
    for run in runs.filter(|run| run.len() > 1 && run.is_ascii()) {
        let letters: Vec<u8> = run
            .iter()
            .map(|byte| byte.to_ascii_lowercase() - b'a' + 1)
            .collect();
        let words = &mut shared.words;
        let word = words.number(LATIN, &letters);
        if !seen.insert(word as u64) {
            continue;
        }
        let english = words.english(word).unwrap_or(Cost::MAX);
        let usual = words.pooled(word).min(english);
        for (cost, language) in &mut costs {
            let own = words.cost(word, *language).unwrap_or(usual);
            *cost += (own - usual).min(NATIVE_WORD);
        }
        left -= 1;
        if left == 0 {
            break;
        }
    }
    costs.sort_unstable();
    let bound = costs.first().map_or(0, |one| one.0) + NATIVE_BEHIND;
    let first = costs.iter().take(FOREIGNERS).filter(|one| one.0 < -6 * BIT);
    let left_out = costs.iter().filter(|one| one.0 > bound);
    (
        first.map(|one| one.1).collect(),
        left_out.map(|one| one.1).collect(),
    )
}

/// True if there are characters of four bytes in gb18030.
fn has_four_bytes(bytes: &[u8]) -> bool {
    let is_four =
        |four: &[u8]| matches!(four, [0x81..=0xFE, b'0'..=b'9', 0x81..=0xFE, b'0'..=b'9']);
    bytes.windows(4).any(is_four)
}
