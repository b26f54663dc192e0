//! Lookup of this module's encodings by name.

use super::encodings::{ENTRIES, Entry};
use super::foreign::{MISSING, NAMES};
use crate::{Encoding, UTF_16BE, UTF_16LE};

/// Returns the encoding of this module with this name. That is its IANA name or an alias, or "cp", "ibm", "ccsid" or
/// "x-ibm" with IBM's number ("cp437", "IBM-037", "ibm01140"). The number alone is a name too, and "cp" with a Windows
/// code page ("cp28591").
///
/// ASCII whitespace around the name is ignored, and so is ASCII case. Labels of the Standard are unknown here unless an
/// encoding of this module has them, too. "csUTF16", which is not a label, means UTF-16LE, as the label "utf-16" does.
///
/// ```
/// use mojika::extended::{self, for_name};
/// assert_eq!(for_name("IBM-1047"), extended::ibm(1047));
/// assert_eq!(for_name("CP00858"), extended::ibm(858));
/// assert_eq!(for_name("latin1"), Some(extended::ISO_8859_1));
/// assert_eq!(for_name("shift_jis"), None);
/// ```
pub fn for_name(name: impl AsRef<[u8]>) -> Option<&'static Encoding> {
    let name = name.as_ref().trim_ascii();
    let is_name = |known: &str| name.eq_ignore_ascii_case(known.as_bytes());
    if let Some((_, encoding)) = REGISTERED.iter().find(|(known, _)| is_name(known)) {
        return Some(encoding);
    }
    let is_named = |entry: &&Entry| entry.names().any(is_name);
    let found = ENTRIES.iter().find(is_named).or_else(|| {
        let (number, is_windows) = number_of(name)?;
        let by_windows = |entry: &&Entry| is_windows && entry.windows == number && number != 0;
        ENTRIES
            .iter()
            .find(|entry| has_ibm_number(entry, number))
            .or_else(|| ENTRIES.iter().find(by_windows))
    });
    found.map(|entry| entry.encoding)
}

/// Names that IANA registers for encodings of the Standard, and that are not labels of the Standard.
static REGISTERED: [(&str, &Encoding); 3] = [
    ("csutf16", UTF_16LE),
    ("csutf16le", UTF_16LE),
    ("csutf16be", UTF_16BE),
];

/// A prefix of names, in any case, that excludes the Standard's labels.
const EXTENDED: &str = "extended:";

/// Returns the rest of a name that begins with `EXTENDED`.
pub fn without_prefix(name: &str) -> Option<&str> {
    let (prefix, rest) = name.split_at_checked(EXTENDED.len())?;
    prefix.eq_ignore_ascii_case(EXTENDED).then_some(rest)
}

/// Returns the encoding that a user names. Tries the Standard's labels, then [`for_name`], then the names of iconv,
/// Python, Java, Emacs and TeX, such as "8859_15" or "MacRoman". After "extended:", only the encodings of
/// [`extended`](crate::extended) are found.
///
/// The last step ignores punctuation, and accepts "cp", "ms" or "windows" with the number of a Windows code page. A
/// name of the Standard keeps its meaning there: "8859_1" is windows-1252, as "iso-8859-1" is.
///
/// The command and the bindings use this function.
///
/// ```
/// use mojika::extended::{self, find};
/// assert_eq!(find("cp932"), Some(mojika::SHIFT_JIS));
/// assert_eq!(find("windows-950"), Some(mojika::BIG5));
/// assert_eq!(find("latin1"), Some(mojika::WINDOWS_1252));
/// assert_eq!(find("extended:latin1"), Some(extended::ISO_8859_1));
/// assert_eq!(find("Extended:Latin1"), Some(extended::ISO_8859_1));
/// assert_eq!(find("cp037"), extended::ibm(37));
/// ```
pub fn find(name: &str) -> Option<&'static Encoding> {
    let name = name.trim_ascii();
    if let Some(name) = without_prefix(name) {
        let own = |encoding: &Encoding| !Encoding::all().contains(&encoding);
        let found = for_name(name).or_else(|| squashed(name, for_name));
        return found.filter(|found| own(found));
    }
    let exact = |key: &str| Encoding::for_label(key).or_else(|| for_name(key));
    exact(standard_label(name)).or_else(|| squashed(name, exact))
}

/// Returns iconv's name of the encoding that iconv calls `name`, if mojika lacks it.
pub fn missing(name: &str) -> Option<&'static str> {
    let name = name.trim_ascii();
    // "1026", "cp1026" and "IBM-1026" are IBM1026.
    let by_number = || {
        let (number, _) = number_of(name.as_bytes())?;
        MISSING.iter().find(|(key, _)| {
            let digits = key.strip_prefix("IBM").filter(|_| number != 0);
            digits.and_then(|digits| digits.parse().ok()) == Some(number)
        })
    };
    let (key, _) = row_of(name, MISSING).or_else(by_number)?;
    find(name).is_none().then_some(*key)
}

/// Returns the names that other programs use, without punctuation, with the encoding of each. Labels of the Standard
/// and names of this module are excluded.
pub fn foreign_names() -> impl Iterator<Item = (&'static str, &'static Encoding)> {
    let names = NAMES.iter().flat_map(|(_, names)| names.split(' '));
    names.filter_map(|name| Some((name, find(name)?)))
}

/// Returns a name in lower case and without punctuation.
fn squash(name: &str) -> impl Iterator<Item = u8> + '_ {
    name.bytes()
        .filter(|byte| !b"-_.:,/ ()".contains(byte))
        .map(|byte| byte.to_ascii_lowercase())
}

/// True if two names differ only in punctuation and case. A string of punctuation is not a name.
fn is_like(known: &str, name: &str) -> bool {
    squash(known).eq(squash(name)) && squash(name).next().is_some()
}

/// Returns the row of a list that has `name`.
fn row_of(
    name: &str,
    list: &'static [(&'static str, &'static str)],
) -> Option<&'static (&'static str, &'static str)> {
    list.iter().find(|(key, names)| {
        is_like(key, name) || names.split(' ').any(|known| is_like(known, name))
    })
}

/// Returns the encoding with this name, whatever the punctuation and case. Names of other programs, and names with a page
/// number, are also found. `exact` finds the encoding of a key in [`NAMES`].
fn squashed(
    name: &str,
    exact: impl Fn(&'static str) -> Option<&'static Encoding>,
) -> Option<&'static Encoding> {
    let is_named = |entry: &&Entry| entry.names().any(|known| is_like(known, name));
    let own = ENTRIES.iter().find(is_named).map(|entry| entry.encoding);
    let listed = || exact(row_of(name, NAMES)?.0);
    own.or_else(listed).or_else(|| by_number(name))
}

/// Returns a name without ICU's suffix after an IBM page number: "ibm-1047" for "ibm-1047_P100-1995".
fn without_edition(name: &str) -> &str {
    let is_edition = |edition: &str| {
        let edition = edition.as_bytes();
        matches!(edition, [b'P' | b'p' | b'X' | b'x', digit, .., b'-', _, _, _, _] if digit.is_ascii_digit())
    };
    match name.split_once('_') {
        Some((page, edition)) if is_edition(edition) => page,
        _ => name,
    }
}

/// Returns the encoding of a name such as "ms950", "windows-28592", "IBM-00437" or "ibm-1047_P100-1995".
fn by_number(name: &str) -> Option<&'static Encoding> {
    let name = without_edition(name);
    let is_digit = |byte: &u8| byte.is_ascii_digit();
    let number = parsed(squash(name).skip_while(|byte| !is_digit(byte)))?;
    let is_after = |letters: &str| {
        let form = squash(name).take_while(|byte| !is_digit(byte));
        form.eq(letters.bytes())
    };
    let windows = || Encoding::for_windows_code_page(number);
    if number == 0 {
        None
    } else if ["ibm", "ccsid", "xibm"].iter().any(|form| is_after(form)) {
        super::ibm(number)
    } else if ["cp", "xcp"].iter().any(|form| is_after(form)) {
        super::ibm(number).or_else(windows)
    } else if ["ms", "windows", "win", "dos", "xms", "xwindows"]
        .iter()
        .any(|form| is_after(form))
    {
        windows()
    } else {
        None
    }
}

/// Returns `name` without surrounding whitespace, or the Standard's label that differs from it in punctuation alone.
///
/// ```
/// use mojika::extended::standard_label;
/// assert_eq!((standard_label(" UTF16"), standard_label("gbk ")), ("utf-16", "gbk"));
/// ```
pub fn standard_label(name: &str) -> &str {
    let name = name.trim_ascii();
    // A name of this module takes precedence over one that only resembles a label.
    if Encoding::for_label(name).is_some() || for_name(name).is_some() {
        return name;
    }
    let mut labels = Encoding::all()
        .iter()
        .flat_map(|encoding| encoding.labels());
    labels.find(|label| is_like(label, name)).unwrap_or(name)
}

/// Returns the number in a name like "cp037", and true if it may be a Windows code page.
fn number_of(name: &[u8]) -> Option<(u16, bool)> {
    let digits = name.iter().rev().take_while(|byte| byte.is_ascii_digit());
    let (form, digits) = name.split_at(name.len() - digits.count());
    let is_windows = form.eq_ignore_ascii_case(b"cp") || form.eq_ignore_ascii_case(b"cp-");
    let forms: [&[u8]; 8] = [
        b"", b"ibm", b"ibm-", b"ibm_", b"ccsid", b"ccsid-", b"x-ibm", b"x-ibm-",
    ];
    if !is_windows && !forms.iter().any(|known| form.eq_ignore_ascii_case(known)) {
        return None;
    }
    let number = parsed(digits.iter().copied())?;
    (!digits.is_empty()).then_some((number, is_windows))
}

/// Returns the value of decimal digits, 0 for none. `None` if there is another byte, or if the value does not fit.
fn parsed(mut digits: impl Iterator<Item = u8>) -> Option<u16> {
    digits.try_fold(0_u16, |number, digit| {
        let digit = digit.is_ascii_digit().then(|| digit - b'0')?;
        number.checked_mul(10)?.checked_add(digit.into())
    })
}

/// True if `number` is IBM's number of the entry's page: its name or an alias is "IBM" and the number.
pub(super) const fn has_ibm_number(entry: &Entry, number: u16) -> bool {
    if is_ibm_number(entry.encoding.name, number) {
        return true;
    }
    let mut i = 0;
    while i < entry.aliases.len() {
        if is_ibm_number(entry.aliases[i], number) {
            return true;
        }
        i += 1;
    }
    false
}

/// True if a name is "IBM" and the digits of this number.
const fn is_ibm_number(name: &str, expected: u16) -> bool {
    let [b'I' | b'i', b'B' | b'b', b'M' | b'm', digits @ ..] = name.as_bytes() else {
        return false;
    };
    let (mut number, mut i) = (0_u32, 0);
    while i < digits.len() {
        if !digits[i].is_ascii_digit() || number > 0xFFFF {
            return false;
        }
        number = 10 * number + (digits[i] - b'0') as u32;
        i += 1;
    }
    i > 0 && number == expected as u32
}

#[cfg(all(test, feature = "alloc"))]
mod tests {
    use super::*;
    use crate::extended;

    #[test]
    fn every_foreign_name_is_found_once_and_is_no_label() {
        let mut seen = alloc::collections::BTreeSet::new();
        let rows = NAMES.iter().map(|row| (row, true));
        let rows = rows.chain(MISSING.iter().map(|row| (row, false)));
        for (&(key, names), is_there) in rows {
            let expected = Encoding::for_label(key).or_else(|| for_name(key));
            assert_eq!(expected.is_some(), is_there, "{key}");
            for name in names.split(' ').filter(|name| !name.is_empty()) {
                assert!(squash(name).eq(name.bytes()), "{name} is not squashed");
                assert!(seen.insert(name), "{name} is listed twice");
                assert_eq!(find(name), expected, "{name}");
                assert_eq!(missing(name).is_some(), expected.is_none(), "{name}");
                assert_eq!(Encoding::for_label(name), None, "{name} is a label");
            }
        }
    }

    #[test]
    fn what_is_missing_is_found_by_its_number_too() {
        let mut count = 0;
        for &(key, _) in MISSING {
            let digits = key.strip_prefix("IBM").unwrap_or("");
            let Ok(number) = digits.parse::<u16>() else {
                continue;
            };
            count += 1;
            for form in ["", "cp", "CP-", "ibm-", "ibm_", "x-ibm", "ccsid"] {
                let name = alloc::format!("{form}{number}");
                // A number may also be that of a Windows code page of this module.
                let expected = find(&name).is_none().then_some(key);
                assert_eq!(missing(&name), expected, "{name}");
                assert!(expected.is_some() || !form.starts_with("ibm"), "{name}");
            }
        }
        assert!(count > 10);
        for none in ["0", "cp0", "ibm", "cp", "99999", "IBM65535"] {
            assert_eq!(missing(none), None, "{none}");
        }
    }

    /// Covers the spellings that programs print and people write.
    #[test]
    fn names_of_other_programs_are_found_in_their_forms() {
        use crate::*;
        for (name, encoding) in [
            (" CP932 ", SHIFT_JIS),
            ("ms932", SHIFT_JIS),
            ("MS950", BIG5),
            ("windows-950", BIG5),
            ("x-windows-949", EUC_KR),
            ("cp936", GBK),
            ("eucJP-win", EUC_JP),
            ("CP-1252", WINDOWS_1252),
            ("cp1252", WINDOWS_1252),
            ("8859_1", WINDOWS_1252),
            ("8859_15", ISO_8859_15),
            ("latin-1", WINDOWS_1252),
            ("LATIN-9", ISO_8859_15),
            ("utf_8", UTF_8),
            ("utf-8-sig", UTF_8),
            ("cp65001", UTF_8),
            ("UTF16BE", UTF_16BE),
            ("ucs-2le", UTF_16LE),
            ("MacRoman", MACINTOSH),
            ("MacCyrillic", X_MAC_CYRILLIC),
            ("TIS620", WINDOWS_874),
            ("ISO-10646/UCS4/", extended::UTF_32),
            ("utf_32", extended::UTF_32),
            ("csUTF16", UTF_16LE),
            ("UCS-4LE", extended::UTF_32LE),
            ("extended:8859_1", extended::ISO_8859_1),
            ("ibm-1047_P100-1995", extended::ibm(1047).unwrap()),
            ("ibm-16804_X110-1999", extended::ibm(16804).unwrap()),
            ("cp838", extended::ibm(9030).unwrap()),
            ("IBM-Thai", extended::ibm(9030).unwrap()),
            ("hzgb", for_name("hz").unwrap()),
            ("mac_centeuro", for_name("maclatin2").unwrap()),
            ("hkscs", for_name("big5hkscs").unwrap()),
            ("Big5-HKSCS", BIG5),
        ] {
            assert_eq!(find(name), Some(encoding), "{name}");
        }
        for name in [
            "",
            "-",
            "--_",
            "utf-8x8",
            "utf-8é",
            "windows-1",
            "ms",
            "cp65536",
            "ibm1252",
            "tscii",
            "extended:gbk",
            "extended:ms932",
            "utf-8//IGNORE",
            "dos-",
            "ibm-1047_P100",
            "ibm-1047_1995",
            "ibm-943_P15A-2003",
            "1252",
        ] {
            assert_eq!(find(name), None, "{name}");
        }
        assert_eq!(missing("Mac-Sami"), Some("MAC-SAMI"));
        assert_eq!(missing("latin1"), None);
    }

    #[test]
    fn every_name_leads_to_its_encoding() {
        for encoding in extended::all() {
            for name in extended::names(encoding) {
                assert_eq!(for_name(name), Some(encoding), "{name}");
                assert_eq!(
                    for_name(format!(" {name}\n").to_uppercase()),
                    Some(encoding)
                );
            }
        }
    }

    #[test]
    fn forms_with_numbers_are_known() {
        for number in [
            37, 273, 277, 278, 280, 284, 285, 297, 500, 871, 1047, 1140, 1141, 1142, 1143, 1144,
            1145, 1146, 1147, 1148, 1149, 437, 720, 737, 775, 850, 852, 855, 857, 858, 860, 861,
            862, 863, 864, 865, 869, 874,
        ] {
            let expected =
                extended::all().find(|encoding| encoding.name() == format!("IBM{number:03}"));
            assert!(expected.is_some(), "{number}");
            assert_eq!(extended::ibm(number), expected, "{number}");
            for form in [
                "cp", "CP-", "ibm", "IBM-", "ibm_", "ccsid", "x-ibm", "cp0", "ibm00", "",
            ] {
                let name = format!("{form}{number}");
                assert_eq!(for_name(&name), expected, "{name}");
            }
        }
    }

    #[test]
    fn other_names_are_unknown() {
        for name in [
            "",
            "cp",
            "ibm",
            "ibm866",
            "cp1252",
            "cp99999999999",
            "windows-437",
            "utf-8",
            "cp0",
            "cp00",
            "437x",
            "ibm 437",
        ] {
            assert_eq!(for_name(name), None, "{name}");
        }
    }
}
