//! `mojika warc`: archives in every shape, and what becomes of their documents.
#![cfg(unix)]

mod common;

use common::{Run, list, run_in};
use serde_json::Value;
use std::fs;
use std::io::Write;
use std::path::Path;
use tempfile::TempDir;

/// A record of this type, with a body of the length that its head states.
fn record(kind: &str, content_type: &str, block: &[u8]) -> Vec<u8> {
    record_of_length(kind, content_type, block, block.len())
}

fn record_of_length(kind: &str, content_type: &str, block: &[u8], length: usize) -> Vec<u8> {
    let head = format!(
        "WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: http://a.example/\r\nWARC-Date: 2026-01-01T00:00:00Z\r\n\
         WARC-Record-ID: <urn:uuid:1>\r\nContent-Type: {content_type}\r\nContent-Length: {length}\r\n\r\n"
    );
    [head.as_bytes(), block, b"\r\n\r\n"].concat()
}

fn response(head: &str, body: &[u8]) -> Vec<u8> {
    let block = [head.as_bytes(), b"\r\n\r\n", body].concat();
    record("response", "application/http; msgtype=response", &block)
}

fn page(text: &str) -> Vec<u8> {
    response(
        "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8",
        text.as_bytes(),
    )
}

fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

fn run(folder: &Path, line: &str) -> Run {
    run_in(folder, &line.split_whitespace().collect::<Vec<_>>(), b"")
}

/// The lines for an archive.
fn lines(archive: &[u8], status: i32) -> (Vec<Value>, String) {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.warc"), archive).unwrap();
    let run = run(folder.path(), "warc a.warc");
    assert_eq!(run.status, status, "{}", run.stderr);
    let lines = run
        .stdout
        .split(|&byte| byte == b'\n')
        .filter(|line| !line.is_empty());
    (
        lines
            .map(|line| serde_json::from_slice(line).unwrap())
            .collect(),
        run.stderr,
    )
}

fn texts(archive: &[u8], status: i32) -> Vec<String> {
    let (lines, _) = lines(archive, status);
    lines
        .iter()
        .map(|line| line["text"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn bodies_are_read_in_every_compression() {
    let records = [page("一"), page("二"), page("")];
    let whole = records.concat();
    let per_record: Vec<u8> = records.iter().flat_map(|one| gzip(one)).collect();
    let frames: Vec<u8> = records
        .iter()
        .flat_map(|one| zstd::encode_all(&one[..], 0).unwrap())
        .collect();
    for archive in [whole.clone(), gzip(&whole), per_record, frames] {
        assert_eq!(texts(&archive, 0), ["一", "二", ""]);
    }
}

#[test]
fn zstandard_frames_have_the_dictionary_of_their_archive() {
    let dictionary = page("a dictionary of plain content, as Zstandard allows it");
    let mut archive = vec![0x5D, 0x2A, 0x4D, 0x18];
    archive.extend(u32::try_from(dictionary.len()).unwrap().to_le_bytes());
    archive.extend(&dictionary);
    for text in ["一", "二"] {
        let mut encoder =
            zstd::stream::write::Encoder::with_dictionary(Vec::new(), 3, &dictionary).unwrap();
        encoder.write_all(&page(text)).unwrap();
        archive.extend(encoder.finish().unwrap());
    }
    assert_eq!(texts(&archive, 0), ["一", "二"]);
}

#[test]
fn codings_are_undone() {
    let text = "<p>文字</p>";
    let rows = [
        (
            "Transfer-Encoding: chunked",
            b"4\r\n<p>\xE6\r\nA;x=y\r\n\x96\x87\xE5\xAD\x97</p>\n\r\n0\r\n\r\n".to_vec(),
        ),
        ("Transfer-Encoding: chunked", text.into()),
        ("Content-Encoding: gzip", gzip(text.as_bytes())),
        ("Content-Encoding: gzip", text.into()),
        (
            "content-encoding: zstd",
            zstd::encode_all(text.as_bytes(), 0).unwrap(),
        ),
        ("X-Name: \u{e9}", text.into()),
    ];
    for (field, body) in rows {
        let head = format!("HTTP/1.0 200 OK\r\nContent-Type: text/html\r\n{field}");
        let texts = texts(&response(&head, &body), 0);
        assert_eq!(texts[0].trim_end(), text, "{field}");
    }
}

#[test]
fn lies_are_flagged_and_browsers_obeyed() {
    let head = "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=windows-1252";
    let (found, summary) = lines(&response(head, "<meta charset=gbk>é".as_bytes()), 0);
    assert_eq!(found[0]["encoding"], "windows-1252");
    assert_eq!(found[0]["source"], "transport");
    assert_eq!(found[0]["text"], "<meta charset=gbk>Ã©");
    let all = serde_json::json!(["header-document", "header-bytes", "document-bytes"]);
    assert_eq!(found[0]["disagreements"], all);
    assert!(
        summary.contains("1 document with a disagreement"),
        "{summary}"
    );
}

#[test]
fn other_records_are_counted() {
    let archive = [
        record("warcinfo", "application/warc-fields", b"software: x\r\n"),
        record(
            "request",
            "application/http; msgtype=request",
            b"GET / HTTP/1.0\r\n\r\n",
        ),
        record(
            "revisit",
            "application/http; msgtype=response",
            b"HTTP/1.1 200 OK\r\n\r\n",
        ),
        record("resource", "text/plain; charset=sjis", b"\x95\xB6"),
        response("HTTP/1.1 200 OK\r\nContent-Type: image/png", b"\x89PNG"),
    ];
    let (found, summary) = lines(&archive.concat(), 0);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0]["text"], "文");
    for line in [
        "1  warcinfo",
        "1  request",
        "1  revisit",
        "1  no text: image/png",
    ] {
        assert!(summary.contains(line), "{line}: {summary}");
    }
}

#[test]
fn damage_is_reported_and_the_rest_is_read() {
    let (one, two) = (gzip(&page("一")), gzip(&page("二")));
    let mut flipped = two.clone();
    flipped[40] ^= 0x55;
    let long = record_of_length(
        "response",
        "application/http",
        b"HTTP/1.1 200 OK\r\n\r\n",
        5000,
    );
    let short = record_of_length(
        "response",
        "application/http",
        b"HTTP/1.1 200 OK\r\n\r\nabc",
        10,
    );
    let at = one.len();
    let rows = [
        ("flipped", [&one[..], &flipped, &one].concat(), 2),
        (
            "cut short",
            [&one[..], &two[..two.len() / 2], &one].concat(),
            2,
        ),
        ("garbage", [&one[..], b"garbage", &one].concat(), 2),
        ("too long", [&one[..], &gzip(&long), &one].concat(), 2),
        ("too short", [&one[..], &gzip(&short), &one].concat(), 2),
        (
            "the end is cut off",
            [&one[..], &two[..two.len() - 3]].concat(),
            1,
        ),
    ];
    for (name, archive, left) in rows {
        let (found, summary) = lines(&archive, 1);
        assert_eq!(found.len(), left, "{name}: {summary}");
        let offset = format!("a.warc: byte offset {at}: ");
        assert!(summary.contains(&offset), "{name}: {summary}");
    }
    // The same without compression.
    let (one, at) = (page("一"), page("一").len());
    for damaged in [long, short, b"garbage\r\n\r\n".to_vec()] {
        let (found, summary) = lines(&[&one[..], &damaged, &one].concat(), 1);
        assert_eq!(found.len(), 2, "{summary}");
        assert!(
            summary.contains(&format!("byte offset {at}: ")),
            "{summary}"
        );
    }
}

fn folder() -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::create_dir(folder.path().join("in")).unwrap();
    for name in ["a", "b"] {
        let body = b"<meta charset=sjis><p>\x95\xB6\x8E\x9A</p>";
        let page = response("HTTP/1.1 200 OK\r\nContent-Type: text/html", body);
        let path = folder.path().join(format!("in/{name}.warc.gz"));
        fs::write(path, gzip(&page)).unwrap();
    }
    folder
}

#[test]
fn archives_of_a_folder_have_their_outputs() {
    let folder = folder();
    let at = |line: &str| run(folder.path(), line);
    let first = at("warc in -o out/ -j 2");
    assert_eq!(first.status, 0, "{}", first.stderr);
    assert_eq!(
        list(&folder.path().join("out")),
        [".mojika-journal", "a.jsonl", "b.jsonl"]
    );
    let again = at("warc in -o out/");
    assert!(
        again.status == 1 && again.stderr.contains("--force"),
        "{}",
        again.stderr
    );
}

#[test]
fn archives_are_written_as_they_are_read() {
    let folder = folder();
    let wet = run(
        folder.path(),
        "warc in/a.warc.gz --format wet --text plain -o a.wet.gz",
    );
    assert_eq!(wet.status, 0, "{}", wet.stderr);
    let utf_8 = run(folder.path(), "warc in/a.warc.gz --format warc-utf8");
    assert_eq!(utf_8.status, 0, "{}", utf_8.stderr);
    let (found, _) = lines(&utf_8.stdout, 0);
    assert_eq!(found[0]["text"], "<meta charset=utf-8><p>文字</p>");
    assert_eq!(found[0]["content_type"], "text/html; charset=utf-8");
    assert_eq!(found[0]["disagreements"], serde_json::json!([]));
    let mut text = String::new();
    let file = fs::File::open(folder.path().join("a.wet.gz")).unwrap();
    std::io::Read::read_to_string(&mut flate2::read::MultiGzDecoder::new(file), &mut text).unwrap();
    assert!(text.contains("WARC-Type: conversion"), "{text}");
    assert!(text.contains("\r\n\r\n文字\r\n\r\n"), "{text}");
}
