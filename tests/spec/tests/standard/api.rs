use mojika_spec::hooks::*;
use mojika_spec::text_decoder::{RangeError, TextDecoder, TextDecoderOptions, TypeError};
use mojika_spec::text_encoder::{EncodeIntoResult, TextEncoderStream, encode_into};
use mojika_spec::{Encoding, IoQueue, Item};

fn text_decoder(label: &str, fatal: bool, ignore_bom: bool) -> TextDecoder {
    TextDecoder::new(label, TextDecoderOptions { fatal, ignore_bom }).expect("a label")
}

#[test]
fn restored_items_are_read_first_and_in_order() {
    let mut io_queue = IoQueue::immediate(&[0x92, 0xA9]);
    io_queue.restore_all(&[0xF0, 0x9F]);
    assert_eq!(io_queue.peek(9), [0xF0, 0x9F, 0x92, 0xA9]);
    assert_eq!(io_queue.read_number(4), [0xF0, 0x9F, 0x92, 0xA9]);
    assert_eq!(
        (io_queue.read(), io_queue.read()),
        (Item::EndOfQueue, Item::EndOfQueue)
    );
}

#[test]
#[should_panic(expected = "for ever")]
fn reading_from_an_empty_queue_without_end_waits() {
    IoQueue::<u8>::new().read();
}

#[test]
fn a_bom_overrides_the_fallback_encoding() {
    assert_eq!(
        decode_bytes(b"\xEF\xBB\xBF\xC3\xA9", Encoding::ShiftJis),
        "é"
    );
    assert_eq!(decode_bytes(b"\xFE\xFF\0A", Encoding::Utf8), "A");
    assert_eq!(decode_bytes(b"\xFF\xFEA\0", Encoding::Replacement), "A");
    assert_eq!(decode_bytes(b"\xEF\xBB", Encoding::Windows1252), "ï»");
    assert_eq!(
        bom_sniff(&IoQueue::immediate(b"\xFF\xFE")),
        Some(Encoding::Utf16Le)
    );
    assert_eq!(bom_sniff(&IoQueue::immediate(b"\xFF")), None);
}

#[test]
fn utf_8_hooks() {
    let bytes = b"\xEF\xBB\xBF\xEF\xBB\xBFA\xFF";
    assert_eq!(
        utf_8_decode(&mut IoQueue::immediate(bytes)).into_string(),
        "\u{FEFF}A\u{FFFD}"
    );
    let without_bom = utf_8_decode_without_bom(&mut IoQueue::immediate(bytes)).into_string();
    assert_eq!(without_bom, "\u{FEFF}\u{FEFF}A\u{FFFD}");
    assert_eq!(
        utf_8_decode_without_bom_or_fail(&mut IoQueue::immediate(bytes)),
        None
    );
    assert!(utf_8_decode_without_bom_or_fail(&mut IoQueue::immediate(&bytes[..7])).is_some());
    assert_eq!(
        utf_8_encode(&mut IoQueue::immediate(&['é'])).into_items(),
        b"\xC3\xA9"
    );
}

#[test]
fn encode_or_fail_keeps_the_encoder_state() {
    let mut encoder = get_an_encoder(Encoding::Iso2022Jp);
    let mut input = IoQueue::immediate(&['¥', '💩', '¥']);
    let mut output = IoQueue::new();
    assert_eq!(
        encode_or_fail(&mut input, &mut encoder, &mut output),
        Some('💩')
    );
    assert!(output.has_end_of_queue());
    assert_eq!(output.into_items(), b"\x1B(J\x5C");
    let mut output = IoQueue::new();
    assert_eq!(encode_or_fail(&mut input, &mut encoder, &mut output), None);
    assert_eq!(output.into_items(), b"\x5C\x1B(B");
}

#[test]
fn text_decoder_refuses_replacement_and_unknown_labels() {
    for label in ["replacement", "iso-2022-kr", "utf-7", ""] {
        assert_eq!(
            TextDecoder::new(label, TextDecoderOptions::default()).err(),
            Some(RangeError)
        );
    }
    assert_eq!(text_decoder("UTF-16", false, false).encoding(), "utf-16le");
}

#[test]
fn text_decoder_streams() {
    let mut decoder = text_decoder("shift_jis", false, false);
    assert_eq!(decoder.decode(b"\x88", true).unwrap(), "");
    assert_eq!(decoder.decode(b"", true).unwrap(), "");
    assert_eq!(decoder.decode(b"\x9F\x88", true).unwrap(), "亜");
    assert_eq!(decoder.decode(b"", false).unwrap(), "\u{FFFD}");
    assert_eq!(decoder.decode(b"\x9F", false).unwrap(), "\u{FFFD}");
}

#[test]
fn text_decoder_drops_one_bom_of_its_own_encoding() {
    let mut decoder = text_decoder("utf-8", false, false);
    assert_eq!(decoder.decode(b"\xEF\xBB", true).unwrap(), "");
    assert_eq!(
        decoder.decode(b"\xBF\xEF\xBB\xBFA", false).unwrap(),
        "\u{FEFF}A"
    );
    // BOM seen is reset.
    assert_eq!(decoder.decode(b"\xEF\xBB\xBFA", false).unwrap(), "A");
    assert_eq!(
        text_decoder("utf-8", false, true)
            .decode(b"\xEF\xBB\xBF", false)
            .unwrap(),
        "\u{FEFF}"
    );
    // No sniffing; and U+FEFF of other encodings stays.
    assert_eq!(
        text_decoder("utf-16be", false, false)
            .decode(b"\xFF\xFE", false)
            .unwrap(),
        "\u{FFFE}"
    );
    assert_eq!(
        text_decoder("gb18030", false, false)
            .decode(b"\x84\x31\x95\x33", false)
            .unwrap(),
        "\u{FEFF}"
    );
}

#[test]
fn text_decoder_fatal_error_resets_only_when_flushing() {
    let mut decoder = text_decoder("utf-8", true, false);
    assert_eq!(decoder.decode(b"\xFFrest", false), Err(TypeError));
    assert_eq!(decoder.decode(b"A", false).unwrap(), "A");
    assert_eq!(decoder.decode(b"\xC3", true).unwrap(), "");
    assert_eq!(decoder.decode(b"Bcd", true), Err(TypeError));
    // The bytes restored and not read are still in the queue.
    assert_eq!(decoder.decode(b"e", false).unwrap(), "Bcde");
}

#[test]
fn encode_into_writes_whole_characters_and_counts_code_units() {
    let mut destination = [0; 6];
    let result = encode_into(&['A', '💩', 'é'], &mut destination);
    assert_eq!(
        result,
        EncodeIntoResult {
            read: 3,
            written: 5
        }
    );
    assert_eq!(destination, *b"A\xF0\x9F\x92\xA9\0");
    // It stops at the first that does not fit, even if a later one would.
    assert_eq!(
        encode_into(&['é', 'A'], &mut [0]),
        EncodeIntoResult {
            read: 0,
            written: 0
        }
    );
}

#[test]
fn text_encoder_stream_joins_surrogates_over_chunks() {
    let mut stream = TextEncoderStream::new();
    assert_eq!(stream.encode_and_enqueue_a_chunk(&[0x41, 0xD83D]), b"A");
    assert_eq!(stream.encode_and_enqueue_a_chunk(&[]), b"");
    assert_eq!(
        stream.encode_and_enqueue_a_chunk(&[0xDCA9, 0xDCA9, 0xD83D, 0xD83D]),
        "💩\u{FFFD}\u{FFFD}".as_bytes()
    );
    assert_eq!(
        stream.encode_and_enqueue_a_chunk(&[0x41, 0xDBFF]),
        "\u{FFFD}A".as_bytes()
    );
    assert_eq!(stream.encode_and_flush(), "\u{FFFD}".as_bytes());
}
