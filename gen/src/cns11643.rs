//! CNS 11643, planes 1 and 2, imported from ICU and glibc by `gen import-extended` and compared again by `gen verify`.
//!
//! The file in `gen/extended` lists both planes. A line is `0xPRRCC` (the plane and two seven-bit bytes), a tab, and the
//! code point in hexadecimal. The sources are two tables of ICU and one of glibc; the file has the entries on which at
//! least two agree.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::sources::{Converter, run};
use crate::{Outcome, paths};

/// Maps `94 * (94 * plane + row) + cell` to a code point; planes count from 0.
pub type Places = BTreeMap<u16, u32>;

/// A converter and the name of its table.
const TABLES: [(Converter, &str); 3] = [
    (Converter::Icu, "euc-tw-2014"),
    (Converter::Icu, "ibm-964_P110-1999"),
    (Converter::Glibc, "EUC-TW"),
];

const NAME: &str = "cns11643";

fn number(place: u16) -> u32 {
    let (plane, row, cell) = (place / 94 / 94 + 1, place / 94 % 94, place % 94);
    u32::from(plane) << 16 | u32::from(row + 0x21) << 8 | u32::from(cell + 0x21)
}

/// Reads the file.
pub fn read() -> Result<Places, String> {
    let place = |number: u32| {
        let (plane, row, cell) = (number >> 16, number >> 8 & 0xFF, number & 0xFF);
        94 * (94 * (plane - 1) + row - 0x21) + cell - 0x21
    };
    let entries = paths::entries(NAME)?.into_iter();
    Ok(entries
        .map(|(number, to)| (place(number) as u16, to[0]))
        .collect())
}

fn format(places: &Places) -> String {
    let mut text = String::from(
        "# CNS 11643, planes 1 and 2, by the plane and a pair of seven bits.\n\
         # Imported by `gen import-extended` from two tables of ICU (of 1999 and 2014) and one of glibc; do not edit. What two of\n\
         # them agree on is taken, without radicals that have another place, too.\n\n",
    );
    for (&place, to) in places {
        writeln!(text, "0x{:05X}\t{to:04X}", number(place)).expect("a String takes everything");
    }
    text
}

/// Decodes all cells with a converter, one cell per line.
fn ask(source: Converter, name: &str) -> Option<Places> {
    let mut input = Vec::new();
    for place in 0..2 * 94 * 94 {
        let [plane, row, cell] = [16, 8, 0].map(|shift| (number(place) >> shift) as u8 | 0x80);
        if plane == 0x82 {
            input.extend([0x8E, 0xA2]);
        }
        input.extend([row, cell, b'\n']);
    }
    let mut command = source.command();
    match source {
        Converter::Icu => command.args(["--from-callback", "substitute"]),
        _ => command.arg("-c"),
    };
    command.args(["-f", name, "-t", "UTF-8"]);
    let text = String::from_utf8(run(&mut command, &input)?.stdout).ok()?;
    let mut places = Places::new();
    for (place, line) in (0..).zip(text.lines()) {
        let mut characters = line.chars();
        if let (Some(one), None) = (characters.next(), characters.next())
            && !matches!(one, '\u{FFFD}' | '\u{1A}')
        {
            places.insert(place, one.into());
        }
    }
    (places.len() > 10_000).then_some(places)
}

/// Returns the entries on which at least two of the three tables agree; `None` if a source is not installed.
fn installed() -> Option<Places> {
    let tables = TABLES.map(|(source, name)| ask(source, name));
    let [Some(first), Some(second), Some(third)] = tables else {
        return None;
    };
    let mut agreed = Places::new();
    for place in 0..2 * 94 * 94 {
        let [first, second, third] = [&first, &second, &third].map(|table| table.get(&place));
        let found = if first == second || first == third {
            first
        } else {
            second.filter(|_| second == third)
        };
        if let Some(&to) = found {
            agreed.insert(place, to);
        }
    }
    // Rows 7 to 9 of plane 1 are radicals.
    let radicals = 6 * 94..9 * 94;
    let others: Vec<u32> = (agreed.iter())
        .filter(|(place, _)| !radicals.contains(*place))
        .map(|(_, &to)| to)
        .collect();
    agreed.retain(|place, to| !radicals.contains(place) || !others.contains(to));
    Some(agreed)
}

/// Writes the file.
pub fn import() -> Outcome {
    let places = installed().ok_or("uconv and iconv are not both installed")?;
    std::fs::write(paths::in_extended(NAME), format(&places))?;
    Ok(format!("CNS 11643: {} places imported", places.len()))
}

/// Compares the file with the installed sources.
pub fn verify() -> Outcome {
    let Some(installed) = installed() else {
        return Ok("CNS 11643: skipped: uconv and iconv are not both installed".to_owned());
    };
    if format(&installed) != std::fs::read_to_string(paths::in_extended(NAME))? {
        return Err("gen/extended/cns11643.txt is not what is installed".into());
    }
    Ok(format!(
        "CNS 11643: {} places of planes 1 and 2 are what two of three tables of ICU and glibc have",
        installed.len()
    ))
}
