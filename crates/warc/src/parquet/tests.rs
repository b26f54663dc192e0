//! Tests that the file has the same rows for any number of threads, and that failing outputs are reported.

use crate::archive::{ArchiveOptions, Piece, Stop, Watch, convert};
use crate::choose::Choice;
use crate::document::Shown;
use crate::format::Format;
use crate::reader::Input;
use crate::sink::Sink;
use crate::summary::Summary;
use arrow_array::cast::AsArray;
use bytes::Bytes;
use mojika_convert::decide::Question;
use mojika_convert::job::report::{Reporter, Say};
use parquet::arrow::arrow_reader::{
    ArrowReaderOptions, ParquetRecordBatchReaderBuilder, RowSelection, RowSelector,
};
use parquet::file::metadata::PageIndexPolicy;
use std::io::{self, Read, Write};
use std::path::Path;

/// The number of simultaneous files. A high number makes row groups short.
const COUNT: usize = 8;

/// Texts for two row groups, some longer than a batch.
fn texts() -> Vec<String> {
    let text = |number: usize| {
        let lines =
            (0..150 + number * 7 % 300).map(|line| format!("line {line} of the text {number}\n"));
        lines.collect::<String>()
    };
    let mut texts: Vec<_> = (0..1_400).map(text).collect();
    texts[10] = texts[10].repeat(400);
    texts[500] = "x".to_owned();
    texts
}

/// Returns the first row of each page. A page ends with the row that reaches 1 MiB; a row has 256 bytes besides its text.
fn page_rows(texts: &[String]) -> Vec<usize> {
    let mut waiting = 0;
    let mut rows = vec![0];
    for (row, text) in texts.iter().enumerate() {
        waiting += text.len() + 256;
        if waiting >= 1 << 20 && row + 1 < texts.len() {
            rows.push(row + 1);
            waiting = 0;
        }
    }
    rows
}

fn archive(texts: &[String]) -> String {
    let record = |text: &String| {
        let length = text.len();
        format!(
            "WARC/1.0\r\nWARC-Type: resource\r\nContent-Type: text/plain\r\nContent-Length: {length}\r\n\r\n{text}\r\n\r\n"
        )
    };
    texts.iter().map(record).collect()
}

/// Writes the documents of an archive.
fn write<W: Write + Send>(archive: &str, threads: usize, writer: W) -> io::Result<W> {
    let options = ArchiveOptions {
        format: Format::Parquet,
        text: Shown::Whole,
        are_pages: false,
        max_body: 1 << 30,
        question: Question::default(),
        choice: Choice::default(),
    };
    let mut sink = Sink::new(Format::Parquet, None, writer, (COUNT, threads))?;
    let reporter = Reporter::new(&Say::default()).unwrap();
    let path = Path::new("a.warc");
    let mut watch = Watch::new(&reporter, path, false);
    let input = Input::stream(Box::new(archive.as_bytes()) as Box<dyn Read>);
    let mut summary = Summary::default();
    let input = vec![Piece::whole(input)];
    convert(input, path, &options, &mut sink, &mut summary, &mut watch).map_err(
        |stop| match stop {
            Stop::Read(error) | Stop::Write(error) => error,
            Stop::Stopped => unreachable!("no signal comes"),
        },
    )?;
    sink.finish()
}

#[test]
fn the_file_is_the_same_for_any_number_of_threads() {
    let texts = texts();
    let archive = archive(&texts);
    let file = write(&archive, 0, Vec::new()).unwrap();
    for threads in [1, 3] {
        assert!(
            write(&archive, threads, Vec::new()).unwrap() == file,
            "{threads} threads"
        );
    }

    let file = Bytes::from(file);
    let options = ArrowReaderOptions::new().with_page_index_policy(PageIndexPolicy::Required);
    let open = || {
        ParquetRecordBatchReaderBuilder::try_new_with_options(file.clone(), options.clone())
            .unwrap()
    };
    let read = |reader: ParquetRecordBatchReaderBuilder<Bytes>| {
        let mut texts: Vec<String> = Vec::new();
        for batch in reader.build().unwrap() {
            let batch = batch.unwrap();
            let column = batch.column_by_name("text").unwrap().as_string::<i32>();
            texts.extend(column.iter().map(|text| text.unwrap().to_owned()));
        }
        texts
    };
    assert!(read(open()) == texts);
    let metadata = open().metadata().clone();
    assert_eq!(metadata.num_row_groups(), 2);
    // The page index states the first row of each page.
    let mut before = 0;
    let mut expected = page_rows(&texts).into_iter();
    for (group, pages) in metadata
        .row_groups()
        .iter()
        .zip(metadata.offset_index().unwrap())
    {
        let pages = pages.last().unwrap().page_locations();
        assert!(pages.len() > 1);
        for page in pages {
            let row = before + usize::try_from(page.first_row_index).unwrap();
            assert_eq!(expected.next(), Some(row));
            let one = RowSelection::from(vec![RowSelector::skip(row), RowSelector::select(1)]);
            assert!(
                read(open().with_row_selection(one)) == texts[row..=row],
                "row {row}"
            );
        }
        let column = group.columns().last().unwrap();
        assert_eq!(column.num_values(), group.num_rows());
        let start = before;
        before += usize::try_from(group.num_rows()).unwrap();
        // In a page, each text follows its length, and the page follows its header.
        let bytes = texts[start..before].iter().map(|text| text.len() + 4);
        let bytes = i64::try_from(bytes.sum::<usize>()).unwrap();
        let headers = 100 * i64::try_from(pages.len()).unwrap();
        assert!((bytes..bytes + headers).contains(&column.uncompressed_size()));
        let compressed = pages
            .iter()
            .map(|page| i64::from(page.compressed_page_size));
        assert_eq!(column.compressed_size(), compressed.sum::<i64>());
    }
    assert_eq!(before, texts.len());
    assert_eq!(expected.next(), None);
}

/// An output that fails after some bytes.
struct Full(usize);

impl Write for Full {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self.0.checked_sub(bytes.len()) {
            Some(room) => self.0 = room,
            None => return Err(io::ErrorKind::StorageFull.into()),
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn an_output_without_room_fails_with_its_own_error() {
    let texts = texts();
    let archive = archive(&texts);
    let file = write(&archive, 0, Vec::new()).unwrap();
    for threads in [0, 2] {
        for room in [1000, file.len() / 2, file.len() - 10] {
            let error = write(&archive, threads, Full(room)).err().unwrap();
            assert_eq!(error.kind(), io::ErrorKind::StorageFull, "{room}: {error}");
        }
    }
}
