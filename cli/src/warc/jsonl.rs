//! A document as a line of JSON.

use super::document::Document;
use serde_json::Value;
use std::io::Write as _;

/// Appends the line for a document.
pub fn write(line: &mut Vec<u8>, document: &Document<'_>) {
    let text = &document.text;
    let mut object = Object::new(line);
    object.string("url", &document.url);
    object.optional("date", document.date.as_deref());
    object.optional("record_id", document.record_id.as_deref());
    object.optional("digest", document.digest.as_deref());
    object.value("status", document.status.into());
    object.optional("content_type", document.content_type.as_deref());
    object.string("encoding", text.decision.encoding.name());
    object.string("source", text.decision.source.as_str());
    object.string("confidence", text.decision.confidence.as_str());
    let voices = &text.voices;
    object.optional("header", voices.header.map(mojika::Encoding::name));
    object.optional("document", voices.document.map(mojika::Encoding::name));
    object.string("bytes", voices.bytes.word());
    object.value("disagreements", voices.disagreements.words().collect());
    object.value("replaced", text.replaced.into());
    object.value("first_error", text.first_error.into());
    object.optional("xml_error", text.xml_error.as_deref());
    object.optional("damage", document.damage.as_deref());
    object.string("text", document.shown());
    object.end();
}

/// An object that is written field by field.
struct Object<'a> {
    line: &'a mut Vec<u8>,
    separator: u8,
}

impl<'a> Object<'a> {
    fn new(line: &'a mut Vec<u8>) -> Self {
        let separator = b'{';
        Self { line, separator }
    }

    /// `name` needs no escapes.
    fn name(&mut self, name: &str) {
        self.line.push(self.separator);
        self.separator = b',';
        let _ = write!(self.line, "\"{name}\":");
    }

    fn value(&mut self, name: &str, value: Value) {
        self.name(name);
        let _ = write!(self.line, "{value}");
    }

    fn string(&mut self, name: &str, value: &str) {
        self.name(name);
        push_string(self.line, value);
    }

    fn optional(&mut self, name: &str, value: Option<&str>) {
        match value {
            Some(value) => self.string(name, value),
            None => self.value(name, Value::Null),
        }
    }

    fn end(self) {
        self.line.extend_from_slice(b"}\n");
    }
}

/// Appends a string with its quotes, as serde_json writes it. Pages are long and have many quotes and line ends: eight bytes
/// at once are twice as fast as one by one.
fn push_string(line: &mut Vec<u8>, text: &str) {
    let bytes = text.as_bytes();
    line.reserve(bytes.len() + bytes.len() / 16 + 2);
    line.push(b'"');
    let mut start = 0;
    while let Some(length) = plain_length(&bytes[start..]) {
        let at = start + length;
        line.extend_from_slice(&bytes[start..at]);
        let escape = match bytes[at] {
            b'"' => b'"',
            b'\\' => b'\\',
            b'\n' => b'n',
            b'\r' => b'r',
            b'\t' => b't',
            0x08 => b'b',
            0x0C => b'f',
            _ => b'u',
        };
        line.extend_from_slice(&[b'\\', escape]);
        if escape == b'u' {
            let _ = write!(line, "{:04x}", bytes[at]);
        }
        start = at + 1;
    }
    line.extend_from_slice(&bytes[start..]);
    line.push(b'"');
}

/// Bytes before the first one that a string of JSON cannot have as it is; `None` if there is none.
fn plain_length(bytes: &[u8]) -> Option<usize> {
    const ONES: u64 = u64::MAX / 0xFF;
    const HIGH: u64 = ONES << 7;
    let (words, rest) = bytes.as_chunks::<8>();
    for (number, word) in words.iter().enumerate() {
        let word = u64::from_le_bytes(*word);
        let (quotes, backslashes) = (word ^ (ONES * 0x22), word ^ (ONES * 0x5C));
        // The lowest of the high bits is right; a borrow can set those above it.
        let controls = word.wrapping_sub(ONES * 0x20) & !word;
        let zeros = |word: u64| word.wrapping_sub(ONES) & !word;
        let found = (controls | zeros(quotes) | zeros(backslashes)) & HIGH;
        if found != 0 {
            return Some(8 * number + found.trailing_zeros() as usize / 8);
        }
    }
    let escaped = |byte: &u8| *byte < 0x20 || matches!(byte, b'"' | b'\\');
    let found = rest.iter().position(escaped);
    found.map(|at| 8 * words.len() + at)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_are_those_of_serde_json() {
        let every: String = (0..0x180)
            .map(|code| char::from_u32(code).unwrap())
            .collect();
        for start in 0..every.chars().count() {
            let text: String = every
                .chars()
                .skip(start)
                .chain("é\"💩\u{1}".chars())
                .collect();
            let mut line = Vec::new();
            push_string(&mut line, &text);
            assert_eq!(
                str::from_utf8(&line).unwrap(),
                serde_json::to_string(&text).unwrap()
            );
        }
        // Each byte that is escaped, at each place, behind bytes that are near it.
        for escaped in ["\0", "\x1F", "\"", "\\"] {
            for near in ["!", "#", "[", "]", " ", "\u{A0}", "\u{7F}"] {
                for place in 0..20 {
                    let text = near.repeat(place) + escaped + near;
                    let mut line = Vec::new();
                    push_string(&mut line, &text);
                    assert_eq!(
                        str::from_utf8(&line).unwrap(),
                        serde_json::to_string(&text).unwrap()
                    );
                }
            }
        }
    }
}
