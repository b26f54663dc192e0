//! Every operation against a loop over bytes or code units, on all pairs of bytes and on random bytes.

use super::{Bytes, HALF, LEN, Token, V256};
use crate::simd::detected;
use crate::simd::level::Active;
use crate::simd::tests::dice;

mod v128;

pub(super) type Array = [u8; LEN];

/// The contents of one or two registers.
pub(super) struct Case {
    pub v: Token,
    pub a: Array,
    pub b: Array,
}

impl Case {
    pub fn register(&self, bytes: &Array) -> Bytes {
        // SAFETY: the array has `LEN` bytes.
        unsafe { self.v.load(bytes.as_ptr()) }
    }

    pub fn array(&self, register: Bytes) -> Array {
        let mut bytes = [0; LEN];
        // SAFETY: the array has `LEN` bytes.
        unsafe { self.v.store(register, bytes.as_mut_ptr()) };
        bytes
    }

    /// Checks an operation on each byte.
    #[track_caller]
    pub fn bytes(&self, of_two: impl Fn(Bytes, Bytes) -> Bytes, expected: impl Fn(u8, u8) -> u8) {
        let got = self.array(of_two(self.register(&self.a), self.register(&self.b)));
        let expected: Array = core::array::from_fn(|i| expected(self.a[i], self.b[i]));
        assert_eq!(got, expected, "of {:X?} and {:X?}", self.a, self.b);
    }

    /// Checks an operation on each code unit.
    #[track_caller]
    pub fn units(
        &self,
        of_two: impl Fn(Bytes, Bytes) -> Bytes,
        expected: impl Fn(u16, u16) -> u16,
    ) {
        let got = self.array(of_two(self.register(&self.a), self.register(&self.b)));
        let expected = core::array::from_fn(|i| expected(units(&self.a)[i], units(&self.b)[i]));
        assert_eq!(units(&got), expected, "of {:X?} and {:X?}", self.a, self.b);
    }

    /// Checks an operation that moves bytes. `from` returns for each output byte its index in `a`, or from `LEN` on in
    /// `b`; `None` for 0.
    #[track_caller]
    pub fn places(&self, got: Bytes, from: impl Fn(usize) -> Option<usize>) {
        let both = [self.a, self.b];
        let byte = |i| from(i).map_or(0, |at| both.as_flattened()[at]);
        assert_eq!(self.array(got), core::array::from_fn(byte));
    }
}

pub(super) fn units(bytes: &Array) -> [u16; HALF] {
    core::array::from_fn(|i| u16::from_le_bytes([bytes[2 * i], bytes[2 * i + 1]]))
}

fn all_bits(is: bool) -> u8 {
    if is { 0xFF } else { 0 }
}

/// Calls `check` with registers that contain all pairs of bytes, and with random bytes. Does nothing if the machine
/// lacks the instruction set.
pub(super) fn for_all_cases(check: impl Fn(&Case)) {
    let Some(v) = Token::at(Active::at_most(detected())) else {
        return;
    };
    for first in 0..=255_u8 {
        for second in (0..=255).step_by(LEN) {
            let b = core::array::from_fn(|i| second + i as u8);
            check(&Case {
                v,
                a: [first; LEN],
                b,
            });
        }
    }
    let mut random = dice();
    let mut noise = || core::array::from_fn(|_| random(256) as u8);
    for _ in 0..2000 {
        let (a, b) = (noise(), noise());
        check(&Case { v, a, b });
    }
}

#[test]
fn arithmetic_of_bytes() {
    for_all_cases(|case| {
        let v = case.v;
        case.bytes(|a, b| v.and(a, b), |a, b| a & b);
        case.bytes(|a, b| v.or(a, b), |a, b| a | b);
        case.bytes(|a, b| v.xor(a, b), |a, b| a ^ b);
        case.bytes(|a, b| v.and_not(a, b), |a, b| !a & b);
        case.bytes(
            |a, b| v.blend(a, b, v.splat(7)),
            |a, b| if a < 0x80 { 7 } else { b },
        );
        case.bytes(|a, b| v.add(a, b), u8::wrapping_add);
        case.bytes(|a, b| v.subtract(a, b), u8::wrapping_sub);
        case.bytes(|a, b| v.add_up_to_max(a, b), u8::saturating_add);
        case.bytes(|a, b| v.subtract_down_to_0(a, b), u8::saturating_sub);
        case.bytes(|a, b| v.least(a, b), u8::min);
        case.bytes(|a, b| v.equal(a, b), |a, b| all_bits(a == b));
        case.bytes(|a, b| v.at_least(a, b), |a, b| all_bits(a >= b));
        case.bytes(|a, _| v.starts(a), |a, _| all_bits(a & 0xC0 != 0x80));
        case.bytes(|a, _| v.and(v.shift_6(a), v.splat(0xC0)), |a, _| a << 6);
        case.bytes(|a, _| v.top_four(a), |a, _| a >> 4);
        case.bytes(|a, _| v.top_two(a), |a, _| a >> 6);
        let [a, b] = [case.register(&case.a), case.register(&case.b)];
        assert_eq!(
            v.is_zero(v.and(a, b)),
            case.a.iter().zip(&case.b).all(|(a, b)| a & b == 0)
        );
    });
}

#[test]
fn arithmetic_of_units() {
    for_all_cases(|case| {
        let v = case.v;
        case.units(|a, b| v.add_units(a, b), u16::wrapping_add);
        case.units(|a, b| v.subtract_units(a, b), u16::wrapping_sub);
        case.units(|a, b| v.multiply_units(a, b), u16::wrapping_mul);
        case.units(|a, b| v.least_of_units(a, b), u16::min);
        case.units(
            |a, b| v.units_above(v.right::<1>(a), v.right::<1>(b)),
            |a, b| if a >> 1 > b >> 1 { 0xFFFF } else { 0 },
        );
        case.units(|a, b| v.add_units_up_to_max(a, b), u16::saturating_add);
        case.units(
            |a, b| v.equal_units(a, b),
            |a, b| if a == b { 0xFFFF } else { 0 },
        );
        case.units(
            |a, _| v.equal_units(a, v.splat_units(0xD8D8)),
            |a, _| if a == 0xD8D8 { 0xFFFF } else { 0 },
        );
        case.units(|a, _| v.left::<2>(a), |a, _| a << 2);
        case.units(|a, _| v.right::<12>(a), |a, _| a >> 12);
        case.units(|a, _| v.swapped(a), |a, _| a.swap_bytes());
        let top = v.top_bits_of_units(case.register(&case.a));
        for (half, (bits, len)) in units(&case.a).chunks(8).zip(top) {
            let expected = half
                .iter()
                .rev()
                .fold(0, |bits, unit| bits << 1 | u32::from(unit >> 15));
            assert_eq!((bits, len), (expected, expected.count_ones() as usize));
        }
    });
}

#[test]
fn movemask() {
    for_all_cases(|case| {
        let v = case.v;
        let bits = |bytes: &Array| {
            bytes
                .iter()
                .rev()
                .fold(0_u32, |bits, byte| bits << 1 | u32::from(byte >> 7))
        };
        let (a, b) = (bits(&case.a), bits(&case.b));
        let [in_a, in_b] = [&case.a, &case.b].map(|bytes| v.movemask(case.register(bytes)));
        for (marks, expected) in [
            (in_a, a),
            (in_b, b),
            (v.both(in_a, in_b), a & b),
            (v.others(in_a), !a),
        ] {
            assert_eq!(v.bits(marks), expected);
            assert_eq!(v.any(marks), expected != 0);
        }
        assert_eq!(v.top_bits(case.register(&case.b)), b);
        let block = [case.a, case.b];
        let block = block.as_flattened().first_chunk().unwrap();
        assert_eq!(
            v.top_bits_of_block(block),
            u64::from(a) | u64::from(b) << 32
        );
        assert_eq!(v.count(b), b.count_ones() as usize);
        assert_eq!(
            v.counts(b),
            b.to_le_bytes().map(|byte| byte.count_ones() as usize)
        );
    });
}

#[test]
fn moves() {
    for_all_cases(|case| {
        let v = case.v;
        let [a, b] = [case.register(&case.a), case.register(&case.b)];
        // Returns the start of a position's half, and the offset in it.
        let half = |i: usize| (i / HALF * HALF, i % HALF);
        case.places(v.on::<1>(a), |i| i.checked_sub(1));
        case.places(v.on::<2>(a), |i| i.checked_sub(2));
        case.places(v.on::<3>(a), |i| i.checked_sub(3));
        let [low, high] = v.widen(a);
        case.places(low, |i| (i % 2 == 0).then_some(i / 2));
        case.places(high, |i| (i % 2 == 0).then_some(HALF + i / 2));
        let low = v.splat_units(0xFF);
        case.places(v.narrow(v.and(a, low), v.and(b, low)), |i| Some(2 * i));
        for (i, zipped) in v.zip(a, b).into_iter().enumerate() {
            case.places(zipped, |at| {
                let (start, at) = half(at);
                Some(start + 8 * i + at / 2 + LEN * (at % 2))
            });
        }
        for (i, zipped) in v.zip_pairs(a, b).into_iter().enumerate() {
            case.places(zipped, |at| {
                let (start, at) = half(at);
                Some(start + 8 * i + at / 4 * 2 + at % 2 + LEN * (at / 2 % 2))
            });
        }
        for (i, zipped) in v.zip_units(a, b).into_iter().enumerate() {
            case.places(zipped, |at| {
                Some(HALF * i + at / 4 * 2 + at % 2 + LEN * (at / 2 % 2))
            });
        }
        case.places(v.second_eights(a), |i| {
            let (start, at) = half(i);
            (at < 8).then_some(start + 8 + at)
        });
        let words = |at: usize| u64::from_le_bytes(*case.a[at..].first_chunk().unwrap());
        case.places(v.first_words(words(0), words(8)), |i| {
            (i < HALF).then_some(i)
        });
        // Indices made from `b`: below 16, or from 0x80 on.
        let places: [[u8; HALF]; 2] =
            core::array::from_fn(|half| core::array::from_fn(|i| case.b[HALF * half + i] & 0x8F));
        let [low, high] = &places;
        let picked = |i: usize| {
            let (start, at) = half(i);
            let place = places[start / HALF][at];
            (place < 0x80).then_some(start + usize::from(place))
        };
        case.places(v.shuffle(a, [low, high]), picked);
        let mut stored = [[0; HALF]; 2];
        let mut whole = [[0; HALF]; 2];
        // SAFETY: each array has `HALF` bytes.
        unsafe {
            v.store_low_picked(a, low, stored[0].as_mut_ptr());
            v.store_high_picked(a, high, stored[1].as_mut_ptr());
            v.store_low(a, whole[0].as_mut_ptr());
            v.store_high(a, whole[1].as_mut_ptr());
        }
        let [stored, whole] = [stored, whole].map(|[low, high]| v.halves(&low, &high));
        case.places(stored, picked);
        case.places(whole, Some);
        let bits = [case.b[0], case.b[1]];
        let compressed = case.array(v.compress(a, bits));
        for (start, bits) in [(0, bits[0]), (HALF, bits[1])] {
            let set = (0..8).filter(|i| bits >> i & 1 == 1);
            for (to, from) in set.enumerate() {
                assert_eq!(compressed[start + to], case.a[start + from]);
            }
        }
    });
}

#[test]
fn units_taken_apart() {
    for_all_cases(|case| {
        let both = [units(&case.a), units(&case.b)];
        // SAFETY: `both` has `2 * HALF = LEN` units.
        let [low, high] = unsafe { case.v.load_units(both.as_flattened().as_ptr()) };
        case.places(low, |i| Some(2 * i));
        case.places(high, |i| Some(2 * i + 1));
    });
}

#[test]
fn tables() {
    let entries: [u8; 128] = core::array::from_fn(|i| (i as u8).wrapping_mul(37) ^ 0x55);
    let flags = core::array::from_fn(|i| entries[i].is_multiple_of(3));
    let nibbles = core::array::from_fn(|i| 0x80 | entries[5 * i]);
    for_all_cases(|case| {
        let v = case.v;
        let (table, set) = (v.table(&entries), v.set(&flags));
        let entry = |b: u8| b.checked_sub(0x80).map(usize::from);
        case.bytes(
            |_, b| v.look_up(&table, b),
            |_, b| entry(b).map_or(0, |i| entries[i]),
        );
        case.bytes(
            |_, b| v.is_not_in(&set, b),
            |_, b| all_bits(!entry(b).is_some_and(|i| flags[i])),
        );
        case.bytes(
            |_, b| v.look_up_nibbles(&nibbles, v.top_four(b)),
            |_, b| nibbles[usize::from(b >> 4)],
        );
    });
}
