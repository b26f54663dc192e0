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
    let mut document = decide(bytes, hints)?;
    if row.operation == Operation::IsomorphicDecode {
        let text = bytes.iter().map(|&byte| char::from(byte));
        document.text.extend(text);
        return Ok(document);
    }
    let decision = document.decision;
    debug_assert!(decision.bom_length == 0 || row.bom != BomRule::Keep);
    let mut decoder = Decoder::new(decision.encoding, BomHandling::Keep);
    let body = &bytes[decision.bom_length..];
    let is_fatal = row.errors == ErrorRule::Fatal;
    let each = collect(&mut document.errors, &mut document.malformed);
    let text = &mut document.text;
    decision.decode(&mut decoder, is_fatal, body, text, true, each)?;
    Ok(document)
}

/// Decides the encoding, including a late `meta` that changes it. The document has no text yet.
fn decide(bytes: &[u8], hints: &Hints) -> Result<Document, DocumentError> {
    let mut decision = sniff(bytes, hints)?;
    let late_meta = late_meta(bytes, hints.context, &decision);
    if let Some(encoding) = late_meta {
        decision.change(encoding);
    }
    Ok(Document {
        text: String::new(),
        decision,
        errors: Vec::new(),
        malformed: 0,
        late_meta,
    })
}

/// Returns a function that counts malformed sequences, and keeps the first ones.
fn collect(
    errors: &mut Vec<MalformedSequence>,
    malformed: &mut u64,
) -> impl FnMut(MalformedSequence) {
    |sequence| {
        *malformed += 1;
        if errors.len() < Document::MOST_ERRORS {
            errors.push(sequence);
        }
    }
}

/// Decodes as [`decode_document`], with a map from the text to the bytes.
pub(super) fn decode_with_offsets(
    bytes: &[u8],
    hints: &Hints,
) -> Result<(Document, OffsetMap), DocumentError> {
    let mut document = decide(bytes, hints)?;
    let Decision {
        encoding,
        bom_length,
        ..
    } = document.decision;
    let bom = match bom_length {
        0 => BomHandling::Keep,
        _ => BomHandling::Remove,
    };
    let options = OffsetMapOptions::default().bom(bom);
    let each = collect(&mut document.errors, &mut document.malformed);
    let mut builder = OffsetMapBuilder::with_options(encoding, options).on_malformed(each);
    builder.decode_append(bytes, &mut document.text, true);
    let map = builder.into_map();
    match document.errors.first() {
        Some(&first) if hints.context.row().errors == ErrorRule::Fatal => {
            Err(DocumentError::Malformed(DecodeError::new(encoding, first)))
        }
        _ => Ok((document, map)),
    }
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
