//! The contexts in which the Web decodes bytes, with their rules, as one table.
//!
//! Every context has a row: the operation, streaming, the sources of the encoding, the default and the error mode.
//! [`sniff`](super::sniff) works from this table alone; no context has code of its own.

pub use super::context::Context;

/// The operation that the standards call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// The Standard's "decode".
    Decode,
    /// The Standard's "UTF-8 decode".
    Utf8Decode,
    /// The Standard's "UTF-8 decode without BOM".
    Utf8DecodeWithoutBom,
    /// The Standard's "UTF-8 decode without BOM or fail".
    Utf8DecodeWithoutBomOrFail,
    /// A `TextDecoder`.
    TextDecoder,
    /// "Isomorphic decode": each byte is the code point of its value.
    IsomorphicDecode,
    /// ECMAScript's Decode, which throws on malformed UTF-8.
    EcmaScriptDecode,
    /// The standards name no operation.
    Unspecified,
}

/// The effect of a byte order mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BomRule {
    /// A mark of UTF-8, UTF-16BE or UTF-16LE decides the encoding.
    Sniff,
    /// As `Sniff`, but a mark of UTF-32 in any of four byte orders also decides.
    SniffUcs4,
    /// The mark of the context's encoding is removed.
    Remove,
    /// The mark is content.
    Keep,
    /// The standards do not state the effect; the mark is removed.
    NotStated,
}

/// The declaration to read in the document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sniffing {
    /// No declaration.
    None,
    /// The prescan of HTML, then detection and the locale.
    Html,
    /// The prescan of HTML, without detection.
    XhrHtml,
    /// The encoding declaration of XML.
    Xml,
    /// `@charset`.
    Css,
    /// No declaration; detection and the locale.
    Text,
    /// The declaration for the type in the Content-Type; no declaration if there is no type.
    ByType,
}

/// The encoding if no source decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fallback {
    /// UTF-8.
    Utf8,
    /// The encoding of the environment or of the caller, otherwise UTF-8.
    Environment,
    /// Each byte is a code point.
    Isomorphic,
}

/// The treatment of malformed input by a context.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorRule {
    /// U+FFFD.
    Replacement,
    /// An error.
    Fatal,
    /// The caller selects the treatment; this library replaces malformed input.
    Selectable,
    /// Malformed input is impossible.
    None,
    /// The standards do not state the treatment; malformed input becomes U+FFFD.
    NotStated,
}

/// A row of [`TABLE`].
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Row {
    /// The context.
    pub context: Context,
    /// The identifier of the context in options and data: lower case and hyphens.
    pub id: &'static str,
    /// Its name for readers.
    pub name: &'static str,
    /// The operation called.
    pub operation: Operation,
    /// True if decoding starts before all bytes have arrived.
    pub streams: bool,
    /// True if encodings other than UTF-8 are possible.
    pub legacy: bool,
    /// The effect of a byte order mark.
    pub bom: BomRule,
    /// True if the user can override the encoding.
    pub user_override: bool,
    /// True if the `charset` of the transport is used.
    pub transport: bool,
    /// The declaration to read in the document.
    pub sniffing: Sniffing,
    /// The encoding if no source decides.
    pub fallback: Fallback,
    /// True if a later declaration can change the encoding (HTML, "changing the encoding while parsing").
    pub may_change: bool,
    /// The treatment of malformed input.
    pub errors: ErrorRule,
}

impl Context {
    /// The context with this id: lower case and hyphens.
    ///
    /// ```
    /// use mojika_sniff::Context;
    /// assert_eq!(Context::for_id("event-stream"), Some(Context::EventStream));
    /// ```
    pub fn for_id(id: &str) -> Option<Context> {
        let row = TABLE.iter().find(|row| row.id == id);
        row.map(|row| row.context)
    }

    /// The context's row.
    ///
    /// ```
    /// use mojika_sniff::contexts::{BomRule, Context};
    /// assert_eq!(Context::Cookie.row().bom, BomRule::Keep);
    /// ```
    pub fn row(self) -> &'static Row {
        &TABLE[self as usize]
    }
}

/// All contexts, in the order of [`Context`].
#[rustfmt::skip]
pub static TABLE: [Row; 51] = [
    Row { context: Context::TextDecoder, id: "text-decoder", name: "TextDecoder", operation: Operation::TextDecoder, streams: true, legacy: true, bom: BomRule::Remove, user_override: false, transport: false, sniffing: Sniffing::None, fallback: Fallback::Environment, may_change: false, errors: ErrorRule::Selectable },
    Row { context: Context::TextDecoderIgnoreBom, id: "text-decoder-ignore-bom", name: "TextDecoder (ignoreBOM)", operation: Operation::TextDecoder, streams: true, legacy: true, bom: BomRule::Keep, user_override: false, transport: false, sniffing: Sniffing::None, fallback: Fallback::Environment, may_change: false, errors: ErrorRule::Selectable },
    Row { context: Context::HtmlParser, id: "html-parser", name: "HTML parser", operation: Operation::Decode, streams: true, legacy: true, bom: BomRule::Sniff, user_override: true, transport: true, sniffing: Sniffing::Html, fallback: Fallback::Environment, may_change: true, errors: ErrorRule::Replacement },
    Row { context: Context::XhrDocument, id: "xhr-document", name: "XHR document response (HTML)", operation: Operation::Decode, streams: false, legacy: true, bom: BomRule::Sniff, user_override: true, transport: true, sniffing: Sniffing::XhrHtml, fallback: Fallback::Utf8, may_change: false, errors: ErrorRule::Replacement },
    Row { context: Context::XmlParser, id: "xml-parser", name: "XML parser", operation: Operation::Unspecified, streams: true, legacy: true, bom: BomRule::Sniff, user_override: true, transport: true, sniffing: Sniffing::Xml, fallback: Fallback::Utf8, may_change: false, errors: ErrorRule::Fatal },
    Row { context: Context::CssFromDocument, id: "css-from-document", name: "CSS parser (from a document)", operation: Operation::Decode, streams: false, legacy: true, bom: BomRule::Sniff, user_override: false, transport: true, sniffing: Sniffing::Css, fallback: Fallback::Environment, may_change: false, errors: ErrorRule::Replacement },
    Row { context: Context::CssFromCss, id: "css-from-css", name: "CSS parser (from CSS)", operation: Operation::Decode, streams: false, legacy: true, bom: BomRule::Sniff, user_override: false, transport: true, sniffing: Sniffing::Css, fallback: Fallback::Environment, may_change: false, errors: ErrorRule::Replacement },
    Row { context: Context::CssFromLink, id: "css-from-link", name: "CSS parser (from a Link header)", operation: Operation::Decode, streams: false, legacy: true, bom: BomRule::Sniff, user_override: false, transport: true, sniffing: Sniffing::Css, fallback: Fallback::Utf8, may_change: false, errors: ErrorRule::Replacement },
    Row { context: Context::TextDocument, id: "text-document", name: "text document", operation: Operation::Unspecified, streams: true, legacy: true, bom: BomRule::Sniff, user_override: true, transport: true, sniffing: Sniffing::Text, fallback: Fallback::Environment, may_change: false, errors: ErrorRule::Replacement },
    Row { context: Context::XhrTextXml, id: "xhr-text-xml", name: "XHR text response (XML)", operation: Operation::Decode, streams: true, legacy: true, bom: BomRule::Sniff, user_override: true, transport: true, sniffing: Sniffing::Xml, fallback: Fallback::Utf8, may_change: false, errors: ErrorRule::Replacement },
    Row { context: Context::XhrText, id: "xhr-text", name: "XHR text response (not XML)", operation: Operation::Decode, streams: true, legacy: true, bom: BomRule::Sniff, user_override: true, transport: true, sniffing: Sniffing::None, fallback: Fallback::Utf8, may_change: false, errors: ErrorRule::Replacement },
    Row { context: Context::FetchText, id: "fetch-text", name: "Fetch package data, text", operation: Operation::Utf8Decode, streams: false, legacy: false, bom: BomRule::Remove, user_override: false, transport: false, sniffing: Sniffing::None, fallback: Fallback::Utf8, may_change: false, errors: ErrorRule::Replacement },
    Row { context: Context::ViewSource, id: "view-source", name: "view-source:", operation: Operation::Unspecified, streams: true, legacy: true, bom: BomRule::Sniff, user_override: true, transport: true, sniffing: Sniffing::ByType, fallback: Fallback::Environment, may_change: false, errors: ErrorRule::Replacement },
    Row { context: Context::Clipboard, id: "clipboard", name: "paste from the clipboard", operation: Operation::Unspecified, streams: false, legacy: true, bom: BomRule::NotStated, user_override: false, transport: false, sniffing: Sniffing::ByType, fallback: Fallback::Environment, may_change: false, errors: ErrorRule::NotStated },
    Row { context: Context::ClassicScript, id: "classic-script", name: "classic script", operation: Operation::Decode, streams: true, legacy: true, bom: BomRule::Sniff, user_override: false, transport: true, sniffing: Sniffing::None, fallback: Fallback::Environment, may_change: false, errors: ErrorRule::Replacement },
    Row { context: Context::Script, id: "script", name: "other scripts", operation: Operation::Utf8Decode, streams: true, legacy: false, bom: BomRule::Remove, user_override: false, transport: false, sniffing: Sniffing::None, fallback: Fallback::Utf8, may_change: false, errors: ErrorRule::Replacement },
    Row { context: Context::JavascriptUrl, id: "javascript-url", name: "javascript: URL", operation: Operation::Utf8Decode, streams: false, legacy: false, bom: BomRule::Remove, user_override: false, transport: false, sniffing: Sniffing::None, fallback: Fallback::Utf8, may_change: false, errors: ErrorRule::Replacement },
    Row { context: Context::XhrJson, id: "xhr-json", name: "XHR JSON response", operation: Operation::Utf8Decode, streams: false, legacy: false, bom: BomRule::Remove, user_override: false, transport: false, sniffing: Sniffing::None, fallback: Fallback::Utf8, may_change: false, errors: ErrorRule::Replacement },
    Row { context: Context::FetchJson, id: "fetch-json", name: "Fetch package data, JSON", operation: Operation::Utf8Decode, streams: false, legacy: false, bom: BomRule::Remove, user_override: false, transport: false, sniffing: Sniffing::None, fallback: Fallback::Utf8, may_change: false, errors: ErrorRule::Replacement },
    Row { context: Context::ManifestJson, id: "manifest-json", name: "application/manifest+json", operation: Operation::Utf8Decode, streams: false, legacy: false, bom: BomRule::Remove, user_override: false, transport: false, sniffing: Sniffing::None, fallback: Fallback::Utf8, may_change: false, errors: ErrorRule::Replacement },
    Row { context: Context::PaymentManifest, id: "payment-manifest", name: "payment method manifest", operation: Operation::Utf8Decode, streams: false, legacy: false, bom: BomRule::Remove, user_override: false, transport: false, sniffing: Sniffing::None, fallback: Fallback::Utf8, may_change: false, errors: ErrorRule::Replacement },
    Row { context: Context::PushMessage, id: "push-message", name: "PushMessageData", operation: Operation::Utf8Decode, streams: false, legacy: false, bom: BomRule::Remove, user_override: false, transport: false, sniffing: Sniffing::None, fallback: Fallback::Utf8, may_change: false, errors: ErrorRule::Replacement },
    Row { context: Context::WebDriverJson, id: "webdriver-json", name: "WebDriver request JSON", operation: Operation::Unspecified, streams: false, legacy: false, bom: BomRule::NotStated, user_override: false, transport: false, sniffing: Sniffing::None, fallback: Fallback::Utf8, may_change: false, errors: ErrorRule::NotStated },
    Row { context: Context::SourceMap, id: "source-map", name: "source map", operation: Operation::Unspecified, streams: false, legacy: false, bom: BomRule::NotStated, user_override: false, transport: false, sniffing: Sniffing::None, fallback: Fallback::Utf8, may_change: false, errors: ErrorRule::NotStated },
    Row { context: Context::Cookie, id: "cookie", name: "document.cookie", operation: Operation::Utf8DecodeWithoutBom, streams: false, legacy: false, bom: BomRule::Keep, user_override: false, transport: false, sniffing: Sniffing::None, fallback: Fallback::Utf8, may_change: false, errors: ErrorRule::Replacement },
    Row { context: Context::ChallengeRealm, id: "challenge-realm", name: "challenge realm", operation: Operation::Unspecified, streams: false, legacy: false, bom: BomRule::NotStated, user_override: false, transport: false, sniffing: Sniffing::None, fallback: Fallback::Utf8, may_change: false, errors: ErrorRule::NotStated },
    Row { context: Context::ContentDisposition, id: "content-disposition", name: "Content-Disposition filename", operation: Operation::Unspecified, streams: false, legacy: false, bom: BomRule::NotStated, user_override: false, transport: false, sniffing: Sniffing::None, fallback: Fallback::Utf8, may_change: false, errors: ErrorRule::NotStated },
    Row { context: Context::WebSocketClose, id: "websocket-close", name: "WebSocket close reason", operation: Operation::Utf8DecodeWithoutBom, streams: false, legacy: false, bom: BomRule::Keep, user_override: false, transport: false, sniffing: Sniffing::None, fallback: Fallback::Utf8, may_change: false, errors: ErrorRule::Replacement },
    Row { context: Context::WebSocketText, id: "websocket-text", name: "WebSocket text frame", operation: Operation::TextDecoder, streams: true, legacy: false, bom: BomRule::Remove, user_override: false, transport: false, sniffing: Sniffing::None, fallback: Fallback::Utf8, may_change: false, errors: ErrorRule::Replacement },
    Row { context: Context::EventStream, id: "event-stream", name: "text/event-stream", operation: Operation::Utf8Decode, streams: true, legacy: false, bom: BomRule::Remove, user_override: false, transport: false, sniffing: Sniffing::None, fallback: Fallback::Utf8, may_change: false, errors: ErrorRule::Replacement },
    Row { context: Context::HostParser, id: "host-parser", name: "host parser", operation: Operation::Utf8DecodeWithoutBomOrFail, streams: false, legacy: false, bom: BomRule::Keep, user_override: false, transport: false, sniffing: Sniffing::None, fallback: Fallback::Utf8, may_change: false, errors: ErrorRule::Fatal },
    Row { context: Context::PercentDecode, id: "percent-decode", name: "percent-decoding", operation: Operation::Utf8DecodeWithoutBom, streams: false, legacy: false, bom: BomRule::Keep, user_override: false, transport: false, sniffing: Sniffing::None, fallback: Fallback::Utf8, may_change: false, errors: ErrorRule::Replacement },
    Row { context: Context::DecodeUri, id: "decode-uri", name: "decodeURI", operation: Operation::EcmaScriptDecode, streams: false, legacy: false, bom: BomRule::Keep, user_override: false, transport: false, sniffing: Sniffing::None, fallback: Fallback::Utf8, may_change: false, errors: ErrorRule::Fatal },
    Row { context: Context::DecodeUriComponent, id: "decode-uri-component", name: "decodeURIComponent", operation: Operation::EcmaScriptDecode, streams: false, legacy: false, bom: BomRule::Keep, user_override: false, transport: false, sniffing: Sniffing::None, fallback: Fallback::Utf8, may_change: false, errors: ErrorRule::Fatal },
    Row { context: Context::IndicatedPart, id: "indicated-part", name: "indicated part of a document", operation: Operation::Utf8DecodeWithoutBom, streams: false, legacy: false, bom: BomRule::Keep, user_override: false, transport: false, sniffing: Sniffing::None, fallback: Fallback::Utf8, may_change: false, errors: ErrorRule::Replacement },
    Row { context: Context::FileUrlPath, id: "file-url-path", name: "file: URL path", operation: Operation::Unspecified, streams: false, legacy: false, bom: BomRule::NotStated, user_override: false, transport: false, sniffing: Sniffing::None, fallback: Fallback::Utf8, may_change: false, errors: ErrorRule::NotStated },
    Row { context: Context::FormUrlEncoded, id: "form-url-encoded", name: "application/x-www-form-urlencoded", operation: Operation::Utf8DecodeWithoutBom, streams: false, legacy: false, bom: BomRule::Keep, user_override: false, transport: false, sniffing: Sniffing::None, fallback: Fallback::Utf8, may_change: false, errors: ErrorRule::Replacement },
    Row { context: Context::MediaFragment, id: "media-fragment", name: "media fragment", operation: Operation::Utf8Decode, streams: false, legacy: false, bom: BomRule::Remove, user_override: false, transport: false, sniffing: Sniffing::None, fallback: Fallback::Utf8, may_change: false, errors: ErrorRule::Fatal },
    Row { context: Context::MultipartFormData, id: "multipart-form-data", name: "multipart/form-data", operation: Operation::Utf8DecodeWithoutBom, streams: true, legacy: false, bom: BomRule::Keep, user_override: false, transport: false, sniffing: Sniffing::None, fallback: Fallback::Utf8, may_change: false, errors: ErrorRule::Replacement },
    Row { context: Context::ParseManifest, id: "parse-manifest", name: "parse a manifest", operation: Operation::Utf8Decode, streams: false, legacy: false, bom: BomRule::Remove, user_override: false, transport: false, sniffing: Sniffing::None, fallback: Fallback::Utf8, may_change: false, errors: ErrorRule::Replacement },
    Row { context: Context::M3u8, id: "m3u8", name: "m3u8", operation: Operation::Unspecified, streams: false, legacy: false, bom: BomRule::NotStated, user_override: false, transport: false, sniffing: Sniffing::None, fallback: Fallback::Utf8, may_change: false, errors: ErrorRule::NotStated },
    Row { context: Context::WebVtt, id: "webvtt", name: "WebVTT parser", operation: Operation::Utf8Decode, streams: true, legacy: false, bom: BomRule::Remove, user_override: false, transport: false, sniffing: Sniffing::None, fallback: Fallback::Utf8, may_change: false, errors: ErrorRule::Replacement },
    Row { context: Context::X500String, id: "x500-string", name: "X.500 string", operation: Operation::Unspecified, streams: false, legacy: false, bom: BomRule::NotStated, user_override: false, transport: false, sniffing: Sniffing::None, fallback: Fallback::Utf8, may_change: false, errors: ErrorRule::NotStated },
    Row { context: Context::MimeType, id: "mime-type", name: "MIME type from bytes", operation: Operation::IsomorphicDecode, streams: false, legacy: false, bom: BomRule::Keep, user_override: false, transport: false, sniffing: Sniffing::None, fallback: Fallback::Isomorphic, may_change: false, errors: ErrorRule::None },
    Row { context: Context::UrlParser, id: "url-parser", name: "URL parser", operation: Operation::IsomorphicDecode, streams: false, legacy: false, bom: BomRule::Keep, user_override: false, transport: false, sniffing: Sniffing::None, fallback: Fallback::Isomorphic, may_change: false, errors: ErrorRule::None },
    Row { context: Context::DataUrl, id: "data-url", name: "data: URL processor", operation: Operation::IsomorphicDecode, streams: false, legacy: false, bom: BomRule::Keep, user_override: false, transport: false, sniffing: Sniffing::None, fallback: Fallback::Isomorphic, may_change: false, errors: ErrorRule::None },
    Row { context: Context::Refresh, id: "refresh", name: "Refresh header", operation: Operation::IsomorphicDecode, streams: false, legacy: false, bom: BomRule::Keep, user_override: false, transport: false, sniffing: Sniffing::None, fallback: Fallback::Isomorphic, may_change: false, errors: ErrorRule::None },
    Row { context: Context::HeaderList, id: "header-list", name: "get, decode, and split a header", operation: Operation::IsomorphicDecode, streams: false, legacy: false, bom: BomRule::Keep, user_override: false, transport: false, sniffing: Sniffing::None, fallback: Fallback::Isomorphic, may_change: false, errors: ErrorRule::None },
    Row { context: Context::Atob, id: "atob", name: "atob", operation: Operation::IsomorphicDecode, streams: false, legacy: false, bom: BomRule::Keep, user_override: false, transport: false, sniffing: Sniffing::None, fallback: Fallback::Isomorphic, may_change: false, errors: ErrorRule::None },
    Row { context: Context::EnvironmentVariable, id: "environment-variable", name: "environment variable", operation: Operation::Decode, streams: false, legacy: true, bom: BomRule::Sniff, user_override: false, transport: false, sniffing: Sniffing::None, fallback: Fallback::Environment, may_change: false, errors: ErrorRule::Replacement },
    Row { context: Context::PlainText, id: "plain-text", name: "text file (of mojika, not of a Web standard)", operation: Operation::Unspecified, streams: true, legacy: true, bom: BomRule::SniffUcs4, user_override: true, transport: true, sniffing: Sniffing::Text, fallback: Fallback::Environment, may_change: false, errors: ErrorRule::Replacement },
];
