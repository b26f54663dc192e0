//! The code pages of `mojika::extended`, imported from installed converters by `gen import-extended` and compared again by
//! `gen verify`.
//!
//! The sources are ICU (`uconv`) and its archive, glibc (`iconv`), Python's codecs, Perl's Encode and GNU libiconv.
//! Each page has at least two sources. Where they differ, [`Page::taken`] chooses, and the page's file lists each
//! difference, the choice and its reason. The files are in `gen/extended`, one line per mapped byte. If several bytes
//! decode to a code point, it is encoded to the last byte, or to the byte that has a second line.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use crate::index::Index;
use crate::pages::{Optional, PAGES, Page, Shape};
use crate::sources::{glibc, icu, perl, python};
use crate::{Outcome, paths};

/// The ISO-8859 parts with an index in the Standard, for comparison with glibc's tables.
const ISO_PARTS: [&str; 12] = [
    "2", "3", "4", "5", "6", "7", "8", "10", "13", "14", "15", "16",
];

/// Runs `gen import-extended`: writes `gen/extended`.
pub fn import() -> Outcome {
    let mut differences = 0;
    let optional = Optional::find();
    for page in PAGES {
        // If a source is missing, the pages that are compared with it stay unchanged.
        if !page.is_complete(optional) {
            continue;
        }
        let (text, differing) = derive(page)?;
        differences += differing;
        std::fs::write(paths::in_extended(page.name), text)?;
    }
    Ok(format!(
        "{} pages imported; their files explain {differences} differences{}",
        PAGES.len() - incomplete(optional),
        not_compared(optional)
    ))
}

/// Compares `gen/extended` with the installed sources, and the Standard's ISO-8859 parts and IBM866 with glibc's. The proof
/// compares the tables with `gen/extended`.
pub fn verify() -> Outcome {
    let is_missing = [
        glibc("ISO-8859-1", false),
        icu("ISO-8859-1", false),
        python("ascii"),
        perl("ascii"),
    ]
    .contains(&None);
    if is_missing {
        return Ok(
            "extended: skipped: iconv, uconv, python3 and perl are not all installed".to_owned(),
        );
    }
    let optional = Optional::find();
    for page in PAGES.iter().filter(|page| page.is_complete(optional)) {
        if derive(page)?.0 != std::fs::read_to_string(paths::in_extended(page.name))? {
            return Err(format!("gen/extended/{}.txt is not what is installed", page.name).into());
        }
    }
    let mut same = Vec::new();
    for part in ISO_PARTS {
        same.push((format!("iso-8859-{part}"), format!("ISO-8859-{part}")));
    }
    same.push(("ibm866".to_owned(), "IBM866".to_owned()));
    for (ours, theirs) in same {
        let index = Index::read(&paths::indexes(), &ours)?;
        let table = glibc(&theirs, false).ok_or_else(|| format!("iconv lacks {theirs}"))?;
        for pointer in 0..128_u32 {
            let standard = index.0.get(&pointer).copied();
            let installed = table[pointer as usize + 128].map(u32::from);
            if standard != installed {
                return Err(
                    format!("{ours}: pointer {pointer}: {standard:X?}, {installed:X?}").into(),
                );
            }
        }
    }
    Ok(format!(
        "extended: {} pages are what is installed; the Standard's 12 ISO-8859 parts and IBM866 are glibc's{}",
        PAGES.len() - incomplete(optional),
        not_compared(optional)
    ))
}

/// Returns the number of pages with a source that is not installed.
fn incomplete(optional: Optional) -> usize {
    let pages = PAGES.iter();
    pages.filter(|page| !page.is_complete(optional)).count()
}

/// Returns the message about the pages that cannot be compared; empty if there are none.
fn not_compared(optional: Optional) -> String {
    let reasons = [
        (optional.libiconv, "LIBICONV names no program"),
        (
            optional.archive,
            "ICU_DATA names no folder with tables of ICU's archive",
        ),
    ];
    let missing = reasons.iter().filter(|(is_there, _)| !is_there);
    let missing: Vec<_> = missing.map(|(_, reason)| *reason).collect();
    match missing.as_slice() {
        [] => String::new(),
        _ => format!(
            "\nextended: {} pages not compared: {}",
            incomplete(optional),
            missing.join("; ")
        ),
    }
}

/// Reads the file of a page: a map from byte to code point.
#[cfg(test)]
fn read(name: &str) -> Result<Index, String> {
    Ok(read_lines(name)?.0)
}

/// Reads the file of a page: a map from byte to code point, and the bytes with two lines. A code point is encoded to
/// its byte with two lines, or else to the last byte that decodes to it.
pub fn read_lines(name: &str) -> Result<(Index, BTreeSet<u32>), String> {
    let (mut index, mut preferred) = (Index::default(), BTreeSet::new());
    for (byte, to) in paths::entries(name)? {
        if index.0.insert(byte, to[0]).is_some() {
            preferred.insert(byte);
        }
    }
    Ok((index, preferred))
}

/// Returns the text of a page's file, and the number of bytes in which its sources differ.
fn derive(page: &Page) -> Result<(String, usize), String> {
    let tables = page.tables()?;
    let taken = page.taken(&tables);
    let taken = taken.ok_or_else(|| format!("{}: the source taken lacks it", page.name))?;

    let names: Vec<String> = tables
        .iter()
        .map(|(source, name, _)| format!("{source:?} {name}"))
        .collect();
    let mut text = format!(
        "# {}: code point by byte. Imported by `gen import-extended` from {}; do not edit.\n",
        page.name,
        names.join(", ")
    );
    let (mut entries, mut differences) = (String::new(), String::new());
    let mut count = 0;
    for byte in 0..256 {
        // ASCII's control characters stay unchanged in every page that extends ASCII.
        let control = page.shape == Shape::Ascii && byte < 0x80 && (byte < 0x20 || byte == 0x7F);
        let code_point = if control {
            Some(byte as u16)
        } else {
            taken[byte]
        };
        if let Some(code_point) = code_point {
            writeln!(entries, "0x{byte:02X}\t0x{code_point:04X}")
                .expect("a String takes everything");
        }
        if tables.iter().any(|(.., table)| table[byte] != code_point) {
            count += 1;
            write!(differences, "# 0x{byte:02X}:").expect("a String takes everything");
            for (source, _, table) in &tables {
                write!(differences, " {source:?} {},", shown(table[byte])).expect("likewise");
            }
            writeln!(differences, " taken {}", shown(code_point)).expect("likewise");
        }
    }
    // The source may encode a code point to a byte that is not its last one. Such a byte gets a second line.
    for (byte, code_point) in taken.iter().enumerate() {
        let Some(code_point) = *code_point else {
            continue;
        };
        let is_first_of_two = taken[byte + 1..].contains(&Some(code_point));
        if is_first_of_two && page.encode(code_point) == Some(vec![byte as u8]) {
            writeln!(entries, "0x{byte:02X}\t0x{code_point:04X}")
                .expect("a String takes everything");
        }
    }
    if count > 0 {
        writeln!(text, "# {}.", page.reason).expect("a String takes everything");
        text.push_str(&differences);
    }
    text.push('\n');
    text.push_str(&entries);
    Ok((text, count))
}

fn shown(code_point: Option<u16>) -> String {
    code_point.map_or("unmapped".to_owned(), |code_point| {
        format!("U+{code_point:04X}")
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_without_their_sources_are_counted() {
        let there = |libiconv, archive| Optional { libiconv, archive };
        let count = |needs: fn(&Page) -> bool| PAGES.iter().filter(|page| needs(page)).count();
        assert_eq!(not_compared(there(true, true)), "");
        let of_libiconv = count(|page| !page.libiconv.is_empty());
        assert_eq!(
            not_compared(there(false, true)),
            format!("\nextended: {of_libiconv} pages not compared: LIBICONV names no program")
        );
        let of_archive = count(|page| !page.archive.is_empty());
        assert_eq!(
            not_compared(there(true, false)),
            format!(
                "\nextended: {of_archive} pages not compared: ICU_DATA names no folder with tables of ICU's archive"
            )
        );
        let of_either = count(|page| !page.libiconv.is_empty() || !page.archive.is_empty());
        assert_eq!(incomplete(there(true, true)), 0);
        assert_eq!(incomplete(there(false, false)), of_either);
    }

    #[test]
    fn pages_have_two_sources_each() {
        for page in PAGES {
            let sources = page.sources();
            let count = sources.iter().filter(|(_, name)| !name.is_empty()).count();
            assert!(count >= 2, "{}", page.name);
        }
    }

    #[test]
    fn pages_extend_ascii_or_have_it_in_another_order() {
        for page in PAGES {
            let index = read(page.name).unwrap();
            if page.shape == Shape::Ascii {
                let ascii = |byte: u32| index.0.get(&byte) == Some(&byte);
                assert!((0..0x80).all(ascii), "{}", page.name);
                let upper = index.0.range(0x80..);
                assert!(upper.into_iter().all(|(_, &code_point)| code_point >= 0x80));
            } else if page.shape == Shape::Repeated {
                assert!((0..0x80).all(|byte| index.0.get(&byte) == Some(&byte)));
            } else if page.shape != Shape::Other {
                for ascii in 0..0x80 {
                    let bytes = index.0.values().filter(|&&to| to == ascii);
                    assert_eq!(bytes.count(), 1, "{}: {ascii:02X}", page.name);
                }
            }
        }
    }
}
