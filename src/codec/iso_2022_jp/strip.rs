//! Text without its escape sequences, as kernels take and make it.

/// ASCII, and pairs of jis0208 with both high bits set; neither katakana nor jis0212.
#[derive(Clone, Copy)]
pub(super) struct StrippedPairs;
