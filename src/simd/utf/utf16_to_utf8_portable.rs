//! UTF-16 to UTF-8, one code unit at a time: for short input, for processors without AVX2 or NEON, and for what their
//! kernels leave.

use super::super::arrays::map_array;
use super::super::out::Out;
use super::super::surrogates::{is_lead, is_surrogate, is_trail, join};
use super::native;

/// The number of units in a block that is tested for ASCII.
const ASCII: usize = 16;

/// Returns a block as bytes, if all its units are ASCII.
#[inline(always)]
fn narrow<const BIG_ENDIAN: bool>(block: &[[u8; 2]; ASCII]) -> Option<[u8; ASCII]> {
    let units = map_array(*block, native::<BIG_ENDIAN>);
    let any = units.iter().fold(0, |any, &unit| any | unit);
    (any < 0x80).then(|| map_array(units, |unit| unit as u8))
}

/// Writes 4 to 16 ASCII units. Returns false and writes nothing if there are others, or if they do not fit.
#[inline(always)]
pub(super) fn push_short_ascii<const BIG_ENDIAN: bool>(
    src: &[[u8; 2]],
    out: &mut Out<'_, u8>,
) -> bool {
    let first = src.first().copied().map(native::<BIG_ENDIAN>);
    if first.is_none_or(|unit| unit >= 0x80) {
        return false;
    }
    match src.len() {
        4..=8 => push_fours::<BIG_ENDIAN, 1>(src, out),
        9..=16 => push_fours::<BIG_ENDIAN, 2>(src, out),
        _ => false,
    }
}

/// Writes the first and the last `4 * N` units. Returns false and writes nothing if one is not ASCII.
#[inline(always)]
fn push_fours<const BIG_ENDIAN: bool, const N: usize>(
    src: &[[u8; 2]],
    out: &mut Out<'_, u8>,
) -> bool {
    /// Converts a mask to the order in which units are read.
    const fn ordered(big_endian: bool, units: u64) -> u64 {
        if big_endian {
            units.swap_bytes()
        } else {
            units
        }
    }
    let over = const { ordered(BIG_ENDIAN, 0xFF80_FF80_FF80_FF80_u64) };
    let (Some(first), Some(last)) = (
        src.as_chunks::<4>().0.first_chunk::<N>(),
        src.as_rchunks::<4>().1.last_chunk::<N>(),
    ) else {
        return false;
    };
    let [first, last] = map_array([first, last], |fours| {
        map_array(*fours, |four| u64::from_le_bytes(bytemuck::must_cast(four)))
    });
    let any = |fours: [u64; N]| fours.iter().fold(0, |any, units| any | units);
    if (any(first) | any(last)) & over != 0 || out.room() < src.len() {
        return false;
    }
    let narrow = |units: u64| {
        let units = if BIG_ENDIAN { units >> 8 } else { units };
        let twos = (units | units >> 8) & 0xFFFF_0000_FFFF;
        ((twos | twos >> 16) as u32).to_le_bytes()
    };
    let to = out.spare_ptr().cast::<u8>();
    for (units, at) in [(first, 0), (last, src.len() - 4 * N)] {
        // SAFETY: `at + 4 * N <= src.len()`, because `src` has `N` fours; `src.len() <= out.room()`, tested above.
        unsafe {
            to.add(at)
                .cast::<[[u8; 4]; N]>()
                .write(map_array(units, narrow))
        };
    }
    // SAFETY: the caller passes 4 to 8 units for each of `N`, so the two stores overlap or meet, and every byte is written.
    unsafe { out.advance(src.len()) };
    true
}

/// Writes whole characters while they fit. Returns the number of units read.
pub(super) fn utf16_to_utf8<const BIG_ENDIAN: bool>(
    src: &[[u8; 2]],
    out: &mut Out<'_, u8>,
) -> usize {
    let continuation = |bits: u32| 0x80 | (bits & 0x3F) as u8;
    let mut out = out.local();
    let mut rest = src;
    while let [unit, ref after @ ..] = *rest {
        let unit = native::<BIG_ENDIAN>(unit);
        let c = u32::from(unit);
        let mut next = after;
        let fits = match unit {
            0..0x80 => {
                if let Some((block, after)) = rest.split_first_chunk()
                    && let Some(bytes) = narrow::<BIG_ENDIAN>(block)
                    && out.push_array(bytes)
                {
                    next = after;
                    true
                } else {
                    out.push(unit as u8)
                }
            }
            0x80..0x800 => out.push_array([0xC0 | (c >> 6) as u8, continuation(c)]),
            _ if !is_surrogate(unit) => out.push_array([
                0xE0 | (c >> 12) as u8,
                continuation(c >> 6),
                continuation(c),
            ]),
            _ => match *after {
                [trail, ref after @ ..]
                    if is_lead(unit) && is_trail(native::<BIG_ENDIAN>(trail)) =>
                {
                    let c = join(unit, native::<BIG_ENDIAN>(trail));
                    next = after;
                    out.push_array([
                        0xF0 | (c >> 18) as u8,
                        continuation(c >> 12),
                        continuation(c >> 6),
                        continuation(c),
                    ])
                }
                _ => false,
            },
        };
        if !fits {
            break;
        }
        rest = next;
    }
    src.len() - rest.len()
}
