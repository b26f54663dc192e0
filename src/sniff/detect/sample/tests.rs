//! What stands in the sample for ASCII between words.

use super::Collector;
use alloc::string::ToString;

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
