//! Escape sequences of ISO-2022-JP in a stream of ASCII, however it is split.

use crate::mem;

#[derive(Clone, Copy, Default, PartialEq)]
enum State {
    #[default]
    Text,
    /// Behind ESC.
    Escape,
    /// Behind ESC $.
    Double,
    /// Behind ESC (.
    Single,
}

/// The sequences seen so far.
#[derive(Clone, Default)]
pub(super) struct Escapes {
    found: bool,
    /// Whether a sequence was seen that ends Japanese text: the rest of a document that was cut.
    ends: bool,
    other: bool,
    state: State,
}

impl Escapes {
    /// How sure it is that the stream is ISO-2022-JP, if its sequences were seen, and no other.
    ///
    /// A stream may be a piece of a document: its only sequence may be the one that ends Japanese text, or the beginning
    /// of one that is cut off.
    pub fn iso_2022_jp(&self) -> Option<f32> {
        match (self.found, self.ends, self.state) {
            _ if self.other => None,
            (true, ..) => Some(0.99),
            // Terminals have this sequence, too.
            (false, true, _) => Some(0.9),
            (false, false, State::Double) => Some(0.9),
            (false, false, State::Single) => Some(0.6),
            (false, false, State::Escape) => Some(0.5),
            (false, false, State::Text) => None,
        }
    }

    /// Whether no sequence has begun.
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
            self.state = match (self.state, byte) {
                (State::Text, 0x1B) => State::Escape,
                (State::Escape, b'$') => State::Double,
                (State::Escape, b'(') => State::Single,
                (State::Double, b'@' | b'B') | (State::Single, b'I') => {
                    self.found = true;
                    State::Text
                }
                (State::Single, b'B' | b'J') => {
                    self.ends = true;
                    State::Text
                }
                (State::Text, _) => State::Text,
                _ => {
                    self.other = true;
                    State::Text
                }
            };
        }
    }
}
