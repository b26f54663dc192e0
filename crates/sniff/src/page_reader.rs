//! A page that is decoded while its chunks arrive.

use super::contexts::ErrorRule;
use super::html::{self, LateMeta};
use super::page::DocumentError;
use super::{Confidence, Context, Decision, Response, Source, sniff};
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;
use mojika::{BomHandling, Decoder, Encoding};

/// The reason why decoding a page in chunks stops.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum PageStop {
    /// A `meta` names another encoding than the tentative one. The page must be read again from its start, by
    /// [`PageReader::with_encoding`].
    ///
    /// The HTML Standard calls this "changing the encoding while parsing". The returned text is invalid.
    ChangeEncoding(&'static Encoding),
    /// XML that contradicts itself, or is malformed.
    Document(DocumentError),
}

impl fmt::Display for PageStop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PageStop::ChangeEncoding(encoding) => {
                write!(
                    f,
                    "the page says that it is {encoding}: read it again in that encoding"
                )
            }
            PageStop::Document(error) => error.fmt(f),
        }
    }
}

impl core::error::Error for PageStop {}

/// Decodes a page in chunks. Buffers the head until the encoding is decided, and reports a late `meta` that declares
/// another encoding.
///
/// The head is the 1,024 bytes that the HTML Standard prescans. [`Response`](super::Response) takes the whole body instead,
/// and applies a late `meta` itself.
///
/// ```
/// use mojika_sniff::{PageReader, PageStop};
///
/// let late = format!("<!--{}--><meta charset=euc-jp><p>", " ".repeat(2000));
/// let chunks = [late.as_bytes(), b"\xCA\xB8\xBB\xFA</p>"];
///
/// let mut reader = PageReader::new("http://example.jp/", Some("text/html"));
/// let mut text = String::new();
/// let stop = chunks.iter().try_for_each(|chunk| reader.feed(chunk, &mut text));
/// let Err(PageStop::ChangeEncoding(encoding)) = stop else { panic!() };
///
/// // From the start: the chunks that were kept, or another request.
/// let mut reader = reader.with_encoding(encoding);
/// text.clear();
/// for chunk in chunks {
///     reader.feed(chunk, &mut text)?;
/// }
/// reader.finish(&mut text)?;
/// assert!(text.ends_with("<p>文字</p>"));
/// # Ok::<(), PageStop>(())
/// ```
#[derive(Clone, Debug)]
pub struct PageReader {
    response: Response,
    /// The buffered bytes.
    head: Vec<u8>,
    /// The encoding of a late `meta`, if the page was restarted with it.
    restarted: Option<&'static Encoding>,
    /// The state after the encoding is decided; `None` before that.
    body: Option<Body>,
}

/// The state after the encoding is decided.
#[derive(Clone, Debug)]
struct Body {
    decision: Decision,
    decoder: Decoder,
    is_fatal: bool,
    /// The search for a `meta`; `None` once no `meta` may change the encoding.
    late_meta: Option<LateMeta>,
    malformed: u64,
}

impl PageReader {
    /// Creates a page at an address, with the value of its Content-Type header.
    pub fn new(url: &str, content_type: Option<&str>) -> Self {
        Self {
            response: Response::new(url, content_type.map(|value| ("Content-Type", value))),
            head: Vec::new(),
            restarted: None,
            body: None,
        }
    }

    /// Restarts the page in the encoding of [`PageStop::ChangeEncoding`].
    pub fn with_encoding(self, encoding: &'static Encoding) -> Self {
        Self {
            response: self.response,
            head: Vec::new(),
            restarted: Some(encoding),
            body: None,
        }
    }

    /// Decodes the next bytes of the body, and appends the text. Text appears only after the encoding is decided.
    ///
    /// # Errors
    ///
    /// Fails with [`PageStop`] if the page must be read again, or if XML contradicts itself or is malformed.
    pub fn feed(&mut self, chunk: &[u8], text: &mut String) -> Result<(), PageStop> {
        if let Some(body) = &mut self.body {
            return body.decode(chunk, text, false);
        }
        self.head.extend_from_slice(chunk);
        if self.head.len() < html::HEAD_LENGTH {
            return Ok(());
        }
        self.begin(text, false)
    }

    /// Ends the page.
    ///
    /// # Errors
    ///
    /// Fails with [`PageStop`] as [`feed`](Self::feed) does.
    pub fn finish(&mut self, text: &mut String) -> Result<(), PageStop> {
        match &mut self.body {
            Some(body) => body.decode(b"", text, true),
            None => self.begin(text, true),
        }
    }

    /// Returns the encoding and the reason; `None` until they are decided.
    pub fn decision(&self) -> Option<Decision> {
        self.body.as_ref().map(|body| body.decision)
    }

    /// Returns the number of malformed sequences in the bytes that were fed. The text has a U+FFFD for each.
    pub fn malformed(&self) -> u64 {
        self.body.as_ref().map_or(0, |body| body.malformed)
    }

    /// Decides the encoding by the head, and decodes the head.
    fn begin(&mut self, text: &mut String, last: bool) -> Result<(), PageStop> {
        let head = core::mem::take(&mut self.head);
        let context = match self.response.context(b"") {
            Some(Context::XmlParser) => Context::XmlParser,
            _ => Context::HtmlParser,
        };
        // The rest of the chunk is not examined, so that the answer does not depend on its length.
        let examined = &head[..head.len().min(html::HEAD_LENGTH)];
        let mut decision = sniff(examined, &self.response.hints_in(context))
            .map_err(|error| PageStop::Document(error.into()))?;
        if let Some(encoding) = self.restarted
            && decision.source != Source::Bom
        {
            decision.change(encoding);
        }
        let may_change = decision.may_change(context);
        let body = self.body.insert(Body {
            decision,
            decoder: Decoder::new(decision.encoding, BomHandling::Keep),
            is_fatal: context.row().errors == ErrorRule::Fatal,
            late_meta: may_change.then(LateMeta::default),
            malformed: 0,
        });
        body.decode(&head[decision.bom_length..], text, last)
    }
}

impl Body {
    fn decode(&mut self, chunk: &[u8], text: &mut String, last: bool) -> Result<(), PageStop> {
        self.look_for_meta(chunk)?;
        let malformed = &mut self.malformed;
        let decoded =
            self.decision
                .decode(&mut self.decoder, self.is_fatal, chunk, text, last, |_| {
                    *malformed += 1
                });
        decoded.map_err(PageStop::Document)
    }

    /// Fails if a `meta` that ends in this chunk names another encoding.
    fn look_for_meta(&mut self, chunk: &[u8]) -> Result<(), PageStop> {
        let Some(late_meta) = &mut self.late_meta else {
            return Ok(());
        };
        late_meta.feed(chunk);
        if !late_meta.is_decided() {
            return Ok(());
        }
        let found = late_meta.found();
        self.late_meta = None;
        match found {
            Some(found) if found != self.decision.encoding => {
                return Err(PageStop::ChangeEncoding(found));
            }
            // By the Standard, the decision is certain from now on.
            Some(_) => self.decision.confidence = Confidence::Certain,
            None => {}
        }
        Ok(())
    }
}
