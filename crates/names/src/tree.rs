//! The names in the trees that the user gave.

use super::reading::Reading;
use mojika_convert::job::folder::{Spot, folder_of};
use mojika_convert::job::tree::{FoundEntry, Rules, Tree, TreeError};
use std::collections::HashSet;
use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// A name that may change.
pub struct NameEntry {
    pub spot: Spot,
    /// The path in messages.
    pub path: PathBuf,
}

impl NameEntry {
    /// Returns the bytes of the name.
    pub fn name(&self) -> &[u8] {
        self.spot.name().as_bytes()
    }
}

/// The names that were found.
#[derive(Default)]
pub struct Names {
    pub entries: Vec<NameEntry>,
    /// The number of all names, including those that stay.
    pub count: u64,
    pub errors: Vec<TreeError>,
}

impl Names {
    /// Traverses the sources. Names that certainly stay are only counted.
    pub fn find(sources: &[PathBuf], reading: &Reading) -> Self {
        let mut names = Self::default();
        // A source within another source is found in that source.
        let depth = |source: &&PathBuf| {
            let real = fs::canonicalize(source);
            real.map_or(0, |real| real.components().count())
        };
        let mut sources: Vec<_> = sources.iter().collect();
        sources.sort_by_key(depth);
        let mut walked = Vec::new();
        let mut given = HashSet::new();
        for source in sources {
            if let Err(error) = names.source(source, reading, &mut walked, &mut given) {
                let path = source.clone();
                names.errors.push(TreeError { path, error });
            }
        }
        names
    }

    fn source(
        &mut self,
        source: &Path,
        reading: &Reading,
        walked: &mut Vec<PathBuf>,
        given: &mut HashSet<PathBuf>,
    ) -> io::Result<()> {
        let named = named(source)?;
        let is_link = fs::symlink_metadata(named.spot.path())?.is_symlink();
        let is_in_another = walked
            .iter()
            .any(|above| named.spot.root.starts_with(above));
        // A link is renamed itself. Its target is not followed, unless the user gave the link.
        if fs::metadata(source).is_ok_and(|metadata| metadata.is_dir()) {
            let real = fs::canonicalize(source)?;
            if !walked.iter().any(|above| real.starts_with(above)) {
                let below = match is_link {
                    true => Spot {
                        root: real.as_path().into(),
                        within: PathBuf::new(),
                    },
                    false => named.spot.clone(),
                };
                self.walk(source, &below, reading)?;
                walked.push(real);
            }
        }
        let has_name = !named.spot.within.as_os_str().is_empty() && !is_in_another;
        // A source may be given more than once.
        if has_name && given.insert(named.spot.path()) {
            self.add(named, reading);
        }
        Ok(())
    }

    /// Traverses the folder at a path; `below` is its position.
    fn walk(&mut self, source: &Path, below: &Spot, reading: &Reading) -> io::Result<()> {
        for found in Tree::new(source, Rules::default())? {
            let relative = match found {
                Ok(FoundEntry { relative, .. }) => relative,
                Err(error) => {
                    // An unreadable folder can still be renamed.
                    let relative = error.path.strip_prefix(source).map(Path::to_owned);
                    self.errors.push(error);
                    relative.unwrap_or_default()
                }
            };
            if relative.as_os_str().is_empty() {
                continue;
            }
            let spot = Spot {
                root: below.root.clone(),
                within: below.within.join(&relative),
            };
            let path = source.join(relative);
            self.add(NameEntry { spot, path }, reading);
        }
        Ok(())
    }

    fn add(&mut self, entry: NameEntry, reading: &Reading) {
        self.count += 1;
        if !reading.is_settled(entry.name()) {
            self.entries.push(entry);
        }
    }

    /// Returns the names in the undecided encoding, each once, as lines of a text. Of many names, an even sample is taken.
    pub fn text(&self, reading: &Reading) -> Vec<u8> {
        text(self.entries.iter().map(NameEntry::name), reading)
    }
}

/// Returns the names in the undecided encoding, each once, as lines of a text.
pub fn text<'n>(names: impl Iterator<Item = &'n [u8]>, reading: &Reading) -> Vec<u8> {
    /// The number of bytes for a decision.
    const MAX_SAMPLE_LENGTH: usize = 60_000;
    let mut known = HashSet::new();
    let open: Vec<_> = names
        .filter(|name| reading.is_open(name) && known.insert(*name))
        .collect();
    let bytes: usize = open.iter().map(|name| name.len() + 1).sum();
    let step = bytes.div_ceil(MAX_SAMPLE_LENGTH).max(1);
    let mut text = Vec::new();
    for name in open.into_iter().step_by(step) {
        text.extend(name.iter().map(|&byte| match byte {
            b'\n' | b'\r' => b' ',
            byte => byte,
        }));
        text.push(b'\n');
    }
    text
}

/// Returns the entry of a file or folder that the user gave. "." and ".." have no name of their own.
fn named(source: &Path) -> io::Result<NameEntry> {
    let path = source.to_owned();
    let ends_in_dots = || {
        let bytes = source.as_os_str().as_bytes();
        let last = bytes
            .split(|&byte| byte == b'/')
            .rfind(|part| !part.is_empty());
        last.is_none_or(|last| last == b"." || last == b"..")
    };
    let spot = match source.file_name() {
        Some(name) if !ends_in_dots() => {
            let folder = fs::canonicalize(folder_of(source))?;
            Spot {
                root: folder.into(),
                within: PathBuf::from(name),
            }
        }
        _ => Spot {
            root: fs::canonicalize(source)?.into(),
            within: PathBuf::new(),
        },
    };
    Ok(NameEntry { spot, path })
}
