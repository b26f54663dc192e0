//! Documents whose beginning is in another encoding than the rest.

use super::common::Random;
use super::lists::judged;
use super::texts::TEXTS;
use super::{encoded, encoding, plain};

/// Returns words of a text, drawn at random, of at least `length` bytes of UTF-8 together.
fn drawn(text: &str, length: usize, random: &mut Random) -> String {
    let words: Vec<&str> = text.split_inclusive(' ').collect();
    let mut made = String::new();
    while made.len() < length {
        made.push_str(words[random.below(words.len())]);
    }
    made
}

/// What the beginning has decided does not count where it does not fit the rest.
#[test]
fn a_long_rest_outvotes_the_beginning() {
    let mut random = Random::new(7);
    let texts = TEXTS
        .iter()
        .filter(|(name, ..)| encoding(name).is_single_byte());
    let (mut right, mut all) = (0, 0);
    for (of_beginning, _, beginning) in texts.clone() {
        for (of_rest, _, rest) in texts.clone() {
            let beginning = encoded(of_beginning, &drawn(beginning, 1200, &mut random));
            let rest = encoded(of_rest, &drawn(rest, 9000, &mut random));
            let read = |name: &str| encoding(name).decode(&rest).text;
            if read(of_beginning) == read(of_rest) {
                continue;
            }
            let document = [&beginning[..], b"\n", &rest].concat();
            let ranking = plain(&document);
            let first = ranking.first().map(|guess| guess.encoding.name());
            right += usize::from(first.is_some_and(|first| read(first) == read(of_rest)));
            all += 1;
        }
    }
    // With any rest taken as confirming the beginning, these are 259 of 430.
    assert!(right * 100 > all * 94, "{right} of {all}");
}

/// English with signs that several encodings have, and one paragraph of another language, which is often where the sample has
/// nothing.
fn paragraphs() -> Vec<(&'static str, Vec<u8>)> {
    let mut random = Random::new(8);
    let english = "She said “no”, and that was all that anybody ever heard of it…\n";
    let mut documents = Vec::new();
    for (name, _, text) in TEXTS {
        let is_latin = text.bytes().filter(u8::is_ascii).count() * 2 > text.len();
        let line = encoding(name).encode(english);
        let Some(line) = line.ok().filter(|_| !is_latin && !name.starts_with("UTF-")) else {
            continue;
        };
        let paragraph = encoded(name, text);
        for _ in 0..8 {
            let [before, after] = [60, 60].map(|least| line.repeat(least + random.below(400)));
            let document = [&before[..], &paragraph, b"\n", &after].concat();
            documents.push((*name, document));
        }
    }
    documents
}

#[test]
fn the_densest_paragraph_decides() {
    let documents = paragraphs();
    let all = documents.len();
    let (right, _) = judged(documents.into_iter());
    // Without a look at the densest block, these are 14 of 96.
    assert!(right.len() * 100 > all * 95, "{} of {all}", right.len());
}
