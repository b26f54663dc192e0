//! Counts in texts: the words of each language, and the pairs of chain elements.

use super::candidates::{SCRIPTS, WIDE};
use super::letters;
use super::symbols::Symbols;
use super::texts::Texts;
use super::tokens::{CONTROL, Kind, LINE, SIGN, Token, UNKNOWN, WORD, cut, wide_class};
use std::collections::HashMap;

/// The number of occurrences of each word, which is given by its letters.
pub type Words = HashMap<Vec<u8>, u32>;

/// The number of occurrences of each pair of chain elements.
type Pairs = HashMap<(u8, u8), f64>;

/// The total to which a language's pairs are scaled in the chain of words, and in the chain of a double-byte encoding.
const PAIRS: f64 = 200_000.0;
const WIDE_PAIRS: f64 = 5_000_000.0;
/// The least number of pairs that are scaled to [`PAIRS`].
const LEAST_PAIRS: f64 = 20_000.0;
/// The total to which the pairs of English with signs are scaled.
const PAIRS_WITH_SIGNS: f64 = 3_000_000.0;
/// The total for the pairs of `DRAWN`: examples of tables drawn with lines, which modern texts lack.
const PAIRS_IN_TABLES: f64 = 60_000.0;
const DRAWN: &str = "
┌────────┬──────┐
│ Name   │ 12   │
├────────┼──────┤
│Name: 5 │Other │
└────────┴──────┘
╔═══════════════╗
║ Name of it    ║
╠═══════════════╣
║ 1. Other      ║
║ [x] more, 34% ║
╚═══════════════╝
╒════╤════╕
╞════╪════╡
╘════╧════╛
╓────╥────╖
╟────╫────╢
╙────╨────╜
─── Name ───
├───Name
│   └───Name
├── Name
└── Name
═══ Name ═══
████▓▓▓▒▒▒░░░ 40%
▄▄▄▀▀▀ ■ Name ▌▐
";
/// The limit on the count of a pair with a sign in one document.
const ONCE: f64 = 3.0;

pub struct Counts {
    /// Tag, script and words of each language.
    pub words: Vec<(&'static str, u8, Words)>,
    /// Four chains: of text in words, of Japanese, of Korean and of Chinese. Each has a row of counts for each element.
    pub chains: [Vec<f64>; 4],
    /// The wide characters of each language of [`WIDE`].
    pub wide: Vec<HashMap<char, f64>>,
}

impl Counts {
    /// Counts the texts.
    pub fn new(texts: &Texts, symbols: &Symbols) -> Result<Self, String> {
        let elements = symbols.elements();
        let mut counts = Self {
            words: Vec::new(),
            chains: std::array::from_fn(|_| vec![0.0; elements * elements]),
            wide: Vec::new(),
        };
        for (script, languages) in SCRIPTS.iter().enumerate() {
            for language in languages.split(' ').filter(|one| *one != "he-v") {
                let mut words = Words::new();
                let pairs = counts.read(
                    &lines(texts, language)?,
                    |letters, of_script| {
                        if usize::from(of_script) == script {
                            *words.entry(letters.to_vec()).or_default() += 1;
                        }
                    },
                    |character| symbols.kind(character),
                );
                counts.add(0, &pairs, PAIRS);
                counts.words.push((language, script as u8, words));
            }
        }
        for (number, language) in WIDE.iter().enumerate() {
            let text = texts.of(language)?;
            let lines: Vec<String> = text.lines().map(str::to_owned).collect();
            let pairs = counts.read(&lines, |_, _| {}, |character| symbols.wide_kind(character));
            counts.add((number + 1).min(3), &pairs, WIDE_PAIRS);
            let mut wide = HashMap::new();
            for character in text.chars().filter(|one| wide_class(*one).is_some()) {
                *wide.entry(character).or_default() += 1.0;
            }
            counts.wide.push(wide);
        }
        counts.add_signs(texts, symbols);
        let hebrew = counts.words.iter().find(|one| one.0 == "he");
        let hebrew = hebrew.map(|one| one.2.clone()).unwrap_or_default();
        let reversed = hebrew.into_iter().map(|(word, count)| {
            let word = word.into_iter().rev().collect();
            (word, count)
        });
        counts.words.push(("he-v", 3, reversed.collect()));
        Ok(counts)
    }

    /// Reads lines, and returns the pairs of elements.
    fn read(
        &self,
        lines: &[String],
        mut word: impl FnMut(&[u8], u8),
        kind: impl Fn(char) -> Kind,
    ) -> Pairs {
        let mut pairs = Pairs::new();
        for line in lines {
            let (symbols, tokens) = tokens_of(line, &kind);
            let mut previous = LINE;
            for token in &tokens {
                if token.is_word() {
                    word(
                        &symbols[token.start as usize..token.end as usize],
                        token.script,
                    );
                }
                if (previous, token.element) != (WORD, WORD) {
                    *pairs.entry((previous, token.element)).or_default() += 1.0;
                }
                previous = token.element;
            }
            *pairs.entry((previous, LINE)).or_default() += 1.0;
        }
        pairs
    }

    /// Adds the pairs of a language to a chain, scaled to the given number.
    fn add(&mut self, chain: usize, pairs: &Pairs, number: f64) {
        let elements = self.chains[chain].len().isqrt();
        let factor = number / pairs.values().sum::<f64>().max(LEAST_PAIRS);
        for (&(previous, next), count) in pairs {
            let at = usize::from(previous) * elements + usize::from(next);
            self.chains[chain][at] += count * factor;
        }
    }

    /// Counts English with signs: pages, changelogs, sources.
    fn add_signs(&mut self, texts: &Texts, symbols: &Symbols) {
        let mut all = Pairs::new();
        for document in &texts.signs {
            let mut of_document = Pairs::new();
            for line in document.lines() {
                let (_, tokens) = tokens_of(line, &|character| symbols.kind(character));
                let mut previous = LINE;
                for element in tokens.iter().map(|token| token.element).chain([LINE]) {
                    if element == UNKNOWN {
                        previous = LINE;
                        continue;
                    }
                    let pair = (previous, element);
                    previous = element;
                    if pair == (WORD, WORD) {
                        continue;
                    }
                    let count = of_document.entry(pair).or_default();
                    *count += 1.0;
                    if pair.0 < SIGN && pair.1 < SIGN || *count <= ONCE {
                        *all.entry(pair).or_default() += 1.0;
                    }
                }
            }
        }
        self.add(0, &all, PAIRS_WITH_SIGNS);
        let lines: Vec<String> = DRAWN.lines().map(str::to_owned).collect();
        let drawn = self.read(&lines, |_, _| {}, |character| symbols.kind(character));
        self.add(0, &drawn, PAIRS_IN_TABLES);
    }
}

fn tokens_of(line: &str, kind: &impl Fn(char) -> Kind) -> (Vec<u8>, Vec<Token>) {
    let (mut symbols, mut tokens) = (Vec::new(), Vec::new());
    let text = line.chars().map(|one| (kind(one), one));
    cut(text, &mut symbols, &mut tokens);
    (symbols, tokens)
}

/// Returns the lines of a language and of languages with the same spelling, in the spelling of legacy encodings.
fn lines(texts: &Texts, language: &str) -> Result<Vec<String>, String> {
    let alike = match language {
        "hr" => Some("bs"),
        "da" => Some("nb"),
        _ => None,
    };
    let alike = alike.map(|one| texts.of(one)).transpose()?;
    let own = texts.of(language)?;
    let lines = own.lines().chain(alike.unwrap_or_default().lines());
    let spelled = lines
        .enumerate()
        .map(|(number, line)| letters::line(line, language, number));
    Ok(spelled.collect())
}

const _: () = assert!(CONTROL < SIGN);
