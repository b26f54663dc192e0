//! Target `detect`: properties of detection on documents of mixed text.
//!
//! One byte each selects the hints, the number of repetitions of the payload's first half, and the chunk lengths. The
//! next byte selects kind and length of the filler between the halves. The rest is the payload.
//!
//! Checked: nothing panics. Every split gives the whole's ranking. Probabilities are between 0 and 1 and descend.
//! Denied encodings are not answers. Without hints, the ranking equals the transliteration's. Per hundred non-ASCII
//! bytes, the first answer has few more malformed sequences than any other with at least half its probability.

use crate::input::Input;
use mojika::Encoding;
use mojika_sniff::detect::{Content, DetectHints, Detector, Ranking, detect};

/// Text of common encodings, markup, and line ends.
const FILLERS: [&[u8]; 8] = [
    b"<p class=\"x\">the quick brown fox</p>\n",
    b"caf\xE9 fa\xE7ade ",
    b"\xCF\xF0\xE8\xE2\xE5\xF2 ",
    b"\xC4\xE3\xBA\xC3\xA1\xA3",
    b"\x82\xB1\x82\xEA\x82\xCD",
    b"\x1B$B$3$l\x1B(B ",
    b"\xC3\xA9t\xC3\xA9 ",
    b"\0",
];

/// Checks one input.
pub fn check(data: &[u8]) {
    let mut input = Input(data);
    let (given, repeated, chunks, filler) =
        (input.byte(), input.byte(), input.byte(), input.byte());
    let (first, second) = input.0.split_at(input.0.len() / 2);
    let mut document = first.repeat(1 + usize::from(repeated % 16));
    for _ in 0..usize::from(filler >> 3) * 8 {
        document.extend_from_slice(FILLERS[usize::from(filler & 7)]);
    }
    document.extend_from_slice(second);

    let plain = detect(&document, &DetectHints::default());
    judge(&plain);
    decodes(&document, &plain);
    split(&document, usize::from(chunks), &plain);
    hinted(&document, given, &plain);
}

fn judge(ranking: &Ranking) {
    let mut last = 1.0;
    for guess in ranking.iter() {
        assert!((0.0..=1.0).contains(&guess.probability), "{ranking:?}");
        // The order is not by probability here: UTF-32 precedes UTF-16, which accepts the same bytes.
        let is_wide = guess.encoding.name().starts_with("UTF-");
        assert!(guess.probability <= last || is_wide, "{ranking:?}");
        last = guess.probability;
    }
    assert!(ranking.content() == Content::Text || ranking.is_empty());
}

/// Checks that the first answer has few more malformed sequences than any other with at least half its probability.
/// Each malformed sequence lowers a probability by a constant factor.
fn decodes(document: &[u8], ranking: &Ranking) {
    let Some((best, others)) = ranking.split_first() else {
        return;
    };
    let read = usize::try_from(ranking.bytes_read()).unwrap_or(usize::MAX);
    let read = &document[..read.min(document.len())];
    let high = read.iter().filter(|byte| !byte.is_ascii()).count().max(1);
    let in_a_hundred = |malformed: u64| 100 * malformed / high as u64;
    // If the first byte is not ASCII, it may be within a character: one malformed sequence does not count.
    let is_cut = read.first().is_some_and(|byte| !byte.is_ascii());
    let least = in_a_hundred(best.malformed.saturating_sub(is_cut.into()));
    for other in others {
        let is_close = 2.0 * other.probability >= best.probability;
        let shown = document.escape_ascii();
        assert!(
            !is_close || least <= in_a_hundred(other.malformed) + 25,
            "{ranking:?} {shown}"
        );
    }
}

fn same(one: &Ranking, other: &Ranking) -> bool {
    one[..] == other[..] && one.content() == other.content()
}

fn split(document: &[u8], size: usize, whole: &Ranking) {
    let mut detector = Detector::new();
    for chunk in document.chunks(1 + size) {
        detector.feed(chunk);
    }
    let split = detector.finish(&DetectHints::default());
    assert!(same(&split, whole), "{split:?} {whole:?}");
}

fn hinted(document: &[u8], given: u8, plain: &Ranking) {
    let denied: Vec<&'static Encoding> = plain.iter().take(2).map(|guess| guess.encoding).collect();
    let hints = DetectHints {
        tld: (given & 1 != 0).then_some("ru"),
        locale: (given & 2 != 0).then_some("ja-JP"),
        denied: if given & 4 != 0 { &denied } else { &[] },
        extended: given & 8 != 0,
        strip_markup: given & 16 != 0,
        ..DetectHints::default()
    };
    let ranking = detect(document, &hints);
    judge(&ranking);
    assert!(
        ranking
            .iter()
            .all(|guess| !hints.denied.contains(&guess.encoding)),
        "{ranking:?}"
    );
}
