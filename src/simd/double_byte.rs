//! Double-byte encodings: one prefix kernel for each direction, parameterised by a description of the encoding.

pub(crate) mod decode;
pub(crate) mod encode;

/// A Unicode encoding form. Each kernel has a trait for its own requirements, which [`Utf8`] and [`Utf16`] implement.
trait Form {
    type Unit: Copy + From<u8>;
}

struct Utf8;

impl Form for Utf8 {
    type Unit = u8;
}

struct Utf16;

impl Form for Utf16 {
    type Unit = u16;
}

/// Returns the position of the `n`-th set bit, counted from 0: the index of its mask, and the bit index inside it.
///
/// Cold, because it is called only when a kernel stops, at most once a batch, and for rare input.
#[cold]
#[cfg(v256)]
fn place_of(n: usize, masks: impl IntoIterator<Item = u64>) -> Option<(usize, usize)> {
    let mut before = n;
    for (i, mask) in masks.into_iter().enumerate() {
        let count = mask.count_ones() as usize;
        if before < count {
            let rest = (0..before).fold(mask, |rest, _| rest & (rest - 1));
            return Some((i, rest.trailing_zeros() as usize));
        }
        before -= count;
    }
    None
}

#[cfg(all(test, v256))]
mod tests {
    use super::place_of;
    use crate::simd::level::{Active, Level, available};

    /// Returns the levels of this machine that have kernels.
    pub(super) fn kernels() -> impl Iterator<Item = Active> {
        available()
            .filter(|level| !matches!(level, Level::Portable | Level::Sse2))
            .map(Active::at_most)
    }

    #[test]
    fn places_are_counted_over_all_masks() {
        let masks = [0b1010, 0, u64::MAX, 1 << 63];
        let all = (0..4).flat_map(|i| (0..64).map(move |bit| (i, bit)));
        let set = all.filter(|&(i, bit)| masks[i] >> bit & 1 != 0);
        assert_eq!(set.clone().count(), 67);
        for (n, place) in set.enumerate() {
            assert_eq!(place_of(n, masks), Some(place), "{n}");
        }
        assert_eq!(place_of(67, masks), None);
        assert_eq!(place_of(0, []), None);
    }
}
