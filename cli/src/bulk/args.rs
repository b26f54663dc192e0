//! Options of conversions from files to files.

use crate::decide::{FileContext, Question};
use crate::hints::{ConfidenceArgs, HintArgs};
use crate::job::batch::Sync;
use crate::job::report::{Progress, Say};
use crate::report::Failure;
use clap::{Args, ValueEnum};
use std::path::PathBuf;

/// Which files are taken, how they are worked on, and what is said about it.
#[derive(Args, Clone, Debug, Default)]
pub struct SelectArgs {
    /// Read more file names from LIST, one a line; "-" is standard input
    #[arg(long, value_name = "LIST", help_heading = "Files")]
    pub files_from: Option<PathBuf>,

    /// Names in --files-from end with a NUL byte instead of a line feed
    #[arg(short = '0', long, requires = "files_from", help_heading = "Files")]
    pub null: bool,

    /// Place the files of --files-from in the output folder as they lie below DIR
    #[arg(
        long,
        value_name = "DIR",
        requires = "files_from",
        help_heading = "Files"
    )]
    pub base: Option<PathBuf>,

    /// Take only files that match; may be given more than once
    ///
    /// A pattern without "/" is matched with the file name, one with "/" with the path below the source.
    #[cfg_attr(
        feature = "gitignore",
        arg(long, value_name = "GLOB", help_heading = "Files")
    )]
    #[cfg_attr(not(feature = "gitignore"), arg(skip))]
    pub include: Vec<String>,

    /// Leave out files and folders that match; may be given more than once
    #[cfg_attr(
        feature = "gitignore",
        arg(long, value_name = "GLOB", help_heading = "Files")
    )]
    #[cfg_attr(not(feature = "gitignore"), arg(skip))]
    pub exclude: Vec<String>,

    /// Leave out what .gitignore and .ignore files name; hidden files are taken all the same
    #[cfg_attr(feature = "gitignore", arg(long, help_heading = "Files"))]
    #[cfg_attr(not(feature = "gitignore"), arg(skip))]
    pub gitignore: bool,

    /// What to do with symbolic links inside of folders
    #[arg(
        long,
        value_enum,
        value_name = "HOW",
        default_value_t,
        help_heading = "Files"
    )]
    pub links: Links,

    /// Take every file for text: do not look for binary files
    #[arg(short = 'a', long, help_heading = "Files")]
    pub text: bool,

    /// Number of files to work on at once, at most 256; 0 is one for each processor
    #[arg(
        short,
        long,
        value_name = "N",
        default_value_t = 0,
        help_heading = "Run"
    )]
    pub jobs: usize,

    /// Stop at the first file that fails
    #[arg(long, help_heading = "Run")]
    pub fail_fast: bool,

    /// Whether to show progress on standard error
    #[arg(
        long,
        value_enum,
        value_name = "WHEN",
        default_value_t,
        help_heading = "Messages"
    )]
    pub progress: Progress,

    /// Write a line of JSON for each file to REPORT; "-" is standard output
    #[arg(long, value_name = "REPORT", help_heading = "Messages")]
    pub report: Option<PathBuf>,

    /// Most errors of one file that the report lists; those that follow one another without a gap are one
    #[arg(
        long,
        value_name = "N",
        default_value_t = crate::job::record::MOST_FAULTS,
        help_heading = "Messages"
    )]
    pub report_errors: usize,

    /// Write the names of doubtful files to LIST, one a line, for --files-from
    #[arg(long, value_name = "LIST", help_heading = "Messages")]
    pub doubtful: Option<PathBuf>,

    /// Name each file on standard error as it is finished
    #[arg(short, long, help_heading = "Messages")]
    pub verbose: bool,
}

impl SelectArgs {
    /// What is said about the run.
    pub fn say(&self, quiet: bool) -> Say<'_> {
        Say {
            report: self.report.as_deref(),
            doubtful: self
                .doubtful
                .as_deref()
                .map(|list| (list, if self.null { 0 } else { b'\n' })),
            progress: self.progress,
            quiet,
            verbose: self.verbose,
            fail_fast: self.fail_fast,
            resume: false,
        }
    }
}

/// Where the output goes.
#[derive(Args, Clone, Debug, Default)]
pub struct PlaceArgs {
    /// Replace each file by its conversion
    #[arg(short, long, conflicts_with = "output", help_heading = "Output")]
    pub in_place: bool,

    /// With --in-place, keep the old file under its name with SUFFIX appended
    #[arg(
        long,
        value_name = "SUFFIX",
        requires = "in_place",
        help_heading = "Output"
    )]
    pub backup: Option<String>,

    /// Replace files that exist in the output folder
    #[arg(long, help_heading = "Output")]
    pub force: bool,

    /// With --from LABEL, convert files that are valid UTF-8 all the same
    ///
    /// Without it, they are taken for converted already: text that is converted twice is lost.
    #[arg(long, help_heading = "Output")]
    pub convert_utf_8: bool,

    /// Say what would be done, and write nothing
    #[arg(short = 'n', long, help_heading = "Run")]
    pub dry_run: bool,

    /// Copy files that are not text to the output folder instead of leaving them out
    #[arg(long, help_heading = "Output")]
    pub copy_other: bool,

    /// When output is forced to the disk: never, batch by batch, or file by file
    #[arg(
        long,
        value_enum,
        value_name = "HOW",
        default_value_t,
        help_heading = "Run"
    )]
    pub sync: Sync,

    /// Go on with a run that was interrupted or had failures: leave out the files it finished
    ///
    /// Where there is no such run, a new one begins.
    #[arg(long, conflicts_with = "dry_run", help_heading = "Run")]
    pub resume: bool,

    /// Begin anew although an earlier run in place was not completed
    #[arg(long, conflicts_with_all = ["dry_run", "resume"], help_heading = "Run")]
    pub restart: bool,

    /// Keep the journal for --resume in FILE [default: a file in $XDG_STATE_HOME/mojika, or ~/.local/state/mojika]
    ///
    /// It goes when the run is complete.
    #[arg(long, value_name = "FILE", help_heading = "Run")]
    pub journal: Option<PathBuf>,
}

/// `mojika check`.
#[derive(Args)]
#[command(after_help = crate::args::EXIT_STATUSES)]
pub struct CheckArgs {
    /// Encoding of the files; "auto" finds it for each file
    #[arg(short, long, value_name = "LABEL", default_value = "auto")]
    pub from: String,

    /// Encoding that the text must fit into
    #[arg(short, long, value_name = "LABEL", default_value = "utf-8")]
    pub to: String,

    /// What the files are
    #[arg(
        long,
        value_parser = FileContext::parser(),
        default_value = "auto",
        help_heading = "Hints for --from auto"
    )]
    pub context: FileContext,

    #[command(flatten)]
    pub hints: HintArgs,

    #[command(flatten)]
    pub confidence: ConfidenceArgs,

    /// Check that SRC is what was made of SOURCE, a file or a folder
    ///
    /// The text is encoded again and compared byte by byte; where an encoding has several ways to write it, the texts are
    /// compared. U+FFFD and text that looks encoded twice are failures, private-use and control characters warnings.
    #[arg(long, value_name = "SOURCE")]
    pub against: Option<PathBuf>,

    /// Print no summary
    #[arg(short, long)]
    pub quiet: bool,

    #[command(flatten)]
    pub select: SelectArgs,

    /// Files and folders to check; "-" is standard input [default: standard input]
    #[arg(value_name = "SRC")]
    pub files: Vec<PathBuf>,
}

impl CheckArgs {
    /// Whether standard input is what is checked.
    pub fn is_of_standard_input(&self) -> bool {
        let is_it = |path: &PathBuf| path.as_os_str() == "-";
        match self.files.is_empty() {
            true => self.select.files_from.is_none() && self.against.is_none(),
            false => self.against.is_none() && self.files.iter().all(is_it),
        }
    }

    /// How the encoding of a file is decided; `is_auto` says whether it is.
    ///
    /// # Errors
    ///
    /// Fails if a label is unknown, and refuses hints that nothing would use.
    pub fn question(&self, is_auto: bool) -> Result<Question, Failure> {
        self.confidence
            .question(&self.hints, self.context, self.select.text, is_auto)
    }
}

/// What becomes of symbolic links that a walk meets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Links {
    /// Leave them out
    #[default]
    Skip,
    /// Convert what they point to
    Follow,
    /// Make the same links in the output folder
    Copy,
}
