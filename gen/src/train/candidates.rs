//! The languages and the single-byte encodings of the detector.

/// The BCP 47 tag of a language without a model. Its words are those of Western European languages.
pub const UNDETERMINED: &str = "und";

/// Languages by script, in table order. "he-v" is Hebrew in visual order.
pub const SCRIPTS: [&str; 6] = [
    "en fr de es pt it sv da fi is nl ca ga gl eu sq pl cs sk hu sl hr ro tr lt lv et eo cy af ast br gd oc id ms fur \
     wa az ku mt hsb dsb fo lb fy rm tl uz vi",
    "el",
    "ru uk bg be sr mk kk tg tt ky mn",
    "he he-v",
    "ar fa ur ug",
    "th",
];

/// Languages of double-byte encodings, by the names of their texts, in table order.
pub const WIDE: [&str; 4] = ["ja", "ko", "zh_CN", "zh_TW"];

/// The languages that represent languages without a model.
pub const WESTERN: &str = "fr de es pt it sv da fi is nl ca ga gl eu sq af ast br oc";

/// A single-byte encoding that text may be in.
pub struct Candidate {
    pub name: &'static str,
    /// The prior cost, in bits.
    pub prior: f64,
    pub languages: &'static str,
}

const fn candidate(name: &'static str, prior: f64, languages: &'static str) -> Candidate {
    Candidate {
        name,
        prior,
        languages,
    }
}

const WEST: &str = "en fr de es pt it sv da fi is nl ca ga gl eu sq af";
const CENTRAL: &str = "pl cs sk hu sl hr ro sq hsb dsb en";
const BALTIC: &str = "lt lv et en";
const CYRILLIC: &str = "ru uk bg be sr mk";

/// The number of encodings of the Standard, which come first.
pub const OF_THE_WEB: usize = 28;

/// The encodings, in table order. Encodings after the Standard's are answers only with `extended`.
pub const CANDIDATES: [Candidate; 47] = [
    candidate(
        "windows-1252",
        0.0,
        "en fr de es pt it sv da fi is nl ca ga gl eu sq af ast br gd oc id ms fur wa fo lb fy rm tl und",
    ),
    candidate("windows-1250", 1.0, CENTRAL),
    candidate("ISO-8859-2", 2.0, CENTRAL),
    candidate("windows-1254", 1.5, "tr az ku uz en"),
    candidate("windows-1257", 2.0, BALTIC),
    candidate("ISO-8859-4", 7.0, BALTIC),
    candidate("ISO-8859-13", 6.0, BALTIC),
    candidate("windows-1258", 3.0, "vi"),
    candidate(
        "ISO-8859-15",
        4.0,
        "en fr de es pt it sv da fi is nl ca ga gl eu sq et af br oc lb",
    ),
    candidate("macintosh", 6.0, WEST),
    candidate("ISO-8859-3", 8.0, "eo mt"),
    candidate("ISO-8859-10", 9.0, "is lt lv et"),
    candidate("ISO-8859-14", 9.0, "cy ga gd br"),
    candidate("ISO-8859-16", 8.0, "ro pl hu hr sl sq"),
    candidate("windows-1253", 1.0, "el"),
    candidate("ISO-8859-7", 2.0, "el"),
    candidate("windows-1255", 1.0, "he"),
    candidate("ISO-8859-8-I", 4.0, "he"),
    candidate("ISO-8859-8", 5.0, "he-v"),
    candidate("windows-1256", 1.0, "ar fa ur ug"),
    candidate("ISO-8859-6", 4.0, "ar"),
    candidate("windows-874", 1.0, "th"),
    candidate("windows-1251", 0.0, CYRILLIC),
    candidate("KOI8-R", 2.0, "ru bg"),
    candidate("KOI8-U", 3.0, "uk be ru"),
    candidate("ISO-8859-5", 4.0, CYRILLIC),
    candidate("IBM866", 3.0, "ru uk be bg"),
    candidate("x-mac-cyrillic", 13.0, CYRILLIC),
    candidate("MacCentralEurope", 8.0, CENTRAL),
    candidate("IBM850", 7.0, WEST),
    candidate("IBM437", 7.0, "en fr de es it sv fi nl"),
    candidate("IBM852", 7.0, CENTRAL),
    candidate("IBM855", 8.0, "ru bg be sr mk"),
    candidate("IBM858", 10.0, WEST),
    candidate("IBM865", 9.0, "da"),
    candidate("IBM860", 10.0, "pt"),
    candidate("IBM861", 10.0, "is"),
    candidate("IBM863", 10.0, "fr"),
    candidate("IBM737", 7.0, "el"),
    candidate("IBM869", 9.0, "el"),
    candidate("IBM857", 8.0, "tr en"),
    candidate("IBM862", 8.0, "he he-v"),
    candidate("IBM775", 8.0, BALTIC),
    candidate("IBM1125", 8.0, "uk ru be"),
    candidate("KOI8-T", 8.0, "tg"),
    candidate("KZ-1048", 8.0, "kk"),
    candidate("PTCP154", 9.0, "kk tt ky"),
];

/// Double-byte encodings: name, prior cost in bits, chain, and languages.
pub const DOUBLE: [(&str, f64, &str, &str); 7] = [
    ("Shift_JIS", 5.0, "Japanese", "Ja"),
    ("EUC-JP", 5.5, "Japanese", "Ja"),
    ("GBK", 5.0, "Chinese", "ZhCn ZhTw"),
    ("Big5", 5.0, "Chinese", "ZhTw"),
    ("EUC-KR", 5.0, "Korean", "Ko"),
    ("Johab", 9.0, "Korean", "Ko"),
    ("EUC-TW", 9.0, "Chinese", "ZhTw"),
];

/// Code pages of EBCDIC with Latin letters: name, and prior cost in bits.
pub const EBCDIC: [(&str, f64); 13] = [
    ("IBM037", 8.0),
    ("IBM500", 9.0),
    ("IBM1047", 8.0),
    ("IBM1140", 10.0),
    ("IBM273", 11.0),
    ("IBM277", 13.0),
    ("IBM278", 13.0),
    ("IBM280", 13.0),
    ("IBM284", 13.0),
    ("IBM285", 12.0),
    ("IBM297", 13.0),
    ("IBM871", 13.0),
    ("IBM1141", 13.0),
];

/// Returns the prior cost of a language in an encoding, in bits. Rare combinations cost more.
pub fn rarity(language: &str, encoding: &str) -> f64 {
    const RARE: &str =
        "af ast br gd oc ms fur wa az ku mt hsb dsb fo lb fy rm tl uz kk tg tt ky mn ur ug";
    const SELDOM: &str = "ga gl eu sq eo cy id he-v";
    let is_in = |list: &str| list.split(' ').any(|one| one == language);
    match language {
        // windows-1252 text is mostly English with a sign or a name, which is rare in other encodings.
        "en" if encoding == "windows-1252" => -5.0,
        "en" => 5.0,
        UNDETERMINED => 4.0,
        _ if is_in(RARE) => 5.0,
        _ if is_in(SELDOM) => 3.0,
        _ => 0.0,
    }
}
