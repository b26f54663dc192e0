//! Web archives in memory, and their records as `mojika warc` reads them.

#![allow(dead_code, reason = "not every test file needs every helper")]

use super::run_in;
use serde_json::Value;
use std::fs;
use std::io::Write;

/// Returns a record of this type, with a body of the length in its header.
pub fn record(kind: &str, content_type: &str, block: &[u8]) -> Vec<u8> {
    record_of_length(kind, content_type, block, block.len())
}

pub fn record_of_length(kind: &str, content_type: &str, block: &[u8], length: usize) -> Vec<u8> {
    let head = format!(
        "WARC/1.0\r\nWARC-Type: {kind}\r\nWARC-Target-URI: http://a.example/\r\nWARC-Date: 2026-01-01T00:00:00Z\r\n\
         WARC-Record-ID: <urn:uuid:1>\r\nContent-Type: {content_type}\r\nContent-Length: {length}\r\n\r\n"
    );
    [head.as_bytes(), block, b"\r\n\r\n"].concat()
}

/// Returns the record of a response with these header lines, without the last line end, and this body.
pub fn response(head: impl AsRef<[u8]>, body: &[u8]) -> Vec<u8> {
    let block = [head.as_ref(), b"\r\n\r\n", body].concat();
    record("response", "application/http; msgtype=response", &block)
}

/// Returns a page in UTF-8.
pub fn page(text: &str) -> Vec<u8> {
    response(
        "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8",
        text.as_bytes(),
    )
}

pub fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(bytes).unwrap();
    encoder.finish().unwrap()
}

pub fn zstd(bytes: &[u8]) -> Vec<u8> {
    zstd::encode_all(bytes, 0).unwrap()
}

/// Returns the lines for an archive, and standard error.
#[track_caller]
pub fn lines(archive: &[u8], status: i32) -> (Vec<Value>, String) {
    let folder = super::tree::fast_folder();
    fs::write(folder.path().join("a.warc"), archive).unwrap();
    let all = ["warc", "--status", "any", "--keep-empty", "a.warc"];
    let run = run_in(folder.path(), &all, b"");
    assert_eq!(run.status, status, "{}", run.stderr);
    let lines = run.stdout.split(|&byte| byte == b'\n');
    let lines = lines.filter(|line| !line.is_empty());
    let values = lines.map(|line| serde_json::from_slice(line).unwrap());
    (values.collect(), run.stderr)
}

/// Returns the text of each document that `mojika warc` finds in an archive; checks the status.
#[track_caller]
pub fn texts(archive: &[u8], status: i32) -> Vec<String> {
    let (lines, _) = lines(archive, status);
    let texts = lines.iter().map(|line| line["text"].as_str().unwrap());
    texts.map(str::to_owned).collect()
}
