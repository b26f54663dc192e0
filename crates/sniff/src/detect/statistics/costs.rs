//! Costs: -log2 of probabilities, in sixteenths of a bit.

/// A cost, in sixteenths of a bit.
pub type Cost = i32;

/// One bit.
pub const BIT: Cost = 16;

/// 2 to the power of -i/16, in units of 2^-16.
const POWERS: [u32; 16] = [
    65536, 62757, 60097, 57549, 55109, 52773, 50535, 48393, 46341, 44376, 42495, 40693, 38968,
    37316, 35734, 34219,
];

/// 16 times the binary logarithm of 1 + i/32, rounded.
const LOGARITHMS: [u8; 33] = [
    0, 1, 1, 2, 3, 3, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 12, 13, 13, 14, 14,
    15, 15, 15, 16, 16,
];

/// Returns the probability of a cost, in units of 2^-16.
pub fn probability(cost: Cost) -> u32 {
    let cost = cost.max(0) as u32;
    POWERS[(cost & 15) as usize]
        .checked_shr(cost >> 4)
        .unwrap_or(0)
}

/// Returns the probability of a cost, or the ratio of two probabilities whose costs differ by `cost`.
pub fn ratio(cost: Cost) -> f32 {
    let exponent = (127 - 16 - (cost >> 4)).clamp(1, 254) as u32;
    POWERS[(cost & 15) as usize] as f32 * f32::from_bits(exponent << 23)
}

/// Returns the binary logarithm of a positive ratio, in sixteenths.
pub fn log2_of_ratio(x: f32) -> Cost {
    let bits = x.to_bits();
    let whole = (bits >> 23) as Cost - 127;
    whole * BIT + Cost::from(LOGARITHMS[(bits >> 18 & 31) as usize])
}

/// Returns the binary logarithm of `x`, in sixteenths, or 0 if `x` is 0.
pub fn log2(x: u32) -> Cost {
    let x = x.max(1);
    let whole = x.ilog2();
    let rest = if whole >= 5 {
        x >> (whole - 5)
    } else {
        x << (5 - whole)
    } & 31;
    (whole as Cost) * BIT + Cost::from(LOGARITHMS[rest as usize])
}

/// Returns the cost of the union of two events.
pub fn sum(one: Cost, other: Cost) -> Cost {
    let (less, more) = (one.min(other), one.max(other));
    less + 16 * BIT - log2(65536 + probability(more - less))
}
