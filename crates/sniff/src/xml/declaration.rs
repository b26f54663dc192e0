//! The XML declaration and the text declaration, read in any family of encodings.

use super::{Family, TABLE};
use core::fmt;

/// A declared name, truncated to 40 characters.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Name {
    bytes: [u8; 40],
    length: u8,
}

impl Name {
    pub(super) fn new(name: &[u8]) -> Self {
        let mut bytes = [0; 40];
        let length = name.len().min(bytes.len());
        bytes[..length].copy_from_slice(&name[..length]);
        Self {
            bytes,
            length: length as u8,
        }
    }

    /// Returns the name's ASCII characters.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes[..usize::from(self.length)]
    }
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(core::str::from_utf8(self.as_bytes()).unwrap_or_default())
    }
}

impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}

/// A name and the index of its first character.
pub struct Declared {
    pub name: Name,
    pub at: usize,
}

/// Gets ASCII characters from the code units of a document in one family.
pub struct Units<'a> {
    bytes: &'a [u8],
    start: usize,
    width: usize,
    /// The index of the byte with the ASCII value in a code unit.
    place: usize,
    ebcdic: bool,
}

impl<'a> Units<'a> {
    pub fn new(bytes: &'a [u8], start: usize, family: Family) -> Self {
        let row = &TABLE[family as usize];
        let place = row.bytes.iter().position(|&byte| byte != 0);
        Self {
            bytes,
            start,
            width: row.width,
            place: place.unwrap_or(0),
            ebcdic: family == Family::Ebcdic,
        }
    }

    /// Returns the byte offset of a character.
    pub fn offset(&self, at: usize) -> usize {
        self.start + at * self.width
    }

    /// Returns a character. Returns 0 at the end, and for a character that no declaration contains.
    fn at(&self, at: usize) -> u8 {
        let offset = self.offset(at);
        let Some(unit) = self.bytes.get(offset..offset + self.width) else {
            return 0;
        };
        let value = unit[self.place];
        let others = unit.iter().enumerate().filter(|&(at, _)| at != self.place);
        if others.into_iter().any(|(_, &byte)| byte != 0) {
            0
        } else if self.ebcdic {
            invariant(value)
        } else if value.is_ascii() {
            value
        } else {
            0
        }
    }

    fn starts_with(&self, at: usize, text: &[u8]) -> bool {
        text.iter().zip(at..).all(|(&byte, at)| self.at(at) == byte)
    }
}

/// Returns the ASCII character of an EBCDIC byte, if the byte is the same in all code pages and occurs in declarations.
fn invariant(byte: u8) -> u8 {
    match byte {
        0x40 => b' ',
        0x05 => b'\t',
        0x0D => b'\r',
        0x15 | 0x25 => b'\n',
        0x4B => b'.',
        0x4C => b'<',
        0x60 => b'-',
        0x6D => b'_',
        0x6E => b'>',
        0x6F => b'?',
        0x7A => b':',
        0x7D => b'\'',
        0x7E => b'=',
        0x7F => b'"',
        0x81..=0x89 => byte - 0x81 + b'a',
        0x91..=0x99 => byte - 0x91 + b'j',
        0xA2..=0xA9 => byte - 0xA2 + b's',
        0xC1..=0xC9 => byte - 0xC1 + b'A',
        0xD1..=0xD9 => byte - 0xD1 + b'J',
        0xE2..=0xE9 => byte - 0xE2 + b'S',
        0xF0..=0xF9 => byte - 0xF0 + b'0',
        _ => 0,
    }
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b'\t' | b'\n' | b'\r' | b' ')
}

/// The names of the pseudo-attributes, in order.
const NAMES: [&[u8]; 3] = [b"version", b"encoding", b"standalone"];
const VERSION: usize = 0;
const ENCODING: usize = 1;
const STANDALONE: usize = 2;

/// True if a declaration is at the start.
pub fn is_at_start(units: &Units) -> bool {
    units.starts_with(0, b"<?xml") && is_space(units.at(5))
}

/// Reads the declaration at the start, if there is one: production 23 in a document, 77 in an external entity.
///
/// # Errors
///
/// Fails with the index of the character that breaks the grammar.
pub fn read(units: &Units) -> Result<Option<Declared>, usize> {
    if !is_at_start(units) {
        return Ok(None);
    }
    let mut at = 5;
    let mut declared = None;
    let mut has_version = false;
    // Each pseudo-attribute occurs at most once, and in this order.
    let mut next = VERSION;
    loop {
        let spaced = is_space(units.at(at));
        while is_space(units.at(at)) {
            at += 1;
        }
        if units.starts_with(at, b"?>") {
            // A document's declaration needs a version. That of an external entity needs an encoding.
            return if next == VERSION {
                Err(at)
            } else {
                Ok(declared)
            };
        }
        if !spaced {
            return Err(at);
        }
        let name = (next..3)
            .find(|&name| units.starts_with(at, NAMES[name]))
            .ok_or(at)?;
        has_version |= name == VERSION;
        if name == STANDALONE && !has_version {
            // Production 77 (external entities) does not allow `standalone`.
            return Err(at);
        }
        next = name + 1;
        at += NAMES[name].len();
        let skip_space = |mut at| {
            while is_space(units.at(at)) {
                at += 1;
            }
            at
        };
        at = skip_space(at);
        if units.at(at) != b'=' {
            return Err(at);
        }
        at = skip_space(at + 1);
        let quote = units.at(at);
        if quote != b'"' && quote != b'\'' {
            return Err(at);
        }
        at += 1;
        let start = at;
        let mut value = [0; 40];
        loop {
            let byte = units.at(at);
            if byte == quote {
                break;
            }
            let first = at == start;
            let fits = match name {
                // Production 26: "1." and digits.
                VERSION => match at - start {
                    0 => byte == b'1',
                    1 => byte == b'.',
                    _ => byte.is_ascii_digit(),
                },
                // Production 81.
                ENCODING => {
                    byte.is_ascii_alphabetic()
                        || !first && (byte.is_ascii_digit() || b"._-".contains(&byte))
                }
                _ => byte.is_ascii_lowercase(),
            };
            if !fits {
                return Err(at);
            }
            if let Some(place) = value.get_mut(at - start) {
                *place = byte;
            }
            at += 1;
        }
        let length = (at - start).min(value.len());
        let is_complete = match name {
            VERSION => at - start > b"1.".len(),
            ENCODING => at > start,
            // Production 32.
            _ => matches!(&value[..length], b"yes" | b"no"),
        };
        if !is_complete {
            return Err(if name == STANDALONE { start } else { at });
        }
        if name == ENCODING {
            declared = Some(Declared {
                name: Name::new(&value[..length]),
                at: start,
            });
        }
        at += 1;
    }
}
