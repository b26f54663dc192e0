//! Snapshots: texts that tests compare with reviewed files.

use std::fs;

/// Compares a text with its snapshot, the file at `path`. Rewrites the file if `MOJIKA_UPDATE_SNAPSHOTS` is set.
///
/// # Panics
///
/// If they differ. The first different line is printed, then the whole text.
#[track_caller]
pub fn compare(path: &str, text: &str) {
    if std::env::var_os("MOJIKA_UPDATE_SNAPSHOTS").is_some() {
        fs::write(path, text).unwrap();
        return;
    }
    let expected = fs::read_to_string(path).unwrap_or_default();
    if expected == text {
        return;
    }
    let differing = expected.lines().zip(text.lines()).position(|(a, b)| a != b);
    let line = differing.unwrap_or(expected.lines().count().min(text.lines().count()));
    panic!(
        "{path}, line {}:\nexpected: {:?}\nfound:    {:?}\nwhole:\n{text}",
        line + 1,
        expected.lines().nth(line),
        text.lines().nth(line)
    );
}
