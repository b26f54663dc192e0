//! Progress lines while a single file is read.

use crate::common::mojika;
use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
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
    let is_seen = Arc::new(AtomicBool::new(false));
    // The input ends after the first progress line, which counts a part of the input.
    let seen = is_seen.clone();
    let writer = std::thread::spawn(move || {
        while !seen.load(Ordering::Relaxed) && stdin.write_all(&block).is_ok() {
            std::thread::sleep(Duration::from_millis(100));
        }
    });
    let counted = said.by_ref().map_while(Result::ok).find(|line| {
        let bytes = line.strip_prefix("0 files, ");
        let bytes = bytes.and_then(|rest| rest.split(" MB of").next()?.parse::<f64>().ok());
        bytes.is_some_and(|bytes| bytes >= 1.0)
    });
    is_seen.store(true, Ordering::Relaxed);
    writer.join().unwrap();
    assert!(counted.is_some(), "no line counts bytes");
    said.for_each(|line| drop(line.unwrap()));
    assert!(child.wait().unwrap().success());
}
