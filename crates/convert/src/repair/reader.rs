//! Reads UTF-8, and repairs the lines that were encoded twice.

use super::readings::{CHUNK, Signs, is_excluded};
use super::{Finding, History, Undone, undo_of};
use mojika::{BomHandling, UTF_8, mem};
use std::io::{self, BufRead, BufReader, Read};

/// The maximum length of a line to repair. Longer lines are passed on in pieces, unchanged.
const LONGEST_LINE: u64 = 1 << 20;

/// The maximum number of repaired lines that are listed.
const MAX_LINES: usize = 1000;

/// The number of bytes that [`Treatment::Look`] examines in any text, at little cost.
const LOOKED_AT: u64 = 64 << 10;

/// The treatment of lines that were decoded in the wrong encoding.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Treatment {
    /// Lines are not looked at.
    #[default]
    Ignore,
    /// If the first 64 KiB have such a line, all such lines are counted.
    Look,
    /// All such lines are counted.
    Count,
    /// All such lines are repaired.
    Undo,
}

/// Reads UTF-8 text, and returns it with the lines that were decoded in the wrong encoding counted or repaired.
pub struct RepairReader<R> {
    inner: BufReader<R>,
    /// The finished lines.
    block: Vec<u8>,
    given: usize,
    is_within_line: bool,
    lines: Lines,
    found: Repairs,
    treatment: Treatment,
    /// The number of bytes that have been examined.
    looked_at: u64,
}

/// The lines that were encoded twice.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Repairs {
    /// The number of lines that were repaired.
    pub count: u64,
    /// The number of ambiguous lines, which stay.
    pub ambiguous: u64,
    /// The line number of the first ambiguous line, from 1.
    pub first_ambiguous: u64,
    /// The names of the encodings that may explain the first ambiguous line.
    pub may_be: Vec<&'static str>,
    /// The findings about the first repaired lines.
    pub repaired: Vec<Finding>,
}

/// The state after the lines that have been read.
#[derive(Default)]
pub struct Lines {
    /// The number of lines.
    count: u64,
    history: History,
}

impl<R: Read> RepairReader<R> {
    /// Returns a reader that applies `treatment` to the lines of `inner`.
    pub fn new(inner: R, treatment: Treatment) -> Self {
        Self {
            inner: BufReader::with_capacity(64 << 10, inner),
            block: Vec::new(),
            given: 0,
            is_within_line: false,
            lines: Lines::default(),
            found: Repairs::default(),
            treatment,
            looked_at: 0,
        }
    }

    /// Returns the lines that were encoded twice.
    #[cfg(feature = "files")]
    pub fn into_found(self) -> Repairs {
        self.found
    }

    /// Processes the buffered lines; if there are none, reads one line first.
    fn next_block(&mut self) -> io::Result<()> {
        self.block.clear();
        self.given = 0;
        let at_hand = self.inner.fill_buf()?;
        let length = memchr::memrchr(b'\n', at_hand).map_or(0, |last| last + 1);
        let lines = &at_hand[..length];
        if length == 0 || self.is_within_line {
            return self.next_line();
        }
        if lines.is_ascii() {
            self.lines.count += count_lines(lines);
            self.block.extend_from_slice(lines);
        } else if let Ok(decoded) = UTF_8.with(BomHandling::Keep).decode_fatal(lines) {
            let (text, block, found) = (&*decoded.text, &mut self.block, &mut self.found);
            let (mut copied, undoes) = (0, self.treatment == Treatment::Undo);
            self.lines.each(text, &mut |place, line, undone| {
                let end = end_of_line(text, place);
                if let Some(after) = found
                    .add(line, &text[place..end], undone)
                    .filter(|_| undoes)
                {
                    block.extend_from_slice(&text.as_bytes()[copied..place]);
                    block.extend_from_slice(after.as_bytes());
                    copied = end;
                }
            });
            self.block.extend_from_slice(&text.as_bytes()[copied..]);
        } else {
            return self.next_line();
        }
        self.inner.consume(length);
        Ok(())
    }

    fn next_line(&mut self) -> io::Result<()> {
        let mut piece = (&mut self.inner).take(LONGEST_LINE);
        piece.read_until(b'\n', &mut self.block)?;
        let line = &self.block;
        let was_within_line = self.is_within_line;
        self.is_within_line = line.last() != Some(&b'\n');
        self.lines.count += u64::from(!was_within_line);
        let is_long = was_within_line || self.is_within_line && line.len() as u64 == LONGEST_LINE;
        // Malformed lines are passed on, because the converter reports them.
        let text = std::str::from_utf8(line).ok().filter(|_| !is_long);
        if let Some(text) = text {
            let undone = undo_of(text, &mut self.lines.history, Signs::of(line));
            let after = self.found.add(self.lines.count, text, undone);
            if let Some(after) = after.filter(|_| self.treatment == Treatment::Undo) {
                self.block = after.into_bytes();
            }
        }
        Ok(())
    }
}

impl Repairs {
    /// Records the result for a line; returns the original, if there is one.
    fn add(&mut self, line: u64, before: &str, undone: Undone) -> Option<String> {
        let finding = undone.finding(line, before)?;
        let Some(after) = &finding.after else {
            if self.ambiguous == 0 {
                self.first_ambiguous = line;
                let read_as = finding.misreadings.iter().map(|one| one.read_as.name());
                self.may_be = read_as.collect();
            }
            self.ambiguous += 1;
            return None;
        };
        self.count += 1;
        let after = after.clone();
        if self.repaired.len() < MAX_LINES {
            self.repaired.push(finding);
        }
        Some(after)
    }
}

/// Counts the lines of a text in UTF-8 that were decoded in the wrong encoding.
///
/// # Errors
///
/// Fails if the text cannot be read.
pub fn count(text: impl Read) -> io::Result<Repairs> {
    let mut reader = RepairReader::new(text, Treatment::Count);
    io::copy(&mut reader, &mut io::sink())?;
    Ok(reader.found)
}

/// Returns the offset of the end of the line that contains the offset `place`.
pub fn end_of_line(text: &str, place: usize) -> usize {
    memchr::memchr(b'\n', &text.as_bytes()[place..]).map_or(text.len(), |at| place + at + 1)
}

impl Lines {
    /// Calls `on_line` for each line that is not clean, with its offset and its number.
    pub fn each(&mut self, text: &str, on_line: &mut dyn FnMut(usize, u64, Undone)) {
        let bytes = text.as_bytes();
        let chunks = Signs::of_chunks(bytes);
        // Correct text is skipped, and its lines are counted together.
        let (mut counted, mut at) = (0, 0);
        while at < bytes.len() {
            let line_from = at;
            at += mem::ascii_prefix_len(&bytes[at..]);
            if at == bytes.len() {
                break;
            }
            let first = at;
            at = end_of_line(text, at);
            let is_excluded = is_excluded(&text[first..]);
            let mut chunks = chunks[first / CHUNK..=(at - 1) / CHUNK].iter();
            let of_line = match chunks.all(|chunk| chunk.is_none()) {
                true => Signs::default(),
                false => Signs::of(&bytes[first..at]),
            };
            if of_line.is_none() && is_excluded {
                continue;
            }
            let before = memchr::memrchr(b'\n', &bytes[line_from..first]);
            let begin = before.map_or(line_from, |last| line_from + last + 1);
            self.count += count_lines(&bytes[counted..begin]);
            counted = begin;
            let undone = undo_of(&text[begin..at], &mut self.history, of_line);
            if undone != Undone::Clean {
                on_line(begin, self.count + 1, undone);
            }
        }
        self.count += count_lines(&bytes[counted..]);
    }
}

/// Returns the number of lines that end in the text.
fn count_lines(text: &[u8]) -> u64 {
    memchr::memchr_iter(b'\n', text).count() as u64
}

impl<R: Read> Read for RepairReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.given == self.block.len() {
            let is_found = self.found.count + self.found.ambiguous > 0;
            if self.treatment == Treatment::Look && self.looked_at >= LOOKED_AT && !is_found {
                return self.inner.read(buffer);
            }
            self.next_block()?;
            self.looked_at += self.block.len() as u64;
        }
        let rest = &self.block[self.given..];
        let length = rest.len().min(buffer.len());
        buffer[..length].copy_from_slice(&rest[..length]);
        self.given += length;
        Ok(length)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Input that is read in pieces; their lengths repeat cyclically.
    struct Pieces<'a>(&'a [u8], Vec<usize>, usize);

    impl Read for Pieces<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            let next = self.1[self.2 % self.1.len()];
            self.2 += 1;
            let length = next.min(self.0.len()).min(buffer.len());
            buffer[..length].copy_from_slice(&self.0[..length]);
            self.0 = &self.0[length..];
            Ok(length)
        }
    }

    fn repaired(text: &str) -> (String, Repairs) {
        let mut reader = RepairReader::new(text.as_bytes(), Treatment::Undo);
        let mut read = String::new();
        reader.read_to_string(&mut read).unwrap();
        (read, reader.into_found())
    }

    #[test]
    fn lines_are_the_same_however_the_input_is_split() {
        let text = b"ascii\ncaf\xC3\x83\xC2\xA9\nok\ncaf\xC3\xA9\n\xFF caf\xC3\x83\xC2\xA9\r\nna\xC3\x83\xC2\xAFve\n\nend \xC3\x83\xC2\xA9";
        let text = text.repeat(40);
        let of = |lengths: Vec<usize>| {
            let mut reader = RepairReader::new(Pieces(&text, lengths, 0), Treatment::Undo);
            let mut read = Vec::new();
            reader.read_to_end(&mut read).unwrap();
            (read, reader.into_found())
        };
        let whole = of(vec![usize::MAX]);
        // The malformed line is not repaired.
        assert_eq!(whole.1.count, 3 * 40);
        assert!(whole.0.starts_with("ascii\ncafé\nok\ncafé\n".as_bytes()));
        for lengths in [vec![1], vec![7, 60, 1], vec![100], vec![5000]] {
            assert!(of(lengths.clone()) == whole, "{lengths:?}");
        }
    }

    /// Lines of the maximum length, with and without a line end, and a line that is one byte longer.
    #[test]
    fn a_line_is_looked_at_that_is_as_long_as_it_may_be() {
        let twice = "cafÃ©";
        for (more, end, count) in [(0, "\n", 1), (1, "\n", 0), (0, "", 1)] {
            let length = LONGEST_LINE as usize + more - twice.len() - 1;
            let text = format!("{} {twice}{end}", "x".repeat(length - end.len()));
            let text = match end {
                // A line without an end must be shorter by one byte, because it might continue.
                "" => text[1..].to_owned(),
                _ => text,
            };
            let (read, found) = repaired(&text);
            let expected = match count {
                1 => text.replace(twice, "café"),
                _ => text.clone(),
            };
            assert!(read == expected, "{more} and {end:?}");
            assert_eq!(found.count, count);
        }
    }

    /// All lines are repaired, but only the first ones are listed. Pieces of a long line do not count.
    #[test]
    fn lines_beyond_a_limit_are_counted_and_pieces_of_long_ones_stay() {
        let twice = "cafÃ©\n";
        for (count, listed) in [(999, 999), (1000, 1000), (1001, 1000)] {
            let text = twice.repeat(count);
            let (read, found) = repaired(&text);
            assert!(read == "café\n".repeat(count), "{count}");
            assert_eq!((found.count, found.repaired.len()), (count as u64, listed));
        }
        let text = format!("{} {twice}{twice}", "x".repeat(1 << 20));
        let (read, found) = repaired(&text);
        assert!(read == text.replacen(&format!("\n{twice}"), "\ncafé\n", 1));
        assert_eq!(found.repaired[0].line, 2);
    }
}
