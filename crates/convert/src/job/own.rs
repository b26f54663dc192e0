//! Files that a run writes besides its output, and the files that they must not replace.

use super::folder::{Stamp, folder_of};
use super::lines::{are_same, identity};
use super::report::Say;
use crate::quote::quote;
use crate::report::Failure;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read};
use std::os::fd::AsFd;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// The start of a report; the keys of its objects are in alphabetical order.
const REPORT: &[u8] = b"{\"bytes_in\":";

/// A file that a run writes besides its output.
struct Own<'a> {
    path: &'a Path,
    /// The byte that ends each name in a list of files; `None` for a report.
    end: Option<u8>,
}

impl Say<'_> {
    fn own_files(&self) -> impl Iterator<Item = Own<'_>> {
        let report = self.report.map(|path| Own { path, end: None });
        let list = self.doubtful.map(|(path, end)| Own {
            path,
            end: Some(end),
        });
        report.into_iter().chain(list)
    }

    /// Refuses a report or a list that would replace one of these inputs, or be replaced by the output. In a folder that
    /// is read or written, it may replace only a file that an earlier run has written.
    ///
    /// # Errors
    ///
    /// Fails if one is refused.
    pub fn check_own_files<'a>(
        &self,
        inputs: impl Iterator<Item = &'a Path> + Clone,
        output: Option<&Path>,
    ) -> Result<(), Failure> {
        self.own_files()
            .try_for_each(|own| own.check(inputs.clone(), output))
    }

    /// Refuses a report or a list on standard output, where the text goes.
    ///
    /// # Errors
    ///
    /// Fails if one is refused.
    pub fn refuse_standard_output(&self) -> Result<(), Failure> {
        let own = self.own_files().find(|own| own.path.as_os_str() == "-");
        own.map_or(Ok(()), |own| {
            let what = own.end.map_or("report", |_| "list of doubtful files");
            Err(Failure::Usage(format!(
                "the text goes to standard output: write the {what} to a file"
            )))
        })
    }

    /// Returns the device and inode of each file that the run has created besides its output.
    pub(super) fn own_identities(&self) -> Vec<(u64, u64)> {
        self.own_files()
            .filter_map(|own| identity(own.path))
            .collect()
    }
}

impl Own<'_> {
    fn check<'a>(
        &self,
        inputs: impl Iterator<Item = &'a Path>,
        output: Option<&Path>,
    ) -> Result<(), Failure> {
        let refuse = |what: &str| {
            let own = quote(self.path);
            let message = format!(
                "{own}: is {what}, which the report or list would replace; give the report or list another name"
            );
            Err(Failure::usage(&message))
        };
        if self.path.as_os_str() == "-" {
            return Ok(());
        }
        if output.is_some_and(|output| are_same(self.path, output)) {
            return refuse("the output");
        }
        let Some(own) = identity(self.path) else {
            return Ok(());
        };
        let below = match self.is_earlier() {
            true => Vec::new(),
            false => self.real_paths(),
        };
        let is_within = |folder: &Path| {
            !below.is_empty()
                && folder.is_dir()
                && fs::canonicalize(folder)
                    .is_ok_and(|folder| below.iter().any(|path| path.starts_with(&folder)))
        };
        if let Some(folder) = output.filter(|output| is_within(output)) {
            return refuse(&format!("a file of {}", quote(folder)));
        }
        for input in inputs {
            if input_identity(input) == Some(own) {
                return refuse("an input");
            }
            if is_within(input) {
                return refuse(&format!("a file of {}", quote(input)));
            }
        }
        Ok(())
    }

    /// Returns the paths of the file: its name, and the target if it is a link.
    fn real_paths(&self) -> Vec<PathBuf> {
        let name = self.path.file_name().unwrap_or_default();
        let named = fs::canonicalize(folder_of(self.path)).map(|folder| folder.join(name));
        let paths = [named, fs::canonicalize(self.path)];
        paths.into_iter().flatten().collect()
    }

    /// True if an earlier run may have written the file: it is empty, starts like a report, or is a list of file names.
    fn is_earlier(&self) -> bool {
        let Ok(file) = File::open(self.path) else {
            return false;
        };
        match self.end {
            None => {
                let mut head = Vec::new();
                let read = file.take(REPORT.len() as u64).read_to_end(&mut head);
                read.is_ok() && (head.is_empty() || head == REPORT)
            }
            Some(end) => BufReader::new(file)
                .split(end)
                .all(|name| name.is_ok_and(|name| Path::new(OsStr::from_bytes(&name)).is_file())),
        }
    }
}

/// Returns the device and inode of an input that is a regular file; "-" is standard input.
fn input_identity(path: &Path) -> Option<(u64, u64)> {
    if path.as_os_str() != "-" {
        return identity(path);
    }
    let stdin = io::stdin().as_fd().try_clone_to_owned().ok()?;
    let metadata = File::from(stdin).metadata().ok()?;
    metadata.is_file().then(|| Stamp::of(&metadata).identity())
}
