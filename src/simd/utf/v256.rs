//! AVX2 and NEON: shuffles by small tables gather what masks would compress.
//!
//! Stores are whole registers, and only their front counts. The next store overwrites the rest; what lies after
//! the last one is put back, so that nothing changes past what a kernel reports.

#[cfg(target_arch = "x86_64")]
mod copy;
mod faults;
mod short;
mod units;
mod utf16_to_utf8;
mod utf8_to_utf16;
#[cfg(target_arch = "x86_64")]
mod validate;

#[cfg(target_arch = "x86_64")]
pub(super) use copy::utf8_to_utf8;
pub(in crate::simd) use short::is_few_and_valid;
pub(super) use units::copy_units;
pub(super) use utf8_to_utf16::utf8_to_utf16;
pub(in crate::simd) use utf8_to_utf16::valid_utf8_to_utf16;
pub(super) use utf16_to_utf8::utf16_to_utf8;
#[cfg(target_arch = "x86_64")]
pub(in crate::simd) use validate::utf8_prefix_len;

use core::mem::MaybeUninit;

/// Input of this many bytes is looked at in registers: one, and three bytes before another.
pub(in crate::simd) const LEAST: usize = 35;

/// What lay after the output of the last block that has spilled, to be put back at the end.
struct Saved {
    at: *const u8,
    bytes: [MaybeUninit<u8>; 16],
}

impl Saved {
    #[inline(always)]
    fn nothing() -> Self {
        Self {
            at: core::ptr::null(),
            bytes: [MaybeUninit::uninit(); 16],
        }
    }

    /// # Safety
    /// 16 bytes at `at` are readable, initialised or not.
    #[inline(always)]
    unsafe fn keep(&mut self, at: *const u8) {
        self.at = at;
        // SAFETY: the contract of this method; `MaybeUninit` may hold what is not initialised.
        self.bytes = unsafe { at.cast::<[MaybeUninit<u8>; 16]>().read() };
    }

    /// Puts back what `keep` has read last, if it was from `at`: what is after the output.
    ///
    /// # Safety
    /// If `at` is where `keep` read last, 16 bytes are still writable there.
    #[inline(always)]
    unsafe fn put_back(&self, at: *mut u8) {
        if self.at == at.cast_const() {
            // SAFETY: by `# Safety`, 16 bytes are writable at `at` if it is where `keep` read last, as just compared.
            unsafe { at.cast::<[MaybeUninit<u8>; 16]>().write(self.bytes) };
        }
    }
}

/// Shuffles of 16 bytes by eight bits.
#[repr(align(16))]
struct Shuffles([[u8; 16]; 256]);

/// Gathers the UTF-8 of four units from the bytes `[first, second, last, -]` of each; two bits for each of them: more
/// than one byte, more than two.
static UNITS: Shuffles = {
    let mut table = [[0x80; 16]; 256];
    let mut mask = 0;
    while mask < 256 {
        let (mut unit, mut to) = (0, 0);
        while unit < 4 {
            if mask >> (2 * unit) & 3 != 0 {
                table[mask][to] = 4 * unit;
                to += 1;
            }
            if mask >> (2 * unit) & 2 != 0 {
                table[mask][to] = 4 * unit + 1;
                to += 1;
            }
            table[mask][to] = 4 * unit + 2;
            to += 1;
            unit += 1;
        }
        mask += 1;
    }
    Shuffles(table)
};

/// Gathers the UTF-8 of eight units below 0x800 from the bytes `[last, lead]` of each; a bit for each from 0x80 on.
static PAIRS: Shuffles = {
    let mut table = [[0x80; 16]; 256];
    let mut mask = 0;
    while mask < 256 {
        let (mut unit, mut to) = (0, 0);
        while unit < 8 {
            if mask >> unit & 1 == 1 {
                table[mask][to] = 2 * unit + 1;
                to += 1;
            }
            table[mask][to] = 2 * unit;
            to += 1;
            unit += 1;
        }
        mask += 1;
    }
    Shuffles(table)
};
