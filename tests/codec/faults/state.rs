//! Faults of state: at the end of a stream, and after errors.

use crate::common::{case, drive, input};
use mojika::{Encoding, ISO_2022_JP, Status};

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
fn fault_14_a_fatal_error_leaks_no_state_into_the_next_stream() {
    for encoding in Encoding::all() {
        for bytes in input::byte_inputs() {
            let expected = encoding.decode_fatal(b"\xE3\x81\x82ab");
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
