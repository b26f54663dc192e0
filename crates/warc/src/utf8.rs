//! Writes the same record with its document in UTF-8. The header and the document then declare UTF-8.

use super::document::{Content, Document};
use super::reader::fields::Head;
use super::wet;
use mojika_convert::declared::markup;
use std::io::Write as _;

/// Fields about the transmission of the body. They keep their values under crawlers' names, as in Common Crawl.
const CODINGS: [&str; 2] = ["Content-Encoding", "Transfer-Encoding"];

/// Appends a record with the document in UTF-8.
pub fn write(
    output: &mut Vec<u8>,
    head: &Head<'_>,
    content: &Content<'_>,
    document: &Document<'_>,
) {
    let body = markup::document(document.shown(), &document.essence);
    let label = label(content.content_type, &document.essence);
    let mut block = Vec::new();
    if let Some(http) = &content.http {
        write_http(&mut block, &http.head, &label, body.len());
    }
    block.extend_from_slice(body.as_bytes());

    output.extend_from_slice(head.first);
    output.extend_from_slice(b"\r\n");
    for field in head.fields() {
        let is = |name: &str| field.name.eq_ignore_ascii_case(name.as_bytes());
        if is("Content-Length") {
            let _ = write!(output, "Content-Length: {}\r\n", block.len());
        } else if is("WARC-Block-Digest") {
            let _ = write!(output, "WARC-Block-Digest: {}\r\n", wet::digest(&block));
        } else if is("WARC-Payload-Digest") {
            let digest = wet::digest(body.as_bytes());
            let _ = write!(output, "WARC-Payload-Digest: {digest}\r\n");
        } else if is("Content-Type") && content.http.is_none() {
            let _ = write!(output, "Content-Type: {label}\r\n");
        } else {
            push_field(output, field.lines);
        }
    }
    output.extend_from_slice(b"\r\n");
    output.extend_from_slice(&block);
    output.extend_from_slice(b"\r\n\r\n");
}

fn write_http(block: &mut Vec<u8>, head: &Head<'_>, label: &str, length: usize) {
    block.extend_from_slice(head.first);
    block.extend_from_slice(b"\r\n");
    let mut is_labelled = false;
    let length = length.to_string();
    for field in head.fields() {
        let is = |name: &str| field.name.eq_ignore_ascii_case(name.as_bytes());
        if is("Content-Length") && field.value == length.as_bytes() {
            // The field is written below with its new value.
        } else if is("Content-Length") || CODINGS.iter().any(|name| is(name)) {
            block.extend_from_slice(b"X-Crawler-");
            push_field(block, field.lines);
        } else if is("Content-Type") {
            if field.value != label.as_bytes() {
                block.extend_from_slice(b"X-Crawler-");
                push_field(block, field.lines);
            }
            if !is_labelled {
                let _ = write!(block, "Content-Type: {label}\r\n");
            }
            is_labelled = true;
        } else {
            push_field(block, field.lines);
        }
    }
    if !is_labelled {
        let _ = write!(block, "Content-Type: {label}\r\n");
    }
    let _ = write!(block, "Content-Length: {length}\r\n\r\n");
}

/// Copies the lines of a field; the last line of a truncated header has no end.
fn push_field(output: &mut Vec<u8>, lines: &[u8]) {
    output.extend_from_slice(lines);
    if !lines.ends_with(b"\n") {
        output.extend_from_slice(b"\r\n");
    }
}

/// Returns the content type with "charset=utf-8" in place of its charset.
fn label(stated: Option<&[u8]>, essence: &str) -> String {
    let essence = if essence.is_empty() {
        "text/html"
    } else {
        essence
    };
    let mut label = essence.to_owned();
    let stated = stated.map(super::document::lossy).unwrap_or_default();
    let is_essence = |stated: &str| stated.trim().eq_ignore_ascii_case(essence);
    let mut parameters = stated.split(';');
    if parameters.next().is_some_and(is_essence) {
        for parameter in parameters {
            let parameter = parameter.trim();
            let name = parameter.split('=').next().unwrap_or_default().trim();
            if !parameter.is_empty() && !name.eq_ignore_ascii_case("charset") {
                label.push_str("; ");
                label.push_str(parameter);
            }
        }
    }
    label.push_str("; charset=utf-8");
    label
}
