//! Operations on several masks taken as one bit string.

/// Returns the position of the `n`-th set bit, counted from 0: the index of its mask, and the bit index inside it.
///
/// Cold: used when a kernel stops, at most once a batch, and for rare input.
#[cold]
pub(super) fn place_of(n: usize, masks: impl IntoIterator<Item = u64>) -> Option<(usize, usize)> {
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

/// Returns nine bits: the eight of a step, after the last bit of the previous step. The masks start with one that
/// precedes those of the steps.
///
/// # Safety
/// The masks are readable up to the byte of the step and one byte further.
#[inline(always)]
pub(super) unsafe fn around(masks: *const u64, step: usize) -> u32 {
    // SAFETY: bytes `7 + step` and `8 + step` are readable, by `# Safety`. All architectures with kernels are
    // little-endian.
    let bits = unsafe { masks.cast::<u8>().add(7 + step).cast::<[u8; 2]>().read() };
    u32::from(u16::from_le_bytes(bits)) >> 7
}

#[cfg(test)]
mod tests {
    use super::{around, place_of};

    #[test]
    fn a_step_follows_the_last_bit_of_the_one_before() {
        let masks = [1 << 63, 0x80FF, 1 << 56, 0];
        // SAFETY: steps 0 to 16 lie in two masks, which one mask precedes and one follows.
        let steps = [0, 1, 2, 7, 8, 15, 16].map(|step| unsafe { around(masks.as_ptr(), step) });
        assert_eq!(steps, [0x1FF, 0x101, 1, 0, 0, 2, 0]);
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
