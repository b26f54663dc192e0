//! index gb18030 ranges: the four-byte form, by arithmetic within 206 ranges of the BMP and one range above it.

use super::double_byte::{RANGE_CODE_POINTS, RANGE_POINTERS};

/// The first pointer above the BMP, for U+10000.
const SUPPLEMENTARY: u32 = 189_000;

/// The ranges at which linear searches start, by the pointer's bucket. Most buckets lie within one range. A binary
/// search takes several times as long, because its branches depend on the data.
pub(super) static POINTER_BUCKETS: [u8; (39_419 >> SHIFT) + 1] = buckets(&RANGE_POINTERS, SHIFT);
pub(super) static CODE_POINT_BUCKETS: [u8; 256] = buckets(&RANGE_CODE_POINTS, SHIFT);
const SHIFT: usize = 8;

/// Returns for each bucket the range that contains the bucket's first value, or the first range.
const fn buckets<const N: usize>(firsts: &[u16; 206], shift: usize) -> [u8; N] {
    let mut buckets = [0; N];
    let (mut bucket, mut range) = (0, 0);
    while bucket < N {
        while range + 1 < firsts.len() && firsts[range + 1] as usize <= bucket << shift {
            range += 1;
        }
        buckets[bucket] = range as u8;
        bucket += 1;
    }
    buckets
}

/// The number of Latin letters with direct tables, by pointer from 0 and by code point from U+0080 on.
const LATIN: usize = 0x80;

/// The code points of the pointers below [`LATIN`].
pub(super) static LATIN_CODE_POINTS: [u16; LATIN] = mapped(&RANGE_POINTERS, &RANGE_CODE_POINTS, 0);

/// The pointers of the code points from U+0080 on; unspecified for those with a two-byte form.
pub(super) static LATIN_POINTERS: [u16; LATIN] = mapped(&RANGE_CODE_POINTS, &RANGE_POINTERS, 0x80);

/// Maps consecutive values from `first` on. `from` has the start of each range, and `to` the value that it maps to.
const fn mapped(from: &[u16; 206], to: &[u16; 206], first: u16) -> [u16; LATIN] {
    let mut values = [0; LATIN];
    let (mut i, mut range) = (0, 0);
    while i < LATIN {
        let value = first + i as u16;
        while range + 1 < from.len() && from[range + 1] <= value {
            range += 1;
        }
        values[i] = to[range] + (value - from[range]);
        i += 1;
    }
    values
}

/// Returns the last range whose first value is not above `value`, or the first.
#[inline(always)]
fn range_of(value: u32, firsts: &[u16; 206], buckets: &[u8]) -> usize {
    let bucket = buckets.get(value as usize >> SHIFT);
    let mut range = bucket.copied().map_or(0, usize::from);
    while firsts
        .get(range + 1)
        .is_some_and(|&first| u32::from(first) <= value)
    {
        range += 1;
    }
    range.min(firsts.len() - 1)
}

/// Returns the "index gb18030 ranges code point".
#[inline(always)]
pub(crate) fn gb18030_ranges_code_point(pointer: u32) -> Option<u32> {
    if let Some(&code_point) = LATIN_CODE_POINTS.get(pointer as usize) {
        return Some(code_point.into());
    }
    // Steps 3 and 4, for the last range.
    if let SUPPLEMENTARY..=1_237_575 = pointer {
        return Some(0x1_0000 + pointer - SUPPLEMENTARY);
    }
    code_point_of_bmp(pointer)
}

#[inline(never)]
fn code_point_of_bmp(pointer: u32) -> Option<u32> {
    match pointer {
        // Step 2.
        7457 => Some(0xE7C7),
        // Steps 3 and 4.
        0..=39_419 => {
            let range = range_of(pointer, &RANGE_POINTERS, &POINTER_BUCKETS);
            let (first, code_point) = (RANGE_POINTERS[range], RANGE_CODE_POINTS[range]);
            Some(u32::from(code_point) + pointer - u32::from(first))
        }
        // Step 1.
        _ => None,
    }
}

/// Returns the "index gb18030 ranges pointer" of a code point that the two-byte form lacks; U+0080 or above.
#[inline(always)]
pub(crate) fn gb18030_ranges_pointer(code_point: u32) -> u32 {
    if let Some(&pointer) = LATIN_POINTERS.get((code_point as usize).wrapping_sub(0x80)) {
        return pointer.into();
    }
    // Steps 2 and 3, for the last range.
    if let Some(offset) = code_point.checked_sub(0x1_0000) {
        return SUPPLEMENTARY.saturating_add(offset);
    }
    pointer_of_bmp(code_point)
}

#[inline(never)]
fn pointer_of_bmp(code_point: u32) -> u32 {
    // Step 1.
    if code_point == 0xE7C7 {
        return 7457;
    }
    // Steps 2 and 3.
    let range = range_of(code_point, &RANGE_CODE_POINTS, &CODE_POINT_BUCKETS);
    let (pointer, first) = (RANGE_POINTERS[range], RANGE_CODE_POINTS[range]);
    (u32::from(pointer) + code_point).saturating_sub(u32::from(first))
}
