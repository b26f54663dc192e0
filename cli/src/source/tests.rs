//! Tests of the first bytes of a file, and of changes to the file after it was opened.

use super::*;
use std::fs::{self, FileTimes};
use std::io::Write;
use std::time::SystemTime;

/// A gzip member with "a\n".
const GZIP: &[u8] = b"\x1F\x8B\x08\0\0\0\0\0\0\x03\x4B\xE4\x02\0\x07\xA1\xEA\xDD\x02\0\0\0";

#[test]
fn a_file_is_unchanged_if_it_was_read_whole_and_nobody_has_written_to_it() {
    type Change = fn(&File);
    let none: Change = |_| {};
    let longer: Change = |mut file| file.write_all(b"12345").unwrap();
    let shorter: Change = |file| file.set_len(3).unwrap();
    // The length is the same, but not the modification time.
    let written: Change = |file| {
        let times = FileTimes::new().set_modified(SystemTime::UNIX_EPOCH);
        file.set_times(times).unwrap();
    };
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a");
    for (bytes, change, read, expected) in [
        (&b"1234"[..], none, 4, true),
        (b"1234", none, 3, false),
        (b"1234", none, 5, false),
        (b"", none, 0, true),
        (b"1234", written, 4, false),
        (b"1234", longer, 4, false),
        (b"1234", longer, 5, false),
        (b"1234", shorter, 3, false),
        (b"1234", shorter, 4, false),
        // The number of bytes read is not compared with the size of compressed data.
        (GZIP, none, 2, true),
        (GZIP, written, 2, false),
        (GZIP, longer, 2, false),
    ] {
        if bytes == GZIP && cfg!(not(feature = "compressed")) {
            continue;
        }
        fs::write(&path, bytes).unwrap();
        let mut head = vec![0; HEAD];
        let opened = Opened::new(File::open(&path), &mut head);
        let source = opened.ok().unwrap();
        change(&File::options().write(true).open(&path).unwrap());
        let found = source.is_unchanged(read).unwrap();
        assert_eq!(found, expected, "{bytes:X?}, {read} bytes read");
    }
}

/// The text can be read again from its start, from memory if memory holds the whole text.
#[test]
fn the_text_comes_again_from_its_start() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a");
    for length in [0, 1, HEAD - 1, HEAD, HEAD + 1, 3 * HEAD] {
        let bytes: Vec<u8> = (0..length).map(|at| (at % 251) as u8).collect();
        fs::write(&path, &bytes).unwrap();
        let mut head = vec![0; HEAD];
        let opened = Opened::new(File::open(&path), &mut head);
        let source = opened.ok().unwrap();
        assert!(source.head == &bytes[..length.min(HEAD)], "{length}");
        assert_eq!(source.whole().is_some(), length <= HEAD, "{length}");
        assert_eq!(source.size(), Some(length as u64));
        for _ in 0..2 {
            let mut text = Vec::new();
            source.text(None).unwrap().read_to_end(&mut text).unwrap();
            assert!(text == bytes, "{length}");
        }
        // Without a reporter, nothing is counted.
        assert_eq!(source.counted(), 0);
    }
}
