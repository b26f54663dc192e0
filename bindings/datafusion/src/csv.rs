//! The table function `read_csv_text`.
//!
//! Each file has its own decoder. Reading and decoding run in a thread for blocking work.

use arrow_csv::reader::{Format, ReaderBuilder};
use async_trait::async_trait;
use datafusion::arrow::datatypes::{DataType, Field, Schema, SchemaRef};
use datafusion::catalog::{Session, TableFunctionArgs, TableFunctionImpl, TableProvider};
use datafusion::common::plan_err;
use datafusion::error::{DataFusionError, Result};
use datafusion::execution::{SendableRecordBatchStream, TaskContext};
use datafusion::logical_expr::{Expr, TableType};
use datafusion::physical_plan::ExecutionPlan;
use datafusion::physical_plan::stream::RecordBatchReceiverStreamBuilder;
use datafusion::physical_plan::streaming::{PartitionStream, StreamingTableExec};
use mojika::io::DecodeReader;
use mojika::{Encoding, extended};
use mojika_sniff::judge::Judgement;
use std::fs::File;
use std::io::{self, Cursor, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The number of rows of each file from which column types are inferred.
const INFERRED_ROWS: usize = 1000;

/// `read_csv_text(path [, label [, errors [, confidence]]])`: a CSV file with a header, or all files of a folder.
///
/// Without a label, or with 'auto', each file's encoding is detected separately. A file whose text has a probability below
/// `confidence` ('0.9') is an error. `errors` is 'strict' (a malformed sequence is an error that states its line and
/// column) or 'replace'. Column types are inferred from the first 1000 rows.
#[derive(Debug)]
pub struct ReadCsvText;

impl ReadCsvText {
    /// The function's name in SQL.
    pub const NAME: &'static str = "read_csv_text";
}

impl TableFunctionImpl for ReadCsvText {
    fn call_with_args(&self, args: TableFunctionArgs) -> Result<Arc<dyn TableProvider>> {
        let mut words = Vec::new();
        for argument in args.exprs() {
            match argument {
                Expr::Literal(value, _) if matches!(value.try_as_str(), Some(Some(_))) => {
                    words.push(value.try_as_str().flatten().unwrap_or_default());
                }
                other => return plan_err!("{}: {other} is no text literal", Self::NAME),
            }
        }
        let (path, label, errors) = match words[..] {
            [path] => (path, "auto", "strict"),
            [path, label] => (path, label, "strict"),
            [path, label, errors] | [path, label, errors, _] => (path, label, errors),
            _ => {
                return plan_err!("{} takes path, label, errors and confidence", Self::NAME);
            }
        };
        let encoding = match label {
            "auto" => None,
            label => match extended::find(label) {
                Some(encoding) => Some(encoding),
                None => return plan_err!("{}: unknown encoding: {label}", Self::NAME),
            },
        };
        let is_fatal = match errors {
            "strict" | "fatal" => true,
            "replace" | "replacement" => false,
            _ => {
                return plan_err!(
                    "{}: errors must be 'strict' or 'replace', not '{errors}'",
                    Self::NAME
                );
            }
        };
        let confidence = match words.get(3).map(|word| word.parse()) {
            None => 0.9,
            Some(Ok(confidence)) if (0.0..=1.0).contains(&confidence) => confidence,
            Some(_) => {
                return plan_err!(
                    "{}: confidence must be a probability, such as '0.9'",
                    Self::NAME
                );
            }
        };
        let how = How {
            encoding,
            is_fatal,
            confidence,
        };
        Ok(Arc::new(CsvText::new(Path::new(path), how)?))
    }
}

/// The settings for decoding a file.
#[derive(Clone, Copy, Debug)]
struct How {
    /// The encoding; `None` to detect it.
    encoding: Option<&'static Encoding>,
    is_fatal: bool,
    /// The minimum probability of the text if the encoding is detected.
    confidence: f32,
}

/// Returns the error message for an encoding that is not certain enough.
fn doubt(judgement: &Judgement) -> String {
    let guesses = judgement.ranking.iter().take(3);
    let guesses = guesses.map(|guess| format!("{} ({:.2})", guess.encoding, guess.probability));
    format!(
        "the encoding is doubtful: {}; name it, or ask for less confidence",
        guesses.collect::<Vec<_>>().join(", ")
    )
}

impl How {
    fn open(self, path: &Path) -> io::Result<DecodeReader<impl Read + use<>>> {
        let mut file = File::open(path)?;
        let mut head = Vec::new();
        let encoding = match self.encoding {
            Some(encoding) => encoding,
            None => {
                let most = mojika_sniff::detect::SAMPLE_LENGTH as u64;
                file.by_ref().take(most).read_to_end(&mut head)?;
                let judgement = mojika_arrow::judged(&head);
                if judgement.is_doubtful(self.confidence) {
                    return Err(io::Error::other(doubt(&judgement)));
                }
                judgement.decision.encoding
            }
        };
        let reader = DecodeReader::new(Cursor::new(head).chain(file), encoding);
        Ok(if self.is_fatal {
            reader.fatal()
        } else {
            reader
        })
    }
}

/// Adds the file name to an error.
fn about<E: Into<DataFusionError>>(path: &Path) -> impl FnOnce(E) -> DataFusionError {
    let path = path.display().to_string();
    move |error| error.into().context(path)
}

/// A table of CSV files.
#[derive(Debug)]
struct CsvText {
    files: Vec<PathBuf>,
    schema: SchemaRef,
    how: How,
}

impl CsvText {
    fn new(path: &Path, how: How) -> Result<Self> {
        let files = files(path).map_err(about(path))?;
        let mut fields: Vec<Field> = Vec::new();
        for (number, file) in files.iter().enumerate() {
            let reader = how.open(file).map_err(about(file))?;
            let format = Format::default().with_header(true);
            let inferred = format.infer_schema(reader, Some(INFERRED_ROWS));
            let (schema, _) = inferred.map_err(about(file))?;
            let found = schema.fields().iter().map(|field| field.as_ref().clone());
            if number == 0 {
                fields = found.collect();
                continue;
            }
            let found: Vec<_> = found.collect();
            if !fields
                .iter()
                .map(Field::name)
                .eq(found.iter().map(Field::name))
            {
                return plan_err!(
                    "{} has other columns than {}",
                    file.display(),
                    files[0].display()
                );
            }
            for (field, found) in fields.iter_mut().zip(&found) {
                field.set_data_type(common(field.data_type(), found.data_type()));
            }
        }
        let schema = Arc::new(Schema::new(fields));
        Ok(Self { files, schema, how })
    }
}

/// Returns the file, or the files of the folder, sorted by name. Names that start with a dot are omitted.
fn files(path: &Path) -> io::Result<Vec<PathBuf>> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let mut files = Vec::new();
    for entry in path.read_dir()? {
        let entry = entry?;
        let is_hidden = entry.file_name().as_encoded_bytes().starts_with(b".");
        if !is_hidden && entry.path().is_file() {
            files.push(entry.path());
        }
    }
    if files.is_empty() {
        return Err(io::Error::other("the folder has no files"));
    }
    files.sort();
    Ok(files)
}

/// Returns a type that can hold the values of both types.
fn common(a: &DataType, b: &DataType) -> DataType {
    match (a, b) {
        (a, b) if a == b => a.clone(),
        (DataType::Null, other) | (other, DataType::Null) => other.clone(),
        (DataType::Int64, DataType::Float64) | (DataType::Float64, DataType::Int64) => {
            DataType::Float64
        }
        _ => DataType::Utf8,
    }
}

#[async_trait]
impl TableProvider for CsvText {
    fn schema(&self) -> SchemaRef {
        self.schema.clone()
    }

    fn table_type(&self) -> TableType {
        TableType::Base
    }

    async fn scan(
        &self,
        session: &dyn Session,
        projection: Option<&Vec<usize>>,
        _filters: &[Expr],
        limit: Option<usize>,
    ) -> Result<Arc<dyn ExecutionPlan>> {
        let projected = match projection {
            Some(projection) => Arc::new(self.schema.project(projection)?),
            None => self.schema.clone(),
        };
        let tasks = session
            .config()
            .target_partitions()
            .clamp(1, self.files.len());
        let partitions = (0..tasks).map(|task| {
            let files = self.files.iter().skip(task).step_by(tasks);
            Arc::new(Files {
                files: files.cloned().collect(),
                whole: self.schema.clone(),
                schema: projected.clone(),
                projection: projection.cloned(),
                how: self.how,
            }) as Arc<dyn PartitionStream>
        });
        Ok(Arc::new(StreamingTableExec::try_new(
            projected.clone(),
            partitions.collect(),
            None,
            [],
            false,
            limit,
        )?))
    }
}

/// The files of one partition.
#[derive(Debug)]
struct Files {
    files: Vec<PathBuf>,
    /// The schema of all columns.
    whole: SchemaRef,
    /// The schema of the selected columns.
    schema: SchemaRef,
    projection: Option<Vec<usize>>,
    how: How,
}

impl PartitionStream for Files {
    fn schema(&self) -> &SchemaRef {
        &self.schema
    }

    fn execute(&self, context: Arc<TaskContext>) -> SendableRecordBatchStream {
        let mut stream = RecordBatchReceiverStreamBuilder::new(self.schema.clone(), 2);
        let sender = stream.tx();
        let batch_size = context.session_config().batch_size();
        let (files, how) = (self.files.clone(), self.how);
        let (schema, projection) = (self.whole.clone(), self.projection.clone());
        stream.spawn_blocking(move || {
            for path in files {
                let reader = how.open(&path).map_err(about(&path))?;
                let mut builder = ReaderBuilder::new(schema.clone())
                    .with_header(true)
                    .with_batch_size(batch_size);
                if let Some(projection) = &projection {
                    builder = builder.with_projection(projection.clone());
                }
                for batch in builder.build_buffered(reader).map_err(about(&path))? {
                    let batch = batch.map_err(about(&path))?;
                    if sender.blocking_send(Ok(batch)).is_err() {
                        // The receiver wants no more rows.
                        return Ok(());
                    }
                }
            }
            Ok(())
        });
        stream.build()
    }
}
