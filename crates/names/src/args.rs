//! The options of `mojika names`.

#![allow(
    missing_docs,
    reason = "documentation of a flattened field would be help"
)]

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use mojika_convert::args::hints::{ConfidenceArgs, GuessArgs};
use mojika_convert::engine::Form;
use std::path::PathBuf;

const EXIT_STATUSES: &str = "\
Exit status:
  0    done, or --rename would change all names
  1    names that are refused, folders that cannot be read, or an encoding that is doubtful
  2    wrong usage, an unknown label, or an earlier run that was not completed
  129, 130, 143  ended by SIGHUP, SIGINT, SIGTERM
  141  the reader of standard output closed it";

const EXAMPLES: &str = "\
Examples:
  mojika names archive
          the changes, and the reason for the encoding; nothing is renamed
  mojika names archive --rename
          rename; `mojika undo` reverts it
  mojika names --from utf-8 --normalize nfc photos --rename
          names from a Mac, composed as on other systems
  mojika names --repair downloads
          the names that were encoded twice, with the originals; --rename repairs them
  mojika names --zip old.zip -o old/
          extract an archive whose names are in an old encoding";

/// Change the names of files and folders from their old encoding to UTF-8
///
/// Without --rename, prints the changes, one line for each name. Names in valid UTF-8 stay unchanged. All other names
/// together decide their encoding; if it is doubtful, nothing is renamed. A change to an existing name is refused, and
/// the other changes are made. No file is read, and no link is followed.
#[derive(Args)]
#[command(after_help = EXIT_STATUSES, after_long_help = format!("{EXAMPLES}\n\n{EXIT_STATUSES}"))]
pub struct NamesArgs {
    /// Rename. Without this option, nothing is changed
    #[arg(long)]
    pub rename: bool,

    /// Encoding of the names that are not UTF-8; "auto" finds it
    #[arg(short, long, value_name = "LABEL", default_value = "auto")]
    pub from: String,

    /// Encoding of the new names; with any encoding except UTF-8, names in UTF-8 are changed
    #[arg(short, long, value_name = "LABEL", default_value = "utf-8")]
    pub to: String,

    /// Normalize the names, too: composed (nfc), or decomposed as on older Macs (nfd)
    #[arg(long, value_name = "FORM", value_parser = form())]
    pub normalize: Option<Form>,

    /// Repair names that were encoded twice, such as "cafÃ©" for "café"; uncertain names are refused
    #[arg(long)]
    pub repair: bool,

    #[command(flatten)]
    pub confidence: ConfidenceArgs,

    /// Print a JSON object for each name
    #[arg(long)]
    pub json: bool,

    /// Do not print the names and the summary; refusals are printed
    #[arg(short, long)]
    pub quiet: bool,

    /// Continue a run that was killed; if there is none, start a new run
    #[arg(long, requires = "rename")]
    #[cfg_attr(feature = "zip", arg(conflicts_with = "zip"))]
    pub resume: bool,

    /// Files and folders; the names of folders and of their contents are changed
    #[cfg_attr(
        feature = "zip",
        arg(value_name = "SRC", required_unless_present = "zip")
    )]
    #[cfg_attr(not(feature = "zip"), arg(value_name = "SRC", required = true))]
    pub sources: Vec<PathBuf>,

    #[cfg(feature = "zip")]
    #[command(flatten)]
    pub archive: ArchiveArgs,

    #[command(flatten)]
    pub guess: GuessArgs,
}

/// Zip archives.
#[cfg(feature = "zip")]
#[derive(Args)]
#[command(next_help_heading = "Zip archives")]
pub struct ArchiveArgs {
    /// List the names in this zip archive, decoded, with the source of each: a flag, an extra field, or the encoding
    ///
    /// If the archive does not state the encoding of a name, it is decided from all such names
    /// together, pages of DOS included, or is that of --from.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["sources", "rename", "to"])]
    pub zip: Option<PathBuf>,

    /// Extract the archive to this folder under these names; existing files are not replaced
    #[arg(
        short,
        long,
        value_name = "DIR",
        requires = "zip",
        conflicts_with = "sources"
    )]
    pub output: Option<PathBuf>,

    /// Maximum number of bytes to write
    #[arg(
        long,
        value_name = "BYTES",
        requires = "zip",
        conflicts_with = "sources",
        default_value_t = 16 << 30,
        value_parser = mojika_convert::args::values::whole::<u64>,
        allow_negative_numbers = true,
    )]
    pub max_size: u64,

    /// Maximum number of entries to read
    #[arg(
        long,
        value_name = "N",
        requires = "zip",
        conflicts_with = "sources",
        default_value_t = 500_000,
        value_parser = mojika_convert::args::values::whole::<u64>,
        allow_negative_numbers = true,
    )]
    pub max_entries: u64,
}

/// Parses the forms of Unicode normalization (UAX #15) that keep every name's meaning.
fn form() -> impl TypedValueParser<Value = Form> {
    let forms = [Form::Nfc, Form::Nfd];
    let forms = forms.iter().filter_map(ValueEnum::to_possible_value);
    PossibleValuesParser::new(forms).map(|word| Form::from_str(&word, false).unwrap_or(Form::Nfc))
}
