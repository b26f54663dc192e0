//! The visible text of a page, without markup, scripts and styles.
//!
//! The tokenizer is html5gum's, which follows the HTML Standard; no tree is built. Elements that browsers show as blocks
//! begin a new line, and white space is collapsed outside of `pre`. Boilerplate is not removed.

use html5gum::Tokenizer;
use html5gum::emitters::callback::{CallbackEmitter, CallbackEvent};
use std::cell::RefCell;

/// Elements with invisible text.
const HIDDEN: [&[u8]; 8] = [
    b"script",
    b"style",
    b"noscript",
    b"template",
    b"iframe",
    b"noembed",
    b"noframes",
    b"object",
];

/// Elements that begin and end a line.
const BLOCKS: [&[u8]; 45] = [
    b"address",
    b"article",
    b"aside",
    b"blockquote",
    b"body",
    b"br",
    b"caption",
    b"center",
    b"dd",
    b"details",
    b"dialog",
    b"dir",
    b"div",
    b"dl",
    b"dt",
    b"fieldset",
    b"figcaption",
    b"figure",
    b"footer",
    b"form",
    b"h1",
    b"h2",
    b"h3",
    b"h4",
    b"h5",
    b"h6",
    b"header",
    b"hgroup",
    b"hr",
    b"legend",
    b"li",
    b"main",
    b"menu",
    b"nav",
    b"ol",
    b"optgroup",
    b"option",
    b"p",
    b"pre",
    b"section",
    b"summary",
    b"table",
    b"title",
    b"tr",
    b"ul",
];

/// Returns the text of a page. Lines end in LF, without trailing white space.
pub fn text(page: &str) -> String {
    let seen = RefCell::new(Seen {
        text: String::with_capacity(page.len() / 4),
        hidden: None,
        depth: 0,
        pre: 0,
        gap: Gap::Line,
        tag: Vec::new(),
    });
    let mut emitter = CallbackEmitter::new(|event: CallbackEvent<'_>, _: html5gum::Span<()>| {
        seen.borrow_mut().event(event);
        None::<()>
    });
    emitter.naively_switch_states(true);
    // The emitter gives no tokens, and text in memory has no read errors.
    Tokenizer::new_with_emitter(page, emitter).for_each(|_| ());
    seen.into_inner().text
}

/// The separator between the previous text and the next text.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Gap {
    None,
    Space,
    Line,
}

struct Seen {
    text: String,
    /// The name of the outermost hidden element, and the number of open elements with that name.
    hidden: Option<&'static [u8]>,
    depth: u32,
    /// The number of open `pre` elements.
    pre: u32,
    gap: Gap,
    /// The name of the current start tag.
    tag: Vec<u8>,
}

impl Seen {
    fn event(&mut self, event: CallbackEvent<'_>) {
        match event {
            CallbackEvent::OpenStartTag { name } => {
                self.tag.clear();
                self.tag.extend_from_slice(name);
            }
            CallbackEvent::CloseStartTag { .. } => {
                let tag = std::mem::take(&mut self.tag);
                self.start(&tag);
                self.tag = tag;
            }
            CallbackEvent::EndTag { name } => self.end(name),
            CallbackEvent::String { value } if self.hidden.is_none() => {
                // The page is UTF-8, and the tokenizer does not split characters.
                self.show(&String::from_utf8_lossy(value));
            }
            _ => {}
        }
    }

    fn start(&mut self, name: &[u8]) {
        match self.hidden {
            Some(hidden) => {
                self.depth += u32::from(hidden == name);
                return;
            }
            None => {
                self.hidden = HIDDEN.into_iter().find(|hidden| *hidden == name);
                self.depth = 1;
            }
        }
        self.pre += u32::from(name == b"pre");
        self.border(name);
    }

    fn end(&mut self, name: &[u8]) {
        if let Some(hidden) = self.hidden {
            self.depth -= u32::from(hidden == name);
            if self.depth == 0 {
                self.hidden = None;
            }
            return;
        }
        if name == b"pre" {
            self.pre = self.pre.saturating_sub(1);
        }
        self.border(name);
    }

    fn border(&mut self, name: &[u8]) {
        if BLOCKS.binary_search(&name).is_ok() {
            self.gap = Gap::Line;
        } else if name == b"td" || name == b"th" {
            self.gap = self.gap.max(Gap::Space);
        }
    }

    fn show(&mut self, text: &str) {
        if self.pre > 0 {
            if !text.is_empty() {
                self.close_gap();
                self.text.push_str(text);
                self.gap = Gap::None;
            }
            return;
        }
        let is_blank = |character: char| matches!(character, ' ' | '\t' | '\n' | '\r' | '\x0C');
        for (count, word) in text.split(is_blank).enumerate() {
            if count > 0 {
                self.gap = self.gap.max(Gap::Space);
            }
            if !word.is_empty() {
                self.close_gap();
                self.text.push_str(word);
                self.gap = Gap::None;
            }
        }
    }

    fn close_gap(&mut self) {
        if !self.text.is_empty() {
            match self.gap {
                Gap::None => {}
                Gap::Space => self.text.push(' '),
                Gap::Line => self.text.push('\n'),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_its_visible_text() {
        let page = "<!DOCTYPE html><title>A &amp; B</title><style>p{}</style>\n<p>one\n two<b>three</b> <i>four</i></p>\
            <script>if (a < b) '<p>'</script><ul><li>&eacute;<li>&#x6587;</ul><pre>x\n  y</pre><table><tr><td>1<td>2</table>\
            <!-- no --><template><p>no</template>end<noscript><p>no</noscript>";
        let expected = "A & B\none twothree four\né\n文\nx\n  y\n1 2\nend";
        assert_eq!(text(page), expected);
    }

    #[test]
    fn hidden_elements_and_lines_as_they_are_end_where_they_began() {
        for (page, expected) in [
            // Text is hidden until the outermost hidden element ends; nested elements with its name are counted.
            ("a<object>b<object>c</object>d</object>e", "ae"),
            (
                "a<object><object><object>b</object></object>c</object>d",
                "ad",
            ),
            ("a<object>b<noscript>c</noscript>d</object>e", "ae"),
            ("a<object>b<p>c</p>d</object>e", "ae"),
            ("a</object>b<object>c</object>d", "abd"),
            ("a<template>b</template>c<template>d</template>e", "ace"),
            // White space is kept within the outermost `pre`.
            ("<pre>a  b</pre>c  d", "a  b\nc d"),
            ("<pre>a<pre>b  c</pre>d  e</pre>f  g", "a\nb  c\nd  e\nf g"),
            ("<pre>a<i>b  c</i>d  e</pre>f  g", "ab  cd  e\nf g"),
            ("a</pre><pre>b  c</pre>d  e", "a\nb  c\nd e"),
            (
                "<pre>a<object>b</pre>c</object>d  e</pre>f  g",
                "ad  e\nf g",
            ),
            ("a<pre></pre>b", "a\nb"),
            // Cells are separated by a space. Other inline elements do not separate words.
            ("<tr><th>a<td>b<th>c</th><td>d</td></tr>e", "a b c d\ne"),
            ("<tr><td>a</td><td><p>b", "a\nb"),
            ("a<b>b</b><span>c</span>", "abc"),
            (" a <b> b </b> c ", "a b c"),
            ("a\t\r\n\x0Cb\u{A0}c", "a b\u{A0}c"),
        ] {
            assert_eq!(text(page), expected, "{page}");
        }
    }

    #[test]
    fn broken_markup_is_no_trouble() {
        assert_eq!(text("</pre></script><p"), "");
        assert_eq!(text("a<br>b</p><script>c"), "a\nb");
        assert_eq!(text(""), "");
        assert!(BLOCKS.is_sorted());
    }
}
