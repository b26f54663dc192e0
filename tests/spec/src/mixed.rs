//! **Extension of mojika**, not in the Standard: EBCDIC with single and double bytes.
//!
//! 0x0E shifts to pairs of bytes, 0x0F back to single bytes. Pairs-only encodings consist of the pairs of another
//! encoding. The tables are files of `gen/extended`: a code point for each single byte, and one or two for each pair.

use std::collections::BTreeMap;
use std::sync::OnceLock;

use crate::handler::{Handler, HandlerResult};
use crate::io_queue::{IoQueue, Item};

/// The definition of an encoding: its name, the file of its single bytes, and the files of its pairs. The entries of
/// later files replace those of earlier ones.
pub struct Mixed {
    name: &'static str,
    single: &'static str,
    pairs: &'static [&'static str],
    tables: OnceLock<Tables>,
}

struct Tables {
    single: BTreeMap<u8, char>,
    pairs: BTreeMap<[u8; 2], Vec<char>>,
    /// The pair of each code point, the last one if there are several. Pairs with two code points are not included.
    from_char: BTreeMap<char, [u8; 2]>,
    single_from_char: BTreeMap<char, u8>,
}

macro_rules! file {
    ($name:literal) => {
        include_str!(concat!("../../../gen/extended/", $name, ".txt"))
    };
}

macro_rules! list {
    ($($name:literal $single:literal $($pairs:literal)*;)*) => {
        [$(Mixed {
            name: $name,
            single: file!($single),
            pairs: &[$(file!($pairs)),*],
            tables: OnceLock::new(),
        }),*]
    };
}

static LIST: [Mixed; 10] = list! {
    "IBM930" "ibm290" "ibm300";
    "IBM933" "ibm833" "ibm834";
    "IBM935" "ibm836" "ibm837";
    "IBM937" "ibm28709" "ibm835";
    "IBM939" "ibm1027" "ibm300";
    "IBM1364" "ibm833" "ibm834" "ibm4930";
    "IBM1371" "ibm1159" "ibm835" "ibm9027";
    "IBM1388" "ibm836" "ibm837" "ibm4933";
    "IBM1390" "ibm8482" "ibm300" "ibm16684";
    "IBM1399" "ibm5123" "ibm300" "ibm16684";
};

/// Returns the encoding with this name.
///
/// # Panics
///
/// If there is none.
pub fn named(name: &str) -> &'static Mixed {
    let found = LIST.iter().find(|mixed| mixed.name == name);
    found.expect("an encoding of this name")
}

impl std::fmt::Debug for Mixed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

fn hex(digits: &str) -> u32 {
    u32::from_str_radix(digits, 16).expect("a hexadecimal number")
}

fn character(digits: &str) -> char {
    char::from_u32(hex(digits)).expect("a scalar value")
}

impl Mixed {
    fn tables(&self) -> &Tables {
        self.tables.get_or_init(|| {
            let mut single = BTreeMap::new();
            for line in self.single.lines().filter(|line| line.starts_with("0x")) {
                let (byte, to) = line[2..].split_once("\t0x").expect("two fields");
                // The shift bytes are in no table.
                if !["0E", "0F"].contains(&byte) {
                    single.insert(hex(byte) as u8, character(to));
                }
            }
            let mut pairs = BTreeMap::new();
            for file in self.pairs {
                for line in file.lines().filter(|line| line.starts_with("0x")) {
                    let (first, to) = line[2..].split_once('\t').expect("two fields");
                    match first.split_once('*') {
                        Some((first, count)) => {
                            let count: u32 = count.parse().expect("a number");
                            for step in 0..count {
                                let to = char::from_u32(hex(to) + step).expect("a scalar value");
                                pairs.insert((hex(first) + step) as u16, vec![to]);
                            }
                        }
                        None => {
                            for (step, to) in (0..).zip(to.split(' ')) {
                                let to = to.split('+').map(character).collect();
                                pairs.insert((hex(first) + step) as u16, to);
                            }
                        }
                    }
                }
            }
            let pairs: BTreeMap<[u8; 2], Vec<char>> = (pairs.into_iter())
                .map(|(pair, to)| (pair.to_be_bytes(), to))
                .collect();
            let mut from_char = BTreeMap::new();
            for (&pair, to) in &pairs {
                if let [to] = to[..] {
                    from_char.insert(to, pair);
                }
            }
            let single_from_char = single.iter().map(|(&byte, &to)| (to, byte)).collect();
            Tables {
                single,
                pairs,
                from_char,
                single_from_char,
            }
        })
    }

    /// Returns the mixed encoding whose pairs are those of the pairs-only encoding with this name.
    ///
    /// # Panics
    ///
    /// If there is none.
    pub fn with_pairs(name: &str) -> &'static Mixed {
        named(match name {
            "IBM300" => "IBM930",
            "IBM834" => "IBM933",
            "IBM835" => "IBM937",
            "IBM837" => "IBM935",
            _ => panic!("{name} is not of pairs alone"),
        })
    }

    /// Iterates over all characters of the encoding.
    pub fn repertoire(&self) -> impl Iterator<Item = char> + '_ {
        let tables = self.tables();
        let single = tables.single_from_char.keys();
        single.chain(tables.from_char.keys()).copied()
    }
}

/// The decoder.
#[derive(Clone, Debug)]
pub struct MixedDecoder {
    mixed: &'static Mixed,
    is_double: bool,
    lead: Option<u8>,
}

impl MixedDecoder {
    /// Creates a decoder.
    pub fn new(mixed: &'static Mixed) -> Self {
        Self {
            mixed,
            is_double: false,
            lead: None,
        }
    }
}

impl Handler for MixedDecoder {
    type Input = u8;
    type Output = char;

    fn is_between(&self) -> bool {
        self.lead.is_none()
    }

    fn handler(&mut self, io_queue: &mut IoQueue<u8>, byte: Item<u8>) -> HandlerResult<char> {
        let Item::Value(byte) = byte else {
            return match self.lead.take() {
                Some(_) => HandlerResult::error(),
                None => HandlerResult::Finished,
            };
        };
        let tables = self.mixed.tables();
        if let Some(lead) = self.lead.take() {
            // If the second byte is not a trail byte, it is read again.
            if !(0x40..=0xFE).contains(&byte) {
                io_queue.restore(byte);
                return HandlerResult::error();
            }
            return match tables.pairs.get(&[lead, byte]) {
                Some(to) => HandlerResult::items(to),
                None => HandlerResult::error(),
            };
        }
        match byte {
            0x0E => {
                self.is_double = true;
                HandlerResult::Continue
            }
            0x0F => {
                self.is_double = false;
                HandlerResult::Continue
            }
            0x40..=0xFE if self.is_double => {
                self.lead = Some(byte);
                HandlerResult::Continue
            }
            _ if self.is_double => HandlerResult::error(),
            _ => match tables.single.get(&byte) {
                Some(&to) => HandlerResult::items(&[to]),
                None => HandlerResult::error(),
            },
        }
    }
}

/// The encoder.
#[derive(Clone, Debug)]
pub struct MixedEncoder {
    mixed: &'static Mixed,
    is_double: bool,
}

impl MixedEncoder {
    /// Creates an encoder.
    pub fn new(mixed: &'static Mixed) -> Self {
        Self {
            mixed,
            is_double: false,
        }
    }
}

impl Handler for MixedEncoder {
    type Input = char;
    type Output = u8;

    fn handler(
        &mut self,
        io_queue: &mut IoQueue<char>,
        code_point: Item<char>,
    ) -> HandlerResult<u8> {
        let Item::Value(code_point) = code_point else {
            // Shift back to single bytes at the end.
            if self.is_double {
                self.is_double = false;
                io_queue.push(Item::EndOfQueue);
                return HandlerResult::byte(0x0F);
            }
            return HandlerResult::Finished;
        };
        let tables = self.mixed.tables();
        let single = tables.single_from_char.get(&code_point).copied();
        let pair = tables.from_char.get(&code_point).copied();
        // Use a single byte if there is one. References to unmapped characters have single bytes, too.
        let wants_double = single.is_none() && pair.is_some();
        if self.is_double != wants_double {
            self.is_double = wants_double;
            io_queue.restore(code_point);
            return HandlerResult::byte(if wants_double { 0x0E } else { 0x0F });
        }
        match (single, pair) {
            (Some(byte), _) => HandlerResult::byte(byte.into()),
            (None, Some(pair)) => HandlerResult::items(&pair),
            // As in ISO-2022-JP, a control character that a decoder would treat as a shift is reported as U+FFFD.
            _ if ['\u{E}', '\u{F}'].contains(&code_point) => HandlerResult::error_with('\u{FFFD}'),
            _ => HandlerResult::error_with(code_point),
        }
    }
}

/// The decoder of a pairs-only encoding.
#[derive(Clone, Debug)]
pub struct PureDecoder {
    mixed: &'static Mixed,
    lead: Option<u8>,
}

impl PureDecoder {
    /// Creates a decoder for the pairs of `mixed`.
    pub fn new(mixed: &'static Mixed) -> Self {
        Self { mixed, lead: None }
    }
}

impl Handler for PureDecoder {
    type Input = u8;
    type Output = char;

    fn handler(&mut self, _: &mut IoQueue<u8>, byte: Item<u8>) -> HandlerResult<char> {
        let Item::Value(byte) = byte else {
            return match self.lead.take() {
                Some(_) => HandlerResult::error(),
                None => HandlerResult::Finished,
            };
        };
        // Every two bytes are one code unit, which may be unmapped.
        match self.lead.take() {
            None => {
                self.lead = Some(byte);
                HandlerResult::Continue
            }
            Some(lead) => match self.mixed.tables().pairs.get(&[lead, byte]) {
                Some(to) => HandlerResult::items(to),
                None => HandlerResult::error(),
            },
        }
    }
}

/// The encoder of a pairs-only encoding.
#[derive(Clone, Debug)]
pub struct PureEncoder {
    mixed: &'static Mixed,
}

impl PureEncoder {
    /// Creates an encoder with the pairs of `mixed`.
    pub fn new(mixed: &'static Mixed) -> Self {
        Self { mixed }
    }
}

impl Handler for PureEncoder {
    type Input = char;
    type Output = u8;

    fn handler(&mut self, _: &mut IoQueue<char>, code_point: Item<char>) -> HandlerResult<u8> {
        let Item::Value(code_point) = code_point else {
            return HandlerResult::Finished;
        };
        match self.mixed.tables().from_char.get(&code_point) {
            Some(pair) => HandlerResult::items(pair),
            None => HandlerResult::error_with(code_point),
        }
    }
}
