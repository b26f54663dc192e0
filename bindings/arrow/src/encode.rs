//! Encodes columns of text to bytes.

use crate::decode::with_bad;
use crate::rows::{self, Labels};
use crate::{Failure, Faults, OnError, Place};
use arrow_array::builder::BinaryViewBuilder;
use arrow_array::{Array, ArrayRef, GenericBinaryArray, OffsetSizeTrait};
use arrow_buffer::{Buffer, OffsetBuffer, ScalarBuffer};
use arrow_schema::DataType;
use mojika::{EncodeError, Encoder, Status};
use std::borrow::Cow;
use std::sync::Arc;

/// Returns the type of bytes for a text type: binary for string, large_binary for large_string, binary_view for
/// string_view.
pub fn bytes_type(text: &DataType) -> Result<DataType, Failure> {
    Ok(match text {
        DataType::Utf8 => DataType::Binary,
        DataType::LargeUtf8 => DataType::LargeBinary,
        DataType::Utf8View => DataType::BinaryView,
        DataType::Dictionary(_, values) => bytes_type(values)?,
        other => return Err(Failure::Type(other.clone())),
    })
}

/// Encodes columns of text to bytes.
#[derive(Debug)]
pub struct Encode {
    /// The encoding of each row of the column.
    pub labels: Labels,
    /// The handling of a row with an unmappable character, or without an encoding.
    pub on_error: OnError,
}

impl Encode {
    /// Encodes a chunk of the column that starts at row `first`. The result has the type that [`bytes_type`] returns.
    pub fn encode(&self, chunk: &ArrayRef, first: usize) -> Result<ArrayRef, Failure> {
        self.with(chunk, first, None)
    }

    /// [`encode`](Self::encode) that also lists every unmappable character, and every row that becomes null for lack of an
    /// encoding.
    pub fn encode_listing(
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
        match bytes_type(chunk.data_type())? {
            DataType::BinaryView => self.to_view(chunk, first, faults),
            DataType::LargeBinary => self.to_offsets::<i64>(chunk, first, faults),
            _ => self.to_offsets::<i32>(chunk, first, faults),
        }
    }

    fn to_offsets<O: OffsetSizeTrait>(
        &self,
        chunk: &ArrayRef,
        first: usize,
        mut faults: Option<&mut Faults>,
    ) -> Result<ArrayRef, Failure> {
        let text = rows::texts(chunk).ok_or_else(|| Failure::Type(chunk.data_type().clone()))?;
        let mut bytes = Vec::new();
        let mut offsets = Vec::with_capacity(chunk.len() + 1);
        offsets.push(O::default());
        let mut bad = Vec::new();
        for row in 0..chunk.len() {
            if chunk.is_valid(row) {
                match self.row(text(row), first + row, faults.as_deref_mut())? {
                    Some(encoded) => bytes.extend_from_slice(&encoded),
                    None => bad.push(row),
                }
            }
            offsets.push(O::from_usize(bytes.len()).ok_or(Failure::TooLong)?);
        }
        let nulls = with_bad(chunk.nulls(), &bad, chunk.len());
        let offsets = OffsetBuffer::new(ScalarBuffer::from(offsets));
        let values = Buffer::from_vec(bytes);
        Ok(Arc::new(GenericBinaryArray::<O>::new(
            offsets, values, nulls,
        )))
    }

    fn to_view(
        &self,
        chunk: &ArrayRef,
        first: usize,
        mut faults: Option<&mut Faults>,
    ) -> Result<ArrayRef, Failure> {
        let text = rows::texts(chunk).ok_or_else(|| Failure::Type(chunk.data_type().clone()))?;
        let mut builder = BinaryViewBuilder::with_capacity(chunk.len());
        for row in 0..chunk.len() {
            let encoded = match chunk.is_valid(row) {
                true => self.row(text(row), first + row, faults.as_deref_mut())?,
                false => None,
            };
            builder.append_option(encoded);
        }
        Ok(Arc::new(builder.finish()))
    }

    /// Returns the bytes of a row; `None` if it becomes null.
    fn row<'a>(
        &self,
        text: &'a str,
        row: usize,
        mut faults: Option<&mut Faults>,
    ) -> Result<Option<Cow<'a, [u8]>>, Failure> {
        let listed = faults.as_deref_mut();
        let Some(encoding) = self.labels.required(row, self.on_error, listed)? else {
            return Ok(None);
        };
        let encoded = match self.on_error {
            OnError::Replace if faults.is_none() => {
                let encoded = encoding.encode_html(text).map(|encoded| encoded.bytes);
                encoded.map_err(EncodeError::NoEncoder)
            }
            OnError::Substitute | OnError::Replace | OnError::Null | OnError::Fail => {
                encoding.encode(text)
            }
        };
        match encoded {
            Ok(bytes) => Ok(Some(bytes)),
            Err(EncodeError::Unmappable { .. }) if self.on_error != OnError::Fail => {
                if self.on_error == OnError::Null && faults.is_none() {
                    return Ok(None);
                }
                let failure = |error| Failure::Unmappable {
                    row,
                    text: text.to_owned(),
                    error: EncodeError::NoEncoder(error),
                };
                let mut encoder = encoding.new_encoder().map_err(failure)?;
                let bytes = self.substituted(&mut encoder, text, row, faults);
                Ok((self.on_error != OnError::Null).then_some(Cow::Owned(bytes)))
            }
            Err(_) if self.on_error == OnError::Null => Ok(None),
            Err(error) => Err(Failure::Unmappable {
                row,
                text: text.to_owned(),
                error,
            }),
        }
    }

    /// Returns the bytes of a text, with a substitute for each unmappable character, which is listed in `faults`.
    fn substituted(
        &self,
        encoder: &mut Encoder,
        text: &str,
        row: usize,
        mut faults: Option<&mut Faults>,
    ) -> Vec<u8> {
        let encoding = encoder.encoding();
        let mut bytes = Vec::with_capacity(text.len());
        let (mut at, mut place, mut counted) = (0, Place::default(), 0);
        loop {
            let progress = encoder.encode_append(&text[at..], &mut bytes, true);
            let Status::Unmappable(unmappable) = progress.status else {
                return bytes;
            };
            at += progress.read;
            // The last character read. It differs from the reported one for control characters that ISO-2022-JP refuses.
            let character = text[..at].chars().next_back().unwrap_or(unmappable.scalar);
            let start = at - character.len_utf8();
            if let Some(faults) = &mut faults {
                place.advance(&text.as_bytes()[counted..start]);
                counted = start;
                faults.unmappable(Some(row), start as u64, place, character, encoding);
            }
            let substitute = match self.on_error {
                OnError::Replace => format!("&#{};", u32::from(unmappable.scalar)),
                _ => "?".to_owned(),
            };
            encoder.encode_append(&*substitute, &mut bytes, false);
        }
    }
}
