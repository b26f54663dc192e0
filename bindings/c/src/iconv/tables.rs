//! Tables of characters for short input, built with the engine. A table has the characters that the engine and the C
//! library convert alike, as tested by the filter.

use super::filter::Filter;
use core::sync::atomic::{AtomicU32, Ordering};
use mojika::{BomHandling, Decoder, Status};
use std::sync::OnceLock;

/// The number of short calls in one direction before a double-byte encoding's table is built. Building takes one or two
/// milliseconds, and the table 64 or 128 kB.
const ENOUGH_CALLS: u32 = 4096;

/// The table entry for a byte or pair that is not a character or does not convert alike. No code unit or pair has this
/// value.
pub(super) const NONE: u16 = 0xFFFF;

/// An encoding, and the filter for sequences that the C library converts differently.
#[derive(Clone, Copy)]
pub(super) struct Alike<'a> {
    pub encoding: &'static mojika::Encoding,
    pub filter: Option<&'a Filter>,
}

/// A table entry for a character.
pub(super) trait Entry: Copy + PartialEq {
    /// The entry for a byte or pair that is not a character, or does not convert alike.
    const NONE: Self;

    /// Returns the entry of a UTF-16 code unit.
    fn of(unit: u16) -> Self;
}

impl Entry for u16 {
    const NONE: Self = NONE;

    fn of(unit: u16) -> Self {
        unit
    }
}

/// At most three bytes of UTF-8, the first one lowest, with their number in the highest byte.
#[derive(Clone, Copy, PartialEq)]
pub(super) struct Utf8(u32);

impl Utf8 {
    #[inline(always)]
    pub(super) fn len(self) -> u32 {
        self.0 >> 24
    }

    /// Returns the first `N` bytes. They are the character if its length is `N`.
    #[inline(always)]
    pub(super) fn bytes<const N: usize>(self) -> [u8; N] {
        core::array::from_fn(|at| (self.0 >> (8 * at)) as u8)
    }
}

impl Entry for Utf8 {
    const NONE: Self = Self(0);

    fn of(unit: u16) -> Self {
        let Some(scalar) = char::from_u32(unit.into()).filter(|_| unit != NONE) else {
            return Self::NONE;
        };
        let mut utf8 = [0; 4];
        utf8[3] = scalar.encode_utf8(&mut utf8).len() as u8;
        Self(u32::from_le_bytes(utf8))
    }
}

/// A table that is built when it is needed.
pub(super) struct Lazy<T> {
    calls: AtomicU32,
    table: OnceLock<Box<T>>,
}

impl<T> Lazy<T> {
    pub(super) const fn new() -> Self {
        Self {
            calls: AtomicU32::new(0),
            table: OnceLock::new(),
        }
    }

    /// Returns the table. If it `has_pairs`, returns `None` before [`ENOUGH_CALLS`] calls.
    #[inline]
    pub(super) fn get(&self, has_pairs: bool, make: impl FnOnce() -> Box<T>) -> Option<&T> {
        if let Some(table) = self.table.get() {
            return Some(table);
        }
        let is_enough = !has_pairs || self.calls.fetch_add(1, Ordering::Relaxed) >= ENOUGH_CALLS;
        is_enough.then(|| &**self.table.get_or_init(make))
    }
}

/// The characters that an encoding's single bytes and pairs decode to.
pub(super) struct Decoded<T> {
    singles: Lazy<Singles<T>>,
    pairs: Lazy<Rows<T>>,
}

/// The tables of [`Decoded`], built.
pub(super) struct Characters<'a, T> {
    pub singles: &'a Singles<T>,
    pub pairs: Option<&'a Rows<T>>,
}

impl<T: Entry> Decoded<T> {
    pub(super) const fn new() -> Self {
        Self {
            singles: Lazy::new(),
            pairs: Lazy::new(),
        }
    }

    /// Returns the tables; `None` before enough calls.
    #[inline]
    pub(super) fn get(&self, page: Alike<'_>) -> Option<Characters<'_, T>> {
        let singles = self.singles.get(false, || Box::new(Singles::new(page)))?;
        let pairs = match page.encoding.is_single_byte() {
            true => None,
            false => Some(self.pairs.get(true, || make_rows(page, singles))?),
        };
        Some(Characters { singles, pairs })
    }
}

/// The characters that single bytes decode to.
pub(super) struct Singles<T> {
    entries: [T; 256],
    /// True if bytes below 0x80 are ASCII.
    pub is_ascii: bool,
}

impl<T: Entry> Singles<T> {
    fn new(page: Alike<'_>) -> Self {
        let units: [u16; 256] = core::array::from_fn(|byte| unit_of(page, &[byte as u8]));
        let is_ascii = (0..0x80).all(|ascii| units[usize::from(ascii)] == ascii);
        Self {
            entries: units.map(T::of),
            is_ascii,
        }
    }

    /// Returns the entry of a byte.
    #[inline(always)]
    pub(super) fn entry(&self, byte: u8) -> T {
        self.entries[usize::from(byte)]
    }
}

/// The characters that pairs decode to, indexed by `lead - 0x80` and the trail byte.
pub(super) type Rows<T> = [[T; 256]; 128];

fn make_rows<T: Entry>(page: Alike<'_>, singles: &Singles<T>) -> Box<Rows<T>> {
    let mut rows = Box::new([[T::NONE; 256]; 128]);
    for (lead, row) in (0x80..=0xFF).zip(&mut *rows) {
        if singles.entry(lead) == T::NONE {
            for (trail, pair) in (0..=0xFF).zip(row) {
                *pair = T::of(unit_of(page, &[lead, trail]));
            }
        }
    }
    rows
}

/// The bytes that BMP characters are encoded to: a single byte, or a big-endian pair.
pub(super) struct Encoded {
    /// The index in `rows` for the upper ten bits of a code unit. The lower six bits are the index in that row.
    places: [u16; 1024],
    /// The rows, of which the first is empty.
    rows: Vec<[u16; 64]>,
    /// True if ASCII characters are bytes below 0x80.
    pub is_ascii: bool,
}

/// Returns the code unit that `bytes` decode to; [`NONE`] unless it is exactly one, and the same in the C library.
fn unit_of(page: Alike<'_>, bytes: &[u8]) -> u16 {
    let mut decoder = Decoder::new(page.encoding, BomHandling::Keep);
    let mut units = [0_u16; 4];
    let progress = decoder.decode_fatal(bytes, &mut units, false);
    let is_one = progress.status == Status::InputEmpty
        && progress.written == 1
        && decoder.unread_incomplete() == 0;
    let is_alike = page
        .filter
        .is_none_or(|filter| filter.input(bytes) == bytes.len());
    if is_one && is_alike { units[0] } else { NONE }
}

/// Returns a BMP character's bytes; [`NONE`] unless they are one or two bytes, and the same in the C library.
fn bytes_of(page: Alike<'_>, unit: u16) -> u16 {
    let Some(scalar) = char::from_u32(unit.into()) else {
        return NONE;
    };
    let Ok(mut encoder) = page.encoding.new_encoder() else {
        return NONE;
    };
    let (mut utf8, mut bytes) = ([0; 4], [0; 8]);
    let text = scalar.encode_utf8(&mut utf8);
    let progress = encoder.encode(&*text, &mut bytes, false);
    let bytes = &bytes[..progress.written];
    let is_alike = page
        .filter
        .is_none_or(|filter| filter.output(bytes) == bytes.len());
    match *bytes {
        _ if progress.status != Status::InputEmpty || !is_alike => NONE,
        [single] => single.into(),
        // With a lead byte of 0, a pair would look like a single byte.
        [lead @ 1..=0xFF, trail] => u16::from_be_bytes([lead, trail]),
        _ => NONE,
    }
}

impl Encoded {
    pub(super) fn new(page: Alike<'_>) -> Self {
        let mut table = Self {
            places: [0; 1024],
            rows: vec![[NONE; 64]],
            is_ascii: false,
        };
        if page.encoding.is_single_byte() {
            // No other characters are encoded to a single byte.
            let units = (0..=0xFF).map(|byte| unit_of(page, &[byte]));
            units.for_each(|unit| table.insert(page, unit));
        } else {
            (0..NONE).for_each(|unit| table.insert(page, unit));
        }
        table.is_ascii = (0..0x80).all(|ascii| table.bytes(ascii) == ascii);
        table
    }

    fn insert(&mut self, page: Alike<'_>, unit: u16) {
        let bytes = bytes_of(page, unit);
        if bytes == NONE {
            return;
        }
        let place = &mut self.places[usize::from(unit >> 6)];
        if *place == 0 {
            *place = self.rows.len() as u16;
            self.rows.push([NONE; 64]);
        }
        self.rows[usize::from(*place)][usize::from(unit & 63)] = bytes;
    }

    /// Returns the bytes of a character, or [`NONE`].
    #[inline(always)]
    pub(super) fn bytes(&self, unit: u16) -> u16 {
        let row = &self.rows[usize::from(self.places[usize::from(unit >> 6)])];
        row[usize::from(unit & 63)]
    }
}
