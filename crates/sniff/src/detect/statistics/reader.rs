//! A reading of the parts in one encoding: the cost of the chain of tokens, and the cost of the words in each language.

use super::costs::{BIT, Cost, log2, log2_of_ratio, ratio, sum};
use super::model::{self, CORE, Chain, ELEMENTS, ENGLISH, Wide};
use super::set::{Map, Set, mix};
use super::tokens::{
    CYRILLIC, Case, HAN, Kind, LINE, RARE, SIGN, SPACE, Token, UNKNOWN, WORD, ascii_element, cut,
};
use super::words::Words;
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::ops::Range;
use mojika::Encoding;

/// The cost of a malformed sequence, or of a byte that is unmapped in the encoding.
pub const MALFORMED: Cost = 16 * BIT;

/// The cost of a non-ASCII byte in the reading "no encoding".
const NOTHING: Cost = 12 * BIT;

/// The cost of a repeated word or a repeated sequence of wide characters, and of a vowel point on a letter.
pub const AGAIN: Cost = 4 * BIT;

/// The cost of a letter of another script next to a word.
pub const SWITCH: Cost = 14 * BIT;

/// The cost of a Latin i in place of the Cyrillic letter, which some keyboards lack.
const LATIN_I: Cost = 6 * BIT;

/// The initial weights of the language, of English, of the pooled model and of a list of letters, in words.
const WEIGHTS: [f32; 4] = [4.0, 0.4, 0.2, 0.008];

/// The cost of a letter in a list, where all letters are equally likely, as in tables of endings and keyboard maps.
const LISTED: Cost = 7 * BIT;

/// The initial weights of the characters of the language, and of a list of all characters.
const WIDE_WEIGHTS: [f32; 2] = [4.0, 0.008];

/// The initial costs of an ASCII word by its case.
const ASCII_CASE: [Cost; 4] = [6, 2 * BIT, 4 * BIT, 7 * BIT];
/// The initial counts of words by their case, in 50ths of a word.
const CASES: [u32; 4] = [140, 50, 15, 1];

/// The cost of a word in mixed case.
const MIXED: Cost = 6 * BIT;

/// The weight of the model's chain, as a number of pairs of tokens. The pairs in the document are added to it.
const CHAIN: f32 = 50.0;

/// A language of a reading.
#[derive(Clone, Debug)]
pub struct Hypothesis {
    /// The language of words.
    pub language: u8,
    /// The language of wide characters.
    pub wide: Option<Wide>,
    pub cost: Cost,
    weights: [f32; 4],
    wide_weights: [f32; 2],
}

impl Hypothesis {
    pub fn new(language: u8, wide: Option<Wide>, cost: Cost) -> Self {
        let mut weights = WEIGHTS;
        if language == ENGLISH || wide.is_some() {
            weights[1] = 0.0;
        }
        Self {
            language,
            wide,
            cost,
            weights,
            wide_weights: WIDE_WEIGHTS,
        }
    }
}

/// Returns the cost in a mixture of sources, and shifts the weights towards the likely source.
fn mixed<const N: usize>(weights: &mut [f32; N], likely: [f32; N]) -> Cost {
    let shares: [f32; N] = core::array::from_fn(|at| likely[at] * weights[at]);
    let (all, sum): (f32, f32) = (weights.iter().sum(), shares.iter().sum());
    let scale = 1.0 / sum;
    for (weight, share) in weights.iter_mut().zip(shares) {
        *weight += share * scale;
    }
    log2_of_ratio(all) - log2_of_ratio(sum)
}

/// The way in which the parts are decoded.
#[derive(Clone, Copy, Debug)]
pub enum Decoding {
    /// The text is decoded with the table in [`model::CANDIDATES`] at this index.
    Single(usize),
    /// `mojika` decodes the text, into wide characters.
    Double(&'static Encoding, Chain),
    /// `mojika` decodes the text, into letters.
    Letters(&'static Encoding),
    /// The text is not decoded: non-ASCII bytes are unknown.
    Nothing,
}

/// The costs of a text's parts if they are decoded in one encoding.
pub struct Reader {
    pub decoding: Decoding,
    /// The part of the cost that all languages share.
    pub base: Cost,
    pub hypotheses: Vec<Hypothesis>,
    /// The number of malformed sequences in the parts.
    pub malformed: u32,
    steps: Box<Steps>,
    cases: [u32; 4],
    /// The number of the reading, below 64.
    number: u8,
    runs: Set,
    /// The index in `counts` of each wide character. `counts` has the number of its occurrences.
    characters: Map,
    counts: Vec<u32>,
    all: u32,
}

impl Reader {
    pub fn new(number: u8, decoding: Decoding, hypotheses: Vec<Hypothesis>) -> Self {
        Self {
            decoding,
            base: 0,
            hypotheses,
            malformed: 0,
            steps: Box::new(Steps::new()),
            cases: CASES,
            number,
            runs: Set::default(),
            characters: Map::default(),
            counts: Vec::new(),
            all: 0,
        }
    }

    /// Returns the cost in the likeliest language.
    pub fn least(&self) -> Cost {
        let least = self.hypotheses.iter().map(|one| one.cost).min();
        self.base + least.unwrap_or(0)
    }

    /// Returns the share of the likeliest language in its mixture of sources.
    pub fn known(&self) -> f32 {
        let first = self.hypotheses.iter().min_by_key(|one| one.cost);
        let share = |weights: &[f32]| weights[0] / weights.iter().sum::<f32>();
        first.map_or(0.0, |first| match first.wide {
            Some(_) => share(&first.wide_weights),
            None => share(&first.weights),
        })
    }

    /// Removes the languages that cost at least `behind` more than the likeliest one.
    pub fn drop_languages(&mut self, behind: Cost) {
        let least = self.hypotheses.iter().map(|one| one.cost).min();
        let bound = least.unwrap_or(0) + behind;
        self.hypotheses.retain(|one| one.cost <= bound);
    }

    /// Reads a part of the bytes. Reading stops when the cost in every language exceeds `bound`.
    pub fn read(&mut self, bytes: &[u8], part: &Range<usize>, shared: &mut Shared, bound: Cost) {
        let least = self.least() - self.base;
        let Shared {
            words,
            symbols,
            tokens,
        } = shared;
        symbols.clear();
        tokens.clear();
        let run = &bytes[part.clone()];
        let chain = match self.decoding {
            Decoding::Single(_) | Decoding::Nothing => {
                let kind = |byte: u8| match self.decoding {
                    _ if byte.is_ascii() => model::ASCII[usize::from(byte)],
                    Decoding::Single(candidate) => {
                        model::kinds_of(candidate)[usize::from(byte & 0x7F)].into()
                    }
                    _ => Kind::MALFORMED,
                };
                let is_cyrillic = |at: usize| {
                    let kind = run.get(at).map(|&byte| kind(byte));
                    kind.is_some_and(|one| one.is_letter() && one.script() == CYRILLIC)
                };
                let mut replaced = 0;
                let text = run.iter().enumerate().map(|(at, &byte)| {
                    let is_i = byte.eq_ignore_ascii_case(&b'i')
                        && (is_cyrillic(at.wrapping_sub(1)) || is_cyrillic(at + 1));
                    let kind = if is_i {
                        replaced += 1;
                        model::kind_of_char(if byte == b'i' { 'і' } else { 'І' })
                    } else {
                        kind(byte)
                    };
                    (kind, char::from(byte))
                });
                cut(text, symbols, tokens);
                self.base += LATIN_I * replaced;
                Chain::Words
            }
            Decoding::Double(encoding, chain) => {
                // The part may begin within a character.
                let is_within = run.len() > 1
                    && !run[0].is_ascii()
                    && part.start.checked_sub(1).is_none_or(|at| bytes[at] > b' ');
                let mut text = encoding.decode(run).text;
                if is_within {
                    let later = encoding.decode(&run[1..]).text;
                    if self.cost_of_text(&later) + MALFORMED < self.cost_of_text(&text) {
                        text = later;
                        self.base += MALFORMED / 2;
                    }
                }
                let text = text.chars().map(|one| (model::kind_of_wide(one), one));
                cut(text, symbols, tokens);
                chain
            }
            Decoding::Letters(encoding) => {
                let text = encoding.decode(run).text;
                let text = text.chars().map(|one| (model::kind_of_char(one), one));
                cut(text, symbols, tokens);
                Chain::Words
            }
        };
        let before = part.start.checked_sub(1).map(|at| bytes[at]);
        let after = bytes.get(part.end).copied();
        let (mut previous, mut was_ascii) = (neighbour(before), true);
        let mut skip_to = 0;
        let mut is_again = false;
        for (at, token) in tokens.iter().enumerate() {
            if self.base > bound.saturating_sub(least) {
                return;
            }
            if token.is_wide() {
                if at >= skip_to {
                    skip_to = at + self.wide_run(&tokens[at..], &mut is_again);
                }
                if is_again {
                    // The constant cost of a repeated run includes its steps.
                    (previous, was_ascii) = (token.element, false);
                    continue;
                }
            }
            if token.element == UNKNOWN && matches!(self.decoding, Decoding::Nothing) {
                self.base += NOTHING;
                (previous, was_ascii) = (SPACE, true);
                continue;
            }
            let chain = if was_ascii && token.is_ascii {
                Chain::Words
            } else {
                chain
            };
            let step = if previous == WORD && token.is_word() {
                SWITCH
            } else {
                self.steps.step(chain, previous, token.element)
            };
            (previous, was_ascii) = (token.element, token.is_ascii);
            if token.is_wide() {
                let before = tokens[..at].last().filter(|before| before.is_wide());
                self.wide_character(before.map_or(0, |before| before.start), token, step);
                continue;
            }
            self.base += step;
            if token.element == UNKNOWN {
                self.base += MALFORMED / 2;
                self.malformed += 1;
            } else if token.is_word() {
                let word = &symbols[token.start as usize..token.end as usize];
                let number = words.number(token.script, word);
                self.word(token, number, words);
            }
        }
        let chain = if was_ascii { Chain::Words } else { chain };
        let next = neighbour(after);
        self.base += self.steps.step(chain, previous, next);
    }

    /// Returns the cost of the wide characters in `text`, without the chain.
    fn cost_of_text(&self, text: &str) -> Cost {
        let Some(wide) = self.hypotheses.iter().find_map(|one| one.wide) else {
            return 0;
        };
        let of_character = |character| {
            let kind = model::kind_of_wide(character);
            match kind.low() {
                UNKNOWN if !kind.is_letter() => MALFORMED,
                class @ HAN..=RARE if !kind.is_letter() => wide.character(class, character).0,
                _ => 0,
            }
        };
        text.chars().map(of_character).sum()
    }

    /// Returns the number of wide characters at the start of `tokens`. A repeated sequence has a constant cost.
    fn wide_run(&mut self, tokens: &[Token], is_again: &mut bool) -> usize {
        let len = tokens.iter().take_while(|token| token.is_wide()).count();
        let characters = tokens[..len].iter().map(|token| token.start.into());
        let key = characters.fold(len as u64, mix);
        *is_again = !self.runs.insert(key);
        if *is_again {
            self.base += AGAIN;
        }
        len
    }

    /// Adds the cost of a wide character after the `previous` one, with the `step` of the chain to its class. A
    /// character or a pair of characters that the document already contains is likelier than in other texts.
    fn wide_character(&mut self, previous: u32, token: &Token, step: Cost) {
        let character = char::from_u32(token.start).unwrap_or_default();
        let alone = self.count(u64::from(token.start));
        let pair = match previous {
            0 => 0,
            _ => self.count(mix(previous.into(), token.start.into())),
        };
        let of_all = AGAIN / 2 + log2(self.all) - log2(alone);
        let of_pairs = AGAIN / 2 + log2(self.counts_of(previous)) - log2(pair);
        for one in &mut self.hypotheses {
            let Some(wide) = one.wide else {
                continue;
            };
            let (own, listed) = wide.character(token.element, character);
            let listed = listed.map_or(0.0, |listed| ratio(listed - own));
            let mut cost = own + mixed(&mut one.wide_weights, [1.0, listed]);
            if alone > 0 {
                cost = sum(cost, of_all);
            }
            cost += step;
            if pair > 0 {
                cost = sum(cost, of_pairs);
            }
            one.cost += cost;
        }
        self.all += 1;
    }

    /// Counts a wide character or a pair, and returns the number of earlier occurrences.
    fn count(&mut self, key: u64) -> u32 {
        let (number, is_new) = self.characters.insert(key, self.counts.len() as u32);
        if is_new {
            self.counts.push(0);
        }
        let count = &mut self.counts[number as usize];
        *count += 1;
        *count - 1
    }

    /// Returns the number of occurrences of a wide character.
    fn counts_of(&self, character: u32) -> u32 {
        let number = self.characters.get(u64::from(character));
        number.map_or(0, |number| self.counts[number as usize])
    }

    fn word(&mut self, token: &Token, number: usize, words: &mut Words) {
        let case = token.case as usize;
        let mut cost = AGAIN * Cost::from(token.points);
        if token.is_ascii {
            cost += ASCII_CASE[case];
        } else if token.script <= 2 {
            let all: u32 = self.cases.iter().sum();
            cost += log2(all) - log2(self.cases[case]);
            match token.case {
                // A word in mixed case always suggests a wrong encoding, even if the document has many.
                Case::Mixed => cost += MIXED,
                _ => self.cases[case] += 50,
            }
        }
        let is_new = words.first_in(number, self.number);
        if !is_new {
            self.base += AGAIN;
            return;
        }
        self.base += cost;
        let mut word = words.get(number);
        let english = word.cost(ENGLISH);
        let pooled = word.pooled();
        let listed = LISTED * (token.end - token.start + 1) as Cost;
        let least = english.unwrap_or(pooled).min(pooled).min(listed);
        let likely = |cost: Option<Cost>| cost.map_or(0.0, |cost| ratio(cost - least));
        let mut sources = [
            0.0,
            likely(english),
            likely(Some(pooled)),
            likely(Some(listed)),
        ];
        for one in &mut self.hypotheses {
            sources[0] = likely(word.cost(one.language));
            one.cost += least + mixed(&mut one.weights, sources);
        }
    }
}

/// The words and buffers that all readings share.
#[derive(Default)]
pub struct Shared {
    pub words: Words,
    symbols: Vec<u8>,
    tokens: Vec<Token>,
}

/// Returns the class of the byte before or after a part, as an element of the chain.
fn neighbour(byte: Option<u8>) -> u8 {
    match byte {
        None => LINE,
        Some(byte) if byte.is_ascii_alphabetic() || !byte.is_ascii() => WORD,
        Some(byte @ (b'\n' | b'\r' | b'0'..=b'9')) => ascii_element(byte),
        Some(0..=b' ' | 127) => SPACE,
        Some(byte) => ascii_element(byte),
    }
}

/// The numbers of occurrences in the document of each pair of adjacent elements.
struct Steps {
    /// The occurrences of each pair of elements without non-ASCII signs.
    of_core: [u16; CORE * CORE],
    /// The occurrences of each pair with a non-ASCII sign, in the order of the pairs.
    of_signs: Vec<([u8; 2], u16)>,
    from: [u16; ELEMENTS],
}

impl Steps {
    fn new() -> Self {
        Self {
            of_core: [0; CORE * CORE],
            of_signs: Vec::new(),
            from: [0; ELEMENTS],
        }
    }

    /// Returns the cost of an element after another one. The cost adapts to the document.
    fn step(&mut self, chain: Chain, previous: u8, next: u8) -> Cost {
        let expected = chain.step(previous, next);
        let all = self.from[usize::from(previous)];
        self.from[usize::from(previous)] += 1;
        let count = if previous < SIGN && next < SIGN {
            &mut self.of_core[usize::from(previous) * CORE + usize::from(next)]
        } else {
            let pair = [previous, next];
            let place = self.of_signs.binary_search_by_key(&pair, |one| one.0);
            let place = place.unwrap_or_else(|place| {
                self.of_signs.insert(place, (pair, 0));
                place
            });
            &mut self.of_signs[place].1
        };
        let before = f32::from(*count);
        *count += 1;
        // Steps with controls never become likelier, because wrongly decoded lines repeat them.
        let is_fixed = |element| element >= SIGN && matches!(model::group_of(element), 8 | 10);
        if all == 0 || is_fixed(previous) || is_fixed(next) {
            return expected;
        }
        let likely = CHAIN * ratio(expected) + before;
        log2_of_ratio(CHAIN + f32::from(all)) - log2_of_ratio(likely)
    }
}
