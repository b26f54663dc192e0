//! The one-shot functions: their results, borrowed output, and errors with their messages; also `hooks`.

use crate::common::{Random, hex, input, utf_16};
use mojika::{
    BIG5, BomHandling, Decoder, EUC_JP, EncodeError, Encoding, Fallback, GBK, ISO_2022_JP, KOI8_R,
    REPLACEMENT, Status, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252, WINDOWS_1253, extended, hooks,
};
use quickcheck::quickcheck;

const HANDLINGS: [BomHandling; 3] = [BomHandling::Sniff, BomHandling::Remove, BomHandling::Keep];

#[test]
fn only_the_first_byte_order_mark_is_removed() {
    assert_eq!(
        UTF_8.decode("\u{FEFF}\u{FEFF}a".as_bytes()).text,
        "\u{FEFF}a"
    );
    assert_eq!(UTF_16LE.decode(b"\xFF\xFE\xFF\xFE").text, "\u{FEFF}");
    assert_eq!(UTF_8.decode("a\u{FEFF}".as_bytes()).text, "a\u{FEFF}");
}

/// Tests every malformed sequence that a decoder reports in error mode "fatal", one after the other.
#[test]
fn malformed_sequences_are_those_of_a_decoder() {
    let mut random = Random::new(3);
    for encoding in Encoding::all().iter().copied().chain(extended::all()) {
        let long = (0..4).map(|_| random.odd_bytes(3000)).collect::<Vec<_>>();
        let short = input::byte_inputs().into_iter().map(<[u8]>::to_vec);
        for bytes in short.chain(long) {
            for handling in HANDLINGS {
                let mut decoder = Decoder::new(encoding, handling);
                let (mut expected, mut rest) = (Vec::new(), &bytes[..]);
                let mut text = String::new();
                loop {
                    let progress = decoder.decode_append_fatal(rest, &mut text, true);
                    let Status::Malformed(sequence) = progress.status else {
                        break;
                    };
                    expected.push(sequence);
                    rest = &rest[progress.read..];
                }
                let mut found = encoding.malformed_sequences(&bytes, handling);
                let all: Vec<_> = found.by_ref().collect();
                assert_eq!(all, expected, "{encoding} {handling:?}: {}", hex(&bytes));
                assert_eq!(found.next(), None);
                let replaced = encoding.with(handling).decode(&bytes);
                assert_eq!(replaced.had_errors, !all.is_empty());
            }
        }
    }
}

#[test]
fn decode_errors_name_the_encoding_that_was_decoded() {
    let error = GBK.decode_fatal(b"\xEF\xBB\xBF\xFF").unwrap_err();
    assert_eq!(error.encoding, UTF_8);
    assert_eq!(
        error.to_string(),
        "not UTF-8: malformed sequence of 1 byte at byte offset 3"
    );
    let error = UTF_16LE
        .with(BomHandling::Keep)
        .decode_fatal(b"\0\xDC")
        .unwrap_err();
    assert_eq!(
        error.to_string(),
        "not UTF-16LE: malformed sequence of 2 bytes at byte offset 0"
    );
}

#[test]
fn utf16_encodes_as_the_same_text_does() {
    let mut random = Random::new(2);
    for encoding in Encoding::all() {
        for i in 0..60 {
            let text: String = (0..i % 30).map(|_| random.odd_scalar()).collect();
            let units = utf_16(&text);
            match encoding.encode_html(&text) {
                Ok(expected) => {
                    let mut bytes = Vec::from(*b"ab");
                    let encoded = encoding.encode_html_append(&units, &mut bytes).unwrap();
                    assert_eq!(bytes[2..], *expected.bytes, "{encoding}: {text:?}");
                    assert_eq!(encoded.bytes, 2..bytes.len());
                    assert_eq!(encoded.had_errors, expected.had_errors);
                    let mut same = Vec::from(*b"ab");
                    let from_utf8 = encoding.encode_html_append(&text, &mut same);
                    assert_eq!((from_utf8, same), (Ok(encoded), bytes));
                }
                Err(error) => assert_eq!(
                    encoding.encode_html_append(&units, &mut Vec::new()),
                    Err(error)
                ),
            }
            let expected = encoding.encode(&text).map(|bytes| bytes.into_owned());
            let mut bytes = Vec::from(*b"ab");
            let range = encoding.encode_append(&units, &mut bytes);
            match (range.map(|range| bytes[range].to_vec()), expected) {
                (Ok(bytes), Ok(expected)) => assert_eq!(bytes, expected, "{encoding}: {text:?}"),
                (
                    Err(EncodeError::Unmappable { unmappable, .. }),
                    Err(EncodeError::Unmappable {
                        unmappable: expected,
                        ..
                    }),
                ) => {
                    let before = &text[..expected.offset as usize];
                    assert_eq!(unmappable.scalar, expected.scalar, "{encoding}: {text:?}");
                    assert_eq!(unmappable.offset, utf_16(before).len() as u64);
                }
                (encoded, expected) => assert_eq!(encoded, expected, "{encoding}: {text:?}"),
            }
        }
    }
}

#[test]
fn encode_errors_have_scalar_value_offset_and_text() {
    let error = WINDOWS_1253.encode("Αé").unwrap_err();
    assert_eq!(
        error.to_string(),
        "U+00E9 at offset 2 is unmappable in windows-1253"
    );
    let EncodeError::Unmappable {
        encoding,
        unmappable,
    } = error
    else {
        panic!("{error:?}");
    };
    assert_eq!(
        (encoding, unmappable.scalar, unmappable.offset),
        (WINDOWS_1253, 'é', 2)
    );
    assert_eq!(unmappable.to_string(), "U+00E9 at offset 2 is unmappable");
    let error = BIG5.encode("\u{10FFFF}").unwrap_err();
    assert_eq!(
        error.to_string(),
        "U+10FFFF at offset 0 is unmappable in Big5"
    );
    let error = REPLACEMENT.encode("a").unwrap_err();
    assert_eq!(
        error.to_string(),
        "replacement has no encoder; its output encoding is UTF-8"
    );
    assert!(matches!(error, EncodeError::NoEncoder(_)));
    fn is_error<E: std::error::Error + Send + Sync + 'static>(_: &E) {}
    is_error(&error);
    is_error(&UTF_8.decode_fatal(b"\xFF").unwrap_err());
    is_error(&unmappable);
}

#[test]
fn encode_error_offsets_count_from_the_start_of_the_text() {
    for at in 0..150 {
        let text = format!("{}é💩", "x".repeat(at));
        let EncodeError::Unmappable { unmappable, .. } = WINDOWS_1252.encode(&text).unwrap_err()
        else {
            panic!("{at}");
        };
        assert_eq!(unmappable.offset, at as u64 + 2);
        let EncodeError::Unmappable { unmappable, .. } = ISO_2022_JP.encode(&text).unwrap_err()
        else {
            panic!("{at}");
        };
        assert_eq!((unmappable.offset, unmappable.scalar), (at as u64, 'é'));
    }
}

#[test]
fn encode_with_omits() {
    let encoded = EUC_JP
        .encode_or_else("a💩文é💩", |_| Fallback::Omit)
        .unwrap();
    assert_eq!(
        (&*encoded.bytes, encoded.had_errors),
        (&b"a\xCA\xB8"[..], true)
    );
    assert!(
        !EUC_JP
            .encode_or_else("文", |_| Fallback::Omit)
            .unwrap()
            .had_errors
    );
}

#[test]
fn encode_with_puts_text_in_the_place() {
    let handler = |_| Fallback::Text("〓".into());
    let encoded = ISO_2022_JP.encode_or_else("亜💩a💩", handler).unwrap();
    // The encoder returns to ASCII before it reports an error, and writes the handler's text from that state.
    assert_eq!(
        &*encoded.bytes,
        b"\x1B$B0!\x1B(B\x1B$B\".\x1B(Ba\x1B$B\".\x1B(B"
    );
    let encoded = UTF_16LE.encode_or_else("a", |_| Fallback::Fail).unwrap();
    assert_eq!(&*encoded.bytes, b"a\0");
    let encoded = KOI8_R
        .encode_or_else("да→нет", |_| Fallback::Text("->".into()))
        .unwrap();
    assert_eq!(&*encoded.bytes, b"\xC4\xC1->\xCE\xC5\xD4");
    let encoded = KOI8_R
        .encode_or_else("→", |_| Fallback::Text("".into()))
        .unwrap();
    assert_eq!(&*encoded.bytes, b"");
}

#[test]
fn encode_with_fails_where_the_fallback_text_is_unmappable_too() {
    let error = KOI8_R
        .encode_or_else("да→", |_| Fallback::Text("⇒".into()))
        .unwrap_err();
    // The error is that of the input's character, with its offset, not that of the handler's text.
    assert_eq!(
        error.to_string(),
        "U+2192 at offset 4 is unmappable in KOI8-R"
    );
}

#[test]
fn encode_with_fails_on_request_and_tells_the_handler_each_scalar_value_once() {
    let mut seen = Vec::new();
    let result = WINDOWS_1252.encode_or_else("xé文y字z💩!", |unmappable| {
        seen.push((unmappable.scalar, unmappable.offset));
        if unmappable.scalar == '💩' {
            Fallback::Fail
        } else {
            Fallback::Text("??".into())
        }
    });
    assert_eq!(seen, [('文', 3), ('字', 7), ('💩', 11)]);
    assert_eq!(
        result.unwrap_err().to_string(),
        "U+1F4A9 at offset 11 is unmappable in windows-1252"
    );
}

#[test]
fn hooks_do_what_the_standard_says() {
    assert_eq!(hooks::decode(b"\xFF\xFEa\0", KOI8_R).text, "a");
    assert_eq!(hooks::decode(b"\xC1", KOI8_R).text, "а");
    assert_eq!(
        hooks::utf_8_decode(b"\xEF\xBB\xBF\xEF\xBB\xBF\xFF"),
        "\u{FEFF}\u{FFFD}"
    );
    assert_eq!(hooks::utf_8_decode(b"\xFF\xFEa\0"), "\u{FFFD}\u{FFFD}a\0");
    assert_eq!(
        hooks::utf_8_decode_without_bom(b"\xEF\xBB\xBF\xFF"),
        "\u{FEFF}\u{FFFD}"
    );
    assert_eq!(
        hooks::utf_8_decode_without_bom_or_fail(b"\xEF\xBB\xBF").unwrap(),
        "\u{FEFF}"
    );
    let error = hooks::utf_8_decode_without_bom_or_fail(b"\xEF\xBB\xBF\xF0\x9F\x92").unwrap_err();
    assert_eq!((error.sequence.offset, error.sequence.len), (3, 3));
    assert_eq!(
        &*hooks::encode("é→", WINDOWS_1252).unwrap().bytes,
        b"\xE9&#8594;"
    );
    assert!(hooks::encode("a", REPLACEMENT).is_err());
}

#[test]
fn hooks_encode_or_fail_goes_on_in_the_state_it_was_in() {
    let mut encoder = hooks::get_an_encoder(ISO_2022_JP).unwrap();
    let (mut input, mut output) = ("¥é¥\u{E}亜", Vec::new());
    assert_eq!(
        hooks::encode_or_fail(&mut input, &mut encoder, &mut output),
        Some('é')
    );
    assert_eq!((input, hex(&output)), ("¥\u{E}亜", hex(b"\x1B(J\x5C")));
    assert_eq!(
        hooks::encode_or_fail(&mut input, &mut encoder, &mut output),
        Some('\u{FFFD}')
    );
    assert_eq!(
        hooks::encode_or_fail(&mut input, &mut encoder, &mut output),
        None
    );
    assert_eq!(
        (input, hex(&output)),
        ("", hex(b"\x1B(J\x5C\x5C\x1B$B0!\x1B(B"))
    );
}

quickcheck! {
    fn a_text_is_the_same_after_each_encoding_of_unicode(text: String) -> bool {
        [UTF_8, UTF_16BE, UTF_16LE].into_iter().all(|encoding| {
            let bytes = encoding.encode(&text).unwrap();
            encoding.with(BomHandling::Keep).decode(&bytes).text == text
        })
    }

    fn utf_8_replacement_is_that_of_the_standard_library(bytes: Vec<u8>) -> bool {
        UTF_8.with(BomHandling::Keep).decode(&bytes).text == String::from_utf8_lossy(&bytes)
    }
}
