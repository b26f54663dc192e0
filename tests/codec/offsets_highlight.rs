//! The example `highlight` finds the expected words.

#[path = "../../examples/highlight.rs"]
mod highlight;

use highlight::{highlight, sample_page};
use mojika::{BomHandling, Encoding, Fallback};

#[test]
fn the_sample_page_has_the_phrase_three_times() {
    let page = sample_page();
    let found = highlight(&page, mojika::SHIFT_JIS, "文字");
    let ranges: Vec<_> = found.iter().map(|found| found.bytes.clone()).collect();
    // The last range follows the malformed byte.
    assert_eq!(ranges, [4..8, 25..29, 65..69]);
    for range in ranges {
        let bytes = &page[range.start as usize..range.end as usize];
        assert_eq!(bytes, b"\x95\xB6\x8E\x9A");
    }
    assert_eq!(
        found[1].context,
        ["/h1>\n<p>", "文字", "を読めば、化けな"].map(str::to_owned)
    );
}

#[test]
fn a_phrase_is_found_in_every_encoding_that_has_it() {
    let phrase = "needle 文字 иглa é";
    for encoding in Encoding::all()
        .iter()
        .filter(|e| **e != mojika::REPLACEMENT)
    {
        let omit = |text| {
            let encoded = encoding.encode_or_else(text, |_| Fallback::Omit);
            encoded.expect("an encoder").bytes.into_owned()
        };
        let options = encoding.with(BomHandling::Keep);
        let phrase = options.decode(&omit(phrase)).text.into_owned();
        let before = "hay 化 стог è ".repeat(2000);
        let page = omit(&format!("{before}{phrase}{before}"));
        let found = highlight(&page, encoding, &phrase);
        assert_eq!(found.len(), 1, "{encoding}");
        let range = found[0].bytes.start as usize..found[0].bytes.end as usize;
        let bytes = options.decode(&page[range]).text;
        assert_eq!(bytes, phrase, "{encoding}");
    }
}
