//! Inputs of benchmarks: text of one encoding in every form that an operation reads, and deliberately broken input.

use crate::rng::Rng;
use crate::subjects::Subject;
use crate::vietnamese;
use std::collections::HashMap;

/// The length of a broken input in bytes.
pub const BROKEN_LENGTH: usize = 1 << 20;

/// Bytes with the alignment of UTF-16 code units, so that simdutf can read them in place.
#[derive(Clone, Debug, Default)]
pub struct AlignedBytes {
    words: Vec<u16>,
    length: usize,
}

impl AlignedBytes {
    fn new(bytes: &[u8]) -> Self {
        let mut words = vec![0_u16; bytes.len().div_ceil(2)];
        bytemuck::cast_slice_mut(&mut words)[..bytes.len()].copy_from_slice(bytes);
        Self {
            words,
            length: bytes.len(),
        }
    }

    /// Returns the bytes.
    pub fn bytes(&self) -> &[u8] {
        &bytemuck::cast_slice(&self.words)[..self.length]
    }

    /// Returns the bytes as 16-bit numbers in native byte order.
    pub fn words(&self) -> &[u16] {
        &self.words
    }
}

/// One text in the forms that operations read.
#[derive(Clone, Debug, Default)]
pub struct Input {
    /// The input of encoders.
    pub text: String,
    /// The input of encoders in UTF-16.
    pub units: Vec<u16>,
    /// The input of decoders.
    pub bytes: AlignedBytes,
    /// True if the input is well-formed and mappable, so that every peer can convert it.
    pub is_clean: bool,
    /// True if the input is ASCII. The speed of a copy is then the upper limit.
    pub is_ascii: bool,
}

impl Input {
    /// Creates an input from the text, without the characters that the encoding lacks.
    pub fn new(subject: Subject, text: &str) -> Self {
        let text = keep_encodable(subject, text);
        let units: Vec<u16> = text.encode_utf16().collect();
        Self::of(&text, &encode(subject, &text, &units))
    }

    /// Creates an input from a text that the encoding can represent, and its bytes.
    pub fn of(text: &str, bytes: &[u8]) -> Self {
        Self {
            text: text.to_string(),
            units: text.encode_utf16().collect(),
            bytes: AlignedBytes::new(bytes),
            is_clean: true,
            is_ascii: text.is_ascii(),
        }
    }

    /// Returns the first `length` bytes of every form; `text` is cut between characters.
    pub fn first(&self, length: usize) -> Self {
        let bytes = self.bytes.bytes();
        Self {
            text: part(&self.text, length).to_string(),
            units: self.units[..self.units.len().min(length / 2)].to_vec(),
            bytes: AlignedBytes::new(&bytes[..bytes.len().min(length)]),
            ..*self
        }
    }

    /// Returns the length of the decoders' input.
    pub fn byte_length(&self) -> usize {
        self.bytes.length
    }
}

/// The kind of difficulty of an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Trouble {
    /// ASCII only.
    Ascii,
    /// ASCII and non-ASCII characters alternately.
    Alternating,
    /// A malformed byte, or a lone surrogate, per hundred units.
    ErrorEvery100,
    /// Random bytes, or random UTF-16 code units.
    Noise,
    /// Every fourth character is unmappable.
    Unmappable,
    /// About one character in 25, at random positions, is unmappable: usually an emoji.
    Emoji,
}

impl Trouble {
    /// All kinds of trouble.
    pub const ALL: [Self; 6] = [
        Self::Ascii,
        Self::Alternating,
        Self::ErrorEvery100,
        Self::Noise,
        Self::Unmappable,
        Self::Emoji,
    ];

    /// Returns the name in reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Ascii => "ascii",
            Self::Alternating => "alternating",
            Self::ErrorEvery100 => "error-every-100",
            Self::Noise => "noise",
            Self::Unmappable => "unmappable",
            Self::Emoji => "emoji",
        }
    }
}

/// Returns an input with this difficulty, about [`BROKEN_LENGTH`] bytes long, made from the text `dense`. It is empty
/// if the difficulty cannot occur in the encoding.
pub fn troubled(subject: Subject, trouble: Trouble, dense: &str) -> Input {
    let mut rng = Rng::named(subject.encoding.name());
    match trouble {
        Trouble::Ascii => Input::new(subject, &crate::languages::synthesise("en", BROKEN_LENGTH)),
        Trouble::Alternating => Input::new(subject, &alternating(subject, dense)),
        Trouble::ErrorEvery100 => {
            let clean = Input::new(subject, part(dense, BROKEN_LENGTH));
            let units = every_100(&clean.units, &[0xD800]);
            let bytes = error_bytes(subject).map(|error| every_100(clean.bytes.bytes(), &error));
            Input {
                units,
                bytes: AlignedBytes::new(&bytes.unwrap_or_default()),
                ..Input::default()
            }
        }
        Trouble::Noise => {
            let words: Vec<u16> = (0..BROKEN_LENGTH / 2).map(|_| rng.next() as u16).collect();
            Input {
                bytes: AlignedBytes::new(bytemuck::cast_slice(&words)),
                units: words,
                ..Input::default()
            }
        }
        Trouble::Unmappable | Trouble::Emoji if subject.has_all_of_unicode() => Input::default(),
        Trouble::Unmappable => {
            let text = keep_encodable(subject, part(dense, BROKEN_LENGTH));
            // Another script, a symbol, and a character with two surrogates; at least one is unmappable in each legacy
            // encoding here.
            let lacking = ['ክ', '\u{2EFF}', '💩'];
            let replaced = |(i, c)| if i % 4 == 3 { *rng.pick(&lacking) } else { c };
            of_text(text.chars().enumerate().map(replaced).collect())
        }
        Trouble::Emoji => {
            let text = keep_encodable(subject, part(dense, BROKEN_LENGTH));
            let lacking = ['😀', '👍', '\u{1F9E1}', '🙏', '\u{2EFF}'];
            let mut with = String::new();
            for c in text.chars() {
                with.push(c);
                if rng.below(25) == 0 {
                    with.push(*rng.pick(&lacking));
                }
            }
            of_text(with)
        }
    }
}

/// Creates an input for encoders only.
fn of_text(text: String) -> Input {
    Input {
        units: text.encode_utf16().collect(),
        text,
        ..Input::default()
    }
}

/// Returns about the first `length` bytes of a text.
pub fn part(text: &str, length: usize) -> &str {
    let mut end = length.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
}

fn alternating(subject: Subject, dense: &str) -> String {
    let text = keep_encodable(subject, dense);
    let mut alternating = String::with_capacity(BROKEN_LENGTH + 8);
    let others: Vec<char> = text.chars().filter(|c| !c.is_ascii()).collect();
    let others = if others.is_empty() {
        &['é'][..]
    } else {
        &others[..]
    };
    for (i, &other) in others.iter().cycle().enumerate() {
        if alternating.len() >= BROKEN_LENGTH {
            break;
        }
        alternating.push((b'a' + (i % 26) as u8) as char);
        alternating.push(other);
    }
    alternating
}

fn every_100<T: Copy>(clean: &[T], error: &[T]) -> Vec<T> {
    clean
        .chunks(100)
        .flat_map(|chunk| chunk.iter().chain(error))
        .copied()
        .collect()
}

/// Returns bytes that are malformed at any position; `None` for the single-byte encodings without such bytes.
fn error_bytes(subject: Subject) -> Option<Vec<u8>> {
    match subject.encoding.name() {
        "UTF-16LE" => return Some(vec![0x00, 0xD8]),
        "UTF-16BE" => return Some(vec![0xD8, 0x00]),
        _ => {}
    }
    let is_error = |&byte: &u8| {
        let (_, had_errors) = subject.peer.decode_without_bom_handling(&[byte, b' ']);
        had_errors
    };
    (0x80..=0xFF).rev().find(is_error).map(|byte| vec![byte])
}

/// Returns the text without unmappable characters; for windows-1258, with decomposed tone marks.
pub fn keep_encodable(subject: Subject, text: &str) -> String {
    if subject.has_all_of_unicode() {
        return text.to_string();
    }
    let text = if subject.encoding == mojika::WINDOWS_1258 {
        vietnamese::decompose(text)
    } else {
        text.into()
    };
    let mut known = HashMap::new();
    let mut is_encodable = |c: char| {
        *known.entry(c).or_insert_with(|| {
            let (_, _, had_errors) = subject.peer.encode(c.encode_utf8(&mut [0; 4]));
            !had_errors
        })
    };
    text.chars()
        .filter(|&c| c.is_ascii() || is_encodable(c))
        .collect()
}

/// Encodes the text, by encoding_rs if it can, so that the input does not depend on the measured code.
fn encode(subject: Subject, text: &str, units: &[u16]) -> Vec<u8> {
    match subject.encoding.name() {
        "UTF-16LE" => units.iter().flat_map(|unit| unit.to_le_bytes()).collect(),
        "UTF-16BE" => units.iter().flat_map(|unit| unit.to_be_bytes()).collect(),
        _ => subject.peer.encode(text).0.into_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{languages, texts};

    #[test]
    fn characters_that_the_encoding_lacks_are_dropped() {
        let input = Input::new(Subject::new("windows-1251", "ru"), "Марс — 火星 planet");
        assert_eq!(input.text, "Марс —  planet");
        assert_eq!(
            input.bytes.bytes(),
            b"\xCC\xE0\xF0\xF1 \x97  planet".as_slice()
        );
        let input = Input::new(Subject::new("windows-1258", "vi"), "Hỏa");
        assert_eq!(input.bytes.bytes(), b"Ho\xD2a".as_slice());
    }

    #[test]
    fn utf_16_is_in_the_order_asked_for() {
        let little = Input::new(Subject::new("utf-16le", "ru"), "aя");
        let big = Input::new(Subject::new("utf-16be", "ru"), "aя");
        assert_eq!(little.bytes.bytes(), b"a\0\x4F\x04".as_slice());
        assert_eq!(big.bytes.bytes(), b"\0a\x04\x4F".as_slice());
    }

    #[test]
    fn clean_input_is_clean_for_every_subject() {
        for subject in Subject::all() {
            if subject.language == texts::BINARY {
                continue;
            }
            let text = languages::synthesise(subject.language, 20_000);
            let input = Input::new(subject, &text);
            let (_, had_errors) = subject
                .peer
                .decode_without_bom_handling(input.bytes.bytes());
            assert!(!had_errors, "{subject:?}");
            assert!(input.text.len() > 10_000, "{subject:?}");
        }
    }

    #[test]
    fn trouble_is_what_its_name_says() {
        for subject in Subject::one_per_encoding() {
            if subject.language == texts::BINARY {
                continue;
            }
            let dense = languages::synthesise(subject.language, 20_000);
            let decode = |input: &Input| {
                let (text, _) = subject
                    .peer
                    .decode_without_bom_handling(input.bytes.bytes());
                text.into_owned()
            };
            let errors = troubled(subject, Trouble::ErrorEvery100, &dense);
            let length = errors.byte_length();
            let found = decode(&errors).matches('\u{FFFD}').count();
            // A malformed byte may invalidate a lead byte before it, but at least one error per 103 units remains.
            assert!(length == 0 || found >= length / 103, "{subject:?}: {found}");

            let ascii = troubled(subject, Trouble::Ascii, &dense);
            assert!(ascii.text.is_ascii() && ascii.is_ascii && decode(&ascii) == ascii.text);

            let alternating = troubled(subject, Trouble::Alternating, &dense);
            let by_turns = |(i, c): (usize, char)| c.is_ascii() == (i % 2 == 0);
            assert!(alternating.text.chars().enumerate().all(by_turns));

            let unmappable = troubled(subject, Trouble::Unmappable, &dense);
            if !subject.has_all_of_unicode() {
                let (bytes, _, _) = subject.peer.encode(&unmappable.text);
                let references = bytes.windows(2).filter(|pair| pair == b"&#").count();
                assert_eq!(references, unmappable.text.chars().count() / 4);

                let emoji = troubled(subject, Trouble::Emoji, &dense);
                let (bytes, _, _) = subject.peer.encode(&emoji.text);
                let references = bytes.windows(2).filter(|pair| pair == b"&#").count();
                let characters = emoji.text.chars().count();
                let usual = characters / 35..characters / 19;
                assert!(usual.contains(&references), "{subject:?}: {references}");
            }
        }
    }
}
