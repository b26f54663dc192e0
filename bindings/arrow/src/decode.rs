//! Decodes columns of bytes to text.

use crate::rows::{self, Labels};
use crate::{Failure, Faults, OnError, Place};
use arrow_array::builder::StringViewBuilder;
use arrow_array::cast::AsArray;
use arrow_array::{Array, ArrayRef, GenericStringArray, OffsetSizeTrait};
use arrow_buffer::{Buffer, NullBuffer, OffsetBuffer, ScalarBuffer};
use arrow_schema::DataType;
use mojika::{BomHandling, Decoder, Encoding, Status};
use std::sync::Arc;

/// Returns the text type for a type of bytes: string for binary, large_string for large_binary, string_view for
/// binary_view.
pub fn text_type(bytes: &DataType) -> Result<DataType, Failure> {
    Ok(match bytes {
        DataType::Binary | DataType::FixedSizeBinary(_) => DataType::Utf8,
        DataType::LargeBinary => DataType::LargeUtf8,
        DataType::BinaryView => DataType::Utf8View,
        DataType::Dictionary(_, values) => text_type(values)?,
        other => return Err(Failure::Type(other.clone())),
    })
}

/// Decodes columns of bytes to text.
#[derive(Debug)]
pub struct Decode {
    /// The encoding of each row of the column.
    pub labels: Labels,
    /// The handling of a row with a malformed sequence, or without an encoding.
    pub on_error: OnError,
    /// The handling of a byte order mark at the start of a row.
    pub bom: BomHandling,
}

impl Decode {
    /// Decodes a chunk of the column that starts at row `first`. The result has the type that [`text_type`] returns.
    pub fn decode(&self, chunk: &ArrayRef, first: usize) -> Result<ArrayRef, Failure> {
        self.with(chunk, first, None)
    }

    /// [`decode`](Self::decode) that also lists every malformed sequence, and every row that becomes null for lack of an
    /// encoding.
    pub fn decode_listing(
        &self,
        chunk: &ArrayRef,
        first: usize,
        faults: &mut Faults,
    ) -> Result<ArrayRef, Failure> {
        self.with(chunk, first, Some(faults))
    }

    fn with(
        &self,
        chunk: &ArrayRef,
        first: usize,
        faults: Option<&mut Faults>,
    ) -> Result<ArrayRef, Failure> {
        let chunk = &rows::plain(chunk).map_err(Failure::Type)?;
        match text_type(chunk.data_type())? {
            DataType::Utf8View => self.to_view(chunk, first, faults),
            DataType::LargeUtf8 => {
                let length = chunk.as_binary::<i64>().value_data().len();
                self.to_offsets::<i64>(chunk, first, length, faults)
            }
            _ => {
                let length = match chunk.as_binary_opt::<i32>() {
                    Some(array) => array.value_data().len(),
                    None => chunk.get_buffer_memory_size(),
                };
                self.to_offsets::<i32>(chunk, first, length, faults)
            }
        }
    }

    fn to_offsets<O: OffsetSizeTrait>(
        &self,
        chunk: &ArrayRef,
        first: usize,
        bytes: usize,
        faults: Option<&mut Faults>,
    ) -> Result<ArrayRef, Failure> {
        let value = rows::values(chunk).ok_or_else(|| Failure::Type(chunk.data_type().clone()))?;
        let nulls = chunk.nulls();
        // Most text grows by half, and untouched pages cost nothing.
        let mut text = String::with_capacity(bytes + bytes / 2);
        let mut offsets = Vec::with_capacity(chunk.len() + 1);
        offsets.push(O::default());
        let mut bad = Vec::new();
        let valid = |row| nulls.is_none_or(|nulls| nulls.is_valid(row));
        if let (Labels::All(encoding), None) = (&self.labels, &faults) {
            let values = (0..chunk.len()).map(|row| if valid(row) { value(row) } else { &[] });
            let (mut row, mut failure) = (0, None);
            encoding
                .with(self.bom)
                .decode_each(values, |decoded, error| {
                    match (error, self.on_error) {
                        (None, _) | (_, OnError::Replace | OnError::Substitute) => {
                            text.push_str(decoded);
                        }
                        (_, OnError::Null) => bad.push(row),
                        (Some(error), OnError::Fail) => {
                            failure.get_or_insert_with(|| Failure::Malformed {
                                row: first + row,
                                bytes: value(row).to_vec(),
                                encoding: error.encoding,
                                sequence: error.sequence,
                            });
                        }
                    }
                    match O::from_usize(text.len()) {
                        Some(end) => offsets.push(end),
                        None => {
                            failure.get_or_insert(Failure::TooLong);
                        }
                    }
                    row += 1;
                });
            if let Some(failure) = failure {
                return Err(failure);
            }
        } else {
            let mut rows = Rows::new(self, faults);
            for row in 0..chunk.len() {
                if valid(row) && !rows.append(value(row), first + row, &mut text)? {
                    bad.push(row);
                }
                offsets.push(O::from_usize(text.len()).ok_or(Failure::TooLong)?);
            }
        }
        let nulls = with_bad(nulls, &bad, chunk.len());
        let offsets = OffsetBuffer::new(ScalarBuffer::from(offsets));
        // SAFETY: the values come from a `String`, so they are UTF-8. Each offset is a length that this `String` had
        // between two characters, and the offsets ascend. A check would read all of the text again.
        let array = unsafe {
            GenericStringArray::<O>::new_unchecked(
                offsets,
                Buffer::from_vec(text.into_bytes()),
                nulls,
            )
        };
        Ok(Arc::new(array))
    }

    fn to_view(
        &self,
        chunk: &ArrayRef,
        first: usize,
        faults: Option<&mut Faults>,
    ) -> Result<ArrayRef, Failure> {
        let value = rows::values(chunk).ok_or_else(|| Failure::Type(chunk.data_type().clone()))?;
        let mut builder = StringViewBuilder::with_capacity(chunk.len());
        let mut text = String::new();
        let mut rows = Rows::new(self, faults);
        for row in 0..chunk.len() {
            text.clear();
            if chunk.is_valid(row) && rows.append(value(row), first + row, &mut text)? {
                builder.append_value(&text);
            } else {
                builder.append_null();
            }
        }
        Ok(Arc::new(builder.finish()))
    }
}

/// Returns the null mask with the failed rows added.
pub(crate) fn with_bad(
    nulls: Option<&NullBuffer>,
    bad: &[usize],
    length: usize,
) -> Option<NullBuffer> {
    if bad.is_empty() {
        return nulls.cloned();
    }
    let mut valid: Vec<bool> = match nulls {
        Some(nulls) => nulls.iter().collect(),
        None => vec![true; length],
    };
    for &row in bad {
        valid[row] = false;
    }
    Some(NullBuffer::from(valid))
}

/// Decodes row after row, reusing the decoder while the encoding stays the same.
struct Rows<'a, 'f> {
    work: &'a Decode,
    decoder: Option<(&'static Encoding, Decoder)>,
    faults: Option<&'f mut Faults>,
}

impl<'a, 'f> Rows<'a, 'f> {
    fn new(work: &'a Decode, faults: Option<&'f mut Faults>) -> Self {
        Self {
            work,
            decoder: None,
            faults,
        }
    }

    /// Appends the text of a row. Returns false, and appends nothing, if the row becomes null.
    fn append(&mut self, bytes: &[u8], row: usize, text: &mut String) -> Result<bool, Failure> {
        let Decode {
            labels,
            on_error,
            bom,
        } = self.work;
        let faults = self.faults.as_deref_mut();
        let Some(encoding) = labels.required(row, *on_error, faults)? else {
            return Ok(false);
        };
        let decoder = match &mut self.decoder {
            Some((last, decoder)) if *last == encoding => decoder,
            other => &mut other.insert((encoding, Decoder::new(encoding, *bom))).1,
        };
        let replaces = matches!(on_error, OnError::Replace | OnError::Substitute);
        if replaces && self.faults.is_none() {
            decoder.decode_append(bytes, text, true);
            return Ok(true);
        }
        let length = text.len();
        let mut at = 0;
        let mut is_whole = true;
        let (mut place, mut counted) = (Place::default(), length);
        loop {
            let progress = decoder.decode_append_fatal(&bytes[at..], text, true);
            let Status::Malformed(sequence) = progress.status else {
                break;
            };
            at += progress.read;
            is_whole = false;
            let encoding = decoder.encoding();
            if *on_error == OnError::Fail {
                decoder.reset();
                text.truncate(length);
                return Err(Failure::Malformed {
                    row,
                    bytes: bytes.to_vec(),
                    encoding,
                    sequence,
                });
            }
            let Some(faults) = &mut self.faults else {
                decoder.reset();
                break;
            };
            place.advance(&text.as_bytes()[counted..]);
            let start = sequence.offset as usize;
            let end = (start + usize::from(sequence.len)).min(bytes.len());
            faults.malformed(
                Some(row),
                sequence.offset,
                place,
                &bytes[start..end],
                encoding,
            );
            text.push(char::REPLACEMENT_CHARACTER);
            place.column += 1;
            counted = text.len();
        }
        if !is_whole && *on_error == OnError::Null {
            text.truncate(length);
        }
        Ok(is_whole || replaces)
    }
}
