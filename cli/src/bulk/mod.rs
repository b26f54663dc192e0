//! `mojika convert` from files to files, and `mojika check`.
//!
//! `setup` checks for obstacles, and `walk` finds the files. A `worker` opens each as a [`crate::source`], lets
//! [`mojika_convert::decide`] find its encoding, and adds the draft of its output to a batch of [`mojika_convert::job`].

mod against;
mod choice;
#[cfg_attr(not(feature = "gitignore"), path = "no_globs.rs")]
mod globs;
mod setup;
mod target;
pub mod walk;
mod worker;
mod writing;

use crate::args::check::CheckArgs;
use crate::args::convert::{ConvertArgs, MailPart};
use crate::args::files::{PlaceArgs, SelectArgs};
use mojika::Encoding;
use mojika_convert::decide::Question;
use mojika_convert::engine::{self, Compress, Options, jobs, lock};
use mojika_convert::job::batch;
use mojika_convert::job::operation::Operation;
use mojika_convert::job::replaced::Kept;
use mojika_convert::output::is_folder;
use mojika_convert::quote::quote;
use mojika_convert::repair::Treatment;
use mojika_convert::report::{self, Failure};
use std::collections::{BTreeMap, HashSet};
use std::fs::{self, Metadata};
use std::os::unix::fs::MetadataExt;
use std::path::PathBuf;
use std::sync::Mutex;
use walk::WalkEntry;
use worker::Worker;

/// The destination of the output.
pub enum Destination {
    Folder(PathBuf),
    /// Each file is replaced.
    Sources,
    /// No output is written.
    Nowhere,
}

/// A run as the command line requests it.
struct Order<'a> {
    place: Destination,
    /// The encoding of files without a byte order mark; `None` to decide it.
    from: Option<&'static Encoding>,
    question: Question,
    rules: Options,
    compress: Compress,
    salvage: bool,
    update_declared: bool,
    mixed: bool,
    mail: Option<MailPart>,
    how: &'a PlaceArgs,
    select: &'a SelectArgs,
    sources: &'a [PathBuf],
    quiet: bool,
}

/// The state that all workers share.
pub struct Run<'a> {
    order: Order<'a>,
    operation: Operation,
    /// The record for an undo, in place with backups.
    kept: Option<Kept>,
    /// In place: the files that this run has read or written.
    touched: Mutex<HashSet<(u64, u64)>>,
    /// In place: hard-linked files, which wait until all their names are known.
    linked: Mutex<BTreeMap<(u64, u64), Vec<WalkEntry>>>,
}

impl Order<'_> {
    /// True if each file is replaced.
    fn in_place(&self) -> bool {
        matches!(self.place, Destination::Sources)
    }
}

impl Run<'_> {
    /// Records the file; returns `false` if it was recorded before.
    fn touch(&self, metadata: &Metadata) -> bool {
        lock(&self.touched).insert((metadata.dev(), metadata.ino()))
    }

    fn defer(&self, identity: (u64, u64), entry: &WalkEntry) {
        lock(&self.linked)
            .entry(identity)
            .or_default()
            .push(entry.clone());
    }
}

/// True if `args` convert files to files; otherwise all inputs become one stream.
pub fn applies(args: &ConvertArgs) -> bool {
    args.place.output.resume.is_some() || args.place.dry_run || names_files_to_files(args)
}

/// True if the sources and the output imply that each file is converted to a file of its own.
fn names_files_to_files(args: &ConvertArgs) -> bool {
    args.place.in_place
        || args.select.list.files_from.is_some()
        || args.files.iter().any(|path| path.is_dir())
        || args.output.as_deref().is_some_and(is_folder)
}

/// Runs `mojika convert` from files to files; returns the exit status.
pub fn convert(args: &ConvertArgs) -> Result<u8, Failure> {
    let place = match &args.output {
        _ if args.place.in_place => Destination::Sources,
        Some(folder) if !names_files_to_files(args) => {
            let folder = quote(folder);
            return Err(Failure::Usage(format!(
                "{folder}: --dry-run and --resume need an output folder: write {folder}/ for a folder; to test a conversion without writing, use `mojika check`"
            )));
        }
        Some(folder) => Destination::Folder(folder.clone()),
        None => {
            return Err(Failure::usage(
                "say where the converted files go: -o DIR/ writes them to a folder, --in-place replaces the old ones; a folder, --dry-run, --resume and --files-from need one of the two",
            ));
        }
    };
    let named = args.named()?;
    if let Some(other) = named.from.filter(|_| args.mixed) {
        mojika_convert::mixed::check(other)?;
    }
    args.check_mail(named.to)?;
    let question = args.question(named.from.is_none() || args.mail.is_some())?;
    let rules = Options {
        threads: args.select.run.jobs,
        ..args.options(&named, engine::From::Unnamed)
    };
    run(Order {
        place,
        from: named.from,
        question,
        rules,
        compress: args.compress.unwrap_or(Compress::Keep),
        salvage: args.salvage,
        update_declared: args.update_declared,
        mixed: args.mixed,
        mail: args.mail,
        how: &args.place,
        select: &args.select,
        sources: &args.files,
        quiet: args.quiet,
    })
}

/// Runs `mojika check`; returns the exit status.
pub fn check(args: &CheckArgs) -> Result<u8, Failure> {
    if let Some(source) = &args.against {
        return against::check(args, source);
    }
    let (from, question) = args.encoding.question()?;
    let rules = Options {
        // Text that was encoded twice is reported.
        repair: Treatment::Count,
        ..args.options()?
    };
    run(Order {
        place: Destination::Nowhere,
        from,
        question,
        rules,
        compress: Compress::Keep,
        salvage: false,
        update_declared: false,
        mixed: false,
        mail: None,
        how: &PlaceArgs::default(),
        select: &args.select,
        sources: &args.files,
        quiet: args.quiet,
    })
}

fn run(order: Order<'_>) -> Result<u8, Failure> {
    let Order {
        how,
        select,
        sources,
        quiet,
        ..
    } = order;
    let (walk, run, _locks) = setup::prepare(order)?;
    let writes = walk.sweep;
    let entries = walk.entries()?;
    if run.operation.reporter.shows_progress() {
        let files = walk.entries()?.flatten();
        let files = files.filter(|entry| entry.kind == walk::EntryKind::File);
        let size = |entry: WalkEntry| fs::symlink_metadata(entry.spot.path());
        let sizes = files.map(|entry| size(entry).map_or(0, |metadata| metadata.len()));
        run.operation.reporter.expect(sizes);
    }
    let jobs = batch::most_jobs(jobs(select.run.jobs));
    let worker = || Worker::new(&run, jobs);
    run.operation.work(jobs, entries, worker);
    let linked = std::mem::take(&mut *lock(&run.linked));
    run.operation.work(1, linked.into_values(), worker);

    let Run {
        operation, kept, ..
    } = run;
    let verb = match (how.dry_run, writes) {
        (true, _) => "would be converted",
        (false, true) => "converted",
        (false, false) => "valid",
    };
    let verb = (!quiet).then_some(verb);
    // Doubtful files and parts cannot be resumed: the user has to name their encodings.
    let (summary, status) = operation.end(verb)?;
    let kept = kept.and_then(|kept| kept.end().transpose()).transpose();
    let kept =
        kept.map_err(|error| Failure::io("end", "the record of the run for mojika undo", error))?;
    if !quiet && let Some(id) = kept {
        report::say(&format!("\nto revert it: mojika undo {id}"));
    }
    if !quiet && summary.is_empty() && select.has_patterns() {
        report::say(
            "--include and --exclude leave no file: a pattern without a slash is matched with file names, another with paths below the source",
        );
    }
    if !quiet && summary.has_doubts() {
        report::say(&format!("\n{}", choose(select, sources)));
    }
    Ok(status.max(u8::from(
        summary.has_doubts() || summary.has_doubtful_parts(),
    )))
}

/// Returns advice on the next step for doubtful files.
fn choose(select: &SelectArgs, sources: &[PathBuf]) -> String {
    let (list, names) = match &select.doubtful {
        Some(list) if list.as_os_str() == "-" => {
            let names = "their names are on standard output".to_owned();
            ("LIST".to_owned(), names)
        }
        Some(list) => (quote(list), format!("their names are in {}", quote(list))),
        None => {
            let names = "the same command with --doubtful doubtful.txt writes their names";
            ("doubtful.txt".to_owned(), names.to_owned())
        }
    };
    let null = if select.list.null { " -0" } else { "" };
    let base = match sources {
        [source] if source.is_dir() => format!(" --base {}", quote(source)),
        _ => String::new(),
    };
    format!(
        "to decide on the doubtful files: {names}; keep those that are in one encoding, then convert them with \
         --files-from {list}{null}{base} --from LABEL"
    )
}
