//! Finds the files to convert from the sources on the command line.

use super::globs;
use crate::args::files::{Links, SelectArgs};
use mojika_convert::job::draft;
use mojika_convert::job::folder::{Spot, folder_of};
use mojika_convert::job::state::Backups;
use mojika_convert::job::tree::{FoundEntry, Rules, Tree};
use mojika_convert::report::Failure;
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
        let include = globs::matcher("--include", &self.select.include)?;
        let rules = Rules {
            follow: self.select.links == Links::Follow,
            gitignore: self.select.gitignore,
            leave_out: self.leave_out,
            sweep: self.sweep,
            exclude: globs::matcher("--exclude", &self.select.exclude)?,
        };
        let in_place = self.in_place;
        let backup = self.backup.clone();
        let several = self.sources.len() > 1;
        let sources = self.sources.clone().into_iter().map(move |path| {
            let name = PathBuf::from(path.file_name().unwrap_or_default());
            let below = if several {
                name.clone()
            } else {
                PathBuf::new()
            };
            (path, below, name)
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
            let below: PathBuf = below.collect();
            (path, below.clone(), below)
        });
        let backups = self.backups.clone();
        let entries = sources
            .chain(listed)
            .flat_map(move |named| walk_one(named, &rules, &backups, in_place));
        Ok(Box::new(entries.filter(move |item| {
            let Ok(entry) = item else { return true };
            let name = entry.path.file_name().unwrap_or_default();
            let is_backup = |suffix: &String| name.as_encoded_bytes().ends_with(suffix.as_bytes());
            if draft::is_draft(name) || backup.as_ref().is_some_and(is_backup) {
                return false;
            }
            let included = (include.as_ref()).is_none_or(|include| include(&entry.relative));
            entry.kind == EntryKind::Folder || included
        })))
    }
}

/// True if an earlier run has created this file as the backup of another file that still exists.
fn is_backup(path: &Path, backups: &Backups) -> bool {
    let name = path.file_name().unwrap_or_default();
    // Most names can be excluded without a file system access.
    backups.have_ending_of(name)
        && fs::canonicalize(folder_of(path)).is_ok_and(|folder| {
            let original = backups.original(&folder, name);
            original.is_some_and(|original| folder.join(original).exists())
        })
}

/// Returns the entries of a source: the user's path, and its path in the output folder as a folder and as a file.
fn walk_one(
    (path, below, relative): (PathBuf, PathBuf, PathBuf),
    rules: &Rules,
    backups: &Arc<Backups>,
    in_place: bool,
) -> Box<dyn Iterator<Item = Item> + Send> {
    // Links in the user's path are followed.
    let walked = fs::metadata(&path).and_then(|metadata| {
        if !metadata.is_dir() {
            let mut entry = named_file(path.clone(), relative.clone(), metadata.is_file())?;
            // The user may name a backup to convert it, but not to replace it.
            entry.is_backup = in_place && metadata.is_file() && is_backup(&path, backups);
            let walk: Box<dyn Iterator<Item = Item> + Send> = Box::new(std::iter::once(Ok(entry)));
            return Ok(walk);
        }
        let tree = Tree::new(&path, rules.clone())?;
        let (source, backups) = (path.clone(), backups.clone());
        Ok(Box::new(tree.map(move |item| {
            let FoundEntry {
                spot,
                relative,
                kind,
            } = item?;
            let path = source.join(&relative);
            Ok(WalkEntry {
                is_backup: kind == EntryKind::File && is_backup(&path, &backups),
                path,
                relative: below.join(relative),
                spot,
                kind,
                links: None,
            })
        })))
    });
    walked.unwrap_or_else(|error| Box::new(std::iter::once(Err(WalkError { path, error }))))
}

/// Returns the entry of a file that the user named. For a link, that is the entry of its target.
fn named_file(path: PathBuf, relative: PathBuf, is_file: bool) -> std::io::Result<WalkEntry> {
    let kind = if is_file {
        EntryKind::File
    } else {
        EntryKind::Other
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
