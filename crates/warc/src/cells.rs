//! The facts about a document that JSON lines and Parquet have besides its text.

use super::decide::Disagreements;
use super::document::Document;
use super::reader::Extent;
use mojika::Encoding;

/// A fact about a document; `None` if it is unknown.
pub enum Cell<'a> {
    Text(Option<&'a str>),
    Number(Option<u64>),
    Status(Option<u16>),
    Probability(Option<f32>),
    Flag(bool),
    Pairs(Disagreements),
}

/// The type of a cell in a table.
#[derive(Clone, Copy, Debug)]
pub enum Kind {
    Text,
    Number,
    Status,
    Probability,
    Flag,
}

/// The keys of the cells, each with its type, and true if it may be unknown.
pub const KEYS: [(&str, Kind, bool); 26] = [
    ("url", Kind::Text, false),
    ("date", Kind::Text, true),
    ("record_id", Kind::Text, true),
    ("digest", Kind::Text, true),
    ("archive", Kind::Text, false),
    ("offset", Kind::Number, false),
    ("length", Kind::Number, true),
    ("within", Kind::Number, false),
    ("status", Kind::Status, true),
    ("content_type", Kind::Text, true),
    ("encoding", Kind::Text, false),
    ("source", Kind::Text, false),
    ("confidence", Kind::Text, false),
    ("probability", Kind::Probability, true),
    ("doubtful", Kind::Flag, false),
    ("header", Kind::Text, true),
    ("document", Kind::Text, true),
    ("bytes", Kind::Text, false),
    ("language", Kind::Text, true),
    ("disagreements", Kind::Text, false),
    ("replaced", Kind::Number, false),
    ("first_error", Kind::Number, true),
    ("first_error_line", Kind::Number, true),
    ("first_error_column", Kind::Number, true),
    ("xml_error", Kind::Text, true),
    ("damage", Kind::Text, true),
];

/// Returns the cells of a document at `extent` of the archive with this name, in the order of their [`KEYS`].
pub fn cells<'a>(
    document: &'a Document<'_>,
    archive: &'a str,
    extent: Extent,
) -> [Cell<'a>; KEYS.len()] {
    use Cell::{Flag, Number, Pairs, Probability, Status, Text};
    let text = &document.text;
    let (decision, voices) = (&text.decision, &text.voices);
    let first = text.first_error.as_ref();
    [
        Text(Some(&document.url)),
        Text(document.date.as_deref()),
        Text(document.record_id.as_deref()),
        Text(document.digest.as_deref()),
        Text(Some(archive)),
        Number(Some(extent.at.file)),
        Number(extent.length),
        Number(Some(extent.at.within)),
        Status(document.status),
        Text(document.content_type.as_deref()),
        Text(Some(decision.encoding.name())),
        Text(Some(decision.source.as_str())),
        Text(Some(decision.confidence.as_str())),
        Probability(text.probability),
        Flag(text.is_doubtful),
        Text(voices.header.map(Encoding::name)),
        Text(voices.document.map(Encoding::name)),
        Text(Some(voices.bytes.word())),
        Text(text.language),
        Pairs(voices.disagreements),
        Number(Some(text.replaced)),
        Number(first.map(|one| one.offset)),
        Number(first.map(|one| one.line)),
        Number(first.map(|one| one.column)),
        Text(text.xml_error.as_deref()),
        Text(document.damage.as_deref()),
    ]
}
