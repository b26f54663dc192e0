//! Documents of every kind: the values of their JSON lines, and their records in written archives.

use crate::common::tree::folder;
use crate::common::{encoded, run_at};
use crate::{snapshot, stable};
use serde_json::Value;

const RUSSIAN: &str = "Вечером на веранде пили чай с вареньем и говорили о лете, которое прошло.\n";

/// Returns a record with this name as its address.
fn record(name: &str, fields: &str, block: &[u8]) -> Vec<u8> {
    let head = format!(
        "WARC/1.0\r\nWARC-Type: response\r\nWARC-Target-URI: {name}\r\n{fields}Content-Length: {}\r\n\r\n",
        block.len()
    );
    [head.as_bytes(), block, b"\r\n\r\n"].concat()
}

/// Returns the record of a resource of this type.
fn resource(name: &str, kind: &str, body: &[u8]) -> Vec<u8> {
    record(name, &format!("Content-Type: {kind}\r\n"), body)
}

/// Returns texts declared correctly, wrongly, twice or not at all, and texts with one or two malformed sequences.
fn documents() -> Vec<u8> {
    let koi8 = encoded(mojika::KOI8_R, &RUSSIAN.repeat(3));
    let cp1251 = encoded(mojika::WINDOWS_1251, &RUSSIAN.repeat(3));
    let utf_8 = RUSSIAN.repeat(3);
    let gbk = encoded(
        mojika::GBK,
        &"这个函数返回一个温度的数值，单位是摄氏度。".repeat(4),
    );
    let html = |start: &str, text: &[u8]| [start.as_bytes(), text].concat();
    let far = format!(
        "<!doctype html><!--{}--><meta charset=koi8-r>",
        "x".repeat(2000)
    );
    let mixed = [&koi8[..], utf_8.as_bytes(), &cp1251].concat();
    let long = encoded(mojika::KOI8_R, &RUSSIAN.repeat(1000));
    let resources: Vec<(&str, &str, Vec<u8>)> = vec![
        // ASCII under several declared charsets, then text in the declared encoding and in another one.
        ("ascii", "text/plain; charset=utf-8", b"plain".to_vec()),
        (
            "ascii-koi8",
            "text/plain; charset=koi8-r",
            b"plain".to_vec(),
        ),
        (
            "ascii-utf-16",
            "text/plain; charset=utf-16le",
            b"plain!".to_vec(),
        ),
        ("right", "text/plain; charset=koi8-r", koi8.clone()),
        ("wrong", "text/plain; charset=utf-8", koi8.clone()),
        (
            "wrong-utf-8",
            "text/plain; charset=koi8-r",
            utf_8.clone().into_bytes(),
        ),
        ("unknown-label", "text/plain; charset=none", koi8.clone()),
        ("same-text", "text/plain; charset=gb18030", gbk.clone()),
        ("other-text", "text/plain; charset=big5", gbk),
        ("detected", "text/plain", koi8.clone()),
        ("detected-utf-8", "text/plain", utf_8.clone().into_bytes()),
        ("bom", "text/plain", "\u{FEFF}é".as_bytes().to_vec()),
        (
            "bom-right",
            "text/plain; charset=utf-8",
            "\u{FEFF}é".as_bytes().to_vec(),
        ),
        (
            "bom-wrong",
            "text/plain; charset=koi8-r",
            "\u{FEFF}é".as_bytes().to_vec(),
        ),
        ("bom-utf-16", "text/plain", b"\xFE\xFF\x04\x12".to_vec()),
        ("none", "text/plain; charset=utf-8", b"\0\x80\xFF".repeat(5)),
        (
            "japanese",
            "text/plain; charset=iso-2022-jp",
            b"\x1B$BJ8;z\x1B(B".to_vec(),
        ),
        // The header and the document declare the same encoding, or different ones.
        ("meta", "text/html", html("<meta charset=koi8-r>", &koi8)),
        (
            "meta-twice",
            "text/html; charset=koi8-r",
            html("<meta charset=koi8-r>", &koi8),
        ),
        (
            "meta-other",
            "text/html; charset=koi8-r",
            html("<meta charset=windows-1251>", &koi8),
        ),
        (
            "meta-wrong",
            "text/html",
            html("<meta charset=windows-1252>", &koi8),
        ),
        ("meta-far", "text/html", html(&far, &koi8)),
        (
            "meta-far-other",
            "text/html; charset=windows-1251",
            html(&far, &cp1251),
        ),
        ("html-utf-16", "text/html", b"<\0?\0x\0a\0".to_vec()),
        (
            "xml",
            "application/xml",
            html("<?xml version='1.0' encoding='koi8-r'?><a>", &koi8),
        ),
        (
            "xml-none",
            "application/xml",
            html("<?xml version='1.0'?><a>", utf_8.as_bytes()),
        ),
        ("xml-family", "application/xml", b"<\0?\0x\0m\0l\0".to_vec()),
        (
            "xml-wrong",
            "application/xml",
            b"<?xml version='1.0' encoding='utf-16'?><a/>".to_vec(),
        ),
        ("css", "text/css", html("@charset \"koi8-r\"; /* ", &koi8)),
        ("css-none", "text/css", b"a {}".to_vec()),
        ("script", "text/javascript", html("// ", &koi8)),
        ("json", "application/json", html("\"", utf_8.as_bytes())),
        // Malformed sequences at two offsets, in two lines.
        (
            "two-errors",
            "text/plain; charset=utf-8",
            [&b"a\xFFb\nc\xFE"[..], &RUSSIAN.repeat(3).into_bytes()].concat(),
        ),
        (
            "cut-error",
            "text/plain; charset=shift_jis",
            b"ab\x95".to_vec(),
        ),
        // Text with lines in several encodings, and data that its first bytes show to be binary.
        ("mixed", "text/plain", mixed.clone()),
        (
            "mixed-utf-8",
            "text/plain",
            [&utf_8.repeat(20).into_bytes()[..], &koi8].concat(),
        ),
        (
            "mixed-far",
            "text/plain",
            [&long[..], utf_8.repeat(5).as_bytes()].concat(),
        ),
        (
            "mixed-escapes",
            "text/plain",
            [utf_8.as_bytes(), b"\x1B$BJ8;z\x1B(B\n"].concat(),
        ),
        (
            "mixed-declared",
            "text/plain; charset=utf-8",
            [utf_8.repeat(20).as_bytes(), &koi8].concat(),
        ),
        // A malformed sequence after the bytes by which the encoding is decided.
        (
            "late",
            "text/plain",
            [utf_8.repeat(700).as_bytes(), &long].concat(),
        ),
        (
            "pdf",
            "text/plain; charset=utf-8",
            b"%PDF-1.7\n\0\0\0".to_vec(),
        ),
        ("few", "text/plain", b"\xC4\xC1\n".to_vec()),
        // A resource whose content looks like a response, and resources with types of the maximum length and longer.
        (
            "no-response",
            "text/plain; charset=utf-8",
            b"HTTP/1.1 200 OK\r\n\r\nbody".to_vec(),
        ),
        (
            "sixteen",
            "application/htm1",
            b"HTTP/1.1 200 OK\r\n\r\nbody".to_vec(),
        ),
    ];
    let mut all: Vec<_> = (resources.iter())
        .map(|(name, kind, body)| resource(name, kind, body))
        .collect();
    let response = "HTTP/1.1 203 X\r\nContent-Type: text/html; charset=koi8-r\r\n\r\n";
    let response = html(response, &koi8);
    let http = |kind: &str| format!("Content-Type: {kind}\r\n");
    all.extend([
        record("response", &http("application/http; msgtype=response"), &response),
        record("response-short", &http("APPLICATION/HTTP"), &response),
        record("response-of-no-type", "", &response),
        record("of-no-type", "", b"no type at all"),
        record("no-head", &http("application/http"), b"no response"),
        record("cut", "WARC-Truncated: time\r\nContent-Type: text/plain\r\n", b"part"),
        record(
            "fields",
            "WARC-Date: 2026-01-02T03:04:05Z\r\nWARC-Record-ID: <urn:a>\r\nWARC-Payload-Digest: sha1:A\r\nContent-Type: text/plain\r\n",
            b"text",
        ),
        record(
            "coded-empty",
            &http("application/http"),
            b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Encoding: br\r\n\r\n",
        ),
        record(
            "chunked-empty",
            &http("application/http"),
            b"HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n",
        ),
        record("folded\r\n name", &http("text/plain"), b"text"),
        resource("plain-is-no-page", "text/plain", b"<p>1 < 2 &amp; 3</p>"),
        resource("page", "text/html", b"<p>1 < 2 &amp; 3</p>"),
        resource("xml-page", "application/xhtml+xml", b"<p>1 &lt; 2</p>"),
    ]);
    all.concat()
}

/// Returns the values of a line that are not null, except the position of its record.
fn shown(line: &Value) -> String {
    let object = line.as_object().unwrap();
    let place = ["archive", "offset", "length", "within", "url"];
    let kept = object
        .iter()
        .filter(|(key, value)| !value.is_null() && !place.contains(&&***key));
    let values: Vec<_> = kept
        .map(|(key, value)| match value.as_str() {
            Some(text) => {
                let short: String = text.chars().take(60).collect();
                format!("{key}={}", short.escape_debug())
            }
            None => format!("{key}={value}"),
        })
        .collect();
    let name = line["url"].as_str().unwrap().escape_debug();
    format!("{name}: {}\n", stable(&values.join(" ")))
}

#[test]
fn the_values_of_documents_are_those_reviewed() {
    let tree = folder(&[("a.warc", &documents())]);
    let run = |line: &str| {
        let run = run_at(tree.path(), line, b"");
        (String::from_utf8(run.stdout).unwrap(), run.stderr)
    };
    let mut said = String::new();
    let all = "warc a.warc --status any --keep-empty";
    let (lines, _) = run(all);
    for line in lines.lines() {
        said += &shown(&serde_json::from_str(line).unwrap());
    }
    said += "\n";
    for options in ["--confidence 0", "--confidence 1", "--text plain"] {
        let (others, _) = run(&format!("{all} {options}"));
        for (line, other) in lines.lines().zip(others.lines()) {
            if line != other {
                said += &format!(
                    "{options}: {}",
                    shown(&serde_json::from_str(other).unwrap())
                );
            }
        }
        said += "\n";
    }
    // In the format `wet`, each record must state the same about its document as the JSON line.
    let documents: Vec<Value> = lines
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    for options in ["", " --text plain"] {
        let (records, _) = run(&format!("{all} -q --format wet{options}"));
        let (_, records) = records.split_once("isPartOf: a.warc").unwrap();
        let records: Vec<_> = records.split("WARC/1.0\r\n").skip(1).collect();
        assert_eq!(records.len(), documents.len());
        for (record, document) in records.iter().zip(&documents) {
            let (head, _) = record.split_once("\r\n\r\n").unwrap();
            for (field, key) in [
                ("X-Mojika-Encoding", "encoding"),
                ("X-Mojika-Source", "source"),
                ("WARC-Date", "date"),
                ("WARC-Refers-To", "record_id"),
            ] {
                let value = document[key]
                    .as_str()
                    .map(|value| format!("\r\n{field}: {value}\r\n"));
                let is_there = value.is_none_or(|value| format!("\r\n{head}\r\n").contains(&value));
                assert!(is_there, "{field} of {document}: {head}");
            }
            let is_plain = head.contains("\r\nContent-Type: text/plain; charset=utf-8\r\n");
            assert!(is_plain || options.is_empty(), "{head}");
        }
    }
    snapshot("warc.documents.txt", &said);
}
