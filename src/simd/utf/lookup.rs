//! The nibble tables of Keiser and Lemire, which find errors in two adjacent bytes of UTF-8.
//!
//! Each table gives the errors that a nibble allows; an error is present if all three tables allow it. Two continuation
//! bytes in a row are no error by themselves: their bit (0x80) is compared with the required positions of third and
//! fourth bytes.

const TOO_SHORT: u8 = 1 << 0;
const TOO_LONG: u8 = 1 << 1;
const OVERLONG_3: u8 = 1 << 2;
const TOO_LARGE: u8 = 1 << 3;
const SURROGATE: u8 = 1 << 4;
const OVERLONG_2: u8 = 1 << 5;
/// 0xF5 and above with any continuation byte, and 0xF0 with 0x80 to 0x8F, which the tables distinguish by the second
/// byte.
const TOO_LARGE_1000: u8 = 1 << 6;
const OVERLONG_4: u8 = 1 << 6;
const TWO_CONTINUATIONS: u8 = 1 << 7;
/// Errors that do not depend on the lead's low nibble.
const CARRY: u8 = TOO_SHORT | TOO_LONG | TWO_CONTINUATIONS;

/// Possible errors by the high nibble of the first byte.
pub(super) const LEAD_HIGH: [u8; 16] = {
    let mut table = [TOO_LONG; 16];
    let mut i = 8;
    while i < 12 {
        table[i] = TWO_CONTINUATIONS;
        i += 1;
    }
    table[12] = TOO_SHORT | OVERLONG_2;
    table[13] = TOO_SHORT;
    table[14] = TOO_SHORT | OVERLONG_3 | SURROGATE;
    table[15] = TOO_SHORT | TOO_LARGE | TOO_LARGE_1000 | OVERLONG_4;
    table
};

/// Possible errors by the low nibble of the first byte.
pub(super) const LEAD_LOW: [u8; 16] = {
    let mut table = [CARRY | TOO_LARGE | TOO_LARGE_1000; 16];
    table[0] = CARRY | OVERLONG_3 | OVERLONG_2 | OVERLONG_4;
    table[1] = CARRY | OVERLONG_2;
    table[2] = CARRY;
    table[3] = CARRY;
    table[4] = CARRY | TOO_LARGE;
    table[13] |= SURROGATE;
    table
};

/// Possible errors by the high nibble of the second byte.
pub(super) const SECOND_HIGH: [u8; 16] = {
    let mut table = [TOO_SHORT; 16];
    let tail = TOO_LONG | OVERLONG_2 | TWO_CONTINUATIONS;
    table[8] = tail | OVERLONG_3 | TOO_LARGE_1000 | OVERLONG_4;
    table[9] = tail | OVERLONG_3 | TOO_LARGE;
    table[10] = tail | SURROGATE | TOO_LARGE;
    table[11] = tail | SURROGATE | TOO_LARGE;
    table
};
