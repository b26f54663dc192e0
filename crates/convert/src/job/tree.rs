//! Walks through a folder that the user named: all entries sorted by name, each folder before its contents.
//!
//! Existing crates walk folders by their paths. If a link replaced a folder during the walk, they would walk elsewhere.
//! They would also read ignore files that are pipes or devices. `Ignores` handles the patterns of ignore files.

use super::draft;
use super::folder::{Folder, Spot};
use super::ignores::Ignores;
use super::record::{Fate, Record};
use rustix::fs::FileType;
use std::ffi::{OsStr, OsString};
use std::io;
use std::iter;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::vec;

/// An entry that a walk has found.
pub struct FoundEntry {
    /// The position of the entry.
    pub spot: Spot,
    /// The path below the user's path, with the names of followed links.
    pub relative: PathBuf,
    /// The kind of the entry.
    pub kind: EntryKind,
}

/// The kind of an entry of a folder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EntryKind {
    /// A regular file.
    File,
    /// A folder.
    Folder,
    /// A symbolic link.
    Link,
    /// A named pipe, a socket or a device.
    Other,
}

impl From<FileType> for EntryKind {
    fn from(kind: FileType) -> Self {
        match kind {
            FileType::RegularFile => Self::File,
            FileType::Directory => Self::Folder,
            FileType::Symlink => Self::Link,
            _ => Self::Other,
        }
    }
}

/// The path that could not be read, and the error.
pub struct TreeError {
    /// The path of the folder.
    pub path: PathBuf,
    /// The error of reading it.
    pub error: io::Error,
}

impl TreeError {
    /// Returns the record of a file or folder that cannot be read.
    pub fn record(self) -> Record {
        let reason = Some(format!("cannot read: {}", self.error));
        Record {
            reason,
            ..Record::new(self.path, Fate::Failed)
        }
    }
}

/// Patterns of paths below a source.
pub type Matcher = Arc<dyn Fn(&Path) -> bool + Send + Sync>;

/// The rules of a walk.
#[derive(Clone, Default)]
pub struct Rules {
    /// True to follow links to files and folders.
    pub follow: bool,
    /// True to leave out ignored entries.
    pub gitignore: bool,
    /// Device and inode of a folder to leave out.
    pub leave_out: Option<(u64, u64)>,
    /// True to remove drafts of interrupted runs. All drafts are left out.
    pub sweep: bool,
    /// Leaves out entries by their path below the named folder.
    pub exclude: Option<Matcher>,
}

/// A file that the user named, or a file in a folder that the user named.
pub struct NamedFile {
    /// The path in messages.
    pub path: PathBuf,
    /// The path below the folder, or the name of a named file.
    pub relative: PathBuf,
    /// The position below the folder; `None` for a named file.
    pub spot: Option<Spot>,
}

/// Returns the named files, "-" included, and the files in the named folders, in order.
pub fn files(
    named: impl IntoIterator<Item = PathBuf>,
    follow: bool,
) -> impl Iterator<Item = Result<NamedFile, TreeError>> {
    type Files = Box<dyn Iterator<Item = Result<NamedFile, TreeError>>>;
    named.into_iter().flat_map(move |path| -> Files {
        if path.as_os_str() == "-" || !path.is_dir() {
            let relative = path.file_name().unwrap_or(path.as_os_str()).into();
            return Box::new(iter::once(Ok(NamedFile {
                path,
                relative,
                spot: None,
            })));
        }
        let rules = Rules {
            follow,
            ..Rules::default()
        };
        match Tree::new(&path, rules) {
            Err(error) => Box::new(iter::once(Err(TreeError { path, error }))),
            Ok(tree) => Box::new(tree.filter_map(move |found| {
                let file = found.map(|found| {
                    (found.kind == EntryKind::File).then(|| NamedFile {
                        path: path.join(&found.relative),
                        relative: found.relative,
                        spot: Some(found.spot),
                    })
                });
                file.transpose()
            })),
        }
    })
}

/// The state of a walk.
pub struct Tree {
    rules: Rules,
    /// The path with which messages begin.
    path: PathBuf,
    levels: Vec<Level>,
    /// The next folder to enter.
    next: Option<Enter>,
}

/// A folder whose entries are being returned.
struct Level {
    base: Arc<Base>,
    within: PathBuf,
    relative: PathBuf,
    identity: (u64, u64),
    names: vec::IntoIter<(OsString, FileType)>,
    ignores: Option<Arc<Ignores>>,
}

/// A folder below which no link is followed by the system: the user's path, or the target of a followed link.
struct Base {
    path: Arc<Path>,
    folder: Folder,
}

/// A folder to be entered.
struct Enter {
    base: Arc<Base>,
    within: PathBuf,
    relative: PathBuf,
    ignores: Option<Arc<Ignores>>,
}

impl Tree {
    /// Creates a walk through the folder at `path`, which is followed if it is a link.
    ///
    /// # Errors
    ///
    /// Fails if the path is not a folder.
    pub fn new(path: &Path, rules: Rules) -> io::Result<Self> {
        let base = Arc::new(Base {
            path: path.into(),
            folder: Folder::open(path)?,
        });
        let ignores = match rules.gitignore {
            true => Some(Ignores::of_folders_above(path)?),
            false => None,
        };
        Ok(Self {
            rules,
            path: path.to_owned(),
            levels: Vec::new(),
            next: Some(Enter {
                base,
                within: PathBuf::new(),
                relative: PathBuf::new(),
                ignores,
            }),
        })
    }

    /// Reads the names in a folder, and returns the entry of the folder.
    fn enter(&mut self, enter: Enter) -> Option<Result<FoundEntry, TreeError>> {
        let path = self.path.join(&enter.relative);
        match self.level(enter) {
            Ok(None) => None,
            Ok(Some(level)) => {
                let found = FoundEntry {
                    spot: level.spot(None),
                    relative: level.relative.clone(),
                    kind: EntryKind::Folder,
                };
                self.levels.push(level);
                Some(Ok(found))
            }
            Err(error) => Some(Err(TreeError { path, error })),
        }
    }

    fn level(&self, enter: Enter) -> io::Result<Option<Level>> {
        let Enter {
            base,
            within,
            relative,
            mut ignores,
        } = enter;
        let folder = base.folder.within(&within)?;
        let identity = folder.identity()?;
        if self.rules.leave_out == Some(identity) && !relative.as_os_str().is_empty() {
            return Ok(None);
        }
        if self.levels.iter().any(|level| level.identity == identity) {
            return Err(io::Error::other(
                "a symbolic link leads back to a folder that it is in",
            ));
        }
        if let Some(above) = ignores {
            let name = self.levels.last().and(relative.file_name());
            ignores = Some(above.with(&folder, name)?);
        }
        let mut names = folder.names()?;
        names.retain(|(name, _)| {
            let is_draft = draft::is_draft(name);
            if is_draft && self.rules.sweep {
                draft::remove_if_dead(&folder, name);
            }
            !is_draft
        });
        Ok(Some(Level {
            base,
            within,
            relative,
            identity,
            names: names.into_iter(),
            ignores,
        }))
    }

    /// Examines a name in the innermost folder; returns `None` if the name is left out.
    fn look_at(&mut self, name: &OsStr, kind: FileType) -> Option<Result<FoundEntry, TreeError>> {
        let level = self.levels.last()?;
        let relative = level.relative.join(name);
        let mut spot = level.spot(Some(name));
        let mut kind = EntryKind::from(kind);
        let mut base = level.base.clone();
        if kind == EntryKind::Link && self.rules.follow {
            match follow(&spot.path()) {
                Ok((target, true)) => {
                    (base, kind) = (target, EntryKind::Folder);
                    let root = base.path.clone();
                    let within = PathBuf::new();
                    spot = Spot { root, within };
                }
                Ok((target, false)) => {
                    let real = target.path.file_name().unwrap_or_default();
                    kind = target.folder_kind(real);
                    let root = target.path.parent().unwrap_or(Path::new("/")).into();
                    let within = PathBuf::from(real);
                    spot = Spot { root, within };
                }
                Err(error) => {
                    let path = self.path.join(relative);
                    return Some(Err(TreeError { path, error }));
                }
            }
        }
        let exclude = self.rules.exclude.as_ref();
        if exclude.is_some_and(|exclude| exclude(&relative)) || self.is_ignored(level, name, kind) {
            return None;
        }
        if kind == EntryKind::Folder {
            let within = spot.within;
            let ignores = level.ignores.clone();
            return self.enter(Enter {
                base,
                within,
                relative,
                ignores,
            });
        }
        Some(Ok(FoundEntry {
            spot,
            relative,
            kind,
        }))
    }

    fn is_ignored(&self, level: &Level, name: &OsStr, kind: EntryKind) -> bool {
        let ignores = level.ignores.as_ref();
        ignores.is_some_and(|ignores| ignores.is_ignored(name, kind == EntryKind::Folder))
    }
}

impl Iterator for Tree {
    type Item = Result<FoundEntry, TreeError>;

    fn next(&mut self) -> Option<Self::Item> {
        if let Some(enter) = self.next.take() {
            return self.enter(enter);
        }
        loop {
            match self.levels.last_mut()?.names.next() {
                None => {
                    self.levels.pop();
                }
                Some((name, kind)) => {
                    if let Some(item) = self.look_at(&name, kind) {
                        return Some(item);
                    }
                }
            }
        }
    }
}

impl Level {
    fn spot(&self, name: Option<&OsStr>) -> Spot {
        Spot {
            root: self.base.path.clone(),
            within: match name {
                Some(name) => self.within.join(name),
                None => self.within.clone(),
            },
        }
    }
}

impl Base {
    fn folder_kind(&self, name: &OsStr) -> EntryKind {
        self.folder
            .kind(name, false)
            .map_or(EntryKind::Other, EntryKind::from)
    }
}

/// Returns the target of a link: a folder, which is then open, or an entry of an open folder.
fn follow(link: &Path) -> io::Result<(Arc<Base>, bool)> {
    let path: Arc<Path> = std::fs::canonicalize(link)?.into();
    let is_folder = std::fs::metadata(&path)?.is_dir();
    let folder = match is_folder {
        true => Folder::open(&path)?,
        false => Folder::open(path.parent().unwrap_or(Path::new("/")))?,
    };
    Ok((Arc::new(Base { path, folder }), is_folder))
}
