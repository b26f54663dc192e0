//! RFC 2781: its rules and the examples of its section 5, by section number, and a simple model to compare every split.

use crate::common::{hex, in_turns, utf_16};
use mojika::extended::rfc2781::{Charset, CharsetEncoder, CharsetError, ErrorKind};
use mojika::{DecodeTarget, Status};

const CHARSETS: [Charset; 3] = [Charset::Utf16, Charset::Utf16Be, Charset::Utf16Le];

/// The fields of an error: its kind, the lead surrogate that the RFC calls W1, offset and length.
type Fields = (ErrorKind, Option<u16>, u64, u8);

/// The phrase of section 5, in which U+12345 stands for the hieroglyph of Ra.
const RA: &str = "\u{12345}=Ra";

/// Returns true if the text is big-endian, and the length of its signature, by section 4.
fn opening(charset: Charset, bytes: &[u8]) -> (bool, usize) {
    match (charset, bytes) {
        (Charset::Utf16Be, _) => (true, 0),
        (Charset::Utf16Le, _) => (false, 0),
        (Charset::Utf16, [0xFE, 0xFF, ..]) => (true, 2),
        (Charset::Utf16, [0xFF, 0xFE, ..]) => (false, 2),
        (Charset::Utf16, _) => (true, 0),
    }
}

/// Returns the text, with U+FFFD for errors, and the errors, by the steps of sections 2.2 and 4.
fn model(charset: Charset, bytes: &[u8]) -> (String, Vec<Fields>) {
    let (big_endian, start) = opening(charset, bytes);
    let unit = |at: usize| {
        let octets = [*bytes.get(at)?, *bytes.get(at + 1)?];
        Some(if big_endian {
            u16::from_be_bytes(octets)
        } else {
            u16::from_le_bytes(octets)
        })
    };
    let (mut text, mut errors) = (String::new(), Vec::new());
    let mut at = start;
    while at < bytes.len() {
        let mut error = |kind, w1, len: usize| {
            errors.push((kind, w1, at as u64, len as u8));
            text.push('\u{FFFD}');
            len
        };
        let Some(w1) = unit(at) else {
            error(ErrorKind::OddOctet, None, 1);
            break;
        };
        at += if at == 0 && w1 == 0xFFFE && charset != Charset::Utf16 {
            error(ErrorKind::ReversedSignature, Some(w1), 2)
        } else if !(0xD800..=0xDFFF).contains(&w1) {
            // Step 1.
            text.push(char::from_u32(w1.into()).unwrap());
            2
        } else if w1 > 0xDBFF {
            // Step 2.
            error(ErrorKind::NotHighSurrogate, Some(w1), 2)
        } else {
            match unit(at + 2) {
                Some(w2 @ 0xDC00..=0xDFFF) => {
                    // Steps 4 and 5.
                    let u = u32::from(w1 & 0x3FF) << 10 | u32::from(w2 & 0x3FF);
                    text.push(char::from_u32(u + 0x10000).unwrap());
                    4
                }
                // Step 3.
                Some(_) => error(ErrorKind::NoLowSurrogate, Some(w1), 2),
                None => error(ErrorKind::NoLowSurrogate, Some(w1), bytes.len() - at),
            }
        };
    }
    (text, errors)
}

fn fields(error: CharsetError) -> Fields {
    (error.kind, error.w1, error.offset, error.len)
}

/// Units of either form of text.
trait Unit: Copy + Default + 'static {
    const REPLACEMENT: &'static [Self];
    fn text(units: Vec<Self>) -> String;
}

impl Unit for u8 {
    const REPLACEMENT: &'static [u8] = "\u{FFFD}".as_bytes();
    fn text(units: Vec<u8>) -> String {
        String::from_utf8(units).unwrap()
    }
}

impl Unit for u16 {
    const REPLACEMENT: &'static [u16] = &[0xFFFD];
    fn text(units: Vec<u16>) -> String {
        String::from_utf16(&units).unwrap()
    }
}

/// Returns the text of a stream in these chunks and in outputs of `room` bytes, and its errors if `fatal`.
fn stream<U: Unit>(
    charset: Charset,
    chunks: &[&[u8]],
    room: usize,
    fatal: bool,
) -> (String, Vec<Fields>, bool)
where
    [U]: DecodeTarget,
{
    let mut decoder = charset.new_decoder();
    let (mut text, mut errors, mut had_errors) = (Vec::new(), Vec::new(), false);
    let mut buffer = vec![U::default(); room];
    for (i, chunk) in chunks.iter().enumerate() {
        let last = i + 1 == chunks.len();
        let mut rest = *chunk;
        loop {
            let progress = if fatal {
                decoder.decode_fatal(rest, &mut buffer[..], last)
            } else {
                decoder.decode(rest, &mut buffer[..], last)
            };
            had_errors |= progress.had_errors;
            text.extend(&buffer[..progress.written]);
            rest = &rest[progress.read..];
            match progress.status {
                Status::InputEmpty => break,
                Status::Malformed(sequence) => {
                    let error = decoder.error().unwrap();
                    assert_eq!((sequence.offset, sequence.len), (error.offset, error.len));
                    errors.push(fields(error));
                    text.extend(U::REPLACEMENT);
                }
                _ => {}
            }
        }
        assert!(rest.is_empty());
    }
    let bytes = chunks.concat();
    assert_eq!(decoder.position(), bytes.len() as u64);
    let (big_endian, signature_len) = opening(charset, &bytes);
    let order = if big_endian {
        mojika::UTF_16BE
    } else {
        mojika::UTF_16LE
    };
    // Without a chunk, the decoder does not know that the stream has ended.
    let is_known = !chunks.is_empty() || charset != Charset::Utf16;
    assert_eq!(decoder.encoding(), is_known.then_some(order), "{bytes:X?}");
    assert_eq!(decoder.signature_len(), signature_len, "{bytes:X?}");
    decoder.reset();
    assert_eq!((decoder.signature_len(), decoder.position()), (0, 0));
    (U::text(text), errors, had_errors)
}

/// Asserts that one call and streams with every split agree with the model.
fn check(charset: Charset, bytes: &[u8]) {
    let case = || format!("{charset}: {}", hex(bytes));
    let (text, errors) = model(charset, bytes);
    let decoded = charset.decode(bytes);
    assert_eq!(decoded.text, text, "{}", case());
    assert_eq!(decoded.had_errors, !errors.is_empty(), "{}", case());
    match (charset.decode_fatal(bytes), errors.first()) {
        (Ok(decoded), None) => assert_eq!(decoded.text, text, "{}", case()),
        (Err(error), Some(&first)) => assert_eq!(fields(error), first, "{}", case()),
        (result, _) => panic!("{result:?} in {}", case()),
    }
    let decoded = charset.decode_to_utf16(bytes);
    assert_eq!(decoded.text, utf_16(&text), "{}", case());
    assert_eq!(decoded.had_errors, !errors.is_empty(), "{}", case());
    match (charset.decode_to_utf16_fatal(bytes), errors.first()) {
        (Ok(decoded), None) => assert_eq!(decoded.text, utf_16(&text), "{}", case()),
        (Err(error), Some(&first)) => assert_eq!(fields(error), first, "{}", case()),
        (result, _) => panic!("{result:?} in {}", case()),
    }
    let single: Vec<&[u8]> = bytes.chunks(1).collect();
    let cuts = (0..=bytes.len()).map(|cut| vec![&bytes[..cut], &bytes[cut..]]);
    for chunks in cuts.chain([single]) {
        for room in [4, 5, 64] {
            let case = || format!("in buffers of {room}: {chunks:X?} in {charset}");
            for stream in [stream::<u8>, stream::<u16>] {
                let (streamed, found, _) = stream(charset, &chunks, room, true);
                assert_eq!((&streamed, &found), (&text, &errors), "{}", case());
                let (replaced, _, had_errors) = stream(charset, &chunks, room, false);
                assert_eq!(replaced, text, "{}", case());
                assert_eq!(had_errors, !errors.is_empty(), "{}", case());
            }
        }
    }
}

#[track_caller]
fn is_ra(charset: Charset, bytes: &[u8]) {
    check(charset, bytes);
    assert_eq!(charset.decode_fatal(bytes).unwrap().text, RA);
}

#[test]
fn section_3_2_a_part_of_a_text_may_begin_with_feff() {
    let whole = Charset::Utf16Be.encode("a\u{FEFF}b").unwrap();
    let (first, second) = whole.split_at(2);
    assert_eq!(Charset::Utf16Be.decode(second).text, "\u{FEFF}b");
    assert_eq!(Charset::Utf16Be.concat([first, second]).unwrap(), whole);
}

#[test]
fn section_4_3_nothing_is_assumed_before_the_first_two_octets() {
    let mut decoder = Charset::Utf16.new_decoder();
    let mut text = [0_u8; 8];
    for octet in [0xFE, 0xFF, 0x00] {
        decoder.reset();
        let progress = decoder.decode(&[octet], &mut text, false);
        assert_eq!((progress.read, progress.written), (1, 0));
        assert_eq!(decoder.encoding(), None);
    }
    decoder.decode(b"a", &mut text, false);
    assert_eq!(decoder.encoding(), Some(mojika::UTF_16BE));
}

#[test]
fn appendix_a_registers_three_names() {
    let names = CHARSETS.map(Charset::name);
    assert_eq!(names, ["UTF-16", "UTF-16BE", "UTF-16LE"]);
    for charset in CHARSETS {
        assert_eq!(Charset::for_name(charset.name()), Some(charset));
    }
}

#[test]
fn sections_4_3_and_5_labelled_text_with_and_without_a_bom() {
    let big = b"\xFE\xFF\xD8\x08\xDF\x45\x00\x3D\x00\x52\x00\x61";
    let little = b"\x08\xD8\x45\xDF\x3D\x00\x52\x00\x61\x00";
    for (charset, bytes) in [
        (Charset::Utf16Be, &big[2..]),
        (Charset::Utf16Le, little),
        (Charset::Utf16, big),
    ] {
        is_ra(charset, bytes);
        assert_eq!(charset.encode(RA).unwrap(), bytes, "{charset}");
        assert_eq!(charset.encode_utf16(&utf_16(RA)).unwrap(), bytes);
    }
    // Without a signature it is big-endian.
    is_ra(Charset::Utf16, &big[2..]);
    assert_eq!(Charset::Utf16.decode(b"").encoding, mojika::UTF_16BE);
}

#[test]
fn section_5_little_endian_text_labelled_with_utf_16_with_a_bom() {
    let bytes = b"\xFF\xFE\x08\xD8\x45\xDF\x3D\x00\x52\x00\x61\x00";
    is_ra(Charset::Utf16, bytes);
    let mut encoder = CharsetEncoder::signed_little_endian().unwrap();
    let mut encoded = [0; 32];
    let progress = encoder.encode(RA, &mut encoded, true);
    assert_eq!(encoded[..progress.written], *bytes);
}

#[test]
fn sections_4_1_and_4_2_the_signature_of_the_other_order_is_an_error() {
    for (charset, bytes) in [
        (Charset::Utf16Be, b"\xFF\xFE\0a"),
        (Charset::Utf16Le, b"\xFE\xFFa\0"),
    ] {
        check(charset, bytes);
        let error = charset.decode_fatal(bytes).unwrap_err();
        let expected = (ErrorKind::ReversedSignature, Some(0xFFFE), 0, 2);
        assert_eq!(fields(error), expected);
        assert_eq!(charset.decode(bytes).text, "\u{FFFD}a");
    }
}

#[test]
fn section_2_2_the_error_carries_w1_and_its_offset() {
    let error = Charset::Utf16
        .decode_fatal(b"\xFF\xFEa\0\x08\xD8b\0")
        .unwrap_err();
    let expected = (ErrorKind::NoLowSurrogate, Some(0xD808), 4, 2);
    assert_eq!(fields(error), expected);
    assert_eq!(
        error.to_string(),
        "0xD808 is a high surrogate without a low one after it, at byte offset 4"
    );
}

#[test]
fn every_sequence_of_interesting_octets_does_as_the_model() {
    const OCTETS: [u8; 6] = [0x00, 0x61, 0xD8, 0xDC, 0xFE, 0xFF];
    for length in 0..=5_u32 {
        // Test all inputs of up to three octets, and one in five of the longer inputs.
        let share = if length < 4 { 1 } else { 5 };
        for number in in_turns(0..6_usize.pow(length), share, 2) {
            let bytes: Vec<u8> = (0..length)
                .map(|i| OCTETS[number / 6_usize.pow(i) % 6])
                .collect();
            for charset in CHARSETS {
                check(charset, &bytes);
            }
        }
    }
}

#[test]
fn encoding_round_trips_in_any_buffer() {
    let text = "\u{FEFF}a\u{E9}\u{5B57}\u{10FFFF}".repeat(5);
    for charset in CHARSETS {
        for text in ["", "a", &text] {
            let whole = charset.encode(text).unwrap();
            assert_eq!(
                charset.decode_fatal(&whole).unwrap().text,
                text,
                "{charset}"
            );
            for room in 4..12 {
                let mut encoder = charset.new_encoder().unwrap();
                // Encode two successive streams.
                for _ in 0..2 {
                    let (mut rest, mut bytes) = (text, Vec::<u8>::new());
                    let mut buffer = vec![0; room];
                    loop {
                        let progress = encoder.encode(rest, &mut buffer, true);
                        bytes.extend(&buffer[..progress.written]);
                        rest = &rest[progress.read..];
                        if progress.status == Status::InputEmpty {
                            break;
                        }
                    }
                    assert_eq!(bytes, whole, "{charset} in buffers of {room}");
                }
            }
        }
    }
}

#[test]
fn section_3_3_only_utf_16_gets_a_signature() {
    assert_eq!(Charset::Utf16.encode("").unwrap(), b"\xFE\xFF");
    assert_eq!(Charset::Utf16Be.encode("").unwrap(), b"");
    assert_eq!(Charset::Utf16Le.encode("").unwrap(), b"");
}

#[test]
fn section_3_2_concatenation_strips_signatures() {
    let parts = [
        &b"\xFF\xFEa\0"[..],
        b"",
        b"\xFE\xFF\0b",
        b"\xFF\xFE\xFF\xFEc\0",
    ];
    let joined = Charset::Utf16.concat(parts).unwrap();
    assert_eq!(joined, b"\xFF\xFEa\0b\0\xFF\xFEc\0");
    assert_eq!(Charset::Utf16.concat([]).unwrap(), b"\xFE\xFF");
    let labelled = Charset::Utf16Le.concat([&b"a\0"[..], b"\xFF\xFEb\0"]);
    assert_eq!(labelled.unwrap(), b"a\0\xFF\xFEb\0");
    let error = Charset::Utf16
        .concat([&b"\0a"[..], b"\0b\xDC\0"])
        .unwrap_err();
    assert_eq!((error.part, error.error.offset), (1, 2));
    assert_eq!(error.error.w1, Some(0xDC00));
}

/// The maximum lengths are never exceeded in any state, and some input reaches each maximum.
#[test]
fn maximum_lengths_hold_in_every_state_and_are_reached() {
    let starts: [&[u8]; 7] = [
        b"",
        b"\xFE",
        b"\xFE\xFF",
        b"\x00",
        b"\x00a\xD8",
        b"\xD8\x3D",
        b"\xD8\x3D\xDE",
    ];
    // The longest outputs: letters of three UTF-8 bytes, and U+FFFD for lone surrogates and an odd last byte.
    let rests: [&[u8]; 6] = [
        b"\x4E\x00\x4E\x00\x4E\x00\x4E\x00",
        b"\xD8\x00\xD8\x00\xD8\x00\xD8\x00",
        b"\xDC\x00\xDC\x00\xDC\x00\xDC\x00",
        b"\x00\x4E\x00\x4E\x00\x4E\x00\x4E",
        b"\x00\xD8\x00\xD8\x00\xD8\x00\xD8",
        b"\xFF\xFE\x4E\x4E\x4E\x4E\x4E\x4E",
    ];
    for charset in [Charset::Utf16, Charset::Utf16Be, Charset::Utf16Le] {
        for start in starts {
            let mut decoder = charset.new_decoder();
            decoder.decode(start, &mut [0_u16; 16], false);
            for length in 0..=8 {
                let bound = decoder.max_utf16_length(length).unwrap();
                let bytes_bound = decoder.max_utf8_length(length).unwrap();
                let (mut most, mut most_bytes) = (0, 0);
                for rest in rests {
                    let (mut units, mut bytes) = ([0_u16; 64], [0_u8; 64]);
                    let rest = &rest[..length];
                    most = most.max(decoder.clone().decode(rest, &mut units, true).written);
                    let written = decoder.clone().decode(rest, &mut bytes, true).written;
                    most_bytes = most_bytes.max(written);
                }
                let case = format!("{charset} {start:02X?} and {length} bytes");
                assert!(most <= bound && most_bytes <= bytes_bound, "{case}");
                // The bound may exceed this by one: a signature could follow, or two malformed sequences be buffered.
                assert!(bound - most <= 1, "{case}: {bound} for {most}");
                assert!(
                    bytes_bound - most_bytes <= 3,
                    "{case}: {bytes_bound} for {most_bytes}"
                );
            }
        }
    }
}
