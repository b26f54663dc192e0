//! The outputs of files: their places, and their drafts.

use super::Destination;
use super::walk::WalkEntry;
use super::worker::Worker;
use crate::source::Opened;
use mojika_convert::engine::{self, Format};
use mojika_convert::job::draft::Draft;
use mojika_convert::job::folder::Folder;
use mojika_convert::job::problem::{Problem, cannot};
use std::ffi::OsStr;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The destination of a file's output.
pub struct FileTarget {
    /// The path in the record and the journal.
    pub path: PathBuf,
    /// The path below the output folder; in place, the path below the root of the source.
    pub within: PathBuf,
}

impl FileTarget {
    fn name(&self) -> &OsStr {
        self.within.file_name().unwrap_or_default()
    }

    fn parent(&self) -> &Path {
        self.within.parent().unwrap_or(Path::new(""))
    }
}

impl Worker<'_> {
    /// Copies the link at `entry` to the output folder.
    pub fn copy_link(&mut self, entry: &WalkEntry) -> io::Result<()> {
        let source = self.sources.folder_of(&entry.spot)?;
        let link = rustix::fs::readlinkat(source.fd(), entry.spot.name(), Vec::new())?;
        let (Some(name), parent) = (entry.relative.file_name(), entry.relative.parent()) else {
            return Ok(());
        };
        let folder = self.folder(entry, parent.unwrap_or(Path::new("")))?;
        Ok(rustix::fs::symlinkat(link, folder.fd(), name)?)
    }

    /// Returns the folder at `relative` below the output folder, which is created if missing.
    fn folder(&mut self, entry: &WalkEntry, relative: &Path) -> io::Result<Arc<Folder>> {
        let operation = &self.run.operation;
        let folders = operation.folders.as_ref().ok_or(io::ErrorKind::NotFound)?;
        match self.targets.find(&folders.root, relative) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                operation.make_folder(relative, Some(entry.spot.folder()))
            }
            found => found,
        }
    }

    /// Returns the destination of a file's output, if there is one.
    pub fn target(&self, entry: &WalkEntry, format: Option<Format>) -> Option<FileTarget> {
        match &self.run.order.place {
            Destination::Folder(folder) => {
                let output_format = self.run.order.compress.format(format);
                let within = engine::renamed(entry.relative.clone(), format, output_format);
                let path = folder.join(&within);
                Some(FileTarget { path, within })
            }
            // `spot` is the location of the file itself, also if the user named a link to the file.
            Destination::Sources => Some(FileTarget {
                path: entry.spot.path(),
                within: entry.spot.within.clone(),
            }),
            Destination::Nowhere => None,
        }
    }

    /// Creates the draft of a file's output.
    pub fn draft(
        &mut self,
        entry: &WalkEntry,
        source: &Opened<'_>,
        target: &FileTarget,
    ) -> Result<Draft, Problem> {
        let created = self.try_draft(entry, source, target).or_else(|error| {
            match error.kind() {
                // The cached folder was removed, and may have been created again.
                io::ErrorKind::NotFound => self.targets.forget(),
                // Frees space: before the commit, a draft and the file that it replaces both occupy space.
                io::ErrorKind::StorageFull => self.batch.commit(),
                _ => return Err(error),
            }
            self.try_draft(entry, source, target)
        });
        created.map_err(cannot("create a file"))
    }

    fn try_draft(
        &mut self,
        entry: &WalkEntry,
        source: &Opened<'_>,
        target: &FileTarget,
    ) -> io::Result<Draft> {
        let in_place = self.run.order.in_place();
        let folder = match in_place {
            true => self.sources.folder_of(&entry.spot)?,
            false => self.folder(entry, target.parent())?,
        };
        let replace = in_place || (self.run.order.how.output.force && folder.has(target.name()));
        let mode = source.metadata.mode();
        self.maker.create(&folder, target.name(), replace, mode)
    }
}
