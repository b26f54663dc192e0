//! Findings of an audit of the source documents. Each test is named after the rule that it checks.

use crate::with;
use mojika::*;
use mojika_sniff::contexts::{BomRule, Operation, TABLE};
use mojika_sniff::xml::{XmlErrorKind, sniff as sniff_xml};
use mojika_sniff::{Context, Decision, Hints, Source, decode_document, sniff, sniff_leniently};

fn wide(text: &str, unit: impl Fn(u16) -> [u8; 2]) -> Vec<u8> {
    text.encode_utf16().flat_map(unit).collect()
}

fn quads(text: &str, unit: impl Fn(u32) -> [u8; 4]) -> Vec<u8> {
    text.chars().flat_map(|one| unit(one.into())).collect()
}

fn decide(bytes: &[u8], hints: &Hints) -> Decision {
    sniff(bytes, hints).unwrap_or_else(|error| panic!("{bytes:X?}: {error}"))
}

#[test]
fn sniffing_by_type_reads_what_the_declared_type_declares() {
    let meta = b"<!doctype html><meta charset=koi8-r>\xC1";
    let xml = b"<?xml version='1.0' encoding='koi8-r'?><a>\xC1</a>";
    let css = b"@charset \"koi8-r\";";
    for context in [Context::ViewSource, Context::Clipboard] {
        let hints = |content_type: &'static [u8]| Hints {
            transport: Some(content_type),
            implied_environment: Some(EUC_KR),
            detect: false,
            ..Hints::new(context)
        };
        let rows: [(&[u8], &'static [u8], &Encoding, Source); 9] = [
            (meta, b"text/html", KOI8_R, Source::Meta),
            (meta, b"Text/HTML;x=y", KOI8_R, Source::Meta),
            (xml, b"text/html", KOI8_R, Source::XmlDeclaration),
            (xml, b"application/xml", KOI8_R, Source::XmlDeclaration),
            (xml, b"image/svg+xml", KOI8_R, Source::XmlDeclaration),
            (css, b"text/css", KOI8_R, Source::CssCharset),
            (meta, b"text/plain", EUC_KR, Source::Environment),
            (b"<a/>", b"text/xml", UTF_8, Source::Default),
            (meta, b"application/json", UTF_8, Source::Default),
        ];
        for (bytes, content_type, encoding, source) in rows {
            let decision = decide(bytes, &hints(content_type));
            let case = format!("{context:?} {}", content_type.escape_ascii());
            assert_eq!(
                (decision.encoding, decision.source),
                (encoding, source),
                "{case}"
            );
        }
        // If the type is unknown, no declaration is read.
        let decision = decide(meta, &Hints::new(context));
        assert_eq!(decision.source, Source::Default);
        // Only `head_length` bytes are read.
        let page = [&b"<!--"[..], &[b' '; 900], b"-->", meta, &[b'a'; 900]].concat();
        let hints = hints(b"text/html");
        assert_eq!(
            decide(&page[..hints.head_length()], &hints),
            decide(&page, &hints)
        );
        assert_eq!(decide(&page, &hints).encoding, KOI8_R);
    }
    let hints = with(Context::ViewSource, |known| {
        known.transport = Some(b"text/html;charset=gbk")
    });
    assert_eq!(decide(meta, &hints).source, Source::Transport);
}

#[test]
fn external_utf_16_without_a_mark_is_in_the_order_of_its_octets_or_big_endian() {
    let declared = "<?xml version='1.0'?><a>é</a>";
    let bare = "<a>é</a>";
    let text = "\n<a>é</a>";
    let names: [&'static [u8]; 4] = [
        b"utf-16",
        b"application/xml; charset=UTF-16",
        b"text/xml;charset=\"csUTF16\"",
        b"ISO-10646-UCS-2",
    ];
    for name in names {
        let hints = with(Context::XmlParser, |known| known.transport = Some(name));
        for (bytes, encoding) in [
            (wide(declared, u16::to_be_bytes), UTF_16BE),
            (wide(declared, u16::to_le_bytes), UTF_16LE),
            (wide(bare, u16::to_be_bytes), UTF_16BE),
            (wide(bare, u16::to_le_bytes), UTF_16LE),
            (wide(text, u16::to_be_bytes), UTF_16BE),
        ] {
            let document = decode_document(&bytes, &hints).unwrap();
            let decision = document.decision;
            assert_eq!(
                (decision.encoding, decision.source),
                (encoding, Source::Transport)
            );
            assert!(
                document.text.ends_with("<a>é</a>"),
                "{}",
                name.escape_ascii()
            );
        }
        // The byte order mark decides.
        let marked = [b"\xFF\xFE", &wide(text, u16::to_le_bytes)[..]].concat();
        assert_eq!(decide(&marked, &hints).source, Source::Bom);
    }
    // A name that states the byte order decides.
    let hints = with(Context::XmlParser, |known| {
        known.transport = Some(b"utf-16be")
    });
    assert_eq!(
        decide(&wide(bare, u16::to_le_bytes), &hints).encoding,
        UTF_16BE
    );
    // Browsers interpret the label as the Standard does.
    let hints = with(Context::XhrTextXml, |known| {
        known.transport = Some(b"utf-16")
    });
    assert_eq!(
        decide(&wide(bare, u16::to_be_bytes), &hints).encoding,
        UTF_16LE
    );
}

#[test]
fn external_utf_32_without_a_mark_is_in_the_order_of_its_octets_or_big_endian() {
    use mojika::extended::{UTF_32BE, UTF_32LE};
    for name in ["utf-32", "UCS-4", "ISO-10646-UCS-4", "csUCS4"] {
        let hints = with(Context::XmlParser, |known| {
            known.transport = Some(name.as_bytes())
        });
        for (bytes, encoding) in [
            (quads("<a>é</a>", u32::to_be_bytes), UTF_32BE),
            (quads("<a>é</a>", u32::to_le_bytes), UTF_32LE),
            (quads("\n<a>é</a>", u32::to_be_bytes), UTF_32BE),
        ] {
            let document = decode_document(&bytes, &hints).unwrap();
            assert_eq!(document.decision.encoding, encoding, "{name}");
            assert!(document.text.ends_with("<a>é</a>"), "{name}");
        }
    }
}

#[test]
fn names_without_an_octet_order_are_read_by_signature() {
    use mojika::extended::{self, UTF_32, UTF_32BE, UTF_32LE, rfc2781::Charset};
    for name in ["UTF-32", "UCS-4", "ISO-10646-UCS-4", "csUCS4", "csUTF32"] {
        assert_eq!(extended::for_name(name), Some(UTF_32), "{name}");
        assert_eq!(extended::find(name), Some(UTF_32), "{name}");
    }
    assert_eq!(extended::for_name("csUTF16"), Some(UTF_16LE));
    assert_eq!(extended::find("csUTF16"), Some(UTF_16LE));
    assert_eq!(extended::find("extended:csUTF16"), None);
    assert_eq!(Charset::for_name("csutf16"), Some(Charset::Utf16));
    let little = quads("\u{FEFF}a字", u32::to_le_bytes);
    let big = quads("\u{FEFF}a字", u32::to_be_bytes);
    for (bytes, encoding) in [
        (&little[..], UTF_32LE),
        (&big, UTF_32BE),
        (&big[4..], UTF_32),
    ] {
        for handling in [BomHandling::Sniff, BomHandling::Remove] {
            let decoded = UTF_32.with(handling).decode(bytes);
            assert_eq!((&*decoded.text, decoded.encoding), ("a字", encoding));
            let (mut text, mut decoder) = (String::new(), Decoder::new(UTF_32, handling));
            for (at, byte) in bytes.iter().enumerate() {
                decoder.decode_append(&[*byte], &mut text, at + 1 == bytes.len());
            }
            assert_eq!((&*text, decoder.encoding()), ("a字", encoding));
        }
    }
    assert_eq!(
        UTF_32.with(BomHandling::Keep).decode(&big).text,
        "\u{FEFF}a字"
    );
    assert_eq!(*UTF_32.encode("a").unwrap(), *b"\0\0\0a");
}

#[test]
fn xml_declarations_are_productions_23_and_77() {
    let is_malformed = |declaration: &str| {
        let document = format!("<?xml {declaration}?><a/>");
        match sniff_xml(document.as_bytes()) {
            Ok(_) => None,
            Err(error) => {
                assert_eq!(error.kind, XmlErrorKind::Malformed, "{declaration}");
                Some(error.offset as usize - "<?xml ".len())
            }
        }
    };
    for well_formed in [
        "version='1.0'",
        "version=\"1.1\"",
        "version='1.10' standalone='no'",
        "version='1.0' encoding='utf-8' standalone='yes' ",
        "encoding='utf-8'",
        "version = '1.0'\tencoding\n=\r'utf-8'",
    ] {
        assert_eq!(is_malformed(well_formed), None, "{well_formed}");
    }
    for (malformed, at) in [
        ("standalone='yes'", 0),
        ("encoding='utf-8' standalone='yes'", 17),
        ("version='9.9'", 9),
        ("version='1.'", 11),
        ("version='1.0a'", 12),
        ("version=''", 9),
        ("version='1.0' standalone='maybe'", 26),
        ("version='1.0' standalone='YES'", 26),
        ("version='1.0' standalone=''", 26),
        ("version='1.0' standalone='yes' encoding='utf-8'", 31),
        ("version='1.0' version='1.0'", 14),
        ("version='1.0'encoding='utf-8'", 13),
        ("version='1.0' encoding=''", 24),
        ("version='1.0' encoding='1a'", 24),
        ("version='1.0' encoding=gbk", 23),
        ("encoding='gbk' version='1.0'", 15),
        ("", 0),
    ] {
        assert_eq!(is_malformed(malformed), Some(at), "{malformed}");
    }
    // Browsers accept the encoding in spite of the unknown XML version.
    let document = b"<?xml version='9.9' encoding='koi8-r'?>";
    assert_eq!(
        sniff_leniently(document, &Hints::new(Context::XmlParser)).encoding,
        KOI8_R
    );
}

#[test]
fn an_xml_declaration_may_be_longer_than_1024_bytes() {
    for blanks in [1_000, 1_024, 2_000, 4_000] {
        let document = format!(
            "<?xml version='1.0'{}encoding='koi8-r'?><a/>",
            " ".repeat(blanks)
        );
        for context in [Context::XmlParser, Context::XhrTextXml] {
            let hints = Hints::new(context);
            for bytes in [
                document.as_bytes(),
                &document.as_bytes()[..hints.head_length().min(document.len())],
            ] {
                let decision = decide(bytes, &hints);
                assert_eq!(
                    (decision.encoding, decision.source),
                    (KOI8_R, Source::XmlDeclaration),
                    "{context:?} {blanks}"
                );
            }
        }
    }
}

#[test]
fn encoding_replacement_in_xml_is_that_encoding_to_browsers_alone() {
    for name in ["replacement", "hz-gb-2312"] {
        let document = format!("<?xml version='1.0' encoding='{name}'?><a/>");
        let decision = decide(document.as_bytes(), &Hints::new(Context::XhrTextXml));
        assert_eq!(
            (decision.encoding, decision.source),
            (REPLACEMENT, Source::XmlDeclaration)
        );
        let lenient = sniff_leniently(document.as_bytes(), &Hints::new(Context::XmlParser));
        assert_eq!(lenient.encoding, REPLACEMENT);
    }
    let document = b"<?xml version='1.0' encoding='replacement'?><a/>";
    let error = sniff(document, &Hints::new(Context::XmlParser)).unwrap_err();
    assert!(matches!(error.kind, XmlErrorKind::Unsupported(_)));
}

#[test]
fn an_override_to_or_from_utf_16_is_refused_in_browsers() {
    let page = b"<meta charset=gbk>";
    for row in TABLE.iter().filter(|row| row.user_override) {
        let of_browser = !matches!(row.context, Context::XmlParser | Context::PlainText);
        let to = |encoding| Hints {
            user_override: Some(encoding),
            transport: Some(b"text/html"),
            detect: false,
            ..Hints::new(row.context)
        };
        for encoding in [UTF_16LE, UTF_16BE] {
            let is_refused = decide(page, &to(encoding)).source != Source::Override;
            assert_eq!(is_refused, of_browser, "{}", row.id);
        }
        assert_eq!(
            decide(page, &to(SHIFT_JIS)).source,
            Source::Override,
            "{}",
            row.id
        );
        let from = Hints {
            transport: Some(b"text/html;charset=utf-16be"),
            ..to(SHIFT_JIS)
        };
        let decision = decide(b"\0<\0a", &from);
        let expected = if of_browser { UTF_16BE } else { SHIFT_JIS };
        assert_eq!(decision.encoding, expected, "{}", row.id);
    }
    // `<?x` in UTF-16, without a byte order mark.
    let bytes = wide("<?xml version='1.0'?>", u16::to_le_bytes);
    let hints = with(Context::HtmlParser, |known| {
        known.user_override = Some(SHIFT_JIS)
    });
    let decision = decide(&bytes, &hints);
    assert_eq!(
        (decision.encoding, decision.source),
        (UTF_16LE, Source::XmlFamily)
    );
}

#[test]
fn the_readers_history_counts_in_html_alone() {
    let history = |context| Hints {
        history: Some(GBK),
        ..Hints::new(context)
    };
    let decision = decide(b"<p>\xB0\xA1", &history(Context::HtmlParser));
    assert_eq!(decision.source, Source::Environment);
    for context in [
        Context::TextDocument,
        Context::XhrDocument,
        Context::ClassicScript,
    ] {
        assert_ne!(
            decide(b"a", &history(context)).source,
            Source::Environment,
            "{context:?}"
        );
    }
}

#[test]
fn a_context_that_decodes_obeys_byte_order_marks() {
    for row in &TABLE {
        if row.operation == Operation::Decode {
            assert_eq!(row.bom, BomRule::Sniff, "{}", row.id);
        }
    }
    let hints = with(Context::EnvironmentVariable, |known| {
        known.explicit_environment = Some(GBK)
    });
    let document = decode_document(b"\xFE\xFF\0a", &hints).unwrap();
    assert_eq!(
        (&*document.text, document.decision.source),
        ("a", Source::Bom)
    );
    assert_eq!(decode_document(b"\xB0\xA1", &hints).unwrap().text, "啊");
}
