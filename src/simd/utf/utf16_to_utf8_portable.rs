//! UTF-16 to UTF-8, one code unit at a time: for short input, for processors without AVX2 or NEON, and for what their
//! kernels leave.

use super::super::arrays::map_array;
use super::super::out::Out;
use super::super::surrogates::{is_lead, is_surrogate, is_trail, join};
use super::native;

/// The number of units in a block that is tested for ASCII.
const ASCII: usize = 8;

/// Returns a block as bytes, if all its units are ASCII.
#[inline(always)]
fn narrow<const BIG_ENDIAN: bool>(block: &[[u8; 2]; ASCII]) -> Option<[u8; ASCII]> {
    let units = map_array(*block, native::<BIG_ENDIAN>);
    let any = units.iter().fold(0, |any, &unit| any | unit);
    (any < 0x80).then(|| map_array(units, |unit| unit as u8))
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
