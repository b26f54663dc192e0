//! The judgement on a document that arrives in chunks.

use crate::encoded;
use crate::with;
use mojika::{EUC_JP, MACINTOSH, UTF_8, UTF_16LE, WINDOWS_1251};
use mojika_sniff::judge::{Judge, Judgement, Policy, judge};
use mojika_sniff::xml::XmlError;
use mojika_sniff::{Context, Hints, Source};
use std::fmt::Write;

/// Asserts that the judgement on a document is the same for the whole and for chunks of these sizes, and if feeding stops
/// after the decision.
#[track_caller]
pub(crate) fn same_in_pieces(
    document: &[u8],
    hints: &Hints,
    policy: &Policy,
    sizes: &[usize],
    case: &str,
) -> Result<Judgement, XmlError> {
    let expected = judge(document, hints, policy);
    for &size in sizes {
        for stops in [false, true] {
            let mut judge = Judge::new(*hints, *policy);
            for piece in document.chunks(size) {
                if stops && judge.is_decided() {
                    break;
                }
                judge.feed(piece);
            }
            // A zero byte near the start may be half of a UTF-16 unit.
            if !stops && !document.contains(&0) {
                assert_eq!(
                    judge.is_ascii(),
                    document.is_ascii(),
                    "{case}, pieces of {size}"
                );
            }
            assert_eq!(
                shown(&judge.finish()),
                shown(&expected),
                "{case}, pieces of {size}, stops: {stops}"
            );
        }
    }
    expected
}

/// Returns the judgement by the default policy.
#[track_caller]
fn of(document: &[u8], hints: &Hints) -> Judgement {
    // Chunks of single bytes would take too long.
    let sizes = [1, 7, 1000, 1024, 4095, 4096, 4097, 65_535, 65_536, 1 << 20];
    let sizes = sizes.map(|size| size.max(document.len() / 10_000));
    same_in_pieces(document, hints, &Policy::default(), &sizes, "").unwrap()
}

/// Shows a judgement without the number of bytes read, which depends on the chunks.
fn shown(judgement: &Result<Judgement, XmlError>) -> String {
    let text = format!("{judgement:?}");
    match text.split_once("bytes_read: ") {
        Some((before, after)) => before.to_owned() + after.trim_start_matches(char::is_numeric),
        None => text,
    }
}

fn page(before: usize, declared: &str, text: &[u8]) -> Vec<u8> {
    let mut start = String::from("<!doctype html>\n");
    while start.len() < before {
        writeln!(start, "<!-- {} -->", "x".repeat(start.len() % 61)).unwrap();
    }
    start.truncate(start.rfind('\n').unwrap());
    [start.as_bytes(), declared.as_bytes(), b"<p>", text].concat()
}

/// The first 64 KB are read, each byte only once. Later bytes are ignored.
#[test]
fn a_long_document_that_declares_another_encoding_is_read_once() {
    let line = encoded(EUC_JP, "文字化けの例を示す。\n");
    let text = [&line.repeat(900)[..], b"\xFF"].concat().repeat(7);
    let filler = "<!-- x -->\n".repeat(2700);
    let document = [b"<meta charset=utf-8>", filler.as_bytes(), &text].concat();
    let hints = Hints::new(Context::HtmlParser);
    let judgement = judge(&document, &hints, &Policy::default()).unwrap();
    let mut in_pieces = Judge::new(hints, Policy::default());
    let pieces = document.chunks(1000);
    pieces.for_each(|piece| in_pieces.feed(piece));
    let in_pieces = in_pieces.finish().unwrap();
    assert_eq!(shown(&Ok(in_pieces)), shown(&Ok(judgement)));
    let guess = judgement.ranking[0];
    let read = &document[..65_536];
    let malformed = read.iter().filter(|&&byte| byte == 0xFF).count();
    assert_eq!(
        (guess.encoding, guess.malformed),
        (EUC_JP, malformed as u64)
    );
}

#[test]
fn a_meta_is_found_wherever_it_is() {
    let text = encoded(EUC_JP, "文字化けの例を示す。\n");
    let hints = Hints::new(Context::HtmlParser);
    for before in [
        0, 900, 1100, 4000, 4090, 4100, 5000, 60_000, 70_000, 140_000,
    ] {
        for text in [&b"ascii"[..], &text] {
            let document = page(before, "<meta charset=euc-jp>", text);
            let judgement = of(&document, &hints);
            assert_eq!(judgement.decision.encoding, EUC_JP, "{before}");
            assert_eq!(judgement.decision.source, Source::Meta, "{before}");
        }
    }
}

#[test]
fn a_late_meta_says_nothing_where_something_else_does() {
    let document = page(5000, "<meta charset=euc-jp>", b"ascii");
    let hints = Hints {
        transport: Some(b"text/html; charset=windows-1251"),
        ..Hints::new(Context::HtmlParser)
    };
    let judgement = of(&document, &hints);
    assert_eq!(judgement.decision.encoding, WINDOWS_1251);
    // A late `meta` does not count in a context without detection either.
    let judgement = of(&document, &Hints::new(Context::TextDocument));
    assert_ne!(judgement.decision.source, Source::Meta);
    let hints = with(Context::HtmlParser, |known| known.detect = false);
    assert_ne!(of(&document, &hints).decision.encoding, EUC_JP);
}

/// A text may declare its encoding after its first 4 KB: within 64 KB, or in its last lines if they are less than 64 KB
/// after the first non-ASCII byte.
#[test]
fn a_text_declares_its_encoding_after_a_long_start_and_at_its_end() {
    let package = b"\\usepackage[applemac]{inputenc}\n";
    let modeline = b"# vim: fenc=macintosh\n";
    let list = b"Local Variables:\ncoding: macintosh\nEnd:\n";
    let cut = [&b"x".repeat(100)[..], b" vim: fenc=macintosh\n"].concat();
    let rest = b"y".repeat(8192 - 21);
    let beyond = &b"\x8E\x8F \x8E\n"[..];
    let lines = |count: usize| b"a line of text\n".repeat(count);
    let (few, ascii) = (&lines(300)[..], &lines(20_000)[..]);
    let of_text = |parts: &[&[u8]], hints: &Hints| of(&parts.concat(), hints).decision;
    let plain = Hints::new(Context::PlainText);
    for (parts, is_declared) in [
        ([few, package, beyond, b""], true),
        ([&lines(4300), package, beyond, b""], true),
        ([&lines(4400), package, beyond, b""], false),
        ([beyond, few, modeline, b""], true),
        ([beyond, few, modeline, &lines(5)], false),
        ([beyond, few, list, &lines(190)], true),
        ([beyond, few, list, &lines(210)], false),
        ([ascii, beyond, &lines(4000), modeline], true),
        ([ascii, beyond, &lines(4000), list], true),
        // The first line of the end is cut, and is no modeline.
        ([ascii, beyond, &cut, &rest], false),
        // The end is not compared.
        ([ascii, beyond, &lines(5000), modeline], false),
    ] {
        let decision = of_text(&parts, &plain);
        let is_found = decision.source == Source::Declaration;
        assert_eq!(is_found, is_declared, "{}", parts.concat().len());
        assert!(!is_found || decision.encoding == MACINTOSH);
        // The standards of the Web define no declaration for plain text.
        let decision = of_text(&parts, &Hints::new(Context::TextDocument));
        assert_ne!(decision.source, Source::Declaration);
    }
    // A source of higher precedence decides.
    let said = Hints {
        transport: Some(b"text/plain; charset=windows-1251"),
        ..plain
    };
    let parts: [&[u8]; 3] = [beyond, few, modeline];
    assert_eq!(of_text(&parts, &said).encoding, WINDOWS_1251);
}

#[test]
fn what_is_not_ascii_counts_from_wherever_it_starts() {
    let russian = "Съешь же ещё этих мягких французских булок, да выпей чаю. ".repeat(40);
    for before in [0, 1, 4095, 4096, 60_000, 65_535, 65_536, 130_000] {
        let ascii = "a line of text\n".repeat(before / 15) + &"a".repeat(before % 15);
        for encoding in [UTF_8, WINDOWS_1251] {
            let document = [ascii.as_bytes(), &encoded(encoding, &russian)].concat();
            let judgement = of(&document, &Hints::new(Context::TextDocument));
            let known = encoding == UTF_8 || cfg!(feature = "detect");
            assert!(
                !known || judgement.decision.encoding == encoding,
                "{before}"
            );
        }
    }
}

#[test]
fn marks_nuls_and_wide_units_are_the_same_in_pieces() {
    let text = "Съешь же ещё этих мягких французских булок.\r\n".repeat(2000);
    let wide: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
    let latin: Vec<u8> = "plain text\r\n"
        .repeat(900)
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    let binary: Vec<u8> = (0..100_000_u32)
        .map(|i| (i.wrapping_mul(i) >> 3) as u8)
        .collect();
    let padded = [&b"text\n".repeat(9000)[..], &[0; 600]].concat();
    let late_nul = [&b"text\n".repeat(30_000)[..], b"\0", "é".as_bytes()].concat();
    let marked = [b"\xFF\xFE", &wide[..]].concat();
    let hints = Hints::new(Context::TextDocument);
    assert_eq!(of(&marked, &hints).decision.encoding, UTF_16LE);
    for document in [
        &wide[..],
        &latin,
        &binary,
        &padded,
        &late_nul,
        b"",
        b"\xEF\xBB\xBF",
    ] {
        of(document, &hints);
    }
}
