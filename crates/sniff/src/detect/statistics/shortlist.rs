//! Selects the single-byte encodings and the languages in which a document is read.

use super::costs::{BIT, Cost};
use super::model::{self, CANDIDATES, ENGLISH, LANGUAGES, UNDETERMINED};
use super::reader::{Decoding, Hypothesis, Reader, SWITCH, Shared};
use super::set::{Set, hash};
use super::tokens::{Kind, LATIN};
use super::{BEHIND, Expected, LANGUAGE_BEHIND, STAGE};
use alloc::vec::Vec;
use core::ops::Range;

/// The number of single-byte encodings to read: the likeliest ones by their single bytes.
const READ: usize = 16;

/// The numbers of non-ASCII bytes, by value.
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
}

/// Single-byte encodings that decode all bytes of the document alike, the likeliest first.
pub struct Group {
    pub members: Vec<usize>,
    /// The cost of the bytes, independent of their neighbours.
    first_look: Cost,
    /// True if the encodings are read in the first look.
    pub is_likely: bool,
}

/// The possible encodings and languages.
pub struct Shortlist {
    pub groups: Vec<Group>,
    /// The language of the ASCII words. The encoding may not be designed for it.
    of_ascii: Option<u8>,
}

impl Shortlist {
    pub fn of(
        bytes: &[u8],
        parts: &[Range<usize>],
        expected: &impl Expected,
        shared: &mut Shared,
    ) -> Self {
        let of_ascii = language_of_words(bytes, parts, shared);
        let mut groups = groups(bytes, parts, expected);
        mark_unlikely(bytes, parts, &mut groups, shared);
        Self { groups, of_ascii }
    }

    /// Returns the languages in which the text of a group is read.
    pub fn hypotheses(&self, group: &Group, expected: &impl Expected) -> Vec<Hypothesis> {
        let members = &group.members;
        let mut costs: Vec<(u8, Cost)> = Vec::new();
        for candidate in members.iter().map(|&member| &CANDIDATES[member]) {
            for &(language, cost) in candidate.languages {
                let cost = Cost::from(cost) + candidate.prior;
                match costs.iter_mut().find(|one| one.0 == language) {
                    Some(known) => known.1 = known.1.min(cost),
                    None => costs.push((language, cost)),
                }
            }
        }
        if let Some(language) = self.of_ascii
            && members.iter().any(|&member| CANDIDATES[member].is_latin)
            && costs.iter().all(|one| one.0 != language)
        {
            costs.push((language, LANGUAGE_BEHIND + CANDIDATES[members[0]].prior));
        }
        let all = costs.into_iter();
        all.map(|(language, cost)| {
            let tag = LANGUAGES[usize::from(language)].tag;
            Hypothesis::new(language, None, cost + expected.cost_of(tag))
        })
        .collect()
    }
}

/// Marks the encodings that the first look reads. Others are unlikely by their single bytes, or the first part is not
/// text of any language in them.
fn mark_unlikely(bytes: &[u8], parts: &[Range<usize>], groups: &mut [Group], shared: &mut Shared) {
    let (mut end, mut read) = (0, 0);
    while end < parts.len() && read < STAGE {
        read += parts[end].len();
        end += 1;
    }
    let mut costs = Vec::with_capacity(READ);
    for group in &groups[..groups.len().min(READ)] {
        let pooled = Hypothesis::new(UNDETERMINED, None, CANDIDATES[group.members[0]].prior);
        let decoding = Decoding::Single(group.members[0]);
        let mut reader = Reader::new(0, decoding, alloc::vec![pooled]);
        shared.words.forget();
        for part in &parts[..end] {
            reader.read(bytes, part, shared);
        }
        costs.push(reader.least());
    }
    let bound = costs.iter().min().copied().unwrap_or(0) + BEHIND;
    for (at, group) in groups.iter_mut().enumerate() {
        // windows-1252 is always read, because its signs seem unlikely when bytes are scored independently.
        group.is_likely =
            costs.get(at).is_some_and(|&cost| cost <= bound) || group.members.contains(&0);
    }
}

/// Returns the single-byte encodings to read.
fn groups(bytes: &[u8], parts: &[Range<usize>], expected: &impl Expected) -> Vec<Group> {
    let whole = Counts::of(bytes.iter());
    // A sequence of one repeated byte, such as a drawn line, counts as one byte.
    let runs = |part: &Range<usize>| bytes[part.clone()].chunk_by(PartialEq::eq);
    let sampled = Counts::of(parts.iter().flat_map(runs).map(|run| &run[0]));
    let touching = touching(bytes, parts);
    let mut groups: Vec<(u64, Group)> = Vec::new();
    // The non-ASCII byte values, each with its count in the whole document and its count in the parts.
    let present = (0x80..=0xFF).zip(whole.0.iter().zip(&sampled.0));
    let present: Vec<(u8, u32, u32)> = present
        .map(|(byte, (&count, &distinct))| (byte, count, distinct))
        .filter(|one| one.1 > 0)
        .collect();
    for (at, candidate) in CANDIDATES.iter().enumerate() {
        if candidate.is_of_the_web || expected.is_extended() || expected.is_certain() {
            let encoding = candidate.encoding();
            if !encoding.is_some_and(|one| expected.allows(one)) {
                continue;
            }
        }
        let (mut key, mut undefined, mut first_look) = (0u64, 0, candidate.prior);
        for &(byte, count, distinct) in &present {
            let kind = model::kind_of_byte(at, byte);
            key = (key ^ u64::from(kind.0)).wrapping_mul(0x517C_C1B7_2722_0A95);
            key ^= key >> 32;
            if kind == Kind::MALFORMED {
                undefined += count;
            }
            first_look += model::cost_of_byte(at, byte) * distinct as Cost;
        }
        if 5 * undefined > whole.sum() + 5 {
            continue;
        }
        if let Some((_, group)) = groups.iter_mut().find(|group| group.0 == key) {
            group.members.push(at);
            group.members.sort_by_key(|&one| CANDIDATES[one].prior);
            continue;
        }
        if !candidate.is_latin {
            first_look += touching;
        }
        let members = alloc::vec![at];
        let group = Group {
            members,
            first_look,
            is_likely: true,
        };
        groups.push((key, group));
    }
    let mut groups: Vec<Group> = groups.into_iter().map(|one| one.1).collect();
    groups.sort_by_key(|group| group.first_look);
    groups
}

/// Returns the cost of letters of another script that are next to ASCII letters.
fn touching(bytes: &[u8], parts: &[Range<usize>]) -> Cost {
    let is_touching = |pair: &&[u8]| {
        pair[0].is_ascii() != pair[1].is_ascii()
            && (pair[0].is_ascii_alphabetic() || pair[1].is_ascii_alphabetic())
    };
    let pairs = parts.iter().flat_map(|part| bytes[part.clone()].windows(2));
    SWITCH / 2 * pairs.filter(is_touching).count() as Cost
}

/// Returns the language in Latin script that the ASCII words fit best.
fn language_of_words(bytes: &[u8], parts: &[Range<usize>], shared: &mut Shared) -> Option<u8> {
    let is_in_question = |language: &u8| {
        let script = LANGUAGES[usize::from(*language)].script;
        script == LATIN && *language != ENGLISH && *language != UNDETERMINED
    };
    let languages = (0..LANGUAGES.len() as u8).filter(is_in_question);
    let mut costs: Vec<(Cost, u8)> = languages.map(|language| (0, language)).collect();
    let mut seen = Set::default();
    let words = &mut shared.words;
    let is_part = |byte: &u8| !byte.is_ascii() || byte.is_ascii_alphabetic();
    let runs = parts
        .iter()
        .flat_map(|part| bytes[part.clone()].split(|byte| !is_part(byte)))
        .filter(|run| run.len() > 1 && run.is_ascii());
    for run in runs.filter(|run| seen.insert(hash(0, run.iter().copied()))) {
        let letters = run.iter().map(|byte| byte.to_ascii_lowercase() - b'a' + 1);
        let word = words.number(LATIN, &letters.collect::<Vec<u8>>());
        let english = words.cost(word, ENGLISH).unwrap_or(Cost::MAX);
        let usual = words.pooled(word).min(english);
        for (cost, language) in &mut costs {
            let own = words.cost(word, *language).unwrap_or(usual);
            *cost += own - usual;
        }
    }
    let first = costs.into_iter().min();
    first.filter(|one| one.0 < -6 * BIT).map(|one| one.1)
}
