//! Measures the transliteration: MB/s of decoder input and of encoder output, per encoding.
//!
//! `cargo run --release -p mojika-spec --example speed`

use std::time::Instant;

use mojika_spec::hooks::{decode_bytes_without_bom_handling, encode_string};
use mojika_spec::{Encoding, decode_fragments, get_an_output_encoding};

fn main() {
    let text: String = "<p>Aé€ж ひらがな漢字 한국어 中文 ｱｲｳ αβγ </p>\n".repeat(20_000);
    println!(
        "{:16} {:>8} {:>10} {:>8}",
        "MB/s", "decode", "fragments", "encode"
    );
    for encoding in Encoding::ALL {
        // Unmappable characters are left out, so that their references are not measured.
        let can = |c: &char| get_an_output_encoding(encoding) != encoding || encodes(encoding, *c);
        let kept: Vec<char> = text.chars().take(64).filter(can).collect();
        let text: String = text.chars().filter(|c| kept.contains(c)).collect();
        let start = Instant::now();
        let bytes = encode_string(&text, get_an_output_encoding(encoding));
        let encode = start.elapsed();
        let start = Instant::now();
        let decoded = decode_bytes_without_bom_handling(&bytes, encoding);
        let decode = start.elapsed();
        let start = Instant::now();
        let items = decode_fragments(encoding, &bytes);
        let fragments = start.elapsed();
        assert!(!decoded.is_empty() && !items.is_empty());
        let speed = |time: std::time::Duration| bytes.len() as f64 / time.as_secs_f64() / 1e6;
        println!(
            "{:16} {:8.1} {:10.1} {:8.1}",
            encoding.name(),
            speed(decode),
            speed(fragments),
            speed(encode)
        );
    }
}

fn encodes(encoding: Encoding, c: char) -> bool {
    c == '&' || !encode_string(&c.to_string(), encoding).starts_with(b"&#")
}
