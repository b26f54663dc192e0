//! Repairs lines of UTF-8 that were encoded twice.

use super::{History, Undone, starts, undo};
use mojika::{BomHandling, Encoding, UTF_8, mem};
use std::io::{self, BufRead, BufReader, Read};

/// The length in bytes beyond which a line is passed on unchanged, in pieces.
const LONGEST_LINE: u64 = 1 << 20;

/// The maximum number of listed lines.
const MOST: usize = 1000;

/// A line that was encoded twice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repaired {
    /// Its number, from 1.
    pub line: u64,
    /// The line before the repair.
    pub before: String,
    /// The line after the repair.
    pub after: String,
    /// The encodings in which it was decoded, the last one first.
    pub readings: Vec<&'static Encoding>,
}

/// Reads UTF-8 text, and repairs lines that were encoded twice.
pub struct RepairReader<R> {
    inner: BufReader<R>,
    /// The finished lines.
    block: Vec<u8>,
    given: usize,
    is_within_line: bool,
    lines: Lines,
}

/// The lines that were encoded twice.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Repairs {
    /// The number of repaired lines.
    pub count: u64,
    /// The number of ambiguous lines, which stay.
    pub ambiguous: u64,
    /// The number of the first ambiguous line, from 1.
    pub first_ambiguous: u64,
    /// The first repaired lines.
    pub repaired: Vec<Repaired>,
}

/// The state of the lines so far.
#[derive(Default)]
struct Lines {
    /// The number of lines.
    count: u64,
    history: History,
    found: Repairs,
}

impl<R: Read> RepairReader<R> {
    /// Creates a reader that repairs the lines of `inner`.
    pub fn new(inner: R) -> Self {
        Self {
            inner: BufReader::with_capacity(64 << 10, inner),
            block: Vec::new(),
            given: 0,
            is_within_line: false,
            lines: Lines::default(),
        }
    }

    /// Returns the lines that were encoded twice.
    pub fn into_found(self) -> Repairs {
        self.lines.found
    }

    /// Processes the available lines, or at least one.
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
        } else if let Ok(decoded) = UTF_8.decode_fatal(lines, BomHandling::Keep) {
            self.lines.undo_lines(&decoded.text, &mut self.block);
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
        // The converter reports malformed lines.
        let text = std::str::from_utf8(line).ok().filter(|_| !is_long);
        if let Some(undone) = text.and_then(|text| self.lines.undo(text)) {
            self.block = undone.into_bytes();
        }
        Ok(())
    }
}

impl Lines {
    /// Appends repaired lines. Each ends with U+000A.
    fn undo_lines(&mut self, text: &str, block: &mut Vec<u8>) {
        let bytes = text.as_bytes();
        // Correct text is copied, and its lines are counted, in one step.
        let (mut copied, mut counted, mut at) = (0, 0, 0);
        loop {
            let line_from = at;
            at += mem::ascii_prefix_len(&bytes[at..]);
            let Some(end) = memchr::memchr(b'\n', &bytes[at..]) else {
                break;
            };
            let (first, end) = (at, at + end + 1);
            at = end;
            if starts::is_excluded(&text[first..]) {
                continue;
            }
            let before = memchr::memrchr(b'\n', &bytes[line_from..first]);
            let begin = before.map_or(line_from, |last| line_from + last + 1);
            self.count += count_lines(&bytes[counted..end]);
            counted = end;
            if let Some(undone) = self.undo(&text[begin..end]) {
                block.extend_from_slice(&bytes[copied..begin]);
                block.extend_from_slice(undone.as_bytes());
                copied = end;
            }
        }
        self.count += count_lines(&bytes[counted..]);
        block.extend_from_slice(&bytes[copied..]);
    }

    /// Returns the repaired last line, if it was encoded twice.
    fn undo(&mut self, line: &str) -> Option<String> {
        let (after, readings) = match undo(line, &mut self.history) {
            Undone::Text(after, readings) => (after, readings),
            Undone::Clean => return None,
            Undone::Ambiguous => {
                if self.found.ambiguous == 0 {
                    self.found.first_ambiguous = self.count;
                }
                self.found.ambiguous += 1;
                return None;
            }
        };
        self.found.count += 1;
        if self.found.repaired.len() < MOST {
            self.found.repaired.push(Repaired {
                line: self.count,
                before: line.to_owned(),
                after: after.clone(),
                readings,
            });
        }
        Some(after)
    }
}

/// Returns the number of lines that end in the text.
fn count_lines(text: &[u8]) -> u64 {
    memchr::memchr_iter(b'\n', text).count() as u64
}

impl<R: Read> Read for RepairReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.given == self.block.len() {
            self.next_block()?;
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

    /// A reader whose input arrives in pieces of these lengths, repeated cyclically.
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

    #[test]
    fn lines_are_the_same_however_the_input_is_split() {
        let text = b"ascii\ncaf\xC3\x83\xC2\xA9\nok\ncaf\xC3\xA9\n\xFF caf\xC3\x83\xC2\xA9\r\nna\xC3\x83\xC2\xAFve\n\nend \xC3\x83\xC2\xA9";
        let text = text.repeat(40);
        let of = |lengths: Vec<usize>| {
            let mut reader = RepairReader::new(Pieces(&text, lengths, 0));
            let mut read = Vec::new();
            reader.read_to_end(&mut read).unwrap();
            (read, reader.into_found())
        };
        let whole = of(vec![usize::MAX]);
        // A malformed line stays.
        assert_eq!(whole.1.count, 3 * 40);
        assert!(whole.0.starts_with("ascii\ncafé\nok\ncafé\n".as_bytes()));
        for lengths in [vec![1], vec![7, 60, 1], vec![100], vec![5000]] {
            assert!(of(lengths.clone()) == whole, "{lengths:?}");
        }
    }

    #[test]
    fn lines_are_undone_one_by_one() {
        let long = "é".repeat(1 << 20);
        let text = format!("cafÃ©\nok\nPrÃ¼fung é\n{long}\ncafÃ©");
        let mut reader = RepairReader::new(text.as_bytes());
        let mut read = String::new();
        reader.read_to_string(&mut read).unwrap();
        assert_eq!(read, format!("café\nok\nPrÃ¼fung é\n{long}\ncafé"));
        let found = reader.into_found();
        assert_eq!(found.count, 2);
        let lines: Vec<_> = found.repaired.iter().map(|one| one.line).collect();
        assert_eq!(lines, [1, 5]);
    }

    /// Including its end, at the limit and one byte beyond.
    #[test]
    fn a_line_is_looked_at_that_is_as_long_as_it_may_be() {
        let twice = "cafÃ©";
        for (more, end, count) in [(0, "\n", 1), (1, "\n", 0), (0, "", 1)] {
            let length = LONGEST_LINE as usize + more - twice.len() - 1;
            let text = format!("{} {twice}{end}", "x".repeat(length - end.len()));
            let text = match end {
                // The line may continue after this piece.
                "" => text[1..].to_owned(),
                _ => text,
            };
            let mut reader = RepairReader::new(text.as_bytes());
            let mut read = String::new();
            reader.read_to_string(&mut read).unwrap();
            let expected = match count {
                1 => text.replace(twice, "café"),
                _ => text.clone(),
            };
            assert!(read == expected, "{more} and {end:?}");
            assert_eq!(reader.into_found().count, count);
        }
    }

    /// All lines are repaired, and the first ones listed; pieces of long lines stay.
    #[test]
    fn lines_beyond_a_limit_are_counted_and_pieces_of_long_ones_stay() {
        let twice = "cafÃ©\n";
        for (count, listed) in [(999, 999), (1000, 1000), (1001, 1000)] {
            let text = twice.repeat(count);
            let mut reader = RepairReader::new(text.as_bytes());
            let mut read = String::new();
            reader.read_to_string(&mut read).unwrap();
            assert!(read == "café\n".repeat(count), "{count}");
            let found = reader.into_found();
            assert_eq!((found.count, found.repaired.len()), (count as u64, listed));
        }
        let text = format!("{} {twice}{twice}", "x".repeat(1 << 20));
        let mut reader = RepairReader::new(text.as_bytes());
        let mut read = String::new();
        reader.read_to_string(&mut read).unwrap();
        assert!(read == text.replacen(&format!("\n{twice}"), "\ncafé\n", 1));
        assert_eq!(reader.into_found().repaired[0].line, 2);
    }
}
