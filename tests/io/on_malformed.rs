//! Handlers of malformed sequences: called once for each one, in order. The text is that of mode "replacement".

#![cfg(feature = "std")]

use crate::common::{Random, case, drive, everything, in_turns, input};
use crate::inner::{CHUNKS, Trickle, decode_error, unblocked};
use mojika::io::DecodeReader;
use mojika::offsets::{DenseOffsetMapBuilder, OffsetMapBuilder, OffsetMapOptions};
use mojika::{BomHandling, Encoding, MalformedSequence, SHIFT_JIS};
use std::io::Read;

type Places = Vec<(u64, u8)>;

fn place(sequence: MalformedSequence) -> (u64, u8) {
    (sequence.offset, sequence.len)
}

/// Returns the text with U+FFFD, and the malformed sequences that error mode "fatal" reports.
fn expected(encoding: &'static Encoding, bytes: &[u8]) -> (String, Places) {
    let room = 4 * bytes.len() + 16;
    let fatal = drive::decode_fatal::<u8>(&mut encoding.new_decoder(), &[bytes], room);
    let places = fatal.errors.iter().map(|error| (error.offset, error.len));
    (encoding.decode(bytes).text.into_owned(), places.collect())
}

fn inputs(random: &mut Random) -> Vec<Vec<u8>> {
    let mut inputs: Vec<_> = input::byte_inputs().into_iter().map(Vec::from).collect();
    inputs.extend([30, 300, 5000].map(|length| random.odd_bytes(length)));
    inputs
}

#[test]
fn readers_report_what_fatal_reports() {
    let (mut random, mut turn) = (Random::new(303), 0);
    for encoding in everything() {
        turn += 1;
        for bytes in in_turns(inputs(&mut random), 3, turn) {
            let expected = expected(encoding, &bytes);
            turn += 2;
            for chunk in CHUNKS {
                turn += 1;
                for room in in_turns([1, 2, 3, 4, 7, 64, 2048, 100_000], 4, turn) {
                    let (mut places, mut utf_8) = (Vec::new(), Vec::new());
                    let inner = Trickle::troubled(&bytes, chunk);
                    let mut reader = DecodeReader::new(inner, encoding)
                        .with_capacity(*random.pick(&[16, 100, 32768]))
                        .on_malformed(|sequence| places.push(place(sequence)));
                    let mut buf = vec![0; room];
                    loop {
                        match unblocked(|| reader.read(&mut buf)).expect("no error") {
                            0 => break,
                            n => utf_8.extend_from_slice(&buf[..n]),
                        }
                    }
                    assert_eq!(reader.byte_position(), bytes.len() as u64);
                    assert_eq!(reader.had_errors(), !expected.1.is_empty());
                    drop(reader);
                    let found = (String::from_utf8(utf_8).expect("UTF-8"), places);
                    assert_eq!(found, expected, "{}", case(encoding, &[&bytes], room));
                }
                let (mut places, mut text) = (Vec::new(), String::new());
                let inner = Trickle::troubled(&bytes, chunk);
                let mut reader = DecodeReader::new(inner, encoding)
                    .on_malformed(|sequence| places.push(place(sequence)));
                unblocked(|| reader.read_to_string(&mut text)).expect("no error");
                drop(reader);
                assert_eq!((text, places), expected, "{}", case(encoding, &[&bytes], 0));
            }
        }
    }
}

#[test]
fn the_later_of_fatal_and_a_handler_counts() {
    let source = &b"a\xFFb"[..];
    let mut text = String::new();
    let unasked = |_: MalformedSequence| panic!("asked");
    let mut reader = DecodeReader::new(source, SHIFT_JIS).on_malformed(unasked);
    reader = reader.fatal();
    let error = reader.read_to_string(&mut text).expect_err("an error");
    assert_eq!(place(decode_error(&error).sequence), (1, 1));
    text.clear();
    let mut places = Vec::new();
    let mut reader = DecodeReader::new(source, SHIFT_JIS)
        .fatal()
        .on_malformed(|sequence| places.push(place(sequence)));
    reader.read_to_string(&mut text).expect("no error");
    drop(reader);
    assert_eq!((&*text, &places[..]), ("a\u{FFFD}b", &[(1, 1)][..]));
}

#[test]
fn builders_of_maps_report_what_fatal_reports() {
    let mut random = Random::new(304);
    for (number, encoding) in everything().enumerate() {
        for bytes in in_turns(inputs(&mut random), 3, number) {
            let expected = expected(encoding, &bytes);
            let case = || case(encoding, &[&bytes], 0);
            let (mut places, mut dense_places) = (Vec::new(), Vec::new());
            let options = OffsetMapOptions::default().interval(64);
            let mut builder = OffsetMapBuilder::with_options(encoding, options)
                .on_malformed(|sequence| places.push(place(sequence)));
            let mut dense_builder = DenseOffsetMapBuilder::new(encoding, BomHandling::Sniff)
                .on_malformed(|sequence| dense_places.push(place(sequence)));
            let mut plain = OffsetMapBuilder::with_options(encoding, options);
            // Decode twice, because a builder keeps its handler for the next stream.
            for _ in 0..2 {
                let (mut text, mut units) = (String::new(), Vec::<u16>::new());
                let mut rest = &bytes[..];
                loop {
                    let (chunk, behind) = rest.split_at(rest.len().min(1 + random.below(400)));
                    let last = behind.is_empty();
                    let progress = builder.decode_append(chunk, &mut text, last);
                    let without = plain.decode_append(chunk, &mut String::new(), last);
                    assert_eq!(progress.had_errors, without.had_errors, "{}", case());
                    dense_builder.decode_append(chunk, &mut units, last);
                    rest = behind;
                    if last {
                        break;
                    }
                }
                let units = String::from_utf16(&units).expect("UTF-16");
                assert_eq!((&text, &units), (&expected.0, &expected.0), "{}", case());
                let maps = [builder.map(), plain.map()].map(|map| format!("{map:?}"));
                assert_eq!(maps[0], maps[1], "{}", case());
            }
            drop((builder, dense_builder));
            let twice = expected.1.repeat(2);
            assert_eq!((&places, &dense_places), (&twice, &twice), "{}", case());
        }
    }
}

#[cfg(feature = "tokio")]
#[tokio::test]
async fn async_readers_report_what_fatal_reports() {
    use ::tokio::io::AsyncReadExt;
    let mut random = Random::new(305);
    for encoding in everything() {
        for bytes in inputs(&mut random) {
            let (mut places, mut text) = (Vec::new(), String::new());
            let mut reader = mojika::io::tokio::AsyncDecodeReader::new(&bytes[..], encoding)
                .with_capacity(*random.pick(&[16, 100, 32768]))
                .on_malformed(|sequence| places.push(place(sequence)));
            reader.read_to_string(&mut text).await.expect("no error");
            drop(reader);
            let expected = expected(encoding, &bytes);
            assert_eq!((text, places), expected, "{}", case(encoding, &[&bytes], 0));
        }
    }
}

#[cfg(feature = "tokio-util")]
#[test]
fn codecs_report_what_fatal_reports() {
    use tokio_util::bytes::BytesMut;
    use tokio_util::codec::Decoder;
    let mut random = Random::new(306);
    for encoding in everything() {
        for bytes in inputs(&mut random) {
            for chunk in CHUNKS {
                let (mut places, mut text) = (Vec::new(), String::new());
                let mut decoder = mojika::io::codec::DecodeCodec::new(encoding)
                    .on_malformed(|sequence| places.push(place(sequence)));
                let mut src = BytesMut::new();
                for chunk in bytes.chunks(chunk) {
                    src.extend_from_slice(chunk);
                    while let Some(piece) = decoder.decode(&mut src).expect("no error") {
                        text.push_str(&piece);
                    }
                }
                while let Some(piece) = decoder.decode_eof(&mut src).expect("no error") {
                    text.push_str(&piece);
                }
                drop(decoder);
                let expected = expected(encoding, &bytes);
                assert_eq!(
                    (text, places),
                    expected,
                    "{}",
                    case(encoding, &[&bytes], chunk)
                );
            }
        }
    }
}
