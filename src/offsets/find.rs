//! Finding one character of a map by its offset in text or source.

use super::runs::CharRun;
use core::ops::Range;

/// The unit of offsets in decoded text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextUnit {
    /// Bytes of UTF-8.
    Utf8,
    /// UTF-16 code units.
    Utf16,
}

/// A character and the source that it was decoded from.
///
/// A segment is usually one character of text. Four pointers of Big5 decode to a letter and a combining mark. These two
/// characters share their bytes, and form one segment.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Segment {
    /// The character in the text, in the units of the look-up.
    pub text: Range<u64>,
    /// The source bytes of the character alone; for a U+FFFD, the malformed sequence that error mode "fatal" reports.
    pub source: Range<u64>,
    /// The escape sequences directly before the bytes in `source`; empty except in ISO-2022-JP.
    pub lead_in: Range<u64>,
}

/// A position between two characters: an offset in the source and the offset in the text.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct CharBoundary {
    pub source: u64,
    pub text: u64,
}

/// The goal of a search.
#[derive(Clone, Copy)]
pub(super) enum Goal {
    Text(u64),
    Source(u64),
    /// The character after the gap that contains the offset.
    Next,
}

/// Scans runs until it reaches the goal.
pub(super) struct Finder {
    unit: TextUnit,
    goal: Goal,
    pub place: CharBoundary,
    /// Length of the gap directly before `place`.
    gap: u64,
    found: Option<Segment>,
}

impl Finder {
    /// Scans from the first run; callers that start later set `place`.
    pub fn new(unit: TextUnit, goal: Goal) -> Self {
        Self {
            unit,
            goal,
            place: CharBoundary::default(),
            gap: 0,
            found: None,
        }
    }

    /// Returns the character found.
    pub fn found(self) -> Option<Segment> {
        self.found
    }

    pub fn is_done(&self) -> bool {
        self.found.is_some()
    }

    #[inline]
    pub fn take(&mut self, run: CharRun) {
        if self.is_done() {
            return;
        }
        let source_len = u64::from(run.source_len);
        let text_len = match self.unit {
            TextUnit::Utf8 => u64::from(run.utf8_len),
            TextUnit::Utf16 => u64::from(run.utf16_len()),
        };
        if text_len == 0 {
            let len = source_len * run.count;
            if matches!(self.goal, Goal::Source(offset) if offset < self.place.source + len) {
                self.goal = Goal::Next;
            }
            self.gap += len;
            self.place.source += len;
            return;
        }
        let index = match self.goal {
            Goal::Next => 0,
            Goal::Text(offset) => (offset - self.place.text) / text_len,
            Goal::Source(offset) => (offset - self.place.source) / source_len,
        };
        if index >= run.count {
            self.gap = 0;
            self.place.source += source_len * run.count;
            self.place.text += text_len * run.count;
            return;
        }
        let source = self.place.source + source_len * index;
        let text = self.place.text + text_len * index;
        let gap = if index == 0 { self.gap } else { 0 };
        self.found = Some(Segment {
            text: text..text + text_len,
            source: source..source + source_len,
            lead_in: source - gap..source,
        });
    }
}
