//! AVX2 and NEON: shuffles with small tables replace compress.
//!
//! Stores write whole registers, with valid bytes at the start only. The next store overwrites the excess, and the
//! bytes after the last store are restored, so nothing after the reported output changes.

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
pub(in crate::simd) use utf8_to_utf16::utf8_to_utf16;
pub(super) use utf16_to_utf8::utf16_to_utf8;
#[cfg(target_arch = "x86_64")]
pub(in crate::simd) use validate::utf8_prefix_len;

use core::mem::MaybeUninit;

/// The minimum length, in bytes, of input for the kernels: a register of 32 bytes, and the three bytes before it.
pub(in crate::simd) const LEAST: usize = 35;

/// The bytes after the output of the last block that overshot. They are restored at the end.
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
        // SAFETY: 16 bytes are readable, by `# Safety`; `MaybeUninit` may hold uninitialised bytes.
        self.bytes = unsafe { at.cast::<[MaybeUninit<u8>; 16]>().read() };
    }

    /// Restores the bytes of the last [`keep`](Self::keep) call, if its address was `at`, the end of the output.
    ///
    /// # Safety
    /// If `at` is where `keep` read last, 16 bytes are still writable there.
    #[inline(always)]
    unsafe fn put_back(&self, at: *mut u8) {
        if self.at == at.cast_const() {
            // SAFETY: `at` is where `keep` read last, tested above, so 16 bytes are writable there, by `# Safety`.
            unsafe { at.cast::<[MaybeUninit<u8>; 16]>().write(self.bytes) };
        }
    }
}

/// Shuffles of 16 bytes, indexed by eight bits.
#[repr(align(16))]
struct Shuffles([[u8; 16]; 256]);

/// Shuffles that gather the UTF-8 of four units from the bytes `[first, second, last, -]` of each. The index has two
/// bits for each unit: more than one byte, and more than two.
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

/// Shuffles that gather the UTF-8 of eight units below 0x800 from the bytes `[last, lead]` of each. The index has one
/// bit for each unit, set from 0x80 on.
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
