//! Properties of an encoding that the first pass is compiled for; testing them at run time costs 5 % of the speed.

use super::{DoubleByteDecode, Layout};

/// The shape of an encoding's leads and trails.
pub(super) trait Grid {
    /// True if leads have two ranges.
    const TWO_RANGES_OF_LEADS: bool = false;
    /// True if trails have two ranges.
    const TWO_RANGES_OF_TRAILS: bool = true;
    /// True if some leads are not [`Layout::plain`].
    const SOME_PLAIN: bool = false;
    /// [`Layout::katakana`].
    const KATAKANA: bool = false;

    /// True if the encoding has this shape.
    fn fits(pairs: &DoubleByteDecode) -> bool {
        let Layout {
            leads,
            plain,
            trails,
            katakana,
            ..
        } = pairs.layout;
        Self::TWO_RANGES_OF_LEADS == (leads[0] != leads[1])
            && Self::TWO_RANGES_OF_TRAILS == (trails[0] != trails[1])
            && Self::SOME_PLAIN == (plain != leads)
            && Self::KATAKANA == katakana
    }
}

/// One range of leads and one of trails.
pub(super) struct SingleRange;

impl Grid for SingleRange {
    const TWO_RANGES_OF_TRAILS: bool = false;
}

/// The grid of Shift_JIS.
pub(super) struct Katakana;

impl Grid for Katakana {
    const TWO_RANGES_OF_LEADS: bool = true;
    const KATAKANA: bool = true;
}

/// The grid of Big5.
pub(super) struct SomePlain;

impl Grid for SomePlain {
    const SOME_PLAIN: bool = true;
}

/// The grid of gb18030.
pub(super) struct Gb18030;

impl Grid for Gb18030 {}

/// Evaluates an expression with the grid of an encoding.
macro_rules! with_grid {
    ($pairs:expr, $grid:ident => $body:expr) => {
        with_grid!(@ $pairs, $grid => $body, Katakana SomePlain Gb18030)
    };
    (@ $pairs:expr, $grid:ident => $body:expr, $($name:ident)*) => {
        $(if $crate::simd::double_byte::decode::grid::$name::fits($pairs) {
            type $grid = $crate::simd::double_byte::decode::grid::$name;
            $body
        } else)* {
            type $grid = $crate::simd::double_byte::decode::grid::SingleRange;
            debug_assert!($grid::fits($pairs), "no encoding has another grid");
            $body
        }
    };
}
pub(super) use with_grid;
