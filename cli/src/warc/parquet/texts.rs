//! The column of texts. Nearly all of the time goes into compressing it, so pieces of it are encoded on their own, side by side, and
//! put one after another: each is some data pages, without a dictionary, which make one column chunk together.

use bytes::Bytes;
use parquet::column::writer::{ColumnCloseResult, get_column_writer, get_typed_column_writer};
use parquet::data_type::{ByteArray, ByteArrayType};
use parquet::errors::{ParquetError, Result};
use parquet::file::page_index::offset_index::PageLocation;
use parquet::file::properties::WriterPropertiesPtr;
use parquet::file::reader::{ChunkReader, Length};
use parquet::file::writer::{SerializedPageWriter, SerializedRowGroupWriter, TrackedWrite};
use parquet::schema::types::ColumnDescPtr;
use std::io::{self, Read, Write};

/// Texts, one after another.
#[derive(Default)]
pub struct Texts {
    bytes: Vec<u8>,
    ends: Vec<usize>,
}

/// Texts that are encoded and compressed.
pub struct Pages {
    bytes: Bytes,
    close: ColumnCloseResult,
}

impl Texts {
    /// Adds a text.
    pub fn push(&mut self, text: &str) {
        self.bytes.extend_from_slice(text.as_bytes());
        self.ends.push(self.bytes.len());
    }

    /// Encodes them as a part of this column.
    pub fn encode(self, column: ColumnDescPtr, properties: WriterPropertiesPtr) -> Result<Pages> {
        let bytes = Bytes::from(self.bytes);
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        let values = starts.zip(&self.ends);
        let values: Vec<_> = values
            .map(|(start, &end)| ByteArray::from(bytes.slice(start..end)))
            .collect();
        let mut encoded = TrackedWrite::new(Vec::new());
        let pages = SerializedPageWriter::new(&mut encoded);
        let writer = get_column_writer(column, properties, Box::new(pages));
        let mut writer = get_typed_column_writer::<ByteArrayType>(writer);
        writer.write_batch(&values, None, None)?;
        let close = writer.close()?;
        Ok(Pages {
            bytes: encoded.into_inner()?.into(),
            close,
        })
    }
}

/// Writes pages as the next column chunk of a row group. There is at least one.
pub fn append<W: Write + Send>(
    pages: Vec<Pages>,
    row_group: &mut SerializedRowGroupWriter<'_, W>,
) -> Result<()> {
    let mut chunk = Chunk(Vec::with_capacity(pages.len()));
    let closed = pages.into_iter().map(|pages| {
        chunk.0.push(pages.bytes);
        pages.close
    });
    let joined = closed.map(Ok).reduce(|one, other| join(one?, other?));
    let Some(close) = joined.transpose()? else {
        return Ok(());
    };
    row_group.append_column(&chunk, close)
}

/// What is known of two pieces of a column chunk, one after the other. Their encodings are the same, as their properties are.
fn join(mut one: ColumnCloseResult, other: ColumnCloseResult) -> Result<ColumnCloseResult> {
    let [before, after] = [&one.metadata, &other.metadata];
    let bytes = before.compressed_size();
    if let (Some(index), Some(next)) = (&mut one.offset_index, other.offset_index) {
        let rows = before.num_values();
        let moved = next.page_locations.into_iter().map(|page| PageLocation {
            offset: page.offset + bytes,
            first_row_index: page.first_row_index + rows,
            ..page
        });
        index.page_locations.extend(moved);
    }
    let mut pages = before.page_encoding_stats().cloned().unwrap_or_default();
    for (pages, more) in pages
        .iter_mut()
        .zip(after.page_encoding_stats().into_iter().flatten())
    {
        pages.count += more.count;
    }
    let metadata = before.clone().into_builder();
    one.metadata = metadata
        .set_total_compressed_size(bytes + after.compressed_size())
        .set_total_uncompressed_size(before.uncompressed_size() + after.uncompressed_size())
        .set_num_values(before.num_values() + after.num_values())
        .set_page_encoding_stats(pages)
        .build()?;
    one.bytes_written += other.bytes_written;
    one.rows_written += other.rows_written;
    Ok(one)
}

/// The bytes of a column chunk.
struct Chunk(Vec<Bytes>);

impl Length for Chunk {
    fn len(&self) -> u64 {
        self.0.iter().map(|bytes| bytes.len() as u64).sum()
    }
}

impl ChunkReader for Chunk {
    type T = Rest;

    fn get_read(&self, start: u64) -> Result<Rest> {
        let mut rest = Rest(self.0.iter().rev().cloned().collect());
        match io::copy(&mut Read::by_ref(&mut rest).take(start), &mut io::sink()) {
            Ok(skipped) if skipped == start => Ok(rest),
            _ => Err(ParquetError::EOF("beyond the pages".to_owned())),
        }
    }

    fn get_bytes(&self, start: u64, length: usize) -> Result<Bytes> {
        let mut bytes = Vec::new();
        let rest = self.get_read(start)?;
        match rest.take(length as u64).read_to_end(&mut bytes)? {
            read if read == length => Ok(bytes.into()),
            _ => Err(ParquetError::EOF("beyond the pages".to_owned())),
        }
    }
}

/// Bytes that have not been read; the last are the next.
struct Rest(Vec<Bytes>);

impl Read for Rest {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while let Some(next) = self.0.last_mut() {
            if next.is_empty() {
                self.0.pop();
                continue;
            }
            let length = next.len().min(buffer.len());
            buffer[..length].copy_from_slice(&next.split_to(length));
            return Ok(length);
        }
        Ok(0)
    }
}
