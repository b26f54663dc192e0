//! What a sample has again and again: lines of one byte, and patterns that are drawn.
//!
//! Each time of them would count as much as the first, and a drawing does not tell in which encoding a text is.

/// To how many bytes a longer run of one byte beyond ASCII is cut, or to one less: an odd number stays odd, an even one even.
pub(super) const REPEATED: usize = 4;

/// How many bytes a pattern has at most that is drawn again and again, and in how many bytes at the start of a stretch it is
/// looked for.
const PATTERN: usize = 8;
const PATTERN_BEGINS: usize = 64;

/// Removes what repeats a pattern at the start of a stretch, such as a line of stars, and returns the length that is left.
///
/// Two or three of at least four are kept: an even number goes, so that pairs of bytes stay pairs.
pub(super) fn without_repeats(text: &mut [u8]) -> usize {
    let mut len = text.len();
    if !may_repeat(text) {
        return len;
    }
    let mut at = 0;
    while at < len.min(PATTERN_BEGINS) {
        let (kept, removed) = repeats(&text[at..len]);
        if removed > 0 {
            text.copy_within(at + kept + removed..len, at + kept);
            len -= removed;
        }
        at += kept.max(1);
    }
    len
}

/// Returns whether the start of a stretch contains a sequence of four bytes that occurs again 4 to [`PATTERN`] bytes later. The
/// first byte of the sequence is beyond ASCII.
///
/// They do in each pattern that comes four times: one of two bytes comes again after four bytes, too, and one of three after six.
fn may_repeat(text: &[u8]) -> bool {
    const LEN: usize = PATTERN_BEGINS + PATTERN + 3;
    let mut begin = [0; LEN];
    let len = text.len().min(LEN);
    begin[..len].copy_from_slice(&text[..len]);
    comes_again::<4>(&begin)
        | comes_again::<5>(&begin)
        | comes_again::<6>(&begin)
        | comes_again::<7>(&begin)
        | comes_again::<8>(&begin)
}

fn comes_again<const DISTANCE: usize>(text: &[u8; PATTERN_BEGINS + PATTERN + 3]) -> bool {
    // All at once, which vectors compare.
    let mut found = 0;
    for at in 0..PATTERN_BEGINS {
        let is_same = |more: usize| text[at + more] == text[at + more + DISTANCE];
        let is_found = is_same(0) & is_same(1) & is_same(2) & is_same(3);
        found |= u8::from(is_found) & (text[at] >> 7);
    }
    found != 0
}

/// How many bytes of a pattern that is repeated here are kept, and how many after them are removed.
fn repeats(text: &[u8]) -> (usize, usize) {
    let Some(first) = text.first_chunk::<4>().filter(|first| first[0] >= 0x80) else {
        return (0, 0);
    };
    if let Some(eight) = text[2..].first_chunk::<8>() {
        // Most bytes do not come again so soon.
        const ONES: u64 = 0x0101_0101_0101_0101;
        let differences = u64::from_le_bytes(*eight) ^ (ONES * u64::from(first[0]));
        if differences.wrapping_sub(ONES) & !differences & (0x80 * ONES) == 0 {
            return (0, 0);
        }
    }
    for len in 2..=PATTERN {
        if text.get(len..len + 4).is_none_or(|next| next != first) {
            continue;
        }
        let pairs = text.iter().zip(&text[len..]);
        let same = pairs.take_while(|(one, next)| one == next).count();
        let times = 1 + same / len;
        if times >= 4 {
            let removed = (times - 2) & !1;
            return ((times - removed) * len, removed * len);
        }
    }
    (0, 0)
}

/// Whether one byte beyond ASCII comes more than [`REPEATED`] times in a row.
pub(super) fn has_long_run(text: &[u8]) -> bool {
    let len = text.len().saturating_sub(REPEATED);
    let after = |distance: usize| text[distance.min(text.len())..].iter();
    // All at once, which vectors compare.
    let pairs = after(0).zip(after(1)).zip(after(2));
    let runs = pairs.zip(after(3)).zip(after(REPEATED)).take(len);
    let found = runs.fold(0, |found, ((((first, second), third), fourth), fifth)| {
        let is_run = (first == second) & (second == third) & (third == fourth) & (fourth == fifth);
        found | u8::from(is_run & (*first >= 0x80))
    });
    found != 0
}

#[cfg(test)]
mod tests {
    use super::{REPEATED, has_long_run, repeats, without_repeats};
    use mojika_spec::Random;
    use std::vec::Vec;

    #[test]
    fn patterns_are_found_and_cut_to_two_or_three() {
        let mut random = Random::new(52);
        let mut found = 0;
        for case in 0..20_000 {
            let letters = [0xC4, 0xB1, b'-', 0xC4];
            let letter = |random: &mut Random| letters[random.below(2 + case % 3)];
            let pattern: Vec<u8> = (0..2 + case % 8).map(|_| letter(&mut random)).collect();
            let end: Vec<u8> = (0..random.below(12)).map(|_| letter(&mut random)).collect();
            let text = [&pattern.repeat(random.below(12)), &end[..]].concat();
            let mut shortened = text.clone();
            let length = without_repeats(&mut shortened);
            let expected = mojika_spec::detect::without_repeats(text.clone());
            assert_eq!(shortened[..length], expected, "{text:X?}");
            found += usize::from(repeats(&text) != (0, 0));
        }
        assert!(found > 5000, "{found}");
    }

    #[test]
    fn a_long_run_is_one_byte_beyond_ascii_five_times() {
        let mut random = Random::new(53);
        for length in (0..200).chain([0; 2000].map(|_| 12)) {
            let text: Vec<u8> = (0..length)
                .map(|_| [0xA1, b'-', 0xA1, 0xA2][random.below(4)])
                .collect();
            let mut runs = text.windows(REPEATED + 1);
            let expected =
                runs.any(|run| !run[0].is_ascii() && run.iter().all(|byte| *byte == run[0]));
            assert_eq!(has_long_run(&text), expected, "{text:X?}");
        }
        assert!(has_long_run(&[0xA1; 5]) && !has_long_run(&[0xA1; 4]) && !has_long_run(b"-----"));
    }
}
