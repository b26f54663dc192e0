//! Text without its escape sequences, as kernels take and make it.

use crate::simd::{Layout, Pairs};
use crate::tables;

/// ASCII, and pairs of jis0208 with both high bits set; neither katakana nor jis0212.
#[derive(Clone, Copy)]
pub(super) struct StrippedPairs;

impl Pairs for StrippedPairs {
    const LAYOUT: Layout = Layout {
        leads: [(0xA1, 0xFE); 2],
        plain: [(0xA1, 0xFE); 2],
        lead_offsets: [0xA1; 2],
        columns: 94,
        trails: [(0xA1, 0xFE); 2],
        trail_offsets: [0xA1; 2],
        first_pointer: 0,
        katakana: false,
        ascii: true,
    };

    fn index() -> &'static [u16] {
        &tables::decode::JIS0208
    }
}
