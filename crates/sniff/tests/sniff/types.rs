//! Tests of the type of a document, by MIME type and first bytes, for each row of the MIME Sniffing Standard.

use mojika_sniff::{Context, Response};

fn of_type(content_type: &str) -> Option<Context> {
    Response::new("", [("Content-Type", content_type)]).context(b"")
}

/// "JavaScript MIME type", "XML MIME type", "JSON MIME type", HTML and common types of text, in any case.
#[test]
fn each_type_has_its_context() {
    use Context::*;
    let rows: &[(Option<Context>, &[&str])] = &[
        (Some(HtmlParser), &["text/html"]),
        (
            Some(XmlParser),
            &[
                "text/xml",
                "application/xml",
                "application/xhtml+xml",
                "image/svg+xml",
                "x/y+xml",
            ],
        ),
        (Some(CssFromDocument), &["text/css"]),
        (Some(WebVtt), &["text/vtt"]),
        (Some(EventStream), &["text/event-stream"]),
        (
            Some(M3u8),
            &[
                "application/x-mpegurl",
                "application/vnd.apple.mpegurl",
                "audio/mpegurl",
            ],
        ),
        (
            Some(FetchJson),
            &[
                "application/json",
                "text/json",
                "application/ld+json",
                "application/x-ndjson",
            ],
        ),
        (
            Some(ClassicScript),
            &[
                "application/ecmascript",
                "application/javascript",
                "application/x-ecmascript",
                "application/x-javascript",
                "text/ecmascript",
                "text/javascript",
                "text/javascript1.0",
                "text/javascript1.5",
                "text/jscript",
                "text/livescript",
                "text/x-ecmascript",
                "text/x-javascript",
            ],
        ),
        (
            Some(TextDocument),
            &[
                "text/plain",
                "text/markdown",
                "text/xmlish",
                "text/x-c",
                "application/sql",
                "application/x-sh",
                "application/x-tex",
                "application/yaml",
                "application/x-httpd-php",
                "application/x-subrip",
            ],
        ),
        (
            None,
            &[
                "application/rtf",
                "text/rtf",
                "image/png",
                "application/pdf",
                "application/jscript",
                "application/livescript",
                "audio/mp4",
                "image/javascript",
                "application/xmlish",
            ],
        ),
    ];
    for (context, types) in rows {
        for essence in *types {
            assert_eq!(of_type(essence), *context, "{essence}");
            let upper = essence.to_ascii_uppercase();
            assert_eq!(of_type(&format!("{upper} ; a=b")), *context, "{upper}");
        }
    }
    // The longest type that is accepted.
    for (length, context) in [(80, Some(TextDocument)), (81, None)] {
        assert_eq!(
            of_type(&format!("text/{}", "x".repeat(length - 5))),
            context
        );
    }
}

/// "Rules for identifying an unknown MIME type": each tag, followed by a tag-terminating byte and by another byte.
#[test]
fn each_tag_of_a_page_is_one_with_what_ends_it() {
    let unknown = Response::new("", [("Content-Type", "application/octet-stream")]);
    let rows = [
        "<!DOCTYPE HTML",
        "<HTML",
        "<HEAD",
        "<SCRIPT",
        "<IFRAME",
        "<H1",
        "<DIV",
        "<FONT",
        "<TABLE",
        "<A",
        "<STYLE",
        "<TITLE",
        "<B",
        "<BODY",
        "<BR",
        "<P",
    ];
    for tag in rows {
        for tag in [tag.to_owned(), tag.to_ascii_lowercase()] {
            for (after, is_page) in [
                (" ", true),
                (">", true),
                ("\n", false),
                ("x", false),
                ("", false),
            ] {
                let page = format!("\t\n\x0C\r {tag}{after}");
                let is_found = Context::of_content(page.as_bytes()) == Context::HtmlParser;
                assert_eq!(is_found, is_page, "{page:?}");
                let found = unknown.context(page.as_bytes());
                assert_eq!(found == Some(Context::HtmlParser), is_page, "{page:?}");
            }
        }
    }
    for (page, is_page) in [
        ("<!--", true),
        ("<!--x", true),
        ("<!-", false),
        ("x<p>", false),
    ] {
        let is_found = Context::of_content(page.as_bytes()) == Context::HtmlParser;
        assert_eq!(is_found, is_page, "{page:?}");
    }
}

/// A body without a type: each byte that text does not contain, at offsets up to the last byte that is examined.
#[test]
fn a_body_without_a_type_is_text_without_binary_bytes() {
    let unknown = Response::new("", [("Content-Type", "unknown/unknown")]);
    for byte in 0..=0xFF {
        let is_binary = matches!(byte, 0..=8 | 0x0B | 0x0E..=0x1A | 0x1C..=0x1F);
        let context = (!is_binary).then_some(Context::TextDocument);
        assert_eq!(unknown.context(&[b'a', byte, b'a']), context, "{byte:02X}");
    }
    for (at, context) in [(1444, None), (1445, Some(Context::TextDocument))] {
        let mut body = vec![b'a'; 2000];
        body[at] = 0;
        assert_eq!(unknown.context(&body), context, "{at}");
    }
    let cases: [(&[u8], Option<Context>); 8] = [
        (b"", None),
        (b"%PDF-", None),
        (b"%!PS-Adobe-", None),
        (b"%!PS", Some(Context::TextDocument)),
        (b" %PDF-", Some(Context::TextDocument)),
        (b"\xFE\xFF\0a", Some(Context::TextDocument)),
        (b"\xEF\xBB\xBF\0", Some(Context::TextDocument)),
        (b"\n<?xml version", Some(Context::XmlParser)),
    ];
    for (body, context) in cases {
        assert_eq!(unknown.context(body), context, "{body:?}");
    }
}

/// XML is a page if a page follows its declaration, with or without comments between them.
#[test]
fn a_page_of_xhtml_follows_its_declaration() {
    for (after, context) in [
        ("<html>", Context::HtmlParser),
        ("<HTML xmlns=\"\">", Context::HtmlParser),
        ("<!DOCTYPE html>", Context::HtmlParser),
        ("\n<!-- 1 --><!-- <a> -->\n <html>", Context::HtmlParser),
        ("<!-- <html>", Context::XmlParser),
        ("<!-- 1 --><a/><html>", Context::XmlParser),
        ("<htm>", Context::XmlParser),
        ("<svg>", Context::XmlParser),
        ("", Context::XmlParser),
    ] {
        let page = format!("<?xml version='1.0'?>{after}");
        assert_eq!(Context::of_content(page.as_bytes()), context, "{page}");
    }
    let scripts: [(&[u8], Context); 8] = [
        (b"\xEF\xBB\xBF\n<html>", Context::HtmlParser),
        (b"<\0?\0x\0m\0l\0 \0", Context::XmlParser),
        (b"<?PHP echo", Context::HtmlParser),
        (b" <%@ page", Context::HtmlParser),
        (b"< %", Context::PlainText),
        (b"<?ph", Context::PlainText),
        (b"\n@charset \"gbk\";", Context::CssFromDocument),
        (b"@charset 'gbk';", Context::PlainText),
    ];
    for (bytes, context) in scripts {
        assert_eq!(Context::of_content(bytes), context, "{bytes:?}");
    }
}
