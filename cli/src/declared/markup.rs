//! Where HTML, XML and CSS say which encoding they are in: `meta`, the XML declaration, `@charset`.

use mojika::Encoding;
#[cfg(all(unix, feature = "warc"))]
use std::borrow::Cow;
use std::ops::Range;

/// What a document of markup is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Markup {
    Html,
    Xml,
    /// XHTML: some programs read its XML declaration, others its `meta`.
    Xhtml,
    Css,
}

impl Markup {
    /// What a document of this type is; HTML, if it is nothing else.
    #[cfg(all(unix, feature = "warc"))]
    pub fn of_essence(essence: &str) -> Self {
        match essence {
            "text/css" => Self::Css,
            "application/xhtml+xml" => Self::Xhtml,
            _ if essence.ends_with("xml") => Self::Xml,
            _ => Self::Html,
        }
    }
}

/// The document with its declarations changed to UTF-8; borrowed if it has none, or they say so.
#[cfg(all(unix, feature = "warc"))]
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

/// The places of all labels, in their order; none overlaps another.
pub fn labels(text: &str, markup: Markup) -> Vec<Range<usize>> {
    // What is at the very start is so after a byte order mark, too.
    let marked = text.strip_prefix('\u{FEFF}');
    let mark = text.len() - marked.unwrap_or(text).len();
    let text = &text[mark..];
    let mut edits = Vec::new();
    if markup == Markup::Css {
        css(text, &mut edits);
    } else {
        xml(text, &mut edits);
        if markup != Markup::Xml {
            html(text, &mut edits);
        }
    }
    // A value that lacks its second quotation mark has text in it, and one of a template has code.
    edits.retain(|&(start, end)| is_label(&text[start..end]));
    // Attributes may come in any order, and what one rule takes for a value may hold the value of another.
    edits.sort_unstable();
    let mut at = 0;
    edits.retain(|&(start, end)| {
        let is_apart = start >= at;
        at = at.max(end);
        is_apart
    });
    let places = edits.into_iter();
    places
        .map(|(start, end)| mark + start..mark + end)
        .collect()
}

/// The longest name of an encoding, in bytes, with much to spare.
const LONGEST_LABEL: usize = 64;

/// Whether a value may be the name of an encoding, known or not.
fn is_label(value: &str) -> bool {
    let is_of_name = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.:()+".contains(&byte);
    (1..=LONGEST_LABEL).contains(&value.len()) && value.bytes().all(is_of_name)
}

/// Places of labels in the text, in any order.
type Edits = Vec<(usize, usize)>;

/// `@charset "…";` at the very start.
fn css(text: &str, edits: &mut Edits) {
    let start = "@charset \"".len();
    if text.starts_with("@charset \"")
        && let Some(length) = text[start..].find('"')
        && text[start + length..].starts_with("\";")
    {
        edits.push((start, start + length));
    }
}

/// `<?xml … encoding="…"` at the very start.
fn xml(text: &str, edits: &mut Edits) {
    // Not another instruction, such as that of a style sheet.
    let name = text.strip_prefix("<?xml");
    if !name.is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_whitespace())) {
        return;
    }
    let Some(end) = text.find('>') else { return };
    let declaration = &text[..end];
    let Some(word) = declaration.find("encoding") else {
        return;
    };
    let bytes = declaration.as_bytes();
    let mut at = skip_blank(bytes, word + "encoding".len());
    if bytes.get(at) != Some(&b'=') {
        return;
    }
    at = skip_blank(bytes, at + 1);
    if let Some(&quote @ (b'"' | b'\'')) = bytes.get(at)
        && let Some(length) = memchr::memchr(quote, &bytes[at + 1..])
    {
        edits.push((at + 1, at + 1 + length));
    }
}

/// Labels of `meta` elements outside of comments and of elements with raw text.
///
/// The prescan (HTML Standard, section 13.2.3.2) knows no raw text: what it takes for the first `meta` that names an encoding
/// counts there, too.
fn html(text: &str, edits: &mut Edits) {
    let bytes = text.as_bytes();
    let mut at = 0;
    let mut is_named = false;
    // Where code of a page that a program makes ends.
    let mut code = 0;
    while let Some(found) = memchr::memchr(b'<', &bytes[at..]) {
        at += found;
        let rest = &bytes[at..];
        if let [b'<', mark @ (b'?' | b'%'), ..] = *rest {
            let end = memchr::memmem::find(rest, &[mark, b'>']);
            code = code.max(end.map_or(bytes.len(), |end| at + end));
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
        let mut attributes = Attributes {
            bytes,
            at: at + 1 + name.len(),
        };
        if name.eq_ignore_ascii_case(b"meta") {
            is_named |= meta(text, &mut attributes, edits);
            at = attributes.at;
            continue;
        }
        match RAW.iter().find(|raw| name.eq_ignore_ascii_case(raw)) {
            Some(raw) => {
                while attributes.next().is_some() {}
                at = end_tag(bytes, attributes.at, raw);
                if !is_named {
                    is_named = raw_meta(text, attributes.at..at, edits);
                }
            }
            // What looks like a tag in code may be a comparison.
            None if at < code => at += 1,
            None => at = after_tag(bytes, at),
        }
    }
}

/// Elements whose content is text, whatever is in it.
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

/// Where the text goes on after the tag that begins at `at`, or after this byte if it begins none. What is in the values of a
/// tag's attributes is no element.
fn after_tag(bytes: &[u8], at: usize) -> usize {
    let slash = usize::from(bytes.get(at + 1) == Some(&b'/'));
    let name = at + 1 + slash;
    if !bytes.get(name).is_some_and(u8::is_ascii_alphabetic) {
        return at + 1;
    }
    let is_name = |byte: &&u8| !byte.is_ascii_whitespace() && !b"/>".contains(byte);
    let mut attributes = Attributes {
        bytes,
        at: name + bytes[name..].iter().take_while(is_name).count(),
    };
    while attributes.next().is_some() {}
    attributes.at
}

/// The label of the first `meta` in raw text that names an encoding; whether there is one.
fn raw_meta(text: &str, raw: Range<usize>, edits: &mut Edits) -> bool {
    let bytes = text.as_bytes();
    let mut at = raw.start;
    while let Some(found) = memchr::memchr(b'<', &bytes[at..raw.end]) {
        at += found + 1;
        let end = bytes.get(at + 4).copied().unwrap_or_default();
        let is_meta = bytes[at..].len() > 4 && bytes[at..at + 4].eq_ignore_ascii_case(b"meta");
        if is_meta && (end.is_ascii_whitespace() || end == b'/') {
            let mut attributes = Attributes { bytes, at: at + 4 };
            let mut found = Edits::new();
            if meta(text, &mut attributes, &mut found) {
                edits.append(&mut found);
                return true;
            }
        }
    }
    false
}

/// Where the end tag of an element with raw text is.
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

/// The labels of a `meta` element; whether one of them is the name of an encoding.
fn meta(text: &str, attributes: &mut Attributes<'_>, edits: &mut Edits) -> bool {
    let before = edits.len();
    let (mut is_content_type, mut content) = (false, None);
    for ((n0, n1), (start, end)) in attributes.by_ref() {
        let (name, value) = (&text[n0..n1], &text[start..end]);
        if name.eq_ignore_ascii_case("charset") && !value.is_empty() {
            let blank = value.len() - value.trim_start().len();
            edits.push((start + blank, start + blank + value.trim().len()));
        } else if name.eq_ignore_ascii_case("http-equiv") {
            is_content_type = value.eq_ignore_ascii_case("content-type");
        } else if name.eq_ignore_ascii_case("content") {
            content = label_in_content(text, start, end);
        }
    }
    if is_content_type && let Some(edit) = content {
        edits.push(edit);
    }
    let names = |&(start, end): &(usize, usize)| Encoding::for_label(&text[start..end]).is_some();
    edits[before..].iter().any(names)
}

/// The label in "text/html; charset=…" (HTML Standard, "extracting a character encoding from a meta element").
fn label_in_content(text: &str, start: usize, end: usize) -> Option<(usize, usize)> {
    let bytes = &text.as_bytes()[..end];
    let mut at = start;
    loop {
        let rest = &bytes[at..];
        let word = rest
            .windows(7)
            .position(|word| word.eq_ignore_ascii_case(b"charset"))?;
        at = skip_blank(bytes, at + word + 7);
        if bytes.get(at) == Some(&b'=') {
            break;
        }
    }
    at = skip_blank(bytes, at + 1);
    let (from, stop): (usize, fn(u8, u8) -> bool) = match bytes.get(at)? {
        b'"' | b'\'' => (at + 1, |byte, quote| byte == quote),
        _ => (at, |byte, _| byte == b';' || byte.is_ascii_whitespace()),
    };
    let quote = bytes[at];
    let length = bytes[from..].iter().position(|&byte| stop(byte, quote));
    let to = length.map_or(end, |length| from + length);
    (from < to).then_some((from, to))
}

fn skip_blank(bytes: &[u8], at: usize) -> usize {
    let blank = bytes[at..]
        .iter()
        .take_while(|byte| byte.is_ascii_whitespace());
    at + blank.count()
}

/// Places of the names and values of a tag's attributes.
struct Attributes<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl Iterator for Attributes<'_> {
    type Item = ((usize, usize), (usize, usize));

    fn next(&mut self) -> Option<Self::Item> {
        let bytes = self.bytes;
        let is_between = |byte: &&u8| byte.is_ascii_whitespace() || **byte == b'/';
        self.at += bytes[self.at..].iter().take_while(is_between).count();
        match bytes.get(self.at) {
            None => return None,
            Some(b'>') => {
                self.at += 1;
                return None;
            }
            _ => {}
        }
        let start = self.at;
        // A name may begin with "=".
        self.at += 1;
        let is_name = |byte: &&u8| !byte.is_ascii_whitespace() && !b"=/>".contains(byte);
        self.at += bytes[self.at..].iter().take_while(is_name).count();
        let name = (start, self.at);
        let equals = skip_blank(bytes, self.at);
        if bytes.get(equals) != Some(&b'=') {
            return Some((name, (self.at, self.at)));
        }
        self.at = skip_blank(bytes, equals + 1);
        let value = match bytes.get(self.at) {
            Some(&quote @ (b'"' | b'\'')) => {
                let start = self.at + 1;
                let length = memchr::memchr(quote, &bytes[start..]);
                let end = length.map_or(bytes.len(), |length| start + length);
                self.at = bytes.len().min(end + 1);
                (start, end)
            }
            _ => {
                let start = self.at;
                let is_value = |byte: &&u8| !byte.is_ascii_whitespace() && **byte != b'>';
                self.at += bytes[start..].iter().take_while(is_value).count();
                (start, self.at)
            }
        };
        Some((name, value))
    }
}

#[cfg(all(test, unix, feature = "warc"))]
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
            // One rule's value in the value of another.
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

    /// A value that lacks its second quotation mark goes on to the next one, and that of a template is code.
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
            let labels = labels(text, Markup::Html);
            let found: Vec<_> = labels.into_iter().map(|label| &text[label]).collect();
            assert_eq!(found, expected, "{text}");
        }
    }

    #[test]
    fn labels_are_found_where_browsers_look_for_them() {
        for (markup, text, expected) in [
            (Markup::Html, "<style>a</style><meta charset=b>", vec!["b"]),
            (
                Markup::Html,
                "<title></titl><meta charset=a></TITLE><meta charset=b>",
                vec!["b"],
            ),
            (
                Markup::Html,
                "<textarea x='>'><meta charset=a></textarea><meta charset=b>",
                vec!["b"],
            ),
            (Markup::Html, "<xmp></x<meta charset=a>", vec![]),
            (Markup::Html, "<scripts><meta charset=b>", vec!["b"]),
            (Markup::Html, "<!--><meta charset=b>", vec!["b"]),
            (Markup::Html, "<!-- > --><meta charset=b>", vec!["b"]),
            (Markup::Html, "<!-- <meta charset=b>", vec![]),
            (Markup::Html, "a < b <meta charset=b>", vec!["b"]),
            (Markup::Html, "<metas charset=b>", vec![]),
            (Markup::Html, "<meta/ /charset=b>", vec!["b"]),
            (Markup::Html, "<meta =x charset=b>", vec!["b"]),
            (Markup::Html, "<meta a=\"'>'\" charset = b>", vec!["b"]),
            (Markup::Html, "<meta charset><meta charset=''>", vec![]),
            (Markup::Html, "<p charset=a><meta name=x>", vec![]),
            (
                Markup::Html,
                "<p title='<meta charset=a>'><meta charset=b>",
                vec!["b"],
            ),
            (
                Markup::Html,
                "<A\nb=1 title = \"it's <meta charset=a>\" ></a c='<meta charset=a>'><meta charset=b>",
                vec!["b"],
            ),
            (
                Markup::Html,
                "it's <b>'bold'</b> <meta charset=b> isn't",
                vec!["b"],
            ),
            (
                Markup::Html,
                "<meta charset=b><iframe><meta charset=a></iframe><noframes><meta charset=a></noframes>",
                vec!["b"],
            ),
            (Markup::Html, "<x<meta charset=b>", vec![]),
            (
                Markup::Html,
                "<?php for ($i = 0; $i <count($a); $i++) { echo \"<meta charset=b>\"; } ?><p title='<meta charset=a>'>",
                vec!["b"],
            ),
            (
                Markup::Html,
                "<% if (i <n && s == \"it's\") { %><meta charset=b><% } %>",
                vec!["b"],
            ),
            (
                Markup::Html,
                "<meta http-equiv=Content-Type content='charset charset = b; x'>",
                vec!["b"],
            ),
            (
                Markup::Html,
                "<meta http-equiv=content-type content=\"a; charset='b' c\">",
                vec!["b"],
            ),
            (
                Markup::Html,
                "<meta http-equiv=content-type content='charset= b c'>",
                vec!["b"],
            ),
            (
                Markup::Html,
                "<meta http-equiv=content-type content='charset='><meta http-equiv=content-type>",
                vec![],
            ),
            (
                Markup::Html,
                "<meta http-equiv=refresh content='charset=b'>",
                vec![],
            ),
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

    /// Any bytes between the words that the rules look for.
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
