//! Documents whose beginning is in another encoding than the rest.

use super::common::Random;
use super::texts::TEXTS;
use super::{encoded, encoding, plain};

/// Words of a text in random order, at least `length` bytes of UTF-8.
fn shuffled(text: &str, length: usize, random: &mut Random) -> String {
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
            let beginning = encoded(of_beginning, &shuffled(beginning, 1200, &mut random));
            let rest = encoded(of_rest, &shuffled(rest, 9000, &mut random));
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
