//! **Extension of mojika**, not in the Standard: HZ (RFC 1843), ISO-2022-KR (RFC 1557), CESU-8, Java's modified UTF-8
//! and WTF-8.

use crate::handler::{Handler, HandlerResult};
use crate::indexes::{self, Index};
use crate::io_queue::{IoQueue, Item};

/// An encoding of this module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// HZ: "~{" and "~}" shift, "~~" is a tilde, and a "~" with the line feed after it is dropped.
    Hz,
    /// ISO-2022-KR: a designation at the start, and the shifts 0x0E and 0x0F.
    Iso2022Kr,
    /// CESU-8: each surrogate has three bytes.
    Cesu8,
    /// Modified UTF-8: CESU-8 with `C0 80` for U+0000.
    ModifiedUtf8,
    /// WTF-8: a lone surrogate has three bytes, which decode to no character.
    Wtf8,
}

/// The header of ISO-2022-KR.
pub const DESIGNATION: [u8; 4] = [0x1B, 0x24, 0x29, 0x43];

/// Returns the code point of a seven-bit pair. GB 2312 is looked up in index gb18030, and KS X 1001 in index EUC-KR.
fn code_point(rule: Rule, lead: u8, trail: u8) -> Option<char> {
    let last_lead = if rule == Rule::Hz { 0x77 } else { 0x7E };
    if !(0x21..=last_lead).contains(&lead) || !(0x21..=0x7E).contains(&trail) {
        return None;
    }
    let (row, cell) = (
        u32::from(lead) + 0x80 - 0x81,
        u32::from(trail) + 0x80 - 0x41,
    );
    let found = index(rule).code_point((row * 190 + cell) as usize);
    // GB 2312 has no characters in GBK's user-defined areas.
    found.filter(|found| !(0xE000..=0xF8FF).contains(&u32::from(*found)))
}

fn index(rule: Rule) -> &'static Index {
    match rule {
        Rule::Hz => indexes::index_gb18030(),
        _ => indexes::index_euc_kr(),
    }
}

/// Returns the pair that decodes to a code point.
fn pair(rule: Rule, code_point_of: char) -> Option<[u8; 2]> {
    let pointer = index(rule).pointer(code_point_of)?;
    let (lead, trail) = (pointer / 190 + 0x81, pointer % 190 + 0x41);
    let seven = |byte: usize| u8::try_from(byte.checked_sub(0x80)?).ok();
    let pair = [seven(lead)?, seven(trail)?];
    (code_point(rule, pair[0], pair[1]) == Some(code_point_of)).then_some(pair)
}

/// The decoder.
#[derive(Clone, Debug)]
pub struct ShiftedDecoder {
    rule: Rule,
    in_pairs: bool,
    bytes: Vec<u8>,
}

impl ShiftedDecoder {
    /// Creates a decoder.
    pub fn new(rule: Rule) -> Self {
        Self {
            rule,
            in_pairs: false,
            bytes: Vec::new(),
        }
    }

    /// Reports the first `len` bytes as malformed, and restores the bytes after them.
    fn malformed(&mut self, io_queue: &mut IoQueue<u8>, len: usize) -> HandlerResult<char> {
        io_queue.restore_all(&self.bytes[len..]);
        self.bytes.clear();
        HandlerResult::error()
    }

    fn character(&mut self, value: u32) -> HandlerResult<char> {
        self.bytes.clear();
        HandlerResult::code_point(value)
    }

    fn pair_or_error(&mut self, io_queue: &mut IoQueue<u8>) -> HandlerResult<char> {
        let (lead, trail) = (self.bytes[0], self.bytes[1]);
        if !(0x21..=0x7E).contains(&trail) {
            return self.malformed(io_queue, 1);
        }
        match code_point(self.rule, lead, trail) {
            Some(found) => self.character(found.into()),
            None => self.malformed(io_queue, 2),
        }
    }

    fn hz(&mut self, io_queue: &mut IoQueue<u8>) -> HandlerResult<char> {
        match (self.in_pairs, &self.bytes[..]) {
            (_, [0x7E]) => HandlerResult::Continue,
            (false, [0x7E, 0x7E]) => self.character(0x7E),
            (false, [0x7E, 0x7B]) | (true, [0x7E, 0x7D]) => {
                self.in_pairs = !self.in_pairs;
                self.bytes.clear();
                HandlerResult::Continue
            }
            (false, [0x7E, 0x0A]) => {
                self.bytes.clear();
                HandlerResult::Continue
            }
            (_, [0x7E, _]) => self.malformed(io_queue, 1),
            (_, [0x0A]) => {
                self.in_pairs = false;
                self.character(0x0A)
            }
            (false, &[byte @ 0x00..=0x7F]) => self.character(byte.into()),
            (true, [0x21..=0x7D]) => HandlerResult::Continue,
            (true, [_, _]) => self.pair_or_error(io_queue),
            _ => self.malformed(io_queue, 1),
        }
    }

    fn iso_2022_kr(&mut self, io_queue: &mut IoQueue<u8>) -> HandlerResult<char> {
        match (self.in_pairs, &self.bytes[..]) {
            (_, [0x0E | 0x0F]) => {
                self.in_pairs = self.bytes == [0x0E];
                self.bytes.clear();
                HandlerResult::Continue
            }
            (_, bytes @ [0x1B, ..]) => {
                if bytes == DESIGNATION {
                    self.bytes.clear();
                } else if !DESIGNATION.starts_with(bytes) {
                    return self.malformed(io_queue, 1);
                }
                HandlerResult::Continue
            }
            (_, [0x0A]) => {
                self.in_pairs = false;
                self.character(0x0A)
            }
            (false, &[byte @ 0x00..=0x7F]) | (true, &[byte @ 0x00..=0x20]) => {
                self.character(byte.into())
            }
            (true, [0x21..=0x7E]) => HandlerResult::Continue,
            (true, [_, _]) => self.pair_or_error(io_queue),
            _ => self.malformed(io_queue, 1),
        }
    }

    fn wtf_8(&mut self, io_queue: &mut IoQueue<u8>) -> HandlerResult<char> {
        let len = match self.bytes[0] {
            0x00..=0x7F => 1,
            0xC2..=0xDF => 2,
            0xE0..=0xEF => 3,
            0xF0..=0xF4 => 4,
            _ => return self.malformed(io_queue, 1),
        };
        let is_possible = match self.bytes[..] {
            [_] => true,
            [0xE0, second] => (0xA0..=0xBF).contains(&second),
            [0xF0, second] => (0x90..=0xBF).contains(&second),
            [0xF4, second] => (0x80..=0x8F).contains(&second),
            [.., last] => (0x80..=0xBF).contains(&last),
            [] => false,
        };
        if !is_possible {
            let before = self.bytes.len() - 1;
            return self.malformed(io_queue, before);
        }
        if self.bytes.len() < len {
            return HandlerResult::Continue;
        }
        // The Standard's UTF-8 covers every character that is not a surrogate.
        match std::str::from_utf8(&self.bytes) {
            Ok(text) => {
                let character = text.chars().next().expect("a sequence is a character");
                self.character(character.into())
            }
            Err(_) => self.malformed(io_queue, 3),
        }
    }

    fn cesu_8(&mut self, io_queue: &mut IoQueue<u8>) -> HandlerResult<char> {
        let is_modified = self.rule == Rule::ModifiedUtf8;
        let unit = |bytes: &[u8]| {
            bytes[1..]
                .iter()
                .fold(u32::from(bytes[0] & 0x0F), |unit, byte| {
                    unit << 6 | u32::from(byte & 0x3F)
                })
        };
        match self.bytes[..] {
            [byte @ 0x00..=0x7F] => self.character(byte.into()),
            [0xC0] if is_modified => HandlerResult::Continue,
            [0xC2..=0xEF] => HandlerResult::Continue,
            [_] => self.malformed(io_queue, 1),
            [0xC0, 0x80] => self.character(0),
            [first @ 0xC2..=0xDF, second @ 0x80..=0xBF] => {
                self.character(u32::from(first & 0x1F) << 6 | u32::from(second & 0x3F))
            }
            [0xE0, 0xA0..=0xBF] | [0xE1..=0xEF, 0x80..=0xBF] => HandlerResult::Continue,
            [_, _] => self.malformed(io_queue, 1),
            [_, _, 0x80..=0xBF] => match unit(&self.bytes) {
                0xD800..=0xDBFF => HandlerResult::Continue,
                0xDC00..=0xDFFF => self.malformed(io_queue, 3),
                value => self.character(value),
            },
            [_, _, _] => self.malformed(io_queue, 2),
            [_, _, _, 0xED] | [_, _, _, _, 0xB0..=0xBF] => HandlerResult::Continue,
            [_, _, _, _, _, 0x80..=0xBF] => {
                let (lead, trail) = (unit(&self.bytes[..3]), unit(&self.bytes[3..]));
                self.character(0x1_0000 + ((lead - 0xD800) << 10) + (trail - 0xDC00))
            }
            _ => self.malformed(io_queue, 3),
        }
    }
}

impl Handler for ShiftedDecoder {
    type Input = u8;
    type Output = char;

    fn is_between(&self) -> bool {
        self.bytes.is_empty()
    }

    fn handler(&mut self, io_queue: &mut IoQueue<u8>, byte: Item<u8>) -> HandlerResult<char> {
        let Item::Value(byte) = byte else {
            // At the end, a lone surrogate is one error; the incomplete sequence after it is decoded again.
            return match self.bytes.len() {
                0 => HandlerResult::Finished,
                4.. => self.malformed(io_queue, 3),
                len => self.malformed(io_queue, len),
            };
        };
        self.bytes.push(byte);
        match self.rule {
            Rule::Hz => self.hz(io_queue),
            Rule::Iso2022Kr => self.iso_2022_kr(io_queue),
            Rule::Cesu8 | Rule::ModifiedUtf8 => self.cesu_8(io_queue),
            Rule::Wtf8 => self.wtf_8(io_queue),
        }
    }
}

/// The encoder.
#[derive(Clone, Debug)]
pub struct ShiftedEncoder {
    rule: Rule,
    is_designated: bool,
    in_pairs: bool,
    /// The trail surrogate that has not been written yet.
    trail: Option<u32>,
}

impl ShiftedEncoder {
    /// Creates an encoder.
    pub fn new(rule: Rule) -> Self {
        Self {
            rule,
            is_designated: false,
            in_pairs: false,
            trail: None,
        }
    }

    fn shift(&mut self, to_pairs: bool) -> HandlerResult<u8> {
        self.in_pairs = to_pairs;
        match (self.rule, to_pairs) {
            (Rule::Hz, true) => HandlerResult::items(b"~{"),
            (Rule::Hz, false) => HandlerResult::items(b"~}"),
            (_, true) => HandlerResult::byte(0x0E),
            (_, false) => HandlerResult::byte(0x0F),
        }
    }

    fn cesu_8(&mut self, io_queue: &mut IoQueue<char>, code_point: char) -> HandlerResult<u8> {
        let three = |unit: u32| {
            HandlerResult::bytes(&[
                0xE0 | unit >> 12,
                0x80 | unit >> 6 & 0x3F,
                0x80 | unit & 0x3F,
            ])
        };
        match u32::from(code_point) {
            0 if self.rule == Rule::ModifiedUtf8 => HandlerResult::items(&[0xC0, 0x80]),
            value @ 0x1_0000.. => match self.trail.take() {
                Some(trail) => three(trail),
                None => {
                    self.trail = Some(0xDC00 + ((value - 0x1_0000) & 0x3FF));
                    io_queue.restore(code_point);
                    three(0xD800 + ((value - 0x1_0000) >> 10))
                }
            },
            _ => {
                let mut bytes = [0; 4];
                HandlerResult::items(code_point.encode_utf8(&mut bytes).as_bytes())
            }
        }
    }
}

impl Handler for ShiftedEncoder {
    type Input = char;
    type Output = u8;

    fn handler(
        &mut self,
        io_queue: &mut IoQueue<char>,
        code_point: Item<char>,
    ) -> HandlerResult<u8> {
        let Item::Value(code_point) = code_point else {
            if self.in_pairs {
                return self.shift(false);
            }
            return HandlerResult::Finished;
        };
        if matches!(self.rule, Rule::Cesu8 | Rule::ModifiedUtf8) {
            return self.cesu_8(io_queue, code_point);
        }
        if self.rule == Rule::Wtf8 {
            let mut bytes = [0; 4];
            return HandlerResult::items(code_point.encode_utf8(&mut bytes).as_bytes());
        }
        if self.rule == Rule::Iso2022Kr && !self.is_designated {
            self.is_designated = true;
            io_queue.restore(code_point);
            return HandlerResult::items(&DESIGNATION);
        }
        let pair = pair(self.rule, code_point);
        if pair.is_some() != self.in_pairs {
            io_queue.restore(code_point);
            return self.shift(pair.is_some());
        }
        if let Some(pair) = pair {
            return HandlerResult::items(&pair);
        }
        match code_point {
            '~' if self.rule == Rule::Hz => HandlerResult::items(b"~~"),
            '\u{E}' | '\u{F}' | '\u{1B}' if self.rule == Rule::Iso2022Kr => {
                HandlerResult::error_with('\u{FFFD}')
            }
            '\0'..='\u{7F}' => HandlerResult::byte(code_point.into()),
            _ => HandlerResult::error_with(code_point),
        }
    }
}
