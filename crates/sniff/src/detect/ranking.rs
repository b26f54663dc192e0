//! The result of detection: guesses in order, and the kind of content.

#[cfg(feature = "detect")]
use super::statistics::Answer;
use core::ops::Deref;
use mojika::{Encoding, UTF_8};

/// One answer of the detector.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Guess {
    /// The encoding.
    pub encoding: &'static Encoding,
    /// The probability, from 0 to 1. Of the answers with at least 0.99, at least 99 % are right on text outside of the
    /// training set (docs/DETECTION.md).
    pub probability: f32,
    /// The likeliest language, as a BCP 47 tag, if the answer is by statistics.
    pub language: Option<&'static str>,
    /// The number of sequences that are malformed in this encoding, among the bytes that were read.
    pub malformed: u64,
}

impl Guess {
    /// Returns the script of the language, as an ISO 15924 code.
    ///
    /// ```
    /// use mojika_sniff::detect::{DetectHints, detect};
    ///
    /// let ranking = detect(b"\xCF\xF0\xE8\xE2\xE5\xF2, \xEC\xE8\xF0!", &DetectHints::default());
    /// # #[cfg(feature = "detect")]
    /// assert_eq!(ranking[0].script(), Some("Cyrl"));
    /// ```
    pub fn script(&self) -> Option<&'static str> {
        Some(match self.language? {
            "ru" | "uk" | "bg" | "sr" | "mk" | "be" | "kk" | "tg" | "tt" | "ky" | "mn" => "Cyrl",
            "el" => "Grek",
            "he" => "Hebr",
            "ar" | "fa" | "ur" | "ug" => "Arab",
            "th" => "Thai",
            "ja" => "Jpan",
            "ko" => "Kore",
            "zh-CN" => "Hans",
            "zh-TW" => "Hant",
            _ => "Latn",
        })
    }
}

/// The kind of content.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Content {
    /// ASCII without escape sequences of another encoding. Any superset of ASCII decodes it to the same text.
    ///
    /// The text may have control characters, and zero bytes or 0x1A as padding at the end.
    #[default]
    Ascii,
    /// Text that is not ASCII.
    Text,
    /// Not text: a file's magic number, zero bytes or many control characters, and neither UTF-16 nor UTF-32.
    Binary,
    /// Text in an encoding that cannot be an answer, by its name. An example is "ISO-2022-CN-EXT", for which there is
    /// no decoder. Without [`DetectHints::extended`](super::DetectHints::extended), "EBCDIC" and the forms of ISO-2022,
    /// HZ and UTF-7 in [`extended`](mojika::extended) are not answers either.
    Unsupported(&'static str),
}

/// The guesses, best first. The list is empty if the bytes are ASCII or not text, or if no allowed encoding fits.
#[derive(Clone, Copy, Debug)]
pub struct Ranking {
    guesses: [Guess; Self::MAX_GUESSES],
    len: usize,
    pub(super) content: Content,
    pub(super) format: Option<&'static str>,
    pub(super) bytes_read: u64,
}

impl Ranking {
    /// The maximum number of guesses.
    pub const MAX_GUESSES: usize = 4;

    /// Returns a ranking without guesses.
    pub fn empty() -> Self {
        let none = Guess {
            encoding: UTF_8,
            probability: 0.0,
            language: None,
            malformed: 0,
        };
        Self {
            guesses: [none; Self::MAX_GUESSES],
            len: 0,
            content: Content::Ascii,
            format: None,
            bytes_read: 0,
        }
    }

    /// Returns the kind of bytes.
    ///
    /// ```
    /// use mojika_sniff::detect::{Content, DetectHints, detect};
    ///
    /// let png = b"\x89PNG\r\n\x1A\n\0\0\0\rIHDR\0\0\0\x10\0\0\0\x10\x08\x06\0\0\0\x1F\xF3\xFF\x61";
    /// assert_eq!(detect(png, &DetectHints::default()).content(), Content::Binary);
    /// ```
    pub fn content(&self) -> Content {
        self.content
    }

    /// Returns the name of a binary file's format, if its first bytes show it: "PDF", "gzip", "PNG".
    ///
    /// Returns `None` unless the content is [`Content::Binary`].
    pub fn format(&self) -> Option<&'static str> {
        self.format
    }

    /// Returns the number of bytes from the start that were needed for the answer.
    pub fn bytes_read(&self) -> u64 {
        self.bytes_read
    }

    /// Adds the answers of the statistical model.
    #[cfg(feature = "detect")]
    pub(super) fn add(&mut self, answers: &[Answer]) {
        for one in answers.iter().take(Self::MAX_GUESSES) {
            let malformed = one.malformed.into();
            self.push(one.encoding, one.probability, one.language, malformed);
        }
    }

    /// Appends a guess, unless the list is full or has this encoding.
    pub(super) fn push(
        &mut self,
        encoding: &'static Encoding,
        probability: f32,
        language: Option<&'static str>,
        malformed: u64,
    ) {
        if self.len < Self::MAX_GUESSES && self.iter().all(|guess| guess.encoding != encoding) {
            self.guesses[self.len] = Guess {
                encoding,
                probability,
                language,
                malformed,
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
