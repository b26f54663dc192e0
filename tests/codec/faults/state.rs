//! Faults of state: at the end of a stream, at empty chunks, after errors, at splits.

use crate::common::{case, drive, input};
use mojika::{
    BIG5, BomHandling, Decoder, EUC_JP, EUC_KR, Encoding, GB18030, ISO_2022_JP, SHIFT_JIS, Status,
    UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252,
};

#[test]
fn fault_6_the_end_of_a_stream_adds_nothing_but_what_is_due() {
    for encoding in input::representatives() {
        let decoder = &mut encoding.new_decoder();
        assert_eq!(drive::decode::<u8>(decoder, &[b""], 4).units, b"");
        if let Ok(mut encoder) = encoding.new_encoder() {
            assert_eq!(drive::encode(&mut encoder, &["", "", ""], 4).bytes, b"");
            let bytes = drive::encode(&mut encoder, &["a", ""], 4).bytes;
            assert_eq!(*bytes, *encoding.encode("a").unwrap());
            // A reset discards the state: the next stream starts without an escape sequence.
            encoder.encode_html("文¥", &mut [0; 20], false);
            encoder.reset();
            assert_eq!(drive::encode(&mut encoder, &[""], 4).bytes, b"");
        }
    }
    // The escape sequence back to ASCII is written once.
    let encoder = &mut ISO_2022_JP.new_encoder().unwrap();
    for chunks in [&["亜", "", ""][..], &["", "亜", ""], &["亜"]] {
        for room in 4..12 {
            assert_eq!(
                drive::encode(encoder, chunks, room).bytes,
                b"\x1B$B0!\x1B(B"
            );
        }
    }
}

#[test]
fn fault_9_empty_chunks_lose_no_state() {
    for encoding in input::representatives() {
        for bytes in input::byte_inputs() {
            let mut chunks: Vec<&[u8]> = bytes
                .chunks(1)
                .flat_map(|byte| [b"", byte, b"", b""])
                .collect();
            chunks.push(b"");
            let decoder = &mut encoding.new_decoder();
            let expected = encoding.decode(bytes);
            let decoding = drive::decode::<u8>(decoder, &chunks, 4);
            assert_eq!(
                decoding.text(),
                expected.text,
                "{}",
                case(encoding, &chunks, 4)
            );
            assert_eq!(
                decoding.had_errors,
                expected.had_errors,
                "{}",
                case(encoding, &chunks, 4)
            );
        }
    }
}

#[test]
fn fault_14_a_fatal_error_leaks_no_state_into_the_next_stream() {
    for encoding in Encoding::all() {
        for bytes in input::byte_inputs() {
            let expected = encoding.decode_fatal(b"\xE3\x81\x82ab", BomHandling::Sniff);
            let mut decoder = encoding.new_decoder();
            let mut text = String::new();
            let progress = decoder.decode_append_fatal(bytes, &mut text, true);
            if let Status::Malformed(_) = progress.status {
                decoder.reset();
                assert_eq!((decoder.position(), decoder.encoding()), (0, *encoding));
            }
            let mut text = String::new();
            let progress = decoder.decode_append_fatal(b"\xE3\x81\x82ab", &mut text, true);
            match (expected, progress.status) {
                (Ok(decoded), Status::InputEmpty) => assert_eq!(text, decoded.text),
                (Err(error), Status::Malformed(sequence)) => {
                    let place = (error.sequence.offset, error.sequence.len);
                    assert_eq!((sequence.offset, sequence.len), place);
                }
                other => panic!("{other:?}: {}", case(encoding, &[bytes], 0)),
            }
        }
        let Ok(mut encoder) = encoding.new_encoder() else {
            continue;
        };
        for text in input::text_inputs() {
            let mut bytes = Vec::new();
            encoder.encode_append(text, &mut bytes, true);
            encoder.reset();
            bytes.clear();
            encoder.encode_html_append("a文", &mut bytes, true);
            assert_eq!(
                bytes,
                *encoding.encode_html("a文").unwrap().bytes,
                "{encoding}: {text:?}"
            );
        }
    }
}

#[test]
fn fault_16_a_stream_may_be_split_at_any_byte() {
    // In these encodings, a trail byte can look like ASCII or like a lead byte.
    for (encoding, text) in [
        (SHIFT_JIS, "表示ソ構文\\十"),
        (BIG5, "功能許蓋\\謅𠕇"),
        (GB18030, "亊丂€\u{80}\u{10000}乗"),
        (EUC_KR, "갂갃한글\u{3000}"),
        (EUC_JP, "亜ｱ丂亜"),
        (ISO_2022_JP, "亜a¥ｱ亜"),
        (UTF_16LE, "a文💩\u{3001}"),
        (UTF_16BE, "a文💩\u{3001}"),
        (UTF_8, "aé文💩"),
        (WINDOWS_1252, "é"),
    ] {
        let bytes = encoding.encode_html(text).unwrap().bytes;
        let expected = encoding.decode_with(&bytes, BomHandling::Keep).text;
        let decoder = &mut Decoder::new(encoding, BomHandling::Keep);
        for first in 0..=bytes.len() {
            for second in first..=bytes.len() {
                let chunks = [&bytes[..first], &bytes[first..second], &bytes[second..]];
                let decoding = drive::decode::<u16>(decoder, &chunks, 2);
                assert_eq!(decoding.text(), expected, "{}", case(encoding, &chunks, 2));
                assert!(!decoding.had_errors, "{}", case(encoding, &chunks, 2));
            }
        }
    }
}
