//! The rules of a decision: from byte order mark, override, transport, declaration, environment, detection, locale and default.
//!
//! The order of these sources is defined only in this module.

use super::contexts::{BomRule, Context, Fallback, Row, Sniffing};
use super::xml::{self, XmlError};
use super::{
    Decision, Source, bom, css, declared, detect, encoding_for_name, html, mime, transport,
};
use mojika::extended::ISO_8859_1;
use mojika::{Encoding, UTF_8, UTF_16BE, UTF_16LE};

/// Facts about a document that its bytes do not show.
#[derive(Clone, Copy, Debug)]
pub struct Hints<'a> {
    /// The context in which the document is read.
    pub context: Context,
    /// The user's choice.
    pub user_override: Option<&'static Encoding>,
    /// The transport's Content-Type, or a bare label.
    pub transport: Option<&'a [u8]>,
    /// The encoding that the reference declares: `<link charset>`, `<script charset>`.
    pub explicit_environment: Option<&'static Encoding>,
    /// The encoding of the referring resource: the parent document or the importing style sheet.
    pub implied_environment: Option<&'static Encoding>,
    /// The encoding of the page at the reader's last visit; used only in HTML, after the environment.
    pub history: Option<&'static Encoding>,
    /// The reader's locale, as a BCP 47 tag.
    pub locale: Option<&'a str>,
    /// The top-level domain or the host that the document came from.
    pub tld: Option<&'a str>,
    /// True if encodings may be guessed from the bytes, in contexts that allow it.
    pub detect: bool,
}

impl Default for Hints<'_> {
    fn default() -> Self {
        Self::new(Context::PlainText)
    }
}

impl Hints<'_> {
    /// Returns hints with only the context.
    pub fn new(context: Context) -> Self {
        Self {
            context,
            user_override: None,
            transport: None,
            explicit_environment: None,
            implied_environment: None,
            history: None,
            locale: None,
            tld: None,
            detect: true,
        }
    }

    /// Returns the hints that detection uses.
    pub(super) fn for_detection(&self) -> detect::DetectHints<'_> {
        detect::DetectHints {
            tld: self.tld,
            locale: self.locale,
            strip_markup: self.sniffing() == Sniffing::Html,
            ..Default::default()
        }
    }

    /// Returns the declaration to read.
    pub(super) fn sniffing(&self) -> Sniffing {
        self.row().sniffing
    }

    /// Returns the row of the context. If that depends on the type, it is the row for documents of the transport's type.
    fn row(&self) -> &'static Row {
        let of_type = || {
            let essence = transport::essence(self.transport?)?;
            mime::context_for_essence(essence).map(Context::row)
        };
        let row = self.context.row();
        let of_type = (row.sniffing == Sniffing::ByType).then(of_type);
        of_type.flatten().unwrap_or(row)
    }

    /// True if a browser reads the document, instead of an XML processor or a program for text files.
    fn is_of_browser(&self) -> bool {
        !matches!(self.context, Context::XmlParser | Context::PlainText)
    }

    /// Returns the number of bytes that [`sniff`] reads at most.
    pub fn head_length(&self) -> usize {
        match self.sniffing() {
            Sniffing::Html | Sniffing::Text if self.detect => detect::SAMPLE_LENGTH,
            Sniffing::Html | Sniffing::XhrHtml => html::HEAD_LENGTH,
            Sniffing::Xml => xml::HEAD_LENGTH,
            Sniffing::Css => css::HEAD_LENGTH,
            Sniffing::Text if self.context == Context::PlainText => declared::HEAD_LENGTH,
            Sniffing::Text | Sniffing::ByType | Sniffing::None => match self.context.row().bom {
                BomRule::SniffUcs4 => bom::HEAD_LENGTH,
                _ => 4,
            },
        }
    }

    /// Returns the number of bytes that suffice if a document has a byte order mark or a declaration at its start.
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
/// `bytes` is the document or its first [`Hints::head_length`] bytes; later bytes are ignored. An XML document that
/// contradicts itself is an error in the context of the XML parser. In other contexts, it is read as browsers do.
///
/// # Errors
///
/// Fails with [`XmlError`] if the context is [`Context::XmlParser`] and [`xml::sniff`](crate::xml::sniff) fails.
///
/// ```
/// use mojika_sniff::{Context, Hints, Source, sniff};
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
/// # Ok::<(), mojika_sniff::xml::XmlError>(())
/// ```
pub fn sniff(bytes: &[u8], hints: &Hints) -> Result<Decision, XmlError> {
    let is_strict = hints.context == Context::XmlParser;
    decide(bytes, hints, is_strict)
}

/// Decides as [`sniff`], but never fails: an XML document that contradicts itself is read as browsers do.
pub fn sniff_leniently(bytes: &[u8], hints: &Hints) -> Decision {
    decide(bytes, hints, false).unwrap_or(Decision::certain(UTF_8, Source::Default))
}

fn decide(bytes: &[u8], hints: &Hints, is_strict: bool) -> Result<Decision, XmlError> {
    let row = hints.context.row();
    let sniffing = hints.sniffing();
    let is_guessing = matches!(sniffing, Sniffing::Html | Sniffing::Text);
    let certain = |encoding, source| Ok(Decision::certain(encoding, source));
    let weak = match is_guessing {
        true => Decision::tentative,
        false => Decision::certain,
    };

    let is_xml = sniffing == Sniffing::Xml;
    let is_of_browser = hints.is_of_browser();
    // Section 15 of the Encoding Standard: the user cannot choose UTF-16.
    let chosen = hints
        .user_override
        .filter(|&encoding| row.user_override && !(is_of_browser && is_utf_16(encoding)));
    let header = hints.transport.filter(|_| row.transport);
    let mut buffer = [0; transport::MAX_VALUE];
    let label = header.and_then(|header| transport::label(header, &mut buffer));
    let open_order = label
        .filter(|_| is_xml && is_strict)
        .and_then(|label| xml::encoding_for_open_order(label, bytes));
    let transported = open_order.or_else(|| {
        label
            .and_then(encoding_for_name)
            // Browsers support only the Encoding Standard's encodings.
            .filter(|&encoding| !is_of_browser || Encoding::all().contains(&encoding))
    });

    // 1. The byte order mark.
    let marked = match row.bom {
        BomRule::Sniff if is_xml && is_strict => bom::xml(bytes),
        BomRule::Sniff => bom::standard(bytes),
        BomRule::SniffUcs4 => bom::of_text(bytes),
        BomRule::Remove | BomRule::NotStated | BomRule::Keep => None,
    };
    if let Some(bom) = marked {
        // XML 1.0, section 4.3.3: without external information, the declaration must agree with the mark.
        if is_xml && is_strict && chosen.or(transported).is_none() {
            xml::sniff(bytes)?;
        }
        return Ok(bom.into());
    }
    // 2. The user.
    if let Some(encoding) = chosen {
        // Section 15 of the Encoding Standard: the user's override does not apply to a document in UTF-16.
        let unchosen = Hints {
            user_override: None,
            // Browsers do not detect UTF-16.
            detect: false,
            ..*hints
        };
        if is_of_browser
            && let Ok(decision) = decide(bytes, &unchosen, is_strict)
            && is_utf_16(decision.encoding)
        {
            return Ok(decision);
        }
        return certain(encoding, Source::Override);
    }
    // 3. The transport.
    if let Some(encoding) = transported {
        return certain(encoding, Source::Transport);
    }
    // 4. The document's declaration.
    match sniffing {
        Sniffing::Html | Sniffing::XhrHtml => {
            if let Some(found) = html::prescan(bytes) {
                return Ok(weak(found.encoding, found.source));
            }
        }
        Sniffing::Xml => {
            let found = if is_strict {
                xml::sniff(bytes)?
            } else {
                xml::sniff_like_browsers(bytes)
            };
            if found.source != Source::Default {
                return Ok(found);
            }
        }
        Sniffing::Css => {
            if let Some(encoding) = css::charset(bytes) {
                return certain(encoding, Source::CssCharset);
            }
        }
        // No Web standard reads these declarations, so they apply only to text files.
        Sniffing::Text if hints.context == Context::PlainText => {
            let is_whole = bytes.len() < declared::HEAD_LENGTH;
            if let Some(encoding) = declared::find(bytes, is_whole) {
                return Ok(weak(encoding, Source::Declaration));
            }
        }
        Sniffing::Text | Sniffing::ByType | Sniffing::None => {}
    }
    // 5 and 6. The environment.
    let fallback = hints.row().fallback;
    if fallback == Fallback::Environment {
        let is_html = sniffing == Sniffing::Html;
        let implied = hints
            .implied_environment
            // HTML Standard: UTF-16 is not inherited.
            .filter(|&encoding| !(is_html && is_utf_16(encoding)));
        // HTML Standard: "the encoding of the page when it was last visited".
        let history = hints.history.filter(|_| is_html);
        if let Some(encoding) = hints.explicit_environment.or(implied).or(history) {
            let decision = weak(encoding, Source::Environment);
            return Ok(with_own_bom(decision, row.bom, bytes));
        }
    }
    if is_guessing {
        // 7. Detection.
        if hints.detect
            && let Some(guess) = detect_encoding(bytes, hints)
        {
            return Ok(weak(guess, Source::Detection));
        }
        // 8. The locale.
        if let Some(locale) = hints.locale {
            return Ok(weak(html::encoding_for_locale(locale), Source::Locale));
        }
    }
    // 9. UTF-8, or no encoding at all.
    let encoding = match fallback {
        Fallback::Utf8 | Fallback::Environment => UTF_8,
        Fallback::Isomorphic => ISO_8859_1,
    };
    let decision = weak(encoding, Source::Default);
    Ok(with_own_bom(decision, row.bom, bytes))
}

/// Adds the length of the encoding's byte order mark, if the context removes it.
fn with_own_bom(decision: Decision, rule: BomRule, bytes: &[u8]) -> Decision {
    let own = bom::standard(bytes).filter(|bom| {
        matches!(rule, BomRule::Remove | BomRule::NotStated) && bom.encoding == decision.encoding
    });
    Decision {
        bom_length: own.map_or(0, |bom| bom.length),
        ..decision
    }
}

pub(super) fn is_utf_16(encoding: &Encoding) -> bool {
    encoding == UTF_16LE || encoding == UTF_16BE
}

fn detect_encoding(bytes: &[u8], hints: &Hints) -> Option<&'static Encoding> {
    let is_html = hints.sniffing() == Sniffing::Html;
    let head = &bytes[..bytes.len().min(detect::SAMPLE_LENGTH)];
    let ranking = detect::detect(head, &hints.for_detection());
    ranking
        .iter()
        .map(|guess| guess.encoding)
        // HTML has no UTF-32.
        .find(|encoding| !(is_html && encoding.code_unit_len() == 4))
}
