//! HTTP responses: the type and encoding of a body by its fields and its first bytes.

use super::contexts::Context;
use super::page::{Document, DocumentError, decode_document, decode_with_offsets};
use super::{Hints, mime, transport};
use alloc::string::String;
use alloc::vec::Vec;
use mojika::offsets::OffsetMap;

/// The fields of an HTTP response that describe its body.
///
/// ```
/// use mojika_sniff::{Response, Source};
///
/// let response = Response::new("https://example.jp/", [("Content-Type", "text/html; charset=x-sjis")]);
/// let document = response.decode(b"<p>\x95\xB6\x8E\x9A</p>").unwrap()?;
/// assert_eq!(document.text, "<p>文字</p>");
/// assert_eq!(document.decision.source, Source::Transport);
///
/// // A picture has no text.
/// let picture = Response::new("https://example.jp/logo", [("Content-Type", "image/png")]);
/// assert!(picture.decode(b"\x89PNG").is_none());
/// # Ok::<(), mojika_sniff::DocumentError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Response {
    /// The essence in lower case.
    essence: Option<Vec<u8>>,
    charset: Option<Vec<u8>>,
    tld: Option<String>,
}

impl Response {
    /// Creates a response from an address, and the names and values of its fields; only Content-Type is used.
    ///
    /// Several Content-Type fields are combined as in the Fetch Standard, "extract a MIME type". The last valid MIME
    /// type counts. It keeps the `charset` of an earlier type with the same essence.
    pub fn new<N: AsRef<[u8]>, V: AsRef<[u8]>>(
        url: &str,
        fields: impl IntoIterator<Item = (N, V)>,
    ) -> Self {
        let mut response = Self {
            essence: None,
            charset: None,
            tld: tld_of(url).map(String::from),
        };
        for (name, value) in fields {
            if name.as_ref().eq_ignore_ascii_case(b"content-type") {
                for value in split(value.as_ref()) {
                    response.add(value);
                }
            }
        }
        response
    }

    /// Performs one step of "extract a MIME type".
    fn add(&mut self, value: &[u8]) {
        let Some(essence) = transport::essence(value).map(<[u8]>::to_ascii_lowercase) else {
            return;
        };
        if essence == b"*/*" {
            return;
        }
        let charset = transport::charset(value, &mut [0; transport::MAX_VALUE]).map(Vec::from);
        if self.essence.as_ref() != Some(&essence) || charset.is_some() {
            (self.essence, self.charset) = (Some(essence), charset);
        }
    }

    /// Returns the essence of the MIME type in the fields, in lower case: `text/html`.
    pub fn essence(&self) -> Option<&[u8]> {
        self.essence.as_deref()
    }

    /// Returns the encoding in the fields, if its label is known.
    pub fn charset(&self) -> Option<&'static mojika::Encoding> {
        crate::encoding_for_name(self.charset.as_deref()?)
    }

    /// Returns the context of this body for browsers; `None` if the body is not text.
    ///
    /// Without a type in the fields, or with `application/octet-stream`, the first bytes decide by the MIME Sniffing
    /// Standard's "rules for identifying an unknown MIME type".
    pub fn context(&self, body: &[u8]) -> Option<Context> {
        match self.essence() {
            None
            | Some(b"application/octet-stream" | b"unknown/unknown" | b"application/unknown") => {
                mime::identify(body)
            }
            Some(essence) => mime::context_for_essence(essence),
        }
    }

    /// Returns the hints for [`sniff`](super::sniff) on this body; `None` if the body is not text.
    pub fn hints(&self, body: &[u8]) -> Option<Hints<'_>> {
        self.context(body).map(|context| self.hints_in(context))
    }

    /// Returns the hints on a body in this context.
    pub(super) fn hints_in(&self, context: Context) -> Hints<'_> {
        // A slash would turn the label into a Content-Type.
        let is_label = |charset: &&[u8]| !charset.contains(&b'/');
        Hints {
            transport: self.charset.as_deref().filter(is_label),
            tld: self.tld.as_deref(),
            ..Hints::new(context)
        }
    }

    /// Decides the encoding of a body and decodes the body; `None` if the body is not text.
    ///
    /// The body must be without transfer and content codings.
    pub fn decode(&self, body: &[u8]) -> Option<Result<Document, DocumentError>> {
        self.hints(body).map(|hints| decode_document(body, &hints))
    }

    /// Decodes as [`decode`](Self::decode), with a map from offsets in the text to offsets in the body.
    ///
    /// ```
    /// use mojika_sniff::Response;
    ///
    /// let body = b"<p>\x95\xB6\x8E\x9A</p>";
    /// let response = Response::new("https://example.jp/", [("Content-Type", "text/html; charset=x-sjis")]);
    /// let (document, map) = response.decode_with_offsets(body).unwrap()?;
    /// let at = document.text.find("字").unwrap() as u64;
    /// let offsets = map.utf8_offsets(body).unwrap();
    /// assert_eq!(offsets.source_range(at..at + 3), Some(5..7));
    /// # Ok::<(), mojika_sniff::DocumentError>(())
    /// ```
    pub fn decode_with_offsets(
        &self,
        body: &[u8],
    ) -> Option<Result<(Document, OffsetMap), DocumentError>> {
        self.hints(body)
            .map(|hints| decode_with_offsets(body, &hints))
    }
}

/// Returns the last label of the host of an absolute URL.
fn tld_of(url: &str) -> Option<&str> {
    let (_, rest) = url.split_once("://")?;
    let authority = rest.split(['/', '?', '#']).next()?;
    let host = authority.rsplit('@').next()?.split(':').next()?;
    let tld = host.trim_end_matches('.').rsplit('.').next()?;
    tld.starts_with(|first: char| first.is_ascii_alphabetic())
        .then_some(tld)
}

/// Splits a value at the commas outside of quoted strings.
fn split(value: &[u8]) -> impl Iterator<Item = &[u8]> {
    let (mut is_quoted, mut is_escaped) = (false, false);
    value.split(move |&byte| {
        let ends = byte == b',' && !is_quoted;
        match byte {
            _ if is_escaped => is_escaped = false,
            b'\\' if is_quoted => is_escaped = true,
            b'"' => is_quoted = !is_quoted,
            _ => {}
        }
        ends
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn response(values: &str) -> Response {
        let fields = values.split('|').map(|value| ("content-type", value));
        Response::new("", fields)
    }

    /// The examples are those of the Fetch Standard, "extract a MIME type". A bar separates fields.
    #[test]
    fn several_content_types_are_joined() {
        for (values, charset) in [
            ("text/plain;charset=gbk, text/html", None),
            ("text/html;charset=gbk;a=b, text/html;x=y", Some("gbk")),
            ("text/html;charset=gbk;a=b|text/html;x=y", Some("gbk")),
            ("text/html;charset=gbk|x/x|text/html;x=y", None),
            ("text/html|cannot-parse", None),
            ("text/html|*/*", None),
            ("text/html|", None),
        ] {
            let response = response(values);
            assert_eq!(response.essence(), Some(&b"text/html"[..]), "{values}");
            let expected = charset.map(str::as_bytes);
            assert_eq!(response.charset.as_deref(), expected, "{values}");
        }
        assert_eq!(response("nothing").essence(), None);
        let charset = response("TEXT/HTML;Charset=SJIS").charset();
        assert_eq!(charset, Some(mojika::SHIFT_JIS));
    }
}
