//! MIME types: the context of a document for browsers.

use super::Context;

/// Returns the context of a MIME type for browsers: "HTML MIME type", "XML MIME type", and so on.
///
/// Case is ignored. Returns `None` for a type that is not text, or of more than 80 bytes.
pub(super) fn context_for_essence(essence: &[u8]) -> Option<Context> {
    let mut lower = [0; 80];
    let lower = lower.get_mut(..essence.len())?;
    lower.copy_from_slice(essence);
    lower.make_ascii_lowercase();
    let essence = str::from_utf8(lower).ok()?;
    let (kind, subtype) = essence.split_once('/')?;
    Some(match essence {
        "text/html" => Context::HtmlParser,
        "text/css" => Context::CssFromDocument,
        "text/vtt" => Context::WebVtt,
        "text/event-stream" => Context::EventStream,
        "application/rtf" | "text/rtf" => return None,
        "application/x-mpegurl" | "application/vnd.apple.mpegurl" | "audio/mpegurl" => {
            Context::M3u8
        }
        "application/sql"
        | "application/x-sh"
        | "application/x-tex"
        | "application/yaml"
        | "application/x-httpd-php"
        | "application/x-subrip" => Context::TextDocument,
        _ if subtype == "xml" || subtype.ends_with("+xml") => Context::XmlParser,
        _ if subtype == "json" || subtype.ends_with("+json") || subtype == "x-ndjson" => {
            Context::FetchJson
        }
        _ if is_javascript(kind, subtype) => Context::ClassicScript,
        _ if kind == "text" => Context::TextDocument,
        _ => return None,
    })
}

/// MIME Sniffing Standard, "JavaScript MIME type".
fn is_javascript(kind: &str, subtype: &str) -> bool {
    match kind {
        "application" => {
            ["javascript", "x-javascript", "ecmascript", "x-ecmascript"].contains(&subtype)
        }
        "text" => {
            let names = ["javascript", "ecmascript", "jscript", "livescript"];
            let names_it = |name: &&str| {
                subtype
                    .strip_prefix("x-")
                    .unwrap_or(subtype)
                    .starts_with(*name)
            };
            names.iter().any(names_it)
        }
        _ => false,
    }
}
