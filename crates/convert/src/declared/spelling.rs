//! The name of an encoding under each convention.

use super::Convention;
use super::markup::Markup;
use mojika::{Encoding, UTF_8, UTF_16BE, UTF_16LE, extended};
use mojika_sniff::declared::Kind;

/// The first lines of exported registries.
pub const REGISTRY_ANSI: &str = "REGEDIT4";
pub const REGISTRY_UTF_16: &str = "Windows Registry Editor Version 5.00";

/// Returns the new value of `label` for the encoding `to`. The outer `None` means that the label is correct or unknown, the
/// inner `None` that the convention has no name.
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
        // A template has "CHARSET" as a placeholder.
        Convention::Text(Kind::Gettext) => Kind::Gettext.encoding(label.as_bytes()),
        Convention::Text(kind) => Some(kind.encoding(label.as_bytes())?),
        Convention::Registry => {
            let name = match to {
                _ if to == UTF_16LE => Some(REGISTRY_UTF_16),
                // Without ASCII bytes at the start, the first line is not recognised.
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

/// Returns the name of `to` that replaces `old`.
fn name(convention: Convention, old: &str, to: &'static Encoding) -> Option<String> {
    match convention {
        Convention::Markup(_) => Some(match to {
            _ if to == UTF_16LE || to == UTF_16BE => like("utf-16", old),
            _ => like(to.name(), old),
        }),
        // Text that is read as ASCII cannot name an encoding without ASCII bytes.
        _ if !to.is_ascii_compatible() => None,
        Convention::Text(Kind::CodePage) => to.windows_code_page().map(|page| page.to_string()),
        Convention::Text(Kind::Inputenc) => inputenc(to).map(str::to_owned),
        Convention::Text(Kind::Emacs | Kind::Vim | Kind::Cookie | Kind::Pod) => {
            Some(like(to.name(), old))
        }
        Convention::Text(_) => Some(to.name().to_owned()),
        Convention::Registry => None,
    }
}

/// Returns a name in lower case, unless the old one begins with a capital.
fn like(name: &str, old: &str) -> String {
    match old.starts_with(|first: char| first.is_ascii_uppercase()) {
        true => name.to_owned(),
        false => name.to_ascii_lowercase(),
    }
}

/// Returns the option of `inputenc`.
fn inputenc(to: &'static Encoding) -> Option<&'static str> {
    const OPTIONS: [(&str, &str); 19] = [
        ("UTF-8", "utf8"),
        ("windows-1252", "cp1252"),
        ("ISO-8859-1", "latin1"),
        ("ISO-8859-2", "latin2"),
        ("ISO-8859-3", "latin3"),
        ("ISO-8859-4", "latin4"),
        ("ISO-8859-9", "latin5"),
        ("ISO-8859-15", "latin9"),
        ("ISO-8859-16", "latin10"),
        ("US-ASCII", "ascii"),
        ("windows-1250", "cp1250"),
        ("windows-1251", "cp1251"),
        ("windows-1257", "cp1257"),
        ("macintosh", "applemac"),
        ("IBM437", "cp437"),
        ("IBM850", "cp850"),
        ("IBM852", "cp852"),
        ("KOI8-R", "koi8-r"),
        ("IBM866", "cp866"),
    ];
    let row = OPTIONS.iter().find(|(name, _)| *name == to.name());
    row.map(|(_, option)| *option)
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
            (text(Kind::Texinfo), "koi8-r", UTF_8, Some("UTF-8")),
            (text(Kind::Pod), "latin1", UTF_8, Some("utf-8")),
            (text(Kind::Jsp), "Cp1251", UTF_8, Some("UTF-8")),
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
