//! Changes of ranges of a message.

use std::ops::Range;

/// The replacement of a range of a message, or of a value in it.
pub struct PartEdit {
    pub at: Range<usize>,
    pub to: Vec<u8>,
}

/// Returns the message with `edits`. Of two overlapping changes, only the first is made.
pub fn applied(message: &[u8], mut edits: Vec<PartEdit>) -> Vec<u8> {
    edits.sort_by_key(|edit| (edit.at.start, edit.at.end));
    let mut changed = Vec::with_capacity(message.len() + message.len() / 2);
    let mut read = 0;
    for edit in edits {
        // Two rules may change the same range.
        if edit.at.start < read {
            continue;
        }
        changed.extend_from_slice(&message[read..edit.at.start]);
        changed.extend_from_slice(&edit.to);
        read = edit.at.end;
    }
    changed.extend_from_slice(&message[read..]);
    changed
}

/// Returns the range of a part in the message.
pub fn range_in(message: &[u8], part: &[u8]) -> Option<Range<usize>> {
    let start = (part.as_ptr() as usize).checked_sub(message.as_ptr() as usize)?;
    let end = start.checked_add(part.len())?;
    (message.get(start..end)? == part).then_some(start..end)
}
