//! The content of a journal: its first line, and the finished files of its run.

use super::Ask;
use crate::job::folder::Spot;
use crate::job::names::{name_of, path_of};
use crate::job::state;
use serde_json::{Value, json};
use std::collections::{HashMap, HashSet};
use std::fs::{self, File};
use std::io::{self, BufRead, Read, Seek};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// The maximum length of a line in bytes.
const MOST_HEADER: u64 = 32 << 20;
/// The maximum number of sources in the first line. Runs over more sources are found only by the same command.
const MOST_SOURCES: usize = 1000;
const VERSION: u64 = 2;

/// The state in which an earlier run left a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Before {
    /// The run has reported the file.
    Reported,
    /// The run was interrupted after the file got its final name.
    Appeared,
}

/// The finished work of earlier runs.
#[derive(Default)]
pub struct Finished {
    pub done: HashSet<PathBuf>,
    /// The device and inode of the draft for each target.
    pub intended: HashMap<PathBuf, (u64, u64)>,
    /// The created folders, each with the source folder that it copies.
    pub made: Vec<(PathBuf, Spot)>,
    /// True if the last line marks the run as complete.
    pub complete: bool,
    /// The number of the run in [`history`](crate::job::history), which can be reverted.
    pub run: Option<u64>,
}

/// The first line of a journal.
pub struct Header {
    pub options: String,
    pub sources: Vec<PathBuf>,
    pub command: String,
    /// The working folder.
    pub cwd: PathBuf,
}

impl Header {
    pub fn of(line: &Value) -> Option<Self> {
        (line["mojika_journal"] == VERSION).then_some(())?;
        let sources = line["in_place"].as_array()?.iter().filter_map(path_of);
        Some(Self {
            options: line["options"].as_str()?.to_owned(),
            sources: sources.collect(),
            command: line["command"].as_str().unwrap_or_default().to_owned(),
            cwd: path_of(&line["cwd"]).unwrap_or_default(),
        })
    }

    pub fn line(ask: &Ask<'_>) -> Value {
        let few = ask.in_place.get(..ask.in_place.len().min(MOST_SOURCES));
        let few = few
            .filter(|few| few.len() == ask.in_place.len())
            .unwrap_or_default();
        json!({
            "mojika_journal": VERSION,
            "options": ask.options,
            "command": crate::job::again::again(),
            "cwd": name_of(&std::env::current_dir().unwrap_or_default()),
            "in_place": few.iter().map(|path| name_of(path)).collect::<Vec<_>>(),
        })
    }
}

/// Returns the first line of a journal; `None` for another file.
pub fn read_header(mut file: &File) -> io::Result<Option<Header>> {
    file.rewind()?;
    let mut line = Vec::new();
    let reader = io::BufReader::with_capacity(64 << 10, file);
    reader.take(MOST_HEADER).read_until(b'\n', &mut line)?;
    let line = serde_json::from_slice(&line).ok();
    Ok(line.as_ref().and_then(Header::of))
}

impl Finished {
    pub fn before(&self, target: &Path) -> Option<Before> {
        if self.done.contains(target) {
            return Some(Before::Reported);
        }
        let identity = self.intended.get(target)?;
        let metadata = fs::symlink_metadata(target).ok()?;
        ((metadata.dev(), metadata.ino()) == *identity).then_some(Before::Appeared)
    }

    pub fn has_work(&self) -> bool {
        !self.done.is_empty() || !self.intended.is_empty() || !self.made.is_empty()
    }

    /// True if the run has converted files and is not complete.
    pub fn is_under_way(&self) -> bool {
        let has_files = !self.done.is_empty() || !self.intended.is_empty();
        has_files && !self.complete
    }

    /// True if the run is incomplete and has converted one of these sources, or a file below one.
    pub fn touches(&self, cwd: &Path, sources: &[PathBuf]) -> bool {
        if self.complete {
            return false;
        }
        // Maps each folder to its canonical path, because links may lead to it.
        let mut folders = HashMap::new();
        self.done.iter().chain(self.intended.keys()).any(|path| {
            let parent = path.parent().unwrap_or(Path::new(""));
            let folder = folders.entry(parent.to_owned()).or_insert_with(|| {
                let parent = cwd.join(parent);
                fs::canonicalize(&parent).unwrap_or(parent)
            });
            let path = folder.join(path.file_name().unwrap_or_default());
            sources.iter().any(|source| path.starts_with(source))
        })
    }

    /// Reads the finished work. Truncated lines are left out.
    pub fn read(mut file: &File) -> io::Result<Self> {
        let mut finished = Self::default();
        file.rewind()?;
        for line in state::lines(file, MOST_HEADER) {
            let line = line?;
            if line["complete"] == true {
                finished.complete = true;
            } else if let Some(run) = line["run"].as_u64() {
                finished.run = Some(run);
            } else if let Some(folder) = path_of(&line["made"]) {
                let (root, within) = (path_of(&line["root"]), path_of(&line["within"]));
                if let (Some(root), Some(within)) = (root, within) {
                    let root = root.into();
                    finished.made.push((folder, Spot { root, within }));
                }
            } else if let Some(path) = path_of(&line) {
                finished.complete = false;
                match (line["dev"].as_u64(), line["ino"].as_u64()) {
                    (Some(dev), Some(ino)) => {
                        finished.intended.insert(path, (dev, ino));
                    }
                    _ => {
                        finished.done.insert(path);
                    }
                }
            }
        }
        Ok(finished)
    }
}
