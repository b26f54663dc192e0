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

/// The sequences that were seen, as a bit set.
#[derive(Clone, Copy, Default, PartialEq)]
struct Seen(u16);

impl Seen {
    /// Japanese text in ISO-2022-JP begins.
    const JP: Self = Self(1);
    /// Japanese text ends. Without [`Seen::JP`], the sequence ends the text of a truncated document.
    const END: Self = Self(1 << 1);
    const JP_1: Self = Self(1 << 2);
    const JP_2: Self = Self(1 << 3);
    const JP_3: Self = Self(1 << 4);
    const JP_2004: Self = Self(1 << 5);
    const KR: Self = Self(1 << 6);
    const CN: Self = Self(1 << 7);
    const CN_EXT: Self = Self(1 << 8);
    /// The single shifts of ISO-2022-CN and ISO-2022-JP-2.
    const SHIFT: Self = Self(1 << 9);
    /// A sequence of a terminal, or a sequence that belongs to no encoding.
    const OTHER: Self = Self(1 << 10);

    fn has(self, any: Self) -> bool {
        self.0 & any.0 != 0
    }

    fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

/// The sequences seen so far.
#[derive(Clone, Default)]
pub(super) struct Escapes {
    seen: Seen,
    state: State,
}

impl Escapes {
    /// Returns the probability of ISO-2022-JP, if only its sequences were seen.
    ///
    /// A stream may be a part of a document. Its only sequence may then end Japanese text, or begin a truncated one.
    pub fn iso_2022_jp(&self) -> Option<f32> {
        if self.seen.0 & !(Seen::JP.0 | Seen::END.0) != 0 {
            return None;
        }
        match self.state {
            _ if self.seen.has(Seen::JP) => Some(0.99),
            // Terminals also use this sequence.
            _ if self.seen.has(Seen::END) => Some(0.9),
            State::Double => Some(0.9),
            State::Single => Some(0.6),
            State::Escape => Some(0.5),
            _ => None,
        }
    }

    /// Returns the name of the encoding that the sequences belong to, if it has no decoder.
    pub fn unsupported(&self) -> Option<&'static str> {
        let seen = self.seen;
        let chinese = Seen::CN.or(Seen::CN_EXT);
        let japanese = [
            (Seen::JP_2004, "ISO-2022-JP-2004"),
            (Seen::JP_3, "ISO-2022-JP-3"),
            (Seen::JP_2, "ISO-2022-JP-2"),
            (Seen::JP_1, "ISO-2022-JP-1"),
        ];
        let all_japanese = japanese
            .iter()
            .fold(Seen::JP.or(Seen::END), |all, (one, _)| all.or(*one));
        if seen.has(Seen::OTHER) {
            return None;
        }
        match (
            seen.has(Seen::KR),
            seen.has(chinese),
            seen.has(all_japanese),
        ) {
            (true, false, false) => Some("ISO-2022-KR"),
            (false, true, false) if seen.has(Seen::CN_EXT) => Some("ISO-2022-CN-EXT"),
            (false, true, false) => Some("ISO-2022-CN"),
            (false, false, true) => japanese
                .into_iter()
                .find_map(|(one, name)| seen.has(one).then_some(name)),
            _ => None,
        }
    }

    /// True if one encoding explains all sequences, and at least one was complete. Then the bytes are not UTF-16 or
    /// UTF-32.
    pub fn are_of_an_encoding(&self) -> bool {
        self.seen.has(Seen::JP) && self.iso_2022_jp().is_some() || self.unsupported().is_some()
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
            self.seen = self.seen.or(seen);
        }
    }
}

/// Returns the state after a byte, and the sequence that the byte completes.
fn next(state: State, byte: u8) -> (State, Seen) {
    let seen = match (state, byte) {
        (State::Text, 0x1B) => return (State::Escape, Seen::default()),
        (State::Text, _) => Seen::default(),
        (State::Escape, b'$') => return (State::Double, Seen::default()),
        (State::Escape, b'(') => return (State::Single, Seen::default()),
        (State::Escape, b'.') => return (State::High, Seen::default()),
        (State::Escape, b'N' | b'O') => Seen::SHIFT,
        (State::Single, b'I') | (State::Double, b'@' | b'B') => Seen::JP,
        (State::Single, b'B' | b'J') => Seen::END,
        (State::High, b'A' | b'F') | (State::Double, b'A') => Seen::JP_2,
        (State::Double, b'('..=b'+') => return (State::DoubleIn(byte), Seen::default()),
        (State::DoubleIn(b'('), b'C') => Seen::JP_2,
        (State::DoubleIn(b'('), b'D') => Seen::JP_1,
        (State::DoubleIn(b'('), b'O') => Seen::JP_3,
        (State::DoubleIn(b'('), b'P' | b'Q') => Seen::JP_2004,
        (State::DoubleIn(b')'), b'C') => Seen::KR,
        (State::DoubleIn(b')'), b'A' | b'G') | (State::DoubleIn(b'*'), b'H') => Seen::CN,
        (State::DoubleIn(b')'), b'E') | (State::DoubleIn(b'+'), b'I'..=b'M') => Seen::CN_EXT,
        _ => Seen::OTHER,
    };
    (State::Text, seen)
}
