//! The characters of well-formed text in an encoding, found with the oracle.

use crate::subject::Subject;
use mojika_spec::Random;
use mojika_spec::{DecodeItem, Encoding, decode_fragments};
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// A non-ASCII character: its bytes (in ISO-2022-JP, those of jis0208) and the scalar values that they decode to.
#[derive(Clone, Debug)]
pub struct Character {
    /// The bytes.
    pub bytes: Vec<u8>,
    /// One scalar value, or two in Big5.
    pub text: Vec<char>,
}

/// The non-ASCII characters of an encoding, or a large sample.
#[derive(Debug, Default)]
pub struct Repertoire {
    /// Grouped by length in bytes and length in UTF-8, because kernels are fastest on text of one group.
    pub groups: Vec<Vec<Character>>,
}

/// Returns the escape sequence before text of the repertoire; empty except for ISO-2022-JP.
pub fn enter(subject: Subject) -> &'static [u8] {
    if subject.spec == Encoding::Iso2022Jp {
        b"\x1B$B"
    } else {
        b""
    }
}

impl Repertoire {
    /// Returns the repertoire of an encoding.
    pub fn of(subject: Subject) -> &'static Repertoire {
        const COUNT: usize = Encoding::ALL.len() + mojika_spec::extended::COUNT;
        static ALL: [OnceLock<Repertoire>; COUNT] = [const { OnceLock::new() }; COUNT];
        ALL[subject.number()].get_or_init(|| Repertoire::build(subject))
    }

    fn build(subject: Subject) -> Repertoire {
        let mut groups: BTreeMap<(usize, usize), Vec<Character>> = BTreeMap::new();
        let enter = enter(subject);
        for bytes in candidates(subject) {
            let input = [enter, &bytes].concat();
            let mut text = Vec::new();
            for item in decode_fragments(subject.spec, &input) {
                match item {
                    DecodeItem::Scalar { value, end } if end == input.len() => text.push(value),
                    // The bytes are malformed, or decode to more than one character.
                    _ => {
                        text.clear();
                        break;
                    }
                }
            }
            // In EBCDIC, any byte may decode to an ASCII character.
            if text.is_empty() || text[0].is_ascii() {
                continue;
            }
            let in_utf8 = text.iter().map(|c| c.len_utf8()).sum();
            groups
                .entry((bytes.len(), in_utf8))
                .or_default()
                .push(Character { bytes, text });
        }
        Repertoire {
            groups: groups.into_values().collect(),
        }
    }

    /// True if the encoding has no characters, or only ASCII ones.
    pub fn is_empty(&self) -> bool {
        self.groups.is_empty()
    }

    /// Returns all characters in random order: first group by group, then mixed. Kernels thus use every entry of every
    /// table.
    pub fn shuffled(&self, random: &mut Random) -> Vec<&Character> {
        let mut characters: Vec<&Character> = self.groups.iter().flatten().collect();
        let count = characters.len();
        characters.extend_from_within(..);
        let mut start = 0;
        for group in &self.groups {
            random.shuffle(&mut characters[start..start + group.len()]);
            start += group.len();
        }
        random.shuffle(&mut characters[count..]);
        characters
    }

    /// Returns a random character.
    pub fn character(&self, random: &mut Random) -> Option<&Character> {
        if self.is_empty() {
            return None;
        }
        let group = random.below(self.groups.len());
        Some(random.pick(&self.groups[group]))
    }

    /// Returns characters of one group, or of all groups mixed, up to `length` bytes.
    pub fn dense(&self, random: &mut Random, length: usize) -> Vec<&Character> {
        let mut characters = Vec::new();
        let mut total = 0;
        if self.is_empty() {
            return characters;
        }
        let group = (random.below(3) > 0).then(|| random.below(self.groups.len()));
        loop {
            let group = group.unwrap_or_else(|| random.below(self.groups.len()));
            let character = random.pick(&self.groups[group]);
            total += character.bytes.len();
            if total > length {
                return characters;
            }
            characters.push(character);
        }
    }
}

/// Returns byte sequences that may each decode to one character.
fn candidates(subject: Subject) -> Vec<Vec<u8>> {
    let mut random = Random::new(subject.number() as u64);
    let pairs = |leads: std::ops::RangeInclusive<u8>, trails: std::ops::RangeInclusive<u8>| {
        leads.flat_map(move |lead| trails.clone().map(move |trail| vec![lead, trail]))
    };
    let mut list: Vec<Vec<u8>> = Vec::new();
    match subject.spec {
        Encoding::Replacement => {}
        _ if subject.spec == Encoding::Utf8
            || subject.is_utf_16()
            || subject.utf_32().is_some() =>
        {
            for (low, high, count) in [
                (0x80, 0x7FF, 500),
                (0x800, 0xFFFF, 4000),
                (0x4E00, 0x9FFF, 3000),
                (0x10000, 0x10FFFF, 1000),
            ] {
                for _ in 0..count {
                    let value = (low + random.below(high - low + 1)) as u32;
                    let Some(c) = char::from_u32(value) else {
                        continue;
                    };
                    if subject.is_utf_16() {
                        let units = c.encode_utf16(&mut [0; 2]).to_vec();
                        list.push(units.iter().flat_map(|&u| subject.unit(u)).collect());
                    } else {
                        list.push(subject.encoded(c));
                    }
                }
            }
        }
        Encoding::Iso2022Jp => list.extend(pairs(0x21..=0x7E, 0x21..=0x7E)),
        _ => {
            let first = if subject.engine.is_ascii_compatible() {
                0x80
            } else {
                0
            };
            list.extend((first..=0xFF).map(|byte| vec![byte]));
            if !subject.is_single_byte() {
                list.extend(pairs(0x80..=0xFF, 0x30..=0xFF));
            }
        }
    }
    match subject.spec {
        Encoding::EucJp => {
            list.extend(pairs(0xA1..=0xFE, 0xA1..=0xFE).map(|pair| vec![0x8F, pair[0], pair[1]]));
        }
        Encoding::Gbk | Encoding::Gb18030 => {
            for _ in 0..6000 {
                let first = *random.pick(&[0x81, 0x82, 0x83, 0x84, 0x90, 0x95, 0xE2, 0xE3]);
                let [second, fourth] = [0; 2].map(|_| 0x30 + random.below(10) as u8);
                let third = 0x81 + random.below(0x7E) as u8;
                list.push(vec![first, second, third, fourth]);
            }
        }
        _ => {}
    }
    list
}
