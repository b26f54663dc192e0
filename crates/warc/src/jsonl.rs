//! A document as a line of JSON.

use super::cells::{Cell, KEYS, cells};
use super::document::Document;
use super::reader::Extent;
use mojika_convert::decide::rounded;
use serde_json::Value;
use std::io::{self, Write};

/// The number of bytes of text to write at once. Escapes make the output up to six times as long.
pub const WRITE_LENGTH: usize = 1 << 20;

/// Appends the line for a document, which is at `extent` of the archive with this name.
pub fn write(line: &mut Vec<u8>, document: &Document<'_>, archive: &str, extent: Extent) {
    begin(line, document, archive, extent);
    push_string(line, document.shown());
    line.extend_from_slice(b"}\n");
}

/// Writes the line for a document of any length, piece by piece.
///
/// # Errors
///
/// Fails if the output cannot be written.
pub fn write_long(
    output: &mut dyn Write,
    document: &Document<'_>,
    archive: &str,
    extent: Extent,
) -> io::Result<()> {
    let mut line = Vec::new();
    begin(&mut line, document, archive, extent);
    line.push(b'"');
    output.write_all(&line)?;
    let mut rest = document.shown();
    while !rest.is_empty() {
        let mut length = rest.len().min(WRITE_LENGTH);
        while !rest.is_char_boundary(length) {
            length -= 1;
        }
        line.clear();
        push_string(&mut line, &rest[..length]);
        output.write_all(&line[1..line.len() - 1])?;
        rest = &rest[length..];
    }
    output.write_all(b"\"}\n")
}

/// Appends everything except the text.
fn begin(line: &mut Vec<u8>, document: &Document<'_>, archive: &str, extent: Extent) {
    let mut separator = '{';
    for ((key, ..), cell) in KEYS.iter().zip(cells(document, archive, extent)) {
        let _ = write!(line, "{separator}\"{key}\":");
        separator = ',';
        let value: Value = match cell {
            // Most cells are text, which needs no copy.
            Cell::Text(Some(text)) => {
                push_string(line, text);
                continue;
            }
            Cell::Text(None) => Value::Null,
            Cell::Number(number) => number.into(),
            Cell::Status(status) => status.into(),
            Cell::Probability(probability) => probability.map(rounded).into(),
            Cell::Flag(flag) => flag.into(),
            Cell::Pairs(pairs) => pairs.words().collect(),
        };
        let _ = write!(line, "{value}");
    }
    line.extend_from_slice(b",\"text\":");
}

/// Appends a string with its quotes.
fn push_string(line: &mut Vec<u8>, text: &str) {
    serde_json::to_writer(line, text).expect("a vector takes all bytes");
}
