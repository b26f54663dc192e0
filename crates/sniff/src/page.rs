//! Whole documents: from bytes to text with the reason, for crawlers and indexers.

use super::contexts::{BomRule, Context, ErrorRule, Operation};
use super::{Confidence, Decision, Hints, Source, html, sniff, xml};
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use mojika::offsets::{OffsetMap, OffsetMapBuilder, OffsetMapOptions};
use mojika::{BomHandling, DecodeError, Decoder, Encoding, MalformedSequence, Status};

/// The text of a document, with the reason for its encoding.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Document {
    /// The text, without a byte order mark.
    pub text: String,
    /// The encoding and the reason.
    pub decision: Decision,
    /// The first [`Document::MOST_ERRORS`] malformed sequences. The text has a U+FFFD for each; offsets count from the
    /// start of the document.
    pub errors: Vec<MalformedSequence>,
    /// The number of malformed sequences.
    pub malformed: u64,
    /// The encoding of a `meta` after the prescanned bytes, if it contradicts a tentative decision, which is by the
    /// environment, detection, the locale or the default. `decision` then has this encoding, and the `meta` as source.
    ///
    /// A browser decodes the page again in this case (HTML Standard, "changing the encoding while parsing").
    pub late_meta: Option<&'static Encoding>,
}

impl Document {
    /// The maximum length of [`Document::errors`], which bounds the memory for binary data.
    pub const MOST_ERRORS: usize = 10_000;
}

/// The reason why a document cannot be decoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum DocumentError {
    /// An XML document contradicts itself.
    Xml(xml::XmlError),
    /// The context's error mode is "fatal", and the text has a malformed sequence.
    Malformed(DecodeError),
}

impl fmt::Display for DocumentError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DocumentError::Xml(error) => error.fmt(f),
            DocumentError::Malformed(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for DocumentError {}

impl From<xml::XmlError> for DocumentError {
    fn from(error: xml::XmlError) -> Self {
        DocumentError::Xml(error)
    }
}

/// Decides the encoding of a document and decodes it by the rules of its context.
///
/// # Errors
///
/// Fails with [`DocumentError`] if text is malformed in a "fatal" context, or if an XML document contradicts itself.
///
/// ```
/// use mojika_sniff::{Context, Hints, decode_document};
///
/// let page = b"<meta charset=sjis>\x95\xB6\x8E\x9A";
/// let document = decode_document(page, &Hints::new(Context::HtmlParser))?;
/// assert_eq!(document.text, "<meta charset=sjis>文字");
/// assert!(document.errors.is_empty());
/// # Ok::<(), mojika_sniff::DocumentError>(())
/// ```
pub fn decode_document(bytes: &[u8], hints: &Hints) -> Result<Document, DocumentError> {
    let row = hints.context.row();
    let (decision, late_meta) = decide(bytes, hints)?;
    let mut text = String::new();
    let (mut errors, mut malformed) = (Vec::new(), 0);
    if row.operation == Operation::IsomorphicDecode {
        text.extend(bytes.iter().map(|&byte| char::from(byte)));
    } else {
        debug_assert!(decision.bom_length == 0 || row.bom != BomRule::Keep);
        let mut decoder = Decoder::new(decision.encoding, BomHandling::Keep);
        let body = &bytes[decision.bom_length..];
        let is_fatal = row.errors == ErrorRule::Fatal;
        decision.decode(&mut decoder, is_fatal, body, &mut text, true, |sequence| {
            malformed += 1;
            if errors.len() < Document::MOST_ERRORS {
                errors.push(sequence);
            }
        })?;
    }
    Ok(Document {
        text,
        decision,
        errors,
        malformed,
        late_meta,
    })
}

/// Decides the encoding, including a late `meta` that changes it.
fn decide(
    bytes: &[u8],
    hints: &Hints,
) -> Result<(Decision, Option<&'static Encoding>), DocumentError> {
    let mut decision = sniff(bytes, hints)?;
    let late_meta = late_meta(bytes, hints.context, &decision);
    if let Some(encoding) = late_meta {
        decision.change(encoding);
    }
    Ok((decision, late_meta))
}

/// Decodes as [`decode_document`], for a page or a response, with a map from its text to the bytes.
pub(super) fn decode_with_offsets(
    bytes: &[u8],
    hints: &Hints,
) -> Result<(Document, OffsetMap), DocumentError> {
    let (decision, late_meta) = decide(bytes, hints)?;
    let bom = if decision.bom_length > 0 {
        BomHandling::Remove
    } else {
        BomHandling::Keep
    };
    let encoding = decision.encoding;
    let options = OffsetMapOptions::default().bom(bom);
    let (mut errors, mut malformed) = (Vec::new(), 0);
    let mut text = String::new();
    let mut builder = OffsetMapBuilder::with_options(encoding, options).on_malformed(|sequence| {
        malformed += 1;
        if errors.len() < Document::MOST_ERRORS {
            errors.push(sequence);
        }
    });
    builder.decode_append(bytes, &mut text, true);
    let map = builder.into_map();
    if hints.context.row().errors == ErrorRule::Fatal
        && let Some(&sequence) = errors.first()
    {
        return Err(DocumentError::Malformed(DecodeError::new(
            encoding, sequence,
        )));
    }
    let document = Document {
        text,
        decision,
        errors,
        malformed,
        late_meta,
    };
    Ok((document, map))
}

impl Decision {
    /// True if a `meta` after the prescanned bytes may change the encoding.
    pub(super) fn may_change(&self, context: Context) -> bool {
        self.confidence == Confidence::Tentative
            && context.row().may_change
            && self.encoding.is_ascii_compatible()
    }

    /// Changes the encoding to that of a late `meta`.
    pub(super) fn change(&mut self, encoding: &'static Encoding) {
        self.encoding = encoding;
        self.source = Source::Meta;
        self.confidence = Confidence::Certain;
    }

    /// Decodes the bytes after the byte order mark. For each malformed sequence, calls `each` and appends U+FFFD; if
    /// `is_fatal`, the first one is an error. Offsets of the sequences count from the start of the document.
    pub(super) fn decode(
        &self,
        decoder: &mut Decoder,
        is_fatal: bool,
        bytes: &[u8],
        text: &mut String,
        last: bool,
        mut each: impl FnMut(MalformedSequence),
    ) -> Result<(), DocumentError> {
        let mut at = 0;
        loop {
            let progress = decoder.decode_append_fatal(&bytes[at..], text, last);
            at += progress.read;
            let Status::Malformed(mut sequence) = progress.status else {
                return Ok(());
            };
            sequence.offset += self.bom_length as u64;
            if is_fatal {
                let encoding = self.encoding;
                return Err(DocumentError::Malformed(DecodeError::new(
                    encoding, sequence,
                )));
            }
            each(sequence);
            text.push('\u{FFFD}');
        }
    }
}

/// Returns the encoding of a `meta` after the prescanned bytes, if it contradicts the decision.
fn late_meta(bytes: &[u8], context: Context, decision: &Decision) -> Option<&'static Encoding> {
    if !decision.may_change(context) || html::prescan(bytes).is_some() {
        return None;
    }
    let found = html::prescan_all(bytes)?;
    let is_other = found.source == Source::Meta && found.encoding != decision.encoding;
    is_other.then_some(found.encoding)
}

/// A page of the Web for a crawler: address, Content-Type and body in chunks.
///
/// ```
/// use mojika_sniff::Page;
///
/// let mut page = Page::new("https://example.jp/", Some("text/html; charset=shift_jis"));
/// page.feed(b"<p>\x95\xB6\x8E");
/// page.feed(b"\x9A</p>");
/// let document = page.finish()?;
/// assert_eq!(document.text, "<p>文字</p>");
/// # Ok::<(), mojika_sniff::DocumentError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Page {
    content_type: Option<String>,
    url: String,
    body: Vec<u8>,
}

impl Page {
    /// Creates a page at an address, with the value of its Content-Type header.
    pub fn new(url: &str, content_type: Option<&str>) -> Self {
        Self {
            content_type: content_type.map(String::from),
            url: String::from(url),
            body: Vec::new(),
        }
    }

    /// Adds bytes of the body.
    pub fn feed(&mut self, chunk: &[u8]) {
        self.body.extend_from_slice(chunk);
    }

    /// Returns the body so far.
    pub fn body(&self) -> &[u8] {
        &self.body
    }

    /// Decides the encoding and decodes the body.
    ///
    /// # Errors
    ///
    /// Fails with [`DocumentError`] if an XML document contradicts itself or is malformed.
    pub fn finish(&self) -> Result<Document, DocumentError> {
        decode_document(&self.body, &self.hints())
    }

    /// Decides the encoding, decodes the body, and maps offsets in the text to offsets in the body.
    ///
    /// # Errors
    ///
    /// Fails with [`DocumentError`] as [`finish`](Self::finish) does.
    pub fn finish_with_offsets(&self) -> Result<(Document, OffsetMap), DocumentError> {
        decode_with_offsets(&self.body, &self.hints())
    }

    fn hints(&self) -> Hints<'_> {
        page_hints(&self.url, self.content_type.as_deref())
    }
}

/// Returns the hints for a page at an address, with the value of its Content-Type header.
pub(super) fn page_hints<'a>(url: &'a str, content_type: Option<&'a str>) -> Hints<'a> {
    let essence = content_type
        .and_then(|header| super::transport::essence(header.as_bytes()))
        .unwrap_or_default();
    let ends = |end: &[u8]| {
        let start = essence.len().saturating_sub(end.len());
        essence[start..].eq_ignore_ascii_case(end)
    };
    let is_xml = ends(b"+xml") || ends(b"/xml");
    Hints {
        transport: content_type.map(str::as_bytes),
        tld: tld_of(url),
        ..Hints::new(if is_xml {
            Context::XmlParser
        } else {
            Context::HtmlParser
        })
    }
}

/// Returns the last label of the host of an absolute URL.
pub(super) fn tld_of(url: &str) -> Option<&str> {
    let (_, rest) = url.split_once("://")?;
    let authority = rest.split(['/', '?', '#']).next()?;
    let host = authority.rsplit('@').next()?.split(':').next()?;
    let tld = host.trim_end_matches('.').rsplit('.').next()?;
    tld.starts_with(|first: char| first.is_ascii_alphabetic())
        .then_some(tld)
}
