//! Columns of bytes to columns of encodings, with the reason.

use crate::{Failure, rows};
use arrow_array::builder::StringBuilder;
use arrow_array::{Array, ArrayRef, StructArray};
use arrow_schema::{DataType, Field, Fields};
use mojika::sniff::{self, Context, Decision, Hints};
use std::sync::Arc;

/// The decision for text without hints. A declaration is looked for before a guess is made, as in the
/// command.
pub fn plain_text(head: &[u8]) -> Decision {
    let context = if sniff::xml::has_declaration(head) {
        Context::XmlParser
    } else {
        Context::PlainText
    };
    sniff::sniff_leniently(head, &Hints::new(context))
}

/// The fields of [`detect`]: encoding, source, confidence.
pub fn fields() -> Fields {
    let names = ["encoding", "source", "confidence"];
    names
        .map(|name| Field::new(name, DataType::Utf8, true))
        .to_vec()
        .into()
}

/// The encoding of each row of a column of bytes, as structs of [`fields`]: the encoding's name, what decided it, and how
/// certain that is.
pub fn detect(chunk: &ArrayRef) -> Result<ArrayRef, Failure> {
    let chunk = &rows::plain(chunk).map_err(Failure::Type)?;
    let value = rows::values(chunk).ok_or_else(|| Failure::Type(chunk.data_type().clone()))?;
    let mut columns = [
        StringBuilder::new(),
        StringBuilder::new(),
        StringBuilder::new(),
    ];
    for row in 0..chunk.len() {
        let words = chunk.is_valid(row).then(|| {
            let decision = plain_text(value(row));
            [
                decision.encoding.name(),
                decision.source.as_str(),
                decision.confidence.as_str(),
            ]
        });
        for (index, column) in columns.iter_mut().enumerate() {
            column.append_option(words.map(|words| words[index]));
        }
    }
    let columns = columns.map(|mut column| Arc::new(column.finish()) as ArrayRef);
    let nulls = chunk.nulls().cloned();
    Ok(Arc::new(StructArray::new(
        fields(),
        columns.to_vec(),
        nulls,
    )))
}
