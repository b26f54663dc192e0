//! Detection: an encoding guessed from undeclared bytes.
//!
//! Two parts. UTF-16 and UTF-32 without a byte order mark are found by zero, control, surrogate and script patterns,
//! always; legacy encodings and UTF-8 are told apart statistically, with the feature `detect`. Nothing
//! outside this file knows which detector is behind it.

use crate::{Encoding, UTF_8};
use core::ops::Deref;

#[cfg(feature = "detect")]
mod costs;
#[cfg(feature = "detect")]
mod letters;
#[cfg(feature = "detect")]
mod pairs;
#[cfg(feature = "detect")]
mod sample;
mod units;

use units::Units;

/// How many bytes of a document detection reads.
pub const SAMPLE_LENGTH: usize = 64 * 1024;

/// What is known about the bytes, and which answers are allowed.
#[derive(Clone, Copy, Debug, Default)]
pub struct DetectHints<'a> {
    /// The top-level domain the bytes came from, without dots: "jp". Case and a leading host name are ignored.
    pub tld: Option<&'a str>,
    /// The reader's locale, as a BCP 47 tag.
    pub locale: Option<&'a str>,
    /// If present, no other encoding is an answer.
    pub allowed: Option<&'a [&'static Encoding]>,
    /// Encodings that are no answer.
    pub denied: &'a [&'static Encoding],
}

impl DetectHints<'_> {
    fn allows(&self, encoding: &'static Encoding) -> bool {
        self.allowed
            .is_none_or(|allowed| allowed.contains(&encoding))
            && !self.denied.contains(&encoding)
    }
}

/// One answer of the detector.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Guess {
    /// The encoding.
    pub encoding: &'static Encoding,
    /// How sure the detector is, from 0 to 1. Comparable within one ranking only.
    pub probability: f32,
}

/// Guesses, best first. Empty if the bytes are ASCII or no allowed encoding fits.
#[derive(Clone, Copy, Debug)]
pub struct Ranking {
    guesses: [Guess; Self::MOST],
    len: usize,
}

impl Ranking {
    /// The longest ranking.
    pub const MOST: usize = 4;

    /// No guess at all.
    pub fn empty() -> Self {
        let none = Guess {
            encoding: UTF_8,
            probability: 0.0,
        };
        Self {
            guesses: [none; Self::MOST],
            len: 0,
        }
    }

    fn push(&mut self, encoding: &'static Encoding, probability: f32) {
        if self.len < Self::MOST && self.iter().all(|guess| guess.encoding != encoding) {
            self.guesses[self.len] = Guess {
                encoding,
                probability,
            };
            self.len += 1;
        }
    }
}

impl Deref for Ranking {
    type Target = [Guess];

    fn deref(&self) -> &[Guess] {
        &self.guesses[..self.len]
    }
}

/// Detects the encoding of whole input, or of its beginning.
///
/// At most [`SAMPLE_LENGTH`] bytes are read.
///
/// ```
/// use mojika::sniff::detect::{DetectHints, detect};
///
/// let bytes = mojika::UTF_16LE.encode("Grüße aus München, heute mit Sonne.").unwrap();
/// let ranking = detect(&bytes, &DetectHints::default());
/// assert_eq!(ranking[0].encoding, mojika::UTF_16LE);
/// assert!(detect(b"plain ASCII", &DetectHints::default()).is_empty());
/// ```
pub fn detect(bytes: &[u8], hints: &DetectHints) -> Ranking {
    let mut detector = Detector::new();
    detector.feed(&bytes[..bytes.len().min(SAMPLE_LENGTH)]);
    detector.finish(hints)
}

/// A detector that is fed chunks of any size.
pub struct Detector {
    units: Units,
    #[cfg(feature = "detect")]
    sample: sample::Sample,
}

impl Default for Detector {
    fn default() -> Self {
        Self::new()
    }
}

impl Detector {
    /// A detector at the start of a document.
    pub fn new() -> Self {
        Self {
            units: Units::default(),
            #[cfg(feature = "detect")]
            sample: sample::Sample::new(),
        }
    }

    /// Reads one more chunk. The ranking does not depend on how the bytes are split.
    pub fn feed(&mut self, chunk: &[u8]) {
        self.units.feed(chunk);
        #[cfg(feature = "detect")]
        self.sample.feed(chunk);
    }

    /// The guesses for all bytes so far.
    pub fn finish(&self, hints: &DetectHints) -> Ranking {
        let mut ranking = Ranking::empty();
        for (encoding, probability) in self.units.guesses() {
            if hints.allows(encoding) {
                ranking.push(encoding, probability);
            }
        }
        #[cfg(feature = "detect")]
        if ranking.is_empty() {
            self.statistics(hints, &mut ranking);
        }
        ranking
    }

    #[cfg(feature = "detect")]
    fn statistics(&self, hints: &DetectHints, ranking: &mut Ranking) {
        use crate::ISO_2022_JP;

        if self.sample.is_iso_2022_jp() && hints.allows(ISO_2022_JP) {
            ranking.push(ISO_2022_JP, 0.99);
        }
        if self.sample.is_ascii() {
            return;
        }
        if self.sample.is_utf_8() && hints.allows(UTF_8) {
            ranking.push(UTF_8, 0.99);
            return;
        }
        let mut costs = costs::Costs::new();
        let sample = self.sample.bytes();
        pairs::race(sample, |encoding, cost| costs.add(encoding, cost, hints));
        let bound = costs.least();
        letters::race(sample, bound, |encoding, cost| {
            costs.add(encoding, cost, hints);
        });
        costs.rank(ranking);
    }
}
