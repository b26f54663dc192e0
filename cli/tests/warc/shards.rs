//! An output of several files: `--shards` and `--shard-size`.

use crate::common::archives::{gzip, page};
use crate::common::tree::{begun, folder, signal, status};
use crate::common::{list, run_at};
use std::fs;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// Creates a folder of two archives with these texts.
fn archives() -> TempDir {
    let archive = |numbers: std::ops::Range<u32>| {
        let pages = numbers.flat_map(|number| gzip(&page(&format!("文 {number}"))));
        pages.collect::<Vec<_>>()
    };
    folder(&[("a.warc.gz", &archive(0..5)), ("b.warc.gz", &archive(5..8))])
}

/// Returns the lines of a file.
fn lines(folder: &TempDir, name: &str) -> Vec<String> {
    let text = fs::read_to_string(folder.path().join(name)).unwrap();
    text.lines().map(str::to_owned).collect()
}

/// Returns the names of the files that are not archives.
fn outputs(folder: &TempDir) -> Vec<String> {
    let mut names = list(folder.path());
    names.retain(|name| !name.contains(".warc"));
    names
}

/// Returns the lines of all documents, converted to one output.
fn whole(folder: &TempDir) -> Vec<String> {
    let run = run_at(folder.path(), "warc a.warc.gz b.warc.gz", b"");
    let text = String::from_utf8(run.stdout).unwrap();
    text.lines().map(str::to_owned).collect()
}

#[test]
fn shards_of_a_number_take_documents_in_turn() {
    let folder = archives();
    let whole = whole(&folder);
    assert_eq!(whole.len(), 8);
    status(&folder, "warc . -o out.jsonl --shards 3", 0);
    let names = [
        "out-00000-of-00003.jsonl",
        "out-00001-of-00003.jsonl",
        "out-00002-of-00003.jsonl",
    ];
    assert_eq!(outputs(&folder), names);
    for (number, name) in names.iter().enumerate() {
        let expected: Vec<_> = whole.iter().skip(number).step_by(3).cloned().collect();
        assert_eq!(lines(&folder, name), expected, "{name}");
    }
    // If there are more shards than documents, the last ones are empty files.
    status(&folder, "warc . -o ten.jsonl.gz --shards 10", 0);
    let ten = outputs(&folder)
        .into_iter()
        .filter(|name| name.starts_with("ten-") && name.ends_with("-of-00010.jsonl.gz"));
    assert_eq!(ten.count(), 10);
}

#[test]
fn shards_of_a_size_end_with_the_document_that_reaches_it() {
    let folder = archives();
    let whole = whole(&folder);
    let size = whole.iter().map(String::len).max().unwrap() + 2;
    status(
        &folder,
        &format!("warc . -o out.jsonl --shard-size {size}"),
        0,
    );
    let names = outputs(&folder);
    let expected: Vec<_> = (0..4)
        .map(|number| format!("out-0000{number}.jsonl"))
        .collect();
    assert_eq!(names, expected);
    let found: Vec<_> = names.iter().map(|name| lines(&folder, name)).collect();
    assert!(found.iter().all(|lines| lines.len() == 2), "{found:?}");
    assert_eq!(found.concat(), whole);
    // Without documents, there is one empty file.
    status(
        &folder,
        "warc . -o none.jsonl --shard-size 1MB --mime image/png",
        0,
    );
    assert_eq!(lines(&folder, "none-00000.jsonl").len(), 0);
}

#[test]
fn files_of_a_folder_have_shards_too() {
    let folder = folder(&[
        ("site/a.txt", b"one"),
        ("site/b.txt", b"two"),
        ("site/c.txt", b"three"),
    ]);
    status(&folder, "pages site -o out.jsonl --shards 2", 0);
    assert_eq!(lines(&folder, "out-00000-of-00002.jsonl").len(), 2);
    assert_eq!(lines(&folder, "out-00001-of-00002.jsonl").len(), 1);
    status(&folder, "pages site -o out.jsonl --shard-size 1", 1);
    status(&folder, "pages site -o parts.jsonl --shard-size 1", 0);
    assert_eq!(lines(&folder, "parts-00002.jsonl").len(), 1);
}

#[test]
#[cfg(feature = "parquet")]
fn shards_of_parquet_are_whole_files() {
    let folder = archives();
    for (options, shards) in [("--shards 2", 2), ("--shard-size 1", 8)] {
        status(
            &folder,
            &format!("warc . -o out.parquet --force {options}"),
            0,
        );
        let names = outputs(&folder);
        assert_eq!(names.len(), shards, "{names:?}");
        let rows = names.iter().map(|name| {
            let file = fs::File::open(folder.path().join(name)).unwrap();
            let reader =
                parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder::try_new(file);
            reader.unwrap().metadata().file_metadata().num_rows()
        });
        assert_eq!(rows.sum::<i64>(), 8);
        for name in names {
            fs::remove_file(folder.path().join(name)).unwrap();
        }
    }
}

/// Existing shards are only replaced with --force. Shards of another run are reported, because a program that reads all
/// files would include them.
#[test]
fn shards_replace_nothing_unless_asked_and_name_those_of_other_runs() {
    let folder = archives();
    let old = "out-00001-of-00002.jsonl";
    fs::write(folder.path().join(old), "old").unwrap();
    for line in [
        "warc . -o out.jsonl --shards 2",
        "warc . -o out.jsonl --shards 3",
        "warc . -o out.jsonl --shard-size 1",
    ] {
        let message = status(&folder, line, 1);
        assert!(
            message.contains(old) && message.contains("--force"),
            "{message}"
        );
        assert_eq!(outputs(&folder), [old], "{line}");
    }
    status(&folder, "warc . -o out.jsonl --shards 2 --force", 0);
    assert_eq!(lines(&folder, old).len(), 4);
    let message = status(&folder, "warc . -o out.jsonl --shards 1 --force", 1);
    assert!(
        message.contains("not part of this output") && message.contains(old),
        "{message}"
    );
    assert_eq!(lines(&folder, "out-00000-of-00001.jsonl").len(), 8);
}

/// The failure names the shard, and earlier shards stay.
#[test]
fn a_shard_that_cannot_begin_ends_the_run_with_its_name() {
    let folder = archives();
    fs::create_dir(folder.path().join("out-00002.jsonl")).unwrap();
    let line = "warc . -o out.jsonl --shard-size 1 --force";
    let message = status(&folder, line, 1);
    assert!(
        message.contains("out-00002.jsonl") && !message.contains("panicked"),
        "{message}"
    );
    assert_eq!(lines(&folder, "out-00001.jsonl").len(), 1);
    let names = ["out-00000.jsonl", "out-00001.jsonl", "out-00002.jsonl"];
    assert_eq!(outputs(&folder), names);
}

#[test]
fn shards_need_a_file_and_a_format_of_documents() {
    let folder = archives();
    for line in [
        "warc . --shards 2",
        "warc . -o folder/ --shards 2",
        "warc . -o out.warc.wet --format wet --shards 2",
        "warc . -o out.jsonl --shards 0",
        "warc . -o out.jsonl --shards 2 --shard-size 5",
        "warc . -o out.jsonl --shard-size 5TB",
        "warc . -o out.jsonl --shards 2 --resume",
    ] {
        status(&folder, line, 2);
        assert_eq!(outputs(&folder).len(), 0, "{line}");
    }
    let message = status(&folder, "warc . -o none/out.jsonl --shards 2", 1);
    assert!(message.contains("none"), "{message}");
}

/// An interrupted run leaves its complete shards if their size is limited, and no shards if their number is fixed.
#[test]
fn an_interrupted_run_leaves_whole_shards_alone() {
    for (options, is_size) in [("--shard-size 1", true), ("--shards 2", false)] {
        let folder = folder(&[]);
        let long = "文".repeat(100_000);
        let input: Vec<u8> = (0..8).flat_map(|_| page(&long)).collect();
        let line = format!("warc - -o out.jsonl {options}");
        // The run has read nearly all input when it is interrupted, and waits for the rest.
        let (mut child, stdin) = begun(&folder, &line, &input);
        let begin = Instant::now();
        while is_size && outputs(&folder).is_empty() {
            assert!(begin.elapsed().as_secs() < 60, "no shard appears");
            std::thread::sleep(Duration::from_millis(5));
        }
        signal(&child, "INT");
        child.wait().unwrap();
        drop(stdin);
        let names = outputs(&folder);
        assert_eq!(!names.is_empty(), is_size, "{names:?}");
        for name in names {
            assert_eq!(lines(&folder, &name).len(), 1, "{name}");
        }
    }
}
