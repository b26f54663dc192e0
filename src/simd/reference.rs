//! Numeric character references, which error mode "html" writes for what is unmappable.

use super::packed::LongBytes;

/// Bytes of the longest reference: `&#1114111;`
pub(crate) const LONGEST_REFERENCE: usize = 10;

/// The decimal digits of `n`, seven at most, behind at least one zero: eight bytes, the first of them lowest.
#[inline(always)]
pub(crate) fn eight_digits(n: u32) -> u64 {
    // Halves, quarters and eighths of them, each divided by multiplication in lanes side by side.
    let fours = u64::from(n / 10_000) | u64::from(n % 10_000) << 32;
    let hundreds = ((fours * 5243) >> 19) & 0x7F_0000_007F;
    let twos = hundreds | (fours - 100 * hundreds) << 16;
    let tens = ((twos * 103) >> 10) & 0x000F_000F_000F_000F;
    tens | (twos - 10 * tens) << 8
}

/// All of a reference: `&#`, the scalar value in decimal, with zeros ahead below 100, and `;`.
///
/// Six to eight bytes for a scalar value from U+0080 to U+FFFF, seven at most below U+0800, and [`LONGEST_REFERENCE`] at most
/// for others.
#[inline(always)]
pub(super) fn reference(scalar: u32) -> LongBytes {
    let digits = eight_digits(scalar);
    let zeros = (digits.trailing_zeros() / 8).min(5);
    let count = 8 - zeros;
    // Seven digits at most, and behind them the semicolon.
    let behind = (digits | 0x3030_3030_3030_3030) >> (8 * zeros) | u64::from(b';') << (8 * count);
    let bytes = u128::from(behind) << 16 | u128::from(u16::from_le_bytes(*b"&#"));
    (bytes.to_le_bytes(), 2 + count as usize + 1)
}

#[cfg(test)]
mod tests {
    use super::{LONGEST_REFERENCE, reference};

    #[test]
    fn references_are_decimal() {
        for scalar in (0..=0x10_FFFF).filter(|scalar| !matches!(scalar, 0..100)) {
            let (bytes, len) = reference(scalar);
            assert_eq!(bytes[..len], *std::format!("&#{scalar};").as_bytes());
            let most = match scalar {
                0..0x800 => 7,
                0x800..=0xFFFF => 8,
                _ => LONGEST_REFERENCE,
            };
            assert!(len <= most, "{scalar}");
        }
    }
}
