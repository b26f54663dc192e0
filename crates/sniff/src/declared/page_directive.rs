//! `<%@ page pageEncoding="…" contentType="text/html; charset=…" %>` of JavaServer Pages.

use super::Kind;
use super::conventions::{Search, position};
use super::html::{Attributes, content_label};
use super::table::begins;
use core::ops::Range;

impl Search<'_, '_> {
    /// Finds the labels of `pageEncoding`, which has precedence, then those of `contentType`.
    pub fn page_directives(&mut self) {
        let text = self.text;
        // A page begins with a tag or a directive, not with other text.
        if !begins(text, b"<") || position(text, 0, b"<%@").is_none() {
            return;
        }
        for is_type in [false, true] {
            let named: &[u8] = if is_type {
                b"contentType"
            } else {
                b"pageEncoding"
            };
            for directive in directives(text) {
                let mut attributes = Attributes::new(&text[..directive.end], directive.start);
                let found = attributes.find(|(name, _)| text[name.clone()] == *named);
                let Some((_, value)) = found else { continue };
                let label = match is_type {
                    true => content_label(&text[value.clone()]),
                    false => Some(0..0),
                };
                if let Some(label) = label {
                    let start = value.start + label.start;
                    self.label(Kind::Page("jsp-directive"), start, value.end);
                }
            }
        }
    }
}

/// Returns the places of the attributes of each directive `page` or `tag` that is neither in a comment nor in code.
fn directives(text: &[u8]) -> impl Iterator<Item = Range<usize>> {
    let mut at = 0;
    core::iter::from_fn(move || {
        loop {
            let inner = position(text, at, b"<%")? + 2;
            let end: &[u8] = match text[inner..] {
                [b'-', b'-', ..] => b"--%>",
                _ => b"%>",
            };
            let end_at = position(text, inner, end)?;
            at = end_at + end.len();
            let Some(directive) = text[inner..end_at].strip_prefix(b"@") else {
                continue;
            };
            let directive = directive.trim_ascii_start();
            let names: [&[u8]; 2] = [b"page", b"tag"];
            let attributes = names.iter().find_map(|name| directive.strip_prefix(*name));
            // White space must follow the name.
            if let Some([b'\t' | b'\n' | 0x0C | b'\r' | b' ', attributes @ ..]) = attributes {
                return Some(end_at - attributes.len()..end_at);
            }
        }
    })
}
