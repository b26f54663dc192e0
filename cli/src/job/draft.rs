//! A file that nobody sees before it is complete.
//!
//! Where the target is new, the draft has no name at all (`O_TMPFILE`) and gets the target's name by `linkat`, which
//! never overwrites. Where the target is replaced, or the file system has no nameless files, the draft is
//! `.mojika-*.tmp` beside it. Its creator holds a `flock` on it for as long as it lives: a draft without a lock is
//! left over from a run that was killed, and [`sweep`] removes it.

use super::signals;
use rustix::fs::{AtFlags, CWD, FlockOperation, Mode, OFlags, RenameFlags};
use rustix::io::Errno;
use std::ffi::OsStr;
use std::fs::{self, File, Metadata};
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock};
use std::time::{SystemTime, UNIX_EPOCH};

const PREFIX: &str = ".mojika-";
const SUFFIX: &str = ".tmp";

/// Distinguishes this run's drafts from those of all others.
static RUN: LazyLock<String> = LazyLock::new(|| {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let nanoseconds = now.unwrap_or_default().as_nanos() & 0xFFFF_FFFF_FFFF;
    format!("{}-{nanoseconds:x}", std::process::id())
});
static COUNT: AtomicU64 = AtomicU64::new(0);

/// Dropped without [`commit`](Self::commit), it leaves nothing behind.
pub struct Draft {
    file: File,
    /// Its name, or the open folder of a file without one.
    place: Place,
    target: PathBuf,
    replace: bool,
    /// As it was when it was created.
    made: Made,
}

enum Place {
    Named(PathBuf),
    Nameless(Arc<OwnedFd>),
    /// It has appeared, or will not.
    Gone,
}

/// What a new file is given by its folder and the user's mask.
#[derive(Clone, Copy)]
struct Made {
    device: u64,
    owner: (u32, u32),
    mode: u32,
}

impl Made {
    fn of(metadata: &Metadata) -> Self {
        Self {
            device: metadata.dev(),
            owner: (metadata.uid(), metadata.gid()),
            mode: metadata.mode(),
        }
    }
}

/// Makes drafts; those in one folder, one after another, cost the fewest system calls.
#[derive(Default)]
pub struct Maker {
    last: Option<Last>,
}

/// The folder in which the last draft without a name was made.
struct Last {
    path: PathBuf,
    folder: Arc<OwnedFd>,
    /// The mode that was asked for, and what came of it: the next file will be given the same.
    asked: u32,
    made: Made,
}

impl Maker {
    /// Begins a file that will appear at `target`. It replaces an existing file only if `replace` is set.
    ///
    /// A draft without a name has the mode bits `mode` at once, as far as the user's mask allows; one with a name is
    /// its owner's alone until [`keep_attributes`](Self::keep_attributes).
    ///
    /// # Errors
    ///
    /// Fails if the folder does not exist or may not be written to.
    pub fn create(&mut self, target: &Path, replace: bool, mode: u32) -> io::Result<Draft> {
        let nameless = if replace {
            None
        } else {
            self.create_nameless(folder_of(target), mode)?
        };
        let (file, made, place) = match nameless {
            Some((file, made, folder)) => (file, made, Place::Nameless(folder)),
            None => {
                let (file, metadata, name) = create_named(folder_of(target))?;
                (file, Made::of(&metadata), Place::Named(name))
            }
        };
        Ok(Draft {
            file,
            place,
            target: target.to_owned(),
            replace,
            made,
        })
    }

    /// A file without a name, and its folder; `None` where that does not work.
    fn create_nameless(
        &mut self,
        path: &Path,
        mode: u32,
    ) -> io::Result<Option<(File, Made, Arc<OwnedFd>)>> {
        if let Some(last) = &self.last
            && last.path.as_os_str() == path.as_os_str()
            && last.asked == mode
            && let Some(file) = nameless_in(&last.folder, mode)
        {
            return Ok(Some((file, last.made, last.folder.clone())));
        }
        // Another folder, or it is gone and may have been made anew.
        self.last = None;
        let Some(folder) = open_folder(path) else {
            return Ok(None);
        };
        let Some(file) = nameless_in(&folder, mode) else {
            return Ok(None);
        };
        let made = Made::of(&file.metadata()?);
        let folder = Arc::new(folder);
        self.last = Some(Last {
            path: path.to_owned(),
            folder: folder.clone(),
            asked: mode,
            made,
        });
        Ok(Some((file, made, folder)))
    }
}

impl Draft {
    /// Begins a file as [`Maker::create`] does.
    ///
    /// # Errors
    ///
    /// As of that.
    pub fn create(target: &Path, replace: bool, mode: u32) -> io::Result<Self> {
        Maker::default().create(target, replace, mode)
    }

    /// Device and inode.
    ///
    /// # Errors
    ///
    /// Fails if the file system does not tell.
    pub fn identity(&self) -> io::Result<(u64, u64)> {
        let metadata = self.file.metadata()?;
        Ok((metadata.dev(), metadata.ino()))
    }

    /// The device that it is on.
    pub fn device(&self) -> u64 {
        self.made.device
    }

    /// The file to write to.
    pub fn file(&self) -> &File {
        &self.file
    }

    /// Where it will appear.
    pub fn target(&self) -> &Path {
        &self.target
    }

    /// Gives the draft the mode, the times, the extended attributes and, where allowed, the owner of `source`.
    ///
    /// # Errors
    ///
    /// Fails if the mode or the times cannot be set. Owner and extended attributes are kept as far as possible.
    pub fn keep_attributes(&self, source: &File, metadata: &Metadata) -> io::Result<()> {
        let is_foreign = self.made.owner != (metadata.uid(), metadata.gid());
        if is_foreign {
            use std::os::unix::fs::fchown;
            // Only the superuser gives files away; a group of one's own is allowed to all.
            if fchown(&self.file, Some(metadata.uid()), Some(metadata.gid())).is_err() {
                let _ = fchown(&self.file, None, Some(metadata.gid()));
            }
        }
        keep_extended_attributes(source, &self.file);
        // A change of the owner takes bits away.
        if is_foreign || self.made.mode != metadata.mode() {
            self.file.set_permissions(metadata.permissions())?;
        }
        let times = fs::FileTimes::new()
            .set_accessed(metadata.accessed()?)
            .set_modified(metadata.modified()?);
        self.file.set_times(times)
    }

    /// Makes the complete file appear at its target, in one step.
    ///
    /// # Errors
    ///
    /// Fails with "already exists" if something has appeared there and may not be replaced.
    pub fn commit(mut self) -> io::Result<()> {
        match std::mem::replace(&mut self.place, Place::Gone) {
            Place::Gone => {}
            Place::Nameless(folder) => {
                let name = self.target.file_name().unwrap_or_default();
                give_name(&self.file, &folder, name)?;
            }
            Place::Named(name) => {
                let renamed = if self.replace {
                    fs::rename(&name, &self.target)
                } else {
                    rename_no_replace(&name, &self.target)
                };
                if let Err(error) = renamed {
                    self.place = Place::Named(name);
                    return Err(error);
                }
                signals::forget(&name);
            }
        }
        Ok(())
    }
}

impl Draft {
    /// Puts a further name of the file at `original` in the draft's place, in one step, and drops the draft.
    ///
    /// # Errors
    ///
    /// Fails if the file system has no hard links.
    pub fn link_instead(self, original: &Path) -> io::Result<()> {
        let Place::Named(name) = &self.place else {
            return Err(io::Error::from(io::ErrorKind::Unsupported));
        };
        // The draft's name is free for a moment; nobody else makes this name.
        fs::remove_file(name)?;
        fs::hard_link(original, name)?;
        fs::rename(name, &self.target)
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        if let Place::Named(name) = &self.place {
            let _ = fs::remove_file(name);
            signals::forget(name);
        }
    }
}

/// The folder that a path's last component is in.
pub fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}

/// Whether a file of this name is a draft or a journal, which no run converts.
pub fn is_own(name: &std::ffi::OsStr) -> bool {
    name.as_encoded_bytes().starts_with(PREFIX.as_bytes())
}

/// Removes the drafts in `folder` that ended runs have left behind; returns how many.
pub fn sweep(folder: &Path) -> u64 {
    let Ok(entries) = fs::read_dir(folder) else {
        return 0;
    };
    let names = entries
        .flatten()
        .filter(|entry| is_draft(&entry.file_name()));
    names.filter(|entry| remove_if_dead(&entry.path())).count() as u64
}

/// Whether a file of this name is a draft.
pub fn is_draft(name: &std::ffi::OsStr) -> bool {
    is_own(name) && name.as_encoded_bytes().ends_with(SUFFIX.as_bytes())
}

/// Removes one draft if no process holds its lock.
pub fn remove_if_dead(path: &Path) -> bool {
    let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::CLOEXEC | OFlags::NONBLOCK;
    let Ok(file) = rustix::fs::open(path, flags, Mode::empty()).map(File::from) else {
        return false;
    };
    let same = |one: &Metadata, other: &Metadata| {
        one.is_file() && (one.dev(), one.ino()) == (other.dev(), other.ino())
    };
    rustix::fs::flock(&file, FlockOperation::NonBlockingLockExclusive).is_ok()
        && matches!((&file.metadata(), &fs::symlink_metadata(path)), (Ok(one), Ok(other)) if same(one, other))
        && fs::remove_file(path).is_ok()
}

/// Gives a file without a name one that does not exist in `folder`.
fn give_name(file: &File, folder: &OwnedFd, name: &OsStr) -> io::Result<()> {
    #[cfg(target_os = "linux")]
    {
        use std::os::fd::AsRawFd;
        // Shorter, and for the superuser alone before Linux 6.10.
        match rustix::fs::linkat(file, "", folder, name, AtFlags::EMPTY_PATH) {
            Err(Errno::NOENT | Errno::PERM | Errno::INVAL) => {}
            result => return Ok(result?),
        }
        let link = format!("/proc/self/fd/{}", file.as_raw_fd());
        rustix::fs::linkat(CWD, link, folder, name, AtFlags::SYMLINK_FOLLOW)?;
        Ok(())
    }
    #[cfg(not(target_os = "linux"))]
    {
        let _ = (file, folder, name);
        Err(io::Error::from(io::ErrorKind::Unsupported))
    }
}

/// A folder, open to make files in it; `None` where files have names at once.
fn open_folder(path: &Path) -> Option<OwnedFd> {
    #[cfg(target_os = "linux")]
    {
        static LINKABLE: LazyLock<bool> = LazyLock::new(|| Path::new("/proc/self/fd").is_dir());
        if *LINKABLE {
            let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
            return rustix::fs::open(path, flags, Mode::empty()).ok();
        }
    }
    let _ = path;
    None
}

/// A file without a name in `folder`; `None` where that does not work.
fn nameless_in(folder: &OwnedFd, mode: u32) -> Option<File> {
    #[cfg(target_os = "linux")]
    {
        let flags = OFlags::TMPFILE | OFlags::RDWR | OFlags::CLOEXEC;
        let mode = Mode::from_raw_mode(mode & 0o777);
        let file = rustix::fs::openat(folder, ".", flags, mode);
        file.ok().map(File::from)
    }
    #[cfg(not(target_os = "linux"))]
    {
        let _ = (folder, mode);
        None
    }
}

/// A new file in `folder`, locked.
fn create_named(folder: &Path) -> io::Result<(File, Metadata, PathBuf)> {
    loop {
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = folder.join(format!("{PREFIX}{}-{count}{SUFFIX}", *RUN));
        let flags = OFlags::CREATE | OFlags::EXCL | OFlags::RDWR | OFlags::CLOEXEC;
        let created = signals::register(&name, || {
            Ok(rustix::fs::open(&name, flags, Mode::RUSR | Mode::WUSR)?)
        });
        let file = match created {
            Ok(file) => File::from(file),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
            Err(error) => return Err(error),
        };
        // A run that sweeps may have been faster: then the file is locked or has no name any more.
        let locked = rustix::fs::flock(&file, FlockOperation::NonBlockingLockExclusive);
        let metadata = file.metadata()?;
        match locked {
            Ok(()) if metadata.nlink() > 0 => return Ok((file, metadata, name)),
            // Some network file systems have no locks.
            Err(Errno::NOTSUP | Errno::NOLCK | Errno::NOSYS) => return Ok((file, metadata, name)),
            _ => signals::forget(&name),
        }
    }
}

fn rename_no_replace(name: &Path, target: &Path) -> io::Result<()> {
    #[cfg(target_os = "linux")]
    match rustix::fs::renameat_with(CWD, name, CWD, target, RenameFlags::NOREPLACE) {
        Err(Errno::INVAL | Errno::NOSYS) => {}
        result => return Ok(result?),
    }
    fs::hard_link(name, target)?;
    fs::remove_file(name)
}

#[cfg(target_os = "linux")]
fn keep_extended_attributes(source: &File, draft: &File) {
    /// The most that Linux allows, for the names together and for one value.
    const MOST: usize = 64 << 10;
    // Most files have none.
    let mut few = [0; 256];
    let mut many = Vec::new();
    let names = match rustix::fs::flistxattr(source, &mut few) {
        Ok(0) => return,
        Ok(len) => &few[..len],
        Err(Errno::RANGE) => {
            many.resize(MOST, 0);
            let Ok(len) = rustix::fs::flistxattr(source, &mut many[..]) else {
                return;
            };
            &many[..len]
        }
        Err(_) => return,
    };
    let mut value = vec![0; MOST];
    let names = names.split(|&byte| byte == 0);
    for name in names.filter(|name| !name.is_empty()) {
        if let Ok(len) = rustix::fs::fgetxattr(source, name, &mut value[..]) {
            let flags = rustix::fs::XattrFlags::empty();
            let _ = rustix::fs::fsetxattr(draft, name, &value[..len], flags);
        }
    }
}

#[cfg(not(target_os = "linux"))]
fn keep_extended_attributes(_source: &File, _draft: &File) {}
