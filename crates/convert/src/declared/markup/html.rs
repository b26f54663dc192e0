//! Labels of `meta` elements in HTML.

use mojika::Encoding;
use mojika_sniff::html::{Attributes, content_label};
use std::ops::Range;

/// Finds labels of `meta` elements outside of comments and of elements with raw text.
///
/// The prescan (HTML Standard, section 13.2.3.2) does not recognise raw text. If the first `meta` that it finds is in
/// raw text, the label of that `meta` is included, too.
pub fn labels(text: &str, places: &mut Vec<Range<usize>>) {
    let bytes = text.as_bytes();
    let mut at = 0;
    let mut is_named = false;
    // The end of the embedded code in a page, and the last found offsets of "?>" and "%>".
    let mut code = 0;
    let mut ends = [None; 2];
    while let Some(found) = memchr::memchr(b'<', &bytes[at..]) {
        at += found;
        let rest = &bytes[at..];
        if let [b'<', mark @ (b'?' | b'%'), ..] = *rest {
            let end = &mut ends[usize::from(mark == b'%')];
            let known = end.filter(|&end| end >= at);
            let next = known.unwrap_or_else(|| {
                let found = memchr::memmem::find(rest, &[mark, b'>']);
                found.map_or(bytes.len(), |found| at + found)
            });
            *end = Some(next);
            code = code.max(next);
        }
        if rest.starts_with(b"<!--") {
            let end = memchr::memmem::find(&rest[2..], b"-->");
            at = end.map_or(bytes.len(), |end| at + 2 + end + 3);
            continue;
        }
        let name = rest[1..]
            .iter()
            .take_while(|byte| byte.is_ascii_alphanumeric());
        let name = &rest[1..1 + name.count()];
        let mut attributes = Attributes::new(bytes, at + 1 + name.len());
        if name.eq_ignore_ascii_case(b"meta") {
            is_named |= meta(text, &mut attributes, places);
            at = attributes.at;
            continue;
        }
        match RAW.iter().find(|raw| name.eq_ignore_ascii_case(raw)) {
            Some(raw) => {
                attributes.by_ref().for_each(drop);
                at = end_tag(bytes, attributes.at, raw);
                if !is_named {
                    is_named = raw_meta(text, attributes.at..at, places);
                }
            }
            // Within embedded code, a comparison may look like a tag.
            None if at < code => at += 1,
            None => at = after_tag(bytes, at),
        }
    }
}

/// Elements whose content is raw text.
const RAW: [&[u8]; 8] = [
    b"script",
    b"style",
    b"textarea",
    b"title",
    b"xmp",
    b"iframe",
    b"noembed",
    b"noframes",
];

/// Records the label of the first `meta` in raw text that names an encoding; returns true if there is one.
fn raw_meta(text: &str, raw: Range<usize>, places: &mut Vec<Range<usize>>) -> bool {
    let bytes = text.as_bytes();
    let mut at = raw.start;
    while let Some(found) = memchr::memchr(b'<', &bytes[at.min(raw.end)..raw.end]) {
        at += found + 1;
        let end = bytes.get(at + 4).copied().unwrap_or_default();
        let is_meta = bytes[at..].len() > 4 && bytes[at..at + 4].eq_ignore_ascii_case(b"meta");
        if is_meta && (end.is_ascii_whitespace() || end == b'/') {
            let mut attributes = Attributes::new(bytes, at + 4);
            let mut found = Vec::new();
            if meta(text, &mut attributes, &mut found) {
                places.append(&mut found);
                return true;
            }
            at = attributes.at;
        }
    }
    false
}

/// Records the labels of a `meta` element; returns true if one names an encoding.
fn meta(text: &str, attributes: &mut Attributes<'_>, places: &mut Vec<Range<usize>>) -> bool {
    let before = places.len();
    let (mut is_content_type, mut content) = (false, None);
    for (name, place) in attributes.by_ref() {
        let (name, value) = (&text[name], &text[place.clone()]);
        if name.eq_ignore_ascii_case("charset") && !value.is_empty() {
            let start = place.end - value.trim_start().len();
            places.push(start..start + value.trim().len());
        } else if name.eq_ignore_ascii_case("http-equiv") {
            is_content_type = value.eq_ignore_ascii_case("content-type");
        } else if name.eq_ignore_ascii_case("content") {
            let label = content_label(value.as_bytes());
            content = label.map(|label| place.start + label.start..place.start + label.end);
        }
    }
    if is_content_type && let Some(place) = content {
        places.push(place);
    }
    let names = |place: &Range<usize>| Encoding::for_label(&text[place.clone()]).is_some();
    places[before..].iter().any(names)
}

/// Returns the offset after the tag that begins at `at`, or `at + 1` if no tag begins there. A tag within an attribute
/// value is not an element.
fn after_tag(bytes: &[u8], at: usize) -> usize {
    let slash = usize::from(bytes.get(at + 1) == Some(&b'/'));
    let name = at + 1 + slash;
    if !bytes.get(name).is_some_and(u8::is_ascii_alphabetic) {
        return at + 1;
    }
    let is_name = |byte: &&u8| !byte.is_ascii_whitespace() && !b"/>".contains(byte);
    let length = bytes[name..].iter().take_while(is_name).count();
    let mut attributes = Attributes::new(bytes, name + length);
    attributes.by_ref().for_each(drop);
    attributes.at
}

/// Returns the offset of the end tag of an element with raw text.
fn end_tag(bytes: &[u8], mut at: usize, name: &[u8]) -> usize {
    while let Some(found) = memchr::memmem::find(&bytes[at..], b"</") {
        at += found + 2;
        let end = bytes.get(at..at + name.len());
        if end.is_some_and(|end| end.eq_ignore_ascii_case(name)) {
            return at;
        }
    }
    bytes.len()
}

#[cfg(test)]
mod tests {
    use super::super::{Markup, labels};

    /// Returns the labels of an HTML document.
    fn found(text: &str) -> Vec<&str> {
        let labels = labels(text, Markup::Html);
        labels.into_iter().map(|label| &text[label]).collect()
    }

    #[test]
    fn the_first_meta_counts_in_raw_text_too() {
        for (text, expected) in [
            ("<script>'<meta charset=gbk>'</script>", vec!["gbk"]),
            (
                "<script>'<meta charset=gbk><meta charset=sjis>'</script><meta charset=big5>",
                vec!["gbk", "big5"],
            ),
            (
                "<script>'<meta charset=a>'</script><meta charset=big5>",
                vec!["big5"],
            ),
            (
                "<meta charset=big5><script>'<meta charset=gbk>'</script>",
                vec!["big5"],
            ),
            (
                "<meta charset=a><title><META/charset=gbk></title>",
                vec!["a", "gbk"],
            ),
            ("<style>a<metas charset=gbk></style>", vec![]),
            ("<textarea><meta", vec![]),
        ] {
            assert_eq!(found(text), expected, "{text}");
        }
    }

    #[test]
    fn work_is_in_proportion_to_the_length() {
        let start = std::time::Instant::now();
        for repeated in ["<?", "<%", "<?<%", "<%a%><?", "<?a?><%"] {
            let text = repeated.repeat(300_000) + "<meta charset=b>";
            assert_eq!(found(&text), ["b"], "{repeated}");
        }
        let text = "<script>".to_owned() + &"<meta ".repeat(100_000);
        assert!(found(&text).is_empty());
        let text = text + "charset=gbk></script><meta charset=b>";
        assert_eq!(found(&text), ["gbk", "b"]);
        let spent = start.elapsed();
        assert!(spent < std::time::Duration::from_secs(60), "{spent:?}");
    }

    /// As in the prescan, a `meta` in raw text may take following text for its attributes, and end after the raw text.
    #[test]
    fn a_meta_in_raw_text_goes_on_to_its_end() {
        for (text, expected) in [
            (
                "<script>'<meta x=\"<meta charset=gbk>\">'</script><meta charset=b>",
                vec!["b"],
            ),
            (
                "<script><meta x=\"</script><meta charset=a>\"><meta charset=b>",
                vec!["a", "b"],
            ),
            ("<script><meta </script", vec![]),
            ("<?a?><p title='<meta charset=a>'>", vec![]),
            (
                "<?a?><p title='<meta charset=a>'><?b><p title='<meta charset=b>'>",
                vec!["b"],
            ),
        ] {
            assert_eq!(found(text), expected, "{text}");
        }
    }

    #[test]
    fn labels_are_found_where_browsers_look_for_them() {
        for (text, expected) in [
            ("<style>a</style><meta charset=b>", vec!["b"]),
            (
                "<title></titl><meta charset=a></TITLE><meta charset=b>",
                vec!["b"],
            ),
            (
                "<textarea x='>'><meta charset=a></textarea><meta charset=b>",
                vec!["b"],
            ),
            ("<xmp></x<meta charset=a>", vec![]),
            ("<scripts><meta charset=b>", vec!["b"]),
            ("<!--><meta charset=b>", vec!["b"]),
            ("<!-- > --><meta charset=b>", vec!["b"]),
            ("<!-- <meta charset=b>", vec![]),
            ("a < b <meta charset=b>", vec!["b"]),
            ("<metas charset=b>", vec![]),
            ("<meta/ /charset=b>", vec!["b"]),
            ("<meta =x charset=b>", vec!["b"]),
            ("<meta a=\"'>'\" charset = b>", vec!["b"]),
            ("<meta charset><meta charset=''>", vec![]),
            ("<p charset=a><meta name=x>", vec![]),
            ("<p title='<meta charset=a>'><meta charset=b>", vec!["b"]),
            (
                "<A\nb=1 title = \"it's <meta charset=a>\" ></a c='<meta charset=a>'><meta charset=b>",
                vec!["b"],
            ),
            ("it's <b>'bold'</b> <meta charset=b> isn't", vec!["b"]),
            (
                "<meta charset=b><iframe><meta charset=a></iframe><noframes><meta charset=a></noframes>",
                vec!["b"],
            ),
            ("<x<meta charset=b>", vec![]),
            (
                "<?php for ($i = 0; $i <count($a); $i++) { echo \"<meta charset=b>\"; } ?><p title='<meta charset=a>'>",
                vec!["b"],
            ),
            (
                "<% if (i <n && s == \"it's\") { %><meta charset=b><% } %>",
                vec!["b"],
            ),
            (
                "<meta http-equiv=Content-Type content='charset charset = b; x'>",
                vec!["b"],
            ),
            (
                "<meta http-equiv=content-type content=\"a; charset='b' c\">",
                vec!["b"],
            ),
            (
                "<meta http-equiv=content-type content='charset= b c'>",
                vec!["b"],
            ),
            (
                "<meta http-equiv=content-type content='charset='><meta http-equiv=content-type>",
                vec![],
            ),
            ("<meta http-equiv=refresh content='charset=b'>", vec![]),
        ] {
            assert_eq!(found(text), expected, "{text}");
        }
    }
}
