//! The decision: byte order mark, override, transport, declaration, environment, detection, locale, default.
//!
//! This order stands here and nowhere else.

use super::contexts::{BomRule, Context, Fallback, Sniffing};
use super::source::Source;
use super::xml::{self, XmlError};
use super::{bom, css, declared, detect, html, transport};
use crate::extended::ISO_8859_1;
use crate::{Encoding, UTF_8, UTF_16BE, UTF_16LE};
use core::fmt;

/// Whether a later declaration in the document may change the encoding (HTML Standard, "confidence").
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Confidence {
    /// It stays.
    Certain,
    /// It may change.
    Tentative,
}

impl Confidence {
    /// `certain` or `tentative`.
    pub fn as_str(self) -> &'static str {
        match self {
            Confidence::Certain => "certain",
            Confidence::Tentative => "tentative",
        }
    }
}

impl fmt::Display for Confidence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// The encoding of a document, and why.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Decision {
    /// The encoding to decode with.
    pub encoding: &'static Encoding,
    /// What decided.
    pub source: Source,
    /// Whether it stays.
    pub confidence: Confidence,
    /// Length in bytes of the byte order mark to skip.
    pub bom_length: usize,
}

impl From<Decision> for &'static Encoding {
    fn from(decision: Decision) -> Self {
        decision.encoding
    }
}

/// What is known of a document besides its bytes.
#[derive(Clone, Copy, Debug)]
pub struct Hints<'a> {
    /// What the document is read as.
    pub context: Context,
    /// The user's choice.
    pub user_override: Option<&'static Encoding>,
    /// The transport's Content-Type, or a bare label.
    pub transport: Option<&'a [u8]>,
    /// What the reference says: `<link charset>`, `<script charset>`.
    pub explicit_environment: Option<&'static Encoding>,
    /// The encoding of the referring resource: the parent document or the importing style sheet.
    pub implied_environment: Option<&'static Encoding>,
    /// The reader's locale, as a BCP 47 tag.
    pub locale: Option<&'a str>,
    /// The top-level domain or the host that the document came from.
    pub tld: Option<&'a str>,
    /// Whether encodings may be guessed from the bytes, where the context allows it.
    pub detect: bool,
}

impl Default for Hints<'_> {
    fn default() -> Self {
        Self::new(Context::PlainText)
    }
}

impl Hints<'_> {
    /// Nothing but the context.
    pub fn new(context: Context) -> Self {
        Self {
            context,
            user_override: None,
            transport: None,
            explicit_environment: None,
            implied_environment: None,
            locale: None,
            tld: None,
            detect: true,
        }
    }

    /// What detection takes of this.
    pub(super) fn for_detection(&self) -> detect::DetectHints<'_> {
        detect::DetectHints {
            tld: self.tld,
            locale: self.locale,
            strip_markup: self.context.row().sniffing == Sniffing::Html,
            ..Default::default()
        }
    }

    /// How many bytes from the start of a document [`sniff`] reads at most.
    pub fn head_length(&self) -> usize {
        let row = self.context.row();
        match row.sniffing {
            Sniffing::Html | Sniffing::Text if self.detect => detect::SAMPLE_LENGTH,
            Sniffing::Html | Sniffing::XhrHtml => html::HEAD_LENGTH,
            Sniffing::Xml => xml::HEAD_LENGTH,
            Sniffing::Css => css::HEAD_LENGTH,
            Sniffing::Text if self.context == Context::PlainText => declared::HEAD_LENGTH,
            Sniffing::Text | Sniffing::ByType | Sniffing::None => match row.bom {
                BomRule::SniffUcs4 => bom::HEAD_LENGTH,
                _ => 4,
            },
        }
    }

    /// How many bytes decide where the document starts with a byte order mark or a declaration.
    pub fn declaration_length(&self) -> usize {
        let undetected = Self {
            detect: false,
            ..*self
        };
        undetected.head_length()
    }
}

/// Decides the encoding of a document.
///
/// `bytes` is the document or its first [`Hints::head_length`] bytes; nothing after them is read. An XML document
/// that contradicts itself is an error in the context of the XML parser, and read as browsers do in the others.
///
/// # Errors
///
/// [`XmlError`] in the context [`Context::XmlParser`].
///
/// ```
/// use mojika::sniff::{Context, Hints, Source, sniff};
///
/// let page = b"<!doctype html><meta charset=sjis>\x95\xB6\x8E\x9A";
/// let decision = sniff(page, &Hints::new(Context::HtmlParser))?;
/// assert_eq!((decision.encoding, decision.source), (mojika::SHIFT_JIS, Source::Meta));
///
/// let hints = Hints {
///     transport: Some(b"text/html; charset=utf-8"),
///     ..Hints::new(Context::HtmlParser)
/// };
/// assert_eq!(sniff(page, &hints)?.source, Source::Transport);
/// # Ok::<(), mojika::sniff::xml::XmlError>(())
/// ```
pub fn sniff(bytes: &[u8], hints: &Hints) -> Result<Decision, XmlError> {
    let is_strict = hints.context == Context::XmlParser;
    decide(bytes, hints, is_strict)
}

/// [`sniff`] that never fails: an XML document that contradicts itself is read as browsers read it.
pub fn sniff_leniently(bytes: &[u8], hints: &Hints) -> Decision {
    decide(bytes, hints, false).unwrap_or(Decision {
        encoding: UTF_8,
        source: Source::Default,
        confidence: Confidence::Certain,
        bom_length: 0,
    })
}

fn decide(bytes: &[u8], hints: &Hints, is_strict: bool) -> Result<Decision, XmlError> {
    let row = hints.context.row();
    let is_guessing = matches!(row.sniffing, Sniffing::Html | Sniffing::Text);
    let decision = |encoding, source, confidence| Decision {
        encoding,
        source,
        confidence,
        bom_length: 0,
    };
    let certain = |encoding, source| Ok(decision(encoding, source, Confidence::Certain));
    let weak = if is_guessing {
        Confidence::Tentative
    } else {
        Confidence::Certain
    };

    let is_xml = row.sniffing == Sniffing::Xml;
    let chosen = hints.user_override.filter(|_| row.user_override);
    // Browsers know the Encoding Standard's encodings alone.
    let knows_others = matches!(hints.context, Context::XmlParser | Context::PlainText);
    let transported = hints
        .transport
        .filter(|_| row.transport)
        .and_then(transport::encoding_for_label_or_content_type)
        .filter(|&encoding| knows_others || Encoding::all().contains(&encoding));

    // 1. The byte order mark.
    let marked = match row.bom {
        BomRule::Sniff if is_xml && is_strict => bom::xml(bytes),
        BomRule::Sniff => bom::standard(bytes),
        BomRule::SniffUcs4 => bom::of_text(bytes),
        BomRule::Remove | BomRule::NotStated | BomRule::Keep => None,
    };
    if let Some(bom) = marked {
        // XML 1.0, section 4.3.3: a declaration has to agree where there is no external information.
        if is_xml && is_strict && chosen.or(transported).is_none() {
            xml::sniff(bytes)?;
        }
        return Ok(Decision {
            encoding: bom.encoding,
            source: Source::Bom,
            confidence: Confidence::Certain,
            bom_length: bom.length,
        });
    }
    // 2. The user.
    if let Some(encoding) = chosen {
        return certain(encoding, Source::Override);
    }
    // 3. The transport.
    if let Some(encoding) = transported {
        return certain(encoding, Source::Transport);
    }
    // 4. What the document says.
    match row.sniffing {
        Sniffing::Html | Sniffing::XhrHtml => {
            if let Some(found) = html::prescan(bytes) {
                return Ok(decision(found.encoding, found.source, weak));
            }
        }
        Sniffing::Xml => {
            let found = if is_strict {
                xml::sniff(bytes)?
            } else {
                xml::sniff_like_browsers(bytes)
            };
            if found.source != Source::Default {
                return certain(found.encoding, found.source);
            }
        }
        Sniffing::Css => {
            if let Some(encoding) = css::charset(bytes) {
                return certain(encoding, Source::CssCharset);
            }
        }
        // Text files are no matter of the Web; the caller knows whether it has all of one.
        Sniffing::Text if hints.context == Context::PlainText => {
            let is_whole = bytes.len() < declared::HEAD_LENGTH;
            if let Some(encoding) = declared::find(bytes, is_whole) {
                return Ok(decision(encoding, Source::Declaration, weak));
            }
        }
        Sniffing::Text | Sniffing::ByType | Sniffing::None => {}
    }
    // 5 and 6. The environment.
    if row.fallback == Fallback::Environment {
        let implied = hints.implied_environment.filter(|&encoding| {
            // HTML Standard: UTF-16 is not inherited.
            row.sniffing != Sniffing::Html || (encoding != UTF_16BE && encoding != UTF_16LE)
        });
        if let Some(encoding) = hints.explicit_environment.or(implied) {
            return Ok(with_own_bom(
                decision(encoding, Source::Environment, weak),
                row.bom,
                bytes,
            ));
        }
    }
    if is_guessing {
        // 7. Detection.
        if hints.detect
            && let Some(guess) = detect_encoding(bytes, hints)
        {
            return Ok(decision(guess, Source::Detection, weak));
        }
        // 8. The locale.
        if let Some(locale) = hints.locale {
            return Ok(decision(
                html::encoding_for_locale(locale),
                Source::Locale,
                weak,
            ));
        }
    }
    // 9. UTF-8, or no encoding at all.
    let encoding = match row.fallback {
        Fallback::Utf8 | Fallback::Environment => UTF_8,
        Fallback::Isomorphic => ISO_8859_1,
    };
    Ok(with_own_bom(
        decision(encoding, Source::Default, weak),
        row.bom,
        bytes,
    ))
}

/// The decision with the encoding's own byte order mark, where the context removes it.
fn with_own_bom(decision: Decision, rule: BomRule, bytes: &[u8]) -> Decision {
    let own = bom::standard(bytes).filter(|bom| {
        matches!(rule, BomRule::Remove | BomRule::NotStated) && bom.encoding == decision.encoding
    });
    Decision {
        bom_length: own.map_or(0, |bom| bom.length),
        ..decision
    }
}

fn detect_encoding(bytes: &[u8], hints: &Hints) -> Option<&'static Encoding> {
    let is_html = hints.context.row().sniffing == Sniffing::Html;
    let head = &bytes[..bytes.len().min(detect::SAMPLE_LENGTH)];
    let ranking = detect::detect(head, &hints.for_detection());
    ranking
        .iter()
        .map(|guess| guess.encoding)
        // HTML has no UTF-32.
        .find(|encoding| !(is_html && encoding.name().starts_with("UTF-32")))
}
