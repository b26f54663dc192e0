//! The judgement on a document that is to be converted: its encoding, and whether the text would be right.
//!
//! [`sniff`](super::sniff()) decides as software on the Web does, which always goes on. A converter keeps what it
//! writes, so it also has to know when not to: [`judge`] asks the same sources in the same order, reads as much as there
//! is, and compares what is declared with what the bytes show.
//!
//! 1. The byte order mark, one of UTF-32 in any context ([`bom::of_text`]).
//! 2. The user, the transport, what the document declares, the environment.
//! 3. Detection: structure (UTF-16, UTF-32, escapes of ISO-2022-JP), UTF-8, statistics.
//! 4. A `meta` after the bytes that the prescan reads, as browsers change the encoding while parsing.
//! 5. The locale, the default.

use super::contexts::{BomRule, Sniffing};
use super::detect::{Content, DetectHints, Detector, Guess, Ranking};
use super::html::LateMeta;
use super::xml::{self, XmlError};
use super::{Confidence, Context, Decision, Hints, Source, bom, html, sniff, sniff_leniently};
use crate::{BomHandling, Decoder, Encoding, Status, UTF_8, mem};
use alloc::string::String;
use alloc::vec::Vec;

/// How many bytes are compared in two encodings: from the first one that is not ASCII on.
pub const WINDOW_LENGTH: usize = 64 * 1024;

/// How many bytes of ASCII before those belong to the window, so that a reader sees the beginning of the line.
const BEFORE: usize = 256;

/// In how many bytes at the start U+0000 is a sign of wide code units.
const NUL_LIMIT: usize = 4096;

/// How much of a probability is asked of a guess that contradicts a declaration.
pub const CONFIDENCE: f32 = 0.9;

/// The probability of UTF-8 that detection has taken for no text, because of its controls.
const WELL_FORMED: f32 = 0.99;

/// How a judgement weighs declarations against bytes.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Policy<'p> {
    /// The probability from which on what the bytes show contradicts a declaration that they do not break.
    pub confidence: f32,
    /// Whether the bytes win where they contradict a declaration.
    pub distrust_declared: bool,
    /// Whether the bytes are known to be text, U+0000 or not.
    pub is_text: bool,
    /// Whether XML that contradicts itself is read as browsers read it, and not an error.
    pub like_browsers: bool,
    /// Whether nothing is decided but by the row of [`contexts`](super::contexts): no UTF-32 in pages, no late `meta`, no
    /// guess where a standard names UTF-8.
    pub by_table: bool,
    /// If present, detection answers with no other encoding.
    pub allowed: Option<&'p [&'static Encoding]>,
    /// Encodings that detection does not answer with.
    pub denied: &'p [&'static Encoding],
    /// Whether detection answers with encodings outside the Standard, too: pages of DOS and EBCDIC.
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

/// What a document or its transport declares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Declared {
    /// The encoding.
    pub encoding: &'static Encoding,
    /// Where it is declared; a byte order mark is a declaration, too.
    pub source: Source,
}

/// The encoding of a document, and how far it can be relied on.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Judgement {
    /// The encoding to decode with, and what decided.
    pub decision: Decision,
    /// The probability that the text is right, from 0 to 1, where no declaration decided.
    ///
    /// ASCII has 1, as its text is the same in all encodings in question. Bytes that no encoding fits have 0.
    pub probability: Option<f32>,
    /// What detection makes of the bytes. Empty if it was not asked.
    pub ranking: Ranking,
    /// What is declared, whether or not that decided.
    pub declared: Option<Declared>,
    /// The encoding that the bytes show, where it contradicts what is declared.
    pub contradiction: Option<&'static Encoding>,
    /// Offset of the first malformed sequence in the declared encoding, where another encoding has fewer of them.
    pub malformed: Option<u64>,
}

impl Judgement {
    /// Whether the text is not right with this probability, from 0 to 1.
    ///
    /// What is declared and decodes without error is not doubtful, and with a probability of 0 nothing is.
    pub fn is_doubtful(&self, confidence: f32) -> bool {
        confidence > 0.0
            && (self.malformed.is_some()
                || self
                    .probability
                    .is_some_and(|probability| probability < confidence))
    }

    /// The likeliest answer of detection other than the encoding that is decided on.
    pub fn runner_up(&self) -> Option<&Guess> {
        let decided = self.decision.encoding;
        self.ranking.iter().find(|guess| guess.encoding != decided)
    }
}

/// Judges a whole document.
///
/// # Errors
///
/// [`XmlError`] where XML contradicts itself in the context [`Context::XmlParser`], unless the policy distrusts
/// declarations.
///
/// ```
/// use mojika::sniff::judge::{Policy, judge};
/// use mojika::sniff::{Context, Hints, Source};
///
/// let page = b"<meta charset=utf-8>\xCF\xF0\xE8\xE2\xE5\xF2, \xEC\xE8\xF0! \xCA\xE0\xEA \xE4\xE5\xEB\xE0?";
/// let judgement = judge(page, &Hints::new(Context::HtmlParser), &Policy::default())?;
/// assert_eq!(judgement.decision.source, Source::Meta);
/// # #[cfg(feature = "detect")]
/// assert!(judgement.is_doubtful(0.9) && judgement.contradiction == Some(mojika::WINDOWS_1251));
/// # Ok::<(), mojika::sniff::xml::XmlError>(())
/// ```
pub fn judge(bytes: &[u8], hints: &Hints, policy: &Policy) -> Result<Judgement, XmlError> {
    if bytes.len() >= WINDOW_LENGTH {
        let mut judge = Judge::new(*hints, *policy);
        for piece in bytes.chunks(WINDOW_LENGTH) {
            if judge.is_decided() {
                break;
            }
            judge.feed(piece);
        }
        return judge.finish();
    }
    let (start, end) = window_of(bytes);
    let mut detector = Detector::new();
    if hints.detect {
        detector.feed(bytes);
    }
    let case = Case {
        head: &bytes[..bytes.len().min(xml::HEAD_LENGTH)],
        window: &bytes[start..end],
        offset: start as u64,
        // Longer documents have been dealt with above.
        is_whole: true,
        detector: &detector,
        late_meta: LateMetaIn::Whole(bytes),
    };
    case.conclude(hints, policy)
}

/// The bytes of a document that are compared, and shown to a person who has to choose: from the line of the first one
/// that is not ASCII on.
pub fn window(bytes: &[u8]) -> &[u8] {
    let (start, end) = window_of(bytes);
    &bytes[start..end]
}

fn window_of(bytes: &[u8]) -> (usize, usize) {
    let first = first_beyond_ascii(bytes, 0).0.unwrap_or(0);
    let start = first.saturating_sub(BEFORE);
    (start, bytes.len().min(first + WINDOW_LENGTH))
}

/// Where the first byte is that some encoding does not read as ASCII, and whether that is U+0000 at the start of a
/// document, where wide code units show. `offset` is that of `bytes` in the document.
fn first_beyond_ascii(bytes: &[u8], offset: u64) -> (Option<usize>, bool) {
    let plain = mem::iso_2022_jp_ascii_prefix_len(bytes);
    let limit = (NUL_LIMIT as u64).saturating_sub(offset) as usize;
    let nul = memchr::memchr(0, &bytes[..plain.min(limit)]);
    match nul {
        Some(_) => (Some(0), true),
        None => ((plain < bytes.len()).then_some(plain), false),
    }
}

/// A judgement on a document that is fed in chunks of any size.
///
/// It keeps 4 KB from the start and a window of 64 KB from the first byte that is not ASCII on. Where something is said
/// of the encoding, no more than the first 64 KB are read and compared with that.
///
/// ```
/// use mojika::sniff::judge::{Judge, Policy};
/// use mojika::sniff::{Context, Hints};
///
/// let mut judge = Judge::new(Hints::new(Context::PlainText), Policy::default());
/// judge.feed(b"A log of ASCII lines, then ");
/// assert!(judge.is_ascii());
/// judge.feed("文字".as_bytes());
/// assert!(!judge.is_ascii());
/// assert_eq!(judge.finish()?.decision.encoding, mojika::UTF_8);
/// # Ok::<(), mojika::sniff::xml::XmlError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Judge<'h> {
    hints: Hints<'h>,
    policy: Policy<'h>,
    head: Vec<u8>,
    /// The last bytes of ASCII, and from the first byte beyond it on the window.
    window: Vec<u8>,
    /// How many bytes of the window are ASCII before the first other byte.
    before: usize,
    /// Where the window starts.
    offset: u64,
    is_ascii: bool,
    is_whole: bool,
    has_nul: bool,
    /// Whether something but the bytes says the encoding; `None` until the head is complete.
    is_said: Option<bool>,
    read: u64,
    detector: Detector,
    late_meta: LateMeta,
}

impl<'h> Judge<'h> {
    /// A judge of a document from its start.
    pub fn new(hints: Hints<'h>, policy: Policy<'h>) -> Self {
        Self {
            hints,
            policy,
            head: Vec::new(),
            window: Vec::new(),
            before: 0,
            offset: 0,
            is_ascii: true,
            is_whole: true,
            has_nul: false,
            is_said: None,
            read: 0,
            detector: Detector::new(),
            late_meta: LateMeta::default(),
        }
    }

    /// Reads one more chunk. The judgement does not depend on how the bytes are split.
    pub fn feed(&mut self, chunk: &[u8]) {
        let missing = xml::HEAD_LENGTH - self.head.len();
        let (head, rest) = chunk.split_at(chunk.len().min(missing));
        self.head.extend_from_slice(head);
        self.read_on(head);
        if self.is_said.is_none() && self.head.len() == xml::HEAD_LENGTH {
            self.is_said = Some(self.says());
        }
        let rest = match self.is_said {
            Some(true) => {
                let left = (WINDOW_LENGTH as u64).saturating_sub(self.read);
                let kept = rest.len().min(left as usize);
                self.is_whole &= rest.len() < left as usize;
                &rest[..kept]
            }
            _ => rest,
        };
        self.read_on(rest);
    }

    /// Whether something but the bytes says the encoding, now that the head is complete.
    fn says(&self) -> bool {
        let undetected = Hints {
            detect: false,
            ..self.hints
        };
        let case = self.case();
        match case.said(&undetected, &self.policy) {
            Ok(decision) => !matches!(
                decision.source,
                Source::Environment | Source::Locale | Source::Default
            ),
            Err(_) => true,
        }
    }

    fn read_on(&mut self, chunk: &[u8]) {
        if chunk.is_empty() {
            return;
        }
        self.keep(chunk);
        self.read += chunk.len() as u64;
        if self.hints.detect {
            self.detector.feed(chunk);
            if self.hints.context.row().may_change && self.is_said != Some(true) {
                self.late_meta.feed(chunk);
            }
        }
    }

    fn keep(&mut self, mut chunk: &[u8]) {
        if self.is_ascii {
            let (first, has_nul) = first_beyond_ascii(chunk, self.read);
            let (ascii, rest) = chunk.split_at(first.unwrap_or(chunk.len()));
            self.is_ascii = first.is_none();
            self.has_nul = has_nul;
            if has_nul {
                // It may be in wide code units, which are counted from the start.
                self.window.clear();
                self.window
                    .extend_from_slice(&self.head[..self.read as usize]);
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
        self.is_whole &= chunk.len() < missing;
    }

    /// Whether nothing but ASCII was fed, which is the same text in all encodings in question.
    pub fn is_ascii(&self) -> bool {
        self.is_ascii
    }

    /// Whether more input cannot change the judgement, so that a caller may stop feeding.
    pub fn is_decided(&self) -> bool {
        match self.is_said {
            None => false,
            Some(true) => self.read >= WINDOW_LENGTH as u64,
            // Wide code units and binary data show at the start.
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

    /// Whether 64 KB from the first byte that is not ASCII on were fed.
    pub fn is_window_full(&self) -> bool {
        !self.is_whole
    }

    /// The bytes that are compared: the beginning of the line of the first one that is not ASCII, and 64 KB from there.
    pub fn window(&self) -> &[u8] {
        &self.window
    }

    /// The judgement on all bytes so far.
    ///
    /// # Errors
    ///
    /// [`XmlError`] as of [`judge`].
    pub fn finish(&self) -> Result<Judgement, XmlError> {
        self.case().conclude(&self.hints, &self.policy)
    }

    fn case(&self) -> Case<'_> {
        Case {
            head: &self.head,
            window: &self.window,
            offset: self.offset,
            is_whole: self.is_whole,
            detector: &self.detector,
            late_meta: LateMetaIn::Pieces(&self.late_meta),
        }
    }
}

/// What a judgement is made of.
struct Case<'c> {
    head: &'c [u8],
    window: &'c [u8],
    /// Where the window starts in the document.
    offset: u64,
    /// Whether the document ends with the window.
    is_whole: bool,
    detector: &'c Detector,
    late_meta: LateMetaIn<'c>,
}

/// Where a `meta` is looked for that the prescan does not reach.
enum LateMetaIn<'c> {
    Whole(&'c [u8]),
    Pieces(&'c LateMeta),
}

impl LateMetaIn<'_> {
    fn found(&self) -> Option<&'static Encoding> {
        match self {
            Self::Whole(bytes) => html::prescan_all(bytes)
                .filter(|found| found.source == Source::Meta)
                .map(|found| found.encoding),
            Self::Pieces(late) => late.found(),
        }
    }
}

impl Case<'_> {
    fn conclude(&self, hints: &Hints, policy: &Policy) -> Result<Judgement, XmlError> {
        let ranking = if hints.detect && hints.user_override.is_none() {
            self.detector.finish(&DetectHints {
                allowed: policy.allowed,
                denied: policy.denied,
                extended: policy.extended,
                ..hints.for_detection()
            })
        } else {
            Ranking::empty()
        };
        // Controls alone make neither wide code units nor binary data of what is ASCII.
        let is_misled = match ranking.first() {
            Some(guess) => is_wide(guess.encoding),
            None => ranking.content() == Content::Binary && ranking.format().is_none(),
        };
        let ranking = if is_misled && self.is_ascii() {
            Ranking::empty()
        } else {
            ranking
        };
        let mut judgement = Judgement {
            decision: self.said(hints, policy)?,
            probability: None,
            ranking,
            declared: None,
            contradiction: None,
            malformed: None,
        };
        let is_said = !matches!(
            judgement.decision.source,
            Source::Locale | Source::Default | Source::Environment
        );
        let row = hints.context.row();
        if !is_said && hints.detect && row.may_change && !policy.by_table {
            let is_wide = |guess: &Guess| is_wide(guess.encoding);
            let encoding = if ranking.first().is_some_and(is_wide) {
                None
            } else {
                self.late_meta.found()
            };
            if let Some(encoding) = encoding {
                judgement.decision = Decision {
                    encoding,
                    source: Source::Meta,
                    confidence: Confidence::Tentative,
                    bom_length: 0,
                };
            }
        }
        match judgement.decision.source {
            Source::Override => {}
            Source::Locale | Source::Default => self.guess(hints, policy, &mut judgement),
            _ => self.compare(policy, &mut judgement),
        }
        Ok(judgement)
    }

    /// What is said of the encoding, without a guess.
    fn said(&self, hints: &Hints, policy: &Policy) -> Result<Decision, XmlError> {
        let is_of_utf_16 = hints
            .user_override
            .is_some_and(|encoding| is_wide(encoding) && !encoding.name().starts_with("UTF-32"));
        if hints.context.row().bom == BomRule::Sniff
            && !policy.by_table
            && hints.context != Context::XmlParser
            && !is_of_utf_16
            // In a page or a style sheet, a mark alone is what the standards say.
            && (self.head.len() > 4 || hints.context.row().sniffing == Sniffing::Text)
            && let Some(bom) = bom::of_text(self.head).filter(|bom| bom.length == 4)
        {
            return Ok(Decision {
                encoding: bom.encoding,
                source: Source::Bom,
                confidence: Confidence::Certain,
                bom_length: bom.length,
            });
        }
        let undetected = Hints {
            detect: false,
            ..*hints
        };
        match sniff(self.head, &undetected) {
            Err(error) if policy.distrust_declared => Ok(Decision {
                encoding: error.fallback.unwrap_or(UTF_8),
                source: match error.bom_length {
                    0 => Source::Default,
                    _ => Source::Bom,
                },
                confidence: Confidence::Tentative,
                bom_length: error.bom_length,
            }),
            Err(_) if policy.like_browsers => Ok(sniff_leniently(self.head, &undetected)),
            said => said,
        }
    }

    /// Nothing is said: what the bytes show, if something may be guessed here.
    fn guess(&self, hints: &Hints, policy: &Policy, judgement: &mut Judgement) {
        if !hints.detect {
            return;
        }
        let decision = &mut judgement.decision;
        let row = hints.context.row();
        let is_guessing = matches!(row.sniffing, Sniffing::Html | Sniffing::Text);
        // Files that others make, and not what a program of the Web hands to another.
        let is_file = !policy.by_table
            && matches!(
                hints.context,
                Context::XmlParser | Context::CssFromDocument | Context::ClassicScript
            );
        let best = judgement.ranking.first();
        judgement.probability = Some(match best {
            // The standards name UTF-8 here, and a guess has to be a good one.
            Some(guess)
                if !is_guessing
                    && (guess.encoding == decision.encoding
                        || !is_file
                        || guess.probability < policy.confidence) =>
            {
                let is_default = guess.encoding == decision.encoding;
                f32::from(u8::from(is_default)) * guess.probability
            }
            Some(guess) if row.legacy => {
                decision.encoding = guess.encoding;
                decision.source = Source::Detection;
                decision.confidence = Confidence::Tentative;
                decision.bom_length = 0;
                guess.probability
            }
            // Only UTF-8 is possible, whatever the bytes show.
            Some(guess) => {
                judgement.contradiction = Some(guess.encoding);
                0.0
            }
            None if judgement.ranking.content() == Content::Ascii => 1.0,
            // More controls than text has, but well-formed.
            None if judgement.ranking.content() == Content::Binary
                && (policy.is_text || judgement.ranking.format().is_none() && !self.has_nul())
                && !policy.denied.contains(&UTF_8)
                && Reading::of(UTF_8, self.window, self.is_whole).malformed == 0 =>
            {
                decision.encoding = UTF_8;
                decision.source = Source::Detection;
                decision.confidence = Confidence::Tentative;
                WELL_FORMED
            }
            None => 0.0,
        });
    }

    /// Whether what was looked at is ASCII, without U+0000 at the start.
    fn is_ascii(&self) -> bool {
        self.window.is_ascii() && !self.has_nul()
    }

    fn has_nul(&self) -> bool {
        let start = &self.window[..self.window.len().min(NUL_LIMIT)];
        memchr::memchr(0, start).is_some()
    }

    /// Something is said: whether the bytes show something else.
    fn compare(&self, policy: &Policy, judgement: &mut Judgement) {
        let Decision {
            encoding: declared,
            source,
            bom_length,
            ..
        } = judgement.decision;
        judgement.declared = Some(Declared {
            encoding: declared,
            source,
        });
        let shown = match judgement.ranking.first() {
            Some(guess) => (guess.encoding, guess.probability),
            None if judgement.ranking.content() == Content::Ascii
                && is_wide(declared)
                && !self.window.is_empty()
                && source != Source::Bom =>
            {
                (UTF_8, 1.0)
            }
            None => return,
        };
        let (guess, probability) = shown;
        if guess == declared {
            return;
        }
        let skipped = match self.offset {
            0 => bom_length.min(self.window.len()),
            _ => 0,
        };
        let window = &self.window[skipped..];
        let as_declared = Reading::of(declared, window, self.is_whole);
        let as_shown = Reading::of(guess, window, self.is_whole);
        if as_declared.is_same(&as_shown, self.is_whole) {
            return;
        }
        // Units of two bytes are rarely malformed, whatever they are made of.
        let is_impossible = is_wide(declared) && !is_wide(guess) && source != Source::Bom;
        let is_damaged_utf_8 = declared == UTF_8 && is_mostly_utf_8(window);
        if is_impossible || as_declared.malformed > as_shown.malformed && !is_damaged_utf_8 {
            let first = as_declared.first.unwrap_or(0);
            judgement.malformed = Some(self.offset + skipped as u64 + first);
        }
        if judgement.malformed.is_some() || probability >= policy.confidence && !is_damaged_utf_8 {
            judgement.contradiction = Some(guess);
        }
        if policy.distrust_declared
            && judgement.contradiction.is_some()
            && probability >= policy.confidence
        {
            judgement.malformed = None;
            judgement.probability = Some(probability);
            judgement.decision = Decision {
                encoding: guess,
                source: Source::Detection,
                confidence: Confidence::Tentative,
                // The mark of UTF-8 is no text, whatever follows it.
                bom_length: if declared == UTF_8 { bom_length } else { 0 },
            };
        }
    }
}

/// Whether text in this encoding has units of two or four bytes.
fn is_wide(encoding: &Encoding) -> bool {
    encoding.name().starts_with("UTF-16") || encoding.name().starts_with("UTF-32")
}

/// The bytes in one encoding.
struct Reading {
    text: String,
    malformed: u64,
    /// Offset of the first malformed sequence.
    first: Option<u64>,
}

impl Reading {
    fn of(encoding: &'static Encoding, bytes: &[u8], is_whole: bool) -> Self {
        let mut decoder = Decoder::new(encoding, BomHandling::Keep);
        let mut reading = Self {
            text: String::new(),
            malformed: 0,
            first: None,
        };
        let mut at = 0;
        loop {
            let progress = decoder.decode_append_fatal(&bytes[at..], &mut reading.text, is_whole);
            at += progress.read;
            let Status::Malformed(sequence) = progress.status else {
                return reading;
            };
            reading.malformed += 1;
            reading.first.get_or_insert(sequence.offset);
            reading.text.push('\u{FFFD}');
        }
    }

    /// Whether this is the same text. A window that is cut may end within a character in one of them.
    fn is_same(&self, other: &Self, is_whole: bool) -> bool {
        if is_whole {
            return self.text == other.text;
        }
        self.text.starts_with(&other.text) || other.text.starts_with(&self.text)
    }
}

/// Whether this is UTF-8 with a few malformed bytes.
///
/// Text in other encodings has characters that are valid UTF-8 by chance; eight for each malformed sequence it has not.
pub fn is_mostly_utf_8(bytes: &[u8]) -> bool {
    let (mut valid, mut malformed) = (0, 0);
    for chunk in bytes.utf8_chunks() {
        valid += chunk.valid().chars().filter(|one| !one.is_ascii()).count();
        malformed += usize::from(!chunk.invalid().is_empty());
        if malformed >= 16 && valid < 8 * malformed {
            return false;
        }
    }
    valid >= 8 * malformed
}
