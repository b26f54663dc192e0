//! Escape sequences of ISO 2022 in a stream of ASCII, independent of chunks.
//!
//! ISO-2022-JP is found by its escape sequences. The designated character sets identify other ISO 2022 encodings, which
//! mostly have no decoder.

use mojika::mem;

#[derive(Clone, Copy, Default, PartialEq)]
enum State {
    #[default]
    Text,
    /// After ESC.
    Escape,
    /// After ESC (.
    Single,
    /// After ESC . of ISO-2022-JP-2.
    High,
    /// After ESC $.
    Double,
    /// After ESC $ (, ESC $ ), ESC $ * and ESC $ +.
    DoubleIn(u8),
}

/// Japanese text in ISO-2022-JP begins. The sequences that were seen are a bit set.
const JP: u16 = 1;
/// Japanese text ends. Without [`JP`], the sequence ends the text of a truncated document.
const END: u16 = 1 << 1;
const JP_1: u16 = 1 << 2;
const JP_2: u16 = 1 << 3;
const JP_3: u16 = 1 << 4;
const JP_2004: u16 = 1 << 5;
const KR: u16 = 1 << 6;
const CN: u16 = 1 << 7;
const CN_EXT: u16 = 1 << 8;
/// The single shifts of ISO-2022-CN and ISO-2022-JP-2.
const SHIFT: u16 = 1 << 9;
/// A sequence of a terminal, or a sequence that belongs to no encoding.
const OTHER: u16 = 1 << 10;
const JAPANESE: u16 = JP | END | JP_1 | JP_2 | JP_3 | JP_2004;

/// The sequences that show an encoding, its other sequences, and its name.
const UNSUPPORTED: [(u16, u16, &str); 7] = [
    (KR, 0, "ISO-2022-KR"),
    (CN_EXT, CN, "ISO-2022-CN-EXT"),
    (CN, 0, "ISO-2022-CN"),
    (JP_2004, JAPANESE, "ISO-2022-JP-2004"),
    (JP_3, JAPANESE, "ISO-2022-JP-3"),
    (JP_2, JAPANESE, "ISO-2022-JP-2"),
    (JP_1, JAPANESE, "ISO-2022-JP-1"),
];

/// The escape sequences seen so far.
#[derive(Clone, Default)]
pub(super) struct Escapes {
    seen: u16,
    state: State,
}

impl Escapes {
    /// Returns the probability of ISO-2022-JP, if only its sequences were seen.
    ///
    /// A stream may be a part of a document. Its only sequence may then end Japanese text, or begin a truncated one.
    pub fn iso_2022_jp(&self) -> Option<f32> {
        if self.seen & !(JP | END) != 0 {
            return None;
        }
        match self.state {
            _ if self.seen & JP != 0 => Some(0.99),
            // Terminals also use this sequence.
            _ if self.seen & END != 0 => Some(0.9),
            State::Double => Some(0.9),
            State::Single => Some(0.6),
            State::Escape => Some(0.5),
            _ => None,
        }
    }

    /// Returns the name of the encoding that the sequences belong to, if it has no decoder.
    pub fn unsupported(&self) -> Option<&'static str> {
        let shown = |one: &&(u16, u16, &str)| self.seen & one.0 != 0;
        let (own, others, name) = UNSUPPORTED.iter().find(shown)?;
        (self.seen & !(own | others | SHIFT) == 0).then_some(name)
    }

    /// True if one encoding explains all sequences, and at least one was complete. Then the bytes are not UTF-16 or
    /// UTF-32.
    pub fn are_of_an_encoding(&self) -> bool {
        self.seen & JP != 0 && self.iso_2022_jp().is_some() || self.unsupported().is_some()
    }

    /// True if the stream is not within a sequence.
    pub fn is_in_text(&self) -> bool {
        self.state == State::Text
    }

    /// Reads one more chunk of ASCII.
    pub fn feed(&mut self, mut ascii: &[u8]) {
        while !ascii.is_empty() {
            if self.state == State::Text {
                ascii = &ascii[mem::iso_2022_jp_ascii_prefix_len(ascii)..];
            }
            let Some((&byte, rest)) = ascii.split_first() else {
                return;
            };
            ascii = rest;
            let (state, seen) = next(self.state, byte);
            self.state = state;
            self.seen |= seen;
        }
    }
}

/// Returns the state after a byte, and the sequence that the byte completes.
fn next(state: State, byte: u8) -> (State, u16) {
    let seen = match (state, byte) {
        (State::Text, 0x1B) => return (State::Escape, 0),
        (State::Text, _) => 0,
        (State::Escape, b'$') => return (State::Double, 0),
        (State::Escape, b'(') => return (State::Single, 0),
        (State::Escape, b'.') => return (State::High, 0),
        (State::Escape, b'N' | b'O') => SHIFT,
        (State::Single, b'I') | (State::Double, b'@' | b'B') => JP,
        (State::Single, b'B' | b'J') => END,
        (State::High, b'A' | b'F') | (State::Double, b'A') => JP_2,
        (State::Double, b'('..=b'+') => return (State::DoubleIn(byte), 0),
        (State::DoubleIn(b'('), b'C') => JP_2,
        (State::DoubleIn(b'('), b'D') => JP_1,
        (State::DoubleIn(b'('), b'O') => JP_3,
        (State::DoubleIn(b'('), b'P' | b'Q') => JP_2004,
        (State::DoubleIn(b')'), b'C') => KR,
        (State::DoubleIn(b')'), b'A' | b'G') | (State::DoubleIn(b'*'), b'H') => CN,
        (State::DoubleIn(b')'), b'E') | (State::DoubleIn(b'+'), b'I'..=b'M') => CN_EXT,
        _ => OTHER,
    };
    (State::Text, seen)
}
