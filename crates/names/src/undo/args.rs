//! The options of `mojika undo`.

use clap::Args;

const EXIT_STATUSES: &str = "\
Exit status:
  0    done
  1    something has changed since, and stays unchanged; the rest is reverted
  2    no such run, or it has not ended
  129, 130, 143  ended by SIGHUP, SIGINT, SIGTERM: the same command goes on";

const EXAMPLES: &str = "\
Examples:
  mojika undo --list
          the runs that can be reverted, the latest last
  mojika undo
          revert the last run that was started in this folder
  mojika undo 7 --dry-run
          print the changes that reverting run 7 would make";

/// Revert a run of `names --rename` or `convert --in-place --backup`
///
/// Each name, and each file with all its names, is restored to its state before the run. Files that were changed,
/// renamed or removed after the run are refused and stay. A killed run can be reverted, too. An interrupted undo
/// continues with the same command. The last 100 runs are known.
#[derive(Args)]
#[command(after_help = EXIT_STATUSES, after_long_help = format!("{EXAMPLES}\n\n{EXIT_STATUSES}"))]
pub struct UndoArgs {
    /// Number of the run, from --list [default: the last run in this folder]
    #[arg(value_name = "RUN", value_parser = mojika_convert::args::values::whole::<u64>, allow_negative_numbers = true)]
    pub run: Option<u64>,

    /// List the runs that can be reverted
    #[arg(short, long, conflicts_with_all = ["run", "dry_run"])]
    pub list: bool,

    /// Print the changes, and change nothing
    #[arg(short = 'n', long)]
    pub dry_run: bool,

    /// Do not print the changes; refusals are printed
    #[arg(short, long)]
    pub quiet: bool,
}
