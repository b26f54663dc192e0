//! An open file: its first bytes, and its text, which can be read repeatedly.

use mojika_convert::bounded;
use mojika_convert::decide::{Decided, Outcome, Question};
use mojika_convert::engine::{self, Failure, Format, Input, Options, Part, Trouble, Utf8};
use mojika_convert::job::folder::Stamp;
use mojika_convert::job::problem::{Problem, cannot, damaged, failed, skipped};
use mojika_convert::job::report::Reporter;
use mojika_convert::job::signals;
use std::fs::{File, Metadata};
use std::io::{self, Read, Seek, Write};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, OnceLock};

/// The number of bytes kept from the start of a file: the input of detection, and the whole of most files.
pub const HEAD: usize = 64 << 10;

/// Opens a file, or standard input for "-"; returns its compression and a reader of its text.
pub fn open(path: &Path) -> io::Result<(Option<Format>, Box<dyn Read + Send>)> {
    engine::decompressed(bounded::open(path)?)
}

/// A regular file.
pub struct Opened<'b> {
    pub file: File,
    /// The metadata when the file was opened.
    pub metadata: Metadata,
    /// The compression format, if any.
    pub format: Option<Format>,
    /// The first bytes of the text, decompressed.
    pub head: &'b [u8],
    /// True if the head is the whole file.
    whole: bool,
    /// The number of bytes that were reported to a reporter.
    counted: AtomicU64,
    /// The parts of the text in UTF-16 and in other encodings, with --mixed.
    pub parts: OnceLock<Vec<Part>>,
    /// The result of reading the text as UTF-8, and true if a text beyond the head contains a NUL.
    utf_8: OnceLock<(Utf8, bool)>,
}

impl<'b> Opened<'b> {
    /// Creates a source from an open file, and fills `head`, which has [`HEAD`] bytes.
    pub fn new(file: io::Result<File>, head: &'b mut [u8]) -> Result<Self, Problem> {
        let mut file = file.map_err(cannot("open"))?;
        let metadata = file.metadata().map_err(cannot("read"))?;
        if !metadata.is_file() {
            return Err(skipped("not a regular file"));
        }
        let size = metadata.len();
        // One read suffices for a file of known size; files of `/proc` report 0.
        let known = usize::try_from(size).unwrap_or(usize::MAX);
        let enough = if known == 0 { head.len() } else { known };
        let mut len = fill(&mut file, head, enough).map_err(cannot("read"))?;
        let mut whole = len < head.len() || len == known;
        let format = Format::of(&head[..len]);
        if let Some(format) = format {
            file.rewind().map_err(cannot("read"))?;
            let is_damaged = |error: io::Error| failed(damaged(format, &error.to_string(), 0));
            let mut text = engine::decompressor(format, &file).map_err(is_damaged)?;
            // Damage is reported when the text is converted.
            len = fill(&mut *text, head, head.len()).unwrap_or(0);
            whole = false;
        }
        Ok(Self {
            file,
            metadata,
            format,
            head: &head[..len],
            whole,
            counted: AtomicU64::new(0),
            parts: OnceLock::new(),
            utf_8: OnceLock::new(),
        })
    }

    /// Returns the whole text if it has been read already.
    pub fn whole(&self) -> Option<&'b [u8]> {
        self.whole.then_some(self.head)
    }

    /// Returns the size of the text in bytes, or `None` for compressed files.
    pub fn size(&self) -> Option<u64> {
        self.format.is_none().then_some(self.metadata.len())
    }

    /// Returns a reader of the text from its start. A signal makes it fail; `reporter` receives the progress.
    pub fn text<'s>(
        &'s self,
        reporter: Option<&'s Reporter>,
    ) -> io::Result<Box<dyn Read + Send + 's>> {
        if let Some(bytes) = self.whole() {
            return Ok(Box::new(bytes));
        }
        (&self.file).rewind()?;
        let file = Watched {
            reader: &self.file,
            counted: &self.counted,
            reporter,
        };
        match self.format {
            None => Ok(Box::new(file)),
            Some(format) => engine::decompressor(format, file),
        }
    }

    /// Decides the encoding of a file; `path` is its name without the extension of its compression.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read.
    pub fn decide(&self, question: &Question, path: &Path) -> io::Result<Decided> {
        let path = engine::renamed(path.to_owned(), self.format, None);
        if let Some(bytes) = self.whole() {
            return Ok(question.of_bytes(Some(&path), bytes));
        }
        let mut text = self.text(None)?;
        io::copy(
            &mut (&mut text).take(self.head.len() as u64),
            &mut io::sink(),
        )?;
        let mut decided = question.of_reader(Some(&path), self.head, &mut *text)?;
        if let Some(doubt) = question.doubt_lines(&decided, self.text(None)?)? {
            decided.outcome = Outcome::Doubtful(Box::new(doubt));
        }
        Ok(decided)
    }

    /// Converts all of the text; calls `on_trouble` for each replacement or omission.
    pub fn convert(
        &self,
        writer: &mut (dyn Write + Send),
        mut options: Options,
        reporter: Option<&Reporter>,
        on_trouble: &mut (dyn FnMut(&Trouble) + Send),
    ) -> (engine::Outcome, Result<(), Failure>) {
        /// Allows only one file at a time to be converted by several threads, because that needs much memory.
        static PARALLEL: Mutex<()> = Mutex::new(());
        let is_large = self.metadata.len() >= engine::PARALLEL;
        let guard = is_large.then(|| engine::lock(&PARALLEL));
        if guard.is_none() {
            options.threads = 1;
        }
        let mut reader = match self.text(reporter) {
            Ok(reader) => reader,
            Err(error) => return (engine::Outcome::default(), Err(Failure::Read(error))),
        };
        let input = Input {
            size: self.size(),
            parts: self.parts.get().map_or(&[], Vec::as_slice),
            ..Input::new(&mut *reader)
        };
        engine::convert(input, writer, &options, on_trouble)
    }

    /// True if parts in UTF-16 were searched for and found.
    pub fn has_parts(&self) -> bool {
        self.parts.get().is_some_and(|parts| !parts.is_empty())
    }

    /// Reads the text as UTF-8, once.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read.
    pub fn utf_8(&self) -> io::Result<Utf8> {
        if let Some((found, _)) = self.utf_8.get() {
            return Ok(*found);
        }
        let mut has_nul = false;
        let found = match self.whole() {
            Some(bytes) => engine::utf_8_bytes(bytes),
            None => engine::utf_8(&mut *self.text(None)?, &mut has_nul)?,
        };
        let _ = self.utf_8.set((found, has_nul));
        Ok(found)
    }

    /// True if a text beyond the head was read as UTF-8 and contains a NUL.
    pub fn has_nul(&self) -> bool {
        self.utf_8.get().is_some_and(|(_, has_nul)| *has_nul)
    }

    /// Returns the number of bytes that were reported to a reporter.
    pub fn counted(&self) -> u64 {
        self.counted.load(Ordering::Relaxed)
    }

    /// True if the file has not changed since it was opened, after `read` bytes.
    pub fn is_unchanged(&self, read: u64) -> io::Result<bool> {
        let is_same = Stamp::of(&self.metadata) == Stamp::of(&self.file.metadata()?);
        Ok(is_same && (self.format.is_some() || read == self.metadata.len()))
    }
}

/// A reader that fails after a signal, and shows progress.
pub struct Watched<'a, R> {
    pub reader: R,
    /// The number of bytes that were reported.
    pub counted: &'a AtomicU64,
    pub reporter: Option<&'a Reporter>,
}

impl<R: Read> Read for Watched<'_, R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if signals::stopped() {
            return Err(io::Error::other("interrupted"));
        }
        let len = self.reader.read(buffer)?;
        if let Some(reporter) = self.reporter {
            self.counted.fetch_add(len as u64, Ordering::Relaxed);
            reporter.advance(len as u64);
        }
        Ok(len)
    }
}

/// Reads until `enough` bytes are in the buffer, it is full, or the reader ends.
fn fill(reader: &mut dyn Read, buffer: &mut [u8], enough: usize) -> io::Result<usize> {
    let mut len = 0;
    while len < buffer.len().min(enough) {
        match bounded::read(&mut *reader, &mut buffer[len..])? {
            0 => break,
            more => len += more,
        }
    }
    Ok(len)
}

#[cfg(test)]
mod tests;
