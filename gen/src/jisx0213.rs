//! JIS X 0213:2004, imported from Python and glibc by `gen import-extended` and compared again by `gen verify`.
//!
//! The file in `gen/extended` lists both planes. A line is `0xLLTT`, a tab, and the code points in hexadecimal; two code
//! points of one pair are joined by `+`. Bytes are those of EUC-JIS-2004; in plane 2, the first byte lacks the bit 0x80.
//! Characters of plane 1 that JIS X 0208 has in the same cells are left out.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use crate::index::Index;
use crate::pairs::Pairs;
use crate::sources::{Converter, run};
use crate::{Outcome, paths};

const NAME: &str = "jisx0213";

/// The pairs on which the sources differ: the pair, Python's code point, and glibc's. Python's code point is used. The
/// white parentheses of plane 1 are in Unicode since 3.2. The dash is that of JIS X 0208 in both converters.
const DIFFERING: [(u16, u32, u32); 3] = [
    (0xA1BD, 0x2015, 0x2014),
    (0xA2D6, 0x2985, 0xFF5F),
    (0xA2D7, 0x2986, 0xFF60),
];

/// The characters of JIS X 0208 that differ from index jis0208.
pub const OWN_0208: [(u16, u32); 6] = [
    (0x2141, 0x301C),
    (0x2142, 0x2016),
    (0x215D, 0x2212),
    (0x2171, 0xA2),
    (0x2172, 0xA3),
    (0x224C, 0xAC),
];

/// Returns the characters of JIS X 0208 by pair. Both bytes of a pair are above 0xA0.
pub fn jis_x_0208() -> Result<BTreeMap<u16, u32>, String> {
    let index = Index::read(&paths::indexes(), "jis0208")?;
    let in_set = |row: &u32| (0..8).contains(row) || (15..84).contains(row);
    let of_index = index
        .0
        .iter()
        .filter(|(pointer, _)| in_set(&(*pointer / 94)));
    let pair = |pointer: u32| ((pointer / 94 + 0xA1) << 8 | (pointer % 94 + 0xA1)) as u16;
    let mut set: BTreeMap<u16, u32> = of_index
        .map(|(&pointer, &to)| (pair(pointer), to))
        .collect();
    set.extend(OWN_0208.map(|(pair, to)| (pair | 0x8080, to)));
    Ok(set)
}

/// Reads the file: plane 2, and the additions of plane 1 to JIS X 0208.
pub fn read() -> Result<Pairs, String> {
    let entries = paths::entries(NAME)?.into_iter();
    Ok(entries.map(|(pair, to)| (pair as u16, to)).collect())
}

fn format(pairs: &Pairs) -> String {
    let mut text = String::from(
        "# JIS X 0213:2004 beyond JIS X 0208, by bytes of EUC-JIS-2004; plane 2 without 0x80 in the first one.\n\
         # Imported by `gen import-extended` from Python and glibc; do not edit. Where they differ, Python's is taken:\n",
    );
    for (pair, python, glibc) in DIFFERING {
        writeln!(
            text,
            "# 0x{pair:04X}: Python U+{python:04X}, glibc U+{glibc:04X}"
        )
        .expect("a String takes everything");
    }
    text.push('\n');
    for (pair, to) in pairs {
        let to: Vec<String> = to.iter().map(|to| format!("{to:04X}")).collect();
        writeln!(text, "0x{pair:04X}\t{}", to.join("+")).expect("likewise");
    }
    text
}

/// Returns every pair of both planes: its number in the file, and its bytes in EUC.
fn codes() -> impl Iterator<Item = (u16, Vec<u8>)> {
    let bytes = || 0xA1..=0xFE_u8;
    let pairs = move || bytes().flat_map(move |lead| bytes().map(move |trail| [lead, trail]));
    let first = pairs().map(|pair| (u16::from_be_bytes(pair), pair.to_vec()));
    let second = pairs().map(|[lead, trail]| {
        let pair = u16::from_be_bytes([lead & 0x7F, trail]);
        (pair, vec![0x8F, lead, trail])
    });
    first.chain(second)
}

/// Decodes all pairs with a converter, one pair per line.
fn ask(source: Converter) -> Option<Pairs> {
    const PROGRAM: &str = "import sys\nfor line in sys.stdin.buffer.read().split(b'\\n')[:-1]:\n    \
        sys.stdout.buffer.write(line.decode('euc_jis_2004', 'ignore').encode() + b'\\n')";
    let mut command = source.command();
    match source {
        Converter::Python => command.args(["-c", PROGRAM]),
        _ => command.args(["-c", "-f", "EUC-JISX0213", "-t", "UTF-8"]),
    };
    let input: Vec<u8> = codes()
        .flat_map(|(_, bytes)| [bytes, vec![b'\n']].concat())
        .collect();
    let output = run(&mut command, &input)?;
    let text = String::from_utf8(output.stdout).ok()?;
    let mut pairs = Pairs::new();
    for ((pair, _), line) in codes().zip(text.split('\n')) {
        if !line.is_empty() {
            pairs.insert(pair, line.chars().map(u32::from).collect());
        }
    }
    // For unmapped pairs of plane 2, glibc skips only 0x8F and decodes the rest as a pair of plane 1.
    let first = pairs.clone();
    pairs.retain(|pair, to| pair & 0x8000 != 0 || first.get(&(pair | 0x8000)) != Some(to));
    (pairs.len() > 10_000).then_some(pairs)
}

/// Returns the pairs that both sources have; `None` if a source is not installed.
fn installed() -> Result<Option<Pairs>, String> {
    let (Some(mut python), Some(mut glibc)) = (ask(Converter::Python), ask(Converter::Glibc))
    else {
        return Ok(None);
    };
    // For unmapped pairs of plane 2, Python decodes JIS X 0212.
    python.retain(|pair, _| pair & 0x8000 != 0 || glibc.contains_key(pair));
    for (pair, ours, theirs) in DIFFERING {
        if python.get(&pair) != Some(&vec![ours])
            || glibc.insert(pair, vec![ours]) != Some(vec![theirs])
        {
            return Err(format!("{NAME}: 0x{pair:04X} is not as listed"));
        }
    }
    if python != glibc {
        return Err(format!("{NAME}: sources differ"));
    }
    for (pair, to) in jis_x_0208()? {
        if python.remove(&pair) != Some(vec![to]) {
            return Err(format!("{NAME}: 0x{pair:04X} is not as in JIS X 0208"));
        }
    }
    Ok(Some(python))
}

/// Writes the file.
pub fn import() -> Outcome {
    let pairs = installed()?.ok_or("python3 and iconv are not both installed")?;
    std::fs::write(paths::in_extended(NAME), format(&pairs))?;
    Ok(format!("JIS X 0213: {} pairs imported", pairs.len()))
}

/// Compares the file with the installed sources.
pub fn verify() -> Outcome {
    let Some(installed) = installed()? else {
        return Ok("JIS X 0213: skipped: python3 and iconv are not both installed".to_owned());
    };
    if format(&installed) != std::fs::read_to_string(paths::in_extended(NAME))? {
        return Err("gen/extended/jisx0213.txt is not what is installed".into());
    }
    Ok(format!(
        "JIS X 0213: {} pairs beyond JIS X 0208 are what Python and glibc have, except {} that are listed",
        installed.len(),
        DIFFERING.len()
    ))
}
