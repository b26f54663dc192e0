//! The declarations of HTML, XML and CSS: `meta`, the XML declaration, `@charset`.

mod html;

use mojika_sniff::declared::label_at_start;
use std::borrow::Cow;
use std::ops::Range;

/// The type of markup.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Markup {
    /// HTML.
    Html,
    /// XML.
    Xml,
    /// XHTML: some programs read its XML declaration, others its `meta`.
    Xhtml,
    /// CSS.
    Css,
}

impl Markup {
    /// Returns the type of markup for the essence of a MIME type; HTML for all others.
    pub(crate) fn of_essence(essence: &str) -> Self {
        match essence {
            "text/css" => Self::Css,
            "application/xhtml+xml" => Self::Xhtml,
            _ if essence.ends_with("xml") => Self::Xml,
            _ => Self::Html,
        }
    }
}

/// Returns the document with its declarations changed to UTF-8; borrowed if all declarations are correct.
pub fn document<'a>(text: &'a str, essence: &str) -> Cow<'a, str> {
    let mut labels = labels(text, Markup::of_essence(essence));
    labels.retain(|label| !text[label.clone()].eq_ignore_ascii_case("utf-8"));
    if labels.is_empty() {
        return Cow::Borrowed(text);
    }
    let mut changed = String::with_capacity(text.len() + 8 * labels.len());
    let mut at = 0;
    for label in labels {
        changed.push_str(&text[at..label.start]);
        changed.push_str("utf-8");
        at = label.end;
    }
    changed.push_str(&text[at..]);
    Cow::Owned(changed)
}

/// Returns the ranges of all labels, in order and without overlaps.
pub fn labels(text: &str, markup: Markup) -> Vec<Range<usize>> {
    // A byte order mark may precede the start.
    let marked = text.strip_prefix('\u{FEFF}');
    let mark = text.len() - marked.unwrap_or(text).len();
    let text = &text[mark..];
    let mut places = Vec::new();
    // A processing instruction with a longer name, such as that of a style sheet, is not the declaration.
    let is_at_start = match markup {
        Markup::Css => text.starts_with('@'),
        _ => text
            .strip_prefix("<?xml")
            .is_some_and(|rest| rest.starts_with(char::is_whitespace)),
    };
    let label = label_at_start(text.as_bytes()).filter(|_| is_at_start);
    places.extend(label);
    if matches!(markup, Markup::Html | Markup::Xhtml) {
        html::labels(text, &mut places);
    }
    // A value without its second quotation mark includes text after the tag. A value in a template is code.
    places.retain(|place| is_label(&text[place.clone()]));
    // Attributes may come in any order. Two rules may find overlapping values; the first one is kept.
    places.sort_unstable_by_key(|place| (place.start, place.end));
    let mut at = 0;
    places.retain(|place| {
        let is_apart = place.start >= at;
        at = at.max(place.end);
        is_apart
    });
    let places = places.into_iter();
    places
        .map(|place| mark + place.start..mark + place.end)
        .collect()
}

/// The maximum length of an encoding's name, in bytes, with a margin.
const LONGEST_LABEL: usize = 64;

/// True if a value may be the name of an encoding, known or not.
fn is_label(value: &str) -> bool {
    let is_of_name = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.:()+".contains(&byte);
    (1..=LONGEST_LABEL).contains(&value.len()) && value.bytes().all(is_of_name)
}

#[cfg(all(test, unix))]
mod tests {
    use super::*;

    #[test]
    fn declarations_say_utf_8() {
        let rows = [
            ("text/html", "<meta charset=sjis>", "<meta charset=utf-8>"),
            (
                "text/html",
                "<META a CHARSET = ' gbk '/>é",
                "<META a CHARSET = ' utf-8 '/>é",
            ),
            (
                "text/html",
                "<meta content=\"text/html;charset=koi8-r\" http-equiv=Content-Type>",
                "<meta content=\"text/html;charset=utf-8\" http-equiv=Content-Type>",
            ),
            (
                "text/html",
                "<meta content='x; charset=\"big5\"' http-equiv=content-type><meta charset=big5>",
                "<meta content='x; charset=\"utf-8\"' http-equiv=content-type><meta charset=utf-8>",
            ),
            (
                "text/html",
                "<!-- <meta charset=sjis> --><p>",
                "<!-- <meta charset=sjis> --><p>",
            ),
            (
                "text/html",
                "<script>'<meta charset=a>'</script ><meta charset=b",
                "<script>'<meta charset=a>'</script ><meta charset=utf-8",
            ),
            (
                "text/html",
                "<meta content='charset=b'>",
                "<meta content='charset=b'>",
            ),
            ("text/html", "<meta charset=UTF-8>", "<meta charset=UTF-8>"),
            ("text/html", "<meta charset='", "<meta charset='"),
            (
                "text/xml",
                "<?xml version='1.0' encoding = 'koi8-r'?>",
                "<?xml version='1.0' encoding = 'utf-8'?>",
            ),
            // The values that two rules find may be nested.
            (
                "text/html",
                "<?xml <meta charset='encoding=\"a\"'>",
                "<?xml <meta charset='encoding=\"utf-8\"'>",
            ),
            (
                "application/xhtml+xml",
                "<?xml encoding='<meta charset=a'?><meta charset=b>",
                "<?xml encoding='<meta charset=a'?><meta charset=utf-8>",
            ),
            // After a byte order mark.
            (
                "text/xml",
                "\u{FEFF}<?xml version='1.0' encoding='koi8-r'?>",
                "\u{FEFF}<?xml version='1.0' encoding='utf-8'?>",
            ),
            (
                "text/css",
                "\u{FEFF}@charset \"gbk\";a",
                "\u{FEFF}@charset \"utf-8\";a",
            ),
            ("text/css", "@charset \"gbk\";a", "@charset \"utf-8\";a"),
            ("text/css", "@charset 'gbk';a", "@charset 'gbk';a"),
        ];
        for (essence, text, expected) in rows {
            assert_eq!(document(text, essence), expected);
        }
    }

    /// A value without its second quotation mark extends to the next one. A value in a template is code.
    #[test]
    fn what_is_no_name_of_an_encoding_stays() {
        for text in [
            "<meta charset=\"koi8-r><title>text</title><p>more",
            "<meta charset=\"koi8-r><title>text</title><a href=\"b\">more",
            "<meta charset='koi8-r><p>it's",
            "<meta http-equiv=content-type content=\"text/html; charset='koi8-r;><p>it's\">",
            "<meta charset=\"<?php echo $charset ?>\">",
            "<meta charset=\"{{ charset }}\">",
            "<meta charset=${charset}>",
            "<meta charset=%CHARSET%>",
            "<meta charset=koi8-r/>",
            "<?xml version='1.0' encoding='<%= x %>'?>",
            "<?xml-stylesheet encoding='koi8-r'?>",
        ] {
            for essence in ["text/html", "application/xhtml+xml"] {
                assert_eq!(document(text, essence), text);
            }
        }
        let css = "@charset \"koi8-r;\na { content: \"b\"; }";
        assert_eq!(document(css, "text/css"), css);
    }

    #[test]
    fn labels_of_xml_and_css_are_at_the_start() {
        for (markup, text, expected) in [
            (Markup::Xml, "<?xml version='1.0' encoding='a'?>", vec!["a"]),
            (Markup::Xml, "<?xml encoding\n=\t\"a\"?>", vec!["a"]),
            (Markup::Xml, " <?xml encoding='a'?>", vec![]),
            (Markup::Xml, "<?xml encoding a?>", vec![]),
            (Markup::Xml, "<?xml encoding='a", vec![]),
            (Markup::Xml, "<?xml?><a encoding='b'>", vec![]),
            (Markup::Xml, "<meta charset=b>", vec![]),
            (Markup::Css, "@charset \"a\" ;", vec![]),
        ] {
            let labels = labels(text, markup);
            let found: Vec<_> = labels.into_iter().map(|label| &text[label]).collect();
            assert_eq!(found, expected, "{text}");
        }
        for (essence, markup) in [
            ("text/css", Markup::Css),
            ("application/xhtml+xml", Markup::Xhtml),
            ("image/svg+xml", Markup::Xml),
            ("text/plain", Markup::Html),
        ] {
            assert_eq!(Markup::of_essence(essence), markup);
        }
    }

    /// The texts are keywords of the rules with random bytes between them.
    #[test]
    fn any_text_is_relabelled_without_a_panic() {
        const WORDS: [&str; 24] = [
            "<?xml",
            "encoding",
            "=",
            "\"",
            "'",
            " ",
            ">",
            "?>",
            "<meta",
            "charset",
            "content",
            "http-equiv",
            "content-type",
            "/",
            ";",
            "<!--",
            "-->",
            "<title>",
            "</title",
            "@charset \"",
            "\";",
            "é",
            "utf-8",
            "sjis",
        ];
        let mut random = mojika_spec::random::Random::new(42);
        for _ in 0..20_000 {
            let words = 1 + random.below(24);
            let text: String = (0..words)
                .map(|_| WORDS[random.below(WORDS.len())])
                .collect();
            for essence in [
                "text/html",
                "application/xhtml+xml",
                "text/xml",
                "text/css",
                "",
            ] {
                let changed = document(&text, essence);
                let has_label = text.contains("charset") || text.contains("encoding");
                assert!(has_label || changed == text, "{text}");
            }
        }
    }
}
