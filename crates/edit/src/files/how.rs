//! Options that several commands have.

use clap::Args;
use mojika_convert::engine::ErrorMode;

/// The options for changing a file.
#[derive(Args, Clone, Debug, Default)]
pub struct HowArgs {
    /// Treatment of inserted characters that the file's encoding lacks
    ///
    /// "fatal" stops with an error and changes nothing, "replacement" writes "?", "html" writes &#…; with the number of the
    /// character, and "skip" leaves it out.
    #[arg(short, long, value_enum, value_name = "MODE", default_value_t = ErrorMode::Fatal, hide_possible_values = true)]
    pub errors: ErrorMode,

    /// Insert line ends unchanged
    ///
    /// Without this option, inserted line ends become those of the file, if it has only one kind.
    #[arg(long)]
    pub keep_line_ends: bool,

    /// Keep the file's times
    ///
    /// Backups and builds that compare times will then miss the change.
    #[arg(long)]
    pub keep_times: bool,

    /// Print the changes, and write nothing
    #[arg(short = 'n', long)]
    pub dry_run: bool,

    /// Do not report changes
    #[arg(short, long)]
    pub quiet: bool,
}

/// The limit for files that are read whole.
#[derive(Args, Clone, Copy, Debug)]
pub struct SizeArgs {
    /// Maximum length of the file in bytes; memory holds it several times
    #[arg(
        long,
        value_name = "BYTES",
        default_value_t = 64 << 20,
        value_parser = mojika_convert::args::values::whole::<u64>,
        allow_negative_numbers = true
    )]
    pub max_size: u64,
}
