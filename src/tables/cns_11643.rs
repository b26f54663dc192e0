//! CNS 11643, planes 1 and 2: the characters of Big5 in its order, except in some dozens of places.
//!
//! Runs of both orders stand for a table; the characters are those of index Big5.

use super::double_byte::{big5_bytes, big5_code_point};

include!("../../tables/cns_11643.rs");

/// The first place, how many there are, and the first pointer.
const RUNS: &[[u16; 3]] = CNS11643_RUNS.as_chunks().0;

/// Runs in the order of their pointers.
static BY_POINTER: [u8; RUNS.len()] = {
    assert!(RUNS.len() <= 256);
    let mut order = [0; RUNS.len()];
    let mut i = 0;
    while i < order.len() {
        let mut at = i;
        while at > 0 && RUNS[order[at - 1] as usize][2] > RUNS[i][2] {
            order[at] = order[at - 1];
            at -= 1;
        }
        order[at] = i as u8;
        i += 1;
    }
    order
};

/// Places count cells of rows of planes, from 0 on.
const ROW: u16 = 94;
const PLANE: u16 = 94 * ROW;

/// The code point of a pair of bytes of seven bits in plane 1 or 2.
#[inline]
pub(crate) fn cns_11643_code_point(plane: u8, row: u8, cell: u8) -> Option<u16> {
    if !matches!((plane, row, cell), (1 | 2, 0x21..=0x7E, 0x21..=0x7E)) {
        return None;
    }
    let place = u16::from(plane - 1) * PLANE + u16::from(row - 0x21) * ROW + u16::from(cell - 0x21);
    let after = RUNS.partition_point(|run| run[0] <= place);
    if let Some(&[first, count, pointer]) = RUNS.get(after.wrapping_sub(1))
        && place - first < count
    {
        return big5_code_point(usize::from(pointer + place - first)).map(|to| to as u16);
    }
    let own = CNS11643_OWN.as_chunks().0.iter();
    own.copied()
        .find_map(|[of, to]| (of == place).then_some(to))
}

/// The plane and the pair of a code point.
#[inline]
pub(crate) fn cns_11643_pair(code_point: u16) -> Option<(u8, u16)> {
    let place = match big5_bytes(code_point.into()).and_then(place_of_big5) {
        Some(place) => place,
        None => {
            let mut own = CNS11643_OWN.as_chunks().0.iter().copied();
            own.find_map(|[place, to]| (to == code_point).then_some(place))?
        }
    };
    let (row, cell) = (place / ROW % 94 + 0x21, place % ROW + 0x21);
    Some(((place / PLANE) as u8 + 1, row << 8 | cell))
}

/// The place of a pair of Big5.
#[inline]
fn place_of_big5(pair: u16) -> Option<u16> {
    let (lead, trail) = (pair >> 8, pair & 0xFF);
    let pointer = (lead - 0x81) * 157 + trail - if trail < 0x7F { 0x40 } else { 0x62 };
    let run = |number: &u8| RUNS.get(usize::from(*number)).copied().unwrap_or_default();
    let after = BY_POINTER.partition_point(|number| run(number)[2] <= pointer);
    let [first, count, from] = run(BY_POINTER.get(after.checked_sub(1)?)?);
    (pointer - from < count).then_some(first + pointer - from)
}
