//! Tests of each condition of a judgement alone: byte order marks, declarations, contexts with and without detection,
//! and the number of bytes read.

use crate::with;
use mojika::{EUC_JP, KOI8_R, UTF_8, UTF_16LE};
use mojika_sniff::judge::{Judge, Judgement, Policy, is_mostly_utf_8, judge, window};
use mojika_sniff::{Confidence, Context, Hints, PageReader, Response, Source, sniff};

pub(super) const RUSSIAN: &str =
    "Вечером на веранде пили чай с вареньем и говорили о лете, которое прошло.";

/// Returns the judgement by a policy that `change` has modified.
pub(super) fn judged(bytes: &[u8], hints: &Hints, change: fn(&mut Policy)) -> Judgement {
    let mut policy = Policy::default();
    change(&mut policy);
    judge(bytes, hints, &policy).unwrap()
}

pub(super) fn same(_: &mut Policy) {}

pub(super) fn distrust(policy: &mut Policy) {
    policy.distrust_declared = true;
}

pub(super) fn by_table(policy: &mut Policy) {
    policy.by_table = true;
}

/// In a page or a style sheet, the standards need only the byte order mark; in text, the following bytes count, too.
#[test]
fn a_mark_of_utf_32_counts_in_text_or_with_text() {
    let mark = b"\xFF\xFE\0\0";
    let with_text = [&mark[..], b"a\0\0\0"].concat();
    let of = |bytes: &[u8], context, change| {
        let decision = judged(bytes, &Hints::new(context), change).decision;
        (decision.encoding.name(), decision.bom_length)
    };
    assert_eq!(of(mark, Context::TextDocument, same), ("UTF-32LE", 4));
    assert_eq!(of(mark, Context::HtmlParser, same), ("UTF-16LE", 2));
    assert_eq!(of(&with_text, Context::HtmlParser, same), ("UTF-32LE", 4));
    // By the table of contexts, browsers do not support UTF-32.
    assert_eq!(
        of(&with_text, Context::HtmlParser, by_table),
        ("UTF-16LE", 2)
    );
    // An XML declaration is consistent with a byte order mark.
    let xml = "<?xml version='1.0' encoding='UTF-8'?><a/>";
    let units = xml.chars().flat_map(|one| u32::from(one).to_le_bytes());
    let xml: Vec<u8> = mark.iter().copied().chain(units).collect();
    let hints = Hints::new(Context::XmlParser);
    assert!(judge(&xml, &hints, &Policy::default()).is_err());
}

/// If the policy distrusts declarations, contradictory XML has its mark's encoding, and the mark is not text.
#[test]
fn xml_that_contradicts_itself_keeps_its_mark() {
    let xml = b"<?xml version='1.0' encoding='UTF-16'?><a/>";
    let hints = Hints::new(Context::XmlParser);
    let marked = [b"\xEF\xBB\xBF", &xml[..]].concat();
    for (bytes, source, length) in [(&marked[..], Source::Bom, 3), (xml, Source::Default, 0)] {
        assert!(judge(bytes, &hints, &Policy::default()).is_err());
        let decision = judged(bytes, &hints, distrust).decision;
        assert_eq!(decision.encoding, UTF_8);
        assert_eq!((decision.source, decision.bom_length), (source, length));
    }
    // By the rules of browsers, the declaration of UTF-16 means UTF-8.
    let as_browsers = judged(xml, &hints, |policy| policy.like_browsers = true);
    assert_eq!(as_browsers.decision.source, Source::XmlDeclaration);
    assert_eq!(as_browsers.decision.encoding, UTF_8);
}

/// ASCII contradicts a declaration of UTF-16 or UTF-32; an empty document contradicts nothing.
#[test]
fn an_empty_document_is_what_is_declared() {
    let hints = with(Context::PlainText, |known| {
        known.transport = Some(b"utf-16le")
    });
    let empty = judged(b"", &hints, same);
    assert!(!empty.is_doubtful(0.9) && empty.contradiction.is_none());
    let ascii = judged(b"ab", &hints, same);
    assert!(ascii.is_doubtful(0.9));
    assert_eq!(ascii.malformed, Some(0));
}

/// Well-formed UTF-8 with many control characters is UTF-8, if that is allowed.
#[test]
fn text_with_many_controls_is_utf_8_if_it_may_be() {
    let text = "\u{1}\u{2}é\u{3}\u{4}\u{5}é\u{6}\u{7}".repeat(30);
    let hints = Hints::new(Context::PlainText);
    let judgement = judged(text.as_bytes(), &hints, same);
    assert_eq!(judgement.decision.encoding, UTF_8);
    assert_eq!(judgement.decision.source, Source::Detection);
    assert!(!judgement.is_doubtful(0.99) && judgement.is_doubtful(0.995));
    let mut policy = Policy::default();
    let denied = [UTF_8];
    policy.denied = &denied;
    let denied = judge(text.as_bytes(), &hints, &policy).unwrap();
    assert_eq!(denied.decision.source, Source::Default);
    assert_eq!(denied.probability, Some(0.0));
    // With a zero byte the document is not text, unless the policy says so.
    let zero = [text.as_bytes(), b"\0a"].concat();
    assert_eq!(judged(&zero, &hints, same).probability, Some(0.0));
    let known = judged(&zero, &hints, |policy| policy.is_text = true);
    assert_eq!(known.decision.source, Source::Detection);
}

/// Damaged UTF-8 has at least eight characters per malformed sequence.
#[test]
fn damaged_utf_8_has_eight_characters_for_each_malformed_sequence() {
    for malformed in [1, 2, 16, 40] {
        let text =
            |valid: usize| ["é".repeat(valid).into_bytes(), b"\xFF ".repeat(malformed)].concat();
        assert!(is_mostly_utf_8(&text(8 * malformed)), "{malformed}");
        assert!(!is_mostly_utf_8(&text(8 * malformed - 1)), "{malformed}");
    }
    assert!(is_mostly_utf_8(b""));
}

#[test]
fn the_window_begins_shortly_before_what_is_beyond_ascii() {
    let with_nul = |at: usize| {
        let mut text = b"a".repeat(5000);
        text.extend_from_slice("é".as_bytes());
        if let Some(byte) = text.get_mut(at) {
            *byte = 0;
        }
        window(&text).len()
    };
    assert_eq!(with_nul(usize::MAX), 256 + 2);
    assert_eq!(with_nul(4095), 5002);
    assert_eq!(with_nul(4096), 256 + 2);
    assert_eq!(window("é".as_bytes()).len(), 2);
}

/// Tests of the number of bytes that a judge needs, and of the number that it compares.
#[test]
fn a_judge_is_decided_as_soon_as_nothing_can_change() {
    let mut of_text = Judge::new(Hints::new(Context::PlainText), Policy::default());
    of_text.feed("0123456789é".as_bytes());
    assert_eq!((of_text.compared(), of_text.is_decided()), (12, false));
    // Without detection, the head decides.
    let hints = with(Context::PlainText, |known| known.detect = false);
    let mut judge = Judge::new(hints, Policy::default());
    judge.feed(&[b'a'; 4099]);
    assert!(!judge.is_decided());
    judge.feed(b"a");
    assert!(judge.is_decided());
    // UTF-16 is recognised at the start, so a later `meta` does not count.
    let wide: Vec<u8> = RUSSIAN.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let mut judge = Judge::new(Hints::new(Context::HtmlParser), Policy::default());
    judge.feed(&wide.repeat(600));
    assert!(judge.is_window_full() && judge.is_decided());
    assert_eq!(judge.finish().unwrap().decision.encoding, UTF_16LE);
}

/// A tag of up to 64 KB is read to its end, in chunks.
#[test]
fn a_meta_after_a_long_tag_is_found() {
    let page = format!("<p title='{}'><meta charset=euc-jp>", "x".repeat(50_000));
    let mut judge = Judge::new(Hints::new(Context::HtmlParser), Policy::default());
    for piece in page.as_bytes().chunks(1000) {
        judge.feed(piece);
    }
    let decision = judge.finish().unwrap().decision;
    assert_eq!((decision.encoding, decision.source), (EUC_JP, Source::Meta));
    // By the table of contexts, the search ends with the prescan.
    let late = judged(page.as_bytes(), &Hints::new(Context::HtmlParser), by_table);
    assert_ne!(late.decision.source, Source::Meta);
}

/// Browsers do not detect UTF-16 or UTF-32. Without a byte order mark, the user's choice applies.
#[test]
fn pages_are_guessed_in_no_wide_units() {
    let wide: Vec<u8> = RUSSIAN.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let hints = with(Context::HtmlParser, |known| {
        known.user_override = Some(KOI8_R)
    });
    let decision = sniff(&wide, &hints).unwrap();
    assert_eq!(
        (decision.encoding, decision.source),
        (KOI8_R, Source::Override)
    );
    let units = RUSSIAN.chars().flat_map(|one| u32::from(one).to_le_bytes());
    let wider: Vec<u8> = units.collect();
    let of = |context| sniff(&wider, &Hints::new(context)).unwrap().encoding;
    assert_eq!(of(Context::PlainText).name(), "UTF-32LE");
    assert_ne!(of(Context::HtmlParser).code_unit_len(), 4);
}

/// In a URL, the host is between the user and the port, and a number is not a domain.
#[test]
fn the_domain_is_the_last_label_of_the_host() {
    for (url, tld) in [
        ("https://example.jp/", Some("jp")),
        ("https://a@b.example.pl:8080/x", Some("pl")),
        ("https://user:word@example.cz?x", Some("cz")),
        ("https://example.hu.#x", Some("hu")),
        ("https://192.0.2.1/", None),
        ("https://[2001:db8::1]/", None),
        ("example.jp", None),
    ] {
        let response = Response::new(url, [("Content-Type", "text/html")]);
        assert_eq!(response.hints(b"").unwrap().tld, tld, "{url}");
    }
}

/// A `meta` that names the decided encoding makes it certain. A given encoding holds, except against a byte order mark.
#[test]
fn a_page_in_chunks_becomes_certain() {
    let start = format!("<!--{}-->", " ".repeat(2000));
    let mut reader = PageReader::new("http://example.com/", None);
    let mut text = String::new();
    reader.feed(start.as_bytes(), &mut text).unwrap();
    let confidence = |reader: &PageReader| reader.decision().unwrap().confidence;
    assert_eq!(confidence(&reader), Confidence::Tentative);
    let encoding = reader.decision().unwrap().encoding;
    let meta = format!("<meta charset={}>", encoding.name());
    reader.feed(meta.as_bytes(), &mut text).unwrap();
    assert_eq!(confidence(&reader), Confidence::Certain);
    for (mark, expected) in [("", EUC_JP), ("\u{FEFF}", UTF_8)] {
        let mut reader = PageReader::new("http://example.com/", None).with_encoding(EUC_JP);
        reader
            .feed(format!("{mark}{start}").as_bytes(), &mut text)
            .unwrap();
        assert_eq!(reader.decision().unwrap().encoding, expected);
    }
}

/// Fetch Standard, "get, decode, and split": a comma separates two values, except within a quoted string.
#[test]
fn a_comma_in_a_quoted_string_ends_no_content_type() {
    for (value, expected) in [
        (
            "text/html; a=\"x, text/html; charset=koi8-r, y\"; charset=windows-1251",
            "При",
        ),
        (
            "text/html; a=\"x\\\", text/html; charset=koi8-r, y\"; charset=windows-1251",
            "При",
        ),
        ("text/html, text/html; charset=windows-1251", "При"),
        (
            "text/html; charset=windows-1251, text/html; charset=koi8-r",
            "оПХ",
        ),
    ] {
        let response = Response::new("", [("Content-Type", value)]);
        let document = response.decode(b"\xCF\xF0\xE8").expect(value).expect(value);
        assert_eq!(document.text, expected, "{value}");
    }
}
