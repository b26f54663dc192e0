//! Decoders with chunks and buffers of any size, and every kind of call, compared with a single call. The proof compares
//! that with the Standard, at every split.

use crate::common::{Decoding, Form, How, case, drive, input};
use mojika::{BomHandling, Decoder, Encoding, Status};

const HANDLINGS: [BomHandling; 3] = [BomHandling::Sniff, BomHandling::Remove, BomHandling::Keep];

/// Decodes everything in one call.
fn at_once<U: Form>(decoder: &mut Decoder, bytes: &[u8]) -> (Decoding<U>, Decoding<U>) {
    let room = 3 * bytes.len() + 4;
    let replaced = drive::decode(decoder, &[bytes], room);
    let fatal = drive::decode_fatal(decoder, &[bytes], room);
    (replaced, fatal)
}

/// Returns all splits into two parts, with empty chunks between and after them.
fn two_parts(bytes: &[u8]) -> impl Iterator<Item = [&[u8]; 4]> {
    let empty: &[u8] = b"";
    (0..=bytes.len()).map(move |at| [&bytes[..at], empty, &bytes[at..], empty])
}

/// Returns all splits into three parts, with empty chunks between.
fn three_parts(bytes: &[u8]) -> impl Iterator<Item = [&[u8]; 5]> {
    let empty: &[u8] = b"";
    (0..=bytes.len()).flat_map(move |a| {
        (a..=bytes.len()).map(move |b| [&bytes[..a], empty, &bytes[a..b], empty, &bytes[b..]])
    })
}

fn to_other_memory_as_to_a_slice<U: Form>() {
    for encoding in input::representatives() {
        for bytes in input::byte_inputs() {
            let decoder = &mut encoding.new_decoder();
            let (replaced, fatal) = at_once::<U>(decoder, bytes);
            for chunks in two_parts(bytes) {
                for &memory in &U::MEMORIES[1..] {
                    for room in [U::LEAST, 9, 40] {
                        let how = How::LENIENT.to(memory);
                        let result = drive::decode_by(decoder, &chunks, room, how);
                        assert_eq!(result, replaced, "{}", case(encoding, &chunks, room));
                        let how = How::FATAL.to(memory);
                        let result = drive::decode_by(decoder, &chunks, room, how);
                        assert_eq!(result, fatal, "{}", case(encoding, &chunks, room));
                    }
                }
            }
        }
    }
}

#[test]
fn into_uninitialised_memory_and_text_as_into_initialised_units() {
    to_other_memory_as_to_a_slice::<u8>();
    to_other_memory_as_to_a_slice::<u16>();
}

/// Decodes over the front of a `str` of multi-byte characters and checks the rest of the string.
fn over_str(
    decoder: &mut Decoder,
    chunks: &[&[u8]],
    room: usize,
    fatal: bool,
) -> (String, Vec<(u64, u8)>) {
    let old: String = "漢é💩".chars().cycle().take(room).collect();
    let old = &old[..(room..).find(|&at| old.is_char_boundary(at)).unwrap()];
    let (mut text, mut errors) = (String::new(), Vec::new());
    for (i, chunk) in chunks.iter().enumerate() {
        let last = i + 1 == chunks.len();
        let mut rest = *chunk;
        loop {
            let mut dst = String::from(old);
            let progress = if fatal {
                decoder.decode_fatal(rest, &mut dst[..], last)
            } else {
                decoder.decode(rest, &mut dst[..], last)
            };
            let (status, read, written) = (progress.status, progress.read, progress.written);
            let after = String::from_utf8(dst.into_bytes()).expect("a str is UTF-8");
            let cut = (written..=old.len())
                .find(|&at| old.is_char_boundary(at))
                .unwrap();
            text.push_str(&after[..written]);
            assert!(
                after[written..cut].bytes().all(|byte| byte == 0),
                "{after:?}"
            );
            assert_eq!(&after[cut..], &old[cut..]);
            rest = &rest[read..];
            match status {
                Status::InputEmpty => break,
                Status::OutputFull => assert!(written > 0),
                Status::Malformed(sequence) => errors.push((sequence.offset, sequence.len)),
                Status::Unmappable(_) => unreachable!("a decoder has no such error"),
            }
        }
    }
    (text, errors)
}

#[test]
fn over_a_str_which_stays_well_formed() {
    for encoding in input::representatives() {
        for bytes in input::byte_inputs() {
            let decoder = &mut encoding.new_decoder();
            let (replaced, fatal) = at_once::<u8>(decoder, bytes);
            let places: Vec<_> = fatal.errors.iter().map(|e| (e.offset, e.len)).collect();
            for chunks in two_parts(bytes) {
                for room in [4, 5, 6, 7, 8, 13, 40] {
                    let result = over_str(decoder, &chunks, room, false);
                    assert_eq!(
                        result,
                        (replaced.text(), vec![]),
                        "{}",
                        case(encoding, &chunks, room)
                    );
                    let result = over_str(decoder, &chunks, room, true);
                    assert_eq!(
                        result,
                        (fatal.text(), places.clone()),
                        "{}",
                        case(encoding, &chunks, room)
                    );
                }
            }
        }
    }
}

#[test]
fn into_growing_strings_and_vectors() {
    for encoding in input::representatives() {
        for bytes in input::byte_inputs() {
            let decoder = &mut encoding.new_decoder();
            let (replaced, fatal) = at_once::<u8>(decoder, bytes);
            for chunks in three_parts(bytes) {
                let case = || case(encoding, &chunks, 0);
                let (mut text, mut units) = (String::from("«"), vec![0xAB]);
                let (mut errors, mut unit_errors) = (false, false);
                for to_text in [true, false] {
                    for (i, chunk) in chunks.iter().enumerate() {
                        let last = i + 1 == chunks.len();
                        let progress = if to_text {
                            let before = text.len();
                            let progress = decoder.decode_append(chunk, &mut text, last);
                            assert_eq!(progress.written, text.len() - before, "{}", case());
                            errors |= progress.had_errors;
                            progress
                        } else {
                            let before = units.len();
                            let progress = decoder.decode_append(chunk, &mut units, last);
                            assert_eq!(progress.written, units.len() - before, "{}", case());
                            unit_errors |= progress.had_errors;
                            progress
                        };
                        assert_eq!(progress.status, Status::InputEmpty, "{}", case());
                        assert_eq!(progress.read, chunk.len(), "{}", case());
                    }
                }
                assert_eq!(text, format!("«{}", replaced.text()), "{}", case());
                assert_eq!(String::from_utf16(&units).unwrap(), text, "{}", case());
                assert_eq!(
                    (errors, unit_errors),
                    (replaced.had_errors, replaced.had_errors)
                );
            }
            for chunks in two_parts(bytes) {
                grows_in_mode_fatal(decoder, encoding, &chunks, &fatal);
            }
        }
    }
}

fn grows_in_mode_fatal(
    decoder: &mut Decoder,
    encoding: &Encoding,
    chunks: &[&[u8]],
    fatal: &Decoding<u8>,
) {
    for to_text in [true, false] {
        let (mut text, mut units, mut errors) = (String::new(), Vec::new(), Vec::new());
        for (i, chunk) in chunks.iter().enumerate() {
            let last = i + 1 == chunks.len();
            let mut rest = *chunk;
            loop {
                let progress = if to_text {
                    decoder.decode_append_fatal(rest, &mut text, last)
                } else {
                    decoder.decode_append_fatal(rest, &mut units, last)
                };
                rest = &rest[progress.read..];
                let Status::Malformed(sequence) = progress.status else {
                    assert_eq!(progress.status, Status::InputEmpty);
                    break;
                };
                errors.push((sequence.offset, sequence.len));
            }
        }
        if !to_text {
            text = String::from_utf16(&units).unwrap();
        }
        let places: Vec<_> = fatal.errors.iter().map(|e| (e.offset, e.len)).collect();
        assert_eq!(
            (text, errors),
            (fatal.text(), places),
            "{}",
            case(encoding, chunks, 0)
        );
    }
}

#[test]
fn another_decoder_goes_on_from_the_incomplete_bytes() {
    let decode = |decoder: &mut Decoder, bytes: &[u8], last| {
        let mut text = String::new();
        decoder.decode_append(bytes, &mut text, last);
        text
    };
    let depends_on_more =
        |encoding: &&Encoding| encoding.is_stateful() || **encoding == *mojika::REPLACEMENT;
    for encoding in crate::common::everything().filter(|encoding| !depends_on_more(encoding)) {
        let new = || Decoder::new(encoding, BomHandling::Keep);
        for bytes in input::byte_inputs() {
            let whole = decode(&mut new(), bytes, true);
            for cut in 0..bytes.len().min(24) {
                let mut decoder = new();
                let text = decode(&mut decoder, &bytes[..cut], false);
                let incomplete = decoder.incomplete_len();
                let rest = decode(&mut new(), &bytes[cut - incomplete..], true);
                let case = case(encoding, &[bytes], cut);
                assert_eq!(text + &rest, whole, "{case}");
            }
        }
    }
    let mut decoder = Decoder::new(mojika::SHIFT_JIS, BomHandling::Sniff);
    decode(&mut decoder, b"\xEF\xBB", false);
    assert_eq!(decoder.incomplete_len(), 2);
    decode(&mut decoder, b"\xBFa\xC3", false);
    assert_eq!(decoder.incomplete_len(), 1);
    decode(&mut decoder, b"", true);
    assert_eq!(decoder.incomplete_len(), 0);
}

#[test]
fn unread_bytes_can_be_passed_again_at_every_cut() {
    let decode = |decoder: &mut Decoder, bytes: &[u8], last| {
        let mut text = String::new();
        let progress = decoder.decode_append(bytes, &mut text, last);
        assert_eq!(progress.status, Status::InputEmpty);
        text
    };
    for encoding in crate::common::everything() {
        for handling in HANDLINGS {
            for bytes in input::byte_inputs() {
                let whole = decode(&mut Decoder::new(encoding, handling), bytes, true);
                for cut in 0..bytes.len().min(24) {
                    let mut decoder = Decoder::new(encoding, handling);
                    let mut text = decode(&mut decoder, &bytes[..cut], false);
                    let incomplete = decoder.incomplete_len();
                    let unread = decoder.unread_incomplete();
                    let case = case(encoding, &[bytes], cut);
                    assert_eq!(unread, incomplete, "{case}");
                    assert_eq!(decoder.incomplete_len(), 0, "{case}");
                    assert_eq!(decoder.position(), (cut - unread) as u64, "{case}");
                    text += &decode(&mut decoder, &bytes[cut - unread..], true);
                    assert_eq!(text, whole, "{case}");
                    assert_eq!(decoder.unread_incomplete(), 0, "{case}");
                }
            }
        }
    }
}

#[test]
fn a_decoder_is_as_new_after_the_last_call() {
    for encoding in Encoding::all() {
        for bytes in input::byte_inputs() {
            for handling in HANDLINGS {
                let decoder = &mut Decoder::new(encoding, handling);
                let first = at_once::<u8>(decoder, bytes);
                // Until the next call, it describes the previous stream.
                let bom = match handling {
                    BomHandling::Sniff => Encoding::for_bom(bytes),
                    _ => None,
                };
                let ended = bom.map_or(*encoding, |(encoding, _)| encoding);
                assert_eq!(decoder.position(), bytes.len() as u64);
                assert_eq!(decoder.encoding(), ended);
                // Another stream between the two.
                drive::decode::<u16>(decoder, &[b"\xFE\xFF\x1B$B0\x81"], 64);
                assert_eq!(
                    at_once::<u8>(decoder, bytes),
                    first,
                    "{}",
                    case(encoding, &[bytes], 0)
                );
                // A stream that is abandoned.
                decoder.decode(bytes, &mut [0_u8; 8], false);
                decoder.reset();
                assert_eq!(
                    at_once::<u8>(decoder, bytes),
                    first,
                    "{}",
                    case(encoding, &[bytes], 0)
                );
            }
        }
    }
}

#[test]
fn a_clone_goes_on_from_where_its_original_stands() {
    for encoding in input::representatives() {
        for bytes in input::byte_inputs() {
            let mut whole = String::new();
            encoding
                .new_decoder()
                .decode_append(bytes, &mut whole, true);
            for at in 0..=bytes.len() {
                let mut decoder = encoding.new_decoder();
                let mut text = String::new();
                decoder.decode_append(&bytes[..at], &mut text, false);
                assert_eq!(decoder.position(), at as u64);
                let mut copy = (decoder.clone(), text.clone());
                decoder.decode_append(b"\xFF\x80", &mut text, true);
                copy.0.decode_append(&bytes[at..], &mut copy.1, true);
                assert_eq!(
                    copy.1,
                    whole,
                    "{}",
                    case(encoding, &[&bytes[..at], &bytes[at..]], 0)
                );
            }
        }
    }
}

#[test]
fn the_encoding_is_the_one_a_byte_order_mark_named() {
    for (mark, named) in [
        (&b"\xEF\xBB\xBF"[..], mojika::UTF_8),
        (b"\xFE\xFF", mojika::UTF_16BE),
        (b"\xFF\xFE", mojika::UTF_16LE),
    ] {
        for encoding in Encoding::all() {
            let mut decoder = encoding.new_decoder();
            let mut dst = [0_u8; 8];
            for (i, byte) in mark.iter().enumerate() {
                assert_eq!(
                    (decoder.encoding(), decoder.position()),
                    (*encoding, i as u64)
                );
                let progress = decoder.decode(&[*byte], &mut dst, false);
                assert_eq!((progress.read, progress.written), (1, 0), "{encoding}");
            }
            assert_eq!(decoder.encoding(), named);
            let mut decoder = Decoder::new(encoding, BomHandling::Remove);
            decoder.decode(mark, &mut dst, false);
            assert_eq!(decoder.encoding(), *encoding);
        }
    }
}
