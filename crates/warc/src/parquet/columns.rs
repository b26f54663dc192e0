//! The columns of a row except the text: the position of the document, its metadata and the decision.

use crate::document::Document;
use crate::reader::Extent;
use arrow_array::ArrayRef;
use arrow_array::builder::{
    ArrayBuilder, BooleanBuilder, Float32Builder, StringBuilder, UInt16Builder, UInt64Builder,
};
use arrow_schema::{DataType, Field};

/// Rows that are not yet encoded.
#[derive(Default)]
pub struct Columns {
    url: StringBuilder,
    date: StringBuilder,
    record_id: StringBuilder,
    digest: StringBuilder,
    archive: StringBuilder,
    offset: UInt64Builder,
    length: UInt64Builder,
    within: UInt64Builder,
    status: UInt16Builder,
    content_type: StringBuilder,
    encoding: StringBuilder,
    source: StringBuilder,
    confidence: StringBuilder,
    probability: Float32Builder,
    doubtful: BooleanBuilder,
    header: StringBuilder,
    document: StringBuilder,
    bytes: StringBuilder,
    language: StringBuilder,
    disagreements: StringBuilder,
    replaced: UInt64Builder,
    first_error: UInt64Builder,
    first_error_line: UInt64Builder,
    first_error_column: UInt64Builder,
    xml_error: StringBuilder,
    damage: StringBuilder,
}

impl Columns {
    /// Adds a row.
    pub fn push(&mut self, document: &Document<'_>, archive: &str, extent: Extent) {
        let text = &document.text;
        let voices = &text.voices;
        let words: Vec<_> = voices.disagreements.words().collect();
        let first = text.first_error.as_ref();
        self.url.append_value(&document.url);
        self.date.append_option(document.date.as_deref());
        self.record_id.append_option(document.record_id.as_deref());
        self.digest.append_option(document.digest.as_deref());
        self.archive.append_value(archive);
        self.offset.append_value(extent.at.file);
        self.length.append_option(extent.length);
        self.within.append_value(extent.at.within);
        self.status.append_option(document.status);
        self.content_type
            .append_option(document.content_type.as_deref());
        self.encoding.append_value(text.decision.encoding.name());
        self.source.append_value(text.decision.source.as_str());
        self.confidence
            .append_value(text.decision.confidence.as_str());
        self.probability.append_option(text.probability);
        self.doubtful.append_value(text.is_doubtful);
        self.header
            .append_option(voices.header.map(mojika::Encoding::name));
        self.document
            .append_option(voices.document.map(mojika::Encoding::name));
        self.bytes.append_value(voices.bytes.word());
        self.language.append_option(text.language);
        self.disagreements.append_value(words.join(","));
        self.replaced.append_value(text.replaced);
        self.first_error
            .append_option(first.map(|first| first.offset));
        self.first_error_line
            .append_option(first.map(|first| first.line));
        self.first_error_column
            .append_option(first.map(|first| first.column));
        self.xml_error.append_option(text.xml_error.as_deref());
        self.damage.append_option(document.damage.as_deref());
    }

    /// Returns the columns by name, in the order of the JSON keys; the flag is true if nulls are possible.
    fn named(&mut self) -> [(&'static str, &mut dyn ArrayBuilder, bool); 26] {
        [
            ("url", &mut self.url, false),
            ("date", &mut self.date, true),
            ("record_id", &mut self.record_id, true),
            ("digest", &mut self.digest, true),
            ("archive", &mut self.archive, false),
            ("offset", &mut self.offset, false),
            ("length", &mut self.length, true),
            ("within", &mut self.within, false),
            ("status", &mut self.status, true),
            ("content_type", &mut self.content_type, true),
            ("encoding", &mut self.encoding, false),
            ("source", &mut self.source, false),
            ("confidence", &mut self.confidence, false),
            ("probability", &mut self.probability, true),
            ("doubtful", &mut self.doubtful, false),
            ("header", &mut self.header, true),
            ("document", &mut self.document, true),
            ("bytes", &mut self.bytes, false),
            ("language", &mut self.language, true),
            ("disagreements", &mut self.disagreements, false),
            ("replaced", &mut self.replaced, false),
            ("first_error", &mut self.first_error, true),
            ("first_error_line", &mut self.first_error_line, true),
            ("first_error_column", &mut self.first_error_column, true),
            ("xml_error", &mut self.xml_error, true),
            ("damage", &mut self.damage, true),
        ]
    }

    /// Returns the rows and the types of their columns, and leaves no rows.
    pub fn finish(&mut self) -> (Vec<Field>, Vec<ArrayRef>) {
        let columns = self.named().map(|(name, builder, is_nullable)| {
            let column = builder.finish();
            let kind: DataType = column.data_type().clone();
            (Field::new(name, kind, is_nullable), column)
        });
        columns.into_iter().unzip()
    }
}
