//! Decoders with chunks and buffers of any size, and with every function, compared with a single call. The proof
//! compares single calls with the Standard, at every split.

use crate::common::{case, input};
use mojika::{BomHandling, Decoder, Encoding, Status};

const HANDLINGS: [BomHandling; 3] = [BomHandling::Sniff, BomHandling::Remove, BomHandling::Keep];

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
                for byte in bytes[..at].chunks(1) {
                    decoder.decode_append(byte, &mut text, false);
                    decoder.decode_append(b"", &mut text, false);
                }
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
