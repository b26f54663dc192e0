//! **Extension of mojika**, not in the Standard: Johab (KS X 1001 annex 3) and GB 2312 in EUC.

use crate::handler::{Handler, HandlerResult, is_ascii_byte, is_ascii_code_point};
use crate::indexes;
use crate::io_queue::{IoQueue, Item};
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// An encoding of this module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// Johab, in which five bits encode each part of a syllable.
    Johab,
    /// GB 2312 in EUC, with both bytes above 0xA0.
    Gb2312,
}

/// The parts of a syllable by their five-bit values. A space is an invalid value, "-" the absence of the part.
const INITIALS: &str = " -ㄱㄲㄴㄷㄸㄹㅁㅂㅃㅅㅆㅇㅈㅉㅊㅋㅌㅍㅎ";
const VOWELS: &str = "  -ㅏㅐㅑㅒㅓ  ㅔㅕㅖㅗㅘㅙ  ㅚㅛㅜㅝㅞㅟ  ㅠㅡㅢㅣ";
const FINALS: &str = " -ㄱㄲㄳㄴㄵㄶㄷㄹㄺㄻㄼㄽㄾㄿㅀㅁ ㅂㅄㅅㅆㅇㅈㅊㅋㅌㅍㅎ";

fn part(parts: &str, bits: u32) -> char {
    parts.chars().nth(bits as usize).unwrap_or(' ')
}

/// Returns the index of a part, not counting spaces and "-".
fn place(parts: &str, part: char) -> u32 {
    let parts = parts.chars().filter(|one| !" -".contains(*one));
    parts.take_while(|one| *one != part).count() as u32
}

fn of_parts(lead: u8, trail: u8) -> Option<char> {
    let bits = u32::from(lead) << 8 | u32::from(trail);
    let initial = part(INITIALS, bits >> 10 & 31);
    let vowel = part(VOWELS, bits >> 5 & 31);
    let last = part(FINALS, bits & 31);
    match (initial, vowel, last) {
        (' ', _, _) | (_, ' ', _) | (_, _, ' ') | ('-', '-', '-') => None,
        (initial, '-', '-') => Some(initial),
        ('-', vowel, '-') => Some(vowel),
        // A final consonant alone is valid only if it cannot be an initial consonant.
        ('-', '-', last) => (!INITIALS.contains(last)).then_some(last),
        ('-', _, _) | (_, '-', _) => None,
        (initial, vowel, last) => {
            let of_last = if last == '-' {
                0
            } else {
                place(FINALS, last) + 1
            };
            let syllable = (place(INITIALS, initial) * 21 + place(VOWELS, vowel)) * 28 + of_last;
            char::from_u32(0xAC00 + syllable)
        }
    }
}

fn johab(lead: u8, trail: u8) -> Option<char> {
    let is_trail = match lead {
        0x84..=0xD3 => matches!(trail, 0x41..=0x7E | 0x81..=0xFE),
        0xD9..=0xDE | 0xE0..=0xF9 => matches!(trail, 0x31..=0x7E | 0x91..=0xFE),
        _ => false,
    };
    if !is_trail {
        return None;
    }
    if lead < 0xD9 {
        return of_parts(lead, trail);
    }
    // Rows 1 to 12 and 42 to 93 of KS X 1001, two rows per lead byte.
    let first = match lead {
        0xD9..=0xDE => 1 + 2 * usize::from(lead - 0xD9),
        _ => 42 + 2 * usize::from(lead - 0xE0),
    };
    let cell = match trail {
        0x31..=0x7E => usize::from(trail) - 0x31,
        _ => usize::from(trail) - 0x91 + 78,
    };
    let pointer = (first + cell / 94 + 0x20 - 1) * 190 + 0x60 + cell % 94;
    let found = indexes::index_euc_kr().code_point(pointer)?;
    // Jamo of row 4, except the filler, are encoded as syllables with a single part.
    (!('\u{3131}'..='\u{3163}').contains(&found)).then_some(found)
}

pub(crate) fn gb2312(lead: u8, trail: u8) -> Option<char> {
    let (row, cell) = (lead.checked_sub(0xA0)?, trail.checked_sub(0xA0)?);
    let is_in_set = match row {
        1 | 3 | 16..=54 | 56..=87 => (1..=94).contains(&cell),
        2 => matches!(cell, 17..=66 | 69..=78 | 81..=92),
        4 => (1..=83).contains(&cell),
        5 => (1..=86).contains(&cell),
        6 => matches!(cell, 1..=24 | 33..=56),
        7 => matches!(cell, 1..=33 | 49..=81),
        8 => matches!(cell, 1..=26 | 37..=73),
        9 => (4..=79).contains(&cell),
        55 => (1..=89).contains(&cell),
        _ => false,
    };
    match (row, cell) {
        (1, 4) => Some('\u{30FB}'),
        (1, 10) => Some('\u{2015}'),
        _ if is_in_set => {
            let pointer = usize::from(lead - 0x81) * 190 + usize::from(trail - 0x41);
            indexes::index_gb18030().code_point(pointer)
        }
        _ => None,
    }
}

impl Rule {
    fn code_point(self, lead: u8, trail: u8) -> Option<char> {
        match self {
            Rule::Johab => johab(lead, trail),
            Rule::Gb2312 => gb2312(lead, trail),
        }
    }

    fn is_lead(self, byte: u8) -> bool {
        match self {
            Rule::Johab => matches!(byte, 0x84..=0xD3 | 0xD9..=0xDE | 0xE0..=0xF9),
            Rule::Gb2312 => matches!(byte, 0xA1..=0xF7),
        }
    }

    fn pairs(self) -> &'static BTreeMap<char, [u8; 2]> {
        static PAIRS: [OnceLock<BTreeMap<char, [u8; 2]>>; 2] = [const { OnceLock::new() }; 2];
        PAIRS[self as usize].get_or_init(|| {
            let pairs = (0x80..=0xFF).flat_map(|lead| (0..=0xFF).map(move |trail| [lead, trail]));
            let of_pair =
                |[lead, trail]: [u8; 2]| Some((self.code_point(lead, trail)?, [lead, trail]));
            pairs.filter_map(of_pair).collect()
        })
    }
}

/// The decoder.
#[derive(Clone, Debug)]
pub struct TwoByteDecoder {
    rule: Rule,
    lead: Option<u8>,
}

impl TwoByteDecoder {
    /// Creates a decoder.
    pub fn new(rule: Rule) -> Self {
        Self { rule, lead: None }
    }
}

impl Handler for TwoByteDecoder {
    type Input = u8;
    type Output = char;

    fn handler(&mut self, io_queue: &mut IoQueue<u8>, byte: Item<u8>) -> HandlerResult<char> {
        let lead = self.lead.take();
        match (lead, byte) {
            (None, Item::EndOfQueue) => HandlerResult::Finished,
            (Some(_), Item::EndOfQueue) => HandlerResult::error(),
            (None, Item::Value(byte)) if is_ascii_byte(byte) => {
                HandlerResult::code_point(byte.into())
            }
            (None, Item::Value(byte)) if self.rule.is_lead(byte) => {
                self.lead = Some(byte);
                HandlerResult::Continue
            }
            (None, _) => HandlerResult::error(),
            (Some(lead), Item::Value(trail)) => match self.rule.code_point(lead, trail) {
                Some(found) => HandlerResult::items(&[found]),
                None => {
                    if is_ascii_byte(trail) {
                        io_queue.restore(trail);
                    }
                    HandlerResult::error()
                }
            },
        }
    }
}

/// The encoder.
#[derive(Clone, Debug)]
pub struct TwoByteEncoder {
    rule: Rule,
}

impl TwoByteEncoder {
    /// Creates an encoder.
    pub fn new(rule: Rule) -> Self {
        Self { rule }
    }
}

impl Handler for TwoByteEncoder {
    type Input = char;
    type Output = u8;

    fn handler(&mut self, _: &mut IoQueue<char>, code_point: Item<char>) -> HandlerResult<u8> {
        let Item::Value(code_point) = code_point else {
            return HandlerResult::Finished;
        };
        if is_ascii_code_point(code_point) {
            return HandlerResult::byte(code_point.into());
        }
        match self.rule.pairs().get(&code_point) {
            Some(pair) => HandlerResult::items(pair),
            None => HandlerResult::error_with(code_point),
        }
    }
}
