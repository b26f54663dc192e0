//! What signs beyond ASCII cost by what stands beside them.

/// What stands beside a sign.
#[derive(Clone, Copy, PartialEq)]
pub enum Beside {
    /// A space, a control, or the end of the text.
    Space,
    Digit,
    Letter,
    Sign,
    /// A line or a block, as tables are drawn with.
    Box,
}

/// What a sign expects beside it, in the order of the numbers in `bytes.bin`.
#[derive(Clone, Copy, PartialEq)]
pub enum Place {
    Free,
    /// Before what it belongs to, as a currency sign.
    Prefix,
    /// After it, as per cent.
    Suffix,
    Apostrophe,
    /// A closing bracket or quotation mark, or an ellipsis.
    Closing,
    Box,
    /// The micro sign, before the letter of a unit.
    Micro,
    Space,
    /// The degree sign, which a letter may follow.
    Degree,
    /// Between spaces, as a dash.
    Alone,
}

use Beside::{Digit, Letter};

impl Place {
    /// The place that a number names.
    pub fn of(number: u8) -> Self {
        const ALL: [Place; 10] = [
            Place::Free,
            Place::Prefix,
            Place::Suffix,
            Place::Apostrophe,
            Place::Closing,
            Place::Box,
            Place::Micro,
            Place::Space,
            Place::Degree,
            Place::Alone,
        ];
        ALL[usize::from(number)]
    }

    /// Whether the sign belongs to a number or a word, and is no punctuation.
    pub fn is_of_number(self) -> bool {
        matches!(
            self,
            Place::Suffix | Place::Degree | Place::Alone | Place::Micro
        )
    }

    /// What it costs to stand after `before` and before `after`.
    pub fn cost(self, before: Beside, after: Beside) -> u32 {
        let if_so = |is_so: bool, cost: u32| if is_so { cost } else { 0 };
        // Signs that belong to a number or a word before them.
        let is_apart = matches!(before, Beside::Space | Beside::Box);
        match self {
            Place::Free => if_so(before == Letter && after == Letter, 6),
            Place::Prefix => {
                let is_within = matches!(before, Digit | Letter | Beside::Box);
                let is_alone = matches!(after, Beside::Space | Beside::Box);
                if_so(is_within, 8) + if_so(is_alone, 4)
            }
            Place::Suffix | Place::Degree => {
                let of_unit = self == Place::Degree && before != Letter;
                if_so(is_apart, 4)
                    + match after {
                        Beside::Space | Beside::Sign => 0,
                        Letter if of_unit => 1,
                        Letter => 8,
                        Digit | Beside::Box => 6,
                    }
            }
            Place::Apostrophe => if_so(before != Letter, 10) + if_so(after == Digit, 3),
            Place::Closing => {
                let is_within = matches!(after, Digit | Letter | Beside::Box);
                if_so(is_apart, 6) + if_so(is_within, 6)
            }
            Place::Box => {
                let is_text = |beside: Beside| matches!(beside, Digit | Letter);
                if_so(is_text(before), 6) + if_so(is_text(after), 6)
            }
            Place::Micro => if_so(before == Letter, 8) + if_so(after != Letter, 8),
            Place::Alone => if_so(before == Letter, 4) + if_so(after == Letter, 8),
            Place::Space => 0,
        }
    }
}
