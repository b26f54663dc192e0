//! Sets of 94 rows of 94 characters, as far as the Standard's tables lack them: rank tables in both directions.
//!
//! JIS X 0212 has a table to decode there, and gets one to encode. What JIS X 0213 has beyond JIS X 0208 is looked up by pair as
//! the BMP is by code point: the pairs of plane 1 have 0x80 in the first byte, those of plane 2 have not.

use std::collections::BTreeMap;

use super::divided::Divided;
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

    let of_0213 = Divided::of(&jisx0213::read()?)?;
    let by_pair = rank_tables("jisx0213-pairs", &RankTable::new(&of_0213.units), &[]);
    tables.extend(by_pair);
    let single: BTreeMap<u16, u16> = of_0213
        .single
        .iter()
        .map(|(&pair, &to)| (to, pair))
        .collect();
    assert_eq!(
        single.len(),
        of_0213.single.len(),
        "a code point has two pairs"
    );
    tables.extend(rank_tables("jisx0213", &RankTable::new(&single), &[]));
    tables.extend(of_0213.lists("jisx0213"));
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
