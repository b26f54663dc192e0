//! What stands in the sample for ASCII between words.

use super::{Collector, Sample, is_paired};
use alloc::{string::ToString, vec::Vec};

#[test]
fn a_space_stands_for_ascii_that_is_left_out() {
    for (between, collected) in [
        ("twelve bytesxy", "twelve bytesxy"),
        ("twelve bytes<", "twelve bytes<"),
        // Of markup, its last bracket.
        ("twelve bytes<b>", "twelve bytes >"),
        ("twelve bytesxy<", "twelve bytes <"),
        (
            "twelve bytes, and more than the context",
            "twelve bytes  the context",
        ),
    ] {
        let text = [b"\xF6", between.as_bytes(), b"\xF6"].concat();
        let mut collector = Collector::new();
        collector.feed(&text);
        let expected = [b"\xF6", collected.as_bytes(), b"\xF6"].concat();
        assert_eq!(
            collector.collected().main.escape_ascii().to_string(),
            expected.escape_ascii().to_string()
        );
    }
}

/// Of markup nothing is left, and of brackets that are no tags one space each, but one after another.
#[test]
fn text_without_markup_has_a_space_for_what_is_no_tag() {
    for (text, stripped) in [
        ("\u{E4}", Some("\u{E4}")),
        ("<b>\u{E4}</b>\u{F6}<br/>", Some("\u{E4}\u{F6}")),
        ("<p title=\u{E4}>a</p>", None),
        ("a<\u{E4}", Some("a \u{E4}")),
        ("a< \u{E4}", Some("a  \u{E4}")),
        ("a <\u{E4}", Some("a \u{E4}")),
        ("a<>\u{E4}", Some("a \u{E4}")),
        ("a<<>>\u{E4}>", Some("a \u{E4} ")),
        (">\u{E4}<1", Some(" \u{E4} 1")),
        ("<b \u{E4}", Some(" b \u{E4}")),
    ] {
        let latin = |text: &str| text.chars().map(|c| c as u8).collect::<Vec<u8>>();
        let mut sample = Sample::empty();
        sample.add_stretch(&latin(text));
        let found = sample.collected().without_markup();
        let found = found.map(|sample| sample.main().escape_ascii().to_string());
        let expected = stripped.map(|text| latin(text).escape_ascii().to_string());
        assert_eq!(found, expected, "{text:?}");
    }
}

/// Twelve whole runs of pairs, with more than 42 bytes.
#[test]
fn text_is_paired_if_all_runs_are_even_and_longer_than_accents() {
    let runs = |lengths: &[usize]| {
        let runs = lengths
            .iter()
            .map(|&length| [&vec![0xB0; length][..], b" "].concat());
        [&b"\xB0"[..], b" ", &runs.collect::<Vec<_>>().concat()].concat()
    };
    let even = |long: usize| {
        let mut lengths = [2; 12];
        lengths[..long].fill(4);
        lengths
    };
    for (lengths, paired) in [
        (&even(12)[..], true),
        // 44 bytes, and 42.
        (&even(10), true),
        (&even(9), false),
        (&even(12)[..11], false),
        (&[&even(12)[..], &[1]].concat(), true),
        (&[&[3], &even(12)[..]].concat(), false),
        (&[&even(12)[..11], &[5]].concat(), false),
    ] {
        assert_eq!(is_paired(&runs(lengths)), paired, "{lengths:?}");
    }
    assert!(!is_paired(&[0xB0; 100]));
}
