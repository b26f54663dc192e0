//! The parts of a document that are scored: non-ASCII bytes with their neighbours, without repeated sequences.

use alloc::vec::Vec;
use core::ops::Range;
use mojika::mem;

/// The maximum number of bytes that are scored. Half is from the beginning of the document.
pub const BUDGET: usize = 512;

/// The number of ASCII bytes before and after non-ASCII bytes that belong to a part. It is extended to whole words.
const CONTEXT: usize = 24;

/// The length of the parts after the first ones.
pub const PIECE: usize = BUDGET / 8;

/// The maximum number of bytes to take on either side of a byte value that the parts lack.
const AROUND: usize = CONTEXT / 2;

/// Returns the parts of `bytes` to score, in their order in the document. Parts with rare bytes come last.
pub fn parts(bytes: &[u8]) -> Vec<Range<usize>> {
    let all = regions(bytes);
    let mut regions = without_repeats(bytes, all.clone(), |run| !is_utf_8(run));
    if regions.is_empty() {
        regions = without_repeats(bytes, all, |_| true);
    }
    in_pieces(bytes, selected(bytes, regions))
}

/// Splits long parts at spaces, so that readings can be compared after each piece.
fn in_pieces(bytes: &[u8], parts: Vec<Range<usize>>) -> Vec<Range<usize>> {
    let mut pieces = Vec::with_capacity(parts.len() + 8);
    for mut part in parts {
        while part.len() > PIECE / 2 {
            let near = part.start + PIECE / 4..part.start + PIECE / 2;
            let Some(space) = bytes[near.clone()].iter().rposition(|&byte| byte == b' ') else {
                break;
            };
            pieces.push(part.start..near.start + space);
            part.start = near.start + space + 1;
        }
        pieces.push(part);
    }
    pieces
}

fn selected(bytes: &[u8], regions: Vec<Range<usize>>) -> Vec<Range<usize>> {
    let total: usize = regions.iter().map(ExactSizeIterator::len).sum();
    if total <= BUDGET {
        return regions;
    }
    let mut parts = Vec::new();
    let mut left = BUDGET / 2;
    let mut rest = Vec::new();
    for region in &regions {
        if left == 0 {
            rest.push(region.clone());
            continue;
        }
        let cut = start_of(bytes, region, left.max(8));
        left = left.saturating_sub(cut.len());
        if cut.end < region.end {
            rest.push(cut.end..region.end);
            left = 0;
        }
        parts.push(cut);
    }
    spread(bytes, &rest, &mut parts);
    add_lacking(bytes, &regions, &mut parts);
    parts
}

/// True for bytes that separate words: white space and control characters.
fn is_space(byte: u8) -> bool {
    byte <= b' '
}

/// Returns the start of the context of the non-ASCII byte at `at`: after a space, or else at the start of the word.
fn start_of_context(bytes: &[u8], at: usize) -> usize {
    let mut start = at.saturating_sub(CONTEXT);
    while start > 0 && start < at && !is_space(bytes[start - 1]) {
        start += 1;
    }
    if start == at {
        while start > 0 && at - start < 3 * CONTEXT && !is_space(bytes[start - 1]) {
            start -= 1;
        }
    }
    start
}

/// Returns the ranges of non-ASCII bytes with their context.
pub fn regions(bytes: &[u8]) -> Vec<Range<usize>> {
    let len = bytes.len();
    let mut regions: Vec<Range<usize>> = Vec::new();
    let mut at = 0;
    loop {
        at += mem::ascii_prefix_len(&bytes[at..]);
        if at == len {
            return regions;
        }
        let last_end = regions.last().map_or(0, |last| last.end);
        let start = match at < last_end {
            true => last_end,
            false => start_of_context(bytes, at).max(last_end),
        };
        let mut high = at;
        while high < len && !bytes[high].is_ascii() {
            high += 1;
        }
        let mut end = (high + CONTEXT).min(len);
        while end > high && end < len && !is_space(bytes[end]) {
            end -= 1;
        }
        if end == high {
            while end < len
                && end - high < 3 * CONTEXT
                && !is_space(bytes[end])
                && bytes[end].is_ascii()
            {
                end += 1;
            }
        }
        match regions.last_mut() {
            Some(last) if start <= last.end => last.end = end.max(last.end),
            _ => regions.push(start..end),
        }
        at = high;
    }
}

/// True for text between spaces that is UTF-8 with several non-ASCII characters: it comes from another document.
fn is_utf_8(run: &[u8]) -> bool {
    const LEAST: usize = 3;
    let ascii = run.iter().position(|byte| !byte.is_ascii()).unwrap_or(0);
    let [0xC2..=0xF4, 0x80..=0xBF, ..] = run[ascii..] else {
        return false;
    };
    let text = core::str::from_utf8(run);
    text.is_ok_and(|text| text.chars().filter(|one| !one.is_ascii()).count() >= LEAST)
}

/// Leaves out repeated text between spaces, which is no new evidence, and text for which `keeps` is false.
fn without_repeats(
    bytes: &[u8],
    regions: Vec<Range<usize>>,
    keeps: impl Fn(&[u8]) -> bool,
) -> Vec<Range<usize>> {
    let mut seen = super::set::Set::default();
    let mut kept = Vec::new();
    for region in regions {
        let (mut at, mut start) = (region.start, region.start);
        while at < region.end {
            let run = bytes[at..region.end]
                .iter()
                .position(|&byte| is_space(byte));
            let end = run.map_or(region.end, |len| at + len);
            let run = &bytes[at..end];
            if !run.is_ascii() && (!keeps(run) || !seen.insert(hash_of_run(run))) {
                if start < at {
                    kept.push(start..at);
                }
                start = end;
            }
            at = end;
            while at < region.end && is_space(bytes[at]) {
                at += 1;
            }
        }
        if !bytes[start..region.end].iter().all(|&byte| is_space(byte)) {
            kept.push(start..region.end);
        }
    }
    kept
}

/// Returns the hash of text between spaces, without ASCII digits and signs at its ends.
fn hash_of_run(run: &[u8]) -> u64 {
    let counts = |byte: &u8| !byte.is_ascii() || byte.is_ascii_alphabetic();
    let start = run.iter().position(counts).unwrap_or(0);
    let end = run.iter().rposition(counts).map_or(run.len(), |at| at + 1);
    super::set::hash(0, &run[start..end])
}

/// Returns the beginning of a region. It has about `len` bytes, and ends at a space if there is one near.
fn start_of(bytes: &[u8], region: &Range<usize>, len: usize) -> Range<usize> {
    let mut end = region.end.min(region.start + len);
    while end < region.end && end < region.start + 2 * len && !is_space(bytes[end]) {
        end += 1;
    }
    region.start..end
}

/// Adds pieces at offsets that are evenly spread over the regions.
fn spread(bytes: &[u8], regions: &[Range<usize>], parts: &mut Vec<Range<usize>>) {
    let total: usize = regions.iter().map(ExactSizeIterator::len).sum();
    let step = total / (BUDGET / 2 / PIECE);
    if step == 0 {
        return;
    }
    let (mut before, mut next, mut last_end) = (0, step / 2, 0);
    for region in regions {
        while next < before + region.len() {
            // A part starts after a space, because a character begins there in every possible encoding.
            let place = region.start + next - before;
            let mut start = place;
            while start > region.start && place - start < 200 && !is_space(bytes[start - 1]) {
                start -= 1;
            }
            let start = start.max(last_end);
            if start < region.end {
                let piece = start_of(bytes, &(start..region.end), PIECE);
                last_end = piece.end;
                parts.push(piece);
            }
            next += step;
        }
        before += region.len();
    }
}

/// Adds the first occurrences of byte values that the parts lack. A single byte may distinguish two encodings.
fn add_lacking(bytes: &[u8], regions: &[Range<usize>], parts: &mut Vec<Range<usize>>) {
    let mut seen = [false; 256];
    for part in parts.iter() {
        for &byte in &bytes[part.clone()] {
            seen[usize::from(byte)] = true;
        }
    }
    seen[..0x80].fill(true);
    for region in regions {
        for at in region.clone() {
            if seen[usize::from(bytes[at])] {
                continue;
            }
            let (mut start, mut end) = (at, at);
            while start > 0 && at - start < AROUND && !is_space(bytes[start - 1]) {
                start -= 1;
            }
            while end < bytes.len() && end - at < AROUND && !is_space(bytes[end]) {
                end += 1;
            }
            for &byte in &bytes[start..end] {
                seen[usize::from(byte)] = true;
            }
            parts.push(start..end);
        }
    }
}
