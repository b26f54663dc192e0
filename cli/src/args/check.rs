//! Options of `mojika check`.

use super::EXIT_STATUSES;
use super::files::SelectArgs;
use super::hints::EncodingArgs;
use clap::Args;
use mojika_convert::engine::{ErrorMode, From, Options, Shape};
use mojika_convert::labels;
use mojika_convert::report::Failure;
use std::path::PathBuf;

const EXAMPLES: &str = "\
Examples:
  mojika check letters
          the files that are doubtful, or malformed in their detected encoding
  mojika check --from utf-8 letters
          the files that are not UTF-8, with the first malformed byte
  mojika check --against letters converted
          checks that converted has the text of every file of letters";

/// `mojika check`.
#[derive(Args)]
#[command(after_help = EXIT_STATUSES, after_long_help = format!("{EXAMPLES}\n\n{EXIT_STATUSES}"))]
pub struct CheckArgs {
    #[command(flatten)]
    pub encoding: EncodingArgs,

    /// Encoding that must be able to represent the text
    #[arg(short, long, value_name = "LABEL", default_value = "utf-8")]
    pub to: String,

    /// Check that SRC is the conversion of SOURCE, a file or a folder
    ///
    /// The text is encoded again and compared byte by byte; if an encoding has several byte sequences for it, the texts
    /// are compared. U+FFFD and text that looks encoded twice fail; private-use and control characters warn.
    #[arg(long, value_name = "SOURCE")]
    pub against: Option<PathBuf>,

    /// Print a line of JSON for each file, with all errors: the same as --report -
    #[arg(long, conflicts_with = "report")]
    pub json: bool,

    /// Print no summary
    #[arg(short, long)]
    pub quiet: bool,

    /// Files and folders to check; "-" is standard input [default: standard input]
    #[arg(value_name = "SRC")]
    pub files: Vec<PathBuf>,

    #[command(flatten)]
    pub select: SelectArgs,
}

impl CheckArgs {
    /// True if standard input is checked.
    pub fn is_of_standard_input(&self) -> bool {
        let is_it = |path: &PathBuf| path.as_os_str() == "-";
        match self.files.is_empty() {
            true => self.select.list.files_from.is_none() && self.against.is_none(),
            false => self.against.is_none() && self.files.iter().all(is_it),
        }
    }

    /// Returns the options for a check; the encoding of the input is set later.
    ///
    /// # Errors
    ///
    /// Fails if the label of `--to` is unknown.
    pub fn options(&self) -> Result<Options, Failure> {
        Ok(Options {
            threads: self.select.run.jobs,
            shape: Shape {
                counts: true,
                ..Shape::default()
            },
            // All errors are listed; any error is a failure.
            errors: ErrorMode::Replacement,
            ..Options::new(From::Unnamed, labels::find_target(&self.to)?)
        })
    }
}
