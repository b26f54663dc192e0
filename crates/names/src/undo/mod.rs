//! `mojika undo`: reverts a run by its record ([`mojika_convert::job::history`]).

pub mod args;

use args::UndoArgs;
use mojika_convert::date;
use mojika_convert::job::folder::Opener;
use mojika_convert::job::history::{self, ChangeKind, Listed, RecordedRun, RunError};
use mojika_convert::job::operation::{self, going};
use mojika_convert::job::renames::{RenameState, Renames};
use mojika_convert::job::replaced;
use mojika_convert::job::signals::Reaction;
use mojika_convert::job::{journal, signals, sources};
use mojika_convert::output::print;
use mojika_convert::quote::quote;
use mojika_convert::report::was_closed;
use mojika_convert::report::{self, Failure, counted};
use std::collections::HashSet;
use std::path::Path;

/// Collects the results for names and files.
struct Steps {
    quiet: bool,
    back: u64,
    refused: u64,
}

impl Steps {
    /// Reports one name or file: restored, with the line to print, or left as it is, with the reason.
    ///
    /// # Errors
    ///
    /// Fails if standard output cannot be written.
    fn add(&mut self, name: &str, step: Result<String, String>) -> Result<(), Failure> {
        match step {
            Ok(line) => {
                self.back += 1;
                if !self.quiet {
                    print(format!("{line}\n").as_bytes())?;
                }
            }
            Err(reason) => {
                self.refused += 1;
                report::say(&format!("{name}: refused: {reason}"));
            }
        }
        Ok(())
    }
}

/// Runs `mojika undo` and returns the exit status.
///
/// # Errors
///
/// Fails if there is no such run, or its record cannot be read.
pub fn run(args: &UndoArgs) -> Result<u8, Failure> {
    if was_closed() && !args.quiet {
        return Err(Failure::ClosedOutput);
    }
    let failed = |error| Failure::io("read", "the records of earlier runs", error);
    let runs = history::all().map_err(failed)?;
    if args.list {
        return list(&runs);
    }
    let id = match args.run {
        Some(id) => id,
        None => last_here(&runs)?,
    };
    let run = RecordedRun::open(id).map_err(|error| match error {
        RunError::None => Failure::Usage(format!(
            "there is no run {id} to revert; `mojika undo --list` lists them"
        )),
        RunError::Locked => Failure::Usage(format!("run {id} has not ended; wait until it does")),
        RunError::Io(error) => failed(error),
    })?;
    signals::watch(Reaction::Drain)?;
    let _locks = match args.dry_run {
        true => Vec::new(),
        false => sources::lock(&run.header.sources)?,
    };
    if !args.quiet {
        report::say(&format!("run {id}: {}", command(&run.header.command)));
    }
    let mut steps = Steps {
        quiet: args.quiet,
        back: 0,
        refused: 0,
    };
    match run.header.kind {
        ChangeKind::Names => undo_names(&run, args.dry_run, &mut steps)?,
        ChangeKind::Files => undo_files(&run, args.dry_run, &mut steps)?,
    }
    let is_whole = steps.refused == 0 && !signals::stopped();
    if !args.quiet {
        let what = match run.header.kind {
            ChangeKind::Names => "name",
            ChangeKind::Files => "file",
        };
        let verb = if args.dry_run {
            "would be reverted"
        } else {
            "reverted"
        };
        let mut line = format!("{} {verb}", counted(steps.back, what));
        if steps.refused > 0 {
            line += &format!(", {} refused", steps.refused);
        }
        if signals::stopped() {
            line += &format!("; interrupted: mojika undo {id} goes on");
        }
        report::say(&line);
    }
    if is_whole && !args.dry_run {
        let removed = run.remove();
        removed.map_err(|error| Failure::io("remove", "the record of the run", error))?;
    }
    Ok(operation::status(is_whole))
}

/// Reverts the names of a run of `mojika names`, in reverse order.
///
/// # Errors
///
/// Fails if the run's record cannot be read, or the undo cannot be recorded.
fn undo_names(run: &RecordedRun, is_dry: bool, steps: &mut Steps) -> Result<(), Failure> {
    let failed = |error| Failure::io("read", "the record of the run", error);
    let mut renames = Renames::read(run).map_err(failed)?;
    if !is_dry {
        let noted = run.append(b"\n{\"undo\":true}\n");
        noted.map_err(|error| Failure::io("write to", "the record of the run", error))?;
    }
    let mut opener = Opener::default();
    for at in going((0..renames.list.len()).rev()) {
        let one = &renames.list[at];
        let is_next = match one.state {
            RenameState::Done => true,
            RenameState::Undone => false,
            // An interrupted run may have renamed the file without recording that.
            RenameState::Planned => !renames.is_complete && renames.was_done(&mut opener, at),
        };
        if !is_next {
            continue;
        }
        let name = shown(&one.spot.root.join(renames.now(&one.spot)));
        let line = format!(
            "{} -> {}",
            shown(&one.spot.root.join(one.spot.parent()).join(&one.to)),
            quote(Path::new(one.spot.name()))
        );
        let result = match is_dry {
            true => renames.check_undo(&mut opener, at),
            false => renames.undo(&mut opener, run, at),
        };
        steps.add(&name, result.map(|()| line))?;
    }
    if !is_dry && !signals::stopped() {
        let noted = run.append(b"{\"undo\":false}\n");
        noted.map_err(|error| Failure::io("complete", "the record of the run", error))?;
    }
    Ok(())
}

/// Reverts the files of a run of `mojika convert --in-place --backup`, the last one first. The other hard links of a file
/// are reverted before the name with the backup.
///
/// # Errors
///
/// Fails if the run's record cannot be read, or the journal of an interrupted run cannot be removed.
fn undo_files(run: &RecordedRun, is_dry: bool, steps: &mut Steps) -> Result<(), Failure> {
    let failed = |error| Failure::io("read", "the record of the run", error);
    let list = replaced::read(run).map_err(failed)?;
    if !is_dry && let Some(path) = &run.header.journal {
        // Reverted files are no longer converted, so the run must not be resumed.
        let removed = journal::remove_of_run(path, run.id);
        removed.map_err(|error| Failure::io("remove", "the journal of the run", error))?;
    }
    let mut swept = HashSet::new();
    for one in going(list.iter().rev()) {
        if !is_dry && swept.insert(one.path().parent()) {
            one.sweep();
        }
        let result = match is_dry {
            true => one.check(),
            false => one.undo(),
        };
        let name = shown(one.path());
        if result != Ok(true) {
            steps.add(&name, result.map(|_| name.clone()))?;
        }
    }
    Ok(())
}

/// Returns the last run that began in the working folder, or changed something in it.
fn last_here(runs: &[Listed]) -> Result<u64, Failure> {
    let here = std::env::current_dir();
    let here = here.map_err(|error| Failure::io("find", "the working folder", error))?;
    let is_here = |run: &&Listed| {
        let is_below = |source: &std::path::PathBuf| source.starts_with(&here);
        run.header.cwd == here || run.header.sources.iter().any(is_below)
    };
    match runs.iter().rfind(is_here) {
        Some(run) => Ok(run.id),
        None if runs.is_empty() => Err(Failure::usage(NONE)),
        None => Err(Failure::usage(
            "no known run began in this folder; `mojika undo --list` lists all, and `mojika undo RUN` takes one back",
        )),
    }
}

const NONE: &str = "there is nothing to revert: no run of `names --rename` or `convert --in-place --backup` is recorded";

/// Lists the runs.
fn list(runs: &[Listed]) -> Result<u8, Failure> {
    if runs.is_empty() {
        report::say(NONE);
    }
    let lines = runs.iter().map(|run| {
        let state = if run.is_locked { ", under way" } else { "" };
        format!(
            "{:>4}  {}  {}{state}, in {}: {}\n",
            run.id,
            date::to_the_minute(run.header.began),
            run.header.kind.word(),
            quote(&run.header.cwd),
            command(&run.header.command)
        )
    });
    print(lines.collect::<String>().as_bytes())?;
    Ok(0)
}

/// Returns the command of a run, without the arguments that continue it.
fn command(again: &str) -> String {
    let words = again.split(' ').filter(|word| *word != "--resume");
    let words: Vec<_> = words.collect();
    let line = words.join(" ");
    mojika_convert::quote::printable(&line).into_owned()
}

/// Returns the path of a run in messages. It is relative to the working folder if it is inside that folder.
fn shown(path: &Path) -> String {
    let here = std::env::current_dir().ok();
    let below = here.and_then(|here| path.strip_prefix(here).ok());
    quote(below.unwrap_or(path))
}
