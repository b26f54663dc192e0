//! Lines and columns, counted in decoded text.

/// A place in text, relative to where counting started.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Position {
    /// U+000A so far.
    pub lines: u64,
    /// Characters since the last U+000A, or since counting started.
    pub column: u64,
}

impl Position {
    /// Counts UTF-8 text, which may start and end with any character.
    pub fn advance(&mut self, text: &[u8]) {
        let lines = memchr::memchr_iter(b'\n', text).count();
        let tail = match lines {
            0 => text,
            _ => {
                self.lines += lines as u64;
                self.column = 0;
                &text[memchr::memrchr(b'\n', text).map_or(0, |at| at + 1)..]
            }
        };
        self.column += characters(tail);
    }

    /// Counts a malformed sequence.
    pub fn advance_malformed(&mut self) {
        self.column += 1;
    }

    /// The place `further` on from here.
    pub fn plus(self, further: Self) -> Self {
        Self {
            lines: self.lines + further.lines,
            column: if further.lines == 0 {
                self.column + further.column
            } else {
                further.column
            },
        }
    }
}

/// The number of characters: bytes that are no continuation bytes.
fn characters(text: &[u8]) -> u64 {
    text.iter().filter(|&&byte| (byte as i8) >= -0x40).count() as u64
}
