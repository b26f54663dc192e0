//! Faults that input could cause: reads outside of tables, endless loops, assertions, sentinel values taken for
//! characters, ASCII that disappears or appears.

use crate::common::{Random, case, drive, in_turns, input, oracle, utf_16};
use mojika::{
    BIG5, BomHandling, EUC_JP, EUC_KR, Encoding, GB18030, ISO_2022_JP, SHIFT_JIS, UTF_8,
    WINDOWS_874, WINDOWS_1253,
};
use mojika_spec::DecodeItem;

#[test]
fn fault_2_every_lead_and_trail_is_checked_before_a_table_is_read() {
    // The proof tests pairs at every offset within text.
    for encoding in [EUC_KR, EUC_JP, BIG5, SHIFT_JIS, GB18030] {
        for lead in 0x80..=0xFF {
            let pairs: Vec<u8> = (0..=0xFF)
                .flat_map(|trail| [lead, trail, b' ', b' '])
                .collect();
            let items = mojika_spec::decode_fragments(oracle(encoding), &pairs);
            let expected: String = items.iter().map(DecodeItem::replaced).collect();
            let decoded = encoding.with(BomHandling::Keep).decode(&pairs).text;
            assert_eq!(decoded, expected, "{}", case(encoding, &[&pairs], 0));
        }
    }
}

#[test]
fn fault_3_no_input_and_no_output_size_makes_an_endless_loop() {
    // The functions in `drive` limit the number of calls, and assert progress in buffers of the minimum size.
    for encoding in Encoding::all() {
        for bytes in input::byte_inputs() {
            for room in [4, 5, 64] {
                let decoder = &mut encoding.new_decoder();
                drive::decode::<u8>(decoder, &[bytes], room);
                drive::decode_fatal::<u8>(decoder, &[bytes], room);
                drive::decode::<u16>(decoder, &[bytes], room);
                drive::decode_fatal::<u16>(decoder, &[bytes], room);
            }
        }
        let Ok(mut encoder) = encoding.new_encoder() else {
            continue;
        };
        for text in input::text_inputs() {
            for room in [4, 5, 64] {
                drive::encode(&mut encoder, &[text], room);
                drive::encode_fatal(&mut encoder, &[text], room);
                drive::encode(&mut encoder, &[&*utf_16(text)], room);
                drive::encode_fatal(&mut encoder, &[&*utf_16(text)], room);
            }
        }
    }
    // Calls with less than the minimum space must return as well.
    for encoding in Encoding::all() {
        for bytes in input::byte_inputs() {
            for room in 0..4 {
                let mut decoder = encoding.new_decoder();
                let mut read = 0;
                for _ in 0..4 * bytes.len() + 8 {
                    let progress = decoder.decode(&bytes[read..], &mut [0_u8; 4][..room], true);
                    read += progress.read;
                }
                let mut decoder = encoding.new_decoder();
                decoder.decode(bytes, &mut [0_u16; 4][..room], true);
                decoder.decode_fatal(bytes, &mut [0_u16; 4][..room], true);
            }
        }
        let Ok(encoder) = encoding.new_encoder() else {
            continue;
        };
        for text in input::text_inputs() {
            for room in 0..4 {
                let mut encoder = encoder.clone();
                let mut read = 0;
                for _ in 0..4 * text.len() + 8 {
                    let dst = &mut [0; 4][..room];
                    read += encoder.encode_html(&text[read..], dst, true).read;
                }
            }
        }
    }
}

#[test]
fn fault_4_no_input_panics() {
    let mut random = Random::new(14);
    for encoding in Encoding::all() {
        for round in 0..200 {
            let bytes = random.odd_bytes(round % 90);
            let decoder = &mut encoding.new_decoder();
            drive::decode_fatal::<u16>(decoder, &[&bytes], 2 + round % 9);
            // Make calls in an unlikely order.
            let mut decoder = encoding.new_decoder();
            for chunk in bytes.chunks(1 + round % 7) {
                let last = random.below(3) == 0;
                let room = random.below(9);
                match random.below(5) {
                    0 => _ = decoder.decode(chunk, &mut [0_u8; 9][..room], last),
                    1 => _ = decoder.decode_fatal(chunk, &mut [0_u16; 9][..room], last),
                    2 => _ = decoder.decode(chunk, &mut String::from("漢字é")[..], last),
                    3 => _ = decoder.max_utf8_length(usize::MAX - room),
                    _ => decoder.reset(),
                }
            }
            let Ok(mut encoder) = encoding.new_encoder() else {
                continue;
            };
            let (text, units) = (random.odd_text(round % 20), random.odd_units(round % 20));
            for _ in 0..6 {
                let last = random.below(3) == 0;
                let room = random.below(12);
                match random.below(5) {
                    0 => _ = encoder.encode_html(&text, &mut [0; 12][..room], last),
                    1 => _ = encoder.encode(&units, &mut [0; 12][..room], last),
                    2 => _ = encoder.encode_html(&units, &mut [0; 12][..room], last),
                    3 => _ = encoder.max_length_from_utf16_html(usize::MAX - room),
                    _ => encoder.reset(),
                }
            }
        }
    }
}

#[test]
fn fault_5_no_sentinel_is_taken_for_a_code_point() {
    // These bytes cannot decode to NUL, U+FFFF or a surrogate, which tables use as sentinel values.
    let ascii_compatible = Encoding::all().iter().filter(|e| e.is_ascii_compatible());
    for (number, encoding) in ascii_compatible.enumerate() {
        for first in in_turns(0x80..=0xFF, 4, number) {
            for second in 0x01..=0xFF {
                let bytes = [first, second];
                let decoded = encoding.with(BomHandling::Keep).decode(&bytes);
                let odd = decoded.text.contains(['\0', '\u{FFFF}', '\u{FFFE}']);
                assert!(!odd, "{}", case(encoding, &[&bytes], 0));
                let clean = decoded.text.contains('\u{FFFD}') == decoded.had_errors;
                assert!(clean, "{}", case(encoding, &[&bytes], 0));
            }
        }
    }
    // Nor can they in a text long enough for a vector kernel, which looks up many characters at once.
    for (encoding, well_formed) in [
        (EUC_KR, &b"\xB0\xA1"[..]),
        (EUC_JP, b"\xB0\xA1"),
        (BIG5, b"\xA4\x40"),
        (SHIFT_JIS, b"\x88\x9F"),
        (GB18030, b"\xB0\xA1"),
        (WINDOWS_874, b"\xA1\xA2"),
        (WINDOWS_1253, b"\xC1\xC2"),
    ] {
        let text = well_formed.repeat(100);
        for first in 0x80..=0xFF {
            for second in in_turns(0x01..=0xFF, 4, usize::from(first)) {
                let at = usize::from(second) % 32;
                let bytes = [&text[2 * at..], &[first, second], &text].concat();
                let decoded = encoding.with(BomHandling::Keep).decode(&bytes);
                let odd = decoded.text.contains(['\0', '\u{FFFF}', '\u{FFFE}']);
                assert!(!odd, "{}", case(encoding, &[&bytes], 0));
                let clean = decoded.text.contains('\u{FFFD}') == decoded.had_errors;
                assert!(clean, "{}", case(encoding, &[&bytes], 0));
            }
        }
    }
    // Only encodings of all of Unicode have noncharacters.
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
                encoded.had_errors,
                !all,
                "{encoding}: U+{:04X}",
                u32::from(scalar)
            );
        }
        // Within mappable text, only NUL is encoded to NUL.
        let Some(mapped) = "я漢한éทשαع"
            .chars()
            .find(|c| encoding.encode(&c.to_string()).is_ok())
        else {
            continue;
        };
        let long = String::from(mapped).repeat(90);
        for (i, scalar) in ('\u{80}'..='\u{FFFF}').step_by(37).enumerate() {
            // Every fourth text is short, so that the portable loops encode it.
            let run = if i % 4 == 0 {
                &long[..mapped.len_utf8()]
            } else {
                &long
            };
            let text = format!("{run}{scalar}{run}");
            let encoded = encoding.encode_html(&text).unwrap();
            let from_units = &mut encoding.new_encoder().unwrap();
            let from_units = drive::encode(from_units, &[&*utf_16(&text)], 2000);
            for bytes in [&*encoded.bytes, &from_units.bytes] {
                assert!(!bytes.contains(&0), "{encoding}: {text:?}");
            }
        }
    }
}

#[test]
fn fault_7_no_ascii_byte_is_swallowed_after_a_bad_lead() {
    // A delimiter of markup stays after any bytes: one lead byte, two bytes, at any position in a block.
    for encoding in Encoding::all().iter().filter(|e| e.is_ascii_compatible()) {
        for delimiter in b"\"'<>& \n/=;" {
            for lead in 0x80..=0xFF {
                for fill in [0, 1, 31, 63, 64] {
                    let mut bytes = vec![b'x'; fill];
                    bytes.extend_from_slice(&[lead, *delimiter, b'x']);
                    let text = encoding.with(BomHandling::Keep).decode(&bytes).text;
                    let found = text.matches(char::from(*delimiter)).count();
                    assert_eq!(found, 1, "{}", case(encoding, &[&bytes], 0));
                }
            }
            for second in 0x30..=0xFF {
                let bytes = [0x8F, second, *delimiter, b'x'];
                let text = encoding.with(BomHandling::Keep).decode(&bytes).text;
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
fn fault_13_no_markup_is_smuggled_through_escapes_or_labels() {
    // Encodings in which ASCII can be hidden have labels of replacement, and decode to a single error.
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
    // An escape sequence with no character before the next one is an error, so that it cannot invisibly split a word.
    let decoded = ISO_2022_JP.decode(b"<scr\x1B(B\x1B(Bipt>");
    assert_eq!(decoded.text, "<scr\u{FFFD}ipt>");
    // Escape and shift characters in the text do not reach the output, where they would change the decoder's state.
    for text in ["\u{1B}(J\\", "\u{E}", "亜\u{1B}$B亜", "¥\u{F}¥"] {
        let encoded = ISO_2022_JP.encode_html(text).unwrap();
        assert!(encoded.had_errors, "{text:?}");
        let back = ISO_2022_JP.decode(&encoded.bytes);
        assert!(!back.had_errors, "{text:?}");
        assert_eq!(
            back.text,
            text.replace(['\u{1B}', '\u{E}', '\u{F}'], "&#65533;")
        );
    }
    // A numeric character reference is decoded in the state in which it was written.
    let encoded = ISO_2022_JP.encode_html("亜💩¥💩").unwrap();
    assert_eq!(
        ISO_2022_JP.decode(&encoded.bytes).text,
        "亜&#128169;¥&#128169;"
    );
}
