//! The new names, and the refusals.

use super::reading::Reading;
use super::tree::{NameEntry, Names};
use mojika_convert::job::folder::{Opener, unreachable};
use mojika_convert::job::renames::{Rename, RenameState};
use mojika_convert::job::tree::TreeError;
use mojika_convert::quote::quote;
use std::collections::HashMap;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

/// The plan for a name.
pub struct Planned {
    pub path: PathBuf,
    /// The new name, if there is one.
    pub to: Option<OsString>,
    /// The reason why the name stays.
    pub refused: Option<String>,
}

/// All names that change or are refused.
#[derive(Default)]
pub struct Plan {
    pub names: Vec<Planned>,
    pub renames: Vec<Rename>,
    /// The index in `names` of each rename.
    pub places: HashMap<PathBuf, usize>,
    /// The number of all names, including those that stay.
    pub count: u64,
    pub errors: Vec<TreeError>,
    /// The encoding of the names, or what an earlier run has done, in words.
    pub said: String,
}

impl Plan {
    /// Plans the renames of all names that were found.
    pub fn new(found: Names, said: String, reading: &Reading) -> Self {
        let mut plan = Self {
            count: found.count,
            errors: found.errors,
            said,
            ..Self::default()
        };
        let mut opener = Opener::default();
        // The new names in each folder.
        let mut taken: HashMap<PathBuf, Vec<usize>> = HashMap::new();
        let mut entries = Vec::new();
        for entry in &found.entries {
            let (to, refused) = match reading.new_name(entry.name()) {
                Ok(None) => continue,
                Ok(Some(name)) => (Some(OsString::from_vec(name)), None),
                Err(reason) => (None, Some(reason)),
            };
            if let Some(to) = &to {
                let folder = entry.spot.root.join(entry.spot.parent());
                taken
                    .entry(folder.join(to))
                    .or_default()
                    .push(entries.len());
            }
            entries.push((entry, to, refused));
        }
        let mut collisions: HashMap<usize, String> = HashMap::new();
        for places in taken.values().filter(|places| places.len() > 1) {
            for &place in places {
                let other = places.iter().find(|&&other| other != place);
                let other = other.map_or_else(String::new, |&at| quote(&entries[at].0.path));
                let reason =
                    format!("{other} would have the same new name; rename one of the two by hand");
                collisions.insert(place, reason);
            }
        }
        for (at, (entry, to, mut refused)) in entries.into_iter().enumerate() {
            if let Some(to) = &to {
                let reason = collisions.remove(&at);
                match reason.map_or_else(|| check(&mut opener, entry, to), Err) {
                    Ok(inode) => {
                        plan.places.insert(entry.spot.path(), plan.names.len());
                        plan.renames.push(Rename {
                            spot: entry.spot.clone(),
                            to: to.clone(),
                            inode,
                            state: RenameState::Planned,
                        });
                    }
                    Err(reason) => refused = Some(reason),
                }
            }
            plan.names.push(Planned {
                path: entry.path.clone(),
                to,
                refused,
            });
        }
        plan
    }
}

/// Checks that a new name is possible; returns the inode of the old one.
fn check(opener: &mut Opener, entry: &NameEntry, to: &OsStr) -> Result<u64, String> {
    let folder = opener.folder_of(&entry.spot).map_err(unreachable)?;
    let most = folder.longest_name();
    if to.as_bytes().len() > most {
        return Err(format!(
            "the new name has {} bytes, and the file system takes at most {most}; shorten the name first",
            to.as_bytes().len()
        ));
    }
    if folder.has(to) {
        return Err(format!(
            "{} exists in its folder; rename one of the two by hand",
            quote(Path::new(to))
        ));
    }
    let stamp = folder.stamp(entry.spot.name());
    stamp
        .map(|stamp| stamp.inode)
        .map_err(|error| format!("cannot look at it: {error}"))
}
