//! From changes of the text to changes of the bytes, each proved by decoding what surrounds it.
//!
//! The new bytes of a change are encoded by themselves. To prove that they fit, the old bytes before them, the new bytes and
//! the old bytes after them are decoded, from the last checkpoint before the change to the first one after it. If that gives
//! the edited text, and the decoder ends in the state that it had there before, all other text is unchanged, because no
//! decoder looks ahead beyond a checkpoint. So leads and trails, sequences of four bytes, surrogates, byte
//! order marks and escape sequences need no rules of their own. Only where ISO-2022-JP leaves a choice of escape
//! sequences are there several candidates; the shortest that passes is taken.

use super::{EditError, insertion, iso_2022_jp};
use crate::offsets::{Checkpoint, OffsetMap, Offsets};
use crate::{Encoding, ISO_2022_JP};
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;

/// A range of a document's bytes, and the bytes that replace it.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Patch {
    /// The range of the document's bytes; empty for an insertion.
    pub source: Range<usize>,
    /// The new bytes.
    pub bytes: Vec<u8>,
}

/// A change of the text. All its characters can be encoded.
#[derive(Clone, Debug)]
pub(super) struct Change {
    pub text: Range<usize>,
    pub insertion: String,
}

/// A document as it is.
pub(super) struct Splicer<'a> {
    pub source: &'a [u8],
    pub text: &'a str,
    pub encoding: &'static Encoding,
    pub map: &'a OffsetMap,
    pub offsets: Offsets<'a>,
}

impl Splicer<'_> {
    /// The patches for changes that are in order, do not touch and do not split characters that share bytes.
    pub fn patches(&self, changes: &[Change]) -> Result<Vec<Patch>, EditError> {
        let mut patches: Vec<Patch> = Vec::with_capacity(changes.len());
        let mut first = 0;
        while first < changes.len() {
            // Changes between the same checkpoints are proved together, too.
            let mut end = first;
            loop {
                patches.push(self.best(&changes[end]));
                end += 1;
                let after = self.map.checkpoint_after(patches[end - 1].source.end);
                let is_alone = match (after, changes.get(end)) {
                    (_, None) => true,
                    (None, Some(_)) => false,
                    // The start of the next patch is at its text or in the escape sequences before it.
                    (Some(after), Some(next)) => next.text.start >= after.text,
                };
                if is_alone {
                    break;
                }
            }
            let group = &changes[first..end];
            if !self.is_right(group, &patches[first..end]) {
                let one = |i: &usize| {
                    let i = *i;
                    !self.is_right(&changes[i..=i], &patches[i..=i])
                };
                let wrong = (first..end).find(one).unwrap_or(first);
                return Err(EditError::Combines {
                    offset: changes[wrong].text.start,
                    source: patches[wrong].source.start,
                });
            }
            first = end;
        }
        Ok(patches)
    }

    /// The shortest patch for a change that is right by itself; if none is, the shortest one.
    fn best(&self, change: &Change) -> Patch {
        let mut candidates = self.candidates(change);
        let is_right = |patch: &Patch| {
            self.is_right(core::slice::from_ref(change), core::slice::from_ref(patch))
        };
        // One candidate is proved with its neighbours.
        let index = match candidates.len() {
            1 => 0,
            _ => candidates.iter().position(is_right).unwrap_or(0),
        };
        candidates.swap_remove(index)
    }

    /// The ways to write a change, the shortest first; at least one.
    fn candidates(&self, change: &Change) -> Vec<Patch> {
        let (starts, end) = self.places(&change.text);
        if self.encoding != ISO_2022_JP {
            let start = starts[0];
            let bytes = insertion::encode(self.encoding, &change.insertion).unwrap_or_default();
            return Vec::from([Patch {
                source: start..end.unwrap_or(start),
                bytes,
            }]);
        }
        let mut all: Vec<Patch> = Vec::new();
        for start in starts {
            let end = end.unwrap_or(start);
            let (Some(before), Some(after)) = (self.mode_at(start), self.mode_at(end)) else {
                continue;
            };
            let rest = &self.source[end..];
            let is_free = iso_2022_jp::starts_with_escape(rest)
                || (rest.is_empty() && after != crate::codec::Iso2022JpMode::Ascii);
            for escapes_first in [false, true] {
                let place = iso_2022_jp::Place {
                    before,
                    after: (!is_free).then_some(after),
                    escapes_first,
                };
                let bytes = iso_2022_jp::encode(&change.insertion, place).unwrap_or_default();
                let source = start..end;
                all.push(Patch { source, bytes });
            }
        }
        all.sort_by_key(|patch| {
            let removed = patch.source.len();
            (patch.bytes.len() as isize - removed as isize, removed)
        });
        all
    }

    /// Where the bytes of a range of text may start, before and after escape sequences, and where they end; `None` for
    /// where they start.
    fn places(&self, text: &Range<usize>) -> ([usize; 2], Option<usize>) {
        let starts = match self.offsets.segment_at_text(text.start as u64) {
            Some(first) => [first.source.start as usize, first.lead_in.start as usize],
            None => {
                let end = self.offsets.source_offset(text.start as u64);
                [end.unwrap_or_default() as usize, self.source.len()]
            }
        };
        let last = text.end.checked_sub(1).filter(|_| !text.is_empty());
        let last = last.and_then(|last| self.offsets.segment_at_text(last as u64));
        (starts, last.map(|last| last.source.end as usize))
    }

    /// The mode of ISO-2022-JP after the first `at` bytes.
    fn mode_at(&self, at: usize) -> Option<crate::codec::Iso2022JpMode> {
        let checkpoint = self.map.checkpoint_before(at);
        let mut decoder = self.map.decoder_at(checkpoint);
        decoder.decode_append(
            &self.source[checkpoint.source..at],
            &mut String::new(),
            false,
        );
        decoder.iso_2022_jp_selected()
    }

    /// Whether the patched bytes decode to the changed text, from the last checkpoint before to the first one after.
    fn is_right(&self, changes: &[Change], patches: &[Patch]) -> bool {
        let (Some(first), Some(last)) = (patches.first(), patches.last()) else {
            return true;
        };
        let before = self.map.checkpoint_before(first.source.start);
        let after = self.map.checkpoint_after(last.source.end);
        let end = after.unwrap_or(Checkpoint {
            source: self.source.len(),
            text: self.text.len(),
            mode: None,
        });
        let mut decoder = self.map.decoder_at(before);
        let mut text = String::new();
        let (mut source_at, mut text_at) = (before.source, before.text);
        let mut expected = String::new();
        for (change, patch) in changes.iter().zip(patches) {
            let (Some(kept), Some(kept_text)) = (
                self.source.get(source_at..patch.source.start),
                self.text.get(text_at..change.text.start),
            ) else {
                return false;
            };
            decoder.decode_append(kept, &mut text, false);
            decoder.decode_append(&patch.bytes, &mut text, false);
            expected.push_str(kept_text);
            expected.push_str(&change.insertion);
            (source_at, text_at) = (patch.source.end, change.text.end);
        }
        decoder.decode_append(&self.source[source_at..end.source], &mut text, false);
        expected.push_str(&self.text[text_at..end.text]);
        let is_same_state = after.is_none() || decoder.mode() == end.mode;
        // Whatever is pending is written now, and is too much before the end.
        decoder.decode_append(b"", &mut text, true);
        is_same_state && decoder.encoding() == self.encoding && text == expected
    }
}
