//! Look-ups: the same methods for both kinds of map.

use super::dense::DenseOffsetMap;
use super::find::{Finder, Goal, Segment, TextUnit};
use super::map::OffsetMap;
use crate::bom;
use core::ops::Range;

/// The offsets of a map in one unit of text.
///
/// Offsets in the source count from the start of the stream, including a byte order mark. An offset inside a character,
/// in the text or in the source, is an offset of that character. All methods return `None` for offsets outside the
/// decoded part; none panics.
///
/// ```
/// use mojika::offsets::DenseOffsetMap;
///
/// // An escape sequence, two characters of two bytes each, an escape sequence, "a".
/// let (text, map) = DenseOffsetMap::decode(mojika::ISO_2022_JP, b"\x1B$BJ8;z\x1B(Ba");
/// assert_eq!(text, "文字a");
/// let offsets = map.utf8_offsets();
/// assert_eq!(offsets.source_offset(3), Some(5));
/// assert_eq!(offsets.text_offset(6), Some(3));
/// assert_eq!(offsets.source_range(0..6), Some(0..7));
/// assert_eq!(offsets.source_range(3..7), Some(5..11));
/// let a = offsets.segment_at_text(6).unwrap();
/// assert_eq!((a.lead_in, a.source), (7..10, 10..11));
/// ```
#[derive(Clone, Copy)]
pub struct Offsets<'a> {
    pub(super) runs: Runs<'a>,
    pub(super) unit: TextUnit,
    /// Length of the byte order mark, which belongs to no text.
    pub(super) bom_length: u64,
    pub(super) text_length: u64,
    pub(super) source_length: u64,
}

impl core::fmt::Debug for Offsets<'_> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Offsets")
            .field("unit", &self.unit)
            .field("text_length", &self.text_length)
            .field("source_length", &self.source_length)
            .finish_non_exhaustive()
    }
}

/// The map from which a look-up takes its runs.
#[derive(Clone, Copy)]
pub(super) enum Runs<'a> {
    Decoded {
        map: &'a OffsetMap,
        source: &'a [u8],
    },
    Stored(&'a DenseOffsetMap),
}

impl OffsetMap {
    /// Returns look-ups by UTF-8 offset. `source` is the decoded source from the stream's first byte on.
    ///
    /// `None` if the unit is not [counted](super::OffsetMapOptions), or if `source` is shorter than the decoded source.
    /// With a different `source`, the answers are wrong.
    pub fn utf8_offsets<'a>(&'a self, source: &'a [u8]) -> Option<Offsets<'a>> {
        self.offsets(source, TextUnit::Utf8)
    }

    /// Returns look-ups by offset in UTF-16 code units, like [`utf8_offsets`](Self::utf8_offsets).
    pub fn utf16_offsets<'a>(&'a self, source: &'a [u8]) -> Option<Offsets<'a>> {
        self.offsets(source, TextUnit::Utf16)
    }

    /// Returns look-ups by offset in the given unit, like [`utf8_offsets`](Self::utf8_offsets).
    pub fn offsets<'a>(&'a self, source: &'a [u8], unit: TextUnit) -> Option<Offsets<'a>> {
        let read = source.get(..usize::try_from(self.source_length).ok()?)?;
        if self.positions(unit).is_empty() {
            return None;
        }
        let bom_length = bom::find(self.bom, self.asked, read).map_or(0, |(_, len)| len as u64);
        Some(Offsets {
            runs: Runs::Decoded {
                map: self,
                source: read,
            },
            unit,
            bom_length,
            text_length: match unit {
                TextUnit::Utf8 => self.utf8_length,
                TextUnit::Utf16 => self.utf16_length,
            },
            source_length: self.source_length,
        })
    }
}

impl DenseOffsetMap {
    /// Returns look-ups by UTF-8 offset.
    pub fn utf8_offsets(&self) -> Offsets<'_> {
        self.offsets(TextUnit::Utf8)
    }

    /// Returns look-ups by offset in UTF-16 code units.
    pub fn utf16_offsets(&self) -> Offsets<'_> {
        self.offsets(TextUnit::Utf16)
    }

    /// Returns look-ups by offset in the given unit.
    pub fn offsets(&self, unit: TextUnit) -> Offsets<'_> {
        let mut end = self.at;
        end.advance(self.open);
        Offsets {
            runs: Runs::Stored(self),
            unit,
            bom_length: self.bom_length,
            text_length: end.text(unit),
            source_length: self.source_length,
        }
    }
}

impl Offsets<'_> {
    /// Returns the unit of text offsets.
    pub fn unit(&self) -> TextUnit {
        self.unit
    }

    /// Returns the length of the text decoded so far.
    pub fn text_length(&self) -> u64 {
        self.text_length
    }

    /// Returns the bytes of source read so far.
    pub fn source_length(&self) -> u64 {
        self.source_length
    }

    /// Returns the character at `offset` in the text.
    ///
    /// `None` at the end of the text and beyond.
    pub fn segment_at_text(&self, offset: u64) -> Option<Segment> {
        (offset < self.text_length).then(|| self.find(Goal::Text(offset)))?
    }

    /// Returns the character whose bytes or lead-in contain the source byte at `offset`.
    ///
    /// `None` if the byte belongs to no text: in a byte order mark, in a trailing escape sequence, in input that the
    /// encoding replacement drops, in an incomplete sequence, and beyond the end.
    pub fn segment_at_source(&self, offset: u64) -> Option<Segment> {
        let is_inside = (self.bom_length..self.source_length).contains(&offset);
        is_inside.then(|| self.find(Goal::Source(offset)))?
    }

    /// Returns the start of the source bytes of the character at `text_offset`. For the length of the text,
    /// returns the end of the last character's bytes. `None` for a greater offset.
    pub fn source_offset(&self, text_offset: u64) -> Option<u64> {
        if text_offset == self.text_length {
            return Some(self.end_of_text());
        }
        Some(self.segment_at_text(text_offset)?.source.start)
    }

    /// Returns the start in the text of the character at `source_offset`. A byte of a byte order mark maps to the start
    /// of the text. Any other byte that belongs to no text maps to the end. `None` beyond the source.
    pub fn text_offset(&self, source_offset: u64) -> Option<u64> {
        Some(self.text_place(source_offset)?.start)
    }

    /// Returns the bytes of all characters that the range `text` touches, including the lead-in of the first one.
    ///
    /// So an escape sequence belongs to the character that follows it. Ranges that partition the text have ranges that
    /// partition the source between byte order mark and trailing escape sequences. For the bare bytes of one character,
    /// use [`Segment::source`]. An empty range of text has an empty range of source. `None` for a range beyond the text.
    pub fn source_range(&self, text: Range<u64>) -> Option<Range<u64>> {
        if text.start > text.end || text.end > self.text_length {
            return None;
        }
        if text.start == self.text_length {
            let end = self.end_of_text();
            return Some(end..end);
        }
        let first = self.segment_at_text(text.start)?;
        let start = first.lead_in.start;
        if text.is_empty() {
            return Some(start..start);
        }
        if text.end <= first.text.end {
            return Some(start..first.source.end);
        }
        Some(start..self.segment_at_text(text.end - 1)?.source.end)
    }

    /// Returns the text of all characters that the range `source` touches, in their bytes or lead-ins.
    ///
    /// Bytes that belong to no text add nothing; such bytes alone have an empty range. `None` beyond the source.
    pub fn text_range(&self, source: Range<u64>) -> Option<Range<u64>> {
        if source.start > source.end || source.end > self.source_length {
            return None;
        }
        let start = self.text_place(source.start)?.start;
        let end = if source.is_empty() {
            start
        } else {
            self.text_place(source.end - 1)?.end
        };
        Some(start..end)
    }

    /// Returns the range of text for a byte of the source, empty if it belongs to no text.
    fn text_place(&self, source_offset: u64) -> Option<Range<u64>> {
        if source_offset > self.source_length {
            return None;
        }
        if source_offset < self.bom_length {
            return Some(0..0);
        }
        let text = self
            .segment_at_source(source_offset)
            .map(|segment| segment.text);
        Some(text.unwrap_or(self.text_length..self.text_length))
    }

    /// Returns the source offset at which the last character ends.
    fn end_of_text(&self) -> u64 {
        let last = self.text_length.checked_sub(1);
        last.and_then(|last| self.segment_at_text(last))
            .map_or(self.bom_length, |segment| segment.source.end)
    }

    fn find(&self, goal: Goal) -> Option<Segment> {
        let mut finder = Finder::new(self.unit, goal);
        match self.runs {
            Runs::Decoded { map, source } => {
                let index = match goal {
                    Goal::Text(offset) => map.index_for_text(self.unit, offset),
                    Goal::Source(offset) => map.index_for_source(offset),
                    Goal::Next => 0,
                };
                finder.place = map.place(index, self.unit, self.bom_length);
                map.runs_from(index, source, self.bom_length, &mut finder);
            }
            Runs::Stored(map) => {
                let index = match goal {
                    Goal::Text(offset) => map.index_for_text(self.unit, offset),
                    Goal::Source(offset) => map.index_for_source(offset),
                    Goal::Next => 0,
                };
                finder.place = map.place(index, self.unit);
                map.runs_from(index, &mut finder);
            }
        }
        // Bytes that may turn out to be a byte order mark are not decoded yet.
        finder
            .found()
            .filter(|segment| segment.text.end <= self.text_length)
    }
}
