//! The summary, the report and the page of `mojika warc`.

use crate::common::archives::{page, record, record_of_length, response};
use crate::common::run_in;
use crate::common::tree::{folder, read};
use crate::{snapshot, stable};
use std::path::Path;

fn told(path: &Path, line: &str) -> String {
    let args: Vec<_> = line.split(' ').collect();
    let run = run_in(path, &args, b"");
    stable(&format!(
        "$ mojika {line}\n{}status {}\n",
        run.stderr, run.status
    ))
}

/// Documents, disagreements, replacements, records that are none, records that are too long, and damage: two of each.
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
        // Shorter than its head says.
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
    let said = [
        "warc none.warc -o none.jsonl",
        "warc one.warc -o one.jsonl",
        "warc all -o out/ -j 1 --max-body 1000 --report report --report-html page.html",
        "warc all -o out/ -j 1 --max-body 1000",
    ]
    .map(|line| told(tree.path(), line));
    snapshot("warc.txt", &said.join("\n"));
    let page = String::from_utf8(read(&tree, "page.html")).unwrap();
    snapshot("warc.page.html", &stable(&page));
    let lines = String::from_utf8(read(&tree, "out/1.jsonl")).unwrap();
    snapshot("warc.lines.txt", &stable(&lines));
}
