//! Keiser and Lemire's nibble tables: what two neighbouring bytes of UTF-8 can have wrong.
//!
//! Each table gives the faults that a nibble leaves possible; a fault stands where all three agree. Two continuations
//! in a row are no fault by themselves: that bit (0x80) is compared with where third and fourth bytes must be.

const TOO_SHORT: u8 = 1 << 0;
const TOO_LONG: u8 = 1 << 1;
const OVERLONG_3: u8 = 1 << 2;
const TOO_LARGE: u8 = 1 << 3;
const SURROGATE: u8 = 1 << 4;
const OVERLONG_2: u8 = 1 << 5;
/// F5 and up with any continuation; and F0 with 80 to 8F, which the tables distinguish by the second byte.
const TOO_LARGE_1000: u8 = 1 << 6;
const OVERLONG_4: u8 = 1 << 6;
const TWO_CONTINUATIONS: u8 = 1 << 7;
/// Faults that the lead's low nibble does not decide.
const CARRY: u8 = TOO_SHORT | TOO_LONG | TWO_CONTINUATIONS;

/// By the high nibble of the first byte.
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

/// By the low nibble of the first byte.
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

/// By the high nibble of the second byte.
pub(super) const SECOND_HIGH: [u8; 16] = {
    let mut table = [TOO_SHORT; 16];
    let tail = TOO_LONG | OVERLONG_2 | TWO_CONTINUATIONS;
    table[8] = tail | OVERLONG_3 | TOO_LARGE_1000 | OVERLONG_4;
    table[9] = tail | OVERLONG_3 | TOO_LARGE;
    table[10] = tail | SURROGATE | TOO_LARGE;
    table[11] = tail | SURROGATE | TOO_LARGE;
    table
};
