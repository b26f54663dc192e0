//! Documents as rows of Parquet, compressed by Zstandard.

use super::document::Document;
use super::reader::Extent;
use arrow_array::builder::{
    ArrayBuilder, BooleanBuilder, Float32Builder, StringBuilder, UInt16Builder, UInt64Builder,
};
use arrow_array::{ArrayRef, RecordBatch};
use arrow_schema::{DataType, Field, Schema};
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, ZstdLevel};
use parquet::file::properties::{EnabledStatistics, WriterProperties};
use std::io::{self, Write};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

/// Bytes of text in a row group of an output that is written alone, and the least of one of many.
const GROUP: usize = 64 << 20;
const LEAST_GROUP: usize = 8 << 20;
/// Bytes of text that are passed on at once: few enough to stay in the cache until they are compressed.
const BATCH: usize = 1 << 20;
/// Batches that may wait for the thread that compresses them.
const WAITING: usize = 2;

/// Writes documents to a Parquet file.
pub struct Rows<W: Write + Send> {
    writer: W,
    /// What has been encoded, and not written yet.
    encoded: Encoded,
    encoder: Encoder,
    schema: Arc<Schema>,
    columns: Columns,
    /// Bytes of text in `columns`, and in the row group.
    waiting: usize,
    group: usize,
    /// How many a row group may have.
    most_group: usize,
    /// All bytes of text.
    pub bytes: u64,
}

/// The rows that have not been passed on.
#[derive(Default)]
struct Columns {
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
    text: StringBuilder,
}

impl Columns {
    fn push(&mut self, document: &Document<'_>, archive: &str, extent: Extent) {
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
        self.text.append_value(document.shown());
    }

    /// The columns by name, in the order of the keys of JSON lines; and whether there may be nulls.
    fn named(&mut self) -> [(&'static str, &mut dyn ArrayBuilder, bool); 27] {
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
            ("text", &mut self.text, false),
        ]
    }

    /// The rows, and the types of their columns; there are none afterwards.
    fn finish(&mut self) -> (Vec<Field>, Vec<ArrayRef>) {
        let columns = self.named().map(|(name, builder, is_nullable)| {
            let column = builder.finish();
            let kind: DataType = column.data_type().clone();
            (Field::new(name, kind, is_nullable), column)
        });
        columns.into_iter().unzip()
    }
}

/// The bytes of a file, from where they are encoded to where they are written.
#[derive(Clone, Default)]
struct Encoded(Arc<Mutex<Vec<u8>>>);

impl Encoded {
    fn take(&self) -> Vec<u8> {
        std::mem::take(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }
}

impl Write for Encoded {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let mut waiting = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// What encodes and compresses rows.
enum Encoder {
    Here(Box<ArrowWriter<Encoded>>),
    /// A thread, so that documents are decoded meanwhile. It is gone once its error is known.
    Apart(SyncSender<Step>, Option<JoinHandle<io::Result<()>>>),
}

enum Step {
    Batch(RecordBatch),
    EndOfGroup,
    EndOfFile,
}

impl Encoder {
    /// In a thread of its own, if that is asked for and the system has one.
    fn new(
        encoded: &Encoded,
        schema: &Arc<Schema>,
        properties: &WriterProperties,
        apart: bool,
    ) -> io::Result<Self> {
        let new = || {
            // The file begins here.
            encoded.take();
            ArrowWriter::try_new(encoded.clone(), schema.clone(), Some(properties.clone()))
                .map_err(io::Error::other)
        };
        if apart {
            let writer = new()?;
            let (sender, steps) = sync_channel(WAITING);
            let thread = thread::Builder::new().spawn(move || encode(writer, &steps));
            if let Ok(thread) = thread {
                return Ok(Self::Apart(sender, Some(thread)));
            }
        }
        Ok(Self::Here(Box::new(new()?)))
    }

    fn step(&mut self, step: Step) -> io::Result<()> {
        match self {
            Self::Here(writer) => encode_step(writer, step),
            Self::Apart(sender, thread) => match sender.send(step) {
                Ok(()) => Ok(()),
                Err(_) => Err(ended(thread.take()).err().unwrap_or_else(|| {
                    io::Error::other("an internal error: the end of the file is written already")
                })),
            },
        }
    }

    /// Waits until all is encoded.
    fn finish(self) -> io::Result<()> {
        match self {
            Self::Here(_) => Ok(()),
            Self::Apart(sender, thread) => {
                drop(sender);
                ended(thread)
            }
        }
    }
}

/// How a thread has ended.
fn ended(thread: Option<JoinHandle<io::Result<()>>>) -> io::Result<()> {
    let Some(thread) = thread else { return Ok(()) };
    let panicked = |_| {
        Err(io::Error::other(
            "an internal error: encoding Parquet panicked",
        ))
    };
    thread.join().unwrap_or_else(panicked)
}

/// Encodes what comes. A file whose end does not come is given up.
fn encode(mut writer: ArrowWriter<Encoded>, steps: &Receiver<Step>) -> io::Result<()> {
    steps
        .iter()
        .try_for_each(|step| encode_step(&mut writer, step))
}

fn encode_step(writer: &mut ArrowWriter<Encoded>, step: Step) -> io::Result<()> {
    match step {
        Step::Batch(batch) => writer.write(&batch),
        Step::EndOfGroup => writer.flush(),
        Step::EndOfFile => writer.finish().map(drop),
    }
    .map_err(io::Error::other)
}

impl<W: Write + Send> Rows<W> {
    /// A file without rows, one of `count` that are written at once. With `apart`, a thread encodes them.
    ///
    /// # Errors
    ///
    /// Fails if the output cannot be written to.
    pub fn new(writer: W, count: usize, apart: bool) -> io::Result<Self> {
        let mut columns = Columns::default();
        let (fields, _) = columns.finish();
        let properties = WriterProperties::builder()
            .set_compression(Compression::ZSTD(ZstdLevel::default()))
            // Texts differ, and are searched for by none of their bounds.
            .set_column_dictionary_enabled("text".into(), false)
            .set_column_statistics_enabled("text".into(), EnabledStatistics::None)
            .set_created_by(format!("mojika {}", env!("CARGO_PKG_VERSION")))
            .build();
        let schema = Arc::new(Schema::new(fields));
        let encoded = Encoded::default();
        Ok(Self {
            encoder: Encoder::new(&encoded, &schema, &properties, apart)?,
            writer,
            encoded,
            schema,
            columns,
            waiting: 0,
            group: 0,
            most_group: (GROUP / count).max(LEAST_GROUP),
            bytes: 0,
        })
    }

    /// Adds a row.
    ///
    /// # Errors
    ///
    /// Fails if the output cannot be written to.
    pub fn push(
        &mut self,
        document: &Document<'_>,
        archive: &str,
        extent: Extent,
    ) -> io::Result<()> {
        self.columns.push(document, archive, extent);
        let length = document.shown().len();
        self.bytes += length as u64;
        // A row has some bytes besides its text.
        self.waiting += length + 256;
        match self.waiting >= BATCH {
            true => self.pass_on(),
            false => Ok(()),
        }
    }

    fn pass_on(&mut self) -> io::Result<()> {
        let (_, columns) = self.columns.finish();
        let batch = RecordBatch::try_new(self.schema.clone(), columns).map_err(io::Error::other)?;
        self.encoder.step(Step::Batch(batch))?;
        self.group += std::mem::take(&mut self.waiting);
        if self.group >= self.most_group {
            self.group = 0;
            self.encoder.step(Step::EndOfGroup)?;
        }
        self.write()
    }

    /// Writes what has been encoded by now.
    fn write(&mut self) -> io::Result<()> {
        self.writer.write_all(&self.encoded.take())
    }

    /// Writes the end; returns the writer.
    ///
    /// # Errors
    ///
    /// Fails if the output cannot be written to.
    pub fn finish(mut self) -> io::Result<W> {
        if self.waiting > 0 {
            self.pass_on()?;
        }
        self.encoder.step(Step::EndOfFile)?;
        self.encoder.finish()?;
        let mut writer = self.writer;
        writer.write_all(&self.encoded.take())?;
        writer.flush().map(|()| writer)
    }
}
