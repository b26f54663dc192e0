//! Labels to encoding numbers, through a perfect hash whose hit is compared with the label found.

use super::load::{u8s, u16s};
use super::perfect_hash;

include!("../../tables/labels.rs");

/// Returns the number of the encoding with this label, its position in the Standard's table: 0 for UTF-8 to 39 for
/// x-user-defined. The label must be in lower case and without surrounding whitespace.
pub(crate) fn encoding_number_for_label(lowercase_trimmed: &[u8]) -> Option<u8> {
    let hash = perfect_hash::hash_label(lowercase_trimmed);
    let slot = perfect_hash::slot(hash, &LABEL_DISPLACEMENTS, LABEL_SLOTS.len());
    let (label, number) = label(usize::from(*LABEL_SLOTS.get(slot)?))?;
    (label.as_bytes() == lowercase_trimmed).then_some(number)
}

/// All labels with the number of their encoding, in the order of the Standard's table.
#[allow(
    dead_code,
    reason = "the codecs look up; listing serves tests and tools"
)]
pub(crate) fn labels() -> impl Iterator<Item = (&'static str, u8)> {
    (0..LABEL_ENCODINGS.len()).filter_map(label)
}

fn label(place: usize) -> Option<(&'static str, u8)> {
    let start = usize::from(*LABEL_STARTS.get(place)?);
    let end = usize::from(*LABEL_STARTS.get(place + 1)?);
    Some((LABEL_TEXT.get(start..end)?, *LABEL_ENCODINGS.get(place)?))
}
