//! Whether the further stretches of a document are in the encoding of the first one. If they are, they need no race.

use super::letters::English;
use super::pairs::Pairs;
use super::prior::Prior;
use super::reading::Reading;
use super::sample::Sample;
use super::selection;
use super::standings::Fit;
use super::tables;
use crate::{Encoding, simd};

/// Returns how well an encoding fits what is beyond ASCII in the further stretches.
///
/// The result is `None` if a stretch costs more than text in an unknown encoding, or if its runs of bytes beyond ASCII are longer or
/// shorter than words in the script make them.
pub(super) fn fit(
    (encoding, language): (&'static Encoding, &'static str),
    further: &Sample,
    prior: &Prior,
) -> Option<Fit> {
    of_letters(encoding, language, further).or_else(|| of_pairs(encoding, further, prior))
}

fn of_letters(encoding: &'static Encoding, language: &str, further: &Sample) -> Option<Fit> {
    let (at, candidate) = tables::candidate(encoding)?;
    let tag = |place: u8| tables::languages()[usize::from(place)].tag;
    let mut languages = candidate.languages.iter().copied();
    let language = languages.find(|&place| tag(place) == language)?;
    let reading = Reading::of_candidate(at, 1 << language);
    let mut begin = 0;
    add_up(further.ends().map(|end| {
        let stretch = &further.main()[begin..end];
        begin = end;
        let [runs, _] = simd::count_runs(stretch);
        let high = simd::count_not_ascii(stretch) as u32;
        let is_possible = selection::is_possible(reading.script, high, runs);
        is_possible.then(|| reading.fit(language, stretch))
    }))
}

fn of_pairs(encoding: &'static Encoding, further: &Sample, prior: &Prior) -> Option<Fit> {
    let main = further.main();
    let mut pairs = Pairs::of(encoding, main, prior);
    let mut english = English::new();
    let mut before = pairs.fit(encoding)?;
    let mut begin = 0;
    add_up(further.ends().map(|end| {
        let is_last = end == main.len();
        let text = (&main[..end], english.up_to(main, end));
        pairs.advance(text.0, text.1, (begin, end), is_last, u32::MAX);
        begin = end;
        let all = pairs.fit(encoding)?;
        let fit = all.after(before);
        before = all;
        Some(fit)
    }))
}

/// Adds up the fits of stretches, if none costs more than text in an unknown encoding.
fn add_up(mut stretches: impl Iterator<Item = Option<Fit>>) -> Option<Fit> {
    stretches.try_fold(Fit::default(), |all, stretch| {
        Some(stretch.filter(Fit::is_better_than_unknown)?.and(all))
    })
}
