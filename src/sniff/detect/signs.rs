//! What signs beyond ASCII cost by what stands beside them.
//!
//! A price has its sign before the digits, a degree after them, an apostrophe follows a letter. A byte that is such a sign
//! in one encoding is a letter in others, where it would stand alone between digits or in a word of another script.

/// What stands beside a sign.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Beside {
    /// A space, a control, or the end of the text.
    Space,
    Digit,
    Letter,
    /// Any other sign.
    Sign,
    /// A line or a block, as tables are drawn with.
    Box,
}

/// What a sign expects beside it: the low bits of its number in `bytes.bin`, in the order of `gen`'s `signs.rs`.
pub(super) const FREE: u8 = 0;
const PREFIX: u8 = 1;
const SUFFIX: u8 = 2;
const APOSTROPHE: u8 = 3;
const CLOSING: u8 = 4;
pub(super) const BOX: u8 = 5;
const MICRO: u8 = 6;
pub(super) const SPACE: u8 = 7;
const DEGREE: u8 = 8;
const ALONE: u8 = 9;

/// What a line of a table costs less after the same one, and after another one.
pub(super) const BOX_REPEATED: u32 = 6;
pub(super) const BOX_AFTER_BOX: u32 = 2;

/// What a line costs more that is another one than both lines before it: they may be words.
pub(super) const BOX_MIXED: u32 = 12;

/// What it costs that a sign of a number comes right after another one.
pub(super) const ADJACENT: u32 = 8;

/// Whether a sign belongs to a number or a word, and is no mark of punctuation.
pub(super) fn is_of_number(place: u8) -> bool {
    matches!(place, SUFFIX | DEGREE | ALONE | MICRO)
}

/// Whether a sign that costs `alone` by itself is hardly a letter of another encoding: it is a common one, and stands where
/// texts have it.
pub(super) fn is_certain(place: u8, alone: u8, before: Beside, after: Beside) -> bool {
    let touches_letter = match place {
        APOSTROPHE | CLOSING | SPACE => false,
        FREE => before == Beside::Letter || after == Beside::Letter,
        _ => before == Beside::Letter,
    };
    alone <= COMMON && cost(place, before, after) <= NEAR && !touches_letter
}

/// The most that a common sign costs by itself.
const COMMON: u8 = 9;

/// The most that its neighbours cost: a space may be between a currency sign and the digits.
const NEAR: u32 = 4;

/// What a sign costs beyond its own cost between `before` and `after`.
pub(super) fn cost(place: u8, before: Beside, after: Beside) -> u32 {
    u32::from(COSTS[usize::from(place & 15)][before as usize][after as usize])
}

/// What stands beside a sign, in order.
const BESIDES: [Beside; 5] = [
    Beside::Space,
    Beside::Digit,
    Beside::Letter,
    Beside::Sign,
    Beside::Box,
];

/// The cost of each sign between each two neighbours. A look-up is faster than branches that the processor mispredicts.
static COSTS: [[[u8; 5]; 5]; 16] = {
    let mut costs = [[[0; 5]; 5]; 16];
    let mut at = 0;
    while at < 16 * 25 {
        let (place, before, after) = (at / 25, at / 5 % 5, at % 5);
        let cost = cost_between(place as u8, BESIDES[before], BESIDES[after]);
        costs[place][before][after] = cost;
        at += 1;
    }
    costs
};

/// What a sign costs more between two neighbours, by rules.
const fn cost_between(place: u8, before: Beside, after: Beside) -> u8 {
    use Beside::{Box, Digit, Letter, Sign, Space};
    let is_letter = [matches!(before, Letter), matches!(after, Letter)];
    let [left, right] = match place {
        PREFIX => [
            match before {
                Space | Sign => 0,
                Digit | Letter | Box => 8,
            },
            match after {
                Digit | Letter | Sign => 0,
                Space | Box => 4,
            },
        ],
        SUFFIX | DEGREE => [
            match before {
                Digit | Letter | Sign => 0,
                Space | Box => 4,
            },
            match after {
                Space | Sign => 0,
                Letter if place == DEGREE && !is_letter[0] => 1,
                Letter => 8,
                Digit | Box => 6,
            },
        ],
        APOSTROPHE => [
            if is_letter[0] { 0 } else { 10 },
            if matches!(after, Digit) { 3 } else { 0 },
        ],
        CLOSING => [
            match before {
                Digit | Letter | Sign => 0,
                Space | Box => 6,
            },
            match after {
                Space | Sign => 0,
                Digit | Letter | Box => 6,
            },
        ],
        BOX => [
            match before {
                Space | Sign | Box => 0,
                Digit | Letter => 6,
            },
            match after {
                Space | Sign | Box => 0,
                Digit | Letter => 6,
            },
        ],
        MICRO => [
            if is_letter[0] { 8 } else { 0 },
            if is_letter[1] { 0 } else { 8 },
        ],
        ALONE => [
            if is_letter[0] { 4 } else { 0 },
            if is_letter[1] { 8 } else { 0 },
        ],
        FREE if is_letter[0] && is_letter[1] => [3, 3],
        _ => [0, 0],
    };
    left + right
}
