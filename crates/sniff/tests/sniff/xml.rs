//! XML: every row of the tables with and without a byte order mark, declarations and their conflicts.

use mojika::extended::{self, UTF_32_2143, UTF_32_3412, UTF_32BE, UTF_32LE};
use mojika::{EUC_JP, Encoding, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252};
use mojika_sniff::Source;
use mojika_sniff::xml::{Family, TABLE, XmlErrorKind, sniff, sniff_like_browsers};

/// Returns ASCII as UTF-16 in this byte order.
fn wide(text: &str, big: bool) -> Vec<u8> {
    let unit = |unit: u16| {
        if big {
            unit.to_be_bytes()
        } else {
            unit.to_le_bytes()
        }
    };
    text.encode_utf16().flat_map(unit).collect()
}

fn declared(name: &str) -> String {
    format!("<?xml version='1.0' encoding='{name}'?>\n<a/>")
}

/// Returns a declaration in the characters that are the same in all EBCDIC code pages.
fn ebcdic(text: &str) -> Vec<u8> {
    crate::encoded(extended::ibm(37).unwrap(), text)
}

#[test]
fn a_mark_decides_and_without_one_it_is_utf_8() {
    for (mark, text, encoding) in [
        (&b"\xEF\xBB\xBF"[..], b"<a/>".to_vec(), UTF_8),
        (b"\xFE\xFF", wide("<a/>", true), UTF_16BE),
        (b"\xFF\xFE", wide("<a/>", false), UTF_16LE),
        (b"", b"<a/>".to_vec(), UTF_8),
    ] {
        let bytes = [mark, &text].concat();
        let found = sniff(&bytes).unwrap();
        let is_marked = found.source == Source::Bom;
        assert_eq!((found.encoding, found.bom_length), (encoding, mark.len()));
        assert_eq!(is_marked, !mark.is_empty(), "{bytes:X?}");
    }
}

#[test]
fn every_row_without_a_bom_shows_its_family() {
    let families = [
        ([0x00, 0x00, 0x00, 0x3C], Family::Ucs4Be),
        ([0x3C, 0x00, 0x00, 0x00], Family::Ucs4Le),
        ([0x00, 0x00, 0x3C, 0x00], Family::Ucs4Order2143),
        ([0x00, 0x3C, 0x00, 0x00], Family::Ucs4Order3412),
        ([0x00, 0x3C, 0x00, 0x3F], Family::Utf16Be),
        ([0x3C, 0x00, 0x3F, 0x00], Family::Utf16Le),
        ([0x3C, 0x3F, 0x78, 0x6D], Family::Ascii),
        ([0x4C, 0x6F, 0xA7, 0x94], Family::Ebcdic),
    ];
    assert_eq!(TABLE.len(), families.len());
    for (bytes, family) in families {
        assert_eq!(Family::of(&bytes), Some(family), "{bytes:X?}");
    }
    assert_eq!(Family::of(b"<a/>"), None);
}

#[test]
fn declarations_are_read_in_their_family() {
    for (big, own, order) in [(true, UTF_16BE, "UTF-16BE"), (false, UTF_16LE, "UTF-16LE")] {
        for name in ["UTF-16", "ISO-10646-UCS-2", order] {
            let found = sniff(&wide(&declared(name), big)).unwrap();
            assert_eq!(
                (found.encoding, found.source),
                (own, Source::XmlDeclaration),
                "{name}"
            );
        }
        let found = sniff(&wide("<?xml version='1.0'?>", big)).unwrap();
        assert_eq!((found.encoding, found.source), (own, Source::XmlFamily));
    }
    let found = sniff(declared("EUC-JP").as_bytes()).unwrap();
    assert_eq!(
        (found.encoding, found.source),
        (EUC_JP, Source::XmlDeclaration)
    );
    assert_eq!(
        sniff(declared("latin1").as_bytes()).unwrap().encoding,
        WINDOWS_1252
    );
}

#[test]
fn octets_of_ucs_4_may_be_in_four_orders() {
    for (encoding, places) in [
        (UTF_32BE, [0, 1, 2, 3]),
        (UTF_32LE, [3, 2, 1, 0]),
        (UTF_32_2143, [1, 0, 3, 2]),
        (UTF_32_3412, [2, 3, 0, 1]),
    ] {
        let wide = |text: &str| -> Vec<u8> {
            let octets = |c: char| places.map(|place| u32::from(c).to_be_bytes()[place]);
            text.chars().flat_map(octets).collect()
        };
        for (text, source, bom_length) in [
            (declared("ISO-10646-UCS-4"), Source::XmlDeclaration, 0),
            (declared(encoding.name()), Source::XmlDeclaration, 0),
            ("<a>文字</a>".to_owned(), Source::XmlFamily, 0),
            ("\u{FEFF}<a/>".to_owned(), Source::Bom, 4),
            (["\u{FEFF}", &declared("UCS-4")].concat(), Source::Bom, 4),
        ] {
            let found = sniff(&wide(&text)).unwrap();
            let expected = (encoding, source, bom_length);
            assert_eq!(
                (found.encoding, found.source, found.bom_length),
                expected,
                "{text}"
            );
        }
        let other = if encoding == UTF_32BE {
            "UTF-32LE"
        } else {
            "UTF-32BE"
        };
        for name in ["UTF-8", "UTF-16", other] {
            let error = sniff(&wide(&declared(name))).unwrap_err();
            assert!(matches!(error.kind, XmlErrorKind::Conflict(_)), "{error}");
        }
    }
}

#[test]
fn ebcdic_is_read_in_every_code_page() {
    let pages = extended::all().filter(|page| page.is_single_byte() && !page.is_ascii_compatible());
    let (mut read, usual) = (0, extended::ibm(37).unwrap());
    for page in pages {
        let characters = "<?xml version=\"1.0\" encoding='";
        let encoded = |page: &'static Encoding, text| page.encode(text).unwrap().into_owned();
        // The small letters or the quotation mark have other bytes in this code page, so the declaration cannot be read
        // before its encoding is known.
        if encoded(page, characters) != encoded(usual, characters) {
            let others = ["IBM290", "IBM1026", "IBM1155", "IBM905"];
            assert!(others.contains(&page.name()), "{page}");
            continue;
        }
        let found = sniff(&encoded(page, &declared(page.name()))).unwrap();
        assert_eq!(
            (found.encoding, found.source),
            (page, Source::XmlDeclaration)
        );
        read += 1;
    }
    assert!(read > 10, "{read}");
}

#[test]
fn a_declaration_that_contradicts_the_bytes_is_fatal() {
    for (bytes, offset) in [
        (declared("UTF-16").into_bytes(), 30),
        (declared("UTF-16LE").into_bytes(), 30),
        (declared("UCS-4").into_bytes(), 30),
        (
            [b"\xEF\xBB\xBF", declared("EUC-JP").as_bytes()].concat(),
            33,
        ),
        (wide(&declared("UTF-8"), true), 60),
        (wide(&declared("UTF-16LE"), true), 60),
        (
            [b"\xFF\xFE", &*wide(&declared("EUC-JP"), false)].concat(),
            62,
        ),
        (ebcdic(&declared("UTF-8")), 30),
    ] {
        let error = sniff(&bytes).expect_err("a conflict");
        assert!(
            matches!(error.kind, XmlErrorKind::Conflict(_)),
            "{error}: {bytes:X?}"
        );
        assert_eq!(error.offset, offset, "{error}: {bytes:X?}");
    }
}

#[test]
fn unknown_and_undecodable_encodings_are_fatal() {
    for name in ["klingon", "iso-2022-kr"] {
        let error = sniff(declared(name).as_bytes()).unwrap_err();
        assert!(
            matches!(error.kind, XmlErrorKind::Unsupported(_)),
            "{error}"
        );
    }
}

#[test]
fn ebcdic_without_a_declared_encoding_is_an_error() {
    let error = sniff(&ebcdic("<?xml version='1.0'?><a/>")).unwrap_err();
    assert_eq!(
        (error.kind, error.fallback),
        (XmlErrorKind::Undeclared, None)
    );
}

#[test]
fn browsers_ignore_what_is_fatal() {
    for (bytes, encoding) in [
        (declared("UTF-16").into_bytes(), UTF_8),
        (declared("klingon").into_bytes(), UTF_8),
        (declared("EUC-JP").into_bytes(), EUC_JP),
        (wide(&declared("EUC-JP"), true), UTF_16BE),
        (ebcdic(&declared("IBM037")), UTF_8),
        (b"\xFF\xFE\0\0".to_vec(), UTF_16LE),
    ] {
        assert_eq!(sniff_like_browsers(&bytes).encoding, encoding, "{bytes:X?}");
    }
}
