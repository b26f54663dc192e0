//! The options of `mojika undo`.

use clap::Args;

const EXIT_STATUSES: &str = "\
Exit status:
  0    done
  1    something has changed since, and stays as it is; the rest is taken back
  2    no such run, or it has not ended
  129, 130, 143  ended by SIGHUP, SIGINT, SIGTERM: the same command goes on";

const EXAMPLES: &str = "\
Examples:
  mojika undo --list
          the runs that can be taken back, the last one last
  mojika undo
          take back the last one that began in this folder
  mojika undo 7 --dry-run
          say what taking back the run of number 7 would do";

/// Take back a run of `names --rename`, or of `convert --in-place --backup`
///
/// Each name, and each file with all its names, is restored to its state before the run, if it is unchanged since.
/// Files that were changed, renamed or removed since are refused and stay. A run that was killed can be taken back,
/// too, and an undo that was interrupted continues with the same command. The last 100 runs are known.
#[derive(Args)]
#[command(after_help = EXIT_STATUSES, after_long_help = format!("{EXAMPLES}\n\n{EXIT_STATUSES}"))]
pub struct UndoArgs {
    /// The number of the run; --list has them [default: the last one of this folder]
    #[arg(value_name = "RUN", value_parser = mojika_convert::args::values::whole::<u64>, allow_negative_numbers = true)]
    pub run: Option<u64>,

    /// List the runs that can be taken back
    #[arg(short, long, conflicts_with_all = ["run", "dry_run"])]
    pub list: bool,

    /// Print the changes, and make none
    #[arg(short = 'n', long)]
    pub dry_run: bool,

    /// Do not print the changes; refusals are printed
    #[arg(short, long)]
    pub quiet: bool,
}
