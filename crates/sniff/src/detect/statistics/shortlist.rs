//! Selects the single-byte encodings and the languages in which a document is read.

use super::costs::{BIT, Cost};
use super::model::{self, CANDIDATES, Candidate, Chain, ENGLISH, LANGUAGES, UNDETERMINED};
use super::reader::{AGAIN, Hypothesis, MALFORMED, SWITCH};
use super::set::{Set, hash};
use super::tokens::{DIGIT, Kind, LATIN, LINE, SIGN, SPACE, UNKNOWN, WORD};
use super::words::Words;
use super::{BEHIND, Expected, LANGUAGE_BEHIND};
use alloc::vec::Vec;
use core::ops::Range;
use mojika::Encoding;

/// The number of bytes that are first read without a language, and the number of encodings to read afterwards.
const FIRST_LOOK: usize = 64;
const READ: usize = 16;

/// The first part is text in a single-byte encoding if it costs `LEAST_PLAIN` less than `PLAIN` for each byte.
const PLAIN: Cost = 11 * BIT / 2;
const LEAST_PLAIN: Cost = 56 * BIT;

/// One of the [`CANDIDATES`], by its index, and its encoding if it may be an answer.
#[derive(Clone, Copy)]
pub struct Member {
    pub candidate: usize,
    pub answer: Option<&'static Encoding>,
}

impl Member {
    pub fn candidate(&self) -> &'static Candidate {
        &CANDIDATES[self.candidate]
    }
}

/// Single-byte encodings that decode all bytes of the document alike, the likeliest first.
pub struct Group {
    pub members: Vec<Member>,
    /// The cost of the first part in no particular language.
    cost: Cost,
    /// True if the encodings are read in the first look.
    pub is_likely: bool,
}

const RACE: Cost = 10 * BIT;
/// The possible encodings and languages.
pub struct Shortlist {
    pub groups: Vec<Group>,
    /// True if the first part is so likely in a single-byte encoding that the first look leaves out double-byte encodings.
    pub is_plain: bool,
}

impl Shortlist {
    pub fn of(bytes: &[u8], parts: &[Range<usize>], expected: &impl Expected) -> Self {
        let mut groups = groups(bytes, expected);
        let is_plain = mark_unlikely(bytes, parts, &mut groups);
        Self { groups, is_plain }
    }
}

impl Group {
    /// True if one of the encodings is for languages in Latin script.
    pub fn is_latin(&self) -> bool {
        self.members.iter().any(|one| one.candidate().is_latin)
    }

    /// Returns the languages to try on the text, with costs. The encodings may not be designed for the language of the
    /// ASCII words.
    pub fn hypotheses(&self, of_ascii: Option<u8>, expected: &impl Expected) -> Vec<Hypothesis> {
        let members = &self.members;
        let mut costs: Vec<(u8, Cost)> = Vec::new();
        for candidate in members.iter().map(Member::candidate) {
            for &(language, cost) in candidate.languages {
                let cost = Cost::from(cost) + candidate.prior;
                match costs.iter_mut().find(|one| one.0 == language) {
                    Some(known) => known.1 = known.1.min(cost),
                    None => costs.push((language, cost)),
                }
            }
        }
        if let Some(language) = of_ascii
            && self.is_latin()
            && costs.iter().all(|one| one.0 != language)
        {
            costs.push((language, LANGUAGE_BEHIND + members[0].candidate().prior));
        }
        let all = costs.into_iter();
        all.map(|(language, cost)| {
            let tag = LANGUAGES[usize::from(language)].tag;
            Hypothesis::new(language, None, cost + expected.cost_of(tag))
        })
        .collect()
    }
}

/// Sorts the encodings by the cost of the first part in no particular language, and marks those that the first look reads.
fn mark_unlikely(bytes: &[u8], parts: &[Range<usize>], groups: &mut [Group]) -> bool {
    let (mut words, mut read) = (Vec::new(), 0);
    for part in parts {
        add_words(&bytes[part.clone()], &mut words);
        read += part.len();
        if read >= FIRST_LOOK {
            break;
        }
    }
    let mut bound = Cost::MAX;
    groups.sort_by_key(|group| group.members[0].candidate().prior);
    for group in groups.iter_mut() {
        let first = group.members[0];
        let prior = first.candidate().prior;
        group.cost = prior + cost_without_language(first.candidate, &words, bound - prior);
        bound = bound.min(group.cost + BEHIND);
    }
    groups.sort_by_key(|group| group.cost);
    for (at, group) in groups.iter_mut().enumerate() {
        group.is_likely = at < READ && group.cost <= bound;
    }
    let most = PLAIN * words.len() as Cost - LEAST_PLAIN;
    groups.first().is_some_and(|first| first.cost < most)
}

/// True for bytes that may be part of a word.
fn is_part(byte: &u8) -> bool {
    !byte.is_ascii() || byte.is_ascii_alphabetic()
}

/// Adds the words with non-ASCII bytes, each with its neighbours. Other words cost the same in all encodings.
fn add_words(bytes: &[u8], words: &mut Vec<u8>) {
    let mut at = 0usize;
    for run in bytes.split_inclusive(|byte| !is_part(byte)) {
        if !run.is_ascii() {
            words.extend_from_slice(&bytes[at.saturating_sub(1)..at + run.len()]);
        }
        at += run.len();
    }
}

/// Returns the cost of bytes as text in no particular language: each letter after the one before it, and the chain.
fn cost_without_language(candidate: usize, bytes: &[u8], bound: Cost) -> Cost {
    let kinds = model::kinds_of(candidate);
    let mut cost = 0;
    let mut previous = SPACE;
    // The last letter of the current word, or between words, an element that is no letter.
    let mut last = Kind::element(SPACE);
    for &byte in bytes {
        let kind = match byte {
            0..0x80 => model::ASCII[usize::from(byte)],
            _ => kinds[usize::from(byte & 0x7F)].into(),
        };
        if kind.continues(last) {
            cost += model::pooled(kind.script(), last.low(), kind.low());
            if kind.is_upper() && !last.is_upper() {
                cost += 2 * BIT;
            }
            last = kind;
            continue;
        }
        if kind == Kind::POINT && last.is_letter() {
            cost += AGAIN;
            continue;
        }
        if last.is_letter() {
            cost += model::pooled(last.script(), last.low(), 0);
            previous = WORD;
        }
        if cost > bound {
            break;
        }
        let element = match kind {
            Kind::POINT => UNKNOWN,
            _ if kind.is_letter() => WORD,
            _ => kind.low(),
        };
        if element == WORD {
            cost += model::pooled(kind.script(), 0, kind.low());
        }
        cost += match (previous, element) {
            (WORD, WORD) => SWITCH,
            (LINE | SPACE | DIGIT | SIGN.., _) if previous == element => 0,
            _ => Chain::Words.step(previous, element),
        };
        if element == UNKNOWN {
            cost += MALFORMED / 2;
        }
        (previous, last) = (element, kind);
    }
    cost
}

/// Returns the single-byte encodings to read.
fn groups(bytes: &[u8], expected: &impl Expected) -> Vec<Group> {
    let mut counts = [0u32; 256];
    for &byte in bytes {
        counts[usize::from(byte)] += 1;
    }
    let high: u32 = counts[0x80..].iter().sum();
    let mut groups: Vec<(u64, Group)> = Vec::new();
    // The non-ASCII byte values, each with its count.
    let present = (0..=0xFF).zip(counts).skip(0x80).filter(|one| one.1 > 0);
    let present: Vec<(u8, u32)> = present.collect();
    for (at, candidate) in CANDIDATES.iter().enumerate() {
        let is_answer = candidate.is_of_the_web || expected.is_extended();
        let mut answer = None;
        if is_answer || expected.is_certain() {
            answer = candidate.encoding().filter(|one| expected.allows(one));
            if answer.is_none() {
                continue;
            }
        }
        let kinds = model::kinds_of(at);
        let (mut key, mut undefined) = (0u64, 0);
        for &(byte, count) in &present {
            let kind = Kind::from(kinds[usize::from(byte & 0x7F)]);
            key = (key ^ u64::from(kind.0)).wrapping_mul(0x517C_C1B7_2722_0A95);
            key ^= key >> 32;
            if kind == Kind::MALFORMED {
                undefined += count;
            }
        }
        if 5 * undefined > high + 5 {
            continue;
        }
        let member = Member {
            candidate: at,
            answer: answer.filter(|_| is_answer),
        };
        if let Some((_, group)) = groups.iter_mut().find(|group| group.0 == key) {
            group.members.push(member);
            group.members.sort_by_key(|one| one.candidate().prior);
            continue;
        }
        let group = Group {
            members: alloc::vec![member],
            cost: 0,
            is_likely: true,
        };
        groups.push((key, group));
    }
    groups.into_iter().map(|one| one.1).collect()
}

/// Returns the language in Latin script that the ASCII words fit best.
pub fn language_of_words(bytes: &[u8], parts: &[Range<usize>], words: &mut Words) -> Option<u8> {
    let is_in_question = |language: &u8| {
        let script = LANGUAGES[usize::from(*language)].script;
        script == LATIN && *language != ENGLISH && *language != UNDETERMINED
    };
    let languages = (0..LANGUAGES.len() as u8).filter(is_in_question);
    let mut costs: Vec<(Cost, u8)> = languages.map(|language| (0, language)).collect();
    let mut seen = Set::default();
    let mut letters = Vec::new();
    let runs = parts
        .iter()
        .flat_map(|part| bytes[part.clone()].split(|byte| !is_part(byte)))
        .filter(|run| run.len() > 1 && run.is_ascii());
    for run in runs.filter(|run| seen.insert(hash(0, run))) {
        letters.clear();
        letters.extend(run.iter().map(|byte| byte.to_ascii_lowercase() - b'a' + 1));
        let number = words.number(LATIN, &letters);
        let mut word = words.get(number);
        let english = word.cost(ENGLISH).unwrap_or(Cost::MAX);
        let usual = word.pooled().min(english);
        for (cost, language) in &mut costs {
            let own = word.cost(*language).unwrap_or(usual);
            *cost += own - usual;
        }
        let least = costs.iter().min().map_or(0, |one| one.0);
        costs.retain(|one| one.0 <= least + RACE);
    }
    let first = costs.into_iter().min();
    first.filter(|one| one.0 < -6 * BIT).map(|one| one.1)
}
