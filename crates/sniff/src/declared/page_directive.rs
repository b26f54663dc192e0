//! `<%@ page pageEncoding="…" contentType="text/html; charset=…" %>` of JavaServer Pages.

use super::conventions::{label, position, skip_blank};
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
            let Some(value) = value_of(text, directive, attribute) else {
                return;
            };
            let start = match attribute {
                b"pageEncoding" => value.start,
                _ => match charset(&text[value.clone()]) {
                    Some(at) => value.start + at,
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
        // White space must follow the name. The directive's end is not white space, so the name must end before it.
        if length.is_some() && text[attributes].is_ascii_whitespace() {
            each(attributes..end_at);
        }
    }
}

/// Returns the value of an attribute.
fn value_of(text: &[u8], attributes: Range<usize>, wanted: &[u8]) -> Option<Range<usize>> {
    let text = &text[..attributes.end];
    let mut at = skip_space(text, attributes.start);
    while at < text.len() {
        let is_name = |byte: &&u8| byte.is_ascii_alphanumeric();
        let name = at..at + text[at..].iter().take_while(is_name).count();
        let equals = skip_space(text, name.end);
        if name.is_empty() || text.get(equals) != Some(&b'=') {
            return None;
        }
        let open = skip_space(text, equals + 1);
        let quote = *text.get(open).filter(|quote| b"\"'".contains(quote))?;
        let end = open + 1 + memchr::memchr(quote, &text[open + 1..])?;
        if text[name] == *wanted {
            return Some(open + 1..end);
        }
        at = skip_space(text, end + 1);
    }
    None
}

/// Returns the start of the charset in a Content-Type.
fn charset(value: &[u8]) -> Option<usize> {
    let name = b"charset";
    let mut places = value.windows(name.len());
    let at = places.position(|place| place.eq_ignore_ascii_case(name))?;
    let equals = skip_blank(value, at + name.len());
    (value.get(equals) == Some(&b'=')).then(|| skip_blank(value, equals + 1))
}

fn skip_space(text: &[u8], at: usize) -> usize {
    let rest = text.get(at..).unwrap_or_default();
    at + rest.len() - rest.trim_ascii_start().len()
}
