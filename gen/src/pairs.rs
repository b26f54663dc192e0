//! Tables of pairs in `gen/extended`, which `gen/import-extended.py` writes.

use std::collections::BTreeMap;

use crate::paths;

/// Maps a pair to one or two code points.
pub type Pairs = BTreeMap<u16, Vec<u32>>;

/// Reads the double bytes of mixed EBCDIC, with the table that the file extends.
///
/// A line lists pairs of one lead byte: `0xLLTT`, a tab, and the code points in hexadecimal. Two code points of one pair are
/// joined by `+`. `0xLLTT*N` stands for N pairs with consecutive code points.
pub fn read(name: &str) -> Result<Pairs, String> {
    let path = paths::in_extended(name);
    let text =
        std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    let base = text.split_once("They are those of ");
    let base = base.and_then(|(_, rest)| rest.split_once(','));
    let mut pairs = base.map_or(Ok(Pairs::new()), |(base, _)| read(base))?;
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

/// Reads plane 2 of JIS X 0213, and the additions of plane 1 to JIS X 0208: the bytes of EUC-JIS-2004, without 0x80 in the
/// first byte of plane 2.
pub fn jis_x_0213() -> Result<Pairs, String> {
    let entries = paths::entries("jisx0213")?.into_iter();
    Ok(entries.map(|(pair, to)| (pair as u16, to)).collect())
}

/// Reads planes 1 and 2 of CNS 11643: code points by `94 * (94 * plane + row) + cell`, with planes from 0. A line has
/// `0xPRRCC`, the plane and two seven-bit bytes.
pub fn cns_11643() -> Result<BTreeMap<u16, u32>, String> {
    let place = |number: u32| {
        let (plane, row, cell) = (number >> 16, number >> 8 & 0xFF, number & 0xFF);
        94 * (94 * (plane - 1) + row - 0x21) + cell - 0x21
    };
    let entries = paths::entries("cns11643")?.into_iter();
    Ok(entries
        .map(|(number, to)| (place(number) as u16, to[0]))
        .collect())
}
