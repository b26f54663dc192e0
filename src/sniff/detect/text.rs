//! Whether two encodings decode the same bytes to the same text.

use crate::encoding::single_byte_code_points;
use crate::{Encoding, GB18030, GBK};

/// Whether two encodings read text alike that has these bytes beyond ASCII, each less 0x80.
pub(super) fn is_same(
    one: &'static Encoding,
    other: &'static Encoding,
    mut high: impl Iterator<Item = u8>,
) -> bool {
    if one == other {
        return true;
    }
    if is_gb(one) && is_gb(other) {
        return true;
    }
    match (single_byte_code_points(one), single_byte_code_points(other)) {
        (Some(one), Some(other)) => high.all(|at| {
            let at = usize::from(at & 0x7F);
            one[at] == other[at] && one[at] != 0
        }),
        _ => false,
    }
}

/// Whether this is GBK or gb18030, which have one decoder.
pub(super) fn is_gb(encoding: &'static Encoding) -> bool {
    [GBK, GB18030].contains(&encoding)
}
