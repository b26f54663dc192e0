//! The judgement on a document before its conversion: its encoding, and the probability that the text is right.
//!
//! [`sniff`](super::sniff()) decides as software on the Web does, which must always continue. A converter keeps its output,
//! so it must also know when to stop. [`judge`] reads the same sources in the same order, uses the whole input if
//! available, and compares declarations with the bytes.
//!
//! 1. The byte order mark, one of UTF-32 in any context ([`of_text`](super::bom::of_text)).
//! 2. The user, the transport, the document's declaration, the environment.
//! 3. Detection: structure (UTF-16, UTF-32, escape sequences of ISO-2022-JP), UTF-8, statistics.
//! 4. A `meta` after the bytes that the prescan reads, as browsers change the encoding while parsing. In text, a
//!    declaration anywhere in the first 64 KB, or in the last lines of a document that is read to its end.
//! 5. The locale, the default.

mod conclude;

pub use super::detect::CONFIDENCE;
pub use super::detect::units::{BAD, Reading as Units, byte_cost};
pub use conclude::{is_mostly_utf_8, is_wide};

use super::declared::LateDeclaration;
use super::detect::{Detector, Guess, Ranking};
use super::html::LateMeta;
use super::xml::{self, XmlError};
use super::{Context, Decision, Hints, Source};
use alloc::vec::Vec;
use conclude::is_said;
use mojika::{Encoding, UTF_8, mem};

/// The number of bytes that are compared in two encodings, from the first non-ASCII byte on.
pub const WINDOW_LENGTH: usize = 64 * 1024;

/// The number of ASCII bytes in the window before the first non-ASCII byte, to include the start of the line.
const BEFORE: usize = 256;

/// The number of bytes at the start in which U+0000 indicates UTF-16 or UTF-32.
const NUL_LIMIT: usize = 4096;

/// The probability of well-formed UTF-8 that detection took for binary data because of control characters.
const WELL_FORMED: f32 = 0.99;

/// The weights of declarations and bytes in a judgement.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Policy<'p> {
    /// The minimum probability of a guess that contradicts a declaration in which the text is well-formed.
    pub confidence: f32,
    /// True if the bytes decide when they contradict a declaration.
    pub distrust_declared: bool,
    /// True if the bytes are known to be text, even with U+0000.
    pub is_text: bool,
    /// True if XML that contradicts itself is read as browsers do, instead of being an error.
    pub like_browsers: bool,
    /// True if only the row of [`contexts`](super::contexts) decides: no UTF-32 in pages, no late `meta`, and no detection
    /// if a standard says UTF-8.
    pub by_table: bool,
    /// If present, detection may return only these encodings.
    pub allowed: Option<&'p [&'static Encoding]>,
    /// The encodings that detection must not return.
    pub denied: &'p [&'static Encoding],
    /// True if detection may return encodings outside the Standard: DOS code pages and EBCDIC.
    pub extended: bool,
}

impl Default for Policy<'_> {
    fn default() -> Self {
        Self {
            confidence: CONFIDENCE,
            distrust_declared: false,
            is_text: false,
            like_browsers: false,
            by_table: false,
            allowed: None,
            denied: &[],
            extended: false,
        }
    }
}

/// The encoding of a document, and its reliability.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Judgement {
    /// The encoding to decode with, and its source.
    pub decision: Decision,
    /// The probability from 0 to 1 that the text is right, if there is no declaration or the bytes contradict it.
    ///
    /// ASCII has 1, because all possible encodings give the same text. Bytes that fit no encoding have 0.
    pub probability: Option<f32>,
    /// The result of detection; empty if detection was not needed.
    pub ranking: Ranking,
    /// The declaration by the document or its transport, even if another source decided. A byte order mark is also one.
    pub declared: Option<Decision>,
    /// The encoding of the bytes, if it contradicts the declaration.
    pub contradiction: Option<&'static Encoding>,
    /// The offset of the first malformed sequence in the declared encoding, if another encoding has fewer.
    pub malformed: Option<u64>,
}

impl Judgement {
    /// Creates a judgement of UTF-8 by default, for a document that is not read.
    pub fn utf_8() -> Self {
        Self {
            decision: Decision::tentative(UTF_8, Source::Default),
            probability: None,
            ranking: Ranking::empty(),
            declared: None,
            contradiction: None,
            malformed: None,
        }
    }

    /// True if the text may be wrong. With a `confidence` of 0, every decision is accepted.
    ///
    /// Text is doubtful if its probability is below `confidence`, from 0 to 1, or [`malformed`](Self::malformed) is set.
    pub fn is_doubtful(&self, confidence: f32) -> bool {
        confidence > 0.0
            && (self.malformed.is_some()
                || self
                    .probability
                    .is_some_and(|probability| probability < confidence))
    }

    /// Returns the likeliest guess other than the chosen encoding.
    pub fn runner_up(&self) -> Option<&Guess> {
        let decided = self.decision.encoding;
        self.ranking.iter().find(|guess| guess.encoding != decided)
    }
}

/// Judges a whole document.
///
/// # Errors
///
/// Fails with [`XmlError`] if XML contradicts itself in the context [`XmlParser`](super::Context::XmlParser), unless
/// the policy distrusts declarations.
///
/// ```
/// use mojika_sniff::judge::{Policy, judge};
/// use mojika_sniff::{Context, Hints, Source};
///
/// let page = b"<meta charset=utf-8>\xCF\xF0\xE8\xE2\xE5\xF2, \xEC\xE8\xF0! \xCA\xE0\xEA \xE4\xE5\xEB\xE0?";
/// let judgement = judge(page, &Hints::new(Context::HtmlParser), &Policy::default())?;
/// assert_eq!(judgement.decision.source, Source::Meta);
/// # #[cfg(feature = "detect")]
/// assert!(judgement.is_doubtful(0.9) && judgement.contradiction == Some(mojika::WINDOWS_1251));
/// # Ok::<(), mojika_sniff::xml::XmlError>(())
/// ```
pub fn judge(bytes: &[u8], hints: &Hints, policy: &Policy) -> Result<Judgement, XmlError> {
    let mut judge = Judge::new(*hints, *policy);
    let window = bytes.get(..WINDOW_LENGTH);
    if hints.detect && window.is_none() {
        judge.detector = Detector::of_whole(bytes, &judge.detect_hints());
    }
    let (head, rest) = bytes.split_at(bytes.len().min(xml::HEAD_LENGTH));
    judge.feed(head);
    if hints.detect
        && judge.is_said == Some(true)
        && let Some(window) = window
    {
        // Only the window is read.
        judge.detector = Detector::of_whole(window, &judge.detect_hints());
    }
    for piece in rest.chunks(WINDOW_LENGTH) {
        if judge.is_decided() {
            break;
        }
        judge.feed(piece);
    }
    judge.finish()
}

/// True if a later part of a document contradicts the encoding of its beginning: detection finds an encoding with fewer
/// malformed sequences.
pub fn is_contradicted(encoding: &'static Encoding, part: &[u8], policy: &Policy) -> bool {
    let policy = Policy {
        distrust_declared: false,
        ..*policy
    };
    let mut judge = Judge::new(Hints::default(), policy);
    judge.detector = Detector::of_whole(part, &judge.detect_hints());
    judge.window.extend_from_slice(part);
    judge.is_full = true;
    let mut judgement = Judgement::utf_8();
    judgement.ranking = judge.detector.finish(&judge.detect_hints());
    // An encoding with units of two bytes was found by its byte order mark, not guessed.
    judgement.decision = Decision::tentative(encoding, Source::Bom);
    judge.compare(&mut judgement);
    judgement.malformed.is_some()
}

/// Returns the bytes of a document that are compared and shown to the user, from the line of the first non-ASCII byte on.
pub fn window(bytes: &[u8]) -> &[u8] {
    let first = first_beyond_ascii(bytes, 0).0.unwrap_or(0);
    &bytes[first.saturating_sub(BEFORE)..bytes.len().min(first + WINDOW_LENGTH)]
}

/// Returns the offset of the first byte that some encoding does not read as ASCII. The flag is true if that byte is
/// U+0000 near the start of a document, which indicates UTF-16 or UTF-32. `bytes` are at `offset` of the document.
fn first_beyond_ascii(bytes: &[u8], offset: u64) -> (Option<usize>, bool) {
    let plain = mem::iso_2022_jp_ascii_prefix_len(bytes);
    let limit = (NUL_LIMIT as u64).saturating_sub(offset) as usize;
    let nul = memchr::memchr(0, &bytes[..plain.min(limit)]);
    match nul {
        Some(_) => (Some(0), true),
        None => ((plain < bytes.len()).then_some(plain), false),
    }
}

/// Judges a document that is fed in chunks of any size.
///
/// A judge keeps 4 KB from the start, and a window of 64 KB from the first non-ASCII byte on. With a declaration, only
/// the first 64 KB are read and compared.
///
/// ```
/// use mojika_sniff::judge::{Judge, Policy};
/// use mojika_sniff::{Context, Hints};
///
/// let mut judge = Judge::new(Hints::new(Context::PlainText), Policy::default());
/// judge.feed(b"A log of ASCII lines, then ");
/// assert!(judge.is_ascii());
/// judge.feed("文字".as_bytes());
/// assert!(!judge.is_ascii());
/// assert_eq!(judge.finish()?.decision.encoding, mojika::UTF_8);
/// # Ok::<(), mojika_sniff::xml::XmlError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Judge<'h> {
    hints: Hints<'h>,
    policy: Policy<'h>,
    head: Vec<u8>,
    /// The last ASCII bytes, then the window from the first non-ASCII byte on.
    window: Vec<u8>,
    /// The number of ASCII bytes at the start of `window`.
    before: usize,
    /// The offset of the window.
    offset: u64,
    /// True if the window has 64 KB from the first non-ASCII byte on, so that the document goes on after it.
    is_full: bool,
    has_nul: bool,
    /// True if a declaration or another source decides without the bytes; `None` until the head is complete.
    is_said: Option<bool>,
    read: u64,
    detector: Detector,
    late_meta: LateMeta,
    late_declaration: LateDeclaration,
}

impl<'h> Judge<'h> {
    /// Creates a judge at the start of a document.
    pub fn new(hints: Hints<'h>, policy: Policy<'h>) -> Self {
        Self {
            hints,
            policy,
            ..Self::default()
        }
    }

    /// Reads one more chunk. The judgement does not depend on how the bytes are split.
    pub fn feed(&mut self, chunk: &[u8]) {
        let missing = xml::HEAD_LENGTH - self.head.len();
        let (head, rest) = chunk.split_at(chunk.len().min(missing));
        self.head.extend_from_slice(head);
        self.read_on(head);
        if self.is_said.is_none() && self.head.len() == xml::HEAD_LENGTH {
            self.is_said = Some(self.said().map_or(true, |decision| is_said(&decision)));
        }
        let rest = match self.is_said {
            Some(true) => {
                let left = (WINDOW_LENGTH as u64).saturating_sub(self.read);
                let kept = rest.len().min(left as usize);
                self.is_full |= rest.len() >= left as usize;
                &rest[..kept]
            }
            _ => rest,
        };
        self.read_on(rest);
    }

    fn read_on(&mut self, chunk: &[u8]) {
        if chunk.is_empty() {
            return;
        }
        self.keep(chunk);
        self.read += chunk.len() as u64;
        if self.hints.detect {
            self.detector.feed(chunk);
            if self.is_said != Some(true) {
                if self.hints.context.row().may_change {
                    self.late_meta.feed(chunk);
                } else if self.hints.context == Context::PlainText {
                    self.late_declaration.feed(chunk);
                }
            }
        }
    }

    fn keep(&mut self, mut chunk: &[u8]) {
        if self.is_ascii() {
            let (first, has_nul) = first_beyond_ascii(chunk, self.read);
            let (ascii, rest) = chunk.split_at(first.unwrap_or(chunk.len()));
            self.has_nul = has_nul;
            if has_nul {
                // The document may be in UTF-16 or UTF-32, so the window must begin at a code unit: at the start.
                self.window = self.head[..self.read as usize].to_vec();
            } else {
                let last = &ascii[ascii.len().saturating_sub(BEFORE)..];
                let excess = (self.window.len() + last.len()).saturating_sub(BEFORE);
                self.window.drain(..excess);
                self.window.extend_from_slice(last);
            }
            self.offset = self.read + ascii.len() as u64 - self.window.len() as u64;
            self.before = self.window.len();
            chunk = rest;
        }
        let missing = self.before + WINDOW_LENGTH - self.window.len();
        self.window
            .extend_from_slice(&chunk[..chunk.len().min(missing)]);
        self.is_full |= chunk.len() >= missing;
    }

    /// True if all bytes that were fed are ASCII, which is the same text in all possible encodings.
    pub fn is_ascii(&self) -> bool {
        self.window.len() == self.before
    }

    /// True if more input cannot change the judgement, so that a caller may stop feeding.
    pub fn is_decided(&self) -> bool {
        match self.is_said {
            None => false,
            Some(true) => self.read >= WINDOW_LENGTH as u64,
            // UTF-16, UTF-32 and binary data are recognised at the start.
            Some(false) if self.has_nul => self.is_window_full(),
            Some(false) if !self.hints.detect => true,
            Some(false) => {
                let may_change = self.hints.context.row().may_change;
                self.is_window_full()
                    && self.detector.is_decided()
                    && (!may_change || self.late_meta.is_decided())
            }
        }
    }

    /// True if 64 KB from the first non-ASCII byte on were fed.
    pub fn is_window_full(&self) -> bool {
        self.is_full
    }

    /// Returns the offset of the end of the compared bytes.
    pub fn compared(&self) -> u64 {
        self.offset + self.window.len() as u64
    }

    /// Returns the compared bytes: from the start of the line of the first non-ASCII byte to 64 KB after that byte.
    pub fn window(&self) -> &[u8] {
        &self.window
    }
}
