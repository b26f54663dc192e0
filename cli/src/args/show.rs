//! Options of `mojika show`.

use super::hints::EncodingArgs;
use clap::Args;
use std::path::PathBuf;

const EXIT_STATUSES: &str = "\
Exit status:
  0    done
  1    a file cannot be read, is no text, or its encoding is doubtful; what is doubtful is shown by the best guess
  2    wrong usage, an unknown label
  141  the reader of standard output went away";

const EXAMPLES: &str = "\
Examples:
  mojika show letter.txt
          its first lines, whatever they are in, and on standard error what that is and why
  mojika show --from koi8-r --lines 3 letters/*
          the first three lines of each file, as they read in KOI8-R";

/// Print the first lines of files, decoded and safe for a terminal
///
/// The encoding is decided as `mojika convert --from auto` does it, and named on standard error
/// with the reason, before the lines. Controls and other characters that steer a terminal or hide
/// are written as \u{…}, malformed sequences as U+FFFD.
#[derive(Args)]
#[command(after_help = EXIT_STATUSES, after_long_help = format!("{EXAMPLES}\n\n{EXIT_STATUSES}"))]
pub struct ShowArgs {
    #[command(flatten)]
    pub encoding: EncodingArgs,

    /// Lines to print of each file; the rest of a line after 1000 characters, and of a file after 16 MiB, is left out
    #[arg(short = 'n', long, value_name = "N", default_value_t = 10, value_parser = super::values::whole::<u64>, allow_negative_numbers = true)]
    pub lines: u64,

    /// Take every file for text: do not look for binary files
    #[arg(short = 'a', long)]
    pub text: bool,

    /// Do not name the encoding on standard error; doubts are still named
    #[arg(short, long)]
    pub quiet: bool,

    /// Files to show; "-" is standard input [default: standard input]
    #[arg(value_name = "FILE")]
    pub files: Vec<PathBuf>,
}
