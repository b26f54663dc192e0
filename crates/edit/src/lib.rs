//! Changes text and keeps every other byte.
//!
//! Decoding a file, changing a word and encoding the file again changes more than the word:
//! malformed sequences, characters with alternative byte sequences, escape sequences, a byte order mark,
//! line ends. A [`Document`] maps each character to its bytes. It takes changes of the text and
//! returns bytes that differ from the original only in the edits.
//!
//! ```
//! use mojika::SHIFT_JIS;
//! use mojika_edit::Document;
//!
//! // FA 54 is IBM's second "￢", and 82 is malformed: an encoder writes neither.
//! let file = b"// \xFA\x54 \x82\"\r\ncolour = \"\x90\xC2\"\r\n";
//! let mut document = Document::open(file, SHIFT_JIS);
//! assert_eq!(document.text(), "// ￢ \u{FFFD}\"\r\ncolour = \"青\"\r\n");
//! let at = document.text().find('青').unwrap();
//! document.replace(at..at + '青'.len_utf8(), "赤")?;
//! assert_eq!(document.write()?, b"// \xFA\x54 \x82\"\r\ncolour = \"\x90\xD4\"\r\n");
//! # Ok::<(), mojika_edit::EditError>(())
//! ```
//!
//! # What holds
//!
//! * Bytes outside of the [patches](Document::patches) stay, and the new bytes decode to exactly the [edited
//!   text](Document::edited_text). Every edit is verified by decoding its surroundings. It is refused if bytes on both
//!   sides would join into another character: a lead byte without a trail byte, an unpaired surrogate, a new byte order
//!   mark.
//! * U+FFFD that stands for a malformed sequence keeps its bytes or is removed with them. An inserted U+FFFD is refused in
//!   every encoding, because it comes from text that was decoded in a wrong encoding.
//! * An unmappable character, or one whose bytes decode to another character, is refused with its offset, or replaced by
//!   the handler of [`patches_with`](Document::patches_with).
//! * In stateful encodings (ISO-2022-JP, double-byte EBCDIC, HZ, ISO-2022-KR), an insertion has the fewest escape sequences
//!   that leave both sides unchanged.
//! * Line ends of insertions become the document's, unless that has [more than one kind](LineEnds::Mixed).
//! * A byte order mark stays.
//!
//! # What it costs
//!
//! Opening a document costs as much as decoding it with an [`OffsetMap`]; an edit costs as much as decoding some kilobytes
//! around it.

#![cfg_attr(not(any(feature = "diff", test)), no_std)]
#![cfg_attr(docsrs, feature(doc_cfg))]
#![forbid(unsafe_code)]

extern crate alloc;

// This crate depends on `offsets`, on one-shot calls, on `Decoder` and on `Encoder`.
//
// - `lines`: line ends;
// - `insertion`: encodable text; `iso_2022_jp`, `shifted`: its escape sequences;
// - `splice`: from changes of text to verified patches; `digits`: changes in UTF-7;
// - `diff`: from a whole new text to changes.

#[cfg(feature = "diff")]
mod diff;
mod digits;
mod error;
#[cfg(all(unix, feature = "files"))]
pub mod files;
mod insertion;
mod iso_2022_jp;
mod lines;
mod shifted;
mod splice;

pub use error::EditError;
pub use lines::LineEnds;
pub use splice::Patch;

use alloc::borrow::Cow;
use alloc::string::String;
use alloc::vec::Vec;
use core::cell::RefCell;
use core::ops::Range;
#[cfg(all(unix, feature = "files"))]
use mojika::Decoder;
use mojika::offsets::{OffsetMap, OffsetMapBuilder, OffsetMapOptions, Offsets};
use mojika::{BIG5, BomHandling, Encoding, Fallback, Unmappable};
use shifted::Designation;
use splice::{Change, Splicer};

/// A text with its original bytes, and edits of the text.
///
/// Ranges refer to the opened text, in UTF-8 bytes, also after other edits. The module's documentation states the
/// guarantees.
#[derive(Clone, Debug)]
pub struct Document<'a> {
    source: Cow<'a, [u8]>,
    text: String,
    map: OffsetMap,
    bom: BomHandling,
    /// The edits in order; their ranges do not overlap.
    edits: Vec<Edit>,
    /// The line ends of the text, once an edit has needed them.
    line_ends: Option<LineEnds>,
    follows_line_ends: bool,
    /// True if more of the document follows this part. The decoder is then in its initial state at the end of the part.
    continues: bool,
    /// True if an earlier part has the designation of ISO-2022-KR.
    is_designated: bool,
}

#[derive(Clone, Debug)]
struct Edit {
    text: Range<usize>,
    replacement: String,
}

impl<'a> Document<'a> {
    /// Decodes a document. A byte order mark overrides the encoding, which is an [`Encoding`] or a
    /// `mojika_sniff::Decision`.
    ///
    /// ```
    /// use mojika::{UTF_16LE, WINDOWS_1252};
    /// use mojika_edit::Document;
    ///
    /// let mut document = Document::open(b"\xFF\xFEa\0b\0", WINDOWS_1252);
    /// assert_eq!((document.encoding(), document.text()), (UTF_16LE, "ab"));
    /// document.replace(1..1, "é")?;
    /// assert_eq!(document.write()?, b"\xFF\xFEa\0\xE9\0b\0");
    /// # Ok::<(), mojika_edit::EditError>(())
    /// ```
    pub fn open(bytes: &'a [u8], encoding: impl Into<&'static Encoding>) -> Self {
        Self::open_with(bytes, encoding, BomHandling::Sniff)
    }

    /// Opens a document as [`open`](Self::open) does, with bytes that may be owned, and a choice of byte order mark
    /// handling.
    pub fn open_with(
        bytes: impl Into<Cow<'a, [u8]>>,
        encoding: impl Into<&'static Encoding>,
        bom: BomHandling,
    ) -> Self {
        let source = bytes.into();
        // To verify itself, an edit decodes up to two intervals between checkpoints. In a long document, short intervals
        // cost time.
        let interval = if source.len() < 1 << 22 { 2048 } else { 16384 };
        let (text, map) = mapped(&source, encoding.into(), bom, interval);
        Self {
            source,
            text,
            map,
            bom,
            edits: Vec::new(),
            line_ends: None,
            follows_line_ends: true,
            continues: false,
            is_designated: false,
        }
    }

    /// Returns the opened text, with U+FFFD for each malformed sequence.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the opened bytes.
    pub fn source(&self) -> &[u8] {
        &self.source
    }

    /// Returns the encoding: the given one, or the one that a byte order mark names.
    pub fn encoding(&self) -> &'static Encoding {
        self.map.encoding()
    }

    /// Returns the map between bytes and text.
    pub fn offsets(&self) -> Offsets<'_> {
        self.offsets_of(&self.map)
    }

    fn offsets_of<'m>(&'m self, map: &'m OffsetMap) -> Offsets<'m> {
        // A map that was built from these source bytes, with UTF-8 offsets, always fits.
        let offsets = map.utf8_offsets(&self.source);
        offsets.unwrap_or_else(|| unreachable!("a map of this source"))
    }

    /// Returns the line ends of the opened text.
    pub fn line_ends(&self) -> LineEnds {
        self.line_ends
            .unwrap_or_else(|| LineEnds::of(&self.text, self.encoding()))
    }

    /// Sets the line ends that insertions follow, for a document that is a part of a longer one.
    ///
    /// ```
    /// use mojika::KOI8_R;
    /// use mojika_edit::{Document, LineEnds};
    ///
    /// let mut part = Document::open(b"\xC1\xC2", KOI8_R);
    /// part.set_line_ends(LineEnds::CrLf);
    /// part.replace(2..2, "\n")?;
    /// assert_eq!(part.write()?, b"\xC1\r\n\xC2");
    /// # Ok::<(), mojika_edit::EditError>(())
    /// ```
    pub fn set_line_ends(&mut self, ends: LineEnds) {
        self.line_ends = Some(ends);
    }

    /// Sets whether later insertions follow the document's line ends; they do by default.
    pub fn follow_line_ends(&mut self, follow: bool) {
        self.follows_line_ends = follow;
    }

    /// Replaces a range of the text. An empty range inserts, an empty replacement removes.
    ///
    /// The common prefix and suffix keep their bytes. A second insertion at the same offset follows the first.
    ///
    /// # Errors
    ///
    /// Fails with [`EditError::Range`] or [`EditError::Overlap`]. [`write`](Self::write) finds unmappable characters.
    pub fn replace(&mut self, range: Range<usize>, replacement: &str) -> Result<(), EditError> {
        if self.text.get(range.clone()).is_none() {
            return Err(EditError::Range(range));
        }
        let at = self.place_of(&range);
        let overlaps = |edit: &Edit| {
            let (one, other) = (&edit.text, &range);
            one.start < other.end && other.start < one.end
        };
        let neighbours = &self.edits[at.saturating_sub(1)..self.edits.len().min(at + 1)];
        if neighbours.iter().any(overlaps) {
            return Err(EditError::Overlap(range));
        }
        let replacement = self.with_own_line_ends(range.clone(), replacement);
        let (start, end) = common(&self.text[range.clone()], &replacement);
        let edit = Edit {
            text: range.start + start..range.end - end,
            replacement: replacement[start..replacement.len() - end].into(),
        };
        if !edit.text.is_empty() || !edit.replacement.is_empty() {
            let at = self.place_of(&edit.text);
            self.edits.insert(at, edit);
        }
        Ok(())
    }

    /// Replaces the whole text by another one; common parts keep their bytes. Earlier edits are discarded.
    ///
    /// The texts are compared by lines, and within lines by characters.
    ///
    /// ```
    /// use mojika::WINDOWS_1253;
    /// use mojika_edit::Document;
    ///
    /// let mut document = Document::open(b"\xE1\xE2\r\n\xFF\r\n", WINDOWS_1253);
    /// document.set_text("αγ\n\u{FFFD}\n");
    /// assert_eq!(document.write()?, b"\xE1\xE3\r\n\xFF\r\n");
    /// # Ok::<(), mojika_edit::EditError>(())
    /// ```
    #[cfg(feature = "diff")]
    pub fn set_text(&mut self, text: &str) {
        self.edits.clear();
        let text = self.with_own_line_ends(0..self.text.len(), text);
        let changes = diff::changes(&self.text, &text);
        self.edits = changes
            .into_iter()
            .map(|(range, replacement)| Edit {
                text: range,
                replacement: replacement.into(),
            })
            .collect();
    }

    /// Returns the text after all edits.
    pub fn edited_text(&self) -> String {
        let mut text = String::with_capacity(self.text.len());
        let mut at = 0;
        for edit in &self.edits {
            text.push_str(&self.text[at..edit.text.start]);
            text.push_str(&edit.replacement);
            at = edit.text.end;
        }
        text.push_str(&self.text[at..]);
        text
    }

    /// Returns the document's bytes after all edits. Without edits, they are the original.
    ///
    /// # Errors
    ///
    /// Fails with the [`EditError`] for the first edit that is refused.
    pub fn write(&self) -> Result<Vec<u8>, EditError> {
        let patches = self.patches()?;
        let mut bytes = Vec::with_capacity(self.source.len());
        let mut at = 0;
        for patch in patches {
            bytes.extend_from_slice(&self.source[at..patch.source.start]);
            bytes.extend_from_slice(&patch.bytes);
            at = patch.source.end;
        }
        bytes.extend_from_slice(&self.source[at..]);
        Ok(bytes)
    }

    /// Returns the replacements that [`write`](Self::write) makes, in order. For large files, copy the other bytes.
    ///
    /// # Errors
    ///
    /// Fails as [`write`](Self::write) does.
    pub fn patches(&self) -> Result<Vec<Patch>, EditError> {
        self.patches_with(|_| Fallback::Fail)
    }

    /// Returns the patches as [`patches`](Self::patches) does, and lets `handler` replace unmappable inserted characters.
    /// Offsets are in the edited text.
    ///
    /// ```
    /// use mojika::{Fallback, KOI8_R};
    /// use mojika_edit::Document;
    ///
    /// let mut document = Document::open(b"\xC1", KOI8_R);
    /// document.replace(0..0, "→")?;
    /// assert!(document.patches().is_err());
    /// let patches = document.patches_with(|_| Fallback::Html)?;
    /// assert_eq!((patches[0].source.clone(), &*patches[0].bytes), (0..0, &b"&#8594;"[..]));
    /// # Ok::<(), mojika_edit::EditError>(())
    /// ```
    ///
    /// # Errors
    ///
    /// Fails as [`write`](Self::write) does.
    pub fn patches_with(
        &self,
        mut handler: impl FnMut(Unmappable) -> Fallback,
    ) -> Result<Vec<Patch>, EditError> {
        // Each edit decodes some intervals, which should be short if edits are dense.
        let distance = self.source.len() / self.edits.len().max(1);
        let dense = (distance < 256)
            .then(|| mapped(&self.source, self.encoding(), self.bom, 4 * distance).1);
        let map = dense.as_ref().unwrap_or(&self.map);
        let splicer = Splicer {
            source: &self.source,
            text: &self.text,
            encoding: self.encoding(),
            map,
            offsets: self.offsets_of(map),
            designation: self.designation(),
            continues: self.continues,
            encoded: RefCell::default(),
        };
        let mut changes = self.changes(&splicer.offsets);
        splicer.guess(&mut changes);
        if shifted::shares_digits(self.encoding()) {
            changes = digits::widened(&splicer, changes);
        }
        // The difference between the lengths of the edited text and the old text, modulo 2^N.
        let mut longer = 0_usize;
        // The last insertion without an unmappable character, which is mostly the next one, too.
        let mut mappable: Option<String> = None;
        for change in &mut changes {
            let offset = change.text.start.wrapping_add(longer);
            longer = longer
                .wrapping_add(change.insertion.len())
                .wrapping_sub(change.text.len());
            if mappable.as_ref() == Some(&change.insertion) {
                continue;
            }
            if let Some(at) = change.insertion.find(char::REPLACEMENT_CHARACTER) {
                let offset = offset + at;
                return Err(EditError::Replacement { offset });
            }
            let insertion =
                insertion::mappable(self.encoding(), &change.insertion, offset, &mut handler)?;
            match insertion {
                Cow::Owned(insertion) => (change.insertion, change.patch) = (insertion, None),
                Cow::Borrowed(insertion) => mappable = Some(insertion.into()),
            }
        }
        splicer.patches(&changes)
    }

    fn designation(&self) -> Designation {
        Designation::of(self.encoding(), &self.source, self.is_designated)
    }

    /// True if this part or an earlier one has the designation of ISO-2022-KR.
    #[cfg(all(unix, feature = "files"))]
    fn has_designation(&self) -> bool {
        self.designation().is_known()
    }

    /// Returns a source offset within a range of text, after at least one character, at which the decoder is in its
    /// initial state.
    #[cfg(all(unix, feature = "files"))]
    fn initial_within(&self, range: Range<usize>) -> Option<usize> {
        const MOST: usize = 32;
        let (map, offsets) = (&self.map, self.offsets());
        let initial = Decoder::new(self.encoding(), BomHandling::Keep).mode();
        let text = self.text.get(range.clone())?;
        let ends = text.char_indices().rev();
        let lines = ends.clone().filter(|end| end.1 == '\n').take(MOST);
        lines.chain(ends.take(MOST)).find_map(|(at, last)| {
            let place = range.start + at + last.len_utf8();
            let next = offsets.segment_at_text(place as u64)?;
            let at = next.lead_in.start as usize;
            let is_initial = splice::decoder_at(map, &self.source, at).mode() == initial;
            is_initial.then_some(at)
        })
    }

    /// Returns the edits in order. Adjacent edits are joined; Big5 characters that share bytes are replaced together.
    fn changes(&self, offsets: &Offsets<'_>) -> Vec<Change> {
        let mut changes: Vec<Change> = Vec::new();
        for edit in &self.edits {
            push_joined(&mut changes, edit.text.clone(), &edit.replacement);
        }
        if self.encoding() != BIG5 {
            return changes;
        }
        let mut widened: Vec<Change> = Vec::new();
        for change in changes {
            let outside = |at: usize| {
                let segment = offsets.segment_at_text(at as u64)?;
                let (start, end) = (segment.text.start as usize, segment.text.end as usize);
                (start < at).then_some((start, end))
            };
            let (start, end) = (change.text.start, change.text.end);
            let first = outside(start).map_or(start, |(first, _)| first);
            let last = outside(end).map_or(end, |(_, last)| last);
            let insertion = [
                &self.text[first..start],
                &*change.insertion,
                &self.text[end..last],
            ];
            push_joined(&mut widened, first..last, &insertion.concat());
        }
        widened
    }

    /// Returns a replacement with the line ends of the document.
    fn with_own_line_ends<'t>(
        &mut self,
        range: Range<usize>,
        replacement: &'t str,
    ) -> Cow<'t, str> {
        if !self.follows_line_ends
            || memchr::memchr2(b'\n', b'\r', replacement.as_bytes()).is_none()
        {
            return Cow::Borrowed(replacement);
        }
        let own = self.line_ends();
        self.line_ends = Some(own);
        let (before, after) = (&self.text[..range.start], &self.text[range.end..]);
        own.followed_by(replacement, before, after)
    }

    /// Returns the index of `range` among the edits.
    fn place_of(&self, range: &Range<usize>) -> usize {
        let own = (range.start, range.end);
        self.edits
            .partition_point(|edit| (edit.text.start, edit.text.end) <= own)
    }
}

/// Returns the text of a document, and a map with the given minimum distance of checkpoints, in bytes.
fn mapped(
    source: &[u8],
    encoding: &'static Encoding,
    bom: BomHandling,
    interval: usize,
) -> (String, OffsetMap) {
    let options = OffsetMapOptions::default().bom(bom).interval(interval);
    let mut builder = OffsetMapBuilder::with_options(encoding, options);
    let mut text = String::new();
    builder.decode_append(source, &mut text, true);
    (text, builder.into_map())
}

/// Appends a change that starts at or after the end of the last change; adjacent changes are joined.
fn push_joined(changes: &mut Vec<Change>, text: Range<usize>, insertion: &str) {
    match changes.last_mut() {
        Some(last) if last.text.end >= text.start => {
            last.text.end = text.end;
            last.insertion.push_str(insertion);
        }
        _ => changes.push(Change {
            text,
            insertion: insertion.into(),
            patch: None,
        }),
    }
}

/// Returns the lengths in bytes of the common start of two texts, and of their common end after it.
fn common(old: &str, new: &str) -> (usize, usize) {
    let same = old.bytes().zip(new.bytes()).take_while(|(a, b)| a == b);
    let mut start = same.count();
    while !old.is_char_boundary(start) || !new.is_char_boundary(start) {
        start -= 1;
    }
    let (old, new) = (&old[start..], &new[start..]);
    let same = old.bytes().rev().zip(new.bytes().rev());
    let mut end = same.take_while(|(a, b)| a == b).count();
    while !old.is_char_boundary(old.len() - end) || !new.is_char_boundary(new.len() - end) {
        end -= 1;
    }
    (start, end)
}

/// The examples of the guide, as doctests.
#[cfg(all(doctest, feature = "diff"))]
mod documents {
    #[doc = include_str!("../../../docs/EDIT.md")]
    struct Edit;
}
