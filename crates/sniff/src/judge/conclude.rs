//! The conclusion on one document: its declarations, its bytes, and their agreement.

use super::super::contexts::{BomRule, Sniffing};
use super::super::detect::{Content, DetectHints, Guess, Ranking};
use super::super::hints::is_utf_16;
use super::super::xml::XmlError;
use super::super::{Confidence, Context, Decision, Hints, Source, bom, sniff, sniff_leniently};
use super::{CONFIDENCE, Judge, Judgement, NUL_LIMIT, WELL_FORMED};
use alloc::string::String;
use mojika::{BomHandling, Decoder, Encoding, Status, UTF_8};

/// True if a declaration or another source decides without the bytes.
pub(super) fn is_said(decision: &Decision) -> bool {
    !matches!(
        decision.source,
        Source::Environment | Source::Locale | Source::Default
    )
}

/// The minimum number of non-ASCII bytes at which several guesses together may contradict a declaration.
const MIN_BYTES_AGAINST: usize = 3;

impl Judge<'_> {
    /// Returns the hints for detection, with the restrictions of the policy.
    pub(super) fn detect_hints(&self) -> DetectHints<'_> {
        DetectHints {
            allowed: self.policy.allowed,
            denied: self.policy.denied,
            extended: self.policy.extended,
            ..self.hints.for_detection()
        }
    }

    /// Returns the judgement on all bytes that were fed.
    ///
    /// # Errors
    ///
    /// Fails with [`XmlError`] as [`judge`](super::judge()) does.
    pub fn finish(&self) -> Result<Judgement, XmlError> {
        let Self { hints, policy, .. } = self;
        let mut ranking = if hints.detect && hints.user_override.is_none() {
            self.detector.finish(&self.detect_hints())
        } else {
            Ranking::empty()
        };
        // Control characters alone do not turn ASCII into UTF-16, UTF-32 or binary data.
        let is_misled = match ranking.first() {
            Some(guess) => is_wide(guess.encoding),
            None => ranking.content() == Content::Binary && ranking.format().is_none(),
        };
        if is_misled && self.has_only_ascii() {
            ranking = Ranking::empty();
        }
        let is_wide = |guess: &Guess| is_wide(guess.encoding);
        let may_be_late = hints.detect && !policy.by_table && !ranking.first().is_some_and(is_wide);
        let mut judgement = Judgement {
            decision: self.said()?,
            ranking,
            ..Judgement::utf_8()
        };
        if may_be_late && !is_said(&judgement.decision) {
            // Only one of the two searches has read the document.
            let meta = self.late_meta.found().map(|found| (found, Source::Meta));
            let declared = || self.late_declaration.found(!self.is_full);
            let late = meta.or_else(|| declared().map(|found| (found, Source::Declaration)));
            if let Some((encoding, source)) = late {
                judgement.decision = Decision::tentative(encoding, source);
            }
        }
        match judgement.decision.source {
            Source::Override => {}
            Source::Locale | Source::Default => self.guess(&mut judgement),
            _ => self.compare(&mut judgement),
        }
        Ok(judgement)
    }

    /// Returns the total probability of the guesses that give this text, or of the others.
    fn total(&self, ranking: &Ranking, text: &Reading, window: &[u8], is_same: bool) -> f32 {
        // Most texts differ near the start.
        const START: usize = 1024;
        let guesses = ranking.iter().filter(|guess| {
            let is_same_in = |bytes: &[u8], is_whole| {
                Reading::of(guess.encoding, bytes, is_whole).is_same(text, is_whole)
            };
            let has_same_text = guess.encoding == text.encoding
                || (window.len() <= START || is_same_in(&window[..START], false))
                    && is_same_in(window, !self.is_full);
            has_same_text == is_same
        });
        guesses.map(|guess| guess.probability).sum()
    }

    /// Decides by declarations alone.
    pub(super) fn said(&self) -> Result<Decision, XmlError> {
        let Self { hints, policy, .. } = self;
        let is_of_utf_16 = hints.user_override.is_some_and(is_utf_16);
        if hints.context.row().bom == BomRule::Sniff
            && !policy.by_table
            && hints.context != Context::XmlParser
            && !is_of_utf_16
            // For a page or a style sheet, the standards need only the byte order mark.
            && (self.head.len() > 4 || hints.sniffing() == Sniffing::Text)
            && let Some(bom) = bom::of_text(&self.head).filter(|bom| bom.length == 4)
        {
            return Ok(bom.into());
        }
        let undetected = Hints {
            detect: false,
            ..*hints
        };
        match sniff(&self.head, &undetected) {
            Err(error) if policy.distrust_declared => Ok(Decision {
                encoding: error.fallback.unwrap_or(UTF_8),
                source: match error.bom_length {
                    0 => Source::Default,
                    _ => Source::Bom,
                },
                confidence: Confidence::Tentative,
                bom_length: error.bom_length,
            }),
            Err(_) if policy.like_browsers => Ok(sniff_leniently(&self.head, &undetected)),
            said => said,
        }
    }

    /// Guesses from the bytes, if the hints allow it.
    fn guess(&self, judgement: &mut Judgement) {
        let Self { hints, policy, .. } = self;
        if !hints.detect {
            return;
        }
        let decision = &mut judgement.decision;
        let row = hints.context.row();
        let is_guessing = matches!(hints.sniffing(), Sniffing::Html | Sniffing::Text);
        // Text files come from any program, not only from software for the Web.
        let is_file = !policy.by_table
            && matches!(
                hints.context,
                Context::XmlParser | Context::CssFromDocument | Context::ClassicScript
            );
        let is_utf_8 = || Reading::of(UTF_8, &self.window, !self.is_full).malformed == 0;
        let best = judgement.ranking.first();
        judgement.probability = Some(match best {
            Some(guess) if !is_guessing && guess.encoding == decision.encoding => guess.probability,
            // The default by the standards is UTF-8, so another guess for UTF-8 needs a high probability.
            Some(guess)
                if !is_guessing
                    && (!is_file || guess.probability < policy.confidence && is_utf_8()) =>
            {
                0.0
            }
            Some(guess) if row.legacy => {
                *decision = Decision::tentative(guess.encoding, Source::Detection);
                self.of_text(guess, &judgement.ranking)
            }
            // Only UTF-8 is possible here, whatever the bytes suggest.
            Some(guess) => {
                judgement.contradiction = Some(guess.encoding);
                0.0
            }
            None if judgement.ranking.content() == Content::Ascii => 1.0,
            // The bytes have more control characters than text usually has, but they are well-formed UTF-8.
            None if judgement.ranking.content() == Content::Binary
                && (policy.is_text
                    || judgement.ranking.format().is_none() && !self.starts_with_nul())
                && !policy.denied.contains(&UTF_8)
                && is_utf_8() =>
            {
                *decision = Decision {
                    bom_length: decision.bom_length,
                    ..Decision::tentative(UTF_8, Source::Detection)
                };
                WELL_FORMED
            }
            None => 0.0,
        });
    }

    /// Returns the probability that the text of a guess is right. It is the sum over all guesses with the same text.
    fn of_text(&self, guess: &Guess, ranking: &Ranking) -> f32 {
        if guess.probability >= CONFIDENCE || ranking.len() < 2 {
            return guess.probability;
        }
        let text = Reading::of(guess.encoding, &self.window, !self.is_full);
        self.total(ranking, &text, &self.window, true).min(1.0)
    }

    /// True if the bytes in the window are ASCII, without U+0000 at the start.
    fn has_only_ascii(&self) -> bool {
        self.window.is_ascii() && !self.starts_with_nul()
    }

    fn starts_with_nul(&self) -> bool {
        let start = &self.window[..self.window.len().min(NUL_LIMIT)];
        memchr::memchr(0, start).is_some()
    }

    /// Compares a declaration with the bytes.
    pub(super) fn compare(&self, judgement: &mut Judgement) {
        let policy = &self.policy;
        let Decision {
            encoding: declared,
            source,
            bom_length,
            ..
        } = judgement.decision;
        judgement.declared = Some(judgement.decision);
        let (guess, probability) = match judgement.ranking.first() {
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
        // The declaration was read as EBCDIC. Detection knows fewer code pages, so it cannot contradict.
        let is_ebcdic = !declared.is_ascii_compatible() && !is_wide(declared);
        if source == Source::XmlDeclaration && is_ebcdic || guess == declared {
            return;
        }
        let skipped = match self.offset {
            0 => bom_length.min(self.window.len()),
            _ => 0,
        };
        let window = &self.window[skipped..];
        let as_declared = Reading::of(declared, window, !self.is_full);
        let as_shown = Reading::of(guess, window, !self.is_full);
        if as_declared.is_same(&as_shown, !self.is_full) {
            return;
        }
        // UTF-16 is rarely malformed, whatever the bytes are.
        let is_impossible = is_wide(declared) && !is_wide(guess) && source != Source::Bom;
        // ASCII is no evidence of UTF-8: it may be ISO-2022-JP, whose escape sequences are ASCII.
        let is_damaged_utf_8 = declared == UTF_8 && !window.is_ascii() && is_mostly_utf_8(window);
        if is_impossible || as_declared.malformed > as_shown.malformed && !is_damaged_utf_8 {
            judgement.malformed = Some(match as_declared.first {
                Some(first) if !is_impossible => self.offset + skipped as u64 + first,
                // The whole window is compared, from its first unit on.
                _ => 0,
            });
        }
        let not_as_declared = if is_damaged_utf_8 {
            0.0
        } else if judgement.malformed.is_some() || probability >= policy.confidence {
            // The first guess is probable enough without the others.
            probability
        } else if window.iter().filter(|byte| !byte.is_ascii()).count() < MIN_BYTES_AGAINST {
            0.0
        } else {
            self.total(&judgement.ranking, &as_declared, window, false)
        };
        if judgement.malformed.is_some() || not_as_declared >= policy.confidence {
            judgement.contradiction = Some(guess);
        }
        // A declaration may be wrong, so the user has to check. The value 0 is reserved for bytes that fit no encoding.
        if judgement.contradiction.is_some()
            && judgement.malformed.is_none()
            && source != Source::Bom
        {
            judgement.probability = Some((1.0 - not_as_declared).max(f32::EPSILON));
        }
        if policy.distrust_declared
            && judgement.contradiction.is_some()
            && probability >= policy.confidence
        {
            judgement.malformed = None;
            judgement.probability = Some(probability);
            judgement.decision = Decision::tentative(guess, Source::Detection);
            if declared == UTF_8 {
                // The byte order mark of UTF-8 is never part of the text.
                judgement.decision.bom_length = bom_length;
            }
        }
    }
}

/// True for UTF-16 and UTF-32.
pub fn is_wide(encoding: &Encoding) -> bool {
    encoding.code_unit_len() > 1 && encoding.bom().is_some()
}

/// True if `bytes` are UTF-8 with a few malformed bytes.
///
/// Text in other encodings has characters that are valid UTF-8 by chance, but fewer than eight per malformed sequence.
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

/// The text of a document in one encoding.
struct Reading {
    encoding: &'static Encoding,
    text: String,
    malformed: u64,
    /// The offset of the first malformed sequence.
    first: Option<u64>,
}

impl Reading {
    /// Decodes bytes; `is_whole` is true if the document ends with them.
    fn of(encoding: &'static Encoding, mut bytes: &[u8], is_whole: bool) -> Self {
        let mut decoder = Decoder::new(encoding, BomHandling::Keep);
        let mut reading = Self {
            encoding,
            text: String::new(),
            malformed: 0,
            first: None,
        };
        loop {
            let progress = decoder.decode_append_fatal(bytes, &mut reading.text, is_whole);
            bytes = &bytes[progress.read..];
            let Status::Malformed(sequence) = progress.status else {
                return reading;
            };
            reading.malformed += 1;
            reading.first.get_or_insert(sequence.offset);
            reading.text.push('\u{FFFD}');
        }
    }

    /// True if both texts are the same. If the window is truncated, it may end within a character of either encoding.
    fn is_same(&self, other: &Self, is_whole: bool) -> bool {
        if is_whole {
            return self.text == other.text;
        }
        self.text.starts_with(&other.text) || other.text.starts_with(&self.text)
    }
}
