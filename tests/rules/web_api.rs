//! Compares the Standard's API objects with their transliteration after each of many random calls, in every encoding.

use crate::common::{Random, hex};
use mojika::Encoding;
use mojika::web::{
    RangeError, TextDecodeOptions, TextDecoder, TextDecoderOptions, TextDecoderStream, TextEncoder,
    TextEncoderStream, to_usv_string,
};
use mojika_spec::{text_decoder as spec, text_encoder as spec_encoder};

const FATAL: TextDecoderOptions = TextDecoderOptions {
    fatal: true,
    ignore_bom: false,
};

/// The option of each call but the last.
const MORE: TextDecodeOptions = TextDecodeOptions { stream: true };

/// Byte order marks, whole and truncated.
const MARKS: [&[u8]; 9] = [
    b"\xEF\xBB\xBF",
    b"\xEF\xBB",
    b"\xEF",
    b"\xBB\xBF",
    b"\xBF",
    b"\xFE\xFF",
    b"\xFF\xFE",
    b"\xFE",
    b"\xFF",
];

/// Returns the encodings that these objects decode.
fn decoded() -> impl Iterator<Item = &'static Encoding> {
    let all = Encoding::all().iter().copied();
    all.filter(|encoding| *encoding != mojika::REPLACEMENT)
}

/// Returns bytes for one call: odd input, perhaps with a byte order mark or a part of one, perhaps empty.
fn chunk(random: &mut Random) -> Vec<u8> {
    let len = random.below(60);
    let mut bytes = match random.below(4) {
        0 => Vec::new(),
        1 => b"plain ASCII"[..random.below(12)].to_vec(),
        _ => random.odd_bytes(len),
    };
    if random.below(3) == 0 {
        bytes.splice(..0, random.pick(&MARKS).iter().copied());
    }
    bytes
}

#[test]
fn text_decoder_is_the_transliteration_over_random_calls() {
    let mut random = Random::new(71);
    for encoding in decoded() {
        for round in 0..48 {
            let (fatal, ignore_bom) = (round & 1 == 1, round & 2 == 2);
            let label = encoding.name();
            let options = TextDecoderOptions { fatal, ignore_bom };
            let mut decoder = TextDecoder::new(label, options).expect(label);
            let mut units = decoder.clone();
            let options = spec::TextDecoderOptions { fatal, ignore_bom };
            let mut oracle = spec::TextDecoder::new(label, options).expect(label);
            assert_eq!(decoder.encoding(), oracle.encoding());
            assert_eq!((decoder.fatal(), decoder.ignore_bom()), (fatal, ignore_bom));
            let mut history = format!("{label} at level {}, {options:?}", mojika::simd::level());
            for _ in 0..24 {
                let bytes = chunk(&mut random);
                let stream = random.below(4) > 0;
                history += &format!("; {} {}", hex(&bytes), if stream { "|" } else { "." });
                let options = TextDecodeOptions { stream };
                let expected = oracle.decode(&bytes, stream).ok();
                let result = decoder.decode(&bytes, options);
                assert_eq!(result.as_ref().ok(), expected.as_ref(), "{history}");
                let result_utf16 = units.decode_to_utf16(&bytes, options);
                let text = result_utf16.map(|units| String::from_utf16(&units).expect("UTF-16"));
                assert_eq!(text, result, "{history}");
            }
        }
    }
}

#[test]
fn text_decoder_stream_is_the_transliteration_of_a_streaming_decoder() {
    let mut random = Random::new(75);
    for encoding in decoded() {
        for round in 0..24 {
            let (fatal, ignore_bom) = (round & 1 == 1, round & 2 == 2);
            let label = encoding.name();
            let options = TextDecoderOptions { fatal, ignore_bom };
            let mut stream = TextDecoderStream::new(label, options).expect(label);
            let options = spec::TextDecoderOptions { fatal, ignore_bom };
            let mut oracle = spec::TextDecoder::new(label, options).expect(label);
            assert_eq!(stream.encoding(), oracle.encoding());
            assert_eq!((stream.fatal(), stream.ignore_bom()), (fatal, ignore_bom));
            let mut history = format!("{label} at level {}, {options:?}", mojika::simd::level());
            let mut errored = None;
            for _ in 0..random.below(12) {
                let bytes = chunk(&mut random);
                history += &format!("; {}", hex(&bytes));
                let result = stream.decode_and_enqueue_a_chunk(&bytes);
                if let Some(error) = errored {
                    assert_eq!(result, Err(error), "{history}");
                    continue;
                }
                let expected = oracle.decode(&bytes, true).ok();
                let expected = expected.map(|text| (!text.is_empty()).then_some(text));
                assert_eq!(result.as_ref().ok(), expected.as_ref(), "{history}");
                errored = result.err();
            }
            let result = stream.flush_and_enqueue();
            if let Some(error) = errored {
                assert_eq!(result, Err(error), "{history}");
                continue;
            }
            let expected = oracle.decode(b"", false).ok();
            let expected = expected.map(|text| (!text.is_empty()).then_some(text));
            assert_eq!(result.ok(), expected, "{history}");
        }
    }
}

#[test]
fn labels_of_nothing_and_of_replacement_are_range_errors() {
    let options = TextDecoderOptions::default();
    let error = |label| TextDecoder::new(label, options).map(|_| ()).unwrap_err();
    let stream_error = |label| {
        TextDecoderStream::new(label, options)
            .map(|_| ())
            .unwrap_err()
    };
    for label in [
        "",
        "utf-88",
        "latin-1",
        "utf-8\0",
        "\u{A0}utf-8",
        "utf-8-utf-8-utf-8-utf-8",
    ] {
        assert_eq!(error(label), RangeError::UnknownLabel, "{label:?}");
        assert_eq!(stream_error(label), RangeError::UnknownLabel, "{label:?}");
    }
    for label in mojika::REPLACEMENT.labels() {
        assert_eq!(error(label), RangeError::ReplacementLabel, "{label:?}");
        assert_eq!(
            stream_error(label),
            RangeError::ReplacementLabel,
            "{label:?}"
        );
    }
    for encoding in decoded() {
        for label in encoding.labels() {
            let decoder = TextDecoder::new(&format!("\t{label}\n"), options).expect(label);
            assert_eq!(decoder.encoding(), encoding.name().to_ascii_lowercase());
            assert_eq!(decoder.resolved_encoding(), encoding);
        }
    }
    assert_eq!(TextDecoder::default().encoding(), "utf-8");
    assert_eq!(TextDecoderStream::default().encoding(), "utf-8");
}

#[test]
fn type_errors_say_where_in_the_stream() {
    let mut decoder = TextDecoder::new("utf-8", FATAL).unwrap();
    assert_eq!(
        decoder.decode(b"\xEF\xBB\xBFab\xE3", MORE).as_deref(),
        Ok("ab")
    );
    let error = decoder.decode(b"\x81\xFFcd\xFFef", MORE).unwrap_err();
    assert_eq!((error.sequence.offset, error.sequence.len), (5, 2));
    assert_eq!(
        error.to_string(),
        "not UTF-8: malformed sequence of 2 bytes at byte offset 5"
    );
    // The unread bytes are FF c d FF e f.
    assert_eq!(decoder.unread_input(), 6);
    let offsets = [7, 10].map(|_| decoder.decode(b"g", MORE).unwrap_err().sequence.offset);
    assert_eq!(offsets, [7, 10]);
    assert_eq!(
        decoder
            .decode(b"h", TextDecodeOptions::default())
            .as_deref(),
        Ok("efggh")
    );
    assert_eq!(
        decoder.decode(b"\xFF", MORE).unwrap_err().sequence.offset,
        0
    );
}

#[test]
fn a_byte_order_mark_behind_a_failed_call_is_dropped() {
    // The failed call has serialized no output, so "BOM seen" is still false.
    let mut decoder = TextDecoder::new("utf-8", FATAL).unwrap();
    assert!(decoder.decode(b"a\xFF", MORE).is_err());
    assert_eq!(
        decoder
            .decode(b"\xEF\xBB\xBFb\xEF\xBB\xBF", MORE)
            .as_deref(),
        Ok("b\u{FEFF}")
    );
}

/// Returns the length of the I/O queue after an error, and the text of the next call after the queue is emptied.
fn after_forgetting(label: &str, first: &[u8], next: &[u8]) -> (usize, String) {
    let mut decoder = TextDecoder::new(label, FATAL).unwrap();
    assert!(decoder.decode(first, MORE).is_err(), "{label}");
    let unread = decoder.unread_input();
    decoder.forget_unread_input();
    assert_eq!(decoder.unread_input(), 0, "{label}");
    (unread, decoder.decode(next, MORE).unwrap())
}

#[test]
fn forget_unread_input_drops_bytes_that_were_restored() {
    for (label, first, next, unread, text) in [
        ("gbk", &b"\x81\x30\x81\x42\x42"[..], &b"\x80"[..], 4, "€"),
        ("gb18030", b"\x81\x30\x21\x21\x21", b"\x80", 4, "€"),
        ("utf-16le", b"\0\xD8\x61\0\x62\0", b"\x63\0", 4, "c"),
        ("iso-2022-jp", b"\x1B\x28\x22\x23", b"\x42", 3, "B"),
    ] {
        let expected = (unread, text.to_owned());
        assert_eq!(after_forgetting(label, first, next), expected, "{label}");
    }
}

#[test]
fn unread_input_counts_bytes_that_were_restored() {
    let mut random = Random::new(77);
    for encoding in decoded() {
        let label = encoding.name();
        let spec_options = spec::TextDecoderOptions {
            fatal: true,
            ignore_bom: false,
        };
        for _ in 0..200 {
            let mut decoder = TextDecoder::new(label, FATAL).expect(label);
            let mut oracle = spec::TextDecoder::new(label, spec_options).expect(label);
            let mut history = label.to_owned();
            for _ in 0..8 {
                let bytes = chunk(&mut random);
                history += &format!("; {}", hex(&bytes));
                let expected = oracle.decode(&bytes, true).ok();
                assert_eq!(decoder.decode(&bytes, MORE).ok(), expected, "{history}");
                assert_eq!(decoder.unread_input(), oracle.unread_input(), "{history}");
                if random.below(2) == 0 {
                    history += " forgotten";
                    decoder.forget_unread_input();
                    oracle.forget_unread_input();
                }
            }
        }
    }
}

#[test]
fn a_stream_that_is_set_up_is_one_of_the_label_and_gives_utf_16() {
    let mut random = Random::new(78);
    for encoding in decoded() {
        for round in 0..8 {
            let (fatal, ignore_bom) = (round & 1 == 1, round & 2 == 2);
            let options = TextDecoderOptions { fatal, ignore_bom };
            let mut of_label = TextDecoderStream::new(encoding.name(), options).unwrap();
            let mut set_up = TextDecoderStream::set_up(encoding, options);
            assert_eq!(set_up.encoding(), of_label.encoding());
            assert_eq!((set_up.fatal(), set_up.ignore_bom()), (fatal, ignore_bom));
            let units = |text: Option<String>| text.map(|text| crate::common::utf_16(&text));
            for _ in 0..4 {
                let bytes = chunk(&mut random);
                let expected = of_label.decode_and_enqueue_a_chunk(&bytes).map(units);
                let got = set_up.decode_and_enqueue_a_chunk_to_utf16(&bytes);
                assert_eq!(got, expected, "{encoding}: {}", hex(&bytes));
            }
            let expected = of_label.flush_and_enqueue().map(units);
            assert_eq!(set_up.flush_and_enqueue_to_utf16(), expected, "{encoding}");
        }
    }
}

#[test]
fn many_errors_in_one_chunk_cost_linear_time() {
    let mut decoder = TextDecoder::new("shift_jis", FATAL).unwrap();
    let bytes = vec![0xFF; 300_000];
    assert!(decoder.decode(&bytes, MORE).is_err());
    for left in (0..bytes.len() - 1).rev() {
        assert!(decoder.decode(b"", MORE).is_err());
        assert_eq!(decoder.unread_input(), left);
    }
    assert_eq!(decoder.decode(b"a", MORE).as_deref(), Ok("a"));
}

/// Converts a DOMString to a USVString as Web IDL does.
fn usv_string(units: &[u16]) -> String {
    char::decode_utf16(units.iter().copied())
        .map(|scalar| scalar.unwrap_or('\u{FFFD}'))
        .collect()
}

#[test]
fn text_encoder_is_the_transliteration() {
    let mut random = Random::new(74);
    let encoder = TextEncoder::new();
    assert_eq!(encoder.encoding(), "utf-8");
    for _ in 0..2000 {
        let len = random.below(90);
        let units = random.odd_units(len);
        let text = usv_string(&units);
        assert_eq!(to_usv_string(&units), text, "{}", hex(&units));
        assert_eq!(
            encoder.encode_utf16(&units),
            text.as_bytes(),
            "{}",
            hex(&units)
        );
        assert_eq!(encoder.encode(&text), text.as_bytes());
        let room = random.below(text.len() + 8);
        let source: Vec<char> = text.chars().collect();
        let mut expected = vec![0xA5; room];
        let oracle = spec_encoder::encode_into(&source, &mut expected);
        let mut from_utf16 = vec![0xA5; room];
        let result = encoder.encode_into_utf16(&units, &mut from_utf16);
        assert_eq!((result.read, result.written), (oracle.read, oracle.written));
        assert_eq!(from_utf16, expected, "{} into {room}", hex(&units));
        let mut from_utf8 = vec![0xA5; room];
        assert_eq!(encoder.encode_into(&text, &mut from_utf8), result);
        assert_eq!(from_utf8, expected, "{text:?} into {room}");
    }
}

#[test]
fn text_encoder_stream_is_the_transliteration() {
    let mut random = Random::new(76);
    for _ in 0..1000 {
        let mut stream = TextEncoderStream::new();
        let mut oracle = spec_encoder::TextEncoderStream::new();
        let mut history = String::new();
        for _ in 0..random.below(12) {
            let len = random.below(9);
            let (chunk, result) = if random.below(4) == 0 {
                let text = random.odd_text(len);
                (
                    crate::common::utf_16(&text),
                    stream.encode_and_enqueue_text(&text),
                )
            } else {
                let chunk = random.odd_units(len);
                let result = stream.encode_and_enqueue_a_chunk(&chunk);
                (chunk, result)
            };
            history += &format!("{} | ", hex(&chunk));
            let expected = oracle.encode_and_enqueue_a_chunk(&chunk);
            assert_ne!(result, Some(Vec::new()), "{history}");
            assert_eq!(result.unwrap_or_default(), expected, "{history}");
        }
        let flushed = stream.encode_and_flush();
        assert_ne!(flushed, Some(Vec::new()), "{history}");
        assert_eq!(
            flushed.unwrap_or_default(),
            oracle.encode_and_flush(),
            "{history}"
        );
    }
}
