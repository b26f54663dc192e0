//! The race of the candidates: all read the sample in stretches, and those that fall far behind drop out.
//!
//! Most text is decided after the first stretches.

use super::Ranking;
use super::evidence::Inventory;
use super::further;
use super::letters::{English, Letters};
use super::lists;
use super::other::{self, Others};
use super::pairs::Pairs;
use super::prior::Prior;
use super::sample::{Collected, Sample, is_paired};
use super::standings::{Fit, Standings};
use crate::Encoding;

/// Where candidates are compared within the first stretch of the sample, in bytes.
const STAGES: [usize; 5] = [32, 64, 128, 256, 512];

/// How far behind the best a candidate may be and stay in the race.
const MARGIN: u32 = 48;

/// The least number of bytes read before an answer, if there are more.
const LEAST: usize = 64;

/// How many bytes at the end of the first stretch must not be unlike its beginning, if that decides, and how many of them
/// are beyond ASCII at least.
const LATER: usize = 192;
const LATER_LEAST: u32 = 6;

/// The length of the beginning that is read alone where no encoding fits the first stretch, in bytes.
const BEGINNING: usize = 64;

/// Up to where the winner is read to tell its languages apart, and in what steps, in bytes of running text.
///
/// The encoding is often decided before the language is: after 64 bytes of Bulgarian, Serbian and Russian may cost less.
const LANGUAGE_MOST: usize = 256;
const LANGUAGE_STEP: usize = 64;

/// The least probability of an answer outside the Standard. Below it, the race runs again without such encodings.
const OTHER: f32 = 0.2;

/// Average cost of a byte above which EBCDIC is noise.
const EBCDIC_MOST: u32 = 6;

/// Average cost of a byte above which pairs of bytes are no characters.
const PAIRED_MOST: u32 = 9;

/// Ranks the encodings of text.
pub(super) fn text(
    collected: Collected,
    read: &Inventory,
    prior: &Prior,
    with_others: bool,
    ranking: &mut Ranking,
) {
    let mut first = Sample::empty();
    collected.first(&mut first);
    let further = collected.further();
    let of_further = further.as_ref().map_or(&[][..], Sample::main);
    // What was read includes tags, and a block may be within one.
    let densest = if prior.leaves_markup_out() {
        None
    } else {
        read.densest([first.main(), of_further])
    };
    let dense = densest.map(|block| {
        let mut sample = Sample::empty();
        sample.add_stretch(block);
        sample
    });
    let rank = |others, ranking: &mut Ranking| {
        let of_part = |part: &Sample| of_stretch(part, prior, others, read);
        let mut standings = of_part(&first);
        let decided = further.as_ref().and_then(|_| standings.decided(read));
        if let Some(odd) = standings.odd_up_to {
            // The beginning decided, and the rest is not like it.
            standings.join(&of_part(&first.after(odd)));
        } else if standings.fits_nothing() && first.main().len() > BEGINNING {
            // Nothing fits all of it.
            standings.begin_with(of_part(&first.beginning(BEGINNING)));
        }
        if let Some(further) = &further {
            // Both count: what comes first in a document may be odd.
            let confirmed = decided.and_then(|mut decided| {
                decided.fit = Some(further::fit(decided.first()?, further, prior)?);
                Some(decided)
            });
            standings.join(&confirmed.unwrap_or_else(|| of_part(further)));
        }
        if let Some(dense) = &dense {
            // The sample has few signs or words, and the text much more of them elsewhere.
            standings.join(&of_part(dense));
        }
        standings.rank(Some(read), ranking);
    };
    if with_others {
        let mut of_all = *ranking;
        let others = Others::of_dos(collected.main());
        rank(Some(others), &mut of_all);
        let first = of_all.first();
        if first.is_some_and(|first| !other::is_other(first.encoding) || first.probability >= OTHER)
        {
            *ranking = of_all;
            return;
        }
    }
    rank(None, ranking);
}

/// Returns the standings after a part of the sample.
fn of_stretch(
    sample: &Sample,
    prior: &Prior,
    others: Option<Others>,
    whole: &Inventory,
) -> Standings {
    let mut standings = Standings::new();
    let mut pairs = Pairs::new(sample.main(), prior);
    if others.is_none() && is_paired(sample.main()) {
        let (cost, read) = run(
            sample,
            &mut Letters::empty(),
            &mut pairs.clone(),
            prior,
            Some(whole),
            &mut standings,
        );
        if cost <= PAIRED_MOST.saturating_mul(read as u32) {
            return standings;
        }
        standings = Standings::new();
    }
    let mut tables;
    let mut letters = Letters::empty();
    letters.select(sample.all(), prior);
    if let Some(others) = others {
        tables = other::NO_TABLES;
        letters.add_others(sample.all(), prior, others, &mut tables);
    }
    run(
        sample,
        &mut letters,
        &mut pairs,
        prior,
        Some(whole),
        &mut standings,
    );
    standings
}

/// Ranks the encodings of EBCDIC, if these bytes full of control characters are text in one of them.
pub(super) fn ebcdic(sample: &Sample, prior: &Prior, ranking: &mut Ranking) {
    let mut tables = other::NO_TABLES;
    let mut letters = Letters::empty();
    letters.add_others(sample.all(), prior, Others::Ebcdic, &mut tables);
    let mut standings = Standings::new();
    let (cost, read) = run(
        sample,
        &mut letters,
        &mut Pairs::empty(),
        prior,
        None,
        &mut standings,
    );
    if read > 0 && cost <= EBCDIC_MOST * read as u32 {
        standings.rank(None, ranking);
    }
}

/// Fills the standings, and returns the lowest cost and the bytes read.
fn run(
    sample: &Sample,
    letters: &mut Letters,
    pairs: &mut Pairs,
    prior: &Prior,
    whole: Option<&Inventory>,
    standings: &mut Standings,
) -> (u32, usize) {
    let (main, all) = (sample.main(), sample.all());
    let mut read = 0;
    let mut english = English::new();
    // The first stretch in stages, the others each as a whole, and what is after them: windows are of single bytes.
    let first = sample.ends().next().unwrap_or(0);
    let stages = STAGES.into_iter().filter(|&stage| stage < first);
    let stages = stages
        .map(|stage| (stage, first))
        .chain(sample.ends().map(|end| (end, end)))
        .chain([(all.len(), all.len())]);
    for (end, end_of_stretch) in stages {
        if end <= read {
            continue;
        }
        if end > main.len() && !pairs.is_empty() {
            break;
        }
        let begin = read;
        read = end;
        let english = if pairs.is_empty() && !letters.has_other_scripts() {
            &[]
        } else {
            english.up_to(all, end)
        };
        letters.advance(all, english, end);
        if !pairs.is_empty() {
            let bound = letters.best().saturating_add(MARGIN);
            let is_last = end_of_stretch == main.len();
            pairs.advance(
                &main[..end_of_stretch],
                english,
                (begin, end),
                is_last,
                bound,
            );
        }
        let best = letters.best().min(pairs.best());
        let bound = best.saturating_add(MARGIN);
        let mut only = None;
        let mut is_decided = true;
        let costs = letters.costs().chain(pairs.costs());
        standings.note_all(costs.filter_map(|(encoding, language, cost)| {
            if cost > bound {
                return Some((encoding, language, cost - best));
            }
            is_decided &= only.is_none_or(|only| only == encoding);
            only = Some(encoding);
            None
        }));
        letters.drop_above(bound);
        pairs.drop_above(bound);
        if is_decided && end >= LEAST {
            break;
        }
    }
    letters.end();
    pairs.end();
    let best = letters.best().min(pairs.best());
    let costs = letters.costs().chain(pairs.costs());
    standings.note_all(costs.map(|(encoding, language, cost)| (encoding, language, cost - best)));
    if let Some((encoding, language)) = standings.first() {
        standings.fit = letters
            .fit(encoding, language, &all[..read])
            .or_else(|| pairs.fit(encoding));
    }
    if read < main.len()
        && let Some((encoding, language)) = standings.first()
    {
        let later = &main[read.max(main.len().saturating_sub(LATER))..];
        let fit = letters.fit(encoding, language, later).or_else(|| {
            let english = english.up_to(all, main.len());
            pairs.fit_of_rest(encoding, main, english, read)
        });
        let is_odd = |fit: &Fit| fit.bytes >= LATER_LEAST && fit.unknown() < 0;
        standings.odd_up_to = fit.filter(is_odd).map(|_| read);
    }
    let last = main.len().min(LANGUAGE_MOST);
    if let Some((encoding, _)) = standings.first()
        && let Some(language) = language(letters, encoding, all, &mut english, (read, last))
    {
        standings.name_first(language);
    }
    lists::add(&all[..read], prior, whole, standings);
    for (rare, rarer, common) in letters.alike() {
        if let Some((language, behind)) = standings.behind(common) {
            standings.note(rare, language, behind + rarer);
        }
    }
    (best, read)
}

/// Returns the likeliest language of a single-byte encoding that was decided after `read` bytes of the sample. Reads on up to
/// `last` while several languages are in question.
fn language(
    letters: &mut Letters,
    encoding: &'static Encoding,
    sample: &[u8],
    english: &mut English,
    (read, last): (usize, usize),
) -> Option<&'static str> {
    let mut end = read;
    letters.keep(encoding);
    if end < last {
        letters.readmit();
    }
    while letters.has_choice() && end < last {
        end = last.min(end + LANGUAGE_STEP);
        letters.advance(sample, english.up_to(sample, end), end);
        letters.drop_languages();
    }
    letters.first_language()
}
