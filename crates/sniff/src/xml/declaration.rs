//! The XML declaration and the text declaration, read in any family of encodings.

use super::{Family, HEAD_LENGTH, TABLE};
use core::fmt;
use core::ops::Range;
use mojika::{BomHandling, Decoder};

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

/// The first characters of a document in one family, as ASCII. A character that no declaration contains is 0.
pub struct Head {
    text: [u8; HEAD_LENGTH],
    length: usize,
    start: usize,
    width: usize,
}

impl Head {
    /// Reads the characters from `start` on.
    pub fn new(bytes: &[u8], start: usize, family: Family) -> Self {
        let mut head = Self {
            text: [0; HEAD_LENGTH],
            length: 0,
            start,
            width: TABLE[family as usize].width,
        };
        let is_ebcdic = family == Family::Ebcdic;
        let end = if is_ebcdic { 0x6E } else { b'>' };
        let bytes = &bytes[start..];
        let length = memchr::memchr(end, bytes).map_or(bytes.len(), |at| at + head.width);
        let bytes = &bytes[..bytes.len().min(length)];
        // The characters of a declaration are the same in all code pages of EBCDIC.
        let encoding = family.encoding().or_else(|| crate::extended(b"IBM037"));
        if let Some(encoding) = encoding {
            let mut units = [0_u16; HEAD_LENGTH];
            let mut decoder = Decoder::new(encoding, BomHandling::Keep);
            let decoded = decoder.decode_fatal(bytes, &mut units[..], false);
            head.length = decoded.written;
            for (place, unit) in head.text.iter_mut().zip(&units[..head.length]) {
                *place = match *unit {
                    0x85 if is_ebcdic => b'\n',
                    unit @ 0..0x80 => unit as u8,
                    _ => 0,
                };
            }
        }
        head
    }

    /// Returns the byte offset of a character.
    pub fn offset(&self, at: usize) -> usize {
        self.start + at * self.width
    }

    /// Returns the characters up to the first one that is malformed.
    pub fn text(&self) -> &[u8] {
        &self.text[..self.length]
    }
}

/// Returns the number of spaces at the start.
fn spaces(text: &[u8]) -> usize {
    let spaces = text
        .iter()
        .take_while(|byte| matches!(byte, b'\t' | b'\n' | b'\r' | b' '));
    spaces.count()
}

/// The names of the pseudo-attributes, in order.
const NAMES: [&[u8]; 3] = [b"version", b"encoding", b"standalone"];
const VERSION: usize = 0;
const ENCODING: usize = 1;
const STANDALONE: usize = 2;

/// True if a declaration is at the start.
pub fn is_at_start(text: &[u8]) -> bool {
    text.strip_prefix(b"<?xml")
        .is_some_and(|rest| spaces(rest) > 0)
}

/// Returns the place of the name in the declaration at the start, if there is one: production 23 in a document, 77 in an
/// external entity.
///
/// # Errors
///
/// Fails with the index of the character that breaks the grammar.
pub fn read(text: &[u8]) -> Result<Option<Range<usize>>, usize> {
    if !is_at_start(text) {
        return Ok(None);
    }
    let skip_space = |at: usize| at + spaces(&text[at..]);
    let mut end = b"<?xml".len();
    let mut declared = None;
    let mut has_version = false;
    // Each pseudo-attribute occurs at most once, and in this order.
    let mut next = VERSION;
    loop {
        let at = skip_space(end);
        let rest = &text[at..];
        if rest.starts_with(b"?>") {
            // A document's declaration needs a version. That of an external entity needs an encoding.
            return if next == VERSION {
                Err(at)
            } else {
                Ok(declared)
            };
        }
        let is_next = |name: &usize| at > end && rest.starts_with(NAMES[*name]);
        let name = (next..NAMES.len()).find(is_next).ok_or(at)?;
        has_version |= name == VERSION;
        if name == STANDALONE && !has_version {
            // Production 77 (external entities) does not allow `standalone`.
            return Err(at);
        }
        next = name + 1;
        let equals = skip_space(at + NAMES[name].len());
        if text.get(equals) != Some(&b'=') {
            return Err(equals);
        }
        let opening = skip_space(equals + 1);
        let Some(&quote @ (b'"' | b'\'')) = text.get(opening) else {
            return Err(opening);
        };
        let start = opening + 1;
        let length = memchr::memchr(quote, &text[start..]);
        let value = &text[start..start + length.unwrap_or(text.len() - start)];
        let fits = |(at, byte): (usize, &u8)| match (name, at) {
            // Production 26: "1." and digits.
            (VERSION, 0) => *byte == b'1',
            (VERSION, 1) => *byte == b'.',
            (VERSION, _) => byte.is_ascii_digit(),
            // Production 81.
            (ENCODING, 0) => byte.is_ascii_alphabetic(),
            (ENCODING, _) => byte.is_ascii_alphanumeric() || b"._-".contains(byte),
            _ => byte.is_ascii_lowercase(),
        };
        let valid = value.iter().enumerate().take_while(|one| fits(*one));
        let valid = start + valid.count();
        let least = match name {
            VERSION => b"1.0".len(),
            _ => 1,
        };
        end = start + value.len();
        if valid < end || length.is_none() || name != STANDALONE && value.len() < least {
            return Err(valid);
        }
        match name {
            VERSION => {}
            ENCODING => declared = Some(start..end),
            // Production 32.
            _ if value == b"yes" || value == b"no" => {}
            _ => return Err(start),
        }
        end += 1;
    }
}
