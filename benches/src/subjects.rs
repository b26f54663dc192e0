//! Encodings, each with languages that use it.

use crate::texts;

/// An encoding and the language of its text.
#[derive(Clone, Copy, Debug)]
pub struct Subject {
    /// mojika's encoding.
    pub encoding: &'static mojika::Encoding,
    /// The same encoding in encoding_rs.
    pub peer: &'static encoding_rs::Encoding,
    /// Tag of the language, as in the corpus folder's file names.
    pub language: &'static str,
}

/// Encodings with their languages.
const SUBJECTS: [(&str, &[&str]); 19] = [
    ("windows-1251", &["ru"]),
    ("koi8-r", &["ru"]),
    ("windows-1253", &["el"]),
    ("iso-8859-7", &["el"]),
    ("windows-1252", &["fr", "de", "en"]),
    ("windows-1250", &["cs"]),
    ("windows-1256", &["ar"]),
    ("windows-874", &["th"]),
    ("windows-1258", &["vi"]),
    ("gbk", &["zh_cn"]),
    ("gb18030", &["de", "ko", "zh_cn"]),
    ("big5", &["zh_tw"]),
    ("shift_jis", &["ja"]),
    ("euc-jp", &["ja"]),
    ("iso-2022-jp", &["ja"]),
    ("euc-kr", &["ko"]),
    (
        "utf-8",
        &[
            "en", "fr", "vi", "ru", "el", "ar", "th", "zh_cn", "ja", "ko",
        ],
    ),
    ("utf-16le", &["en", "ru", "zh_cn"]),
    ("utf-16be", &["en", "ru", "zh_cn"]),
];

impl Subject {
    /// Returns the encoding with this label and a language; panics if the label is unknown.
    pub fn new(label: &str, language: &'static str) -> Self {
        let known = "benches name encodings by labels of the Standard";
        Self {
            encoding: mojika::Encoding::for_label(label).expect(known),
            peer: encoding_rs::Encoding::for_label(label.as_bytes()).expect(known),
            language,
        }
    }

    /// Returns every encoding with each of its languages.
    pub fn all() -> Vec<Self> {
        SUBJECTS
            .iter()
            .flat_map(|(label, languages)| languages.iter().map(|l| Self::new(label, l)))
            .chain([Self::new("x-user-defined", texts::BINARY)])
            .collect()
    }

    /// Returns a subject for each encoding.
    pub fn one_per_encoding() -> Vec<Self> {
        let mut subjects = Self::all();
        // Keep the last language of each encoding, which has the fewest ASCII characters.
        subjects.reverse();
        let mut seen = Vec::new();
        subjects.retain(|subject| {
            let new = !seen.contains(&subject.encoding.name());
            seen.push(subject.encoding.name());
            new
        });
        subjects.reverse();
        subjects
    }

    /// True if the encoding is UTF-16LE or UTF-16BE.
    pub fn is_utf_16(self) -> bool {
        self.encoding == mojika::UTF_16LE || self.encoding == mojika::UTF_16BE
    }

    /// True if the encoding can encode every scalar value.
    pub fn has_all_of_unicode(self) -> bool {
        self.is_utf_16() || [mojika::UTF_8, mojika::GB18030].contains(&self.encoding)
    }

    /// Returns glibc's name of the encoding, or of the superset that is closest to the Standard's.
    pub fn iconv_name(self) -> Option<&'static str> {
        Some(match self.encoding.name() {
            "windows-1250" => "CP1250",
            "windows-1251" => "CP1251",
            "windows-1252" => "CP1252",
            "windows-1253" => "CP1253",
            "windows-1256" => "CP1256",
            "windows-1258" => "CP1258",
            "windows-874" => "CP874",
            "Shift_JIS" => "CP932",
            "EUC-JP" => "EUC-JP-MS",
            "EUC-KR" => "CP949",
            "x-user-defined" => return None,
            name => name,
        })
    }

    /// Returns ICU's name of the encoding, or of the one that is closest to the Standard's.
    pub fn icu_name(self) -> Option<&'static str> {
        Some(match self.encoding.name() {
            // ICU's Big5 lacks the Hong Kong additions, and its EUC-KR most syllables.
            "Big5" => "Big5-HKSCS",
            "EUC-KR" => "windows-949",
            "x-user-defined" => return None,
            // ICU's Shift_JIS is IBM's 943, its GBK Microsoft's 936, and its EUC-JP has the additions of both.
            name => name,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_libraries_have_every_subject() {
        let subjects = Subject::all();
        assert!(subjects.len() > 30);
        for subject in subjects {
            assert_eq!(subject.encoding.name(), subject.peer.name());
        }
    }

    #[test]
    fn one_per_encoding_names_each_encoding_once() {
        let names: Vec<_> = Subject::one_per_encoding()
            .iter()
            .map(|subject| subject.encoding.name())
            .collect();
        let mut unique = names.clone();
        unique.sort_unstable();
        unique.dedup();
        assert_eq!((names.len(), unique.len()), (20, 20));
    }
}
