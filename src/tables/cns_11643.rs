//! CNS 11643, planes 1 and 2: the characters of Big5 in Big5's order, except at some dozens of positions.
//!
//! Instead of a table, there are the ranges that both orders share. The characters come from index Big5.

use super::double_byte::{big5_bytes, big5_code_point};
use super::sets::{CNS11643_OWN, CNS11643_RUNS};

/// Each range: its first cell, its length, and its first pointer.
const RUNS: &[[u16; 3]] = CNS11643_RUNS.as_chunks().0;

/// The ranges in the order of their pointers.
static BY_POINTER: [[u16; 3]; RUNS.len()] = {
    let mut order = [[0; 3]; RUNS.len()];
    let mut i = 0;
    while i < order.len() {
        let mut at = i;
        while at > 0 && order[at - 1][2] > RUNS[i][2] {
            order[at] = order[at - 1];
            at -= 1;
        }
        order[at] = RUNS[i];
        i += 1;
    }
    order
};

/// The number of cells, or of pointers, in a block. For each block, a table has the range at which the search starts.
const BLOCK: usize = 64;

/// The number of blocks of pointers. Big5 has 126 leads with 157 trails each. CNS 11643 takes fewer blocks.
const BLOCKS: usize = 126 * 157 / BLOCK + 1;

static BLOCKS_OF_PLACES: [u8; BLOCKS] = blocks(RUNS, 0);
static BLOCKS_OF_POINTERS: [u8; BLOCKS] = blocks(&BY_POINTER, 2);

/// Returns for each block the index of the last range that starts at or before the block's start, or else 0. The first cell
/// or pointer of a range is its element with the index `start`.
const fn blocks(runs: &[[u16; 3]], start: usize) -> [u8; BLOCKS] {
    assert!(runs.len() <= 256);
    let mut blocks = [0; BLOCKS];
    let (mut at, mut run) = (0, 0);
    while at < BLOCKS {
        while run + 1 < runs.len() && runs[run + 1][start] as usize <= at * BLOCK {
            run += 1;
        }
        blocks[at] = run as u8;
        at += 1;
    }
    blocks
}

/// Returns the range that contains a cell or a pointer, and the distance from its start.
#[inline(always)]
fn run_of(
    runs: &[[u16; 3]],
    blocks: &[u8; BLOCKS],
    start: usize,
    at: u16,
) -> Option<([u16; 3], u16)> {
    let from = usize::from(*blocks.get(usize::from(at) / BLOCK)?);
    let runs = runs.get(from..)?;
    let after = runs.iter().position(|run| run[start] > at);
    let run = *runs.get(after.unwrap_or(runs.len()).checked_sub(1)?)?;
    let distance = at - run[start];
    (distance < run[1]).then_some((run, distance))
}

/// The number of cells in a row. Cells of both planes are numbered from 0.
const ROW: u16 = 94;
const PLANE: u16 = 94 * ROW;

/// Returns the code point of a seven-bit byte pair in plane 1 or 2.
#[inline]
pub(crate) fn cns_11643_code_point(plane: u8, row: u8, cell: u8) -> Option<u16> {
    if !matches!((plane, row, cell), (1 | 2, 0x21..=0x7E, 0x21..=0x7E)) {
        return None;
    }
    let place = u16::from(plane - 1) * PLANE + u16::from(row - 0x21) * ROW + u16::from(cell - 0x21);
    if let Some(([_, _, pointer], distance)) = run_of(RUNS, &BLOCKS_OF_PLACES, 0, place) {
        return big5_code_point(usize::from(pointer + distance)).map(|to| to as u16);
    }
    let own = CNS11643_OWN.as_chunks().0.iter();
    own.copied()
        .find_map(|[of, to]| (of == place).then_some(to))
}

/// Returns the plane and the pair of a code point.
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

/// Returns the cell number of a Big5 pair.
#[inline]
fn place_of_big5(pair: u16) -> Option<u16> {
    let (lead, trail) = (pair >> 8, pair & 0xFF);
    let pointer = (lead - 0x81) * 157 + trail - if trail < 0x7F { 0x40 } else { 0x62 };
    let ([first, ..], distance) = run_of(&BY_POINTER, &BLOCKS_OF_POINTERS, 2, pointer)?;
    Some(first + distance)
}
