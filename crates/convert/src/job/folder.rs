//! Open folders: files are opened, created, renamed and removed relative to them.
//!
//! Symbolic links in the user's path are followed. Below it, no symbolic link is followed: if a folder or a file is
//! replaced by a link during a run, that is an error.

use rustix::fs::{AtFlags, FileType, Mode, OFlags, Stat};
use rustix::io::Errno;
use std::ffi::{OsStr, OsString};
use std::fs::{File, Metadata};
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

/// Flags that suffice to look up names in a folder, which need not be readable.
#[cfg(target_os = "linux")]
const LOOK_UP: OFlags = OFlags::PATH.union(OFlags::DIRECTORY).union(OFlags::CLOEXEC);
#[cfg(not(target_os = "linux"))]
const LOOK_UP: OFlags = OFlags::DIRECTORY.union(OFlags::CLOEXEC);

/// An open folder.
pub struct Folder {
    fd: OwnedFd,
    /// The path in messages.
    path: PathBuf,
}

/// The position of a file below a folder that the user named.
#[derive(Clone)]
pub struct Spot {
    /// The folder that the user named.
    pub root: Arc<Path>,
    /// The relative path, without ".." and without symbolic links.
    pub within: PathBuf,
}

impl Spot {
    /// Returns the whole path.
    pub fn path(&self) -> PathBuf {
        self.root.join(&self.within)
    }

    /// Returns the last component.
    pub fn name(&self) -> &OsStr {
        self.within.file_name().unwrap_or_default()
    }

    /// Returns the path of the parent folder, below the root.
    pub fn parent(&self) -> &Path {
        self.within.parent().unwrap_or(Path::new(""))
    }

    /// Returns the position of the parent folder.
    pub fn folder(&self) -> Self {
        let (root, within) = (self.root.clone(), self.parent().to_owned());
        Self { root, within }
    }
}

/// The identity of a file and its content.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stamp {
    /// The number of the file's device.
    pub device: u64,
    /// The number of the file's inode.
    pub inode: u64,
    /// The size in bytes.
    pub size: u64,
    /// The time of the last change, in seconds and nanoseconds since 1970.
    pub modified: (i64, i64),
}

impl Stamp {
    /// Returns the identity by a file's metadata.
    pub fn of(metadata: &Metadata) -> Self {
        Self {
            device: metadata.dev(),
            inode: metadata.ino(),
            size: metadata.len(),
            modified: (metadata.mtime(), metadata.mtime_nsec()),
        }
    }

    /// Returns the file's device and inode.
    pub fn identity(&self) -> (u64, u64) {
        (self.device, self.inode)
    }

    #[allow(clippy::unnecessary_cast, reason = "the types differ between systems")]
    fn of_stat(stat: &Stat) -> Self {
        Self {
            device: stat.st_dev as u64,
            inode: stat.st_ino as u64,
            size: stat.st_size as u64,
            modified: (stat.st_mtime as i64, stat.st_mtime_nsec as i64),
        }
    }
}

/// Returns the folder of a path's last component.
pub fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}

/// Returns the device and inode of a file or a folder; `None` if its metadata cannot be read. Links are followed.
pub fn identity(path: &Path) -> Option<(u64, u64)> {
    let metadata = std::fs::metadata(path).ok()?;
    Some(Stamp::of(&metadata).identity())
}

impl Folder {
    /// Opens a folder that the user named: links are followed.
    ///
    /// # Errors
    ///
    /// Fails if the folder does not exist, or must not be searched.
    pub fn open(path: &Path) -> io::Result<Self> {
        let named = if path.as_os_str().is_empty() {
            Path::new(".")
        } else {
            path
        };
        let fd = rustix::fs::open(named, LOOK_UP, Mode::empty())?;
        let path = path.to_owned();
        Ok(Self { fd, path })
    }

    /// Opens a folder below this folder. The relative path must not contain "..".
    ///
    /// # Errors
    ///
    /// Fails if the folder does not exist, or a component of the path is a symbolic link.
    pub fn within(&self, relative: &Path) -> io::Result<Self> {
        let fd = self.open_below(relative, LOOK_UP).map_err(no_link)?;
        let path = self.path.join(relative);
        Ok(Self { fd, path })
    }

    /// Returns the name for messages.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Returns the open folder, for system calls.
    pub fn fd(&self) -> &OwnedFd {
        &self.fd
    }

    /// Returns device and inode.
    ///
    /// # Errors
    ///
    /// Fails if the file system does not return the folder's metadata.
    pub fn identity(&self) -> io::Result<(u64, u64)> {
        Ok(Stamp::of_stat(&rustix::fs::fstat(&self.fd)?).identity())
    }

    /// Returns the folder's metadata.
    ///
    /// # Errors
    ///
    /// Fails if the file system does not return the metadata.
    pub fn metadata(&self) -> io::Result<Metadata> {
        File::from(self.fd.try_clone()?).metadata()
    }

    /// Opens the folder for reading: to list it, or to change its attributes.
    ///
    /// # Errors
    ///
    /// Fails if the folder is not readable.
    pub fn readable(&self) -> io::Result<File> {
        let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let fd = rustix::fs::openat(&self.fd, ".", flags, Mode::empty())?;
        Ok(File::from(fd))
    }

    /// Opens a file of this folder for reading. A pipe or a device does not block.
    ///
    /// # Errors
    ///
    /// Fails if the file is not readable, or is a symbolic link.
    pub fn read(&self, name: &OsStr) -> io::Result<File> {
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::CLOEXEC | OFlags::NONBLOCK;
        let opened = rustix::fs::openat(&self.fd, name, flags, Mode::empty());
        opened.map(File::from).map_err(no_link)
    }

    /// Reads a small regular file; `None` for others, such as a pipe.
    ///
    /// # Errors
    ///
    /// Fails if it cannot be read, or has more than `most` bytes.
    pub(crate) fn read_small(&self, name: &OsStr, most: u64) -> io::Result<Option<Vec<u8>>> {
        use io::Read;
        let file = match self.read(name) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            file => file?,
        };
        if !file.metadata()?.is_file() {
            return Ok(None);
        }
        let mut bytes = Vec::new();
        file.take(most + 1).read_to_end(&mut bytes)?;
        if bytes.len() as u64 > most {
            return Err(io::Error::other(format!("it has more than {most} bytes")));
        }
        Ok(Some(bytes))
    }

    /// Returns the [`Stamp`] of an entry; links are not followed.
    ///
    /// # Errors
    ///
    /// Fails if there is no entry.
    pub fn stamp(&self, name: &OsStr) -> io::Result<Stamp> {
        let stat = rustix::fs::statat(&self.fd, name, AtFlags::SYMLINK_NOFOLLOW)?;
        Ok(Stamp::of_stat(&stat))
    }

    /// True if an entry with this name exists.
    pub fn has(&self, name: &OsStr) -> bool {
        self.stamp(name).is_ok()
    }

    /// Returns the type of an entry; links are followed if `follow` is set.
    ///
    /// # Errors
    ///
    /// Fails if there is no entry.
    pub fn kind(&self, name: &OsStr, follow: bool) -> io::Result<FileType> {
        let flags = match follow {
            true => AtFlags::empty(),
            false => AtFlags::SYMLINK_NOFOLLOW,
        };
        let stat = rustix::fs::statat(&self.fd, name, flags)?;
        Ok(FileType::from_raw_mode(stat.st_mode))
    }

    /// Returns the names in this folder with their types, sorted by bytes.
    ///
    /// # Errors
    ///
    /// Fails if the folder is not readable.
    pub fn names(&self) -> io::Result<Vec<(OsString, FileType)>> {
        let mut names = Vec::new();
        for entry in rustix::fs::Dir::new(self.readable()?)? {
            let entry = entry?;
            let name = OsStr::from_bytes(entry.file_name().to_bytes());
            if name == "." || name == ".." {
                continue;
            }
            let kind = match entry.file_type() {
                // Entries that have disappeared are left out.
                FileType::Unknown => match self.kind(name, false) {
                    Ok(kind) => kind,
                    Err(_) => continue,
                },
                kind => kind,
            };
            names.push((name.to_owned(), kind));
        }
        names.sort_unstable_by(|(one, _), (other, _)| one.cmp(other));
        Ok(names)
    }

    /// Creates a subfolder of this folder.
    ///
    /// # Errors
    ///
    /// Fails if the entry exists, or cannot be created.
    pub fn make(&self, name: &OsStr, mode: u32) -> io::Result<()> {
        Ok(rustix::fs::mkdirat(
            &self.fd,
            name,
            Mode::from_raw_mode(mode),
        )?)
    }

    /// Removes a file of this folder.
    ///
    /// # Errors
    ///
    /// Fails if that is not permitted.
    pub fn remove(&self, name: &OsStr) -> io::Result<()> {
        Ok(rustix::fs::unlinkat(&self.fd, name, AtFlags::empty())?)
    }

    /// Creates a hard link to the file `name`, called `to`, in the folder `into`. `to` must not exist.
    ///
    /// # Errors
    ///
    /// Fails if the file system has no hard links.
    pub fn link(&self, name: &OsStr, into: &Self, to: &OsStr) -> io::Result<()> {
        Ok(rustix::fs::linkat(
            &self.fd,
            name,
            &into.fd,
            to,
            AtFlags::empty(),
        )?)
    }

    /// Renames a file of this folder, replacing a file with the new name.
    ///
    /// # Errors
    ///
    /// Fails if that is not permitted.
    pub fn rename(&self, from: &OsStr, to: &OsStr) -> io::Result<()> {
        Ok(rustix::fs::renameat(&self.fd, from, &self.fd, to)?)
    }

    /// Renames a file or folder of this folder to an unused name.
    ///
    /// # Errors
    ///
    /// Fails with "already exists" if the name is used, or if the file system cannot guarantee that nothing is replaced.
    pub(crate) fn rename_new(&self, from: &OsStr, to: &OsStr) -> io::Result<()> {
        #[cfg(target_os = "linux")]
        {
            let flags = rustix::fs::RenameFlags::NOREPLACE;
            match rustix::fs::renameat_with(&self.fd, from, &self.fd, to, flags) {
                Err(Errno::INVAL | Errno::NOSYS) => {}
                result => return Ok(result?),
            }
        }
        self.rename_new_in_steps(from, to)
    }

    /// Renames as [`rename_new`](Self::rename_new) does, on file systems that do not support its system call.
    fn rename_new_in_steps(&self, from: &OsStr, to: &OsStr) -> io::Result<()> {
        if self.kind(from, false)? != FileType::Directory {
            self.link(from, self, to)?;
            return self.remove(from);
        }
        // Renaming a folder can replace only an empty folder, so the target is created empty.
        self.make(to, 0o700)?;
        self.rename(from, to).inspect_err(|_| {
            let _ = rustix::fs::unlinkat(&self.fd, to, AtFlags::REMOVEDIR);
        })
    }

    /// Returns the maximum length of a name in this folder, in bytes.
    pub fn longest_name(&self) -> usize {
        /// The limit of most file systems.
        const USUAL: usize = 255;
        let told = rustix::fs::fstatvfs(&self.fd).map_or(0, |told| told.f_namemax);
        match usize::try_from(told) {
            Ok(0) | Err(_) => USUAL,
            Ok(most) => most,
        }
    }

    fn open_below(&self, relative: &Path, flags: OFlags) -> rustix::io::Result<OwnedFd> {
        if relative.as_os_str().is_empty() {
            return rustix::fs::openat(&self.fd, ".", flags, Mode::empty());
        }
        #[cfg(target_os = "linux")]
        {
            use rustix::fs::ResolveFlags;
            let resolve = ResolveFlags::BENEATH | ResolveFlags::NO_SYMLINKS;
            match rustix::fs::openat2(&self.fd, relative, flags, Mode::empty(), resolve) {
                // Before Linux 5.6, in some containers, and if folders are being renamed.
                Err(Errno::NOSYS | Errno::PERM | Errno::AGAIN) => {}
                opened => return opened,
            }
        }
        self.open_step_by_step(relative, flags)
    }

    /// Opens as `openat2` does, with a call for each component.
    fn open_step_by_step(&self, relative: &Path, flags: OFlags) -> rustix::io::Result<OwnedFd> {
        let mut folder = rustix::fs::openat(&self.fd, ".", LOOK_UP, Mode::empty())?;
        let mut parts = relative.components().peekable();
        while let Some(part) = parts.next() {
            let name = match part {
                Component::Normal(name) => name,
                Component::CurDir => continue,
                _ => return Err(Errno::XDEV),
            };
            let flags = if parts.peek().is_some() {
                LOOK_UP
            } else {
                flags
            };
            folder = rustix::fs::openat(&folder, name, flags | OFlags::NOFOLLOW, Mode::empty())?;
        }
        Ok(folder)
    }
}

/// Explains an error caused by a symbolic link.
fn no_link(error: Errno) -> io::Error {
    match error {
        Errno::LOOP => io::Error::other("a symbolic link is in the way, and it is not followed"),
        error => error.into(),
    }
}

/// The last folder that was opened below another one. It stays open, because the next file is often in the same folder.
#[derive(Default)]
pub struct LastFolder(Option<(PathBuf, Arc<Folder>)>);

impl LastFolder {
    /// Returns the folder at `relative` below `root`, which is the same in all calls.
    ///
    /// # Errors
    ///
    /// Fails if the folder does not exist, or a component of the path is a symbolic link.
    pub fn find(&mut self, root: &Folder, relative: &Path) -> io::Result<Arc<Folder>> {
        if let Some((path, folder)) = &self.0
            && path.as_os_str() == relative.as_os_str()
        {
            return Ok(folder.clone());
        }
        let folder = Arc::new(root.within(relative)?);
        self.0 = Some((relative.to_owned(), folder.clone()));
        Ok(folder)
    }

    /// Closes the folder, which may have been removed.
    pub fn forget(&mut self) {
        self.0 = None;
    }
}

/// Opens the folders that contain files.
#[derive(Default)]
pub struct Opener {
    root: Option<(Arc<Path>, Folder)>,
    last: LastFolder,
}

impl Opener {
    /// Returns the folder that contains the file at a position.
    ///
    /// # Errors
    ///
    /// Fails if the folder does not exist, or a component of the path is a symbolic link.
    pub fn folder_of(&mut self, spot: &Spot) -> io::Result<Arc<Folder>> {
        let root = match self.root.take() {
            Some(root) if Arc::ptr_eq(&root.0, &spot.root) => self.root.insert(root),
            _ => {
                self.last.forget();
                let folder = Folder::open(&spot.root)?;
                self.root.insert((spot.root.clone(), folder))
            }
        };
        self.last.find(&root.1, spot.parent())
    }

    /// Opens the file at a position for reading.
    ///
    /// # Errors
    ///
    /// Fails as [`Folder::read`] does.
    pub fn read(&mut self, spot: &Spot) -> io::Result<File> {
        self.folder_of(spot)?.read(spot.name())
    }
}

/// Returns the message for a folder that cannot be opened.
pub fn unreachable(error: io::Error) -> String {
    format!("its folder cannot be opened: {error}")
}

#[cfg(test)]
mod tests;
