//! The summary and the report of `mojika warc`, and the page that it prints.

use crate::common::archives::{gzip, page, record, record_of_length, response, zstd};
use crate::common::run_at;
use crate::common::tree::{folder, read};
use crate::{replayed, snapshot, stable};
use std::path::Path;

fn told(path: &Path, line: &str) -> String {
    let run = run_at(path, line, b"");
    stable(&format!(
        "$ mojika {line}\n{}status {}\n",
        run.stderr, run.status
    ))
}

/// Returns two records for each case: a document, a disagreement, a replacement, a record that is not a document, a
/// record that is too long, and damage.
fn every_kind() -> Vec<u8> {
    let header = "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=windows-1251";
    let russian = mojika::WINDOWS_1251
        .encode("<p>Вечером на веранде</p>")
        .unwrap();
    let mut records = Vec::new();
    for _ in 0..2 {
        records.push(page("one"));
        records.push(response(header, &russian));
        records.push(response(
            header,
            "<meta charset=koi8-r><p>Вечером</p>".as_bytes(),
        ));
        records.push(page(&("é".repeat(40) + "two")).replace_last(b"two", b"\xFFwo"));
        records.push(record("warcinfo", "application/warc-fields", b"a: b\r\n"));
        records.push(record("resource", "image/png", b"\x89PNG\r\n\x1A\n"));
        records.push(page(&"long ".repeat(400)));
        // The record is shorter than its header states.
        records.push(record_of_length("resource", "text/plain", b"short", 500));
    }
    records.push(page("end"));
    records.concat()
}

trait ReplaceLast {
    fn replace_last(self, from: &[u8], to: &[u8]) -> Self;
}

impl ReplaceLast for Vec<u8> {
    fn replace_last(mut self, from: &[u8], to: &[u8]) -> Self {
        let at = self
            .windows(from.len())
            .rposition(|part| part == from)
            .unwrap();
        self.splice(at..at + from.len(), to.iter().copied());
        self
    }
}

#[test]
fn summaries_reports_and_pages_of_archives() {
    let none = record("warcinfo", "application/warc-fields", b"a: b\r\n");
    let tree = folder(&[
        ("none.warc", &none),
        ("one.warc", &page("one")),
        ("all/1.warc", &every_kind()),
        ("all/2.warc", &every_kind()),
    ]);
    let said = replayed("warc.txt", |line| told(tree.path(), line));
    snapshot("warc.txt", &said.join("\n"));
    let lines = String::from_utf8(read(&tree, "out/1.jsonl")).unwrap();
    snapshot("warc.lines.txt", &stable(&lines));
}

/// Each kind of damage has its own message, position and extent.
#[test]
fn damage_says_where_and_what() {
    let text = page("one");
    let (gzip, zstd) = (gzip(&text), zstd(&text));
    let changed = |bytes: &[u8], from_end: usize| {
        let mut changed = bytes.to_vec();
        let at = changed.len() - from_end;
        changed[at] ^= 0x55;
        changed
    };
    let mut deflate = gzip.clone();
    deflate[12..20].fill(0xFF);
    let head = |fields: &str| format!("WARC/1.0\r\n{fields}\r\n\r\ntext\r\n\r\n").into_bytes();
    let skippable = |magic: u32, length: u32, bytes: &[u8]| {
        [&magic.to_le_bytes()[..], &length.to_le_bytes(), bytes].concat()
    };
    let frame = |length, bytes: &[u8]| skippable(0x184D_2A50, length, bytes);
    let dictionary = |bytes: &[u8]| skippable(0x184D_2A5D, bytes.len() as u32, bytes);
    let cut = |bytes: &[u8], length: usize| bytes[..length].to_vec();
    let rows: [(&str, Vec<u8>); 25] = [
        ("checksum", changed(&gzip, 8)),
        ("length", changed(&gzip, 4)),
        ("deflate", deflate),
        ("gzip-cut", cut(&gzip, gzip.len() / 2)),
        ("gzip-header", cut(&gzip, 5)),
        ("zstd", changed(&zstd, 6)),
        ("zstd-cut", cut(&zstd, zstd.len() / 2)),
        ("zstd-window", b"\x28\xB5\x2F\xFD\x00\xFF\0\0\0".to_vec()),
        (
            "frame-cut",
            [&zstd[..], &frame(100, b"ten bytes.")].concat(),
        ),
        (
            "frame-odd",
            [&frame(3, b"abc"), &b"xyz"[..], &zstd].concat(),
        ),
        (
            "dictionary",
            [&dictionary(b"\x28\xB5\x2F\xFDno")[..], &zstd].concat(),
        ),
        ("dictionary-cut", cut(&dictionary(&[0; 100]), 50)),
        // A dictionary of the maximum length, and one that is longer.
        ("dictionary-long", skippable(0x184D_2A5D, 16 << 20, b"no")),
        (
            "dictionary-longer",
            skippable(0x184D_2A5D, (16 << 20) + 1, b"no"),
        ),
        ("nothing-known", b"neither a record nor a member".to_vec()),
        ("between", [&gzip[..], b"between", &gzip].concat()),
        (
            "no-length",
            [&head("WARC-Type: resource")[..], &text].concat(),
        ),
        (
            "bad-length",
            [
                &head("WARC-Type: resource\r\nContent-Length: 4x")[..],
                &text,
            ]
            .concat(),
        ),
        ("no-end", b"WARC/1.0\r\nWARC-Type: resource\r\n".to_vec()),
        (
            "long-head",
            head(&format!("A: {}\r\nContent-Length: 4", "x".repeat(70_000))),
        ),
        ("no-record", [b"no record\r\n\r\n", &text[..]].concat()),
        (
            "short",
            record_of_length("resource", "text/plain", b"short", 500),
        ),
        // A record that is too long to be kept is skipped.
        (
            "short-skipped",
            [
                self::gzip(&record_of_length("metadata", "a/b", b"short", 9 << 20)),
                gzip.clone(),
            ]
            .concat(),
        ),
        // The message has the address of the lost record, not of the one before it.
        (
            "no-address",
            [&text[..], b"WARC/1.0\r\nA: b\r\n\r\n", &text].concat(),
        ),
        ("empty", Vec::new()),
    ];
    let files = rows.map(|(name, bytes)| (format!("{name}.warc"), bytes));
    let files: Vec<_> = files
        .iter()
        .map(|(name, bytes)| (&**name, &**bytes))
        .collect();
    let tree = folder(&files);
    let said: Vec<_> = files
        .iter()
        .map(|(name, _)| told(tree.path(), &format!("warc {name} -o out.jsonl --force")))
        .collect();
    snapshot("damage.txt", &said.concat().replace("\n\ndamaged:\n", "\n"));
}

/// Many truncated bodies, many types, long types, and more rows than a summary shows.
#[test]
fn what_is_too_much_for_a_summary_is_counted() {
    let mut records = Vec::new();
    for number in 0..210 {
        records.push(record(&format!("type{number:03}"), "a/b", b"x"));
    }
    records.push(record(&"é".repeat(150), "a/b", b"x"));
    records.push(response(
        "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked",
        b"5\r\nabc",
    ));
    let labels = [
        "koi8-r",
        "big5",
        "gbk",
        "euc-jp",
        "shift_jis",
        "euc-kr",
        "windows-1250",
        "windows-1251",
        "windows-1253",
        "windows-1254",
        "windows-1255",
        "windows-1256",
        "windows-1257",
        "windows-1258",
        "iso-8859-2",
        "iso-8859-3",
        "iso-8859-4",
        "iso-8859-5",
        "iso-8859-6",
        "iso-8859-7",
        "iso-8859-8",
        "iso-8859-10",
        "macintosh",
    ];
    for (number, label) in labels.iter().enumerate() {
        for _ in 0..=number {
            records.push(response(
                format!("HTTP/1.1 200 OK\r\nContent-Type: text/html; charset={label}"),
                b"<meta charset=windows-874><p>text",
            ));
        }
    }
    let tree = folder(&[("a.warc", &records.concat()), ("b.warc", &records.concat())]);
    let said = told(tree.path(), "warc a.warc -o out.jsonl");
    let both = told(tree.path(), "warc a.warc b.warc -o both.jsonl -j 1");
    let types = |said: &str| said.matches("  type").count();
    assert_eq!((types(&said), types(&both)), (200, 200));
    assert!(both.contains("\n        22  others\n") && both.contains("\n         2  type000\n"));
    let lines: Vec<_> = said
        .lines()
        .filter(|line| !line.contains("  type"))
        .collect();
    snapshot("warc.many.txt", &lines.join("\n"));
}

/// Covers every reason for omitting a document, outputs not kept or not replaced, and more damage than is listed.
#[test]
fn what_is_left_out_or_not_kept_is_said() {
    let html = |status: u32, body: &str| {
        response(
            format!("HTTP/1.1 {status} OK\r\nContent-Type: text/html; charset=utf-8"),
            body.as_bytes(),
        )
    };
    let english = "The quick brown fox jumps over the lazy dog, and the dog sleeps on. ".repeat(4);
    let russian = mojika::WINDOWS_1251
        .encode("Вечером на веранде пили чай с вареньем и говорили о лете, которое прошло. ")
        .unwrap()
        .repeat(4);
    let guessed = response("HTTP/1.1 200 OK\r\nContent-Type: text/html", &russian);
    let archive = [
        html(200, &english),
        html(200, &english),
        html(404, "none"),
        html(404, "none"),
        html(500, "none"),
        html(200, ""),
        record("resource", "text/plain", b"some text"),
        guessed,
    ]
    .concat();
    let damaged = record_of_length("resource", "text/plain", b"short", 500).repeat(22);
    let cut = response(
        "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nTransfer-Encoding: chunked",
        b"9\r\nabc",
    );
    let tree = folder(&[
        ("a.warc", &archive),
        ("sub/a.warc", &page("one")),
        ("sub/a.warc.gz", &gzip(&page("one"))),
        ("damaged.warc", &[&damaged[..], &page("end")].concat()),
        ("out-00007-of-00009.jsonl", b""),
        ("out-7.jsonl", b""),
        ("sized-00009.jsonl", b""),
        (
            "cut/1.warc",
            &[&archive[..], &cut, &page(&"long ".repeat(60))].concat(),
        ),
        (
            "cut/2.warc",
            &[&cut[..], &record("resource", "image/png", b"x"), &archive].concat(),
        ),
        ("kept.jsonl", b"mine"),
        ("site/1.html", b"<p>one"),
        ("site/2.html", b"<p>two"),
        ("image.warc", &record("resource", "image/png", b"x")),
    ]);
    let path = tree.path();
    let mut said = Vec::new();
    for line in [
        "warc a.warc -o 1.jsonl",
        "warc a.warc -o 2.jsonl --status 404 --keep-empty",
        "warc a.warc -o 3.jsonl --status any --keep-empty --url https://* ",
        "warc a.warc -o 4.jsonl --mime text/plain",
        "warc a.warc -o 8.jsonl --dedup digest",
        "warc sub -o out/ -j 1",
        "warc sub -o out/ -j 1",
        "warc sub -o out/ -j 1 --resume",
        "warc damaged.warc -o 10.jsonl",
        "warc damaged.warc -o 11.jsonl -q -v",
        "warc a.warc -o out.jsonl --shards 2",
        "warc a.warc -o out.jsonl --shards 2 --force",
        "warc a.warc -o sized.jsonl --shard-size 1 --force",
        "warc sub/a.warc gone.warc -o 12.jsonl --report report",
        "warc sub/a.warc gone.warc -o s.jsonl --shard-size 1 --report shards",
        "warc sub/a.warc gone.warc -o folder/ -j 1 --report folders",
        "warc sub/a.warc sub/a.warc -o 13.jsonl --report twice",
        "warc sub/a.warc sub/a.warc -j 1 -o both/ --force",
        "warc cut -j 1 -o cut-out/ --max-body 250",
        "warc a.warc sub/a.warc -o bytes.jsonl --shard-size 1 --report bytes",
        "warc a.warc -o kept.jsonl --shards 2",
        "warc sub/a.warc gone.warc --report stdout",
        "pages site --format wet -o site.wet",
        "warc image.warc -o 16.jsonl --report -",
        "pages site -o kept.jsonl",
        "pages site -o kept.jsonl --force",
        "warc sub/a.warc later.warc -j 1 -o again/ --resume=journal --report again.jsonl",
        "warc damaged.warc -o 15.jsonl -q",
        "warc sub/a.warc -o gone/15.jsonl",
    ] {
        said.push(told(path, line.trim_end()));
    }
    // The resumed run keeps the reports of the earlier run, and does not repeat them.
    std::fs::write(path.join("later.warc"), page("later")).unwrap();
    let line = "warc sub/a.warc later.warc -j 1 -o again/ --resume=journal --report again.jsonl";
    said.push(told(path, line));
    let mut reports = Vec::new();
    for report in [
        "report",
        "shards",
        "folders",
        "twice",
        "bytes",
        "stdout",
        "again.jsonl",
    ] {
        let text = String::from_utf8(read(&tree, report)).unwrap();
        for line in text.lines() {
            let mut line: serde_json::Value = serde_json::from_str(line).unwrap();
            line.as_object_mut().unwrap().remove("seconds");
            reports.push(format!("{report}: {line}\n"));
        }
    }
    // One record for all pages, which names the program that made the archive.
    let pages = String::from_utf8(read(&tree, "site.wet")).unwrap();
    assert_eq!(pages.matches("WARC-Type: warcinfo").count(), 1);
    assert_eq!(pages.matches("WARC-Type: conversion").count(), 2);
    said.push(reports.concat());
    snapshot("warc.left.txt", &said.join("\n"));
}

/// Compares all records of both archive formats.
#[test]
fn records_of_archives_that_are_written() {
    let tree = folder(&[
        (
            "a.warc",
            &[page("é"), record("request", "application/http", b"GET")].concat(),
        ),
        ("b\nc.warc", &page("two")),
    ]);
    let mut said = String::new();
    for (line, epoch) in [
        ("warc . --format wet -q -j 1 -o wet/", "0"),
        ("warc a.warc --format warc-utf8", "86399"),
        ("warc a.warc --format wet", "253402300799"),
        ("warc a.warc --format wet", "253402300800"),
    ] {
        let run = crate::common::mojika()
            .args(line.split(' '))
            .current_dir(tree.path())
            .env("SOURCE_DATE_EPOCH", epoch)
            .output()
            .unwrap();
        said += &format!(
            "$ mojika {line}\n{}",
            String::from_utf8(run.stdout).unwrap()
        );
        said += &stable(&String::from_utf8(run.stderr).unwrap());
        said += &format!("status {}\n\n", run.status.code().unwrap());
    }
    let names = crate::common::list(&tree.path().join("wet"));
    for name in names {
        said += &format!("{name:?}:\n");
        said += &String::from_utf8(read(&tree, &format!("wet/{name}"))).unwrap();
    }
    let said = said.replace(
        &format!("mojika/{}", env!("CARGO_PKG_VERSION")),
        "mojika/VERSION",
    );
    let said = said.replace('\r', "");
    // Records that contain the version have another digest and length in each release, so these values are left out.
    let (mut lines, mut changing) = (Vec::new(), 0);
    for line in said.lines() {
        match changing {
            0 => lines.push(line),
            _ => lines.push(line.split_inclusive(' ').next().unwrap_or(line)),
        }
        changing = match line {
            "Content-Type: application/warc-fields" => 2,
            _ => usize::saturating_sub(changing, 1),
        };
    }
    snapshot("warc.records.txt", &(lines.join("\n") + "\n"));
}
