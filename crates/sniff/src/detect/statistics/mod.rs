//! The statistical model: finds the encoding in which bytes are the likeliest text.
//!
//! Text is a sequence of tokens (words, numbers, spaces, signs), and each reading of the bytes has a cost in bits:
//!
//! - A word has the cost of its letters, in a mixture of the language, English, and all
//!   languages of its script. The weights of the mixture adapt to the document.
//! - Each token also has a cost that depends on the previous token: they form a chain.
//! - A repeated token has a constant cost: certainty grows with distinct evidence, not with length.
//! - A character of a double-byte encoding has the cost of the character within its class.
//! - "No encoding" is a reading, too. It has a fixed cost for each non-ASCII byte.
//!
//! `gen train` computes the tables (`crates/sniff/tables`) from texts. docs/DETECTION.md states the accuracy.

mod costs;
mod model;
mod posterior;
mod reader;
mod sample;
mod set;
mod shortlist;
mod tokens;
mod words;

use alloc::vec::Vec;
use core::ops::Range;
use costs::{BIT, Cost, sum};
use model::{CANDIDATES, DOUBLE, EBCDIC, ENGLISH, LANGUAGES, UNDETERMINED, Wide};
use mojika::{Encoding, GB18030, GBK, UTF_8};
pub use posterior::Features;
use posterior::{odds, posterior};
use reader::{Decoding, Hypothesis, Reader, Shared};
use shortlist::{Group, Member, Shortlist, language_of_words};

/// The distance to the best reading at which others are removed.
const BEHIND: Cost = 40 * BIT;
/// The number of bytes after which the only remaining encoding is the answer.
const ENOUGH: usize = 64;
/// The extra cost over the likeliest language at which a language is removed; also the cost of an unusual language.
const LANGUAGE_BEHIND: Cost = 24 * BIT;

/// The maximum average cost of a byte of text in EBCDIC.
const EBCDIC_BYTE: Cost = 6 * BIT;

/// The cost of UTF-8 before anything is read.
const UTF_8_PRIOR: Cost = -BIT;
/// The prior knowledge of a document.
pub trait Expected {
    /// True if an encoding may be an answer.
    fn allows(&self, encoding: &'static Encoding) -> bool;
    /// Returns the cost of a language.
    fn cost_of(&self, language: &str) -> i32;
    /// True if encodings outside the Standard are answers, too.
    fn is_extended(&self) -> bool;
    /// True if one of the allowed encodings is certain to be right.
    fn is_certain(&self) -> bool;
}

/// Returns the tags of the languages that have a model.
pub fn languages() -> impl Iterator<Item = &'static str> {
    let wide = [Wide::Ja, Wide::Ko, Wide::ZhCn, Wide::ZhTw].map(Wide::tag);
    let letters = LANGUAGES.iter().map(|language| language.tag);
    wide.into_iter().chain(letters).filter(|tag| *tag != "und")
}

/// A possible encoding of the document, with its probability.
#[derive(Clone, Copy, Debug)]
pub struct Answer {
    pub encoding: &'static Encoding,
    pub language: Option<&'static str>,
    pub probability: f32,
    pub cost: Cost,
    /// The number of malformed sequences of the document in the encoding.
    pub malformed: u32,
}

/// A reading of the bytes, and the encodings that give this reading.
struct Entry {
    encodings: Encodings,
    reader: Reader,
}

enum Encodings {
    Group(Vec<Member>),
    /// Encodings outside the Standard that must not be answers. Text in such an encoding is doubtful.
    Hidden,
    One(&'static Encoding),
    /// The bytes are in no known encoding.
    Nothing,
}

impl Entry {
    fn is_nothing(&self) -> bool {
        matches!(self.encodings, Encodings::Nothing)
    }

    /// Returns the encoding to report. If several decode the bytes alike, it is the one with the likeliest languages.
    fn encoding(&self) -> Option<&'static Encoding> {
        let members = match &self.encodings {
            Encodings::One(encoding) => return Some(encoding),
            Encodings::Nothing | Encodings::Hidden => return None,
            Encodings::Group(members) => members,
        };
        let mut costs = alloc::vec![Cost::MAX / 2; members.len()];
        for one in &self.reader.hypotheses {
            let is_made_for = |member: &Member| {
                let mut languages = member.candidate().languages.iter();
                languages.any(|language| language.0 == one.language)
            };
            let at = members.iter().position(is_made_for).unwrap_or(0);
            costs[at] = sum(costs[at], one.cost);
        }
        let best = (0..members.len()).min_by_key(|&at| costs[at])?;
        members[best].answer
    }
}

/// Adds a reading of the bytes, with the encodings that give it.
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

/// Returns the likeliest encodings of non-ASCII text, best first.
///
/// `malformed` returns the number of malformed sequences of the document in an encoding.
pub fn rank(
    bytes: &[u8],
    expected: &impl Expected,
    malformed: impl Fn(&'static Encoding) -> u32,
) -> (Vec<Answer>, Features) {
    rank_parts(bytes, &sample::parts(bytes), expected, malformed)
}

fn rank_parts(
    bytes: &[u8],
    parts: &[Range<usize>],
    expected: &impl Expected,
    malformed: impl Fn(&'static Encoding) -> u32,
) -> (Vec<Answer>, Features) {
    let mut shared = Shared::default();
    let shortlist = Shortlist::of(bytes, parts, expected);
    let mut look = |is_second| {
        shared.words.forget();
        let is_read = |group: &&Group| group.is_likely || is_second;
        let groups: Vec<&Group> = shortlist.groups.iter().filter(is_read).collect();
        let of_ascii = match groups.iter().any(|group| group.is_latin()) {
            true => language_of_words(bytes, parts, &mut shared.words),
            false => None,
        };
        let has_double = is_second || !shortlist.is_plain;
        let mut entries = entries(&groups, of_ascii, has_double, expected);
        let count = read(bytes, parts, &mut entries, &mut shared, is_second);
        let read = &parts[..count];
        let (mut answers, features) = posterior(&entries, bytes, read, expected, &malformed);
        let of_gbk = answers.iter_mut().find(|answer| answer.encoding == GBK);
        if let Some(answer) = of_gbk
            && expected.allows(GB18030)
            && has_four_bytes(bytes)
        {
            answer.encoding = GB18030;
        }
        (answers, features)
    };
    let first = look(false);
    if first.1.fit > 0.0 && first.1.malformed == 0 {
        return first;
    }
    // No remaining reading fits, so the right one may have been removed before.
    let second = look(true);
    if second.0.is_empty() { first } else { second }
}

/// Returns the other encodings of bytes that are UTF-8, and the odds of UTF-8 against them.
pub fn beside_utf_8(
    bytes: &[u8],
    expected: &impl Expected,
    malformed: impl Fn(&'static Encoding) -> u32,
) -> (Vec<Answer>, f32) {
    let parts = sample::regions(bytes);
    // The cost of a language is its lowest one in any encoding.
    let languages = CANDIDATES.iter().flat_map(|one| one.languages);
    let of_language = |number: usize| {
        let costs = languages.clone().filter(|one| usize::from(one.0) == number);
        let cost = costs.map(|one| one.1.max(0)).min()?;
        Some(Hypothesis::new(number as u8, None, cost.into()))
    };
    let hypotheses = (0..LANGUAGES.len()).filter_map(of_language).collect();
    let mut reader = Reader::new(0, Decoding::Letters(UTF_8), hypotheses);
    let mut shared = Shared::default();
    for part in &parts {
        reader.read(bytes, part, &mut shared, Cost::MAX);
    }
    let costs = reader.hypotheses.iter().map(|one| reader.base + one.cost);
    let cost = costs.reduce(sum).unwrap_or(0);
    let (answers, _) = rank_parts(bytes, &parts, expected, malformed);
    let others = answers.iter().map(|one| one.cost).reduce(sum);
    let odds = others.map_or(f32::MAX, |others| odds(cost + UTF_8_PRIOR - others));
    (answers, odds)
}

/// Returns the readings of the bytes to compare.
fn entries(
    groups: &[&Group],
    of_ascii: Option<u8>,
    has_double: bool,
    expected: &impl Expected,
) -> Vec<Entry> {
    let mut entries: Vec<Entry> = Vec::new();
    // Double-byte encodings come first, so that the others drop out soon.
    let double = DOUBLE.into_iter().filter(|_| has_double);
    for (name, prior, chain, languages) in double {
        let Some(encoding) = model::encoding_of(name) else {
            continue;
        };
        // GBK and gb18030 have one decoder.
        let is_gbk = encoding == GBK && !expected.allows(GBK);
        let encoding = if is_gbk { GB18030 } else { encoding };
        if !expected.allows(encoding) {
            continue;
        }
        let of_language = |wide: &Wide| {
            let cost = prior + expected.cost_of(wide.tag());
            Hypothesis::new(ENGLISH, Some(*wide), cost)
        };
        let hypotheses = languages.iter().map(of_language).collect();
        let decoding = Decoding::Double(encoding, chain);
        let encodings = match Encoding::for_label(name).is_some() || expected.is_extended() {
            true => Encodings::One(encoding),
            false => Encodings::Hidden,
        };
        add(&mut entries, encodings, decoding, hypotheses);
    }
    for group in groups {
        let hypotheses = group.hypotheses(of_ascii, expected);
        let decoding = Decoding::Single(group.members[0].candidate);
        let answers = group.members.iter().filter(|one| one.answer.is_some());
        let answers: Vec<Member> = answers.copied().collect();
        let encodings = match answers.is_empty() {
            true => Encodings::Hidden,
            false => Encodings::Group(answers),
        };
        add(&mut entries, encodings, decoding, hypotheses);
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
    entries
}

/// Returns the likeliest code pages of text in EBCDIC, best first.
pub fn rank_ebcdic(bytes: &[u8], expected: &impl Expected) -> Vec<Answer> {
    let mut entries: Vec<Entry> = Vec::new();
    for (name, prior) in EBCDIC {
        let encoding = model::encoding_of(name).filter(|one| expected.allows(one));
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
    read(bytes, &parts, &mut entries, &mut Shared::default(), false);
    let (answers, _) = posterior(&entries, bytes, &[], expected, &|_| 0);
    let most = EBCDIC_BYTE * bytes.len() as Cost;
    match answers.first() {
        Some(first) if first.cost <= most => answers,
        _ => Vec::new(),
    }
}

/// Reads the parts in all encodings, and returns the number of parts that were read. Encodings that cost much more than
/// the best one are removed, except in a second look.
fn read(
    bytes: &[u8],
    parts: &[Range<usize>],
    entries: &mut Vec<Entry>,
    shared: &mut Shared,
    is_second: bool,
) -> usize {
    let high = beyond_ascii(bytes, parts);
    let behind = if is_second { 8 * BEHIND } else { BEHIND };
    let mut read = 0;
    for (number, part) in parts.iter().enumerate() {
        let mut bound = Cost::MAX;
        for entry in entries.iter_mut() {
            if entry.is_nothing() {
                entry.reader.read(bytes, part, shared, Cost::MAX);
            } else {
                entry.reader.read(bytes, part, shared, bound);
                bound = bound.min(entry.reader.least() + behind);
            }
        }
        read += part.len();
        entries.retain(|entry| match entry.reader.decoding {
            Decoding::Double(..) => 4 * entry.reader.malformed <= high / 2 + 8,
            _ => true,
        });
        entries.retain(|entry| entry.is_nothing() || entry.reader.least() <= bound);
        for entry in entries.iter_mut() {
            entry.reader.drop_languages(LANGUAGE_BEHIND);
        }
        let left = entries.iter().filter(|entry| !entry.is_nothing());
        if read >= ENOUGH && left.count() == 1 {
            return number + 1;
        }
    }
    parts.len()
}

/// Returns the number of non-ASCII bytes in the parts.
fn beyond_ascii(bytes: &[u8], parts: &[Range<usize>]) -> u32 {
    let parts = parts.iter().flat_map(|part| &bytes[part.clone()]);
    parts.filter(|byte| !byte.is_ascii()).count() as u32
}

/// True if the bytes contain a four-byte character of gb18030.
fn has_four_bytes(bytes: &[u8]) -> bool {
    let is_four =
        |four: &[u8]| matches!(four, [0x81..=0xFE, b'0'..=b'9', 0x81..=0xFE, b'0'..=b'9']);
    bytes.windows(4).any(is_four)
}
