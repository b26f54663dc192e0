//! The names of GNU libiconv 1.17 for the encodings that the engine or the C library converts.

use crate::iconv::native;
use crate::iconv::page::{self, Named, Page};
use core::ffi::CStr;
use std::ffi::CString;
use std::sync::OnceLock;

/// The relation of an encoding's code units to characters.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum UnitForm {
    /// As in the page's encoding.
    Page,
    /// Two bytes each, without surrogates. The page is UTF-16.
    Ucs2,
    /// Four bytes each, up to 0x7FFFFFFF. The page is UTF-32.
    Ucs4,
}

/// The meaning of a name.
#[derive(Clone, Copy)]
pub(super) enum Known {
    /// An encoding with a page.
    Page(UnitForm, &'static Page),
    /// The little-endian and the big-endian page. A byte order mark selects one; without a mark, text is big-endian.
    Marked(UnitForm, &'static [Page; 2]),
    /// An encoding that only the C library converts, by the C library's name.
    Native(&'static CStr),
}

impl Known {
    /// Returns the C library's name.
    pub(super) fn native(self) -> &'static CStr {
        match self {
            Self::Native(name) => name,
            Self::Page(_, page) => page.native,
            Self::Marked(_, pages) => pages[1].native,
        }
    }
}

/// Returns the canonical form and the meaning of a name without suffixes; `None` for an unknown encoding.
pub(super) fn known(name: &[u8]) -> Option<(&'static CStr, Known)> {
    match &*name.to_ascii_uppercase() {
        b"UTF-8" => return Some((c"UTF-8", Known::Page(UnitForm::Page, &page::UTF_8))),
        b"" | b"CHAR" => {
            let of_locale = native::locale_charset()?;
            // `known` looks up the locale's name. Refusing both of these names here limits the recursion to one call.
            let is_none = of_locale.is_empty() || of_locale.eq_ignore_ascii_case(b"CHAR");
            return if is_none { None } else { known(of_locale) };
        }
        b"WCHAR_T" => return known(b"UCS-4-INTERNAL"),
        _ => {}
    }
    let is_known = |known: &&CStr| known.to_bytes().eq_ignore_ascii_case(name);
    let group = groups()
        .iter()
        .find(|group| group.names.iter().any(is_known))?;
    let canonical = group.canonical;
    let (big, host) = (1, usize::from(cfg!(target_endian = "big")));
    let (two, four) = (&page::UTF_16, &page::UTF_32);
    let known = match canonical.to_bytes() {
        b"UCS-2" => Known::Marked(UnitForm::Ucs2, two),
        b"UCS-2BE" => Known::Page(UnitForm::Ucs2, &two[big]),
        b"UCS-2LE" => Known::Page(UnitForm::Ucs2, &two[0]),
        b"UCS-2-INTERNAL" => Known::Page(UnitForm::Ucs2, &two[host]),
        b"UCS-2-SWAPPED" => Known::Page(UnitForm::Ucs2, &two[1 - host]),
        b"UCS-4" => Known::Marked(UnitForm::Ucs4, four),
        b"UCS-4BE" => Known::Page(UnitForm::Ucs4, &four[big]),
        b"UCS-4LE" => Known::Page(UnitForm::Ucs4, &four[0]),
        b"UCS-4-INTERNAL" => Known::Page(UnitForm::Ucs4, &four[host]),
        b"UCS-4-SWAPPED" => Known::Page(UnitForm::Ucs4, &four[1 - host]),
        name => match page::named(match name {
            b"MACROMAN" => b"MACINTOSH",
            b"MACCYRILLIC" => b"MAC-CYRILLIC",
            name => name,
        }) {
            Some(Named::Page(page)) => Known::Page(UnitForm::Page, page),
            Some(Named::Marked(pages)) => Known::Marked(UnitForm::Page, pages),
            None => Known::Native(canonical),
        },
    };
    Some((canonical, known))
}

/// An encoding's names. The C library has the canonical name for an encoding without a page.
pub(super) struct Group {
    canonical: &'static CStr,
    pub names: Vec<&'static CStr>,
}

/// Returns the names of all encodings in libiconv's order, from the lines of `names.txt`: canonical name, "=", all names.
pub(super) fn groups() -> &'static [Group] {
    static GROUPS: OnceLock<Vec<Group>> = OnceLock::new();
    let string = |name: &str| -> &'static CStr {
        Box::leak(CString::new(name).unwrap_or_default().into_boxed_c_str())
    };
    GROUPS.get_or_init(|| {
        let lines = include_str!("names.txt").lines();
        let parts = lines.filter_map(|line| line.split_once(" = "));
        let groups = parts.map(|(canonical, names)| Group {
            canonical: string(canonical),
            names: names.split(' ').map(string).collect(),
        });
        groups.collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_known_under_its_canonical_name_and_no_other() {
        for group in groups() {
            assert!(group.names.contains(&group.canonical));
            for name in &group.names {
                let (canonical, _) = known(&name.to_bytes().to_ascii_lowercase()).unwrap();
                assert_eq!(canonical, group.canonical, "{name:?}");
            }
        }
        assert!(known(b"NO-SUCH-NAME").is_none() && known(&[b'A'; 90]).is_none());
    }
}
