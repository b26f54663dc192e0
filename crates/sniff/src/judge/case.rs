//! Judges one document: its declarations, its bytes, and their agreement.

use super::super::contexts::{BomRule, Sniffing};
use super::super::decision::is_utf_16;
use super::super::declared::{self, LateDeclaration};
use super::super::detect::{Content, DetectHints, Detector, Guess, Ranking};
use super::super::html::LateMeta;
use super::super::xml::XmlError;
use super::super::{
    Confidence, Context, Decision, Hints, Source, bom, html, sniff, sniff_leniently,
};
use super::reading::Reading;
use super::{CONFIDENCE, Declared, Judgement, NUL_LIMIT, Policy, WELL_FORMED};
use mojika::{Encoding, UTF_8};

/// Returns the hints for detection, with the restrictions of the policy.
pub(super) fn detect_hints<'h>(hints: DetectHints<'h>, policy: &Policy<'h>) -> DetectHints<'h> {
    DetectHints {
        allowed: policy.allowed,
        denied: policy.denied,
        extended: policy.extended,
        ..hints
    }
}

/// Returns a decision that later bytes may overturn.
pub(super) fn tentative(encoding: &'static Encoding, source: Source) -> Decision {
    Decision {
        encoding,
        source,
        confidence: Confidence::Tentative,
        bom_length: 0,
    }
}

/// The minimum number of non-ASCII bytes at which several guesses together may contradict a declaration.
const MIN_BYTES_AGAINST: usize = 3;

/// The input of a judgement.
pub(super) struct Case<'c> {
    pub head: &'c [u8],
    pub window: &'c [u8],
    /// The offset of the window in the document.
    pub offset: u64,
    /// True if the document ends with the window.
    pub is_whole: bool,
    pub detector: &'c Detector,
    pub later: Later<'c>,
}

/// A declaration after the bytes that [`sniff`] reads: in a `meta`, or in a text file.
pub(super) enum Later<'c> {
    Whole(&'c [u8]),
    Pieces(&'c LateMeta, &'c LateDeclaration),
}

impl Later<'_> {
    fn meta(&self) -> Option<&'static Encoding> {
        match self {
            Self::Whole(bytes) => html::prescan_all(bytes)
                .filter(|found| found.source == Source::Meta)
                .map(|found| found.encoding),
            Self::Pieces(late, _) => late.found(),
        }
    }

    /// Returns the encoding that a declaration in the text names. `is_whole` is true if the document has ended.
    fn declaration(&self, is_whole: bool) -> Option<&'static Encoding> {
        match self {
            // The head is the whole document, and has been searched already.
            Self::Whole(bytes) if bytes.len() < declared::HEAD_LENGTH => None,
            Self::Whole(bytes) => declared::find_in(bytes, is_whole),
            Self::Pieces(_, late) => late.found(is_whole),
        }
    }
}

impl Case<'_> {
    pub fn conclude(&self, hints: &Hints, policy: &Policy) -> Result<Judgement, XmlError> {
        let ranking = if hints.detect && hints.user_override.is_none() {
            self.ranking(hints.for_detection(), policy)
        } else {
            Ranking::empty()
        };
        // Control characters alone do not turn ASCII into UTF-16, UTF-32 or binary data.
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
        let is_wide = |guess: &Guess| is_wide(guess.encoding);
        if !is_said && hints.detect && !policy.by_table && !ranking.first().is_some_and(is_wide) {
            let late = if row.may_change {
                self.later.meta().map(|encoding| (encoding, Source::Meta))
            } else if hints.context == Context::PlainText {
                let declared = self.later.declaration(self.is_whole);
                declared.map(|encoding| (encoding, Source::Declaration))
            } else {
                None
            };
            if let Some((encoding, source)) = late {
                judgement.decision = tentative(encoding, source);
            }
        }
        match judgement.decision.source {
            Source::Override => {}
            Source::Locale | Source::Default => self.guess(hints, policy, &mut judgement),
            _ => self.compare(policy, &mut judgement),
        }
        Ok(judgement)
    }

    fn ranking(&self, hints: DetectHints<'_>, policy: &Policy) -> Ranking {
        self.detector.finish(&detect_hints(hints, policy))
    }

    /// True if the bytes are malformed in this encoding and fit another encoding better.
    pub fn contradicts(&self, encoding: &'static Encoding, policy: &Policy) -> bool {
        let mut judgement = Judgement::utf_8();
        judgement.ranking = self.ranking(DetectHints::default(), policy);
        judgement.decision.encoding = encoding;
        // An encoding with units of two bytes was found by its byte order mark, not guessed.
        judgement.decision.source = Source::Bom;
        let policy = Policy {
            distrust_declared: false,
            ..*policy
        };
        self.compare(&policy, &mut judgement);
        judgement.malformed.is_some()
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
                    && is_same_in(window, self.is_whole);
            has_same_text == is_same
        });
        guesses.map(|guess| guess.probability).sum()
    }

    /// Decides by declarations alone.
    pub fn said(&self, hints: &Hints, policy: &Policy) -> Result<Decision, XmlError> {
        let is_of_utf_16 = hints.user_override.is_some_and(is_utf_16);
        if hints.context.row().bom == BomRule::Sniff
            && !policy.by_table
            && hints.context != Context::XmlParser
            && !is_of_utf_16
            // For a page or a style sheet, the standards need only the byte order mark.
            && (self.head.len() > 4 || hints.sniffing() == Sniffing::Text)
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

    /// Guesses from the bytes, if the hints allow it.
    fn guess(&self, hints: &Hints, policy: &Policy, judgement: &mut Judgement) {
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
        let best = judgement.ranking.first();
        judgement.probability = Some(match best {
            // The default by the standards is UTF-8, so another guess needs a high probability.
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
                *decision = tentative(guess.encoding, Source::Detection);
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

    /// Returns the probability that the text of a guess is right. It is the sum over all guesses with the same text.
    fn of_text(&self, guess: &Guess, ranking: &Ranking) -> f32 {
        if guess.probability >= CONFIDENCE || ranking.len() < 2 {
            return guess.probability;
        }
        let text = Reading::of(guess.encoding, self.window, self.is_whole);
        self.total(ranking, &text, self.window, true).min(1.0)
    }

    /// True if the bytes in the window are ASCII, without U+0000 at the start.
    fn is_ascii(&self) -> bool {
        self.window.is_ascii() && !self.has_nul()
    }

    fn has_nul(&self) -> bool {
        let start = &self.window[..self.window.len().min(NUL_LIMIT)];
        memchr::memchr(0, start).is_some()
    }

    /// Compares a declaration with the bytes.
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
        let as_declared = Reading::of(declared, window, self.is_whole);
        let as_shown = Reading::of(guess, window, self.is_whole);
        if as_declared.is_same(&as_shown, self.is_whole) {
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
            judgement.decision = tentative(guess, Source::Detection);
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
