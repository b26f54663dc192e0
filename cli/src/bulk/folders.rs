//! The folders of the output: made as they come up, with their mode and times once nothing more is written to them.

use crate::job::draft::{folder_of, sweep};
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::{MetadataExt, chown};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// The folders that a run has made.
#[derive(Default)]
pub struct Folders {
    /// What they are made after, and where they are.
    made: Mutex<Vec<(PathBuf, PathBuf)>>,
}

impl Folders {
    /// Makes the folder `target` after `source`, or removes the drafts of dead runs from it if it exists.
    ///
    /// # Errors
    ///
    /// Fails if the folder cannot be made.
    pub fn make(&self, source: &Path, target: &Path) -> io::Result<()> {
        match fs::create_dir(target) {
            Ok(()) => {
                let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
                made.push((source.to_owned(), target.to_owned()));
                Ok(())
            }
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && target.is_dir() => {
                sweep(target);
                Ok(())
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                // Another worker is at the folder that it lies in, or nobody is.
                self.make(folder_of(source), folder_of(target))?;
                self.make(source, target)
            }
            Err(error) => Err(error),
        }
    }

    /// Gives each folder the mode, the times and, where allowed, the owner of its original, inner folders first.
    ///
    /// Returns the folders that could not be given them.
    pub fn keep_attributes(&self) -> Vec<(PathBuf, io::Error)> {
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        made.sort_by(|(_, one), (_, other)| other.cmp(one));
        let kept = made.drain(..).filter_map(|(source, target)| {
            let error = keep_attributes(&source, &target).err()?;
            Some((target, error))
        });
        kept.collect()
    }
}

fn keep_attributes(source: &Path, target: &Path) -> io::Result<()> {
    let metadata = fs::metadata(source)?;
    // Only the superuser gives folders away.
    if chown(target, Some(metadata.uid()), Some(metadata.gid())).is_err() {
        let _ = chown(target, None, Some(metadata.gid()));
    }
    let folder = File::open(target)?;
    let times = fs::FileTimes::new()
        .set_accessed(metadata.accessed()?)
        .set_modified(metadata.modified()?);
    folder.set_permissions(metadata.permissions())?;
    folder.set_times(times)
}
