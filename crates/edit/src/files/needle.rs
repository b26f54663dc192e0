//! Bytes that a file must contain if its text contains a given text.

use super::boundary::Boundary;
use mojika::{
    BIG5, BomHandling, EUC_JP, EUC_KR, Encoding, GB18030, GBK, SHIFT_JIS, UTF_8, UTF_16BE, UTF_16LE,
};
use std::collections::HashMap;
use std::ops::Range;

/// The maximum length of a character, or of a malformed sequence, in bytes.
const MAX_SEQUENCE_LENGTH: usize = 4;

/// The bytes of a part of a text. Each character of that part has only one byte sequence in the encoding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Needle {
    pub bytes: Vec<u8>,
    /// The maximum number of bytes of the text before the needle.
    pub before: usize,
    /// The maximum number of bytes of the text after the needle.
    pub after: usize,
}

impl Needle {
    /// Returns the longest needle for a text; `None` if every character has several byte sequences, or if boundaries
    /// cannot be found in bytes.
    pub fn of(encoding: &'static Encoding, boundary: Boundary, text: &str) -> Option<Self> {
        if boundary == Boundary::Initial {
            return None;
        }
        let forms = Forms::of(encoding, boundary, text);
        let mut best: Option<(Range<usize>, Vec<u8>)> = None;
        let mut run: Range<usize> = 0..0;
        let mut bytes = Vec::new();
        for (at, scalar) in text.char_indices() {
            let end = at + scalar.len_utf8();
            match forms.only(&text[at..end], scalar) {
                Some(own) => {
                    bytes.extend_from_slice(&own);
                    run.end = end;
                }
                None => {
                    bytes.clear();
                    run = end..end;
                }
            }
            if bytes.len() > best.as_ref().map_or(0, |(_, bytes)| bytes.len()) {
                best = Some((run.clone(), bytes.clone()));
            }
        }
        let (range, bytes) = best?;
        let most = |text: &str| MAX_SEQUENCE_LENGTH * text.chars().count();
        Some(Self {
            bytes,
            before: most(&text[..range.start]),
            after: most(&text[range.end..]),
        })
    }
}

/// Finds the characters of an encoding that have only one byte sequence.
struct Forms {
    encoding: &'static Encoding,
    known: Known,
    /// ASCII characters that non-ASCII bytes also decode to, such as "k" in IBM1133.
    doubled: String,
}

enum Known {
    /// Each character has only one byte sequence.
    Unicode,
    /// ASCII characters have one byte sequence, namely their byte, except for [doubled](Forms::doubled) ones. The
    /// sequences of other characters are counted.
    Counted(HashMap<char, u32>),
    /// Each character is one byte. The bytes of each character are counted.
    Bytes(HashMap<char, u32>),
}

impl Forms {
    /// Counts the byte sequences of a text's characters.
    fn of(encoding: &'static Encoding, boundary: Boundary, text: &str) -> Self {
        let known = if [UTF_8, UTF_16LE, UTF_16BE].contains(&encoding) {
            Known::Unicode
        } else if boundary == Boundary::Anywhere {
            let all: Vec<u8> = (0..=u8::MAX).collect();
            Known::Bytes(counted(encoding, &all, text))
        } else if [SHIFT_JIS, EUC_JP, EUC_KR, BIG5, GBK, GB18030].contains(&encoding)
            && !text.is_ascii()
        {
            Known::Counted(counted(encoding, &multi_bytes(encoding), text))
        } else {
            Known::Counted(HashMap::new())
        };
        let doubled = match known {
            Known::Counted(_) => doubled(encoding),
            _ => String::new(),
        };
        Self {
            encoding,
            known,
            doubled,
        }
    }

    /// Returns the bytes of a character, if no other bytes decode to it.
    fn only(&self, text: &str, scalar: char) -> Option<Vec<u8>> {
        let is_only = match &self.known {
            _ if scalar == char::REPLACEMENT_CHARACTER => false,
            Known::Unicode => true,
            // U+0000 is excluded because it has two byte sequences in modified UTF-8.
            Known::Counted(_) if scalar.is_ascii() => {
                scalar != '\0' && !self.doubled.contains(scalar)
            }
            Known::Counted(counts) | Known::Bytes(counts) => counts.get(&scalar) == Some(&1),
        };
        if !is_only {
            return None;
        }
        // The encoder may write the bytes of another character, or another sequence.
        let bytes = self.encoding.encode(text).ok()?;
        let decoded = self.encoding.with(BomHandling::Keep).decode(&bytes);
        (decoded.text == text).then(|| bytes.into_owned())
    }
}

/// Returns the ASCII characters that non-ASCII bytes decode to, in an encoding that extends ASCII.
fn doubled(encoding: &'static Encoding) -> String {
    let bytes: Vec<u8> = (0x80..=u8::MAX).flat_map(|byte| [byte, b'\n']).collect();
    let decoded = encoding.with(BomHandling::Keep).decode(&bytes);
    let mut text = decoded.text.into_owned();
    text.retain(|scalar| scalar.is_ascii() && scalar != '\n');
    text
}

/// Returns byte sequences, each followed by a line end: all two-byte sequences of a multi-byte encoding, and all
/// three-byte sequences of EUC-JP. For gb18030, the four-byte sequences of characters with a two-byte sequence follow.
fn multi_bytes(encoding: &'static Encoding) -> Vec<u8> {
    let mut bytes = Vec::new();
    for lead in 0x80..=u8::MAX {
        for trail in 0x30..=u8::MAX {
            bytes.extend_from_slice(&[lead, trail, b'\n']);
            if encoding == EUC_JP && lead >= 0xA1 && trail >= 0xA1 {
                bytes.extend_from_slice(&[0x8F, lead, trail, b'\n']);
            }
        }
        bytes.extend_from_slice(&[lead, b'\n']);
    }
    if [GBK, GB18030].contains(&encoding) {
        for first in [0x82, 0x84] {
            for second in 0x30..=0x39 {
                for third in 0x81..=0xFE {
                    for fourth in 0x30..=0x39 {
                        bytes.extend_from_slice(&[first, second, third, fourth, b'\n']);
                    }
                }
            }
        }
    }
    bytes
}

/// Counts each character of `text` in the decoded bytes.
fn counted(encoding: &'static Encoding, bytes: &[u8], text: &str) -> HashMap<char, u32> {
    let mut counts: HashMap<char, u32> = text.chars().map(|scalar| (scalar, 0)).collect();
    for scalar in encoding.with(BomHandling::Keep).decode(bytes).text.chars() {
        if let Some(count) = counts.get_mut(&scalar) {
            *count += 1;
        }
    }
    counts
}

#[cfg(test)]
mod tests {
    use super::*;
    use mojika_spec::Random;
    use mojika_spec::sample::{in_turns, one_in};

    fn needle(encoding: &'static Encoding, text: &str) -> Option<Needle> {
        Needle::of(encoding, Boundary::of(encoding), text)
    }

    #[test]
    fn characters_of_several_forms_are_left_out() {
        // 81 CA and FA 54 both decode to "￢" in Shift_JIS.
        assert_eq!(needle(SHIFT_JIS, "￢"), None);
        assert_eq!(
            needle(SHIFT_JIS, "a￢青い"),
            Some(Needle {
                bytes: b"\x90\xC2\x82\xA2".to_vec(),
                before: 8,
                after: 0
            })
        );
        assert_eq!(needle(UTF_8, "\u{FFFD}"), None);
        assert_eq!(needle(UTF_16LE, "a").unwrap().bytes, b"a\0");
        // 88 62 decodes to U+00CA and another character in Big5.
        assert_eq!(needle(BIG5, "\u{CA}"), None);
        assert_eq!(needle(mojika::KOI8_R, "→"), None);
        assert_eq!(needle(mojika::ISO_2022_JP, "a"), None);
    }

    #[test]
    fn each_occurrence_of_a_text_has_its_needle() {
        let all = Encoding::all().iter().copied();
        let mut found = 0;
        for (number, encoding) in all.chain(mojika::extended::all()).enumerate() {
            for case in in_turns(0..60, 4, number) {
                let mut random = Random::from_seeds(&[0x4E, case]);
                let bytes = random.odd_bytes(20);
                let text = encoding.with(BomHandling::Keep).decode(&bytes).text;
                let scalars: Vec<char> = text.chars().collect();
                if scalars.is_empty() {
                    continue;
                }
                let start = random.below(scalars.len());
                let end = (start + 1 + random.below(4)).min(scalars.len());
                let part: String = scalars[start..end].iter().collect();
                if let Some(needle) = needle(encoding, &part) {
                    let is_there = memchr::memmem::find(&bytes, &needle.bytes).is_some();
                    assert!(is_there, "{encoding}: {bytes:02X?} {part:?} {needle:02X?}");
                    found += 1;
                }
            }
        }
        assert!(found > 2_000 / one_in(4), "{found}");
    }
}
