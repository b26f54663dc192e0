//! Every operation on half registers against a loop over bytes or code units.

use super::{Case, for_all_cases};
use crate::simd::vector::{HALF, Half, LEN, Token, V128};

/// The first halves of a case's registers.
struct Halved<'a> {
    case: &'a Case,
    v: Token,
    a: Half,
    b: Half,
}

impl<'a> Halved<'a> {
    fn of(case: &'a Case) -> Self {
        let v = case.v;
        // SAFETY: the arrays have `LEN >= HALF` bytes.
        let (a, b) = unsafe { (v.load_half(case.a.as_ptr()), v.load_half(case.b.as_ptr())) };
        Self { case, v, a, b }
    }

    fn array(&self, half: Half) -> [u8; HALF] {
        let mut bytes = [0x55; HALF];
        // SAFETY: the array has `HALF` bytes.
        unsafe { self.v.store_half(half, bytes.as_mut_ptr()) };
        bytes
    }

    /// Checks the bytes of a half, computed from those of `a` and `b` and their position.
    #[track_caller]
    fn bytes(&self, got: Half, expected: impl Fn(u8, u8, usize) -> u8) {
        let Case { a, b, .. } = self.case;
        let expected = core::array::from_fn(|i| expected(a[i], b[i], i));
        assert_eq!(self.array(got), expected, "of {a:X?} and {b:X?}");
    }

    /// Checks the code units of a half, computed from those of `a` and `b`.
    #[track_caller]
    fn units(&self, got: Half, expected: impl Fn(u16, u16) -> u16) {
        let got = units(&self.array(got));
        let [a, b] = [units(&self.case.a), units(&self.case.b)];
        let expected: [u16; 8] = core::array::from_fn(|i| expected(a[i], b[i]));
        assert_eq!(got, expected, "of {a:X?} and {b:X?}");
    }
}

/// Returns the first eight code units.
fn units(bytes: &[u8]) -> [u16; 8] {
    core::array::from_fn(|i| u16::from_le_bytes([bytes[2 * i], bytes[2 * i + 1]]))
}

fn all_bits(is: bool) -> u16 {
    if is { 0xFFFF } else { 0 }
}

/// Returns a mask of the items for which `has` is true.
fn bits<T: Copy>(items: &[T], has: impl Fn(T) -> bool) -> u32 {
    let bit = |bits, &item: &T| bits << 1 | u32::from(has(item));
    items.iter().rev().fold(0, bit)
}

#[test]
fn arithmetic() {
    for_all_cases(|case| {
        let halved = Halved::of(case);
        let Halved { v, a, b, .. } = halved;
        halved.bytes(v.or_half(a, b), |a, b, _| a | b);
        halved.bytes(v.and_half(a, b), |a, b, _| a & b);
        halved.bytes(v.and_not_half(a, b), |a, b, _| !a & b);
        halved.units(v.half_of_units(0xD83D), |_, _| 0xD83D);
        halved.units(v.add_half(a, b), u16::wrapping_add);
        halved.units(v.subtract_half(a, b), u16::wrapping_sub);
        halved.units(v.left_half::<1>(a), |a, _| a << 1);
        halved.units(v.left_half::<8>(a), |a, _| a << 8);
        halved.units(v.right_half::<15>(a), |a, _| a >> 15);
        halved.units(v.equal_half(a, b), |a, b| all_bits(a == b));
        halved.units(v.at_least_half(a, b), |a, b| all_bits(a >= b));
        let [small, other] = [v.right_half::<1>(a), v.right_half::<1>(b)];
        halved.units(v.above_half(small, other), |a, b| all_bits(a >> 1 > b >> 1));
        halved.units(v.add_above(small, 0xA0, 0xFEC0), |a, _| match a >> 1 {
            unit @ 0..=0xA0 => unit,
            unit => unit.wrapping_add(0xFEC0),
        });
    });
}

#[test]
fn moves() {
    for_all_cases(|case| {
        let halved = Halved::of(case);
        let Halved { v, a, .. } = halved;
        let places = case.b.map(|place| place & 0x8F);
        // SAFETY: the array has `LEN >= HALF` bytes.
        let at_places = unsafe { v.load_half(places.as_ptr()) };
        halved.bytes(v.shuffle_half(a, at_places), |_, b, _| match b & 0x8F {
            place @ 0..0x80 => case.a[usize::from(place)],
            _ => 0,
        });
        // SAFETY: the array has `LEN >= 8` bytes.
        let eight = unsafe { v.load_eight(case.a.as_ptr()) };
        halved.bytes(eight, |a, _, i| if i < 8 { a } else { 0 });
        let mut stored = [0xEE; HALF];
        // SAFETY: the array has `HALF >= 8` bytes.
        unsafe { v.store_eight(a, stored.as_mut_ptr()) };
        assert_eq!((&stored[..8], &stored[8..]), (&case.a[..8], &[0xEE; 8][..]));
        assert_eq!(halved.array(v.upper_eight(a))[..8], case.a[8..HALF]);
    });
}

#[test]
fn questions() {
    for_all_cases(|case| {
        let Halved { v, .. } = Halved::of(case);
        // Make zeros frequent, because they are rare in random bytes.
        let sparse: [u8; LEN] = core::array::from_fn(|i| match case.b[i] % 4 {
            0 => case.a[i],
            _ => 0,
        });
        // SAFETY: the array has `LEN >= HALF` bytes.
        let half = unsafe { v.load_half(sparse.as_ptr()) };
        let (bytes, of_units) = (&sparse[..HALF], units(&sparse));
        assert_eq!(v.zeros(half), bits(bytes, |byte| byte == 0));
        let (zero, ones) = (v.half_of_units(0), v.half_of_units(0xFFFF));
        let are_zero = v.equal_half(half, zero);
        let lanes = bits(&of_units, |unit| unit == 0);
        assert_eq!(u32::from(v.lanes(are_zero)), lanes);
        assert_eq!(u32::from(v.lanes_of_two(are_zero, ones)), lanes | 0xFF00);
        assert_eq!(u32::from(v.lanes_of_two(zero, are_zero)), lanes << 8);
        let (deposited, mask) = (case.a[0], case.b[0]);
        let places = (0..8).filter(|place| mask >> place & 1 == 1);
        let expected =
            (places.enumerate()).fold(0, |bits, (from, to)| bits | (deposited >> from & 1) << to);
        assert_eq!(v.deposit(deposited, mask), expected);
    });
}
