//! The encodings of `mojika::extended` compared with a slow and simple reference on the data in `gen/extended`. The engine
//! has only the generator's tables.

#![cfg(feature = "std")]

use crate::common::{at_every_level, in_turns};
use mojika::io::{DecodeReader, EncodeWriter};
use mojika::{BomHandling, Decoder, Encoding, extended};
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

    /// Encodes in error mode "html".
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
    // These lack ASCII characters, or have a character twice.
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
fn the_standards_room_is_as_before() {
    assert_eq!(Encoding::all().len(), 40);
    let labels: usize = Encoding::all().iter().map(|e| e.labels().count()).sum();
    assert_eq!(labels, 228);
    for encoding in extended::all() {
        assert_eq!(encoding.labels().count(), 0, "{encoding}");
        assert!(!Encoding::all().contains(&encoding), "{encoding}");
        for name in extended::names(encoding) {
            // A label of the Standard with this name means another encoding.
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
    // The line ends stated in the documentation.
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

/// Kernels encode many pairs at once, and the codec's steps encode single characters.
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
        // In order and in another order, in sequences of several lengths.
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
