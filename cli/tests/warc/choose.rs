//! The documents that `mojika warc` selects, and the positions that it states for them.

use crate::common::archives::{gzip, zstd};
use crate::common::tree::{folder, status};
use crate::common::{holds, run_at, run_in};
use serde_json::Value;
use std::fs;
use std::path::Path;
use tempfile::TempDir;

/// Returns a response with this status from this address.
fn answer(url: &str, status: u16, content_type: &str, fields: &str, body: &str) -> Vec<u8> {
    let block = format!("HTTP/1.1 {status} X\r\nContent-Type: {content_type}\r\n\r\n{body}");
    let length = block.len();
    format!(
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {url}\r\nWARC-Record-ID: <urn:{url}>\r\n{fields}\
         Content-Type: application/http; msgtype=response\r\nContent-Length: {length}\r\n\r\n{block}\r\n\r\n"
    )
    .into_bytes()
}

fn records() -> Vec<Vec<u8>> {
    let digest = "WARC-Payload-Digest: sha1:ABC\r\n";
    let identified = "WARC-Identified-Payload-Type: application/pdf\r\n";
    vec![
        answer("http://a.example/1", 200, "text/html", digest, "<p>one"),
        answer("http://a.example/x/2", 404, "text/html", "", "<p>not there"),
        answer("http://b.example/3", 204, "text/plain", "", " \n"),
        answer(
            "http://b.example/4",
            200,
            "text/plain",
            &digest.to_lowercase(),
            "four",
        ),
        answer("http://c.example/5", 301, "text/plain", "", "five"),
        answer("http://c.example/6", 200, "text/plain", identified, "six"),
        answer("http://c.example/7", 200, "text/plain", "", "six"),
    ]
}

/// Returns the last digits of the selected documents' addresses, and standard error.
fn taken(folder: &TempDir, line: &str) -> (String, String) {
    let args: Vec<_> = line.split(' ').collect();
    let run = run_in(folder.path(), &args, b"").ends(0);
    let numbers = objects(&run.stdout).into_iter().map(|line| {
        let url = line["url"].as_str().unwrap();
        url.chars().next_back().unwrap()
    });
    (numbers.collect(), run.stderr)
}

fn objects(lines: &[u8]) -> Vec<Value> {
    let lines = lines
        .split(|&byte| byte == b'\n')
        .filter(|line| !line.is_empty());
    lines
        .map(|line| serde_json::from_slice(line).unwrap())
        .collect()
}

#[test]
fn documents_are_taken_by_status_type_address_and_payload() {
    let folder = folder(&[("a.warc", &records().concat())]);
    let rows = [
        ("warc a.warc", "1467"),
        ("warc a.warc --status any", "124567"),
        ("warc a.warc --status any --keep-empty", "1234567"),
        ("warc a.warc --status 301,404", "25"),
        ("warc a.warc --status 3xx,200-204 --keep-empty", "134567"),
        ("warc a.warc --mime text/html", "1"),
        ("warc a.warc --mime application/pdf,text/h*", "16"),
        ("warc a.warc --url http://a.example/* --status any", "12"),
        ("warc a.warc --url *4 --url *://C.example/*", "467"),
        ("warc a.warc --dedup digest", "16"),
    ];
    for (line, expected) in rows {
        assert_eq!(taken(&folder, line).0, expected, "{line}");
    }
    let (_, summary) = taken(&folder, "warc a.warc --dedup digest --url http://*");
    for part in [
        "left out:",
        "1  status 404; --status any",
        "1  status 301",
        "1  an empty body; --keep-empty",
        "2  the payload of another",
    ] {
        assert!(summary.contains(part), "{part}: {summary}");
    }
    let wet = run_at(
        folder.path(),
        "warc a.warc --format wet --mime text/html",
        b"",
    );
    let wet = String::from_utf8(wet.stdout).unwrap();
    assert_eq!(wet.matches("WARC-Type: conversion").count(), 1);
    let message = status(&folder, "warc a.warc --format warc-utf8 --status 200", 2);
    assert!(message.contains("keeps all records"), "{message}");
    let whole = run_at(folder.path(), "warc a.warc --format warc-utf8", b"");
    assert_eq!(
        String::from_utf8(whole.stdout)
            .unwrap()
            .matches("WARC-Type: response")
            .count(),
        7
    );
    status(&folder, "warc a.warc --status 2x", 2);
    status(&folder, "warc a.warc --url [", 2);
}

/// If the encoding is a legacy one, detection names the language.
#[test]
fn documents_have_the_language_that_detection_names() {
    let russian = "Вечером на веранде пили чай и говорили о погоде. ".repeat(5);
    let japanese = "文字コードを取り違えると、文字化けという現象が起こります。".repeat(5);
    let chinese = "这个函数返回一个温度的数值，单位是摄氏度。".repeat(4);
    fn body(encoding: &'static mojika::Encoding, text: &str) -> Vec<u8> {
        encoding.encode(text).unwrap().into_owned()
    }
    let site = [
        ("site/1.html", body(mojika::WINDOWS_1251, &russian)),
        ("site/2.html", body(mojika::SHIFT_JIS, &japanese)),
        ("site/3.html", russian.clone().into_bytes()),
        ("site/4.html", b"plain English".to_vec()),
        // The declaration decides, and detection names the language.
        (
            "site/5.html",
            [b"<meta charset=koi8-r>", &*body(mojika::KOI8_R, &russian)].concat(),
        ),
        // The text is decoded in a wrong encoding, so no language is stated.
        (
            "site/6.html",
            [
                b"<meta charset=windows-1252>",
                &*body(mojika::KOI8_R, &russian),
            ]
            .concat(),
        ),
        // The text is decoded in a wrong double-byte encoding. Detection's guess has a language, which is not that of the
        // decoded text.
        (
            "site/7.html",
            [b"<meta charset=big5>", &*body(mojika::GBK, &chinese)].concat(),
        ),
        // The declared encoding gives the text of detection's guess, so the language of the guess is stated.
        (
            "site/8.html",
            [b"<meta charset=gb18030>", &*body(mojika::GBK, &chinese)].concat(),
        ),
    ];
    let site: Vec<(&str, &[u8])> = site.iter().map(|(name, bytes)| (*name, &**bytes)).collect();
    let folder = folder(&site);
    let run = run_in(folder.path(), &["pages", "site"], b"");
    let found = objects(&run.stdout);
    let found = found.iter().map(|line| line["language"].as_str());
    let expected = [Some("ru"), Some("ja"), None, None, Some("ru"), None, None];
    assert!(found.eq(expected.into_iter().chain([Some("zh-CN")])));
}

#[test]
fn lines_say_where_their_records_are() {
    let records = records();
    let archives: [(&str, Vec<u8>, bool); 5] = [
        ("a.warc", records.concat(), true),
        (
            "a.warc.gz",
            records.iter().flat_map(|one| gzip(one)).collect(),
            true,
        ),
        (
            "a.warc.zst",
            records.iter().flat_map(|one| zstd(one)).collect(),
            true,
        ),
        ("whole.warc.gz", gzip(&records.concat()), false),
        ("whole.warc.zst", zstd(&records.concat()), false),
    ];
    for (name, bytes, has_lengths) in archives {
        let folder = folder(&[(name, &bytes)]);
        let run = run_in(
            folder.path(),
            &["warc", name, "--status", "any", "--keep-empty"],
            b"",
        );
        let lines = objects(&run.stdout);
        assert_eq!(lines.len(), 7, "{name}");
        let mut cdx = String::new();
        for (line, record) in lines.iter().zip(&records) {
            assert_eq!(line["archive"], name);
            let offset = line["offset"].as_u64().unwrap();
            if !has_lengths {
                assert_eq!((offset, &line["length"]), (0, &Value::Null), "{name}");
                continue;
            }
            let length = line["length"].as_u64().unwrap();
            let piece = &bytes[offset as usize..(offset + length) as usize];
            let plain = match name.rsplit('.').next() {
                Some("warc") => piece.to_vec(),
                Some("gz") => {
                    let mut plain = Vec::new();
                    std::io::Read::read_to_end(
                        &mut flate2::read::GzDecoder::new(piece),
                        &mut plain,
                    )
                    .unwrap();
                    plain
                }
                _ => zstd::decode_all(piece).unwrap(),
            };
            assert_eq!(&plain, record, "{name}");
            let object = serde_json::json!({"filename": format!("crawl/{name}"), "offset": offset.to_string(), "length": length.to_string()});
            cdx += &format!("key 2026 {object}\n");
        }
        if !has_lengths {
            let within: Vec<_> = lines
                .iter()
                .map(|line| line["within"].as_u64().unwrap())
                .collect();
            let starts = records.iter().scan(0, |at, one| {
                *at += one.len() as u64;
                Some(*at - one.len() as u64)
            });
            assert_eq!(within, starts.collect::<Vec<_>>(), "{name}");
            continue;
        }
        // `--cdx` selects the same documents by these lines, with the same offsets.
        let cdx: Vec<_> = cdx.lines().collect();
        let some = [cdx[5], cdx[1]].join("\n");
        let args = ["warc", ".", "--cdx", "-", "--status", "any"];
        let run = run_in(folder.path(), &args, some.as_bytes()).ends(0);
        assert_eq!(
            objects(&run.stdout),
            [lines[1].clone(), lines[5].clone()],
            "{name}"
        );
        let run = run_in(
            folder.path(),
            &args,
            some.replace(name, "b.warc").as_bytes(),
        );
        assert_eq!(run.status, 2);
        assert!(
            run.stderr.contains("crawl/") || run.stderr.contains("b.warc"),
            "{}",
            run.stderr
        );
        let run = run_in(folder.path(), &args, b"no line\n");
        assert_eq!(run.status, 2);
        run.says("line 1");
    }
}

#[test]
fn an_output_is_what_its_name_says_and_replaces_nothing() {
    let folder = folder(&[("a.warc", &records().concat())]);
    for name in ["out.arrow", "out.CSV"] {
        let message = status(&folder, &format!("warc a.warc -o {name}"), 2);
        assert!(message.contains("lines of JSON"), "{message}");
        assert!(!Path::new(&folder.path().join(name)).exists());
    }
    fs::write(folder.path().join("out.jsonl"), "old").unwrap();
    let message = status(&folder, "warc a.warc -o out.jsonl", 1);
    assert!(message.contains("--force"), "{message}");
    holds(&folder, "out.jsonl", b"old");
    status(&folder, "warc a.warc -o out.jsonl --force", 0);
    assert_ne!(fs::read(folder.path().join("out.jsonl")).unwrap(), b"old");
    // Output to a pipe is written directly. A device is not tested, because a bug could destroy it.
    let pipe = folder.path().join("pipe");
    crate::common::make_fifo(&pipe);
    let reader = {
        let pipe = pipe.clone();
        std::thread::spawn(move || fs::read(pipe).unwrap())
    };
    status(&folder, "warc a.warc -o pipe", 0);
    assert_eq!(objects(&reader.join().unwrap()).len(), 4);
    for line in [
        "warc a.warc --format jsonl -o out.parquet",
        "warc a.warc --format parquet -o out.txt",
        "warc a.warc --compress gz -o out.parquet",
    ] {
        status(&folder, line, 2);
    }
    assert!(!folder.path().join("out.parquet").exists() && !folder.path().join("out.txt").exists());
}

/// Without the feature, an output that would be Parquet is refused and does not appear.
#[test]
#[cfg(not(feature = "parquet"))]
fn parquet_is_refused_where_it_is_not_built_in() {
    let folder = folder(&[("a.warc", &records().concat())]);
    let message = status(&folder, "warc a.warc -o out.parquet", 1);
    assert!(message.contains("feature parquet"), "{message}");
    assert!(!folder.path().join("out.parquet").exists());
}

/// The rows of Parquet are the objects of the JSON lines.
#[test]
#[cfg(feature = "parquet")]
fn rows_of_parquet_are_the_lines_of_json() {
    use arrow_array::Array;
    use arrow_array::cast::AsArray;
    use arrow_array::types::{Float32Type, UInt16Type, UInt64Type};
    use arrow_schema::DataType;

    let mut archive = records().concat();
    archive.extend(answer(
        "http://d.example/8",
        200,
        "text/html; charset=shift_jis",
        "",
        "<p>a\u{FF}\n\u{FF}",
    ));
    let folder = folder(&[("a.warc", &archive), ("b.warc", b"")]);
    let lines = objects(&run_at(folder.path(), "warc a.warc", b"").stdout);
    for line in [
        "warc a.warc -o out.parquet",
        "warc a.warc b.warc -o folder/ --format parquet",
    ] {
        status(&folder, line, 0);
    }
    for name in ["out.parquet", "folder/a.parquet"] {
        let file = fs::File::open(folder.path().join(name)).unwrap();
        let reader =
            parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder::try_new(file).unwrap();
        assert!(
            reader
                .metadata()
                .row_groups()
                .iter()
                .all(|group| group.columns().iter().all(|column| {
                    matches!(column.compression(), parquet::basic::Compression::ZSTD(_))
                }))
        );
        let mut rows: Vec<serde_json::Map<String, Value>> = Vec::new();
        for batch in reader.build().unwrap() {
            let batch = batch.unwrap();
            for row in 0..batch.num_rows() {
                let mut object = serde_json::Map::new();
                for (field, column) in batch.schema().fields().iter().zip(batch.columns()) {
                    let value: Value = match column.data_type() {
                        _ if column.is_null(row) => Value::Null,
                        DataType::Utf8 => column.as_string::<i32>().value(row).into(),
                        DataType::UInt64 => column.as_primitive::<UInt64Type>().value(row).into(),
                        DataType::UInt16 => column.as_primitive::<UInt16Type>().value(row).into(),
                        DataType::Boolean => column.as_boolean().value(row).into(),
                        DataType::Float32 => {
                            let value = f64::from(column.as_primitive::<Float32Type>().value(row));
                            ((value * 1e4).round() / 1e4).into()
                        }
                        other => panic!("{other}"),
                    };
                    object.insert(field.name().clone(), value);
                }
                rows.push(object);
            }
        }
        let expected: Vec<_> = lines
            .iter()
            .map(|line| {
                let mut line = line.as_object().unwrap().clone();
                let words: Vec<_> = line["disagreements"]
                    .as_array()
                    .unwrap()
                    .iter()
                    .map(|word| word.as_str().unwrap().to_owned())
                    .collect();
                line.insert("disagreements".to_owned(), words.join(",").into());
                line
            })
            .collect();
        assert_eq!(rows.len(), 5);
        assert_eq!(rows, expected, "{name}");
    }
    let file = fs::File::open(folder.path().join("folder/b.parquet")).unwrap();
    let empty =
        parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder::try_new(file).unwrap();
    assert_eq!(
        (
            empty.metadata().file_metadata().num_rows(),
            empty.schema().fields().len()
        ),
        (0, 27)
    );
    assert_eq!(empty.metadata().num_row_groups(), 0);
}

#[test]
fn files_of_a_folder_are_documents() {
    let euc = mojika::EUC_JP.encode("文字化け").unwrap();
    let late = [
        b"<!--",
        &b"x".repeat(2000)[..],
        b"--><meta charset=euc-jp><p>",
        &euc,
    ]
    .concat();
    let folder = folder(&[
        ("site/a b/late.html", &late),
        ("site/style.css", b"@charset 'koi8-r';"),
        ("site/packed.txt.gz", &gzip("пример".as_bytes())),
        ("site/picture.png", b"\x89PNG\r\n\x1A\n\0\0"),
        ("site/noname", b"<!doctype html><p>one"),
        ("site/empty.html", b" \n"),
        ("site/.mojika-1-2f-0.tmp", b"an incomplete file"),
    ]);
    let run = run_at(folder.path(), "pages site --base https://a.example/", b"").ends(0);
    let lines = objects(&run.stdout);
    let found: Vec<_> = lines
        .iter()
        .map(|line| ["url", "encoding", "source"].map(|key| line[key].as_str().unwrap().to_owned()))
        .collect();
    let expected = [
        ["https://a.example/a%20b/late.html", "EUC-JP", "meta"],
        ["https://a.example/noname", "UTF-8", "default"],
        ["https://a.example/packed.txt.gz", "UTF-8", "detection"],
        ["https://a.example/style.css", "UTF-8", "default"],
    ];
    assert_eq!(found.len(), 4, "{found:?}");
    assert_eq!(found[0], expected[0]);
    for (found, expected) in found.iter().zip(&expected) {
        assert_eq!(found[0], expected[0]);
    }
    assert_eq!(
        lines[0]["text"]
            .as_str()
            .unwrap()
            .chars()
            .rev()
            .take(4)
            .collect::<String>(),
        "け化字文"
    );
    assert_eq!(
        (
            &lines[0]["archive"],
            &lines[0]["offset"],
            &lines[0]["length"]
        ),
        (&"late.html".into(), &0.into(), &late.len().into())
    );
    assert_eq!(lines[2]["text"], "пример");
    for part in ["6 files", "an empty body", "1  no text: "] {
        assert!(run.stderr.contains(part), "{part}: {}", run.stderr);
    }
    assert_eq!(taken(&folder, "pages site --mime text/css").0, "s");
    assert_eq!(
        taken(&folder, "pages site --url *.html --keep-empty")
            .0
            .len(),
        2
    );
    status(&folder, "pages site -o out/", 2);
    status(&folder, "pages site --format warc-utf8", 2);
    status(&folder, "pages site/none.html", 1);
    status(&folder, "pages site --format wet -o pages.warc.wet.gz", 0);
}
