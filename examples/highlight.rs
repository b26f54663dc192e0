//! Finds a phrase in a page of any encoding and returns its byte range, as needed by a highlighter or a search tool.
//!
//! ```sh
//! cargo run --example highlight                              # a Shift_JIS page of the example's own
//! cargo run --example highlight -- page.html shift_jis 文字   # a file, its encoding's label, a phrase
//! ```
//!
//! The page is read in chunks, as from a network. The phrase is found in the decoded text, and the offset map returns
//! its byte range.

use mojika::Encoding;
use mojika::offsets::{OffsetMap, OffsetMapBuilder};
use std::ops::Range;

/// A match of the phrase.
#[derive(Debug, PartialEq, Eq)]
pub struct Match {
    /// The byte range in the page.
    pub bytes: Range<u64>,
    /// The text before the phrase, the phrase, and the text after it.
    pub context: [String; 3],
}

/// Returns a page in Shift_JIS with a malformed byte in its last line.
pub fn sample_page() -> Vec<u8> {
    let text = "<h1>文字化けの話</h1>\n<p>文字を読めば、化けない。</p>\n";
    let mut page = mojika::SHIFT_JIS
        .encode(text)
        .expect("the text is in Shift_JIS")
        .into_owned();
    page.extend_from_slice(b"<p>\x82</p><p>\x95\xB6\x8E\x9A</p>\n");
    page
}

/// Decodes a page chunk by chunk.
pub fn decode(page: &[u8], encoding: &'static Encoding) -> (String, OffsetMap) {
    let (mut builder, mut text) = (OffsetMapBuilder::new(encoding), String::new());
    for chunk in page.chunks(1000) {
        builder.decode_append(chunk, &mut text, false);
    }
    builder.decode_append(b"", &mut text, true);
    (text, builder.into_map())
}

/// Returns all matches of the phrase in the page.
pub fn highlight(page: &[u8], encoding: &'static Encoding, phrase: &str) -> Vec<Match> {
    const CONTEXT: usize = 8;
    let (text, map) = decode(page, encoding);
    let offsets = map
        .utf8_offsets(page)
        .expect("UTF-8 is counted, and the page is whole");
    text.match_indices(phrase)
        .filter_map(|(at, found)| {
            let end = at + found.len();
            let before = text[..at].chars().rev().take(CONTEXT).collect::<Vec<_>>();
            Some(Match {
                bytes: offsets.source_range(at as u64..end as u64)?,
                context: [
                    before.into_iter().rev().collect(),
                    found.to_owned(),
                    text[end..].chars().take(CONTEXT).collect(),
                ],
            })
        })
        .collect()
}

#[allow(dead_code, reason = "a test includes this file as a module")]
fn main() -> Result<(), Box<dyn std::error::Error>> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (page, label, phrase) = match &arguments[..] {
        [] => (sample_page(), "shift_jis", "文字"),
        [path, label, phrase] => (std::fs::read(path)?, &**label, &**phrase),
        _ => return Err("arguments: none, or a path, a label and a phrase".into()),
    };
    let encoding =
        Encoding::for_label(label).ok_or(format!("no encoding is labelled {label:?}"))?;
    for found in highlight(&page, encoding, phrase) {
        let Range { start, end } = found.bytes;
        let bytes = usize::try_from(start)?..usize::try_from(end)?;
        let [before, phrase, behind] = found.context.map(|text| text.replace('\n', " "));
        println!("bytes {start}..{end}: {before}[{phrase}]{behind}");
        println!("    {:02X?}", &page[bytes]);
    }
    Ok(())
}
