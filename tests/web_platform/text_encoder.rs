//! `TextEncoderStream`: UTF-16 to UTF-8, over chunks.

use mojika::UTF_8;
use mojika_spec::text_encoder::TextEncoderStream;

/// Chunks in and chunks out, in a notation: `(` and `)` are the two surrogates of U+1F499, `R` is U+FFFD and `B` is U+1F499
/// in UTF-8; empty chunks are not written.
const STREAMS: [(&[&str], &[&str]); 19] = [
    (&["I () streams"], &["I B streams"]),
    (&["(", ")"], &["B"]),
    (&["(", ")()"], &["BB"]),
    (&["(", ")(", ")"], &["B", "B"]),
    (&["(", ")((", ")"], &["BR", "B"]),
    (&["("], &["R"]),
    (&["(", "()"], &["RB"]),
    (&["(", "a"], &["Ra"]),
    (&["(", "(", ")"], &["R", "B"]),
    (&["(", "("], &["R", "R"]),
    (&["((", ")"], &["R", "B"]),
    (&[")", "()"], &["R", "B"]),
    (&["(", "", ")"], &["B"]),
    (&["(", ""], &["R"]),
    (&[""], &[]),
    (&["", "I () streams"], &["I B streams"]),
    (&["I () streams", ""], &["I B streams"]),
    (&["a"], &["a"]),
    (&["\u{FF}"], &["\u{FF}"]),
];

#[test]
fn streams_encode_utf8() {
    for (input, output) in STREAMS {
        let input = input.iter().map(|chunk| {
            let units = chunk.encode_utf16().map(|unit| match unit {
                0x28 => 0xD83D,
                0x29 => 0xDC99,
                _ => unit,
            });
            units.collect::<Vec<u16>>()
        });
        let output = output.iter().map(|chunk| {
            let chunk = chunk.replace('R', "\u{FFFD}").replace('B', "\u{1F499}");
            chunk.into_bytes()
        });
        let output: Vec<_> = output.collect();

        let mut encoder = UTF_8.new_encoder().expect("an encoder");
        let mut spec = TextEncoderStream::new();
        let (mut chunks, mut spec_chunks) = (Vec::new(), Vec::new());
        for chunk in input {
            let mut bytes = Vec::new();
            encoder.encode_html_append(&chunk, &mut bytes, false);
            chunks.push(bytes);
            spec_chunks.push(spec.encode_and_enqueue_a_chunk(&chunk));
        }
        let mut bytes = Vec::new();
        encoder.encode_html_append(&[], &mut bytes, true);
        chunks.push(bytes);
        spec_chunks.push(spec.encode_and_flush());
        assert_eq!(chunks, spec_chunks);
        chunks.retain(|chunk| !chunk.is_empty());
        assert_eq!(chunks, output);
    }
}
