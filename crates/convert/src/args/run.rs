//! Options of several subcommands: lists of names, messages of a run, and the treatment of its output.

use crate::bounded::{open, read_line};
use crate::job::journal::Ask;
use crate::job::report::{Progress, Say};
use crate::report::Failure;
use clap::Args;
use std::io::{self, BufRead, BufReader};
use std::path::PathBuf;

/// The options for lists of file names.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Files")]
pub struct ListArgs {
    /// Read more file names from LIST, one per line; "-" is standard input
    #[arg(long, value_name = "LIST")]
    pub files_from: Option<PathBuf>,

    /// Names in lists end with a NUL byte instead of a line feed
    #[arg(short = '0', long)]
    pub null: bool,
}

impl ListArgs {
    /// Returns the byte that ends each name.
    pub fn end(&self) -> u8 {
        if self.null { 0 } else { b'\n' }
    }

    /// Returns the names of `--files-from`.
    ///
    /// # Errors
    ///
    /// Fails if the list cannot be read.
    pub fn names(&self) -> Result<Vec<PathBuf>, Failure> {
        let Some(list) = &self.files_from else {
            return match self.null {
                true => Err(Failure::usage(
                    "--null needs a list of names: use --files-from LIST",
                )),
                false => Ok(Vec::new()),
            };
        };
        let names = open(list).and_then(|list| names(&mut BufReader::new(list), self.end()));
        names.map_err(|error| Failure::io("read", crate::quote::quote(list), error))
    }
}

/// The maximum length of a list of names, and of a name in it, in bytes.
const LONGEST_LIST: u64 = 256 << 20;
const LONGEST_NAME: u64 = 64 << 10;

/// Returns the names in a list, each ended by `end`.
fn names(reader: &mut dyn BufRead, end: u8) -> io::Result<Vec<PathBuf>> {
    use std::os::unix::ffi::OsStrExt;
    let (mut names, mut name, mut length) = (Vec::new(), Vec::new(), 0);
    while read_line(reader, &mut name, end, LONGEST_NAME)? {
        length += name.len() as u64 + 1;
        if length > LONGEST_LIST {
            return Err(io::Error::other(format!(
                "it has more than {LONGEST_LIST} bytes"
            )));
        }
        if !name.is_empty() {
            names.push(PathBuf::from(std::ffi::OsStr::from_bytes(&name)));
        }
    }
    Ok(names)
}

/// The number of parallel files, and the messages about them.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Messages")]
pub struct RunArgs {
    /// Number of files to process at once, at most 256; 0 means one per processor
    #[arg(
        short,
        long,
        value_name = "N",
        default_value_t = 0,
        value_parser = super::values::whole::<usize>,
        allow_negative_numbers = true,
        help_heading = "Run"
    )]
    pub jobs: usize,

    /// Show progress on standard error
    #[arg(long, value_enum, value_name = "WHEN", default_value_t)]
    pub progress: Progress,

    /// Write a line of JSON for each file to REPORT; "-" is standard output
    #[arg(long, value_name = "REPORT")]
    pub report: Option<PathBuf>,

    /// Name each file on standard error as it is finished
    #[arg(short, long)]
    pub verbose: bool,
}

impl RunArgs {
    /// Returns the settings of messages.
    pub fn say(&self, quiet: bool) -> Say<'_> {
        Say {
            report: self.report.as_deref(),
            progress: self.progress,
            quiet,
            verbose: self.verbose,
            ..Say::default()
        }
    }
}

/// The replacement of files in an output folder, and the continuation of an interrupted run.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Run")]
pub struct OutputArgs {
    /// Replace files that exist in the output folder
    #[arg(long, help_heading = "Output")]
    pub force: bool,

    /// Continue a run that was interrupted or had failures, without the files that it finished
    ///
    /// Without such a run, a new one begins. FILE keeps the run's journal until it is complete [default: a file in
    /// $XDG_STATE_HOME/mojika, or ~/.local/state/mojika].
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true)]
    pub resume: Option<Option<PathBuf>>,
}

impl OutputArgs {
    /// Returns the request for a journal, with the user's path for it. The parameters become fields of [`Ask`].
    pub fn ask(&self, options: String, in_place: Vec<PathBuf>) -> Ask<'_> {
        Ask {
            options,
            in_place,
            file: self.resume.as_ref().and_then(Option::as_deref),
            resume: self.resume.is_some(),
            restart: self.force,
        }
    }
}
