//! **Extension of mojika**, not in the Standard: EUC-TW and ISO-2022-CN, with planes 1 and 2 of CNS 11643.

use crate::handler::{Handler, HandlerResult, is_ascii_byte, is_ascii_code_point};
use crate::io_queue::{IoQueue, Item};
use crate::two_bytes::gb2312;
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// The plane, the row and the cell of a character, counted from 1.
type Place = (u8, u8, u8);

fn set() -> &'static (BTreeMap<Place, char>, BTreeMap<char, Place>) {
    static SET: OnceLock<(BTreeMap<Place, char>, BTreeMap<char, Place>)> = OnceLock::new();
    SET.get_or_init(|| {
        let text = include_str!("../../../gen/extended/cns11643.txt");
        let entries = text.lines().filter_map(|line| line.strip_prefix("0x"));
        let places: BTreeMap<Place, char> = entries
            .map(|entry| {
                let (place, to) = entry.split_once('\t').expect("two numbers");
                let number = |digits| u32::from_str_radix(digits, 16).expect("hexadecimal digits");
                let [_, plane, row, cell] = number(place).to_be_bytes();
                let to = char::from_u32(number(to)).expect("a scalar value");
                ((plane, row - 0x20, cell - 0x20), to)
            })
            .collect();
        let characters = places.iter().map(|(&place, &to)| (to, place)).collect();
        (places, characters)
    })
}

fn character(plane: u8, row: u8, cell: u8) -> Option<char> {
    set().0.get(&(plane, row, cell)).copied()
}

fn place(character: char) -> Option<Place> {
    set().1.get(&character).copied()
}

/// The decoder of EUC-TW.
#[derive(Clone, Debug, Default)]
pub struct EucTwDecoder {
    bytes: Vec<u8>,
}

impl Handler for EucTwDecoder {
    type Input = u8;
    type Output = char;

    fn handler(&mut self, io_queue: &mut IoQueue<u8>, byte: Item<u8>) -> HandlerResult<char> {
        let Item::Value(byte) = byte else {
            return match std::mem::take(&mut self.bytes)[..] {
                [] => HandlerResult::Finished,
                _ => HandlerResult::error(),
            };
        };
        let is_wanted = match self.bytes[..] {
            [] => is_ascii_byte(byte) || byte == 0x8E || (0xA1..=0xFE).contains(&byte),
            [0x8E] => (0xA1..=0xB0).contains(&byte),
            _ => (0xA1..=0xFE).contains(&byte),
        };
        if !is_wanted {
            if !self.bytes.is_empty() {
                io_queue.restore(byte);
            }
            self.bytes.clear();
            return HandlerResult::error();
        }
        self.bytes.push(byte);
        let found = match self.bytes[..] {
            [byte] if is_ascii_byte(byte) => Some(char::from(byte)),
            [0x8E, plane, row, cell] => character(plane - 0xA0, row - 0xA0, cell - 0xA0),
            [0x8E, ..] | [_] => return HandlerResult::Continue,
            [row, cell, ..] => character(1, row - 0xA0, cell - 0xA0),
            [] => unreachable!("there is a byte"),
        };
        self.bytes.clear();
        match found {
            Some(found) => HandlerResult::items(&[found]),
            None => HandlerResult::error(),
        }
    }
}

/// The encoder of EUC-TW.
#[derive(Clone, Debug, Default)]
pub struct EucTwEncoder;

impl Handler for EucTwEncoder {
    type Input = char;
    type Output = u8;

    fn handler(&mut self, _: &mut IoQueue<char>, code_point: Item<char>) -> HandlerResult<u8> {
        let Item::Value(code_point) = code_point else {
            return HandlerResult::Finished;
        };
        if is_ascii_code_point(code_point) {
            return HandlerResult::byte(code_point.into());
        }
        match place(code_point) {
            Some((1, row, cell)) => HandlerResult::items(&[row + 0xA0, cell + 0xA0]),
            Some((plane, row, cell)) => {
                HandlerResult::items(&[0x8E, plane + 0xA0, row + 0xA0, cell + 0xA0])
            }
            None => HandlerResult::error_with(code_point),
        }
    }
}

/// A set that an escape sequence designates, and 0x0E then selects.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Set {
    Gb2312,
    Plane1,
}

impl Set {
    fn sequence(self) -> [u8; 4] {
        match self {
            Set::Gb2312 => [0x1B, b'$', b')', b'A'],
            Set::Plane1 => [0x1B, b'$', b')', b'G'],
        }
    }

    fn character(self, row: u8, cell: u8) -> Option<char> {
        match self {
            Set::Gb2312 => gb2312(row + 0x80, cell + 0x80),
            Set::Plane1 => character(1, row - 0x20, cell - 0x20),
        }
    }
}

const PLANE_2: [u8; 4] = [0x1B, b'$', b'*', b'H'];

/// The current sets.
#[derive(Clone, Copy, Debug, Default)]
struct State {
    set: Option<Set>,
    is_shifted: bool,
    has_plane_2: bool,
}

/// The decoder of ISO-2022-CN.
#[derive(Clone, Debug, Default)]
pub struct Iso2022CnDecoder {
    state: State,
    bytes: Vec<u8>,
}

impl Iso2022CnDecoder {
    fn fail(&mut self) -> HandlerResult<char> {
        self.bytes.clear();
        HandlerResult::error()
    }
}

impl Handler for Iso2022CnDecoder {
    type Input = u8;
    type Output = char;

    fn is_between(&self) -> bool {
        self.bytes.is_empty()
    }

    fn handler(&mut self, io_queue: &mut IoQueue<u8>, byte: Item<u8>) -> HandlerResult<char> {
        let Item::Value(byte) = byte else {
            return if self.bytes.is_empty() {
                HandlerResult::Finished
            } else {
                self.fail()
            };
        };
        let is_pair = (0x21..=0x7E).contains(&byte);
        let shifted = self.state.set.filter(|_| self.state.is_shifted);
        let found = match self.bytes[..] {
            [] => match byte {
                0x0E if self.state.set.is_some() => {
                    self.state.is_shifted = true;
                    return HandlerResult::Continue;
                }
                0x0F => {
                    self.state.is_shifted = false;
                    return HandlerResult::Continue;
                }
                0x0E | 0x80.. => None,
                0x0A => {
                    self.state = State::default();
                    Some('\n')
                }
                _ if byte == 0x1B || is_pair && shifted.is_some() => {
                    self.bytes.push(byte);
                    return HandlerResult::Continue;
                }
                _ => Some(char::from(byte)),
            },
            [0x1B, b'N', ref pair @ ..] => {
                if !is_pair {
                    io_queue.restore(byte);
                    return self.fail();
                }
                match *pair {
                    [row] => character(2, row - 0x20, byte - 0x20),
                    _ => {
                        self.bytes.push(byte);
                        return HandlerResult::Continue;
                    }
                }
            }
            [0x1B, ..] => {
                let all = [&self.bytes[..], &[byte]].concat();
                let sets = [Set::Gb2312, Set::Plane1];
                if let Some(set) = sets.into_iter().find(|set| set.sequence()[..] == all) {
                    self.state.set = Some(set);
                } else if PLANE_2[..] == all {
                    self.state.has_plane_2 = true;
                } else {
                    let is_start = sets.iter().any(|set| set.sequence().starts_with(&all))
                        || PLANE_2.starts_with(&all)
                        || all == b"\x1BN" && self.state.has_plane_2;
                    if is_start {
                        self.bytes = all;
                        return HandlerResult::Continue;
                    }
                    // Only the escape byte is malformed.
                    io_queue.restore_all(&all[1..]);
                    return self.fail();
                }
                self.bytes.clear();
                return HandlerResult::Continue;
            }
            [_, ..] if !is_pair => {
                io_queue.restore(byte);
                None
            }
            [row, ..] => shifted.and_then(|set| set.character(row, byte)),
        };
        self.bytes.clear();
        match found {
            Some(found) => HandlerResult::items(&[found]),
            None => HandlerResult::error(),
        }
    }
}

/// The encoder of ISO-2022-CN.
#[derive(Clone, Debug, Default)]
pub struct Iso2022CnEncoder {
    state: State,
}

impl Handler for Iso2022CnEncoder {
    type Input = char;
    type Output = u8;

    fn handler(
        &mut self,
        io_queue: &mut IoQueue<char>,
        code_point: Item<char>,
    ) -> HandlerResult<u8> {
        let Item::Value(code_point) = code_point else {
            if std::mem::take(&mut self.state).is_shifted {
                return HandlerResult::byte(0x0F);
            }
            return HandlerResult::Finished;
        };
        let wanted = match (pair_of_gb2312(code_point), place(code_point)) {
            _ if is_ascii_code_point(code_point) => None,
            (Some(pair), _) => Some((Some(Set::Gb2312), pair)),
            (None, Some((1, row, cell))) => Some((Some(Set::Plane1), [row + 0x20, cell + 0x20])),
            (None, Some((_, row, cell))) => Some((None, [row + 0x20, cell + 0x20])),
            (None, None) => None,
        };
        let Some((set, pair)) = wanted else {
            if self.state.is_shifted {
                io_queue.restore(code_point);
                self.state.is_shifted = false;
                return HandlerResult::byte(0x0F);
            }
            return match code_point {
                '\u{E}' | '\u{F}' | '\u{1B}' => {
                    HandlerResult::error_with(char::REPLACEMENT_CHARACTER)
                }
                _ if is_ascii_code_point(code_point) => {
                    if code_point == '\n' {
                        self.state = State::default();
                    }
                    HandlerResult::byte(code_point.into())
                }
                _ => HandlerResult::error_with(code_point),
            };
        };
        match set {
            None if self.state.has_plane_2 => HandlerResult::items(&[0x1B, b'N', pair[0], pair[1]]),
            None => {
                io_queue.restore(code_point);
                self.state.has_plane_2 = true;
                HandlerResult::items(&PLANE_2)
            }
            Some(set) if self.state.set != Some(set) => {
                io_queue.restore(code_point);
                self.state.set = Some(set);
                HandlerResult::items(&set.sequence())
            }
            Some(_) if !self.state.is_shifted => {
                io_queue.restore(code_point);
                self.state.is_shifted = true;
                HandlerResult::byte(0x0E)
            }
            Some(_) => HandlerResult::items(&pair),
        }
    }
}

fn pair_of_gb2312(code_point: char) -> Option<[u8; 2]> {
    static PAIRS: OnceLock<BTreeMap<char, [u8; 2]>> = OnceLock::new();
    let pairs = PAIRS.get_or_init(|| {
        let bytes = || 0xA1..=0xFE_u8;
        let pairs = bytes().flat_map(|lead| bytes().map(move |trail| [lead, trail]));
        let of_pair =
            |[lead, trail]: [u8; 2]| Some((gb2312(lead, trail)?, [lead & 0x7F, trail & 0x7F]));
        pairs.filter_map(of_pair).collect()
    });
    pairs.get(&code_point).copied()
}
