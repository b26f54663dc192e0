//! Malformed sequences after the part of a text that was examined for the decision.

use crate::engine::{Place, Trouble, TroubleKind};
use mojika_sniff::judge;

/// The maximum number of parts after the examined part that are compared with the decision.
const MOST_PARTS: usize = 64;

/// Half of the number of bytes that are compared around a malformed sequence.
pub(super) const HALF: u64 = judge::WINDOW_LENGTH as u64 / 2;

/// The malformed sequences after the examined part: one for each part of the text to compare.
pub struct Later {
    pub(super) places: Vec<Place>,
    /// The last malformed sequence.
    pub last: Option<Place>,
    /// True if the text has a NUL, and thus may have parts in UTF-16.
    pub has_nul: bool,
    /// The offset of the end of the bytes that have been or will be compared.
    compared: u64,
}

impl Default for Later {
    /// Starts after the first window, which the decision has already examined.
    fn default() -> Self {
        Self {
            places: Vec::new(),
            last: None,
            has_nul: false,
            compared: judge::WINDOW_LENGTH as u64,
        }
    }
}

impl Later {
    /// Adds an error, which must follow all earlier ones.
    pub fn push(&mut self, trouble: &Trouble) {
        if trouble.kind != TroubleKind::Malformed {
            return;
        }
        let place = Place::of(trouble);
        self.last = Some(place);
        if place.offset >= self.compared && self.places.len() < MOST_PARTS {
            self.compared = place.offset + HALF;
            self.places.push(place);
        }
    }

    /// True if there are no malformed sequences.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty() && !self.has_nul
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn malformed(offset: u64) -> Trouble {
        Trouble {
            kind: TroubleKind::Malformed,
            offset,
            line: 1,
            column: 1,
            bytes: vec![0xFF],
            encoding: mojika::UTF_8,
        }
    }

    /// Sequences are kept at a minimum distance, one for each part to compare. The last one is always kept.
    #[test]
    fn places_to_compare_are_apart_and_bounded() {
        let window = judge::WINDOW_LENGTH as u64;
        assert_eq!(HALF, window / 2);
        let mut later = Later::default();
        // The decision has examined the bytes up to here.
        later.push(&malformed(window - 1));
        assert!(later.is_empty());
        for offset in [window, window + 1, window + HALF - 1, window + HALF] {
            later.push(&malformed(offset));
        }
        let offsets: Vec<_> = later.places.iter().map(|place| place.offset).collect();
        assert_eq!(offsets, [window, window + HALF]);
        for part in 0..2 * MOST_PARTS as u64 {
            later.push(&malformed(10 * window + part * window));
        }
        assert_eq!(later.places.len(), MOST_PARTS);
        let last = later.last.unwrap().offset;
        assert_eq!(last, 10 * window + (2 * MOST_PARTS as u64 - 1) * window);
        // An unmappable character is not a malformed sequence.
        later.push(&Trouble {
            kind: TroubleKind::Unmappable('a'),
            ..malformed(1 << 40)
        });
        assert_eq!(later.last.unwrap().offset, last);
    }
}
