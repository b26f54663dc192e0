//! Parts of a text whose bytes beyond ASCII are unlike those of the rest: they may be in another encoding.
//!
//! A log goes on in the encoding of another program, and files are put together. Two encodings of one byte a character read
//! each other's text without an error, and what decides on the whole may not show in a part. So bytes are counted by the line,
//! and detection looks at the parts in which they differ most: a heading in upper case is such a part, too, and is in the
//! encoding of the rest.

use crate::engine::Place;
use mojika::mem;

/// Bytes beyond ASCII in a part, at least; of the last one, fewer are enough.
const PART: u32 = 64;
const LAST: u32 = 24;

/// Bytes of a line that are counted, from the first one beyond ASCII on.
const COUNTED: usize = 64;

/// Bytes of a part that are kept.
const KEPT: usize = 4096;

/// Parts that are kept.
const MOST: usize = 8;

/// How unlike the rest a part is, from 0 to 2, that is looked at. A part of 64 bytes in the same encoding is at about 0.3.
const UNLIKE: f32 = 0.8;

/// How unlike the rest the lines of such a part are that are in another encoding: the first ones may not be.
const UNLIKE_LINE: f32 = 1.4;

/// How often bytes come, by their first five bits. Those beyond ASCII are the second half; counting all is faster.
#[derive(Clone, Copy, Debug, Default)]
struct Counts([u32; 32]);

impl Counts {
    fn add(&mut self, bytes: &[u8]) {
        // In four counts of each, because raising one count twice in a row is slow.
        let mut counts = [[0_u32; 32]; 4];
        let (fours, rest) = bytes.as_chunks::<4>();
        for four in fours {
            for (counts, byte) in counts.iter_mut().zip(four) {
                counts[usize::from(byte >> 3)] += 1;
            }
        }
        for byte in rest {
            counts[0][usize::from(byte >> 3)] += 1;
        }
        for counts in counts {
            for (sum, count) in self.0.iter_mut().zip(counts) {
                *sum += count;
            }
        }
    }

    fn beyond_ascii(&self) -> &[u32] {
        &self.0[16..]
    }

    fn total(&self) -> u32 {
        self.beyond_ascii().iter().sum()
    }

    /// The sum of the differences of all frequencies: 0 if they are the same, 2 if the bytes are all others.
    fn distance(&self, rest: &[u64; 16]) -> f32 {
        let (own, others) = (self.total() as f32, rest.iter().sum::<u64>() as f32);
        if own == 0.0 || others == 0.0 {
            return 0.0;
        }
        let both = self.beyond_ascii().iter().zip(rest);
        both.map(|(&one, &other)| (one as f32 / own - other as f32 / others).abs())
            .sum()
    }
}

/// A part of a text: lines, without those of ASCII.
#[derive(Clone, Debug, Default)]
struct Part {
    bytes: Vec<u8>,
    /// Where each line begins in the text, and where it ends in `bytes`.
    lines: Vec<(Place, usize)>,
    counts: Counts,
}

impl Part {
    /// The lines that are unlike `rest`, and where the first of them begins; all of them if none is by itself.
    fn unlike(&self, rest: &[u64; 16]) -> Option<(Place, Vec<u8>)> {
        let mut start = 0;
        let lines = self.lines.iter().map(|&(place, end)| {
            let line = &self.bytes[start..end];
            start = end;
            let mut counts = Counts::default();
            counts.add(line);
            (place, line, counts.distance(rest))
        });
        let unlike: Vec<_> = lines.filter(|line| line.2 > UNLIKE_LINE).collect();
        match unlike.first() {
            Some(&(place, ..)) => {
                let lines = unlike.iter().map(|&(_, line, _)| line);
                Some((place, lines.collect::<Vec<_>>().concat()))
            }
            None => Some((self.lines.first()?.0, self.bytes.clone())),
        }
    }
}

/// The parts of a text that is read line by line.
#[derive(Clone, Debug, Default)]
pub struct Parts {
    /// The counts of all parts.
    all: [u64; 16],
    current: Part,
    /// The first one, and those that were unlike what preceded them.
    kept: Vec<Part>,
}

impl Parts {
    /// Takes a line, which begins at `place`.
    pub fn add(&mut self, line: &[u8], place: Place) {
        let ascii = mem::ascii_prefix_len(line);
        if ascii == line.len() {
            return;
        }
        let current = &mut self.current;
        current
            .counts
            .add(&line[ascii..line.len().min(ascii + COUNTED)]);
        let left = KEPT.saturating_sub(current.bytes.len());
        current
            .bytes
            .extend_from_slice(&line[..line.len().min(left)]);
        current.lines.push((place, current.bytes.len()));
        if current.counts.total() >= PART {
            self.end();
        }
    }

    fn end(&mut self) {
        let part = &mut self.current;
        let is_first = self.kept.is_empty();
        let distance = part.counts.distance(&self.all);
        for (all, one) in self.all.iter_mut().zip(part.counts.beyond_ascii()) {
            *all += u64::from(*one);
        }
        if is_first || distance > UNLIKE && self.kept.len() < MOST {
            self.kept.push(std::mem::take(part));
        } else {
            part.bytes.clear();
            part.lines.clear();
            part.counts = Counts::default();
        }
    }

    /// Ends the text.
    pub fn finish(&mut self) {
        if self.current.counts.total() >= LAST {
            self.end();
        }
    }

    /// Lines that are unlike the rest of the text or what precedes them, part by part, and where each begins.
    pub fn unlike(&self) -> impl Iterator<Item = (Place, Vec<u8>)> {
        self.kept.iter().enumerate().filter_map(|(number, part)| {
            let mut rest = self.all;
            for (rest, own) in rest.iter_mut().zip(part.counts.beyond_ascii()) {
                *rest -= u64::from(*own);
            }
            // The others were unlike what preceded them, and that may be the smaller part.
            let is_unlike = number > 0 || part.counts.distance(&rest) > UNLIKE;
            is_unlike.then(|| part.unlike(&rest)).flatten()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mojika::{Encoding, KOI8_R, MACINTOSH, WINDOWS_1251, WINDOWS_1252};

    /// The offsets of the parts that are unlike the rest.
    fn unlike(pieces: &[(&str, &'static Encoding)]) -> Vec<u64> {
        let (mut parts, mut offset) = (Parts::default(), 0);
        for (text, encoding) in pieces {
            for line in text.split_inclusive('\n') {
                let bytes = encoding.encode(line).unwrap();
                parts.add(&bytes, Place::at(offset));
                offset += bytes.len() as u64;
            }
        }
        parts.finish();
        parts.unlike().map(|(place, _)| place.offset).collect()
    }

    #[test]
    fn a_part_in_another_encoding_is_unlike_the_rest() {
        let line = "строка журнала с русским текстом и ошибкой\n";
        let (much, little) = (line.repeat(300), line.repeat(2));
        let length = much.len() as u64;
        let ascii = "no letters beyond ASCII\n".repeat(9);
        for (first, second) in [(WINDOWS_1251, KOI8_R), (KOI8_R, WINDOWS_1251)] {
            assert!(unlike(&[(&much, first)]).is_empty());
            let at = KOI8_R.encode(&much).unwrap().len() as u64;
            assert!(at < length);
            assert_eq!(unlike(&[(&much, first), (&little, second)]), [at]);
            assert_eq!(unlike(&[(&little, second), (&much, first)])[0], 0);
            let after = at + ascii.len() as u64;
            let three = [(&*much, first), (&*ascii, first), (&*little, second)];
            assert_eq!(unlike(&three), [after]);
        }
        // Another case is unlike, too, and detection finds it the same.
        assert!(!unlike(&[(&much, KOI8_R), (&little.to_uppercase(), KOI8_R)]).is_empty());
        // Few letters in each line, and the other encoding begins within a part.
        let line = "une école très loin, où l'on a mangé\n";
        let (much, little) = (line.repeat(303), line.repeat(9));
        let at = WINDOWS_1252.encode(&much).unwrap().len() as u64;
        let both = [(&*much, WINDOWS_1252), (&*little, MACINTOSH)];
        // A line or two go unnoticed in a part of the first encoding.
        let found = unlike(&both)[0];
        assert!(
            (at..at + 2 * line.len() as u64).contains(&found),
            "{at} {found}"
        );
        assert!(unlike(&[(&much, WINDOWS_1252), (&little, WINDOWS_1252)]).is_empty());
    }
}
