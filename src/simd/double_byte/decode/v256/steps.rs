//! Tables for a step of the shuffle kernel: eight places, each a lead, a trail or another byte.
//!
//! A trail follows every lead and nothing else, so that a step's shape is known from where its leads are and whether
//! its first place is a trail: nine bits, no two of them side by side. That leaves 89 shapes, and tables of that many
//! entries stay in the nearest cache beside the index.

use crate::simd::shuffles::BYTES;

/// Shapes of eight places.
const SHAPES: usize = 89;

/// Where bytes come from: places in the stream of characters, and places in the input; from 0x80 on, none.
#[repr(C)]
#[derive(Clone, Copy)]
pub(super) struct Merge {
    pub stream: [u8; 16],
    pub input: [u8; 16],
}

const NOWHERE: u8 = 0x80;

/// Whether nine bits are a shape: bit 0 says that the first place is a trail, bit `i + 1` that place `i` is a lead.
const fn is_shape(bits: usize) -> bool {
    bits & bits >> 1 == 0
}

/// The number of a shape by its bits; 0 for others.
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

/// The bits of each shape.
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

/// Leads in each shape.
static LEADS: [u8; SHAPES] = {
    let mut all = [0; SHAPES];
    let mut n = 0;
    while n < SHAPES {
        all[n] = (BITS[n] >> 1).count_ones() as u8;
        n += 1;
    }
    all
};

/// The places of each lead and of the byte after it.
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

/// What a place gives.
#[derive(Clone, Copy)]
enum Output {
    /// A lead two bytes of the stream, a trail one of the next two, another byte itself.
    Utf8,
    /// A lead two bytes of the stream, a trail nothing, another byte itself and zero.
    Utf16,
    /// A lead and a trail two bytes of the stream each, another byte itself and zero.
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

/// The lanes of [`LANES`] that are neither lead nor trail, a bit for each of their low bytes.
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

/// The shape of a step.
#[derive(Clone, Copy)]
pub(super) struct Shape(usize);

impl Shape {
    /// By its bits, the low nine: the first says that the first place is a trail, the others which places are leads.
    #[inline(always)]
    pub fn of(bits: u64) -> Self {
        Self(usize::from(NUMBERS[(bits & 0x1FF) as usize]))
    }

    /// How many leads there are.
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
        // SAFETY: every number is below `SHAPES`, as just asserted, and a `Shape` holds one of them.
        unsafe { table.get_unchecked(self.0) }
    }
}

/// Where the bytes that `bits` names are, and how many.
#[inline(always)]
pub(super) fn kept(bits: u32) -> (&'static [u8; 8], usize) {
    let bits = (bits & 0xFF) as u8;
    (&BYTES[usize::from(bits)], bits.count_ones() as usize)
}
