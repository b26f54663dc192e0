//! AVX2: shuffles by small tables gather what masks would compress.
//!
//! Stores are whole registers, of which only the front counts. The next store overwrites the rest; what lies behind
//! the last one is put back, so that nothing changes past what a kernel reports.

mod copy;
mod utf16_to_utf8;
mod utf8_to_utf16;

pub(super) use copy::utf8_to_utf8;
pub(super) use utf8_to_utf16::utf8_to_utf16;
pub(super) use utf16_to_utf8::utf16_to_utf8;

use core::mem::MaybeUninit;

/// What lay behind the output of the last block, to be put back at the end.
struct Behind(Option<[MaybeUninit<u8>; 16]>);

impl Behind {
    /// # Safety
    /// 16 bytes at `at` are readable, initialised or not.
    #[inline(always)]
    unsafe fn keep(&mut self, at: *const u8) {
        // SAFETY: the contract of this method; `MaybeUninit` may hold what is not initialised.
        self.0 = Some(unsafe { at.cast::<[MaybeUninit<u8>; 16]>().read() });
    }

    /// # Safety
    /// `at` is where `keep` read last, and still writable.
    #[inline(always)]
    unsafe fn put_back(self, at: *mut u8) {
        if let Some(bytes) = self.0 {
            // SAFETY: the contract of this method.
            unsafe { at.cast::<[MaybeUninit<u8>; 16]>().write(bytes) };
        }
    }
}

/// The shuffle that gathers the UTF-8 of four units from the bytes `[first, second, last, ascii]` of each; indexed by
/// the units from 0x80 on (low four bits) and from 0x800 on (high four bits).
static UNITS: [[u8; 16]; 256] = {
    let mut table = [[0x80; 16]; 256];
    let mut mask = 0;
    while mask < 256 {
        let (mut unit, mut to) = (0, 0);
        while unit < 4 {
            let three = mask >> (unit + 4) & 1 == 1;
            if mask >> unit & 1 == 0 && !three {
                table[mask][to] = 4 * unit + 3;
                to += 1;
            } else {
                table[mask][to] = 4 * unit;
                to += 1;
                if three {
                    table[mask][to] = 4 * unit + 1;
                    to += 1;
                }
                table[mask][to] = 4 * unit + 2;
                to += 1;
            }
            unit += 1;
        }
        mask += 1;
    }
    table
};

/// The shuffle that gathers the UTF-8 of four units below 0x800 from their leads and trails, for the lower and for
/// the upper half of a register; indexed by the units from 0x80 on.
static PAIRS: [[[u8; 8]; 16]; 2] = {
    let mut table = [[[0x80; 8]; 16]; 2];
    let mut half = 0;
    while half < 2 {
        let mut mask = 0;
        while mask < 16 {
            let (mut unit, mut to) = (0, 0);
            while unit < 4 {
                if mask >> unit & 1 == 1 {
                    table[half][mask][to] = 8 * half as u8 + 2 * unit;
                    to += 1;
                }
                table[half][mask][to] = 8 * half as u8 + 2 * unit + 1;
                to += 1;
                unit += 1;
            }
            mask += 1;
        }
        half += 1;
    }
    table
};
