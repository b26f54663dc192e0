//! Options of `mojika show`.

use super::hints::EncodingArgs;
use clap::Args;
use std::path::PathBuf;

const EXIT_STATUSES: &str = "\
Exit status:
  0    done
  1    a file cannot be read, is not text, or its encoding is doubtful; then the best guess is used
  2    wrong usage, an unknown label
  141  the reader of standard output closed it";

const EXAMPLES: &str = "\
Examples:
  mojika show letter.txt
          its first lines; on standard error the encoding and the reason
  mojika show --from koi8-r --lines 3 letters/*
          the first three lines of each file, decoded in KOI8-R";

/// Print the first lines of files, decoded and safe for a terminal
///
/// The encoding is decided as in `mojika convert --from auto`, and printed on standard error with the reason. Control
/// and invisible characters are printed as \u{…}, malformed sequences as U+FFFD.
#[derive(Args)]
#[command(after_help = EXIT_STATUSES, after_long_help = format!("{EXAMPLES}\n\n{EXIT_STATUSES}"))]
pub struct ShowArgs {
    #[command(flatten)]
    pub encoding: EncodingArgs,

    /// Number of lines to print of each file; lines are cut after 1000 characters, and files after 16 MiB
    #[arg(short = 'n', long, value_name = "N", default_value_t = 10, value_parser = super::values::whole::<u64>, allow_negative_numbers = true)]
    pub lines: u64,

    /// Do not print the encoding on standard error; doubts are still reported
    #[arg(short, long)]
    pub quiet: bool,

    /// Files to show; "-" is standard input [default: standard input]
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,
}
