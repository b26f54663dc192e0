//! Finds the parts of a text whose non-ASCII bytes differ from the rest, so that they may be in another encoding.
//!
//! Several programs may write to one log, and files may be joined. Single-byte encodings decode each other's text
//! without an error, so a decision on the whole text may be wrong for a part. Bytes are therefore counted by line, and
//! detection examines the parts that differ most. A heading in upper case differs too, although its encoding is the same.

use crate::engine::Place;
use mojika::mem;

/// The minimum number of non-ASCII bytes in a part; the last part may have fewer.
const PART: u32 = 64;
const LAST: u32 = 24;

/// The number of bytes of a line that are counted, from the first non-ASCII byte on.
const COUNTED: usize = 64;

/// The maximum number of bytes of a part that are kept.
const KEPT: usize = 4096;

/// The maximum number of parts that are kept.
const MAX_PARTS: usize = 8;

/// The distance from the rest of the text, from 0 to 2, from which on a part is examined. A part of 64 bytes in the
/// same encoding has a distance of about 0.3.
const UNLIKE: f32 = 0.8;

/// The minimum distance of the line that is reported as the first one in another encoding.
const UNLIKE_LINE: f32 = 1.4;

/// The expected distance of a single byte from a text in the same encoding. It falls with the root of the length.
const CHANCE: f32 = 4.0;

/// The numbers of bytes by their upper five bits. Only the second half is non-ASCII, but counting all is faster.
#[derive(Clone, Copy, Debug, Default)]
struct Counts([u32; 32]);

impl Counts {
    fn add(&mut self, bytes: &[u8]) {
        // Four arrays of counts, because incrementing the same one twice in a row is slow.
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

    fn add_all(&mut self, other: &Self) {
        for (sum, count) in self.0.iter_mut().zip(other.0) {
            *sum += count;
        }
    }

    fn subtract(&mut self, other: &Self) {
        for (sum, count) in self.0.iter_mut().zip(other.0) {
            *sum -= count;
        }
    }

    /// Returns the amount by which the distance exceeds the expected distance of bytes in the same encoding.
    fn excess(&self, rest: &[u64; 16]) -> f32 {
        self.distance(rest) - CHANCE / (self.total().max(1) as f32).sqrt()
    }

    /// Returns the counts of non-ASCII bytes, in the format of the parameter `rest` of other methods.
    fn as_rest(&self) -> [u64; 16] {
        core::array::from_fn(|number| self.beyond_ascii()[number].into())
    }

    /// Returns the sum of the differences of all frequencies: 0 if they are equal, 2 if they have no byte in common.
    fn distance(&self, rest: &[u64; 16]) -> f32 {
        let (own, others) = (u64::from(self.total()), rest.iter().sum::<u64>());
        if own == 0 || others == 0 {
            return 0.0;
        }
        // A common denominator needs only one division.
        let both = self.beyond_ascii().iter().zip(rest);
        let differences = both.map(|(&one, other)| (u64::from(one) * others).abs_diff(other * own));
        differences.sum::<u64>() as f32 / (own * others) as f32
    }
}

/// A part of a text. It has whole lines, except ASCII lines.
#[derive(Clone, Debug, Default)]
struct Part {
    bytes: Vec<u8>,
    /// The position of each line in the text, and the end of the line in `bytes`.
    lines: Vec<(Place, usize)>,
    counts: Counts,
}

impl Part {
    fn clear(&mut self) {
        self.bytes.clear();
        self.lines.clear();
        self.counts = Counts::default();
    }

    /// Returns the lines with their positions and counts.
    fn lines(&self) -> Vec<Line<'_>> {
        let mut start = 0;
        let lines = self.lines.iter().map(|&(place, end)| {
            let bytes = &self.bytes[start..end];
            start = end;
            let mut counts = Counts::default();
            counts.add(bytes);
            Line {
                place,
                bytes,
                counts,
            }
        });
        lines.collect()
    }

    /// Appends the lines of another part, without their counts.
    fn append(&mut self, other: &Self) {
        let start = self.bytes.len();
        self.bytes.extend_from_slice(&other.bytes);
        let lines = other.lines.iter();
        self.lines
            .extend(lines.map(|&(place, end)| (place, start + end)));
    }

    /// Returns the lines that differ from `rest`, with the position of the first. If the whole part differs, these are
    /// the lines that differ alone, or all lines if no line does. Otherwise they are a group of lines at the start or
    /// the end of the part, because the other encoding may begin or end within it.
    fn unlike(&self, rest: &[u64; 16], is_unlike: bool) -> Vec<(Place, Vec<u8>)> {
        let lines = self.lines();
        let alone = lines
            .iter()
            .filter(|line| line.counts.distance(rest) > UNLIKE_LINE);
        let alone: Vec<_> = alone.collect();
        let mut found = Vec::new();
        if is_unlike {
            found.push(match alone.is_empty() {
                true => joined(&lines),
                false => joined(alone),
            });
        }
        let most_unlike = |split: &Split| {
            let sides = [&split.before, &split.after].into_iter();
            let enough = sides.filter(|side| side.total() >= LAST);
            enough.map(|side| side.excess(rest)).fold(0.0, f32::max)
        };
        if let Some(at) = best_split(&lines, most_unlike) {
            found.extend(sides_of(&lines, at));
        }
        found.into_iter().flatten().collect()
    }

    /// Returns the two halves of a text that has only one part, if they differ.
    fn unlike_itself(&self) -> Vec<(Place, Vec<u8>)> {
        let lines = self.lines();
        let between = |split: &Split| {
            let mut sides = [&split.before, &split.after];
            sides.sort_by_key(|side| side.total());
            let [less, more] = sides;
            match less.total() >= LAST {
                true => less.excess(&more.as_rest()),
                false => 0.0,
            }
        };
        let found = best_split(&lines, between).map(|at| sides_of(&lines, at));
        found.into_iter().flatten().flatten().collect()
    }
}

/// A line of a part.
struct Line<'p> {
    place: Place,
    bytes: &'p [u8],
    counts: Counts,
}

/// Returns adjacent lines as one text, with the position of the first line.
fn joined<'l>(lines: impl IntoIterator<Item = &'l Line<'l>>) -> Option<(Place, Vec<u8>)> {
    let mut lines = lines.into_iter().peekable();
    let place = lines.peek()?.place;
    Some((place, lines.flat_map(|line| line.bytes).copied().collect()))
}

/// The counts of the lines before and after a split.
struct Split {
    before: Counts,
    after: Counts,
}

/// Returns the lines before and the lines after a split; `None` for a side with fewer than [`LAST`] non-ASCII bytes.
fn sides_of(lines: &[Line<'_>], at: usize) -> [Option<(Place, Vec<u8>)>; 2] {
    [&lines[..at], &lines[at..]].map(|side| {
        let total: u32 = side.iter().map(|line| line.counts.total()).sum();
        joined(side).filter(|_| total >= LAST)
    })
}

/// Returns the number of lines before the split with the highest score, if that score is above 0.
fn best_split(lines: &[Line<'_>], score: impl Fn(&Split) -> f32) -> Option<usize> {
    let mut split = Split {
        before: Counts::default(),
        after: Counts::default(),
    };
    for line in lines {
        split.after.add_all(&line.counts);
    }
    let mut best = (0.0, None);
    for (number, line) in lines.iter().enumerate() {
        split.before.add_all(&line.counts);
        split.after.subtract(&line.counts);
        let score = score(&split);
        if score > best.0 {
            best = (score, Some(number + 1));
        }
    }
    best.1
}

/// Collects the parts of a text line by line.
#[derive(Clone, Debug, Default)]
pub struct PartCollector {
    /// The counts of all parts, and the number of parts.
    all: [u64; 16],
    ended: u64,
    current: Part,
    /// The first part, and the parts that differed from the text before them.
    kept: Vec<Part>,
    /// The last complete part if it was not added to `kept`; otherwise empty.
    last: Part,
    /// True if the last part in `kept` was added only because it is the end of the text.
    ends_like: bool,
}

impl PartCollector {
    /// Adds a line, which begins at `place`.
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
        let counts = &self.current.counts;
        let is_first = self.kept.is_empty();
        let distance = counts.distance(&self.all);
        self.ended += 1;
        for (all, one) in self.all.iter_mut().zip(counts.beyond_ascii()) {
            *all += u64::from(*one);
        }
        if is_first || distance > UNLIKE && self.kept.len() < MAX_PARTS {
            self.kept.push(std::mem::take(&mut self.current));
            self.last.clear();
        } else {
            // Few parts are kept, so the next part reuses the memory of this part.
            std::mem::swap(&mut self.last, &mut self.current);
            self.current.clear();
        }
    }

    /// Ends the text.
    pub fn finish(&mut self) {
        // Of long lines, only a part was counted.
        self.current.counts = Counts::default();
        self.current.counts.add(&self.current.bytes);
        if self.current.counts.total() >= LAST {
            self.end();
        } else if !self.last.lines.is_empty() {
            self.last.append(&self.current);
        }
        if !self.last.lines.is_empty() {
            self.kept.push(std::mem::take(&mut self.last));
            self.ends_like = true;
        }
    }

    /// Returns the lines that differ from the other text or from the text before them, by part, with their positions.
    pub(crate) fn unlike(&self) -> impl Iterator<Item = (Place, Vec<u8>)> {
        self.kept.iter().enumerate().flat_map(|(number, part)| {
            if self.ended == 1 {
                return part.unlike_itself();
            }
            let mut rest = self.all;
            for (rest, own) in rest.iter_mut().zip(part.counts.beyond_ascii()) {
                *rest -= u64::from(*own);
            }
            // Any other kept part differs from the text before it. That text may be shorter than the part.
            let is_edge = number == 0 || self.ends_like && number + 1 == self.kept.len();
            part.unlike(&rest, !is_edge || part.counts.distance(&rest) > UNLIKE)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use mojika::{Encoding, KOI8_R, MACINTOSH, WINDOWS_1251, WINDOWS_1252};

    /// Returns the offsets of the parts that differ from the rest.
    fn unlike(pieces: &[(&str, &'static Encoding)]) -> Vec<u64> {
        let (mut parts, mut offset) = (PartCollector::default(), 0);
        for (text, encoding) in pieces {
            for line in text.split_inclusive('\n') {
                let bytes = encoding.encode(line).unwrap();
                parts.add(&bytes, Place::at(offset));
                offset += bytes.len() as u64;
            }
        }
        parts.finish();
        let mut offsets: Vec<_> = parts.unlike().map(|(place, _)| place.offset).collect();
        offsets.dedup();
        offsets
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
        // Text in upper case also differs, but detection finds the same encoding.
        assert!(!unlike(&[(&much, KOI8_R), (&little.to_uppercase(), KOI8_R)]).is_empty());
        // Each line has few letters, and the other encoding begins within a part.
        let line = "une école très loin, où l'on a mangé\n";
        let (much, little) = (line.repeat(303), line.repeat(9));
        let at = WINDOWS_1252.encode(&much).unwrap().len() as u64;
        let both = [(&*much, WINDOWS_1252), (&*little, MACINTOSH)];
        // In a part that begins in the first encoding, a line or two may be missed.
        let found = unlike(&both)[0];
        assert!(
            (at..at + 2 * line.len() as u64).contains(&found),
            "{at} {found}"
        );
        assert!(unlike(&[(&much, WINDOWS_1252), (&little, WINDOWS_1252)]).is_empty());
    }

    /// True if a change between these encodings is found; in UTF-8, if only one of the pieces is in UTF-8.
    fn is_found(first: (&str, &'static Encoding), second: (&str, &'static Encoding)) -> bool {
        let mut parts = PartCollector::default();
        let encoded = [first, second].map(|(text, encoding)| encoding.encode(text).unwrap());
        for line in encoded
            .iter()
            .flat_map(|text| text.split_inclusive(|&byte| byte == b'\n'))
        {
            parts.add(line, Place::at(0));
        }
        parts.finish();
        let pure = |piece: &[u8]| {
            encoded
                .iter()
                .any(|text| text[..].ends_with(piece) || text.starts_with(piece))
        };
        parts.unlike().any(|(_, piece)| pure(&piece))
    }

    /// The other encoding may begin within the last part, or end within the first part.
    #[test]
    fn a_short_part_at_an_end_is_found_wherever_parts_are_divided() {
        let line = "строка журнала с текстом\n";
        let short = "другая строка\nи ещё одна строка\n";
        for count in 10..20 {
            let long = line.repeat(count);
            assert!(is_found((&long, KOI8_R), (short, WINDOWS_1251)), "{count}");
            assert!(is_found((short, WINDOWS_1251), (&long, KOI8_R)), "{count}");
        }
        // Both pieces are short, so they form one part of the text.
        assert!(is_found((short, KOI8_R), (short, WINDOWS_1251)));
        assert!(!is_found((short, KOI8_R), (short, KOI8_R)));
        // Most letters of the line are far from the first one.
        let long = line.repeat(40);
        let last = format!("и: {}{}\n", "a".repeat(80), short.replace('\n', " "));
        assert!(is_found((&long, KOI8_R), (&last, WINDOWS_1251)));
    }
}
