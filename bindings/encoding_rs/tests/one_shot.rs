//! Tests functions without streams in both crates: labels, properties, one-shot calls, formatting and `serde`.

mod common;

use common::input;
use common::{hex, ours, theirs};
use mojika_spec::Random;
use mojika_spec::odd::STARTS;
use std::borrow::Cow;
use std::hash::BuildHasher;

/// Compares the results of a call of both crates: the text, whether it is borrowed, and the other values.
macro_rules! same {
    ($name:expr, $bytes:expr, |$encoding:ident| $call:expr) => {{
        let ours = {
            let $encoding = ours::encoding($name);
            $call
        };
        let theirs = {
            let $encoding = theirs::encoding($name);
            $call
        };
        assert_eq!(ours, theirs, "{}: {}", $name, hex(&[$bytes]));
    }};
}

#[test]
fn labels_name_the_same_encodings() {
    let mut labels: Vec<Vec<u8>> = Vec::new();
    for encoding in mojika::Encoding::all() {
        for label in encoding.labels() {
            labels.push(label.as_bytes().to_vec());
            labels.push(format!(" \t{}\x0C\r\n", label.to_uppercase()).into_bytes());
            labels.push(format!("{label}x").into_bytes());
            labels.push(format!("{label} x").into_bytes());
            labels.push(format!("{label}\0").into_bytes());
            labels.push(format!("\x0B{label}").into_bytes());
        }
        labels.push(encoding.name().as_bytes().to_vec());
    }
    labels.extend(
        [
            &b""[..],
            b" ",
            b"\xFF",
            b"utf-8\xC3",
            b"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
        ]
        .map(Vec::from),
    );
    let mut random = Random::new(41);
    labels.extend((0..1000).map(|i| random.noise(i % 24)));
    for label in labels {
        assert_eq!(
            encoding_rs::Encoding::for_label(&label).map(|encoding| encoding.name()),
            published::Encoding::for_label(&label).map(|encoding| encoding.name()),
            "{}",
            hex(&[&label])
        );
        assert_eq!(
            encoding_rs::Encoding::for_label_no_replacement(&label).map(|encoding| encoding.name()),
            published::Encoding::for_label_no_replacement(&label).map(|encoding| encoding.name()),
        );
    }
}

#[test]
fn byte_order_marks_name_the_same_encodings() {
    for first in STARTS {
        for second in STARTS {
            let bytes = [first, second].concat();
            assert_eq!(
                encoding_rs::Encoding::for_bom(&bytes)
                    .map(|(encoding, len)| (encoding.name(), len)),
                published::Encoding::for_bom(&bytes).map(|(encoding, len)| (encoding.name(), len)),
            );
        }
    }
}

#[test]
fn encodings_have_the_same_properties() {
    for name in input::names() {
        same!(name, &[], |encoding| {
            let output = encoding.output_encoding().name();
            let to = encoding.new_encoder().encoding().name();
            let flags = [
                encoding.can_encode_everything(),
                encoding.is_ascii_compatible(),
                encoding.is_single_byte(),
            ];
            (
                encoding.name(),
                flags,
                output,
                to,
                format!("{encoding:?} {encoding:#?}"),
            )
        });
        let ours = ours::encoding(name);
        let hasher = std::hash::RandomState::new();
        for other in input::names() {
            let other = ours::encoding(other);
            assert_eq!(ours == other, name == other.name());
            assert_eq!(
                hasher.hash_one(ours) == hasher.hash_one(other),
                name == other.name()
            );
        }
    }
}

#[allow(clippy::ptr_arg, reason = "which variant it is, is the question")]
fn is_borrowed<T: ?Sized + ToOwned>(cow: &Cow<'_, T>) -> bool {
    matches!(cow, Cow::Borrowed(_))
}

fn check_decode(name: &'static str, bytes: &[u8]) {
    same!(name, bytes, |encoding| {
        let (text, found, had_errors) = encoding.decode(bytes);
        (is_borrowed(&text), text, found.name(), had_errors)
    });
    same!(name, bytes, |encoding| {
        let (text, had_errors) = encoding.decode_with_bom_removal(bytes);
        (is_borrowed(&text), text, had_errors)
    });
    same!(name, bytes, |encoding| {
        let (text, had_errors) = encoding.decode_without_bom_handling(bytes);
        (is_borrowed(&text), text, had_errors)
    });
    same!(name, bytes, |encoding| {
        let text = encoding.decode_without_bom_handling_and_without_replacement(bytes);
        (text.as_ref().map(is_borrowed), text)
    });
}

#[test]
fn whole_input_decodes_to_the_same() {
    let mut random = Random::new(42);
    for name in input::names() {
        check_decode(name, b"");
        for mark in STARTS {
            for round in 0..30 {
                let mut bytes = mark.to_vec();
                bytes.extend_from_slice(&b"ascii only, for a while, to be copied"[..round]);
                check_decode(name, &bytes);
                bytes.extend(input::stream(&mut random, name, 2 * round));
                check_decode(name, &bytes);
                // Well-formed input as well.
                let text = random.odd_text(4 * round);
                check_decode(
                    name,
                    &published::Encoding::encode(theirs::encoding(name), &text).0,
                );
            }
        }
    }
}

#[test]
fn whole_text_encodes_to_the_same() {
    let mut random = Random::new(43);
    for name in input::names() {
        for round in 0..60 {
            let text = if round % 3 == 0 {
                "plain \x0E~\\ascii"[..round / 4].to_owned()
            } else {
                random.odd_text(4 * round)
            };
            same!(name, text.as_bytes(), |encoding| {
                let (bytes, found, had_errors) = encoding.encode(&text);
                (is_borrowed(&bytes), bytes, found.name(), had_errors)
            });
        }
    }
}

#[test]
fn valid_prefixes_have_the_same_length() {
    let mut random = Random::new(44);
    for round in 0..3000 {
        let mut bytes = b"a".repeat(random.below(200));
        match round % 4 {
            0 => {}
            1 => bytes.extend(random.odd_text(40).bytes()),
            2 => bytes.extend(random.noise(20)),
            _ => bytes.push(
                *random
                    .pick(&[b"\x0E", b"\x0F", b"\x1B", b"\x80"])
                    .first()
                    .unwrap(),
            ),
        }
        bytes.extend(b"b".repeat(random.below(100)));
        use encoding_rs::Encoding as Ours;
        use published::Encoding as Theirs;
        assert_eq!(
            Ours::utf8_valid_up_to(&bytes),
            Theirs::utf8_valid_up_to(&bytes)
        );
        assert_eq!(
            Ours::ascii_valid_up_to(&bytes),
            Theirs::ascii_valid_up_to(&bytes)
        );
        assert_eq!(
            Ours::iso_2022_jp_ascii_valid_up_to(&bytes),
            Theirs::iso_2022_jp_ascii_valid_up_to(&bytes)
        );
    }
}

/// Computes the documented result of `latin1_byte_compatible_up_to`, byte by byte.
fn latin1_prefix_len(encoding: &'static encoding_rs::Encoding, bytes: &[u8]) -> usize {
    let is_itself = |byte: &u8| {
        let byte = std::slice::from_ref(byte);
        let text = encoding.decode_without_bom_handling_and_without_replacement(byte);
        text.is_some_and(|text| *text == *char::from(byte[0]).to_string())
    };
    let other = bytes.iter().position(|byte| !is_itself(byte));
    other.unwrap_or(bytes.len())
}

#[test]
fn latin1_prefixes_are_as_documented() {
    let all: Vec<u8> = (0..=0xFF).collect();
    let mut random = Random::new(45);
    for name in input::names() {
        let encoding = ours::encoding(name);
        let ours = encoding.new_decoder_without_bom_handling();
        let theirs = theirs::encoding(name).new_decoder_without_bom_handling();
        let check = |bytes: &[u8]| {
            let len = ours.latin1_byte_compatible_up_to(bytes);
            let their_len = theirs.latin1_byte_compatible_up_to(bytes);
            // For input that is entirely Latin-1 in a single-byte encoding, the published crate omits ASCII at its end.
            if encoding.is_single_byte() && name != "x-user-defined" && len == Some(bytes.len()) {
                assert!(their_len <= len, "{name} {}", hex(&[bytes]));
            } else {
                assert_eq!(len, their_len, "{name} {}", hex(&[bytes]));
            }
            if encoding.is_single_byte() {
                let expected = latin1_prefix_len(encoding, bytes);
                assert_eq!(len, Some(expected), "{name} {}", hex(&[bytes]));
            }
        };
        for at in 0..=0xFF {
            check(&all[at..]);
            check(&all[at..=at]);
        }
        for len in (0..40).chain(250..270).chain([511, 512, 513, 700]) {
            let mut bytes = b"a\xE9".repeat(len);
            check(&bytes);
            let at = random.below(bytes.len());
            if let Some(byte) = bytes.get_mut(at) {
                *byte = random.next() as u8;
            }
            check(&bytes);
        }
    }
}

#[test]
#[cfg(feature = "serde")]
fn serde_writes_names_and_reads_labels() {
    for name in input::names() {
        let written = serde_json::to_string(ours::encoding(name)).unwrap();
        assert_eq!(
            written,
            serde_json::to_string(theirs::encoding(name)).unwrap()
        );
    }
    for label in ["utf-8", "sjis", " Latin1 ", "", "nonsense", "replacement"] {
        let json = serde_json::to_string(label).unwrap();
        let ours = serde_json::from_str::<&'static encoding_rs::Encoding>(&json);
        let theirs = serde_json::from_str::<&'static published::Encoding>(&json);
        assert_eq!(
            ours.map(|encoding| encoding.name())
                .map_err(|error| error.to_string()),
            theirs
                .map(|encoding| encoding.name())
                .map_err(|error| error.to_string()),
        );
    }
}
