//! Detection of UTF-16 and UTF-32 without a byte order mark, by cost.
//!
//! Each byte order reads the bytes as code units. Another hypothesis reads them as single-byte text with control
//! characters. The cost of a hypothesis is about its length in bits in a suitable code. Letters of the text's script
//! cost little. A change of script, private use and rare characters cost much. A wrong byte order yields ideographs,
//! unassigned characters and changes of script, and so does ASCII with zero bytes as UTF-16. UTF-16 or UTF-32 is an
//! answer if its characters form text and cost clearly less than single-byte text.

use crate::extended;
use mojika::{Encoding, UTF_16BE, UTF_16LE};

/// The byte orders of UTF-32. Each lists the offsets of the bytes, from the most significant one on.
pub const UTF_32: [(&str, [usize; 4]); 4] = [
    ("UTF-32BE", [0, 1, 2, 3]),
    ("UTF-32LE", [3, 2, 1, 0]),
    ("UTF-32-2143", [1, 0, 3, 2]),
    ("UTF-32-3412", [2, 3, 0, 1]),
];

/// Returns the value of a unit of UTF-32 in a byte order.
pub fn scalar_value(order: [usize; 4], unit: &[u8; 4]) -> u32 {
    let octets = order.into_iter().map(|at| u32::from(unit[at]));
    octets.fold(0, |value, octet| value << 8 | octet)
}

/// The number of common byte orders, which come first. Another byte order must cost an eighth less.
const USUAL: usize = 2;

/// The cost of a character that occurs in no text.
pub const BAD: u32 = 24;

/// The cost of a repeated sign: box-drawing characters come in sequences.
const SAME_SIGN: u32 = 2;

/// The cost of a change of script, and of a Latin letter next to a letter of another script. Words rarely mix scripts.
const ENTER: u32 = 6;

/// The maximum average cost of a unit of text.
///
/// Ideographs cost 12.5 in running text. Random units cost 18, and one in twelve is [`BAD`].
const MOST: u32 = 14;

/// The minimum amount in bits by which UTF-16 or UTF-32 must cost less than single-byte text, and less than noise. The
/// minimum is three quarters of a bit per byte if that is more.
const MARGIN: u32 = 16;

/// The cost of a byte of noise, such as a surplus byte at the end.
const BYTE: u32 = 8;

/// The script of a character, if it has one, and the cost of the character in a text of that script.
type Class = (Script, u32);

/// Scripts, as groups of characters; text rarely changes the group.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Script {
    /// Characters that occur in text of many scripts.
    #[default]
    Common,
    /// Letters that occur in text of many scripts.
    Latin,
    /// The characters of one block, or of two blocks that are used together, by number.
    Block(u8),
    Unassigned,
}

use Script::{Block, Common, Latin, Unassigned};

/// Ideographs and kana.
const HAN: Script = Block(0x30);

const HANGUL: Script = Block(0xAC);

const GREEK: Script = Block(0x03);

/// The cost of an ideograph from U+4E00 on by its upper eight bits, counted in the texts of the set `train`.
#[rustfmt::skip]
const IDEOGRAPHS: [u8; 0x52] = [
    3, 5, 5, 5, 4, 5, 5, 7, 6, 5, 6, 6, 12, 4, 6, 7, 6, 5, 7, 8, 5, 5, 7, 4, 5, 5, 6, 8, 6, 6, 7, 7, 7, 9, 7, 7, 7, 8, 8, 5, 4,
    8, 8, 6, 6, 7, 8, 6, 6, 6, 7, 8, 7, 9, 10, 11, 8, 11, 5, 6, 5, 5, 7, 7, 8, 5, 5, 7, 10, 7, 9, 6, 6, 7, 6, 10, 9, 12, 12, 12,
    8, 10,
];

/// The cost of a Hangul syllable from U+AC00 on by its upper eight bits, counted in the texts of the set `train`.
#[rustfmt::skip]
const SYLLABLES: [u8; 0x2C] = [
    4, 7, 5, 10, 7, 8, 4, 6, 6, 7, 9, 6, 5, 5, 6, 5, 7, 7, 7, 12, 5, 5, 4, 12, 11, 4, 5, 3, 5, 5, 10, 12, 7, 7, 7, 9, 6, 7, 6, 6,
    8, 4, 6, 10,
];

/// Returns the class of a scalar value, and its cost.
fn class(value: u32) -> Class {
    match value {
        _ if value & 0xFFFE == 0xFFFE => (Unassigned, BAD),
        0x20 => (Common, 5),
        0x61..=0x7A => (Latin, 5),
        0x41..=0x5A => (Latin, 6),
        0x21..=0x7E | 0x09 | 0x0A | 0x0D => (Common, 6),
        0x08 | 0x0C | 0x1B => (Common, 14),
        // C1 control characters, which stand for quotation marks in wrongly decoded text.
        0x80..=0x9F => (Common, 20),
        0xC0..=0xFF => (Latin, 8),
        0xA0..=0xBF => (Common, 8),
        0x100..=0x24F => (Latin, 9),
        // In Vietnamese and in polytonic Greek, one letter in five is in these blocks.
        0x1E00..=0x1EFF => (Latin, 12),
        0x1F00..=0x1FFF => (GREEK, 14),
        0x300..=0x30F => (Common, 11),
        0x384..=0x3CE => (GREEK, 6),
        0x400..=0x45F => (Block(0x04), 6),
        0x460..=0x52F => (Block(0x04), 9),
        0x531..=0x58F => (Block(0x53), 6),
        0x5D0..=0x5EA => (Block(0x05), 6),
        0x591..=0x5C7 | 0x5EF..=0x5F4 => (Block(0x05), 8),
        0x620..=0x652 => (Block(0x06), 6),
        0x60C | 0x61B | 0x61F | 0x660..=0x66C | 0x670..=0x6D5 | 0x6F0..=0x6F9 => (Block(0x06), 8),
        0x700..=0x8FF => (Block((value >> 6) as u8), 9),
        0x900..=0xDFF => (Block((value >> 7) as u8), indic(value & 0x7F)),
        0xE01..=0xE3A | 0xE3F..=0xE5B => (Block(0x0E), 6),
        0xE81..=0xEDF => (Block(0x8E), 6),
        0xF00..=0xFD4 => (Block(0x0F), 7),
        0x1000..=0x109F => (Block(0x10), 6),
        0x10A0..=0x10FF => (Block(0x11), 7),
        // Decomposed Hangul.
        0x1100..=0x11FF => (HANGUL, 8),
        0x1200..=0x139F => (Block(0x12), 9),
        0x13A0..=0x13FF => (Block(0x13), 8),
        0x1400..=0x167F => (Block(0x14), 10),
        0x1780..=0x17F9 => (Block(0x17), 6),
        0x1800..=0x18AA => (Block(0x18), 8),
        0x2010..=0x2027 | 0x2039..=0x203A => (Common, 8),
        0x2000..=0x200F | 0x202A..=0x2038 | 0x20A0..=0x20C0 | 0x2100..=0x214F => (Common, 11),
        // Box-drawing and block characters. A text that contains one has many.
        0x2500..=0x259F => (Common, 8),
        0x2190..=0x22FF | 0x2460..=0x27BF => (Common, 12),
        0x3000..=0x3002 | 0x3005 | 0x3008..=0x3011 => (Common, 7),
        0x3041..=0x3096 | 0x30A1..=0x30FE => (HAN, 6),
        0x3099..=0x30A0 => (HAN, 10),
        0x3100..=0x312F => (HAN, 9),
        0x3131..=0x318E => (HANGUL, 9),
        0x4E00..=0x9FFF => (HAN, 7 + u32::from(IDEOGRAPHS[(value >> 8) as usize - 0x4E])),
        0xAC00..=0xD7A3 => (
            HANGUL,
            7 + u32::from(SYLLABLES[(value >> 8) as usize - 0xAC]),
        ),
        // Rare characters of the blocks above, symbols, and scholarly blocks.
        0x250..=0x52F | 0x600..=0x6FF | 0xEE0..=0xFFF | 0x1680..=0x33FF => (Common, 14),
        0x3400..=0xABFF => (Block((value >> 11) as u8), 16),
        0xE000..=0xF8FF => (Block(0xE0), 20),
        0xF900..=0xFAFF => (HAN, 15),
        0xFB1D..=0xFB4F => (Block(0x05), 9),
        0xFB50..=0xFDCF | 0xFE70..=0xFEFC => (Block(0x06), 9),
        0xFF01..=0xFF5E => (Common, 8),
        0xFF61..=0xFF9F => (HAN, 8),
        0xFB00..=0xFB06 | 0xFDF0..=0xFE4F | 0xFEFF | 0xFFE0..=0xFFE6 | 0xFFFC | 0xFFFD => {
            (Common, 12)
        }
        0x1_F000..=0x1_FAFF => (Common, 14),
        0x2_0000..=0x3_23FF => (HAN, 20),
        0x1_0000..=0x1_FFFF | 0xE_0100..=0xE_01EF => (Block(0xFF), 18),
        0xF_0000..=0xF_FFFD | 0x10_0000..=0x10_FFFD => (Block(0xE0), 20),
        _ => (Unassigned, BAD),
    }
}

/// Returns the cost of a character of the Indic blocks, which all have the same arrangement.
fn indic(place: u32) -> u32 {
    match place {
        0x05..=0x39 | 0x3E..=0x4D => 6,
        0x01..=0x03 | 0x64..=0x6F => 8,
        _ => 10,
    }
}

/// The cost of the bytes in one byte order.
#[derive(Clone, Debug, Default)]
pub struct Reading {
    units: u32,
    bad: u32,
    cost: u32,
    ideographs: u32,
    /// The number of ideographs whose two bytes are printable ASCII: a quarter in running text.
    pairs: u32,
    /// The script of the last non-Latin letter.
    script: Script,
    last: Script,
    /// The last value, if it is a sign that many scripts use.
    sign: Option<u32>,
    awaits_trail: bool,
}

impl Reading {
    /// Reads a code unit of UTF-16.
    pub fn unit_16(&mut self, unit: u16) {
        let is_trail = (0xDC00..0xE000).contains(&unit);
        if self.awaits_trail != is_trail {
            self.bad();
        }
        self.awaits_trail = (0xD800..0xDC00).contains(&unit);
        match unit {
            // Emoji begin with one of three lead surrogates.
            0xD83C..0xD83F => self.add(8),
            0xD800..0xDC00 => self.add(12),
            0xDC00..0xE000 => self.add(9),
            _ => {
                self.scalar(u32::from(unit));
                if matches!(unit, 0x3400..=0x9FFF) {
                    let is_ascii = |byte: u8| matches!(byte, 0x20..=0x7E);
                    self.ideographs += 1;
                    self.pairs += u32::from(unit.to_be_bytes().into_iter().all(is_ascii));
                }
            }
        }
    }

    /// Reads a code unit of UTF-32, or one of UTF-16 that is not a surrogate.
    fn scalar(&mut self, value: u32) {
        let (script, cost) = class(value);
        self.add(match self.sign {
            Some(sign) if sign == value => SAME_SIGN,
            _ => cost,
        });
        self.sign = (script == Common).then_some(value);
        match script {
            Common => {}
            Unassigned => self.bad += 1,
            Latin => {
                self.cost += if matches!(self.last, Block(_)) {
                    ENTER
                } else {
                    0
                }
            }
            Block(_) => {
                let is_change = script != self.script && self.script != Common;
                if is_change || self.last == Latin {
                    self.cost += ENTER;
                }
                self.script = script;
            }
        }
        self.last = script;
    }

    fn add(&mut self, cost: u32) {
        self.units += 1;
        self.cost += cost;
    }

    fn bad(&mut self) {
        self.bad += 1;
        self.cost += BAD;
    }

    /// Returns the number of units that are malformed or occur in no text.
    #[cfg(feature = "alloc")]
    pub fn bad_units(&self) -> u32 {
        self.bad + u32::from(self.awaits_trail)
    }

    /// Returns the cost of the units, in bits.
    #[cfg(feature = "alloc")]
    pub fn cost(&self) -> u32 {
        self.cost
    }

    /// True if the units form text. Up to 1 in 64 units may be damaged.
    pub fn is_text(&self) -> bool {
        let is_ascii = self.pairs >= 6 && self.pairs * 4 > self.ideographs * 3;
        self.units > 0 && self.bad <= self.units / 64 && self.cost <= MOST * self.units && !is_ascii
    }
}

/// Classes of bytes of single-byte text.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Space,
    Lower,
    Upper,
    Digit,
    Sign,
    High,
    Control,
}

impl Kind {
    const fn of(byte: u8) -> Self {
        match byte {
            b' ' | b'\t' | b'\n' | b'\r' => Self::Space,
            b'a'..=b'z' => Self::Lower,
            b'A'..=b'Z' => Self::Upper,
            b'0'..=b'9' => Self::Digit,
            0x80.. => Self::High,
            0..0x20 | 0x7F => Self::Control,
            _ => Self::Sign,
        }
    }
}

/// The cost of a byte by its class, after a byte of each class, in the order of [`Kind`].
#[rustfmt::skip]
const BYTES: [[u8; 6]; 7] = [
    // The columns are: space, lower case, upper case, digit, sign, non-ASCII. The rows are for a byte after each of
    // these, and after a control character.
    [2, 6, 6, 6, 7, 9],
    [3, 5, 9, 9, 6, 9],
    [4, 6, 5, 8, 6, 9],
    [3, 8, 8, 4, 5, 9],
    [3, 6, 6, 5, 6, 9],
    [3, 7, 7, 8, 7, 6],
    [3, 6, 6, 6, 7, 9],
];

/// Returns the cost of a byte of single-byte text after another byte.
pub fn byte_cost(last: u8, byte: u8) -> u32 {
    match Kind::of(byte) {
        Kind::Control => BAD,
        kind => u32::from(BYTES[Kind::of(last) as usize][kind as usize]),
    }
}

/// Returns the cost of the bytes as single-byte text with control characters.
///
/// A repeated control character costs less, because it separates or pads fields.
fn as_bytes(bytes: &[u8]) -> u32 {
    const FIRST: u32 = 12;
    const AGAIN: u32 = 6;
    const RUN: u32 = 1;
    let mut seen = 0_u32;
    let mut last = b'\n';
    let mut cost = 0;
    for &byte in bytes {
        cost += match Kind::of(byte) {
            Kind::Control if byte == last => RUN,
            Kind::Control => {
                let bit = 1 << (byte & 0x1F);
                let is_known = seen & bit != 0;
                seen |= bit;
                if is_known { AGAIN } else { FIRST }
            }
            _ => byte_cost(last, byte),
        };
        last = byte;
    }
    cost
}

/// True if a quarter of the bytes are 0x30, as in kana in UTF-16, and some byte is non-ASCII.
pub(super) fn has_steady_half(bytes: &[u8]) -> bool {
    // Some kana have a non-ASCII low byte, which ASCII text with the digit 0 has not.
    memchr::memchr_iter(0x30, bytes).count() >= bytes.len() / 4 && !bytes.is_ascii()
}

/// True if `bytes` are at least 16 bytes of printable ASCII and zeros, such as zero-terminated fields.
///
/// If such bytes are text in UTF-16, it is ASCII, or has lines of U+2500. Text in other scripts has non-ASCII bytes or
/// control characters every few words.
fn is_ascii_with_zeros(bytes: &[u8]) -> bool {
    let is_plain = |byte: &u8| matches!(byte, 0 | b'\t' | b'\n' | b'\r' | 0x20..=0x7E);
    bytes.len() >= 16 && bytes.iter().all(is_plain) && bytes.contains(&0)
}

/// Returns the best byte orders of UTF-32 and of UTF-16, the likelier first, if the bytes are text in them.
pub(super) fn guesses(bytes: &[u8]) -> impl Iterator<Item = (&'static Encoding, f32)> + use<> {
    let left = |unit: usize| (bytes.len() % unit) as u32 * BYTE;
    let (mut pairs, _) = bytes.as_chunks();
    if let Some(([0, 0], before)) = pairs.split_last() {
        // This byte is the most significant one of a UTF-32 unit, or padding.
        pairs = before;
    }
    let is_narrow = is_ascii_with_zeros(bytes);
    let utf_16 = [
        (UTF_16BE, u16::from_be_bytes as fn([u8; 2]) -> u16),
        (UTF_16LE, u16::from_le_bytes),
    ]
    .into_iter()
    .filter_map(|(encoding, unit)| {
        let is_plain = |pair: &&[u8; 2]| matches!(unit(**pair), 0..0x80 | 0x2500);
        let plain = || pairs.iter().filter(is_plain).count();
        if is_narrow && plain() < pairs.len() - pairs.len() / 8 {
            return None;
        }
        let units = pairs.iter().map(|pair| unit(*pair));
        let cost = cost_of(units, bytes.len() / 2, Reading::unit_16)?;
        Some((encoding, cost + left(2)))
    })
    .min_by_key(|&(_, cost)| cost);
    let utf_32 = UTF_32
        .into_iter()
        .enumerate()
        .filter_map(|(at, (name, order))| {
            let units = bytes.as_chunks().0.iter();
            let units = units.map(|unit| scalar_value(order, unit));
            let cost = cost_of(units, bytes.len() / 4, Reading::scalar)? + left(4);
            Some((at, (extended(name.as_bytes())?, cost)))
        })
        .min_by_key(|&(at, (_, cost))| cost * if at < USUAL { 8 } else { 9 })
        .map(|(_, guess)| guess);
    let mut found = [utf_32, utf_16];
    found.sort_unstable_by_key(|guess| guess.map_or(u32::MAX, |(_, cost)| cost));
    let narrow = found[0].map_or(0, |_| as_bytes(bytes).min(BYTE * bytes.len() as u32));
    let margin = MARGIN.max(bytes.len() as u32 * 3 / 4);
    let best = found[0].map_or(0, |(_, cost)| cost);
    found
        .into_iter()
        .flatten()
        .filter(move |&(_, cost)| cost + margin <= narrow)
        .map(move |(encoding, cost)| {
            // The cost is divided by eight, because characters depend on one another. A second guess is less probable
            // by its extra cost.
            let doubt = halved(narrow - cost);
            (encoding, (1.0 - doubt) * halved(cost - best))
        })
}

/// Returns 1, halved once for every eight bits.
fn halved(bits: u32) -> f32 {
    1.0 / (1_u64 << (bits / 8).min(60)) as f32
}

/// Returns the cost of the units, if they form text; `len` is their number.
fn cost_of<T>(
    units: impl Iterator<Item = T>,
    len: usize,
    read: fn(&mut Reading, T),
) -> Option<u32> {
    let mut reading = Reading::default();
    for unit in units {
        read(&mut reading, unit);
        // Text cannot have more malformed or unassigned units, whatever units follow.
        if reading.bad as usize > len / 64 {
            return None;
        }
    }
    reading.is_text().then_some(reading.cost)
}
