//! One test per class of fault that has bitten a widely used codec, by its number in the project's list.
//!
//! Class 11, undefined behaviour in functions over part of a `str`, class 12, counters beyond 4 GiB, and class 13,
//! smuggled markup, are here in the form in which this library could have them. Class 15, a file converted onto
//! itself, is the command's. Class 17, results that depend on the processor, is `levels.rs`.

mod common;

use common::{Form, Rng, case, drive, input, utf_16};
use mojika::{
    BIG5, BomHandling, EUC_JP, EUC_KR, Encoding, FatalDecodeStatus, GB18030, ISO_2022_JP,
    REPLACEMENT, SHIFT_JIS, Status, UTF_8, UTF_16BE, UTF_16LE, WINDOWS_1252,
};

#[test]
fn fault_1_an_escape_sequence_does_not_overrun_the_output() {
    // Every position of every escape sequence at every end of a buffer; the drivers check canaries.
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
fn fault_2_every_lead_and_trail_is_checked_before_a_table_is_read() {
    // All pairs, also where a kernel may take them in a block, in all multi-byte encodings.
    for encoding in [EUC_KR, EUC_JP, BIG5, SHIFT_JIS, GB18030] {
        for lead in 0x80..=0xFF {
            let bytes: Vec<u8> = (0..=0xFF)
                .flat_map(|trail| [lead, trail, b' ', b' '])
                .collect();
            let decoded = encoding.decode_without_bom_handling(&bytes);
            let decoder = &mut encoding.new_decoder_without_bom_handling();
            let chunks: Vec<&[u8]> = bytes.chunks(1).collect();
            let by_bytes = drive::decode::<u8>(decoder, &chunks, 4);
            assert_eq!(
                decoded.text,
                by_bytes.text(),
                "{}",
                case(encoding, &[&bytes], 4)
            );
        }
    }
    // The last pointers of the four-byte form, and beyond.
    for first in 0x81..=0xFE {
        for second in 0x30..=0x39 {
            GB18030.decode_without_bom_handling(&[
                first, second, 0x81, 0x30, first, second, 0xFE, 0x39,
            ]);
        }
    }
}

#[test]
fn fault_3_no_input_and_no_output_size_makes_an_endless_loop() {
    // The drivers assert progress for buffers of the least size; here any call with less must return as well.
    for encoding in Encoding::all() {
        for bytes in input::byte_inputs() {
            for room in 0..4 {
                let mut decoder = encoding.new_decoder();
                let mut read = 0;
                for _ in 0..4 * bytes.len() + 8 {
                    let progress =
                        decoder.decode_to_utf8(&bytes[read..], &mut [0; 4][..room], true);
                    read += progress.read;
                }
                let mut decoder = encoding.new_decoder();
                decoder.decode_to_utf16(bytes, &mut [0; 4][..room], true);
                decoder.decode_to_utf16_fatal(bytes, &mut [0; 4][..room], true);
            }
        }
    }
}

#[test]
fn fault_4_no_input_panics() {
    let mut rng = Rng::new(14);
    for encoding in Encoding::all() {
        for round in 0..200 {
            let bytes = rng.bytes(round % 90);
            let decoder = &mut encoding.new_decoder();
            drive::decode_fatal::<u16>(decoder, &[&bytes], 2 + round % 9);
            // Calls in an order that no one would choose.
            let mut decoder = encoding.new_decoder();
            for chunk in bytes.chunks(1 + round % 7) {
                let last = rng.below(3) == 0;
                let room = rng.below(9);
                match rng.below(5) {
                    0 => _ = decoder.decode_to_utf8(chunk, &mut [0; 9][..room], last),
                    1 => _ = decoder.decode_to_utf16_fatal(chunk, &mut [0; 9][..room], last),
                    2 => _ = decoder.decode_to_str(chunk, &mut String::from("漢字é")[..], last),
                    3 => _ = decoder.max_utf8_length(usize::MAX - room),
                    _ => decoder.reset(),
                }
            }
            let Ok(mut encoder) = encoding.new_encoder() else {
                continue;
            };
            let (text, units) = (rng.text(round % 20), rng.units(round % 20));
            for _ in 0..6 {
                let last = rng.below(3) == 0;
                let room = rng.below(12);
                match rng.below(5) {
                    0 => _ = encoder.encode_from_utf8(&text, &mut [0; 12][..room], last),
                    1 => _ = encoder.encode_from_utf16_fatal(&units, &mut [0; 12][..room], last),
                    2 => _ = encoder.encode_from_utf16(&units, &mut [0; 12][..room], last),
                    3 => _ = encoder.max_length_from_utf16(usize::MAX - room),
                    _ => encoder.reset(),
                }
            }
        }
    }
}

#[test]
fn fault_5_no_sentinel_is_taken_for_a_code_point() {
    // Nothing decodes to NUL, U+FFFF or a surrogate but what stands for it.
    for encoding in Encoding::all().iter().filter(|e| e.is_ascii_compatible()) {
        for first in 0x80..=0xFF {
            for second in 0x01..=0xFF {
                let bytes = [first, second];
                let decoded = encoding.decode_without_bom_handling(&bytes);
                let odd = decoded.text.contains(['\0', '\u{FFFF}', '\u{FFFE}']);
                assert!(!odd, "{}", case(encoding, &[&bytes], 0));
                let clean = decoded.text.contains('\u{FFFD}') == decoded.had_errors;
                assert!(clean, "{}", case(encoding, &[&bytes], 0));
            }
        }
    }
    // And nothing is encoded from noncharacters but where all of Unicode is.
    for encoding in Encoding::all()
        .iter()
        .filter(|e| e.output_encoding() == **e)
    {
        let all = [UTF_8, GB18030].contains(encoding);
        for scalar in [
            '\u{FFFF}',
            '\u{FFFE}',
            '\u{FFFD}',
            '\u{10FFFF}',
            '\u{1FFFF}',
        ] {
            let text = scalar.to_string();
            let encoded = encoding.encode_html(&text).unwrap();
            assert_eq!(
                encoded.had_unmappables,
                !all,
                "{encoding}: U+{:04X}",
                u32::from(scalar)
            );
        }
    }
}

#[test]
fn fault_6_the_end_of_a_stream_adds_nothing_but_what_is_due() {
    for encoding in input::representatives() {
        let decoder = &mut encoding.new_decoder();
        assert_eq!(drive::decode::<u8>(decoder, &[b""], 4).units, b"");
        if let Ok(mut encoder) = encoding.new_encoder() {
            assert_eq!(drive::encode(&mut encoder, &["", "", ""], 4).bytes, b"");
            let bytes = drive::encode(&mut encoder, &["a", ""], 4).bytes;
            assert_eq!(*bytes, *encoding.encode("a").unwrap());
            // A reset writes nothing, whatever the state was.
            encoder.encode_from_utf8("文¥", &mut [0; 20], false);
            encoder.reset();
            assert_eq!(drive::encode(&mut encoder, &[""], 4).bytes, b"");
        }
    }
    // The way back to ASCII comes once.
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
fn fault_7_no_ascii_byte_is_swallowed_after_a_bad_lead() {
    // Whatever comes before it, a delimiter of markup stays: with one lead, with two bytes, at any place in a block.
    for encoding in Encoding::all().iter().filter(|e| e.is_ascii_compatible()) {
        for delimiter in b"\"'<>& \n/=;" {
            for lead in 0x80..=0xFF {
                for fill in [0, 1, 31, 63, 64] {
                    let mut bytes = vec![b'x'; fill];
                    bytes.extend_from_slice(&[lead, *delimiter, b'x']);
                    let text = encoding.decode_without_bom_handling(&bytes).text;
                    let found = text.matches(char::from(*delimiter)).count();
                    assert_eq!(found, 1, "{}", case(encoding, &[&bytes], 0));
                }
            }
            for second in 0x30..=0xFF {
                let bytes = [0x8F, second, *delimiter, b'x'];
                let text = encoding.decode_without_bom_handling(&bytes).text;
                assert!(
                    text.contains(char::from(*delimiter)),
                    "{}",
                    case(encoding, &[&bytes], 0)
                );
            }
        }
    }
}

#[test]
fn fault_8_nothing_outside_the_output_is_written() {
    fn check<U: Form>(encoding: &'static Encoding, bytes: &[u8]) {
        // A window into a larger buffer, at each alignment.
        for start in [1, 2, 3, 7, 31, 32, 33, 63] {
            for room in [
                0, 1, 2, 3, 4, 15, 16, 17, 31, 33, 63, 64, 65, 66, 127, 128, 129,
            ] {
                let mut memory = vec![U::CANARY; start + room + 200];
                let window = &mut memory[start..start + room];
                let progress = U::decode(&mut encoding.new_decoder(), bytes, window, true);
                let end = start + progress.written;
                let outside = memory[..start].iter().chain(&memory[end..]);
                let kept = outside.copied().all(|unit| unit == U::CANARY);
                assert!(kept, "from {start}: {}", case(encoding, &[bytes], room));
            }
        }
    }
    let mut rng = Rng::new(15);
    for encoding in input::representatives() {
        let text = rng.text(60);
        let long = [vec![b'a'; 300], rng.bytes(40)].concat();
        let mixed = rng.bytes(200);
        let clean = encoding
            .encode_html(&text)
            .map(|e| e.bytes.into_owned())
            .unwrap_or_default();
        for bytes in [&long, &mixed, &clean] {
            check::<u8>(encoding, bytes);
            check::<u16>(encoding, bytes);
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
fn fault_10_a_buffer_too_small_for_a_character_loses_nothing() {
    // Calls with less room than a character takes return "output full", and go on once there is room.
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
                    let progress =
                        decoder.decode_to_utf8(&bytes[read..], &mut buffer[..room], true);
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
                        encoding
                            .new_decoder()
                            .decode_to_str_fatal(bytes, dst, false);
                    } else {
                        encoding.new_decoder().decode_to_str(bytes, dst, false);
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
    // A stream beyond 4 GiB in a second: replacement reads without converting.
    let chunk = vec![b'x'; 1 << 28];
    let mut decoder = REPLACEMENT.new_decoder();
    let mut buffer = [0; 4];
    for i in 1..=17 {
        let progress = decoder.decode_to_utf8(&chunk, &mut buffer, false);
        assert_eq!(
            (progress.status, progress.read),
            (Status::InputEmpty, 1 << 28)
        );
        assert_eq!(decoder.position(), i << 28);
    }
    assert!(decoder.position() > u64::from(u32::MAX));
    // Offsets add up over calls of any size.
    let mut decoder = SHIFT_JIS.new_decoder_without_bom_handling();
    let mut position = 0;
    let mut buffer = [0; 4096];
    for i in 0..1000 {
        let chunk = [&vec![b'a'; i][..], b"\xFF"].concat();
        let progress = decoder.decode_to_utf8_fatal(&chunk, &mut buffer, false);
        let FatalDecodeStatus::Malformed(sequence) = progress.status else {
            panic!("{progress:?}");
        };
        position += i as u64;
        assert_eq!((sequence.offset, sequence.len), (position, 1));
        position += 1;
    }
}

#[test]
fn fault_13_no_markup_is_smuggled_through_escapes_or_labels() {
    // The labels of encodings that hide ASCII decode to nothing but an error.
    for label in [
        "iso-2022-kr",
        "iso-2022-cn",
        "iso-2022-cn-ext",
        "hz-gb-2312",
        "csiso2022kr",
    ] {
        let encoding = Encoding::for_label(label).unwrap();
        assert_eq!(encoding.decode(b"~{<script>~}").text, "\u{FFFD}", "{label}");
    }
    assert_eq!(Encoding::for_label("utf-7"), None);
    // An escape sequence that does nothing is an error: it cannot break a word apart unseen.
    let decoded = ISO_2022_JP.decode(b"<scr\x1B(B\x1B(Bipt>");
    assert_eq!(decoded.text, "<scr\u{FFFD}ipt>");
    // Controls cannot be smuggled into the output, nor can they change the encoder's state.
    for text in ["\u{1B}(J\\", "\u{E}", "亜\u{1B}$B亜", "¥\u{F}¥"] {
        let encoded = ISO_2022_JP.encode_html(text).unwrap();
        assert!(encoded.had_unmappables, "{text:?}");
        let back = ISO_2022_JP.decode(&encoded.bytes);
        assert!(!back.had_errors, "{text:?}");
        assert_eq!(
            back.text,
            text.replace(['\u{1B}', '\u{E}', '\u{F}'], "&#65533;")
        );
    }
    // A reference reads as one in whatever state it was written.
    let encoded = ISO_2022_JP.encode_html("亜💩¥💩").unwrap();
    assert_eq!(
        ISO_2022_JP.decode(&encoded.bytes).text,
        "亜&#128169;¥&#128169;"
    );
}

#[test]
fn fault_14_a_fatal_error_leaks_no_state_into_the_next_stream() {
    for encoding in Encoding::all() {
        for bytes in input::byte_inputs() {
            let expected = encoding.decode_fatal(b"\xE3\x81\x82ab", BomHandling::Sniff);
            let mut decoder = encoding.new_decoder();
            let mut text = String::new();
            let progress = decoder.decode_to_string_fatal(bytes, &mut text, true);
            if let FatalDecodeStatus::Malformed(_) = progress.status {
                decoder.reset();
                assert_eq!((decoder.position(), decoder.encoding()), (0, *encoding));
            }
            let mut text = String::new();
            let progress = decoder.decode_to_string_fatal(b"\xE3\x81\x82ab", &mut text, true);
            match (expected, progress.status) {
                (Ok(decoded), FatalDecodeStatus::InputEmpty) => assert_eq!(text, decoded.text),
                (Err(error), FatalDecodeStatus::Malformed(sequence)) => {
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
            encoder.encode_from_utf8_to_vec_fatal(text, &mut bytes, true);
            encoder.reset();
            bytes.clear();
            encoder.encode_from_utf8_to_vec("a文", &mut bytes, true);
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
    // Encodings in which a trail byte looks like ASCII or like a lead.
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
        let expected = encoding.decode_without_bom_handling(&bytes).text;
        let decoder = &mut encoding.new_decoder_without_bom_handling();
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
