//! Prints text like that of the benches: `made_text LANGUAGE BYTES`. It is UTF-8, with line breaks between sentences.

use std::io::Write;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let language = arguments.next().unwrap_or_else(|| "ja".to_owned());
    let length = arguments.next().and_then(|length| length.parse().ok());
    let text = mojika_benches::languages::synthesise(&language, length.unwrap_or(1 << 20));
    // A reader that has enough text closes the pipe.
    let _ = std::io::stdout().write_all(text.as_bytes());
}
