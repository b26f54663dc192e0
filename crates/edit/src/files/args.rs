//! The options of `mojika get`, `put` and `edit`.

#![allow(
    missing_docs,
    reason = "documentation of a flattened field would be help"
)]

use super::change::{self, Change};
use super::how::{HowArgs, SizeArgs};
use clap::Args;
use mojika_convert::args::hints::EncodingArgs;
use mojika_convert::report::Failure;
use std::path::PathBuf;

const EXIT_STATUSES: &str = "\
Exit status:
  0    done
  1    the encoding is doubtful, the change does not fit the file, or reading or writing failed
  2    unknown label, no encoder, or wrong usage
  129, 130, 143  ended by SIGHUP, SIGINT, SIGTERM
  141  the reader of standard output closed it";

const GET_EXAMPLES: &str = "\
Examples:
  mojika get letter.txt
          the text as UTF-8; encoding, line ends and fingerprint on standard error
  mojika get --json letter.txt
          all of it in one object";

const PUT_EXAMPLES: &str = "\
Examples:
  fingerprint=$(mojika get --fingerprint letter.txt)
  mojika get -q letter.txt | sed 's/1998/1999/' | mojika put letter.txt --expect \"$fingerprint\"
          change a line; refused if the file was changed in the meantime";

const EDIT_EXAMPLES: &str = "\
Examples:
  mojika edit letter.txt --replace 'Dear Sir' 'Dear Madam'
          replace a text that occurs once in the file
  mojika edit --from shift_jis *.c --replace 旧社名 新社名 --all
          replace every occurrence
  mojika edit letter.txt --patch change.diff
          apply a unified diff, which is in UTF-8";

/// Print a file's text as UTF-8, with a fingerprint for `mojika put`
///
/// U+FFFD stands for each malformed sequence. If the new text keeps it, `put` keeps its bytes.
#[derive(Args)]
#[command(after_help = EXIT_STATUSES, after_long_help = format!("{GET_EXAMPLES}\n\n{EXIT_STATUSES}"))]
pub struct GetArgs {
    /// The file
    #[arg(value_name = "FILE")]
    pub file: PathBuf,

    /// Print an object with the text, the encoding, the fingerprint and the line ends
    #[arg(long)]
    pub json: bool,

    /// Print the fingerprint alone
    #[arg(long, conflicts_with = "json")]
    pub fingerprint: bool,

    /// Print nothing on standard error
    #[arg(short, long)]
    pub quiet: bool,

    #[command(flatten)]
    pub size: SizeArgs,

    #[command(flatten)]
    pub(crate) encoding: EncodingArgs,
}

/// Change a file to the text on standard input, and keep the bytes of unchanged text
///
/// The text is UTF-8. Parts that are in both texts keep their bytes, including malformed sequences.
#[derive(Args)]
#[command(after_help = EXIT_STATUSES, after_long_help = format!("{PUT_EXAMPLES}\n\n{EXIT_STATUSES}"))]
pub struct PutArgs {
    /// The file
    #[arg(value_name = "FILE")]
    pub file: PathBuf,

    /// Fingerprint that `mojika get` printed; if the file has changed since, nothing is written
    #[arg(long, value_name = "FINGERPRINT", required = true)]
    pub expect: String,

    #[command(flatten)]
    pub how: HowArgs,

    #[command(flatten)]
    pub size: SizeArgs,
}

/// Change text in files, and keep all other bytes
#[derive(Args)]
#[command(after_help = EXIT_STATUSES, after_long_help = format!("{EDIT_EXAMPLES}\n\n{EXIT_STATUSES}"))]
#[group(id = "change", required = true, multiple = false, args = ["replace", "patch"])]
pub struct EditArgs {
    /// The files
    #[arg(value_name = "FILE", required = true)]
    pub files: Vec<PathBuf>,

    /// Replace OLD, which must occur exactly once in the file, by NEW
    #[arg(long, num_args = 2, value_names = ["OLD", "NEW"], allow_hyphen_values = true)]
    replace: Vec<String>,

    /// With --replace: replace every occurrence
    #[arg(long, requires = "replace", conflicts_with = "patch")]
    all: bool,

    /// Apply a unified diff for one file, in UTF-8; "-" is standard input
    #[arg(long, value_name = "DIFF")]
    patch: Option<PathBuf>,

    #[command(flatten)]
    pub how: HowArgs,

    #[command(flatten)]
    pub size: SizeArgs,

    #[command(flatten)]
    pub(crate) encoding: EncodingArgs,
}

impl EditArgs {
    /// Returns the change that the options request.
    pub fn change(&self) -> Result<Change, Failure> {
        match (&*self.replace, &self.patch) {
            ([old, new], _) => Change::replace(old, new, self.all),
            (_, Some(patch)) => {
                if self.files.len() > 1 {
                    return Err(Failure::usage(
                        "--patch changes one file: run it once for each file",
                    ));
                }
                let patch = change::read_text(patch, self.size.max_size)?;
                Ok(Change::Patch(patch))
            }
            _ => Err(Failure::usage(
                "--replace is given once, as --replace OLD NEW; replace the second text in another run",
            )),
        }
    }
}
