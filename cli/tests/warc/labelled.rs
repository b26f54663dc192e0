//! The records of `--format warc-utf8`: changed fields, and unchanged ones.

use crate::common::run_at;
use std::fs;

/// Returns the records of an archive in UTF-8, as text.
#[track_caller]
fn labelled(archive: &[u8]) -> String {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.warc"), archive).unwrap();
    let run = run_at(folder.path(), "warc a.warc --format warc-utf8", b"").ends(0);
    let text = String::from_utf8(run.stdout).unwrap();
    // The first record, which names the program that made the archive, is left out.
    let (_, records) = text.split_once("isPartOf: a.warc\r\n\r\n\r\n").unwrap();
    records.to_owned()
}

/// Returns a record with these fields before the field for its length.
fn record(fields: &str, block: &[u8]) -> Vec<u8> {
    let head = format!(
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: http://a.example/\r\n{fields}Content-Length: {}\r\n\r\n",
        block.len()
    );
    [head.as_bytes(), block, b"\r\n\r\n"].concat()
}

const HTTP: &str = "Content-Type: application/http; msgtype=response\r\n";

/// The payload digest covers `<p>Вечер</p>` in UTF-8, and the block digest covers the content of the new record. Another
/// program has computed both.
#[test]
fn lengths_and_digests_are_those_of_the_new_record() {
    let body = mojika::WINDOWS_1251.encode("<p>Вечер</p>").unwrap();
    let head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=windows-1251\r\nContent-Length: 12\r\n\r\n";
    let fields = |block, payload| {
        format!("{HTTP}WARC-Block-Digest: sha1:{block}\r\nwarc-payload-digest: sha1:{payload}\r\n")
    };
    let archive = record(&fields("OLD", "OLD"), &[head, &body[..]].concat());
    let block = "HTTP/1.1 200 OK\r\nX-Crawler-Content-Type: text/html; charset=windows-1251\r\n\
                 Content-Type: text/html; charset=utf-8\r\nX-Crawler-Content-Length: 12\r\n\
                 Content-Length: 17\r\n\r\n<p>Вечер</p>";
    let fields = fields(
        "JC24XNOXUIP7BTB75MAJ36RCQQNOXCWF",
        "4GX5R43LB5TRJVDM6VIMV5DCR3Q5XNQ7",
    )
    .replace("warc-payload-digest", "WARC-Payload-Digest");
    let expected = record(&fields, block.as_bytes());
    assert_eq!(labelled(&archive), String::from_utf8(expected).unwrap());
}

/// If a field no longer applies, its value is kept under another name. The type keeps its other parameters.
#[test]
fn fields_of_the_response_say_what_is_in_the_record() {
    let new = |fields: &str| {
        format!("HTTP/1.1 200 OK\r\n{fields}Content-Length: 12\r\n\r\n<p>caf\u{E9}</p>")
    };
    for (old, fields) in [
        (
            "Server: x\r\nContent-Type: text/html; a=b ;charset=iso-8859-1; c=d\r\nX-Long: 1\r\n 2\r\n",
            "Server: x\r\nX-Crawler-Content-Type: text/html; a=b ;charset=iso-8859-1; c=d\r\n\
             Content-Type: text/html; a=b; c=d; charset=utf-8\r\nX-Long: 1\r\n 2\r\n",
        ),
        // Nothing states the type.
        (
            "Server: x\r\n",
            "Server: x\r\nContent-Type: text/html; charset=utf-8\r\n",
        ),
        // The type is stated twice; the last one decides.
        (
            "Content-Type: text/plain; charset=iso-8859-1\r\ncontent-type: text/html; charset=iso-8859-1\r\n",
            "X-Crawler-Content-Type: text/plain; charset=iso-8859-1\r\nContent-Type: text/html; charset=utf-8\r\n\
             X-Crawler-content-type: text/html; charset=iso-8859-1\r\n",
        ),
        (
            "content-encoding: identity\r\nTransfer-Encoding: identity\r\nContent-Type: text/html\r\n",
            "X-Crawler-content-encoding: identity\r\nX-Crawler-Transfer-Encoding: identity\r\n\
             X-Crawler-Content-Type: text/html\r\nContent-Type: text/html; charset=utf-8\r\n",
        ),
    ] {
        let block = [
            b"HTTP/1.1 200 OK\r\n",
            old.as_bytes(),
            b"\r\n<p>caf\xE9</p>",
        ]
        .concat();
        let expected = record(HTTP, new(fields).as_bytes());
        let expected = String::from_utf8(expected).unwrap();
        assert_eq!(labelled(&record(HTTP, &block)), expected, "{old}");
    }
    // A correct label stays.
    let block = "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: 12\r\n\r\n<p>café</p>";
    let expected = record(HTTP, block.as_bytes());
    assert_eq!(labelled(&expected), String::from_utf8(expected).unwrap());
}

/// The type of a resource is in a field of the record itself. A record that is not a document is copied.
#[test]
fn resources_are_labelled_in_the_record_and_others_are_copied() {
    let fields = |kind: &str| format!("WARC-Record-ID: <urn:uuid:1>\r\nContent-Type: {kind}\r\n");
    let archive = record(&fields("text/plain; charset=iso-8859-1"), b"caf\xE9");
    let expected = record(&fields("text/plain; charset=utf-8"), "café".as_bytes());
    assert_eq!(labelled(&archive), String::from_utf8(expected).unwrap());
    let other = record(&fields("image/png"), b"\x89PNG\r\n\x1A\n").to_vec();
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("a.warc"), &other).unwrap();
    let run = run_at(folder.path(), "warc a.warc --format warc-utf8", b"");
    assert!(run.stdout.ends_with(&other), "{}", run.stderr);
}
