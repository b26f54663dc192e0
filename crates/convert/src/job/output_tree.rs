//! The folders of the output, created when needed. Their mode and times are set when all their files are written.

use super::draft::{keep_owner, sweep};
use super::folder::{Folder, Spot};
use super::journal::Journal;
use super::report::Reporter;
use crate::engine::lock;
use crate::quote::quote;
use std::fs::{self, DirBuilder, Permissions};
use std::io;
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

/// The output folder, and the folders in it that a run has created.
pub struct OutputTree {
    /// The output folder.
    pub root: Arc<Folder>,
    /// The paths of the folders below the root, each with the source folder that it copies.
    made: Mutex<Vec<(PathBuf, Spot)>>,
}

/// Returns the only source if it is a folder.
pub fn only_folder(sources: &[PathBuf]) -> Option<Spot> {
    match sources {
        [source] if source.is_dir() => Some(Spot {
            root: source.as_path().into(),
            within: PathBuf::new(),
        }),
        _ => None,
    }
}

impl OutputTree {
    /// Creates the output folder at `path` with its parents. If it exists, removes the drafts of interrupted runs from it.
    ///
    /// Only the owner has access to a new folder, until it gets the attributes of the source folder `like`. Without `like`,
    /// the process's umask determines the access.
    ///
    /// # Errors
    ///
    /// Fails if it cannot be created.
    pub fn new(path: &Path, like: Option<Spot>) -> io::Result<Self> {
        let mut made = Vec::new();
        let mut builder = DirBuilder::new();
        if let Some(parent) = path.parent() {
            builder.recursive(true).create(parent)?;
        }
        if like.is_some() {
            builder.mode(0o700);
        }
        match builder.recursive(false).create(path) {
            Ok(()) => made.extend(like.map(|like| (PathBuf::new(), like))),
            Err(_) if fs::metadata(path).is_ok_and(|metadata| metadata.is_dir()) => {}
            Err(error) => return Err(error),
        }
        let root = Arc::new(Folder::open(path)?);
        sweep(&root);
        let made = Mutex::new(made);
        Ok(Self { root, made })
    }

    /// Takes over the folders that an earlier run created, and records the folders of this run in the journal.
    ///
    /// # Errors
    ///
    /// Fails if the journal cannot be written.
    pub fn resume(&self, journal: &Journal) -> io::Result<()> {
        let mut made = lock(&self.made);
        for (folder, like) in &*made {
            journal.make(folder, like)?;
        }
        made.extend_from_slice(journal.made());
        Ok(())
    }

    /// Creates the folder at `relative` below the output folder. If it exists, removes the drafts of interrupted runs from
    /// it.
    ///
    /// # Errors
    ///
    /// Fails if it cannot be created, or if another kind of file is there, such as a symbolic link.
    pub fn make(
        &self,
        relative: &Path,
        like: Option<Spot>,
        journal: Option<&Journal>,
    ) -> io::Result<Arc<Folder>> {
        let Some(name) = relative.file_name() else {
            return Ok(self.root.clone());
        };
        let parent = relative.parent().unwrap_or(Path::new(""));
        let parent = match self.root.within(parent) {
            // The parent folder is missing, unless another worker creates it now.
            Err(error) if error.kind() == io::ErrorKind::NotFound && parent != Path::new("") => {
                // Folders above the user's path are not copied.
                let below = like.as_ref().filter(|like| like.within != Path::new(""));
                self.make(parent, below.map(Spot::folder), journal)?
            }
            parent => Arc::new(parent?),
        };
        let mode = if like.is_some() { 0o700 } else { 0o777 };
        // An unrecorded folder would never get its attributes, so the folder is recorded before it is created.
        if let Some(like) = like
            && let Err(error) = parent.within(Path::new(name))
            && error.kind() == io::ErrorKind::NotFound
        {
            if let Some(journal) = journal {
                journal.make(relative, &like)?;
            }
            lock(&self.made).push((relative.to_owned(), like));
        }
        match parent.make(name, mode) {
            Ok(()) => self.root.within(relative).map(Arc::new),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                let folder = self.root.within(relative)?;
                sweep(&folder);
                Ok(Arc::new(folder))
            }
            Err(error) => Err(error),
        }
    }

    /// Gives each folder the mode, the times and, if permitted, the owner of its source folder, inner folders first.
    /// Warns of failures.
    pub fn keep_attributes(&self, reporter: &Reporter) {
        let mut made = lock(&self.made);
        made.sort_by(|(one, _), (other, _)| other.cmp(one));
        // Two workers may record the same folder, and so may a resumed run.
        made.dedup_by(|(one, _), (other, _)| one == other);
        for (relative, like) in made.drain(..) {
            if let Err(error) = self.keep_attributes_of(&relative, &like) {
                let folder = quote(&self.root.path().join(relative));
                reporter.warn(&format!("{folder}: cannot keep mode and times: {error}"));
            }
        }
    }

    fn keep_attributes_of(&self, relative: &Path, like: &Spot) -> io::Result<()> {
        let source = Folder::open(&like.root)?.within(&like.within)?;
        // The source folder need not be readable.
        let metadata = source.metadata()?;
        let folder = self.root.within(relative)?.readable()?;
        let mode = keep_owner(&folder, &metadata);
        folder.set_permissions(Permissions::from_mode(mode))?;
        let times = fs::FileTimes::new()
            .set_accessed(metadata.accessed()?)
            .set_modified(metadata.modified()?);
        folder.set_times(times)
    }
}

#[cfg(test)]
mod tests {
    use super::super::folder::LastFolder;
    use super::*;
    use std::ffi::OsStr;

    /// An interrupted run has not set the attributes of its folders. The resumed run sets them, also for folders that
    /// it did not create, and even after a second interruption.
    #[test]
    fn folders_of_an_earlier_run_get_their_attributes_from_the_one_that_ends() {
        use super::super::journal::{Ask, Journal};
        use super::super::report::{Progress, Say};
        let place = tempfile::tempdir().unwrap();
        let path = |name: &str| place.path().join(name);
        fs::create_dir_all(path("src/a/b")).unwrap();
        for (name, mode) in [("src", 0o750), ("src/a", 0o711), ("src/a/b", 0o500)] {
            fs::set_permissions(path(name), Permissions::from_mode(mode)).unwrap();
        }
        let sources = [path("src")];
        let journal = |resume| {
            let opened = Journal::open(&Ask {
                options: String::new(),
                in_place: Vec::new(),
                file: Some(&path("journal")),
                resume,
                restart: false,
            });
            opened.ok().unwrap()
        };
        let mode = |name: &str| fs::metadata(path(name)).unwrap().permissions().mode() & 0o777;
        let like = |within: &str| {
            Some(Spot {
                root: path("src").into(),
                within: within.into(),
            })
        };
        let begun = |resume| {
            let journal = journal(resume);
            let tree = OutputTree::new(&path("out"), only_folder(&sources)).unwrap();
            tree.resume(&journal).unwrap();
            (tree, journal)
        };
        let (tree, first) = begun(false);
        tree.make(Path::new("a"), like("a"), Some(&first)).unwrap();
        drop((tree, first));
        let (tree, second) = begun(true);
        tree.make(Path::new("a/b"), like("a/b"), Some(&second))
            .unwrap();
        drop((tree, second));
        assert_eq!(["out", "out/a", "out/a/b"].map(mode), [0o700; 3]);
        let (tree, _third) = begun(true);
        let say = Say {
            progress: Progress::Never,
            ..Say::default()
        };
        tree.keep_attributes(&Reporter::new(&say).unwrap());
        let kept = ["out", "out/a", "out/a/b"].map(mode);
        for name in ["src/a/b", "out/a/b"] {
            fs::set_permissions(path(name), Permissions::from_mode(0o700)).unwrap();
        }
        assert_eq!(kept, [0o750, 0o711, 0o500]);
    }

    #[test]
    fn a_folder_that_was_made_anew_is_found_once_the_last_one_is_forgotten() {
        let place = tempfile::tempdir().unwrap();
        let tree = OutputTree::new(&place.path().join("out"), None).unwrap();
        let folder = place.path().join("out/a");
        let mut targets = LastFolder::default();
        let has_file = |targets: &mut LastFolder| {
            let found = targets.find(&tree.root, Path::new("a")).unwrap();
            found.has(OsStr::new("file"))
        };
        fs::create_dir(&folder).unwrap();
        assert!(!has_file(&mut targets));
        fs::remove_dir(&folder).unwrap();
        fs::create_dir(&folder).unwrap();
        fs::write(folder.join("file"), "").unwrap();
        assert!(!has_file(&mut targets));
        targets.forget();
        assert!(has_file(&mut targets));
    }
}
