//! Text without a corpus: words made of a language's letters, so that a bench runs on a bare checkout.
//!
//! What a codec sees of a language is how its characters spread over code space, how often they are ASCII, and how
//! hard the next one is to guess. So letters come in their order of frequency, words from a vocabulary by Zipf's law,
//! with spaces and punctuation as the language has them. Ideographs and syllables are the common part of the
//! language's own national standard, which encoding_rs decodes from a range of rows.

use crate::rng::Rng;
use std::ops::RangeInclusive;

/// Where a language's characters come from.
enum Script {
    /// An alphabet, most frequent letters first.
    Letters(&'static str),
    /// Two-byte characters of an encoding: leads, trails.
    DoubleByte(
        &'static encoding_rs::Encoding,
        RangeInclusive<u8>,
        RangeInclusive<u8>,
    ),
}

/// How a language writes.
struct Language {
    tag: &'static str,
    script: Script,
    /// Characters per word.
    word: RangeInclusive<usize>,
    /// Words per phrase; what ends a phrase, and what ends a sentence.
    phrase: RangeInclusive<usize>,
    comma: &'static str,
    stop: &'static str,
    between_words: &'static str,
}

impl Language {
    const fn spaced(tag: &'static str, letters: &'static str) -> Self {
        Self {
            tag,
            script: Script::Letters(letters),
            word: 2..=10,
            phrase: 4..=12,
            comma: ", ",
            stop: ". ",
            between_words: " ",
        }
    }

    const fn chinese(tag: &'static str, script: Script) -> Self {
        Self {
            tag,
            script,
            word: 1..=3,
            phrase: 3..=8,
            comma: "，",
            stop: "。",
            between_words: "",
        }
    }
}

static LANGUAGES: &[Language] = &[
    Language::spaced("en", "etaoinshrdlcumwfgypbvkjxqz"),
    Language::spaced("de", "enisratdhulcgmobwfkzpvüäößjyxq"),
    Language::spaced("fr", "esaitnrulodcpmévqfbghjàxèêyçkzùâôîœ"),
    Language::spaced("cs", "oeantsilvkrdpímuázjyěcbéhřýžčšůfgúňxťóďwq"),
    Language::spaced("ru", "оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъё"),
    Language::spaced("el", "αοιετσνηυρπκμλςόίάέήώγδθχβφξζψύω"),
    Language {
        comma: "، ",
        ..Language::spaced("ar", "اليمنورتبدعةسفهكقحجأشصطخىذزإضغئثءظؤآ")
    },
    Language {
        word: 2..=5,
        ..Language::spaced(
            "vi",
            "nhtcigamàáôđêạuơưrlvpbsdoeyếệộấốảãịọậớủầờìòùúíóéèẽẻýỳăâ",
        )
    },
    Language {
        word: 2..=7,
        comma: " ",
        stop: " ",
        between_words: "",
        ..Language::spaced("th", "านรอกเงมยลวดทสตะปบคิาีหแพจชขใไโู้่ัุ์ผถซณธศภษฐญฉฝฟ")
    },
    Language::chinese(
        "zh_cn",
        Script::DoubleByte(encoding_rs::GBK, 0xB0..=0xD7, 0xA1..=0xFE),
    ),
    Language::chinese(
        "zh_tw",
        Script::DoubleByte(encoding_rs::BIG5, 0xA4..=0xC5, 0xA1..=0xFE),
    ),
    // Kana by letters below: the script gives the kanji.
    Language {
        comma: "、",
        ..Language::chinese(
            "ja",
            Script::DoubleByte(encoding_rs::EUC_JP, 0xB0..=0xCF, 0xA1..=0xFE),
        )
    },
    Language {
        word: 2..=5,
        comma: ", ",
        stop: ". ",
        between_words: " ",
        ..Language::chinese(
            "ko",
            Script::DoubleByte(encoding_rs::EUC_KR, 0xB0..=0xC8, 0xA1..=0xFE),
        )
    },
];

/// Words in a made vocabulary.
const VOCABULARY: usize = 6000;

/// Plain text of at least `length` bytes in a made-up form of the language; panics if the tag is not known here.
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
            } else if rng.one_in(40) {
                text.push_str(&rng.between(1, 2100).to_string());
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
    let mut characters: Vec<char> = match &language.script {
        Script::Letters(letters) => letters.chars().collect(),
        Script::DoubleByte(encoding, leads, trails) => leads
            .clone()
            .flat_map(|lead| trails.clone().map(move |trail| [lead, trail]))
            .filter_map(|pair| {
                let text = encoding.decode_without_bom_handling_and_without_replacement(&pair)?;
                text.chars().next()
            })
            .collect(),
    };
    if let Script::DoubleByte(..) = language.script {
        // Rows are in the order of sound or of strokes, which says nothing of frequency.
        rng.shuffle(&mut characters);
    }
    let hiragana: Vec<char> = ('あ'..='ん').collect();
    let katakana: Vec<char> = ('ァ'..='ヺ').collect();
    (0..VOCABULARY)
        .map(|_| {
            let letters = rng.between(*language.word.start(), *language.word.end());
            let alphabet = match (language.tag, rng.below(10)) {
                ("ja", 0..=4) => &hiragana,
                ("ja", 5) => &katakana,
                _ => &characters,
            };
            (0..letters).map(|_| *rng.pick_ranked(alphabet)).collect()
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
            assert!(share > 0.7, "{tag}: {share}");
        }
        assert!(synthesise("en", 50_000).is_ascii());
    }

    #[test]
    fn latin_scripts_have_their_accents_now_and_then() {
        for (tag, low, high) in [("de", 0.01, 0.1), ("fr", 0.02, 0.2), ("cs", 0.1, 0.5)] {
            let share = share(&synthesise(tag, 50_000), |c| !c.is_ascii());
            assert!((low..high).contains(&share), "{tag}: {share}");
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
