//! The options of the subcommands, and their meaning together. An option of several subcommands is
//! declared once.
//!
//! * [`convert`], [`check`]: the options of these subcommands; the files below have shared options.
//! * [`files`]: the selection of files, and the place of their output.
//! * [`show`]: the options of `mojika show`.
//! * [`named`]: the encodings of labels, with `--rfc2781`.
//! * [`text`]: line ends, normalization, byte order marks in the text, and substitutes for unmappable characters.

pub mod check;
pub mod convert;
pub mod files;
pub mod named;
pub mod show;
pub mod text;

#[cfg(any(feature = "gitignore", feature = "warc"))]
pub use mojika_convert::args::pattern;
pub use mojika_convert::args::run;
pub use mojika_convert::args::{hints, values};

use clap::Args;
#[cfg(feature = "completions")]
use clap::{
    ValueEnum,
    builder::{PossibleValue, PossibleValuesParser},
};
#[cfg(feature = "completions")]
use std::path::PathBuf;

pub const EXIT_STATUSES: &str = "\
Exit status:
  0    done
  1    malformed input, an unmappable character, a doubtful encoding, or reading or writing failed
  2    unknown label, no encoder, wrong usage, or input of unknown encoding without --from
  129, 130, 143  ended by SIGHUP, SIGINT, SIGTERM
  141  the reader of standard output closed it";

/// List the encodings with their labels, or print the encoding of a label
#[derive(Args)]
pub struct EncodingsArgs {
    /// List the names only
    #[arg(long, conflicts_with = "label")]
    pub names: bool,

    /// List the encodings as a JSON array of objects: name, room, labels, windows_code_page
    #[arg(long, conflicts_with_all = ["label", "names"])]
    pub json: bool,

    /// Print the encoding of this label
    #[arg(value_name = "LABEL")]
    pub label: Option<String>,
}

/// Print or install completions for shells, and the man pages
#[cfg(feature = "completions")]
#[derive(Args)]
pub struct CompletionsArgs {
    /// Shell, or man for the man page
    #[arg(value_parser = kinds(), value_name = "KIND", required_unless_present = "install")]
    pub kind: Option<String>,

    /// Install completions for bash, zsh and fish, and the man pages
    #[arg(long, conflicts_with = "kind")]
    pub install: bool,

    /// With --install, the folder that contains share/man and similar folders [default: ~/.local]
    #[arg(
        long,
        value_name = "DIR",
        requires = "install",
        conflicts_with = "kind"
    )]
    pub prefix: Option<PathBuf>,
}

/// Returns a parser for the output of `mojika completions`: a shell, or "man".
#[cfg(feature = "completions")]
fn kinds() -> PossibleValuesParser {
    let shells = clap_complete::Shell::value_variants().iter();
    let shells = shells.filter_map(ValueEnum::to_possible_value);
    let man = PossibleValue::new("man")
        .help("The man page of the command; --install also installs those of the subcommands");
    PossibleValuesParser::new(shells.chain([man]))
}
