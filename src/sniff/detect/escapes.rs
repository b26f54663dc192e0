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
    other: bool,
    state: State,
}

impl Escapes {
    /// Whether a sequence of ISO-2022-JP was seen, and no other.
    pub fn are_iso_2022_jp(&self) -> bool {
        self.found && !self.other
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
                (State::Text, _) | (State::Single, b'B' | b'J') => State::Text,
                _ => {
                    self.other = true;
                    State::Text
                }
            };
        }
    }
}
