//! Files to files: trees in, trees out, in place, or checked only.
//!
//! `walk` finds the files; each `worker` takes them one by one, converts them to a `draft`, and lets the drafts of a
//! batch appear at once, with lines in the `journal` before and after. `reporter` and `summary` say what became of
//! each.

pub mod args;
mod classify;
mod draft;
mod journal;
mod quote;
mod record;
mod reporter;
pub mod signals;
mod summary;
mod transcode;
mod walk;
mod worker;

pub use quote::quote;

use crate::args::{ConvertArgs, ErrorMode};
use crate::engine::{self, BomMode, Newline};
use crate::labels;
use crate::report::{self, Failure};
use args::{CheckArgs, Links, PlaceArgs, SelectArgs, Sync};
use journal::{Journal, JournalError};
use mojika::Encoding;
use record::{Fate, Record};
use reporter::Reporter;
use rustix::fs::FlockOperation;
use std::collections::{BTreeMap, HashSet};
use std::fs::{self, File, Metadata};
use std::io::{self, Read};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;
use transcode::Rules;
use walk::{Entry, Walk};
use worker::Worker;

/// Where the output goes.
pub enum Place {
    Folder(PathBuf),
    /// Each file is replaced.
    Sources {
        backup: Option<String>,
    },
    /// Nothing is written.
    Nowhere,
}

/// The encoding of files without a byte order mark.
#[derive(Clone, Copy)]
pub enum Source {
    Given(&'static Encoding),
    Auto,
}

/// What all workers share.
pub struct Run {
    place: Place,
    from: Source,
    rules: Rules,
    force: bool,
    dry_run: bool,
    copy_other: bool,
    text: bool,
    links: Links,
    sync: Sync,
    journal: Option<Journal>,
    reporter: Reporter,
    /// In place: files that this run has read or made.
    touched: Mutex<HashSet<(u64, u64)>>,
    /// In place: files with several names wait until all names are known.
    linked: Mutex<BTreeMap<(u64, u64), Vec<Entry>>>,
}

impl Run {
    /// Notes a file; no if it was noted before.
    fn touch(&self, metadata: &Metadata) -> bool {
        let mut touched = self.touched.lock().unwrap_or_else(PoisonError::into_inner);
        touched.insert((metadata.dev(), metadata.ino()))
    }

    fn defer(&self, identity: (u64, u64), entry: &Entry) {
        let mut linked = self.linked.lock().unwrap_or_else(PoisonError::into_inner);
        linked.entry(identity).or_default().push(Entry {
            path: entry.path.clone(),
            relative: entry.relative.clone(),
            kind: entry.kind,
        });
    }
}

/// Whether these options ask for files to files; otherwise the output is one stream.
pub fn applies(args: &ConvertArgs) -> bool {
    let is_folder = |path: &PathBuf| path.is_dir();
    args.place.in_place
        || args.place.resume
        || args.place.dry_run
        || args.select.files_from.is_some()
        || args.files.iter().any(is_folder)
        || args.output.as_ref().is_some_and(|output| {
            output.as_os_str().as_encoded_bytes().ends_with(b"/") || output.is_dir()
        })
}

/// `mojika convert` from files to files; returns the exit status.
pub fn convert(args: &ConvertArgs) -> Result<u8, Failure> {
    let place = match &args.output {
        _ if args.place.in_place => Place::Sources {
            backup: args.place.backup.clone(),
        },
        Some(folder) => Place::Folder(folder.clone()),
        None => {
            return Err(Failure::usage(
                "a folder is converted with -o DIR or with --in-place: say where the files go",
            ));
        }
    };
    let from = match args.from.as_deref() {
        None | Some("auto") => Source::Auto,
        Some(label) => Source::Given(labels::find(label)?),
    };
    let rules = Rules {
        to: labels::find(&args.to)?,
        errors: args.errors,
        bom: args.bom_mode(),
        from: crate::engine::From::Unnamed,
        newline: args.newline,
        threads: args.select.jobs,
    };
    run(
        place,
        from,
        rules,
        &args.place,
        &args.select,
        &args.files,
        args.quiet,
    )
}

/// `mojika check`; returns the exit status.
pub fn check(args: &CheckArgs) -> Result<u8, Failure> {
    let from = match &*args.from {
        "auto" => Source::Auto,
        label => Source::Given(labels::find(label)?),
    };
    let rules = Rules {
        to: labels::find(&args.to)?,
        errors: ErrorMode::Fail,
        bom: BomMode::Keep,
        from: crate::engine::From::Unnamed,
        newline: Newline::Keep,
        threads: args.select.jobs,
    };
    let place = PlaceArgs::default();
    run(
        Place::Nowhere,
        from,
        rules,
        &place,
        &args.select,
        &args.files,
        args.quiet,
    )
}

fn run(
    place: Place,
    from: Source,
    rules: Rules,
    how: &PlaceArgs,
    select: &SelectArgs,
    sources: &[PathBuf],
    quiet: bool,
) -> Result<u8, Failure> {
    let start = Instant::now();
    // A target without an encoder is found before the first file.
    if let Err(error) = rules.to.new_encoder() {
        let encoding = error.encoding;
        return Err(Failure::NoEncoder { encoding });
    }
    if rules.bom == BomMode::Add && !engine::has_bom(rules.to) {
        return Err(Failure::NoBom { encoding: rules.to });
    }
    let listed = listed(select)?;
    if sources.is_empty() && listed.is_empty() && select.files_from.is_none() {
        return Err(Failure::usage(
            "no files: name files or folders, or use --files-from",
        ));
    }
    if sources.iter().any(|source| source.as_os_str() == "-") {
        return Err(Failure::usage(
            "standard input is no file: it is converted with -o FILE or to standard output",
        ));
    }
    let writes = !how.dry_run && !matches!(place, Place::Nowhere);
    let watched = signals::watch(signals::Reaction::Drain);
    watched.map_err(|error| Failure::io("watch for", "signals", error))?;
    let leave_out = match &place {
        Place::Folder(folder) => output_folder(folder, sources, writes)?,
        _ => None,
    };
    let mut locks = Vec::new();
    if matches!(place, Place::Sources { .. }) && writes {
        locks = lock(sources)?;
    }
    let journal = if writes {
        open_journal(&place, from, rules, how, select, sources, &listed)?
    } else {
        None
    };
    let reporter = Reporter::new(
        select.report.as_deref(),
        select.progress,
        quiet,
        select.verbose,
        select.fail_fast,
    )
    .map_err(|error| {
        let path = select.report.as_deref().unwrap_or(Path::new(""));
        Failure::io("write to", quote(path), error)
    })?;
    let walk = Walk {
        sources: sources.to_vec(),
        listed,
        select: select.clone(),
        leave_out,
        backup: how.backup.clone(),
        sweep: writes,
    };
    let run = Run {
        place,
        from,
        rules,
        force: how.force,
        dry_run: how.dry_run,
        copy_other: how.copy_other,
        text: select.text,
        links: select.links,
        sync: how.sync,
        journal,
        reporter,
        touched: Mutex::default(),
        linked: Mutex::default(),
    };
    let bad_glob = |error: globset::Error| Failure::usage(&error.to_string());
    let entries = walk.entries().map_err(bad_glob)?;
    if run.reporter.shows_progress() {
        let (mut files, mut bytes) = (0, 0);
        for entry in walk.entries().map_err(bad_glob)?.flatten() {
            if entry.kind == walk::Kind::File {
                files += 1;
                bytes += fs::metadata(&entry.path).map_or(0, |metadata| metadata.len());
            }
        }
        run.reporter.expect(files, bytes);
    }
    work(&run, entries, jobs(select.jobs));
    drop(locks);

    let Run {
        reporter, journal, ..
    } = run;
    let (summary, report) = reporter.finish();
    let complete = !summary.has_failures() && !signals::stopped();
    let again = journal.is_some() && !complete;
    if complete && let Some(journal) = journal {
        let noted = journal.complete();
        noted.map_err(|error| Failure::io("write", "the journal", error))?;
    }
    if !quiet {
        let verb = match (how.dry_run, writes) {
            (true, _) => "would be converted",
            (false, true) => "converted",
            (false, false) => "valid",
        };
        let again = again.then_some("the same command with --resume");
        eprint_text(&summary.text(start.elapsed(), again, verb));
    }
    if let Err(error) = report {
        let name = select.report.as_deref().map(quote).unwrap_or_default();
        return Err(Failure::write(&name, error));
    }
    Ok(signals::status().unwrap_or(u8::from(!complete)))
}

fn eprint_text(text: &str) {
    report::say(text.trim_end());
}

/// Lets the workers take entries until there are none.
fn work(run: &Run, entries: Box<dyn Iterator<Item = walk::Item> + Send>, jobs: usize) {
    let entries = Mutex::new(entries);
    let next = || {
        let mut entries = entries.lock().unwrap_or_else(PoisonError::into_inner);
        entries.next()
    };
    each_worker(run, jobs, &|worker| {
        while worker::goes_on()
            && let Some(item) = next()
        {
            match item {
                Ok(entry) => worker.work(entry),
                Err(walk::WalkError { path, error }) => {
                    let mut record = Record::new(path, Fate::Failed);
                    record.reason = Some(format!("cannot read: {error}"));
                    run.reporter.add(record);
                }
            }
        }
    });
    let linked = std::mem::take(&mut *run.linked.lock().unwrap_or_else(PoisonError::into_inner));
    let linked = Mutex::new(linked.into_values());
    let next = || linked.lock().unwrap_or_else(PoisonError::into_inner).next();
    each_worker(run, 1, &|worker| {
        while worker::goes_on()
            && let Some(entries) = next()
        {
            worker.work_linked(entries);
        }
    });
}

fn each_worker(run: &Run, jobs: usize, body: &(dyn Fn(&mut Worker<'_>) + std::marker::Sync)) {
    let one = || {
        let mut worker = Worker::new(run);
        body(&mut worker);
        worker.commit();
    };
    std::thread::scope(|scope| {
        for _ in 1..jobs {
            scope.spawn(one);
        }
        one();
    });
}

fn jobs(asked: usize) -> usize {
    match asked {
        0 => std::thread::available_parallelism().map_or(1, std::num::NonZero::get),
        jobs => jobs,
    }
}

/// The names of `--files-from`.
fn listed(select: &SelectArgs) -> Result<Vec<PathBuf>, Failure> {
    let Some(list) = &select.files_from else {
        return Ok(Vec::new());
    };
    let bytes = if list.as_os_str() == "-" {
        let mut bytes = Vec::new();
        io::stdin().lock().read_to_end(&mut bytes).map(|_| bytes)
    } else {
        fs::read(list)
    };
    let bytes = bytes.map_err(|error| Failure::io("read", quote(list), error))?;
    Ok(walk::names(&bytes, if select.null { 0 } else { b'\n' }))
}

/// Makes the output folder; returns its identity.
fn output_folder(
    folder: &Path,
    sources: &[PathBuf],
    writes: bool,
) -> Result<Option<(u64, u64)>, Failure> {
    if writes {
        let made = fs::create_dir_all(folder);
        made.map_err(|error| Failure::io("create the folder", quote(folder), error))?;
        draft::sweep(folder);
    }
    let Ok(metadata) = fs::metadata(folder) else {
        return Ok(None);
    };
    let identity = (metadata.dev(), metadata.ino());
    let is_it = |source: &&PathBuf| {
        fs::metadata(source).is_ok_and(|one| (one.dev(), one.ino()) == identity)
    };
    if let Some(source) = sources.iter().find(is_it) {
        return Err(Failure::usage(&format!(
            "{}: is source and output folder; use --in-place to replace its files",
            quote(source)
        )));
    }
    Ok(Some(identity))
}

/// Locks the folders that are converted in place, so that no second run takes them.
fn lock(sources: &[PathBuf]) -> Result<Vec<File>, Failure> {
    let mut locks = Vec::new();
    let mut identities = HashSet::new();
    for source in sources {
        let Ok(file) = File::open(source) else {
            // The walk says what is wrong.
            continue;
        };
        let metadata = file
            .metadata()
            .map_err(|error| Failure::io("read", quote(source), error))?;
        if !metadata.is_dir() || !identities.insert((metadata.dev(), metadata.ino())) {
            continue;
        }
        let locked = rustix::fs::flock(&file, FlockOperation::NonBlockingLockExclusive);
        if locked == Err(rustix::io::Errno::WOULDBLOCK) {
            return Err(Failure::usage(&format!(
                "{}: another run is converting this folder in place; wait until it ends",
                quote(source)
            )));
        }
        locks.push(file);
    }
    Ok(locks)
}

/// The journal is in the output folder or, in place, in the first source's.
fn open_journal(
    place: &Place,
    from: Source,
    rules: Rules,
    how: &PlaceArgs,
    select: &SelectArgs,
    sources: &[PathBuf],
    listed: &[PathBuf],
) -> Result<Option<Journal>, Failure> {
    let in_place = matches!(place, Place::Sources { .. });
    let folder = match (place, sources.first()) {
        (Place::Folder(folder), _) => folder.clone(),
        (_, Some(source)) if source.is_dir() => source.clone(),
        (_, Some(source)) => draft::folder_of(source).to_owned(),
        (_, None) => PathBuf::from("."),
    };
    let from = match from {
        Source::Given(encoding) => encoding.name(),
        Source::Auto => "auto",
    };
    let cwd = std::env::current_dir().unwrap_or_default();
    let options = format!(
        "{from} {} {:?} {:?} {:?} {in_place} {:?} {:?} {:?} {:?} {:?} {} {}",
        rules.to,
        rules.errors,
        rules.bom,
        rules.newline,
        how.backup,
        select.include,
        select.exclude,
        sources,
        listed,
        select.gitignore,
        quote(&cwd)
    );
    match Journal::open(&folder, &options, how.resume, in_place && !how.force) {
        Ok(journal) => Ok(Some(journal)),
        Err(JournalError::Io(path, error)) => {
            Err(Failure::io("write the journal", quote(&path), error))
        }
        Err(JournalError::Unfinished(path)) => Err(Failure::usage(&format!(
            "{}: an earlier run was not completed; --resume goes on with it, --force begins anew",
            quote(&path)
        ))),
        Err(JournalError::Missing) => Err(Failure::usage(&format!(
            "{}: no earlier run has left a journal here, so there is nothing to resume; run without --resume to begin",
            quote(&folder)
        ))),
        Err(JournalError::OtherOptions(path)) => Err(Failure::usage(&format!(
            "{}: that run had other options or another working folder; --resume goes on with the same command only",
            quote(&path)
        ))),
    }
}
