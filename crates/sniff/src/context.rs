//! The contexts in which the Web decodes bytes; [`contexts`](super::contexts) has the rules of each.

/// A context in which bytes are decoded.
///
/// docs/SNIFFING.md lists all contexts. [`for_id`](Self::for_id) returns any by its name, such as "cookie".
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Context {
    /// `TextDecoder`.
    TextDecoder,
    /// `TextDecoder` with `ignoreBOM`.
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
    /// `view-source:`.
    ViewSource,
    /// Paste from the clipboard.
    Clipboard,
    /// Classic script.
    ClassicScript,
    /// Other scripts.
    Script,
    /// `javascript:` URL.
    JavascriptUrl,
    /// XHR JSON response.
    XhrJson,
    /// Fetch package data, JSON.
    FetchJson,
    /// `application/manifest+json`.
    ManifestJson,
    /// Payment method manifest.
    PaymentManifest,
    /// `PushMessageData`.
    PushMessage,
    /// WebDriver request JSON.
    WebDriverJson,
    /// Source map.
    SourceMap,
    /// `document.cookie`.
    Cookie,
    /// Challenge realm.
    ChallengeRealm,
    /// Content-Disposition filename.
    ContentDisposition,
    /// WebSocket close reason.
    WebSocketClose,
    /// WebSocket text frame.
    WebSocketText,
    /// `text/event-stream`.
    EventStream,
    /// Host parser.
    HostParser,
    /// Percent-decoding.
    PercentDecode,
    /// `decodeURI`.
    DecodeUri,
    /// `decodeURIComponent`.
    DecodeUriComponent,
    /// Indicated part of a document.
    IndicatedPart,
    /// Path of a `file:` URL.
    FileUrlPath,
    /// `application/x-www-form-urlencoded`.
    FormUrlEncoded,
    /// Media fragment.
    MediaFragment,
    /// `multipart/form-data`.
    MultipartFormData,
    /// Cache manifest ("parse a manifest").
    ParseManifest,
    /// `m3u8` playlist.
    M3u8,
    /// WebVTT parser.
    WebVtt,
    /// X.500 string.
    X500String,
    /// MIME type from bytes.
    MimeType,
    /// URL parser.
    UrlParser,
    /// `data:` URL processor.
    DataUrl,
    /// `Refresh` header.
    Refresh,
    /// Get, decode, and split a header.
    HeaderList,
    /// `atob`.
    Atob,
    /// Environment variable.
    EnvironmentVariable,
    /// Text file (of mojika, not of a Web standard).
    PlainText,
}
