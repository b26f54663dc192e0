//! A record as a document: its metadata and its text.

use super::decide::{BodyText, decide};
use super::http;
use super::reader::fields::Head;
use mojika_convert::decide::Question;
use mojika_sniff::Response;
use std::borrow::Cow;

/// The part of a document that is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum Shown {
    /// The whole document, with its markup
    #[default]
    Whole,
    /// Pages without markup, scripts and styles; other text unchanged
    Plain,
}

/// A document of an archive.
pub struct Document<'a> {
    pub url: Cow<'a, str>,
    pub date: Option<Cow<'a, str>>,
    pub record_id: Option<Cow<'a, str>>,
    /// WARC-Payload-Digest, as in the archive.
    pub digest: Option<Cow<'a, str>>,
    /// HTTP status.
    pub status: Option<u16>,
    /// The content type as stated.
    pub content_type: Option<Cow<'a, str>>,
    /// The type in lower case, without parameters.
    pub essence: String,
    pub text: BodyText<'a>,
    /// The reason why a part of the body is missing.
    pub damage: Option<String>,
    /// The visible text, if requested.
    plain: Option<String>,
}

impl Document<'_> {
    /// Returns the requested text.
    pub fn shown(&self) -> &str {
        self.plain.as_deref().unwrap_or(&self.text.text)
    }
}

/// The reason why a record is not a document.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoDocument {
    /// The record is of another type, which is given, such as "request" or "metadata".
    Type(String),
    /// The content is not text; the string is its type.
    Binary(String),
}

/// Fails unless records with this header can be documents.
///
/// # Errors
///
/// Fails with the record's type.
pub fn is_candidate(head: &Head<'_>) -> Result<(), NoDocument> {
    let kind = head.get("WARC-Type").unwrap_or_default();
    if kind.eq_ignore_ascii_case(b"response") || kind.eq_ignore_ascii_case(b"resource") {
        return Ok(());
    }
    let kind = lossy(kind).to_ascii_lowercase();
    Err(NoDocument::Type(if kind.is_empty() {
        "without a type".to_owned()
    } else {
        kind
    }))
}

/// The parts of a record's block.
pub struct Content<'a> {
    pub http: Option<http::Response<'a>>,
    pub response: Response,
    /// The body without codings.
    pub body: Cow<'a, [u8]>,
    pub damage: Option<String>,
    pub content_type: Option<&'a [u8]>,
}

/// Splits a block into fields and body.
pub fn content<'a>(head: &Head<'a>, block: &'a [u8], most: u64) -> Content<'a> {
    let stated = head.get("Content-Type");
    let url = lossy(head.url());
    let essence = stated.unwrap_or_default();
    let is_http = essence.len() >= 16 && essence[..16].eq_ignore_ascii_case(b"application/http");
    // ISO 28500, section 5.13: the crawler has stored only a part of the body.
    let cut = || {
        let reason = head.get("WARC-Truncated")?;
        Some(format!("cut off by the crawler: {}", lossy(reason)))
    };
    let http = http::parse(block).filter(|_| is_http || stated.is_none());
    match http {
        Some(http) => {
            let plain = http.plain(most);
            let fields = http.head.fields();
            let response = Response::new(&url, fields.map(|field| (field.name, field.value)));
            Content {
                response,
                body: plain.bytes,
                damage: plain.damage.or_else(cut),
                content_type: http.head.get("Content-Type"),
                http: Some(http),
            }
        }
        None => Content {
            http: None,
            response: Response::new(&url, stated.map(|value| ("Content-Type", value))),
            body: Cow::Borrowed(block),
            damage: cut(),
            content_type: stated,
        },
    }
}

/// Makes a document from a record.
///
/// # Errors
///
/// Fails with the type of the content if the content is not text.
pub fn document<'a>(
    head: &Head<'a>,
    content: &'a Content<'_>,
    text: Shown,
    question: &Question,
) -> Result<Document<'a>, NoDocument> {
    let response = &content.response;
    let essence = response
        .essence()
        .map(|essence| lossy(essence).into_owned());
    let Some(decided) = decide(response, &content.body, question) else {
        let unknown = || "of unknown type".to_owned();
        return Err(NoDocument::Binary(essence.unwrap_or_else(unknown)));
    };
    let is_page = matches!(
        response.context(&content.body),
        Some(mojika_sniff::Context::HtmlParser | mojika_sniff::Context::XmlParser)
    );
    let wanted = text == Shown::Plain && is_page;
    let plain = wanted.then(|| super::plain::text(&decided.text));
    let field = |name| head.get(name).map(lossy);
    Ok(Document {
        url: lossy(head.url()),
        date: field("WARC-Date"),
        record_id: field("WARC-Record-ID"),
        digest: field("WARC-Payload-Digest"),
        status: content.http.as_ref().and_then(|http| http.status),
        content_type: content.content_type.map(lossy),
        essence: essence.unwrap_or_default(),
        text: decided,
        damage: content.damage.clone(),
        plain,
    })
}

/// Decodes the text of fields: UTF-8 by the standard, but Latin-1 in old archives.
pub fn lossy(bytes: &[u8]) -> Cow<'_, str> {
    match str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text),
        Err(_) => {
            mojika::WINDOWS_1252
                .with(mojika::BomHandling::Keep)
                .decode(bytes)
                .text
        }
    }
}
