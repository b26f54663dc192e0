//! Target `sniff`: all of sniffing, on a payload after a start and filler, in every context and with every hint.
//!
//! The first bytes select the context, the hints (a bit each) and their encodings (two halves). Then come the start of
//! the document, amount and kind of the filler before the payload, and chunk lengths. The rest is the payload.
//!
//! Checked: nothing panics. The prescan equals the transliteration's. Bytes after the promised head do not matter. A
//! byte order mark is at the start, and has the reported length. Streaming equals whole input. A document's text is
//! that of the decided encoding or of a late `meta`, and each U+FFFD of an error has its offset.

use crate::input::Input;
use mojika::offsets::TextUnit;
use mojika::{BomHandling, Encoding};
use mojika_sniff::contexts::{BomRule, ErrorRule, TABLE};
use mojika_sniff::{
    Confidence, Context, Decision, Document, DocumentError, Hints, Page, Source, bom, css,
    decode_document, html, sniff, sniff_leniently, transport, xml,
};
use mojika_spec::html_prescan;

/// The starts of documents.
const STARTS: [&[u8]; 16] = [
    b"",
    b"<?xml version='1.0' encoding='",
    b"\xEF\xBB\xBF<?xml version='1.0' encoding='",
    b"<meta charset=",
    b"<meta http-equiv=content-type content='text/html; charset=",
    b"@charset \"",
    b"<\0?\0x\0m\0l\0 \0",
    b"\0<\0?\0x\0m\0l\0 ",
    b"\0\0\0<\0\0\0?\0\0\0x\0\0\0m\0\0\0l\0\0\0 ",
    b"\x4C\x6F\xA7\x94\x93\x40\x85\x95\x83\x96\x84\x89\x95\x87\x7E\x7D",
    b"\xFF\xFE\0\0",
    b"\0\0\xFE\xFF",
    b"\xFE\xFF\0\0",
    b"\xFE\xFF",
    b"<!-- ",
    b"text/html; charset=",
];

/// Filler between the start and the payload: comments, text, attributes, Cyrillic, zeros.
const FILLERS: [&[u8]; 8] = [
    b"x",
    b"\0",
    b"\xE4\xE0 ",
    b"a=b ",
    b"<p>",
    b"<!-- -->",
    b"'>",
    b"\x95\xB6",
];

/// Checks one input.
pub fn check(data: &[u8]) {
    let mut input = Input(data);
    let row = &TABLE[usize::from(input.byte()) % TABLE.len()];
    let given = input.byte();
    let encodings = [input.byte(), input.byte()].map(|byte| {
        let all = Encoding::all();
        all[usize::from(byte) % all.len()]
    });
    let start = input.byte();
    let filler = input.byte();
    let chunks = input.byte();
    let mut bytes = STARTS[usize::from(start % 16)].to_vec();
    // The filler has up to 3 KB, which exceeds the 1,024 bytes of the prescan.
    for _ in 0..usize::from(filler >> 3) * 16 {
        bytes.extend_from_slice(FILLERS[usize::from(filler & 7)]);
    }
    let payload = input.0;
    if start & 0x80 == 0 {
        bytes.extend_from_slice(payload);
    } else {
        bytes.splice(0..0, payload.iter().copied());
    }
    let hint = |bit: u32| (given >> bit & 1 == 1).then_some(());
    let hints = Hints {
        detect: hint(0).is_some(),
        user_override: hint(1).map(|()| encodings[0]),
        transport: hint(2).map(|()| &payload[..payload.len().min(60)]),
        explicit_environment: hint(3).map(|()| encodings[1]),
        implied_environment: hint(4).map(|()| encodings[0]),
        history: hint(4).map(|()| encodings[1]),
        locale: hint(5).and(core::str::from_utf8(payload).ok()),
        tld: hint(6).and(core::str::from_utf8(payload).ok()),
        ..Hints::new(row.context)
    };
    parts(&bytes, payload);
    decision(&bytes, &hints);
    document(&bytes, &hints);
    page(&bytes, payload, chunks);
}

/// Returns the first `length` bytes, in a separate allocation, so that AddressSanitizer detects reads beyond it.
fn head(bytes: &[u8], length: usize) -> Vec<u8> {
    bytes[..bytes.len().min(length)].to_vec()
}

fn parts(bytes: &[u8], payload: &[u8]) {
    let prescanned = html::prescan(bytes);
    let first = head(bytes, html::HEAD_LENGTH);
    assert_eq!(prescanned, html::prescan(&first));
    let name = |found: Option<html::Found>| found.map(|found| found.encoding.name());
    let spec = |found: Option<mojika_spec::Encoding>| found.map(|encoding| encoding.name());
    assert_eq!(name(prescanned), spec(html_prescan::prescan(&first)));
    assert_eq!(
        name(html::prescan_all(bytes)),
        spec(html_prescan::prescan(bytes))
    );
    assert_eq!(
        html::extract_encoding(payload).map(Encoding::name),
        spec(html_prescan::extract_a_character_encoding(payload)),
        "{}",
        payload.escape_ascii()
    );

    assert_eq!(
        css::charset(bytes),
        css::charset(&head(bytes, css::HEAD_LENGTH))
    );
    let _ = transport::encoding_for_content_type(bytes);
    let from_header = transport::encoding_for_label_or_content_type(payload);
    if let (Some(found), false) = (from_header, payload.contains(&b'/')) {
        assert!(
            Encoding::for_label(payload) == Some(found)
                || mojika::extended::for_name(payload) == Some(found)
        );
    }
    let _ = transport::essence(payload);
    if let Ok(text) = core::str::from_utf8(payload) {
        let encoding = html::encoding_for_locale(text);
        assert!(Encoding::all().contains(&encoding));
    }

    let found = xml::sniff(bytes);
    assert_eq!(found, xml::sniff(&head(bytes, xml::HEAD_LENGTH)));
    match found {
        Ok(found) => {
            assert_eq!(found.bom_length > 0, found.source == Source::Bom);
            assert_eq!(
                found.bom_length,
                bom::xml(bytes).map_or(0, |bom| bom.length)
            );
        }
        Err(error) => {
            assert!(
                error.offset as usize <= bytes.len(),
                "{error}: {bytes:02X?}"
            );
            assert!(!error.to_string().is_empty());
        }
    }
    if let Some(bom) = bom::standard(bytes) {
        assert!(matches!(bom.length, 2 | 3));
        assert_eq!(bom.length == 3, bom.encoding == mojika::UTF_8);
    }
    let lenient = xml::sniff_like_browsers(bytes);
    assert!(Encoding::all().contains(&lenient.encoding));
    let _ = xml::has_declaration(bytes);
}

fn decision(bytes: &[u8], hints: &Hints) {
    let decided = sniff(bytes, hints);
    let first = head(bytes, hints.head_length());
    assert_eq!(decided, sniff(&first, hints), "{hints:?}");
    let lenient = sniff_leniently(bytes, hints);
    match decided {
        Ok(decision) => {
            if hints.context != Context::XmlParser {
                assert_eq!(decision, lenient);
            }
            consistent(bytes, hints, decision);
        }
        Err(_) => assert_eq!(hints.context, Context::XmlParser),
    }
    consistent(bytes, hints, lenient);
    // Without detection, the shorter head for declarations must give the same decision.
    let undetected = Hints {
        detect: false,
        ..*hints
    };
    let first = head(bytes, hints.declaration_length());
    assert_eq!(sniff(bytes, &undetected), sniff(&first, &undetected));
}

fn consistent(bytes: &[u8], hints: &Hints, decision: Decision) {
    let row = hints.context.row();
    let length = decision.bom_length;
    assert!(matches!(length, 0 | 2 | 3 | 4), "{decision:?}");
    assert!(length <= bytes.len(), "{decision:?}");
    if length > 0 {
        assert_ne!(row.bom, BomRule::Keep);
        // The mark must belong to the decided encoding: its bytes decode to U+FEFF alone.
        let text = decision
            .encoding
            .decode_with(&bytes[..length], BomHandling::Keep);
        assert_eq!(text.text, "\u{FEFF}", "{decision:?}");
    }
    if decision.source == Source::Bom {
        assert!(length > 0 && decision.confidence == Confidence::Certain);
    }
    let is_allowed = match decision.source {
        Source::Override => row.user_override && hints.user_override == Some(decision.encoding),
        Source::Transport => row.transport && hints.transport.is_some(),
        Source::Environment => {
            hints.explicit_environment == Some(decision.encoding)
                || hints.implied_environment == Some(decision.encoding)
                || hints.history == Some(decision.encoding)
        }
        Source::Detection => hints.detect,
        Source::Locale => hints.locale.is_some(),
        _ => true,
    };
    assert!(is_allowed, "{decision:?} {hints:?}");
    if !row.legacy && decision.source != Source::Bom {
        assert!(matches!(decision.encoding.name(), "UTF-8" | "ISO-8859-1"));
    }
}

fn document(bytes: &[u8], hints: &Hints) {
    let row = hints.context.row();
    let decided = sniff(bytes, hints);
    let document = decode_document(bytes, hints);
    let mut decision = match (decided, &document) {
        (Err(error), Err(DocumentError::Xml(other))) => {
            assert_eq!(error, *other);
            return;
        }
        (Ok(decision), _) => decision,
        other => panic!("{other:?}"),
    };
    if let Ok(Document {
        late_meta: Some(late),
        ..
    }) = &document
    {
        assert!(row.may_change && decision.confidence == Confidence::Tentative);
        assert_ne!(*late, decision.encoding);
        let expected = html_prescan::prescan(bytes).map(|encoding| encoding.name());
        assert_eq!(Some(late.name()), expected);
        decision.encoding = late;
        decision.source = Source::Meta;
        decision.confidence = Confidence::Certain;
    }
    let rest = &bytes[decision.bom_length..];
    let expected = decision.encoding.decode_with(rest, BomHandling::Keep);
    match document {
        Ok(document) => {
            assert_eq!(document.decision, decision);
            assert_eq!(document.text, expected.text, "{decision:?} {bytes:02X?}");
            assert_eq!(!document.errors.is_empty(), expected.had_errors);
            assert!(document.errors.is_empty() || row.errors != ErrorRule::Fatal);
            let mut least = decision.bom_length as u64;
            for error in &document.errors {
                assert!(error.offset >= least, "{error:?} {bytes:02X?}");
                least = error.offset + u64::from(error.len);
                assert!(least <= bytes.len() as u64, "{error:?} {bytes:02X?}");
            }
        }
        Err(DocumentError::Malformed(error)) => {
            assert_eq!(row.errors, ErrorRule::Fatal);
            let fatal = decision
                .encoding
                .decode_fatal(rest, BomHandling::Keep)
                .expect_err("malformed");
            let base = decision.bom_length as u64;
            assert_eq!(error.sequence.offset, fatal.sequence.offset + base);
            assert_eq!(error.sequence.len, fatal.sequence.len);
        }
        Err(other) => panic!("{other:?}"),
    }
}

fn page(bytes: &[u8], payload: &[u8], chunks: u8) {
    let header = core::str::from_utf8(&payload[..payload.len().min(40)]).ok();
    let url = header.unwrap_or("https://example.ru/");
    let mut whole = Page::new(url, header);
    whole.feed(bytes);
    let mut fed = Page::new(url, header);
    for chunk in bytes.chunks(1 + usize::from(chunks)) {
        fed.feed(chunk);
    }
    match (whole.finish(), fed.finish()) {
        (Ok(whole), Ok(fed)) => {
            assert_eq!(whole.text, fed.text);
            assert_eq!(whole.decision, fed.decision);
        }
        (Err(whole), Err(fed)) => assert_eq!(whole, fed),
        other => panic!("{other:?}"),
    }
    if let Ok((document, map)) = fed.finish_with_offsets() {
        assert_eq!(document.text, whole.finish().expect("as before").text);
        let offsets = map.offsets(bytes, TextUnit::Utf8).expect("the same bytes");
        // The source range of the whole text is within the bytes after the byte order mark.
        let length = document.text.len() as u64;
        if let Some(range) = offsets.source_range(0..length)
            && length > 0
        {
            assert!(range.start >= document.decision.bom_length as u64);
            assert!(range.end <= bytes.len() as u64);
        }
    }
}
