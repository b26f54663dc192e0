//! The codecs for tokio_util's framed streams give the same results as conversion of the whole stream.

#![cfg(feature = "tokio-util")]

use crate::common::{Random, hex};
use crate::inner::{decode_error, encode_error};
use futures_util::{SinkExt, StreamExt};
use mojika::io::codec::{DecodeCodec, EncodeCodec, EndOfText};
use mojika::{Encoding, Fallback, ISO_2022_JP, SHIFT_JIS, UTF_8, UTF_16BE, WINDOWS_1252};
use std::borrow::Cow;
use tokio_util::bytes::BytesMut;
use tokio_util::codec::{Decoder, Encoder, FramedRead, FramedWrite};

/// Decodes bytes that arrive in chunks. Returns the pieces of text, and the errors.
fn pieces(mut decoder: DecodeCodec, bytes: &[u8], chunk: usize) -> Vec<Result<String, (u64, u8)>> {
    let mut pieces = Vec::new();
    let mut src = BytesMut::new();
    let mut note = |result: std::io::Result<Option<String>>| match result {
        Ok(None) => false,
        Ok(Some(text)) => {
            assert!(!text.is_empty());
            pieces.push(Ok(text));
            true
        }
        Err(error) => {
            let sequence = decode_error(&error).sequence;
            pieces.push(Err((sequence.offset, sequence.len)));
            true
        }
    };
    for chunk in bytes.chunks(chunk) {
        src.extend_from_slice(chunk);
        while note(decoder.decode(&mut src)) {}
        assert!(src.is_empty(), "all bytes are taken");
    }
    while note(decoder.decode_eof(&mut src)) {}
    assert!(!note(decoder.decode_eof(&mut src)), "still at the end");
    pieces
}

#[test]
fn pieces_make_up_what_one_shot_decodes() {
    let mut random = Random::new(95);
    for &encoding in Encoding::all() {
        for bytes in [
            random.odd_bytes(0),
            random.odd_bytes(40),
            random.odd_bytes(900),
        ] {
            let decoded = encoding.decode(&bytes);
            let fatal = crate::common::drive::decode_fatal::<u8>(
                &mut encoding.new_decoder(),
                &[&bytes],
                4 * bytes.len() + 16,
            );
            for chunk in crate::inner::CHUNKS {
                let replaced = pieces(DecodeCodec::new(encoding), &bytes, chunk);
                let text: String = replaced
                    .into_iter()
                    .map(|piece| piece.expect("text"))
                    .collect();
                assert_eq!(text, decoded.text, "{encoding}, {chunk}: {}", hex(&bytes));
                let mut text = String::new();
                let mut errors = Vec::new();
                for piece in pieces(DecodeCodec::new(encoding).fatal(), &bytes, chunk) {
                    match piece {
                        Ok(piece) => text.push_str(&piece),
                        Err((offset, len)) => errors.push(crate::common::DecodeError {
                            at: text.len(),
                            offset,
                            len,
                        }),
                    }
                }
                assert_eq!(text, fatal.text(), "{encoding}, {chunk}: {}", hex(&bytes));
                assert_eq!(errors, fatal.errors, "{encoding}, {chunk}: {}", hex(&bytes));
            }
        }
    }
}

#[test]
fn a_stream_after_the_end_is_another_one() {
    let mut decoder = DecodeCodec::new(WINDOWS_1252);
    let mut src = BytesMut::from(&b"\xFE\xFF\0a\0"[..]);
    assert_eq!(
        decoder.decode_eof(&mut src).expect("text").as_deref(),
        Some("a\u{FFFD}")
    );
    assert_eq!(decoder.encoding(), UTF_16BE);
    assert!(decoder.had_errors());
    assert_eq!(decoder.byte_position(), 5);
    assert_eq!(decoder.decode_eof(&mut src).expect("the end"), None);
    src.extend_from_slice(b"\xE9");
    assert_eq!(
        decoder.decode(&mut src).expect("text").as_deref(),
        Some("é")
    );
    assert_eq!(decoder.encoding(), WINDOWS_1252);
}

#[test]
fn encoded_pieces_make_up_what_one_shot_encodes() {
    let mut random = Random::new(96);
    for &encoding in Encoding::all() {
        for text in [random.odd_text(10), random.odd_text(400)] {
            let Ok(expected) = encoding.encode_html(&text) else {
                continue;
            };
            let mut encoder = EncodeCodec::new(encoding).expect("an encoder").html();
            let mut dst = BytesMut::new();
            for (i, piece) in text.split_inclusive(|c| u32::from(c) % 5 == 0).enumerate() {
                match i % 3 {
                    0 => encoder.encode(piece, &mut dst),
                    1 => encoder.encode(piece.to_string(), &mut dst),
                    _ => encoder.encode(Cow::Borrowed(piece), &mut dst),
                }
                .expect("no error");
            }
            encoder.encode(EndOfText, &mut dst).expect("no error");
            assert_eq!(hex(&dst), hex(&expected.bytes), "{encoding}: {text:?}");
            assert_eq!(encoder.had_errors(), expected.had_errors);
            assert_eq!(encoder.text_position(), text.len() as u64);
        }
    }
}

#[test]
fn an_unmappable_scalar_value_has_its_offset_in_the_stream() {
    let mut encoder = EncodeCodec::new(WINDOWS_1252).expect("an encoder");
    let mut dst = BytesMut::new();
    encoder.encode("né", &mut dst).expect("mappable");
    let error = encoder.encode("a→b", &mut dst).expect_err("an arrow");
    assert_eq!(encode_error(&error), ('→', 4));
    let error = encoder.encode("→", &mut dst).expect_err("an arrow");
    assert_eq!(encode_error(&error), ('→', 8));
    assert_eq!(&dst[..], b"n\xE9a");
    let long =
        "a fallback that is longer than the room that there is for one character, or for two";
    let mut encoder = encoder.on_unmappable(|_| Fallback::Text(long.into()));
    encoder.encode("→", &mut dst).expect("a fallback");
    assert_eq!(dst[3..], *long.as_bytes());
}

#[tokio::test]
async fn framed_streams() {
    let bytes = ISO_2022_JP.encode("文字化 abc").expect("mappable");
    let mut read = FramedRead::with_capacity(&bytes[..], DecodeCodec::new(ISO_2022_JP), 3);
    let mut write = FramedWrite::new(Vec::new(), EncodeCodec::new(SHIFT_JIS).expect("an encoder"));
    while let Some(piece) = read.next().await {
        write.send(piece.expect("text")).await.expect("no error");
    }
    assert_eq!(
        write.get_ref(),
        &*SHIFT_JIS.encode("文字化 abc").expect("mappable")
    );
    let mut write = FramedWrite::new(
        Vec::new(),
        EncodeCodec::new(ISO_2022_JP).expect("an encoder"),
    );
    write.send("文").await.expect("no error");
    write.send("字").await.expect("no error");
    assert_eq!(write.get_ref(), b"\x1B$BJ8;z");
    write.send(EndOfText).await.expect("no error");
    assert_eq!(write.get_ref(), b"\x1B$BJ8;z\x1B(B");
    let mut read = FramedRead::new(&b"ab\xFFcd"[..], DecodeCodec::new(UTF_8).fatal());
    assert_eq!(read.next().await.expect("ab").expect("text"), "ab");
    assert!(read.next().await.expect("an error").is_err());
    assert!(read.next().await.is_none(), "the stream pauses at an error");
    assert_eq!(read.next().await.expect("cd").expect("text"), "cd");
}
