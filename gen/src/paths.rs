//! Paths in the repository.

use std::path::{Path, PathBuf};

/// Returns the generator's own folder.
fn generator() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Returns the folder of the imported indexes.
pub fn indexes() -> PathBuf {
    generator().join("indexes")
}

/// Returns the folder of the code pages of `mojika::extended`.
pub fn extended() -> PathBuf {
    generator().join("extended")
}

/// Returns the file with the hand-made list of encodings and labels.
pub fn labels() -> PathBuf {
    generator().join("labels.txt")
}

/// Returns the folder of the generated tables.
pub fn tables() -> PathBuf {
    generator()
        .parent()
        .expect("the generator is a member of the workspace")
        .join("tables")
}

/// Returns the folder of the statistical detector's tables.
pub fn detection_tables() -> PathBuf {
    generator()
        .parent()
        .expect("the generator is a member of the workspace")
        .join("crates/sniff/tables")
}

/// The file of a table in [`extended`].
pub fn in_extended(name: &str) -> PathBuf {
    extended().join(format!("{name}.txt"))
}

/// Reads a table in [`extended`]: in each line a number and, after a tab, code points joined by `+`, all in hexadecimal.
pub fn entries(name: &str) -> Result<Vec<(u32, Vec<u32>)>, String> {
    let path = in_extended(name);
    let text = std::fs::read_to_string(&path);
    let text = text.map_err(|error| format!("{}: {error}", path.display()))?;
    let hex = |digits: &str| u32::from_str_radix(digits.trim_start_matches("0x"), 16).ok();
    let entry = |line: &str| {
        let (number, to) = line.split_once('\t')?;
        let to: Option<Vec<u32>> = to.split('+').map(hex).collect();
        Some((hex(number)?, to?))
    };
    let lines = text
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'));
    let found = lines.map(|line| {
        entry(line).ok_or_else(|| format!("{}: malformed line {line:?}", path.display()))
    });
    found.collect()
}
