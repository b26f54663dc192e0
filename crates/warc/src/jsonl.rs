//! A document as a line of JSON.

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
    let text = &document.text;
    let mut object = Object::new(line);
    object.string("url", &document.url);
    object.optional("date", document.date.as_deref());
    object.optional("record_id", document.record_id.as_deref());
    object.optional("digest", document.digest.as_deref());
    object.string("archive", archive);
    object.value("offset", extent.at.file.into());
    object.value("length", extent.length.into());
    object.value("within", extent.at.within.into());
    object.value("status", document.status.into());
    object.optional("content_type", document.content_type.as_deref());
    object.string("encoding", text.decision.encoding.name());
    object.string("source", text.decision.source.as_str());
    object.string("confidence", text.decision.confidence.as_str());
    object.value("probability", text.probability.map(rounded).into());
    object.value("doubtful", text.is_doubtful.into());
    let voices = &text.voices;
    object.optional("header", voices.header.map(mojika::Encoding::name));
    object.optional("document", voices.document.map(mojika::Encoding::name));
    object.string("bytes", voices.bytes.word());
    object.optional("language", text.language);
    object.value("disagreements", voices.disagreements.words().collect());
    object.value("replaced", text.replaced.into());
    let first = text.first_error.as_ref();
    object.value("first_error", first.map(|first| first.offset).into());
    object.value("first_error_line", first.map(|first| first.line).into());
    object.value("first_error_column", first.map(|first| first.column).into());
    object.optional("xml_error", text.xml_error.as_deref());
    object.optional("damage", document.damage.as_deref());
    object.name("text");
}

/// Appends a string with its quotes.
fn push_string(line: &mut Vec<u8>, text: &str) {
    serde_json::to_writer(line, text).expect("a vector takes all bytes");
}

/// Writes an object field by field.
struct Object<'a> {
    line: &'a mut Vec<u8>,
    separator: u8,
}

impl<'a> Object<'a> {
    fn new(line: &'a mut Vec<u8>) -> Self {
        let separator = b'{';
        Self { line, separator }
    }

    /// Appends a name, which must need no escapes.
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
}
