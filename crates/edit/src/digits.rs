//! Changes in UTF-7: consecutive Base64 characters share digits, so a change within a Base64 sequence replaces the whole
//! sequence.

use super::splice::{Change, Splicer};
use alloc::string::String;
use alloc::vec::Vec;
use core::ops::Range;
use mojika::DecoderMode as Mode;

/// Returns the changes. A change that cannot be written alone is widened to the Base64 sequence around it.
pub(super) fn widened(splicer: &Splicer<'_>, mut changes: Vec<Change>) -> Vec<Change> {
    let mut ranges: Vec<Range<usize>> = Vec::new();
    for change in &mut changes {
        let mut range = change.text.clone();
        let is_in_run = ranges.last().is_some_and(|last| last.end >= range.end);
        if !is_in_run {
            if change.patch.is_none() {
                change.patch = splicer.right_alone(change);
            }
            if change.patch.is_none() {
                range = run_around(splicer, range);
            }
        }
        while let Some(last) = ranges.pop_if(|last| last.end >= range.start) {
            range = last.start.min(range.start)..last.end.max(range.end);
        }
        ranges.push(range);
    }
    let mut changes = changes.into_iter().peekable();
    let joined = ranges.into_iter().map(|text| {
        if let Some(alone) = changes.next_if(|change| change.text == text) {
            return alone;
        }
        let (mut insertion, mut at) = (String::new(), text.start);
        while let Some(change) = changes.next_if(|change| change.text.end <= text.end) {
            insertion.push_str(&splicer.text[at..change.text.start]);
            insertion.push_str(&change.insertion);
            at = change.text.end;
        }
        insertion.push_str(&splicer.text[at..text.end]);
        let patch = None;
        Change {
            text,
            insertion,
            patch,
        }
    });
    joined.collect()
}

/// Returns a range of text, extended by the adjacent Base64 characters.
fn run_around(splicer: &Splicer<'_>, text: Range<usize>) -> Range<usize> {
    // A sequence may span the whole text, so each step doubles the range.
    let mut reach = 64;
    let before = loop {
        let from = text.start.saturating_sub(reach);
        let from = (0..=from)
            .rev()
            .find(|&at| splicer.text.is_char_boundary(at));
        let from = from.unwrap_or(0);
        let start = first_of_run(splicer, from..text.start);
        if start > from || from == 0 {
            break start;
        }
        reach *= 2;
    };
    before..end_of_run(splicer, text.end)
}

/// Returns the start of the Base64 characters at the end of a range of text.
fn first_of_run(splicer: &Splicer<'_>, range: Range<usize>) -> usize {
    let mut start = range.start;
    each_shifted(splicer, range.start, |at, scalar, is_shifted| {
        if at < range.end && !is_shifted {
            start = at + scalar.len_utf8();
        }
        at + scalar.len_utf8() < range.end
    });
    start.min(range.end)
}

/// Returns the end of the Base64 characters from `start` on.
fn end_of_run(splicer: &Splicer<'_>, start: usize) -> usize {
    let mut end = start;
    each_shifted(splicer, start, |at, scalar, is_shifted| {
        if is_shifted {
            end = at + scalar.len_utf8();
        }
        is_shifted
    });
    end
}

/// Calls `each` with the characters from `start` on, their offsets, and true if they are in Base64, until it returns false.
fn each_shifted(
    splicer: &Splicer<'_>,
    start: usize,
    mut each: impl FnMut(usize, char, bool) -> bool,
) {
    let Some(first) = splicer.offsets.segment_at_text(start as u64) else {
        return;
    };
    let checkpoint = splicer.map.checkpoint_before(first.source.start as usize);
    let mut decoder = splicer.map.decoder_at(checkpoint);
    let (mut text, mut at) = (String::new(), checkpoint.text);
    let mut bytes = splicer.source[checkpoint.source..].chunks(1);
    // The decoder is also called at the end, because an incomplete sequence there becomes U+FFFD.
    let mut is_end = false;
    while !is_end {
        let byte = bytes.next().unwrap_or_default();
        is_end = byte.is_empty();
        text.clear();
        decoder.decode_append(byte, &mut text, is_end);
        let is_linked = matches!(decoder.mode(), Some(Mode::Linked(1..)));
        for scalar in text.chars() {
            let is_shifted = scalar != char::REPLACEMENT_CHARACTER && is_linked;
            if at >= start && !each(at, scalar, is_shifted) {
                return;
            }
            at += scalar.len_utf8();
        }
    }
}
