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
use std::sync::Arc;

/// The price of a change of the reading at the start of a line, and at other positions, in bits.
const AT_LINE: u64 = 16;
const WITHIN: u64 = 24;

/// The price of UTF-16 without a mark at the start of the text, and the extra price of the first such part after single
/// bytes. A single NUL does not make up for it.
const UNMARKED: u64 = 14;
const FIRST: u64 = 36;

/// The price of a change to the other byte order.
const TURN: u64 = 20;

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

/// The number of bytes before and after a unit that show if it belongs to the text.
const NEAR: usize = 32;

/// The extra cost of a unit of two printable bytes if no unit near it is of its script.
const ALONE: u32 = 4;

/// The number of bytes at the start that decide if a text is in UTF-32.
const HEAD: usize = 256;

/// A text has at most one malformed or impossible unit in this number of bytes.
const MOST_BAD: u64 = 128;

const MARK: u16 = 0xFEFF;

/// A part, and the parts before it.
#[derive(Debug)]
struct Node {
    part: Part,
    before: Option<Arc<Node>>,
}

impl Drop for Node {
    /// Drops the parts without recursion, because there may be many.
    fn drop(&mut self) {
        let mut next = self.before.take();
        while let Some(mut node) = next.and_then(Arc::into_inner) {
            next = node.before.take();
        }
    }
}

/// One reading of the text up to the current offset, with its cost.
#[derive(Clone, Debug)]
struct Path {
    part: Part,
    before: Option<Arc<Node>>,
    /// The node of `part`, once a part follows it.
    node: Option<Arc<Node>>,
    /// The byte order of the last part in UTF-16.
    order: Option<&'static Encoding>,
    cost: u64,
    bad: u32,
    /// The cost of all UTF-16 units, their number, and the number of units whose two bytes are printable ASCII.
    wide: (u64, u64, u64),
    units: Units,
    last: u16,
    /// The first unit that is no character, but half of one and a line end or nothing.
    half: Option<Place>,
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
            half: None,
            line,
            column: 1,
        }
    }

    /// Returns the price of a change to another reading of the bytes that follow.
    fn price(&self, encoding: Option<&'static Encoding>, bytes: &[u8]) -> u64 {
        let price = match self.last {
            0x0A | MARK => AT_LINE,
            // Lines of single bytes rarely end so.
            0x0D if self.order.is_some() => AT_LINE,
            _ => WITHIN,
        };
        let is_mark = |pair| encoding.is_some_and(|order| value(pair, order) == MARK);
        let extra = match (self.order, encoding) {
            _ if bytes.first_chunk().is_some_and(is_mark) => 0,
            (Some(one), Some(other)) if one != other => TURN,
            (None, Some(_)) if price == WITHIN => FIRST,
            _ => 0,
        };
        price + extra
    }

    /// Returns a path that continues this one in another reading.
    fn followed_by(&mut self, encoding: Option<&'static Encoding>, cost: u64, offset: u64) -> Self {
        let (part, before) = (self.part, self.before.clone());
        let mut next = Self::new(encoding, offset, self.line);
        next.part.place.line = Some((self.line, self.column));
        let node = || Arc::new(Node { part, before });
        next.before = Some(Arc::clone(self.node.get_or_insert_with(node)));
        next.order = encoding.or(self.order);
        (next.cost, next.bad, next.wide) = (cost, self.bad(), self.wide);
        (next.half, next.column) = (self.half, self.column);
        next
    }

    fn byte(&mut self, byte: u8, offset: u64) {
        let cost = byte_cost(self.last as u8, byte);
        let is_half = byte == 0 && self.order.is_some();
        self.bad += u32::from(cost >= BAD && !is_half);
        self.doubt(is_half, offset);
        self.cost += u64::from(cost) + if byte == 0 { NUL } else { 0 };
        self.advance(u16::from(byte), byte & 0xC0 != 0x80);
    }

    /// Reads the unit at an index of `text`, which is at an offset of the whole text.
    fn unit(&mut self, text: &[u8], at: usize, offset: u64) {
        let order = self.part.encoding.unwrap_or(UTF_16LE);
        let unit = value(&[text[at], text[at + 1]], order);
        let before = self.units.cost();
        // A mark at the start of a line is the start of a part. A filter of line ends may leave a NUL.
        if unit != 0 && (unit != MARK || self.last != u16::from(b'\n')) {
            self.units.unit_16(unit);
        }
        let cost = u64::from(self.units.cost() - before + if unit == 0 { BAD } else { 0 });
        let (all, count, pairs) = self.wide;
        self.wide = (all + cost, count + 1, pairs + u64::from(is_pair(unit)));
        let extra = extra(text, at, order);
        self.cost += cost + u64::from(extra);
        let is_half = extra > 0 && matches!(unit, 0x0A00 | 0x0A0D | 0x0D00 | 0x0D0A);
        self.doubt(is_half || unit == 0 && self.before.is_some(), offset);
        self.advance(unit, unit != MARK && !(0xDC00..0xE000).contains(&unit));
    }

    fn doubt(&mut self, is_half: bool, offset: u64) {
        let line = Some((self.line, self.column));
        self.half = self.half.or(is_half.then_some(Place { offset, line }));
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

/// Returns the extra cost of a unit whose bytes may be single-byte text, if no unit near it is of its script.
fn extra(text: &[u8], at: usize, order: &'static Encoding) -> u32 {
    let unit = value(&[text[at], text[at + 1]], order);
    let [upper, lower] = unit.to_be_bytes().map(|byte| matches!(byte, b'\n' | b'\r'));
    if !upper && (!is_ascii(unit) || lower && order != UTF_16BE) {
        return 0;
    }
    let read = |pair: &[u8; 2]| value(pair, order);
    let before = text[..at].as_rchunks().1.iter().rev().map(read);
    let after = text[at + 2..].as_chunks().0.iter().map(read);
    let near = |units: usize| before.clone().take(units).chain(after.clone().take(units));
    let is_clear = |other: u16| other >= 0x100 && other != MARK && !is_ascii(other);
    // The first character of an Indic block is the line end of the other byte order.
    let is_same = |other| other & 0xFF80 == unit & 0xFF80 && other & 0x7F != 0;
    let pairs = before.clone().take(3).filter(|other| is_pair(*other));
    let is_alone = match upper {
        // Both are unassigned.
        true if matches!(unit, 0x0A00 | 0x0A0D) => true,
        true if near(1).any(is_same) => false,
        true => !near(NEAR / 2).any(|other| is_same(other) && !is_ascii(other)),
        false if lower && pairs.count() == 3 => true,
        false => !near(NEAR / 2).any(is_clear),
    };
    u32::from(is_alone) * if upper || lower { BAD } else { ALONE }
}

/// True if both bytes are printable ASCII.
fn is_pair(unit: u16) -> bool {
    unit.to_be_bytes().into_iter().all(is_printable)
}

/// True if both bytes are ASCII, and no control characters but tabs and line ends.
fn is_ascii(unit: u16) -> bool {
    let is = |byte: &u8| matches!(byte, b'\t' | b'\n' | b'\r' | 0x20..=0x7E);
    unit.to_be_bytes().iter().all(is)
}

fn value(pair: &[u8; 2], order: &'static Encoding) -> u16 {
    match order == UTF_16BE {
        true => u16::from_be_bytes(*pair),
        false => u16::from_le_bytes(*pair),
    }
}

/// Reads a text, and finds its parts.
#[derive(Clone, Default)]
pub struct Wide {
    /// The best path in each reading: single bytes; UTF-16LE and UTF-16BE from even offsets, then from odd offsets.
    paths: [Option<Path>; 5],
    /// Bytes without a NUL before UTF-16, or the last bytes. The first `done` bytes are read.
    held: Vec<u8>,
    done: usize,
    read: u64,
    /// The number of skipped lines, and the number of characters in the last, unfinished line.
    lines: u64,
    column: u64,
    is_started: bool,
    /// The first bytes, up to [`HEAD`].
    head: Vec<u8>,
}

/// True if a text starts with the byte order mark of UTF-16.
fn is_marked(text: &[u8]) -> bool {
    matches!(text, [0xFF, 0xFE, ..] | [0xFE, 0xFF, ..])
}

/// True if all bytes are UTF-32. No text in UTF-16 alternates with control characters like this.
fn is_utf_32(head: &[u8]) -> bool {
    let quads = head.as_chunks().0;
    let are = |is: fn(&[u8; 4]) -> bool| quads.len() > 1 && quads.iter().all(is);
    are(|quad| matches!(quad, [.., 0..=3, 0])) || are(|quad| matches!(quad, [0, 0..=3, ..]))
}

fn is_printable(byte: u8) -> bool {
    matches!(byte, 0x20..=0x7E)
}

/// Returns the number of UTF-16 units at the start that only this reading explains.
///
/// Such units are characters of Latin-1, letters whose upper byte is a control character, full-width ASCII, kana and
/// ideographs. Among the ideographs, pairs of printable bytes must be rare, unlike in single-byte text. All must be below
/// U+7F00, unlike in Shift_JIS.
fn plain_units(bytes: &[u8], order: &'static Encoding) -> usize {
    let (mut count, mut pairs, mut common, mut ideographs) = (0, 0, 0, 0);
    for pair in bytes.as_chunks().0 {
        let [upper, lower] = value(pair, order).to_be_bytes();
        match upper {
            // The end of a line of single bytes may be here.
            _ if matches!(lower, b'\n' | b'\r') => break,
            0 if is_printable(lower) || lower >= 0xA0 => {}
            0x01..=0x08 | 0x0B | 0x0C | 0x0E..=0x1F => {}
            0xFF if lower < 0x5F => {}
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
        let mut held = std::mem::take(&mut self.held);
        let room = HEAD - self.head.len();
        self.head.extend_from_slice(&bytes[..bytes.len().min(room)]);
        let is_long = !self.is_started && bytes.len() >= BEFORE && held.len() > 1;
        if is_long && memchr::memchr(0, bytes).is_none() {
            // The held bytes before the part are single bytes, too.
            self.skip(&held);
            held.clear();
        }
        let joined = match held.is_empty() {
            true => Cow::Borrowed(bytes),
            false => Cow::Owned([&held, bytes].concat()),
        };
        let rest = match self.is_started {
            true => &joined,
            false => &joined[self.start(&joined)..],
        };
        match self.is_started {
            true => self.read_on(rest, NEAR),
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

    /// Reads a text after its first `done` bytes, up to the last `most` bytes.
    fn read_on(&mut self, text: &[u8], most: usize) {
        let path = self.best().and_then(|at| self.paths[at].as_ref());
        let most_bad = self.read / MOST_BAD + 1024;
        // NULs cost much, but are not counted as bad.
        let is_costly = |path: &Path| path.wide.0 > MAX_UNIT_COST * (path.wide.1 + 1024);
        if path.is_none_or(|path| u64::from(path.bad()) > most_bad || is_costly(path)) {
            // The text is binary data, whatever follows.
            self.paths = Default::default();
            return;
        }
        while self.done + most < text.len() {
            self.step(text);
            self.run(text);
        }
        let start = self.done.saturating_sub(NEAR + 1);
        self.held = text[start..].to_vec();
        self.done -= start;
    }

    /// Begins at a byte order mark, or some lines before the first NUL. Returns the number of bytes before that.
    fn start(&mut self, bytes: &[u8]) -> usize {
        if self.read == 0 && is_marked(bytes) {
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

    fn step(&mut self, text: &[u8]) {
        if let Some(path) = &mut self.paths[0] {
            path.byte(text[self.done], self.read);
        }
        // A UTF-16 unit that ends at this offset began at the previous offset.
        let ends = 1 + 2 * ((self.read + 1) % 2) as usize;
        for path in self.paths[ends..ends + 2].iter_mut().flatten() {
            path.unit(text, self.done - 1, self.read - 1);
        }
        self.done += 1;
        self.read += 1;
        self.change([0, ends, ends + 1], &text[self.done..]);
    }

    /// Lets each path whose unit ends at this offset continue the cheapest path, if that costs less.
    fn change(&mut self, ends: [usize; 3], bytes: &[u8]) {
        let cost = |at: &usize| self.paths[*at].as_ref().map_or(u64::MAX, |path| path.cost);
        let best = ends.into_iter().min_by_key(cost).unwrap_or(0);
        for at in ends.into_iter().filter(|at| *at != best) {
            let cost = self.paths[at].as_ref().map_or(u64::MAX, |path| path.cost);
            let Some(path) = &mut self.paths[best] else {
                return;
            };
            let limit = path.cost + path.price(ENCODINGS[at], bytes);
            if cost > limit {
                self.paths[at] = Some(path.followed_by(ENCODINGS[at], limit, self.read));
            }
        }
    }

    /// Returns the cheapest path.
    fn best(&self) -> Option<usize> {
        let paths = self.paths.iter().enumerate();
        let costs = paths.filter_map(|(at, path)| Some((path.as_ref()?.cost, at)));
        costs.min().map(|(_, at)| at)
    }

    /// Reads a sequence of plain units in the cheapest reading alone, if there is one.
    fn run(&mut self, text: &[u8]) -> Option<()> {
        let best = self.best()?;
        let bytes = &text[self.done..];
        let length = match ENCODINGS[best] {
            None => bytes.iter().take_while(|&&byte| is_printable(byte)).count(),
            // A unit starts here.
            Some(order) if (best <= 2) == self.read.is_multiple_of(2) => {
                2 * plain_units(bytes, order)
            }
            Some(_) => 0,
        };
        let most = self.paths[best].as_ref()?.cost + AT_LINE;
        let close = self.paths.iter().flatten().filter(|path| path.cost < most);
        if length < 2 * MIN_RUN_LENGTH || close.count() > 1 {
            return None;
        }
        let mut path = self.paths[best].take()?;
        self.paths = Default::default();
        self.done += length;
        self.read += length as u64;
        let count = length as u64 / (1 + u64::from(best > 0)) - 1;
        path.cost += PLAIN * count;
        path.column += count;
        match best {
            0 => path.byte(text[self.done - 1], self.read - 1),
            _ => path.unit(text, self.done - 2, self.read - 2),
        }
        self.paths[best] = Some(path);
        Some(())
    }

    /// Returns the parts of the text up to the current offset; empty if it is of one kind, or not text.
    pub fn parts(&self) -> Vec<Part> {
        let found = self.found().filter(|(parts, _)| parts.len() > 1);
        found.map_or_else(Vec::new, |(parts, _)| parts)
    }

    /// Returns the position of half a character, if the parts are not certain for it.
    pub fn half(&self) -> Option<Place> {
        self.found()?.1
    }

    fn found(&self) -> Option<(Vec<Part>, Option<Place>)> {
        let mut whole = self.clone();
        whole.read_on(&self.held, 0);
        // True if the UTF-16 unit at the end of path `at` is incomplete.
        let is_cut = |at: usize| at > 0 && (at <= 2) != whole.read.is_multiple_of(2);
        let paths = whole.paths.iter().enumerate();
        let (_, path) = paths
            .filter_map(|(at, path)| path.as_ref().map(|path| (at, path)))
            .min_by_key(|(at, path)| path.cost + if is_cut(*at) { BYTE } else { 0 })
            .filter(|(_, path)| u64::from(path.bad()) * MOST_BAD <= whole.read)?;
        let mut parts = vec![path.part];
        let mut next = &path.before;
        while let Some(node) = next {
            parts.push(node.part);
            next = &node.before;
        }
        parts.reverse();
        let ends = parts.iter().skip(1).map(|part| part.place.offset);
        let lengths = parts.iter().zip(ends.chain([whole.read]));
        let wide = lengths.filter(|(part, _)| part.encoding.is_some());
        // A single UTF-16 unit among single bytes is the end of a zero-terminated field, not a part.
        let is_short = |(part, end): &(&Part, u64)| end - part.place.offset < 4;
        let (short, long): (Vec<_>, Vec<_>) = wide.partition(is_short);
        // One ideograph in four has two bytes that are printable ASCII.
        let (cost, count, pairs) = path.wide;
        let is_text = cost <= MAX_UNIT_COST * count && 2 * pairs <= count;
        // At the start, it is a byte order mark.
        let most = long.len().max(usize::from(parts[0].encoding.is_some()));
        let half = path
            .half
            .filter(|_| parts.len() > 1 || is_marked(&self.head));
        let is_text = is_text && !is_utf_32(&self.head);
        (is_text && short.len() <= most).then_some((parts, half))
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
    use mojika::extended::{UTF_32BE, UTF_32LE};
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

    #[test]
    fn utf_32_has_no_parts_in_chunks_of_any_size() {
        for encoding in [UTF_32LE, UTF_32BE] {
            let (text, _) = text(&[(Some(encoding), "Вечером на веранде пили чай с вареньем.\n")]);
            for size in [1, 3, 7, text.len()] {
                let mut wide = Wide::default();
                text.chunks(size).for_each(|chunk| wide.feed(chunk));
                assert_eq!((wide.parts(), wide.half()), (Vec::new(), None), "{size}");
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
