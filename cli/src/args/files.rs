//! Options of conversions from files to files.

use super::run::{ListArgs, OutputArgs, RunArgs};
use clap::{Args, ValueEnum};
use mojika_convert::job::report::Say;
use std::path::PathBuf;

/// The selection and treatment of files, and the messages.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Files")]
pub struct SelectArgs {
    #[command(flatten)]
    pub list: ListArgs,

    /// Keep the paths of --files-from below DIR in the output folder
    #[arg(long, value_name = "DIR", requires = "files_from")]
    pub base: Option<PathBuf>,

    /// Include only matching files; may be given more than once
    ///
    /// A pattern without "/" is matched with the file name, one with "/" with the path below the source.
    #[cfg_attr(feature = "gitignore", arg(long, value_name = "GLOB"))]
    #[cfg_attr(not(feature = "gitignore"), arg(skip))]
    pub include: Vec<String>,

    /// Exclude matching files and folders; may be given more than once
    #[cfg_attr(feature = "gitignore", arg(long, value_name = "GLOB"))]
    #[cfg_attr(not(feature = "gitignore"), arg(skip))]
    pub exclude: Vec<String>,

    /// Exclude the files that .gitignore and .ignore files list; include hidden files
    #[cfg_attr(feature = "gitignore", arg(long))]
    #[cfg_attr(not(feature = "gitignore"), arg(skip))]
    pub gitignore: bool,

    /// Treatment of symbolic links inside of folders
    #[arg(long, value_enum, value_name = "HOW", default_value_t)]
    pub links: Links,

    /// Stop at the first file that fails
    #[arg(long, help_heading = "Run")]
    pub fail_fast: bool,

    /// Write the names of doubtful files to LIST, one per line, for --files-from; "-" is standard output
    #[arg(long, value_name = "LIST", help_heading = "Messages")]
    pub doubtful: Option<PathBuf>,

    #[command(flatten)]
    pub run: RunArgs,
}

impl SelectArgs {
    /// True if there are patterns for files.
    pub fn has_patterns(&self) -> bool {
        !self.include.is_empty() || !self.exclude.is_empty()
    }

    /// Returns the settings of messages.
    pub fn say(&self, quiet: bool) -> Say<'_> {
        Say {
            doubtful: self.doubtful.as_deref().map(|list| (list, self.list.end())),
            fail_fast: self.fail_fast,
            ..self.run.say(quiet)
        }
    }
}

/// The place of the output.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Output")]
pub struct PlaceArgs {
    /// Replace each file by the converted file
    #[arg(short, long, conflicts_with = "output")]
    pub in_place: bool,

    /// With --in-place, keep each old file with SUFFIX appended to its name
    #[arg(
        long,
        value_name = "SUFFIX",
        requires = "in_place",
        conflicts_with = "output"
    )]
    pub backup: Option<String>,

    /// With --from LABEL, also convert files that are valid UTF-8
    ///
    /// Without this option, they are skipped as already converted, because a second conversion would destroy the text.
    #[arg(long)]
    pub convert_utf_8: bool,

    /// Print the changes, and write nothing
    #[arg(short = 'n', long, conflicts_with = "resume", help_heading = "Run")]
    pub dry_run: bool,

    /// Copy files that are not text to the output folder instead of leaving them out
    #[arg(long)]
    pub copy_other: bool,

    #[command(flatten)]
    pub output: OutputArgs,
}

/// The treatment of symbolic links in folders.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Links {
    /// Exclude them
    #[default]
    Skip,
    /// Convert their targets
    Follow,
    /// Create the same links in the output folder
    Copy,
}
