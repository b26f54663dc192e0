//! What stands in the sample for ASCII between words.

use super::{Collector, Sample};
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
        sample.add_windows(&[]);
        let found = sample.collected().without_markup();
        let found = found.map(|sample| sample.main().escape_ascii().to_string());
        let expected = stripped.map(|text| latin(text).escape_ascii().to_string());
        assert_eq!(found, expected, "{text:?}");
    }
}
