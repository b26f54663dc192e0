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
pub enum CellType {
    Text,
    Number,
    Status,
    Probability,
    Flag,
}

/// The keys of the cells, each with its type, and true if it may be unknown.
pub const KEYS: [(&str, CellType, bool); 26] = [
    ("url", CellType::Text, false),
    ("date", CellType::Text, true),
    ("record_id", CellType::Text, true),
    ("digest", CellType::Text, true),
    ("archive", CellType::Text, false),
    ("offset", CellType::Number, false),
    ("length", CellType::Number, true),
    ("within", CellType::Number, false),
    ("status", CellType::Status, true),
    ("content_type", CellType::Text, true),
    ("encoding", CellType::Text, false),
    ("source", CellType::Text, false),
    ("confidence", CellType::Text, false),
    ("probability", CellType::Probability, true),
    ("doubtful", CellType::Flag, false),
    ("header", CellType::Text, true),
    ("document", CellType::Text, true),
    ("bytes", CellType::Text, false),
    ("language", CellType::Text, true),
    ("disagreements", CellType::Text, false),
    ("replaced", CellType::Number, false),
    ("first_error", CellType::Number, true),
    ("first_error_line", CellType::Number, true),
    ("first_error_column", CellType::Number, true),
    ("xml_error", CellType::Text, true),
    ("damage", CellType::Text, true),
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
