//! Tables for a step of the shuffle kernel: eight bytes, each a lead, a trail or another byte.
//!
//! A trail follows each lead and nothing else. The positions of the leads and the class of the
//! first byte thus give the shape of a step: nine bits without two adjacent ones. That leaves 89
//! shapes. Their tables and the index fit into the L1 cache.

use crate::simd::shuffles::BYTES;

/// The number of shapes of eight bytes.
const SHAPES: usize = 89;

/// The shuffle indices of a merge: into the stream of characters and into the input. Values from 0x80 on give zero.
#[repr(C)]
#[derive(Clone, Copy)]
pub(super) struct Merge {
    pub stream: [u8; 16],
    pub input: [u8; 16],
}

const NOWHERE: u8 = 0x80;

/// True if nine bits are a shape. Bit 0 is set if the first byte is a trail, bit `i + 1` if byte `i` is a lead.
const fn is_shape(bits: usize) -> bool {
    bits & bits >> 1 == 0
}

/// The number of each shape, by its bits; 0 for bits that are no shape.
const NUMBERS_VALUE: [u8; 512] = {
    let mut numbers = [0; 512];
    let (mut bits, mut n) = (0, 0);
    while bits < 512 {
        if is_shape(bits) {
            numbers[bits] = n;
            n += 1;
        }
        bits += 1;
    }
    assert!(n as usize == SHAPES);
    numbers
};
static NUMBERS: [u8; 512] = NUMBERS_VALUE;

/// The bits of each shape, by number.
const BITS: [usize; SHAPES] = {
    let mut all = [0; SHAPES];
    let (mut bits, mut n) = (0, 0);
    while bits < 512 {
        if is_shape(bits) {
            all[n] = bits;
            n += 1;
        }
        bits += 1;
    }
    all
};

/// The number of leads of each shape.
static LEADS: [u8; SHAPES] = {
    let mut all = [0; SHAPES];
    let mut n = 0;
    while n < SHAPES {
        all[n] = (BITS[n] >> 1).count_ones() as u8;
        n += 1;
    }
    all
};

/// The positions of each lead and of the byte after it.
static PAIRS: [[u8; 8]; SHAPES] = {
    let mut all = [[NOWHERE; 8]; SHAPES];
    let mut n = 0;
    while n < SHAPES {
        let (mut i, mut to) = (0, 0);
        while i < 8 {
            if BITS[n] >> (i + 1) & 1 == 1 {
                all[n][to] = i as u8;
                all[n][to + 1] = i as u8 + 1;
                to += 2;
            }
            i += 1;
        }
        n += 1;
    }
    all
};

/// The output layout of a merge.
#[derive(Clone, Copy)]
enum Output {
    /// A lead gives two bytes of the stream, a trail one of the next two, another byte itself.
    Utf8,
    /// A lead gives two bytes of the stream, a trail nothing, another byte itself and zero.
    Utf16,
    /// A lead and a trail give two bytes of the stream each, another byte itself and zero.
    Lanes,
}

const fn merges(output: Output) -> [Merge; SHAPES] {
    let mut all = [Merge {
        stream: [NOWHERE; 16],
        input: [NOWHERE; 16],
    }; SHAPES];
    let mut n = 0;
    while n < SHAPES {
        let bits = BITS[n];
        let Merge { stream, input } = &mut all[n];
        let (mut i, mut to, mut from) = (0, 0, 0);
        while i < 8 {
            let is_lead = bits >> (i + 1) & 1 == 1;
            let is_trail = bits >> i & 1 == 1;
            match (output, is_lead, is_trail) {
                (Output::Utf16, false, true) => {}
                (Output::Utf8, false, true) => {
                    stream[to] = from;
                    (to, from) = (to + 1, from + 2);
                }
                (_, true, _) | (Output::Lanes, _, true) => {
                    stream[to] = from;
                    stream[to + 1] = from + 1;
                    (to, from) = (to + 2, from + 2);
                }
                _ => {
                    input[to] = i as u8;
                    to += if matches!(output, Output::Utf8) { 1 } else { 2 };
                }
            }
            i += 1;
        }
        n += 1;
    }
    all
}

static UTF_8: [Merge; SHAPES] = merges(Output::Utf8);
static UTF_16: [Merge; SHAPES] = merges(Output::Utf16);
static LANES: [Merge; SHAPES] = merges(Output::Lanes);

/// The lanes of [`LANES`] that are neither lead nor trail, with one bit for their low bytes.
static SINGLE_BYTES: [u16; SHAPES] = {
    let mut all = [0; SHAPES];
    let mut n = 0;
    while n < SHAPES {
        let mut i = 0;
        while i < 8 {
            if BITS[n] >> i & 3 == 0 {
                all[n] |= 1 << (2 * i);
            }
            i += 1;
        }
        n += 1;
    }
    all
};

/// A shape, as an index into the tables.
#[derive(Clone, Copy)]
pub(super) struct Shape(usize);

impl Shape {
    /// Returns the shape with the low nine bits of `bits`: the first is set if the first byte is a trail, the others
    /// mark leads.
    #[inline(always)]
    pub fn of(bits: u64) -> Self {
        Self(usize::from(NUMBERS[(bits & 0x1FF) as usize]))
    }

    /// Returns the number of leads.
    #[inline(always)]
    pub fn leads(self) -> usize {
        self.get(&LEADS).into()
    }

    #[inline(always)]
    pub fn pairs(self) -> &'static [u8; 8] {
        self.entry(&PAIRS)
    }

    #[inline(always)]
    pub fn utf_8(self) -> &'static Merge {
        self.entry(&UTF_8)
    }

    #[inline(always)]
    pub fn utf_16(self) -> &'static Merge {
        self.entry(&UTF_16)
    }

    #[inline(always)]
    pub fn lanes(self) -> &'static Merge {
        self.entry(&LANES)
    }

    #[inline(always)]
    pub fn single_bytes(self) -> u32 {
        self.get(&SINGLE_BYTES).into()
    }

    #[inline(always)]
    fn get<T: Copy>(self, table: &'static [T; SHAPES]) -> T {
        *self.entry(table)
    }

    #[inline(always)]
    fn entry<T>(self, table: &'static [T; SHAPES]) -> &'static T {
        const {
            let mut bits = 0;
            while bits < 512 {
                assert!((NUMBERS_VALUE[bits] as usize) < SHAPES);
                bits += 1;
            }
        }
        // SAFETY: all of `NUMBERS` is below `SHAPES`, asserted above, and a `Shape` holds such a number.
        unsafe { table.get_unchecked(self.0) }
    }
}

/// Returns the shuffle that keeps the bytes set in the low eight of `bits`, and their number.
#[inline(always)]
pub(super) fn kept(bits: u32) -> (&'static [u8; 8], usize) {
    let bits = (bits & 0xFF) as u8;
    (&BYTES[usize::from(bits)], bits.count_ones() as usize)
}
