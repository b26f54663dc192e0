//! Double-byte encodings: how likely text in one would yield the sample.
//!
//! Well-formedness comes first; the cost of a character then depends on how common it is, in four steps that
//! `gen train` assigns. Costs are those of single-byte encodings: -log2 of a probability, in units of 3/4 bit.

use crate::*;

static PAIRS: &[u8; 4 + 2209 + 4 + 2209 + 4 + 3494 + 4 + 2209] =
    include_bytes!("../../../tables/detect/pairs.bin");

/// Costs of what the tables do not hold.
const ASCII: u32 = 6;
const TURN: u32 = 2;
const EXTENSION: u32 = 26;
const HALF_WIDTH: u32 = 14;
const MALFORMED: u32 = 60;

#[derive(Clone, Copy, PartialEq)]
enum Form {
    EucJp,
    ShiftJis,
    EucKr,
    Big5,
    Gbk,
}

const CANDIDATES: [(&Encoding, Form, usize, usize); 5] = [
    (EUC_JP, Form::EucJp, 0, 94),
    (SHIFT_JIS, Form::ShiftJis, 0, 94),
    (EUC_KR, Form::EucKr, 2213, 94),
    (BIG5, Form::Big5, 4426, 157),
    (GBK, Form::Gbk, 7924, 94),
];

/// A character: its length and its row and cell in the index, if the table has it.
struct Character {
    len: usize,
    place: Option<(u8, u8)>,
    cost: u32,
}

fn one(len: usize, cost: u32) -> Character {
    Character {
        len,
        place: None,
        cost,
    }
}

fn character(form: Form, bytes: &[u8]) -> Option<Character> {
    let lead = bytes[0];
    let Some(&trail) = bytes.get(1) else {
        return Some(one(1, 0));
    };
    let place = match form {
        Form::EucJp => match (lead, trail) {
            (0x8E, 0xA1..=0xDF) => return Some(one(2, HALF_WIDTH + 4)),
            (0x8F, 0xA1..=0xFE) => return Some(one(3.min(bytes.len()), EXTENSION + 4)),
            (0xA1..=0xFE, 0xA1..=0xFE) => (lead - 0xA1, trail - 0xA1),
            _ => return None,
        },
        Form::ShiftJis => match (lead, trail) {
            (0xA1..=0xDF, _) => return Some(one(1, HALF_WIDTH)),
            (0x81..=0x9F | 0xE0..=0xFC, 0x40..=0x7E | 0x80..=0xFC) => {
                if lead >= 0xF0 {
                    return Some(one(2, EXTENSION));
                }
                let row = 2 * (lead - if lead < 0xA0 { 0x81 } else { 0xC1 });
                match trail {
                    0x9F.. => (row + 1, trail - 0x9F),
                    0x80.. => (row, trail - 0x41),
                    _ => (row, trail - 0x40),
                }
            }
            _ => return None,
        },
        Form::EucKr => match (lead, trail) {
            (0xA1..=0xFE, 0xA1..=0xFE) => (lead - 0xA1, trail - 0xA1),
            (0x81..=0xC6, 0x41..=0x5A | 0x61..=0x7A | 0x81..=0xFE) => {
                return Some(one(2, EXTENSION));
            }
            _ => return None,
        },
        Form::Big5 => match (lead, trail) {
            (0xA1..=0xF9, 0x40..=0x7E) => (lead - 0xA1, trail - 0x40),
            (0xA1..=0xF9, 0xA1..=0xFE) => (lead - 0xA1, trail - 0xA1 + 63),
            (0x87..=0xFE, 0x40..=0x7E | 0xA1..=0xFE) => return Some(one(2, EXTENSION)),
            _ => return None,
        },
        Form::Gbk => match (lead, trail) {
            (0xA1..=0xFE, 0xA1..=0xFE) => (lead - 0xA1, trail - 0xA1),
            (0x81..=0xFE, 0x40..=0x7E | 0x80..=0xFE) => return Some(one(2, EXTENSION)),
            (0x81..=0xFE, 0x30..=0x39) => return Some(one(4.min(bytes.len()), 2 * EXTENSION)),
            _ => return None,
        },
    };
    Some(Character {
        len: 2,
        place: Some(place),
        cost: 0,
    })
}

/// The cost of the sample, or more than `bound`.
fn cost(form: Form, table: &[u8], cells: usize, mut bytes: &[u8], bound: u32) -> u32 {
    let (mut sum, mut was_ascii) = (0, true);
    while let Some(&byte) = bytes.first() {
        if sum > bound {
            break;
        }
        let is_ascii = byte < 0x80;
        sum += if is_ascii == was_ascii { 0 } else { TURN };
        was_ascii = is_ascii;
        if is_ascii {
            sum += if byte <= b' ' { 1 } else { ASCII };
            bytes = &bytes[1..];
            continue;
        }
        let Some(character) = character(form, bytes) else {
            sum += MALFORMED;
            bytes = &bytes[1..];
            continue;
        };
        sum += character.cost;
        if let Some((row, cell)) = character.place {
            let place = usize::from(row) * cells + usize::from(cell);
            let step = table
                .get(4 + place / 4)
                .map_or(0, |four| four >> (2 * (place & 3)) & 3);
            sum += u32::from(table[usize::from(step)]);
        }
        bytes = &bytes[character.len..];
    }
    sum
}

/// Calls `found` with each double-byte encoding and its cost.
///
/// Input may begin within a character: a reading from the second byte on counts, too.
pub fn race(sample: &[u8], mut found: impl FnMut(&'static Encoding, u32)) {
    let mut best = u32::MAX / 2;
    for (encoding, form, at, cells) in CANDIDATES {
        let table = &PAIRS[at..];
        let mut sum = cost(form, table, cells, sample, best + 100);
        if sample.first().is_some_and(|&byte| byte >= 0x80) {
            let second = cost(form, table, cells, &sample[1..], best + 100);
            sum = sum.min(second.saturating_add(10));
        }
        best = best.min(sum);
        found(encoding, sum);
    }
}
