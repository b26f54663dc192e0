//! Rank tables in both directions for parts of 94 × 94 sets that the Standard's tables lack.
//!
//! The Standard has the decode table of JIS X 0212, so this module adds the encode table. The additions of JIS X 0213
//! to JIS X 0208 use a rank table by pair. The first byte of a pair has the bit 0x80 in plane 1 only.

use std::collections::BTreeMap;

use super::divided::Divided;
use super::encode::rank_tables;
use super::{Table, take_statics};
use crate::index::Index;
use crate::rank::RankTable;
use crate::{pairs, paths};

pub fn tables() -> Result<Vec<Table>, String> {
    let mut tables = Vec::new();
    let index = Index::read(&paths::indexes(), "jis0212")?;
    let pair = |pointer: u32| ((pointer / 94 + 0x21) << 8 | (pointer % 94 + 0x21)) as u16;
    let of_0212: BTreeMap<u16, u16> = (index.pointers().iter())
        .map(|(&to, pointers)| (to as u16, pair(pointers[0])))
        .collect();
    tables.extend(rank_tables("jis0212", &RankTable::new(&of_0212), &[]));

    let of_0213 = Divided::of(&pairs::jis_x_0213()?)?;
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
    tables.extend(cns_11643()?);
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

/// Returns CNS 11643 as runs of cells that are consecutive in Big5, and the characters that Big5 lacks.
fn cns_11643() -> Result<[Table; 2], String> {
    let big5 = Index::read(&paths::indexes(), "big5")?.pointers();
    // The pointer that the Standard's encoder uses for a code point.
    let pointer = |to: u32| {
        let pointers = big5.get(&to)?;
        let mut pointers = pointers.iter().copied().filter(|&at| at >= 32 * 157);
        match to {
            0x2550 | 0x255E | 0x2561 | 0x256A | 0x5341 | 0x5345 => pointers.next_back(),
            _ => pointers.next(),
        }
    };
    // Each run is its first cell, its length, and its first pointer.
    let (mut runs, mut own) = (Vec::<[u16; 3]>::new(), Vec::new());
    for (&place, &to) in &pairs::cns_11643()? {
        let Some(pointer) = pointer(to).map(|pointer| pointer as u16) else {
            own.extend([place, to as u16]);
            continue;
        };
        match runs.last_mut() {
            Some([first, count, from]) if [*first + *count, *from + *count] == [place, pointer] => {
                *count += 1;
            }
            _ => runs.push([place, 1, pointer]),
        }
    }
    Ok([
        Table::array(
            "decode_cns11643_runs",
            "cns11643",
            "runs: first place, how many, first pointer in index Big5",
            runs.len(),
            runs.as_flattened(),
        ),
        Table::array(
            "decode_cns11643_own",
            "cns11643",
            "missing in Big5: place and code point",
            own.len() / 2,
            &own,
        ),
    ])
}
