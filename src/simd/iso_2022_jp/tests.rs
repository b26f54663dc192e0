//! The kernels against a byte-wise model.

use mojika_spec::Random;

use super::*;
use crate::simd::Level;

/// Returns all kernels of this machine, ignoring the cap that other tests set.
fn kernels() -> impl Iterator<Item = Kernels> {
    Kernels::at(Active::at_most(Level::Avx512)).into_iter()
}

/// Returns each stripped byte of `src`, its end in the source, and true if it is half of a pair.
fn model(
    src: &[u8],
    part: usize,
    mut in_pairs: bool,
    mut must_have_output: bool,
) -> (Vec<u8>, Vec<(usize, bool)>) {
    let src = &src[..src.len().min(part)];
    let (mut bytes, mut ends, mut at) = (Vec::new(), Vec::new(), 0);
    while let Some(&byte) = src.get(at) {
        match byte {
            0x1B if !must_have_output => match src[at..] {
                [_, b'$', b'B' | b'@', ..] if !in_pairs => in_pairs = true,
                [_, b'(', b'B', ..] if in_pairs => in_pairs = false,
                _ => break,
            },
            0x0E | 0x0F | 0x1B | 0x80.. => break,
            _ => {
                bytes.push(byte | if in_pairs { 0x80 } else { 0 });
                at += 1;
                ends.push((at, in_pairs));
                must_have_output = false;
                continue;
            }
        }
        must_have_output = true;
        at += 3;
    }
    (bytes, ends)
}

fn model_insert(in_pairs: &mut bool, src: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for &byte in src {
        if (byte >= 0x80) != *in_pairs {
            *in_pairs = byte >= 0x80;
            bytes.extend_from_slice(if *in_pairs { b"\x1B$B" } else { b"\x1B(B" });
        }
        bytes.push(byte & 0x7F);
    }
    bytes
}

/// Returns printable ASCII and escape sequences, mostly alternating between the two modes, with some malformed input.
fn source(numbers: &mut Random, most: usize) -> Vec<u8> {
    let mut src = Vec::new();
    let longest = [2, 8, 30, 200][numbers.below(4)];
    let oddity = [20, 200, 100_000][numbers.below(3)];
    while src.len() < most {
        for _ in 0..numbers.below(longest) {
            src.push(0x21 + numbers.below(0x5D) as u8);
        }
        let odd: &[u8] = match numbers.below(oddity) {
            0 => b"\x1B(J",
            1 => b"\x1B(I",
            2 => b"\x0E",
            3 => b"\x0F",
            4 => b"\x80",
            5 => b"\x1B",
            6 => b"\x1B$",
            7 => b"\x1B$B\x1B(B",
            8 => b"\x1B$A",
            _ => b"",
        };
        src.extend_from_slice(odd);
        let escape: &[u8] = match src.len() % 9 {
            0 => b"\x1B$@",
            1..5 => b"\x1B$B",
            _ => b"\x1B(B",
        };
        // Escape sequences alternate, with occasional exceptions.
        let last = src.iter().rposition(|&byte| byte == 0x1B);
        let in_pairs = last.is_some_and(|at| src.get(at + 1) == Some(&b'$'));
        src.extend_from_slice(match (numbers.below(oddity), in_pairs) {
            (0, _) => escape,
            (_, true) => b"\x1B(B",
            (_, false) => b"\x1B$B",
        });
    }
    src.truncate(numbers.below(most));
    src
}

#[test]
fn stripping_is_what_the_model_says() {
    const ROUNDS: usize = 1000;
    let mut numbers = Random::new(0x9E37_79B9_7F4A_7C15);
    let mut stripped = Stripped::new();
    for kernels in kernels() {
        let mut kept = 0;
        for round in 0..ROUNDS {
            let src = source(&mut numbers, kernels.part() + 500);
            let (in_pairs, must_have_output) = (round % 2 == 0, round % 7 == 0);
            let (bytes, ends) = model(&src, kernels.part(), in_pairs, must_have_output);
            let len = stripped.fill(kernels, &src, in_pairs, must_have_output);
            assert_eq!(len, bytes.len(), "{src:X?}");
            assert_eq!(stripped.bytes(), bytes, "{src:X?}");
            assert_eq!(stripped.source_of(0), None);
            for (i, &end) in ends.iter().enumerate() {
                assert_eq!(stripped.source_of(i + 1), Some(end), "{i}: {src:X?}");
            }
            kept += bytes.len();
        }
        // The kernel must get past the first blocks.
        assert!(kept > ROUNDS * 100, "{kept}");
    }
}

/// Returns ASCII and pairs with their high bits set, of this length.
fn unescaped(numbers: &mut Random, len: usize) -> Vec<u8> {
    let longest = [1, 2, 8, 30, 200][numbers.below(5)];
    let mut src = Vec::new();
    while src.len() < len {
        let high = if numbers.below(2) == 0 { 0x80 } else { 0 };
        for _ in 0..=numbers.below(longest) {
            src.push((0x21 + numbers.below(0x5D) as u8) | high);
        }
    }
    src.truncate(len);
    src
}

#[test]
fn inserting_is_what_the_model_says() {
    let mut numbers = Random::new(0x2545_F491_4F6C_DD1D);
    let mut part = Unescaped::new();
    let mut to = [0; 4 * MAX_PART + 64];
    for kernels in kernels() {
        for round in 0..2000 {
            let len = match round % 4 {
                0 => numbers.below(kernels.part() + 1),
                _ => numbers.below(300),
            };
            let src = match round {
                // Input with the longest output for its length.
                0 => [b'a', 0xB0].repeat(kernels.part() / 2),
                _ => unescaped(&mut numbers, len),
            };
            let before = round % 2 == 0;
            let mut state = before;
            let expected = model_insert(&mut state, &src);
            part.fill(|out| usize::from(out.push_slice(&src)));
            // Output space that is exact, larger, and too small.
            let len = expected.len();
            for room in len.saturating_sub(1)..=len + 1 {
                let fits = room >= len;
                let most = len + 64;
                to[..most].fill(0xFF);
                let mut out = Out::from_init(&mut to[..room]);
                let mut in_pairs = before;
                assert_eq!(part.push_to(kernels, &mut in_pairs, &mut out), fits);
                let written = out.written();
                let expected = if fits { &expected[..] } else { &[] };
                assert_eq!(&to[..written], expected, "{src:X?}");
                assert!(to[written..most].iter().all(|&byte| byte == 0xFF));
                // Without bytes, the state does not change.
                assert_eq!(in_pairs, if fits { state } else { before });
            }
        }
    }
}
