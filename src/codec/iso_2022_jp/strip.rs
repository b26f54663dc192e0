//! Text without its escape sequences, as kernels take and make it.

use super::super::jis0208;
use crate::simd::{Layout, Pairs};
use crate::tables;

/// ASCII, and pairs of jis0208 with both high bits set; neither katakana nor jis0212.
#[derive(Clone, Copy)]
pub(super) struct StrippedPairs;

impl Pairs for StrippedPairs {
    const LAYOUT: Layout = jis0208::EUC_PAIRS;

    fn index() -> &'static [u16] {
        &tables::decode::JIS0208
    }
}
