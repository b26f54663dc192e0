//! Finds the files to convert from the sources on the command line.

use super::globs::Globs;
use crate::args::files::{Links, SelectArgs};
use mojika_convert::job::draft;
use mojika_convert::job::folder::Spot;
use mojika_convert::job::state::Backups;
use mojika_convert::job::tree::{FoundEntry, OnFolder, Rules, Tree};
use mojika_convert::report::Failure;
use std::ffi::OsStr;
use std::fs;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

pub use mojika_convert::job::tree::{EntryKind, TreeError as WalkError};

/// An entry to convert.
#[derive(Clone)]
pub struct WalkEntry {
    /// The path in messages.
    pub path: PathBuf,
    /// The position of the file.
    pub spot: Spot,
    /// The path in the output folder.
    pub relative: PathBuf,
    pub kind: EntryKind,
    /// True if an earlier run has created the file as the backup of another file.
    pub is_backup: bool,
    /// The other hard links of the file, once all are known.
    pub links: Option<Vec<Spot>>,
}

pub type Item = Result<WalkEntry, WalkError>;

/// The sources of a walk.
#[derive(Default)]
pub struct Walk {
    pub sources: Vec<PathBuf>,
    /// Listed names, which keep their folders in the output.
    pub listed: Vec<PathBuf>,
    pub select: SelectArgs,
    /// Device and inode of the output folder, which may be within a source.
    pub leave_out: Option<(u64, u64)>,
    /// The extension of the backups of this run and of earlier ones.
    pub backup: Option<String>,
    /// The backups of earlier runs.
    pub backups: Arc<Backups>,
    /// True if files are replaced. Files that patterns or lists name are then also tested for being backups.
    pub in_place: bool,
    /// True to remove drafts of interrupted runs.
    pub sweep: bool,
}

impl Walk {
    /// Returns all entries, sorted by name.
    ///
    /// # Errors
    ///
    /// Fails if a pattern is empty or not a glob.
    pub fn entries(&self) -> Result<Box<dyn Iterator<Item = Item> + Send>, Failure> {
        let include = Globs::new("--include", &self.select.include)?;
        let exclude = Arc::new(Globs::new("--exclude", &self.select.exclude)?);
        let rules = Rules {
            follow: self.select.links == Links::Follow,
            gitignore: self.select.gitignore,
            leave_out: self.leave_out,
        };
        let (sweep, in_place) = (self.sweep, self.in_place);
        let backup = self.backup.clone();
        let several = self.sources.len() > 1;
        let sources = self.sources.clone().into_iter().map(move |path| {
            let below = match path.file_name() {
                Some(name) if several => PathBuf::from(name),
                _ => PathBuf::new(),
            };
            Named {
                path,
                below,
                is_listed: false,
            }
        });
        let base = self.select.base.clone();
        let listed = self.listed.clone().into_iter().map(move |path| {
            let below = base
                .as_deref()
                .and_then(|base| path.strip_prefix(base).ok());
            let below = below
                .unwrap_or(&path)
                .components()
                .filter(|part| matches!(part, Component::Normal(_)));
            let below = below.collect();
            Named {
                path,
                below,
                is_listed: true,
            }
        });
        let backups = self.backups.clone();
        let entries = sources.chain(listed).flat_map(move |named| {
            let mut walked = walk_one(named, &rules, &exclude, &backups, sweep);
            let backups = backups.clone();
            if in_place && !backups.is_empty() {
                walked = Box::new(walked.map(move |item| {
                    let mut entry = item?;
                    if entry.kind == EntryKind::File && !entry.is_backup {
                        entry.is_backup = is_backup(&entry.path, &backups);
                    }
                    Ok(entry)
                }));
            }
            walked
        });
        Ok(Box::new(entries.filter(move |item| {
            let Ok(entry) = item else { return true };
            let name = entry.path.file_name().unwrap_or_default();
            let is_backup = |suffix: &String| name.as_encoded_bytes().ends_with(suffix.as_bytes());
            if draft::is_draft(name) || backup.as_ref().is_some_and(is_backup) {
                return false;
            }
            let included = include.is_empty() || include.is_match(&entry.relative);
            entry.kind == EntryKind::Folder || included
        })))
    }
}

/// True if an earlier run has created this file as the backup of another file that still exists.
fn is_backup(path: &Path, backups: &Backups) -> bool {
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder,
        _ => Path::new("."),
    };
    let name = path.file_name().unwrap_or_default();
    // Most names can be excluded without a file system access.
    backups.have_ending_of(name)
        && fs::canonicalize(folder).is_ok_and(|folder| is_backup_in(&folder, name, backups))
}

/// Implements [`is_backup`] for the file `name` in `folder`, an absolute path.
fn is_backup_in(folder: &Path, name: &OsStr, backups: &Backups) -> bool {
    let original = backups.original(folder, name);
    original.is_some_and(|original| folder.join(original).exists())
}

/// A source that the user named.
struct Named {
    path: PathBuf,
    /// The path in the output folder.
    below: PathBuf,
    is_listed: bool,
}

fn walk_one(
    named: Named,
    rules: &Rules,
    exclude: &Arc<Globs>,
    backups: &Arc<Backups>,
    sweep: bool,
) -> Box<dyn Iterator<Item = Item> + Send> {
    let Named {
        path,
        below,
        is_listed,
    } = named;
    // Links in the user's path are followed.
    let walked = fs::metadata(&path).and_then(|metadata| {
        if !metadata.is_dir() {
            let entry = named_file(path.clone(), below.clone(), is_listed, metadata.is_file())?;
            let walk: Box<dyn Iterator<Item = Item> + Send> = Box::new(std::iter::once(Ok(entry)));
            return Ok(walk);
        }
        let exclude = exclude.clone();
        let exclude = move |relative: &Path| !exclude.is_empty() && exclude.is_match(relative);
        let on_folder: Box<OnFolder> = Box::new(move |folder, names| {
            let drafts = names
                .iter()
                .filter(|(name, _)| sweep && draft::is_draft(name));
            for (name, _) in drafts {
                draft::remove_if_dead(folder, name);
            }
        });
        let tree = Tree::new(&path, rules.clone(), Box::new(exclude), on_folder)?;
        let backups = backups.clone();
        let absolute = match backups.is_empty() {
            true => PathBuf::new(),
            false => fs::canonicalize(&path)?,
        };
        let source = path.clone();
        Ok(Box::new(tree.map(move |item| {
            let FoundEntry {
                spot,
                relative,
                kind,
            } = item?;
            let is_backup = kind == EntryKind::File && !backups.is_empty() && {
                let folder = absolute.join(relative.parent().unwrap_or(Path::new("")));
                let name = relative.file_name().unwrap_or_default();
                is_backup_in(&folder, name, &backups)
            };
            Ok(WalkEntry {
                path: source.join(&relative),
                relative: below.join(&relative),
                spot,
                kind,
                is_backup,
                links: None,
            })
        })))
    });
    walked.unwrap_or_else(|error| Box::new(std::iter::once(Err(WalkError { path, error }))))
}

/// Returns the entry of a file that the user named. For a link, that is the entry of its target.
fn named_file(
    path: PathBuf,
    below: PathBuf,
    is_listed: bool,
    is_file: bool,
) -> std::io::Result<WalkEntry> {
    let kind = if is_file {
        EntryKind::File
    } else {
        EntryKind::Other
    };
    let relative = if is_listed || !below.as_os_str().is_empty() {
        below
    } else {
        PathBuf::from(path.file_name().unwrap_or_default())
    };
    let real = match is_file && path.is_symlink() {
        true => fs::canonicalize(&path)?,
        false => path.clone(),
    };
    let root = real.parent().unwrap_or(Path::new("")).into();
    let within = PathBuf::from(real.file_name().unwrap_or_default());
    Ok(WalkEntry {
        path,
        spot: Spot { root, within },
        relative,
        kind,
        is_backup: false,
        links: None,
    })
}
