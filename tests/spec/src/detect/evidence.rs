//! What all that was read says about an encoding: how much of it is malformed, and what other encodings read it alike.

use crate::handler::{Handler, HandlerResult};
use crate::single_byte::index_single_byte;
use crate::{Encoding, IoQueue};

/// How many bytes are decoded in each encoding of several bytes.
const DECODED: usize = 4096;

/// More of them are decoded where bytes beyond ASCII have at most one malformed sequence in this many, and one more.
const FOLLOWED: u64 = 64;

/// What was read.
pub struct Evidence<'a> {
    /// The document from the first byte beyond ASCII on.
    pub bytes: &'a [u8],
    /// Whether that is the document's first one: it may begin within a character.
    pub is_cut: bool,
}

/// How much is malformed in an encoding.
#[derive(Clone, Copy, PartialEq)]
pub struct Malformed {
    pub sequences: u64,
    /// Whether one of them is the rest of a character at the start of the document.
    pub is_cut: bool,
}

impl Malformed {
    /// Returns the number of malformed sequences without the rest of a character at the start of the document.
    pub fn counted(self) -> u64 {
        self.sequences - u64::from(self.is_cut)
    }
}

impl Evidence<'_> {
    /// How many bytes are beyond ASCII.
    pub fn high(&self) -> u64 {
        high(self.bytes)
    }

    /// How many sequences are malformed in an encoding.
    pub fn malformed(&self, encoding: &str) -> Malformed {
        let encoding = by_name(encoding);
        if encoding == Encoding::Gbk {
            // They have the same decoder.
            return self.malformed(Encoding::Gb18030.name());
        }
        if index_single_byte(encoding).is_some() {
            return Malformed {
                sequences: count(encoding, self.bytes),
                is_cut: false,
            };
        }
        if self.bytes.len() <= DECODED {
            return malformed(encoding, self.bytes, self.is_cut, u64::MAX);
        }
        let beginning = &self.bytes[..DECODED];
        let most = high(beginning) / FOLLOWED;
        let found = malformed(encoding, beginning, self.is_cut, most + 2);
        let sequences = if found.sequences <= most + 1 {
            // From the second byte on, if the beginning is read so.
            let begin = usize::from(found.is_cut);
            count(encoding, &self.bytes[begin..]) + begin as u64
        } else if most == 0 {
            found.sequences
        } else {
            // The rest is taken to be as the beginning is.
            found.sequences * self.high() / (most * FOLLOWED)
        };
        Malformed { sequences, ..found }
    }
}

fn high(bytes: &[u8]) -> u64 {
    bytes.iter().filter(|byte| !byte.is_ascii()).count() as u64
}

fn by_name(name: &str) -> Encoding {
    let mut all = Encoding::ALL.into_iter();
    all.find(|encoding| encoding.name() == name)
        .expect("candidates are encodings of the Standard")
}

/// Whether a single-byte encoding decodes a byte beyond ASCII to nothing.
pub fn is_undefined(encoding: &str, byte: u8) -> bool {
    let index = index_single_byte(by_name(encoding));
    index.is_some_and(|index| index.code_point(usize::from(byte - 0x80)).is_none())
}

/// What is malformed in bytes that may begin within a character, up to `most` sequences.
fn malformed(encoding: Encoding, bytes: &[u8], is_cut: bool, most: u64) -> Malformed {
    let sequences = count(encoding, bytes).min(most);
    let later = count(encoding, &bytes[1..]).min(most);
    let is_cut = is_cut && later < sequences;
    Malformed {
        sequences: if is_cut { later + 1 } else { sequences },
        is_cut,
    }
}

/// Counts malformed sequences. What is incomplete at the end is none: the text goes on.
fn count(encoding: Encoding, bytes: &[u8]) -> u64 {
    let mut decoder = encoding.decoder();
    let mut queue = IoQueue::immediate(bytes);
    let mut sequences = 0;
    while !queue.is_empty() {
        let byte = queue.read();
        if let HandlerResult::Error(_) = decoder.handler(&mut queue, byte) {
            sequences += 1;
        }
    }
    sequences
}

/// Whether two encodings decode text alike that has these bytes beyond ASCII.
pub fn is_same_text(one: &str, other: &str, bytes: &[u8]) -> bool {
    let [one, other] = [one, other].map(by_name);
    let is_gb = |encoding| matches!(encoding, Encoding::Gbk | Encoding::Gb18030);
    if one == other || is_gb(one) && is_gb(other) {
        return true;
    }
    let (Some(one), Some(other)) = (index_single_byte(one), index_single_byte(other)) else {
        return false;
    };
    let mut high = bytes.iter().filter(|byte| !byte.is_ascii());
    high.all(|&byte| {
        let pointer = usize::from(byte - 0x80);
        one.code_point(pointer).is_some() && one.code_point(pointer) == other.code_point(pointer)
    })
}
