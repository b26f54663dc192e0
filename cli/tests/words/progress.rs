//! Progress lines while a single file is read.

use crate::common::mojika;
use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;
use std::time::Duration;

#[test]
fn progress_counts_bytes_before_a_file_ends() {
    let mut child = mojika()
        .args(["convert", "--from", "latin1", "--progress", "always"])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut said = BufReader::new(child.stderr.take().unwrap()).lines();
    let block = vec![b'a'; 1_000_000];
    let mut line = String::new();
    // The input does not end before a progress line has appeared.
    let writer = std::thread::spawn(move || {
        for _ in 0..30 {
            if stdin.write_all(&block).is_err() {
                return;
            }
            std::thread::sleep(Duration::from_millis(100));
        }
    });
    if let Some(Ok(first)) = said.next() {
        line = first;
    }
    let bytes: f64 = line
        .strip_prefix("0 files, ")
        .and_then(|rest| rest.split(" MB of").next()?.parse().ok())
        .unwrap_or_else(|| panic!("{line}"));
    assert!((1.0..30.0).contains(&bytes), "{line}");
    writer.join().unwrap();
    for line in said {
        line.unwrap();
    }
    assert!(child.wait().unwrap().success());
}
