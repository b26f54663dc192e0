//! Changes in UTF-7: the characters of a run of Base64 share digits, so a change within a run replaces the whole run.

use super::splice::{Change, Splicer};
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;
use mojika::DecoderMode as Mode;

/// The changes, each that is not right by itself widened to the run of Base64 around it.
pub(super) fn widened(splicer: &Splicer<'_>, changes: Vec<Change>) -> Vec<Change> {
    let mut ranges: Vec<Range<usize>> = Vec::new();
    for change in &changes {
        let mut range = change.text.clone();
        if !splicer.is_right_alone(change) {
            range = run_around(splicer, range);
        }
        while let Some(last) = ranges.pop_if(|last| last.end >= range.start) {
            range = last.start.min(range.start)..last.end.max(range.end);
        }
        ranges.push(range);
    }
    let mut changes = changes.into_iter().peekable();
    let joined = ranges.into_iter().map(|text| {
        let (mut insertion, mut at) = (String::new(), text.start);
        while let Some(change) = changes.next_if(|change| change.text.end <= text.end) {
            insertion.push_str(&splicer.text[at..change.text.start]);
            insertion.push_str(&change.insertion);
            at = change.text.end;
        }
        insertion.push_str(&splicer.text[at..text.end]);
        Change { text, insertion }
    });
    joined.collect()
}

/// A range of text and the characters of Base64 next to it.
fn run_around(splicer: &Splicer<'_>, text: Range<usize>) -> Range<usize> {
    let is_shifted = |scalar: &(usize, char)| {
        let segment = splicer.offsets.segment_at_text(scalar.0 as u64);
        let mode =
            segment.and_then(|segment| splicer.decoder_at(segment.source.end as usize).mode());
        scalar.1 != char::REPLACEMENT_CHARACTER && matches!(mode, Some(Mode::Linked(1..)))
    };
    let (before, after) = (&splicer.text[..text.start], &splicer.text[text.end..]);
    let mut characters = before.char_indices().rev().take_while(is_shifted);
    let start = characters.by_ref().last().map_or(text.start, |(at, _)| at);
    let mut characters = after
        .char_indices()
        .map(|(at, scalar)| (text.end + at, scalar));
    let last = characters.by_ref().take_while(is_shifted).last();
    start..last.map_or(text.end, |(at, scalar)| at + scalar.len_utf8())
}
