//! The destination of converted bytes: standard output, a file that appears only when it is complete, or a device.

use crate::job::folder::folder_of;
use crate::report::{Failure, was_closed};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Stdout, Write};
use std::path::{Path, PathBuf};

/// The destination of a conversion. Dropping it without [`commit`](Self::commit) leaves no file.
pub struct Output {
    name: String,
    target: OutputTarget,
}

enum OutputTarget {
    StandardOutput(Stdout),
    /// A device or a named pipe, which cannot be replaced.
    Direct(File),
    Replace(Box<Replacement>),
}

/// A regular file that is to be created or replaced.
struct Replacement {
    draft: crate::job::draft::Draft,
    existing: Option<fs::Metadata>,
}

impl Output {
    /// Opens the file at `path`, or standard output. A regular file is not touched before [`commit`](Self::commit).
    pub fn open(path: Option<&Path>) -> Result<Self, Failure> {
        let Some(path) = path else {
            if was_closed() {
                return Err(Failure::ClosedOutput);
            }
            return Ok(Self {
                name: "standard output".to_owned(),
                target: OutputTarget::StandardOutput(io::stdout()),
            });
        };
        let name = crate::quote::quote(path);
        let target = OutputTarget::open(path, &name)?;
        Ok(Self { name, target })
    }

    /// Returns the name for messages.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Gives the complete file its name.
    pub fn commit(self) -> Result<(), Failure> {
        let OutputTarget::Replace(replacement) = self.target else {
            return Ok(());
        };
        replacement
            .commit()
            .map_err(|error| Failure::io("replace", self.name, error))
    }
}

impl Replacement {
    /// Creates the temporary file that becomes the file at `path`.
    fn new(path: &Path, existing: Option<fs::Metadata>) -> io::Result<Self> {
        use crate::job::draft::{Access, Draft};
        use crate::job::folder::Folder;
        let folder = std::sync::Arc::new(Folder::open(folder_of(path))?);
        let access = match existing {
            // The draft gets the mode of the old file at the end.
            Some(_) => Access::Private,
            None => Access::New,
        };
        let name = path.file_name().unwrap_or_default();
        let draft = Draft::create_named(&folder, name, true, access)?;
        Ok(Self { draft, existing })
    }

    fn file(&mut self) -> &File {
        self.draft.file()
    }

    fn commit(self) -> io::Result<()> {
        if let Some(existing) = self.existing {
            self.draft.keep_access(&existing)?;
            // The new text must be on the disk before the old one is removed.
            self.draft.file().sync_data()?;
        }
        self.draft.commit()
    }
}

impl OutputTarget {
    fn open(path: &Path, name: &str) -> Result<Self, Failure> {
        let existing = match fs::metadata(path) {
            Ok(metadata) => Some(metadata),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => return Err(Failure::io("open", name, error)),
        };
        if existing.is_some() {
            // Opening the file fails if the file is read-only, although a writable folder would permit its replacement.
            let file = OpenOptions::new().write(true).open(path);
            let file = file.map_err(|error| Failure::io("write to", name, error))?;
            if existing
                .as_ref()
                .is_some_and(|metadata| !metadata.is_file())
            {
                return Ok(Self::Direct(file));
            }
        }
        let path = follow_links(path);
        let replacement = Replacement::new(&path, existing).map_err(|error| {
            if error.kind() == io::ErrorKind::NotFound {
                return Failure::NoFolder {
                    name: name.to_owned(),
                    folder: crate::quote::quote(folder_of(&path)),
                };
            }
            Failure::io("create a temporary file beside", name, error)
        })?;
        Ok(Self::Replace(Box::new(replacement)))
    }
}

/// Writes a whole text to standard output.
///
/// # Errors
///
/// Fails if standard output is closed, or cannot be written.
pub fn print(text: &[u8]) -> Result<(), Failure> {
    let mut output = Output::open(None)?;
    let written = output.write_all(text).and_then(|()| output.flush());
    written.map_err(|error| Failure::write(output.name(), error))
}

/// True if an output at this path is a folder: it exists, or its name ends with "/".
pub fn is_folder(path: &Path) -> bool {
    path.as_os_str().as_encoded_bytes().ends_with(b"/") || path.is_dir()
}

/// Returns the target of a path with symbolic links, so that the file is replaced and not the link.
pub fn follow_links(path: &Path) -> PathBuf {
    // The limit of Linux; a longer chain is a loop.
    const MAX_LINKS: usize = 40;
    let mut path = path.to_owned();
    for _ in 0..MAX_LINKS {
        let Ok(target) = fs::read_link(&path) else {
            break;
        };
        path = path.parent().unwrap_or(Path::new("")).join(target);
    }
    path
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.target {
            OutputTarget::StandardOutput(stdout) => {
                let length = stdout.write(bytes)?;
                if let Some(&last) = bytes[..length].last() {
                    crate::report::note_end(last);
                }
                Ok(length)
            }
            OutputTarget::Direct(file) => file.write(bytes),
            OutputTarget::Replace(replacement) => replacement.file().write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.target {
            OutputTarget::StandardOutput(stdout) => stdout.flush(),
            OutputTarget::Direct(file) => file.flush(),
            OutputTarget::Replace(replacement) => replacement.file().flush(),
        }
    }
}
