//! Eight bytes at a time: a word is searched for bytes that end a run, and written with or without high bits.

use super::{Block, ESCAPED, Stripped, TO_ASCII, TO_PAIRS};

/// The same byte in every place of a word.
const fn all(byte: u8) -> u64 {
    u64::from_ne_bytes([byte; 8])
}

/// The word at the start of `src`; what is not there is `filler`.
#[inline(always)]
fn word(src: &[u8], filler: u8) -> u64 {
    u64::from_le_bytes(src.first_chunk().copied().unwrap_or_else(|| {
        let mut bytes = [filler; 8];
        bytes[..src.len()].copy_from_slice(src);
        bytes
    }))
}

/// Marks the high bit of bytes that end a run: 0x1B, 0x0E, 0x0F and what is not ASCII. Above the lowest one marked, bytes
/// may be marked that do not.
#[inline(always)]
fn ends_run(word: u64) -> u64 {
    let zeros = |word: u64| word.wrapping_sub(all(0x01)) & !word;
    let escapes = zeros(word ^ all(0x1B));
    let shifts = zeros((word & all(0xFE)) ^ all(0x0E));
    (escapes | shifts | word) & all(0x80)
}

/// Copies words to `to[len..]`, with `change` made to their bits, up to the first byte that `marks` marks; returns how
/// many bytes that is. `marks` marks the filler.
#[inline(always)]
fn copy_run(
    src: &[u8],
    filler: u8,
    to: &mut [u8],
    marks: impl Fn(u64) -> u64,
    change: impl Fn(u64) -> u64,
) -> usize {
    let mut at = 0;
    loop {
        let word = word(&src[at..], filler);
        if let Some(to) = to[at..].first_chunk_mut() {
            *to = change(word).to_le_bytes();
        }
        // A branch, so that the next word does not wait for this one.
        match marks(word) {
            0 => at += 8,
            marks => return at + (marks.trailing_zeros() / 8) as usize,
        }
    }
}

pub(super) fn strip(to: &mut Stripped, src: &[u8], in_pairs: bool, must_have_output: bool) {
    to.blocks.fill(Block::default());
    let (mut in_pairs, mut must_have_output) = (in_pairs, must_have_output);
    let (mut at, mut len) = (0, 0);
    loop {
        let high = if in_pairs { all(0x80) } else { 0 };
        let run = copy_run(&src[at..], 0x1B, &mut to.bytes[len..], ends_run, |word| {
            word | high
        });
        keep(&mut to.blocks, at, run, in_pairs);
        at += run;
        len += run;
        let next = match src[at..] {
            [0x1B, b'$', b'B' | b'@', ..] => true,
            [0x1B, b'(', b'B', ..] => false,
            _ => break,
        };
        // What changes nothing is allowed, and left to the codec.
        if next == in_pairs || (must_have_output && run == 0) {
            break;
        }
        in_pairs = next;
        must_have_output = true;
        at += 3;
    }
    let mut before = 0;
    for block in &mut to.blocks {
        block.before = before;
        before += block.kept.count_ones() as u16;
    }
    to.len = len;
}

/// Takes note that `len` bytes from `start` on were kept.
fn keep(blocks: &mut [Block], start: usize, len: usize, in_pairs: bool) {
    let (mut at, end) = (start, start + len);
    while at < end {
        let in_block = (64 - at % 64).min(end - at);
        let bits = (u64::MAX >> (64 - in_block)) << (at % 64);
        if let Some(block) = blocks.get_mut(at / 64) {
            block.kept |= bits;
            block.pairs |= if in_pairs { bits } else { 0 };
        }
        at += in_block;
    }
}

pub(super) fn insert(in_pairs: &mut bool, src: &[u8], to: &mut [u8; ESCAPED]) -> usize {
    let (mut at, mut len) = (0, 0);
    loop {
        let high = if *in_pairs { all(0x80) } else { 0 };
        // Behind the end comes the other kind.
        let filler = if *in_pairs { 0 } else { 0x80 };
        let marks = |word: u64| (word ^ high) & all(0x80);
        let run = copy_run(&src[at..], filler, &mut to[len..], marks, |word| {
            word & all(0x7F)
        });
        at += run;
        len += run;
        if at == src.len() {
            return len;
        }
        *in_pairs = !*in_pairs;
        let escape = if *in_pairs { TO_PAIRS } else { TO_ASCII };
        if let Some(to) = to[len..].first_chunk_mut() {
            *to = escape;
        }
        len += escape.len();
    }
}
