//! Texts in invented languages: syllables of ASCII letters, and few letters beyond ASCII that come again and again, as in
//! most languages of the Latin script that have no model.

use super::common::Random;
use super::plain;
use mojika::WINDOWS_1252;

const CONSONANTS: [&str; 22] = [
    "k", "m", "n", "l", "b", "d", "w", "z", "s", "t", "y", "mb", "nd", "ng", "kw", "p", "h", "j",
    "r", "x", "q", "v",
];

/// Returns a text of `words` words in an invented language. `random` chooses the letters of the language and the words. On
/// average, one vowel in `every` is taken from `beyond`.
fn text(random: &mut Random, words: usize, every: usize, beyond: &[&[u8]]) -> Vec<u8> {
    let consonants: [&str; 12] =
        core::array::from_fn(|_| CONSONANTS[random.below(CONSONANTS.len())]);
    let vowels: [u8; 4] = core::array::from_fn(|_| b"aaiueo"[random.below(6)]);
    let mut text = Vec::new();
    for _ in 0..words {
        for _ in 0..1 + random.below(4) {
            text.extend(consonants[random.below(12)].bytes());
            if random.below(every) == 0 {
                text.extend(beyond[random.below(beyond.len())]);
            } else {
                text.push(vowels[random.below(4)]);
            }
        }
        text.push(b' ');
    }
    text
}

/// Returns short and long texts. Each has one to four letters beyond ASCII, some in upper case. Most have a few other bytes
/// beyond ASCII: signs, and letters below 0xC0.
pub fn documents(count: usize) -> impl Iterator<Item = Vec<u8>> {
    const LETTERS: [&[u8]; 14] = [
        b"\xF1", b"\xD1", b"\xEA", b"\xE2", b"\xC2", b"\xFC", b"\xE7", b"\xF2", b"\xE4", b"\xDF",
        b"\xE1", b"\xF0", b"\x9A", b"\x92",
    ];
    const OTHERS: [&[u8]; 8] = [
        b"\xA0", b"\xB9", b"\xB3n", b"\x9E", b"\xD7", b"\xAB", b"\xF7o", b"\xAA",
    ];
    let mut random = Random::new(31);
    (0..count).map(move |_| {
        let first = random.below(LETTERS.len());
        let beyond: Vec<&[u8]> = (0..1 + random.below(4))
            .map(|at| LETTERS[(first + at) % LETTERS.len()])
            .collect();
        let (words, every) = match random.below(3) {
            0 => (120, 10),
            _ => (3 + random.below(20), 4),
        };
        let mut document = text(&mut random, words, every, &beyond);
        for _ in 0..[0, 1, 1, 2, 4][random.below(5)] {
            let at = random.below(document.len());
            let other = OTHERS[random.below(OTHERS.len())];
            document.splice(at..at, other.iter().copied());
        }
        document
    })
}

#[test]
fn one_letter_again_and_again_is_of_windows_1252() {
    let mut random = Random::new(5);
    let (mut wrong, mut all) = (Vec::new(), 0);
    for letter in "âêîôûàèòùáéíóúñäëïöüãõçåøæý".chars() {
        // windows-1252 has these letters at their code points.
        let beyond = [letter as u8];
        for _ in 0..10 {
            let document = text(&mut random, 120, 10, &[&beyond]);
            let ranking = plain(&document);
            all += 1;
            if ranking[0].encoding != WINDOWS_1252 {
                wrong.push((letter, ranking[0]));
            }
        }
    }
    // The letters are random, so a few of the languages resemble one that has a model.
    assert!(all == 270 && wrong.len() <= 5, "{}: {wrong:?}", wrong.len());
}
