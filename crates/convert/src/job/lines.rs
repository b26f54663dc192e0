//! Files of lines that a run writes besides its output: its report, and its list of doubtful files.

use super::folder::Stamp;
use crate::quote::quote;
use crate::report::{self, Failure};
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// Writes lines to a file. The first error is reported when the file is closed.
pub struct Lines {
    writer: BufWriter<Box<dyn Write + Send>>,
    /// The name in messages.
    name: String,
    error: Option<io::Error>,
}

impl Lines {
    /// Creates or empties a file; "-" is standard output.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be written.
    pub fn create(path: &Path) -> Result<Self, Failure> {
        let name = quote(path);
        let writer: io::Result<Box<dyn Write + Send>> = match is_standard_output(path) {
            true if report::was_closed() => Err(io::Error::other("it is closed")),
            true => Ok(Box::new(io::stdout())),
            false => File::create(path).map(|file| Box::new(file) as _),
        };
        match writer {
            Ok(writer) => Ok(Self::new(writer, name)),
            Err(error) => Err(Failure::write(&name, error)),
        }
    }

    /// Opens a file to append to the lines of an earlier run; returns true if there are any.
    ///
    /// # Errors
    ///
    /// Fails if the file cannot be read or written.
    pub fn resume(path: &Path) -> Result<(Self, bool), Failure> {
        if is_standard_output(path) {
            return Ok((Self::create(path)?, false));
        }
        let name = quote(path);
        match open_at_end(path) {
            Ok((file, length)) => Ok((Self::new(Box::new(file), name), length > 0)),
            Err(error) => Err(Failure::write(&name, error)),
        }
    }

    fn new(writer: Box<dyn Write + Send>, name: String) -> Self {
        Self {
            writer: BufWriter::new(writer),
            name,
            error: None,
        }
    }

    /// Adds a line, with its end.
    pub fn write(&mut self, line: &[u8]) {
        if let Err(error) = self.writer.write_all(line) {
            self.error.get_or_insert(error);
        }
    }

    /// Writes the collected lines.
    pub fn flush(&mut self) {
        if let Err(error) = self.writer.flush() {
            self.error.get_or_insert(error);
        }
    }

    /// Writes the remaining lines.
    ///
    /// # Errors
    ///
    /// Fails if anything could not be written.
    pub fn end(mut self) -> Result<(), Failure> {
        self.flush();
        match self.error {
            Some(error) => Err(Failure::write(&self.name, error)),
            None => Ok(()),
        }
    }
}

fn is_standard_output(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// True if two paths lead to the same file, even if the file does not exist yet.
pub(crate) fn are_same(one: &Path, other: &Path) -> bool {
    let absolute = |path: &Path| std::path::absolute(path).ok();
    absolute(one) == absolute(other) || is_same_file(one, other)
}

/// True if two names belong to one regular file.
pub fn is_same_file(one: &Path, other: &Path) -> bool {
    identity(one).is_some_and(|file| identity(other) == Some(file))
}

/// Returns the device and inode of a regular file, which would be overwritten; `None` for other files, such as
/// terminals, and for "-".
pub fn identity(path: &Path) -> Option<(u64, u64)> {
    if is_standard_output(path) {
        return None;
    }
    let metadata = fs::metadata(path).ok().filter(fs::Metadata::is_file)?;
    Some(Stamp::of(&metadata).identity())
}

/// Opens a file for appending, without a truncated last line; also returns its length.
fn open_at_end(path: &Path) -> io::Result<(File, u64)> {
    use std::io::{Read, Seek, SeekFrom};
    let mut file = File::options()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .open(path)?;
    let mut length = file.metadata()?.len();
    if !file.metadata()?.is_file() {
        return Ok((file, 0));
    }
    let mut block = vec![0; 64 << 10];
    while length > 0 {
        let start = length.saturating_sub(block.len() as u64);
        let block = &mut block[..(length - start) as usize];
        file.seek(SeekFrom::Start(start))?;
        file.read_exact(block)?;
        if let Some(end) = memchr::memrchr(b'\n', block) {
            length = start + end as u64 + 1;
            break;
        }
        length = start;
    }
    file.set_len(length)?;
    file.seek(SeekFrom::Start(length))?;
    Ok((file, length))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A resumed report continues after its last complete line, whatever the length of the truncated line.
    #[test]
    fn a_report_goes_on_after_its_last_whole_line() {
        const BLOCK: usize = 64 << 10;
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("report");
        for before in [0, 1, 10, BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK] {
            for cut in [0, 1, 10, BLOCK - 1, BLOCK, BLOCK + 1, 2 * BLOCK] {
                // The bytes are a complete line of length `before`, and a truncated line of length `cut`.
                let mut bytes = vec![b'a'; before];
                if let Some(last) = bytes.last_mut() {
                    *last = b'\n';
                }
                bytes.resize(before + cut, b'b');
                std::fs::write(&path, &bytes).unwrap();
                let (mut file, length) = open_at_end(&path).unwrap();
                assert_eq!(length, before as u64, "{before} and {cut}");
                file.write_all(b"new\n").unwrap();
                let expected = [&bytes[..before], b"new\n"].concat();
                assert!(
                    std::fs::read(&path).unwrap() == expected,
                    "{before} and {cut}"
                );
            }
        }
        // A missing file is created.
        let (_, length) = open_at_end(&folder.path().join("none")).unwrap();
        assert_eq!(length, 0);
    }

    #[test]
    fn two_names_of_one_file_are_the_same() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        std::fs::write(path("a"), "").unwrap();
        std::fs::hard_link(path("a"), path("b")).unwrap();
        std::os::unix::fs::symlink("a", path("c")).unwrap();
        for (one, other, expected) in [
            ("a", "b", true),
            ("a", "c", true),
            ("a", "./a", true),
            ("none", "./none", true),
            ("a", "none", false),
            ("none", "other", false),
        ] {
            assert_eq!(
                are_same(&path(one), &path(other)),
                expected,
                "{one}, {other}"
            );
        }
        // Devices are appended to, not overwritten, so they have no identity here.
        assert_eq!(identity(Path::new("/dev/null")), None);
    }
}
