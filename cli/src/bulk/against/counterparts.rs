//! The pairs of files in two folders.

use mojika_convert::engine::Format;
use std::fs;
use std::path::{Path, PathBuf};

/// Returns the counterpart in `there` of the file `relative` in `here`: the same name, or that of another compression.
pub fn counterpart(here: &Path, relative: &Path, there: &Path) -> Option<PathBuf> {
    if exists(&there.join(relative)) {
        return Some(there.join(relative));
    }
    let plain = match Format::of_name(relative) {
        Some(_) => relative.with_extension(""),
        None => relative.to_owned(),
    };
    let compressed = Format::ALL.into_iter().map(|format| {
        let mut name = plain.clone().into_os_string();
        name.push(format.ending());
        PathBuf::from(name)
    });
    // A compressed source is not a counterpart if another source has its name.
    let mut candidates = std::iter::once(plain.clone()).chain(compressed);
    let found = candidates.find(|name| exists(&there.join(name)) && !exists(&here.join(name)))?;
    Some(there.join(found))
}

/// True if there is a file, or a link with any target.
fn exists(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|metadata| !metadata.is_dir())
}
