//! A file to edit: read whole, and replaced in one step by its new bytes, if it is still the same.

use super::how::SizeArgs;
use crate::decide::{Decided, Question};
use crate::job::draft::{Access, Draft};
use crate::job::folder::{Folder, Stamp};
use crate::output::{folder_of, follow_links};
use crate::quote::quote;
use crate::report::Failure;
use crate::stream::refused;
use mojika::edit::{Document, Patch};
use mojika::{BomHandling, Encoding};
use rustix::fs::{Mode, OFlags};
use sha1::{Digest, Sha1};
use std::ffi::{OsStr, OsString};
use std::fmt;
use std::fs::{File, Metadata};
use std::io::{self, Read, Write};
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::sync::Arc;
use std::time::SystemTime;

/// How the encoding of a file is found.
#[derive(Clone, Debug)]
pub enum Choice {
    Named(&'static Encoding),
    Auto(Box<Question>),
}

/// What a file was, with the encoding that it was read in.
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
    /// Parses what `mojika get` prints.
    ///
    /// # Errors
    ///
    /// Fails if it is none.
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
            Failure::usage("--expect takes what `mojika get --fingerprint FILE` prints")
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
    bytes: Vec<u8>,
    encoding: &'static Encoding,
    why: &'static str,
}

impl Opened {
    /// Opens the file that a user has named; links are followed.
    pub fn open(path: &Path, choice: &Choice, size: SizeArgs) -> Result<Self, Failure> {
        let name = quote(path);
        let target = follow_links(path);
        let unreadable = |error| Failure::io("open", name.clone(), error);
        let Some(file_name) = target.file_name() else {
            return Err(unreadable(io::Error::from(io::ErrorKind::IsADirectory)));
        };
        let folder = Folder::open(folder_of(&target)).map_err(unreadable)?;
        Self::open_in(Arc::new(folder), file_name, path, choice, size)
    }

    /// Opens a file of an open folder; a link is not followed. `path` is what messages call it.
    pub fn open_in(
        folder: Arc<Folder>,
        file_name: &OsStr,
        path: &Path,
        choice: &Choice,
        size: SizeArgs,
    ) -> Result<Self, Failure> {
        let name = quote(path);
        let unreadable = |error| Failure::io("read", name.clone(), error);
        let file = folder.read(file_name).map_err(unreadable)?;
        let metadata = file.metadata().map_err(unreadable)?;
        if !metadata.is_file() {
            let error = io::Error::other("it is no regular file");
            return Err(unreadable(error));
        }
        let bytes = read_at_most(&file, metadata.len(), size.max_size).map_err(unreadable)?;
        let (encoding, why) = match choice {
            Choice::Named(encoding) => match Encoding::for_bom(&bytes) {
                Some(_) => (*encoding, "bom"),
                None => (*encoding, "override"),
            },
            Choice::Auto(question) => {
                let decided = question.of_bytes(Some(path), &bytes);
                if let Some(failure) = refused(&decided, &name) {
                    return Err(failure);
                }
                of_decision(&decided)
            }
        };
        Ok(Self {
            name,
            folder,
            file_name: file_name.to_owned(),
            file,
            stamp: Stamp::of(&metadata),
            metadata,
            bytes,
            encoding,
            why,
        })
    }

    /// What messages call it.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// What has decided on the encoding.
    pub fn why(&self) -> &'static str {
        self.why
    }

    /// The bytes.
    #[cfg(feature = "mcp")]
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The text.
    pub fn document(&self) -> Document<'_> {
        Document::open_with(&*self.bytes, self.encoding, BomHandling::Sniff)
    }

    /// What the file is.
    pub fn fingerprint(&self) -> Fingerprint {
        let digest = Sha1::digest(&self.bytes);
        Fingerprint {
            encoding: self.encoding,
            digest: digest.iter().map(|byte| format!("{byte:02x}")).collect(),
        }
    }

    /// # Errors
    ///
    /// Fails if the file is not what it was.
    pub fn expect(&self, expected: &Fingerprint) -> Result<(), Failure> {
        if self.fingerprint().digest == expected.digest {
            return Ok(());
        }
        Err(Failure::Refused {
            name: self.name.clone(),
            reason: "has changed since `mojika get` printed its fingerprint; get it again".into(),
        })
    }

    /// Replaces the file by its patched bytes, in one step. It keeps its mode, its owner and its extended attributes.
    ///
    /// # Errors
    ///
    /// Fails if the file may not be written to, or was changed since it was opened; it is as it was then.
    pub fn write(&self, patches: &[Patch], keep_times: bool) -> Result<(), Failure> {
        if patches.is_empty() {
            return Ok(());
        }
        let failed =
            |action: &'static str| move |error| Failure::io(action, self.name.clone(), error);
        // A file may be read-only although its folder is not.
        let flags = OFlags::WRONLY | OFlags::NOFOLLOW | OFlags::CLOEXEC | OFlags::NONBLOCK;
        rustix::fs::openat(self.folder.fd(), &self.file_name, flags, Mode::empty())
            .map_err(|error| failed("write to")(error.into()))?;
        let draft = Draft::create_named(&self.folder, &self.file_name, true, Access::Private);
        let draft = draft.map_err(failed("create a temporary file beside"))?;
        let mut file = draft.file();
        let mut at = 0;
        for patch in patches {
            file.write_all(&self.bytes[at..patch.source.start])
                .and_then(|()| file.write_all(&patch.bytes))
                .map_err(failed("write to"))?;
            at = patch.source.end;
        }
        file.write_all(&self.bytes[at..])
            .map_err(failed("write to"))?;
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

    /// Further names of the file, which keep the old text.
    pub fn other_links(&self) -> u64 {
        self.metadata.nlink().saturating_sub(1)
    }
}

/// Reads a file that says it has `length` bytes. A sparse file may say so of any number without having them.
fn read_at_most(file: &File, length: u64, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    if length <= most {
        bytes.try_reserve_exact(usize::try_from(length).unwrap_or(usize::MAX))?;
        // It may grow meanwhile.
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
