//! The contexts in which the Web decodes bytes, with their rules, as one table.
//!
//! Every context has a row: the operation, streaming, the sources of the encoding, the default and the error mode.
//! [`sniff`](super::sniff) works from this table alone; no context has code of its own.

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
    /// No encoding: each byte is a code point.
    Isomorphic,
}

/// The treatment of malformed input by a context.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorRule {
    /// Malformed input becomes U+FFFD.
    Replacement,
    /// Malformed input is an error.
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
    /// The context's name for readers.
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
    /// Returns the context with this id: lower case and hyphens.
    ///
    /// ```
    /// use mojika_sniff::Context;
    /// assert_eq!(Context::for_id("event-stream"), Some(Context::EventStream));
    /// ```
    pub fn for_id(id: &str) -> Option<Context> {
        let row = TABLE.iter().find(|row| row.id == id);
        row.map(|row| row.context)
    }

    /// Returns the context's row.
    ///
    /// ```
    /// use mojika_sniff::contexts::{BomRule, Context};
    /// assert_eq!(Context::Cookie.row().bom, BomRule::Keep);
    /// ```
    pub fn row(self) -> &'static Row {
        &TABLE[self as usize]
    }
}

/// A context without options.
const PLAIN: Row = Row {
    context: Context::TextDecoder,
    id: "",
    name: "",
    operation: Operation::Unspecified,
    streams: false,
    legacy: false,
    bom: BomRule::Keep,
    user_override: false,
    transport: false,
    sniffing: Sniffing::None,
    fallback: Fallback::Utf8,
    may_change: false,
    errors: ErrorRule::None,
};

/// Defines the contexts. Each has a variant, an id, a name, the values of its rules in the order of [`Row`], and a list
/// of the rules that hold.
macro_rules! contexts {
    ($($context:ident $id:literal $name:literal: $operation:ident $bom:ident $sniffing:ident $fallback:ident $errors:ident [$($rule:ident)*];)*) => {
        /// A context in which bytes are decoded.
        ///
        /// docs/SNIFFING.md lists all contexts. [`for_id`](Self::for_id) returns any by its name, such as "cookie".
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum Context {
            $(#[doc = concat!($name, ".")] $context,)*
        }

        /// All contexts, in the order of [`Context`].
        pub static TABLE: [Row; 51] = [$(Row {
            context: Context::$context,
            id: $id,
            name: $name,
            operation: Operation::$operation,
            bom: BomRule::$bom,
            sniffing: Sniffing::$sniffing,
            fallback: Fallback::$fallback,
            errors: ErrorRule::$errors,
            $($rule: true,)*
            ..PLAIN
        },)*];
    };
}

contexts! {
    TextDecoder "text-decoder" "TextDecoder": TextDecoder Remove None Environment Selectable [streams legacy];
    TextDecoderIgnoreBom "text-decoder-ignore-bom" "TextDecoder (ignoreBOM)": TextDecoder Keep None Environment Selectable [streams legacy];
    HtmlParser "html-parser" "HTML parser": Decode Sniff Html Environment Replacement [streams legacy user_override transport may_change];
    XhrDocument "xhr-document" "XHR document response (HTML)": Decode Sniff XhrHtml Utf8 Replacement [legacy user_override transport];
    XmlParser "xml-parser" "XML parser": Unspecified Sniff Xml Utf8 Fatal [streams legacy user_override transport];
    CssFromDocument "css-from-document" "CSS parser (from a document)": Decode Sniff Css Environment Replacement [legacy transport];
    CssFromCss "css-from-css" "CSS parser (from CSS)": Decode Sniff Css Environment Replacement [legacy transport];
    CssFromLink "css-from-link" "CSS parser (from a Link header)": Decode Sniff Css Utf8 Replacement [legacy transport];
    TextDocument "text-document" "text document": Unspecified Sniff Text Environment Replacement [streams legacy user_override transport];
    XhrTextXml "xhr-text-xml" "XHR text response (XML)": Decode Sniff Xml Utf8 Replacement [streams legacy user_override transport];
    XhrText "xhr-text" "XHR text response (not XML)": Decode Sniff None Utf8 Replacement [streams legacy user_override transport];
    FetchText "fetch-text" "Fetch package data, text": Utf8Decode Remove None Utf8 Replacement [];
    ViewSource "view-source" "view-source:": Unspecified Sniff ByType Environment Replacement [streams legacy user_override transport];
    Clipboard "clipboard" "paste from the clipboard": Unspecified NotStated ByType Environment NotStated [legacy];
    ClassicScript "classic-script" "classic script": Decode Sniff None Environment Replacement [streams legacy transport];
    Script "script" "other scripts": Utf8Decode Remove None Utf8 Replacement [streams];
    JavascriptUrl "javascript-url" "javascript: URL": Utf8Decode Remove None Utf8 Replacement [];
    XhrJson "xhr-json" "XHR JSON response": Utf8Decode Remove None Utf8 Replacement [];
    FetchJson "fetch-json" "Fetch package data, JSON": Utf8Decode Remove None Utf8 Replacement [];
    ManifestJson "manifest-json" "application/manifest+json": Utf8Decode Remove None Utf8 Replacement [];
    PaymentManifest "payment-manifest" "payment method manifest": Utf8Decode Remove None Utf8 Replacement [];
    PushMessage "push-message" "PushMessageData": Utf8Decode Remove None Utf8 Replacement [];
    WebDriverJson "webdriver-json" "WebDriver request JSON": Unspecified NotStated None Utf8 NotStated [];
    SourceMap "source-map" "source map": Unspecified NotStated None Utf8 NotStated [];
    Cookie "cookie" "document.cookie": Utf8DecodeWithoutBom Keep None Utf8 Replacement [];
    ChallengeRealm "challenge-realm" "challenge realm": Unspecified NotStated None Utf8 NotStated [];
    ContentDisposition "content-disposition" "Content-Disposition filename": Unspecified NotStated None Utf8 NotStated [];
    WebSocketClose "websocket-close" "WebSocket close reason": Utf8DecodeWithoutBom Keep None Utf8 Replacement [];
    WebSocketText "websocket-text" "WebSocket text frame": TextDecoder Remove None Utf8 Replacement [streams];
    EventStream "event-stream" "text/event-stream": Utf8Decode Remove None Utf8 Replacement [streams];
    HostParser "host-parser" "host parser": Utf8DecodeWithoutBomOrFail Keep None Utf8 Fatal [];
    PercentDecode "percent-decode" "percent-decoding": Utf8DecodeWithoutBom Keep None Utf8 Replacement [];
    DecodeUri "decode-uri" "decodeURI": EcmaScriptDecode Keep None Utf8 Fatal [];
    DecodeUriComponent "decode-uri-component" "decodeURIComponent": EcmaScriptDecode Keep None Utf8 Fatal [];
    IndicatedPart "indicated-part" "indicated part of a document": Utf8DecodeWithoutBom Keep None Utf8 Replacement [];
    FileUrlPath "file-url-path" "file: URL path": Unspecified NotStated None Utf8 NotStated [];
    FormUrlEncoded "form-url-encoded" "application/x-www-form-urlencoded": Utf8DecodeWithoutBom Keep None Utf8 Replacement [];
    MediaFragment "media-fragment" "media fragment": Utf8Decode Remove None Utf8 Fatal [];
    MultipartFormData "multipart-form-data" "multipart/form-data": Utf8DecodeWithoutBom Keep None Utf8 Replacement [streams];
    ParseManifest "parse-manifest" "parse a manifest": Utf8Decode Remove None Utf8 Replacement [];
    M3u8 "m3u8" "m3u8": Unspecified NotStated None Utf8 NotStated [];
    WebVtt "webvtt" "WebVTT parser": Utf8Decode Remove None Utf8 Replacement [streams];
    X500String "x500-string" "X.500 string": Unspecified NotStated None Utf8 NotStated [];
    MimeType "mime-type" "MIME type from bytes": IsomorphicDecode Keep None Isomorphic None [];
    UrlParser "url-parser" "URL parser": IsomorphicDecode Keep None Isomorphic None [];
    DataUrl "data-url" "data: URL processor": IsomorphicDecode Keep None Isomorphic None [];
    Refresh "refresh" "Refresh header": IsomorphicDecode Keep None Isomorphic None [];
    HeaderList "header-list" "get, decode, and split a header": IsomorphicDecode Keep None Isomorphic None [];
    Atob "atob" "atob": IsomorphicDecode Keep None Isomorphic None [];
    EnvironmentVariable "environment-variable" "environment variable": Decode Sniff None Environment Replacement [legacy];
    PlainText "plain-text" "text file (of mojika, not of a Web standard)": Unspecified SniffUcs4 Text Environment Replacement [streams legacy user_override transport];
}
