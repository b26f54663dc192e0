//! Documents as rows of Parquet, compressed by Zstandard.
//!
//! [`columns`] has the metadata of documents, encoded with the rows. [`texts`] has their texts, in pages that the
//! threads of a [`pool`] compress in parallel. Page boundaries do not depend on the number of threads, so the file is
//! reproducible.

mod columns;
mod pool;
#[cfg(test)]
mod tests;
mod texts;

use super::document::Document;
use super::reader::Extent;
use arrow_schema::{DataType, Field, Schema};
use columns::Columns;
use mojika_convert::engine::{self, lock};
use parquet::arrow::ArrowWriter;
use parquet::arrow::arrow_writer::{ArrowColumnWriter, ArrowRowGroupWriterFactory, compute_leaves};
use parquet::basic::Compression;
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::SerializedFileWriter;
use pool::{Pending, Pool};
use std::io::{self, Write};
use std::sync::{Arc, Mutex, PoisonError};
use texts::{Compressed, Texts};

/// The number of text bytes in a row group if there is a single output, and the minimum number with several outputs.
const GROUP: usize = 64 << 20;
const LEAST_GROUP: usize = 8 << 20;
/// The number of text bytes in a page, which stays in the cache until it is compressed.
const PAGE: usize = 1 << 20;
/// The maximum number of threads that compress texts. A single decoding thread does not produce enough text for more.
const MOST_THREADS: usize = 4;

/// Returns the number of threads for a single output: one for each processor that does not decode.
pub fn threads() -> usize {
    (engine::jobs(0) - 1).min(MOST_THREADS)
}

/// Writes documents to a Parquet file.
pub struct Rows<W: Write + Send> {
    file: SerializedFileWriter<Shared<W>>,
    writer: Shared<W>,
    groups: ArrowRowGroupWriterFactory,
    schema: Arc<Schema>,
    pool: Pool,
    group: Option<Group>,
    columns: Columns,
    texts: Texts,
    /// The number of text bytes in `columns` and `texts`.
    waiting: usize,
    /// The maximum number of bytes in a row group.
    most_group: usize,
    /// The total number of text bytes.
    pub bytes: u64,
}

/// An incomplete row group.
struct Group {
    columns: Vec<ArrowColumnWriter>,
    texts: Vec<Pending<Compressed>>,
    /// The number of text bytes.
    bytes: usize,
}

impl<W: Write + Send> Rows<W> {
    /// Creates one of `count` simultaneous files. `threads` threads compress its texts; with 0, the caller's does.
    ///
    /// # Errors
    ///
    /// Fails if the output cannot be written.
    pub fn new(writer: W, count: usize, threads: usize) -> io::Result<Self> {
        let properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(texts::level()))
            .set_created_by(format!("mojika {}", env!("CARGO_PKG_VERSION")))
            .build();
        let (mut fields, _) = Columns::default().finish();
        fields.push(Field::new("text", DataType::Utf8, false));
        let schema = Arc::new(Schema::new(fields));
        let writer = Shared(Arc::new(Mutex::new(writer)));
        let (file, groups) = ArrowWriter::try_new(writer.clone(), schema.clone(), Some(properties))
            .and_then(ArrowWriter::into_serialized_writer)
            .map_err(failed)?;
        Ok(Self {
            file,
            writer,
            groups,
            schema,
            pool: Pool::new(threads),
            group: None,
            columns: Columns::default(),
            texts: new_page(),
            waiting: 0,
            most_group: (GROUP / count).max(LEAST_GROUP),
            bytes: 0,
        })
    }

    /// Adds a row.
    ///
    /// # Errors
    ///
    /// Fails if the output cannot be written.
    pub fn push(
        &mut self,
        document: &Document<'_>,
        archive: &str,
        extent: Extent,
    ) -> io::Result<()> {
        let text = document.shown();
        self.columns.push(document, archive, extent);
        self.texts.push(text)?;
        self.bytes += text.len() as u64;
        // 256 bytes are an estimate of the size of a row's other columns.
        self.waiting += text.len() + 256;
        match self.waiting >= PAGE {
            true => self.end_page(),
            false => Ok(()),
        }
    }

    /// Ends the current page: queues its texts for compression, and encodes the other columns.
    fn end_page(&mut self) -> io::Result<()> {
        let group = match &mut self.group {
            Some(group) => group,
            None => {
                let number = self.file.flushed_row_groups().len();
                let mut columns = self.groups.create_column_writers(number).map_err(failed)?;
                // The text column has a writer of its own.
                columns.pop();
                self.group.insert(Group {
                    columns,
                    texts: Vec::new(),
                    bytes: 0,
                })
            }
        };
        let texts = std::mem::replace(&mut self.texts, new_page());
        let compress = move || texts.compress().map_err(failed);
        group.texts.push(self.pool.run(compress));
        group.bytes += std::mem::take(&mut self.waiting);
        let (_, columns) = self.columns.finish();
        for ((field, column), writer) in
            (self.schema.fields().iter().zip(&columns)).zip(&mut group.columns)
        {
            let leaves = compute_leaves(field, column).map_err(failed)?;
            leaves
                .iter()
                .try_for_each(|leaf| writer.write(leaf))
                .map_err(failed)?;
        }
        match group.bytes >= self.most_group {
            true => self.end_group(),
            false => Ok(()),
        }
    }

    /// Writes the row group, if there is one.
    fn end_group(&mut self) -> io::Result<()> {
        let Some(group) = self.group.take() else {
            return Ok(());
        };
        let text = self.file.schema_descr().column(group.columns.len());
        let mut row_group = self.file.next_row_group().map_err(failed)?;
        for column in group.columns {
            let chunk = column.close().map_err(failed)?;
            chunk.append_to_row_group(&mut row_group).map_err(failed)?;
        }
        let pages: io::Result<Vec<_>> = group.texts.into_iter().map(Pending::wait).collect();
        texts::append(pages?, text, &mut row_group).map_err(failed)?;
        row_group.close().map(drop).map_err(failed)
    }

    /// Writes the end of the file and returns the writer.
    ///
    /// # Errors
    ///
    /// Fails if the output cannot be written.
    pub fn finish(mut self) -> io::Result<W> {
        if self.waiting > 0 {
            self.end_page()?;
        }
        self.end_group()?;
        self.file.finish().map_err(failed)?;
        drop(self.file);
        let writer = Arc::into_inner(self.writer.0);
        let writer = writer.ok_or_else(|| {
            io::Error::other("an internal error: the Parquet file is written to by others")
        })?;
        Ok(writer.into_inner().unwrap_or_else(PoisonError::into_inner))
    }
}

/// Returns an empty page, with space for a text that exceeds the page length.
fn new_page() -> Texts {
    Texts::with_capacity(PAGE + PAGE / 4)
}

/// A writer with two owners: one writes the file, and the other takes the writer back at the end.
struct Shared<W>(Arc<Mutex<W>>);

impl<W> Clone for Shared<W> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<W: Write> Write for Shared<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        lock(&self.0).write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        lock(&self.0).flush()
    }
}

/// Returns the output error that caused `error`, or else an encoding error.
fn failed(error: ParquetError) -> io::Error {
    match error {
        ParquetError::External(inner) => match inner.downcast::<io::Error>() {
            Ok(error) => *error,
            Err(inner) => io::Error::other(inner),
        },
        error => io::Error::other(error),
    }
}
