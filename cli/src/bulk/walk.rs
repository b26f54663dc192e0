//! From the sources on the command line to the files to convert.

use super::args::{Links, SelectArgs};
use crate::job::draft;
use globset::{GlobBuilder, GlobSet, GlobSetBuilder};
use std::fs;
use std::io;
use std::os::unix::fs::MetadataExt;
use std::path::{Component, Path, PathBuf};

/// Something to work on.
#[derive(Clone)]
pub struct Entry {
    /// Where it is.
    pub path: PathBuf,
    /// Where it is to be in the output folder.
    pub relative: PathBuf,
    pub kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    File,
    Folder,
    Link,
    /// A named pipe, a socket, a device.
    Other,
}

/// A source or folder that could not be read.
pub struct WalkError {
    pub path: PathBuf,
    pub error: io::Error,
}

pub type Item = Result<Entry, WalkError>;

/// What to walk through.
pub struct Walk {
    pub sources: Vec<PathBuf>,
    /// Names that were listed keep their folders in the output.
    pub listed: Vec<PathBuf>,
    pub select: SelectArgs,
    /// The output folder's device and inode: it may lie within a source.
    pub leave_out: Option<(u64, u64)>,
    /// Ending of the backups of this run and of earlier ones.
    pub backup: Option<String>,
    /// Remove drafts of dead runs on the way.
    pub sweep: bool,
}

impl Walk {
    /// All entries, in the order of their names.
    ///
    /// # Errors
    ///
    /// Fails if a pattern is not a glob.
    pub fn entries(&self) -> Result<Box<dyn Iterator<Item = Item> + Send>, globset::Error> {
        let include = globs(&self.select.include)?;
        let exclude = globs(&self.select.exclude)?;
        let follow = self.select.links == Links::Follow;
        let gitignore = self.select.gitignore;
        let (leave_out, sweep) = (self.leave_out, self.sweep);
        let backup = self.backup.clone();
        let several = self.sources.len() > 1;
        let sources = self.sources.clone().into_iter().map(move |path| {
            let below = match path.file_name() {
                Some(name) if several => PathBuf::from(name),
                _ => PathBuf::new(),
            };
            (path, below, false)
        });
        let listed = self.listed.clone().into_iter();
        let listed = listed.map(|path| {
            let below = path
                .components()
                .filter(|part| matches!(part, Component::Normal(_)));
            let below = below.collect();
            (path, below, true)
        });
        let exclude = std::sync::Arc::new(exclude);
        let entries = sources
            .chain(listed)
            .flat_map(move |(source, below, listed)| {
                let exclude_here = exclude.clone();
                walk_one(
                    source,
                    below,
                    listed,
                    follow,
                    gitignore,
                    leave_out,
                    exclude_here,
                )
            });
        Ok(Box::new(entries.filter_map(move |item| {
            let entry = match item {
                Err(error) => return Some(Err(error)),
                Ok(entry) => entry,
            };
            let name = entry.path.file_name().unwrap_or_default();
            if draft::is_own(name) {
                if sweep && draft::is_draft(name) {
                    draft::remove_if_dead(&entry.path);
                }
                return None;
            }
            let is_backup = |suffix: &String| name.as_encoded_bytes().ends_with(suffix.as_bytes());
            if backup.as_ref().is_some_and(is_backup) {
                return None;
            }
            let included = include.is_empty() || is_match(&include, &entry.relative);
            (entry.kind == Kind::Folder || included).then_some(Ok(entry))
        })))
    }
}

fn walk_one(
    source: PathBuf,
    below: PathBuf,
    listed: bool,
    follow: bool,
    gitignore: bool,
    leave_out: Option<(u64, u64)>,
    exclude: std::sync::Arc<GlobSet>,
) -> Box<dyn Iterator<Item = Item> + Send> {
    // What the user names is followed.
    let metadata = match fs::metadata(&source) {
        Ok(metadata) => metadata,
        Err(error) => {
            let path = source;
            return Box::new(std::iter::once(Err(WalkError { path, error })));
        }
    };
    if !metadata.is_dir() {
        let kind = if metadata.is_file() {
            Kind::File
        } else {
            Kind::Other
        };
        let relative = if listed || !below.as_os_str().is_empty() {
            below
        } else {
            PathBuf::from(source.file_name().unwrap_or_default())
        };
        let path = source;
        return Box::new(std::iter::once(Ok(Entry {
            path,
            relative,
            kind,
        })));
    }
    let mut builder = ignore::WalkBuilder::new(&source);
    builder
        .standard_filters(false)
        .git_ignore(gitignore)
        .git_exclude(gitignore)
        .git_global(gitignore)
        .ignore(gitignore)
        .parents(gitignore)
        .require_git(false)
        .follow_links(follow)
        // A folder is read as a whole before its first file is taken: files that are replaced do not come up again.
        .sort_by_file_name(Ord::cmp);
    let root = source.clone();
    builder.filter_entry(move |entry| {
        let is_folder = entry.file_type().is_some_and(|kind| kind.is_dir());
        if is_folder && leave_out.is_some() {
            let identity = fs::metadata(entry.path()).map(|one| (one.dev(), one.ino()));
            if identity.ok() == leave_out {
                return false;
            }
        }
        exclude.is_empty() || {
            let relative = entry.path().strip_prefix(&root).unwrap_or(entry.path());
            !is_match(&exclude, relative)
        }
    });
    Box::new(builder.build().map(move |entry| match entry {
        Err(error) => Err(walk_error(&source, error)),
        Ok(entry) => {
            let kind = match entry.file_type() {
                Some(kind) if kind.is_file() => Kind::File,
                Some(kind) if kind.is_dir() => Kind::Folder,
                Some(kind) if kind.is_symlink() && entry.depth() > 0 => Kind::Link,
                Some(kind) if kind.is_symlink() => Kind::Folder,
                _ => Kind::Other,
            };
            let path = entry.into_path();
            let relative = below.join(path.strip_prefix(&source).unwrap_or(&path));
            Ok(Entry {
                path,
                relative,
                kind,
            })
        }
    }))
}

fn walk_error(source: &Path, error: ignore::Error) -> WalkError {
    let mut path = source.to_owned();
    let mut inner = &error;
    loop {
        match inner {
            ignore::Error::WithPath { path: at, err } => {
                path.clone_from(at);
                inner = err;
            }
            ignore::Error::WithDepth { err, .. } | ignore::Error::WithLineNumber { err, .. } => {
                inner = err;
            }
            _ => break,
        }
    }
    let text = inner.to_string();
    let error = error
        .into_io_error()
        .unwrap_or_else(|| io::Error::other(text));
    WalkError { path, error }
}

fn is_match(globs: &GlobSet, relative: &Path) -> bool {
    globs.is_match(relative)
}

/// A pattern without "/" matches in every folder.
fn globs(patterns: &[String]) -> Result<GlobSet, globset::Error> {
    let mut set = GlobSetBuilder::new();
    for pattern in patterns {
        let trimmed = pattern.trim_end_matches('/');
        let anywhere = if trimmed.contains('/') {
            trimmed.trim_start_matches('/').to_owned()
        } else {
            format!("**/{trimmed}")
        };
        set.add(
            GlobBuilder::new(&anywhere)
                .literal_separator(true)
                .build()?,
        );
    }
    set.build()
}

/// The names in a list, each ended by `end`.
pub fn names(bytes: &[u8], end: u8) -> Vec<PathBuf> {
    use std::os::unix::ffi::OsStrExt;
    let names = bytes
        .split(|&byte| byte == end)
        .filter(|name| !name.is_empty());
    names
        .map(|name| PathBuf::from(std::ffi::OsStr::from_bytes(name)))
        .collect()
}
