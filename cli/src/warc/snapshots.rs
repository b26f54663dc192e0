//! Which bytes of archives and responses matter: each changed by itself, and what is read then.

use super::http;
use super::reader::tests::stored;
use super::reader::{Event, Input, Loaded, Reader};
use mojika_spec::snapshot::{
    Answer, Change, END_BEFORE, LEFT_OUT, ONE_MORE, SPACE, TWICE, compare, table,
};
use std::fmt::Write;

const CHANGES: [Change; 5] = [LEFT_OUT, TWICE, ONE_MORE, SPACE, END_BEFORE];

fn record(number: usize, body: &str) -> String {
    let length = body.len();
    format!(
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.{number}/\r\nContent-Length: {length}\r\n\r\n{body}\r\n\r\n"
    )
}

/// The records of an archive with their addresses and the lengths of their bodies, and what is damaged; the offset of the first
/// damage.
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
        ]
        .concat(),
    );
}

/// A response's status, the length of its address' type, its body without codings, and what is missing.
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
