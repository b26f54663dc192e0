//! From names to the encodings of this module.

use super::encodings::{ENTRIES, Entry};
use crate::Encoding;

/// The encoding of this module that `name` names: its IANA name or an alias, "cp", "ibm", "ccsid" or "x-ibm" with IBM's
/// number ("cp437", "IBM-037", "ibm01140"), that number alone, or "cp" with a Windows code page ("cp28591").
///
/// ASCII whitespace around the name is ignored, and so is ASCII case. Names of the Standard's encodings are unknown here
/// unless an encoding of this module has them, too.
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
    let is_named = |entry: &&Entry| {
        let mut names = entry.aliases.iter().chain([&entry.encoding.name]);
        names.any(|known| name.eq_ignore_ascii_case(known.as_bytes()))
    };
    let found = ENTRIES.iter().find(is_named);
    let found = found.or_else(|| {
        let (number, is_windows) = number_of(name)?;
        let by_windows = |entry: &&Entry| is_windows && entry.windows == number && number != 0;
        ENTRIES
            .iter()
            .find(|entry| ibm_number(entry) == Some(number))
            .or_else(|| ENTRIES.iter().find(by_windows))
    });
    found.map(|entry| entry.encoding)
}

/// Names that iconv and Python know and the Standard does not, with the Standard's label.
const EVERYDAY: &[(&str, &str)] = &[
    ("cp932", "shift_jis"),
    ("cp936", "gbk"),
    ("cp949", "euc-kr"),
    ("cp950", "big5"),
    ("euccn", "gbk"),
    ("euc-cn", "gbk"),
    ("eucjp", "euc-jp"),
    ("euckr", "euc-kr"),
    ("latin9", "iso-8859-15"),
    ("latin-9", "iso-8859-15"),
    ("uhc", "euc-kr"),
    ("utf16", "utf-16"),
    ("utf16be", "utf-16be"),
    ("utf16le", "utf-16le"),
];

/// A prefix of names that excludes the Standard's labels.
const EXTENDED: &str = "extended:";

/// The encoding that a user names: a label of the Standard, an everyday name such as "cp932", or else what [`for_name`]
/// knows. Behind "extended:", `for_name` alone decides.
///
/// The command and the bindings look names up so.
///
/// ```
/// use mojika::extended::{self, find};
/// assert_eq!(find("cp932"), Some(mojika::SHIFT_JIS));
/// assert_eq!(find("latin1"), Some(mojika::WINDOWS_1252));
/// assert_eq!(find("extended:latin1"), Some(extended::ISO_8859_1));
/// assert_eq!(find("cp037"), extended::ibm(37));
/// ```
pub fn find(name: &str) -> Option<&'static Encoding> {
    match name.trim_ascii().strip_prefix(EXTENDED) {
        Some(name) => for_name(name),
        None => Encoding::for_label(standard_label(name)).or_else(|| for_name(name)),
    }
}

/// `name` without whitespace around it, or the Standard's label for an everyday name.
///
/// ```
/// use mojika::extended::standard_label;
/// assert_eq!((standard_label(" UTF16"), standard_label("gbk ")), ("utf-16", "gbk"));
/// ```
#[doc(hidden)]
pub fn standard_label(name: &str) -> &str {
    let name = name.trim_ascii();
    let everyday = EVERYDAY
        .iter()
        .find(|(known, _)| known.eq_ignore_ascii_case(name));
    everyday.map_or(name, |(_, standard)| standard)
}

/// The number in a name like "cp037", and whether it may be that of a Windows code page.
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
    let mut number: u16 = 0;
    for digit in digits {
        number = number
            .checked_mul(10)?
            .checked_add(u16::from(digit - b'0'))?;
    }
    (!digits.is_empty()).then_some((number, is_windows))
}

/// The number in the name of an IBM page, of which it is all after "IBM".
pub(super) const fn ibm_number(entry: &Entry) -> Option<u16> {
    let [b'I', b'B', b'M', digits @ ..] = entry.encoding.name.as_bytes() else {
        return None;
    };
    let (mut number, mut i) = (0, 0);
    while i < digits.len() {
        number = 10 * number + (digits[i] - b'0') as u16;
        i += 1;
    }
    Some(number)
}

#[cfg(all(test, feature = "alloc"))]
mod tests {
    use super::*;
    use crate::extended;

    #[test]
    fn everyday_names_are_taken() {
        for (name, label) in EVERYDAY {
            assert_eq!(find(name), Encoding::for_label(label), "{name}");
            assert_eq!(Encoding::for_label(name), None, "{name} is in the Standard");
        }
        assert_eq!(find(" CP932 "), Some(crate::SHIFT_JIS));
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
