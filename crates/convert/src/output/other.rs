//! A file that appears only when it is complete, on systems other than Unix.

use std::fs::{File, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use tempfile::NamedTempFile;

/// A regular file at `path`, which may not exist yet; `temporary` lies in the same folder.
pub struct Replacement {
    temporary: NamedTempFile,
    path: PathBuf,
    existing: Option<Metadata>,
}

impl Replacement {
    /// Creates the temporary file for `path`.
    pub fn new(path: &Path, existing: Option<Metadata>) -> io::Result<Self> {
        let mut builder = tempfile::Builder::new();
        let builder = builder.prefix(".mojika-").suffix(".tmp");
        let temporary = builder.tempfile_in(super::folder_of(path));
        // The message must not name the temporary file, which the user does not know.
        let temporary = temporary.map_err(|error| io::Error::from(error.kind()))?;
        let path = path.to_owned();
        Ok(Self {
            temporary,
            path,
            existing,
        })
    }

    pub fn file(&mut self) -> &File {
        self.temporary.as_file()
    }

    pub fn commit(self) -> io::Result<()> {
        if let Some(existing) = self.existing {
            let file = self.temporary.as_file();
            file.set_permissions(existing.permissions())?;
            file.sync_data()?;
        }
        self.temporary.persist(self.path)?;
        Ok(())
    }
}
