//! The transliteration against encoding_rs, an independent implementation of the same Standard.
//!
//! The comparison allows one documented divergence of encoding_rs:
//!
//! - UTF-16BE/LE and replacement have UTF-8's encoder there. Here they have none, so encoding leaves them out.

use encoding_rs::{DecoderResult, EncoderResult};
use mojika_spec::odd::STARTS;
use mojika_spec::{DecodeItem, EncodeItem, Encoding, Random, decode_fragments, encode_fragments};

fn peer(encoding: Encoding) -> &'static encoding_rs::Encoding {
    let peer = encoding_rs::Encoding::for_label(encoding.name().as_bytes()).expect("a label");
    assert_eq!(peer.name(), encoding.name());
    peer
}

#[derive(Debug, PartialEq, Eq)]
enum Decoded {
    Scalar(char),
    Malformed {
        offset: usize,
        len: usize,
        end: usize,
    },
}

fn spec_decode(encoding: Encoding, bytes: &[u8]) -> Vec<Decoded> {
    decode_fragments(encoding, bytes)
        .into_iter()
        .map(|item| match item {
            DecodeItem::Scalar { value, .. } => Decoded::Scalar(value),
            DecodeItem::Error { offset, len, end } => Decoded::Malformed { offset, len, end },
        })
        .collect()
}

/// Decodes by encoding_rs with enough output space; `end` is the number of bytes read minus the bytes "after".
fn peer_decode(encoding: Encoding, bytes: &[u8]) -> Vec<Decoded> {
    let mut decoder = peer(encoding).new_decoder_without_bom_handling();
    let mut buffer = vec![0; 64 + bytes.len() * 4];
    let mut decoded = Vec::new();
    let mut total = 0;
    loop {
        let (result, read, written) =
            decoder.decode_to_utf8_without_replacement(&bytes[total..], &mut buffer, true);
        total += read;
        let text = std::str::from_utf8(&buffer[..written]).expect("UTF-8");
        decoded.extend(text.chars().map(Decoded::Scalar));
        match result {
            DecoderResult::InputEmpty => return decoded,
            DecoderResult::OutputFull => panic!("the buffer is large enough"),
            DecoderResult::Malformed(len, after) => {
                let (len, after) = (usize::from(len), usize::from(after));
                decoded.push(Decoded::Malformed {
                    offset: total - after - len,
                    len,
                    end: total - after,
                });
            }
        }
    }
}

/// Compares offsets, lengths and scalar values. `end` may exceed the malformed sequence only in the two special cases of
/// ISO-2022-JP.
fn compare_decode(encoding: Encoding, bytes: &[u8]) {
    let spec: Vec<Decoded> = spec_decode(encoding, bytes)
        .into_iter()
        .map(|item| match item {
            Decoded::Malformed { offset, len, end } => {
                assert!(
                    offset + len == end
                        || (encoding == Encoding::Iso2022Jp
                            && [1, 3].contains(&(end - offset - len))),
                    "{} {bytes:02X?}: {offset} {len} {end}",
                    encoding.name()
                );
                Decoded::Malformed {
                    offset,
                    len,
                    end: offset + len,
                }
            }
            scalar => scalar,
        })
        .collect();
    assert_eq!(
        spec,
        peer_decode(encoding, bytes),
        "{} {bytes:02X?}",
        encoding.name()
    );
}

fn compare_encode(encoding: Encoding, scalar_values: &[char]) {
    let mut spec_bytes = Vec::new();
    let mut spec_unmappable = Vec::new();
    for item in encode_fragments(encoding, scalar_values) {
        match item {
            EncodeItem::Bytes { bytes, .. } => spec_bytes.extend_from_slice(&bytes),
            EncodeItem::Unmappable { code_point, index } => {
                spec_unmappable.push((code_point, index, spec_bytes.len()));
            }
        }
    }

    let string: String = scalar_values.iter().collect();
    let mut encoder = peer(encoding).new_encoder();
    let mut buffer = vec![0; 64 + string.len() * 10];
    let mut peer_bytes = Vec::new();
    let mut peer_unmappable = Vec::new();
    let (mut total, mut characters) = (0, 0);
    loop {
        let (result, read, written) =
            encoder.encode_from_utf8_without_replacement(&string[total..], &mut buffer, true);
        characters += string[total..total + read].chars().count();
        total += read;
        peer_bytes.extend_from_slice(&buffer[..written]);
        match result {
            EncoderResult::InputEmpty => break,
            EncoderResult::OutputFull => panic!("the buffer is large enough"),
            EncoderResult::Unmappable(c) => {
                peer_unmappable.push((c, characters - 1, peer_bytes.len()))
            }
        }
    }
    let name = encoding.name();
    assert_eq!(spec_unmappable, peer_unmappable, "{name} {string:?}");
    assert!(
        spec_bytes == peer_bytes,
        "{name} {string:?}: {spec_bytes:02X?} {peer_bytes:02X?}"
    );
}

/// Any encoding; those of more than one byte weigh more.
fn any(random: &mut Random) -> Encoding {
    let heavy = Encoding::ALL
        .iter()
        .filter(|one| !(1..29).contains(&one.number()));
    let heavy: Vec<_> = heavy.collect();
    match random.below(8) {
        0 => *random.pick(&Encoding::ALL),
        _ => **random.pick(&heavy),
    }
}

/// Text with bytes in an encoding for most of its characters.
fn text(random: &mut Random, encoding: Encoding) -> String {
    let bytes = random.odd_bytes(12);
    let own = peer(encoding).decode_without_bom_handling(&bytes).0;
    own.into_owned() + &random.odd_text(3)
}

#[test]
fn labels_are_those_of_encoding_rs() {
    for (encoding, labels) in mojika_spec::labels::LABELS {
        for label in labels {
            let peer = encoding_rs::Encoding::for_label(label.as_bytes()).expect("a label");
            assert_eq!(peer.name(), encoding.name(), "{label}");
        }
        let output = mojika_spec::get_an_output_encoding(encoding);
        assert_eq!(output.name(), peer(encoding).output_encoding().name());
    }
}

#[test]
fn all_inputs_of_one_and_two_bytes_decode_alike() {
    for encoding in Encoding::ALL {
        compare_decode(encoding, &[]);
        for first in 0..=0xFF {
            compare_decode(encoding, &[first]);
            for second in 0..=0xFF {
                compare_decode(encoding, &[first, second]);
            }
        }
    }
}

#[test]
fn two_bytes_after_a_designation_decode_alike() {
    for designation in [b"\x1B(B", b"\x1B(J", b"\x1B(I", b"\x1B$@", b"\x1B$B"] {
        for first in 0..=0xFF {
            for second in 0..=0xFF {
                let [a, b, c] = *designation;
                compare_decode(Encoding::Iso2022Jp, &[a, b, c, first, second]);
            }
        }
    }
}

#[test]
fn all_three_byte_sequences_of_euc_jp_decode_alike() {
    for second in 0x80..=0xFF {
        for third in 0x00..=0xFF {
            compare_decode(Encoding::EucJp, &[0x8F, second, third]);
        }
    }
}

#[test]
fn all_four_byte_sequences_of_gb18030_decode_alike() {
    // One stream for each first byte, with 12,600 sequences.
    for first in 0x81..=0xFE {
        let mut bytes = Vec::new();
        for second in 0x30..=0x39 {
            for third in 0x81..=0xFE {
                for fourth in 0x30..=0x39 {
                    bytes.extend([first, second, third, fourth]);
                }
            }
        }
        compare_decode(Encoding::Gb18030, &bytes);
    }
}

fn compare_all_scalar_values(encodings: &[Encoding]) {
    let all: Vec<char> = ('\u{0}'..=char::MAX).collect();
    for &encoding in encodings {
        if encoding.encoder().is_some() {
            for chunk in all.chunks(0x1000) {
                compare_encode(encoding, chunk);
            }
        }
    }
}

// Two tests, because they take long and run in parallel.
#[test]
fn all_scalar_values_encode_alike_in_single_byte_encodings() {
    compare_all_scalar_values(&Encoding::ALL[1..29]);
}

#[test]
fn all_scalar_values_encode_alike_in_the_others() {
    compare_all_scalar_values(&Encoding::ALL[..1]);
    compare_all_scalar_values(&Encoding::ALL[29..]);
}

#[test]
fn random_bytes_decode_alike() {
    let mut random = Random::new(0x6D6F_6A69_6B61);
    for _ in 0..40_000 {
        let encoding = any(&mut random);
        let length = random.below(24);
        compare_decode(encoding, &random.odd_bytes(length));
    }
}

#[test]
fn random_text_encodes_alike() {
    let mut random = Random::new(0x6B61_6A69_6F6D);
    for _ in 0..40_000 {
        let encoding = any(&mut random);
        if encoding.encoder().is_some() {
            let text: Vec<char> = text(&mut random, encoding).chars().collect();
            compare_encode(encoding, &text);
        }
    }
}

#[test]
fn replaced_output_is_that_of_encoding_rs() {
    let mut random = Random::new(0x7370_6563);
    for _ in 0..20_000 {
        let encoding = any(&mut random);
        let mut bytes = random.odd_bytes(24);
        if random.below(3) == 0 {
            let start = *random.pick::<&[u8]>(&STARTS);
            bytes.splice(0..0, start.iter().copied());
        }
        let spec = mojika_spec::hooks::decode_bytes(&bytes, encoding);
        assert_eq!(
            spec,
            peer(encoding).decode(&bytes).0,
            "{} {bytes:02X?}",
            encoding.name()
        );
        let text = text(&mut random, encoding);
        if encoding.encoder().is_some() {
            let spec = mojika_spec::hooks::encode_string(&text, encoding);
            assert_eq!(
                spec,
                *peer(encoding).encode(&text).0,
                "{} {text:?}",
                encoding.name()
            );
        }
    }
}
