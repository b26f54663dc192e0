//! HZ-GB-2312 (RFC 1843) in a stream of ASCII, independent of chunks.
//!
//! Sections of GB 2312 stand between `~{` and `~}`, with two bytes per character.

use memchr::memchr;

#[derive(Clone, Copy, Default, PartialEq)]
enum State {
    #[default]
    Text,
    /// After `~`.
    Tilde,
    /// Before a character of a section.
    First,
    Second,
    /// After `~` in a section.
    End,
}

/// The sections seen so far.
#[derive(Clone, Default)]
pub(super) struct Hz {
    state: State,
    /// True if a section had bytes that are not a character.
    failed: bool,
    /// The number of sections that have ended.
    sections: u32,
    characters: u32,
    /// The number of common characters in the sections: punctuation, full-width letters and 3,755 ideographs.
    common: u32,
}

impl Hz {
    /// True if there were sections, most characters were common, and every `~{` began a section.
    pub fn is_text(&self) -> bool {
        !self.failed
            && self.sections > 0
            && self.characters >= 2
            && self.common * 2 >= self.characters
    }

    /// Reads one more chunk of ASCII.
    pub fn feed(&mut self, mut ascii: &[u8]) {
        while !self.failed {
            if self.state == State::Text {
                match memchr(b'~', ascii) {
                    Some(at) => ascii = &ascii[at..],
                    None => return,
                }
            }
            let Some((&byte, rest)) = ascii.split_first() else {
                return;
            };
            ascii = rest;
            self.state = match (self.state, byte) {
                (State::Text, b'~') => State::Tilde,
                (State::Tilde, b'{') => State::First,
                (State::Text | State::Tilde, _) => State::Text,
                (State::First, 0x21..=0x29 | 0x30..=0x77) => {
                    self.common += u32::from(matches!(byte, 0x21 | 0x23 | 0x30..=0x57));
                    State::Second
                }
                (State::First, b'~') => State::End,
                // A line ends a section, too.
                (State::First, b'\n' | b'\r') => State::Text,
                (State::Second, 0x21..=0x7E) => {
                    self.characters += 1;
                    State::First
                }
                (State::End, b'}') => {
                    self.sections += 1;
                    State::Text
                }
                _ => {
                    self.failed = true;
                    State::Text
                }
            };
        }
    }
}
