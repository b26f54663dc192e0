//! The name of an encoding under each convention.

use super::Convention;
use super::markup::Markup;
use crate::labels;
use mojika::{Encoding, UTF_8, UTF_16BE, UTF_16LE, extended};
use mojika_sniff::declared::Kind;

/// The first lines of exported registries.
pub const REGISTRY_ANSI: &str = "REGEDIT4";
pub const REGISTRY_UTF_16: &str = "Windows Registry Editor Version 5.00";

/// Returns the new value of `label` for the encoding `to`. The outer `None` means that the label is correct or unknown.
/// The inner `None` means that the convention has no name for `to`.
pub fn changed(
    convention: Convention,
    label: &str,
    to: &'static Encoding,
) -> Option<Option<String>> {
    let says = match convention {
        Convention::Markup(Markup::Html | Markup::Xhtml | Markup::Css) => {
            Encoding::for_label(label)
        }
        Convention::Markup(Markup::Xml) => {
            Encoding::for_label(label).or_else(|| extended::for_name(label))
        }
        // The placeholder "CHARSET" of a template has no encoding, but is replaced all the same.
        Convention::Text(Kind::Gettext) => Kind::Gettext.encoding(label.as_bytes()),
        Convention::Text(kind) => Some(kind.encoding(label.as_bytes())?),
        Convention::Registry => {
            let name = match to {
                _ if to == UTF_16LE => Some(REGISTRY_UTF_16),
                // In an encoding that is not ASCII-compatible, programs do not recognise the first line.
                _ if !to.is_ascii_compatible() || to == UTF_8 => None,
                _ => (to.is_single_byte() || to.windows_code_page().is_some())
                    .then_some(REGISTRY_ANSI),
            };
            return (name != Some(label)).then(|| name.map(str::to_owned));
        }
    };
    let name = (says != Some(to)).then(|| name(convention, label, to))?;
    (name.as_deref() != Some(label)).then_some(name)
}

/// True if no decoder has the label of an editor or of LaTeX, but a similar one. A longer label is a program's own name,
/// such as `utf8x`.
pub fn is_misspelt(convention: Convention, label: &str) -> bool {
    use Kind::{Cookie, Emacs, Inputenc, Vim};
    let Convention::Text(kind @ (Cookie | Emacs | Vim | Inputenc)) = convention else {
        return false;
    };
    let lower = label.to_ascii_lowercase();
    let is_word = lower.contains(|c: char| c.is_ascii_alphabetic());
    let is_near = |near: &&str| lower.len() <= near.len();
    is_word
        && kind.encoding(label.as_bytes()).is_none()
        && labels::nearest(label).first().is_some_and(is_near)
}

/// Returns the name of `to` that replaces `old`.
pub fn name(convention: Convention, old: &str, to: &'static Encoding) -> Option<String> {
    match convention {
        Convention::Markup(_) => Some(match to {
            _ if to == UTF_16LE || to == UTF_16BE => like("utf-16", old),
            _ => like(to.name(), old),
        }),
        // Programs read these declarations as ASCII, so they cannot name an encoding that is not ASCII-compatible.
        _ if !to.is_ascii_compatible() => None,
        Convention::Text(Kind::CodePage) => to.windows_code_page().map(|page| page.to_string()),
        Convention::Text(Kind::Page("asp-page"))
            if old.bytes().all(|byte| byte.is_ascii_digit()) =>
        {
            to.windows_code_page().map(|page| page.to_string())
        }
        Convention::Text(Kind::Inputenc) => own_name(to, |row| row.1),
        // PostgreSQL's names are in capitals. If MySQL has a name for the encoding, it also understands PostgreSQL's.
        Convention::Text(Kind::Words("sql-names"))
            if old.starts_with(|first: char| first.is_ascii_uppercase()) =>
        {
            own_name(to, |row| row.3)
        }
        Convention::Text(Kind::Words("sql-names") | Kind::Data("sql-charset")) => {
            own_name(to, |row| row.2)
        }
        Convention::Text(Kind::Words("hunspell-set")) => match to.name() {
            name @ ("UTF-8" | "KOI8-R" | "KOI8-U") => Some(name.to_owned()),
            "windows-1251" => Some("microsoft-cp1251".to_owned()),
            name => Some(format!("ISO8859{}", name.strip_prefix("ISO-8859")?)),
        },
        Convention::Text(Kind::Words("ultrastar-encoding")) => match to.name() {
            "UTF-8" => Some("UTF8".to_owned()),
            "windows-1250" | "windows-1252" => Some(to.name().replace("windows-", "CP")),
            _ => None,
        },
        Convention::Text(Kind::Words("r-encoding")) if to == UTF_8 => Some("UTF-8".to_owned()),
        Convention::Text(Kind::Words("r-encoding")) => own_name(to, |row| row.2),
        Convention::Text(
            Kind::Gettext
            | Kind::Words("texinfo")
            | Kind::DesktopEntry
            | Kind::Page("jsp-directive")
            | Kind::Words("tex-comment"),
        ) => Some(to.name().to_owned()),
        Convention::Text(_) => Some(like(to.name(), old)),
        Convention::Registry => None,
    }
}

/// Returns `name` in lower case, or unchanged if the old name begins with a capital letter.
fn like(name: &str, old: &str) -> String {
    match old.starts_with(|first: char| first.is_ascii_uppercase()) {
        true => name.to_owned(),
        false => name.to_ascii_lowercase(),
    }
}

/// An encoding's name, its option of `inputenc`, and its names in MySQL and in PostgreSQL.
type Names = (&'static str, &'static str, &'static str, &'static str);

const NAMES: [Names; 35] = [
    ("UTF-8", "utf8", "utf8mb4", "UTF8"),
    ("windows-1252", "cp1252", "latin1", "WIN1252"),
    ("ISO-8859-1", "latin1", "latin1", "LATIN1"),
    ("ISO-8859-2", "latin2", "latin2", "LATIN2"),
    ("ISO-8859-3", "latin3", "", "LATIN3"),
    ("ISO-8859-4", "latin4", "", "LATIN4"),
    ("ISO-8859-5", "", "", "ISO_8859_5"),
    ("ISO-8859-7", "", "greek", "ISO_8859_7"),
    ("ISO-8859-8", "", "hebrew", "ISO_8859_8"),
    ("ISO-8859-9", "latin5", "latin5", "LATIN5"),
    ("ISO-8859-13", "", "latin7", "LATIN7"),
    ("ISO-8859-15", "latin9", "", "LATIN9"),
    ("ISO-8859-16", "latin10", "", "LATIN10"),
    ("US-ASCII", "ascii", "ascii", "SQL_ASCII"),
    ("windows-874", "", "tis620", "WIN874"),
    ("windows-1250", "cp1250", "cp1250", "WIN1250"),
    ("windows-1251", "cp1251", "cp1251", "WIN1251"),
    ("windows-1253", "", "", "WIN1253"),
    ("windows-1254", "", "latin5", "WIN1254"),
    ("windows-1255", "", "", "WIN1255"),
    ("windows-1256", "", "cp1256", "WIN1256"),
    ("windows-1257", "cp1257", "cp1257", "WIN1257"),
    ("macintosh", "applemac", "macroman", ""),
    ("IBM437", "cp437", "", ""),
    ("IBM850", "cp850", "cp850", ""),
    ("IBM852", "cp852", "cp852", ""),
    ("IBM866", "cp866", "cp866", "WIN866"),
    ("KOI8-R", "koi8-r", "koi8r", "KOI8R"),
    ("KOI8-U", "", "koi8u", "KOI8U"),
    ("Shift_JIS", "", "cp932", "SJIS"),
    ("EUC-JP", "", "ujis", "EUC_JP"),
    ("EUC-KR", "", "euckr", "UHC"),
    ("GBK", "", "gbk", "GBK"),
    ("gb18030", "", "gb18030", "GB18030"),
    ("Big5", "", "big5", "BIG5"),
];

/// Returns the name of an encoding in a column of [`NAMES`].
fn own_name(to: &'static Encoding, column: fn(&Names) -> &'static str) -> Option<String> {
    let row = NAMES.iter().find(|row| row.0 == to.name());
    row.map(column)
        .filter(|name| !name.is_empty())
        .map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use mojika::ISO_8859_2;

    #[test]
    fn names_follow_their_conventions() {
        let text = Convention::Text;
        for (convention, old, to, new) in [
            (
                Convention::Markup(Markup::Html),
                "Shift_JIS",
                UTF_8,
                Some("UTF-8"),
            ),
            (
                Convention::Markup(Markup::Html),
                "sjis",
                UTF_8,
                Some("utf-8"),
            ),
            (
                Convention::Markup(Markup::Xml),
                "koi8-r",
                UTF_16LE,
                Some("utf-16"),
            ),
            (text(Kind::Gettext), "KOI8-R", UTF_8, Some("UTF-8")),
            (text(Kind::Gettext), "CHARSET", UTF_8, Some("UTF-8")),
            (
                Convention::Markup(Markup::Html),
                "uft8",
                UTF_8,
                Some("utf-8"),
            ),
            (text(Kind::Cookie), "latin-1", UTF_8, Some("utf-8")),
            (text(Kind::Cookie), "latin-1", UTF_16LE, None),
            (text(Kind::Inputenc), "latin2", UTF_8, Some("utf8")),
            (text(Kind::Inputenc), "latin2", mojika::SHIFT_JIS, None),
            (text(Kind::Words("texinfo")), "koi8-r", UTF_8, Some("UTF-8")),
            (
                text(Kind::Words("pod-encoding")),
                "latin1",
                UTF_8,
                Some("utf-8"),
            ),
            (
                text(Kind::Page("jsp-directive")),
                "Cp1251",
                UTF_8,
                Some("UTF-8"),
            ),
            (text(Kind::CodePage), "1251", UTF_8, Some("65001")),
            (
                Convention::Registry,
                REGISTRY_ANSI,
                UTF_16LE,
                Some(REGISTRY_UTF_16),
            ),
            (
                Convention::Registry,
                REGISTRY_UTF_16,
                ISO_8859_2,
                Some(REGISTRY_ANSI),
            ),
            (
                Convention::Registry,
                REGISTRY_UTF_16,
                mojika::SHIFT_JIS,
                Some(REGISTRY_ANSI),
            ),
            (Convention::Registry, REGISTRY_UTF_16, UTF_8, None),
            (Convention::Registry, REGISTRY_ANSI, UTF_16BE, None),
            (
                Convention::Registry,
                REGISTRY_ANSI,
                extended::ibm(37).unwrap(),
                None,
            ),
            (
                Convention::Registry,
                REGISTRY_UTF_16,
                mojika::ISO_8859_10,
                Some(REGISTRY_ANSI),
            ),
        ] {
            let expected = Some(new.map(str::to_owned));
            assert_eq!(
                changed(convention, old, to),
                expected,
                "{convention:?} {old}"
            );
        }
        // A label that already names the new encoding stays, and so does an unknown label.
        for (convention, label, to) in [
            (Convention::Markup(Markup::Html), "utf8", UTF_8),
            (text(Kind::Inputenc), "utf8", UTF_8),
            (text(Kind::Cookie), "latin-1", mojika::WINDOWS_1252),
            (text(Kind::Cookie), "uft8", UTF_8),
            (Convention::Registry, REGISTRY_UTF_16, UTF_16LE),
        ] {
            assert_eq!(
                changed(convention, label, to),
                None,
                "{convention:?} {label}"
            );
        }
    }
}
