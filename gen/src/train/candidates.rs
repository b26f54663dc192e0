//! What the detector knows: scripts, languages and single-byte encodings.

/// A language without a model, by its BCP 47 tag: its letters are those of all languages in Latin script.
pub const UNDETERMINED: &str = "und";

/// Languages by script, in the order of the tables.
pub const SCRIPTS: [(&str, &[&str]); 6] = [
    (
        "Latin",
        &[
            "cs", "sk", "pl", "hu", "sl", "hr", "ro", "fr", "de", "es", "pt", "it", "sv", "da",
            "fi", "is", "nl", "ca", "en", "und", "et", "tr", "lt", "lv", "vi", "eo", "cy",
        ],
    ),
    ("Greek", &["el"]),
    ("Hebrew", &["he"]),
    ("Arabic", &["ar", "fa"]),
    ("Thai", &["th"]),
    ("Cyrillic", &["ru", "uk", "bg", "sr", "mk", "be"]),
];

/// A single-byte encoding that text may be in.
pub struct Candidate {
    pub name: &'static str,
    pub languages: &'static [&'static str],
    /// How much rarer than windows-1252 it is, in the unit of costs.
    pub prior: u8,
}

const fn candidate(name: &'static str, prior: u8, languages: &'static [&'static str]) -> Candidate {
    Candidate {
        name,
        languages,
        prior,
    }
}

/// The encodings, in the order of the tables.
pub const CANDIDATES: [Candidate; 28] = [
    candidate(
        "windows-1252",
        0,
        &[
            "fr", "de", "es", "pt", "it", "sv", "da", "fi", "is", "nl", "ca", "en", "und",
        ],
    ),
    candidate(
        "windows-1250",
        5,
        &["cs", "sk", "pl", "hu", "sl", "hr", "ro"],
    ),
    candidate("ISO-8859-2", 6, &["cs", "sk", "pl", "hu", "sl", "hr", "ro"]),
    candidate("windows-1254", 5, &["tr"]),
    candidate("windows-1257", 5, &["et", "lt", "lv"]),
    candidate("ISO-8859-4", 9, &["et", "lt", "lv"]),
    candidate("ISO-8859-13", 11, &["et", "lt", "lv"]),
    candidate("windows-1258", 5, &["vi"]),
    candidate(
        "ISO-8859-15",
        8,
        &[
            "fr", "de", "es", "pt", "it", "sv", "da", "fi", "is", "nl", "ca", "en", "et",
        ],
    ),
    candidate(
        // Its letters stand where windows-1252 has quotation marks.
        "macintosh",
        14,
        &[
            "fr", "de", "es", "pt", "it", "sv", "da", "fi", "nl", "ca", "en",
        ],
    ),
    candidate("ISO-8859-3", 12, &["eo"]),
    candidate("ISO-8859-10", 12, &["is", "lt", "lv"]),
    candidate("ISO-8859-14", 12, &["cy"]),
    candidate("ISO-8859-16", 15, &["pl", "hu", "sl", "hr", "ro"]),
    candidate("windows-1253", 1, &["el"]),
    candidate("ISO-8859-7", 2, &["el"]),
    candidate("windows-1255", 1, &["he"]),
    candidate("ISO-8859-8-I", 4, &["he"]),
    candidate("ISO-8859-8", 6, &["he"]),
    candidate("windows-1256", 1, &["ar", "fa"]),
    candidate("ISO-8859-6", 3, &["ar"]),
    candidate("windows-874", 1, &["th"]),
    candidate("windows-1251", 0, &["ru", "uk", "bg", "sr", "mk", "be"]),
    candidate("KOI8-R", 2, &["ru", "bg"]),
    candidate("KOI8-U", 3, &["uk", "be"]),
    candidate("ISO-8859-5", 4, &["ru", "uk", "bg", "sr", "mk", "be"]),
    candidate("IBM866", 3, &["ru", "uk", "bg", "be"]),
    candidate("x-mac-cyrillic", 8, &["ru", "uk", "bg"]),
];

/// The script of a language.
pub fn script_of(language: &str) -> usize {
    SCRIPTS
        .iter()
        .position(|(_, languages)| languages.contains(&language))
        .expect("each language has a script")
}

/// The place of a language in the tables.
pub fn number_of(language: &str) -> usize {
    SCRIPTS
        .iter()
        .flat_map(|(_, languages)| languages.iter())
        .position(|&one| one == language)
        .expect("each language has a number")
}
