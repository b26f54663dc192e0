//! How detection ranks legacy encodings, slowly and obviously: from the whole document, each step from scratch.
//!
//! docs/DETECTION.md describes the steps. The library's detector reads streams, keeps running sums, drops candidates and
//! looks at eight bytes at once; its answers have to be these.

mod counts;
mod double_byte;
mod sample;
mod single_byte;

use double_byte::FORMS;

#[derive(Clone, Copy, PartialEq)]
enum Script {
    Latin,
    Greek,
    Hebrew,
    Arabic,
    Thai,
    Cyrillic,
}

struct Language {
    tag: &'static str,
    /// Where its classes begin in `letters.bin`.
    letters: usize,
}

struct Candidate {
    encoding: &'static str,
    script: Script,
    prior: u8,
    languages: &'static [u8],
}

macro_rules! names {
    ($($ident:ident $name:literal)*) => { $(const $ident: &str = $name;)* };
}

names! {
    WINDOWS_1250 "windows-1250" WINDOWS_1251 "windows-1251" WINDOWS_1252 "windows-1252" WINDOWS_1253 "windows-1253"
    WINDOWS_1254 "windows-1254" WINDOWS_1255 "windows-1255" WINDOWS_1256 "windows-1256" WINDOWS_1257 "windows-1257"
    WINDOWS_1258 "windows-1258" WINDOWS_874 "windows-874" ISO_8859_2 "ISO-8859-2" ISO_8859_3 "ISO-8859-3"
    ISO_8859_4 "ISO-8859-4" ISO_8859_5 "ISO-8859-5" ISO_8859_6 "ISO-8859-6" ISO_8859_7 "ISO-8859-7"
    ISO_8859_8 "ISO-8859-8" ISO_8859_8_I "ISO-8859-8-I" ISO_8859_10 "ISO-8859-10" ISO_8859_13 "ISO-8859-13"
    ISO_8859_14 "ISO-8859-14" ISO_8859_15 "ISO-8859-15" ISO_8859_16 "ISO-8859-16" KOI8_R "KOI8-R" KOI8_U "KOI8-U"
    IBM866 "IBM866" MACINTOSH "macintosh" X_MAC_CYRILLIC "x-mac-cyrillic"
}

include!("../../../../tables/detect/candidates.rs");

/// An answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Rank {
    /// The encoding's name.
    pub encoding: &'static str,
    /// The language's tag.
    pub language: &'static str,
    /// From 0 to 1.
    pub probability: f32,
}

const MARGIN: u32 = 48;
const STAGES: [usize; 7] = [32, 64, 128, 256, 512, sample::MAIN, sample::CAPACITY];

/// Encodings, languages and how far each is behind the best, best first.
type Standings = Vec<(&'static str, &'static str, u32)>;

fn note(standings: &mut Standings, encoding: &'static str, language: &'static str, behind: u32) {
    if let Some(at) = standings.iter().position(|one| one.0 == encoding) {
        if behind >= standings[at].2 {
            return;
        }
        standings.remove(at);
    }
    let at = standings
        .iter()
        .position(|one| one.2 > behind)
        .unwrap_or(standings.len());
    standings.insert(at, (encoding, language, behind));
}

/// The ranking of a document that is text in units of one byte, neither ASCII nor UTF-8 nor ISO-2022-JP, without hints.
pub fn rank(document: &[u8]) -> Vec<Rank> {
    let (main, all) = sample::of(document);
    if sample::is_paired(&main) {
        let (ranks, cost, read) = race(&main, &all, Vec::new());
        if cost <= 9 * read as u32 {
            return ranks;
        }
    }
    race(&main, &all, counts::select(&all)).0
}

/// The ranking of these single-byte encodings and the double-byte ones, the lowest cost and the bytes read.
fn race(main: &[u8], all: &[u8], selected: Vec<(usize, Vec<u8>)>) -> (Vec<Rank>, u32, usize) {
    let english = single_byte::english(all);
    let same_as = single_byte::alike(&selected, all);
    let mut models: Vec<(usize, u8)> = Vec::new();
    for (candidate, languages) in &selected {
        if same_as.iter().all(|(rare, _)| rare != candidate) {
            models.extend(languages.iter().map(|&language| (*candidate, language)));
        }
    }
    let starts: &[usize] = if main.first().is_some_and(|&byte| byte >= 0x80) {
        &[0, 1]
    } else {
        &[0]
    };
    let mut pairs: Vec<(usize, usize)> = (0..FORMS.len())
        .flat_map(|form| starts.iter().map(move |&start| (form, start)))
        .collect();
    let mut standings = Standings::new();
    let (mut costs, mut best, mut end) = (Vec::new(), 0, 0);
    for stage in STAGES {
        let most = if pairs.is_empty() {
            all.len()
        } else {
            main.len()
        };
        if end == most {
            break;
        }
        end = stage.min(most);
        // What the encoding and what the language makes of the beginning of the sample.
        let read: Vec<(u32, u32)> = models
            .iter()
            .map(|&(candidate, language)| {
                (
                    single_byte::of_encoding(candidate, &all[..end], &english),
                    single_byte::of_language(candidate, language, &all[..end]),
                )
            })
            .collect();
        let least = read
            .iter()
            .map(|(one, other)| one + other)
            .min()
            .unwrap_or(u32::MAX);
        let bound = least.saturating_add(MARGIN);
        let of_pairs: Vec<(u32, bool)> = pairs
            .iter()
            .map(|&(form, start)| double_byte::cost(form, start, main, &english, end, bound))
            .collect();
        best = of_pairs
            .iter()
            .map(|one| one.0)
            .min()
            .unwrap_or(u32::MAX)
            .min(least);
        let bound = best.saturating_add(MARGIN);
        costs = models
            .iter()
            .zip(&read)
            .map(|(&(candidate, language), (one, other))| {
                (
                    CANDIDATES[candidate].encoding,
                    LANGUAGES[usize::from(language)].tag,
                    one + other,
                )
            })
            .chain(
                pairs
                    .iter()
                    .zip(&of_pairs)
                    .map(|(&(form, _), &(cost, has_four_bytes))| {
                        let (encoding, language) = FORMS[form];
                        (
                            if has_four_bytes { "gb18030" } else { encoding },
                            language,
                            cost,
                        )
                    }),
            )
            .collect();
        for &(encoding, language, cost) in &costs {
            if cost > bound {
                note(&mut standings, encoding, language, cost - best);
            }
        }
        let is_decided = {
            let mut left = costs.iter().filter(|one| one.2 <= bound).map(|one| one.0);
            let first = left.next();
            left.all(|encoding| Some(encoding) == first)
        };
        let count = models.len();
        let best_of = |candidate: usize| {
            models
                .iter()
                .zip(&read)
                .filter(|(model, _)| model.0 == candidate)
                .map(|(_, cost)| cost.1)
                .min()
        };
        let is_kept: Vec<bool> = (0..count)
            .map(|at| {
                read[at].0 + read[at].1 <= bound
                    && Some(read[at].1)
                        <= best_of(models[at].0).map(|best| best + single_byte::LANGUAGE_MARGIN)
            })
            .chain(of_pairs.iter().map(|one| one.0 <= bound))
            .collect();
        let mut kept = is_kept.iter().copied();
        models.retain(|_| kept.next().unwrap_or(false));
        pairs.retain(|_| kept.next().unwrap_or(false));
        let mut kept = is_kept.iter().copied();
        costs.retain(|_| kept.next().unwrap_or(false));
        if is_decided && end >= 64 {
            break;
        }
    }
    for (encoding, language, cost) in costs {
        note(&mut standings, encoding, language, cost - best);
    }
    for (rare, common) in same_as {
        let found = standings
            .iter()
            .find(|one| one.0 == CANDIDATES[common].encoding)
            .copied();
        if let Some((_, language, behind)) = found {
            let rarer = u32::from(
                CANDIDATES[rare]
                    .prior
                    .saturating_sub(CANDIDATES[common].prior),
            );
            note(
                &mut standings,
                CANDIDATES[rare].encoding,
                language,
                behind + rarer,
            );
        }
    }
    let weight = |behind: u32| 0.5_f32.powi((behind / 4).min(60) as i32);
    let sum: f32 = standings.iter().take(8).map(|one| weight(one.2)).sum();
    let ranks = standings
        .into_iter()
        .take(4)
        .map(|(encoding, language, behind)| Rank {
            encoding,
            language,
            probability: weight(behind) / sum,
        })
        .collect();
    (ranks, best, end)
}
