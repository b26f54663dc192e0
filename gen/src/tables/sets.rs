//! Sets of 94 rows of 94 characters, as far as the Standard's tables lack them: rank tables in both directions.
//!
//! JIS X 0212 has a table to decode there, and gets one to encode. What JIS X 0213 has beyond JIS X 0208 is looked up by pair as
//! the BMP is by code point: the pairs of plane 1 have 0x80 in the first byte, those of plane 2 have not.

use std::collections::BTreeMap;

use super::encode::rank_tables;
use super::{Table, take_statics};
use crate::index::Index;
use crate::rank::RankTable;
use crate::{jisx0213, paths};

pub fn tables() -> Result<Vec<Table>, String> {
    let mut tables = Vec::new();
    let index = Index::read(&paths::indexes(), "jis0212")?;
    let pair = |pointer: u32| ((pointer / 94 + 0x21) << 8 | (pointer % 94 + 0x21)) as u16;
    let of_0212: BTreeMap<u16, u16> = (index.pointers().iter())
        .map(|(&to, pointers)| (to as u16, pair(pointers[0])))
        .collect();
    tables.extend(rank_tables("jis0212", &RankTable::new(&of_0212), &[]));

    // 0xD800 and on are places in a list of code points above the BMP, 0xDC00 and on in a list of pairs.
    let (mut above, mut joined) = (Vec::new(), Vec::new());
    let (mut units, mut single) = (BTreeMap::new(), BTreeMap::new());
    for (pair, to) in jisx0213::read()? {
        match to[..] {
            [to] if to > 0xFFFF => above.push((to, pair)),
            [to] => {
                units.insert(pair, to as u16);
                assert!(single.insert(to as u16, pair).is_none(), "{pair:04X}");
            }
            [first, second] => {
                units.insert(pair, 0xDC00 + joined.len() as u16 / 2);
                joined.extend([first as u16, second as u16]);
            }
            _ => return Err(format!("jisx0213: {pair:04X}: {to:X?}")),
        }
    }
    above.sort_unstable();
    for (place, &(_, pair)) in above.iter().enumerate() {
        units.insert(pair, 0xD800 + place as u16);
    }
    let by_pair = rank_tables("jisx0213-pairs", &RankTable::new(&units), &[]);
    tables.extend(by_pair);
    tables.extend(rank_tables("jisx0213", &RankTable::new(&single), &[]));
    let (code_points, pairs): (Vec<u32>, Vec<u16>) = above.into_iter().unzip();
    let count = code_points.len();
    tables.push(Table::array(
        "decode_jisx0213_above",
        "jisx0213",
        "above the BMP, in order",
        count,
        &code_points,
    ));
    tables.push(Table::array(
        "encode_jisx0213_above_pairs",
        "jisx0213",
        "their pairs",
        count,
        &pairs,
    ));
    tables.push(Table::array(
        "decode_jisx0213_joined",
        "jisx0213",
        "two code points of one pair each",
        joined.len() / 2,
        &joined,
    ));
    let statics = take_statics(&mut tables);
    tables.push(Table::source(
        "sets",
        "the sets of characters above",
        "arrays, and references by rank table",
        statics.len(),
        &statics,
    ));
    Ok(tables)
}
