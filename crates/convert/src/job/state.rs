//! The folder for data that outlives runs: `mojika` in the user's state folder, by the XDG Base Directory Specification.

use super::folder::Folder;
use rustix::fs::{FlockOperation, Mode, OFlags};
use serde_json::{Value, json};
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};

/// Returns the path of the folder; `None` if the environment does not name a home folder.
fn path() -> Option<PathBuf> {
    let absolute = |name: &str| {
        let path = PathBuf::from(std::env::var_os(name)?);
        path.is_absolute().then_some(path)
    };
    let state = absolute("XDG_STATE_HOME").or_else(|| Some(absolute("HOME")?.join(".local/state")));
    Some(state?.join("mojika"))
}

/// Opens the state folder, or a folder in it, and creates it if missing, accessible only to its owner.
///
/// # Errors
///
/// Fails if there is no home folder, if the folder cannot be created, or if another user owns it.
pub(crate) fn open(inner: &str) -> io::Result<Folder> {
    let path = path().ok_or_else(|| io::Error::other("neither XDG_STATE_HOME nor HOME is set"))?;
    let make = |path: &Path, mode| {
        let made = fs::DirBuilder::new()
            .recursive(true)
            .mode(mode)
            .create(path);
        made.map_err(|error| {
            io::Error::new(
                error.kind(),
                format!("{}: {error}", crate::quote::quote(path)),
            )
        })
    };
    make(path.parent().unwrap_or(Path::new("/")), 0o777)?;
    make(&path, 0o700)?;
    make(&path.join(inner), 0o700)?;
    let folder = Folder::open(&path)?;
    refuse_others(&folder)?;
    let folder = folder.within(Path::new(inner))?;
    refuse_others(&folder)?;
    Ok(folder)
}

/// # Errors
///
/// Fails if another user owns the folder or may write to it.
fn refuse_others(folder: &Folder) -> io::Result<()> {
    let metadata = folder.readable()?.metadata()?;
    if metadata.uid() == rustix::process::geteuid().as_raw() && metadata.mode() & 0o022 == 0 {
        return Ok(());
    }
    let path = crate::quote::quote(folder.path());
    Err(io::Error::other(format!(
        "the folder {path} belongs to another user, or others may write to it"
    )))
}

/// Opens a file of a folder for reading and appending, and creates it if missing, accessible only to its owner.
///
/// # Errors
///
/// Fails if the file is a symbolic link, is not a regular file, or has another hard link.
pub(crate) fn open_file(folder: &Folder, name: &OsStr) -> io::Result<File> {
    let flags = OFlags::RDWR
        | OFlags::APPEND
        | OFlags::CREATE
        | OFlags::NOFOLLOW
        | OFlags::NONBLOCK
        | OFlags::CLOEXEC;
    let opened = rustix::fs::openat(folder.fd(), name, flags, Mode::RUSR | Mode::WUSR);
    let file = File::from(opened.map_err(|error| match error {
        rustix::io::Errno::LOOP => io::Error::other("it is a symbolic link, which is not followed"),
        rustix::io::Errno::NXIO => io::Error::other("it is not a regular file"),
        error => error.into(),
    })?);
    let metadata = file.metadata()?;
    if !metadata.is_file() {
        return Err(io::Error::other("it is not a regular file"));
    }
    if metadata.nlink() > 1 {
        return Err(io::Error::other(
            "it has another name elsewhere (a hard link)",
        ));
    }
    Ok(file)
}

/// Returns the lines of JSON in a file, with their ends. Lines longer than `most` bytes, truncated lines, and other text
/// are left out.
pub(crate) fn lines(file: &File, most: u64) -> impl Iterator<Item = io::Result<Value>> + '_ {
    let mut reader = BufReader::with_capacity(64 << 10, file);
    let mut line = Vec::new();
    std::iter::from_fn(move || {
        loop {
            line.clear();
            match (&mut reader).take(most).read_until(b'\n', &mut line) {
                Err(error) => return Some(Err(error)),
                Ok(0) => return None,
                Ok(_) => {}
            }
            if let Ok(value) = serde_json::from_slice(&line) {
                return Some(Ok(value));
            }
        }
    })
}

/// Extensions of backups from earlier runs in place, with the folders and files of these runs.
#[derive(Default)]
pub struct Backups(Vec<(String, PathBuf)>);

const BACKUPS: &str = "backups";
/// The maximum size of the list of backups, in bytes.
const MOST_BACKUPS: u64 = 1 << 20;

impl Backups {
    /// Reads the list of earlier runs; empty without a state folder.
    pub fn read() -> Self {
        let read = || {
            let folder = open("")?;
            let bytes = folder.read_small(OsStr::new(BACKUPS), MOST_BACKUPS)?;
            io::Result::Ok(bytes.unwrap_or_default())
        };
        let bytes = read().unwrap_or_default();
        let lines = bytes.split(|&byte| byte == b'\n');
        let notes = lines.filter_map(|line| {
            let line: Value = serde_json::from_slice(line).ok()?;
            let suffix = line["suffix"].as_str()?.to_owned();
            Some((suffix, super::names::path_of(&line)?))
        });
        Self(notes.collect())
    }

    /// Records the extension of a run's backups with its sources.
    ///
    /// # Errors
    ///
    /// Fails if it cannot be written.
    pub fn note(suffix: &str, sources: &[PathBuf]) -> io::Result<()> {
        let known = Self::read().0;
        let is_new = |source: &&PathBuf| {
            let is_known =
                |(old, above): &(String, PathBuf)| old == suffix && source.starts_with(above);
            !known.iter().any(is_known)
        };
        let mut lines = Vec::new();
        for source in sources.iter().filter(is_new) {
            let mut line = super::names::name_of(source);
            line["suffix"] = json!(suffix);
            writeln!(lines, "{line}")?;
        }
        if lines.is_empty() {
            return Ok(());
        }
        let folder = open("")?;
        let mut file = open_file(&folder, OsStr::new(BACKUPS))?;
        rustix::fs::flock(&file, FlockOperation::LockExclusive)?;
        if file.metadata()?.len() + lines.len() as u64 > MOST_BACKUPS {
            file.set_len(0)?;
        }
        file.write_all(&lines)
    }

    /// Returns the name of the file whose backup would be `name`, in the folder with the absolute path `folder`.
    pub fn original<'n>(&self, folder: &Path, name: &'n OsStr) -> Option<&'n OsStr> {
        use std::os::unix::ffi::OsStrExt;
        self.0.iter().find_map(|(suffix, source)| {
            let original = name.as_bytes().strip_suffix(suffix.as_bytes())?;
            let original = OsStr::from_bytes(original);
            let is_below = folder.starts_with(source) || folder.join(original) == *source;
            (is_below && !original.is_empty()).then_some(original)
        })
    }

    /// True if this name may be the name of a backup in some folder.
    pub fn have_ending_of(&self, name: &OsStr) -> bool {
        use std::os::unix::ffi::OsStrExt;
        let mut suffixes = self.0.iter().map(|(suffix, _)| suffix);
        suffixes.any(|suffix| name.as_bytes().ends_with(suffix.as_bytes()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_backup_is_that_of_a_file_that_a_run_was_over() {
        let noted = [(".orig", "/a/b"), ("~", "/c/file")];
        let backups = Backups(
            noted
                .map(|(suffix, path)| (suffix.to_owned(), path.into()))
                .into(),
        );
        for (folder, name, original) in [
            ("/a/b", "x.orig", Some("x")),
            ("/a/b/c", "x.orig", Some("x")),
            ("/a", "x.orig", None),
            ("/a/bc", "x.orig", None),
            ("/a/b", "x~", None),
            ("/a/b", "x", None),
            ("/a/b", ".orig", None),
            // The source of the run is the file itself, not its folder.
            ("/c", "file~", Some("file")),
            ("/c", "other~", None),
            ("/c/d", "file~", None),
        ] {
            let found = backups.original(Path::new(folder), OsStr::new(name));
            assert_eq!(found, original.map(OsStr::new), "{folder} {name}");
        }
    }

    #[test]
    fn lines_that_are_too_long_cut_off_or_no_json_are_left_out() {
        let temporary = tempfile::tempfile().unwrap();
        let text = "1\n\"12345\"\n\"1234567\"\n{\n2\n[3";
        (&temporary).write_all(text.as_bytes()).unwrap();
        std::io::Seek::rewind(&mut &temporary).unwrap();
        let lines: Vec<_> = lines(&temporary, 8).map(Result::unwrap).collect();
        assert_eq!(lines, [json!(1), json!("12345"), json!(2)]);
    }
}
