//! The files that a run changes in place: their absolute paths, and locks against other runs.

use crate::quote::quote;
use crate::report::Failure;
use rustix::fs::FlockOperation;
use std::collections::HashSet;
use std::fs::{self, File};
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;

/// Returns absolute paths, with links resolved if they exist.
pub fn absolute<'a>(paths: impl Iterator<Item = &'a PathBuf>) -> Vec<PathBuf> {
    let absolute = paths.filter_map(|path| {
        let real = fs::canonicalize(path);
        real.or_else(|_| std::path::absolute(path)).ok()
    });
    absolute.collect()
}

/// True if a path of one list is a path of the other list, or within one of these.
pub fn overlap(one: &[PathBuf], other: &[PathBuf]) -> bool {
    let mut pairs = one
        .iter()
        .flat_map(|one| other.iter().map(move |other| (one, other)));
    pairs.any(|(one, other)| one.starts_with(other) || other.starts_with(one))
}

/// Locks the folders that are changed in place against other runs.
///
/// # Errors
///
/// Fails if another run holds a lock.
pub fn lock(sources: &[PathBuf]) -> Result<Vec<File>, Failure> {
    let mut locks = Vec::new();
    let mut identities = HashSet::new();
    for source in sources {
        let Ok(file) = File::open(source) else {
            // The directory walk will report the error.
            continue;
        };
        let metadata = file
            .metadata()
            .map_err(|error| Failure::io("read", quote(source), error))?;
        if !metadata.is_dir() || !identities.insert((metadata.dev(), metadata.ino())) {
            continue;
        }
        let locked = rustix::fs::flock(&file, FlockOperation::NonBlockingLockExclusive);
        if locked == Err(rustix::io::Errno::WOULDBLOCK) {
            return Err(Failure::usage(&format!(
                "{}: another run is converting this folder in place; wait until it ends",
                quote(source)
            )));
        }
        locks.push(file);
    }
    Ok(locks)
}
