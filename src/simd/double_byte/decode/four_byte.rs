//! Characters of four bytes in a batch: to the masks they look like two pairs whose trails are digits.

use core::mem::MaybeUninit;

use crate::simd::arrays::map_array;
use crate::simd::surrogates::pair_of;

/// Characters in a batch, at most: it has 2048 bytes.
const MOST: usize = 512;

/// Where the characters of four bytes are.
pub(super) struct Quads {
    /// The numbers of their first pairs, and where they begin. Not initialised beyond `len`: that would take longer
    /// than short input does.
    found: [MaybeUninit<(u16, u16)>; MOST],
    len: usize,
    /// The first pair and the start of one whose second half was not seen.
    open: Option<(u16, u16)>,
}

impl Quads {
    /// Makes it in place.
    ///
    /// # Safety
    /// `place` is writable.
    #[inline(always)]
    pub unsafe fn init(place: *mut Self) {
        // SAFETY: the contract of this function; all else is `MaybeUninit`.
        unsafe {
            (&raw mut (*place).len).write(0);
            (&raw mut (*place).open).write(None);
        }
    }

    #[inline(always)]
    pub fn clear(&mut self) {
        self.len = 0;
        self.open = None;
    }

    /// Records blocks of 64 bytes: their leads, and which of their trails are digits. Returns where a first half is
    /// that has no second; nothing behind it is looked at.
    ///
    /// Kept out of the loop over blocks, whose registers a call would spill.
    #[inline(never)]
    pub fn find(&mut self, leads: &[u64], digits: &[u64]) -> Option<usize> {
        let mut pairs = 0;
        for (i, (&leads, &digits)) in leads.iter().zip(digits).enumerate() {
            if digits != 0
                && let Some(wrong) = self.find_in_block(64 * i, digits, leads, pairs)
            {
                return Some(wrong);
            }
            pairs += leads.count_ones() as usize;
        }
        None
    }

    /// Records a block: where it starts, its `leads` and which of its trails are `digits`, and how many pairs are
    /// before it. Returns where a first half is that has no second.
    fn find_in_block(
        &mut self,
        start: usize,
        mut digits: u64,
        leads: u64,
        pairs: usize,
    ) -> Option<usize> {
        if let Some((first, at)) = self.open.take() {
            // The second half's digit is the first of these, three behind the start.
            let next = start + digits.trailing_zeros() as usize;
            if next != usize::from(at) + 3 {
                return Some(at.into());
            }
            self.push(first, at);
            digits &= digits - 1;
        }
        while digits != 0 {
            let digit = digits.trailing_zeros();
            // A digit at the block's start belongs to the last pair before it.
            let through = leads & ((1 << digit) - 1);
            let first = (pairs + through.count_ones() as usize).saturating_sub(1) as u16;
            let at = (start + digit as usize).saturating_sub(1) as u16;
            let both = 0b101 << digit;
            if digit >= 62 {
                self.open = Some((first, at));
                break;
            }
            if digits & both != both {
                return Some(at.into());
            }
            self.push(first, at);
            digits &= !both;
        }
        None
    }

    #[inline(always)]
    fn push(&mut self, first: u16, at: u16) {
        // A batch has no more.
        if let Some(place) = self.found.get_mut(self.len) {
            place.write((first, at));
            self.len += 1;
        }
    }

    /// Where a character begins whose second half was not seen.
    #[inline(always)]
    pub fn pending(&self) -> Option<usize> {
        self.open.map(|(_, start)| start.into())
    }

    /// Forgets what begins with the pair of this number or behind it.
    pub fn truncate(&mut self, pairs: usize) {
        self.open = None;
        while let Some(&(first, _)) = self.found().last()
            && usize::from(first) >= pairs
        {
            self.len -= 1;
        }
    }

    /// First pairs and starts.
    #[inline(always)]
    fn found(&self) -> &[(u16, u16)] {
        // SAFETY: `find` has initialised the first `len`, and nothing else makes `len` greater.
        unsafe { core::slice::from_raw_parts(self.found.as_ptr().cast(), self.len) }
    }

    /// The first pair of a character, and where it begins.
    #[inline(always)]
    pub fn get(&self, i: usize) -> Option<(usize, usize)> {
        let &(first, start) = self.found().get(i)?;
        Some((first.into(), start.into()))
    }

    /// The numbers of the first pairs.
    #[inline(always)]
    pub fn firsts(&self) -> impl Iterator<Item = usize> + use<'_> {
        self.found().iter().map(|&(first, _)| first.into())
    }

    #[inline(always)]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }
}

/// Whether this number of pairs with digits, two for each character of four bytes, are too many for a batch of pairs: half as many
/// characters as have two bytes.
#[inline(always)]
pub(super) fn is_many(digits: usize, pairs: usize) -> bool {
    2 * digits > pairs
}

/// The pointer of four bytes, each odd one a lead and each even one a digit.
#[inline(always)]
pub(super) fn pointer(bytes: [u8; 4]) -> u32 {
    let [a, b, c, d] = map_array(bytes, u32::from);
    const FIRST: u32 = ((0x81 * 10 + 0x30) * 126 + 0x81) * 10 + 0x30;
    (((a * 10 + b) * 126 + c) * 10 + d).wrapping_sub(FIRST)
}

/// The UTF-8 of a scalar value from U+0080 on, with zeros behind it. Without a branch: text decides the length.
#[inline(always)]
pub(super) fn utf8_bytes(scalar: u32) -> [u8; 4] {
    let spread = scalar & 0x3F
        | (scalar & 0xFC0) << 2
        | (scalar & 0x3_F000) << 4
        | (scalar & 0x1C_0000) << 6;
    let (marks, unused) = match scalar {
        0..=0x7FF => (0xC080, 16),
        0x800..=0xFFFF => (0xE0_8080, 8),
        _ => (0xF080_8080, 0),
    };
    ((spread | marks) << unused).to_be_bytes()
}

/// The UTF-16 of a scalar value, with zero behind it.
#[inline(always)]
pub(super) fn utf16_units(scalar: u32) -> [u16; 2] {
    match scalar {
        0..=0xFFFF => [scalar as u16, 0],
        _ => pair_of(scalar),
    }
}
