//! The cells of `mojika::extended`, which encoding_rs lacks.
//!
//! EBCDIC is compared with encoding_rs' windows-1251 on Russian text with the same number of characters: each single-byte
//! encoding decodes its own text. UTF-32 is compared with simdutf, which supports native byte order. EBCDIC with double
//! bytes is compared with ICU, if it is installed.

use crate::contestants::{self, Contestant, Operation, SIMDUTF};
use crate::inputs::Input;
use crate::simdutf_peer;
use crate::subjects::Subject;
use std::hint::black_box;

/// Encodings and their languages.
pub const SUBJECTS: [(&str, &[&str]); 13] = [
    ("ibm037", &["en", "de", "fr"]),
    ("ibm1140", &["fr"]),
    ("utf-32le", &["en", "ru", "zh_cn"]),
    ("ibm930", &["ja"]),
    ("ibm933", &["ko"]),
    ("ibm935", &["zh_cn"]),
    ("ibm937", &["zh_tw"]),
    ("ibm939", &["ja"]),
    ("ibm1364", &["ko"]),
    ("ibm1371", &["zh_tw"]),
    ("ibm1388", &["zh_cn"]),
    ("ibm1390", &["ja"]),
    ("ibm1399", &["ja"]),
];

/// The peer of EBCDIC, which converts another text.
pub const WINDOWS_1251: &str = "encoding_rs, windows-1251";

/// The text of a cell in the forms for mojika and the peers.
pub struct Inputs {
    /// The input for mojika.
    pub own: Input,
    /// Russian text with the same number of characters, for windows-1251.
    russian: Input,
    /// The text in UTF-32.
    code_units: Vec<u32>,
}

/// Returns the encoding with this name as a subject. Its peer is windows-1251, because encoding_rs lacks the encoding.
pub fn subject(name: &str, language: &'static str) -> Subject {
    Subject {
        encoding: mojika::extended::for_name(name).expect("benches name encodings of extended"),
        ..Subject::new("windows-1251", language)
    }
}

impl Inputs {
    /// Creates the inputs from both texts, cut to the same number of characters.
    pub fn new(subject: Subject, text: &str, russian: &str) -> Self {
        let is_utf_32 = subject.encoding == mojika::extended::UTF_32LE;
        let has =
            |c: &char| is_utf_32 || subject.encoding.encode(c.encode_utf8(&mut [0; 4])).is_ok();
        let text: String = text.chars().filter(has).collect();
        let peer = Subject::new("windows-1251", "ru");
        let russian = crate::inputs::keep_encodable(peer, russian);
        let length = text.chars().count().min(russian.chars().count());
        let text: String = text.chars().take(length).collect();
        let russian: String = russian.chars().take(length).collect();
        let bytes = subject.encoding.encode(&text).expect("all of it is mapped");
        Self {
            code_units: text.chars().map(u32::from).collect(),
            own: Input::of(&text, &bytes),
            russian: Input::new(peer, &russian),
        }
    }

    /// Returns other libraries' conversions that a cell compares with.
    pub fn peers(&self, operation: Operation, subject: Subject) -> Vec<Contestant<'_>> {
        if subject.encoding == mojika::extended::UTF_32LE {
            return vec![self.simdutf(operation)];
        }
        if subject.encoding.is_stateful() {
            let peer = contestants::icu(operation, subject, &self.own);
            return peer.into_iter().collect();
        }
        let windows_1251 = Subject::new("windows-1251", "ru");
        let peer = contestants::encoding_rs(operation, windows_1251, &self.russian);
        let named = |contestant| Contestant {
            name: WINDOWS_1251,
            ..contestant
        };
        peer.map(named).into_iter().collect()
    }

    fn simdutf(&self, operation: Operation) -> Contestant<'_> {
        match operation {
            Operation::DecodeToUtf8 => Contestant::new(SIMDUTF, |out| {
                simdutf_peer::utf32_to_utf8(black_box(&self.code_units), &mut out.bytes)
            }),
            Operation::DecodeToUtf16 => Contestant::new(SIMDUTF, |out| {
                simdutf_peer::utf32_to_utf16(black_box(&self.code_units), &mut out.units)
            }),
            Operation::EncodeFromUtf8 => Contestant::new(SIMDUTF, |out| {
                let text = black_box(self.own.text.as_bytes());
                4 * simdutf_peer::utf8_to_utf32(text, bytemuck::cast_slice_mut(&mut out.bytes))
            }),
            _ => Contestant::new(SIMDUTF, |out| {
                let units = black_box(&self.own.units);
                4 * simdutf_peer::utf16_to_utf32(units, bytemuck::cast_slice_mut(&mut out.bytes))
            }),
        }
    }
}
