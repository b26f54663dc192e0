//! Turns changes of the text into changes of the bytes. Each is verified by decoding its surroundings.
//!
//! The new bytes of a change are encoded alone. To verify that they fit, they are decoded between the old bytes on both
//! sides, from the last checkpoint before the change to one after it. No decoder looks ahead beyond a checkpoint. If
//! the result is the edited text, and the decoder ends in its previous state, all other text is unchanged. A decoder in
//! another state may return to it, so the next [`FARTHEST`] bytes are decoded, too. Lead and trail bytes, four-byte
//! sequences, surrogates, byte order marks and escape sequences therefore need no rules. Only stateful encodings allow
//! several escape sequences: the shortest candidate that passes the verification is taken.

use super::shifted::{self, After, Designation};
use super::{EditError, insertion, iso_2022_jp};
use alloc::collections::BTreeMap;
use alloc::string::String;
use alloc::vec::Vec;
use core::cell::RefCell;
use core::ops::Range;
use mojika::offsets::{Checkpoint, OffsetMap, Offsets};
use mojika::{BomHandling, Decoder, Encoding, ISO_2022_JP};

/// The maximum number of bytes after a change in which a decoder may be in another state than before.
const FARTHEST: usize = 4096;

/// The maximum number of pairs of neighbours for which the bytes of an insertion are cached.
const MOST_KEPT: usize = 4096;

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
    /// The patch, if already known.
    pub patch: Option<Patch>,
}

/// A document without edits.
pub(super) struct Splicer<'a> {
    pub source: &'a [u8],
    pub text: &'a str,
    pub encoding: &'static Encoding,
    pub map: &'a OffsetMap,
    pub offsets: Offsets<'a>,
    pub designation: Designation,
    /// True if more of the document follows, from the decoder's initial state on.
    pub continues: bool,
    pub encoded: RefCell<Encoded>,
}

/// A cache of the bytes of one insertion, by the characters before and after it. Many changes have the same neighbours.
#[derive(Default)]
pub(super) struct Encoded {
    insertion: String,
    bytes: BTreeMap<(Option<char>, After), Option<Vec<u8>>>,
}

impl Splicer<'_> {
    /// Returns the patches for changes that are in order, do not touch and do not split characters that share bytes.
    pub fn patches(&self, changes: &[Change]) -> Result<Vec<Patch>, EditError> {
        let mut patches: Vec<Patch> = changes
            .iter()
            .map(|change| change.patch.clone().unwrap_or_else(|| self.best(change)))
            .collect();
        let (mut first, mut sought) = (0, 0);
        while first < changes.len() {
            let (is_right, count) = self.proof(&changes[first..], &patches[first..]);
            let end = first + count;
            if !is_right && end > sought {
                // Guesses that are correct together may be incorrect next to other patches.
                for (patch, change) in patches[first..end].iter_mut().zip(&changes[first..end]) {
                    *patch = self.best(change);
                }
                sought = end;
                continue;
            }
            if !is_right {
                let one = |&i: &usize| !self.is_right(&changes[i], &patches[i]);
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

    /// Returns the patch for a change, if it is correct without other changes.
    pub fn right_alone(&self, change: &Change) -> Option<Patch> {
        let patch = self.best(change);
        self.is_right(change, &patch).then_some(patch)
    }

    /// Sets the patches without any shift that are correct together, in stateful encodings other than ISO-2022-JP. Most are.
    pub fn guess(&self, changes: &mut [Change]) {
        let mut first = 0;
        while first < changes.len() && self.encoding.is_stateful() && self.encoding != ISO_2022_JP {
            let guesses = changes[first..].iter();
            let guesses: Vec<Patch> = guesses.map_while(|one| self.without_shift(one)).collect();
            let guessed = &mut changes[first..first + guesses.len()];
            let mut at = 0;
            while at < guesses.len() {
                let (is_right, count) = self.proof(&guessed[at..], &guesses[at..]);
                let right = if is_right { count } else { 0 };
                for (change, patch) in guessed[at..].iter_mut().zip(&guesses[at..]).take(right) {
                    change.patch = Some(patch.clone());
                }
                at += count;
            }
            // The change after these has no such patch, so it is skipped.
            first += guesses.len() + 1;
        }
    }

    /// Returns the patch for a change without any shift, if no other can be shorter.
    fn without_shift(&self, change: &Change) -> Option<Patch> {
        let (starts, end) = self.places(&change.text);
        let source = starts[0]..end.unwrap_or(starts[0]);
        let next = self.source.get(source.end)?;
        let befores = self.befores(change).into_iter();
        let all =
            befores.filter_map(|before| self.between(before, &change.insertion, After::Nothing));
        let bytes = all.min_by_key(Vec::len)?;
        let may_be_shorter = shifted::shares_digits(self.encoding)
            && (*next == b'-' || bytes.len() > change.insertion.chars().count());
        let removed = &self.source[source.clone()];
        let is_shortest = starts[0] == starts[1]
            && !may_be_shorter
            && !self.designation.is_lost(starts[0], removed, &bytes);
        is_shortest.then_some(Patch { source, bytes })
    }

    /// Returns the shortest patch for a change that is correct alone; if there is none, the shortest patch.
    fn best(&self, change: &Change) -> Patch {
        let mut candidates = self.candidates(change);
        // A single candidate is verified together with its neighbours.
        let index = match candidates.len() {
            1 => 0,
            _ => {
                let mut all = candidates.iter();
                all.position(|patch| self.is_right(change, patch))
                    .unwrap_or(0)
            }
        };
        candidates.swap_remove(index)
    }

    /// Returns the candidate patches for a change, the shortest first; at least one.
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

    /// Appends the candidates for a change in stateful encodings other than ISO-2022-JP.
    fn push_shifted(
        &self,
        change: &Change,
        starts: [usize; 2],
        end: Option<usize>,
        all: &mut Vec<Patch>,
    ) {
        // At the end, the mode may be that of the character before the end, or of the character after it.
        let befores = self.befores(change);
        let own = self.text[..change.text.end].chars().next_back();
        let after = self.text[change.text.end..].chars().next();
        let ends = [own, after].into_iter().flatten().map(After::Mode);
        let ends: Vec<After> = ends.chain([After::Nothing, After::End]).collect();
        let places = if starts[0] == starts[1] {
            &starts[..1]
        } else {
            &starts[..]
        };
        for &start in places {
            let source = start..end.unwrap_or(start);
            let (removed, rest) = (&self.source[source.clone()], &self.source[source.end..]);
            for before in befores {
                for &after in &ends {
                    // A document ends in its initial mode.
                    if after == After::Nothing && rest.is_empty() {
                        continue;
                    }
                    let bytes = self.between(before, &change.insertion, after);
                    if let Some(bytes) = bytes
                        && !self.designation.is_lost(start, removed, &bytes)
                    {
                        let source = source.clone();
                        all.push(Patch { source, bytes });
                    }
                }
            }
        }
    }

    /// Returns the characters in whose modes a change may begin: none, the one before it, and the one after its start.
    fn befores(&self, change: &Change) -> [Option<char>; 3] {
        let (before, after) = self.text.split_at(change.text.start);
        [None, before.chars().next_back(), after.chars().next()]
    }

    /// Returns the bytes of an insertion between the characters `before` and `after`.
    fn between(&self, before: Option<char>, insertion: &str, after: After) -> Option<Vec<u8>> {
        let mut encoded = self.encoded.borrow_mut();
        if encoded.insertion != insertion || encoded.bytes.len() > MOST_KEPT {
            encoded.insertion = insertion.into();
            encoded.bytes.clear();
        }
        let bytes = encoded.bytes.entry((before, after));
        bytes
            .or_insert_with(|| shifted::encode(self.encoding, before, insertion, after))
            .clone()
    }

    /// Appends the candidates for a change in UTF-7: a byte that is not a digit also ends Base64, and the document may have
    /// a "-".
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

    /// Appends the candidates for a change in ISO-2022-JP.
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
                let place = iso_2022_jp::InsertionContext {
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

    /// Returns the possible starts of a range of text, before and after escape sequences, and its end; `None` if the end
    /// equals the start.
    fn places(&self, text: &Range<usize>) -> ([usize; 2], Option<usize>) {
        let first = self.offsets.segment_at_text(text.start as u64);
        let starts = match &first {
            Some(first) => [first.source.start as usize, first.lead_in.start as usize],
            None => {
                let end = self.offsets.source_offset(text.start as u64);
                [end.unwrap_or_default() as usize, self.source.len()]
            }
        };
        let last = match first {
            _ if text.is_empty() => None,
            Some(first) if first.text.end >= text.end as u64 => Some(first),
            _ => self.offsets.segment_at_text(text.end as u64 - 1),
        };
        (starts, last.map(|last| last.source.end as usize))
    }

    /// Returns the mode of ISO-2022-JP after the first `at` bytes.
    fn mode_at(&self, at: usize) -> Option<mojika::DecoderMode> {
        decoder_at(self.map, self.source, at).iso_2022_jp_selected()
    }

    /// True if a patch is correct alone.
    fn is_right(&self, change: &Change, patch: &Patch) -> bool {
        let (change, patch) = (core::slice::from_ref(change), core::slice::from_ref(patch));
        self.proof(change, patch).0
    }

    /// Decodes the first patch, and the patches near it, between two checkpoints. Returns true if that gives the
    /// changed text and the decoder's previous state. Also returns the number of decoded patches.
    fn proof(&self, changes: &[Change], patches: &[Patch]) -> (bool, usize) {
        let before = self.map.checkpoint_before(patches[0].source.start);
        let mut decoder = self.map.decoder_at(before);
        let (mut source_at, mut text_at) = (before.source, before.text);
        let (mut text, mut expected) = (String::new(), String::new());
        let mut count = 0;
        let end_of_all = Checkpoint {
            source: self.source.len(),
            text: self.text.len(),
            mode: None,
        };
        loop {
            let (change, patch) = (&changes[count], &patches[count]);
            count += 1;
            let (Some(kept), Some(kept_text)) = (
                self.source.get(source_at..patch.source.start),
                self.text.get(text_at..change.text.start),
            ) else {
                return (false, count);
            };
            decoder.decode_append(kept, &mut text, false);
            decoder.decode_append(&patch.bytes, &mut text, false);
            expected.push_str(kept_text);
            expected.push_str(&change.insertion);
            (source_at, text_at) = (patch.source.end, change.text.end);
            let farthest = source_at + FARTHEST;
            let mut sought = source_at;
            loop {
                let after = self.map.checkpoint_after(sought);
                let end = after.unwrap_or(end_of_all);
                // A nearby earlier change is verified together with this one.
                let is_near = |next: &Patch| next.source.start < end.source || after.is_none();
                if patches.get(count).is_some_and(is_near) {
                    break;
                }
                decoder.decode_append(&self.source[source_at..end.source], &mut text, false);
                expected.push_str(&self.text[text_at..end.text]);
                (source_at, text_at) = (end.source, end.text);
                if after.is_none() || decoder.mode() == end.mode {
                    if after.is_none()
                        && self.continues
                        && decoder.mode() != Decoder::new(self.encoding, BomHandling::Keep).mode()
                    {
                        return (false, count);
                    }
                    // Pending characters are written too. If the document continues here, they are too many.
                    decoder.decode_append(b"", &mut text, true);
                    return (
                        decoder.encoding() == self.encoding && text == expected,
                        count,
                    );
                }
                if text != expected || source_at > farthest {
                    return (false, count);
                }
                text.clear();
                expected.clear();
                sought = end.source + 1;
            }
        }
    }
}

/// Returns the decoder after the first `at` bytes of a source.
pub(super) fn decoder_at(map: &OffsetMap, source: &[u8], at: usize) -> Decoder {
    let checkpoint = map.checkpoint_before(at);
    let mut decoder = map.decoder_at(checkpoint);
    let bytes = &source[checkpoint.source..at];
    decoder.decode_append(bytes, &mut String::new(), false);
    decoder
}
