//! Whole documents: `decode_document`, `PageReader` and `Response` on pages with right, wrong and truncated declarations, and on
//! noise.

use crate::encoded;
use crate::properties::check;
use crate::with;
use mojika::offsets::TextUnit;
use mojika::{EUC_JP, SHIFT_JIS, UTF_8, UTF_16LE, extended};
use mojika_drive::spent;
use mojika_sniff::{
    Confidence, Context, Decision, DocumentError, Hints, PageReader, PageStop, Response, Source,
    contexts, decode_document, sniff, xml,
};
use mojika_spec::Random;
use std::time::Duration;

#[test]
fn a_meta_that_lies_leaves_errors_with_their_offsets() {
    // UTF-8 bytes that are declared as Shift_JIS.
    let page = "<meta charset=shift_jis><p>\u{1F600}</p>".as_bytes();
    let document = decode_document(page, &Hints::new(Context::HtmlParser)).unwrap();
    assert_eq!(document.decision.encoding, SHIFT_JIS);
    assert_eq!(document.decision.source, Source::Meta);
    let error = SHIFT_JIS.decode_fatal(page).unwrap_err();
    assert_eq!(document.errors[0], error.sequence);
    assert!(document.errors[0].offset >= 27, "{:?}", document.errors);
    assert_eq!(
        document.text.matches('\u{FFFD}').count(),
        document.errors.len()
    );
}

#[test]
fn a_transport_that_lies_is_obeyed_and_a_byte_order_mark_is_not_overruled() {
    let text = "<meta charset=euc-jp><p>文字</p>";
    let bytes = encoded(EUC_JP, text);
    let hints = Hints {
        transport: Some(b"text/html; charset=utf-8"),
        ..Hints::new(Context::HtmlParser)
    };
    let document = decode_document(&bytes, &hints).unwrap();
    assert_eq!(document.decision.source, Source::Transport);
    assert_eq!(document.decision.confidence, Confidence::Certain);
    // A declaration in the page does not contradict a certain decision.
    assert_eq!(document.late_meta, None);
    let offsets: Vec<_> = document.errors.iter().map(|error| error.offset).collect();
    // CA B8 is a UTF-8 character; BB and FA are malformed.
    assert_eq!(offsets, [26, 27]);

    let marked = [b"\xEF\xBB\xBF", text.as_bytes()].concat();
    let hints = Hints {
        transport: Some(b"text/html; charset=gbk"),
        ..Hints::new(Context::HtmlParser)
    };
    let document = decode_document(&marked, &hints).unwrap();
    assert_eq!(document.decision.source, Source::Bom);
    assert_eq!(document.text, text);
}

#[test]
fn offsets_of_errors_count_the_byte_order_mark() {
    let page = b"\xEF\xBB\xBFa\xFFb\xFE";
    let document = decode_document(page, &Hints::new(Context::HtmlParser)).unwrap();
    assert_eq!(document.text, "a\u{FFFD}b\u{FFFD}");
    let offsets: Vec<_> = document.errors.iter().map(|error| error.offset).collect();
    assert_eq!(offsets, [4, 6]);
}

#[test]
fn a_late_meta_changes_what_is_tentative() {
    let late = |declared: &str| {
        let start = format!("<!doctype html><!--{}-->", "x".repeat(1024));
        format!("{start}<meta charset={declared}><p>x").into_bytes()
    };
    let hints = with(Context::HtmlParser, |known| known.locale = Some("ja"));
    let document = decode_document(&late("euc-jp"), &hints).unwrap();
    assert_eq!(document.decision.encoding, EUC_JP);
    assert_eq!(document.decision.source, Source::Meta);
    assert_eq!(document.decision.confidence, Confidence::Certain);
    assert_eq!(document.late_meta, Some(EUC_JP));
    // `Response` agrees for each tentative source: the locale, detection, the default.
    let text = [&late("euc-jp")[..], b"\xCA\xB8\xBB\xFA"].concat();
    for locale in [None, Some("ja"), Some("ru")] {
        let hints = Hints { locale, ..hints };
        let document = decode_document(&text, &hints).unwrap();
        assert!(
            document.text.ends_with("文字"),
            "{locale:?}: {}",
            document.decision.encoding
        );
    }
    let response = Response::new("http://a.example/", [("Content-Type", "text/html")]);
    assert!(
        response
            .decode(&text)
            .unwrap()
            .unwrap()
            .text
            .ends_with("文字")
    );
    // A `meta` with the same encoding or with an unknown label does not change the encoding.
    for declared in ["shift_jis", "klingon"] {
        let document = decode_document(&late(declared), &hints).unwrap();
        assert_eq!(document.late_meta, None, "{declared}");
    }
    // A `meta` does not change a certain decision, or a decision in another context.
    let transport = Hints {
        transport: Some(b"text/html;charset=gbk"),
        ..hints
    };
    assert_eq!(
        decode_document(&late("euc-jp"), &transport)
            .unwrap()
            .late_meta,
        None
    );
    let xhr = Hints {
        context: Context::XhrDocument,
        ..hints
    };
    assert_eq!(
        decode_document(&late("euc-jp"), &xhr).unwrap().late_meta,
        None
    );
    // UTF-16 in a late `meta` means UTF-8, as in an early one.
    let document = decode_document(&late("utf-16"), &hints).unwrap();
    assert_eq!(document.late_meta, Some(UTF_8));
}

#[test]
fn xml_that_contradicts_itself_has_no_text_and_malformed_xml_says_where() {
    let hints = Hints::new(Context::XmlParser);
    let lie = b"<?xml version='1.0' encoding='UTF-16'?><a/>";
    let Err(DocumentError::Xml(error)) = decode_document(lie, &hints) else {
        panic!("a conflict");
    };
    assert_eq!(error.offset, 30);
    let malformed = b"<?xml version='1.0' encoding='UTF-8'?><a>\xFF</a>";
    let Err(DocumentError::Malformed(error)) = decode_document(malformed, &hints) else {
        panic!("malformed");
    };
    assert_eq!((error.sequence.offset, error.sequence.len), (41, 1));
    // Browsers continue after this error.
    let xhr = Hints::new(Context::XhrTextXml);
    assert_eq!(decode_document(lie, &xhr).unwrap().decision.encoding, UTF_8);
}

/// Address, Content-Type and body of a page; the expected encoding, source and text.
type PageRow<'a> = (&'a str, Option<&'a str>, &'a [u8], &'a str, Source, &'a str);

#[test]
fn a_page_goes_by_its_header_and_its_address() {
    let utf_16 = [b"\xFF\xFE", &encoded(UTF_16LE, "<a>文字</a>")[..]].concat();
    let ebcdic = encoded(
        extended::ibm(37).unwrap(),
        "<?xml version='1.0' encoding='IBM037'?><a>42</a>",
    );
    let rows: [PageRow; 5] = [
        (
            "https://a.jp/",
            Some("text/html;charset=x-sjis"),
            b"\x95\xB6",
            "Shift_JIS",
            Source::Transport,
            "文",
        ),
        (
            "https://a.jp/",
            Some("text/html;charset=klingon"),
            b"<meta charset=gbk>\xCE\xC4",
            "GBK",
            Source::Meta,
            "<meta charset=gbk>文",
        ),
        (
            "https://a.jp/a.xml",
            Some("application/atom+xml"),
            &utf_16,
            "UTF-16LE",
            Source::Bom,
            "<a>文字</a>",
        ),
        (
            "https://a.us/a.xml",
            Some("text/xml"),
            &ebcdic,
            "IBM037",
            Source::XmlDeclaration,
            "<?xml version='1.0' encoding='IBM037'?><a>42</a>",
        ),
        (
            "https://a.jp/",
            None,
            b"<p>plain",
            "UTF-8",
            Source::Default,
            "<p>plain",
        ),
    ];
    for (url, header, body, encoding, source, text) in rows {
        let response = Response::new(url, header.map(|header| ("Content-Type", header)));
        let (document, map) = response.decode_with_offsets(body).unwrap().unwrap();
        assert_eq!(document.decision.encoding.name(), encoding, "{header:?}");
        assert_eq!(document.decision.source, source, "{header:?}");
        assert_eq!(document.text, text);
        // The whole text maps to all bytes except the byte order mark.
        let offsets = map.offsets(body, TextUnit::Utf8).unwrap();
        assert_eq!(
            offsets.source_range(0..text.len() as u64),
            Some(document.decision.bom_length as u64..body.len() as u64)
        );
    }
}

#[test]
fn a_mark_that_a_context_keeps_is_text_with_a_place() {
    // Percent-decoding keeps the mark; an event stream removes it.
    let body = b"\xEF\xBB\xBFdata: a\n";
    let stream = Response::new("", [("Content-Type", "text/event-stream")]);
    let (document, map) = stream.decode_with_offsets(body).unwrap().unwrap();
    assert_eq!(document.text, "data: a\n");
    let offsets = map.offsets(body, TextUnit::Utf8).unwrap();
    assert_eq!(offsets.source_range(0..1), Some(3..4));
    let hints = Hints::new(Context::PercentDecode);
    assert_eq!(
        decode_document(body, &hints).unwrap().text,
        "\u{FEFF}data: a\n"
    );
}

#[test]
fn the_length_for_declarations_holds_all_that_decides_a_mark_of_utf_32() {
    let hints = with(Context::PlainText, |known| known.detect = false);
    // Valid UTF-32 ends at the last unit that the mark's rule examines, or after it.
    for (units, expected) in [(63, None), (64, Some(extended::UTF_32BE))] {
        let mut bytes = b"\0\0\xFE\xFF".to_vec();
        bytes.extend(b"\0\0\0x".repeat(units));
        bytes.extend(b"\xFF".repeat(8000));
        let head = &bytes[..hints.declaration_length()];
        let decision = sniff(head, &hints).unwrap();
        assert_eq!(decision, sniff(&bytes, &hints).unwrap(), "{units}");
        let marked = (decision.source == Source::Bom).then_some(decision.encoding);
        assert_eq!(marked, expected, "{units}");
    }
}

#[test]
fn noise_is_decided_in_every_context() {
    let mut random = Random::new(27);
    for round in 0..60 {
        let length = [0, 1, 2, 3, 4, 5, 16, 100, 1023, 1024, 1025, 5000][round % 12];
        let few = [256, 128, 4][round % 3];
        let bytes: Vec<u8> = (0..length)
            .map(|_| b"\0<?x"[random.below(4)].wrapping_add(random.below(few) as u8))
            .collect();
        for row in &contexts::TABLE {
            check(&bytes, &Hints::new(row.context));
        }
    }
}

#[test]
fn a_head_of_one_byte_is_decided_in_every_context() {
    for byte in 0..=255 {
        for row in &contexts::TABLE {
            let decision = check(&[byte], &Hints::new(row.context)).expect("no conflict");
            assert_eq!(decision.bom_length, 0);
            // ESC may begin a truncated sequence of ISO-2022-JP.
            let is_guess = decision.source == Source::Detection;
            assert!(
                decision.source == Source::Default || (is_guess && (byte >= 0x80 || byte == 0x1B)),
                "{}: {byte:X}: {decision:?}",
                row.id
            );
        }
    }
}

/// A document that declares its encoding, and the number of bytes needed to know it.
type Head = (Context, Vec<u8>, usize, &'static str, Source);

#[test]
fn a_truncated_head_declares_nothing_until_its_declaration_is_whole() {
    let ebcdic = "<?xml version='1.0' encoding='IBM037'?>";
    let rows: [Head; 9] = [
        (
            Context::HtmlParser,
            b"<meta charset=gbk><p>".to_vec(),
            18,
            "GBK",
            Source::Meta,
        ),
        (
            Context::HtmlParser,
            b"<meta http-equiv='content-type' content='text/html; charset=gbk'><p>".to_vec(),
            65,
            "GBK",
            Source::Meta,
        ),
        (
            Context::HtmlParser,
            b"<?xml version='1.0' encoding='gbk'?><p>".to_vec(),
            36,
            "GBK",
            Source::XmlDeclaration,
        ),
        (
            Context::HtmlParser,
            encoded(UTF_16LE, "<?xml ?>"),
            6,
            "UTF-16LE",
            Source::XmlFamily,
        ),
        (
            Context::CssFromLink,
            b"@charset \"gbk\"; a {}".to_vec(),
            15,
            "GBK",
            Source::CssCharset,
        ),
        (
            Context::XmlParser,
            b"<?xml version='1.0' encoding='gbk'?><a/>".to_vec(),
            36,
            "GBK",
            Source::XmlDeclaration,
        ),
        (
            Context::XmlParser,
            encoded(extended::ibm(37).unwrap(), ebcdic),
            39,
            "IBM037",
            Source::XmlDeclaration,
        ),
        (
            Context::XmlParser,
            encoded(
                extended::UTF_32_2143,
                "<?xml version='1.0' encoding='UCS-4'?>",
            ),
            38 * 4,
            "UTF-32-2143",
            Source::XmlDeclaration,
        ),
        (
            Context::PlainText,
            b"\xEF\xBB\xBFabc".to_vec(),
            3,
            "UTF-8",
            Source::Bom,
        ),
    ];
    for (context, bytes, needed, encoding, source) in rows {
        let hints = Hints::new(context);
        for length in 0..=bytes.len() {
            let decided = sniff(&bytes[..length], &hints);
            let is_known = decided
                .is_ok_and(|found| found.encoding.name() == encoding && found.source == source);
            assert_eq!(
                is_known,
                length >= needed,
                "{length} bytes of {}: {decided:?}",
                bytes.escape_ascii()
            );
            if let Err(error) = decided {
                // A truncated declaration is malformed; EBCDIC needs a declaration.
                let expected = match error.family {
                    xml::Family::Ebcdic if length < 6 => xml::XmlErrorKind::Undeclared,
                    _ => xml::XmlErrorKind::Malformed,
                };
                assert_eq!(error.kind, expected, "{length}: {error}");
            }
        }
    }
}

/// A `meta` is searched for in the whole page, so endless constructs must not be read repeatedly.
#[test]
fn pages_that_never_end_take_linear_time() {
    for unit in [
        &b"<"[..],
        b"<!--",
        b"<!-- -- >",
        b"<meta ",
        b"<meta charset=",
        b"<meta charset='",
        b"<meta http-equiv=content-type content='charset charset",
        b"<meta content=charset=x>",
        b"<a b='c",
        b"</a",
        b"<?",
        b"= ",
        b"'\"",
    ] {
        let page = unit.repeat(4_000_000 / unit.len());
        let start = spent();
        let document = decode_document(&page, &Hints::new(Context::HtmlParser)).unwrap();
        assert_eq!(document.text.len(), page.len());
        let took = spent() - start;
        assert!(
            took < Duration::from_secs(5),
            "{}: {took:?}",
            unit.escape_ascii()
        );
    }
}

#[test]
fn errors_are_counted_and_their_list_is_bounded() {
    use mojika_sniff::Document;
    for length in [0, 9_999, 10_000, 10_001, 30_000] {
        let noise = vec![0xFF; length];
        let hints = with(Context::PlainText, |known| {
            known.user_override = Some(SHIFT_JIS)
        });
        let document = decode_document(&noise, &hints).unwrap();
        assert_eq!(document.malformed, length as u64);
        assert_eq!(document.errors.len(), length.min(Document::MOST_ERRORS));
        assert_eq!(document.text.chars().count(), length);
    }
}

/// Reads a page in chunks, and again from its start if required.
fn read_in_chunks(page: &[u8], size: usize, content_type: Option<&str>) -> (String, Decision, u64) {
    let mut reader = PageReader::new("http://a.example.jp/", content_type);
    for _ in 0..2 {
        let mut text = String::new();
        let fed = page
            .chunks(size)
            .try_for_each(|chunk| reader.feed(chunk, &mut text));
        match fed.and_then(|()| reader.finish(&mut text)) {
            Ok(()) => return (text, reader.decision().unwrap(), reader.malformed()),
            Err(PageStop::ChangeEncoding(encoding)) => reader = reader.with_encoding(encoding),
            Err(other) => panic!("{other}"),
        }
    }
    panic!("it asks for another encoding again and again")
}

#[test]
fn a_page_in_chunks_is_the_whole_page() {
    let filler = format!("<!doctype html><!--{}-->", "x".repeat(1500));
    let body = b"<p>\xCA\xB8\xBB\xFA\xFF</p>";
    let declared = |before: &str, meta: &str| [before.as_bytes(), meta.as_bytes(), body].concat();
    let pages = [
        declared("", "<meta charset=euc-jp>"),
        declared(&filler, "<meta charset=euc-jp>"),
        declared(&filler, "<meta charset=unknown>"),
        declared(&filler, ""),
        declared("\u{FEFF}", "<meta charset=euc-jp>"),
        declared(&format!("\u{FEFF}{filler}"), "<meta charset=euc-jp>"),
        b"abc".to_vec(),
        Vec::new(),
    ];
    for page in &pages {
        for content_type in [None, Some("text/html"), Some("text/html; charset=gbk")] {
            let header = content_type.unwrap_or("text/html");
            let response = Response::new("http://a.example.jp/", [("Content-Type", header)]);
            let whole = response.decode(page).unwrap().unwrap();
            let by_bytes = read_in_chunks(page, 1, content_type);
            for size in [1, 2, 3, 7, 1000, 1023, 1024, 1025, 4096] {
                let (text, decision, malformed) = read_in_chunks(page, size, content_type);
                let shown: String = String::from_utf8_lossy(page)
                    .chars()
                    .rev()
                    .take(60)
                    .collect();
                if whole.decision.source == Source::Detection {
                    // The reader passes only the head to detection.
                    let again = (text, decision, malformed);
                    assert_eq!(again, by_bytes, "{shown} in chunks of {size}");
                    continue;
                }
                assert_eq!(text, whole.text, "{shown} in chunks of {size}");
                assert_eq!(decision.encoding, whole.decision.encoding, "{shown}");
                assert_eq!(malformed, whole.malformed, "{shown}");
            }
        }
    }
}

#[test]
fn a_page_in_chunks_waits_for_its_head_only() {
    let mut reader = PageReader::new("http://a.example/", None);
    let mut text = String::new();
    reader.feed(&[b'a'; 1023], &mut text).unwrap();
    assert_eq!((text.len(), reader.decision()), (0, None));
    reader.feed(b"a", &mut text).unwrap();
    assert_eq!(text.len(), 1024);
    assert!(reader.decision().is_some());
    let mut xml = PageReader::new("http://a.example/", Some("application/xml"));
    xml.feed(b"<?xml version='1.0'?><a>\xFF</a>", &mut text)
        .unwrap();
    let stop = xml.finish(&mut text).unwrap_err();
    let PageStop::Document(DocumentError::Malformed(error)) = stop else {
        panic!("{stop}")
    };
    assert_eq!(error.sequence.offset, 24);
}

/// A document that is decoded with a map of offsets equals one without, including its errors.
#[test]
fn a_map_changes_nothing_of_a_document() {
    let mut random = Random::new(46);
    let types = [
        "text/html",
        "text/html; charset=shift_jis",
        "text/html; charset=utf-16le",
        "text/xml",
        "text/css",
        "text/event-stream",
        "application/json",
    ];
    for round in 0..400 {
        let mut body = match round % 4 {
            0 => Vec::new(),
            1 => b"\xEF\xBB\xBF".to_vec(),
            2 => b"\xFF\xFE".to_vec(),
            _ => b"<p>".to_vec(),
        };
        body.extend((0..random.below(200)).map(|_| random.below(256) as u8));
        if round % 5 == 0 {
            body.extend(b"x".repeat(1100));
            body.extend(b"<meta charset=euc-kr>\xC7\xD1\xFF");
        }
        for content_type in types {
            let response = Response::new("http://a.example/", [("Content-Type", content_type)]);
            let alone = response.decode(&body);
            let mapped = response.decode_with_offsets(&body);
            let mapped = mapped.map(|mapped| mapped.map(|(document, _)| document));
            assert_eq!(
                format!("{alone:?}"),
                format!("{mapped:?}"),
                "{content_type}: {body:x?}"
            );
        }
    }
}

#[test]
fn a_stop_says_which_encoding_to_read_again_in() {
    let stop = PageStop::ChangeEncoding(SHIFT_JIS);
    let said = "the page says that it is Shift_JIS: read it again in that encoding";
    assert_eq!(stop.to_string(), said);
}

/// The document is decoded only once: decoding it with the map takes hardly longer than building the map alone.
///
/// The time is not measured with debug assertions, which check the whole text for each part.
#[cfg(not(debug_assertions))]
#[test]
fn a_document_with_a_map_is_decoded_once() {
    use mojika::offsets::OffsetMapBuilder;
    let mut body = encoded(SHIFT_JIS, &"文字化けという現象は ".repeat(100_000));
    body.extend(b"\xFF");
    let header = [("Content-Type", "text/html; charset=shift_jis")];
    let response = Response::new("http://a.example/", header);
    let mut least = [Duration::MAX; 2];
    for _ in 0..100 {
        let start = spent();
        let mut text = String::new();
        let mut builder = OffsetMapBuilder::new(SHIFT_JIS).on_malformed(|_| {});
        builder.decode_append(&body, &mut text, true);
        least[0] = least[0].min(spent() - start);
        let start = spent();
        let (document, _) = response.decode_with_offsets(&body).unwrap().unwrap();
        least[1] = least[1].min(spent() - start);
        assert_eq!((document.text.len(), document.malformed), (text.len(), 1));
        if least[1] < least[0] * 3 / 2 {
            return;
        }
    }
    panic!("{least:?}");
}
