//! How detection ranks legacy encodings, slowly and obviously: from the whole document, each step from scratch.
//!
//! docs/DETECTION.md describes the steps. The library's detector reads streams, keeps running sums, drops candidates and
//! looks at many bytes at once; its answers have to be these.
//!
//! A `sample` of the document has two parts, the beginning and the further stretches. In each part, the `counts` of
//! bytes leave some single-byte encodings in question, and these and the double-byte ones `race`. A race yields costs:
//! -log2 of probabilities, in units of 3/4 bit. `standings` joins those of both parts, adds what `evidence` says about
//! all that was read, and turns costs into probabilities.

mod counts;
mod double_byte;
mod evidence;
mod further;
mod lists;
mod of_language;
mod race;
mod sample;
mod signs;
mod single_byte;
mod standings;
mod words;

use evidence::Evidence;
pub use sample::without_repeats;
use standings::Standings;

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
    /// The language's tag, if it is a language that there are tables for.
    pub language: Option<&'static str>,
    /// From 0 to 1.
    pub probability: f32,
    /// How many malformed sequences there are, of those that count.
    pub malformed: u64,
}

/// How many bytes are read from the first one beyond ASCII on.
const LIMIT: usize = 64 * 1024;

/// How many bytes of the first stretch are read alone where no encoding fits it.
const BEGINNING: usize = 64;

/// The tag of the model for languages that have none.
const UNDETERMINED: &str = "und";

/// The ranking of a document that is text in units of one byte, neither ASCII nor UTF-8 nor ISO-2022-JP, without hints.
pub fn rank(document: &[u8]) -> Vec<Rank> {
    let Some(begin) = document.iter().position(|&byte| byte >= 0x80) else {
        return Vec::new();
    };
    let document = &document[..document.len().min(begin + LIMIT)];
    let (beginning, further) = sample::of(document);
    let evidence = Evidence {
        bytes: &document[begin..],
        is_cut: begin == 0,
    };
    let outcome_of = |part: &sample::Part| outcome_of(part, &evidence);
    let outcome = outcome_of(&beginning);
    let mut standings = outcome.standings;
    let fits = further::fits(&standings, &further).filter(|_| !outcome.is_odd);
    let of_further = fits.and_then(|fits| standings.of_further(&fits, &evidence));
    if outcome.is_odd {
        // It was decided by a beginning that the rest is not like.
        let rest = outcome_of(&beginning.after(outcome.read));
        standings = Standings::joined(&standings, &rest.standings);
    } else if standings.fits_nothing() && beginning.main().len() > BEGINNING {
        let alone = outcome_of(&beginning.up_to(BEGINNING));
        standings = standings.with_beginning(&alone.standings);
    }
    if !further.main().is_empty() {
        let of_further = of_further.unwrap_or_else(|| outcome_of(&further).standings);
        standings = Standings::joined(&standings, &of_further);
    }
    if let Some(dense) = sample::densest(evidence.bytes, [&beginning, &further]) {
        standings = Standings::joined(&standings, &outcome_of(&dense).standings);
    }
    standings.rank(&evidence)
}

/// How the encodings do on a part of the sample.
fn outcome_of(part: &sample::Part, evidence: &Evidence) -> race::Outcome {
    if sample::is_paired(&part.main()) {
        let outcome = race::run(part, &[], evidence);
        if outcome.cost <= 9 * outcome.read as u32 {
            return outcome;
        }
    }
    race::run(part, &counts::select(&part.all()), evidence)
}

fn tag(language: u8) -> &'static str {
    LANGUAGES[usize::from(language)].tag
}

/// What a language costs before any byte is read.
fn prior_of_language(language: u8) -> u32 {
    if tag(language) == UNDETERMINED { 12 } else { 0 }
}
