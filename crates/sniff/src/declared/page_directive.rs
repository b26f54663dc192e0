//! `<%@ page pageEncoding="…" contentType="text/html; charset=…" %>` of JavaServer Pages.

use super::conventions::{label, position};
use super::html::{Attributes, content_label};
use super::{Kind, Place};
use core::ops::Range;

/// Calls `each` with the position of every label: first those of `pageEncoding`, which has precedence, then those of
/// `contentType`.
pub(super) fn find(text: &[u8], each: &mut dyn FnMut(Place)) {
    // A page begins with a tag or a directive, not with other text.
    let start = text.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(text);
    if !start.trim_ascii_start().starts_with(b"<") || position(text, 0, b"<%@").is_none() {
        return;
    }
    for attribute in [&b"pageEncoding"[..], b"contentType"] {
        directives(text, &mut |directive| {
            let mut attributes = Attributes::new(&text[..directive.end], directive.start);
            let Some((_, value)) = attributes.find(|(name, _)| text[name.clone()] == *attribute)
            else {
                return;
            };
            let start = match attribute {
                b"pageEncoding" => value.start,
                _ => match content_label(&text[value.clone()]) {
                    Some(label) => value.start + label.start,
                    None => return,
                },
            };
            label(
                Kind::Page("jsp-directive"),
                &text[..value.end],
                start,
                0,
                each,
            );
        });
    }
}

/// Calls `each` with the range of the attributes of each directive `page` or `tag` that is neither in a comment nor in
/// code.
fn directives(text: &[u8], each: &mut dyn FnMut(Range<usize>)) {
    let mut at = 0;
    while let Some(start) = position(text, at, b"<%") {
        let inner = start + 2;
        let end: &[u8] = match text.get(inner..) {
            Some([b'-', b'-', ..]) => b"--%>",
            _ => b"%>",
        };
        let Some(end_at) = position(text, inner, end) else {
            return;
        };
        at = end_at + end.len();
        if text[inner] != b'@' {
            continue;
        }
        let name = skip_space(text, inner + 1);
        let names: [&[u8]; 2] = [b"page", b"tag"];
        let length = names
            .iter()
            .find(|name_of| text[name..].starts_with(name_of));
        let attributes = name + length.map_or(0, |name_of| name_of.len());
        // White space must follow the name. `end` does not start with white space, so `attributes < end_at`.
        if length.is_some() && text[attributes].is_ascii_whitespace() {
            each(attributes..end_at);
        }
    }
}

fn skip_space(text: &[u8], at: usize) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    at + rest.len() - rest.trim_ascii_start().len()
}
