//! The race of the candidates on a part of the sample.

use super::double_byte::{self, FORMS};
use super::evidence::Evidence;
use super::of_language::OfLanguage;
use super::sample::Part;
use super::single_byte;
use super::standings::{Fit, Standings};
use super::{CANDIDATES, UNDETERMINED, lists, tag};

/// Where candidates are compared within the first stretch, in bytes.
const STAGES: [usize; 5] = [32, 64, 128, 256, 512];

/// How far behind the best a candidate may be and stay in the race.
const MARGIN: u32 = 48;

/// How far behind the best of its encoding a language may be.
const LANGUAGE_MARGIN: u32 = 24;

/// The least number of bytes read before an answer, if there are more.
const LEAST: usize = 64;

/// How a race ended.
pub struct Outcome {
    pub standings: Standings,
    /// The lowest cost.
    pub cost: u32,
    /// How many bytes of the part were read.
    pub read: usize,
    /// Whether the best encoding fits what was read, and not the running text after that.
    pub is_odd: bool,
}

/// A candidate.
#[derive(Clone, Copy, PartialEq)]
enum Runner {
    /// A single-byte encoding and a language.
    Single(usize, u8),
    /// A double-byte encoding, and the byte from which on it reads: a document may begin within a character.
    Double(usize, usize),
}

/// A candidate, as far as it has read.
struct Progress {
    runner: Runner,
    encoding: &'static str,
    language: &'static str,
    cost: u32,
    /// The cost without what depends on the encoding alone.
    of_language: u32,
    fit: Option<Fit>,
}

/// The race of these single-byte encodings, with their languages, and the double-byte ones.
pub fn run(part: &Part, selected: &[(usize, Vec<u8>)], evidence: &Evidence) -> Outcome {
    let (main, all) = (part.main(), part.all());
    let english = single_byte::english(&all);
    let alike = single_byte::alike(selected, &all);
    let mut runners = Vec::new();
    for (candidate, languages) in selected {
        if alike.iter().all(|(rare, _)| rare != candidate) {
            let its = languages.iter();
            runners.extend(its.map(|&language| Runner::Single(*candidate, language)));
        }
    }
    let may_be_cut = main.first().is_some_and(|&byte| byte >= 0x80);
    for form in 0..FORMS.len() {
        for start in 0..=usize::from(may_be_cut) {
            runners.push(Runner::Double(form, start));
        }
    }
    let mut standings = Standings::default();
    let mut read = 0;
    for end in stages(part) {
        let has_pairs = runners
            .iter()
            .any(|runner| matches!(runner, Runner::Double(..)));
        if end > main.len() && has_pairs {
            // Windows are of single bytes.
            break;
        }
        read = end;
        let results = results(&runners, part, &english, end, false);
        let bound = least(&results).saturating_add(MARGIN);
        for result in results.iter().filter(|result| result.cost > bound) {
            let behind = result.cost - least(&results);
            standings.note(result.encoding, result.language, behind);
        }
        let mut left = results.iter().filter(|result| result.cost <= bound);
        let first = left.next().map(|result| result.encoding);
        let is_decided = left.all(|result| Some(result.encoding) == first);
        runners = results
            .iter()
            .filter(|result| {
                let its = results.iter();
                let least = its
                    .filter(|other| other.encoding == result.encoding)
                    .map(|other| other.of_language)
                    .min();
                result.cost <= bound && result.of_language <= least.unwrap_or(0) + LANGUAGE_MARGIN
            })
            .map(|result| result.runner)
            .collect();
        if is_decided && end >= LEAST {
            break;
        }
    }
    let results = results(&runners, part, &english, read, true);
    let cost = least(&results);
    for result in &results {
        standings.note(result.encoding, result.language, result.cost - cost);
    }
    standings.fit = fit(&standings, selected, &results, &all[..read]);
    let is_odd = read < main.len()
        && fit_of_rest(&standings, selected, &results, part, &english, read)
            .is_some_and(|fit| fit.bytes >= 6 && fit.unknown() < 0);
    if let Some(language) = language(&standings, selected, &results, part, read) {
        standings.places[0].language = language;
    }
    lists::add(&all[..read], evidence, &mut standings);
    for (rare, common) in alike {
        let [rare, common] = [rare, common].map(|at| &CANDIDATES[at]);
        if let Some(&place) = standings.of(common.encoding) {
            let rarer = u32::from(rare.prior.saturating_sub(common.prior));
            standings.note(rare.encoding, place.language, place.behind + rarer);
        }
    }
    Outcome {
        standings,
        cost,
        read,
        is_odd,
    }
}

/// Up to where the candidates read before each comparison: parts of the first stretch, the others each as a whole, and
/// the windows.
fn stages(part: &Part) -> Vec<usize> {
    let first = part.stretches[0].len();
    let mut stages: Vec<usize> = STAGES.into_iter().filter(|&stage| stage < first).collect();
    let mut end = 0;
    for stretch in &part.stretches {
        end += stretch.len();
        stages.push(end);
    }
    stages.push(part.all().len());
    stages.dedup();
    stages.retain(|&stage| stage > 0);
    stages
}

fn least(results: &[Progress]) -> u32 {
    let costs = results.iter().map(|result| result.cost);
    costs.min().unwrap_or(u32::MAX)
}

/// What candidates make of a part up to `end`; if that is all, `is_over`.
fn results(
    runners: &[Runner],
    part: &Part,
    english: &[u32],
    end: usize,
    is_over: bool,
) -> Vec<Progress> {
    let all = part.all();
    let mut of_languages = Vec::new();
    for &runner in runners {
        if let Runner::Single(candidate, language) = runner {
            let read = OfLanguage::new(candidate, language, &all, end);
            of_languages.push(((candidate, language), read));
        }
    }
    let costs = OfLanguage::costs(&of_languages, &all);
    let mut results = Vec::new();
    for (&((candidate, language), _), of_language) in of_languages.iter().zip(costs) {
        let of_encoding = single_byte::of_encoding(candidate, &all, end, english, is_over);
        results.push(Progress {
            runner: Runner::Single(candidate, language),
            encoding: CANDIDATES[candidate].encoding,
            language: tag(language),
            cost: of_encoding + of_language,
            of_language,
            fit: None,
        });
    }
    // Those that are far behind stop.
    let bound = match is_over {
        true => u32::MAX,
        false => least(&results).saturating_add(MARGIN),
    };
    for &runner in runners {
        if let Runner::Double(form, start) = runner {
            let read = double_byte::read(form, start, &part.stretches, english, end, bound);
            let (encoding, language) = FORMS[form];
            results.push(Progress {
                runner,
                encoding: match read.has_four_bytes {
                    true => "gb18030",
                    false => encoding,
                },
                language,
                cost: read.cost + if is_over { read.end } else { 0 },
                of_language: 0,
                fit: Some(read.fit),
            });
        }
    }
    results
}

/// Returns the language of the best encoding. The languages of that encoding read on until one is left, up to 256 bytes of
/// running text. A dropped language reads on, too. Its initial cost is the lowest cost plus 24.
fn language(
    standings: &Standings,
    selected: &[(usize, Vec<u8>)],
    results: &[Progress],
    part: &Part,
    read: usize,
) -> Option<&'static str> {
    let first = standings.places.first()?;
    let its = |result: &&Progress| result.encoding == first.encoding;
    let kept: Vec<u8> = results
        .iter()
        .filter(its)
        .filter_map(|one| match one.runner {
            Runner::Single(_, language) => Some(language),
            Runner::Double(..) => None,
        })
        .collect();
    let best = results.iter().filter(its).min_by_key(|one| one.of_language);
    let Runner::Single(candidate, best) = best?.runner else {
        return None;
    };
    let all = part.all();
    let last = part.main().len().min(256);
    if read >= last {
        return Some(tag(best));
    }
    let mut left = kept.clone();
    if tag(best) != UNDETERMINED {
        let languages = selected.iter().find(|one| one.0 == candidate)?;
        let dropped = languages.1.iter().filter(|one| !kept.contains(one));
        left.extend(dropped.filter(|&&language| tag(language) != UNDETERMINED));
    }
    let mut first = best;
    let mut end = read;
    while left.len() > 1 && end < last {
        end = last.min(end + 64);
        let of_languages: Vec<((usize, u8), OfLanguage)> = left
            .iter()
            .map(|&language| {
                let of_language = if kept.contains(&language) {
                    OfLanguage::new(candidate, language, &all, end)
                } else {
                    let at_first = OfLanguage::new(candidate, best, &all, read);
                    let after = OfLanguage::after(candidate, language, &all, read..end);
                    at_first.and(LANGUAGE_MARGIN, after)
                };
                ((candidate, language), of_language)
            })
            .collect();
        let costs = OfLanguage::costs(&of_languages, &all);
        let costs: Vec<(u8, u32)> = left.into_iter().zip(costs).collect();
        let (language, least) = *costs.iter().min_by_key(|one| one.1)?;
        first = language;
        let is_near = |one: &&(u8, u32)| one.1 <= least + 2 * LANGUAGE_MARGIN;
        left = costs.iter().filter(is_near).map(|one| one.0).collect();
    }
    Some(tag(first))
}

/// How well the first encoding fits what is beyond ASCII.
fn fit(
    standings: &Standings,
    selected: &[(usize, Vec<u8>)],
    results: &[Progress],
    read: &[u8],
) -> Option<Fit> {
    let first = standings.places.first()?;
    let is_its = |one: &&(usize, Vec<u8>)| CANDIDATES[one.0].encoding == first.encoding;
    if let Some((candidate, languages)) = selected.iter().find(is_its) {
        let mut languages = languages.iter();
        let language = *languages.find(|&&language| tag(language) == first.language)?;
        return Some(single_byte::fit(*candidate, language, read));
    }
    let is_gb = |encoding: &str| matches!(encoding, "GBK" | "gb18030");
    let its = results.iter().filter(|result| {
        result.encoding == first.encoding || is_gb(result.encoding) && is_gb(first.encoding)
    });
    its.min_by_key(|result| result.cost)?.fit
}

/// How well the first encoding fits the running text after what was read: the last bytes of it, or all of it where
/// characters have two bytes.
fn fit_of_rest(
    standings: &Standings,
    selected: &[(usize, Vec<u8>)],
    results: &[Progress],
    part: &Part,
    english: &[u32],
    read: usize,
) -> Option<Fit> {
    let main = part.main();
    let later = &main[read.max(main.len().saturating_sub(192))..];
    let first = standings.places.first()?;
    if selected
        .iter()
        .any(|one| CANDIDATES[one.0].encoding == first.encoding)
    {
        return fit(standings, selected, results, later);
    }
    let before = fit(standings, selected, results, &[])?;
    let its = results.iter().filter(|result| {
        let is_gb = |encoding: &str| matches!(encoding, "GBK" | "gb18030");
        result.encoding == first.encoding || is_gb(result.encoding) && is_gb(first.encoding)
    });
    // The reading that costs least once all has been read.
    let read_all = its.filter_map(|result| match result.runner {
        Runner::Double(form, start) => {
            let up_to =
                |end| double_byte::read(form, start, &part.stretches, english, end, u32::MAX);
            let (until_now, reading) = (up_to(read), up_to(main.len()));
            Some((result.cost - until_now.cost + reading.cost, reading))
        }
        Runner::Single(..) => None,
    });
    let (_, after) = read_all.min_by_key(|one| one.0)?;
    Some(after.fit.after(before))
}
