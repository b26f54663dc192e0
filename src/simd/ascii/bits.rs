//! Which of a few bytes are not ASCII, as bits: for text so short that a branch at the end of each run would cost the most.

use core::ops::BitOr;

use super::super::out::Out;

/// What is looked at, at once.
pub(in crate::simd) const STEP: usize = 8;
/// A bit for each byte.
pub(in crate::simd) const MOST: usize = u64::BITS as usize;

/// Gives `step` every [`STEP`] units and their place, the last ones again where the length is no multiple; none of less.
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

/// The bits of those bytes, up to [`MOST`] and at least [`STEP`], that are not ASCII; none of less.
#[inline(always)]
pub(in crate::simd) fn not_ascii(src: &[u8]) -> u64 {
    let mut others = 0;
    #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
    if src.len() >= 2 * STEP {
        use core::arch::x86_64::{_mm_loadu_si128, _mm_movemask_epi8};
        let last = src.len() - 2 * STEP;
        let mut at = 0;
        loop {
            // SAFETY: `at` is at most `last`, so that 16 bytes are readable; the crate is compiled for SSE2.
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

/// The top bit of each byte, the first byte's lowest.
#[inline(always)]
pub(in crate::simd) fn top_bits(bytes: [u8; STEP]) -> u64 {
    let bits = u64::from_le_bytes(bytes) & 0x8080_8080_8080_8080;
    // Every bit meets a factor that moves it to its place in the top byte.
    bits.wrapping_mul(0x0002_0408_1020_4081) >> 56
}

/// Whether a text of this length is short: of 8 to 256 bytes.
#[inline(always)]
pub(crate) fn is_short(len: usize) -> bool {
    matches!(len, 8..=256)
}

/// True if `src` is [short](is_short) and all ASCII.
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

/// Writes 8 to 256 bytes of ASCII that the output has room for; does nothing, and says so, if they are anything else.
#[inline(always)]
pub(crate) fn push_short_ascii<T: FromAscii>(src: &[u8], out: &mut Out<'_, T>) -> bool {
    // The first one tells of most other text.
    src.first().is_some_and(u8::is_ascii) && src.len() <= 256 && T::push_short_ascii(src, out)
}

/// [`push_short_ascii`] after a first look.
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

/// What ASCII can be read from: a byte or a UTF-16 code unit.
pub(crate) trait AsciiUnit:
    Copy + Default + From<u8> + PartialOrd + BitOr<Output = Self>
{
}
impl AsciiUnit for u8 {}
impl AsciiUnit for u16 {}

/// What ASCII in units of `S` can be written as.
///
/// # Safety
/// `write_ascii` initialises all `N` units.
pub(crate) unsafe trait FromAscii<S: AsciiUnit = u8>: Copy {
    /// Initialises `N` units, a multiple of [`STEP`]. What they are is unspecified if `src` is not ASCII.
    ///
    /// # Safety
    /// There is room for `N` units at `to`.
    unsafe fn write_ascii<const N: usize>(src: &[S; N], to: *mut Self);

    /// Writes 8 to 256 units of ASCII, as [`push_short_ascii`] does. Compiled once: those who ask are others' starts, which
    /// it would make longer.
    fn push_short_ascii(src: &[S], out: &mut Out<'_, Self>) -> bool;
}

// SAFETY: all `N` units are written at once.
unsafe impl FromAscii for u8 {
    #[inline(always)]
    unsafe fn write_ascii<const N: usize>(src: &[u8; N], to: *mut u8) {
        // SAFETY: by `# Safety`, there is room for `N` units at `to`.
        unsafe { to.cast::<[u8; N]>().write(*src) };
    }

    #[inline(never)]
    fn push_short_ascii(src: &[u8], out: &mut Out<'_, u8>) -> bool {
        push_short(src, out)
    }
}

// SAFETY: all `N` units are written at once.
unsafe impl FromAscii for u16 {
    #[inline(always)]
    unsafe fn write_ascii<const N: usize>(src: &[u8; N], to: *mut u16) {
        const { assert!(N.is_multiple_of(STEP)) };
        for (i, bytes) in src.as_chunks::<STEP>().0.iter().enumerate() {
            // The compiler does one by one what it is not told.
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            // SAFETY: 8 bytes are read from an array of 8, and 8 units of N are written; the crate is compiled for SSE2.
            unsafe {
                use core::arch::x86_64::*;
                let bytes = _mm_loadl_epi64(bytes.as_ptr().cast());
                let units = _mm_unpacklo_epi8(bytes, _mm_setzero_si128());
                _mm_storeu_si128(to.add(STEP * i).cast(), units);
            }
            #[cfg(not(all(target_arch = "x86_64", target_feature = "sse2")))]
            // SAFETY: the contract of this function: these are eight of N.
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

// SAFETY: all `N` units are written, eight at a time.
unsafe impl FromAscii<u16> for u8 {
    #[inline(always)]
    unsafe fn write_ascii<const N: usize>(src: &[u16; N], to: *mut u8) {
        const { assert!(N.is_multiple_of(STEP)) };
        for (i, units) in src.as_chunks::<STEP>().0.iter().enumerate() {
            #[cfg(all(target_arch = "x86_64", target_feature = "sse2"))]
            // SAFETY: the array has the 8 units that are read; `to` has room for `N` bytes, by `# Safety`, and these are 8 of
            // them; the crate is compiled for SSE2.
            unsafe {
                use core::arch::x86_64::*;
                let units = _mm_loadu_si128(units.as_ptr().cast());
                _mm_storel_epi64(to.add(STEP * i).cast(), _mm_packus_epi16(units, units));
            }
            #[cfg(not(all(target_arch = "x86_64", target_feature = "sse2")))]
            // SAFETY: the contract of this function: these are eight of N.
            unsafe {
                to.add(STEP * i)
                    .cast::<[u8; STEP]>()
                    .write(units.map(|unit| unit as u8));
            }
        }
    }

    #[inline(never)]
    fn push_short_ascii(src: &[u16], out: &mut Out<'_, u8>) -> bool {
        src.first().is_some_and(|&first| first < 0x80) && push_short(src, out)
    }
}

/// Writes all of `src`, whose length is `N` to `2 * N` units. Returns false, and writes nothing, if it does not fit.
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
    // SAFETY: there is room for all of `src`, which has at least N units, and the two of N are all of it, as it has at most
    // 2 * N.
    unsafe {
        T::write_ascii(first, to);
        T::write_ascii(last, to.add(src.len() - N));
        out.advance(src.len());
    }
    true
}

/// The bits that are set in any of the first `N` units or the last. Nothing of less.
#[inline(always)]
fn any<const N: usize, T: Copy + Default + BitOr<Output = T>>(src: &[T]) -> T {
    let (Some(first), Some(last)) = (src.first_chunk::<N>(), src.last_chunk::<N>()) else {
        return T::default();
    };
    let both = first.iter().zip(last).map(|(&a, &b)| a | b);
    both.fold(T::default(), |any, bits| any | bits)
}
