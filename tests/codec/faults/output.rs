//! Faults at the output: writes beyond its end, buffers too small for a character, parts of a `str`, counters.

use crate::common::{case, drive, input, utf_16};
use mojika::{BomHandling, Decoder, Encoding, ISO_2022_JP, REPLACEMENT, SHIFT_JIS, Status};

#[test]
fn fault_1_an_escape_sequence_does_not_overrun_the_output() {
    // The output ends at each byte of each escape sequence. The functions in `drive` check the canaries.
    let texts = ["亜a¥亜‾~亜", "a亜b唖c¥d‾", "¥亜💩¥💩亜\u{1B}亜", "亜", "¥"];
    let encoder = &mut ISO_2022_JP.new_encoder().unwrap();
    for text in texts {
        let expected = ISO_2022_JP.encode_html(text).unwrap().bytes;
        for room in 3..=expected.len() + 1 {
            let encoded = drive::encode(encoder, &[text], room);
            assert_eq!(encoded.bytes, *expected, "{text:?} in buffers of {room}");
            let encoded = drive::encode(encoder, &[&*utf_16(text)], room);
            assert_eq!(encoded.bytes, *expected, "{text:?} in buffers of {room}");
        }
    }
}

#[test]
fn fault_10_a_buffer_too_small_for_a_character_loses_nothing() {
    // With less space than a character needs, calls return "output full". With more space, they continue.
    for encoding in Encoding::all() {
        for bytes in input::byte_inputs() {
            let expected = encoding.decode(bytes);
            for small in 0..4 {
                let mut decoder = encoding.new_decoder();
                let (mut text, mut read) = (Vec::new(), 0);
                let mut had_errors = false;
                for turn in 0.. {
                    let room = if turn % 2 == 0 { small } else { 4 };
                    let mut buffer = [0; 4];
                    let progress = decoder.decode(&bytes[read..], &mut buffer[..room], true);
                    text.extend_from_slice(&buffer[..progress.written]);
                    read += progress.read;
                    had_errors |= progress.had_errors;
                    if progress.status == Status::InputEmpty {
                        break;
                    }
                    assert!(
                        turn < 8 * bytes.len() + 16,
                        "{}",
                        case(encoding, &[bytes], small)
                    );
                }
                let text = String::from_utf8(text).unwrap();
                assert_eq!(text, expected.text, "{}", case(encoding, &[bytes], small));
                assert_eq!(
                    had_errors,
                    expected.had_errors,
                    "{}",
                    case(encoding, &[bytes], small)
                );
            }
        }
    }
}

#[test]
fn fault_11_decoding_over_part_of_a_str_keeps_it_well_formed() {
    let old = "漢字💩é漢字💩é";
    for encoding in input::representatives() {
        for bytes in input::byte_inputs() {
            for at in (0..old.len()).filter(|&at| old.is_char_boundary(at)) {
                for fatal in [false, true] {
                    let mut text = String::from(old);
                    let dst = &mut text[at..];
                    if fatal {
                        encoding.new_decoder().decode_fatal(bytes, dst, false);
                    } else {
                        encoding.new_decoder().decode(bytes, dst, false);
                    }
                    let text = String::from_utf8(text.into_bytes());
                    let text = text
                        .unwrap_or_else(|e| panic!("{e} {at}: {}", case(encoding, &[bytes], 0)));
                    assert!(
                        text.starts_with(&old[..at]),
                        "{}",
                        case(encoding, &[bytes], 0)
                    );
                }
            }
        }
    }
}

#[test]
fn fault_12_offsets_are_64_bits_wide_and_exact_over_many_calls() {
    // The replacement decoder reads without converting, so that a stream beyond 4 GiB takes a second.
    let chunk = vec![b'x'; 1 << 28];
    let mut decoder = REPLACEMENT.new_decoder();
    let mut buffer = [0_u8; 4];
    for i in 1..=17 {
        let progress = decoder.decode(&chunk, &mut buffer, false);
        assert_eq!(
            (progress.status, progress.read),
            (Status::InputEmpty, 1 << 28)
        );
        assert_eq!(decoder.position(), i << 28);
    }
    assert!(decoder.position() > u64::from(u32::MAX));
    // Offsets are sums of the lengths of calls of any size.
    let mut decoder = Decoder::new(SHIFT_JIS, BomHandling::Keep);
    let mut position = 0;
    let mut buffer = [0_u8; 4096];
    for i in 0..1000 {
        let chunk = [&vec![b'a'; i][..], b"\xFF"].concat();
        let progress = decoder.decode_fatal(&chunk, &mut buffer, false);
        let Status::Malformed(sequence) = progress.status else {
            panic!("{progress:?}");
        };
        position += i as u64;
        assert_eq!((sequence.offset, sequence.len), (position, 1));
        position += 1;
    }
}
