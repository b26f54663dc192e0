//! The effect of single bytes of archives and responses: each is changed by itself.

use super::http;
use super::reader::tests::{stored, zstd_stored};
use super::reader::{Event, Input, Loaded, Reader};
use mojika_spec::snapshot::{
    Answer, Change, END_BEFORE, LEFT_OUT, ONE_MORE, SPACE, TWICE, compare, table,
};
use std::fmt::Write;

const CHANGES: [Change; 5] = [LEFT_OUT, TWICE, ONE_MORE, SPACE, END_BEFORE];
const FEW_CHANGES: [Change; 3] = [LEFT_OUT, ONE_MORE, END_BEFORE];

fn record(number: usize, body: &str) -> String {
    let length = body.len();
    format!(
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.{number}/\r\nContent-Length: {length}\r\n\r\n{body}\r\n\r\n"
    )
}

/// A gzip member with an extra field, a name, a comment and a checksum of its header (RFC 1952, section 2.3).
fn with_all_fields(member: &[u8]) -> Vec<u8> {
    let (header, rest) = member.split_at(10);
    let fields = b"\x04\x00\x1F\x8B\x08\x00name\0comment\0cc";
    let mut header = header.to_vec();
    header[3] = 2 | 4 | 8 | 16;
    [&header[..], fields, rest].concat()
}

/// Returns the records of an archive with their addresses and the lengths of their bodies, and the
/// damage with the offset of the first one.
fn records(archive: &[u8]) -> Answer {
    let mut reader = match Reader::new(Input::stream(archive), 1 << 16, 0) {
        Ok(reader) => reader,
        Err(error) => return (error.to_string(), None),
    };
    let (mut text, mut offset) = (String::new(), None);
    loop {
        let damage = match reader.advance() {
            Ok(Event::End) => return (text, offset),
            Ok(Event::Damage(damage)) => damage,
            Ok(Event::Record) => match reader.load(1000) {
                Ok(Loaded::Yes) => {
                    let url = reader.url().unwrap_or_default();
                    write!(text, "{url} {}; ", reader.body().len()).unwrap();
                    continue;
                }
                Ok(Loaded::TooLong) => {
                    text += "too long; ";
                    continue;
                }
                Ok(Loaded::Damaged(damage)) => damage,
                Err(error) => return (text + &error.to_string(), offset),
            },
            Err(error) => return (text + &error.to_string(), offset),
        };
        offset.get_or_insert(damage.at.file + damage.at.within);
        write!(text, "[{}] ", damage.what).unwrap();
    }
}

#[test]
fn the_bytes_that_matter_in_archives_are_those_reviewed() {
    let plain = [record(1, "one"), record(2, "two\r\n"), record(3, "")].concat();
    let members = [record(1, "one"), record(2, "two")].map(|record| stored(record.as_bytes()));
    let lines = plain.replace("\r\n", "\n");
    let frames = [record(1, "one"), record(2, "two")].map(|record| zstd_stored(record.as_bytes()));
    let skippable = |kind: u8, content: &[u8]| {
        let length = u8::try_from(content.len()).unwrap();
        [&[0x50 | kind, 0x2A, 0x4D, 0x18, length, 0, 0, 0], content].concat()
    };
    // A dictionary is for frames, and a skippable frame may look like a later one.
    let skipped = [
        &skippable(13, b"of bytes alone")[..],
        &frames[0],
        &skippable(13, b"not the first"),
        &skippable(0, b""),
        &frames[1],
        &skippable(15, b"at the end"),
    ];
    compare(
        concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/tests/snapshots/bytes.warc.txt"
        ),
        &[
            table("plain", plain.as_bytes(), "", &CHANGES, records),
            table(
                "with line feeds alone",
                lines.as_bytes(),
                "",
                &CHANGES[..1],
                records,
            ),
            table("gzip", &members.concat(), "", &CHANGES, records),
            table(
                "gzip with all fields of the header",
                &[&members[0], &with_all_fields(&members[1])[..]].concat(),
                "",
                &FEW_CHANGES,
                records,
            ),
            table(
                "Zstandard with skippable frames",
                &skipped.concat(),
                "",
                &FEW_CHANGES,
                records,
            ),
        ]
        .concat(),
    );
}

/// Returns a response's status, the length of its address' type, its body without codings, and the
/// missing part.
fn response(block: &[u8]) -> Answer {
    let Some(response) = http::parse(block) else {
        return ("none".to_owned(), None);
    };
    let plain = response.plain(20);
    let kind = response.head.get("Content-Type").unwrap_or_default();
    let answer = format!(
        "{:?} {} \"{}\" {}",
        response.status,
        kind.escape_ascii(),
        plain.bytes.escape_ascii(),
        plain.damage.unwrap_or_default(),
    );
    (answer, None)
}

#[test]
fn the_bytes_that_matter_in_responses_are_those_reviewed() {
    let coded = |codings: &str, body: &[u8]| {
        let head = format!("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n{codings}\r\n\r\n");
        [head.as_bytes(), body].concat()
    };
    let chunked = coded(
        "Transfer-Encoding: chunked",
        b"5\r\nhello\r\n3 ;a=b\r\n, a\r\n0\r\n\r\n",
    );
    let zipped = coded("content-encoding:gzip", &stored(b"a body"));
    let both = coded(
        "Content-Encoding: identity, x-gzip\r\nTransfer-Encoding: chunked",
        &[b"1d\n", &stored(b"a body")[..], b"\n0\n"].concat(),
    );
    let folded = coded("X: a\r\n b\r\nContent-Encoding: a", b"as it is");
    let tables = [
        ("chunked", chunked),
        ("gzip", zipped),
        ("both", both),
        ("folded", folded),
    ]
    .map(|(label, block)| table(label, &block, "none", &CHANGES, response));
    compare(
        concat!(
            env!("CARGO_MANIFEST_DIR"),
            "/tests/snapshots/bytes.http.txt"
        ),
        &tables.concat(),
    );
}
