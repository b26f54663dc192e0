//! Judgements that involve detection.

use super::judgements::{RUSSIAN, by_table, distrust, judged, same};
use crate::encoded;
use crate::with;
use mojika::{EUC_JP, Encoding, KOI8_R, UTF_8, UTF_16LE, WINDOWS_1251};
use mojika_sniff::judge::{Policy, is_contradicted};
use mojika_sniff::{Context, Hints, Source, sniff};

fn extended(name: &str) -> &'static Encoding {
    mojika::extended::for_name(name).unwrap()
}

/// Single-byte text contradicts a declaration of UTF-16 or UTF-32, even if the bytes are valid in that encoding. After
/// a byte order mark, they must be malformed.
#[test]
fn text_of_bytes_is_malformed_where_wide_units_are_declared() {
    let hints = with(Context::PlainText, |known| {
        known.transport = Some(b"utf-16le")
    });
    let text = encoded(WINDOWS_1251, &RUSSIAN.repeat(2));
    assert_eq!(UTF_16LE.decode(&text).text.find('\u{FFFD}'), None);
    let declared = judged(&text, &hints, same);
    assert_eq!(declared.malformed, Some(0));
    assert_eq!(declared.contradiction, Some(WINDOWS_1251));
    let marked = [b"\xFF\xFE", &text[..]].concat();
    let marked = judged(&marked, &Hints::new(Context::PlainText), same);
    assert_eq!(marked.decision.source, Source::Bom);
    assert_eq!(marked.malformed, None);
}

/// The byte order mark of UTF-8 is never part of the text.
#[test]
fn text_of_another_encoding_after_a_mark_is_without_it() {
    let text = encoded(
        WINDOWS_1251,
        &format!("Новый Год в Москве и Самаре. {RUSSIAN}"),
    );
    let marked = [b"\xEF\xBB\xBF", &text[..]].concat();
    let hints = Hints::new(Context::PlainText);
    let judgement = judged(&marked, &hints, same);
    assert_eq!(judgement.decision.encoding, UTF_8);
    assert_eq!(judgement.malformed, Some(3));
    let judgement = judged(&marked, &hints, distrust);
    let decision = judgement.decision;
    assert_eq!(decision.encoding, WINDOWS_1251, "{judgement:?}");
    assert_eq!(
        (decision.source, decision.bom_length),
        (Source::Detection, 3)
    );
}

/// If a standard prescribes UTF-8, detection applies only to files that people write.
#[test]
fn contexts_that_name_utf_8_guess_in_files_alone() {
    let russian = encoded(KOI8_R, RUSSIAN);
    let files = ["xml-parser", "css-from-document", "classic-script"];
    let others = ["xhr-text", "xhr-text-xml", "fetch-json", "event-stream"];
    for id in files.iter().chain(&others) {
        let is_file = files.contains(id);
        let hints = Hints::new(Context::for_id(id).unwrap());
        let judgement = judged(&russian, &hints, same);
        let expected = if is_file { KOI8_R } else { UTF_8 };
        assert_eq!(judgement.decision.encoding, expected, "{id}");
        assert_eq!(judgement.probability == Some(0.0), !is_file, "{id}");
        assert_eq!(judgement.contradiction, None, "{id}");
        // A guess is doubtful, but the bytes are no UTF-8.
        let judgement = judged(&russian, &hints, |policy| policy.confidence = 1.0);
        assert_eq!(judgement.decision.encoding, expected, "{id}");
        // With `by_table`, detection is not used.
        let judgement = judged(&russian, &hints, by_table);
        assert_eq!(judgement.decision.encoding, UTF_8, "{id}");
        let judgement = judged(RUSSIAN.as_bytes(), &hints, same);
        assert!(judgement.probability.unwrap() > 0.9, "{id}");
    }
}

/// No other code page contradicts a declaration that was read as EBCDIC, because detection does not know every page.
#[test]
fn a_declaration_in_ebcdic_is_not_contradicted_by_another_page() {
    for name in [
        "IBM037", "IBM273", "IBM297", "IBM500", "IBM871", "IBM1047", "IBM1140",
    ] {
        let encoding = extended(name);
        let text = format!(
            "<?xml version='1.0' encoding='{name}'?><a>[Ceci est un texte] {{avec}} des \\signes! ^ et | des lettres</a>"
        );
        let Ok(bytes) = encoding.encode(&text) else {
            continue;
        };
        let hints = Hints::new(Context::XmlParser);
        let judgement = judged(&bytes, &hints, |policy| policy.extended = true);
        assert_eq!(judgement.decision.encoding, encoding, "{name}");
        assert_eq!(judgement.contradiction, None, "{name}");
        assert!(!judgement.is_doubtful(0.9), "{name}");
    }
}

/// Lines of EBCDIC end with "next line" or "line feed", but only one of these is white space in a declaration.
#[test]
fn a_declaration_in_ebcdic_may_have_lines() {
    for end in [0x15, 0x25, 0x0D, 0x05] {
        let mut bytes = extended("IBM1047")
            .encode("<?xml version='1.0'\nencoding='IBM1047'\n?><a>text</a>")
            .unwrap()
            .into_owned();
        for byte in bytes
            .iter_mut()
            .filter(|byte| matches!(**byte, 0x15 | 0x25))
        {
            *byte = end;
        }
        assert_eq!(bytes.iter().filter(|&&byte| byte == end).count(), 2);
        let judgement = judged(&bytes, &Hints::new(Context::XmlParser), |_| ());
        assert_eq!(judgement.decision.encoding, extended("IBM1047"), "{end:X}");
    }
}

/// Tags are not part of a page's text.
#[test]
fn words_in_tags_do_not_decide_on_a_page() {
    let french = encoded(
        mojika::WINDOWS_1252,
        "<p>Voilà un café, déjà vu, très naïf.</p>\n",
    );
    let russian = encoded(WINDOWS_1251, &format!("<img alt='{RUSSIAN}'>\n"));
    let page = [&french[..], &russian, &russian, &french, &russian].concat();
    let of = |context| sniff(&page, &Hints::new(context)).unwrap().encoding;
    assert_eq!(of(Context::HtmlParser), mojika::WINDOWS_1252);
    assert_ne!(of(Context::PlainText), mojika::WINDOWS_1252);
}

/// A later part contradicts the encoding if another one has fewer malformed sequences; damage alone does not.
#[test]
fn a_later_part_in_another_encoding_contradicts_the_first() {
    let policy = Policy::default();
    let other = encoded(WINDOWS_1251, RUSSIAN);
    let damaged = [RUSSIAN.as_bytes(), b"\xFF", RUSSIAN.as_bytes()].concat();
    for (part, expected) in [
        (&other[..], true),
        (RUSSIAN.as_bytes(), false),
        (&damaged, false),
        (b"ascii", false),
        (b"", false),
    ] {
        assert_eq!(is_contradicted(UTF_8, part, &policy), expected, "{part:X?}");
    }
    assert!(is_contradicted(EUC_JP, RUSSIAN.as_bytes(), &policy));
    assert!(!is_contradicted(KOI8_R, RUSSIAN.as_bytes(), &policy));
}
