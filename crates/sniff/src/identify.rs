//! The type of a document by its first bytes: HTML, XML, a style sheet, or other text.

use super::{Context, bom, xml};

/// The number of bytes that determine the type of a document (MIME Sniffing Standard, "resource header").
pub(super) const HEAD_LENGTH: usize = 1445;

/// True if bytes start like HTML: MIME Sniffing Standard, "rules for identifying an unknown MIME type".
///
/// `start` has no white space at its start.
pub(super) fn is_page(start: &[u8]) -> bool {
    const TAGS: &str = "<!doctype html|<html|<head|<script|<iframe|<h1|<div|<font|<table|<a|<style|\
        <title|<b|<body|<br|<p|<!--";
    let is_tag = |tag: &str| {
        starts_with(start, tag.as_bytes())
            // After `<!--`, any byte may follow.
            && (tag.ends_with('-') || matches!(start.get(tag.len()), Some(b' ' | b'>')))
    };
    TAGS.split('|').any(is_tag)
}

fn starts_with(bytes: &[u8], tag: &[u8]) -> bool {
    bytes.len() >= tag.len() && bytes[..tag.len()].eq_ignore_ascii_case(tag)
}

pub(super) fn skip_space(bytes: &[u8]) -> &[u8] {
    let blank = bytes
        .iter()
        .take_while(|byte| b"\t\n\x0C\r ".contains(byte));
    &bytes[blank.count()..]
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
        let start = skip_space(&head[marked..]);
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
    let mut rest = skip_space(&start[end + 2..]);
    while rest.starts_with(b"<!--")
        && let Some(end) = memchr::memmem::find(rest, b"-->")
    {
        rest = skip_space(&rest[end + 3..]);
    }
    starts_with(rest, b"<!doctype html") || starts_with(rest, b"<html")
}
