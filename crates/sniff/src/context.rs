//! The places where the Web turns bytes into text; [`contexts`](super::contexts) has the rules of each.

/// A place where bytes become text.
///
/// docs/SNIFFING.md lists all. [`for_id`](Self::for_id) finds the others by name, such as "cookie".
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Context {
    /// `TextDecoder`.
    #[doc(hidden)]
    TextDecoder,
    /// `TextDecoder` with `ignoreBOM`.
    #[doc(hidden)]
    TextDecoderIgnoreBom,
    /// HTML parser.
    HtmlParser,
    /// XHR document response (HTML).
    #[doc(hidden)]
    XhrDocument,
    /// XML parser.
    XmlParser,
    /// CSS parser (from a document).
    CssFromDocument,
    /// CSS parser (from CSS).
    #[doc(hidden)]
    CssFromCss,
    /// CSS parser (from a Link header).
    #[doc(hidden)]
    CssFromLink,
    /// Text document.
    TextDocument,
    /// XHR text response (XML).
    #[doc(hidden)]
    XhrTextXml,
    /// XHR text response (not XML).
    #[doc(hidden)]
    XhrText,
    /// Fetch package data, text.
    #[doc(hidden)]
    FetchText,
    /// `view-source:`.
    #[doc(hidden)]
    ViewSource,
    /// Paste from the clipboard.
    #[doc(hidden)]
    Clipboard,
    /// Classic script.
    #[doc(hidden)]
    ClassicScript,
    /// Other scripts.
    #[doc(hidden)]
    Script,
    /// `javascript:` URL.
    #[doc(hidden)]
    JavascriptUrl,
    /// XHR JSON response.
    #[doc(hidden)]
    XhrJson,
    /// Fetch package data, JSON.
    #[doc(hidden)]
    FetchJson,
    /// `application/manifest+json`.
    #[doc(hidden)]
    ManifestJson,
    /// Payment method manifest.
    #[doc(hidden)]
    PaymentManifest,
    /// `PushMessageData`.
    #[doc(hidden)]
    PushMessage,
    /// WebDriver request JSON.
    #[doc(hidden)]
    WebDriverJson,
    /// Source map.
    #[doc(hidden)]
    SourceMap,
    /// `document.cookie`.
    #[doc(hidden)]
    Cookie,
    /// Challenge realm.
    #[doc(hidden)]
    ChallengeRealm,
    /// Content-Disposition filename.
    #[doc(hidden)]
    ContentDisposition,
    /// WebSocket close reason.
    #[doc(hidden)]
    WebSocketClose,
    /// WebSocket text frame.
    #[doc(hidden)]
    WebSocketText,
    /// `text/event-stream`.
    #[doc(hidden)]
    EventStream,
    /// Host parser.
    #[doc(hidden)]
    HostParser,
    /// Percent-decoding.
    #[doc(hidden)]
    PercentDecode,
    /// `decodeURI`.
    #[doc(hidden)]
    DecodeUri,
    /// `decodeURIComponent`.
    #[doc(hidden)]
    DecodeUriComponent,
    /// Indicated part of a document.
    #[doc(hidden)]
    IndicatedPart,
    /// Path of a `file:` URL.
    #[doc(hidden)]
    FileUrlPath,
    /// `application/x-www-form-urlencoded`.
    #[doc(hidden)]
    FormUrlEncoded,
    /// Media fragment.
    #[doc(hidden)]
    MediaFragment,
    /// `multipart/form-data`.
    #[doc(hidden)]
    MultipartFormData,
    /// Cache manifest ("parse a manifest").
    #[doc(hidden)]
    ParseManifest,
    /// `m3u8` playlist.
    #[doc(hidden)]
    M3u8,
    /// WebVTT parser.
    #[doc(hidden)]
    WebVtt,
    /// X.500 string.
    #[doc(hidden)]
    X500String,
    /// MIME type from bytes.
    #[doc(hidden)]
    MimeType,
    /// URL parser.
    #[doc(hidden)]
    UrlParser,
    /// `data:` URL processor.
    #[doc(hidden)]
    DataUrl,
    /// `Refresh` header.
    #[doc(hidden)]
    Refresh,
    /// Get, decode, and split a header.
    #[doc(hidden)]
    HeaderList,
    /// `atob`.
    #[doc(hidden)]
    Atob,
    /// Environment variable.
    #[doc(hidden)]
    EnvironmentVariable,
    /// Text file (of mojika, not of a Web standard).
    PlainText,
}
