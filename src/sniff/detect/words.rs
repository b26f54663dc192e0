//! What words of another script than the Latin one cost by where they stand: next to ASCII letters, or among ASCII words.

/// What it costs that a word of another script touches an ASCII letter, at each end.
const TOUCHING: u32 = 10;

/// What each letter of such a word costs, up to [`GLUED_MOST`] letters, until a word of at least two letters has touched no
/// ASCII letter.
const GLUED: u32 = 6;
const GLUED_MOST: u32 = 6;

/// What a single letter of another script costs where the word before it is not in that script.
const ISOLATED: u32 = 10;

/// What a single letter costs after another one: few texts have two such words in a row.
const LONE_AGAIN: u32 = 4;

/// What a longer word of another script costs after an ASCII word, and more if it has two letters.
const SWITCH: u32 = 3;
const SHORT_SWITCH: u32 = 6;

/// Where words of another script than the Latin one stand.
#[derive(Clone, Copy, Default)]
pub(super) struct Words {
    /// Letters of the word that has begun.
    pub letters: u32,
    /// ASCII letters of the word that has begun, which may have digits.
    pub ascii_letters: u32,
    touches: bool,
    last: Word,
    /// Whether the last word was a single letter.
    is_lone: bool,
    /// Whether a word of the script has ended.
    pub has_foreign: bool,
    /// Whether a word of two letters and more touched no ASCII letter.
    has_free: bool,
}

#[derive(Clone, Copy, Default, PartialEq)]
enum Word {
    #[default]
    None,
    Ascii,
    Foreign,
}

/// What a word of one, two or more letters costs after no word, an ASCII word and one of the script.
const AFTER: [[u32; 3]; 4] = [
    [0; 3],
    [ISOLATED, ISOLATED, 0],
    [0, SHORT_SWITCH, 0],
    [0, SWITCH, 0],
];

impl Words {
    /// A letter of the script.
    pub fn letter(&mut self) {
        if self.letters == 0 {
            self.touches = self.ascii_letters > 0;
            if self.ascii_letters > 1 {
                self.last = Word::Ascii;
            }
            self.ascii_letters = 0;
        }
        self.letters += 1;
    }

    /// Anything else; returns what the word costs that it ends.
    pub fn other(&mut self, byte: u8) -> u32 {
        let is_ascii_letter = byte.is_ascii_alphabetic();
        let mut cost = 0;
        if self.letters > 0 {
            cost = TOUCHING * (u32::from(self.touches) + u32::from(is_ascii_letter));
            if cost == 0 {
                self.has_free |= self.letters > 1;
            } else if !self.has_free {
                cost += GLUED * self.letters.min(GLUED_MOST);
            }
            cost += AFTER[self.letters.min(3) as usize][self.last as usize];
            cost += LONE_AGAIN
                * u32::from(self.is_lone & (self.letters == 1) & (self.last == Word::Foreign));
            self.is_lone = self.letters == 1;
            (self.letters, self.last) = (0, Word::Foreign);
            self.has_foreign = true;
        }
        // This code has no branch, because the processor cannot predict whether the next byte is a letter.
        let is_end = !(is_ascii_letter | byte.is_ascii_digit());
        let is_word = is_end & (self.ascii_letters > 1);
        self.last = if is_word { Word::Ascii } else { self.last };
        self.ascii_letters =
            (self.ascii_letters + u32::from(is_ascii_letter)) & u32::from(is_end).wrapping_sub(1);
        cost
    }
}
