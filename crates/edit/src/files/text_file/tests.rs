//! Tests of the functions of the Python module: their changes, results and errors.

use super::*;
use mojika::WINDOWS_1251;
use mojika_convert::engine::ErrorMode;
use std::time::{Duration, SystemTime};

const BYTES: &[u8] = b"\xE0\r\n\xE1\r\n\xE0\r\n";

/// Creates a file with these bytes and old timestamps.
fn text_file(folder: &tempfile::TempDir) -> TextFile {
    let path = folder.path().join("file");
    std::fs::write(&path, BYTES).unwrap();
    let old = SystemTime::UNIX_EPOCH + Duration::from_secs(1_000_000_000);
    let file = std::fs::File::options().write(true).open(&path).unwrap();
    file.set_modified(old).unwrap();
    TextFile {
        path,
        encoding: WINDOWS_1251,
        how: HowArgs::default(),
        max_size: 64 << 20,
    }
}

fn is_old(file: &TextFile) -> bool {
    let modified = file.path.metadata().unwrap().modified().unwrap();
    modified < SystemTime::now() - Duration::from_secs(1_000_000)
}

#[track_caller]
fn bytes_are(file: &TextFile, expected: &[u8]) {
    assert_eq!(std::fs::read(&file.path).unwrap(), expected);
}

#[track_caller]
fn refused<T>(result: Result<T, Refusal>, reason: &str) {
    match result {
        Err(Refusal::Edit(message)) => assert!(message.contains(reason), "{message}"),
        Err(Refusal::Io(_, message)) => panic!("of the system: {message}"),
        Ok(_) => panic!("not refused"),
    }
}

#[test]
fn a_text_is_read_with_what_the_file_is() {
    let folder = tempfile::tempdir().unwrap();
    let file = text_file(&folder);
    let content = file.read().unwrap_or_else(|_| panic!("it can be read"));
    assert_eq!(content.text, "а\r\nб\r\nа\r\n");
    assert_eq!(content.encoding, "windows-1251");
    assert_eq!(content.line_ends, "CRLF");
    let digest = content.fingerprint.strip_prefix("windows-1251:").unwrap();
    assert_eq!(digest.len(), 40);
    // The file has exactly the allowed length, and then one byte more.
    let of_size = |max_size| TextFile {
        max_size,
        ..file.clone()
    };
    assert!(of_size(BYTES.len() as u64).read().is_ok());
    let Err(Refusal::Io(_, message)) = of_size(BYTES.len() as u64 - 1).read() else {
        panic!("it is too long");
    };
    assert!(message.contains("--max-size allows 8"), "{message}");
}

#[test]
fn changes_return_the_number_of_places() {
    let folder = tempfile::tempdir().unwrap();
    let file = text_file(&folder);
    assert_eq!(file.replace("б", "бб\n", false).ok(), Some(1));
    bytes_are(&file, b"\xE0\r\n\xE1\xE1\r\n\r\n\xE0\r\n");
    assert!(!is_old(&file));
    let file = text_file(&folder);
    assert_eq!(file.replace("а", "в", true).ok(), Some(2));
    bytes_are(&file, b"\xE2\r\n\xE1\r\n\xE2\r\n");
    let file = text_file(&folder);
    let diff = "@@ -1,3 +1,2 @@\n а\n-б\n а\n";
    assert_eq!(file.patch(diff).ok(), Some(1));
    bytes_are(&file, b"\xE0\r\n\xE0\r\n");
    let file = text_file(&folder);
    let content = file.read().unwrap_or_else(|_| panic!("it can be read"));
    let text = content.text.replace('а', "г");
    assert_eq!(file.write(&text, &content.fingerprint).ok(), Some(2));
    bytes_are(&file, b"\xE3\r\n\xE1\r\n\xE3\r\n");
    // Writing an equal text changes nothing.
    let content = file.read().unwrap_or_else(|_| panic!("it can be read"));
    assert_eq!(
        file.write(&content.text, &content.fingerprint).ok(),
        Some(0)
    );
}

#[test]
fn what_is_kept_and_written_instead_is_as_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let file = TextFile {
        how: HowArgs {
            keep_times: true,
            keep_line_ends: true,
            errors: ErrorMode::Html,
            ..HowArgs::default()
        },
        ..text_file(&folder)
    };
    assert_eq!(file.replace("б", "\n文", false).ok(), Some(1));
    bytes_are(&file, b"\xE0\r\n\n&#25991;\r\n\xE0\r\n");
    assert!(is_old(&file));
}

#[test]
fn what_is_refused_changes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let file = text_file(&folder);
    let content = file.read().unwrap_or_else(|_| panic!("it can be read"));
    refused(file.replace("", "x", true), "the text to replace is empty");
    refused(file.replace("а", "x", false), "2 times, in lines 1 and 3");
    refused(
        file.replace("б", "文", false),
        "cannot be written in windows-1251",
    );
    refused(file.patch("@@ -1 +1 @@\n-x\n+y\n"), "does not fit");
    refused(file.write("x", "windows-1251:0"), "--expect takes");
    let missing = TextFile {
        path: folder.path().join("missing"),
        ..file.clone()
    };
    assert!(matches!(missing.read(), Err(Refusal::Io(..))));
    bytes_are(&file, BYTES);
    assert!(is_old(&file));
    // The file has changed since.
    std::fs::write(&file.path, b"other").unwrap();
    refused(file.write("x", &content.fingerprint), "has changed since");
    bytes_are(&file, b"other");
}
