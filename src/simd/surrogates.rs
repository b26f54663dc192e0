//! Surrogates in UTF-16.

/// True if a code unit is a surrogate.
#[inline(always)]
pub(crate) fn is_surrogate(unit: u16) -> bool {
    unit & 0xF800 == 0xD800
}

/// True if a code unit is a lead surrogate.
#[inline(always)]
pub(crate) fn is_lead(unit: u16) -> bool {
    unit & 0xFC00 == 0xD800
}

/// True if a code unit is a trail surrogate.
#[inline(always)]
pub(crate) fn is_trail(unit: u16) -> bool {
    unit & 0xFC00 == 0xDC00
}

/// True if `unit` is certainly a lone surrogate. `next` is the next unit, if it is known.
#[inline(always)]
pub(crate) fn is_alone(unit: u16, next: Option<u16>) -> bool {
    is_trail(unit) || is_lead(unit) && next.is_some_and(|next| !is_trail(next))
}

/// Returns the surrogates of a scalar value above U+FFFF; the inverse of [`join`].
#[inline(always)]
pub(crate) fn pair_of(scalar: u32) -> [u16; 2] {
    [
        (0xD7C0 + (scalar >> 10)) as u16,
        0xDC00 | (scalar & 0x3FF) as u16,
    ]
}

/// Returns the scalar value that starts with a code unit, U+FFFD for a lone surrogate, and its length in units. `next`
/// is the next unit. At the end, pass any unit that is not a trail surrogate.
#[inline(always)]
pub(crate) fn scalar_of(unit: u16, next: u16) -> (u32, usize) {
    match unit {
        _ if is_lead(unit) && is_trail(next) => (join(unit, next), 2),
        _ if is_surrogate(unit) => (0xFFFD, 1),
        _ => (unit.into(), 1),
    }
}

/// Implements "obtain a scalar value from surrogates" of the Standard.
#[inline(always)]
pub(crate) fn join(lead: u16, trail: u16) -> u32 {
    0x1_0000 + ((u32::from(lead) & 0x3FF) << 10 | u32::from(trail) & 0x3FF)
}
