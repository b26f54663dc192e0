//! From changes of the text to changes of the bytes, each proved by decoding its surroundings.
//!
//! The new bytes of a change are encoded by themselves. To prove that they fit, they are decoded between the old bytes
//! on both sides, from the last checkpoint before the change to the first one after it. No decoder looks ahead beyond a
//! checkpoint. If the result is the edited text, and the decoder ends in its old state, all other text is thus
//! unchanged. So leads and trails, sequences of four bytes, surrogates, byte order marks and escape sequences need no
//! rules of their own. Only encodings with states leave a choice of escape sequences: the shortest candidate that
//! passes is taken.

use super::shifted::{self, After};
use super::{EditError, insertion, iso_2022_jp};
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;
use mojika::offsets::{Checkpoint, OffsetMap, Offsets};
use mojika::{Decoder, Encoding, ISO_2022_JP};

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

/// A document without edits.
pub(super) struct Splicer<'a> {
    pub source: &'a [u8],
    pub text: &'a str,
    pub encoding: &'static Encoding,
    pub map: &'a OffsetMap,
    pub offsets: Offsets<'a>,
}

impl Splicer<'_> {
    /// Returns the patches for changes that are in order, do not touch and do not split characters that share bytes.
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

    /// True if a change can be written with no other change nearby.
    pub fn is_right_alone(&self, change: &Change) -> bool {
        let patch = self.best(change);
        self.is_right(core::slice::from_ref(change), core::slice::from_ref(&patch))
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
        let by_itself = |start: usize| Patch {
            source: start..end.unwrap_or(start),
            bytes: insertion::encode(self.encoding, &change.insertion).unwrap_or_default(),
        };
        if !self.encoding.is_stateful() {
            return Vec::from([by_itself(starts[0])]);
        }
        let mut all = Vec::new();
        if self.encoding == ISO_2022_JP {
            self.push_escaped(change, starts, end, &mut all);
        } else {
            self.push_shifted(change, starts, end, &mut all);
        }
        if shifted::shares_digits(self.encoding) {
            self.push_digits(by_itself(starts[0]), &mut all);
        }
        all.sort_by_key(|patch| {
            let removed = patch.source.len();
            (patch.bytes.len() as isize - removed as isize, removed)
        });
        all.dedup();
        if all.is_empty() {
            all.push(by_itself(starts[0]));
        }
        all
    }

    /// The ways to write a change in encodings that shift, apart from ISO-2022-JP.
    fn push_shifted(
        &self,
        change: &Change,
        starts: [usize; 2],
        end: Option<usize>,
        all: &mut Vec<Patch>,
    ) {
        let first = |text: &str| text.chars().next();
        let last = |text: &str| text.chars().next_back();
        let (before, after) = (
            &self.text[..change.text.start],
            &self.text[change.text.end..],
        );
        let own = &self.text[change.text.clone()];
        // The modes at the start are those of the characters before and after it; those at the end likewise.
        let befores = [None, last(before), first(own).or(first(after))];
        let afters = [last(own).or(last(before)), first(after)];
        let ends = afters.into_iter().flatten().map(After::Mode);
        let ends: Vec<After> = ends.chain([After::Nothing, After::End]).collect();
        for start in starts {
            let source = start..end.unwrap_or(start);
            let (read, rest) = (&self.source[..source.start], &self.source[source.end..]);
            let removed = &self.source[source.clone()];
            for before in befores {
                for &after in &ends {
                    // A document ends in the mode in which it starts.
                    if after == After::Nothing && rest.is_empty() {
                        continue;
                    }
                    let encoding = self.encoding;
                    let bytes = shifted::encode(encoding, before, &change.insertion, after);
                    if let Some(bytes) = bytes
                        && !shifted::lacks_designation(encoding, read, removed, &bytes)
                    {
                        let source = source.clone();
                        all.push(Patch { source, bytes });
                    }
                }
            }
        }
    }

    /// The ways to end a change in UTF-7: a byte that is no digit ends Base64, too, and the document may have a "-".
    fn push_digits(&self, patch: Patch, all: &mut Vec<Patch>) {
        let end = patch.source.end;
        if self.source.get(end) == Some(&b'-') {
            let source = patch.source.start..end + 1;
            let bytes = patch.bytes.clone();
            all.push(Patch { source, bytes });
        }
        if let Some(digits) = patch.bytes.strip_suffix(b"-") {
            let (source, bytes) = (patch.source.clone(), digits.to_vec());
            all.push(Patch { source, bytes });
        }
        all.push(patch);
    }

    /// The ways to write a change in ISO-2022-JP.
    fn push_escaped(
        &self,
        change: &Change,
        starts: [usize; 2],
        end: Option<usize>,
        all: &mut Vec<Patch>,
    ) {
        for start in starts {
            let end = end.unwrap_or(start);
            let (Some(before), Some(after)) = (self.mode_at(start), self.mode_at(end)) else {
                continue;
            };
            let rest = &self.source[end..];
            let is_free = iso_2022_jp::starts_with_escape(rest)
                || (rest.is_empty() && after != mojika::DecoderMode::Ascii);
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
    }

    /// Returns the possible starts of a range of text, before and after escape sequences, and its
    /// end; `None` for the end if it is the start.
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
    fn mode_at(&self, at: usize) -> Option<mojika::DecoderMode> {
        self.decoder_at(at).iso_2022_jp_selected()
    }

    /// The decoder after the first `at` bytes.
    pub fn decoder_at(&self, at: usize) -> Decoder {
        let checkpoint = self.map.checkpoint_before(at);
        let mut decoder = self.map.decoder_at(checkpoint);
        decoder.decode_append(
            &self.source[checkpoint.source..at],
            &mut String::new(),
            false,
        );
        decoder
    }

    /// True if the patched bytes decode to the changed text, from the last checkpoint before to the first one after.
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
        // Pending output is written now, and is too much before the end.
        decoder.decode_append(b"", &mut text, true);
        is_same_state && decoder.encoding() == self.encoding && text == expected
    }
}
