//! Contexts: where the Web turns bytes into text, and what it does there, as one table.
//!
//! Every place has a row: the operation, whether it streams, what may decide the encoding, the default and the error
//! mode. [`sniff`](super::sniff) works from this table alone; no context has code of its own.

/// A place where bytes become text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Context {
    /// TextDecoder.
    TextDecoder,
    /// TextDecoder (ignoreBOM).
    TextDecoderIgnoreBom,
    /// HTML parser.
    HtmlParser,
    /// XHR document response (HTML).
    XhrDocument,
    /// XML parser.
    XmlParser,
    /// CSS parser (from a document).
    CssFromDocument,
    /// CSS parser (from CSS).
    CssFromCss,
    /// CSS parser (from a Link header).
    CssFromLink,
    /// Text document.
    TextDocument,
    /// XHR text response (XML).
    XhrTextXml,
    /// XHR text response (not XML).
    XhrText,
    /// Fetch package data, text.
    FetchText,
    /// View-source:.
    ViewSource,
    /// Paste from the clipboard.
    Clipboard,
    /// Classic script.
    ClassicScript,
    /// Other scripts.
    Script,
    /// Javascript: URL.
    JavascriptUrl,
    /// XHR JSON response.
    XhrJson,
    /// Fetch package data, JSON.
    FetchJson,
    /// Application/manifest+json.
    ManifestJson,
    /// Payment method manifest.
    PaymentManifest,
    /// PushMessageData.
    PushMessage,
    /// WebDriver request JSON.
    WebDriverJson,
    /// Source map.
    SourceMap,
    /// Document.cookie.
    Cookie,
    /// Challenge realm.
    ChallengeRealm,
    /// Content-Disposition filename.
    ContentDisposition,
    /// WebSocket close reason.
    WebSocketClose,
    /// WebSocket text frame.
    WebSocketText,
    /// Text/event-stream.
    EventStream,
    /// Host parser.
    HostParser,
    /// Percent-decoding.
    PercentDecode,
    /// DecodeURI.
    DecodeUri,
    /// DecodeURIComponent.
    DecodeUriComponent,
    /// Indicated part of a document.
    IndicatedPart,
    /// File: URL path.
    FileUrlPath,
    /// Application/x-www-form-urlencoded.
    FormUrlEncoded,
    /// Media segment.
    MediaSegment,
    /// Multipart/form-data.
    MultipartFormData,
    /// Parse a manifest.
    ParseManifest,
    /// M3u8.
    M3u8,
    /// WebVTT parser.
    WebVtt,
    /// X.500 string.
    X500String,
    /// MIME type from bytes.
    MimeType,
    /// URL parser.
    UrlParser,
    /// Data: URL processor.
    DataUrl,
    /// Refresh header.
    Refresh,
    /// Get, decode, and split a header.
    HeaderList,
    /// Atob.
    Atob,
    /// Environment variable.
    EnvironmentVariable,
    /// Text file (of mojika, not of a Web standard).
    PlainText,
}

/// The operation that the standards call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Operation {
    /// "Decode".
    Decode,
    /// "UTF-8 decode".
    Utf8Decode,
    /// "UTF-8 decode without BOM".
    Utf8DecodeWithoutBom,
    /// "UTF-8 decode without BOM or fail".
    Utf8DecodeWithoutBomOrFail,
    /// A `TextDecoder`.
    TextDecoder,
    /// "Isomorphic decode": each byte is the code point of its value.
    IsomorphicDecode,
    /// ECMAScript's Decode, which throws at malformed UTF-8.
    EcmaScriptDecode,
    /// The standards name none.
    Unspecified,
}

/// What a byte order mark does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BomRule {
    /// One of UTF-8, UTF-16BE or UTF-16LE decides the encoding.
    Sniff,
    /// As `Sniff`, UTF-32 in four octet orders among them.
    SniffUcs4,
    /// The encoding's own is removed.
    Remove,
    /// It is content.
    Keep,
    /// The standards do not state it; it is removed here.
    NotStated,
}

/// What is read in the document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sniffing {
    /// Nothing.
    None,
    /// The prescan of HTML, then detection and the locale.
    Html,
    /// The prescan of HTML; nothing is guessed.
    XhrHtml,
    /// The encoding declaration of XML.
    Xml,
    /// `@charset`.
    Css,
    /// No declaration; detection and the locale.
    Text,
    /// It depends on the type of the document; no declaration is read here.
    ByType,
}

/// What is taken where nothing else decides.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Fallback {
    /// UTF-8.
    Utf8,
    /// An encoding of the environment, else UTF-8.
    Environment,
    /// Each byte is a code point.
    Isomorphic,
}

/// What becomes of malformed input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorMode {
    /// U+FFFD.
    Replacement,
    /// An error.
    Fatal,
    /// The caller selects; replacement here.
    Selectable,
    /// There is no malformed input.
    None,
    /// The standards do not state it; replacement here.
    NotStated,
}

/// A row of [`TABLE`].
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Row {
    /// The context.
    pub context: Context,
    /// Its name for people.
    pub name: &'static str,
    /// The operation called.
    pub operation: Operation,
    /// Whether text comes out before all bytes are in.
    pub streams: bool,
    /// Whether other encodings than UTF-8 can be decided.
    pub legacy: bool,
    /// What a byte order mark does.
    pub bom: BomRule,
    /// Whether the user can override the encoding.
    pub user_override: bool,
    /// Whether the transport's `charset` counts.
    pub transport: bool,
    /// What is read in the document.
    pub sniffing: Sniffing,
    /// What is taken at last.
    pub fallback: Fallback,
    /// What becomes of malformed input.
    pub errors: ErrorMode,
}

impl Context {
    /// The context's row.
    ///
    /// ```
    /// use mojika::sniff::contexts::{BomRule, Context};
    /// assert_eq!(Context::Cookie.row().bom, BomRule::Keep);
    /// ```
    pub fn row(self) -> &'static Row {
        &TABLE[self as usize]
    }
}

/// All contexts, in the order of [`Context`].
#[rustfmt::skip]
pub static TABLE: [Row; 51] = [
    Row { context: Context::TextDecoder, name: "TextDecoder", operation: Operation::TextDecoder, streams: true, legacy: true, bom: BomRule::Remove, user_override: false, transport: false, sniffing: Sniffing::None, fallback: Fallback::Utf8, errors: ErrorMode::Selectable },
    Row { context: Context::TextDecoderIgnoreBom, name: "TextDecoder (ignoreBOM)", operation: Operation::TextDecoder, streams: true, legacy: true, bom: BomRule::Keep, user_override: false, transport: false, sniffing: Sniffing::None, fallback: Fallback::Utf8, errors: ErrorMode::Selectable },
    Row { context: Context::HtmlParser, name: "HTML parser", operation: Operation::Decode, streams: true, legacy: true, bom: BomRule::Sniff, user_override: true, transport: true, sniffing: Sniffing::Html, fallback: Fallback::Environment, errors: ErrorMode::Replacement },
    Row { context: Context::XhrDocument, name: "XHR document response (HTML)", operation: Operation::Decode, streams: false, legacy: true, bom: BomRule::Sniff, user_override: true, transport: true, sniffing: Sniffing::XhrHtml, fallback: Fallback::Utf8, errors: ErrorMode::Replacement },
    Row { context: Context::XmlParser, name: "XML parser", operation: Operation::Unspecified, streams: true, legacy: true, bom: BomRule::Sniff, user_override: true, transport: true, sniffing: Sniffing::Xml, fallback: Fallback::Utf8, errors: ErrorMode::Fatal },
    Row { context: Context::CssFromDocument, name: "CSS parser (from a document)", operation: Operation::Decode, streams: false, legacy: true, bom: BomRule::Sniff, user_override: false, transport: true, sniffing: Sniffing::Css, fallback: Fallback::Environment, errors: ErrorMode::Replacement },
    Row { context: Context::CssFromCss, name: "CSS parser (from CSS)", operation: Operation::Decode, streams: false, legacy: true, bom: BomRule::Sniff, user_override: false, transport: true, sniffing: Sniffing::Css, fallback: Fallback::Environment, errors: ErrorMode::Replacement },
    Row { context: Context::CssFromLink, name: "CSS parser (from a Link header)", operation: Operation::Decode, streams: false, legacy: true, bom: BomRule::Sniff, user_override: false, transport: true, sniffing: Sniffing::Css, fallback: Fallback::Utf8, errors: ErrorMode::Replacement },
    Row { context: Context::TextDocument, name: "text document", operation: Operation::Unspecified, streams: true, legacy: true, bom: BomRule::Sniff, user_override: true, transport: true, sniffing: Sniffing::Text, fallback: Fallback::Environment, errors: ErrorMode::Replacement },
    Row { context: Context::XhrTextXml, name: "XHR text response (XML)", operation: Operation::Decode, streams: true, legacy: true, bom: BomRule::Sniff, user_override: true, transport: true, sniffing: Sniffing::Xml, fallback: Fallback::Utf8, errors: ErrorMode::Replacement },
    Row { context: Context::XhrText, name: "XHR text response (not XML)", operation: Operation::Decode, streams: true, legacy: true, bom: BomRule::Sniff, user_override: true, transport: true, sniffing: Sniffing::None, fallback: Fallback::Utf8, errors: ErrorMode::Replacement },
    Row { context: Context::FetchText, name: "Fetch package data, text", operation: Operation::Utf8Decode, streams: false, legacy: false, bom: BomRule::Remove, user_override: false, transport: false, sniffing: Sniffing::None, fallback: Fallback::Utf8, errors: ErrorMode::Replacement },
    Row { context: Context::ViewSource, name: "view-source:", operation: Operation::Unspecified, streams: true, legacy: true, bom: BomRule::Sniff, user_override: true, transport: true, sniffing: Sniffing::ByType, fallback: Fallback::Environment, errors: ErrorMode::Replacement },
    Row { context: Context::Clipboard, name: "paste from the clipboard", operation: Operation::Unspecified, streams: false, legacy: true, bom: BomRule::NotStated, user_override: false, transport: false, sniffing: Sniffing::ByType, fallback: Fallback::Environment, errors: ErrorMode::NotStated },
    Row { context: Context::ClassicScript, name: "classic script", operation: Operation::Decode, streams: true, legacy: true, bom: BomRule::Sniff, user_override: false, transport: true, sniffing: Sniffing::None, fallback: Fallback::Environment, errors: ErrorMode::Replacement },
    Row { context: Context::Script, name: "other scripts", operation: Operation::Utf8Decode, streams: true, legacy: false, bom: BomRule::Remove, user_override: false, transport: false, sniffing: Sniffing::None, fallback: Fallback::Utf8, errors: ErrorMode::Replacement },
    Row { context: Context::JavascriptUrl, name: "javascript: URL", operation: Operation::Utf8Decode, streams: false, legacy: false, bom: BomRule::Remove, user_override: false, transport: false, sniffing: Sniffing::None, fallback: Fallback::Utf8, errors: ErrorMode::Replacement },
    Row { context: Context::XhrJson, name: "XHR JSON response", operation: Operation::Utf8Decode, streams: false, legacy: false, bom: BomRule::Remove, user_override: false, transport: false, sniffing: Sniffing::None, fallback: Fallback::Utf8, errors: ErrorMode::Replacement },
    Row { context: Context::FetchJson, name: "Fetch package data, JSON", operation: Operation::Utf8Decode, streams: false, legacy: false, bom: BomRule::Remove, user_override: false, transport: false, sniffing: Sniffing::None, fallback: Fallback::Utf8, errors: ErrorMode::Replacement },
    Row { context: Context::ManifestJson, name: "application/manifest+json", operation: Operation::Utf8Decode, streams: false, legacy: false, bom: BomRule::Remove, user_override: false, transport: false, sniffing: Sniffing::None, fallback: Fallback::Utf8, errors: ErrorMode::Replacement },
    Row { context: Context::PaymentManifest, name: "payment method manifest", operation: Operation::Utf8Decode, streams: false, legacy: false, bom: BomRule::Remove, user_override: false, transport: false, sniffing: Sniffing::None, fallback: Fallback::Utf8, errors: ErrorMode::Replacement },
    Row { context: Context::PushMessage, name: "PushMessageData", operation: Operation::Utf8Decode, streams: false, legacy: false, bom: BomRule::Remove, user_override: false, transport: false, sniffing: Sniffing::None, fallback: Fallback::Utf8, errors: ErrorMode::Replacement },
    Row { context: Context::WebDriverJson, name: "WebDriver request JSON", operation: Operation::Unspecified, streams: false, legacy: false, bom: BomRule::NotStated, user_override: false, transport: false, sniffing: Sniffing::None, fallback: Fallback::Utf8, errors: ErrorMode::NotStated },
    Row { context: Context::SourceMap, name: "source map", operation: Operation::Unspecified, streams: false, legacy: false, bom: BomRule::NotStated, user_override: false, transport: false, sniffing: Sniffing::None, fallback: Fallback::Utf8, errors: ErrorMode::NotStated },
    Row { context: Context::Cookie, name: "document.cookie", operation: Operation::Utf8DecodeWithoutBom, streams: false, legacy: false, bom: BomRule::Keep, user_override: false, transport: false, sniffing: Sniffing::None, fallback: Fallback::Utf8, errors: ErrorMode::Replacement },
    Row { context: Context::ChallengeRealm, name: "challenge realm", operation: Operation::Unspecified, streams: false, legacy: false, bom: BomRule::NotStated, user_override: false, transport: false, sniffing: Sniffing::None, fallback: Fallback::Utf8, errors: ErrorMode::NotStated },
    Row { context: Context::ContentDisposition, name: "Content-Disposition filename", operation: Operation::Unspecified, streams: false, legacy: false, bom: BomRule::NotStated, user_override: false, transport: false, sniffing: Sniffing::None, fallback: Fallback::Utf8, errors: ErrorMode::NotStated },
    Row { context: Context::WebSocketClose, name: "WebSocket close reason", operation: Operation::Utf8DecodeWithoutBom, streams: false, legacy: false, bom: BomRule::Keep, user_override: false, transport: false, sniffing: Sniffing::None, fallback: Fallback::Utf8, errors: ErrorMode::Replacement },
    Row { context: Context::WebSocketText, name: "WebSocket text frame", operation: Operation::TextDecoder, streams: true, legacy: false, bom: BomRule::Remove, user_override: false, transport: false, sniffing: Sniffing::None, fallback: Fallback::Utf8, errors: ErrorMode::Replacement },
    Row { context: Context::EventStream, name: "text/event-stream", operation: Operation::Utf8Decode, streams: true, legacy: false, bom: BomRule::Remove, user_override: false, transport: false, sniffing: Sniffing::None, fallback: Fallback::Utf8, errors: ErrorMode::Replacement },
    Row { context: Context::HostParser, name: "host parser", operation: Operation::Utf8DecodeWithoutBomOrFail, streams: false, legacy: false, bom: BomRule::Keep, user_override: false, transport: false, sniffing: Sniffing::None, fallback: Fallback::Utf8, errors: ErrorMode::Fatal },
    Row { context: Context::PercentDecode, name: "percent-decoding", operation: Operation::Utf8DecodeWithoutBom, streams: false, legacy: false, bom: BomRule::Keep, user_override: false, transport: false, sniffing: Sniffing::None, fallback: Fallback::Utf8, errors: ErrorMode::Replacement },
    Row { context: Context::DecodeUri, name: "decodeURI", operation: Operation::EcmaScriptDecode, streams: false, legacy: false, bom: BomRule::Keep, user_override: false, transport: false, sniffing: Sniffing::None, fallback: Fallback::Utf8, errors: ErrorMode::Fatal },
    Row { context: Context::DecodeUriComponent, name: "decodeURIComponent", operation: Operation::EcmaScriptDecode, streams: false, legacy: false, bom: BomRule::Keep, user_override: false, transport: false, sniffing: Sniffing::None, fallback: Fallback::Utf8, errors: ErrorMode::Fatal },
    Row { context: Context::IndicatedPart, name: "indicated part of a document", operation: Operation::Utf8DecodeWithoutBom, streams: false, legacy: false, bom: BomRule::Keep, user_override: false, transport: false, sniffing: Sniffing::None, fallback: Fallback::Utf8, errors: ErrorMode::Replacement },
    Row { context: Context::FileUrlPath, name: "file: URL path", operation: Operation::Unspecified, streams: false, legacy: false, bom: BomRule::NotStated, user_override: false, transport: false, sniffing: Sniffing::None, fallback: Fallback::Utf8, errors: ErrorMode::NotStated },
    Row { context: Context::FormUrlEncoded, name: "application/x-www-form-urlencoded", operation: Operation::Utf8DecodeWithoutBom, streams: false, legacy: false, bom: BomRule::Keep, user_override: false, transport: false, sniffing: Sniffing::None, fallback: Fallback::Utf8, errors: ErrorMode::Replacement },
    Row { context: Context::MediaSegment, name: "media segment", operation: Operation::Utf8Decode, streams: false, legacy: false, bom: BomRule::Remove, user_override: false, transport: false, sniffing: Sniffing::None, fallback: Fallback::Utf8, errors: ErrorMode::Fatal },
    Row { context: Context::MultipartFormData, name: "multipart/form-data", operation: Operation::Utf8DecodeWithoutBom, streams: true, legacy: true, bom: BomRule::Keep, user_override: false, transport: false, sniffing: Sniffing::None, fallback: Fallback::Utf8, errors: ErrorMode::Replacement },
    Row { context: Context::ParseManifest, name: "parse a manifest", operation: Operation::Utf8Decode, streams: false, legacy: false, bom: BomRule::Remove, user_override: false, transport: false, sniffing: Sniffing::None, fallback: Fallback::Utf8, errors: ErrorMode::Replacement },
    Row { context: Context::M3u8, name: "m3u8", operation: Operation::Unspecified, streams: false, legacy: false, bom: BomRule::NotStated, user_override: false, transport: false, sniffing: Sniffing::None, fallback: Fallback::Utf8, errors: ErrorMode::NotStated },
    Row { context: Context::WebVtt, name: "WebVTT parser", operation: Operation::Utf8Decode, streams: true, legacy: false, bom: BomRule::Remove, user_override: false, transport: false, sniffing: Sniffing::None, fallback: Fallback::Utf8, errors: ErrorMode::Replacement },
    Row { context: Context::X500String, name: "X.500 string", operation: Operation::Unspecified, streams: false, legacy: false, bom: BomRule::NotStated, user_override: false, transport: false, sniffing: Sniffing::None, fallback: Fallback::Utf8, errors: ErrorMode::NotStated },
    Row { context: Context::MimeType, name: "MIME type from bytes", operation: Operation::IsomorphicDecode, streams: false, legacy: false, bom: BomRule::Keep, user_override: false, transport: false, sniffing: Sniffing::None, fallback: Fallback::Isomorphic, errors: ErrorMode::None },
    Row { context: Context::UrlParser, name: "URL parser", operation: Operation::IsomorphicDecode, streams: false, legacy: false, bom: BomRule::Keep, user_override: false, transport: false, sniffing: Sniffing::None, fallback: Fallback::Isomorphic, errors: ErrorMode::None },
    Row { context: Context::DataUrl, name: "data: URL processor", operation: Operation::IsomorphicDecode, streams: false, legacy: false, bom: BomRule::Keep, user_override: false, transport: false, sniffing: Sniffing::None, fallback: Fallback::Isomorphic, errors: ErrorMode::None },
    Row { context: Context::Refresh, name: "Refresh header", operation: Operation::IsomorphicDecode, streams: false, legacy: false, bom: BomRule::Keep, user_override: false, transport: false, sniffing: Sniffing::None, fallback: Fallback::Isomorphic, errors: ErrorMode::None },
    Row { context: Context::HeaderList, name: "get, decode, and split a header", operation: Operation::IsomorphicDecode, streams: false, legacy: false, bom: BomRule::Keep, user_override: false, transport: false, sniffing: Sniffing::None, fallback: Fallback::Isomorphic, errors: ErrorMode::None },
    Row { context: Context::Atob, name: "atob", operation: Operation::IsomorphicDecode, streams: false, legacy: false, bom: BomRule::Keep, user_override: false, transport: false, sniffing: Sniffing::None, fallback: Fallback::Isomorphic, errors: ErrorMode::None },
    Row { context: Context::EnvironmentVariable, name: "environment variable", operation: Operation::Decode, streams: false, legacy: true, bom: BomRule::Remove, user_override: false, transport: false, sniffing: Sniffing::None, fallback: Fallback::Environment, errors: ErrorMode::Replacement },
    Row { context: Context::PlainText, name: "text file (of mojika, not of a Web standard)", operation: Operation::Unspecified, streams: true, legacy: true, bom: BomRule::SniffUcs4, user_override: true, transport: true, sniffing: Sniffing::Text, fallback: Fallback::Environment, errors: ErrorMode::Replacement },
];
