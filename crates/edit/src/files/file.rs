//! A file to edit. Only the bytes that an edit needs are read. The file is replaced atomically, if it has not changed.

use super::boundary::Boundary;
use super::find::Finder;
use super::find::LONGEST_PIECE;
use super::patches::Patches;
use super::source::{SEARCH_LENGTH, STEP, SourceFile};
use crate::Document;
use mojika::{BomHandling, Encoding};
use mojika_convert::decide::{Decided, Question};
use mojika_convert::engine::LONGEST_BOM;
use mojika_convert::job::draft::{Access, Draft};
use mojika_convert::job::folder::{Folder, Stamp, folder_of};
use mojika_convert::output::follow_links;
use mojika_convert::quote::quote;
use mojika_convert::report::refused;
use mojika_convert::report::{DECODED_BY_NONE, Failure};
use rustix::fs::{Mode, OFlags};
use sha1_smol::Sha1;
use std::cell::OnceCell;
use std::ffi::OsString;
use std::fmt;
use std::fs::{File, Metadata};
use std::io::{self, BufWriter, Read, Write};
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::sync::{Arc, mpsc};
use std::thread;
use std::time::SystemTime;

/// The choice of a file's encoding.
#[derive(Clone, Debug)]
pub enum Choice {
    Named(&'static Encoding),
    Auto(Box<Question>),
}

/// The state of a file, with its encoding.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fingerprint {
    pub encoding: &'static Encoding,
    /// SHA-1 of the bytes.
    digest: String,
}

impl fmt::Display for Fingerprint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.encoding, self.digest)
    }
}

impl Fingerprint {
    /// Parses the output of `mojika get`.
    ///
    /// # Errors
    ///
    /// Fails for any other text.
    pub fn parse(text: &str) -> Result<Self, Failure> {
        let mut all = Encoding::all()
            .iter()
            .copied()
            .chain(mojika::extended::all());
        let parsed = text.trim().split_once(':').and_then(|(name, digest)| {
            let is_digest = digest.len() == 40 && digest.bytes().all(|b| b.is_ascii_hexdigit());
            let encoding = all.find(|encoding| encoding.name() == name)?;
            is_digest.then(|| Self {
                encoding,
                digest: digest.to_ascii_lowercase(),
            })
        });
        parsed.ok_or_else(|| {
            Failure::usage("--expect takes the line that `mojika get --fingerprint FILE` prints")
        })
    }
}

/// A file with its bytes.
pub struct Opened {
    name: String,
    folder: Arc<Folder>,
    file_name: OsString,
    file: File,
    metadata: Metadata,
    stamp: Stamp,
    /// The bytes of the whole file, once they are needed.
    bytes: OnceCell<Vec<u8>>,
    max_size: u64,
    encoding: &'static Encoding,
    why: &'static str,
}

impl Opened {
    /// Opens a file that the user named; links are followed.
    pub fn open(path: &Path, choice: &Choice, max_size: u64) -> Result<Self, Failure> {
        let name = quote(path);
        let target = follow_links(path);
        let unopened = |error| Failure::io("open", name.clone(), error);
        let unreadable = |error| Failure::io("read", name.clone(), error);
        let Some(file_name) = target.file_name() else {
            return Err(unopened(io::Error::from(io::ErrorKind::IsADirectory)));
        };
        let folder = Folder::open(folder_of(&target)).map_err(unopened)?;
        let file = folder.read(file_name).map_err(unreadable)?;
        let metadata = file.metadata().map_err(unreadable)?;
        if !metadata.is_file() {
            let error = io::Error::other("it is not a regular file");
            return Err(unreadable(error));
        }
        let mut opened = Self {
            name,
            folder: Arc::new(folder),
            file_name: file_name.to_owned(),
            file,
            stamp: Stamp::of(&metadata),
            metadata,
            bytes: OnceCell::new(),
            max_size,
            encoding: mojika::UTF_8,
            why: "default",
        };
        (opened.encoding, opened.why) = match choice {
            Choice::Named(encoding) => match Encoding::for_bom(&opened.head()?) {
                Some(_) => (*encoding, "bom"),
                None => (*encoding, "override"),
            },
            Choice::Auto(question) => {
                let decided = question.of_bytes(Some(path), opened.bytes()?);
                if let Some(failure) = refused(&decided, &opened.name) {
                    return Err(failure);
                }
                of_decision(&decided)
            }
        };
        let is_undecodable = opened.encoding == mojika::REPLACEMENT;
        if is_undecodable && Encoding::for_bom(&opened.head()?).is_none() {
            // The "replacement" encoding decodes the whole text to one U+FFFD.
            return Err(Failure::Refused {
                name: opened.name,
                reason: DECODED_BY_NONE.to_owned(),
            });
        }
        Ok(opened)
    }

    /// Returns the bytes that may be a byte order mark.
    fn head(&self) -> Result<Vec<u8>, Failure> {
        let length = self.metadata.len().min(LONGEST_BOM as u64);
        let head = self.source().range(0, length);
        head.map_err(|error| self.unreadable(error))
    }

    /// Returns a view of the file from which ranges of bytes can be read.
    pub fn source(&self) -> SourceFile<'_> {
        SourceFile::new(&self.file, self.metadata.len())
    }

    /// Returns a finder that searches the file part by part.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read.
    pub fn finder(&self) -> Result<Finder<'_>, Failure> {
        let encoding = Document::open(&self.head()?, self.encoding).encoding();
        Ok(Finder {
            source: self.source(),
            encoding,
            boundary: Boundary::of(encoding),
            piece: LONGEST_PIECE,
        })
    }

    /// Returns the failure to read the file.
    pub fn unreadable(&self, error: io::Error) -> Failure {
        Failure::io("read", self.name.clone(), error)
    }

    /// Returns the failure to store the file's changes temporarily.
    pub fn not_kept(&self, error: io::Error) -> Failure {
        Failure::io("keep the changes of", self.name.clone(), error)
    }

    /// Returns the name for messages.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the given or decided encoding.
    pub fn encoding(&self) -> &'static Encoding {
        self.encoding
    }

    /// Returns the source of the decision.
    pub fn why(&self) -> &'static str {
        self.why
    }

    /// Returns all bytes.
    ///
    /// # Errors
    ///
    /// Fails if there are more bytes than allowed, or they cannot be read.
    pub fn bytes(&self) -> Result<&[u8], Failure> {
        if let Some(bytes) = self.bytes.get() {
            return Ok(bytes);
        }
        let bytes = read_at_most(&self.file, self.metadata.len(), self.max_size);
        let bytes = bytes.map_err(|error| self.unreadable(error))?;
        Ok(self.bytes.get_or_init(|| bytes))
    }

    /// Returns the maximum number of bytes that are read at once.
    pub fn max_size(&self) -> u64 {
        self.max_size
    }

    /// Refuses to search a sparse file, which may state any length.
    ///
    /// # Errors
    ///
    /// Fails if a file longer than `max_size` has blocks on the disk for less than half of its bytes.
    pub fn refuse_sparse(&self) -> Result<(), Failure> {
        let length = self.metadata.len();
        if length <= self.max_size || self.metadata.blocks() >= length / 1024 {
            return Ok(());
        }
        let message = format!(
            "it has {length} bytes, most of them not on the disk, and --max-size allows {}",
            self.max_size
        );
        Err(self.unreadable(io::Error::other(message)))
    }

    /// Returns the whole text.
    ///
    /// # Errors
    ///
    /// Fails as [`bytes`](Self::bytes) does.
    pub fn document(&self) -> Result<Document<'_>, Failure> {
        let bytes = self.bytes()?;
        Ok(Document::open_with(
            bytes,
            self.encoding,
            BomHandling::Sniff,
        ))
    }

    /// Returns the fingerprint of the file.
    ///
    /// # Errors
    ///
    /// Fails as [`bytes`](Self::bytes) does.
    pub fn fingerprint(&self) -> Result<Fingerprint, Failure> {
        Ok(Fingerprint {
            encoding: self.encoding,
            digest: Sha1::from(self.bytes()?).digest().to_string(),
        })
    }

    /// # Errors
    ///
    /// Fails if the file has changed.
    pub fn expect(&self, expected: &Fingerprint) -> Result<(), Failure> {
        if self.fingerprint()?.digest == expected.digest {
            return Ok(());
        }
        Err(Failure::Refused {
            name: self.name.clone(),
            reason: "has changed since `mojika get` printed its fingerprint; get it again".into(),
        })
    }

    /// Replaces the file atomically by its patched bytes. It keeps its mode, owner and extended attributes.
    ///
    /// # Errors
    ///
    /// Fails if the file may not be written, or if it has changed since it was opened. The file is then unchanged.
    pub fn write(&self, patches: &Patches, keep_times: bool) -> Result<(), Failure> {
        if patches.is_empty() {
            return Ok(());
        }
        let failed =
            |action: &'static str| move |error| Failure::io(action, self.name.clone(), error);
        // Opening the file tests its permissions: it may be read-only although its folder is writable.
        let flags = OFlags::WRONLY | OFlags::NOFOLLOW | OFlags::CLOEXEC | OFlags::NONBLOCK;
        rustix::fs::openat(self.folder.fd(), &self.file_name, flags, Mode::empty())
            .map_err(|error| failed("write to")(error.into()))?;
        let draft = Draft::create_named(&self.folder, &self.file_name, true, Access::Private);
        let draft = draft.map_err(failed("create a temporary file beside"))?;
        let file = draft.file();
        let written = write_patched(self.source(), patches, file);
        written.map_err(failed("write to"))?;
        let replaced = || {
            draft.keep_attributes(&self.file, &self.metadata)?;
            if !keep_times {
                file.set_modified(SystemTime::now())?;
            }
            // The new text must be on the disk before the old one is removed.
            file.sync_data()?;
            self.folder.stamp(&self.file_name)
        };
        if replaced().map_err(failed("replace"))? != self.stamp {
            return Err(Failure::Refused {
                name: self.name.clone(),
                reason: "was changed while it was edited, and stays as it is; edit it again".into(),
            });
        }
        draft.commit().map_err(failed("replace"))
    }

    /// Returns the number of other hard links, which keep the old text.
    pub fn other_links(&self) -> u64 {
        self.metadata.nlink().saturating_sub(1)
    }
}

/// Writes a source with its patches, which are in order. A long output is flushed to the disk while it is written.
fn write_patched(source: SourceFile<'_>, patches: &Patches, file: &File) -> io::Result<()> {
    let copy_all = |copied: &mut dyn FnMut()| {
        let mut output = BufWriter::with_capacity(SEARCH_LENGTH, file);
        let mut at = 0;
        patches.each(|range, bytes| {
            source.copy(at, range.start, &mut output, copied)?;
            output.write_all(bytes)?;
            at = range.end;
            Ok(())
        })?;
        source.copy(at, source.length(), &mut output, copied)?;
        output.flush()
    };
    if source.length() <= STEP {
        return copy_all(&mut || {});
    }
    let (sender, receiver) = mpsc::sync_channel(1);
    thread::scope(|scope| {
        let sync = move || receiver.iter().try_for_each(|()| file.sync_data());
        let syncing = thread::Builder::new().spawn_scoped(scope, sync);
        // If the channel is full, the flushing thread has been notified already.
        let result = copy_all(&mut || {
            let _ = sender.try_send(());
        });
        drop(sender);
        // Both threads may meet the same disk error, which is returned only once.
        let synced = syncing.map(|syncing| syncing.join());
        match synced {
            Ok(Ok(synced)) => result.and(synced),
            _ => result,
        }
    })
}

/// Reads a file of a stated `length`. A sparse file may state any length without having the bytes.
fn read_at_most(file: &File, length: u64, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if length <= most {
        bytes.try_reserve_exact(usize::try_from(length).unwrap_or(usize::MAX))?;
        // The file may grow while it is read.
        file.take(most.saturating_add(1)).read_to_end(&mut bytes)?;
    }
    let length = length.max(bytes.len() as u64);
    if length > most {
        return Err(io::Error::other(format!(
            "it has {length} bytes, and --max-size allows {most}"
        )));
    }
    Ok(bytes)
}

fn of_decision(decided: &Decided) -> (&'static Encoding, &'static str) {
    match decided.decision() {
        Some(decision) => (decision.encoding, decision.source.as_str()),
        None => (mojika::UTF_8, "default"),
    }
}
