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
/// Each name, and each file with all its names, becomes what it was before the run, if it still is what the run has made of
/// it. What has been changed, renamed or removed since is refused and stays. A run that was killed can be taken back, too, and
/// so can a part of it: the same command goes on where an undo was interrupted. The last 100 runs are known.
#[derive(Args)]
#[command(after_help = EXIT_STATUSES, after_long_help = format!("{EXAMPLES}\n\n{EXIT_STATUSES}"))]
pub struct UndoArgs {
    /// The number of the run; --list has them [default: the last one of this folder]
    #[arg(value_name = "RUN", value_parser = crate::args::values::whole::<u64>, allow_negative_numbers = true)]
    pub run: Option<u64>,

    /// List the runs that can be taken back
    #[arg(short, long, conflicts_with_all = ["run", "dry_run"])]
    pub list: bool,

    /// Say what would be done, and do nothing
    #[arg(short = 'n', long)]
    pub dry_run: bool,

    /// Do not print what is taken back; what is refused is said
    #[arg(short, long)]
    pub quiet: bool,
}
