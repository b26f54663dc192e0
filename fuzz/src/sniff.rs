//! Target `sniff`: all of sniffing, on a payload after a start and filler, in every context and with every hint.
//!
//! The first bytes select the context, the hints (a bit each) and their encodings (two halves). Then come the start of
//! the document, and amount and kind of the filler before the payload. The rest is the payload.
//!
//! Checked: nothing panics. The prescan equals the transliteration's. Bytes after the promised head do not matter. A
//! byte order mark is at the start, and has the reported length. Streaming equals whole input. A document's text is
//! that of the decided encoding or of a late `meta`, and each U+FFFD of an error has its offset.

#[path = "../../crates/sniff/tests/sniff/properties.rs"]
mod properties;

use crate::input::Input;
use mojika::Encoding;
use mojika::offsets::TextUnit;
use mojika_sniff::contexts::TABLE;
use mojika_sniff::{Hints, Response, Source, bom, css, declared, html, xml};
use mojika_spec::html_prescan;
use properties::head;

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
    properties::check(&bytes, &hints);
    page(&bytes, payload);
}

fn parts(bytes: &[u8], payload: &[u8]) {
    let prescanned = html::prescan(bytes);
    let first = head(bytes, html::HEAD_LENGTH);
    assert_eq!(prescanned, html::prescan(&first));
    let name = |found: Option<mojika_sniff::Decision>| found.map(|found| found.encoding.name());
    let spec = |found: Option<mojika_spec::Encoding>| found.map(|encoding| encoding.name());
    assert_eq!(name(prescanned), spec(html_prescan::prescan(&first)));
    assert_eq!(
        name(html::prescan_all(bytes)),
        spec(html_prescan::prescan(bytes))
    );
    assert_eq!(
        html::content_label(payload)
            .and_then(|label| Encoding::for_label(&payload[label]))
            .map(Encoding::name),
        spec(html_prescan::extract_a_character_encoding(payload)),
        "{}",
        payload.escape_ascii()
    );

    assert_eq!(
        css::charset(bytes),
        css::charset(&head(bytes, html::HEAD_LENGTH))
    );
    if let Ok(text) = core::str::from_utf8(payload) {
        let encoding = html::encoding_for_locale(text);
        assert!(Encoding::all().contains(&encoding));
    }
    declared::places(bytes, true, &mut |place| {
        assert!(place.start < place.end && place.end <= bytes.len());
    });

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
}

fn page(bytes: &[u8], payload: &[u8]) {
    let header = core::str::from_utf8(&payload[..payload.len().min(40)]).ok();
    let url = header.unwrap_or("https://example.ru/");
    let response = Response::new(url, header.map(|header| ("Content-Type", header)));
    let whole = response.decode(bytes).and_then(Result::ok);
    if let Some(Ok((document, map))) = response.decode_with_offsets(bytes) {
        assert_eq!(Some(&document.text), whole.map(|whole| whole.text).as_ref());
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
