//! `mojika convert` from standard input to standard output: options, messages, exit statuses.

use crate::common::{malformed, mojika, run};
use std::io::{Read, Write};
use std::process::Stdio;

/// The number of bytes that the command reads at a time.
const CHUNK: usize = 128 << 10;

#[test]
fn malformed_sequence_may_straddle_chunks() {
    for before in CHUNK - 4..=CHUNK {
        let mut input = vec![b'a'; before];
        input.extend_from_slice(b"\xF0\x9F\x98 rest");
        let line =
            format!("standard input: malformed UTF-8 sequence F0 9F 98 at byte offset {before}");
        // Input is a file, because a pipe would be read in chunks of another size.
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("in"), &input).unwrap();
        let output = crate::common::run_at(folder.path(), "convert -f utf-8 in", b"");
        let line = line.replace("standard input", "in");
        assert_eq!(output.fails(1, &malformed(&line)).len(), before);
    }
}

#[test]
fn unmappable_character_may_straddle_chunks() {
    let folder = tempfile::tempdir().unwrap();
    for before in CHUNK - 4..=CHUNK {
        let mut input = vec![b'a'; before];
        // U+20087 in gb18030.
        input.extend_from_slice(b"\x95\x32\x8F\x31 rest");
        std::fs::write(folder.path().join("in"), &input).unwrap();
        let output = crate::common::run_at(folder.path(), "convert -f gb18030 -t koi8-r in", b"");
        assert_eq!(output.status, 1);
        let place = format!("at byte offset {before} (line 1, ");
        assert!(output.stderr.contains(&place), "{} {before}", output.stderr);
    }
}

/// The output exceeds the buffers, from input that expands to various extents.
#[test]
fn output_grows_beyond_the_buffers() {
    let input = vec![0xA1; 3 * CHUNK + 1];
    assert_eq!(
        run("convert -f windows-874", &input).ok(),
        "ก".repeat(input.len()).into_bytes()
    );
    let back = run(
        "convert -f utf-8 -t windows-874",
        "ก".repeat(input.len()).as_bytes(),
    );
    assert_eq!(back.ok(), input);
    let html = run("convert -q -f windows-874 -t latin1 --errors html", &input);
    assert_eq!(html.ok(), b"&#3585;".repeat(input.len()));
    let malformed = run(
        "convert -q -f utf-8 --errors replacement",
        &vec![0xFF; 100_000],
    );
    assert_eq!(malformed.ok(), "\u{FFFD}".repeat(100_000).into_bytes());
}

#[test]
fn what_has_come_in_goes_out_before_more_comes() {
    let mut child = mojika()
        .args(["convert", "--from", "shift_jis"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut stdout = child.stdout.take().unwrap();
    let mut answer = [0; 6];
    for _ in 0..3 {
        stdin.write_all(b"\x95\xB6\x8E\x9A").unwrap();
        stdout.read_exact(&mut answer).unwrap();
        assert_eq!(&answer, "文字".as_bytes());
    }
    drop(stdin);
    assert!(child.wait().unwrap().success());
}

#[test]
fn closed_pipe_ends_quietly() {
    let mut child = mojika()
        .args(["convert", "--from", "latin1"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    // Writing may fail, because the command has stopped and the pipe need not take all bytes.
    let _ = child
        .stdin
        .take()
        .unwrap()
        .write_all(&vec![b'a'; 4 * CHUNK]);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(141));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

/// Converting 64 MB takes no more memory than converting a few bytes, except for buffers.
#[cfg(target_os = "linux")]
#[test]
fn memory_does_not_grow_with_the_input() {
    let block = b"\x95\xB6\x8E\x9A\x89\xBB\x82\xAF\n".repeat(1 << 16);
    let least = peak_of_conversion(&block[..9], 1);
    let most = peak_of_conversion(&block, 114);
    assert!(most < least + (4 << 10), "{least} kB, then {most} kB");
}

/// Returns the peak of resident memory, in kB, of a conversion of `count` blocks.
#[cfg(target_os = "linux")]
fn peak_of_conversion(block: &[u8], count: usize) -> u32 {
    let mut child = mojika()
        .args(["convert", "--from", "shift_jis", "--to", "euc-jp"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut stdout = child.stdout.take().unwrap();
    let (begun, begins) = std::sync::mpsc::channel();
    let reader = std::thread::spawn(move || {
        let mut buffer = vec![0; 1 << 20];
        let mut total = 0;
        loop {
            match stdout.read(&mut buffer).unwrap() {
                0 => return total,
                len => total += len,
            }
            begun.send(()).ok();
        }
    });
    for _ in 0..count {
        stdin.write_all(block).unwrap();
    }
    // Once text is written, everything that the conversion needs is loaded.
    begins.recv().unwrap();
    let status = std::fs::read_to_string(format!("/proc/{}/status", child.id())).unwrap();
    drop(stdin);
    assert!(child.wait().unwrap().success());
    assert_eq!(reader.join().unwrap(), count * block.len());
    let peak = status
        .lines()
        .find_map(|line| line.strip_prefix("VmHWM:"))
        .unwrap();
    peak.trim().trim_end_matches(" kB").parse().unwrap()
}
