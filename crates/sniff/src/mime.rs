//! The type of a document (HTML, XML, a style sheet, or other text) by its MIME type or by its first bytes.

use super::{Context, bom, html, xml};

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

/// The number of bytes that determine the type of a document (MIME Sniffing Standard, "resource header").
const HEAD_LENGTH: usize = 1445;

/// True if bytes start like HTML: MIME Sniffing Standard, "rules for identifying an unknown MIME type".
///
/// `start` has no white space at its start.
fn is_page(start: &[u8]) -> bool {
    const TAGS: &str = "<!doctype html|<html|<head|<script|<iframe|<h1|<div|<font|<table|<a|<style|\
        <title|<b|<body|<br|<p|<!--";
    let is_tag = |tag: &str| {
        starts_with(start, tag.as_bytes())
            // After `<!--`, any byte may follow.
            && (tag.ends_with('-') || matches!(start.get(tag.len()), Some(b' ' | b'>')))
    };
    TAGS.split('|').any(is_tag)
}

/// True if `bytes` begin with this tag in any case.
pub(super) fn starts_with(bytes: &[u8], tag: &[u8]) -> bool {
    let start = bytes.get(..tag.len());
    start.is_some_and(|start| start.eq_ignore_ascii_case(tag))
}

fn after_space(bytes: &[u8]) -> &[u8] {
    &bytes[html::skip_space(bytes, 0)..]
}

/// Applies the "rules for identifying an unknown MIME type". Returns `None` for types that are not text.
#[cfg(feature = "alloc")]
pub(super) fn identify(body: &[u8]) -> Option<Context> {
    let head = &body[..body.len().min(HEAD_LENGTH)];
    let start = after_space(head);
    if is_page(start) {
        return Some(Context::HtmlParser);
    }
    if start.starts_with(b"<?xml") {
        return Some(Context::XmlParser);
    }
    if head.starts_with(b"%PDF-") || head.starts_with(b"%!PS-Adobe-") {
        return None;
    }
    let has_bom = bom::standard(head).is_some();
    // These are the "binary data bytes". Text may contain other control characters; ESC occurs in ISO-2022-JP.
    let is_binary = |&byte: &u8| matches!(byte, 0..=8 | 0x0B | 0x0E..=0x1A | 0x1C..=0x1F);
    let is_text = has_bom || (!head.is_empty() && !head.iter().any(is_binary));
    is_text.then_some(Context::TextDocument)
}

impl Context {
    /// Returns the context of a file by its first bytes, if its name does not determine it.
    ///
    /// HTML begins with one of the tags of the MIME Sniffing Standard, or with a server-side script. XML begins with its
    /// declaration, unless `<!doctype html>` or `<html>` follows. A style sheet begins with `@charset`. Everything else is
    /// text.
    ///
    /// ```
    /// use mojika_sniff::Context;
    ///
    /// assert_eq!(Context::of_content(b"<!DOCTYPE html><p>"), Context::HtmlParser);
    /// assert_eq!(Context::of_content(b"<?xml version='1.0'?><a/>"), Context::XmlParser);
    /// assert_eq!(Context::of_content(b"a < b"), Context::PlainText);
    /// ```
    pub fn of_content(head: &[u8]) -> Context {
        let head = &head[..head.len().min(HEAD_LENGTH)];
        let marked = bom::standard(head).map_or(0, |bom| bom.length);
        let start = after_space(&head[marked..]);
        if xml::has_declaration(head) {
            return if declares_page(start) {
                Context::HtmlParser
            } else {
                Context::XmlParser
            };
        }
        if start.starts_with(b"@charset \"") {
            return Context::CssFromDocument;
        }
        let is_script = starts_with(start, b"<?php") || start.starts_with(b"<%");
        if is_script || is_page(start) {
            return Context::HtmlParser;
        }
        Context::PlainText
    }
}

/// True if an XHTML page follows an XML declaration.
fn declares_page(start: &[u8]) -> bool {
    let Some(end) = memchr::memmem::find(start, b"?>") else {
        return false;
    };
    let mut rest = after_space(&start[end + 2..]);
    while rest.starts_with(b"<!--")
        && let Some(end) = memchr::memmem::find(rest, b"-->")
    {
        rest = after_space(&rest[end + 3..]);
    }
    starts_with(rest, b"<!doctype html") || starts_with(rest, b"<html")
}
