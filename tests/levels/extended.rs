//! The encodings of `mojika::extended` against a slow and obvious reference with its own tables:
//! the facts in `gen/extended`. The engine has only the generator's tables.

#![cfg(feature = "std")]

use crate::common::{at_every_level, in_turns};
use mojika::io::{DecodeReader, EncodeWriter};
use mojika::offsets::{OffsetMapBuilder, TextUnit};
use mojika::{BomHandling, Decoder, Encoding, Status, extended};
use mojika_spec::Random;
use std::collections::BTreeMap;
use std::io::{Read, Write};

/// A page: code point by byte, `None` where it is unmapped.
struct Page {
    encoding: &'static Encoding,
    decode: Vec<Option<char>>,
    encode: BTreeMap<char, u8>,
}

impl Page {
    fn read(encoding: &'static Encoding) -> Option<Self> {
        if encoding.code_unit_len() > 1 {
            return None;
        }
        let name = encoding.name().to_lowercase();
        let path = format!("{}/gen/extended/{name}.txt", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(path).ok()?;
        let mut decode = vec![None; 256];
        let mut encode = BTreeMap::new();
        for line in text.lines().filter(|line| line.starts_with("0x")) {
            let (byte, code_point) = line[2..].split_once("\t0x").unwrap();
            let byte = u8::from_str_radix(byte, 16).unwrap();
            let c = char::from_u32(u32::from_str_radix(code_point, 16).unwrap()).unwrap();
            decode[usize::from(byte)] = Some(c);
            encode.insert(c, byte);
        }
        Some(Self {
            encoding,
            decode,
            encode,
        })
    }

    fn decoded(&self, bytes: &[u8]) -> String {
        let char_of = |&byte: &u8| self.decode[usize::from(byte)].unwrap_or('\u{FFFD}');
        bytes.iter().map(char_of).collect()
    }

    /// In error mode "html".
    fn encoded(&self, text: &str) -> Vec<u8> {
        let mut bytes = Vec::new();
        for c in text.chars() {
            match self.encode.get(&c) {
                Some(&byte) => bytes.push(byte),
                None => {
                    let reference = format!("&#{};", u32::from(c));
                    bytes.extend(reference.chars().map(|c| self.encode[&c]));
                }
            }
        }
        bytes
    }

    /// Returns bytes at random: any, mapped ones, or mostly letters.
    fn bytes(&self, random: &mut Random, length: usize) -> Vec<u8> {
        let kind = random.below(3);
        let mut bytes = Vec::new();
        while bytes.len() < length {
            let byte = random.below(256) as u8;
            let c = self.decode[usize::from(byte)];
            if kind == 0 || (kind == 1 && c.is_some()) || c.is_some_and(char::is_alphanumeric) {
                bytes.push(byte);
            }
        }
        bytes
    }

    fn text(&self, random: &mut Random, length: usize) -> String {
        let mut text = self.decoded(&self.bytes(random, length));
        if random.below(2) == 0 {
            let at = text.char_indices().nth(length / 2).map_or(0, |(at, _)| at);
            text.insert_str(at, "€Ж漢💩");
        } else {
            text = text.replace('\u{FFFD}', "x");
        }
        text
    }
}

fn pages() -> Vec<Page> {
    extended::all().filter_map(Page::read).collect()
}

fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02X} ")).collect()
}

#[test]
fn every_single_byte_encoding_has_its_facts() {
    let single_byte = extended::all().filter(|encoding| encoding.is_single_byte());
    let others = pages();
    let others = others.iter().filter(|page| !page.encoding.is_single_byte());
    let names: Vec<_> = others.map(|page| page.encoding.name()).collect();
    // They lack characters of ASCII, or have a character twice.
    assert_eq!(
        names,
        [
            "IBM1133",
            "VISCII",
            "IBM420",
            "IBM1097",
            "IBM16804",
            "ARMSCII-8",
            "IBM1046",
            "TCVN5712-1",
            "MacHebrew",
            "MacArabic",
        ]
    );
    assert_eq!(pages().len(), single_byte.count() + names.len());
    assert!(pages().len() > 40);
}

#[test]
fn every_byte_decodes_as_the_facts_say_and_every_scalar_value_encodes_so() {
    // Beyond the BMP nothing is mapped.
    let scalars: String = ('\0'..='\u{10100}').collect();
    let pages: Vec<_> = pages()
        .into_iter()
        .map(|page| (page.encoded(&scalars), page))
        .collect();
    let mut turn = 0;
    at_every_level(|level| {
        turn += 1;
        for (expected, page) in in_turns(&pages, 2, turn) {
            let name = page.encoding;
            for byte in 0..=255_u8 {
                let decoded = page.encoding.decode_without_bom(&[byte]);
                assert_eq!(decoded, page.decoded(&[byte]), "{name} {level} {byte:02X}");
            }
            let all: Vec<u8> = (0..=255).cycle().take(2048).collect();
            let decoded = page.encoding.decode_without_bom(&all);
            assert_eq!(decoded, page.decoded(&all), "{name} {level}");
            let encoded = page.encoding.encode_html(&scalars).unwrap();
            assert!(*encoded.bytes == **expected, "{name} {level}");
        }
    });
}

trait WithoutBom {
    fn decode_without_bom(&'static self, bytes: &[u8]) -> String;
}

impl WithoutBom for Encoding {
    fn decode_without_bom(&'static self, bytes: &[u8]) -> String {
        let mut text = String::new();
        Decoder::new(self, BomHandling::Keep).decode_append(bytes, &mut text, true);
        text
    }
}

#[test]
fn any_length_converts_both_ways_to_utf8_and_utf16() {
    at_every_level(|level| {
        let mut random = Random::new(0x9E37_79B9_7F4A_7C15);
        for (number, page) in pages().into_iter().enumerate() {
            let lengths = (0..100).chain([127, 128, 500, 2047, 2048, 2049, 5000]);
            for length in in_turns(lengths, 4, number) {
                let name = page.encoding;
                let bytes = page.bytes(&mut random, length);
                let expected = page.decoded(&bytes);
                let text = page.encoding.decode_without_bom(&bytes);
                assert_eq!(text, expected, "{name} {level} {}", hex(&bytes));
                let mut units = vec![0; length + 4];
                let mut decoder = Decoder::new(page.encoding, BomHandling::Keep);
                let progress = decoder.decode(&bytes, &mut units[..], true);
                let expected: Vec<u16> = expected.encode_utf16().collect();
                assert_eq!(
                    units[..progress.written],
                    expected,
                    "{name} {level} {}",
                    hex(&bytes)
                );

                let text = page.text(&mut random, length);
                let expected = page.encoded(&text);
                let encoded = page.encoding.encode_html(&text).unwrap();
                assert_eq!(
                    hex(&encoded.bytes),
                    hex(&expected),
                    "{name} {level} {text:?}"
                );
                let units: Vec<u16> = text.encode_utf16().collect();
                let mut encoder = page.encoding.new_encoder().unwrap();
                let most = encoder.max_length_from_utf16_html(units.len()).unwrap();
                let mut dst = vec![0; most];
                let progress = encoder.encode_html(&units, &mut dst[..], true);
                assert_eq!(
                    hex(&dst[..progress.written]),
                    hex(&expected),
                    "{name} {level} {text:?}"
                );
            }
        }
    });
}

#[test]
fn chunks_and_output_sizes_do_not_matter() {
    at_every_level(|level| {
        let mut random = Random::new(0x1234_5678_9ABC_DEF1);
        for page in pages() {
            let name = page.encoding;
            let bytes = page.bytes(&mut random, 70);
            let text = page.text(&mut random, 70);
            let (expected, expected_bytes) = (page.decoded(&bytes), hex(&page.encoded(&text)));
            for cut in 0..=bytes.len() {
                for room in in_turns([4, 5, 7, 16, 300], 3, cut) {
                    let mut decoder = Decoder::new(page.encoding, BomHandling::Keep);
                    let (mut decoded, mut dst) = (Vec::new(), vec![0; room]);
                    for (mut chunk, last) in [(&bytes[..cut], false), (&bytes[cut..], true)] {
                        loop {
                            let progress = decoder.decode(chunk, &mut dst[..], last);
                            decoded.extend_from_slice(&dst[..progress.written]);
                            chunk = &chunk[progress.read..];
                            if progress.status == Status::InputEmpty {
                                break;
                            }
                        }
                    }
                    assert_eq!(
                        String::from_utf8_lossy(&decoded),
                        expected,
                        "{name} {level} {cut} {room} {}",
                        hex(&bytes)
                    );
                    let Some((head, tail)) = text.split_at_checked(cut) else {
                        continue;
                    };
                    let mut encoder = page.encoding.new_encoder().unwrap();
                    let mut encoded = Vec::new();
                    for (mut chunk, last) in [(head, false), (tail, true)] {
                        loop {
                            let progress = encoder.encode_html(chunk, &mut dst[..], last);
                            encoded.extend_from_slice(&dst[..progress.written]);
                            chunk = &chunk[progress.read..];
                            if progress.status == Status::InputEmpty {
                                break;
                            }
                        }
                    }
                    assert_eq!(
                        hex(&encoded),
                        expected_bytes,
                        "{name} {level} {cut} {room} {text:?}"
                    );
                }
            }
        }
    });
}

#[test]
fn errors_say_where() {
    for page in pages() {
        let letter = page.encode[&'x'];
        if let Some(bad) = (0..=255).find(|&byte| page.decode[usize::from(byte)].is_none()) {
            let bytes = [letter, letter, bad, letter];
            let error = page
                .encoding
                .decode_fatal(&bytes, BomHandling::Keep)
                .unwrap_err();
            assert_eq!((error.sequence.offset, error.sequence.len), (2, 1));
            let mut decoder = Decoder::new(page.encoding, BomHandling::Keep);
            let progress = decoder.decode_fatal(&bytes, &mut [0_u8; 16], true);
            assert!(matches!(progress.status, Status::Malformed(_)));
        }
        let mut encoder = page.encoding.new_encoder().unwrap();
        let mut dst = [0; 16];
        let progress = encoder.encode("xx漢x", &mut dst, true);
        let Status::Unmappable(unmappable) = progress.status else {
            panic!("{}: 漢 was encoded", page.encoding);
        };
        assert_eq!((unmappable.scalar, unmappable.offset), ('漢', 2));
        assert_eq!(dst[..progress.written], [letter, letter]);
    }
}

#[test]
fn maximum_lengths_are_reached_and_not_exceeded() {
    let all = pages().into_iter();
    for page in all.filter(|page| page.encoding.is_single_byte()) {
        let decoder = Decoder::new(page.encoding, BomHandling::Keep);
        let longest = |replacing: bool| {
            let lens = page.decode.iter().map(|&c| match c {
                None if replacing => 3,
                c => c.map_or(0, char::len_utf8),
            });
            lens.max().unwrap() * 5
        };
        assert_eq!(
            decoder.max_utf8_length(5),
            Some(longest(true)),
            "{}",
            page.encoding
        );
        assert_eq!(
            decoder.max_utf8_length_fatal(5),
            Some(longest(false)),
            "{}",
            page.encoding
        );
        assert_eq!(decoder.max_utf16_length(5), Some(5));
        let encoder = page.encoding.new_encoder().unwrap();
        let html = |text: &str| page.encoded(text).len();
        assert_eq!(encoder.max_length_from_utf8_html(2), Some(html("\u{7FF}")));
        assert_eq!(
            encoder.max_length_from_utf16_html(1),
            Some(html("\u{FFFF}"))
        );
        assert_eq!(encoder.max_length_from_utf8(7), Some(7));
        assert_eq!(encoder.max_length_from_utf16(7), Some(7));
    }
}

#[test]
fn maximum_lengths_of_pages_without_all_of_ascii_are_not_exceeded() {
    let all = pages().into_iter();
    for (turn, page) in all
        .filter(|page| !page.encoding.is_single_byte())
        .enumerate()
    {
        let decoder = Decoder::new(page.encoding, BomHandling::Keep);
        let longest = page
            .decode
            .iter()
            .map(|c| c.map_or(3, char::len_utf8))
            .max();
        assert!(decoder.max_utf8_length(5) >= longest.map(|longest| 5 * longest));
        assert!(decoder.max_utf16_length(5) >= Some(5));
        let encoder = page.encoding.new_encoder().unwrap();
        // Beyond the BMP nothing is mapped.
        for c in ('\0'..='\u{FFFF}').chain(in_turns('\u{10000}'..=char::MAX, 16, turn)) {
            let length = page.encoded(&c.to_string()).len();
            let most = encoder.max_length_from_utf8_html(c.len_utf8());
            assert!(most >= Some(length), "{} {c:?}", page.encoding);
            let most = encoder.max_length_from_utf16_html(c.len_utf16());
            assert!(most >= Some(length), "{} {c:?}", page.encoding);
        }
    }
}

#[test]
fn readers_and_writers_take_them() {
    let mut random = Random::new(77);
    for page in pages() {
        let bytes = page.bytes(&mut random, 9000);
        let mut text = String::new();
        DecodeReader::new(&bytes[..], page.encoding)
            .read_to_string(&mut text)
            .unwrap();
        assert_eq!(text, page.decoded(&bytes), "{}", page.encoding);
        let text = text.replace('\u{FFFD}', "");
        let mut writer = EncodeWriter::new(Vec::new(), page.encoding).unwrap();
        writer.write_all(text.as_bytes()).unwrap();
        writer.finish().unwrap();
        assert_eq!(
            writer.into_inner().0,
            page.encoded(&text),
            "{}",
            page.encoding
        );
    }
}

#[test]
fn offsets_lead_back_to_bytes() {
    let mut random = Random::new(99);
    for page in pages() {
        let bytes = page.bytes(&mut random, 3000);
        let (mut builder, mut text) = (OffsetMapBuilder::new(page.encoding), String::new());
        builder.decode_append(&bytes, &mut text, true);
        let map = builder.into_map();
        let offsets = map.offsets(&bytes, TextUnit::Utf8).unwrap();
        for (source, (at, c)) in text.char_indices().enumerate().step_by(37) {
            let range = at as u64..(at + c.len_utf8()) as u64;
            let expected = source as u64..source as u64 + 1;
            assert_eq!(
                offsets.source_range(range),
                Some(expected),
                "{}",
                page.encoding
            );
        }
    }
}

#[test]
fn the_standards_room_is_as_before() {
    assert_eq!(Encoding::all().len(), 40);
    let labels: usize = Encoding::all().iter().map(|e| e.labels().count()).sum();
    assert_eq!(labels, 228);
    for encoding in extended::all() {
        assert_eq!(encoding.labels().count(), 0, "{encoding}");
        assert!(!Encoding::all().contains(&encoding), "{encoding}");
        for name in extended::names(encoding) {
            // Where the Standard has the name, it is another encoding's.
            assert_ne!(Encoding::for_label(name), Some(encoding), "{name}");
        }
    }
    assert_eq!(Encoding::for_label("ibm037"), None);
    assert_eq!(Encoding::for_label("latin1"), Some(mojika::WINDOWS_1252));
    assert_eq!(Encoding::for_label("cp437"), None);
}

#[test]
fn ebcdic_is_not_ascii() {
    assert!(!extended::ibm(37).unwrap().is_ascii_compatible());
    assert!(extended::ibm(437).unwrap().is_ascii_compatible());
    assert!(extended::ibm(37).unwrap().is_single_byte());
    // The line ends that the documentation promises.
    let is_ebcdic =
        |encoding: &&Encoding| encoding.is_single_byte() && !encoding.is_ascii_compatible();
    for encoding in extended::all().filter(is_ebcdic) {
        assert_eq!(
            encoding.decode(b"\x15\x25\x0D").text,
            "\u{85}\n\r",
            "{encoding}"
        );
        assert_eq!(
            *encoding.encode("\u{85}\n\r").unwrap(),
            *b"\x15\x25\x0D",
            "{encoding}"
        );
    }
}

#[test]
fn one_shot_calls_take_no_ascii_shortcut_for_ebcdic() {
    for page in pages() {
        for length in 0..80_u8 {
            // All below 0x80, which is ASCII in most encodings.
            let bytes: Vec<u8> = (0..length)
                .map(|at| (u32::from(at) * 7 % 0x80) as u8)
                .collect();
            let expected = page.decoded(&bytes);
            let name = page.encoding;
            assert_eq!(name.decode(&bytes).text, expected, "{}", hex(&bytes));
            let text: String = ('a'..='z').cycle().take(length.into()).collect();
            let expected = page.encoded(&text);
            assert_eq!(*name.encode(&text).unwrap(), *expected, "{name} {text}");
            assert_eq!(*name.encode_html(&text).unwrap().bytes, *expected, "{name}");
        }
    }
}

/// Long runs of pairs are encoded by kernels, single characters by the codec's steps.
#[test]
fn runs_of_pairs_are_what_each_character_is() {
    let pages = extended::all().filter(|page| {
        let is_mixed = page.is_stateful() && page.name().starts_with("IBM");
        is_mixed || page.code_unit_len() == 2
    });
    let pages: Vec<_> = pages.collect();
    assert_eq!(pages.len(), 14);
    for page in pages {
        let (out, back): (&[u8], &[u8]) = match page.is_stateful() {
            true => (b"\x0E", b"\x0F"),
            false => (b"", b""),
        };
        let mut all = Vec::new();
        for c in '\u{100}'..='\u{2FFFF}' {
            if let Ok(bytes) = page.encode(c.encode_utf8(&mut [0; 4]))
                && bytes.len() == out.len() + 2 + back.len()
            {
                all.push((c, [bytes[out.len()], bytes[out.len() + 1]]));
            }
        }
        assert!(all.len() > 9_000, "{page}");
        let mut random = Random::new(300);
        // In their order, and in another one, in runs of all lengths.
        for length in [all.len(), 5000, 300, 100, 37, 16, 5] {
            let (mut text, mut bytes) = (String::new(), Vec::new());
            for _ in 0..6_000_usize.div_ceil(length) {
                bytes.extend_from_slice(out);
                for place in 0..length {
                    let (c, pair) = match length == all.len() {
                        true => all[place],
                        false => *random.pick(&all),
                    };
                    text.push(c);
                    bytes.extend_from_slice(&pair);
                }
                bytes.extend_from_slice(back);
                if page.is_stateful() {
                    text.push_str("<b>");
                    bytes.extend_from_slice(&page.encode("<b>").unwrap());
                }
            }
            let units: Vec<u16> = text.encode_utf16().collect();
            at_every_level(|level| {
                let case = format!("{page} {level} {length}");
                assert!(*page.encode(&text).unwrap() == *bytes, "{case}");
                let mut encoded = Vec::new();
                let mut encoder = page.new_encoder().unwrap();
                encoder.encode_append(&units[..], &mut encoded, true);
                assert!(encoded == bytes, "{case}");
                assert!(page.decode_without_bom(&bytes) == text, "{case}");
                let mut decoded = Vec::new();
                page.decode_append(&bytes, BomHandling::Keep, &mut decoded);
                assert!(decoded == units, "{case}");
            });
        }
    }
}
