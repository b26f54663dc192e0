//! Masks of the non-ASCII bytes of short text, in which a branch per run would dominate the time.

use core::ops::BitOr;

use super::super::out::Out;

/// Units that one step tests.
pub(in crate::simd) const STEP: usize = 8;
/// The maximum number of bytes that a mask of 64 bits covers.
pub(in crate::simd) const MASK_WIDTH: usize = u64::BITS as usize;

/// Calls `step` with each chunk of [`STEP`] units and its offset; the last chunk overlaps. Does nothing for shorter
/// input.
#[inline(always)]
pub(in crate::simd) fn steps<T>(src: &[T], mut step: impl FnMut(usize, &[T; STEP])) {
    let mut at = 0;
    while let Some(units) = src[at..].first_chunk() {
        step(at, units);
        let last = src.len() - STEP;
        if at == last {
            break;
        }
        at = last.min(at + STEP);
    }
}

/// Returns a mask of the non-ASCII bytes of `src`, which has [`STEP`] to [`MASK_WIDTH`] bytes. Returns 0 for fewer.
#[inline(always)]
pub(in crate::simd) fn not_ascii(src: &[u8]) -> u64 {
    let mut others = 0;
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    if src.len() >= 2 * STEP {
        use core::arch::x86_64::{_mm_loadu_si128, _mm_movemask_epi8};
        let last = src.len() - 2 * STEP;
        let mut at = 0;
        loop {
            // SAFETY: `at <= last = src.len() - 16`, so 16 bytes are readable; the crate is compiled for SSE2.
            let bits = unsafe { _mm_movemask_epi8(_mm_loadu_si128(src.as_ptr().add(at).cast())) };
            others |= u64::from(bits as u16) << at;
            if at == last {
                return others;
            }
            at = last.min(at + 2 * STEP);
        }
    }
    steps(src, |at, bytes| others |= top_bits(*bytes) << at);
    others
}

/// Returns a mask of the non-ASCII units of `src`, which has [`STEP`] to [`MASK_WIDTH`] units. Returns 0 for fewer. If
/// `LATIN_1`, the units 0xA0 to 0xFF do not count.
#[inline(always)]
pub(in crate::simd) fn differing_units<const LATIN_1: bool>(src: &[u16]) -> u64 {
    // `(unit ^ flip) - first` is below `end` for the units that do not count.
    let [flip, first, end] = if LATIN_1 {
        [0x80, 0x20, 0xE0]
    } else {
        [0, 0, 0x80]
    };
    let mut others = 0;
    steps(src, |at, units| {
        #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
        // SAFETY: `units` has 8 code units, which are 16 bytes; the crate is compiled for SSE2.
        let bits = unsafe {
            use core::arch::x86_64::*;
            let units = _mm_loadu_si128(units.as_ptr().cast());
            let units = _mm_xor_si128(units, _mm_set1_epi16(flip));
            let units = _mm_sub_epi16(units, _mm_set1_epi16(first));
            // Sets the sign of each unit from `end` on.
            let over = _mm_adds_epu16(units, _mm_set1_epi16(i16::MIN.wrapping_sub(end)));
            _mm_movemask_epi8(_mm_packs_epi16(over, over)) as u8
        };
        #[cfg(not(all(target_arch = "x86_64", target_feature = "sse2")))]
        let bits = (units.iter().rev()).fold(0_u8, |bits, &unit| {
            let differs = (unit as i16 ^ flip).wrapping_sub(first) as u16 >= end as u16;
            bits << 1 | u8::from(differs)
        });
        others |= u64::from(bits) << at;
    });
    others
}

/// Writes 8 to 64 units as if they were ASCII; the output for other units is unspecified. Returns false and writes
/// nothing for other lengths, or if they do not fit.
#[inline(always)]
pub(in crate::simd) fn push_as_ascii<S: AsciiUnit, T: FromAscii<S>>(
    src: &[S],
    out: &mut Out<'_, T>,
) -> bool {
    match src.len() {
        8..=16 => push_halves::<8, S, T>(src, out),
        17..=32 => push_halves::<16, S, T>(src, out),
        33..=64 => push_halves::<32, S, T>(src, out),
        _ => false,
    }
}

/// Returns the top bit of each byte; the bit of the first byte is the lowest.
#[inline(always)]
pub(in crate::simd) fn top_bits(bytes: [u8; STEP]) -> u64 {
    let bits = u64::from_le_bytes(bytes) & 0x8080_8080_8080_8080;
    // Each bit is multiplied by the power of two that moves it to its position in the top byte.
    bits.wrapping_mul(0x0002_0408_1020_4081) >> 56
}

/// True if a text of this length is short: 8 to 256 bytes.
#[inline(always)]
pub(crate) fn is_short(len: usize) -> bool {
    matches!(len, 8..=256)
}

/// True if `src` has 8 to 256 bytes, all ASCII.
#[inline(always)]
pub(crate) fn is_short_ascii(src: &[u8]) -> bool {
    match src.len() {
        8..=16 => any::<8, _>(src) < 0x80,
        17..=32 => any::<16, _>(src) < 0x80,
        33..=64 => any::<32, _>(src) < 0x80,
        65..=128 => any::<64, _>(src) < 0x80,
        129..=256 => any::<128, _>(src) < 0x80,
        _ => false,
    }
}

/// Writes `src` if it is 8 to 256 ASCII bytes that fit into the output. Otherwise returns false and writes nothing.
#[inline(always)]
pub(crate) fn push_short_ascii<T: FromAscii>(src: &[u8], out: &mut Out<'_, T>) -> bool {
    // The first byte rejects most non-ASCII text.
    src.first().is_some_and(u8::is_ascii) && src.len() <= 256 && T::push_short_ascii(src, out)
}

/// Implements [`push_short_ascii`] after the test of the first unit.
#[inline(always)]
fn push_short<S: AsciiUnit, T: FromAscii<S>>(src: &[S], out: &mut Out<'_, T>) -> bool {
    let end = S::from(0x80);
    match src.len() {
        8..=16 => any::<8, _>(src) < end && push_halves::<8, S, T>(src, out),
        17..=32 => any::<16, _>(src) < end && push_halves::<16, S, T>(src, out),
        33..=64 => any::<32, _>(src) < end && push_halves::<32, S, T>(src, out),
        65..=128 => any::<64, _>(src) < end && push_halves::<64, S, T>(src, out),
        129..=256 => any::<128, _>(src) < end && push_halves::<128, S, T>(src, out),
        _ => false,
    }
}

/// A unit that can hold ASCII: a byte or a UTF-16 code unit.
pub(crate) trait AsciiUnit:
    Copy + Default + From<u8> + PartialOrd + BitOr<Output = Self>
{
}
impl AsciiUnit for u8 {}
impl AsciiUnit for u16 {}

/// A unit that ASCII in units of `S` can be converted to.
///
/// # Safety
/// `write_ascii` initialises all `N` units.
pub(crate) unsafe trait FromAscii<S: AsciiUnit = u8>: Copy {
    /// Initialises `N` units, a multiple of [`STEP`]. Their values are unspecified if `src` is not ASCII.
    ///
    /// # Safety
    /// `N` units at `to` are writable.
    unsafe fn write_ascii<const N: usize>(src: &[S; N], to: *mut Self);

    /// Writes 8 to 256 units of ASCII, as [`push_short_ascii`] does. Not inlined, to keep callers' fast paths small.
    fn push_short_ascii(src: &[S], out: &mut Out<'_, Self>) -> bool;
}

// SAFETY: a single store writes all `N` units.
unsafe impl FromAscii for u8 {
    #[inline(always)]
    unsafe fn write_ascii<const N: usize>(src: &[u8; N], to: *mut u8) {
        // SAFETY: `N` units at `to` are writable, by `# Safety`.
        unsafe { to.cast::<[u8; N]>().write(*src) };
    }

    #[inline(never)]
    fn push_short_ascii(src: &[u8], out: &mut Out<'_, u8>) -> bool {
        push_short(src, out)
    }
}

// SAFETY: the loop writes all `N` units, eight at a time; `N` is a multiple of eight.
unsafe impl FromAscii for u16 {
    #[inline(always)]
    unsafe fn write_ascii<const N: usize>(src: &[u8; N], to: *mut u16) {
        const { assert!(N.is_multiple_of(STEP)) };
        for (i, bytes) in src.as_chunks::<STEP>().0.iter().enumerate() {
            // The compiler does not vectorise this by itself.
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            // SAFETY: `bytes` has 8 bytes. `STEP * i + 8 <= N`, the number of writable units by `# Safety`. The crate
            // is compiled for SSE2.
            unsafe {
                use core::arch::x86_64::*;
                let bytes = _mm_loadl_epi64(bytes.as_ptr().cast());
                let units = _mm_unpacklo_epi8(bytes, _mm_setzero_si128());
                _mm_storeu_si128(to.add(STEP * i).cast(), units);
            }
            #[cfg(not(all(target_arch = "x86_64", target_feature = "sse2")))]
            // SAFETY: `STEP * i + 8 <= N`, the number of writable units by `# Safety`.
            unsafe {
                to.add(STEP * i)
                    .cast::<[u16; STEP]>()
                    .write(bytes.map(u16::from));
            }
        }
    }

    #[inline(never)]
    fn push_short_ascii(src: &[u8], out: &mut Out<'_, u16>) -> bool {
        push_short(src, out)
    }
}

// SAFETY: the loop writes all `N` units, eight at a time; `N` is a multiple of eight.
unsafe impl FromAscii<u16> for u8 {
    #[inline(always)]
    unsafe fn write_ascii<const N: usize>(src: &[u16; N], to: *mut u8) {
        const { assert!(N.is_multiple_of(STEP)) };
        for (i, units) in src.as_chunks::<STEP>().0.iter().enumerate() {
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            // SAFETY: `units` has 8 code units. `STEP * i + 8 <= N`, the number of writable bytes by `# Safety`. The
            // crate is compiled for SSE2.
            unsafe {
                use core::arch::x86_64::*;
                let units = _mm_loadu_si128(units.as_ptr().cast());
                _mm_storel_epi64(to.add(STEP * i).cast(), _mm_packus_epi16(units, units));
            }
            #[cfg(not(all(target_arch = "x86_64", target_feature = "sse2")))]
            // SAFETY: `STEP * i + 8 <= N`, the number of writable bytes by `# Safety`.
            unsafe {
                to.add(STEP * i)
                    .cast::<[u8; STEP]>()
                    .write(units.map(|unit| unit as u8));
            }
        }
    }

    #[inline(never)]
    fn push_short_ascii(src: &[u16], out: &mut Out<'_, u8>) -> bool {
        push_short(src, out)
    }
}

/// Writes all of `src`, which has `N` to `2 * N` units. Returns false and writes nothing if it does not fit.
#[inline(always)]
fn push_halves<const N: usize, S: AsciiUnit, T: FromAscii<S>>(
    src: &[S],
    out: &mut Out<'_, T>,
) -> bool {
    let (Some(first), Some(last)) = (src.first_chunk::<N>(), src.last_chunk::<N>()) else {
        return false;
    };
    if src.len() > out.room() {
        return false;
    }
    let to = out.spare_ptr();
    // SAFETY: `N <= src.len() <= out.room()`, tested above, so both stores are inside the output. As `src.len() <= 2 *
    // N`, together they cover all of `src`.
    unsafe {
        T::write_ascii(first, to);
        T::write_ascii(last, to.add(src.len() - N));
        out.advance(src.len());
    }
    true
}

/// Returns the bitwise OR of the first and the last `N` units; 0 if `src` is shorter.
#[inline(always)]
fn any<const N: usize, T: Copy + Default + BitOr<Output = T>>(src: &[T]) -> T {
    let (Some(first), Some(last)) = (src.first_chunk::<N>(), src.last_chunk::<N>()) else {
        return T::default();
    };
    let both = first.iter().zip(last).map(|(&a, &b)| a | b);
    both.fold(T::default(), |any, bits| any | bits)
}
