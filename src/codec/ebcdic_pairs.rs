//! EBCDIC double bytes ("pairs"), shared by the encodings with and without single bytes.

use super::{Chars, Malformed, Step, Unit};
use crate::simd::{self, DoubleByteEncode, Flat, Out, Packed, Values};
use crate::tables::pairs::{self, China, Decoded, Japan, Korea, Pairs, Taiwan};

/// Decodes a lead and a trail.
#[inline(always)]
pub(super) fn step<P: Pairs>(lead: u8, trail: u8) -> Step {
    match P::unit(lead, trail) {
        0 => match P::other(lead, trail) {
            Some(Decoded::One(scalar)) => Step::Scalar(scalar),
            Some(Decoded::Two(first, second)) => Step::Pair(first, second),
            None => Malformed::through(2),
        },
        code_point => Step::Scalar(code_point.into()),
    }
}

/// Returns the pair of a scalar value.
#[inline(always)]
pub(super) fn pair<P: Pairs>(scalar: u32) -> Option<u16> {
    match u16::try_from(scalar) {
        Ok(code_point) => P::pair(code_point),
        Err(_) => P::pair_above(scalar),
    }
}

/// Decodes pairs up to one that is not a single BMP code point, or to the end of `units`. Returns the number of pairs.
#[inline(always)]
pub(super) fn fill<P: Pairs>(src: &[u8], units: &mut [u16]) -> usize {
    let mut count = 0;
    for (unit, &[lead, trail]) in units.iter_mut().zip(src.as_chunks().0) {
        let code_point = P::unit(lead, trail);
        if code_point == 0 {
            break;
        }
        *unit = code_point;
        count += 1;
    }
    count
}

/// The number of code units converted at once: enough for a kernel, but quickly cleared for a short text.
pub(super) const PART: usize = 256;

/// The minimum free space in code units for the kernel; below it, the steps are used.
const LEAST_ROOM: usize = 8;

/// Returns the number of code units that are certain to fit; `None` if they are too few for the kernel.
#[inline(always)]
pub(super) fn room<U: Unit>(out: &Out<'_, U>) -> Option<usize> {
    Some((out.room() / U::MAX_PER_UTF16).min(PART)).filter(|&units| units >= LEAST_ROOM)
}

/// Pairs with a kernel that encodes text of pairs. `KERNEL` is `None` if the tables lack most characters.
pub(crate) trait Encode: Pairs {
    const KERNEL: Option<&'static DoubleByteEncode>;
}

/// Defines a kernel for each table, from its rank table and the code point that the kernel passes to `others`.
macro_rules! kernels {
    ($($pairs:ty: $table:ident $ask:literal;)*) => {
        $(
            impl Encode for $pairs {
                const KERNEL: Option<&'static DoubleByteEncode> = {
                    static KERNEL: DoubleByteEncode = DoubleByteEncode {
                        table: &pairs::$table,
                        values: Values::Bytes,
                        ask: $ask,
                        others: |scalar| pair::<$pairs>(scalar).map(Packed::lead_trail),
                        flat: Flat::new(),
                    };
                    Some(&KERNEL)
                };
            }
        )*
    };
}

kernels! {
    Japan<false>: IBM300_ENCODE 0;
    Japan<true>: IBM300_ENCODE 0;
    Taiwan<false>: IBM835_ENCODE 0;
    Taiwan<true>: IBM835_ENCODE 0;
    China<false>: IBM837_ENCODE 0;
    // IBM837 maps its middle dot to U+30FB; IBM4933 maps it to U+00B7.
    China<true>: IBM837_ENCODE 0x30FB;
}

/// Hangul is encoded by arithmetic.
impl<const EXTENDED: bool> Encode for Korea<EXTENDED> {
    const KERNEL: Option<&'static DoubleByteEncode> = None;
}

/// Encodes units up to the first without a pair. Returns the number of units. `out` has room for two bytes per unit.
pub(super) fn encode<P: Encode>(units: &[u16], out: &mut Out<'_, u8>) -> usize {
    let mut read = 0;
    if let Some(kernel) = P::KERNEL
        && units.len() >= <[u16] as Chars>::KERNEL_FROM
    {
        read = simd::utf16_to_double_byte(kernel, units, out);
    }
    for &unit in &units[read..] {
        let Some(pair) = P::pair(unit) else {
            break;
        };
        if !out.push_array(pair.to_be_bytes()) {
            break;
        }
        read += 1;
    }
    read
}

/// Returns the number of units at the start for which [`is_wide`] is true, testing many at once.
#[inline(always)]
pub(super) fn wide_run(units: &[u16]) -> usize {
    let blocks = units.as_chunks::<16>().0.iter();
    let blocks = blocks.take_while(|block| block.iter().fold(true, |all, &it| all & is_wide(it)));
    let whole = 16 * blocks.count();
    let rest = units[whole..].iter().take_while(|&&unit| is_wide(unit));
    whole + rest.count()
}

/// True for code units from U+0100 on that usually have a pair: not half-width forms and surrogates.
#[inline(always)]
pub(super) fn is_wide(unit: u16) -> bool {
    let is_in = |first: u16, last: u16| unit.wrapping_sub(first) <= last - first;
    (unit >= 0x100) & !is_in(0xD800, 0xDFFF) & !is_in(0xFF61, 0xFF9F)
}
