//! Ignore files, read through open folders. The crate `ignore` interprets their patterns.

use super::folder::Folder;
use ignore::Match;
use ignore::gitignore::{Gitignore, GitignoreBuilder};
use rustix::fs::FileType;
use std::ffi::OsStr;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The ignore files of a folder and its ancestors.
pub struct Ignores {
    /// The absolute path of the folder.
    folder: PathBuf,
    /// The patterns of `.ignore`, `.gitignore` and `.git/info/exclude`.
    matchers: [Option<Gitignore>; 3],
    above: Option<Arc<Self>>,
    /// The user's own patterns, for all folders.
    global: Arc<Gitignore>,
}

/// The maximum length of an ignore file in bytes.
const MOST_IGNORE: u64 = 4 << 20;

impl Ignores {
    /// Returns the ignore files that apply to the folder at `path`, except the files in the folder itself.
    ///
    /// # Errors
    ///
    /// Fails if an ignore file cannot be read, or if there is no such folder.
    pub(crate) fn of_folders_above(path: &Path) -> io::Result<Arc<Self>> {
        let global = Arc::new(Gitignore::global().0);
        // Ignore files in all ancestors of the folder apply, so the path must be absolute.
        let absolute = std::fs::canonicalize(path)?;
        let mut above: Vec<_> = absolute.ancestors().skip(1).collect();
        above.reverse();
        let mut ignores = None;
        for folder in above {
            if let Ok(opened) = Folder::open(folder) {
                ignores = Some(Self::read(&opened, folder, ignores, &global)?);
            }
        }
        Ok(Arc::new(Self {
            // The folder's own ignore files are read when it is entered.
            folder: absolute,
            matchers: [const { None }; 3],
            above: ignores,
            global,
        }))
    }

    /// Returns the ignore files that apply in `folder`: the files of `self`, and the files in `folder`. `name` is the name of
    /// a subfolder; `None` means the folder of `self`.
    ///
    /// # Errors
    ///
    /// Fails if an ignore file cannot be read.
    pub fn with(self: Arc<Self>, folder: &Folder, name: Option<&OsStr>) -> io::Result<Arc<Self>> {
        let path = match name {
            Some(name) => self.folder.join(name),
            None => self.folder.clone(),
        };
        let global = self.global.clone();
        Self::read(folder, &path, Some(self), &global)
    }

    /// Reads the ignore files of one folder; only regular files are read.
    fn read(
        folder: &Folder,
        path: &Path,
        above: Option<Arc<Self>>,
        global: &Arc<Gitignore>,
    ) -> io::Result<Arc<Self>> {
        let read = |name: &str, within: Option<&Folder>| {
            let (Some(within), name) = (within, OsStr::new(name)) else {
                return Ok(None);
            };
            // Git ignores a link, too.
            let is_regular = within
                .kind(name, false)
                .is_ok_and(|kind| kind == FileType::RegularFile);
            let bytes = match within.read_small(name, MOST_IGNORE) {
                Ok(Some(bytes)) => bytes,
                Err(error) if is_regular => {
                    let name = crate::quote::quote(Path::new(name));
                    return Err(io::Error::other(format!("{name}: {error}")));
                }
                _ => return Ok(None),
            };
            let mut builder = GitignoreBuilder::new(path);
            for line in String::from_utf8_lossy(&bytes).lines() {
                // As in Git, invalid patterns are left out.
                let _ = builder.add_line(None, line);
            }
            io::Result::Ok(builder.build().ok().filter(|rules| !rules.is_empty()))
        };
        let info = folder.within(Path::new(".git/info")).ok();
        let matchers = [
            read(".ignore", Some(folder))?,
            read(".gitignore", Some(folder))?,
            read("exclude", info.as_ref())?,
        ];
        let folder = path.to_owned();
        Ok(Arc::new(Self {
            folder,
            matchers,
            above,
            global: global.clone(),
        }))
    }

    /// True if a name in the folder is ignored. `.ignore` overrides `.gitignore`, and inner folders override outer.
    pub fn is_ignored(&self, name: &OsStr, is_folder: bool) -> bool {
        let path = &self.folder.join(name);
        for which in 0..self.matchers.len() {
            let mut ignores = Some(self);
            while let Some(here) = ignores {
                let rules = here.matchers[which].as_ref();
                match rules.map_or(Match::None, |rules| rules.matched(path, is_folder)) {
                    Match::None => {}
                    found => return found.is_ignore(),
                }
                ignores = here.above.as_deref();
            }
        }
        self.global.matched(path, is_folder).is_ignore()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    /// As in Git, a link is not an ignore file. An unreadable file is an error, because its rules would be lost.
    #[test]
    fn ignore_files_are_regular_and_those_that_cannot_be_read_are_errors() {
        let temporary = tempfile::tempdir().unwrap();
        let root = temporary.path().join("root");
        fs::create_dir(&root).unwrap();
        fs::write(temporary.path().join("rules"), "*\n").unwrap();
        let folder = Folder::open(&root).unwrap();
        let read = || {
            let above = Ignores::of_folders_above(&root).unwrap();
            above.with(&folder, None)
        };
        std::os::unix::fs::symlink("../rules", root.join(".gitignore")).unwrap();
        let ignores = read().unwrap();
        assert!(!ignores.is_ignored(OsStr::new("a"), false));
        fs::remove_file(root.join(".gitignore")).unwrap();
        // The length is limited.
        for (length, is_read) in [(MOST_IGNORE, true), (MOST_IGNORE + 1, false)] {
            // One comment.
            let rules = "#".repeat(usize::try_from(length).unwrap());
            fs::write(root.join(".ignore"), rules).unwrap();
            let error = read().err().map(|error| error.to_string());
            assert_eq!(error.is_none(), is_read, "{error:?}");
            if let Some(error) = error {
                assert_eq!(error, ".ignore: it has more than 4194304 bytes");
            }
        }
    }

    #[test]
    fn the_innermost_rule_counts_and_ignore_before_gitignore() {
        let temporary = tempfile::tempdir().unwrap();
        let root = temporary.path().join("root");
        fs::create_dir_all(root.join("sub/.git/info")).unwrap();
        for (name, rules) in [
            (".gitignore", "*.log\n!kept.log\nbuild/\n/top\n*.x\n"),
            (".ignore", "!special.log\nouter\n"),
            ("sub/.gitignore", "!inner.log\n!outer\n"),
            ("sub/.git/info/exclude", "secret\n!a.x\n"),
        ] {
            fs::write(root.join(name), rules).unwrap();
        }
        let folder = Folder::open(&root).unwrap();
        let sub = folder.within(Path::new("sub")).unwrap();
        let above = Ignores::of_folders_above(&root).unwrap();
        let of_root = above.with(&folder, None).unwrap();
        let of_sub = of_root.clone().with(&sub, Some(OsStr::new("sub"))).unwrap();
        // The result must be the same if the user names the inner folder.
        let named = Ignores::of_folders_above(&root.join("sub")).unwrap();
        let named = named.with(&sub, None).unwrap();
        let is_ignored = |ignores: &Ignores, name: &str, is_folder| {
            ignores.is_ignored(OsStr::new(name), is_folder)
        };
        for (name, is_folder, in_root, in_sub) in [
            ("a.txt", false, false, false),
            ("a.log", false, true, true),
            ("kept.log", false, false, false),
            ("special.log", false, false, false),
            ("inner.log", false, true, false),
            ("build", true, true, true),
            ("build", false, false, false),
            ("top", false, true, false),
            // `.ignore` of the outer folder takes precedence over `.gitignore` of the inner folder.
            ("outer", false, true, true),
            ("secret", false, false, true),
            // `.gitignore` of the outer folder takes precedence over `exclude` of the inner folder.
            ("a.x", false, true, true),
        ] {
            assert_eq!(is_ignored(&of_root, name, is_folder), in_root, "{name}");
            for ignores in [&of_sub, &named] {
                assert_eq!(is_ignored(ignores, name, is_folder), in_sub, "sub/{name}");
            }
        }
    }
}
