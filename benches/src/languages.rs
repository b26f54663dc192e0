//! Text without a corpus: words made of a language's letters, so that a bench needs no other files.
//!
//! A codec's speed depends on three properties of a language: the ranges of its characters in Unicode, the share of
//! ASCII, and the predictability of the next character. Letters are as frequent as in real text (`letters`). Words come
//! from a vocabulary with the frequencies of articles, with spaces, digits, Latin words and punctuation at the rates
//! found there. Ideographs and syllables come from a range of rows of the language's national standard, which
//! encoding_rs decodes. docs/SPEED.md ("The bench's text") compares the statistics of generated and real text.

use crate::letters;
use crate::rng::Rng;
use std::ops::RangeInclusive;

/// The source of a language's characters.
enum Script {
    /// An alphabet, in `letters`.
    Letters,
    /// Two-byte characters of an encoding: lead bytes, trail bytes, and the number of characters that the language uses.
    DoubleByte(
        &'static encoding_rs::Encoding,
        RangeInclusive<u8>,
        RangeInclusive<u8>,
        usize,
    ),
}

/// The writing system of a language.
struct Language {
    tag: &'static str,
    script: Script,
    /// The number of characters per word.
    word: RangeInclusive<usize>,
    /// The number of words per phrase, and the marks that end a phrase and a sentence.
    phrase: RangeInclusive<usize>,
    comma: &'static str,
    stop: &'static str,
    between_words: &'static str,
    /// The average number of words for each number in the text.
    words_per_number: usize,
    /// The average number of words for each Latin word, in scripts other than Latin.
    words_per_latin: Option<usize>,
}

impl Language {
    const fn spaced(tag: &'static str, word: RangeInclusive<usize>) -> Self {
        Self {
            tag,
            script: Script::Letters,
            word,
            phrase: 4..=16,
            comma: ", ",
            stop: ". ",
            between_words: " ",
            words_per_number: 18,
            words_per_latin: None,
        }
    }

    const fn chinese(tag: &'static str, script: Script) -> Self {
        Self {
            tag,
            script,
            word: 1..=3,
            phrase: 3..=9,
            comma: "，",
            stop: "。",
            between_words: "",
            words_per_number: 30,
            words_per_latin: Some(100),
        }
    }
}

static LANGUAGES: &[Language] = &[
    Language::spaced("en", 1..=9),
    Language::spaced("de", 1..=11),
    Language::spaced("fr", 1..=9),
    Language::spaced("cs", 1..=10),
    Language {
        words_per_latin: Some(70),
        ..Language::spaced("ru", 1..=11)
    },
    Language {
        words_per_number: 35,
        words_per_latin: Some(60),
        ..Language::spaced("el", 1..=10)
    },
    Language {
        comma: "، ",
        words_per_latin: Some(25),
        ..Language::spaced("ar", 1..=8)
    },
    Language::spaced("vi", 2..=5),
    Language {
        comma: " ",
        stop: " ",
        between_words: "",
        words_per_number: 25,
        words_per_latin: Some(200),
        ..Language::spaced("th", 1..=7)
    },
    Language::chinese(
        "zh_cn",
        Script::DoubleByte(encoding_rs::GBK, 0xB0..=0xD7, 0xA1..=0xFE, 3755),
    ),
    Language::chinese(
        "zh_tw",
        Script::DoubleByte(encoding_rs::BIG5, 0xA4..=0xC5, 0xA1..=0xFE, 3755),
    ),
    // The encoding gives the kanji, which `synthesise` mixes with kana.
    Language {
        comma: "、",
        words_per_latin: Some(190),
        ..Language::chinese(
            "ja",
            Script::DoubleByte(encoding_rs::EUC_JP, 0xB0..=0xCF, 0xA1..=0xFE, 2965),
        )
    },
    Language {
        word: 1..=5,
        phrase: 4..=12,
        comma: ", ",
        stop: ". ",
        between_words: " ",
        words_per_latin: Some(36),
        ..Language::chinese(
            "ko",
            Script::DoubleByte(encoding_rs::EUC_KR, 0xB0..=0xC8, 0xA1..=0xFE, 1000),
        )
    },
];

/// The number of words in a generated vocabulary.
const VOCABULARY: usize = 6000;

/// Returns at least `length` bytes of plain text that resembles the language; panics if the tag is unknown.
pub fn synthesise(tag: &str, length: usize) -> String {
    let language = LANGUAGES
        .iter()
        .find(|language| language.tag == tag)
        .unwrap_or_else(|| panic!("no such language: {tag}"));
    let mut rng = Rng::named(tag);
    let words = vocabulary(language, &mut rng);
    let mut text = String::with_capacity(length + 256);
    let mut sentence_starts = true;
    while text.len() < length {
        for place in 0..rng.between(*language.phrase.start(), *language.phrase.end()) {
            if place > 0 {
                text.push_str(language.between_words);
            }
            let word = rng.pick_ranked(&words);
            if std::mem::take(&mut sentence_starts) {
                let mut letters = word.chars();
                text.extend(letters.next().into_iter().flat_map(char::to_uppercase));
                text.push_str(letters.as_str());
            } else if rng.one_in(language.words_per_number) {
                text.push_str(&rng.between(1, 2100).to_string());
            } else if language.words_per_latin.is_some_and(|n| rng.one_in(n)) {
                text.push_str(letters::latin_word(&mut rng));
            } else {
                text.push_str(word);
            }
        }
        sentence_starts = rng.one_in(2);
        text.push_str(if sentence_starts {
            language.stop
        } else {
            language.comma
        });
        if sentence_starts && rng.one_in(6) {
            text.push('\n');
        }
    }
    text
}

fn vocabulary(language: &Language, rng: &mut Rng) -> Vec<String> {
    let hiragana: Vec<char> = ('あ'..='ん').collect();
    let katakana: Vec<char> = ('ァ'..='ヺ').collect();
    let characters = match &language.script {
        Script::Letters => letters::by_frequency(language.tag).expect("an alphabet per language"),
        Script::DoubleByte(encoding, leads, trails, used) => {
            let mut characters: Vec<char> = leads
                .clone()
                .flat_map(|lead| trails.clone().map(move |trail| [lead, trail]))
                .filter_map(|pair| {
                    let text =
                        encoding.decode_without_bom_handling_and_without_replacement(&pair)?;
                    text.chars().next()
                })
                .collect();
            // Rows are ordered by sound or strokes, not by frequency.
            rng.shuffle(&mut characters);
            characters.truncate(*used);
            characters
        }
    };
    (0..VOCABULARY)
        .map(|_| {
            let length = rng.between(*language.word.start(), *language.word.end());
            if matches!(language.script, Script::Letters) {
                return (0..length).map(|_| *rng.pick(&characters)).collect();
            }
            // Of a Japanese article's characters, 38 % are hiragana and 17 % katakana.
            let alphabet = match (language.tag, rng.below(100)) {
                ("ja", 0..=41) => &hiragana,
                ("ja", 42..=59) => &katakana,
                _ => &characters,
            };
            (0..length).map(|_| *rng.pick_ranked(alphabet)).collect()
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn share(text: &str, is: impl Fn(char) -> bool) -> f64 {
        text.chars().filter(|&c| is(c)).count() as f64 / text.chars().count() as f64
    }

    #[test]
    fn every_language_is_written_in_its_script() {
        for (tag, low, high) in [
            ("ru", 'а', 'я'),
            ("el", 'ά', 'ώ'),
            ("ar", 'ء', 'ي'),
            ("th", 'ก', '\u{E4E}'),
            ("zh_cn", '\u{4E00}', '\u{9FA5}'),
            ("zh_tw", '\u{4E00}', '\u{9FA5}'),
            ("ja", '\u{3041}', '\u{9FA5}'),
            ("ko", '가', '힣'),
        ] {
            let share = share(&synthesise(tag, 50_000), |c| (low..=high).contains(&c));
            assert!(share > 0.6, "{tag}: {share}");
        }
        assert!(synthesise("en", 50_000).is_ascii());
    }

    /// Compares the share of non-ASCII characters with the articles from which letter frequencies were counted.
    #[test]
    fn text_has_as_much_ascii_as_real_text() {
        for (tag, real) in [
            ("de", 0.019),
            ("fr", 0.035),
            ("ru", 0.787),
            ("el", 0.798),
            ("ar", 0.734),
            ("vi", 0.197),
            ("th", 0.898),
            ("ja", 0.899),
            ("ko", 0.652),
            ("zh_cn", 0.865),
            ("zh_tw", 0.853),
        ] {
            let made = share(&synthesise(tag, 200_000), |c| !c.is_ascii());
            println!("{tag}: made {made:.3}, real {real}");
            assert!(
                (made / real - 1.0).abs() < 1.0 / 3.0,
                "{tag}: {made} for {real}"
            );
        }
    }

    #[test]
    fn text_is_long_enough_and_always_the_same() {
        for language in LANGUAGES {
            let text = synthesise(language.tag, 10_000);
            assert!((10_000..12_000).contains(&text.len()), "{}", language.tag);
            assert_eq!(text, synthesise(language.tag, 10_000));
        }
    }
}
