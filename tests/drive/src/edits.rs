//! Checks edits of a document against the promises of `mojika_edit`. Bytes outside the edits stay unchanged, and the
//! written bytes decode to the edited text; otherwise an error gives a reason.

use mojika::{BomHandling, EncodeError, Encoding};
use mojika_edit::{Document, EditError};
use std::ops::Range;

/// The result of the edits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The edits were written.
    Written,
    /// A character that the encoding does not have was refused.
    Unmappable,
    /// U+FFFD was refused.
    Replacement,
    /// The edit was refused because bytes on both sides of a boundary would combine.
    Combines,
}

/// Edits in order, without overlaps: each a range of the text, in bytes of UTF-8, and its replacement.
pub type Edits = Vec<(Range<usize>, String)>;

/// Starts of documents: byte order marks and their prefixes.
pub const STARTS: [&[u8]; 6] = [
    b"\xEF\xBB\xBF",
    b"\xFE\xFF",
    b"\xFF\xFE",
    b"\xEF\xBB",
    b"\xFF\xFE\0\0",
    b"\0\0\xFE\xFF",
];

/// Decodes bytes and removes U+FFFD, so that most of the text can be encoded.
pub fn encodable(encoding: &'static Encoding, bytes: &[u8]) -> String {
    let text = encoding.with(BomHandling::Keep).decode(bytes).text;
    text.replace('\u{FFFD}', "")
}

/// Returns random edits of a text. `replacement` returns the inserted texts. `below` returns a random number that is
/// below its argument. The argument is never 0.
pub fn random_edits(
    text: &str,
    most: usize,
    below: &mut dyn FnMut(usize) -> usize,
    replacement: &mut dyn FnMut() -> String,
) -> Edits {
    let boundaries: Vec<usize> = (0..=text.len())
        .filter(|&at| text.is_char_boundary(at))
        .collect();
    let (mut edits, mut first) = (Edits::new(), 0);
    for _ in 0..1 + below(most) {
        if first >= boundaries.len() {
            break;
        }
        // Edits are often near each other, or at the end.
        let left = boundaries.len() - first;
        let start = match below(8) {
            0 => first,
            1..4 => first + below(left.min(4)),
            4 => boundaries.len() - 1,
            _ => first + below(left),
        };
        let length = match below(4) {
            0 => 0,
            3 => below(boundaries.len() - start),
            some => some.min(boundaries.len() - 1 - start),
        };
        let range = boundaries[start]..boundaries[start + length];
        let text = if below(4) == 0 {
            String::new()
        } else {
            replacement()
        };
        edits.push((range, text));
        first = start + length + usize::from(below(3) > 0);
    }
    edits
}

/// Applies edits to a text.
pub fn applied(text: &str, edits: &Edits) -> String {
    let (mut edited, mut at) = (String::new(), 0);
    for (range, replacement) in edits {
        edited.push_str(&text[at..range.start]);
        edited.push_str(replacement);
        at = range.end;
    }
    edited + &text[at..]
}

/// Edits a document and checks every promise. `decode` is the oracle, with the same handling of byte order marks.
///
/// # Errors
///
/// Returns a description of the broken promise.
pub fn check(
    encoding: &'static Encoding,
    bom: BomHandling,
    bytes: &[u8],
    edits: &Edits,
    decode: &dyn Fn(&[u8]) -> String,
) -> Result<Outcome, String> {
    let mut document = Document::open_with(bytes, encoding, bom);
    document.follow_line_ends(false);
    let text = document.text().to_owned();
    if text != decode(bytes) {
        return Err(format!("the text is {text:?}"));
    }
    if document.write().as_deref() != Ok(bytes) && encoding != mojika::REPLACEMENT {
        return Err("without an edit, the bytes are others".into());
    }
    for (range, replacement) in edits {
        let replaced = document.replace(range.clone(), replacement);
        replaced.map_err(|error| format!("{range:?}: {error}"))?;
    }
    let edited = applied(&text, edits);
    if document.edited_text() != edited {
        return Err(format!("the edited text is {:?}", document.edited_text()));
    }
    let actual = document.encoding();
    match document.patches() {
        Ok(patches) => {
            let mut written = Vec::new();
            let mut at = 0;
            let kept = kept(&document, edits);
            for patch in &patches {
                if patch.source.start < at {
                    return Err(format!("patches overlap: {patches:?}"));
                }
                written.extend_from_slice(&bytes[at..patch.source.start]);
                written.extend_from_slice(&patch.bytes);
                at = patch.source.end;
                // Empty ranges do not overlap: an insertion may be between an escape sequence and its character.
                let overlaps = |own: &&Range<usize>| {
                    !patch.source.is_empty()
                        && own.start < patch.source.end
                        && patch.source.start < own.end
                };
                if let Some(own) = kept.iter().find(overlaps) {
                    return Err(format!(
                        "{patch:02X?} changes {own:?}, which no edit touches"
                    ));
                }
            }
            written.extend_from_slice(&bytes[at..]);
            if document.write().as_ref() != Ok(&written) {
                return Err("what is written is not what is patched".into());
            }
            let decoded = decode(&written);
            if decoded != edited {
                return Err(format!("{written:02X?} is {decoded:?}, not {edited:?}"));
            }
            Ok(Outcome::Written)
        }
        Err(EditError::Encode(EncodeError::NoEncoder(_))) if actual == mojika::REPLACEMENT => {
            Ok(Outcome::Unmappable)
        }
        Err(EditError::Encode(EncodeError::Unmappable { unmappable, .. })) => {
            let rest = edited.get(unmappable.offset as usize..).unwrap_or_default();
            if !rest.starts_with(unmappable.scalar) {
                return Err(format!("{unmappable}, but there is {rest:?}"));
            }
            let own = unmappable.scalar.to_string();
            let encoded = actual.encode(&own);
            let returns = |bytes: &[u8]| actual.with(BomHandling::Keep).decode(bytes).text == own;
            if encoded.is_ok_and(|bytes| returns(&bytes)) {
                return Err(format!("{unmappable}, but it has bytes"));
            }
            Ok(Outcome::Unmappable)
        }
        Err(EditError::Replacement { offset }) => {
            let is_there = edited[offset..].starts_with('\u{FFFD}');
            let is_inserted = edits.iter().any(|(_, text)| text.contains('\u{FFFD}'));
            match is_there && is_inserted {
                true => Ok(Outcome::Replacement),
                false => Err(format!("no U+FFFD is inserted at {offset}")),
            }
        }
        Err(EditError::Combines { .. }) => {
            // The refusal is wrong if the bytes with the replacements decode to the edited text.
            if let Some(bytes) = plain(&document, edits)
                && decode(&bytes) == edited
            {
                return Err(format!("refused, but {bytes:02X?} is {edited:?}"));
            }
            Ok(Outcome::Combines)
        }
        Err(error) => Err(format!("refused: {error}")),
    }
}

/// Returns the ranges of source bytes that no edit may change. An edit may change all bytes that two characters of Big5
/// share and, in UTF-7, where adjacent characters share Base64 digits, all bytes.
fn kept(document: &Document<'_>, edits: &Edits) -> Vec<Range<usize>> {
    if document.encoding().name().starts_with("UTF-7") {
        return Vec::new();
    }
    let offsets = document.offsets();
    let boundary = |at: usize, is_end: bool| match offsets.segment_at_text(at as u64) {
        Some(segment) if (segment.text.start as usize) < at && is_end => {
            segment.text.start as usize
        }
        Some(segment) if (segment.text.start as usize) < at => segment.text.end as usize,
        _ => at,
    };
    let (mut kept, mut at) = (Vec::new(), 0);
    let end = document.text().len();
    for range in edits
        .iter()
        .map(|(range, _)| range.clone())
        .chain(std::iter::once(end..end))
    {
        let own = boundary(at, false)..boundary(range.start, true);
        if own.start < own.end {
            let source = offsets.source_range(own.start as u64..own.end as u64);
            kept.extend(source.map(|source| source.start as usize..source.end as usize));
        }
        at = range.end;
    }
    kept
}

/// Replaces the bytes of each range by the bytes of its replacement, in a stateless encoding. Returns `None` if two
/// ranges share bytes, as the two characters of some JIS X 0213 pairs do.
fn plain(document: &Document<'_>, edits: &Edits) -> Option<Vec<u8>> {
    let encoding = document.encoding();
    let is_replacement = |(_, text): &(_, String)| text.contains('\u{FFFD}');
    if encoding.is_stateful() || encoding == mojika::BIG5 || edits.iter().any(is_replacement) {
        return None;
    }
    let offsets = document.offsets();
    let (mut bytes, mut at) = (Vec::new(), 0);
    for (range, replacement) in edits {
        let source = offsets.source_range(range.start as u64..range.end as u64)?;
        bytes.extend_from_slice(document.source().get(at..source.start as usize)?);
        bytes.extend_from_slice(&encoding.encode(replacement).ok()?);
        at = source.end as usize;
    }
    bytes.extend_from_slice(&document.source()[at..]);
    Some(bytes)
}
