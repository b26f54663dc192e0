//! **Extension of mojika**, not in the Standard: ISO-2022-JP-1 (RFC 2237), -2 (RFC 1554), -3 and -2004 (JIS X 0213, annex 2),
//! EUC-JIS-2004 and Shift_JIS-2004 (annexes 3 and 1).

use crate::handler::{Handler, HandlerResult, is_ascii_byte};
use crate::indexes::{self, Index, index_file};
use crate::io_queue::{IoQueue, Item};
use std::collections::BTreeMap;
use std::sync::OnceLock;

/// An encoding of this module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// ISO-2022-JP-1.
    Jp1,
    /// ISO-2022-JP-2.
    Jp2,
    /// ISO-2022-JP-3.
    Jp3,
    /// ISO-2022-JP-2004.
    Jp2004,
    /// EUC-JIS-2004.
    Euc,
    /// Shift_JIS-2004.
    ShiftJis,
}

/// A character set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Set {
    Ascii,
    Roman,
    Katakana,
    Jis0208,
    Jis0212,
    Latin,
    Greek,
    Gb2312,
    Ks1001,
    Old0213,
    First0213,
    Second0213,
}
use Set::*;

/// The characters of a set by their seven-bit bytes.
type Characters = BTreeMap<Vec<u8>, Vec<char>>;

const JIS_X_0213: &str = include_str!("../../../gen/extended/jisx0213.txt");

/// The pairs that JIS X 0213 has had since 2004.
const OF_2004: [[u8; 2]; 10] = [
    [0x2E, 0x21],
    [0x2F, 0x7E],
    [0x4F, 0x54],
    [0x4F, 0x7E],
    [0x74, 0x27],
    [0x7E, 0x7A],
    [0x7E, 0x7B],
    [0x7E, 0x7C],
    [0x7E, 0x7D],
    [0x7E, 0x7E],
];

fn rows(of: impl Fn(usize, usize) -> Option<char>) -> Characters {
    let cells = (0..94).flat_map(|row| (0..94).map(move |cell| (row, cell)));
    cells
        .filter_map(|(row, cell)| {
            let bytes = vec![0x21 + row as u8, 0x21 + cell as u8];
            Some((bytes, vec![of(row, cell)?]))
        })
        .collect()
}

fn of_0213(is_second: bool) -> Characters {
    let lines = JIS_X_0213.lines().filter(|line| line.starts_with("0x"));
    let entries = lines.filter_map(|line| {
        let (pair, to) = line[2..].split_once('\t')?;
        let pair = u16::from_str_radix(pair, 16).ok()?;
        let character = |to| char::from_u32(u32::from_str_radix(to, 16).ok()?);
        let text: Vec<char> = to.split('+').filter_map(character).collect();
        let bytes = (pair & 0x7F7F).to_be_bytes().to_vec();
        (is_second == (pair & 0x8000 == 0)).then_some((bytes, text))
    });
    let mut characters: Characters = entries.collect();
    if !is_second {
        characters.extend(characters_of(Jis0208).clone());
    }
    characters
}

fn build(set: Set) -> Characters {
    let upper = |index: &[Option<char>; 96]| {
        (0x20..0x80)
            .filter_map(|byte| Some((vec![byte], vec![index[usize::from(byte) - 0x20]?])))
            .collect()
    };
    match set {
        Ascii => (0x21..0x7F)
            .map(|byte| (vec![byte], vec![char::from(byte)]))
            .collect(),
        Roman => {
            let mut characters = build(Ascii);
            characters.insert(vec![0x5C], vec!['¥']);
            characters.insert(vec![0x7E], vec!['‾']);
            characters
        }
        Katakana => (0..63)
            .map(|at| {
                let katakana = char::from_u32(0xFF61 + u32::from(at)).expect("a katakana");
                (vec![0x21 + at], vec![katakana])
            })
            .collect(),
        Latin => upper(&std::array::from_fn(|at| char::from_u32(0xA0 + at as u32))),
        Greek => {
            let index = Index::parse(index_file!("iso-8859-7"));
            upper(&std::array::from_fn(|at| index.code_point(0x20 + at)))
        }
        Jis0208 => rows(|row, cell| match (row + 1, cell + 1) {
            (1, 33) => Some('\u{301C}'),
            (1, 34) => Some('\u{2016}'),
            (1, 61) => Some('\u{2212}'),
            (1, 81) => Some('¢'),
            (1, 82) => Some('£'),
            (2, 44) => Some('¬'),
            (1..=8 | 16..=84, _) => indexes::index_jis0208().code_point(row * 94 + cell),
            _ => None,
        }),
        Jis0212 => rows(|row, cell| indexes::index_jis0212().code_point(row * 94 + cell)),
        Gb2312 => rows(|row, cell| crate::two_bytes::gb2312(row as u8 + 0xA1, cell as u8 + 0xA1)),
        Ks1001 => {
            rows(|row, cell| indexes::index_euc_kr().code_point((row + 0x20) * 190 + 0x60 + cell))
        }
        First0213 => of_0213(false),
        Second0213 => of_0213(true),
        Old0213 => {
            let mut characters = of_0213(false);
            characters.retain(|bytes, _| !OF_2004.iter().any(|pair| pair[..] == bytes[..]));
            characters
        }
    }
}

fn characters_of(set: Set) -> &'static Characters {
    static ALL: [OnceLock<Characters>; 12] = [const { OnceLock::new() }; 12];
    ALL[set as usize].get_or_init(|| build(set))
}

/// Returns the bytes of a character in a set; `None` if the set lacks it.
fn bytes_of(set: Set, character: char) -> Option<&'static Vec<u8>> {
    type Reverse = BTreeMap<char, &'static Vec<u8>>;
    static ALL: [OnceLock<Reverse>; 12] = [const { OnceLock::new() }; 12];
    let reverse = ALL[set as usize].get_or_init(|| {
        let single = characters_of(set)
            .iter()
            .filter(|(_, text)| text.len() == 1);
        single.map(|(bytes, text)| (text[0], bytes)).collect()
    });
    reverse.get(&character).copied()
}

impl Rule {
    /// Returns the escape sequences and their sets. Encoders write the first one of a set.
    fn designations(self) -> &'static [(&'static [u8], Set)] {
        match self {
            Rule::Jp1 => &[
                (b"\x1B(B", Ascii),
                (b"\x1B(J", Roman),
                (b"\x1B$B", Jis0208),
                (b"\x1B$@", Jis0208),
                (b"\x1B$(D", Jis0212),
            ],
            Rule::Jp2 => &[
                (b"\x1B(B", Ascii),
                (b"\x1B(J", Roman),
                (b"\x1B$B", Jis0208),
                (b"\x1B$@", Jis0208),
                (b"\x1B$(D", Jis0212),
                (b"\x1B$A", Gb2312),
                (b"\x1B$(A", Gb2312),
                (b"\x1B$(C", Ks1001),
                (b"\x1B.A", Latin),
                (b"\x1B.F", Greek),
            ],
            _ => &[
                (b"\x1B(B", Ascii),
                (b"\x1B(J", Roman),
                (b"\x1B(I", Katakana),
                (b"\x1B$B", Jis0208),
                (b"\x1B$@", Jis0208),
                (b"\x1B$(O", Old0213),
                (b"\x1B$(Q", First0213),
                (b"\x1B$(P", Second0213),
            ],
        }
    }

    /// Returns the sets in which encoders search for a character, in order.
    fn order(self) -> &'static [Set] {
        match self {
            Rule::Jp1 => &[Roman, Jis0208, Jis0212],
            Rule::Jp2 => &[Roman, Jis0208, Jis0212, Latin, Greek, Gb2312, Ks1001],
            Rule::Jp3 => &[Roman, Katakana, Jis0208, Old0213, First0213, Second0213],
            _ => &[Roman, Katakana, Jis0208, First0213, Second0213],
        }
    }

    fn is_shifted(self) -> bool {
        !matches!(self, Rule::Euc | Rule::ShiftJis)
    }
}

/// The decoder.
#[derive(Clone, Debug)]
pub struct JisDecoder {
    rule: Rule,
    set: Set,
    /// The set from which `ESC N` selects one character.
    second: Option<Set>,
    bytes: Vec<u8>,
}

impl JisDecoder {
    /// Creates a decoder.
    pub fn new(rule: Rule) -> Self {
        Self {
            rule,
            set: Ascii,
            second: None,
            bytes: Vec::new(),
        }
    }

    fn malformed(&mut self, io_queue: &mut IoQueue<u8>, len: usize) -> HandlerResult<char> {
        io_queue.restore_all(&self.bytes[len..]);
        self.bytes.clear();
        HandlerResult::error()
    }

    fn found(
        &mut self,
        io_queue: &mut IoQueue<u8>,
        found: Option<&Vec<char>>,
        otherwise: usize,
    ) -> HandlerResult<char> {
        match found {
            Some(text) => {
                self.bytes.clear();
                HandlerResult::items(text)
            }
            None => self.malformed(io_queue, otherwise),
        }
    }

    fn shifted(&mut self, io_queue: &mut IoQueue<u8>) -> HandlerResult<char> {
        let is_double = !matches!(self.set, Ascii | Roman | Katakana);
        match self.bytes[..] {
            [0x1B] => HandlerResult::Continue,
            [0x1B, b'N'] if self.second.is_some() => HandlerResult::Continue,
            [0x1B, b'N', byte] => {
                if !(0x20..=0x7F).contains(&byte) {
                    return self.malformed(io_queue, 2);
                }
                let second = self.second.expect("one is designated");
                self.found(io_queue, characters_of(second).get(&vec![byte]), 3)
            }
            [0x1B, ..] => {
                let designations = self.rule.designations();
                let complete = designations.iter().find(|(of, _)| *of == self.bytes);
                match complete {
                    Some(&(_, set @ (Latin | Greek))) => self.second = Some(set),
                    Some(&(_, set)) => self.set = set,
                    None if designations
                        .iter()
                        .any(|(of, _)| of.starts_with(&self.bytes)) =>
                    {
                        return HandlerResult::Continue;
                    }
                    None => return self.malformed(io_queue, 1),
                }
                self.bytes.clear();
                HandlerResult::Continue
            }
            [byte @ (0x00..=0x0D | 0x10..=0x20 | 0x7F)] => {
                if byte == 0x0A {
                    self.second = None;
                }
                self.bytes.clear();
                HandlerResult::code_point(byte.into())
            }
            [0x0E | 0x0F | 0x80..] => self.malformed(io_queue, 1),
            [_] if is_double => HandlerResult::Continue,
            [byte] => self.found(io_queue, characters_of(self.set).get(&vec![byte]), 1),
            [_, 0x21..=0x7E] => {
                let found = characters_of(self.set).get(&self.bytes);
                self.found(io_queue, found, 2)
            }
            _ => self.malformed(io_queue, 1),
        }
    }

    /// Finishes a pair as the Standard's decoders do: if it is unmapped, an ASCII byte at its end is read again.
    fn of_pair(
        &mut self,
        io_queue: &mut IoQueue<u8>,
        found: Option<&Vec<char>>,
    ) -> HandlerResult<char> {
        let last = self.bytes[self.bytes.len() - 1];
        let kept = self.bytes.len() - usize::from(is_ascii_byte(last));
        self.found(io_queue, found, kept)
    }

    fn euc(&mut self, io_queue: &mut IoQueue<u8>) -> HandlerResult<char> {
        let seven: Vec<u8> = self.bytes.iter().map(|byte| byte & 0x7F).collect();
        let is_pair = |bytes: &[u8]| bytes.iter().all(|byte| (0xA1..=0xFE).contains(byte));
        match self.bytes[..] {
            [byte @ 0x00..=0x7F] => {
                self.bytes.clear();
                HandlerResult::code_point(byte.into())
            }
            [0x8E | 0x8F | 0xA1..=0xFE] | [0x8F, 0xA1..=0xFE] => HandlerResult::Continue,
            [_] => self.malformed(io_queue, 1),
            [0x8E, byte] => {
                let found = characters_of(Katakana).get(&seven[1..]);
                self.of_pair(io_queue, found.filter(|_| byte >= 0x80))
            }
            [0x8F, _] => self.of_pair(io_queue, None),
            [0x8F, ref pair @ ..] => {
                let found = characters_of(Second0213).get(&seven[1..]);
                let found = found.filter(|_| is_pair(pair));
                self.of_pair(io_queue, found)
            }
            ref pair => {
                let found = characters_of(First0213).get(&seven);
                let found = found.filter(|_| is_pair(pair));
                self.of_pair(io_queue, found)
            }
        }
    }

    fn shift_jis(&mut self, io_queue: &mut IoQueue<u8>) -> HandlerResult<char> {
        match self.bytes[..] {
            [byte @ (0x5C | 0x7E)] => {
                self.found(io_queue, characters_of(Roman).get(&vec![byte]), 1)
            }
            [byte @ 0x00..=0x7F] => {
                self.bytes.clear();
                HandlerResult::code_point(byte.into())
            }
            [byte @ 0xA1..=0xDF] => {
                self.found(io_queue, characters_of(Katakana).get(&vec![byte - 0x80]), 1)
            }
            [0x81..=0x9F | 0xE0..=0xFC] => HandlerResult::Continue,
            [lead, trail] => {
                let found = shift_jis_pairs().get(&[lead, trail]);
                self.of_pair(io_queue, found)
            }
            _ => self.malformed(io_queue, 1),
        }
    }
}

/// Returns the pairs of Shift_JIS-2004. Each lead byte has two rows: first those of plane 1, then those of plane 2.
fn shift_jis_pairs() -> &'static BTreeMap<[u8; 2], Vec<char>> {
    static PAIRS: OnceLock<BTreeMap<[u8; 2], Vec<char>>> = OnceLock::new();
    PAIRS.get_or_init(|| {
        let leads = (0x81..=0x9F).chain(0xE0..=0xFC);
        let halves = leads.flat_map(|lead| [(lead, 0), (lead, 94)]);
        let of_plane_1 = (1..=94).map(|row| (First0213, row));
        let of_plane_2 = [1, 8, 3, 4, 5, 12, 13, 14, 15].into_iter().chain(78..=94);
        let all_rows = of_plane_1.chain(of_plane_2.map(|row| (Second0213, row)));
        let trails: Vec<u8> = (0x40..=0x7E).chain(0x80..=0xFC).collect();
        let mut pairs = BTreeMap::new();
        for ((lead, first), (set, row)) in halves.zip(all_rows) {
            for cell in 0..94 {
                let bytes = vec![0x20 + row, 0x21 + cell as u8];
                let text = match (set, row, cell) {
                    // The single-byte sets lack these characters.
                    (First0213, 1, 31) => Some(vec!['\\']),
                    (First0213, 2, 17) => Some(vec!['~']),
                    _ => characters_of(set).get(&bytes).cloned(),
                };
                if let Some(text) = text {
                    pairs.insert([lead, trails[first + cell]], text);
                }
            }
        }
        pairs
    })
}

fn shift_jis_bytes(character: char) -> Option<Vec<u8>> {
    static BYTES: OnceLock<BTreeMap<char, [u8; 2]>> = OnceLock::new();
    let bytes = BYTES.get_or_init(|| {
        let single = shift_jis_pairs().iter().filter(|(_, text)| text.len() == 1);
        single.map(|(&bytes, text)| (text[0], bytes)).collect()
    });
    match character {
        '¥' => Some(vec![0x5C]),
        '‾' => Some(vec![0x7E]),
        '\\' | '~' => bytes.get(&character).map(|pair| pair.to_vec()),
        '\0'..='\u{7F}' => Some(vec![character as u8]),
        _ => match bytes_of(Katakana, character) {
            Some(byte) => Some(vec![byte[0] + 0x80]),
            None => bytes.get(&character).map(|pair| pair.to_vec()),
        },
    }
}

impl Handler for JisDecoder {
    type Input = u8;
    type Output = char;

    fn is_between(&self) -> bool {
        self.bytes.is_empty()
    }

    fn handler(&mut self, io_queue: &mut IoQueue<u8>, byte: Item<u8>) -> HandlerResult<char> {
        let Item::Value(byte) = byte else {
            return match self.bytes.len() {
                0 => HandlerResult::Finished,
                len => self.malformed(io_queue, len),
            };
        };
        self.bytes.push(byte);
        match self.rule {
            Rule::Euc => self.euc(io_queue),
            Rule::ShiftJis => self.shift_jis(io_queue),
            _ => self.shifted(io_queue),
        }
    }
}

/// The encoder.
#[derive(Clone, Debug)]
pub struct JisEncoder {
    rule: Rule,
    set: Set,
    second: Option<Set>,
}

impl JisEncoder {
    /// Creates an encoder.
    pub fn new(rule: Rule) -> Self {
        Self {
            rule,
            set: Ascii,
            second: None,
        }
    }

    fn designate(&mut self, set: Set) -> HandlerResult<u8> {
        match set {
            Latin | Greek => self.second = Some(set),
            _ => self.set = set,
        }
        let of_set = self.rule.designations().iter().find(|of| of.1 == set);
        HandlerResult::items(of_set.expect("a set of the encoding").0)
    }

    fn shifted(&mut self, io_queue: &mut IoQueue<char>, code_point: char) -> HandlerResult<u8> {
        let is_shift = matches!(code_point, '\u{E}' | '\u{F}' | '\u{1B}');
        let mut sets = self.rule.order().iter();
        let found = sets.find_map(|&set| Some((set, bytes_of(set, code_point)?)));
        let found = found.filter(|_| !code_point.is_ascii());
        let wanted = found.map_or(Ascii, |(set, _)| set);
        let is_second = matches!(wanted, Latin | Greek);
        let is_there = match is_second {
            true => self.second == Some(wanted),
            false => self.set == wanted,
        };
        if !is_there {
            io_queue.restore(code_point);
            return self.designate(wanted);
        }
        if code_point == '\n' {
            self.second = None;
        }
        match found {
            Some((_, bytes)) if is_second => HandlerResult::items(&[0x1B, b'N', bytes[0]]),
            Some((_, bytes)) => HandlerResult::items(bytes),
            None if is_shift => HandlerResult::error_with('\u{FFFD}'),
            None if code_point.is_ascii() => HandlerResult::byte(code_point.into()),
            None => HandlerResult::error_with(code_point),
        }
    }
}

impl Handler for JisEncoder {
    type Input = char;
    type Output = u8;

    fn handler(
        &mut self,
        io_queue: &mut IoQueue<char>,
        code_point: Item<char>,
    ) -> HandlerResult<u8> {
        let Item::Value(code_point) = code_point else {
            return match self.set {
                Ascii => HandlerResult::Finished,
                _ => self.designate(Ascii),
            };
        };
        if self.rule.is_shifted() {
            return self.shifted(io_queue, code_point);
        }
        let high = |bytes: &Vec<u8>| bytes.iter().map(|byte| byte | 0x80).collect::<Vec<u8>>();
        let with = |first: u8, bytes: &Vec<u8>| [vec![first], high(bytes)].concat();
        let bytes = match self.rule {
            Rule::ShiftJis => shift_jis_bytes(code_point),
            _ if code_point.is_ascii() => Some(vec![code_point as u8]),
            _ => bytes_of(Katakana, code_point)
                .map(|bytes| with(0x8E, bytes))
                .or_else(|| bytes_of(First0213, code_point).map(high))
                .or_else(|| bytes_of(Second0213, code_point).map(|bytes| with(0x8F, bytes))),
        };
        match bytes {
            Some(bytes) => HandlerResult::items(&bytes),
            None => HandlerResult::error_with(code_point),
        }
    }
}
