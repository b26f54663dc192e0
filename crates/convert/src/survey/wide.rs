//! Finds parts of a text in UTF-16 and parts in single bytes, by the cost of their bytes in each reading.
//!
//! The readings are single bytes, and UTF-16 in both byte orders from even and from odd offsets. Each reading adds the
//! cost of its units, as in detection. It may also continue another reading for the price of a change. The cheapest
//! reading at the end gives the parts of the text, as in the Viterbi algorithm.

use crate::engine::{Part, Place};
use mojika::{Encoding, UTF_16BE, UTF_16LE};
use mojika_sniff::judge::{BAD, Units, byte_cost};
use std::borrow::Cow;
use std::fmt;

/// The price of a change of the reading at the start of a line, and at other positions, in bits.
const AT_LINE: u64 = 16;
const WITHIN: u64 = 24;

/// The price of UTF-16 without a mark at the start of the text: more than that of a part after a line.
const UNMARKED: u64 = AT_LINE + 1;

/// The price of a change to the other byte order.
const TURN: u64 = 12;

/// The extra cost of a NUL compared with other control characters, because it is probably half of a UTF-16 unit.
const NUL: u64 = 12;

/// The cost of an incomplete unit at the end, which is less than the price of a change.
const BYTE: u64 = 20;

/// The cost of a plain unit of UTF-16; a sequence of plain units is read in one step.
const PLAIN: u64 = 5;
const MIN_RUN_LENGTH: usize = 16;

/// The maximum average cost of a unit of UTF-16, as in detection.
const MAX_UNIT_COST: u64 = 14;

/// The number of bytes before the first NUL that are examined. Earlier lines are assumed to consist of single bytes.
const BEFORE: usize = 4096;

/// A text has at most one malformed or impossible unit in this number of bytes.
const MOST_BAD: u64 = 128;

const MARK: u16 = 0xFEFF;

/// One reading of the text up to the current offset, with its cost.
#[derive(Clone, Debug)]
struct Path {
    part: Part,
    /// The index of the previous part in `nodes`. `node` is the index of `part`, which is set when a part follows it.
    before: Option<usize>,
    node: Option<usize>,
    /// The byte order of the last part in UTF-16.
    order: Option<&'static Encoding>,
    cost: u64,
    bad: u32,
    /// The cost of all UTF-16 units, their number, and the number of units whose two bytes are printable ASCII.
    wide: (u64, u64, u64),
    units: Units,
    last: u16,
    /// True if the last unit may be a line end and a byte.
    is_alone: bool,
    line: u64,
    column: u64,
}

impl Path {
    fn new(encoding: Option<&'static Encoding>, offset: u64, line: u64) -> Self {
        let place = Place {
            offset,
            line: Some((line, 1)),
        };
        Self {
            part: Part { encoding, place },
            before: None,
            node: None,
            order: encoding,
            cost: 0,
            bad: 0,
            wide: (0, 0, 0),
            units: Units::default(),
            last: u16::from(b'\n'),
            is_alone: false,
            line,
            column: 1,
        }
    }

    /// Returns the price of a change of the reading at the current offset.
    fn price(&self) -> u64 {
        match self.last {
            0x0A | 0x0D | MARK => AT_LINE,
            _ => WITHIN,
        }
    }

    fn byte(&mut self, byte: u8) {
        let cost = byte_cost(self.last as u8, byte);
        self.bad += u32::from(cost >= BAD);
        self.cost += u64::from(cost) + if byte == 0 { NUL } else { 0 };
        self.advance(u16::from(byte), byte & 0xC0 != 0x80);
    }

    fn unit(&mut self, unit: u16) {
        let before = self.units.cost();
        self.units.unit_16(unit);
        let is_mark = unit == MARK && self.last == u16::from(b'\n');
        // A mark at the start of a line is the start of a part.
        let cost = u64::from(self.units.cost() - before) * u64::from(!is_mark);
        self.cost += cost;
        let is_pair = unit.to_be_bytes().into_iter().all(is_printable);
        let (all, count, pairs) = self.wide;
        self.wide = (all + cost, count + 1, pairs + u64::from(is_pair));
        // In these units, a byte is a line end of single bytes. They are Indic letters, which do not occur alone.
        let has_neighbour = self.last & 0xFF80 == unit & 0xFF80;
        if matches!(unit >> 8, 0x0A | 0x0D) && !has_neighbour {
            self.cost += u64::from(BAD);
            self.is_alone = true;
        } else if std::mem::take(&mut self.is_alone) && has_neighbour {
            self.cost -= u64::from(BAD);
        }
        self.advance(unit, unit != MARK && !(0xDC00..0xE000).contains(&unit));
    }

    fn advance(&mut self, last: u16, is_character: bool) {
        self.last = last;
        self.column += u64::from(is_character);
        if last == 0x0A {
            (self.line, self.column) = (self.line + 1, 1);
        }
    }

    fn bad(&self) -> u32 {
        self.bad + self.units.bad_units()
    }
}

/// Reads a text, and finds its parts.
#[derive(Clone, Default)]
pub struct Wide {
    /// The best path in each reading: single bytes; UTF-16LE and UTF-16BE from even offsets, then from odd offsets.
    paths: [Option<Path>; 5],
    /// The parts that other parts follow, each with the index of the previous part.
    nodes: Vec<(Part, Option<usize>)>,
    /// The number of parts from which on unused parts are removed.
    most_nodes: usize,
    /// Bytes without a NUL that may belong to the first part in UTF-16.
    held: Vec<u8>,
    read: u64,
    /// The number of skipped lines, and the number of characters in the last, unfinished line.
    lines: u64,
    column: u64,
    last: u8,
    is_started: bool,
}

fn is_printable(byte: u8) -> bool {
    matches!(byte, 0x20..=0x7E)
}

/// Returns the number of UTF-16 units at the start that only this reading explains.
///
/// Such units are ASCII, letters whose upper byte is a control character, kana and ideographs. Among the ideographs,
/// pairs of printable bytes must be rare, unlike in single-byte text. All must be below U+7F00, unlike in Shift_JIS.
fn plain_units(bytes: &[u8], is_big_endian: bool) -> usize {
    let (mut count, mut pairs, mut common, mut ideographs) = (0, 0, 0, 0);
    for &[one, other] in bytes.as_chunks().0 {
        let (upper, lower) = if is_big_endian {
            (one, other)
        } else {
            (other, one)
        };
        match upper {
            0 if is_printable(lower) => {}
            0x01..=0x08 | 0x0B | 0x0C | 0x0E..=0x1F => {}
            0x30 | 0x4E..=0x9F => {
                ideographs += 1;
                common += usize::from(upper < 0x7F);
                pairs += usize::from(matches!(upper, 0x4E..=0x7E) && is_printable(lower));
                if 3 * pairs > ideographs + MIN_RUN_LENGTH {
                    break;
                }
            }
            _ => break,
        }
        count += 1;
    }
    let is_clear = 3 * pairs <= ideographs && 4 * common >= ideographs;
    if is_clear { count } else { 0 }
}

/// The encoding of each path.
const ENCODINGS: [Option<&Encoding>; 5] = [
    None,
    Some(UTF_16LE),
    Some(UTF_16BE),
    Some(UTF_16LE),
    Some(UTF_16BE),
];

impl Wide {
    /// True if the text has a NUL or begins with the mark of UTF-16.
    pub fn is_started(&self) -> bool {
        self.is_started
    }

    /// Reads the next bytes.
    pub fn feed(&mut self, bytes: &[u8]) {
        if self.is_started {
            return self.read_on(bytes);
        }
        let mut held = std::mem::take(&mut self.held);
        if bytes.len() >= BEFORE && held.len() > 1 && memchr::memchr(0, bytes).is_none() {
            // The held bytes before the part are single bytes, too.
            self.skip(&held);
            held.clear();
        }
        let joined = match held.is_empty() {
            true => Cow::Borrowed(bytes),
            false => Cow::Owned([&held, bytes].concat()),
        };
        let rest = &joined[self.start(&joined)..];
        match self.is_started {
            true => self.read_on(rest),
            false => self.held = rest.to_vec(),
        }
    }

    /// Counts the lines of single-byte text, and the characters of the last line.
    fn skip(&mut self, text: &[u8]) {
        let line = memchr::memrchr(b'\n', text).map_or(0, |at| at + 1);
        if line > 0 {
            self.lines += memchr::memchr_iter(b'\n', text).count() as u64;
            self.column = 0;
        }
        let is_lead = |byte: &&u8| **byte & 0xC0 != 0x80;
        self.column += text[line..].iter().filter(is_lead).count() as u64;
        self.read += text.len() as u64;
    }

    fn read_on(&mut self, mut bytes: &[u8]) {
        let path = self.best().and_then(|at| self.paths[at].as_ref());
        let most = self.read / MOST_BAD + 1024;
        if path.is_none_or(|path| u64::from(path.bad()) > most) {
            // The text is binary data, whatever follows.
            self.paths = Default::default();
            return;
        }
        while let Some((&byte, rest)) = bytes.split_first() {
            self.step(byte);
            bytes = &rest[self.run(rest).unwrap_or(0)..];
        }
    }

    /// Begins at a byte order mark, or some lines before the first NUL. Returns the number of bytes before that.
    fn start(&mut self, bytes: &[u8]) -> usize {
        if self.read == 0 && matches!(bytes, [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..]) {
            let at = 1 + usize::from(bytes[0] == 0xFE);
            self.paths[at] = Some(Path::new(ENCODINGS[at], 0, 1));
            self.is_started = true;
            return 0;
        }
        let nul = memchr::memchr(0, bytes);
        let seen = nul.unwrap_or(bytes.len()).saturating_sub(BEFORE);
        let line = memchr::memrchr(b'\n', &bytes[..seen]).map_or(0, |at| at + 1);
        let start = if seen - line > BEFORE { seen } else { line };
        self.skip(&bytes[..start]);
        self.is_started = nul.is_some();
        for (path, encoding) in self.paths.iter_mut().zip(ENCODINGS).take(3) {
            // Skipped bytes are single bytes.
            if self.is_started && (encoding.is_none() || self.read == 0) {
                let path = path.insert(Path::new(encoding, 0, 1));
                (path.line, path.column) = (self.lines + 1, self.column + 1);
                // Single bytes at the start are likelier than UTF-16 without a mark.
                path.cost = if encoding.is_some() { UNMARKED } else { 0 };
            }
        }
        start
    }

    fn step(&mut self, byte: u8) {
        if let Some(path) = &mut self.paths[0] {
            path.byte(byte);
        }
        // A UTF-16 unit that ends at this offset began at the previous offset.
        let ends = 1 + 2 * ((self.read + 1) % 2) as usize;
        let pair = [self.last, byte];
        let units = [u16::from_le_bytes(pair), u16::from_be_bytes(pair)];
        for (path, unit) in self.paths[ends..ends + 2].iter_mut().zip(units) {
            if let Some(path) = path {
                path.unit(unit);
            }
        }
        self.last = byte;
        self.read += 1;
        self.change([0, ends, ends + 1]);
    }

    /// Lets each path whose unit ends at this offset continue the cheapest path, if that costs less.
    fn change(&mut self, ends: [usize; 3]) {
        let cost = |at: &usize| self.paths[*at].as_ref().map_or(u64::MAX, |path| path.cost);
        let best = ends.into_iter().min_by_key(cost).unwrap_or(0);
        let Some(path) = &self.paths[best] else {
            return;
        };
        let limit = path.cost + path.price();
        for at in ends {
            let path = &self.paths[best].as_ref();
            let is_turned = path.and_then(|path| path.order).zip(ENCODINGS[at]);
            let turn = u64::from(is_turned.is_some_and(|(one, other)| one != other)) * TURN;
            let limit = limit + turn;
            if self.paths[at].as_ref().is_none_or(|path| path.cost > limit) {
                self.paths[at] = self.following(best, ENCODINGS[at], limit);
            }
        }
    }

    /// Returns a path that continues another one.
    fn following(
        &mut self,
        best: usize,
        encoding: Option<&'static Encoding>,
        cost: u64,
    ) -> Option<Path> {
        if self.nodes.len() >= self.most_nodes.max(1024) {
            self.compact();
        }
        let path = self.paths[best].as_mut()?;
        let node = *path.node.get_or_insert_with(|| {
            self.nodes.push((path.part, path.before));
            self.nodes.len() - 1
        });
        let mut next = Path::new(encoding, self.read, path.line);
        next.part.place.line = Some((path.line, path.column));
        (next.before, next.cost, next.column) = (Some(node), cost, path.column);
        (next.bad, next.wide) = (path.bad(), path.wide);
        next.order = encoding.or(path.order);
        Some(next)
    }

    /// Removes the parts that no path uses.
    fn compact(&mut self) {
        let mut is_kept = vec![false; self.nodes.len()];
        for path in self.paths.iter().flatten() {
            let mut next = path.node.or(path.before);
            while let Some(at) = next.filter(|&at| !is_kept[at]) {
                is_kept[at] = true;
                next = self.nodes[at].1;
            }
        }
        let mut places = vec![0; self.nodes.len()];
        let mut kept = Vec::new();
        for (at, &(part, before)) in self.nodes.iter().enumerate().filter(|one| is_kept[one.0]) {
            places[at] = kept.len();
            kept.push((part, before.map(|before| places[before])));
        }
        for path in self.paths.iter_mut().flatten() {
            path.node = path.node.map(|at| places[at]);
            path.before = path.before.map(|at| places[at]);
        }
        self.most_nodes = 2 * kept.len();
        self.nodes = kept;
    }

    /// Returns the cheapest path.
    fn best(&self) -> Option<usize> {
        let paths = self.paths.iter().enumerate();
        let costs = paths.filter_map(|(at, path)| Some((path.as_ref()?.cost, at)));
        costs.min().map(|(_, at)| at)
    }

    /// Reads a sequence of plain units in the cheapest reading alone; returns its length.
    fn run(&mut self, bytes: &[u8]) -> Option<usize> {
        let best = self.best()?;
        let length = match ENCODINGS[best] {
            None => bytes.iter().take_while(|&&byte| is_printable(byte)).count(),
            // A unit starts here.
            Some(order) if (best <= 2) == self.read.is_multiple_of(2) => {
                2 * plain_units(bytes, order == UTF_16BE)
            }
            Some(_) => 0,
        };
        if length < 2 * MIN_RUN_LENGTH {
            return None;
        }
        let mut path = self.paths[best].take()?;
        self.paths = Default::default();
        let (end, width) = (&bytes[length - 2..length], 1 + u64::from(best > 0));
        match ENCODINGS[best] {
            None => path.byte(end[1]),
            Some(order) if order == UTF_16BE => path.unit(u16::from_be_bytes([end[0], end[1]])),
            Some(_) => path.unit(u16::from_le_bytes([end[0], end[1]])),
        }
        let count = length as u64 / width - 1;
        path.cost += PLAIN * count;
        path.column += count;
        self.paths[best] = Some(path);
        self.read += length as u64;
        self.last = end[1];
        Some(length)
    }

    /// Returns the parts of the text up to the current offset; empty if it is of one kind, or not text.
    pub fn parts(&self) -> Vec<Part> {
        // True if the UTF-16 unit at the end of path `at` is incomplete.
        let is_cut = |at: usize| at > 0 && (at <= 2) != self.read.is_multiple_of(2);
        let paths = self.paths.iter().enumerate();
        let best = paths
            .filter_map(|(at, path)| path.as_ref().map(|path| (at, path)))
            .min_by_key(|(at, path)| path.cost + if is_cut(*at) { BYTE } else { 0 });
        let Some((_, path)) =
            best.filter(|(_, path)| u64::from(path.bad()) * MOST_BAD <= self.read)
        else {
            return Vec::new();
        };
        let mut parts = vec![path.part];
        let mut next = path.before;
        while let Some((part, before)) = next.map(|at| self.nodes[at]) {
            parts.push(part);
            next = before;
        }
        parts.reverse();
        let ends = parts.iter().skip(1).map(|part| part.place.offset);
        let lengths = parts.iter().zip(ends.chain([self.read]));
        let wide = lengths.filter(|(part, _)| part.encoding.is_some());
        // A single UTF-16 unit among single bytes is the end of a zero-terminated field, not a part.
        let is_short = |(part, end): &(&Part, u64)| end - part.place.offset < 4;
        let (short, long): (Vec<_>, Vec<_>) = wide.partition(is_short);
        // One ideograph in four has two bytes that are printable ASCII.
        let (cost, count, pairs) = path.wide;
        let is_text = cost <= MAX_UNIT_COST * count && 2 * pairs <= count;
        // At the start, it is a byte order mark.
        let most = long.len().max(usize::from(parts[0].encoding.is_some()));
        match parts.len() > 1 && is_text && short.len() <= most {
            true => parts,
            false => Vec::new(),
        }
    }
}

impl fmt::Debug for Wide {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.parts().fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{self, BomMode, From, Input, Options};
    use mojika::{UTF_8, WINDOWS_1252};

    const NARROW: Option<&Encoding> = None;
    const LE: Option<&Encoding> = Some(UTF_16LE);
    const BE: Option<&Encoding> = Some(UTF_16BE);

    type Pieces<'a> = &'a [(Option<&'static Encoding>, &'a str)];

    /// Returns the text of the pieces, each in its encoding, and the offset of each piece.
    fn text(pieces: Pieces<'_>) -> (Vec<u8>, Vec<(Option<&'static Encoding>, u64)>) {
        let (mut text, mut places) = (Vec::new(), Vec::new());
        for (encoding, piece) in pieces {
            places.push((*encoding, text.len() as u64));
            match encoding {
                Some(encoding) => text.extend_from_slice(&encoding.encode(piece).unwrap()),
                None => text.extend_from_slice(piece.as_bytes()),
            }
        }
        (text, places)
    }

    fn parts_of(text: &[u8]) -> Vec<Part> {
        let mut wide = Wide::default();
        wide.feed(text);
        wide.parts()
    }

    fn found(text: &[u8]) -> Vec<(Option<&'static Encoding>, u64)> {
        let parts = parts_of(text).into_iter();
        parts
            .map(|part| (part.encoding, part.place.offset))
            .collect()
    }

    /// All kinds of endings and insertions, in both byte orders, close together and far apart.
    #[test]
    fn parts_begin_where_the_width_of_units_changes() {
        let line = "this is a line of the log\r\n";
        let (far, other) = (line.repeat(3000), "Привет, мир!\r\n");
        for (one, opposite) in [(LE, BE), (BE, LE)] {
            let cases: [Pieces<'_>; 12] = [
                &[(one, "\u{FEFF}hi\r\n"), (NARROW, "hello!\r\n")],
                &[(one, "\u{FEFF}"), (NARROW, "#pragma once\r\n")],
                &[(one, line), (NARROW, "hello there\r\n"), (one, line)],
                &[(one, line), (NARROW, "hello there!\r\n"), (one, line)],
                &[(one, &far), (NARROW, "hello there!\n"), (one, &far)],
                &[
                    (one, "\u{FEFF}hello\n"),
                    (opposite, "\u{FEFF}world, it is\n"),
                ],
                &[(NARROW, "größe\n"), (one, "second line\r\n")],
                &[(NARROW, "größe\n"), (one, "\u{FEFF}second line\r\n")],
                &[(NARROW, &far), (one, "second line\r\n")],
                &[(one, other), (NARROW, "plain words\r\n"), (one, other)],
                &[(one, &other.repeat(900)), (NARROW, "plain words\n")],
                &[
                    (NARROW, other),
                    (one, other),
                    (NARROW, other),
                    (one, "\u{FEFF}Привет\n"),
                ],
            ];
            for pieces in cases {
                let (text, places) = text(pieces);
                assert_eq!(found(&text), places);
                // With any chunks.
                let mut wide = Wide::default();
                text.chunks(7).for_each(|chunk| wide.feed(chunk));
                assert_eq!(wide.parts(), parts_of(&text));
            }
        }
    }

    /// A part of UTF-16 within other text begins at its first byte: with a byte order mark, and without.
    #[test]
    fn a_part_after_a_line_begins_with_its_mark_or_its_first_unit() {
        let before = [
            &b"caf\xE9\n"[..],
            b"a\n",
            b"ab\n",
            b"stra\xDFe\n",
            b"\xCF\xF0\xE8\xE2\xE5\xF2\n",
            b"\xC3\xA9t\xC3\xA9 \xC3\xA0\n",
        ];
        let lines = [
            "forty characters of text, with line\r\nend",
            "größe ist äußerst wichtig\r\n",
            "Привет, мир, это строка журнала\r\n",
            "これは日本語の文章です。文字化け\r\n",
            "这是一段很长的中文文本用来说明编码\r\n",
            "Ξεσκεπάζω την ψυχοφθόρα βδελυγμία\r\n",
        ];
        for (before, line) in before.iter().flat_map(|one| lines.map(|line| (one, line))) {
            for (order, mark) in [(LE, ""), (BE, ""), (LE, "\u{FEFF}"), (BE, "\u{FEFF}")] {
                let (part, _) = text(&[(order, mark), (order, line)]);
                for after in [&b""[..], b"\ncaf\xE9 again\n"] {
                    let bytes = [before, &part[..], after].concat();
                    let at = before.len() as u64;
                    let end = (NARROW, at + part.len() as u64);
                    let expected = [(NARROW, 0), (order, at), end];
                    let count = 2 + usize::from(!after.is_empty());
                    let case = format!("{before:?} {order:?} {mark:?} {line}");
                    assert_eq!(found(&bytes), expected[..count], "{case}");
                }
            }
        }
    }

    /// Long runs are read in one step.
    #[test]
    fn single_bytes_show_after_long_runs_of_any_script() {
        for sentence in [
            "Съешь ещё этих мягких французских булок",
            "これは日本語の文章です。文字化けは起こりません。",
            "这是一段很长的中文文本用来说明编码的问题和解决的办法",
            "Ξεσκεπάζω την ψυχοφθόρα βδελυγμία",
        ] {
            for (times, order) in [(1, LE), (1, BE), (3, LE), (3, BE), (40, LE), (40, BE)] {
                let lines = format!("\u{FEFF}{}\r\n{sentence}\r\n", sentence.repeat(times));
                let tail = "plain words of the log, and more of them\n";
                let (bytes, places) = text(&[(order, &lines), (NARROW, tail)]);
                assert_eq!(found(&bytes), places, "{sentence} {times} {order:?}");
                let (bytes, _) = text(&[(order, &lines)]);
                assert_eq!(found(&bytes), [], "{sentence} {times} {order:?}");
            }
        }
    }

    /// A filter that converts line ends adds one byte to each line, and changes no other byte.
    #[test]
    fn an_added_byte_moves_the_units_that_follow() {
        let line = "a line of words\r\n";
        for (encoding, mark) in [(UTF_16LE, ""), (UTF_16BE, ""), (UTF_16LE, "\u{FEFF}")] {
            let text = format!("{mark}{}", line.repeat(40));
            let text = encoding.encode(&text).unwrap();
            let mut filtered = Vec::new();
            for &byte in &*text {
                filtered.extend_from_slice(if byte == b'\n' {
                    b"\r\n"
                } else {
                    std::slice::from_ref(&byte)
                });
            }
            let parts = parts_of(&filtered);
            let place = parts[1].place;
            // In big-endian text, the added CR completes the LF's unit, and the LF is left over.
            let shift = u64::from(encoding == UTF_16BE);
            let at = 2 * (mark.chars().count() as u64 + 16 + shift);
            let expected = (at, Some((1, 17 + shift)));
            assert_eq!((place.offset, place.line), expected, "{encoding}");
            let options = Options {
                bom: BomMode::Strip,
                ..Options::new(From::Mixed(WINDOWS_1252, ""), UTF_8)
            };
            let mut filtered = &filtered[..];
            let input = Input {
                parts: &parts,
                ..Input::new(&mut filtered)
            };
            let mut read = Vec::new();
            let (_, result) = engine::convert(input, &mut read, &options, &mut |_| {});
            result.unwrap();
            assert_eq!(read, line.repeat(40).replace("\r\n", "\r\r\n").as_bytes());
        }
        assert_eq!(found(b"\xFF\xFEa\0\r\0\r\n\0b\0")[1], (NARROW, 6));
    }

    /// Text in one encoding has no parts in any script. Zero-terminated fields are not parts either.
    #[test]
    fn a_text_of_one_encoding_has_no_parts() {
        let samples = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples/utf-8");
        let mut count = 0;
        for entry in std::fs::read_dir(samples).unwrap() {
            let path = entry.unwrap().path();
            let text = std::fs::read_to_string(&path).unwrap();
            for encoding in [UTF_16LE, UTF_16BE] {
                let bytes = encoding.encode(&text).unwrap();
                for cut in [bytes.len(), 40, 200, 2001] {
                    let bytes = &bytes[..cut.min(bytes.len())];
                    assert_eq!(found(bytes), [], "{path:?} {encoding} {cut}");
                    count += 1;
                }
            }
        }
        assert!(count > 40);
        for text in [
            &b"name\0value\0other\0\n".repeat(30)[..],
            b"text\0\0\0\0\0\0\0\0\0\0\0",
            b"\x01\0\0\0\x7F\0\x80\xFF\0\0\0\x02",
            b"a NUL\0 in a line\n",
            b"a\0b",
            b"<meta charset=windows-1252><p>na\xEFve\0 text",
            b"<p>na\xEFve\0 text",
            &b"th\xE9\0\n".repeat(9),
            b"\xFF\xFE",
            b"",
        ] {
            assert_eq!(found(text), [], "{text:?}");
        }
    }
}
