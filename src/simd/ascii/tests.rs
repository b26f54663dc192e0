//! One suite for every kind at every level of this machine, against a loop over units.
//!
//! Covers fault classes 8 (a tail reads or writes past the buffer) and 17 (the result depends on the instruction set,
//! the alignment or the sizes).

extern crate std;

use core::fmt::Debug;
use std::{format, vec, vec::Vec};

use super::super::level::available;
use super::*;

/// An input unit, with the values that the tests generate.
trait Input: core::marker::Copy + Debug + 'static {
    /// Returns an ASCII unit that differs from its neighbours.
    fn ascii(i: usize) -> Self;
    /// Non-ASCII units: the lowest, the highest, and those that saturating packs convert to ASCII by mistake.
    const OTHERS: &'static [Self];
}

impl Input for u8 {
    fn ascii(i: usize) -> Self {
        (i * 7 % 128) as u8
    }
    const OTHERS: &'static [u8] = &[0x80, 0xFF];
}

impl Input for u16 {
    fn ascii(i: usize) -> Self {
        (i * 7 % 128) as u16
    }
    const OTHERS: &'static [u16] = &[0x80, 0xFF, 0x100, 0x7FFF, 0x8000, 0x8041, 0xFF41, 0xFFFF];
}

trait Canary: core::marker::Copy + Debug + PartialEq {
    const CANARY: Self;
}
impl Canary for u8 {
    const CANARY: u8 = 0xC9;
}
impl Canary for u16 {
    const CANARY: u16 = 0xC9C9;
}
impl Canary for () {
    const CANARY: () = ();
}

/// Returns the ways to call a kernel: each level, and the public function with its inline path.
fn entries() -> impl Iterator<Item = Option<Active>> {
    available()
        .map(|level| Some(Active::at_most(level)))
        .chain([None])
}

fn run<K: Task>(entry: Option<Active>, src: &[K::In], out: &mut Out<'_, K::Out>) -> usize {
    match entry {
        Some(active) => take_at::<K>(active, src, out),
        None => take::<K>(src, out),
    }
}

/// Runs `K` over `src` into `room` units of a larger buffer, and compares the returned length and the whole buffer.
fn check<K: Task>(src: &[K::In], buffer: &mut [K::Out], skip: usize, room: usize)
where
    K::In: Input,
    K::Out: Canary,
{
    let expected: Vec<K::Out> = src
        .iter()
        .map_while(|&unit| K::convert(unit))
        .take(room)
        .collect();
    for entry in entries() {
        buffer.fill(K::Out::CANARY);
        let mut out = Out::from_init(&mut buffer[skip..skip + room]);
        let taken = run::<K>(entry, src, &mut out);
        let written = out.written();
        let describe = || {
            format!(
                "{} at {entry:?}, length {}, room {room}, output offset {skip}, input {src:02X?}",
                core::any::type_name::<K>(),
                src.len()
            )
        };
        assert_eq!(taken, expected.len(), "{}", describe());
        assert_eq!(written, expected.len(), "{}", describe());
        assert!(
            buffer[skip..skip + taken] == expected,
            "output: {}",
            describe()
        );
        let untouched = |part: &[K::Out]| part.iter().all(|&unit| unit == K::Out::CANARY);
        assert!(
            untouched(&buffer[..skip]),
            "written before the start: {}",
            describe()
        );
        assert!(
            untouched(&buffer[skip + taken..]),
            "written past what it reports: {}",
            describe()
        );
    }
}

const LONGEST: usize = 300;
const ALIGNMENTS: usize = 64;

/// Returns more than `LONGEST` ASCII units, to be sliced at any offset.
fn ascii<I: Input>() -> Vec<I> {
    (0..LONGEST + ALIGNMENTS).map(I::ascii).collect()
}

fn suite<K: Task>()
where
    K::In: Input,
    K::Out: Canary,
{
    let clean = ascii::<K::In>();
    let mut buffer = vec![K::Out::CANARY; LONGEST + 2 * ALIGNMENTS];

    // Every length, at alignments of input and output that change relative to each other. Above the longest register,
    // only some lengths use every alignment.
    for len in 0..=LONGEST {
        for shift in 0..ALIGNMENTS {
            let src = &clean[shift..shift + len];
            check::<K>(src, &mut buffer, (shift * 5 + len) % ALIGNMENTS, len);
            if len % 64 < 2 {
                check::<K>(src, &mut buffer, shift, len + 9);
            }
        }
    }

    // A non-ASCII unit at every position of every length.
    for len in 1..=LONGEST {
        for stop in 0..len {
            let shift = (len + stop) % ALIGNMENTS;
            let mut src = clean[shift..shift + len].to_vec();
            src[stop] = K::In::OTHERS[(len + stop) % K::In::OTHERS.len()];
            if len % 3 == 0 {
                src[len - 1] = K::In::OTHERS[0];
            }
            check::<K>(&src, &mut buffer, (stop * 3) % ALIGNMENTS, len + stop % 2);
        }
    }

    // Every non-ASCII unit, at every position of the first two registers, which are reached differently.
    for &other in K::In::OTHERS {
        for stop in 0..160 {
            let mut src = clean[..160].to_vec();
            src[stop] = other;
            check::<K>(&src, &mut buffer, 1, 160);
        }
    }

    // Every output size, below and above the length of the input.
    for len in (0..=LONGEST).step_by(13).chain(0..40) {
        for room in 0..=LONGEST {
            check::<K>(&clean[..len], &mut buffer, room % ALIGNMENTS, room);
        }
    }
}

#[test]
fn copied_run_is_exact_at_every_level() {
    suite::<Copy>();
}

#[test]
fn widened_run_is_exact_at_every_level() {
    suite::<Widen>();
}

#[test]
fn narrowed_run_is_exact_at_every_level() {
    suite::<Narrow>();
}

#[test]
fn measured_run_is_exact_at_every_level() {
    suite::<Measure>();
}

#[test]
fn measured_run_of_units_is_exact_at_every_level() {
    suite::<MeasureUnits>();
}

/// Uses allocations of exactly the length, so that the address sanitizer sees accesses out of bounds.
fn exact_allocations<K: Task>()
where
    K::In: Input,
    K::Out: Canary,
{
    for len in 0..=LONGEST {
        let src: Vec<K::In> = (0..len).map(K::In::ascii).collect();
        for entry in entries() {
            let (src, mut dst) = (
                src.clone().into_boxed_slice(),
                vec![K::Out::CANARY; len].into_boxed_slice(),
            );
            assert_eq!(
                run::<K>(entry, &src, &mut Out::from_init(&mut dst)),
                len,
                "{entry:?}"
            );
        }
    }
}

#[test]
fn exact_allocations_are_enough() {
    exact_allocations::<Copy>();
    exact_allocations::<Widen>();
    exact_allocations::<Narrow>();
    exact_allocations::<Measure>();
    exact_allocations::<MeasureUnits>();
}

#[test]
fn long_run_stops_at_its_one_other_unit() {
    let mut src = vec![b'a'; 70_001];
    for stop in [0, 1, 4_095, 4_096, 65_535, 65_536, 70_000] {
        src[stop] = 0x80;
        let units: Vec<u16> = src.iter().map(|&byte| u16::from(byte)).collect();
        assert_eq!(ascii_prefix_len(&src), stop);
        assert_eq!(ascii_prefix_len_u16(&units), stop);
        assert_eq!(
            copy_ascii(&src, &mut Out::from_init(&mut vec![0; 70_001])),
            stop
        );
        assert_eq!(
            widen_ascii(&src, &mut Out::from_init(&mut vec![0; 70_001])),
            stop
        );
        assert_eq!(
            narrow_ascii(&units, &mut Out::from_init(&mut vec![0; 70_001])),
            stop
        );
        src[stop] = b'a';
    }
}

#[test]
fn output_continues_at_the_cursor() {
    let mut buffer = [0_u8; 40];
    let mut out = Out::from_init(&mut buffer);
    assert!(out.push_slice(b"<"));
    assert_eq!(copy_ascii(b"0123456789abcdefghijklmnopq\xE9", &mut out), 27);
    assert!(out.push(b'>'));
    assert_eq!(out.written_slice(), b"<0123456789abcdefghijklmnopq>");
}

#[test]
fn short_ascii_is_written_whole_or_not_at_all() {
    /// Checks `src` converted to units of `S`, in which `wrong` replaces each byte above 0x7F.
    fn check<S, T>(src: &[u8], wrong: S, room: usize, is_for: bool)
    where
        S: bits::AsciiUnit,
        T: bits::FromAscii<S> + Default + From<u8> + PartialEq + core::fmt::Debug,
    {
        let unit = |byte: u8| if byte < 0x80 { byte.into() } else { wrong };
        let units: Vec<S> = src.iter().map(|&byte| unit(byte)).collect();
        let mut to = vec![T::from(0xEE); room];
        let mut out = Out::from_init(&mut to);
        let copied = T::push_short_ascii(&units, &mut out);
        let written = out.written();
        assert_eq!(
            (copied, written),
            (is_for, if is_for { src.len() } else { 0 })
        );
        let expected: Vec<T> = src[..written].iter().map(|&byte| T::from(byte)).collect();
        assert_eq!(to[..written], expected);
        assert!(to[written..].iter().all(|&unit| unit == T::from(0xEE)));
    }
    let lens = (0..=66).chain(127..=130).chain(254..=258);
    for len in lens {
        for wrong in 0..=len {
            let mut src: Vec<u8> = (0..len).map(|i| b'a' + (i % 26) as u8).collect();
            if let Some(byte) = src.get_mut(wrong) {
                *byte |= 0x80;
            }
            for room in [0, 7, 8, len - len.min(1), len, len + 9] {
                let is_for = (8..=256).contains(&len) && wrong == len && len <= room;
                check::<u8, u8>(&src, 0x80, room, is_for);
                check::<u8, u16>(&src, 0xFF, room, is_for);
                check::<u16, u8>(&src, 0x80, room, is_for);
                // The low byte is ASCII.
                check::<u16, u8>(&src, 0x100, room, is_for);
            }
        }
    }
}
