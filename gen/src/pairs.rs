//! The double bytes of mixed EBCDIC, imported from ICU and glibc by `gen import-extended` and compared again by `gen
//! verify`.
//!
//! Each table maps byte pairs between 0x0E and 0x0F. Both sources must agree on all pairs, in both directions. A file in
//! `gen/extended` lists the pairs by lead byte: `0xLLTT`, a tab, and the code points in hexadecimal. Two code points of one
//! pair are joined by `+`. `0xLLTT*N` stands for N pairs with consecutive code points. A table that extends another one
//! lists its additions and changes.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::sources::{Converter, run};
use crate::{Outcome, paths};

/// Maps a pair to one or two code points.
pub type Pairs = BTreeMap<u16, Vec<u32>>;

/// A table of pairs, the table that it extends, and the numbers of its encodings in ICU and glibc.
pub struct Set {
    pub name: &'static str,
    /// The name of the extended table; empty if there is none.
    pub base: &'static str,
    pub pages: &'static [u16],
}

impl Set {
    /// Returns the pairs of the extended table.
    fn base(&self) -> Result<Pairs, String> {
        if self.base.is_empty() {
            Ok(Pairs::new())
        } else {
            read(self.base)
        }
    }
}

macro_rules! sets {
    ($($name:literal $(extends $base:literal)?: $($page:literal)*;)*) => {
        &[$(Set {
            name: $name,
            base: concat!($($base)?),
            pages: &[$($page),*],
        }),*]
    };
}

/// All tables.
pub const SETS: &[Set] = sets! {
    "ibm300": 930 939;
    "ibm16684" extends "ibm300": 1390 1399;
    "ibm834": 933;
    "ibm4930" extends "ibm834": 1364;
    "ibm837": 935;
    "ibm4933" extends "ibm837": 1388;
    "ibm835": 937;
    "ibm9027" extends "ibm835": 1371;
};

const SOURCES: [Converter; 2] = [Converter::Icu, Converter::Glibc];

/// The range of lead and trail bytes.
const BYTES: std::ops::RangeInclusive<u8> = 0x40..=0xFE;

/// The least length of an abbreviated sequence of pairs.
const LONG: usize = 8;

/// Reads a file and the table that it extends.
pub fn read(name: &str) -> Result<Pairs, String> {
    let set = SETS.iter().find(|set| set.name == name);
    let set = set.ok_or_else(|| format!("no table {name}"))?;
    let mut pairs = set.base()?;
    let path = paths::in_extended(name);
    let text =
        std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    pairs.extend(parse(&text).ok_or_else(|| format!("{}: malformed", path.display()))?);
    Ok(pairs)
}

fn parse(text: &str) -> Option<Pairs> {
    let mut pairs = Pairs::new();
    for line in text.lines().filter(|line| line.starts_with("0x")) {
        let (first, code_points) = line[2..].split_once('\t')?;
        let (first, count) = first.split_once('*').unwrap_or((first, "0"));
        let first = u16::from_str_radix(first, 16).ok()?;
        let count: u16 = count.parse().ok()?;
        let number = |digits: &str| u32::from_str_radix(digits, 16).ok();
        if count > 0 {
            let to = number(code_points)?;
            pairs.extend((0..count).map(|step| (first + step, vec![to + u32::from(step)])));
            continue;
        }
        for (pair, joined) in (first..).zip(code_points.split(' ')) {
            pairs.insert(pair, joined.split('+').map(number).collect::<Option<_>>()?);
        }
    }
    Some(pairs)
}

/// Returns the pairs of `pairs` that are missing in `base` or map to other code points there.
pub fn beyond(pairs: &Pairs, base: &Pairs) -> Pairs {
    assert!(base.keys().all(|pair| pairs.contains_key(pair)));
    let own = pairs
        .iter()
        .filter(|&(pair, to)| base.get(pair) != Some(to));
    own.map(|(&pair, to)| (pair, to.clone())).collect()
}

/// Returns the text of a file.
fn format(set: &Set, pairs: &Pairs) -> Result<String, String> {
    let numbers: Vec<String> = set.pages.iter().map(u16::to_string).collect();
    let mut text = format!(
        "# {}: the pairs of bytes of IBM{}. Imported by `gen import-extended` from ICU and glibc, which agree; do not edit.\n",
        set.name,
        numbers.join(" and IBM")
    );
    if !set.base.is_empty() {
        writeln!(text, "# They are those of {}, and these:", set.base)
            .expect("a String takes everything");
    }
    text.push('\n');
    let own = beyond(pairs, &set.base()?);
    let own: Vec<(u16, Vec<u32>)> = own.into_iter().collect();
    let mut rest = &own[..];
    while let Some(&(first, ref to)) = rest.first() {
        let follows = |&at: &usize| {
            let pair = rest[at].0;
            usize::from(pair) == usize::from(first) + at && pair >> 8 == first >> 8
        };
        let run = (0..rest.len()).take_while(follows).count();
        let is_next = |&at: &usize| *rest[at].1 == [to[0] + at as u32];
        let consecutive = (0..run).take_while(is_next).count();
        let length = if consecutive >= LONG {
            write!(text, "0x{first:04X}*{consecutive}\t{:04X}", to[0]).expect("likewise");
            consecutive
        } else {
            // Stop before the next sequence that can be abbreviated.
            let starts_long = |&at: &usize| {
                let to = rest[at].1[0];
                (0..LONG).all(|step| at + step < run && *rest[at + step].1 == [to + step as u32])
            };
            let length = (1..run).find(starts_long).unwrap_or(run);
            let shown: Vec<String> = (rest[..length].iter())
                .map(|(_, to)| {
                    let joined: Vec<String> = to.iter().map(|to| format!("{to:04X}")).collect();
                    joined.join("+")
                })
                .collect();
            write!(text, "0x{first:04X}\t{}", shown.join(" ")).expect("likewise");
            length
        };
        text.push('\n');
        rest = &rest[length..];
    }
    Ok(text)
}

/// Writes the files.
pub fn import() -> Outcome {
    for set in SETS {
        let pairs = installed(set)?.ok_or("uconv and iconv are not both installed")?;
        let path = paths::in_extended(set.name);
        std::fs::write(path, format(set, &pairs)?)?;
    }
    Ok(format!("{} tables of pairs imported", SETS.len()))
}

/// Compares the files with the installed sources.
pub fn verify() -> Outcome {
    let mut count = 0;
    for set in SETS {
        let Some(installed) = installed(set)? else {
            return Ok("pairs: skipped: uconv and iconv are not both installed".to_owned());
        };
        let ours = read(set.name)?;
        if let Some(pair) = (0..=u16::MAX).find(|pair| ours.get(pair) != installed.get(pair)) {
            return Err(format!(
                "gen/extended/{}.txt: 0x{pair:04X}: {:X?}, installed {:X?}",
                set.name,
                ours.get(&pair),
                installed.get(&pair)
            )
            .into());
        }
        count += ours.len();
    }
    Ok(format!(
        "pairs: {} tables with {count} pairs are what ICU and glibc have, in both directions",
        SETS.len()
    ))
}

/// Returns the pairs of a table, on which all sources agree; `None` if a source is not installed.
fn installed(set: &Set) -> Result<Option<Pairs>, String> {
    let mut agreed: Option<Pairs> = None;
    for page in set.pages {
        for source in SOURCES {
            let Some(pairs) = ask(source, *page) else {
                return Ok(None);
            };
            if *agreed.get_or_insert_with(|| pairs.clone()) != pairs {
                return Err(format!("{}: sources differ", set.name));
            }
        }
        let agreed = agreed.as_ref().expect("two sources have answered");
        for source in SOURCES {
            check_encoder(source, *page, agreed)?;
        }
    }
    Ok(agreed)
}

/// Returns a source's name for the encoding with this number.
fn name(source: Converter, page: u16) -> String {
    let prefix = if source == Converter::Icu {
        "ibm-"
    } else {
        "IBM"
    };
    format!("{prefix}{page}")
}

/// Decodes all pairs with a converter, one pair per line.
fn ask(source: Converter, page: u16) -> Option<Pairs> {
    let mut command = source.command();
    command.args(["-f", &name(source, page), "-t", "UTF-8"]);
    // For an unmapped pair, ICU writes a character reference, glibc nothing.
    match source {
        Converter::Icu => command.args(["--from-callback", "escape-xml-hex"]),
        _ => command.arg("-c"),
    };
    let codes = || BYTES.flat_map(|lead| BYTES.map(move |trail| [lead, trail]));
    let input: Vec<u8> = codes()
        .flat_map(|[lead, trail]| [0x0E, lead, trail, 0x0F, 0x25])
        .collect();
    // glibc exits with an error if it has omitted a character.
    let output = run(&mut command, &input)?;
    let text = String::from_utf8(output.stdout).ok()?;
    let mut pairs = Pairs::new();
    for (code, line) in codes().zip(text.split('\n')) {
        let is_mapped = !line.is_empty() && !line.starts_with('&') && line != "\u{FFFD}";
        if is_mapped {
            let to = line.chars().map(u32::from).collect();
            pairs.insert(u16::from_be_bytes(code), to);
        }
    }
    (!pairs.is_empty()).then_some(pairs)
}

/// Fails unless a converter encodes each character to its last pair, or to a single byte.
fn check_encoder(source: Converter, page: u16, pairs: &Pairs) -> Result<(), String> {
    let mut last = BTreeMap::new();
    for (&pair, to) in pairs {
        last.insert(to.clone(), pair);
    }
    let mut command = source.command();
    command.args(["-f", "UTF-8", "-t", &name(source, page)]);
    let text: String = last
        .keys()
        .flat_map(|to| to.iter().chain(&[0x0A]))
        .filter_map(|&to| char::from_u32(to))
        .collect();
    let output = run(&mut command, text.as_bytes()).ok_or("an encoder fails")?;
    let mut lines = output.stdout.split(|&byte| byte == 0x25);
    for (to, pair) in last {
        let [lead, trail] = pair.to_be_bytes();
        let line = lines.next().unwrap_or_default();
        // If a line ends in double bytes, the next line starts with 0x0F.
        let line: Vec<u8> = (line.iter().copied())
            .filter(|byte| ![0x0E, 0x0F].contains(byte))
            .collect();
        // 0x25 is the line feed of EBCDIC. Lead and trail bytes are at least 0x40, so 0x25 within a pair splits a line.
        if line != [lead, trail] && line.len() != 1 {
            return Err(format!(
                "{source:?}: {page}: {to:X?}: {line:X?}, not {pair:04X}"
            ));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_read_as_they_are_written() {
        for set in SETS {
            let pairs = read(set.name).unwrap();
            let path = paths::in_extended(set.name);
            assert_eq!(
                std::fs::read_to_string(path).unwrap(),
                format(set, &pairs).unwrap()
            );
        }
    }
}
