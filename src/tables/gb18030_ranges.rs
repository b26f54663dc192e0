//! index gb18030 ranges: the four-byte form, by arithmetic within 206 ranges of the BMP and one beyond.

include!("../../tables/gb18030_ranges.rs");

/// The first pointer beyond the BMP, for U+10000.
const SUPPLEMENTARY: u32 = 189_000;

/// The index gb18030 ranges code point.
pub(crate) fn gb18030_ranges_code_point(pointer: u32) -> Option<u32> {
    match pointer {
        // Step 2.
        7457 => Some(0xE7C7),
        // Steps 3 and 4, for the BMP.
        0..=39_419 => {
            let after = RANGE_POINTERS.partition_point(|&first| u32::from(first) <= pointer);
            let range = after.checked_sub(1)?;
            let (first, code_point) = (RANGE_POINTERS[range], RANGE_CODE_POINTS[range]);
            Some(u32::from(code_point) + pointer - u32::from(first))
        }
        // The same, for the last range.
        SUPPLEMENTARY..=1_237_575 => Some(0x1_0000 + pointer - SUPPLEMENTARY),
        // Step 1.
        _ => None,
    }
}

/// The index gb18030 ranges pointer of a code point that the two-byte form lacks; U+0080 or above.
pub(crate) fn gb18030_ranges_pointer(code_point: u32) -> u32 {
    // Step 1.
    if code_point == 0xE7C7 {
        return 7457;
    }
    // Steps 2 and 3, for the last range.
    if let Some(offset) = code_point.checked_sub(0x1_0000) {
        return SUPPLEMENTARY.saturating_add(offset);
    }
    // The same, for the BMP.
    let after = RANGE_CODE_POINTS.partition_point(|&first| u32::from(first) <= code_point);
    let range = after.saturating_sub(1);
    let (pointer, first) = (RANGE_POINTERS[range], RANGE_CODE_POINTS[range]);
    (u32::from(pointer) + code_point).saturating_sub(u32::from(first))
}
