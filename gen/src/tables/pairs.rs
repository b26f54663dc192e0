//! The double bytes of mixed EBCDIC: flat arrays to decode and rank tables to encode. Some areas are computed.
//!
//! The user-defined areas are consecutive, and Hangul syllables are in the order of Johab, so both are computed. The
//! additions of IBM4933 to IBM837 are mostly in the order of GBK or of Unicode, so they are stored as runs.

use std::collections::BTreeMap;
use std::ops::RangeInclusive;

use super::divided::Divided;
use super::encode::rank_tables;
use super::{Table, take_statics};
use crate::index::Index;
use crate::pairs::{self, Pairs, beyond};
use crate::paths;
use crate::rank::RankTable;

/// The number of trail bytes, 0x40 to 0xFE.
const COLUMNS: usize = 0xFE - 0x40 + 1;

/// The Hangul syllables.
const HANGUL: RangeInclusive<u32> = 0xAC00..=0xD7A3;

const FLAT: &str = "flat by lead and trail - 0x40, 0 = unmapped";

/// A user-defined area: its first lead byte, its number of characters, and true if its trail bytes skip 0x80.
struct Area {
    first_lead: u16,
    skips_0x80: bool,
    count: u32,
}

impl Area {
    /// Returns the pair of the character `number` of the area.
    fn pair(&self, number: u32) -> u16 {
        let columns = if self.skips_0x80 { 188 } else { 190 };
        let (row, cell) = (number / columns, number % columns);
        let skipped = u32::from(self.skips_0x80 && cell >= 0x80 - 0x41);
        (self.first_lead << 8) + (row << 8) as u16 + (0x41 + cell + skipped) as u16
    }

    /// Removes the area's pairs, which must map to consecutive code points from U+E000 on.
    fn take(&self, pairs: &mut Pairs) {
        for number in 0..self.count {
            let taken = pairs.remove(&self.pair(number));
            assert_eq!(taken, Some(vec![0xE000 + number]), "{number}");
        }
    }
}

/// Returns code points by lead and trail byte, for a range of lead bytes.
fn flat(name: &str, leads: RangeInclusive<u8>, units: &BTreeMap<u16, u16>) -> Table {
    let mut array = vec![0_u16; COLUMNS * leads.clone().count()];
    for (&pair, &unit) in units {
        let [lead, trail] = pair.to_be_bytes();
        assert!(leads.contains(&lead), "{name}: {pair:04X}");
        array[COLUMNS * usize::from(lead - leads.start()) + usize::from(trail - 0x40)] = unit;
    }
    Table::array(&format!("decode_{name}"), name, FLAT, units.len(), &array)
}

/// Returns the rank table from code point to pair. A code point is encoded to its last pair.
fn ranks(name: &str, units: &BTreeMap<u16, u16>) -> Vec<Table> {
    let last: BTreeMap<u16, u16> = units.iter().map(|(&pair, &to)| (to, pair)).collect();
    rank_tables(name, &RankTable::new(&last), &[])
}

/// Returns the pairs that map to one BMP code point.
fn bmp(pairs: &Pairs) -> BTreeMap<u16, u16> {
    let unit = |to: &Vec<u32>| u16::try_from(to[0]).expect("in the BMP");
    pairs.iter().map(|(&pair, to)| (pair, unit(to))).collect()
}

pub fn tables() -> Result<Vec<Table>, String> {
    let mut tables = Vec::new();
    japan(&mut tables)?;
    korea(&mut tables)?;
    taiwan(&mut tables)?;
    china(&mut tables)?;
    let statics = take_statics(&mut tables);
    tables.push(Table::source(
        "pairs",
        "the tables of pairs above",
        "arrays, and references by rank table",
        statics.len(),
        &statics,
    ));
    Ok(tables)
}

/// Adds IBM300, and the additions of IBM16684.
fn japan(tables: &mut Vec<Table>) -> Result<(), String> {
    let (mut base, mut all) = (pairs::read("ibm300")?, pairs::read("ibm16684")?);
    let area = |count| Area {
        first_lead: 0x69,
        skips_0x80: false,
        count,
    };
    area(0xF111 - 0xE000 + 1).take(&mut base);
    area(0xF83C - 0xE000 + 1).take(&mut all);
    let mut more = beyond(&all, &base);
    assert_eq!(more.remove(&0x42E1), Some(vec![0x20AC]));
    let base = bmp(&base);
    tables.push(flat("ibm300", 0x40..=0x68, &base));
    tables.extend(ranks("ibm300", &base));

    let more = Divided::of(&more)?;
    tables.push(flat("ibm16684", 0xB3..=0xEC, &more.units));
    tables.extend(ranks("ibm16684", &more.single));
    tables.extend(more.lists("ibm16684"));
    Ok(())
}

/// Adds IBM4930 without the syllables and jamo, which are in the order of Johab, and the syllables of IBM834.
fn korea(tables: &mut Vec<Table>) -> Result<(), String> {
    let (mut base, mut all) = (pairs::read("ibm834")?, pairs::read("ibm4930")?);
    for pairs in [&mut base, &mut all] {
        let area = Area {
            first_lead: 0xD4,
            skips_0x80: true,
            count: 1880,
        };
        area.take(pairs);
    }
    let is_johab = |pair: u16| (0x84..=0xD3).contains(&(pair >> 8));
    let mut bitmap = vec![0_u8; HANGUL.count().div_ceil(8)];
    let mut count = 0;
    for (_, to) in base.iter().filter(|&(&pair, _)| is_johab(pair)) {
        if HANGUL.contains(&to[0]) {
            let place = (to[0] - HANGUL.start()) as usize;
            bitmap[place / 8] |= 1 << (place % 8);
            count += 1;
        }
    }
    let more = beyond(&all, &base);
    let more: Vec<u16> = more
        .keys()
        .copied()
        .filter(|&pair| !is_johab(pair))
        .collect();
    // The pairs that `src/tables/pairs.rs` assumes to be missing in IBM834.
    let lacks = |pair: u16| matches!(pair >> 8, 0x4C..=0x4E) || matches!(pair, 0x4995 | 0x4996);
    let lacked: Vec<u16> = all.keys().copied().filter(|&pair| lacks(pair)).collect();
    assert!(lacked == more);
    all.retain(|&pair, _| !is_johab(pair));
    let all = bmp(&all);
    tables.push(flat("ibm4930", 0x40..=0x6C, &all));
    tables.extend(ranks("ibm4930", &all));
    tables.push(Table::array(
        "decode_ibm834_syllables",
        "ibm834",
        "bitmap of Hangul syllables",
        count,
        &bitmap,
    ));
    Ok(())
}

/// Adds IBM835. The only addition of IBM9027 is U+20AC.
fn taiwan(tables: &mut Vec<Table>) -> Result<(), String> {
    let (mut base, all) = (pairs::read("ibm835")?, pairs::read("ibm9027")?);
    assert_eq!(beyond(&all, &base), Pairs::from([(0x47A2, vec![0x20AC])]));
    let area = Area {
        first_lead: 0xC2,
        skips_0x80: true,
        count: 0xF83B - 0xE000 + 1,
    };
    area.take(&mut base);
    let base = bmp(&base);
    tables.push(flat("ibm835", 0x40..=0x91, &base));
    tables.extend(ranks("ibm835", &base));
    Ok(())
}

/// A sequence of pairs, by number, with consecutive code points or pointers.
struct PairRun {
    pair: u16,
    length: u16,
    /// The first code point; or, with bit 31 set, the first pointer of index gb18030.
    to: u32,
}

/// Returns the number of a pair, with 190 pairs per lead byte.
fn number(pair: u16) -> u16 {
    (pair >> 8) * 190 + (pair & 0xFF) - 0x41
}

/// Adds IBM837, and runs of IBM4933's additional pairs.
fn china(tables: &mut Vec<Table>) -> Result<(), String> {
    let (mut base, mut all) = (pairs::read("ibm837")?, pairs::read("ibm4933")?);
    let area = |count| Area {
        first_lead: 0x76,
        skips_0x80: true,
        count,
    };
    area(1880).take(&mut base);
    area(0xE765 - 0xE000 + 1).take(&mut all);
    let moved = (base.get(&0x4345).cloned(), all.get(&0x4345).cloned());
    assert_eq!(moved, (Some(vec![0x30FB]), Some(vec![0xB7])));
    all.insert(0x4345, vec![0x30FB]);
    let more = bmp(&beyond(&all, &base));
    let base = bmp(&base);
    tables.push(flat("ibm837", 0x40..=0x6C, &base));
    tables.extend(ranks("ibm837", &base));

    let gb18030 = Index::read(&paths::indexes(), "gb18030")?;
    let pointers: BTreeMap<u32, u32> = gb18030
        .0
        .iter()
        .rev()
        .map(|(&pointer, &to)| (to, pointer))
        .collect();
    let mut entries: Vec<(u16, u16)> = more.iter().map(|(&pair, &to)| (number(pair), to)).collect();
    entries.sort_unstable();
    let mut runs: Vec<PairRun> = Vec::new();
    let mut rest = &entries[..];
    while let Some(&(first, to)) = rest.first() {
        let length = |is_next: &dyn Fn(u32, u32) -> bool| {
            let follows = |(step, &(number, next)): (usize, &(u16, u16))| {
                usize::from(number) == usize::from(first) + step
                    && is_next(next.into(), step as u32)
            };
            rest.iter()
                .enumerate()
                .take_while(|&entry| follows(entry))
                .count()
        };
        let by_value = length(&|next, step| next == u32::from(to) + step);
        let pointer = pointers.get(&u32::from(to)).copied();
        let by_pointer = pointer.map_or(0, |pointer| {
            length(&|next, step| gb18030.0.get(&(pointer + step)) == Some(&next))
        });
        let length = by_value.max(by_pointer);
        runs.push(PairRun {
            pair: first,
            length: length as u16,
            to: match pointer {
                Some(pointer) if by_pointer > by_value => pointer | 1 << 31,
                _ => to.into(),
            },
        });
        rest = &rest[length..];
    }
    let to: Vec<u32> = runs.iter().map(|run| run.to).collect();
    let pairs: Vec<u16> = runs.iter().map(|run| run.pair).collect();
    let lengths: Vec<u16> = runs.iter().map(|run| run.length).collect();
    let mut order: Vec<u16> = (0..runs.len() as u16).collect();
    order.sort_by_key(|&run| to[usize::from(run)]);
    let count = entries.len();
    tables.push(Table::array(
        "decode_ibm4933_pairs",
        "ibm4933",
        "runs: number of the first pair",
        count,
        &pairs,
    ));
    tables.push(Table::array(
        "decode_ibm4933_lengths",
        "ibm4933",
        "runs: how many pairs",
        runs.len(),
        &lengths,
    ));
    tables.push(Table::array(
        "decode_ibm4933_to",
        "ibm4933",
        "runs: code point, or 1 << 31 | pointer of gb18030",
        runs.len(),
        &to,
    ));
    tables.push(Table::array(
        "encode_ibm4933_order",
        "ibm4933",
        "runs by their decoded text",
        runs.len(),
        &order,
    ));
    Ok(())
}
