//! Prepares a run, and checks for obstacles.

use super::walk::Walk;
use super::{Destination, Order, Run};
use mojika::Encoding;
use mojika_convert::engine::{Compress, Options};
use mojika_convert::job::folder;
use mojika_convert::job::history::{ChangeKind, Header, RecordedRun};
use mojika_convert::job::journal::Journal;
use mojika_convert::job::operation::Operation;
use mojika_convert::job::output_tree::{OutputTree, only_folder};
use mojika_convert::job::replaced::Kept;
use mojika_convert::job::signals::{self, Reaction};
use mojika_convert::job::sources::{absolute, lock};
use mojika_convert::job::state::Backups;
use mojika_convert::quote::quote;
use mojika_convert::report::Failure;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

/// Checks the request, handles signals, and opens the files that stay open during the run. Returns the files to find, the
/// state of the run, and the locked folders that are converted in place.
///
/// # Errors
///
/// Fails if the run is impossible, before any conversion.
pub fn prepare(order: Order<'_>) -> Result<(Walk, Run<'_>, Vec<File>), Failure> {
    let Order {
        ref place,
        how,
        select,
        sources,
        quiet,
        ..
    } = order;
    check_options(&order)?;
    let listed = match (&select.list.files_from, &select.doubtful) {
        // `--null` needs no `--files-from` here, because it also applies to the list of doubtful files.
        (None, Some(_)) => Vec::new(),
        _ => select.list.names()?,
    };
    let output = match place {
        Destination::Folder(folder) => Some(&**folder),
        _ => None,
    };
    let names = sources.iter().chain(&listed).chain(&select.list.files_from);
    let say = select.say(quiet);
    say.check_own_files(names.map(PathBuf::as_path), output)?;
    if sources.is_empty() && listed.is_empty() && select.list.files_from.is_none() {
        return Err(Failure::usage(
            "no files: name files or folders, or use --files-from",
        ));
    }
    if sources.iter().any(|source| source.as_os_str() == "-") {
        return Err(Failure::usage(match place {
            Destination::Nowhere => {
                "standard input is checked alone: leave out the other files, or -"
            }
            _ => {
                "standard input, -, has no name for its output: convert it alone, to standard output or with -o FILE"
            }
        }));
    }
    let writes = !how.dry_run && !matches!(place, Destination::Nowhere);
    signals::watch(Reaction::Drain)?;
    let backups = Backups::read();
    let (mut leave_out, mut folders) = (None, None);
    if let Destination::Folder(folder) = place {
        folders = output_folder(folder, sources, &listed, writes)?;
        leave_out = folder::identity(folder);
    }
    let mut locks = Vec::new();
    if order.in_place() && writes {
        locks = lock(sources)?;
        if let Some(suffix) = &how.backup {
            let noted = Backups::note(suffix, &absolute(sources.iter().chain(&listed)));
            noted.map_err(|error| Failure::io("keep", "the list of backups", error))?;
        }
    }
    let journal = match writes {
        true => open_journal(&order, &listed)?,
        false => None,
    };
    let operation = Operation::begin(&say, journal, folders)?;
    let kept = match how.backup {
        Some(_) if writes => Some(keep(sources, &listed, &operation.journal)?),
        _ => None,
    };
    let walk = Walk {
        sources: sources.to_vec(),
        listed,
        select: select.clone(),
        leave_out,
        backup: how.backup.clone(),
        backups: Arc::new(backups),
        in_place: order.in_place(),
        sweep: writes,
    };
    let run = Run {
        order,
        operation,
        kept,
        touched: Mutex::default(),
        linked: Mutex::default(),
    };
    Ok((walk, run, locks))
}

/// Refuses conflicting options.
fn check_options(order: &Order<'_>) -> Result<(), Failure> {
    // An output encoding without an encoder is reported before the first file.
    let failed = |failure| Failure::of(failure, "", "", &order.rules);
    order.rules.check().map_err(failed)?;
    if order.in_place() {
        if let Some(suffix) = &order.how.backup
            && (suffix.is_empty() || suffix.contains('/'))
        {
            return Err(Failure::usage(
                "--backup needs an ending that gives another name in the same folder, such as .orig",
            ));
        }
        if order.compress != Compress::Keep {
            return Err(Failure::usage(
                "--in-place keeps the name of a file, and so its compression: use -o DIR/ with --compress",
            ));
        }
        if order.salvage {
            return Err(Failure::usage(
                "--in-place leaves damaged files as they are: use -o DIR/ with --salvage",
            ));
        }
    }
    Ok(())
}

/// Creates the output folder if it is written to, and refuses a folder that is also a source.
fn output_folder(
    folder: &Path,
    sources: &[PathBuf],
    listed: &[PathBuf],
    writes: bool,
) -> Result<Option<OutputTree>, Failure> {
    let mut folders = None;
    if writes {
        let like = only_folder(sources).filter(|_| listed.is_empty());
        let made = OutputTree::new(folder, like);
        let failed = |error| match folder.is_file() {
            true => Failure::Usage(format!(
                "{}: is a file; name a folder for the converted files, such as -o out/",
                quote(folder)
            )),
            false => Failure::io("create the folder", quote(folder), error),
        };
        folders = Some(made.map_err(failed)?);
    }
    let own = folder::identity(folder);
    let is_it = |source: &&PathBuf| own.is_some() && folder::identity(source) == own;
    if let Some(source) = sources.iter().find(is_it) {
        return Err(Failure::usage(&format!(
            "{}: is both source and output folder; use --in-place to replace its files",
            quote(source)
        )));
    }
    Ok(folders)
}

/// The maximum number of names from `--files-from` in the record for an undo, which finds the run by its folder. Runs over
/// other folders are reverted by number.
const MOST_LISTED: usize = 1000;

/// Opens the record for an undo of a run in place: a new one, or that of the resumed run.
fn keep(
    sources: &[PathBuf],
    listed: &[PathBuf],
    journal: &Option<Journal>,
) -> Result<Kept, Failure> {
    let failed = |error| Failure::io("keep", "the record of the run for mojika undo", error);
    let before = journal.as_ref().and_then(Journal::run);
    let run = match before.map(RecordedRun::open) {
        Some(Ok(run)) => run,
        _ => {
            let named = sources.iter().chain(listed.iter().take(MOST_LISTED));
            let mut header = Header::new(ChangeKind::Files, absolute(named));
            let path = journal.as_ref().map(Journal::path);
            header.journal = path.and_then(|path| std::path::absolute(path).ok());
            RecordedRun::create(header).map_err(failed)?
        }
    };
    if let Some(journal) = journal {
        journal.note_run(run.id).map_err(failed)?;
    }
    Kept::new(run).map_err(failed)
}

/// Opens the journal. A run to a new folder needs no journal, because it replaces no files.
fn open_journal(order: &Order<'_>, listed: &[PathBuf]) -> Result<Option<Journal>, Failure> {
    let Order {
        rules,
        how,
        select,
        sources,
        ..
    } = order;
    let (target, in_place) = match &order.place {
        Destination::Folder(folder) => (quote(folder), Vec::new()),
        _ => (String::new(), absolute(sources.iter().chain(listed))),
    };
    let from = order.from.map_or("auto", Encoding::name);
    let cwd = std::env::current_dir().unwrap_or_default();
    // A run can be resumed only with the same options, except those that do not affect the output, such as `threads`.
    let rules = Options {
        threads: 0,
        ..*rules
    };
    let options = format!(
        "{from} {:?} {rules:?} {:?} {} {} {:?} {} {target} {:?} {:?} {:?} {:?} {:?} {} {}",
        order.question,
        order.mail,
        order.mixed,
        order.update_declared,
        order.compress,
        how.in_place,
        how.backup,
        select.include,
        select.exclude,
        sources,
        listed,
        select.gitignore,
        quote(&cwd)
    );
    let is_needed = how.in_place || how.output.resume.is_some();
    Journal::open_or_warn(&how.output.ask(options, in_place), is_needed)
}
