//! Converts short input to UTF-8 without a decoder and without a filter: UTF-32, and encodings of one and two bytes a
//! character by a table of the sequences that both libraries decode alike.

use super::convert::{Step, Stop};
use super::filter::Filter;
use core::mem::MaybeUninit;
use core::sync::atomic::{AtomicU32, Ordering};
use mojika::extended::{UTF_32BE, UTF_32LE};
use mojika::{BomHandling, Decoder, Encoding, Status};
use std::sync::OnceLock;

/// How many short calls an encoding has before its table is made, which takes about a millisecond and 64 kB.
const ENOUGH: u32 = 4096;

/// In the table: not a character by itself, or not converted alike. No sequence decodes to this code unit.
const NONE: u16 = 0xFFFF;

/// The table of an encoding. It is made after [`ENOUGH`] short calls.
pub(super) struct Pairs {
    calls: AtomicU32,
    table: OnceLock<Box<Table>>,
}

struct Table {
    /// The code unit of a byte.
    singles: [u16; 256],
    /// The code units of pairs, by the lead from 0x80 on and the trail.
    pairs: [[u16; 256]; 128],
}

/// The code unit of one character; [`NONE`] unless the bytes are one and are converted alike.
fn unit_of(encoding: &'static Encoding, filter: Option<&Filter>, bytes: &[u8]) -> u16 {
    let mut decoder = Decoder::new(encoding, BomHandling::Keep);
    let mut units = [0_u16; 4];
    let progress = decoder.decode_fatal(bytes, &mut units, false);
    let is_one = progress.status == Status::InputEmpty
        && progress.written == 1
        && decoder.unread_incomplete() == 0;
    let is_alike = filter.is_none_or(|filter| filter.input(bytes) == bytes.len());
    if is_one && is_alike { units[0] } else { NONE }
}

impl Table {
    fn new(encoding: &'static Encoding, filter: Option<&Filter>) -> Box<Self> {
        let mut table = Box::new(Self {
            singles: [NONE; 256],
            pairs: [[NONE; 256]; 128],
        });
        for (byte, single) in (0..=0xFF).zip(&mut table.singles) {
            *single = unit_of(encoding, filter, &[byte]);
        }
        let Self { singles, pairs } = &mut *table;
        for (lead, row) in (0x80..=0xFF).zip(pairs) {
            if singles[usize::from(lead)] != NONE {
                continue;
            }
            for (trail, pair) in (0..=0xFF).zip(row) {
                *pair = unit_of(encoding, filter, &[lead, trail]);
            }
        }
        table
    }
}

impl Pairs {
    pub(super) const fn new() -> Self {
        Self {
            calls: AtomicU32::new(0),
            table: OnceLock::new(),
        }
    }

    /// Decodes a prefix of `src`, up to a character that is not in the table: [`Stop::Other`] says that it, or the rest, is to be
    /// converted otherwise. `None` before there were enough calls.
    pub(super) fn decode(
        &self,
        encoding: &'static Encoding,
        filter: Option<&Filter>,
        src: &[u8],
        dst: &mut [MaybeUninit<u8>],
    ) -> Option<Step> {
        let table = match self.table.get() {
            Some(table) => table,
            None if self.calls.fetch_add(1, Ordering::Relaxed) < ENOUGH => return None,
            None => self.table.get_or_init(|| Table::new(encoding, filter)),
        };
        let (mut read, mut written) = (0, 0);
        let stop = loop {
            let (unit, length) = match src[read..] {
                [] => break Stop::Done,
                [single, ..] if table.singles[usize::from(single)] != NONE => {
                    (table.singles[usize::from(single)], 1)
                }
                [lead, trail, ..] if lead >= 0x80 => {
                    let row = &table.pairs[usize::from(lead & 0x7F)];
                    (row[usize::from(trail)], 2)
                }
                _ => break Stop::Other,
            };
            if unit == NONE {
                break Stop::Other;
            }
            match push(unit, &mut dst[written..]) {
                0 => break Stop::Full,
                made => written += made,
            }
            read += length;
        };
        Some(Step {
            read,
            written,
            stop,
        })
    }
}

/// Decodes a prefix of UTF-32, up to what is not a character of the BMP: [`Stop::Other`], as in [`Pairs::decode`]. The decoder of
/// UTF-16 is as fast.
pub(super) fn decode_utf_32(
    encoding: &Encoding,
    src: &[u8],
    dst: &mut [MaybeUninit<u8>],
) -> Option<Step> {
    let is_big = encoding == UTF_32BE;
    if !is_big && encoding != UTF_32LE {
        return None;
    }
    let (mut read, mut written) = (0, 0);
    let stop = loop {
        let stop = match src[read..] {
            [] => Stop::Done,
            _ => Stop::Other,
        };
        let Some(&four) = src[read..].first_chunk() else {
            break stop;
        };
        let scalar = match is_big {
            true => u32::from_be_bytes(four),
            false => u32::from_le_bytes(four),
        };
        let unit = match scalar.try_into() {
            Ok(0xD800..=0xDFFF) | Err(_) => break stop,
            Ok(unit) => unit,
        };
        match push(unit, &mut dst[written..]) {
            0 => break Stop::Full,
            made => written += made,
        }
        read += 4;
    };
    Some(Step {
        read,
        written,
        stop,
    })
}

/// Writes a character of the BMP as UTF-8; returns its length, 0 if it does not fit.
#[inline(always)]
fn push(unit: u16, dst: &mut [MaybeUninit<u8>]) -> usize {
    let last = 0x80 | (unit & 0x3F) as u8;
    let middle = 0x80 | (unit >> 6 & 0x3F) as u8;
    // Nothing is written beyond a character: what follows may be the caller's text.
    match (unit, dst) {
        (0..0x80, [x, ..]) => {
            x.write(unit as u8);
            1
        }
        (0x80..0x800, [x, y, ..]) => {
            x.write(0xC0 | (unit >> 6) as u8);
            y.write(last);
            2
        }
        (0x800.., [x, y, z, ..]) => {
            x.write(0xE0 | (unit >> 12) as u8);
            y.write(middle);
            z.write(last);
            3
        }
        _ => 0,
    }
}
