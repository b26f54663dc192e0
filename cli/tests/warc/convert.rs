//! `mojika warc`: archives in every form, and the results for their documents.
#![cfg(all(unix, feature = "warc"))]

use crate::common::archives::{gzip, lines, page, record, response, texts, zstd};
use crate::common::has;
use crate::common::tree::{bash, read, run, status};
use std::fs;
use std::io::{Read, Write};
use tempfile::TempDir;

#[test]
fn bodies_are_read_in_every_compression() {
    let records = [page("一"), page("二"), page("")];
    let whole = records.concat();
    let per_record: Vec<u8> = records.iter().flat_map(|one| gzip(one)).collect();
    let frames: Vec<u8> = records.iter().flat_map(|one| zstd(one)).collect();
    for archive in [whole.clone(), gzip(&whole), per_record, frames] {
        assert_eq!(texts(&archive, 0), ["一", "二", ""]);
    }
}

#[test]
fn zstandard_frames_have_the_dictionary_of_their_archive() {
    let dictionary = page("a dictionary of plain content, as Zstandard allows it");
    // The dictionary may be compressed itself.
    for stored in [dictionary.clone(), zstd(&dictionary)] {
        let mut archive = vec![0x5D, 0x2A, 0x4D, 0x18];
        archive.extend(u32::try_from(stored.len()).unwrap().to_le_bytes());
        archive.extend(&stored);
        for text in ["一", "二"] {
            let mut encoder =
                zstd::stream::write::Encoder::with_dictionary(Vec::new(), 3, &dictionary).unwrap();
            encoder.write_all(&page(text)).unwrap();
            archive.extend(encoder.finish().unwrap());
        }
        assert_eq!(texts(&archive, 0), ["一", "二"]);
    }
}

pub fn brotli(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = brotli::CompressorReader::new(bytes, 4096, 5, 20);
    let mut output = Vec::new();
    encoder.read_to_end(&mut output).unwrap();
    output
}

/// Compresses to "deflate": the format of zlib by RFC 9110, or, as from some servers, raw data.
pub fn deflate(bytes: &[u8], is_zlib: bool) -> Vec<u8> {
    let mut output = Vec::new();
    if is_zlib {
        let mut encoder = flate2::read::ZlibEncoder::new(bytes, flate2::Compression::default());
        encoder.read_to_end(&mut output).unwrap();
    } else {
        let mut encoder = flate2::read::DeflateEncoder::new(bytes, flate2::Compression::default());
        encoder.read_to_end(&mut output).unwrap();
    }
    output
}

#[test]
fn header_lines_may_be_latin_1_and_bodies_without_length_or_bytes() {
    let head = b"HTTP/1.0 200 tr\xE8s bien\r\nX-Name: caf\xE9\r\n folded\r\nno colon\r\nContent-Type: text/html; charset=gbk";
    let (found, _) = lines(&response(head, b"\xD7\xD6"), 0);
    assert_eq!(found[0]["text"], "字");
    assert_eq!(found[0]["status"], 200);
    let empty = response("HTTP/1.1 204 No Content\r\nContent-Type: text/html", b"");
    // A response without a header, and a resource without any bytes.
    let bare = record("response", "application/http", b"");
    let resource = record("resource", "text/plain", b"");
    let archive = [empty, bare, resource].concat();
    for archive in [archive.clone(), gzip(&archive)] {
        let (found, summary) = lines(&archive, 0);
        let texts: Vec<_> = found
            .iter()
            .map(|one| one["text"].as_str().unwrap())
            .collect();
        assert_eq!(texts, ["", ""], "{summary}");
        has(&summary, "1  no text: application/http");
    }
}

#[test]
fn addresses_and_fields_of_old_archives_are_latin_1() {
    let record = page("x");
    let record = String::from_utf8(record).unwrap();
    let record = record.replace("http://a.example/", "<http://a.example/é>");
    let record: Vec<u8> = record
        .chars()
        .map(|one| u8::try_from(one).unwrap())
        .collect();
    let (found, _) = lines(&record, 0);
    assert_eq!(found[0]["url"], "http://a.example/é");
}

#[test]
fn a_few_malformed_bytes_do_not_make_utf_8_another_encoding() {
    let body = ["é".repeat(40).as_bytes(), b"\xFF"].concat();
    let head = "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8";
    let (found, _) = lines(&response(head, &body), 0);
    assert_eq!(found[0]["bytes"], "UTF-8");
    assert_eq!(found[0]["disagreements"], serde_json::json!([]));
    assert_eq!(found[0]["replaced"], 1);
    assert_eq!(found[0]["first_error"], 80);
    // Detection does not contradict a declaration of Latin-1.
    let (found, _) = lines(&response(head, &b"caf\xE9 ".repeat(40)), 0);
    assert_eq!(
        found[0]["disagreements"],
        serde_json::json!(["header-bytes"])
    );
}

fn folder() -> TempDir {
    let body = b"<meta charset=sjis><p>\x95\xB6\x8E\x9A</p>";
    let page = gzip(&response(
        "HTTP/1.1 200 OK\r\nContent-Type: text/html",
        body,
    ));
    crate::common::tree::folder(&[("in/a.warc.gz", &page), ("in/b.warc.gz", &page)])
}

#[test]
fn archives_are_written_as_they_are_read() {
    let folder = folder();
    status(
        &folder,
        "warc in/a.warc.gz --format wet --text plain -o a.wet.gz",
        0,
    );
    let utf_8 = run(&folder, "warc in/a.warc.gz --format warc-utf8").ends(0);
    let (found, _) = lines(&utf_8.stdout, 0);
    assert_eq!(found[0]["text"], "<meta charset=utf-8><p>文字</p>");
    assert_eq!(found[0]["content_type"], "text/html; charset=utf-8");
    assert_eq!(found[0]["disagreements"], serde_json::json!([]));
    let mut text = String::new();
    let file = read(&folder, "a.wet.gz");
    flate2::read::MultiGzDecoder::new(&file[..])
        .read_to_string(&mut text)
        .unwrap();
    assert!(text.contains("WARC-Type: conversion"), "{text}");
    assert!(text.contains("\r\n\r\n文字\r\n\r\n"), "{text}");
    assert!(!text.contains("WARC-Date: 1970"), "{text}");
}

#[test]
fn with_a_fixed_date_output_is_the_same() {
    let folder = folder();
    for (seconds, date) in [
        ("86400", "1970-01-02T00:00:00Z"),
        ("1790000000", "2026-09-21T14:13:20Z"),
    ] {
        let output = crate::common::mojika()
            .args(["warc", "in/a.warc.gz", "--format", "wet"])
            .env("SOURCE_DATE_EPOCH", seconds)
            .current_dir(folder.path())
            .output()
            .unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        has(
            &text,
            &format!("WARC-Type: warcinfo\r\nWARC-Date: {date}\r\n"),
        );
    }
}

#[test]
fn a_report_replaces_no_archive_and_no_output() {
    let folder = folder();
    let archive = read(&folder, "in/a.warc.gz");
    for (line, said) in [
        ("in/a.warc.gz -o v --report in/a.warc.gz", "is an input"),
        ("- -o v --report in/a.warc.gz", "is an input"),
        ("in/a.warc.gz -o v --report v", "v: is the output"),
        ("in/a.warc.gz -o . --report in/b.warc.gz", "is a file of .,"),
    ] {
        let run = bash(folder.path(), &format!("mojika warc {line} <in/a.warc.gz"));
        assert_eq!(run.status, 2, "{line}: {}", run.stderr);
        assert!(run.stderr.contains(said), "{line}: {}", run.stderr);
        assert_eq!(read(&folder, "in/a.warc.gz"), archive, "{line}");
        assert!(!folder.path().join("v").exists(), "{line}");
    }
    fs::create_dir(folder.path().join("out")).unwrap();
    let line = "warc in -o out/ --force --report out/a.jsonl";
    let message = status(&folder, line, 1);
    assert!(message.contains("would replace the report"), "{message}");
    let message = status(&folder, "pages in -o v --report in/a.warc.gz", 2);
    assert!(message.contains("is an input"), "{message}");
}

#[test]
fn each_archive_has_a_line_in_the_report() {
    let folder = folder();
    let report = |options: &str, expected: i32| -> Vec<serde_json::Value> {
        let line = format!("warc in/a.warc.gz in/b.warc.gz {options} --report report.jsonl");
        let run = run(&folder, &line);
        assert_eq!(run.status, expected, "{}", run.stderr);
        let report = String::from_utf8(read(&folder, "report.jsonl")).unwrap();
        report
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect()
    };
    for (options, output) in [
        ("", None),
        ("-o out.jsonl", Some("out.jsonl")),
        ("-o out/", Some("out/a.jsonl")),
    ] {
        let mut lines = report(options, 0);
        lines.sort_by_key(|line| line["path"].to_string());
        assert_eq!(lines.len(), 2, "{options}");
        for (line, path) in lines.iter().zip(["in/a.warc.gz", "in/b.warc.gz"]) {
            assert_eq!(line["path"], path, "{options}");
            assert_eq!(line["status"], "converted", "{options}");
            let length = read(&folder, path).len();
            assert_eq!(line["bytes_in"], length, "{options}");
            assert!(
                line["bytes_out"].as_u64().unwrap() > 100,
                "{options}: {line}"
            );
            assert!(line["seconds"].is_number(), "{options}");
        }
        assert_eq!(lines[0]["output"].as_str(), output, "{options}");
    }
    for archive in ["in/a.warc.gz", "in/b.warc.gz"] {
        let whole = read(&folder, archive);
        std::fs::write(folder.path().join(archive), &whole[..whole.len() - 3]).unwrap();
    }
    // Each archive is told its own damage.
    for line in report("", 1) {
        assert_eq!(line["reason"], "1 damaged place left out");
    }
    // One archive is missing, so the one output file of all archives is not created.
    std::fs::remove_file(folder.path().join("in/b.warc.gz")).unwrap();
    let lines = report("-o none.jsonl", 1);
    assert_eq!(lines[0]["status"], "failed");
    assert!(
        lines[1]["reason"]
            .as_str()
            .unwrap()
            .contains("in/b.warc.gz"),
        "{}",
        lines[1]
    );
    assert!(!folder.path().join("none.jsonl").exists());
    let message = status(&folder, "warc in/a.warc.gz --report -", 2);
    assert!(message.contains("write the report to a file"), "{message}");
    let message = status(&folder, "warc in/a.warc.gz --report no/report.jsonl", 1);
    assert!(message.contains("no/report.jsonl"), "{message}");
}
