//! index gb18030 ranges: the four-byte form, by arithmetic within 206 ranges of the BMP and one beyond.

include!("../../tables/gb18030_ranges.rs");

/// The first pointer beyond the BMP, for U+10000.
const SUPPLEMENTARY: u32 = 189_000;

/// The most ranges that begin within 256 values, not counting one that continues from before.
const IN_BUCKET: usize = 23;

/// The range of a value is searched for linearly, from its bucket's first range. Most buckets lie within one range. A
/// binary search takes several times as long, because its branches depend on the data.
pub(super) static POINTER_BUCKETS: [u8; (39_419 >> SHIFT) + 1] = buckets(&RANGE_POINTERS, SHIFT);
pub(super) static CODE_POINT_BUCKETS: [u8; 256] = buckets(&RANGE_CODE_POINTS, SHIFT);
const SHIFT: usize = 8;

/// The first values of each range, padded for a search that has no branch.
pub(super) static POINTERS: [u16; 206 + IN_BUCKET] = padded(&RANGE_POINTERS);
pub(super) static CODE_POINTS: [u16; 206 + IN_BUCKET] = padded(&RANGE_CODE_POINTS);

/// Returns the range that contains each bucket's first value, or the first range.
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

/// Returns the first values, followed by the greatest value as padding.
const fn padded<const PADDED: usize>(firsts: &[u16; 206]) -> [u16; PADDED] {
    let mut padded = [u16::MAX; PADDED];
    let mut i = 0;
    while i < firsts.len() {
        padded[i] = firsts[i];
        i += 1;
    }
    padded
}

/// Returns the last range whose first value is not above `value`, or the first.
#[inline(always)]
fn range_of(value: u32, firsts: &[u16], buckets: &[u8]) -> usize {
    let bucket = value as usize >> SHIFT;
    let first_of = |bucket: usize| buckets.get(bucket).copied().map(usize::from);
    let mut range = first_of(bucket).unwrap_or(0);
    // In dense buckets, such as Latin letters, branches on the number of ranges before a value are mispredicted. The
    // last bucket has no next one: padding follows its ranges.
    if let Some(next) = first_of(bucket + 1)
        && next > range + 2
        && let Some(after) = firsts[range + 1..].first_chunk::<IN_BUCKET>()
    {
        let before = |count, &first: &u16| count + u16::from(u32::from(first) <= value);
        return range + usize::from(after.iter().fold(0, before));
    }
    // The greatest value follows the last range.
    while range < 205
        && firsts
            .get(range + 1)
            .is_some_and(|&first| u32::from(first) <= value)
    {
        range += 1;
    }
    range
}

/// Returns the index gb18030 ranges code point.
#[inline(always)]
pub(crate) fn gb18030_ranges_code_point(pointer: u32) -> Option<u32> {
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
            let range = range_of(pointer, &POINTERS, &POINTER_BUCKETS);
            let (first, code_point) = (POINTERS[range], CODE_POINTS[range]);
            Some(u32::from(code_point) + pointer - u32::from(first))
        }
        // Step 1.
        _ => None,
    }
}

/// Returns the index gb18030 ranges pointer of a code point that the two-byte form lacks; U+0080 or above.
#[inline(always)]
pub(crate) fn gb18030_ranges_pointer(code_point: u32) -> u32 {
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
    let range = range_of(code_point, &CODE_POINTS, &CODE_POINT_BUCKETS);
    let (pointer, first) = (POINTERS[range], CODE_POINTS[range]);
    (u32::from(pointer) + code_point).saturating_sub(u32::from(first))
}
