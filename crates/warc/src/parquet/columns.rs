//! The columns of a row except the text: the position of the document, its metadata and the decision.

use crate::cells::{Cell, CellType, KEYS, cells};
use crate::document::Document;
use crate::reader::Extent;
use arrow_array::ArrayRef;
use arrow_array::builder::{
    ArrayBuilder, BooleanBuilder, Float32Builder, StringBuilder, UInt16Builder, UInt64Builder,
};
use arrow_schema::Field;

/// Rows that are not yet encoded.
pub struct Columns([Column; KEYS.len()]);

enum Column {
    Text(StringBuilder),
    Number(UInt64Builder),
    Status(UInt16Builder),
    Probability(Float32Builder),
    Flag(BooleanBuilder),
}

impl Column {
    fn new(kind: CellType) -> Self {
        match kind {
            CellType::Text => Self::Text(StringBuilder::default()),
            CellType::Number => Self::Number(UInt64Builder::default()),
            CellType::Status => Self::Status(UInt16Builder::default()),
            CellType::Probability => Self::Probability(Float32Builder::default()),
            CellType::Flag => Self::Flag(BooleanBuilder::default()),
        }
    }

    fn push(&mut self, cell: Cell<'_>) {
        match (self, cell) {
            (Self::Text(column), Cell::Text(text)) => column.append_option(text),
            (Self::Text(column), Cell::Pairs(pairs)) => {
                column.append_value(pairs.words().collect::<Vec<_>>().join(","));
            }
            (Self::Number(column), Cell::Number(number)) => column.append_option(number),
            (Self::Status(column), Cell::Status(status)) => column.append_option(status),
            (Self::Probability(column), Cell::Probability(one)) => column.append_option(one),
            (Self::Flag(column), Cell::Flag(flag)) => column.append_value(flag),
            // A key has cells of one kind.
            _ => {}
        }
    }

    fn finish(&mut self) -> ArrayRef {
        let builder: &mut dyn ArrayBuilder = match self {
            Self::Text(column) => column,
            Self::Number(column) => column,
            Self::Status(column) => column,
            Self::Probability(column) => column,
            Self::Flag(column) => column,
        };
        builder.finish()
    }
}

impl Default for Columns {
    fn default() -> Self {
        Self(KEYS.map(|(_, kind, _)| Column::new(kind)))
    }
}

impl Columns {
    /// Adds a row.
    pub fn push(&mut self, document: &Document<'_>, archive: &str, extent: Extent) {
        for (column, cell) in self.0.iter_mut().zip(cells(document, archive, extent)) {
            column.push(cell);
        }
    }

    /// Returns the rows and the types of their columns, and leaves no rows.
    pub fn finish(&mut self) -> (Vec<Field>, Vec<ArrayRef>) {
        let columns = self
            .0
            .iter_mut()
            .zip(KEYS)
            .map(|(column, (name, _, is_nullable))| {
                let column = column.finish();
                let kind = column.data_type().clone();
                (Field::new(name, kind, is_nullable), column)
            });
        columns.unzip()
    }
}
