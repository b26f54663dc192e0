//! Sums of rows of costs, for detection. A row has one lane for each encoding or language.

/// Lanes of a row.
pub(crate) const COST_LANES: usize = 32;

/// Sums over bytes, each multiplied by its count, modulo 2^16: the low six bits of their rows; the number of capitals,
/// for which the two high bits are 2; and their rows in `least`.
#[inline(always)]
pub(super) fn sum_byte_costs(
    extras: &[[u8; COST_LANES]; 128],
    least: &[[u8; COST_LANES]; 128],
    counts: &[(u8, u16)],
) -> [[u16; COST_LANES]; 3] {
    let [mut sums, mut capitals, mut letters] = [[0_u16; COST_LANES]; 3];
    for &(byte, count) in counts {
        let at = usize::from(byte & 0x7F);
        for lane in 0..COST_LANES {
            let extra = u16::from(extras[at][lane]);
            sums[lane] = sums[lane].wrapping_add((extra & 63).wrapping_mul(count));
            let is_capital = u16::from(extra >> 6 == 2).wrapping_neg();
            capitals[lane] = capitals[lane].wrapping_add(is_capital & count);
            let least = u16::from(least[at][lane]);
            letters[lane] = letters[lane].wrapping_add(least.wrapping_mul(count));
        }
    }
    [sums, capitals, letters]
}

/// Returns the sum of the rows at multiples of `stride`, each multiplied by its count, modulo 2^16.
#[inline(always)]
pub(super) fn sum_rows(counts: &[u16], table: &[u8], stride: usize) -> [u16; COST_LANES] {
    let mut sums = [0_u16; COST_LANES];
    for (at, &count) in counts.iter().enumerate() {
        let Some(row) = table.get(at * stride..).and_then(<[u8]>::first_chunk) else {
            break;
        };
        let row: &[u8; COST_LANES] = row;
        for (sum, &cost) in sums.iter_mut().zip(row) {
            *sum = sum.wrapping_add(u16::from(cost).wrapping_mul(count));
        }
    }
    sums
}
