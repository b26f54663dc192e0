//! Paths in the repository.

use std::path::{Path, PathBuf};

/// The generator's own folder.
fn generator() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// The imported indexes.
pub fn indexes() -> PathBuf {
    generator().join("indexes")
}

/// The code pages of `mojika::extended`.
pub fn extended() -> PathBuf {
    generator().join("extended")
}

/// The hand-made list of encodings and labels.
pub fn labels() -> PathBuf {
    generator().join("labels.txt")
}

/// The generated tables.
pub fn tables() -> PathBuf {
    generator()
        .parent()
        .expect("the generator is a member of the workspace")
        .join("tables")
}

/// The tables of the statistical detector.
pub fn detection_tables() -> PathBuf {
    generator()
        .parent()
        .expect("the generator is a member of the workspace")
        .join("crates/sniff/tables")
}
