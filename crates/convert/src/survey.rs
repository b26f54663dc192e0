//! Counts the lines of a text that are UTF-8, and those that are not.

mod parts;
mod wide;

pub(crate) use parts::PartCollector;
pub(crate) use wide::Wide;

use crate::bounded;
use crate::engine::{self, LineKind, Place};
use mojika::io::line_end;
use mojika::{BomHandling, Encoding};
use std::collections::BTreeMap;
use std::io::{self, Read};
use std::ops::Range;
use std::sync::{Arc, Mutex};

/// The number of bytes of the lines of each kind that are kept. The last line may exceed it.
const SAMPLE: usize = 64 << 10;

/// The maximum length of a line, in bytes. Longer lines are read in pieces, which count as lines.
const LONGEST_LINE: usize = 1 << 20;

/// The number of malformed sequences at which counting ends, because it is slow and no longer changes their share.
const MOST_MALFORMED: u64 = 1 << 12;

/// The counts over all lines of a text, and its parts in other encodings, by one scan.
#[derive(Debug, Default)]
pub struct Survey {
    /// The first lines that are not UTF-8, up to about `SAMPLE` bytes.
    pub sample: Vec<u8>,
    /// The number of lines in UTF-8, and of lines that are not UTF-8. ASCII lines are not counted.
    lines: [u64; 2],
    /// The first lines of UTF-8 that are not ASCII, up to about `SAMPLE` bytes.
    utf_8: Vec<u8>,
    /// The number of non-ASCII UTF-8 sequences in the lines that are not UTF-8, and the number of malformed sequences
    /// in these lines, counted up to [`MOST_MALFORMED`].
    others: [u64; 2],
    /// The first line that is not UTF-8.
    pub first: Option<Place>,
    /// The parts of the lines other than UTF-8 that may be in a third encoding.
    pub(crate) parts: PartCollector,
    /// The parts in UTF-16.
    pub(crate) wide: Wide,
    /// The first positions of distinct words in UTF-8, in lines of [`LineKind::Other`], up to about [`SAMPLE`] bytes. Each
    /// word includes its neighbouring bytes.
    torn: BTreeMap<Vec<u8>, Place>,
    torn_length: usize,
    /// The part of a line that has been read.
    line: Vec<u8>,
    read: u64,
    /// The number of LF that have been read, and true if text follows the last LF.
    feeds: u64,
    is_within: bool,
}

impl Survey {
    /// Reads a whole text. Without lines, only parts in UTF-16 are searched for.
    ///
    /// # Errors
    ///
    /// Fails if the reader fails.
    pub fn of(mut reader: impl Read, has_lines: bool) -> io::Result<Self> {
        let mut survey = Self::default();
        let mut piece = vec![0; SAMPLE];
        loop {
            match bounded::read(&mut reader, &mut piece)? {
                0 => break,
                length if has_lines => survey.feed(&piece[..length]),
                length => survey.wide.feed(&piece[..length]),
            }
        }
        survey.finish();
        Ok(survey)
    }

    /// Surveys a text in memory as [`of`](Self::of) does.
    pub fn of_text(text: &[u8], has_lines: bool) -> Self {
        let mut survey = Self::default();
        match has_lines {
            true => survey.feed(text),
            false => survey.wide.feed(text),
        }
        survey.finish();
        survey
    }

    /// Reads the next bytes.
    fn feed(&mut self, mut bytes: &[u8]) {
        self.wide.feed(bytes);
        while let Some(first) = bytes.first() {
            // The line ends with CR, unless LF follows.
            if self.line.ends_with(b"\r") {
                if *first == b'\n' {
                    self.line.push(b'\n');
                    bytes = &bytes[1..];
                }
                self.end_line();
                continue;
            }
            let piece = &bytes[..bytes.len().min(LONGEST_LINE - self.line.len())];
            let end = line_end(piece, false);
            let length = end.unwrap_or(piece.len());
            let is_end = end.is_some() || self.line.len() + length == LONGEST_LINE;
            let piece = bytes.split_off(..length).unwrap_or_default();
            if is_end && self.line.is_empty() {
                self.add(piece);
            } else {
                self.line.extend_from_slice(piece);
                if is_end {
                    self.end_line();
                }
            }
        }
    }

    /// Ends the text.
    fn finish(&mut self) {
        self.end_line();
        self.parts.finish();
    }

    fn end_line(&mut self) {
        let mut line = std::mem::take(&mut self.line);
        self.add(&line);
        line.clear();
        self.line = line;
    }

    /// Adds a line with its end, or a piece of a long line.
    fn add(&mut self, line: &[u8]) {
        let kind = LineKind::of(line);
        // Line numbers count only LF, so the column of a line after CR is unknown.
        let place = Place {
            offset: self.read,
            line: (!self.is_within).then_some((self.feeds + 1, 1)),
        };
        if kind == LineKind::Other {
            self.parts.add(line, place);
            self.add_torn(line, place);
        }
        self.count(line, kind, place);
        self.read += line.len() as u64;
        self.is_within = !line.ends_with(b"\n");
        self.feeds += u64::from(!self.is_within);
    }

    /// Adds the words in UTF-8 of a line that is not UTF-8.
    fn add_torn(&mut self, line: &[u8], place: Place) {
        if self.torn_length >= SAMPLE || !may_have_utf_8(line) {
            return;
        }
        for word in words(line).filter(|word| std::str::from_utf8(&line[word.clone()]).is_ok()) {
            let beside = &line[word.start.saturating_sub(2)..line.len().min(word.end + 1)];
            if !self.torn.contains_key(beside) {
                self.torn_length += beside.len();
                self.torn.insert(beside.to_vec(), place);
            }
        }
    }

    fn count(&mut self, line: &[u8], kind: LineKind, place: Place) {
        match kind {
            LineKind::Ascii => {}
            LineKind::Utf8 => {
                self.lines[0] += 1;
                keep(&mut self.utf_8, line);
            }
            LineKind::Other => self.count_other(line, place),
        }
    }

    fn count_other(&mut self, line: &[u8], place: Place) {
        self.lines[1] += 1;
        self.first.get_or_insert(place);
        if self.others[1] < MOST_MALFORMED {
            for chunk in line.utf8_chunks() {
                self.others[0] += leads(chunk.valid().as_bytes(), 0xC0);
                self.others[1] += u64::from(!chunk.invalid().is_empty());
            }
        }
        keep(&mut self.sample, line);
    }

    /// Returns the position of the first line that has words in UTF-8 and words in this encoding.
    pub(crate) fn torn(&self, other: &'static Encoding) -> Option<Place> {
        let torn = self
            .torn
            .iter()
            .filter(|(words, _)| has_utf_8(words, other));
        torn.map(|(_, place)| *place)
            .min_by_key(|place| place.offset)
    }

    /// Returns the number of non-ASCII lines in UTF-8, and of lines that are not UTF-8.
    pub(crate) fn lines(&self) -> [u64; 2] {
        self.lines
    }

    /// True if the text has lines in UTF-8 and lines in this encoding.
    ///
    /// Words that may be UTF-8 by chance do not count, however often they are repeated. A few malformed sequences among
    /// many UTF-8 characters are damage. So are fewer than four, unless `is_sure` is true and their lines have no UTF-8
    /// characters.
    pub(crate) fn is_mixed_with(&self, encoding: &'static Encoding, is_sure: bool) -> bool {
        let is_other = match self.others {
            [valid, 0..4] => valid == 0 && is_sure,
            [valid, invalid] => 2 * invalid >= valid,
        };
        is_other && self.is_by_line(encoding)
    }

    /// True if the text has lines in UTF-8, which are not UTF-8 by chance, and lines that are not.
    pub(crate) fn is_by_line(&self, other: &'static Encoding) -> bool {
        let is_utf_8 = other == mojika::UTF_8 || self.utf_8.starts_with(b"\xEF\xBB\xBF");
        self.has_both() && (is_utf_8 || has_utf_8(&self.utf_8, other))
    }

    /// True if the text has non-ASCII lines that are UTF-8, and lines that are not.
    pub(crate) fn has_both(&self) -> bool {
        !self.lines.contains(&0)
    }
}

/// Appends a line to a sample that is not full.
fn keep(sample: &mut Vec<u8>, line: &[u8]) {
    if sample.len() < SAMPLE {
        sample.extend_from_slice(line);
    }
}

/// The slot that receives a survey at the end of the text.
type Found = Arc<Mutex<Option<Survey>>>;

/// A reader that surveys the text that it passes on.
pub struct Surveyed<R> {
    reader: R,
    survey: Survey,
    found: Found,
}

impl<R> Surveyed<R> {
    /// Creates a reader, and returns the slot for its survey.
    pub fn new(reader: R) -> (Self, Found) {
        let found = Found::default();
        let surveyed = Self {
            reader,
            survey: Survey::default(),
            found: Arc::clone(&found),
        };
        (surveyed, found)
    }

    /// Fills the slot. Some callers read once more after the end of the text.
    fn end(&mut self) {
        engine::lock(&self.found).get_or_insert_with(|| {
            self.survey.finish();
            std::mem::take(&mut self.survey)
        });
    }
}

impl<R: Read> Read for Surveyed<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let length = self.reader.read(buffer)?;
        self.survey.feed(&buffer[..length]);
        if length == 0 && !buffer.is_empty() {
            self.end();
        }
        Ok(length)
    }
}

/// The number of bytes of UTF-16 that show where it begins.
const ENOUGH_UTF_16: u64 = 64;

/// A reader of lines that surveys them. The text ends before UTF-16, and before a line that is partly in UTF-8.
pub struct Stopping<R> {
    surveyed: Surveyed<R>,
    /// The encoding of the lines that are not UTF-8.
    other: &'static Encoding,
    /// The text that has been read but not passed on, and the length that may be passed on.
    text: Vec<u8>,
    complete: usize,
    /// The number of bytes that have been passed on.
    passed: u64,
    has_ended: bool,
}

impl<R> Stopping<R> {
    /// Creates a reader, and returns the slot for its survey.
    pub fn new(reader: R, other: &'static Encoding) -> (Self, Found) {
        let (surveyed, found) = Surveyed::new(reader);
        let stopping = Self {
            surveyed,
            other,
            text: Vec::new(),
            complete: 0,
            passed: 0,
            has_ended: false,
        };
        (stopping, found)
    }

    /// Returns the offset of text that is neither UTF-8 nor the other encoding, and true if later text does not move it.
    fn foreign(&self) -> Option<(u64, bool)> {
        let found = engine::lock(&self.surveyed.found);
        let survey = found.as_ref().unwrap_or(&self.surveyed.survey);
        let parts = survey.wide.parts();
        let wide = parts.iter().find(|part| part.encoding.is_some());
        let wide = wide.map(|part| part.place.offset);
        let read = self.passed + self.text.len() as u64;
        let torn = survey.torn(self.other).map(|place| (place.offset, true));
        wide.map(|at| (at, self.has_ended || at + ENOUGH_UTF_16 <= read))
            .or(torn.filter(|_| !survey.wide.is_started()))
    }
}

impl<R: Read> Read for Stopping<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while self.complete == 0 && !self.has_ended {
            let start = self.text.len();
            self.text.resize(start + SAMPLE, 0);
            let read = self.surveyed.read(&mut self.text[start..]);
            self.text.truncate(start + *read.as_ref().unwrap_or(&0));
            self.has_ended = read? == 0;
            self.complete = self.text.len() - self.surveyed.survey.line.len();
            let Some((offset, is_clear)) = self.foreign() else {
                continue;
            };
            let most = usize::try_from(offset.saturating_sub(self.passed)).unwrap_or(usize::MAX);
            let before = &self.text[..self.text.len().min(most)];
            if is_clear {
                self.complete = self.complete.min(most);
                self.surveyed.end();
                self.has_ended = true;
            } else {
                // The last line before a UTF-16 text can belong to it.
                self.complete = last_line(before);
            }
        }
        let length = buffer.len().min(self.complete);
        buffer[..length].copy_from_slice(&self.text[..length]);
        self.text.drain(..length);
        self.complete -= length;
        self.passed += length as u64;
        Ok(length)
    }
}

/// Returns the offset of the last line of a text, whose end may be missing.
fn last_line(text: &[u8]) -> usize {
    let text = &text[..text.len().saturating_sub(1)];
    memchr::memrchr(b'\n', text).map_or(0, |end| end + 1)
}

/// Returns the position of the first text in ISO-2022-JP: two-byte characters between escape sequences.
pub(crate) fn escaped(text: &[u8]) -> Option<Place> {
    let starts = memchr::memmem::find_iter(text, b"\x1B$");
    let mut starts = starts.filter(|&at| {
        let Some((b'@' | b'B', rest)) = text[at + 2..].split_first() else {
            return false;
        };
        let length = rest
            .iter()
            .take_while(|byte| byte.is_ascii_graphic())
            .count();
        let is_pairs = length >= 2 && length % 2 == 0;
        is_pairs && matches!(rest[length..], [0x1B, b'(', b'B' | b'J', ..])
    });
    let offset = starts.next()?;
    let line = engine::line_after(&mut &text[..offset]).ok();
    Some(Place {
        offset: offset as u64,
        line,
    })
}

/// True if a line that is not UTF-8 may have a word in UTF-8.
fn may_have_utf_8(line: &[u8]) -> bool {
    let is_start = |before: u8, lead: u8, next: u8| {
        (before < 0x80) & matches!(lead, 0xC2..=0xF4) & (next & 0xC0 == 0x80)
    };
    // Most lines have no start of such a word. A disjunction without branches is vectorised.
    let starts = line
        .windows(3)
        .map(|three| is_start(three[0], three[1], three[2]));
    let is_first = matches!(line, [lead, next, ..] if is_start(0, *lead, *next));
    starts.fold(is_first, |any, start| any | start)
}

/// Returns the ranges of the non-ASCII words of a text.
fn words(text: &[u8]) -> impl Iterator<Item = Range<usize>> {
    let mut next = 0;
    let words = text.split(u8::is_ascii).map(move |word| {
        let start = next;
        next += word.len() + 1;
        start..start + word.len()
    });
    words.filter(|word| !word.is_empty())
}

/// True if a text has a word that is not UTF-8 by chance, among text in another encoding.
///
/// In a single-byte encoding, two characters suffice, or one that the encoding has, unless the bytes are a word in it.
/// By chance, 17 of 17 million lines had such a word. Pairs in a double-byte encoding are often characters of two bytes.
/// Two characters of three bytes are needed there, or six of any length, or small Latin letters after ASCII letters. By
/// chance, 2 of 779,000 lines had them.
fn has_utf_8(text: &[u8], other: &'static Encoding) -> bool {
    words(text).any(|word| {
        let (before, after) = (&text[..word.start], text.get(word.end));
        let word = &text[word];
        let [of_two, of_three] = [0xC0, 0xE0].map(|least| leads(word, least));
        let has_only = |is: &dyn Fn(&str) -> bool| std::str::from_utf8(word).is_ok_and(is);
        let is_long = match other.is_single_byte() {
            true => {
                // A capital and a sign at the end of capitals, as in "COMANDĂ”", are no character.
                let is_in = |one: Option<&u8>| one.is_some_and(u8::is_ascii_uppercase);
                let is_end = is_in(before.last()) && !is_in(after);
                of_two >= 2 || !is_end && has_only(&|text| other.encode(text).is_ok())
            }
            false => {
                // The ASCII letter is no trail byte.
                let is_after = |last: &[u8; 2]| last[0].is_ascii() && last[1].is_ascii_lowercase();
                let is_small = |one: char| one < '\u{250}' && one.is_lowercase();
                of_two >= 6
                    || of_three >= 2
                    || before.last_chunk().is_some_and(is_after)
                        && has_only(&|text| text.chars().all(is_small))
            }
        };
        is_long && !may_be_in(word, other)
    })
}

/// True if the bytes of a word in UTF-8 are the same text in an encoding, or letters of one case in a single-byte
/// encoding. In Latin script, words of upper-case letters alone do not count: "ÃŸ" is "ß" in UTF-8.
fn may_be_in(word: &[u8], encoding: &'static Encoding) -> bool {
    let text = encoding.with(BomHandling::Keep).decode(word).text;
    let has = |is: fn(char) -> bool| text.chars().any(is);
    let is_small = !has(char::is_uppercase);
    let is_one_case = is_small || !has(char::is_lowercase) && !has(|one| one < '\u{250}');
    let is_word = encoding.is_single_byte() && is_one_case;
    text.as_bytes() == word || is_word && text.chars().all(char::is_alphabetic)
}

/// Returns the number of bytes of at least a value. From 0xC0 on, these are the non-ASCII characters of UTF-8.
fn leads(text: &[u8], least: u8) -> u64 {
    text.iter().filter(|byte| **byte >= least).count() as u64
}

#[cfg(test)]
mod tests {
    use super::*;
    use mojika::{GBK, SHIFT_JIS, WINDOWS_1251, WINDOWS_1252};

    /// True if a text is mixed with a sure guess, after a check that reading it and surveying it in memory give the same.
    fn is_mixed(bytes: &[u8], encoding: &'static Encoding) -> bool {
        let (read, in_memory) = (Survey::of(bytes, true), Survey::of_text(bytes, true));
        assert_eq!(format!("{in_memory:?}"), format!("{:?}", read.unwrap()));
        in_memory.is_mixed_with(encoding, true)
    }

    #[test]
    fn lines_of_utf_8_among_others_are_found() {
        let line = "Привет, мир: строка журнала\n";
        let other = WINDOWS_1251.encode(line).unwrap();
        for encoding in [WINDOWS_1251, WINDOWS_1252] {
            assert!(is_mixed(&[line.as_bytes(), &other].concat(), encoding));
            let before = [&other[..], &other, line.as_bytes()].concat();
            assert!(is_mixed(&before, encoding));
        }
        let line = "naïve café\n";
        let other = WINDOWS_1252.encode(line).unwrap();
        assert!(is_mixed(&[line.as_bytes(), &other].concat(), WINDOWS_1252));
        // Two words of letters that the encoding lacks may be UTF-8 by chance.
        let many = [&line.as_bytes().repeat(20)[..], &other.repeat(20)].concat();
        assert!(!is_mixed(&many, WINDOWS_1251));
        assert!(!is_mixed(&other.repeat(20), WINDOWS_1252));
        assert!(!is_mixed(line.as_bytes(), WINDOWS_1252));
        let damaged = [line.repeat(50).as_bytes(), b"caf\xC3\xA9 \xFF\n\xC3\n"].concat();
        assert!(!is_mixed(&damaged, WINDOWS_1252));
    }

    #[test]
    fn a_survey_is_the_same_however_the_text_is_read() {
        let other = WINDOWS_1251
            .encode("Привет, мир: строка журнала\n")
            .unwrap();
        let long = "Привет, ".repeat(1 << 17);
        let text = [
            "Привет\nascii\n".as_bytes(),
            &other,
            long.as_bytes(),
            b"\n",
            "Привет\r\nascii\r\rПривет\r".as_bytes(),
            &other.repeat(9)[..200],
            b"\r",
        ]
        .concat();
        let whole = format!("{:?}", Survey::of(&text[..], true).unwrap());
        assert_eq!(format!("{:?}", Survey::of_text(&text, true)), whole);
        for piece in [1, 7, 100_003, text.len()] {
            let (mut surveyed, found) = Surveyed::new(&text[..]);
            let mut buffer = vec![0; piece];
            while surveyed.read(&mut buffer).unwrap() > 0 {}
            let found = engine::lock(&found).take().unwrap();
            assert!(format!("{found:?}") == whole, "{piece}");
        }
    }

    /// All texts of up to three lines of these kinds, with each line end.
    #[test]
    fn each_line_is_counted_by_its_kind() {
        let russian = "Привет, мир: строка журнала";
        let other = WINDOWS_1251.encode(russian).unwrap();
        let damaged = [russian.as_bytes(), b"\xD0 "].concat();
        let kinds = [
            (LineKind::Ascii, b"a line of ASCII"),
            (LineKind::Utf8, russian.as_bytes()),
            (LineKind::Other, &other),
            (LineKind::Other, &damaged),
        ] as [(LineKind, &[u8]); 4];
        for (number, end) in [(64, "\n"), (64, "\r\n"), (16, "\r")] {
            for pattern in 0..number {
                let lines = [pattern & 3, pattern >> 2 & 3, pattern >> 4];
                let lines = lines.map(|kind| &kinds[kind]);
                let text = lines.map(|(_, line)| [line, end.as_bytes()].concat());
                let survey = Survey::of(&text.concat()[..], true).unwrap();
                let is = |kind| lines.iter().filter(move |line| line.0 == kind);
                let counts = [LineKind::Utf8, LineKind::Other].map(|kind| is(kind).count() as u64);
                assert_eq!(survey.lines(), counts, "{lines:?}");
                let first = lines.iter().position(|line| line.0 == LineKind::Other);
                let offset = first.map(|first| text[..first].concat().len() as u64);
                assert_eq!(survey.first.map(|place| place.offset), offset, "{lines:?}");
                let others = text
                    .iter()
                    .zip(lines)
                    .filter(|(_, line)| line.0 == LineKind::Other);
                let sample: Vec<u8> = others.flat_map(|(text, _)| text.to_vec()).collect();
                assert_eq!(survey.sample, sample, "{lines:?}");
            }
        }
    }

    #[test]
    fn a_long_line_is_looked_at_in_pieces() {
        let line = "Привет, мир: строка журнала ".repeat(1 << 15);
        let other = WINDOWS_1251.encode(&line).unwrap();
        assert!(line.len() > LONGEST_LINE);
        let both = [line.as_bytes(), &other, b"\n"].concat();
        assert!(is_mixed(&both, WINDOWS_1251));
        assert!(!is_mixed(line.repeat(2).as_bytes(), WINDOWS_1251));
    }

    /// Chinese and Japanese words whose bytes are well-formed UTF-8 by chance.
    #[test]
    fn lines_that_are_utf_8_by_chance_do_not_make_a_text_mixed() {
        let words = "联通\n移动通信集团公司的服务热线\n联通\n网络与信息安全中心\n";
        assert!(!is_mixed(&GBK.encode(&words.repeat(3)).unwrap(), GBK));
        let text = "文字コードの変換を行うためのプログラム\nﾃｽﾄ\n";
        let text = SHIFT_JIS.encode(&text.repeat(10)).unwrap().into_owned();
        assert!(!is_mixed(&text, SHIFT_JIS));
    }

    /// A line with words in UTF-8 and words in another encoding is found; a line in one encoding is not.
    #[test]
    fn a_line_in_two_encodings_is_torn() {
        let line = b"INSERT INTO t VALUES (1,'gr\xFC\xDFe'),(2,'gr\xC3\xBC\xC3\x9Fe');\n";
        let text = [b"caf\xE9\n", &line[..]].concat();
        let torn = |text: &[u8], other| Survey::of_text(text, true).torn(other);
        let place = torn(&text, WINDOWS_1252).unwrap();
        assert_eq!((place.offset, place.line), (5, Some((2, 1))));
        let chinese = [&GBK.encode("中文字符").unwrap(), " 中文字符".as_bytes()].concat();
        for (line, encoding) in [
            // "ß" alone is two letters of one case in windows-1252.
            (&b"Stra\xC3\x9Fe, Stra\xDFe\n"[..], WINDOWS_1252),
            (b"gr\xFC\xDFe, \xC2\xA9 1999\n", WINDOWS_1252),
            (b"gr\xFC\xDFe, \xD0\xBC\xD0\xB8\n", WINDOWS_1252),
            (&chinese, GBK),
            (b"\xC8\xFD\xB9\xFA caf\xC3\xA9\n", GBK),
        ] {
            assert!(torn(line, encoding).is_some(), "{line:?}");
            // The words are the same in UTF-8.
            assert_eq!(torn(line, mojika::UTF_8), None);
        }
        let repeated = [&b"l\xD5\x8Et\x8E\n".repeat(SAMPLE / 2), &line[..]].concat();
        assert!(torn(&repeated, mojika::MACINTOSH).is_some());
        for line in [
            "größe\n".as_bytes(),
            // A single letter that windows-1252 lacks, however often it occurs.
            b"\xD5\x8E, \xD5\x8E, \xE9\n",
            b"\xC3\xA9\xFF\xC3\xA9",
            b"\xE0\xA0\xA1 \xE1\xA5 \xE2\xA8 \xE0\xA5\n",
        ] {
            assert_eq!(torn(line, WINDOWS_1252), None, "{line:?}");
        }
        // Words that are UTF-8 by chance.
        for (encoding, words) in [
            (GBK, "前山, 前墙强, 中文, 前山\n"),
            (mojika::IBM866, "сам там, чем тем, раз рад шаг за шагом\n"),
            (mojika::ISO_8859_5, "ТО И ТО, ЧЕ, ТОТ ЖЕ\n"),
        ] {
            let text = encoding.encode(words).unwrap();
            assert!(may_have_utf_8(&text), "{encoding}");
            assert_eq!(torn(&text, encoding), None, "{encoding}");
            let utf_8 = "пример中文".as_bytes();
            let text = [&text[..text.len() - 1], b" ", utf_8].concat();
            assert!(torn(&text, encoding).is_some(), "{encoding}");
        }
    }

    /// Lines are in another encoding if at least four sequences are malformed, and at most two in three are
    /// well-formed. With a sure guess, fewer malformed sequences suffice if none is well-formed.
    #[test]
    fn each_number_of_sequences_decides_at_its_edge() {
        let utf_8 = "Привет, мир: строка журнала\n".repeat(20);
        let with = |valid: usize, invalid: usize| {
            let other = ["é".repeat(valid).into_bytes(), b"\xFF ".repeat(invalid)].concat();
            let text = [utf_8.as_bytes(), b"ascii\n", &other, b"\n"].concat();
            let survey = Survey::of(&text[..], true).unwrap();
            [false, true].map(|is_sure| survey.is_mixed_with(WINDOWS_1251, is_sure))
        };
        assert_eq!(with(0, 3), [false, true]);
        assert_eq!(with(0, 4), [true, true]);
        assert_eq!(with(0, 1), [false, true]);
        assert_eq!(with(1, 1), [false, false]);
        assert_eq!(with(8, 4), [true, true]);
        assert_eq!(with(9, 4), [false, false]);
    }

    /// In a mixed text, the position of the first line that is not UTF-8 is known, and the first such lines are kept as
    /// a sample.
    #[test]
    fn the_first_other_line_has_its_place() {
        let line = "Привет, мир: строка журнала\n";
        let other = WINDOWS_1251.encode(line).unwrap();
        let text = [b"ascii\n", line.as_bytes(), &other, line.as_bytes(), &other].concat();
        let survey = Survey::of(&text[..], true).unwrap();
        let place = survey.first.unwrap();
        assert_eq!(
            (place.offset, place.line),
            (6 + line.len() as u64, Some((3, 1)))
        );
        assert_eq!(survey.lines(), [2, 2]);
        assert_eq!(survey.sample, other.repeat(2));
        let many = [&text[..], &other.repeat(2 * SAMPLE / other.len())].concat();
        // CR ends a line, but the line number counts only LF.
        for (text, line) in [
            (&b"a\n\xFF\n"[..], Some((2, 1))),
            (b"a\r\n\xFF\n", Some((2, 1))),
            (b"a\r\nb\r\xFF\n", None),
            (b"\xFF\r", Some((1, 1))),
        ] {
            let place = Survey::of(text, true).unwrap().first.unwrap();
            assert_eq!(place.line, line, "{text:?}");
        }
        let length = Survey::of(&many[..], true).unwrap().sample.len();
        assert!((SAMPLE..SAMPLE + other.len()).contains(&length), "{length}");
    }

    /// Escape sequences of ISO-2022-JP count if pairs of graphic bytes are between them.
    #[test]
    fn escapes_count_with_whole_pairs_between_them() {
        for (text, offset) in [
            (&b"a\n \x1B$BF|\x1B(B b"[..], Some(3)),
            (b"\x1B$@F|K\\\x1B(J", Some(0)),
            (b"\x1B$B\x1B(B \x1B$BF|\x1B(B", Some(7)),
            (b"\x1B$B\x1B(B", None),
            (b"\x1B$BF\x1B(B", None),
            (b"\x1B$BF|K\x1B(B", None),
            (b"\x1B$AF|\x1B(B", None),
            (b"\x1B$BF|\x1B(C", None),
            (b"\x1B$BF|", None),
        ] {
            let found = escaped(text);
            assert_eq!(found.map(|place| place.offset), offset, "{text:?}");
        }
        let found = escaped(b"a\n \x1B$BF|\x1B(B b").unwrap();
        assert_eq!(found.line, Some((2, 2)));
    }

    /// A pipe is read once, so it ends before a line in two encodings and before UTF-16.
    #[test]
    fn a_pipe_ends_before_a_part_that_is_in_neither_encoding() {
        let torn = &b"INSERT INTO t VALUES (1,'gr\xFC\xDFe'),(2,'gr\xC3\xBC\xC3\x9Fe');\n"[..];
        let wide = b"\xFF\xFEl\0i\0n\0e\0 \0o\0f\0 \0w\0o\0r\0d\0s\0\r\0\n\0";
        for count in [1, 4, 3000, 60_000] {
            let before = b"gr\xF6\xDFe\nl\xC3\xA4nge\n".repeat(count);
            for part in [torn, &torn[..torn.len() - 1], wide] {
                let text = [&before[..], part].concat();
                let (mut stopping, found) = Stopping::new(&text[..], WINDOWS_1252);
                let mut passed = Vec::new();
                stopping.read_to_end(&mut passed).unwrap();
                assert!(passed == before, "{count} {part:?}");
                assert!(engine::lock(&found).is_some());
            }
            let (mut stopping, _) = Stopping::new(&before[..], WINDOWS_1252);
            let mut passed = Vec::new();
            stopping.read_to_end(&mut passed).unwrap();
            assert!(passed == before, "{count}");
        }
    }
}
