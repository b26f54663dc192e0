//! A file that is invisible until it is complete.
//!
//! For a new target, the draft has no name at all (`O_TMPFILE`). `linkat` gives it the target's name, and never overwrites.
//! If the target is replaced, or the file system has no unnamed files, the draft is `.mojika-*.tmp` in the same folder. Its
//! creator holds a `flock` on it while it is running: a draft without a lock is left from an interrupted run, and `sweep`
//! removes it.
//!
//! All operations use the open [`Folder`] of the target, so that changes of the path have no effect.

use super::folder::{Folder, Spot, Stamp};
use super::signals;
use rustix::fs::{AtFlags, CWD, FlockOperation, Mode, OFlags};
use rustix::io::Errno;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File, Metadata};
use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock};
use std::time::{SystemTime, UNIX_EPOCH};

const PREFIX: &str = ".mojika-";
const SUFFIX: &str = ".tmp";

/// A string that distinguishes the drafts of this run from those of other runs.
static RUN: LazyLock<String> = LazyLock::new(|| {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let nanoseconds = now.unwrap_or_default().as_nanos() & 0xFFFF_FFFF_FFFF;
    format!("{}-{nanoseconds:x}", std::process::id())
});
static COUNT: AtomicU64 = AtomicU64::new(0);

/// An invisible, incomplete file. Dropping it without [`commit`](Self::commit) removes it.
pub struct Draft {
    file: File,
    place: DraftLocation,
    folder: Arc<Folder>,
    /// The target's name in the folder.
    name: OsString,
    replace: bool,
    /// The attributes of the draft when it was created.
    made: Made,
    /// The file that the draft replaces, unless that file has changed.
    pub replaces: Option<Stamp>,
    /// The positions of the further hard links to the draft.
    pub links: Vec<Spot>,
}

enum DraftLocation {
    /// A temporary name in the folder.
    Named(OsString),
    Nameless,
    /// The file got its final name, or was removed.
    Gone,
}

/// The access to a draft until it has its final attributes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Only the owner has access.
    Private,
    /// The access that the umask gives to new files. The draft replaces no file and copies no attributes.
    New,
}

/// The attributes that a folder and the process's umask give to a new file.
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

/// Creates drafts. Consecutive drafts in the same folder need fewer system calls.
#[derive(Default)]
pub struct Maker {
    last: Option<Last>,
}

/// The folder of the last unnamed draft.
struct Last {
    folder: Arc<Folder>,
    /// The requested mode, and the attributes that a file with this mode got; the next file will get the same.
    asked: u32,
    made: Made,
}

impl Maker {
    /// Creates a draft of the file `name` in `folder`. Its commit replaces an existing file only if `replace` is set.
    ///
    /// An unnamed draft gets the mode bits `mode` at once, limited by the umask; it cannot be opened. A named draft
    /// is accessible only to its owner until [`keep_attributes`](Draft::keep_attributes).
    ///
    /// # Errors
    ///
    /// Fails if the folder has disappeared or is not writable.
    pub fn create(
        &mut self,
        folder: &Arc<Folder>,
        name: &OsStr,
        replace: bool,
        mode: u32,
    ) -> io::Result<Draft> {
        let nameless = match replace {
            true => None,
            false => self.create_nameless(folder, mode)?,
        };
        match nameless {
            Some((file, made)) => {
                let place = DraftLocation::Nameless;
                Ok(Draft::new(folder, name, replace, (file, made, place)))
            }
            None => Draft::create_named(folder, name, replace, Access::Private),
        }
    }

    /// Creates an unnamed file; `None` if that is not supported.
    fn create_nameless(
        &mut self,
        folder: &Arc<Folder>,
        mode: u32,
    ) -> io::Result<Option<(File, Made)>> {
        let Some(file) = nameless_in(folder, mode) else {
            return Ok(None);
        };
        if let Some(last) = &self.last
            && Arc::ptr_eq(&last.folder, folder)
            && last.asked == mode
        {
            return Ok(Some((file, last.made)));
        }
        let made = Made::of(&file.metadata()?);
        self.last = Some(Last {
            folder: folder.clone(),
            asked: mode,
            made,
        });
        Ok(Some((file, made)))
    }
}

impl Draft {
    /// Creates a draft that has a name from the start, for files that only their creator opens.
    ///
    /// # Errors
    ///
    /// As for [`Maker::create`].
    pub fn create_named(
        folder: &Arc<Folder>,
        name: &OsStr,
        replace: bool,
        access: Access,
    ) -> io::Result<Self> {
        let (file, metadata, own_name) = create_named(folder, access)?;
        let place = DraftLocation::Named(own_name);
        let created = (file, Made::of(&metadata), place);
        Ok(Self::new(folder, name, replace, created))
    }

    fn new(
        folder: &Arc<Folder>,
        name: &OsStr,
        replace: bool,
        (file, made, place): (File, Made, DraftLocation),
    ) -> Self {
        Self {
            file,
            place,
            folder: folder.clone(),
            name: name.to_owned(),
            replace,
            made,
            replaces: None,
            links: Vec::new(),
        }
    }

    /// Returns the draft's device and inode.
    ///
    /// # Errors
    ///
    /// Fails if the file system does not return the draft's metadata.
    pub fn identity(&self) -> io::Result<(u64, u64)> {
        Ok(Stamp::of(&self.file.metadata()?).identity())
    }

    /// Returns the device of the draft.
    pub fn device(&self) -> u64 {
        self.made.device
    }

    /// Returns the file to write to.
    pub fn file(&self) -> &File {
        &self.file
    }

    /// Returns the folder of the target.
    pub fn folder(&self) -> &Arc<Folder> {
        &self.folder
    }

    /// Returns the name of the target.
    pub fn name(&self) -> &OsStr {
        &self.name
    }

    /// Returns the path of the target.
    pub fn target(&self) -> PathBuf {
        self.folder.path().join(&self.name)
    }

    /// Copies the mode, the times, the extended attributes and, if permitted, the owner of `source` to the draft.
    ///
    /// # Errors
    ///
    /// Fails if the mode or the times cannot be set. Owner and extended attributes are copied as far as possible.
    pub fn keep_attributes(&self, source: &File, metadata: &Metadata) -> io::Result<()> {
        self.keep_owner_and_mode(metadata, || keep_extended_attributes(source, &self.file))?;
        let times = fs::FileTimes::new()
            .set_accessed(metadata.accessed()?)
            .set_modified(metadata.modified()?);
        self.file.set_times(times)
    }

    /// Copies the mode and, if permitted, the owner of the replaced file to the draft.
    ///
    /// # Errors
    ///
    /// Fails if the mode cannot be set.
    pub fn keep_access(&self, metadata: &Metadata) -> io::Result<()> {
        self.keep_owner_and_mode(metadata, || {})
    }

    fn keep_owner_and_mode(&self, metadata: &Metadata, between: impl FnOnce()) -> io::Result<()> {
        let is_foreign = self.made.owner != (metadata.uid(), metadata.gid());
        let mode = if is_foreign {
            keep_owner(&self.file, metadata)
        } else {
            metadata.mode() & MODE_BITS
        };
        between();
        // A change of the owner may have cleared mode bits.
        if is_foreign || self.made.mode & MODE_BITS != mode {
            self.file
                .set_permissions(fs::Permissions::from_mode(mode))?;
        }
        Ok(())
    }

    /// Gives the complete file the name of its target, atomically.
    ///
    /// # Errors
    ///
    /// Fails with "already exists" if there is now a file that must not be replaced.
    pub fn commit(mut self) -> io::Result<()> {
        match std::mem::replace(&mut self.place, DraftLocation::Gone) {
            DraftLocation::Gone => {}
            DraftLocation::Nameless => give_name(&self.file, &self.folder, &self.name)?,
            DraftLocation::Named(own_name) => {
                let renamed = if self.replace {
                    self.folder.rename(&own_name, &self.name)
                } else {
                    self.folder.rename_new(&own_name, &self.name)
                };
                if let Err(error) = renamed {
                    self.place = DraftLocation::Named(own_name);
                    return Err(error);
                }
                signals::forget(&own_name);
            }
        }
        Ok(())
    }

    /// Creates another hard link to the file `name` in `folder` at the draft's target, atomically, and drops the draft.
    ///
    /// # Errors
    ///
    /// Fails if the file system has no hard links.
    pub(crate) fn link_instead(self, folder: &Folder, name: &OsStr) -> io::Result<()> {
        let DraftLocation::Named(own_name) = &self.place else {
            return Err(io::Error::from(io::ErrorKind::Unsupported));
        };
        // The draft's name is free for a moment, but only this process uses the name.
        self.folder.remove(own_name)?;
        folder.link(name, &self.folder, own_name)?;
        self.folder.rename(own_name, &self.name)
    }
}

impl Drop for Draft {
    fn drop(&mut self) {
        if let DraftLocation::Named(own_name) = &self.place {
            let _ = self.folder.remove(own_name);
            signals::forget(own_name);
        }
    }
}

/// All bits of a mode except the file type.
const MODE_BITS: u32 = 0o7777;
/// The mode bits for set user ID, set group ID and sticky.
const SPECIAL_BITS: u32 = 0o7000;

/// Copies the owner and group of another file or folder, as far as this user may; returns the mode that is then permitted.
///
/// As with `cp -p`, the bits for set user ID and set group ID are cleared if the owner differs, because they would grant
/// the rights of somebody else.
pub(crate) fn keep_owner(file: &File, metadata: &Metadata) -> u32 {
    let mode = metadata.mode() & MODE_BITS;
    if fchown(file, Some(metadata.uid()), Some(metadata.gid())).is_ok() {
        return mode;
    }
    // Only the superuser may change the owner; users may set their own groups.
    let _ = fchown(file, None, Some(metadata.gid()));
    mode & !SPECIAL_BITS
}

/// True if a file name is that of a draft, which no run converts.
pub fn is_draft(name: &OsStr) -> bool {
    let name = name.to_str();
    let inner = name.and_then(|name| name.strip_prefix(PREFIX)?.strip_suffix(SUFFIX));
    // Names that users choose do not consist of a process id, a time and a count.
    inner.is_some_and(|inner| {
        let parts: Vec<_> = inner.split('-').collect();
        let is_number =
            |part: &&str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_hexdigit());
        parts.len() == 3 && parts.iter().all(is_number)
    })
}

/// Removes the drafts in `folder` that ended runs have left; returns their number.
pub(crate) fn sweep(folder: &Folder) -> u64 {
    let Ok(names) = folder.names() else {
        return 0;
    };
    let drafts = names.iter().filter(|(name, _)| is_draft(name));
    drafts
        .filter(|(name, _)| remove_if_dead(folder, name))
        .count() as u64
}

/// Removes one draft if no process holds its lock.
pub(crate) fn remove_if_dead(folder: &Folder, name: &OsStr) -> bool {
    let Ok(file) = folder.read(name) else {
        return false;
    };
    let is_this = |metadata: &Metadata| {
        metadata.is_file()
            && folder
                .stamp(name)
                .is_ok_and(|now| now == Stamp::of(metadata))
    };
    rustix::fs::flock(&file, FlockOperation::NonBlockingLockExclusive).is_ok()
        && file.metadata().is_ok_and(|metadata| is_this(&metadata))
        && folder.remove(name).is_ok()
}

/// Gives a file a name that does not exist in `folder`.
fn give_name(file: &File, folder: &Folder, name: &OsStr) -> io::Result<()> {
    #[cfg(target_os = "linux")]
    {
        use std::os::fd::AsRawFd;
        // A single call suffices, but before Linux 6.10 only for the superuser.
        match rustix::fs::linkat(file, "", folder.fd(), name, AtFlags::EMPTY_PATH) {
            Err(Errno::NOENT | Errno::PERM | Errno::INVAL) => {}
            result => return Ok(result?),
        }
        let link = format!("/proc/self/fd/{}", file.as_raw_fd());
        rustix::fs::linkat(CWD, link, folder.fd(), name, AtFlags::SYMLINK_FOLLOW)?;
        Ok(())
    }
    #[cfg(not(target_os = "linux"))]
    {
        let _ = (file, folder, name);
        Err(io::Error::from(io::ErrorKind::Unsupported))
    }
}

/// Creates an unnamed file in `folder`; `None` if that is not supported.
fn nameless_in(folder: &Folder, mode: u32) -> Option<File> {
    #[cfg(target_os = "linux")]
    {
        // Without `/proc`, only the superuser can give a name to an unnamed file.
        static LINKABLE: LazyLock<bool> = LazyLock::new(|| Path::new("/proc/self/fd").is_dir());
        if !*LINKABLE {
            return None;
        }
        let flags = OFlags::TMPFILE | OFlags::RDWR | OFlags::CLOEXEC;
        let mode = Mode::from_raw_mode(mode & 0o777);
        let file = rustix::fs::openat(folder.fd(), ".", flags, mode);
        file.ok().map(File::from)
    }
    #[cfg(not(target_os = "linux"))]
    {
        let _ = (folder, mode);
        None
    }
}

/// Creates a draft with a temporary name in `folder`, and locks it.
fn create_named(folder: &Arc<Folder>, access: Access) -> io::Result<(File, Metadata, OsString)> {
    let mode = match access {
        Access::Private => 0o600,
        Access::New => 0o666,
    };
    loop {
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = OsString::from(format!("{PREFIX}{}-{count:x}{SUFFIX}", *RUN));
        let flags = OFlags::CREATE | OFlags::EXCL | OFlags::RDWR | OFlags::CLOEXEC;
        let created = signals::register(folder, &name, || {
            let mode = Mode::from_raw_mode(mode);
            Ok(rustix::fs::openat(folder.fd(), &name, flags, mode)?)
        });
        let file = match created {
            Ok(file) => File::from(file),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
            Err(error) => return Err(error),
        };
        // Another run may have swept the folder before this lock. It then holds the lock, or has removed the file.
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

#[cfg(target_os = "linux")]
fn keep_extended_attributes(source: &File, draft: &File) {
    /// The Linux limit on the total length of the names, and on one value.
    const XATTR_LIMIT: usize = 64 << 10;
    // Most files have none.
    let mut few = [0; 256];
    let mut many = Vec::new();
    let names = match rustix::fs::flistxattr(source, &mut few) {
        Ok(0) => return,
        Ok(len) => &few[..len],
        Err(Errno::RANGE) => {
            many.resize(XATTR_LIMIT, 0);
            let Ok(len) = rustix::fs::flistxattr(source, &mut many[..]) else {
                return;
            };
            &many[..len]
        }
        Err(_) => return,
    };
    let mut value = vec![0; XATTR_LIMIT];
    let names = names.split(|&byte| byte == 0);
    // Capabilities belong to a verified program; changed content must not keep them.
    let is_kept = |name: &&[u8]| !name.is_empty() && *name != b"security.capability";
    for name in names.filter(is_kept) {
        if let Ok(len) = rustix::fs::fgetxattr(source, name, &mut value[..]) {
            let flags = rustix::fs::XattrFlags::empty();
            let _ = rustix::fs::fsetxattr(draft, name, &value[..len], flags);
        }
    }
}

#[cfg(not(target_os = "linux"))]
fn keep_extended_attributes(_source: &File, _draft: &File) {}

#[cfg(test)]
mod tests;
