//! Detection: an encoding guessed from undeclared bytes.
//!
//! Two parts. UTF-16 and UTF-32 without a byte order mark are found by zero, control, surrogate and script patterns,
//! always; legacy encodings and UTF-8 are told apart statistically, by chardetng, with the feature `detect`. Nothing
//! outside this file knows which detector is behind it.

use crate::{Encoding, UTF_8};
use core::ops::Deref;

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
    ascii: bool,
    #[cfg(feature = "detect")]
    statistics: chardetng::EncodingDetector,
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
            ascii: true,
            #[cfg(feature = "detect")]
            statistics: chardetng::EncodingDetector::new(chardetng::Iso2022JpDetection::Allow),
        }
    }

    /// Reads one more chunk. The ranking does not depend on how the bytes are split.
    pub fn feed(&mut self, chunk: &[u8]) {
        self.units.feed(chunk);
        self.ascii &= chunk.is_ascii() && !chunk.contains(&0x1B);
        #[cfg(feature = "detect")]
        self.statistics.feed(chunk, false);
    }

    /// The guesses for all bytes so far.
    pub fn finish(&self, hints: &DetectHints) -> Ranking {
        let mut ranking = Ranking::empty();
        for (encoding, probability) in self.units.guesses() {
            if hints.allows(encoding) {
                ranking.push(encoding, probability);
            }
        }
        if ranking.is_empty()
            && !self.ascii
            && let Some(encoding) = self.statistical(hints)
        {
            ranking.push(encoding, 0.5);
        }
        ranking
    }

    #[cfg(feature = "detect")]
    fn statistical(&self, hints: &DetectHints) -> Option<&'static Encoding> {
        use chardetng::Utf8Detection;

        let mut buffer = [0; 63];
        let tld = hints.tld.and_then(|tld| normalized_tld(tld, &mut buffer));
        [Utf8Detection::Allow, Utf8Detection::Deny]
            .into_iter()
            .filter_map(|utf_8| {
                // Encodings pass by name: the detector's codec library is not this one.
                Encoding::for_label(self.statistics.guess(tld, utf_8).name())
            })
            .find(|&encoding| hints.allows(encoding))
    }

    #[cfg(not(feature = "detect"))]
    fn statistical(&self, _: &DetectHints) -> Option<&'static Encoding> {
        None
    }
}

/// The last label of a host name in lower case, as chardetng takes it; `None` if it is none.
#[cfg(feature = "detect")]
fn normalized_tld<'b>(tld: &str, buffer: &'b mut [u8; 63]) -> Option<&'b [u8]> {
    let label = tld.trim_end_matches('.').rsplit('.').next()?.as_bytes();
    let lower = buffer.get_mut(..label.len())?;
    lower.copy_from_slice(label);
    lower.make_ascii_lowercase();
    (!lower.is_empty() && lower.is_ascii()).then_some(&*lower)
}
