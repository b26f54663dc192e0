//! Faults of columns and files as a table, with a row for each malformed sequence or unmappable character.

use arrow_array::StructArray;
use arrow_array::builder::{BinaryBuilder, StringBuilder, UInt64Builder};
use arrow_array::{ArrayRef, builder::ArrayBuilder};
use arrow_schema::{DataType, Field, Fields};
use mojika::Encoding;
use std::sync::Arc;

/// A line and column in text, counted from 1. A malformed sequence counts as one character.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    /// The number of U+000A before the position, plus 1.
    pub line: u64,
    /// The number of characters before the position in its line, plus 1.
    pub column: u64,
}

impl Default for Place {
    fn default() -> Self {
        Self { line: 1, column: 1 }
    }
}

impl Place {
    /// Moves past `text`, which is UTF-8 and may start or end within a character.
    pub fn advance(&mut self, text: &[u8]) {
        let tail = match memchr::memrchr(b'\n', text) {
            None => text,
            Some(last) => {
                self.line += memchr::memchr_iter(b'\n', text).count() as u64;
                self.column = 1;
                &text[last + 1..]
            }
        };
        // Each byte that is not a continuation byte starts a character.
        self.column += tail.iter().filter(|&&byte| byte as i8 >= -0x40).count() as u64;
    }
}

/// The kind of faults in a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// Bytes that are malformed in their encoding.
    Bytes,
    /// Characters that an encoding lacks.
    Characters,
}

/// Collects faults.
#[derive(Debug)]
pub struct Faults {
    what: What,
    row: UInt64Builder,
    offset: UInt64Builder,
    line: UInt64Builder,
    column: UInt64Builder,
    bytes: BinaryBuilder,
    character: StringBuilder,
    name: StringBuilder,
    encoding: StringBuilder,
}

impl Faults {
    /// Returns an empty list of faults.
    pub fn new(what: What) -> Self {
        Self {
            what,
            row: UInt64Builder::new(),
            offset: UInt64Builder::new(),
            line: UInt64Builder::new(),
            column: UInt64Builder::new(),
            bytes: BinaryBuilder::new(),
            character: StringBuilder::new(),
            name: StringBuilder::new(),
            encoding: StringBuilder::new(),
        }
    }

    /// Returns the number of faults.
    pub fn len(&self) -> usize {
        self.row.len()
    }

    /// True if there are no faults.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn place(&mut self, row: Option<usize>, offset: u64, place: Place, encoding: &Encoding) {
        self.row.append_option(row.map(|row| row as u64));
        self.offset.append_value(offset);
        self.line.append_value(place.line);
        self.column.append_value(place.column);
        self.encoding.append_value(encoding.name());
    }

    /// Adds a malformed sequence. `offset` counts bytes from the start of the value or file.
    pub fn malformed(
        &mut self,
        row: Option<usize>,
        offset: u64,
        place: Place,
        bytes: &[u8],
        encoding: &Encoding,
    ) {
        self.place(row, offset, place, encoding);
        self.bytes.append_value(bytes);
    }

    /// Adds an unmappable character. `offset` counts UTF-8 bytes from the start of the value or text.
    pub fn unmappable(
        &mut self,
        row: Option<usize>,
        offset: u64,
        place: Place,
        character: char,
        encoding: &Encoding,
    ) {
        self.place(row, offset, place, encoding);
        self.character
            .append_value(character.encode_utf8(&mut [0; 4]));
        self.name.append_option(character_name(character));
    }

    /// Adds a row without an encoding, because its label is unknown or null.
    pub fn no_encoding(&mut self, row: usize, label: Option<&str>) {
        self.row.append_value(row as u64);
        self.offset.append_null();
        self.line.append_null();
        self.column.append_null();
        self.encoding.append_option(label);
        match self.what {
            What::Bytes => self.bytes.append_null(),
            What::Characters => {
                self.character.append_null();
                self.name.append_null();
            }
        }
    }

    /// Returns the columns of the table: row, offset, line, column, then bytes, or character and name, then encoding.
    pub fn fields(what: What) -> Fields {
        let number = |name| Field::new(name, DataType::UInt64, true);
        let text = |name| Field::new(name, DataType::Utf8, true);
        let mut fields = ["row", "offset", "line", "column"].map(number).to_vec();
        match what {
            What::Bytes => fields.push(Field::new("bytes", DataType::Binary, true)),
            What::Characters => fields.extend(["character", "name"].map(text)),
        }
        fields.push(text("encoding"));
        fields.into()
    }

    /// Returns the table so far, as structs.
    pub fn table(&self) -> StructArray {
        let mut columns: Vec<ArrayRef> = vec![
            Arc::new(self.row.finish_cloned()),
            Arc::new(self.offset.finish_cloned()),
            Arc::new(self.line.finish_cloned()),
            Arc::new(self.column.finish_cloned()),
        ];
        match self.what {
            What::Bytes => columns.push(Arc::new(self.bytes.finish_cloned())),
            What::Characters => {
                columns.push(Arc::new(self.character.finish_cloned()));
                columns.push(Arc::new(self.name.finish_cloned()));
            }
        }
        columns.push(Arc::new(self.encoding.finish_cloned()));
        StructArray::new(Self::fields(self.what), columns, None)
    }
}

/// Returns the character's name in the Unicode Character Database, if it has one.
pub fn character_name(character: char) -> Option<String> {
    unicode_names2::name(character).map(|name| name.to_string())
}
