//! Words of eight or four bytes, without vector instructions.

use crate::simd::arrays::map_array;

/// A "register" of `N` bytes, 8 or 4, in the low bytes of a `u64`. The first byte is the lowest, on either endianness.
/// Its units are four to a `u64`, in the same order.
#[derive(Clone, Copy)]
pub(in crate::simd) struct Word<const N: usize>;

/// The bit that is clear in every ASCII byte.
const NOT_ASCII: u64 = 0x8080_8080_8080_8080;
/// The bits that are clear in every code unit below 0x80.
const NOT_ASCII_UNITS: u64 = 0xFF80_FF80_FF80_FF80;

// SAFETY: `prefix` and `is_ascii` are exact, and stores write all units; the tests compare each method with a loop over
// bytes.
unsafe impl<const N: usize> super::Vector for Word<N> {
    const LEN: usize = N;
    type Bytes = u64;
    type Units = [u64; 2];
    type Half = Word<4>;

    #[inline(always)]
    fn half(self) -> Word<4> {
        Word
    }

    #[inline(always)]
    unsafe fn load(self, from: *const u8) -> u64 {
        let mut word = [0; 8];
        // SAFETY: `N` bytes are readable, by `# Safety`.
        word[..N].copy_from_slice(&unsafe { from.cast::<[u8; N]>().read() });
        u64::from_le_bytes(word)
    }
    #[inline(always)]
    unsafe fn store(self, bytes: u64, to: *mut u8) {
        let mut word = [0; N];
        word.copy_from_slice(&bytes.to_le_bytes()[..N]);
        // SAFETY: `N` bytes are writable, by `# Safety`.
        unsafe { to.cast::<[u8; N]>().write(word) }
    }
    #[inline(always)]
    unsafe fn load_units(self, from: *const u16) -> [u64; 2] {
        // SAFETY: `N` units are readable, by `# Safety`; the second four are read only if `N` is 8.
        unsafe {
            let low = in_order(from.cast::<u64>().read_unaligned());
            let high = if N == 8 {
                in_order(from.add(4).cast::<u64>().read_unaligned())
            } else {
                0
            };
            [low, high]
        }
    }
    #[inline(always)]
    unsafe fn store_units(self, units: [u64; 2], to: *mut u16) {
        // SAFETY: `N` units are writable, by `# Safety`; the second four are written only if `N` is 8.
        unsafe {
            to.cast::<u64>().write_unaligned(in_order(units[0]));
            if N == 8 {
                to.add(4).cast::<u64>().write_unaligned(in_order(units[1]));
            }
        }
    }

    #[inline(always)]
    fn or(self, a: u64, b: u64) -> u64 {
        a | b
    }
    #[inline(always)]
    fn or_units(self, a: [u64; 2], b: [u64; 2]) -> [u64; 2] {
        [a[0] | b[0], a[1] | b[1]]
    }
    #[inline(always)]
    fn is_ascii(self, bytes: u64) -> bool {
        bytes & NOT_ASCII == 0
    }
    #[inline(always)]
    fn is_ascii_units(self, units: [u64; 2]) -> bool {
        (units[0] | units[1]) & NOT_ASCII_UNITS == 0
    }
    #[inline(always)]
    fn prefix(self, bytes: u64) -> usize {
        // The lowest set bit is in the first non-ASCII byte; without one there are 64 trailing zeros, or 8 bytes.
        ((bytes & NOT_ASCII).trailing_zeros() as usize / 8).min(N)
    }
    #[inline(always)]
    fn prefix_units(self, units: [u64; 2]) -> usize {
        let [low, high] = map_array(units, |four| {
            (four & NOT_ASCII_UNITS).trailing_zeros() as usize / 16
        });
        if low < 4 || N == 4 { low } else { 4 + high }
    }
    #[inline(always)]
    fn widen(self, bytes: u64) -> [u64; 2] {
        [spread(bytes & 0xFFFF_FFFF), spread(bytes >> 32)]
    }
    #[inline(always)]
    fn narrow(self, units: [u64; 2]) -> u64 {
        gather(units[0]) | gather(units[1]) << 32
    }
}

/// Converts four units from memory order to an order with the first unit lowest, and back.
#[inline(always)]
fn in_order(units: u64) -> u64 {
    if cfg!(target_endian = "big") {
        let swapped = units.rotate_left(32);
        (swapped & 0xFFFF_0000_FFFF_0000) >> 16 | (swapped & 0x0000_FFFF_0000_FFFF) << 16
    } else {
        units
    }
}

/// Spreads the four bytes in the low half to four units.
#[inline(always)]
fn spread(bytes: u64) -> u64 {
    let pairs = (bytes | bytes << 16) & 0x0000_FFFF_0000_FFFF;
    (pairs | pairs << 8) & 0x00FF_00FF_00FF_00FF
}

/// Gathers four units below 0x100 to four bytes in the low half.
#[inline(always)]
fn gather(units: u64) -> u64 {
    let pairs = (units | units >> 8) & 0x0000_FFFF_0000_FFFF;
    (pairs | pairs >> 16) & 0xFFFF_FFFF
}
