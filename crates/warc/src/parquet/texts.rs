//! The column of texts. Compressing it takes most of the time, so its pages are compressed in parallel, and written in
//! order when the row group ends. They are data pages of version 1, without a dictionary, levels and statistics.

use bytes::Bytes;
use parquet::basic::{Compression, Encoding, PageType, ZstdLevel};
use parquet::column::page::{CompressedPage, Page, PageWriteSpec, PageWriter};
use parquet::column::writer::ColumnCloseResult;
use parquet::errors::{ParquetError, Result};
use parquet::file::metadata::{ColumnChunkMetaData, OffsetIndexBuilder, PageEncodingStats};
use parquet::file::reader::{ChunkReader, Length};
use parquet::file::writer::{SerializedPageWriter, SerializedRowGroupWriter, TrackedWrite};
use parquet::schema::types::ColumnDescPtr;
use std::cell::RefCell;
use std::io::{self, Read, Write};
use zstd::bulk::Compressor;

/// The number of bytes of the length before a text.
const PREFIX: usize = 4;

/// A page of texts in the encoding PLAIN: each text follows its length in four bytes.
pub struct Texts {
    bytes: Vec<u8>,
    count: u32,
}

/// A compressed page with its header.
pub struct Compressed {
    bytes: Bytes,
    written: PageWriteSpec,
}

/// The state of a compressing thread: a Zstandard context, and a buffer for a page.
struct Workspace {
    compressor: Compressor<'static>,
    buffer: Vec<u8>,
}

thread_local! {
    static WORKSPACE: RefCell<Option<Workspace>> = const { RefCell::new(None) };
}

/// Returns the compression level of texts.
pub fn level() -> ZstdLevel {
    ZstdLevel::default()
}

impl Texts {
    /// Returns an empty page with room for this many bytes.
    pub fn with_capacity(bytes: usize) -> Self {
        Self {
            bytes: Vec::with_capacity(bytes),
            count: 0,
        }
    }

    /// Adds a text.
    ///
    /// # Errors
    ///
    /// Fails if the page would exceed 2 GiB.
    pub fn push(&mut self, text: &str) -> io::Result<()> {
        let length = text.len().to_le_bytes();
        if self.bytes.len() + PREFIX + text.len() > i32::MAX as usize {
            return Err(io::Error::other("a text of 2 GiB is too long for Parquet"));
        }
        self.bytes.extend_from_slice(&length[..PREFIX]);
        self.bytes.extend_from_slice(text.as_bytes());
        self.count += 1;
        Ok(())
    }

    /// Compresses the page.
    pub fn compress(self) -> Result<Compressed> {
        WORKSPACE.with_borrow_mut(|workspace| {
            let workspace = match workspace {
                Some(workspace) => workspace,
                None => workspace.insert(Workspace {
                    compressor: Compressor::new(level().compression_level())?,
                    buffer: Vec::new(),
                }),
            };
            self.compress_with(workspace)
        })
    }

    fn compress_with(self, workspace: &mut Workspace) -> Result<Compressed> {
        let mut buffer = std::mem::take(&mut workspace.buffer);
        buffer.clear();
        buffer.reserve(zstd::zstd_safe::compress_bound(self.bytes.len()));
        let length = workspace
            .compressor
            .compress_to_buffer(&self.bytes, &mut buffer)?;
        let compressed = Bytes::from(buffer);
        let page = Page::DataPage {
            buf: compressed.clone(),
            num_values: self.count,
            encoding: Encoding::PLAIN,
            def_level_encoding: Encoding::RLE,
            rep_level_encoding: Encoding::RLE,
            statistics: None,
        };
        // A header has some tens of bytes, so 64 more nearly always suffice.
        let mut file = TrackedWrite::new(Vec::with_capacity(length + 64));
        let mut writer = SerializedPageWriter::new(&mut file);
        let written = writer.write_page(CompressedPage::new(page, self.bytes.len()))?;
        writer.close()?;
        workspace.buffer = compressed.into();
        Ok(Compressed {
            bytes: file.into_inner()?.into(),
            written,
        })
    }
}

/// Writes pages as the next column chunk of a row group.
pub fn append<W: Write + Send>(
    pages: Vec<Compressed>,
    column: ColumnDescPtr,
    row_group: &mut SerializedRowGroupWriter<'_, W>,
) -> Result<()> {
    let mut index = OffsetIndexBuilder::new();
    let (mut compressed, mut uncompressed, mut rows) = (0, 0, 0);
    for Compressed { written, .. } in &pages {
        let size = i32::try_from(written.compressed_size).map_err(external)?;
        index.append_row_count(written.num_values.into());
        index.append_offset_and_size(compressed, size);
        compressed += i64::from(size);
        uncompressed += i64::try_from(written.uncompressed_size).map_err(external)?;
        rows += i64::from(written.num_values);
    }
    let stats = PageEncodingStats {
        page_type: PageType::DATA_PAGE,
        encoding: Encoding::PLAIN,
        count: i32::try_from(pages.len()).map_err(external)?,
    };
    let metadata = ColumnChunkMetaData::builder(column)
        .set_compression(Compression::ZSTD(level()))
        .set_encodings(vec![Encoding::PLAIN, Encoding::RLE])
        .set_page_encoding_stats(vec![stats])
        .set_total_compressed_size(compressed)
        .set_total_uncompressed_size(uncompressed)
        .set_num_values(rows)
        .build()?;
    let close = ColumnCloseResult {
        bytes_written: compressed.unsigned_abs(),
        rows_written: rows.unsigned_abs(),
        metadata,
        bloom_filter: None,
        column_index: None,
        offset_index: Some(index.build()),
    };
    let chunk = Chunk(pages.into_iter().map(|page| page.bytes).collect());
    row_group.append_column(&chunk, close)
}

fn external(error: std::num::TryFromIntError) -> ParquetError {
    ParquetError::External(error.into())
}

/// The bytes of a column chunk, in pieces.
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

/// The unread pieces of a column chunk, in reverse order.
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
